"""A table as rows of kinds, small enough to reason about whatever its length.

Bands and axes are found on *telling* rows. In a short table every row tells; in a long one those at the head, at the
foot, at intervals between, and every row that is laid out unlike its neighbours. All other rows follow the column rule
of the block they lie in, so that a list of a hundred thousand records costs little more than reading it once.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable
from functools import partial
from itertools import compress, repeat
from operator import sub
from typing import NamedTuple

from factspine.core.tables import Position, RawCell, RawTable
from factspine.interpret.cellkinds import kinds_of

_SHORT_ROWS = 600
_HEAD_ROWS = 200
_FOOT_ROWS = 60
_SAMPLE_ROWS = 60
# A long table with more irregular rows than this is irregular as such; looking at more of them teaches nothing new.
_ODD_ROWS_MAX = 2_000
_YEARS_APART = 60  # no two columns beside each other are


class Cell(NamedTuple):
    """One cell of a telling row."""

    at: int  # its index in raw.cells
    row: int
    col: int
    kind: str
    raw: RawCell
    height: int
    width: int

    @property
    def last_col(self) -> int:
        return self.col + self.width - 1


_make_cell = partial(tuple.__new__, Cell)  # a named tuple's own constructor takes several times as long


def _spanning(cell: Cell, height: int, width: int) -> Cell:
    return cell if height <= 1 >= width else cell._replace(height=max(1, height), width=max(1, width))


def _is_bare_year(cell: Cell) -> bool:
    return cell[3] == "y" and cell[4].kind == "n"


def _are_amounts(cells: list[Cell]) -> bool:
    """Whether numbers of a row that look like years lie too far apart to head columns: 1866 | 1999 | 2044."""
    years = sorted(int(cell[4].value or 0) for cell in cells if _is_bare_year(cell))
    return len(years) > 1 and max(map(sub, years[1:], years)) > _YEARS_APART


class Grid:
    """The telling rows of a raw table, and the index ranges of all its rows."""

    def __init__(self, raw: RawTable) -> None:
        self.raw = raw
        self.top, self.left = raw.top, raw.left
        self.bottom, self.right = raw.top + raw.n_rows - 1, raw.left + raw.n_cols - 1
        self.rows_of_cells: list[int] = raw.columns.rows
        self.cols_of_cells: list[int] = raw.columns.cols
        # Where each row ends in raw.cells; cells are row-major, so the next row starts there.
        self.ends = dict(zip(self.rows_of_cells, range(1, len(raw.cells) + 1), strict=True))
        self.starts = dict(zip(self.ends, [0, *self.ends.values()], strict=False))
        self.rows: dict[int, list[Cell]] = self._read_rows(self._telling_rows())
        self.numbers: list[int] = list(self.rows)
        self._all_rows: list[int] = list(self.ends)
        self._spread: dict[Position, Cell] | None = None
        self._by_column: dict[int, dict[int, Cell]] = {}  # of rows that were asked for
        self._columns: dict[int, list[Cell]] | None = None

    def bounds_of(self, row: int) -> tuple[int, int]:
        """The indices in raw.cells at which a row starts and the next one does."""
        return self.starts[row], self.ends[row]

    def reach(self, row: int) -> int:
        """The last row before the next telling one: rows between them follow the rule of this one."""
        if len(self.rows) == len(self.ends):
            return row
        position = bisect_right(self.numbers, row)
        if position == len(self.numbers):
            return row
        return self._all_rows[bisect_left(self._all_rows, self.numbers[position]) - 1]

    def _telling_rows(self) -> list[int]:
        rows = list(self.ends)
        if len(rows) <= _SHORT_ROWS:
            return rows
        middle = rows[_HEAD_ROWS:-_FOOT_ROWS]
        chosen = {*rows[:_HEAD_ROWS], *rows[-_FOOT_ROWS:], *middle[:: max(1, len(middle) // _SAMPLE_ROWS)]}
        chosen.update(self._odd_rows(middle))
        return [row for row in rows if row in chosen]

    def _odd_rows(self, rows: list[int]) -> Iterable[int]:
        """Rows that hold far fewer cells than usual, or text where the column holds numbers."""
        sizes = list(map(sub, map(self.ends.__getitem__, rows), map(self.starts.__getitem__, rows)))
        usual = Counter(sizes).most_common(1)[0][0]
        odd = set(compress(rows, map((usual / 2).__gt__, sizes)))
        start, end = self.bounds_of(rows[0])[0], self.bounds_of(rows[-1])[1]
        is_text = list(map("s".__eq__, self.raw.columns.kinds[start:end]))
        cols = self.cols_of_cells[start:end]
        texts, cells = Counter(compress(cols, is_text)), Counter(cols)
        rare = {col for col, count in texts.items() if count * 50 < cells[col]}
        if rare:
            pairs = zip(compress(cols, is_text), compress(self.rows_of_cells[start:end], is_text), strict=True)
            odd.update(row for col, row in pairs if col in rare)
        return sorted(odd)[:_ODD_ROWS_MAX]

    def _read_rows(self, wanted: list[int]) -> dict[int, list[Cell]]:
        if len(wanted) == len(self.ends):
            cells = self._read_cells(0, len(self.raw.cells))
            rows = {row: cells[self.starts[row] : self.ends[row]] for row in wanted}
        else:
            rows = {row: self._read_cells(*self.bounds_of(row)) for row in wanted}
        for row, own in rows.items():
            if _are_amounts(own):
                rows[row] = [cell._replace(kind="n") if _is_bare_year(cell) else cell for cell in own]
        spans = self.raw.spans
        for row in {row for row, _ in spans} & rows.keys():
            rows[row] = [_spanning(cell, *spans.get((row, cell.col), (1, 1))) for cell in rows[row]]
        return rows

    def _read_cells(self, start: int, end: int) -> list[Cell]:
        cells = self.raw.cells[start:end]
        places = range(start, end), self.rows_of_cells[start:end], self.cols_of_cells[start:end]
        return list(map(_make_cell, zip(*places, kinds_of(cells), cells, repeat(1), repeat(1), strict=False)))

    @property
    def columns(self) -> dict[int, list[Cell]]:
        """The cells of the telling rows column by column, from left to right."""
        if self._columns is None:
            found: dict[int, list[Cell]] = {}
            for cells in self.rows.values():
                for cell in cells:
                    col = cell[2]
                    if col in found:
                        found[col].append(cell)
                    else:
                        found[col] = [cell]
            self._columns = dict(sorted(found.items()))
        return self._columns

    def at(self, row: int, col: int) -> Cell | None:
        """The cell that covers a place, spans included."""
        if self._spread is None:
            self._spread = self._spread_out()
        found = self._spread.get((row, col))
        if found is None:
            own = self._by_column.get(row)
            if own is None:
                own = self._by_column[row] = {cell.col: cell for cell in self.rows.get(row, ())}
            found = own.get(col)
        return found

    def _spread_out(self) -> dict[Position, Cell]:
        """The places that cells over several rows or columns cover."""
        covered: dict[Position, Cell] = {}
        for cells in self.rows.values() if self.raw.spans else ():
            for cell in cells:
                if cell.height > 1 or cell.width > 1:
                    for y in range(cell.row, min(cell.row + cell.height, self.bottom + 1)):
                        for x in range(cell.col, min(cell.col + cell.width, self.right + 1)):
                            covered.setdefault((y, x), cell)
        return covered
