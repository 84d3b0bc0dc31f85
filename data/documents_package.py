"""Office packages with the same bytes every time: fixed dates in the properties, fixed times in the archive.

Also puts the cached results of formulas into sheets: the library that writes the workbooks leaves them out, while
every workbook a person has saved contains them. Likewise texts: the library writes them into the cells, spreadsheet
programs into a table of shared texts.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable, Mapping
from decimal import Decimal
from xml.sax.saxutils import escape, unescape

MADE_AT = "2025-03-20T09:30:00Z"
_ARCHIVE_TIME = (2025, 3, 20, 9, 30, 0)
_DATES = re.compile(rb"(<dcterms:(?:created|modified)[^>]*>)[^<]*(</dcterms:)")
_FORMULA_CELL = re.compile(r'<c r="([A-Z]+[0-9]+)"([^>]*)><f>(.*?)</f><v\s*/?>(?:</v>)?</c>', re.S)

_INLINE_TEXT = re.compile(r' t="inlineStr"><is><t([^>]*)>(.*?)</t></is></c>', re.S)
_CHARACTER = re.compile(r"&#([0-9]+);")
_SHARED_PART = "xl/sharedStrings.xml"
_SPREADSHEET = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_RELATION = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/sharedStrings"
_CONTENT = "application/vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"

Cached = Decimal | int | str | None


def normalised(package: bytes, rewrite: Callable[[str, bytes], bytes] = lambda _, data: data) -> bytes:
    """The same package with fixed dates; packages inside it (a chart's workbook) likewise."""
    target = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(package)) as source, zipfile.ZipFile(target, "w") as archive:
        for name in source.namelist():
            data = rewrite(name, source.read(name))
            if name.endswith(".xlsx"):
                data = normalised(data)
            elif name == "docProps/core.xml":
                data = _DATES.sub(rb"\g<1>" + MADE_AT.encode() + rb"\g<2>", data)
            member = zipfile.ZipInfo(name, _ARCHIVE_TIME)
            member.compress_type = zipfile.ZIP_DEFLATED
            member.external_attr = 0o600 << 16
            archive.writestr(member, data, compresslevel=9)
    return target.getvalue()


def with_cached_values(sheet_xml: bytes, cached: Mapping[str, Cached]) -> bytes:
    """The sheet with the result of each formula beside it; None leaves the formula without one."""
    left = dict(cached)

    def fill(match: re.Match[str]) -> str:
        place, attributes, formula = match.groups()
        value = left.pop(place)
        kind = re.sub(r'\s+t="[^"]*"', "", attributes)
        if value is None:
            return f'<c r="{place}"{kind}><f>{formula}</f></c>'
        if isinstance(value, str):
            kind += ' t="e"' if value.startswith("#") else ' t="str"'
        shown = escape(value) if isinstance(value, str) else repr(float(value)).removesuffix(".0")
        return f'<c r="{place}"{kind}><f>{formula}</f><v>{shown}</v></c>'

    filled = _FORMULA_CELL.sub(fill, sheet_xml.decode("utf-8"))
    if left:
        raise ValueError(f"no formula at {sorted(left)}")
    return filled.encode("utf-8")


def with_shared_texts(package: bytes) -> bytes:
    """The workbook with its texts in one shared table, as spreadsheet programs save them."""
    texts: dict[str, int] = {}

    def share(match: re.Match[str]) -> str:
        text = escape(unescape(_CHARACTER.sub(lambda found: chr(int(found[1])), match[2])))
        return f' t="s"><v>{texts.setdefault(f"<si><t{match[1]}>{text}</t></si>", len(texts))}</v></c>'

    target = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(package)) as source, zipfile.ZipFile(target, "w") as archive:
        for name in source.namelist():
            content = source.read(name).decode("utf-8")
            if name.startswith("xl/worksheets/sheet"):
                content = _INLINE_TEXT.sub(share, content)
            elif name == "xl/_rels/workbook.xml.rels":
                relation = f'<Relationship Type="{_RELATION}" Target="/{_SHARED_PART}" Id="rIdTexts"/>'
                content = content.replace("</Relationships>", f"{relation}</Relationships>")
            elif name == "[Content_Types].xml":
                override = f'<Override PartName="/{_SHARED_PART}" ContentType="{_CONTENT}"/>'
                content = content.replace("</Types>", f"{override}</Types>")
            archive.writestr(name, content)
        table = f'<sst xmlns="{_SPREADSHEET}" uniqueCount="{len(texts)}">{"".join(texts)}</sst>'
        archive.writestr(_SHARED_PART, f'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n{table}')
    return target.getvalue()
