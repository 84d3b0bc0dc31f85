"""What table finding hands on: cells of a found table, with the words each is made of."""

from __future__ import annotations

from collections.abc import Sequence

from factspine.extract.pdf.lines import join_lines, join_words
from factspine.extract.pdf.marks import Word, kind_of

Box = tuple[float, float, float, float]


class Cell:
    """A cell in coordinates of its table (0-based), with its words line by line."""

    __slots__ = ("_text", "col", "colspan", "lines", "row", "rowspan")

    def __init__(self, row: int, col: int, lines: list[list[Word]], rowspan: int = 1, colspan: int = 1) -> None:
        self.row = row
        self.col = col
        self.lines = lines
        self.rowspan = rowspan
        self.colspan = colspan
        self._text: str | None = None

    @property
    def text(self) -> str:
        if self._text is None:
            self._text = join_lines([join_words(line) for line in self.lines])
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

    __slots__ = ("box", "cells", "col_edges", "n_cols", "n_rows", "ruled")

    def __init__(self, cells: list[Cell], box: Box, *, ruled: bool, col_edges: Sequence[float] = ()) -> None:
        self.cells = cells
        self.box = box
        self.ruled = ruled
        self.col_edges = list(col_edges)
        self.n_rows = max((c.row + c.rowspan for c in cells), default=0)
        self.n_cols = max((c.col + c.colspan for c in cells), default=0)


def close_up(cells: list[Cell]) -> list[Cell]:
    """Drop rows and columns in which no cell begins, so that the grid holds only what a reader sees."""
    for first, span in (("row", "rowspan"), ("col", "colspan")):
        starts = sorted({getattr(c, first) for c in cells})
        index = {value: i for i, value in enumerate(starts)}
        for cell in cells:
            begin, size = getattr(cell, first), getattr(cell, span)
            setattr(cell, first, index[begin])
            setattr(cell, span, max(1, sum(1 for s in starts if begin <= s < begin + size)))
    cells.sort(key=lambda c: (c.row, c.col))
    return cells
