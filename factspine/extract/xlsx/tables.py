"""A region of a sheet as a raw table: its bounds, what is hidden or worked out in it, and the texts beside it."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from factspine.core.locators import column_letters, encode
from factspine.core.tables import Cells, ContextRole, ContextText, Place, Position, RawCell, RawTable
from factspine.extract.xlsx.lines import Grid
from factspine.extract.xlsx.regions import is_note
from factspine.extract.xlsx.sheet import Sheet
from factspine.lexicon.periods import is_period_label

_UNIT = re.compile(
    r"单位\s*[:：]|單位\s*[:：]|币种\s*[:：]|计量单位|货币单位|\bunits?\s*:|\bin\s+(?:(?:US|HK|NT|[ASC]|RMB|[A-Z]{3})?\s?[$€£¥]?\s?)(?:thousands|millions|billions|hundreds)\b"
    r"|[(（\[][^()（）\[\]]*(?:[’'‘]000s?|thousands?|millions?|billions?|percent|万元|百万|千元|亿元|[$¥￥€£%％])[^()（）\[\]]*[)）\]]"
    r"|^(?:RMB|CNY|HK\$|US\$|USD|HKD|NT\$|EUR|GBP)\s*(?:[’'‘]000|m|mn|million|thousand|bn)?$",
    re.IGNORECASE,
)
_ONLY_UNIT = re.compile(
    r"\s*(?:[(（\[]|.{0,6}(?:单位|單位|币种|货币)|in\b|units?\b|all\b|amounts?\b|figures\b|values?\b|currency\b|expressed\b|stated\b"
    r"|(?:RMB|CNY|HK|US|HKD|USD|NT|EUR|GBP)?[$¥￥€£]?\s*(?:in\b|[’'‘]|m\b|mn\b|million|thousand|bn\b))",
    re.IGNORECASE,
)
_TITLE_MAX = 300
_LINES_MAX = 20


def is_unit_line(text: str) -> bool:
    """Whether a line of text says in what unit the numbers beside it are."""
    return len(text) < _TITLE_MAX and _UNIT.search(text) is not None


def place(sheet: str, row: int, col: int) -> str:
    """The locator of a cell."""
    return f"sheet={encode(sheet)},cell={column_letters(col)}{row}"


def _between(numbers: list[int], first: int, last: int) -> list[int]:
    return numbers[bisect_left(numbers, first) : bisect_right(numbers, last)]


class _Heading(NamedTuple):
    """A line over a table."""

    row: int
    text: ContextText

    @property
    def is_title(self) -> bool:
        """Whether it calls the table something; a line with nothing but a period or a unit does not."""
        said = self.text.text
        return not (_ONLY_UNIT.match(said) if self.text.role == "unit_note" else is_period_label(said))


def _carried_on(first: Sequence[_Heading], own: Sequence[_Heading]) -> Iterator[ContextText]:
    """The lines over the first table of a sheet, as what they are to a later one.

    Where that has a title of its own, lines set off by a blank row, and those that are more than it has itself, are the
    sheet's. A title that stands over the first table as the later one's stands over its own is that table's alone.
    """
    if not first:
        return
    ours, theirs = _blocks(own), _blocks(first)
    spare = max(sum(theirs) - sum(ours), sum(theirs[: max(0, len(theirs) - len(ours))])) if ours else sum(theirs)
    for line in first:
        spare -= line.is_title
        role: ContextRole = "sibling" if line.is_title and spare < 0 else "section"
        if line.text.role == "unit_note" and role == "section":
            # Under a title of the sheet, one with a unit in it is that of the first table: "Sales by region (EUR m)".
            role = "sibling" if line.is_title and line is not first[0] else "unit_note"
        yield replace(line.text, role=role)


def _blocks(lines: Sequence[_Heading]) -> list[int]:
    """How many titles stand together, from the top, wherever a blank row parts them."""
    sizes: list[int] = []
    before = -1
    for row in (line.row for line in lines if line.is_title):
        if row > before + 1 or not sizes:
            sizes.append(0)
        sizes[-1] += 1
        before = row
    return sizes


class TableMaker:
    """Makes the tables of one sheet; the lines over the first of them may be those of the sheet."""

    def __init__(self, name: str, sheet: Sheet, *, hidden: bool) -> None:
        self._name = name
        self._sheet = sheet
        self._hidden = hidden
        self._where = f"sheet={encode(name)}"
        self._first: list[_Heading] = []
        self._first_has_body = True
        self._formulas = sorted(sheet.formulas)
        self._merges = sorted(sheet.merges)
        self._uncached = frozenset(sheet.uncached)
        self._hidden_rows = sorted(sheet.hidden_rows)

    def table(self, number: int, cells: Cells) -> RawTable:
        """The table of a region, the `number`-th of its sheet."""
        sheet = self._sheet
        top, bottom = cells.columns.rows[0], cells.columns.rows[-1]
        columns = set(cells.columns.cols)
        left, right = min(columns), max(columns)
        within = [p for p in self._places(top, bottom) if left <= p[1] <= right]
        formulas = {p: sheet.formulas[p] for p in within}
        title, above, below = self._around(cells)
        carried = _carried_on(self._first, above if self._first_has_body else ())
        if number == 1:
            self._first = [line for line in above if line.text.role in ("caption", "unit_note")]
            self._first_has_body = above[-1].row < bottom if above else True
        # What stands nearest comes last, and wins.
        sheet_name = ContextText(role="sheet", text=self._name, locator=self._where)
        context = (sheet_name, *carried, *(line.text for line in above), *below)
        return RawTable(
            locator=f"{self._where},table={number}",
            title=title,
            top=top,
            left=left,
            n_rows=bottom - top + 1,
            n_cols=right - left + 1,
            cells=cells,
            spans=self._spans(top, left, bottom, right),
            formulas=formulas,
            uncached=frozenset(self._uncached & formulas.keys()),
            hidden=self._hidden,
            hidden_rows=frozenset(_between(self._hidden_rows, top, bottom)),
            hidden_cols=frozenset(
                col
                for first, last in sheet.hidden_cols
                for col in range(max(first, left), min(last, right) + 1)
                if col in columns
            ),
            places=(Place(first_row=top, locator=self._where),),
            context=context,
            addressing="a1",
        )

    def _places(self, top: int, bottom: int) -> list[Position]:
        return self._formulas[bisect_left(self._formulas, (top, 0)) : bisect_right(self._formulas, (bottom, 1 << 20))]

    def _spans(self, top: int, left: int, bottom: int, right: int) -> dict[Position, Position]:
        """Merged ranges that begin in the region, cut at its bounds."""
        out = {}
        start = bisect_left(self._merges, (top, 0, 0, 0))
        for first_row, first_col, last_row, last_col in self._merges[start:]:
            if first_row > bottom:
                break
            if left <= first_col <= right:
                size = (min(last_row, bottom) - first_row + 1, min(last_col, right) - first_col + 1)
                if size != (1, 1):
                    out[(first_row, first_col)] = size
        return out

    def _around(self, cells: Cells) -> tuple[str, list[_Heading], list[ContextText]]:
        """The title, and the captions, unit lines and notes above and below the body of a region."""
        grid = Grid(cells, {})
        rows = grid.rows
        out: list[_Heading] = []
        title = ""
        at = 0
        while at < len(rows) and at < _LINES_MAX:
            line = grid.line(rows[at])
            start, end = grid.span(rows[at], rows[at])
            # A header with a unit in it, "Share (%)", is no unit line.
            has_unit = any(
                _ONLY_UNIT.match(cell.text) and is_unit_line(cell.text) for cell in cells[start:end] if cell.kind == "s"
            )
            if not line.single and not (has_unit and not line.data and len(line.texts) <= 3 and at + 1 < len(rows)):
                break
            for cell in cells[start:end]:
                role: ContextRole = (
                    "unit_note" if is_unit_line(cell.text) else "note" if is_note(cell.text) else "caption"
                )
                if not title and (role == "caption" or (role == "unit_note" and len(cell.text) > 20)):
                    title = cell.text[:_TITLE_MAX]
                out.append(_Heading(cell.row, self._context(role, cell)))
            at += 1
        below: list[ContextText] = []
        if at == len(rows):  # nothing but lines of text
            return title, out, below
        for row in reversed(rows[max(at, len(rows) - _LINES_MAX) :]):
            if not grid.line(row).single:
                break
            cell = cells[grid.span(row, row)[0]]
            below.append(
                self._context("unit_note" if is_unit_line(cell.text) and len(cell.text) < 60 else "note", cell)
            )
        return title, out, below[::-1]

    def _context(self, role: ContextRole, cell: RawCell) -> ContextText:
        return ContextText(role=role, text=cell.text, locator=place(self._name, cell.row, cell.col))
