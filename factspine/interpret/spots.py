"""Where a table's data cells stand: in which band, in which row of it, and which rows say the same.

Facts are built cell by cell, and whatever belongs to a row or a band is looked up here, once for each of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from factspine.core.labelled import Block
from factspine.core.tables import CellColumns
from factspine.interpret.columns import ColumnUse
from factspine.interpret.lines import NO_LINE, Line
from factspine.interpret.series import SeriesNames

Spot = int | tuple[int | None, int]  # a row; with its band where a table has several


@dataclass(frozen=True, slots=True, kw_only=True)
class Band:
    """One block of a table with what its rows and columns say."""

    block: Block
    rows: dict[int, Line]
    cols: dict[int, Line]
    uses: dict[int, ColumnUse]
    records: bool
    money: frozenset[int]  # prices and amounts beside quantities: the unit of the row is that of the quantity
    series: SeriesNames | None  # of a chart
    dated: frozenset[int]  # rows of years in which something happened
    members: bool  # the rows are regions, products, shops …: the caption says what is measured of them


_new = tuple.__new__  # a named tuple's own constructor takes twice as long


class Statement(NamedTuple):
    """What all rows that say the same have in common."""

    band: Band | None
    row_no: int  # of the first of them
    line: Line


class Bands:
    """The bands of a table, and which of them a cell lies in: found by row, then by column."""

    def __init__(self, bands: list[Band]) -> None:
        self.all = bands
        self.hold_records = any(band.records for band in bands)
        self._by_row: dict[int, list[tuple[int, int, int]]] = {}  # first column, last column, band
        for place, band in enumerate(bands if len(bands) > 1 else ()):
            for row in range(band.block.first_row, band.block.last_row + 1):
                self._by_row.setdefault(row, []).append((band.block.first_col, band.block.last_col, place))

    def spots(self, cells: CellColumns) -> Sequence[Spot]:
        """The row of each cell, with its band where there are several."""
        if len(self.all) == 1:
            return cells.rows
        return list(zip(map(self._find, cells.rows, cells.cols), cells.rows, strict=True))

    def at(self, spot: Spot) -> tuple[Band | None, int]:
        """The band and the row of a spot."""
        place, row = (0, spot) if isinstance(spot, int) else spot
        return (None if place is None else self.all[place]), row

    def _find(self, row: int, col: int) -> int | None:
        for first_col, last_col, place in self._by_row.get(row, ()):
            if first_col <= col <= last_col:
                return place
        return None


class Said(dict[Spot, int]):
    """The statement of each spot by number: in a list of records what its row says, else the row itself."""

    def __init__(self, bands: Bands, hidden_rows: frozenset[int]) -> None:
        self._bands = bands
        self._hidden_rows = hidden_rows
        self._numbers: dict[object, int] = {}
        self.statements: list[Statement] = []
        self.lines: dict[Spot, Line] = {}

    def __missing__(self, spot: Spot) -> int:
        band, row_no = self._bands.at(spot)
        line = self.lines[spot] = band.rows.get(row_no, NO_LINE) if band is not None else NO_LINE
        alike = band is not None and band.records and row_no not in self._hidden_rows
        key = (id(band), id(line.dims)) if alike else spot
        number = self[spot] = self._numbers.setdefault(key, len(self.statements))
        if number == len(self.statements):
            self.statements.append(_new(Statement, (band, row_no, line)))
        return number
