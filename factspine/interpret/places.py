"""Where a cell stands, written as a locator: the cell finds the place, the labels prove it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from factspine.core.locators import column_letters, encode
from factspine.core.tables import RawCell, RawTable
from factspine.interpret.dimensions import tidy


def cell_place(raw: RawTable, row: int, col: int) -> str:
    """The locator of any cell of a table, without labels."""
    place = raw.places[0] if raw.places else None
    for candidate in raw.places:
        if candidate.first_row <= row:
            place = candidate
    base = place.locator if place else raw.locator
    if raw.addressing == "a1":
        return f"{base},cell={column_letters(col)}{row}"
    first_row = max(place.first_row if place else raw.top, raw.top)
    return f"{base},cell=R{row - first_row + 1}C{col - raw.left + 1}"


class LocatorWriter:
    """Writes the canonical locators of one table's data cells."""

    def __init__(self, raw: RawTable) -> None:
        self._raw = raw
        self._base = raw.places[0].locator if raw.places else raw.locator
        self._letters: dict[int, str] = {}
        self._points = _ChartPoints(raw) if raw.addressing == "chart" else None

    def write_all(self, cells: Sequence[RawCell], row_parts: Sequence[str], col_parts: Sequence[str]) -> list[str]:
        """The locators of many cells."""
        if self._raw.addressing != "a1":
            return list(map(self.write, cells, row_parts, col_parts))
        starts = {col: f"{self._base},cell={column_letters(col)}" for col in {cell[1] for cell in cells}}
        return [
            f"{starts[cell[1]]}{cell[0]}{row_part}{col_part}"
            for cell, row_part, col_part in zip(cells, row_parts, col_parts, strict=True)
        ]

    def write(self, cell: RawCell, row_part: str, col_part: str) -> str:
        """The locator of a cell; the parts are its labels as they stand in a locator (`,row=Revenue`)."""
        raw = self._raw
        if raw.addressing == "a1":
            letters = self._letters.get(cell.col)
            if letters is None:
                letters = self._letters[cell.col] = column_letters(cell.col)
            return f"{self._base},cell={letters}{cell.row}{row_part}{col_part}"
        if self._points is not None:
            return f"{self._base}{self._points.names(cell)}"
        return f"{cell_place(raw, cell.row, cell.col)}{row_part}{col_part}"


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

    def names(self, cell: RawCell) -> str:
        series, category = self._name(cell.col), self._category(cell.row)
        point = ""
        if self._uses[series, category] > 1:
            point = f",point={cell.row - self._raw.top + self._turn[cell.col] * (self._raw.n_rows - 1)}"
        return f",series={encode(series)},cat={encode(category)}{point}"

    def _name(self, col: int) -> str:
        return self._series.get(col) or str(col - self._raw.left)

    def _category(self, row: int) -> str:
        return self._categories.get(row) or str(row - self._raw.top)
