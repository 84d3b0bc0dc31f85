"""The XML names of a deck, spelled once. Strict files are brought to these names before they are parsed."""

from __future__ import annotations

_PRESENTATION = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
_DRAWING = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_CHART = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
_WORKBOOK = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_CHARTEX = "{http://schemas.microsoft.com/office/drawing/2014/chartex}"
_DIAGRAM = "{http://schemas.openxmlformats.org/drawingml/2006/diagram}"
_RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_COMPATIBILITY = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
_PACKAGE_RELATION = "{http://schemas.openxmlformats.org/package/2006/relationships}"
_COMMENT = "{http://schemas.microsoft.com/office/powerpoint/2018/8/main}"
_MATH = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"

RELATIONSHIP = _PACKAGE_RELATION + "Relationship"
REL_ID = _RELATION + "id"
REL_DIAGRAM_DATA = _RELATION + "dm"
ALTERNATE, CHOICE, FALLBACK = (_COMPATIBILITY + name for name in ("AlternateContent", "Choice", "Fallback"))


def p(name: str) -> str:
    """A PresentationML name."""
    return _PRESENTATION + name


def a(name: str) -> str:
    """A DrawingML name."""
    return _DRAWING + name


def c(name: str) -> str:
    """A chart name."""
    return _CHART + name


def sheet(name: str) -> str:
    """A name of the workbook behind a chart."""
    return _WORKBOOK + name


def cx(name: str) -> str:
    """A name of the newer charts (waterfall, treemap, funnel …)."""
    return _CHARTEX + name


def dgm(name: str) -> str:
    """A diagram (SmartArt) name."""
    return _DIAGRAM + name


def p188(name: str) -> str:
    """A name of threaded comments."""
    return _COMMENT + name


def m(name: str) -> str:
    """A formula's name."""
    return _MATH + name


# Strict files use other namespace addresses for the same names.
STRICT_ADDRESSES: tuple[tuple[bytes, bytes], ...] = tuple(
    (strict.encode(), transitional.encode())
    for strict, transitional in (
        ("http://purl.oclc.org/ooxml/presentationml/main", _PRESENTATION[1:-1]),
        ("http://purl.oclc.org/ooxml/drawingml/main", _DRAWING[1:-1]),
        ("http://purl.oclc.org/ooxml/drawingml/chart", _CHART[1:-1]),
        ("http://purl.oclc.org/ooxml/drawingml/diagram", _DIAGRAM[1:-1]),
        ("http://purl.oclc.org/ooxml/officeDocument/relationships", _RELATION[1:-1]),
        ("http://purl.oclc.org/ooxml/officeDocument/math", _MATH[1:-1]),
    )
)
STRICT_MARK = b"//purl.oclc.org/ooxml/"
