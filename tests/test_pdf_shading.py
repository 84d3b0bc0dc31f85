"""Reports shade the current year, headers and every other row; shades are no grid, and no figure loses its year."""

from __future__ import annotations

from itertools import pairwise
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
Goodwill          | 11 | 23,518  | 23,407
Intangible assets | 12 | 18,264  | 19,935
Investments       | 13 | 204,377 | 181,640
Total assets      |    | 246,159 | 224,982
Trade payables    | 14 | (5,481) | (7,306)
Lease liabilities | 15 | (264)   | (238)
Total liabilities |    | (5,745) | (7,544)
Net assets        |    | 240,414 | 217,438
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


def test_rows_shaded_cell_by_cell_are_bands(tmp_path: Path) -> None:
    """Every other row is shaded, each cell by itself, with rules under totals only: one table with all its columns."""
    page = Page()
    edges = (50, 320, 395, 405, 480, 490, 535)
    body = (
        "Cars   | 415.6   | 387.1   | 7 %",
        "Vans   | 164.9   | 151.3   | 9 %",
        "Trucks | 133.7   | 121.5   | 10 %",
        "Other  | 308.2   | 276.4   | 12 %",
        "Total  | 1,022.4 | 936.3 | 8 %",
    )
    page.rows("       | 2024    | 2023    | Change", (50, 390, 475, 533), 96)
    page.rule(320, 100, 395, 100)
    page.rule(405, 100, 480, 100)
    for row in range(0, 5, 2):
        for x0, x1 in pairwise(edges):
            page.fill(x0, 104 + 14 * row, x1, 118 + 14 * row, gray=0.85)
    page.rows("\n".join(body), (54, 390, 475, 533), 114)
    for x0, x1 in ((320, 395), (405, 480)):
        page.rule(x0, 160, x1, 160)
        page.rule(x0, 175, x1, 175)
    (table,) = tables(save(tmp_path / "bands.pdf", page))
    assert shown(table) == written(" | 2024 | 2023 | Change\n" + "\n".join(body).replace(" %", "%"))


def test_a_pause_between_rows_ends_no_table(tmp_path: Path) -> None:
    """White space under the header and after the first row: figures in every column go on with the table."""
    page = Page()
    columns = (50, 330, 380, 460, 510)
    page.rows("(in thousands) | 2024 | % | 2023 | %", columns, 100, size=9)
    page.rule(290, 104, 515, 104)
    page.rows("Regular business | 31,850 | 24.1 | 36,217 | 25.3", columns, 140, size=9)
    page.rows("Open audits | (415) | (0.3) | 318 | 0.1", columns, 175, size=9)
    page.rows("Corrected filings | (77) | (0.2) | (1,642) | (0.9)\nOther | 254 | 0.2 | 529 | 0.5", columns, 189, size=9)
    (table,) = tables(save(tmp_path / "pause.pdf", page))
    assert [line.split(" | ")[0] for line in shown(table).splitlines()] == [
        "(in thousands)", "Regular business", "Open audits", "Corrected filings", "Other",
    ]  # fmt: skip


def test_a_dark_band_over_ruled_columns_heads_them(tmp_path: Path) -> None:
    """The cells of the header are filled alike and abut; its years still stand over their columns."""
    page = Page()
    for x0, x1 in ((50, 350), (350, 440), (440, 530)):
        page.fill(x0, 100, x1, 118, gray=0.2)
    page.fill(350, 118, 440, 188, gray=0.9)
    for x in (350, 440):
        page.rule(x, 118, x, 188)
    for y in (118, 132, 146, 160, 174, 188):
        page.rule(50, y, 530, y)
    page.color(1)
    page.rows("NOTE 7 HOLDING | 2024 | 2023", (54, 430, 522), 112)
    page.color(0)
    body = "Current | 3,862 | 718\nOther | 305 | 36\nTotal assets | 4,167 | 759\nDebt | 182 | 147\nNet | 3,985 | 612"
    page.rows(body, (54, 430, 522), 128)
    (table,) = tables(save(tmp_path / "band.pdf", page))
    assert shown(table) == written("NOTE 7 HOLDING | 2024 | 2023\n" + body)


def test_a_section_at_the_head_of_a_page_belongs_to_the_table_before(tmp_path: Path) -> None:
    """Cash flows break in the middle; the first line of the next page names a section, and the years still hold."""
    first, second = Page(), Page()
    columns = (50, 450, 530)
    first.prose(
        "The statement of cash flows for both years is set out below and goes on on the next page.", 50, 700, 530
    )
    first.rows(
        " | 2024 | 2023\nNet loss | (18,643) | (21,507)\nDepreciation | 410 | 380\nImpairment | 89 | 95", columns, 760
    )
    second.rows("Changes in working capital:", columns, 60)
    second.rows("Receivables | (2,415) | (2,790)\nPayables | 1,366 | 874\nInterest paid | (300) | (210)", columns, 74)
    (table,) = tables(save(tmp_path / "goes-on.pdf", first, second))
    assert shown(table).splitlines()[0] == " | 2024 | 2023"
    assert shown(table).splitlines()[-1] == "Interest paid | (300) | (210)"
