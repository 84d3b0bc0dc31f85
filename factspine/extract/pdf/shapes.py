"""What table finding hands on: cells of a found table, with the words each is made of."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from factspine.extract.pdf.lines import join_lines, join_words
from factspine.extract.pdf.marks import Word, kind_of

Box = tuple[float, float, float, float]


class Cell:
    """A cell in coordinates of its table (0-based), with its words line by line."""

    __slots__ = ("_text", "col", "colspan", "lines", "row", "rowspan", "whole")

    def __init__(self, row: int, col: int, lines: list[list[Word]], rowspan: int = 1, colspan: int = 1) -> None:
        self.row = row
        self.col = col
        self.lines = lines
        self.rowspan = rowspan
        self.colspan = colspan
        self.whole = False  # its lines are one figure
        self._text: str | None = None

    @property
    def text(self) -> str:
        if self._text is None:
            texts = [join_words(line) for line in self.lines]
            self._text = "".join(texts) if self.whole else join_lines(texts)
        return self._text

    @property
    def kind(self) -> str:
        return kind_of(self.text)

    @property
    def box(self) -> Box:
        words = [w for line in self.lines for w in line]
        return (
            min(w.x0 for w in words),
            min(w.top for w in words),
            max(w.x1 for w in words),
            max(w.bottom for w in words),
        )

    def __repr__(self) -> str:
        return f"Cell({self.row},{self.col} {self.rowspan}x{self.colspan} {self.text!r})"


class Found:
    """A table found on a page."""

    __slots__ = ("box", "cells", "col_edges", "col_lefts", "n_cols", "n_rows", "ruled")

    def __init__(self, cells: list[Cell], box: Box, *, ruled: bool, col_edges: Sequence[float] = ()) -> None:
        self.box = box
        self.ruled = ruled
        self.col_edges = list(col_edges)  # left side of each column of the grid the cells were placed in
        self.cells, kept = close_up(cells)
        self.col_lefts = [self.col_edges[i] for i in kept if i < len(self.col_edges)]  # … and of those with text
        self.n_rows = max((c.row + c.rowspan for c in cells), default=0)
        self.n_cols = max((c.col + c.colspan for c in cells), default=0)

    def drop_row(self, row: int) -> None:
        """Take the first or the last row away, and its height from the box."""
        gone = [c for c in self.cells if c.row == row and c.rowspan == 1]
        self.cells = [c for c in self.cells if c not in gone]
        edge_below = min((c.box[1] for c in self.cells), default=self.box[1])
        edge_above = max((c.box[3] for c in self.cells), default=self.box[3])
        if row == 0:
            self.box = (self.box[0], max(self.box[1], edge_below - 3), self.box[2], self.box[3])
            for cell in self.cells:
                cell.row -= 1
        else:
            self.box = (self.box[0], self.box[1], self.box[2], min(self.box[3], edge_above + 3))
        self.n_rows -= 1


def close_up(cells: list[Cell]) -> tuple[list[Cell], list[int]]:
    """Drop rows and columns in which no cell begins; the cells in order, and which columns are left."""
    rows = sorted({c.row for c in cells})
    cols = sorted({c.col for c in cells})
    for cell in cells:
        first, end = bisect_left(rows, cell.row), bisect_left(rows, cell.row + cell.rowspan)
        cell.row, cell.rowspan = first, max(1, end - first)
        first, end = bisect_left(cols, cell.col), bisect_left(cols, cell.col + cell.colspan)
        cell.col, cell.colspan = first, max(1, end - first)
    cells.sort(key=lambda c: (c.row, c.col))
    return cells, cols
