"""Where a cell of a raw table stands, written as a locator without labels."""

from __future__ import annotations

from collections.abc import Collection, Iterator

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


def places_of(raw: RawTable, cells: Collection[Position]) -> Iterator[tuple[Position, str, str]]:
    """Cells of a table with their locators and their texts, as a person finds them: points of a chart by name."""
    columns = raw.columns
    texts = dict(zip(zip(columns.rows, columns.cols, strict=True), columns.texts, strict=True))
    for row, col in cells:
        place = _point(raw, texts, row, col) if raw.addressing == "chart" else cell_place(raw, row, col)
        yield (row, col), place, texts.get((row, col), "")


def _point(raw: RawTable, texts: dict[Position, str], row: int, col: int) -> str:
    series, category = (" ".join(texts.get(at, "").split()) for at in ((raw.top, col), (row, raw.left)))
    parts = [raw.places[0].locator if raw.places else raw.locator]
    if col != raw.left:
        parts.append(f"series={encode(series or str(col - raw.left))}")
    if row != raw.top:
        parts.append(f"cat={encode(category or str(row - raw.top))}")
    return ",".join(parts)
