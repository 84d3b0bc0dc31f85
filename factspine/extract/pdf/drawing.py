"""Pages as pictures with what was read drawn over them: the way to see why a number is where it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from factspine.core.tables import Box, RawTable

_SCALE = 1.6  # pixels a point: small type stays legible
_TABLE = "#d62728"
_COLORS = {"header": "#1f77b4", "label": "#2ca02c", "value": "#ff7f0e", "note": "#9467bd", "": "#7f7f7f"}


def draw_pages(
    path: Path, tables: Sequence[RawTable], folder: Path, roles: Mapping[str, Sequence[str]] | None = None
) -> list[Path]:
    """Write a PNG for each page that holds a table; cells take the colour of their role where roles are given.

    `roles` maps a table's locator to the role of each of its cells, in the order of the cells.
    """
    import pypdfium2
    from PIL import ImageDraw

    boxes: dict[int, list[tuple[Box, str]]] = {}
    for table in tables:
        _collect(table, (roles or {}).get(table.locator, ()), boxes)
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    document = pypdfium2.PdfDocument(path)
    try:
        for number, drawn in sorted(boxes.items()):
            picture = document[number - 1].render(scale=_SCALE).to_pil().convert("RGB")
            pen = ImageDraw.Draw(picture)
            for box, color in drawn:
                pen.rectangle([side * _SCALE for side in box], outline=color, width=2 if color == _TABLE else 1)
            target = folder / f"page-{number:04d}.png"
            picture.save(target)
            written.append(target)
    finally:
        document.close()
    return written


def _collect(table: RawTable, roles: Sequence[str], boxes: dict[int, list[tuple[Box, str]]]) -> None:
    if table.bbox is not None:
        boxes.setdefault(_page(table.locator), []).append((table.bbox, _TABLE))
    for index, cell in enumerate(table.cells):
        box = table.boxes.get((cell.row, cell.col))
        if box is None:
            continue
        place = max((p for p in table.places if p.first_row <= cell.row), key=lambda p: p.first_row)
        role = roles[index] if index < len(roles) else ""
        boxes.setdefault(_page(place.locator), []).append((box, _COLORS.get(role, _COLORS[""])))


def _page(locator: str) -> int:
    return int(locator.split(",", 1)[0].removeprefix("page="))
