"""The workbook that lies in a deck behind a chart, held against the numbers that the chart shows.

A chart keeps the numbers its workbook had when it was last opened there, and shows those: they are the facts. Where the
workbook says otherwise now, somebody should look. Decks are full of charts, so that of each workbook only the one sheet
is read. Whatever is out of the ordinary is not compared: workbooks elsewhere, ranges in pieces, sheets with hidden rows
or columns, which a chart leaves out.
"""

from __future__ import annotations

import io
import math
import re
from collections.abc import Iterator, Mapping

from factspine.core.errors import InputRejected
from factspine.core.limits import Limits
from factspine.core.locators import cell_position, column_letters
from factspine.extract.pptx import tags
from factspine.extract.pptx.package import Element, Package, PartDamaged, child_of

_EXTERNAL_DATA, _REFERENCE, _CACHE, _FORMULA, _COUNT, _POINT, _VALUE = (
    tags.c(name) for name in ("externalData", "numRef", "numCache", "f", "ptCount", "pt", "v")
)
_VALUES = frozenset(tags.c(name) for name in ("val", "yVal", "bubbleSize"))
_RANGE = re.compile(r"(?:'((?:[^']|'')+)'|([^'!\[\]()]+))!\$?([A-Z]{1,3}\$?\d{1,7})(?::\$?([A-Z]{1,3}\$?\d{1,7}))?")
_SHEETS, _SHEET, _ROW, _COL, _CELL, _CELL_VALUE = (
    tags.sheet(name) for name in ("sheets", "sheet", "row", "col", "c", "v")
)
_BOOK = "xl/workbook.xml"
_SHEET_FOLDER = "xl/worksheets/"
_ON = frozenset(("1", "true"))
# Longer ones hold a model rather than a chart's data, and would take longer than all the rest of the deck.
_BOOK_LIMITS = Limits(zip_member_bytes_max=1024 * 1024)
_BOOK_BYTES_MAX = 4 * 1024 * 1024
_SAME = 1e-9  # caches are written with more or fewer digits than cells

_CELLS_MAX = 10_000  # of one series; a reference to whole columns names a million

_Range = tuple[str, list[str]]  # the sheet's name, and its cells in order


def stale_cells(package: Package, part: str, space: Element) -> list[str]:
    """The cells of a chart's own workbook that hold another number than the chart shows; `part` is the chart's name."""
    link = child_of(space, _EXTERNAL_DATA)
    if link is None:
        return []
    try:
        shown = list(_shown(space))
        book = package.relations(part).get(link.get(tags.REL_ID) or "")
        if not shown or book is None or not book.target or package.size(book.target) > _BOOK_BYTES_MAX:
            return []
        with Package(io.BytesIO(package.data(book.target)), _BOOK_LIMITS) as opened:
            sheets = {name: _numbers(opened, name) for name in {name for (name, _), _ in shown}}
    except (PartDamaged, InputRejected):
        return []  # the chart is read without its workbook
    return [
        cell
        for (name, cells), values in shown
        for cell, value in zip(cells, values, strict=True)
        if _differ(value, sheets[name].get(cell))
    ]


def _shown(space: Element) -> Iterator[tuple[_Range, list[str | None]]]:
    """Each range that the chart shows numbers of, and those numbers; only where there is one for each of its cells."""
    for reference in space.iter(_REFERENCE):
        parts = {child.tag: child for child in reference}
        if reference.getparent().tag not in _VALUES or _CACHE not in parts or _FORMULA not in parts:
            continue
        found = _range(parts[_FORMULA].text or "")
        count = child_of(parts[_CACHE], _COUNT)
        if found is not None and count is not None and count.get("val") == str(len(found[1])):
            values = {point.get("idx"): child_of(point, _VALUE) for point in parts[_CACHE].iterchildren(_POINT)}
            texts = [values.get(str(index)) for index in range(len(found[1]))]
            yield found, [None if text is None else text.text for text in texts]


def _range(formula: str) -> _Range | None:
    """The cells of a reference such as `Sheet1!$B$2:$B$5`; None for anything but part of one row or column."""
    found = _RANGE.fullmatch(formula.strip())
    if found is None:
        return None
    ends = [cell_position((found[at] or found[3]).replace("$", "")) for at in (3, 4)]
    if ends[0] is None or ends[1] is None or (ends[0][0] != ends[1][0] and ends[0][1] != ends[1][1]):
        return None
    (top, left), (bottom, right) = ends[0], ends[1]
    if max(bottom - top, right - left) >= _CELLS_MAX:
        return None
    cells = [f"{column_letters(col)}{row}" for row in range(top, bottom + 1) for col in range(left, right + 1)]
    return (found[1] or found[2]).replace("''", "'"), cells


def _numbers(book: Package, name: str) -> Mapping[str, str]:
    """The numbers of a sheet by their cells; none where it has hidden rows or columns."""
    part = _part_of(book, name)
    if not part:
        return {}
    root = book.xml(part)
    if any(line.get("hidden") in _ON for line in root.iter(_ROW, _COL)):
        return {}
    numbers = {}
    for cell in root.iter(_CELL):
        if cell.get("t", "n") == "n":
            value = child_of(cell, _CELL_VALUE)
            numbers[cell.get("r")] = "" if value is None else value.text or ""
    return numbers


def _part_of(book: Package, name: str) -> str:
    """Where a sheet is; a book of one sheet need not be asked."""
    parts = book.names(_SHEET_FOLDER)
    if len(parts) == 1:
        return parts[0]
    links = book.relations(_BOOK)
    sheets = child_of(book.xml(_BOOK), _SHEETS)
    for sheet in () if sheets is None else sheets.iterchildren(_SHEET):
        if sheet.get("name") == name and (link := links.get(sheet.get(tags.REL_ID) or "")) is not None:
            return link.target
    return ""


def _differ(shown: str | None, held: str | None) -> bool:
    """Whether both are numbers, and not the same one."""
    if not shown or not held or shown == held:
        return False
    try:
        one, other = float(shown), float(held)
    except ValueError:
        return False
    return math.isfinite(one) and math.isfinite(other) and not math.isclose(one, other, rel_tol=_SAME)
