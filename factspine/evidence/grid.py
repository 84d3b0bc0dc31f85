"""The table around a fact laid out for a page: rows with their numbers, spans clipped to what is shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from factspine.core.labelled import Role
from factspine.core.locators import column_letters
from factspine.core.tables import PLAIN, CellStyle, Position, RawCell, RawTable
from factspine.evidence.view import CellView


class GridCell(NamedTuple):
    """A cell of the drawn table."""

    text: str
    role: Role | None
    part: str  # cell, name or unit, where it made the fact; else ""
    rows: int
    cols: int
    style: CellStyle


@dataclass(frozen=True, slots=True, kw_only=True)
class GridRow:
    """A row of the drawn table; `apart` says what lies between it and the row above: rows left out, a new page."""

    number: str
    hidden: bool
    apart: str
    cells: tuple[GridCell, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """The drawn table; `letters` are those of a sheet's columns, and empty elsewhere."""

    letters: tuple[str, ...]
    width: int  # columns
    rows: tuple[GridRow, ...]
    whole: bool  # whether every cell of the table is drawn


def row_number(raw: RawTable, row: int) -> str:
    """A row's number as locators count: the sheet's own, or from the table's first row on a page; none in a chart."""
    if raw.addressing == "chart":
        return ""
    if raw.addressing == "a1":
        return str(row)
    first = max((place.first_row for place in raw.places if place.first_row <= row), default=raw.top)
    return str(row - max(first, raw.top) + 1)


def lay_out(view: CellView, parts: Mapping[Position, str]) -> Grid:
    """The rows and columns of a view, with what made the fact marked."""
    raw = view.table
    shown_rows = [row for row, _ in view.rows]
    covered: set[Position] = set()
    rows = []
    for place, (row, cells) in enumerate(view.rows):
        drawn = []
        for col, (cell, role) in zip(view.columns, cells, strict=True):
            if (row, col) in covered:
                continue
            spanned = _spanned(raw, (row, col), shown_rows, view.columns) if cell is not None else [(row, col)]
            covered.update(spanned)
            height, width = len({at[0] for at in spanned}), len({at[1] for at in spanned})
            drawn.append(_drawn(cell, role, parts.get((row, col), ""), height, width))
        apart = _apart(raw, shown_rows[place - 1], row) if place else ""
        hidden = row in raw.hidden_rows
        rows.append(GridRow(number=row_number(raw, row), hidden=hidden, apart=apart, cells=tuple(drawn)))
    letters = tuple(column_letters(col) for col in view.columns) if raw.addressing == "a1" else ()
    whole = {cell.row for cell in raw.cells} <= set(shown_rows) and {cell.col for cell in raw.cells} <= set(
        view.columns
    )
    return Grid(letters=letters, width=len(view.columns), rows=tuple(rows), whole=whole)


def _apart(raw: RawTable, above: int, row: int) -> str:
    turned = [place.locator for place in raw.places if above < place.first_row <= row]
    if turned:
        return turned[-1]
    return "⋮" if any(above < cell.row < row for cell in raw.cells) else ""


def _drawn(cell: RawCell | None, role: Role | None, part: str, rows: int, cols: int) -> GridCell:
    return GridCell(cell.text if cell else "", role, part, rows, cols, cell.style if cell else PLAIN)


def _spanned(raw: RawTable, origin: Position, rows: list[int], cols: tuple[int, ...]) -> list[Position]:
    """The shown positions a cell covers."""
    height, width = raw.spans.get(origin, (1, 1))
    if (height, width) == (1, 1):
        return [origin]
    down = [row for row in rows if origin[0] <= row < origin[0] + height]
    across = [col for col in cols if origin[1] <= col < origin[1] + width]
    return [(row, col) for row in down for col in across]
