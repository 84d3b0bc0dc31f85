"""Builds decks for tests: with python-pptx, and by editing parts of the saved file for what it cannot write."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Inches

from factspine.core.findings import Finding
from factspine.core.limits import Limits
from factspine.core.locators import encode
from factspine.core.tables import Passage, RawTable
from factspine.extract.pptx import read

Edit = Callable[[str], str]
TITLE_ONLY, BLANK = 5, 6


def new_deck() -> Any:
    return Presentation()


def add_slide(deck: Any, title: str = "") -> Any:
    slide = deck.slides.add_slide(deck.slide_layouts[TITLE_ONLY if title else BLANK])
    if title:
        slide.shapes.title.text = title
    return slide


def add_table(shapes: Any, drawn: str, *, left: float = 1, top: float = 2) -> Any:
    """A table written as text: one line a row, cells between bars."""
    rows = [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in drawn.strip().splitlines()]
    frame = shapes.add_table(len(rows), len(rows[0]), Inches(left), Inches(top), Inches(4), Inches(2))
    for r, row in enumerate(rows):
        for c, text in enumerate(row):
            frame.table.cell(r, c).text = text
    return frame


def add_chart(
    slide: Any,
    categories: list[Any],
    series: dict[str, tuple[float | None, ...]],
    kind: Any = XL_CHART_TYPE.COLUMN_CLUSTERED,
    *,
    left: float = 1,
    number_format: str = "General",
) -> Any:
    data = CategoryChartData(number_format=number_format)
    data.categories = categories
    for name, values in series.items():
        data.add_series(name, values)
    return slide.shapes.add_chart(kind, Inches(left), Inches(3), Inches(4), Inches(3), data).chart


def save(deck: Any, path: Path, edits: dict[str, Edit] | None = None, parts: dict[str, bytes] | None = None) -> Path:
    """Write a deck; `edits` change the text of parts, `parts` add or replace whole ones."""
    buffer = io.BytesIO()
    deck.save(buffer)
    with zipfile.ZipFile(buffer) as old, zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            data = old.read(name)
            if edits and name in edits:
                changed = edits[name](data.decode("utf-8"))
                assert changed.encode() != data, f"the edit of {name} changed nothing"
                data = changed.encode()
            if not (parts and name in parts):
                new.writestr(name, data)
        for name, data in (parts or {}).items():
            new.writestr(name, data)
    return path


def contents(path: Path, limits: Limits | None = None) -> tuple[list[RawTable], list[Passage], list[Finding]]:
    items = list(read(path, limits or Limits()))
    return (
        [item for item in items if isinstance(item, RawTable)],
        [item for item in items if isinstance(item, Passage)],
        [item for item in items if isinstance(item, Finding)],
    )


def draw(table: RawTable) -> str:
    """A table as text, the way the tests write it."""
    cells = {(cell.row, cell.col): cell.text for cell in table.cells}
    lines = (
        " | ".join(cells.get((row, col), "") for col in range(1, table.n_cols + 1)).strip()
        for row in range(1, table.n_rows + 1)
    )
    return "\n".join(lines)


def point_locators(table: RawTable) -> list[tuple[str, str | None]]:
    """Locators and values of a chart's points whose names do not repeat."""
    cells = {(cell.row, cell.col): cell for cell in table.cells}
    return [
        (
            f"{table.locator},series={encode(cells[1, col].text)},cat={encode(cells[row, 1].text)}",
            cell.value,
        )
        for (row, col), cell in cells.items()
        if row > 1 and col > 1
    ]
