"""From cells to facts: what a table, its labels and its surroundings say, and what they do not."""

from __future__ import annotations

from typing import Any

import pytest

from factspine.core.facts import OWN_CELL
from factspine.core.tables import CellStyle, ContextRole, ContextText, Place, RawCell, RawTable
from factspine.interpret.interpreter import Interpretation, interpret_table
from factspine.lexicon.vocabulary import Vocabulary

VOCABULARY = Vocabulary.load(None)


def table(text: str, *, styles: dict[tuple[int, int], CellStyle] | None = None, **fields: Any) -> RawTable:
    """A table drawn with bars; `=` before a number makes it a number cell, anything else is text."""
    cells = []
    lines = text.strip().splitlines()
    for row, line in enumerate(lines, 1):
        for col, content in enumerate(line.split("|"), 1):
            shown = content.strip()
            style = (styles or {}).get((row, col), CellStyle())
            if shown.startswith("="):
                cells.append(RawCell(row, col, shown[1:], "n", shown[1:], style))
            elif shown:
                cells.append(RawCell(row, col, shown, style=style))
    n_cols = max(line.count("|") for line in lines) + 1
    place = Place(first_row=1, locator="slide=2,table=1")
    return RawTable(locator="slide=2,table=1", n_rows=len(lines), n_cols=n_cols, cells=cells, places=(place,), **fields)


def around(role: ContextRole, text: str) -> ContextText:
    return ContextText(role=role, text=text, locator="slide=2,shape=1,para=1")


def facts(raw: RawTable) -> list[dict[str, Any]]:
    block = interpret_table(raw, VOCABULARY).block
    rows = []
    for index in range(block.count):
        row = {name: column[index] for name, column in block.columns.items()}
        context = block.contexts[row["context_no"]]
        rows.append(row | {name: getattr(context, name) for name in ("scale", "unit_evidence", "status")})
    return rows


def ledger(interpretation: Interpretation) -> dict[str, int]:
    return {f"{entry.disposition}:{entry.reason}": len(entry.cells) for entry in interpretation.ledger}


def test_negative_brackets_are_negative_and_dashes_are_null_with_a_reason() -> None:
    """(123.4) is −123.4; — and n.a. are no facts, and the ledger says why."""
    raw = table("""
        HK$ million | FY2023 | FY2024
        Net profit | (123.4) | —
        Revenue | 1,320 | n.a.
    """)
    assert [(f["value"], f["value_text"]) for f in facts(raw)] == [("-123.4", "(123.4)"), ("1320", "1,320")]
    assert ledger(interpret_table(raw, VOCABULARY)) | {"excluded:year_header": 0} == {
        "null:dash": 1,
        "null:not_available": 1,
        "excluded:year_header": 0,
    }


def test_a_percent_format_and_a_percent_text_are_the_same_value() -> None:
    """0.153 formatted 0.0% and the text 15.3% are one value: 15.3 %."""
    raw = table(
        """
        Ratio | FY2023 | FY2024
        Margin | =0.153 | 15.3%
        Share | 10% | 11%
        """,
        styles={(2, 2): CellStyle(number_format="0.0%")},
    )
    first, second = facts(raw)[:2]
    assert (first["value"], first["unit"], first["decimals"]) == (second["value"], second["unit"], second["decimals"])
    assert (first["value"], first["unit"], first["decimals"]) == ("15.3", "%", 1)


@pytest.mark.parametrize(
    ("label", "unit", "scale"),
    [
        ("Revenue (HK$ 000)", "HKD", 3),
        ("营收（百万港元）", "HKD", 6),
        ("Revenue (US$m)", "USD", 6),
        ("收入（亿元）", "CNY", 8),
    ],
)
def test_a_unit_in_a_label_comes_with_its_scale_and_its_place(label: str, unit: str, scale: int) -> None:
    """The unit is the document's own, and the fact knows which text said so."""
    fact = facts(table(f"Item | FY2023 | FY2024\n{label} | 1,200 | 1,320\nHeadcount | 10 | 12"))[0]
    assert (fact["unit"], fact["scale"], fact["unit_evidence"]) == (unit, scale, "slide=2,table=1,cell=R2C1")


def test_an_unstated_unit_is_unknown() -> None:
    """Nobody said dollars, so nobody says dollars."""
    fact = facts(table("Item | FY2023 | FY2024\nRevenue | 1,200 | 1,320\nCost | 900 | 950"))[0]
    assert (fact["unit"], fact["scale"], fact["unit_evidence"]) == ("unknown", 0, "")


def test_per_share_numbers_are_not_scaled_with_the_table() -> None:
    """`in millions, except per share data` leaves earnings per share alone."""
    raw = table(
        "Item | FY2023 | FY2024\nRevenue | 1,200 | 1,320\nBasic earnings per share | 1.20 | 1.32",
        context=(around("unit_note", "US$ in millions, except per share data"),),
    )
    scales = {fact["metric_code"]: fact["scale"] for fact in facts(raw)}
    assert scales["REVENUE"] == 6
    assert [scale for code, scale in scales.items() if code != "REVENUE"] == [0]


def test_a_currency_line_does_not_make_money_of_a_percentage() -> None:
    """The growth column of a HK$ table is in percent."""
    raw = table("HK$ million | FY2023 | FY2024 | Change (%)\nRevenue | 1,200 | 1,320 | 10.0\nCost | 900 | 950 | 5.6")
    by_column = {fact["col_no"]: (fact["unit"], fact["scale"]) for fact in facts(raw)}
    assert by_column == {2: ("HKD", 6), 3: ("HKD", 6), 4: ("%", 0)}


def test_entity_and_place_come_from_the_slide_title() -> None:
    """Whose numbers these are is often said only once, at the top."""
    raw = table(
        "US$ million | FY2023 | FY2024\nREVENUE | 1,180 | 1,320\nEBITDA | 96 | 120",
        context=(around("slide_title", "Northwind Holdings — Hong Kong"),),
    )
    assert {(f["entity"], f["geography"]) for f in facts(raw)} == {("Northwind Holdings", "HK")}


def test_periods_join_across_header_rows_and_axes() -> None:
    """2024 over Q1 is 2024Q1, and so is Q1 beside a column of 2024."""
    over = facts(
        table("""
            Item | 2024 | | 2023 |
                 | Q1 | Q2 | Q1 | Q2
            Revenue | 11.5 | 12.5 | 13.5 | 14.5
            Cost | 5.1 | 6.2 | 7.3 | 8.4
        """)
    )
    assert [f["period"] for f in over[:4]] == ["2024Q1", "2024Q2", "2023Q1", "2023Q2"]


def test_a_quarter_without_a_year_is_no_period() -> None:
    """Q3 of which year? Nobody said."""
    fact = facts(table("Item | Q3 | Q4\nRevenue | 12.5 | 13.5\nCost | 9.1 | 9.9"))[0]
    assert (fact["period_type"], fact["period"]) == ("NONE", "")


def test_two_columns_of_one_year_keep_what_tells_them_apart() -> None:
    """Reported and restated FY2023 are two facts, and each says which it is."""
    raw = table("HK$ million | FY2023 | FY2023 (restated)\nRevenue | 1,200 | 1,180\nCost | 900 | 880")
    assert [(f["period"], f["status"], f["value"]) for f in facts(raw)[:2]] == [
        ("2023", "actual", "1200"),
        ("2023", "restated", "1180"),
    ]


def test_budget_and_forecast_are_marked() -> None:
    """A plan is not an outcome."""
    raw = table("Item | FY2024A | FY2025 Budget | FY2026E\nRevenue | 10 | 11 | 12\nCost | 5 | 6 | 7")
    assert [f["status"] for f in facts(raw)[:3]] == ["actual", "budget", "forecast"]


def test_a_channel_in_a_label_is_a_channel_and_the_metric_stays_whole() -> None:
    """`Revenue – Agency` is revenue by agency; `Retail revenue` keeps its name."""
    agency, retail = facts(table("Item | FY2024 | FY2023\nRevenue – Agency | 10 | 9\nRetail revenue | 5 | 4"))[::2]
    assert (agency["metric_code"], agency["channel"]) == ("REVENUE", "AGENCY")
    assert (retail["metric_label"], retail["channel"]) == ("Retail revenue", "")


def test_unknown_labels_get_a_stable_code_and_are_kept() -> None:
    """Nothing is dropped because nobody has heard of it."""
    first = facts(table("Item | FY2024 | FY2023\nFrobnication index | 10 | 9\nRevenue | 5 | 4"))[0]
    again = facts(table("Item | 2022 | 2021\nFrobnication Index | 10 | 9\nRevenue | 5 | 4"))[0]
    assert first["metric_code"] == again["metric_code"] == "FROBNICATION_INDEX"


def test_hidden_rows_are_facts_and_say_so() -> None:
    """Hidden numbers are read, flagged, and left for the reader to decide."""
    raw = table("Item | FY2024 | FY2023\nRevenue | 10 | 9\nCost | 5 | 4", hidden_rows=frozenset({3}))
    assert [f["status"] for f in facts(raw)] == ["actual", "actual", "actual hidden", "actual hidden"]


def test_a_list_of_records_is_read_row_by_row() -> None:
    """Each row one thing, each column one metric; year and region apply to the whole row."""
    raw = table("""
        Store | Region | Year | Net sales (HK$ 000) | Staff
        Wan Chai | Hong Kong | 2024 | =120 | =12
        Senado | Macau | 2024 | =80 | =8
        Orchard | Singapore | 2023 | =95 | =9
        Harbour | Hong Kong | 2023 | =77 | =7
    """)
    sales = [f for f in facts(raw) if f["metric_label"] == "Net sales"]
    assert [(f["entity"], f["geography"], f["period"], f["value"]) for f in sales] == [
        ("Wan Chai", "HK", "2024", "120"),
        ("Senado", "MO", "2024", "80"),
        ("Orchard", "SG", "2023", "95"),
        ("Harbour", "HK", "2023", "77"),
    ]


def test_a_total_that_misses_its_parts_by_a_little_is_reported() -> None:
    """A table that does not foot is marked; one that foots within rounding is not."""
    wrong = interpret_table(table("Item | FY2024\nNorth | 100.0\nSouth | 200.0\nTotal | 301.5"), VOCABULARY)
    right = interpret_table(table("Item | FY2024\nNorth | 100.3\nSouth | 200.4\nTotal | 300.8"), VOCABULARY)
    assert [finding.code for finding in wrong.findings] == ["FS301"]
    assert right.findings == ()


def test_every_number_is_a_fact_or_in_the_ledger() -> None:
    """Facts, excluded and unmapped cells together are all the numbers of the table."""
    raw = table("No. | Item | Note | 2023 | 2024\n1 | Revenue | 4 | 10 | 11\n2 | Cost | 5 | 6 | 7\n3 | Tax | 6 | 1 | 2")
    interpretation = interpret_table(raw, VOCABULARY)
    numbers = sum(cell.text.isdigit() for cell in raw.cells)
    assert interpretation.numeric_cells == numbers
    assert interpretation.block.count == 6


def test_the_cells_own_sign_is_its_units_evidence() -> None:
    """Where the cell itself says US$, the cell is the evidence."""
    fact = facts(table("Item | FY2024 | FY2023\nPrice | US$12.5 | US$11.0\nVolume | 3 | 4"))[0]
    assert (fact["value"], fact["unit"], fact["unit_evidence"]) == ("12.5", "USD", OWN_CELL)


def test_last_period_is_told_from_the_documents_own() -> None:
    """上期 and 期初 mean the year before the one the document is about; without such a year they mean nothing."""
    text = "项目 | 本期发生额 | 上期发生额\n营业收入 | 120.5 | 110.5\n营业成本 | 80.1 | 70.2"
    known = facts(table(text, context=(around("document", "2019年年度报告"),)))
    assert [(f["period_type"], f["period"]) for f in known[:2]] == [("FY", "2019"), ("FY", "2018")]
    balance = "项目 | 期末余额 | 期初余额\n货币资金 | 120.5 | 110.5\n存货 | 80.1 | 70.2"
    instants = facts(table(balance, context=(around("document", "2019年年度报告"),)))
    assert [(f["period_type"], f["period"]) for f in instants[:2]] == [
        ("INSTANT", "2019-12-31"),
        ("INSTANT", "2018-12-31"),
    ]
    assert {f["period"] for f in facts(table(text))} == {""}


@pytest.mark.parametrize(
    ("title", "scope"),
    [
        ("合并利润表", "consolidated"),
        ("母公司利润表", "parent"),
        ("Consolidated balance sheets", "consolidated"),
        ("Company statement of financial position", "parent"),
    ],
)
def test_the_groups_and_the_parents_accounts_are_told_apart(title: str, scope: str) -> None:
    """The same line of the same year stands in both, with different numbers."""
    raw = table("项目 | 2019年度 | 2018年度\n营业收入 | 120.5 | 110.5\n营业成本 | 80.1 | 70.2", title=title)
    assert {fact["status"] for fact in facts(raw)} == {f"actual {scope}"}


YEARS = """
        Item | 2023 | 2022
        Revenue | =120 | =110
        Net profit | =12 | =11
    """


@pytest.mark.parametrize(
    ("caption", "periods"),
    [
        ("Sales 2019-2023", ["FY 2023", "FY 2022"]),
        ("Q2 2023 results", ["FY 2023", "FY 2022"]),
        ("Data as of 15 March 2023", ["FY 2023", "FY 2022"]),
        ("Published 31 March 2023", ["FY 2023", "FY 2022"]),
        ("For the three and six months ended 30 June 2023", ["FY 2023", "FY 2022"]),
        ("through 30 June 2023:", ["FY 2023", "FY 2022"]),
        ("(v) The facilities of the year before were paid back in full on 30 June 2023.", ["FY 2023", "FY 2022"]),
        ("As at 30 June 2023", ["INSTANT 2023-06-30", "INSTANT 2022-06-30"]),
        ("Balance sheets, June 30, 2023 and 2022", ["INSTANT 2023-06-30", "INSTANT 2022-06-30"]),
        ("Six months ended 30 June", ["HY 2023H1", "HY 2022H1"]),
        ("截至2023年6月30日止六个月", ["HY 2023H1", "HY 2022H1"]),
    ],
)
def test_a_year_over_a_column_is_that_year_unless_the_caption_states_an_end(caption: str, periods: list[str]) -> None:
    """Years a caption lists, or the day the data were taken, say nothing about a column; the day a span ended does."""
    read = facts(table(YEARS, context=(around("caption", caption),)))
    assert [f"{fact['period_type']} {fact['period']}" for fact in read[:2]] == periods


@pytest.mark.parametrize(
    ("caption", "ends"),
    [
        ("Years ended June 30, 2023 and 2022", ["2023-06-30", "2022-06-30"]),
        ("Fiscal years ended June 30", ["2023-06-30", "2022-06-30"]),
        ("52 weeks ended 25 March 2023", ["2023-03-25", ""]),
    ],
)
def test_fiscal_years_end_when_the_caption_says_and_no_other_end_is_made_up(caption: str, ends: list[str]) -> None:
    """A June year end holds for every column; the weeks before these ended on a day nobody has said."""
    block = interpret_table(table(YEARS, context=(around("caption", caption),)), VOCABULARY).block
    contexts = [block.contexts[number] for number in block.columns["context_no"][:2]]
    assert [context.period_end for context in contexts] == ends


def test_the_nearest_word_on_audit_holds() -> None:
    """2022 (audited) under an (Unaudited) title is audited, and the other column is not."""
    raw = table(YEARS.replace("2022", "2022 (audited)"), context=(around("caption", "Income statement (Unaudited)"),))
    assert [fact["status"] for fact in facts(raw)[:2]] == ["actual unaudited", "actual audited"]


@pytest.mark.parametrize("law", ["Securities Exchange Act of 1934", "Companies Act 2006", "《证券法》（2019年修订）"])
def test_the_year_of_a_law_is_no_period(law: str) -> None:
    """A statement drawn up under a law of 1934 is not about 1934."""
    raw = table("Item | Amount\nRevenue | =120\nCosts | =80", context=(around("caption", f"Accounts under {law}"),))
    assert {(fact["period_type"], fact["period"]) for fact in facts(raw)} == {("NONE", "")}


@pytest.mark.parametrize(
    ("first", "second"), [("2023", "2022"), ("FY2023", "FY2022"), ("31 December 2023", "31 December 2022")]
)
def test_each_part_of_a_table_has_the_year_over_it(first: str, second: str) -> None:
    """A line that is nothing but a year opens a part; the part below the next such line is about that one."""
    body = "Revenue | =100 | =200\nCosts | =60 | =120"
    raw = table(f"| North | South\n{first}\n{body}\n{second}\n{body}")
    assert [fact["period"][:4] for fact in facts(raw)] == ["2023"] * 4 + ["2022"] * 4


def test_a_year_without_figures_among_years_opens_no_part() -> None:
    """Where rows are years, one that was left empty is an empty row."""
    raw = table("Year | North | South\n2020 | =1 | =2\n2021\n2022 | =3 | =4")
    assert [fact["period"] for fact in facts(raw)] == ["2020", "2020", "2022", "2022"]


def test_a_year_headed_by_its_own_end_keeps_it() -> None:
    """Years ended December 31 over the columns are years, though the line above the table names a day."""
    raw = table(
        "| Year ended December 31, 2023 | Year ended December 31, 2022\nRevenue | =100 | =200\nCosts | =60 | =120",
        context=(around("caption", "Balances, December 31, 2023"),),
    )
    assert {fact["period_type"] for fact in facts(raw)} == {"FY"}


def test_a_column_of_units_gives_each_row_its_unit() -> None:
    """万人 and % beside their numbers, with the cell that says so; a group that repeats names its records with them."""
    raw = table("""
        类别 | 指标名称 | 单位 | 数值
        用工 | 新招人数 | 万人 | =327
        用工 | 离职人数 | 万人 | =118
        产出 | 合格率 | % | =97
        产出 | 离职人数 | 人 | =5
    """)
    assert [(f["entity"], f["unit"], f["scale"], f["unit_evidence"]) for f in facts(raw)] == [
        ("用工 – 新招人数", "persons", 4, "slide=2,table=1,cell=R2C3"),
        ("用工 – 离职人数", "persons", 4, "slide=2,table=1,cell=R3C3"),
        ("产出 – 合格率", "%", 0, "slide=2,table=1,cell=R4C3"),
        ("产出 – 离职人数", "persons", 0, "slide=2,table=1,cell=R5C3"),
    ]


def test_a_column_of_groups_does_not_name_the_records() -> None:
    """Records are named by the column that tells them apart."""
    raw = table("""
        Region | Store | Sales
        North | Alder | =10
        North | Birch | =20
        South | Cedar | =30
        South | Dogwood | =40
    """)
    assert [(f["entity"], f["value"]) for f in facts(raw)] == [
        ("Alder", "10"),
        ("Birch", "20"),
        ("Cedar", "30"),
        ("Dogwood", "40"),
    ]


def test_a_period_in_the_corner_is_that_of_all_figures() -> None:
    """`Year ended 31 December 2022` over the labels, and columns that name no year."""
    raw = table("""
        Year ended 31 December 2022 | Retail | Wholesale
        Revenue | 120 | 80
        Operating profit | 12 | 9
    """)
    assert {f["period"] for f in facts(raw)} == {"2022"}


def test_a_year_over_sections_holds_for_each_of_them() -> None:
    """The year is said once, above the first section; the next year takes its place."""
    raw = table("""
        Segments | Retail | Wholesale
        Group – 2022 | |
        Revenue | |
        External sales | 120 | 80
        Costs | |
        Staff | 30 | 20
        Group – 2021 | |
        Revenue | |
        External sales | 110 | 70
        Costs | |
        Staff | 28 | 19
    """)
    assert [f["period"] for f in facts(raw)] == ["2022"] * 4 + ["2021"] * 4
