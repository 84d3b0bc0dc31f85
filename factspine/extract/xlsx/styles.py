"""Cell styles of a workbook: one interned `CellStyle` and one number format for each entry of `cellXfs`."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TypeVar
from xml.etree.ElementTree import Element

from factspine.core.tables import PLAIN, CellStyle
from factspine.extract.xlsx.formats import BUILTIN
from factspine.extract.xlsx.markup import under

_T = TypeVar("_T")

_ALIGN = {"left": "left", "center": "center", "right": "right", "centerContinuous": "center", "distributed": "center"}
_OFF = ("0", "false", "none")
_WHITE = ("FFFFFFFF", "00FFFFFF", "FFFFFF")
_INDENT_MAX = 250  # what a spreadsheet allows


@dataclass(frozen=True, slots=True, kw_only=True)
class Styles:
    """The styles a cell's `s` attribute points into."""

    xfs: tuple[CellStyle, ...] = (PLAIN,)

    def at(self, index: int) -> CellStyle:
        """The style of an index; a plain one where the file points past its own table."""
        return self.xfs[index] if index < len(self.xfs) else PLAIN


@lru_cache(maxsize=16)  # workbooks written by one program often have one style sheet, which is then one object
def read_styles(root: Element | None) -> Styles:
    """The styles part, or plain styles where a workbook has none."""
    if root is None:
        return Styles()
    formats = dict(BUILTIN)
    for node in under(root, "numFmts", "numFmt"):
        if (number := _number(node.get("numFmtId"))) is not None:
            formats[number] = node.get("formatCode", "General")
    fonts = [(_on(font.find("b")), _on(font.find("i"))) for font in under(root, "fonts", "font")]
    fills = [_filled(fill) for fill in under(root, "fills", "fill")]
    borders = [(_line(border.find("top")), _line(border.find("bottom"))) for border in under(root, "borders", "border")]
    interned: dict[CellStyle, CellStyle] = {}
    xfs = []
    for xf in under(root, "cellXfs", "xf"):
        bold, italic = _pick(fonts, xf.get("fontId"), (False, False))
        top, bottom = _pick(borders, xf.get("borderId"), (False, False))
        alignment = xf.find("alignment")
        around = {} if alignment is None else alignment.attrib
        style = CellStyle(
            number_format=formats.get(_number(xf.get("numFmtId")) or 0, "General"),
            bold=bold,
            italic=italic,
            indent=min(_number(around.get("indent")) or 0, _INDENT_MAX),
            align=_ALIGN.get(around.get("horizontal", ""), ""),
            filled=_pick(fills, xf.get("fillId"), False),
            border_top=top,
            border_bottom=bottom,
        )
        xfs.append(interned.setdefault(style, style))
    return Styles(xfs=tuple(xfs) or (PLAIN,))


def _number(text: str | None) -> int | None:
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 10 else None


def _pick(items: list[_T], index: str | None, otherwise: _T) -> _T:
    number = _number(index)
    return items[number] if number is not None and number < len(items) else otherwise


def _on(node: Element | None) -> bool:
    return node is not None and node.get("val", "1") not in _OFF


def _line(node: Element | None) -> bool:
    return node is not None and node.get("style", "none") != "none"


def _filled(fill: Element) -> bool:
    """A fill that a person notices: solid white on white paper is none."""
    if fill.find("gradientFill") is not None:
        return True
    pattern = fill.find("patternFill")
    if pattern is None or pattern.get("patternType", "none") in ("none", "gray125"):
        return False
    color = pattern.find("fgColor")
    if color is None:
        return True
    white = color.get("rgb", "") in _WHITE or color.get("indexed") == "9"
    return not (white or (color.get("theme") == "0" and "tint" not in color.attrib))
