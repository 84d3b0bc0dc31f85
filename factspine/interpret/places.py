"""The locators of facts: the cell finds the place, the labels prove it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from factspine.core.locators import cell_position, column_letters, encode, parse
from factspine.core.places import cell_place, home_of
from factspine.core.tables import ContextText, RawCell, RawTable
from factspine.interpret.dimensions import tidy


def column_meant(raw: RawTable, text: ContextText) -> int | None:
    """The one column a text beside a table speaks of, where its place is that column's head: an axis of a chart."""
    if text.role != "axis_title" or text.locator == raw.locator:
        return None
    head = cell_position(parse(text.locator).get("cell") or "")
    return raw.left + head[1] - 1 if head is not None else None


class LocatorWriter:
    """Writes the canonical locators of one table's data cells."""

    def __init__(self, raw: RawTable) -> None:
        self._raw = raw
        self._base = raw.places[0].locator if raw.places else raw.locator
        self._starts: dict[int, str] = {}
        self._points = _ChartPoints(raw) if raw.addressing == "chart" else None

    def write_all(
        self, rows: Sequence[int], cols: Sequence[int], row_parts: Sequence[str], col_parts: Sequence[str]
    ) -> list[str]:
        """The locators of many cells; the parts are their labels as they stand in a locator (`,row=Revenue`)."""
        parts = zip(rows, cols, row_parts, col_parts, strict=True)
        if self._raw.addressing == "rc" and len(self._raw.places) < 2:
            base, first_row = home_of(self._raw, self._raw.top)
            up, left = first_row - 1, self._raw.left - 1
            start = f"{base},cell=R"
            return [f"{start}{row - up}C{col - left}{row_part}{col_part}" for row, col, row_part, col_part in parts]
        if self._raw.addressing != "a1":
            return list(map(self._write, rows, cols, row_parts, col_parts))
        starts = {col: self._start(col) for col in set(cols)}
        return [f"{starts[col]}{row}{row_part}{col_part}" for row, col, row_part, col_part in parts]

    def write(self, cell: RawCell, row_part: str, col_part: str) -> str:
        """The locator of one cell."""
        return self._write(cell.row, cell.col, row_part, col_part)

    def _write(self, row: int, col: int, row_part: str, col_part: str) -> str:
        if self._raw.addressing == "a1":
            return f"{self._start(col)}{row}{row_part}{col_part}"
        if self._points is not None:
            return f"{self._base}{self._points.names(row, col)}"
        return f"{cell_place(self._raw, row, col)}{row_part}{col_part}"

    def _start(self, col: int) -> str:
        start = self._starts.get(col)
        if start is None:
            start = self._starts[col] = f"{self._base},cell={column_letters(col)}"
        return start


class _ChartPoints:
    """Points of a chart by series and category; numbered where several share both names.

    The number counts down the categories of the first series of a name, then down those of the next.
    """

    def __init__(self, raw: RawTable) -> None:
        self._raw = raw
        self._series = {cell.col: tidy(cell.text) for cell in raw.cells if cell.row == raw.top}
        self._categories = {cell.row: tidy(cell.text) for cell in raw.cells if cell.col == raw.left}
        alike: dict[str, list[int]] = defaultdict(list)
        for col in range(raw.left + 1, raw.left + raw.n_cols):
            alike[self._name(col)].append(col)
        self._turn = {col: cols.index(col) for cols in alike.values() for col in cols}
        points = (cell for cell in raw.cells if cell.row > raw.top and cell.col > raw.left)
        self._uses = Counter((self._name(cell.col), self._category(cell.row)) for cell in points)

    def names(self, row: int, col: int) -> str:
        series, category = self._name(col), self._category(row)
        if col == self._raw.left:  # the category's own name, which belongs to no series
            return f",cat={encode(category)}"
        point = ""
        if self._uses[series, category] > 1:
            point = f",point={row - self._raw.top + self._turn[col] * (self._raw.n_rows - 1)}"
        return f",series={encode(series)},cat={encode(category)}{point}"

    def _name(self, col: int) -> str:
        return self._series.get(col) or str(col - self._raw.left)

    def _category(self, row: int) -> str:
        return self._categories.get(row) or str(row - self._raw.top)
