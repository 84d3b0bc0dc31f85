"""Reports shade the current year, headers and every other row; shades are no grid, and no figure loses its year."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.pdf_pages import Page, save
from tests.test_pdf_tables import shown, tables, written

HEAD = """
              | Note | As at    | As at
              |      | 31 March | 31 March
              |      | 2024     | 2023
              |      | £'000    | £'000
"""
BODY = """
Goodwill          | 11 | 16,642  | 16,601
Intangible assets | 12 | 15,713  | 17,746
Investments       | 13 | 119,558 | 96,220
Total assets      |    | 151,913 | 130,567
Trade payables    | 14 | (6,963) | (8,127)
Lease liabilities | 15 | (157)   | (122)
Total liabilities |    | (7,120) | (8,249)
Net assets        |    | 144,793 | 122,318
"""
READ = """
                  | Note | As at 31 March 2024 £'000 | As at 31 March 2023 £'000
""" + BODY.lstrip("\n")
COLUMNS = (50, 380, 450, 530)


def _statement(page: Page, *, shades: list[tuple[float, float]], left: float = 50, rows_apart: bool = False) -> None:
    """A statement with level rules under its header and totals, and some columns shaded."""
    columns = [left, *COLUMNS[1:]]
    for x0, x1 in shades:
        if rows_apart:
            for row in range(8):
                page.fill(x0, 262 + 14 * row, x1, 275 + 14 * row, gray=0.9)
        else:
            page.fill(x0, 262, x1, 374, gray=0.9)
    page.rows(HEAD, columns, 214, step=12, size=8)
    page.rows(BODY, columns, 272)
    for y in (260, 304, 318, 346, 360, 376):
        page.rule(left, y, 535, y)


@pytest.mark.parametrize("rows_apart", [False, True])
@pytest.mark.parametrize("shades", [[(395, 455)], [(475, 535)], [(355, 385), (395, 455)]])
def test_a_shaded_year_is_no_grid(tmp_path: Path, shades: list[tuple[float, float]], rows_apart: bool) -> None:
    """Header lines above the first rule head their columns, and references to notes stay in a column of their own."""
    page = Page()
    page.text(50, 180, "Statement of financial position", 14)
    _statement(page, shades=shades, rows_apart=rows_apart)
    (table,) = tables(save(tmp_path / "shaded.pdf", page))
    assert shown(table) == written(READ)


def test_text_beside_a_shaded_table_stays_out_of_it(tmp_path: Path) -> None:
    """A narrow column of prose runs down beside the table; none of its words become labels."""
    page = Page()
    page.prose("The group reports its position at the end of the year " * 3, 50, 100, 535)
    story = "During the year the portfolio grew and 12 holdings were added, 9 of them in the second half of the year. "
    page.prose(story * 5, 50, 160, 190)
    page.prose(
        "The position at the end of the year is shown below, with notes on the pages that follow it.", 210, 160, 535
    )
    _statement(page, shades=[(395, 455)], left=210)
    (table,) = tables(save(tmp_path / "beside.pdf", page))
    assert shown(table) == written(READ)


def test_a_grid_with_shaded_cells_stays_a_grid(tmp_path: Path) -> None:
    """Where upright rules are drawn, the shade of a column changes nothing."""
    page = Page()
    page.fill(300, 100, 400, 180, gray=0.9)
    for y in (100, 120, 140, 160, 180):
        page.rule(50, y, 500, y)
    for x in (50, 300, 400, 500):
        page.rule(x, 100, x, 180)
    for row, cells in enumerate((("", "2024", "2023"), ("Sales", "10", "9"), ("Cost", "6", "5"), ("Profit", "4", "4"))):
        for x, text in zip((60, 330, 430), cells, strict=True):
            if text:
                page.text(x, 114 + 20 * row, text)
    (table,) = tables(save(tmp_path / "grid.pdf", page))
    assert shown(table) == written(" | 2024 | 2023\nSales | 10 | 9\nCost | 6 | 5\nProfit | 4 | 4")


def test_a_dark_header_and_every_other_row_shaded(tmp_path: Path) -> None:
    """A header band with white letters and shaded rows: the header heads, and no row is lost."""
    page = Page()
    page.fill(50, 100, 535, 116, gray=0.2)
    page.color(1)
    page.rows("Segment | 2024 | 2023", (54, 450, 530), 112)
    page.color(0)
    for row in range(0, 6, 2):
        page.fill(50, 117 + 14 * row, 535, 131 + 14 * row, gray=0.93)
    body = "Retail | 120 | 110\nExport | 80 | 70\nOnline | 60 | 40\nTrade | 30 | 25\nOther | 5 | 6\nTotal | 295 | 251"
    page.rows(body, (54, 450, 530), 128)
    (table,) = tables(save(tmp_path / "zebra.pdf", page))
    assert shown(table) == written("Segment | 2024 | 2023\n" + body)
