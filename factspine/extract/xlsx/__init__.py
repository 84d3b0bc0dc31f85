"""Workbooks: every sheet, every table on it, with the cells as a person sees them and as the file stores them.

`read` streams tables, passages and findings; `VERSION` changes whenever the same bytes could give another stream.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator, Sequence
from itertools import compress
from pathlib import Path

from factspine.core.errors import UsageError
from factspine.core.findings import Finding
from factspine.core.limits import Limits
from factspine.core.locators import column_letters, encode, parse
from factspine.core.tables import Item, Passage, Position, RawTable
from factspine.extract.xlsx.cells import read_sheet
from factspine.extract.xlsx.comments import read_comments
from factspine.extract.xlsx.markup import Malformed
from factspine.extract.xlsx.package import Package, SheetEntry
from factspine.extract.xlsx.regions import find_regions
from factspine.extract.xlsx.sheet import Assembler, Sheet
from factspine.extract.xlsx.tables import TableMaker, place

__all__ = ["VERSION", "read", "reread"]

VERSION = "xlsx/3"

_LONG = 80  # characters, a wide one counting twice: from here on a cell is prose
_FIRST = 5  # cells named in a finding


def read(path: Path, limits: Limits) -> Iterator[Item]:
    """Everything a workbook holds, sheet by sheet."""
    with Package(path) as package:
        left = limits.cells_max
        for entry in package.sheets:
            try:
                sheet = _sheet(package, entry, limits.cells_max, limits.cells_max - left)
                left -= len(sheet.cells)
                yield from _items(entry, sheet)
                yield from read_comments(package, entry.part, entry.name, hidden=entry.hidden)
            except Malformed as error:
                yield Finding.of(
                    "FS207",
                    f"A sheet could not be read: {error}.",
                    locator=f"sheet={encode(entry.name)}",
                    remedy="Open the workbook in a spreadsheet program and save it again.",
                )


def reread(path: Path, locators: Sequence[str]) -> list[tuple[str, str | None]]:
    """What stands at each locator according to the second reader: the text a person sees, and the exact value."""
    from factspine.extract.xlsx import readback  # the second reader's library is loaded only when it is asked

    return readback.reread(path, [_named(locator) for locator in locators])


def _named(locator: str) -> tuple[str, str]:
    """The sheet and cell a locator names; empty where it names none, which reads as nothing."""
    try:
        found = parse(locator)
    except UsageError:
        return "", ""
    return found.get("sheet") or "", found.get("cell") or ""


def _sheet(package: Package, entry: SheetEntry, cells_max: int, spent: int) -> Sheet:
    """One sheet's cells. A million small records would make the collector look at each of them again and again."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        return read_sheet(
            lambda: package.pieces(entry.part),
            lambda raw: Assembler(package.styles, package.strings, package.date1904, cells_max, spent, raw=raw),
        )
    finally:
        if collecting:
            gc.enable()


def _items(entry: SheetEntry, sheet: Sheet) -> Iterator[Item]:
    maker = TableMaker(entry.name, sheet, hidden=entry.hidden)
    yield from _findings(entry, sheet)
    if not sheet.cells:
        return
    for number, region in enumerate(find_regions(sheet.cells, sheet.merges), start=1):
        table = maker.table(number, region)
        yield table
        yield from _passages(entry, table)


def _passages(entry: SheetEntry, table: RawTable) -> Iterator[Passage]:
    """Cells that hold prose; in a region of nothing but lines, every sentence."""
    section = (table.title,) if table.title else ()
    floor = _LONG if table.n_cols > 1 else _LONG // 3
    texts = table.columns.texts
    if max(map(len, texts)) * 2 < floor:
        return
    for at in compress(range(len(texts)), [len(text) * 2 >= floor for text in texts]):
        cell, text = table.cells[at], texts[at]
        if cell.kind == "s" and _is_as_wide(text, floor):
            above = () if text.startswith(table.title or "\0") else section
            where = place(entry.name, cell.row, cell.col)
            hidden = table.hidden or cell.row in table.hidden_rows or cell.col in table.hidden_cols
            yield Passage(locator=where, text=text, kind="cell", section=above, hidden=hidden)


def _is_as_wide(text: str, floor: int) -> bool:
    return len(text) >= floor or (not text.isascii() and len(text) + sum(map("\u2e80".__le__, text)) >= floor)


def _findings(entry: SheetEntry, sheet: Sheet) -> Iterator[Finding]:
    where = f"sheet={encode(entry.name)}"
    if sheet.uncached:
        yield Finding.of(
            "FS205",
            f"{_count(sheet.uncached, 'formula has', 'formulas have')} no cached value: {_some(sheet.uncached)}.",
            locator=place(entry.name, *sheet.uncached[0]),
            remedy="Open the workbook in a spreadsheet program, let it calculate, and save it.",
        )
    if sheet.errors:
        yield Finding.of(
            "FS206",
            f"{_count(sheet.errors, 'cell holds', 'cells hold')} an error value: {_some(sheet.errors)}.",
            locator=place(entry.name, *sheet.errors[0]),
        )
    if sheet.merges_ignored:
        yield Finding.of("FS207", f"{sheet.merges_ignored:,} merged ranges were not applied.", locator=where)
    if entry.hidden:
        yield Finding.of("FS209", "The sheet is hidden.", locator=where)
    yield from _hidden(sheet, where)


def _hidden(sheet: Sheet, where: str) -> Iterator[Finding]:
    """What is hidden and holds something; empty rows and columns are hidden for looks."""
    rows, cols = sheet.hidden_rows, sheet.hidden_cols
    if not (rows or cols) or not sheet.cells:
        return
    cells = sheet.cells.columns
    used_rows = rows.intersection(cells.rows)
    used_cols = {c for c in set(cells.cols) if any(a <= c <= b for a, b in cols)} if cols else set()
    if used_rows:
        names = ", ".join(map(str, sorted(used_rows)[:_FIRST])) + (" …" if len(used_rows) > _FIRST else "")
        yield Finding.of("FS209", f"{_count(used_rows, 'row is', 'rows are')} hidden: {names}.", locator=where)
    if used_cols:
        names = ", ".join(column_letters(c) for c in sorted(used_cols)[:_FIRST]) + (
            " …" if len(used_cols) > _FIRST else ""
        )
        yield Finding.of("FS209", f"{_count(used_cols, 'column is', 'columns are')} hidden: {names}.", locator=where)


def _count(items: list[Position] | set[int], one: str, many: str) -> str:
    return f"{len(items):,} {one if len(items) == 1 else many}"


def _some(places: list[Position]) -> str:
    names = ", ".join(f"{column_letters(col)}{row}" for row, col in places[:_FIRST])
    return names + (" …" if len(places) > _FIRST else "")
