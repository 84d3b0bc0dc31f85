"""Pages printed from the web shade row by row, cell by cell: no seam is seen, yet seams say where cells are."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from tests.pdf_pages import Page, save
from tests.test_pdf_tables import shown, tables

EDGES = (72, 220, 300, 380, 460, 540)
ROWS = """
Cafes   | 34.8 | 2.1 | 44.4 | 1.8
Bars    | 62.2 | 8.3 | 67.5 | 6.1
Inns    | 35.7 | 4.9 | 38.4 | 4.7
Kitchens| 32.1 | 2.8 | 38.6 | 2.3
Hotels  | 33.9 | 4.2 | 58.6 | 3.6
"""


def shaded(page: Page, top: float, edges: tuple[float, ...], gray: float) -> None:
    """One row of cells of one shade."""
    for left, right in pairwise(edges):
        page.fill(left, top, right, top + 16, gray)


@pytest.fixture
def page() -> Page:
    """Two header rows on a dark ground, then rows of which every other one is shaded; headers left, figures right."""
    page = Page()
    shaded(page, 100, (72, 220, 380, 540), 0.4)
    shaded(page, 116, EDGES, 0.4)
    page.text(290, 112, "Men", 9)
    page.text(450, 112, "Women", 9)
    for left, text in zip(EDGES[1:], ("Per cent", "Error", "Per cent", "Error"), strict=False):
        page.text(left + 4, 128, text, 9)
    for number, line in enumerate(ROWS.strip().splitlines()):
        top = 132 + 16 * number
        if number % 2 == 0:
            shaded(page, top, EDGES, 0.9)
        label, *figures = [part.strip() for part in line.split("|")]
        page.text(76, top + 12, label, 9)
        for right, figure in zip(EDGES[2:], figures, strict=True):
            page.right(right - 4, top + 12, figure, 9)
    return page


def test_a_shaded_header_belongs_to_the_rows_below_it(tmp_path: Path, page: Page) -> None:
    """Header and rows are one table, whatever the colours; each header stands over its own figures."""
    (table,) = tables(save(tmp_path / "a.pdf", page))
    assert shown(table).splitlines()[1:3] == [
        " | Per cent | Error | Per cent | Error",
        "Cafes | 34.8 | 2.1 | 44.4 | 1.8",
    ]
    assert table.n_rows == 7


def test_a_shade_over_two_columns_is_as_wide_as_its_header(tmp_path: Path, page: Page) -> None:
    """Men and Women head two columns each, though no rule says so."""
    (table,) = tables(save(tmp_path / "a.pdf", page))
    heads = {cell.text: (cell.col, table.spans.get((cell.row, cell.col))) for cell in table.cells if cell.row == 1}
    assert heads == {"Men": (2, (1, 2)), "Women": (4, (1, 2))}


def test_one_area_of_one_colour_has_no_sides_within(tmp_path: Path, page: Page) -> None:
    """A cell as high as two others beside it makes no grid of them: the eye sees one dark band."""
    page.operations.insert(0, "")
    page.fill(72, 100, 220, 132, 0.4)
    page.text(76, 120, "Kind of house", 9)
    (table,) = tables(save(tmp_path / "a.pdf", page))
    assert table.n_rows == 7
    assert [row.split(" | ")[0] for row in shown(table).splitlines()[2:]] == [
        "Cafes",
        "Bars",
        "Inns",
        "Kitchens",
        "Hotels",
    ]
