"""Tables of reports: with a grid, with rules, and with nothing but alignment."""

from __future__ import annotations

from pathlib import Path

from factspine.core.limits import Limits
from factspine.core.places import cell_place
from factspine.core.tables import RawTable
from factspine.extract.pdf import read, reread
from tests.pdf_pages import Page, save


def tables(path: Path) -> list[RawTable]:
    return [item for item in read(path, Limits()) if isinstance(item, RawTable)]


def shown(table: RawTable) -> str:
    """A table as text, a row a line."""
    grid = [["" for _ in range(table.n_cols)] for _ in range(table.n_rows)]
    for cell in table.cells:
        grid[cell.row - 1][cell.col - 1] = cell.text
    return "\n".join(" | ".join(row).rstrip() for row in grid)


def written(text: str) -> str:
    lines = [[part.strip() for part in line.split("|")] for line in text.strip("\n").splitlines()]
    return "\n".join(" | ".join(line).rstrip() for line in lines)


STATEMENT = """
                                        | 2024      | 2023
Revenue                                 | 1,320.5   | 1,210.4
Cost of sales                           | (812.0)   | (790.1)
Gross profit                            | 508.5     | 420.3
  Selling expenses                      | (101.2)   | (98.7)
  Administrative expenses               | (55.0)    | -
Operating profit                        | 352.3     | 321.6
"""


def test_a_statement_without_lines_is_read_as_a_table(tmp_path: Path) -> None:
    """Nothing but alignment makes these rows and columns, and each number lands in its own cell."""
    page = Page()
    page.rows(STATEMENT, (72, 400, 500), 120)
    (table,) = tables(save(tmp_path / "a.pdf", page))
    assert shown(table) == written(STATEMENT)
    assert table.locator == "page=1,table=1"


def test_indentation_is_kept_as_hierarchy(tmp_path: Path) -> None:
    """A label set further in belongs under the one above it."""
    page = Page()
    page.rows(STATEMENT, (72, 400, 500), 120)
    (table,) = tables(save(tmp_path / "a.pdf", page))
    indents = {cell.text: cell.style.indent for cell in table.cells if cell.col == 1}
    assert indents["Revenue"] == 0
    assert indents["Selling expenses"] > 0


def test_every_cell_has_its_box(tmp_path: Path) -> None:
    """A cell can be shown on the page: its box holds its text and nothing of its neighbours."""
    page = Page()
    page.rows(STATEMENT, (72, 400, 500), 120)
    (table,) = tables(save(tmp_path / "a.pdf", page))
    assert len(table.boxes) == len(table.cells)
    x0, top, x1, bottom = table.boxes[(2, 2)]
    assert 355 < x0 < x1 < 401
    assert 120 < top < bottom < 140


def test_a_wrapped_label_is_one_row(tmp_path: Path) -> None:
    """A label that goes on in a second line still has one row of figures."""
    page = Page()
    page.rows(
        """
                                              | 2024  | 2023
Interest income                               | 120   | 110
Gain on disposal of property, plant and equipment,
  net of transaction costs                    | 45    | 12
Other income                                  | 8     | 9
""",
        (72, 400, 480),
        100,
    )
    (table,) = tables(save(tmp_path / "a.pdf", page))
    assert "Gain on disposal of property, plant and equipment, net of transaction costs | 45 | 12" in shown(table)
    assert table.n_rows == 4


def test_currency_signs_and_brackets_in_columns_of_their_own_belong_to_their_number(tmp_path: Path) -> None:
    """`$` at the left of a column and `%` behind it are parts of the cell, not columns."""
    page = Page()
    for y, (label, first, second) in enumerate(
        [("Net sales", "1,320", "1,210"), ("Cost", "(812)", "(790)"), ("Profit", "508", "420")]
    ):
        page.text(72, 120 + 14 * y, label)
        for left, right, number in ((330, 400, first), (430, 500, second)):
            page.text(left, 120 + 14 * y, "$")
            page.right(right, 120 + 14 * y, number)
    page.rows("| 2024 | 2023", (72, 400, 500), 104)
    (table,) = tables(save(tmp_path / "a.pdf", page))
    assert table.n_cols == 3
    assert [c.text for c in table.cells if c.row == 3] == ["Cost", "$(812)", "$(790)"]


def test_a_header_over_several_columns_spans_them(tmp_path: Path) -> None:
    """A line over the years heads all of them."""
    page = Page()
    page.text(360, 90, "Year ended December 31,")
    page.rule(310, 93, 520, 93)
    page.rows("(in millions) | 2024 | 2023 | 2022", (72, 360, 440, 520), 106)
    page.rule(72, 110, 520, 110)
    page.rows("Net sales | 10 | 20 | 30\nCosts | 4 | 5 | 6\nMargin | 6 | 15 | 24", (72, 360, 440, 520), 124)
    page.rule(72, 160, 520, 160)
    (table,) = tables(save(tmp_path / "a.pdf", page))
    header = next(c for c in table.cells if c.text.startswith("Year ended"))
    assert (header.row, header.col) == (1, 2)
    assert table.spans[(1, 2)] == (1, 3)


def test_a_ruled_grid_keeps_merged_cells(tmp_path: Path) -> None:
    """Where the rule between two cells is missing they are one."""
    page = Page()
    xs, ys = (72, 200, 300, 400), (100, 120, 140, 160)
    for y in ys:
        page.rule(xs[0] if y != 120 else xs[1], y, xs[-1], y)
    for x in xs:
        page.rule(x, 100 if x != 300 else 120, x, 160)
    page.text(80, 125, "Faculty")
    page.text(280, 114, "Students")
    page.text(210, 134, "Sample")
    page.text(310, 134, "Population")
    page.rows("Sciences | 38 | 672", (80, 260, 360), 154)
    (table,) = tables(save(tmp_path / "a.pdf", page))
    assert shown(table) == written("Faculty | Students |\n| Sample | Population\nSciences | 38 | 672")
    assert table.spans == {(1, 1): (2, 1), (1, 2): (1, 2)}


def test_two_tables_on_a_page_stay_two(tmp_path: Path) -> None:
    """A sentence between two tables parts them."""
    page = Page()
    y = page.rows("| 2024 | 2023\nNorth | 1,000 | 2,000\nSouth | 3,000 | 4,000", (72, 300, 400), 100)
    y = page.prose(
        "The following table shows the number of employees in each region at the end of the year.", 72, y + 20, 520
    )
    page.rows("| 2024 | 2023\nNorth | 10 | 20\nSouth | 30 | 40", (72, 300, 400), y + 20)
    found = tables(save(tmp_path / "a.pdf", page))
    assert [t.n_rows for t in found] == [3, 3]
    assert [t.locator for t in found] == ["page=1,table=1", "page=1,table=2"]


def _grid(page: Page, rows: list[tuple[str, str, str]], y: float) -> None:
    xs = (72, 300, 400, 500)
    for index in range(len(rows) + 1):
        page.rule(xs[0], y + 16 * index, xs[-1], y + 16 * index)
    for x in xs:
        page.rule(x, y, x, y + 16 * len(rows))
    for index, row in enumerate(rows):
        page.text(78, y + 12 + 16 * index, row[0])
        for edge, text in zip((394, 494), row[1:], strict=True):
            page.right(edge, y + 12 + 16 * index, text)


def test_a_table_that_goes_on_is_one_table_with_a_place_for_each_page(tmp_path: Path) -> None:
    """The second page's rows join the first's, the repeated header is no data, and each row keeps its own page."""
    first, second = Page(), Page()
    head = ("Item", "2024", "2023")
    _grid(first, [head, *((f"Line {i}", f"{i},100", f"{i},200") for i in range(1, 40))], 100)
    _grid(second, [head, *((f"Line {i}", f"{i},100", f"{i},200") for i in range(40, 45))], 80)
    (table,) = tables(save(tmp_path / "a.pdf", first, second))
    assert table.n_rows == 45
    assert [(p.first_row, p.locator) for p in table.places] == [(1, "page=1,table=1"), (41, "page=2,table=1")]
    assert [c.text for c in table.cells].count("Item") == 1


def test_a_table_goes_on_only_on_the_very_next_page(tmp_path: Path) -> None:
    """With a page of prose in between, the table at the head of the page after that is another one."""
    first, between, third = Page(), Page(), Page()
    head = ("Item", "2024", "2023")
    _grid(first, [head, *((f"Line {i}", f"{i},100", f"{i},200") for i in range(1, 40))], 100)
    between.prose("The board looked at the year as a whole and found it good. " * 12, 72, 100, 500)
    _grid(third, [head, *((f"Line {i}", f"{i},100", f"{i},200") for i in range(40, 45))], 80)
    assert [table.locator for table in tables(save(tmp_path / "a.pdf", first, between, third))] == [
        "page=1,table=1",
        "page=3,table=1",
    ]


def test_any_cell_of_a_long_report_is_found_again(tmp_path: Path) -> None:
    """Whether its table stands on one page or began many pages before: the cell asked for is the one that was read."""
    pages = []
    for number in range(24):
        page = Page()
        lines = range(40 * number, 40 * number + 40)
        page.text(72, 40, "Annual report")
        if number % 12 == 11:
            page.prose("The board looked at the year as a whole and found it good. " * 12, 72, 100, 500)
        else:
            _grid(page, [("Item", "2024", "2023"), *((f"Line {i}", f"{i},1", f"{i},2") for i in lines)], 100)
        pages.append(page)
    report = save(tmp_path / "a.pdf", *pages)
    long, other = tables(report)
    assert (len(long.places), len(other.places)) == (11, 11)
    for table in (long, other):
        cells = [cell for cell in table.cells if cell.col == 2 and cell.row % 97 == 2]
        asked = [cell_place(table, cell.row, cell.col) for cell in cells]
        assert [reread(report, [place])[0][0] for place in asked] == [cell.text for cell in cells]
    assert reread(report, ["page=30,table=1,cell=R1C1", "page=2,table=9,cell=R1C1"]) == [("", None), ("", None)]


def test_a_caption_on_the_next_page_begins_another_table(tmp_path: Path) -> None:
    """What has a title of its own is a table of its own."""
    first, second = Page(), Page()
    _grid(first, [("Item", "2024", "2023"), *((f"Line {i}", "1", "2") for i in range(1, 40))], 100)
    second.text(72, 70, "Table 2. Another matter", font="F2")
    _grid(second, [("Kind", "2024", "2023"), ("First", "3", "4"), ("Second", "3", "4")], 90)
    assert len(tables(save(tmp_path / "a.pdf", first, second))) == 2


def test_caption_and_unit_line_come_with_the_table(tmp_path: Path) -> None:
    """What stands above a table and says what it is and in which unit is kept with its place."""
    page = Page()
    page.text(250, 80, "合并利润表", 12)
    page.text(72, 100, "编制单位：某某股份有限公司")
    page.text(430, 100, "单位：元 币种：人民币")
    _grid(
        page,
        [("项目", "本期", "上期"), ("一、营业总收入", "1,000.50", "900.25"), ("二、营业总成本", "800.00", "700.00")],
        110,
    )
    (table,) = tables(save(tmp_path / "a.pdf", page))
    roles = {context.text: context.role for context in table.context}
    assert roles["合并利润表"] in ("caption", "section")
    assert any(role == "unit_note" and "元" in text for text, role in roles.items())
    assert "合并利润表" in table.title
    assert all(context.locator.startswith("page=1") for context in table.context)


def test_empty_cells_stay_empty(tmp_path: Path) -> None:
    """A number missing in the middle of a row leaves a hole, and its neighbours stay in their columns."""
    page = Page()
    page.rows(
        "| 2024 | 2023 | 2022\nNorth | 1,000 | 2,000 | 3,000\nSouth |  | 4,000 | 5,000\nEast | 6,000 |  | 7,000",
        (72, 300, 380, 460),
        100,
    )
    (table,) = tables(save(tmp_path / "a.pdf", page))
    assert {(c.row, c.col): c.text for c in table.cells if c.row >= 3 and c.col > 1} == {
        (3, 3): "4,000",
        (3, 4): "5,000",
        (4, 2): "6,000",
        (4, 4): "7,000",
    }


def test_leaders_are_not_text(tmp_path: Path) -> None:
    """Dots that lead the eye from a label to its number are no part of either."""
    page = Page()
    for y, (label, number) in enumerate([("Revenue", "1,320"), ("Costs", "1,100"), ("Profit", "220")]):
        page.text(72, 120 + 14 * y, label + " ." * 60)
        page.right(450, 120 + 14 * y, number)
        page.right(520, 120 + 14 * y, "9" + number[-3:])
    (table,) = tables(save(tmp_path / "a.pdf", page))
    assert [c.text for c in table.cells if c.col == 1] == ["Revenue", "Costs", "Profit"]


def test_a_column_of_note_references_is_headed_by_its_own_word(tmp_path: Path) -> None:
    """A header line that begins with "Note" is the head of the table and no footnote."""
    text = """
                  | Note | 2024    | 2023 (restated)
Revenue           | 4    | 1,320.5 | 1,210.4
Cost of sales     | 5    | (812.0) | (790.1)
Operating profit  |      | 508.5   | 420.3
"""
    page = Page()
    page.rows(text, (72, 320, 410, 520), 120)
    (table,) = tables(save(tmp_path / "a.pdf", page))
    assert shown(table) == written(text)


def test_a_line_of_units_over_one_column_speaks_for_the_whole_table(tmp_path: Path) -> None:
    """单位：元 at the right edge heads no column; between two tables it parts them."""
    page = Page()
    text = (
        "项目 | 2024年 | 2023年\n营业收入 | 1,320.50 | 1,210.40\n营业成本 | 812.00 | 790.10\n净利润 | 508.50 | 420.30"
    )
    for top in (100, 200):
        page.right(500, top, "单位：元 币种：人民币")
        page.rows(text, (72, 400, 500), top + 16)
    found = tables(save(tmp_path / "a.pdf", page))
    assert [shown(table) for table in found] == [written(text)] * 2
    assert all(any("单位：元" in one.text for one in table.context) for table in found)


def test_a_band_in_the_middle_of_two_columns_heads_both(tmp_path: Path) -> None:
    """A date over two years, narrower than the columns below and without a rule, belongs to both."""
    page = Page()
    page.text(412, 104, "As at 31 December")
    page.rows("| 2024 | 2023\nAssets | 22,150.0 | 20,470.0\nLiabilities | 16,148.8 | 15,336.2", (72, 430, 531), 120)
    (table,) = tables(save(tmp_path / "a.pdf", page))
    band = next(cell for cell in table.cells if cell.text == "As at 31 December")
    assert table.spans[band.row, band.col] == (1, 2)


def test_bands_over_years_that_repeat_head_their_share_of_them(tmp_path: Path) -> None:
    """2023 2022, 2023 2022: the years tell the shares, though the bands miss the middle of theirs."""
    page = Page()
    for x, text in ((240, "Lenses"), (358, "Frames"), (483, "Group")):
        page.text(x, 104, text)
    rows = "| 2023 | 2022 | 2023 | 2022 | 2023 | 2022\nSales | 8,737 | 8,805 | 6,040 | 5,468 | 7,224 | 4,445"
    page.rows(f"{rows}\nCosts | 6,318 | 6,442 | 4,127 | 3,904 | 5,386 | 2,973", (72, 230, 290, 350, 410, 470, 530), 118)
    (table,) = tables(save(tmp_path / "a.pdf", page))
    bands = {cell.text: (cell.col, table.spans.get((cell.row, cell.col))) for cell in table.cells if cell.row == 1}
    first = table.left + 1
    assert {name: bands.get(name) for name in ("Lenses", "Frames", "Group")} == {
        "Lenses": (first, (1, 2)),
        "Frames": (first + 2, (1, 2)),
        "Group": (first + 4, (1, 2)),
    }


def test_a_dash_in_a_column_of_its_own_is_no_minus_sign(tmp_path: Path) -> None:
    """ "Nothing" in one column does not make the next column's number negative."""
    text = "| 2024 | 2023\nNet income | - | 18,946\nDividends | - | (4,183)\nAwards | 412 | -"
    page = Page()
    page.rows(text, (72, 300, 345), 120)
    (table,) = tables(save(tmp_path / "a.pdf", page))
    assert shown(table) == written(text)


def test_a_currency_sign_at_the_edge_of_a_wide_column_belongs_to_its_number(tmp_path: Path) -> None:
    """However far a sign stands from a short number, it is no column."""
    page = Page()
    page.rows("| 2024 | 2023\nCash | 205 | 22\nInventory | 14,198 | 1,682\nTotal | 14,403 | 1,704", (72, 380, 520), 120)
    for y in (134, 162):
        page.text(270, y, "$")
        page.text(410, y, "$")
    (table,) = tables(save(tmp_path / "a.pdf", page))
    assert [cell.text for cell in table.cells if cell.row == 2] == ["Cash", "$205", "$22"]


def test_a_line_of_units_between_the_years_and_the_figures_costs_no_year(tmp_path: Path) -> None:
    """ "(In millions)" under the years is part of the header, and the years still head their columns."""
    page = Page()
    page.text(367, 90, "Year Ended December 31,")
    page.rows("| 2024 | 2023", (72, 400, 500), 104)
    page.text(395, 118, "(In millions)")
    page.rows("Revenue | 679.1 | 637.2\nGross profit | 2,475.0 | 2,250.0\nUnits | 274 | 283", (72, 400, 500), 132)
    (table,) = tables(save(tmp_path / "a.pdf", page))
    heads = {cell.text: (cell.col, table.spans.get((cell.row, cell.col), (1, 1))[1]) for cell in table.cells}
    assert heads["2024"] == (2, 1)
    assert heads["2023"] == (3, 1)
    assert heads["Year Ended December 31,"] == (2, 2)


def test_a_band_over_three_years_heads_all_three(tmp_path: Path) -> None:
    """A line in the middle of three columns does not belong to the middle one, where each has a year of its own."""
    page = Page()
    page.text(384, 104, "Year ended")
    page.rows(
        "| 2024 | 2023 | 2022\nSales | 1,310 | 1,220 | 1,130\nCosts | 1,204 | 1,105 | 1,006", (72, 340, 420, 500), 120
    )
    (table,) = tables(save(tmp_path / "a.pdf", page))
    band = next(cell for cell in table.cells if cell.text == "Year ended")
    assert (band.col, table.spans[band.row, band.col]) == (2, (1, 3))


def test_a_title_after_a_pause_begins_another_table(tmp_path: Path) -> None:
    """Two statements under each other with the same columns stay two, ruled or not."""
    page = Page()
    text = "Item | 2024 | 2023\nNorth | 1,000 | 2,000\nSouth | 3,000 | 4,000\nEast | 5,000 | 6,000"
    for top, title in ((100, "Sales by region"), (190, "Costs by region")):
        page.text(72, top, title)
        page.rule(72, top + 18, 400, top + 18)
        page.rows(text, (72, 300, 400), top + 14)
        page.rule(72, top + 60, 400, top + 60)
    assert [shown(table) for table in tables(save(tmp_path / "a.pdf", page))] == [written(text)] * 2


def test_tables_side_by_side_under_titles_of_their_own_are_two(tmp_path: Path) -> None:
    """Each half has its own title, rows and years; nothing of one is read into the other."""
    page = Page()
    halves = (
        ("Sales", "| 2024 | 2023\nNorth | 10 | 20\nSouth | 30 | 40\nEast | 50 | 60", (50, 180, 270)),
        ("Staff", "| 2024 | 2023\nPlant | 11 | 21\nOffice | 31 | 41\nShops | 51 | 61", (320, 450, 540)),
    )
    for title, text, columns in halves:
        page.text(columns[0], 100, title, font="F2")
        page.rows(text, columns, 116)
    found = tables(save(tmp_path / "a.pdf", page))
    assert [shown(table) for table in found] == [written(text) for _, text, _ in halves]


def test_assets_beside_liabilities_are_one_table(tmp_path: Path) -> None:
    """One title over both sides makes one statement."""
    page = Page()
    page.text(250, 90, "Balance sheet as at year end", font="F2")
    page.rows(
        "Assets | 2024 | Liabilities | 2024\nCash | 10 | Loans | 20\nStock | 30 | Bonds | 40\nLand | 50 | Equity | 60",
        (50, 220, 380, 520),
        116,
    )
    assert len(tables(save(tmp_path / "a.pdf", page))) == 1


def test_references_to_notes_close_behind_labels_are_a_column(tmp_path: Path) -> None:
    """A number that ends a label is told from numbers that stand under each other behind all labels."""
    page = Page()
    page.rows(
        "| 2024 | 2023\nTrade receivables | 1,320 | 1,210\nLand | 812 | 790\nPlant and machinery | 508 | 420",
        (72, 330, 430),
        120,
    )
    for y, note in ((134, "4"), (148, "12"), (162, "27")):
        page.right(180, y, note)
    (table,) = tables(save(tmp_path / "a.pdf", page))
    assert [cell.text for cell in table.cells if cell.col == 2] == ["4", "12", "27"]
    assert [cell.text for cell in table.cells if cell.col == 1] == ["Trade receivables", "Land", "Plant and machinery"]


def test_labels_that_are_not_ruled_row_by_row_stand_beside_their_figures(tmp_path: Path) -> None:
    """Rules between the figures alone do not make one label of all labels."""
    page = Page()
    for y in (100, 116, 132, 148, 164):
        page.rule(300 if 116 < y < 164 else 72, y, 500, y)
    for x in (72, 300, 400, 500):
        page.rule(x, 100, x, 164)
    page.rows("Benefits | 2024 | 2023", (78, 394, 494), 112, step=16)
    page.rows("Salaries | 518 | 333\nPensions | 36 | 21\nShares | 41 | 28", (78, 394, 494), 128, step=16)
    (table,) = tables(save(tmp_path / "a.pdf", page))
    assert shown(table) == written("Benefits | 2024 | 2023\nSalaries | 518 | 333\nPensions | 36 | 21\nShares | 41 | 28")


def test_formulas_with_their_numbers_are_no_table(tmp_path: Path) -> None:
    """(4.4) at the margin is the number of a formula and not a negative amount."""
    page = Page()
    page.rows("y = a + b x + e | (4.4)\nz = c + d y + f | (4.5)\nw = g z | (4.6)", (120, 500), 120, step=22)
    assert tables(save(tmp_path / "a.pdf", page)) == []


def test_amounts_in_brackets_stay_a_table(tmp_path: Path) -> None:
    """Charges in brackets are negative, however small and however they are numbered."""
    page = Page()
    page.rows("Bank charges | (4)\nPostage | (5)\nStationery | (6)", (72, 400), 120)
    (table,) = tables(save(tmp_path / "a.pdf", page))
    assert [cell.text for cell in table.cells if cell.col == 2] == ["(4)", "(5)", "(6)"]


def test_a_header_over_columns_that_are_each_underlined_heads_them_all(tmp_path: Path) -> None:
    """Rules column by column under one header say nothing of its reach; alone in the middle, it heads every year."""
    page = Page()
    page.text(402, 100, "Year ended")
    for right in (360, 460, 560):
        page.rule(right - 70, 103, right, 103)
    columns = (72, 360, 460, 560)
    page.rows("|Jun 30, 2024|Jul 2, 2023|Jul 3, 2022", columns, 114)
    page.rows("Sales|$77,812,000|$77,790,000|$76,755,000\nProfit|$1,201,000|$1,200,000|$1,178,000", columns, 128)
    (table,) = tables(save(tmp_path / "a.pdf", page))
    (head,) = [cell for cell in table.cells if cell.text == "Year ended"]
    assert (head.col, table.spans[head.row, head.col]) == (2, (1, 3))


def test_a_second_table_under_its_title_begins_anew_whatever_its_header_is_stacked_of(tmp_path: Path) -> None:
    """Title, `Year ended`, signs, years and unit: the figures below are the second table's, and so is its title."""
    page = Page()
    columns = (72, 330, 410, 490, 560)
    for top, title in ((80, "Sales by segment"), (192, "Operating income by segment")):
        page.text(72, top, title)
        page.text(320, top + 16, "Year ended")
        page.text(470, top + 26, "$")
        page.text(540, top + 26, "%")
        page.rows("|May 26, 2024|May 28, 2023|Change|Change", columns, top + 36)
        page.text(310, top + 48, "($ in millions)")
        page.rows("Lamps|116|47|68|145%\nShades|14|13|7|6%\nTotal|130|60|69|114%", columns, top + 60)
    first, second = tables(save(tmp_path / "a.pdf", page))
    assert (first.title, second.title) == ("Sales by segment", "Operating income by segment")
    assert any(cell.text == "May 28, 2023" for cell in second.cells)


def test_a_raised_mark_a_space_behind_its_label_is_no_row(tmp_path: Path) -> None:
    """`Offences ¹` is one label, also where the mark stands off it."""
    page = Page()
    page.rows("|2022|2023\nBurglary|240|229\nOffences|1,061|998\nFraud|173|166", (72, 300, 400), 100)
    page.text(72 + 40 + 3, 128 - 3.5, "1", 6)
    (table,) = tables(save(tmp_path / "a.pdf", page))
    assert [cell.text for cell in table.cells if cell.col == 1] == ["Burglary", "Offences¹", "Fraud"]
