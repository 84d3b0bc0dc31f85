"""Rows of a sheet, looked at for layout alone: which are lines of text, which could head columns, which hold data."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from factspine.core.tables import Cells, RawCell
from factspine.extract.xlsx.sheet import Range

# A text that is an amount as people type it; and marks that stand where an amount would.
_AMOUNT = re.compile(r"[(（\-−–+~≈<>]?\s*(?:[A-Za-z]{0,3}[$¥￥€£])?\s*[-−]?\d[\d,，. ]*\s*[%％‰]?\s*[)）*]?(?:\[\w\])?")
_YEAR = re.compile(r"(?:19|20)\d\d")
_NOTHING = re.compile(
    r"[-−–—―/\\.…*x×]{1,6}|\(?(?:n\.?/?a\.?|n\.?m\.?|nil|x|z|s|d|b|r|p)\)?|无|不适用|未披露|[(（][-−–—][)）]",
    re.IGNORECASE,
)
_SPANNED_ROWS_MAX = 1_000


class Line(NamedTuple):
    """One row: the columns of its texts, of its amounts, and of years and dates, which may be either."""

    row: int
    texts: tuple[int, ...]
    amounts: tuple[int, ...]
    years: tuple[int, ...]
    strong: bool  # set in bold or on a ground

    @property
    def single(self) -> bool:
        """One text and nothing else."""
        return len(self.texts) == 1 and not self.amounts and not self.years

    @property
    def heading(self) -> bool:
        """Several cells, none of them an amount."""
        return not self.amounts and len(self.texts) + len(self.years) > 1

    @property
    def data(self) -> bool:
        """At least one amount."""
        return bool(self.amounts)


def cell_class(cell: RawCell) -> str:
    """`t` text, `n` amount, `y` year or date, `-` a mark for no amount."""
    kind, text = cell.kind, cell.text
    if kind == "n":
        return "y" if len(text) == 4 and _YEAR.fullmatch(text) else "n"
    if kind == "d":
        return "y"
    if kind != "s":
        return "n"
    if len(text) > 24:
        return "t"
    if _YEAR.fullmatch(text):
        return "y"
    if _NOTHING.fullmatch(text):
        return "-"
    return "n" if _AMOUNT.fullmatch(text) else "t"


class Grid:
    """The cells of a region by row, without a pass over all of them for each question."""

    __slots__ = ("_lines", "cells", "merges", "rows")

    cells: Cells
    merges: Mapping[int, list[Range]]  # by their first row
    rows: list[int]

    def __init__(self, cells: Cells, merges: Mapping[int, list[Range]]) -> None:
        self.cells = cells
        self.merges = merges
        self.rows = list(dict.fromkeys(cells.columns.rows))
        self._lines: dict[int, Line] = {}

    def span(self, first_row: int, last_row: int) -> tuple[int, int]:
        """Where the cells of some rows lie among all."""
        return self.cells.of_rows(first_row, last_row)

    def line(self, row: int) -> Line:
        """A row, looked at once."""
        line = self._lines.get(row)
        if line is None:
            start, end = self.span(row, row)
            line = self._lines[row] = _line(row, self.cells[start:end])
        return line

    def blocks(self) -> list[list[int]]:
        """Rows without a blank row between them; a blank row under a merged cell is not blank."""
        bridged = self._bridged()
        blocks: list[list[int]] = []
        before = None
        for row in self.rows:
            if before is None or (row != before + 1 and not all(r in bridged for r in _between(before, row))):
                blocks.append([])
            blocks[-1].append(row)
            before = row
        return blocks

    def _bridged(self) -> set[int]:
        """Rows that a merged cell ties to the row above them."""
        out: set[int] = set()
        for row in self.rows if self.merges else ():
            for top, _, bottom, _ in self.merges.get(row, ()):
                if bottom - top < _SPANNED_ROWS_MAX:
                    out.update(range(top + 1, bottom + 1))
        return out


def by_first_row(merges: list[Range]) -> dict[int, list[Range]]:
    """Merged ranges by the row they begin in."""
    out: dict[int, list[Range]] = {}
    for merge in merges:
        out.setdefault(merge[0], []).append(merge)
    return out


def _between(before: int, row: int) -> range:
    """The rows between two; a wide gap is not worth looking through."""
    return range(before + 1, min(row, before + 1 + _SPANNED_ROWS_MAX + 1))


def _line(row: int, cells: Sequence[RawCell]) -> Line:
    texts, amounts, years = [], [], []
    for cell in cells:
        of = cell_class(cell)
        if of == "t":
            texts.append(cell.col)
        elif of == "y":
            years.append(cell.col)
        elif of == "n":
            amounts.append(cell.col)
    strong = any(cell.style.bold or cell.style.filled for cell in cells)
    return Line(row, tuple(texts), tuple(amounts), tuple(years), strong)
