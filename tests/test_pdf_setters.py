"""What browsers, word processors and spreadsheets do to a table: figures break off, marks push labels down, figures
nearly touch, tiles stand over tables, and titles come again on every page."""

from __future__ import annotations

from itertools import pairwise
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


def test_figures_in_brackets_under_figures_are_of_their_row(tmp_path: Path) -> None:
    """A share under each count, and a standard error under each estimate, is no row of its own."""
    page = Page()
    rows = (("Agree", "312 (41.2%)", "287 (39.9%)"), ("Neither", "98 (12.9%)", "101 (14.0%)"))
    rows += (("Disagree", "347 (45.9%)", "332 (46.1%)"),)
    for x, header in ((300, "North"), (400, "South")):
        page.right(x, 120, header)
    for number, (label, *figures) in enumerate(rows):
        page.text(72, 140 + 32 * number, label)
        for x, figure in zip((300, 400), figures, strict=True):
            count, share = figure.split()
            page.right(x, 140 + 32 * number, count)
            page.right(x, 153 + 32 * number, share)
    (table,) = tables(save(tmp_path / "a.pdf", page))
    assert shown(table).splitlines()[1:] == [" | ".join(row) for row in rows]


def test_subtotals_in_brackets_without_a_label_are_rows(tmp_path: Path) -> None:
    """Here and there a sum stands below its parts, negative and without a name."""
    page = Page()
    text = "| 2024 | 2023\nWages | (310) | (298)\nRents | (120) | (118)\n | (430) | (416)\nFees | (25) | (24)"
    page.rows(f"{text}\nTravel | (14) | (16)\n | (39) | (40)\nAll costs | (469) | (456)", (72, 400, 500), 120)
    (table,) = tables(save(tmp_path / "a.pdf", page))
    assert table.n_rows == 8


def test_a_label_that_ends_with_net_is_whole(tmp_path: Path) -> None:
    """In narrow columns the next row begins right below it."""
    page = Page()
    text = "| 2024 | 2023\nSales of goods | 310 | 298\nOther charges and credits, net | (25) | 24\nOperating"
    page.rows(f"{text}\nincome | 285 | 322", (72, 250, 310), 120, step=13)
    (table,) = tables(save(tmp_path / "a.pdf", page))
    labels = [cell.text for cell in table.cells if cell.col == 1]
    assert labels[:2] == ["Sales of goods", "Other charges and credits, net"]


def test_a_shade_that_ends_between_currency_and_amount_parts_no_headers(tmp_path: Path) -> None:
    """Filings keep currencies in cells of their own and shade these one by one; each header keeps its two years."""
    page = Page()
    edges = (72, 250, 256, 268, 312, 318, 324, 336, 380, 386, 392, 404, 448, 454, 460, 472, 516, 522)
    for row in (0, 2):
        for left, right in pairwise(edges):
            page.fill(left, 150 + 14 * row, right, 164 + 14 * row, gray=0.9)
    page.text(258, 130, "Quarter to 30 June", 9)
    page.text(395, 130, "Half-year to 30 June", 9)
    page.rule(256, 133, 386, 133)
    page.rule(392, 133, 522, 133)
    signs = (257, 325, 393, 461)
    for x, year in zip(signs, ("2024", "2023", "2024", "2023"), strict=True):
        page.text(x + 18, 145, year, 9)
    figures = ("| 5,120 | 4,870 | 9,930 | 9,415", "(37) | 12 | (81) | 40", "| 5,083 | 4,882 | 9,849 | 9,455")
    for row, (label, line) in enumerate(zip(("Net sales", "Charges", "Income"), figures, strict=True)):
        page.text(74, 160 + 14 * row, label)
        for x, figure in zip(signs, line.strip("| ").split(" | "), strict=True):
            if row != 1:
                page.text(x, 160 + 14 * row, "$")
            page.right(x + 55 + 3 * figure.endswith(")"), 160 + 14 * row, figure)
    (table,) = tables(save(tmp_path / "a.pdf", page))
    heads = {cell.text: (cell.col, table.spans.get((cell.row, cell.col))) for cell in table.cells if cell.row == 1}
    assert heads == {"Quarter to 30 June": (2, (1, 2)), "Half-year to 30 June": (4, (1, 2))}


def test_units_side_by_side_head_a_column_each(tmp_path: Path) -> None:
    """However little white stands between them, they are not one unit over all figures."""
    page = Page()
    columns = (72, 270, 358, 417)
    page.rows("| Note | 2024 | 2023\n | | CHF million | CHF million", columns, 120, step=13)
    page.rows("Premiums | 4 | 97,308 | 53,968\nClaims | 5 | 81,120 | 44,017", columns, 150)
    (table,) = tables(save(tmp_path / "a.pdf", page))
    assert shown(table).splitlines()[0] == " | Note | 2024 CHF million | 2023 CHF million"


def test_tables_on_one_printed_grid_are_parted_by_its_empty_columns(tmp_path: Path) -> None:
    """Spreadsheets print their grid over everything, between two tables as well."""
    page = Page()
    xs = (60, 120, 180, 240, 300, 380, 440)
    _ruled(page, xs, tuple(100 + 16 * row for row in range(6)))
    left = ("Month | 2024", "May | 31.4", "June | 40.2", "July | 44.9", "August | 47.0")
    right = ("Gate | Visits", "North | 1,204", "South | 977")
    for columns, lines in ((xs[:2], left), (xs[4:6], right)):
        for row, line in enumerate(lines):
            for x, text in zip(columns, line.split(" | "), strict=True):
                page.text(x + 4, 112 + 16 * row, text)
    found = [shown(table).splitlines() for table in tables(save(tmp_path / "a.pdf", page))]
    assert found == [list(left), list(right)]


def test_years_under_other_words_begin_another_table(tmp_path: Path) -> None:
    """Blocks of a record set alike, each with a header of its own: ratios are no millions."""
    page = Page()
    page.rows(
        "Balance (EUR million) | 2024 | 2023\nAssets | 7,501 | 6,700\nEquity | 1,497 | 1,384", (72, 400, 500), 120
    )
    page.rows("Ratios (%) | 2024 | 2023\nReturn on equity | 7.2 | 8.0\nEquity ratio | 20.0 | 20.7", (72, 400, 500), 176)
    page.rule(70, 123, 502, 123)
    page.rule(70, 179, 502, 179)
    found = [shown(table).splitlines()[0] for table in tables(save(tmp_path / "a.pdf", page))]
    assert found == ["Balance (EUR million) | 2024 | 2023", "Ratios (%) | 2024 | 2023"]


def test_years_as_values_begin_no_table(tmp_path: Path) -> None:
    """When something began and when it ends may be told by years."""
    text = "| North | South\nPupils | 310 | 298\nOpened | 1998 | 2003\nClassrooms | 14 | 12\nRenewal | 2027 | 2031"
    page = Page()
    page.rows(text, (72, 400, 500), 120)
    (table,) = tables(save(tmp_path / "a.pdf", page))
    assert table.n_rows == 5


def test_a_currency_before_words_is_a_word(tmp_path: Path) -> None:
    """In the corner of a table it says the unit of all figures."""
    page = Page()
    page.rows("RMB million | 2024 | 2023\nToll revenue | 5,623 | 5,265\nOther | 38 | 24", (72, 400, 500), 120)
    assert {(fact.unit, fact.scale) for fact in facts(tmp_path, page)} == {("CNY", 6)}


def test_a_unit_under_one_of_two_headers_is_not_of_the_other(tmp_path: Path) -> None:
    """A header of two lines stands around the middle of one beside it."""
    page = Page()
    page.text(325, 112, "Employment", 12)
    page.text(328, 125, "(thousand)", 12)
    page.text(165, 118.4, "Gross value added", 12)
    page.text(80, 125, "Region", 12)
    page.rule(142, 122.2, 440, 122.2)
    text = "| 2022 | 2023 | 2022 | 2023\nCoast | 455.6 | 811.4 | 150.0 | 346.7\nPlain | 88.4 | 324.1 | 65.3 | 83.4"
    page.rows(text, (72, 210, 280, 355, 430), 133)
    (table,) = tables(save(tmp_path / "a.pdf", page))
    assert not [cell for cell in table.cells if "thousand" in cell.text and cell.col < 4]


def test_decimals_broken_off_in_a_narrow_table_belong_to_their_figures(tmp_path: Path) -> None:
    """Where figures of the table break off, the last digit of another one is no figure of its own."""
    page = Page()
    _ruled(page, (60, 120, 168, 216), (100, 120, 148, 176, 204))
    for y, row in (
        (114, ("项目", "期末", "期初")),
        (131, ("押金及保", "61,205,81", "4,608,13")),
        (143, ("证金款", "9.60", "7.42")),
        (159, ("代收代付", "508,371.2", "771,425.0")),
        (171, ("款项目", "5", "6")),
        (187, ("应付工程", "9,314,60", "8,150,33")),
        (199, ("设备款", "2.08", "1.90")),
    ):
        for x, text in zip((64, 122, 170), row, strict=True):
            page.text(x, y, text)
    (table,) = tables(save(tmp_path / "a.pdf", page))
    assert shown(table) == written("""
        项目           | 期末          | 期初
        押金及保证金款 | 61,205,819.60 | 4,608,137.42
        代收代付款项目 | 508,371.25    | 771,425.06
        应付工程设备款 | 9,314,602.08  | 8,150,331.90""")


def test_a_rule_far_below_a_header_in_the_middle_of_its_row_tells_its_columns(tmp_path: Path) -> None:
    """The half-year is that of both years, though a header of two lines beside it pushes the rule down."""
    page = Page()
    page.text(72, 118, "RMB million")
    page.text(306, 118, "Six months ended 30 June")
    page.right(520, 112, "Change")
    page.right(520, 124, "(%)")
    page.rule(290, 131.5, 436, 131.5)
    page.rows("| 2024 | 2023 |\nRevenue | 4,951 | 4,153 | 3.4\nCosts | (718) | (747) | 3.1", (72, 345, 430, 520), 146)
    page.rule(70, 150, 524, 150)
    found = facts(tmp_path, page)
    assert {fact.period for fact in found if fact.value > 1000} == {"2024H1", "2023H1"}


def test_a_title_flush_with_the_labels_is_no_header(tmp_path: Path) -> None:
    """However far it reaches over the figures."""
    page = Page()
    page.text(72, 104, "Bonds outstanding on 31 December", 12)
    page.rows("| Issued | Repaid\nNorth | 310 | 298\nSouth | 120 | 118", (72, 165, 330), 120)
    (table,) = tables(save(tmp_path / "a.pdf", page))
    assert shown(table).splitlines()[0] == " | Issued | Repaid"
