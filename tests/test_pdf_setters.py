"""What browsers, word processors and spreadsheets do to a table: figures break off, marks push labels down, figures
nearly touch, tiles stand over tables, and titles come again on every page."""

from __future__ import annotations

from pathlib import Path

from tests.pdf_pages import Page, save
from tests.test_pdf_context import facts
from tests.test_pdf_tables import shown, tables, written

XS = (72, 240, 310, 400)


def test_left_set_amounts_that_nearly_touch_are_two_cells(tmp_path: Path) -> None:
    """Under wide headers the figures of the largest row may stand a space apart; headers may reach beyond the last."""
    page = Page()
    page.text(72, 100, "Pounds thousand")
    for x, header in ((72, "Service"), (168, "Spent"), (210, "Granted"), (300, "Change in share")):
        page.text(x, 130, header)
    rows = (("Bridges", "12,407", "310,552", "2.5"), ("Ferries", "77,310", "64,108", "1.4"))
    for y, row in zip((146, 160, 174), (*rows, ("All services", "9,118,640", "8,204,115", "3.9")), strict=True):
        for x, text in zip((72, 165, 213, 302), row, strict=True):
            page.text(x, y, text)
    (table,) = tables(save(tmp_path / "a.pdf", page))
    assert shown(table) == written("""
        Service      | Spent     | Granted   | Change in share
        Bridges      | 12,407    | 310,552   | 2.5
        Ferries      | 77,310    | 64,108    | 1.4
        All services | 9,118,640 | 8,204,115 | 3.9""")


def test_a_label_pushed_down_by_its_mark_stays_with_its_figures(tmp_path: Path) -> None:
    """A raised mark makes the line of the label higher than that of the figures, also in the last row."""
    page = Page()
    page.rows("| 2024 | 2023\nAnchors | 41.5 | 39.2\nChains | 17.1 | 16.8", (72, 400, 500), 120)
    page.text(72, 165.6, "Ropes")
    page.text(103, 161, "*", 6.5)
    page.right(400, 162, "23.9")
    page.right(500, 162, "25.0")
    (table,) = tables(save(tmp_path / "a.pdf", page))
    assert shown(table).splitlines()[-1].replace(" ", "") == "Ropes*|23.9|25.0"


def _ruled(page: Page, xs: tuple[float, ...], ys: tuple[float, ...]) -> None:
    for x in xs:
        page.rule(x, ys[0], x, ys[-1])
    for y in ys:
        page.rule(xs[0], y, xs[-1], y)


def test_a_figure_too_long_for_its_cell_is_one_figure(tmp_path: Path) -> None:
    """Beside a label of two lines its rest looks like the figure of another row."""
    page = Page()
    _ruled(page, (60, 140, 195, 260), (100, 120, 148, 176, 196))
    for y, row in (
        (114, ("项目", "期末", "期初")),
        (131, ("按组合计提", "731,405.", "65,118.2")),
        (143, ("的减值", "86", "")),
        (159, ("其他权益类", "1,204,33", "88,240.19")),
        (171, ("投资", "1.07", "")),
        (190, ("合计", "99.10", "77.20")),
    ):
        for x, text in zip((64, 144, 199), row, strict=True):
            if text:
                page.text(x, y, text)
    (table,) = tables(save(tmp_path / "a.pdf", page))
    assert shown(table) == written("""
        项目             | 期末         | 期初
        按组合计提的减值 | 731,405.86   | 65,118.2
        其他权益类投资   | 1,204,331.07 | 88,240.19
        合计             | 99.10        | 77.20""")


def test_two_figures_in_one_ruled_row_are_not_joined(tmp_path: Path) -> None:
    """Where each line is a figure of its own, lines are rows."""
    page = Page()
    _ruled(page, (60, 160, 230, 300), (100, 120, 164))
    for y, row in ((114, ("Kind", "2024", "2023")), (132, ("Loans", "1,204", "1,118")), (146, ("Bonds", "331", "402"))):
        for x, text in zip((64, 164, 234), row, strict=True):
            page.text(x, y, text)
    page.text(64, 160, "Bills")
    page.text(164, 160, "57")
    page.text(234, 160, "61")
    (table,) = tables(save(tmp_path / "a.pdf", page))
    assert shown(table).splitlines()[1:] == ["Loans | 1,204 | 1,118", "Bonds | 331 | 402", "Bills | 57 | 61"]


def test_large_figures_over_a_table_are_none_of_its_headers(tmp_path: Path) -> None:
    """The years below them head the columns; the table begins with its own header."""
    page = Page()
    for x, figure, words in ((80, "3.1 bn", "turnover"), (220, "22%", "margin"), (360, "8,450", "colleagues")):
        page.text(x, 100, figure, 17)
        page.text(x, 114, words, 10)
    page.rows("Key figures | 2024 | 2023\nTurnover | 3,104.5 | 2,967.2\nCosts | 2,421.5 | 2,388.0", (72, 300, 420), 140)
    page.prose("Turnover grew in all regions as new berths were opened and rates recovered. " * 4, 72, 210, 500)
    (table,) = tables(save(tmp_path / "a.pdf", page))
    assert shown(table).splitlines()[0] == "Key figures | 2024 | 2023"


def test_a_currency_in_a_column_of_units_is_a_unit(tmp_path: Path) -> None:
    """It stands under the other units, far from its amount."""
    page = Page()
    rows = (("Sales", "€m", "310.4", "298.1"), ("Margin", "%", "18.2", "17.5"), ("Staff", "FTE", "1,240", "1,198"))
    for y, row in zip((120, 134, 148, 162), (*rows, ("Dividend a share", "€", "1.35", "1.20")), strict=True):
        page.text(72, y, row[0])
        page.text(220, y, row[1])
        page.right(340, y, row[2])
        page.right(420, y, row[3])
    (table,) = tables(save(tmp_path / "a.pdf", page))
    assert shown(table).splitlines()[-1] == "Dividend a share | € | 1.35 | 1.20"


def test_headers_that_found_no_column_say_no_unit_of_the_whole_table(tmp_path: Path) -> None:
    """A percentage over one column is none of the others."""
    page = Page()
    wide = "Share of all that the four old services have spent (%)"
    for x, header in ((72, "Service"), (200, "Outturn"), (270, "Estimate"), (330, wide)):
        page.text(x, 96, header, 8)
    page.rows("| 2023 | 2024 | 2024\nBridges | 12,407 | 10,552 | 17.6\nFerries | 77,310 | 64,108 | 20.6", XS, 108)
    found = facts(tmp_path, page)
    assert len(found) == 6
    assert all(fact.unit == "unknown" for fact in found if fact.value > 1000)


def test_a_unit_repeated_over_a_table_that_goes_on_begins_no_other(tmp_path: Path) -> None:
    """Spreadsheets print title rows on every page: with the header they come again, the table is one."""
    pages = []
    for part in range(2):
        page = Page()
        page.text(60, 50, "Spending by office")
        page.text(60, 108, "in EUR thousand")
        _ruled(page, (56, 240, 340, 440), tuple(116 + 16 * row for row in range(6)))
        rows = (f"Office {5 * part + i} | {31 + i},40{i} | {29 + i},10{i}" for i in range(4))
        lines = ["Office | 2024 | 2023", *rows]
        for row, line in enumerate(lines):
            for x, text in zip((60, 244, 344), line.split(" | "), strict=True):
                page.text(x, 128 + 16 * row, text)
        pages.append(page)
    (table,) = tables(save(tmp_path / "a.pdf", *pages))
    assert table.n_rows == 9
