"""Pages as pictures with what was read drawn over them: the way to see why a number is where it is."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from factspine.core.drawings import PageDrawing
from factspine.core.errors import UsageError
from factspine.core.tables import Box, RawTable

_SCALE = 1.6  # pixels a point: small type stays legible
_SIDE_MAX = 4000  # pixels: a page may call itself kilometres wide
_COMPRESSION = 3  # half the time of the usual level, a tenth more bytes
_TABLE = "#d62728"
_COLORS = {"header": "#1f77b4", "label": "#2ca02c", "value": "#ff7f0e", "note": "#9467bd", "": "#7f7f7f"}


def draw_pages(
    path: Path, tables: Sequence[RawTable], roles: Mapping[str, Sequence[str]] | None = None
) -> Iterator[tuple[int, bytes]]:
    """Each page's number and its PNG; cells take the colour of their role where roles are given.

    `roles` maps a table's locator to the role of each of its cells, in the order of the cells. Pictures are handed on
    as bytes, because the process that parses may not write files.
    """
    import pypdfium2
    from PIL import ImageDraw

    boxes: dict[int, list[tuple[Box, str]]] = {}
    for table in tables:
        _collect(table, (roles or {}).get(table.locator, ()), boxes)
    document = pypdfium2.PdfDocument(path)
    try:
        for number in range(1, len(document) + 1):
            picture, scale, _ = _render(document[number - 1])
            pen = ImageDraw.Draw(picture)
            for box, color in boxes.get(number, ()):
                pen.rectangle(_pixels(box, scale), outline=color, width=2 if color == _TABLE else 1)
            yield number, _png(picture)
    finally:
        document.close()


def draw_page(path: Path, number: int) -> PageDrawing:
    """One page as it is, for whoever draws over it; `UsageError` where the document has no such page."""
    import pypdfium2

    document = pypdfium2.PdfDocument(path)
    try:
        if not 1 <= number <= len(document):
            raise UsageError(f"the document has {len(document)} pages, not {number}")
        picture, _, (width, height) = _render(document[number - 1])
        return PageDrawing(number=number, width=width, height=height, png=_png(picture))
    finally:
        document.close()


def _render(page: Any) -> tuple[Any, float, tuple[float, float]]:
    """A page's picture, its pixels a point, and its size in points."""
    width, height = page.get_size()
    scale = min(_SCALE, _SIDE_MAX / max(1.0, width, height))
    picture = page.render(scale=scale).to_pil().convert("RGB")
    page.close()
    return picture, scale, (width, height)


def _png(picture: Any) -> bytes:
    content = io.BytesIO()
    picture.save(content, "PNG", compress_level=_COMPRESSION)
    return content.getvalue()


def _pixels(box: Box, scale: float) -> list[float]:
    """A box in pixels, its corners in order whatever a damaged page says."""
    x0, y0, x1, y1 = (side * scale for side in box)
    return [min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)]


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
