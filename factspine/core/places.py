"""Where a cell of a raw table stands, written as a locator without labels."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator

from factspine.core.locators import column_letters, encode
from factspine.core.tables import Position, RawTable


def cell_place(raw: RawTable, row: int, col: int) -> str:
    """The locator of any cell of a table, without labels."""
    base, first_row = home_of(raw, row)
    if raw.addressing == "a1":
        return f"{base},cell={column_letters(col)}{row}"
    return f"{base},cell=R{row - first_row + 1}C{col - raw.left + 1}"


def home_of(raw: RawTable, row: int) -> tuple[str, int]:
    """Where a row lies, and the first row there."""
    place = raw.places[0] if raw.places else None
    for candidate in raw.places:
        if candidate.first_row <= row:
            place = candidate
    return (place.locator, max(place.first_row, raw.top)) if place else (raw.locator, raw.top)


def places_of(raw: RawTable, cells: Iterable[Position]) -> Iterator[tuple[Position, str, str]]:
    """Cells of a table with their locators and their texts, as a person finds them: points of a chart by name."""
    for row, col in cells:
        place = _point(raw, row, col) if raw.addressing == "chart" else cell_place(raw, row, col)
        yield (row, col), place, text_at(raw, row, col)


def text_at(raw: RawTable, row: int, col: int) -> str:
    """What a cell shows; cells are in row-major order, so that none need be looked at but those of its row."""
    columns = raw.columns
    start, end = bisect_left(columns.rows, row), bisect_right(columns.rows, row)
    at = bisect_left(columns.cols, col, start, end)
    return columns.texts[at] if at < end and columns.cols[at] == col else ""


def _point(raw: RawTable, row: int, col: int) -> str:
    series, category = (" ".join(text_at(raw, *at).split()) for at in ((raw.top, col), (row, raw.left)))
    parts = [raw.places[0].locator if raw.places else raw.locator]
    if col != raw.left:
        parts.append(f"series={encode(series or str(col - raw.left))}")
    if row != raw.top:
        parts.append(f"cat={encode(category or str(row - raw.top))}")
    return ",".join(parts)
