"""Tables of what comes of two quantities: a price at each rate and each growth, a load at each span and each depth.

Their first row and first column are numbers that rise or fall in equal steps, and name what stands where they meet.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from itertools import pairwise

from factspine.interpret.grid import Cell, Grid
from factspine.lexicon.numbers import read_number

_FEWEST_STEPS, _MOST_STEPS = 3, 30
_NUMBERS = frozenset("nq")


def is_cross(grid: Grid) -> bool:
    """Whether the first row and the first column are both steps of a scale, over and beside nothing but numbers."""
    raw = grid.raw
    if not (_FEWEST_STEPS < raw.n_rows <= _MOST_STEPS and _FEWEST_STEPS < raw.n_cols <= _MOST_STEPS):
        return False
    first = [cell for cell in grid.rows.get(grid.top, ()) if cell.col > grid.left]
    if len(first) != raw.n_cols - 1 or not _are_steps(first):
        return False
    corner = [cell for cell in grid.rows[grid.top] if cell.col == grid.left]
    if corner and corner[0].kind != "t":
        return False
    lower = [grid.rows.get(row, []) for row in range(grid.top + 1, grid.bottom + 1)]
    if any(not cells or cells[0].col != grid.left for cells in lower):
        return False
    return _are_steps([cells[0] for cells in lower]) and all(cell.kind in "nqx" for cells in lower for cell in cells)


def _are_steps(cells: Sequence[Cell]) -> bool:
    if any(cell.kind not in _NUMBERS for cell in cells):
        return False
    readings = [read_number(cell.raw.text) for cell in cells]
    values = [Decimal(reading.value) for reading in readings if reading is not None]
    units = {reading.unit.unit if reading.unit else "" for reading in readings if reading is not None}
    if len(values) < max(_FEWEST_STEPS, len(cells)) or len(units) != 1:
        return False
    steps = {after - before for before, after in pairwise(values)}
    return len(steps) == 1 and 0 not in steps
