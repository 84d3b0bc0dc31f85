"""Tables as decks have them: what titles, messages and marks beside them say of their figures, and what they do not."""

from __future__ import annotations

import pytest
from test_interpretation import VOCABULARY, YEARS, around, facts, table

from factspine.core.tables import ContextRole
from factspine.interpret.interpreter import interpret_table


@pytest.mark.parametrize(
    ("caption", "periods"),
    [
        ("Income statement", ["HY 2023H1", "HY 2022H1"]),
        ("As at 31 December 2023", ["INSTANT 2023-12-31", "INSTANT 2022-12-31"]),
        ("Five-year record 2019-2023", ["FY 2023", "FY 2022"]),
    ],
)
def test_a_slide_title_states_the_end_where_no_caption_speaks_of_time(caption: str, periods: list[str]) -> None:
    """Under a title of six months ended 30 June 2023 the column 2023 is a half, if no caption says otherwise."""
    title = around("slide_title", "截至2023年6月30日止六个月业绩")
    read = facts(table(YEARS, context=(title, around("caption", caption))))
    assert [f"{fact['period_type']} {fact['period']}" for fact in read[:2]] == periods


@pytest.mark.parametrize("head", ["2031", "FY2031", "1H31", "FY2031 (HK$ m)"])
def test_one_year_over_one_column_of_figures_heads_it(head: str) -> None:
    """A table of names and one year's figures, its corner empty, is no form: the year is theirs."""
    read = facts(table(f" | {head}\nRevenue | 140\nNet profit | 9.5\nDividend | (3)"))
    assert [(f["metric_label"], f["value"], f["period"][:4]) for f in read] == [
        ("Revenue", "140", "2031"),
        ("Net profit", "9.5", "2031"),
        ("Dividend", "-3", "2031"),
    ]


def test_years_of_two_digits_with_a_letter_head_their_columns() -> None:
    """24A, 25E and 26F over figures are no figures, and stand in a row with 1Q24."""
    read = facts(table("US$ m | 1Q24 | 24A | 25E | 26F\nRevenue | 10 | 44 | 46 | 48\nCosts | 8 | 40 | 41 | 42"))
    assert [(f["value"], f["period"], f["status"]) for f in read[:4]] == [
        ("10", "2024Q1", "actual"),
        ("44", "2024", "actual"),
        ("46", "2025", "forecast"),
        ("48", "2026", "forecast"),
    ]
    assert [f["metric_label"] for f in read] == ["Revenue"] * 4 + ["Costs"] * 4


PLACES = "Place | Shops | Staff\nNorth | 31 | 290\nSouth | 12 | 118"


@pytest.mark.parametrize(
    ("role", "text"),
    [
        ("caption", "New app launched in May 2034"),
        ("unit_note", "in constant 2015 prices"),
        ("slide_title", "We will invest US$ 200 million by 2037"),
        ("slide_title", "净利润增长12%至13.2亿元"),
        ("slide_title", "Network growth ahead of target"),
        ("slide_title", "门店数超预算"),
        ("note", "* Growth in %"),
        ("note", "(1) Without costs in US$ million"),
    ],
)
def test_messages_and_footnotes_are_no_captions(role: ContextRole, text: str) -> None:
    """What a message or a footnote tells of one thing is not the unit, period, place or scenario of every figure."""
    for fact in facts(table(PLACES, context=(around(role, text),))):
        assert (fact["unit"], fact["scale"], fact["period"], fact["geography"]) == ("unknown", 0, "", "")
        assert fact["status"] == "actual"


@pytest.mark.parametrize("label", ["YoY", "CAGR", "Share", "同比", "占比", "Growth"])
def test_growth_and_shares_beside_money_are_not_money(label: str) -> None:
    """The unit of a table's title or of a row's label is not that of its growth rates, with or without a sign."""
    title = around("slide_title", "Revenue (US$ million)")
    by_title = facts(table(f"Place | 2031 | {label}\nNorth | 310 | 6.9\nSouth | 120 | 1.7", context=(title,)))
    by_label = facts(table(f"Item | 2031 | {label}\nRevenue (US$ million) | 310 | 6.9\nCost (US$ million) | 120 | 1.7"))
    for read in (by_title, by_label):
        assert [(f["unit"], f["scale"]) for f in read] == [("USD", 6), ("unknown", 0)] * 2


def test_what_nobody_sees_does_not_cut_a_word() -> None:
    """A soft hyphen or a joiner inside a label leaves it the same label."""
    read = facts(table("Item | 2031\nReve\u00adnue | 5\nNet\u200b profit | 6"))
    assert [f["metric_code"] for f in read] == ["REVENUE", "NET_PROFIT"]


def test_a_column_of_units_names_no_row() -> None:
    """Beside "Output" the unit "kbx" is not what is measured, whether it is known or not."""
    raw = table("""
        Indicator | Unit | 2031 | 2030
        Revenue | US$m | 140 | 120
        Output | kbx | 90 | 80
        Margin | % | 12.0 | 11.5
    """)
    read = facts(raw)
    assert [f["metric_label"] for f in read[::2]] == ["Revenue", "Output", "Margin"]
    assert [(f["unit"], f["scale"]) for f in read[::2]] == [("USD", 6), ("unknown", 0), ("%", 0)]
    assert "row=Output" in read[2]["source_locator"]


def test_a_year_with_a_footnote_mark_heads_its_column() -> None:
    """2031†, 2030 (1) and 2029² over figures are years, not figures."""
    raw = table("""
        HK$ million | 2031† | 2030 (1) | 2029²
        Revenue | 1,320 | 1,200 | 1,100
        Costs | 210 | 195 | 190
    """)
    assert [f["period"] for f in facts(raw)] == ["2031", "2030", "2029"] * 2


def test_a_unit_line_that_states_the_period_states_it() -> None:
    """The year ended 30 September 2031 is that of the column 2031, and of figures over which no year stands."""
    line = around("unit_note", "For the year ended 30 September 2031, expressed in £'000")
    raw = table("Item | 2031 | 2030\nTurnover | 12 | 11\nCosts | 3 | 2", context=(line,))
    block = interpret_table(raw, VOCABULARY).block
    ends = [block.contexts[number].period_end for number in block.columns["context_no"]]
    assert ends == ["2031-09-30", "2030-09-30"] * 2
    assert [f["period"] for f in facts(table(PLACES, context=(line,)))] == ["2031"] * 4


@pytest.mark.parametrize("head", ["Page", "Slide no.", "页码", "頁次"])
def test_pages_of_an_agenda_are_no_measures(head: str) -> None:
    """Where a topic stands in the deck is no figure of it."""
    found = interpret_table(
        table(f"No. | Topic | {head}\n1 | Results | 4\n2 | Outlook | 9\n3 | Questions | 12"), VOCABULARY
    )
    assert found.block.count == 0


def test_projects_under_the_title_of_a_slide_measure_it() -> None:
    """Projects on the slide "Capital expenditure (EUR m)" cost that; under a message, nobody knows what they do."""
    drawn = "Project | 2031 | 2032\nNew kiln | 4.5 | 6\nRoof | 1.2 | 0.4"
    said = facts(table(drawn, context=(around("slide_title", "Capital expenditure (EUR m)"),)))
    assert {f["metric_label"] for f in said} == {"Capital expenditure – New kiln", "Capital expenditure – Roof"}
    message = facts(table(drawn, context=(around("slide_title", "We keep building"),)))
    assert {f["metric_label"] for f in message} == {"New kiln", "Roof"}


@pytest.mark.parametrize(
    ("title", "head", "label", "period"),
    [
        ("2031年1-5月生产情况", "5月产量", "产量", "2031-05"),
        ("2031年1-5月生产情况", "1-5月累计产量", "累计产量", "2031-01-01/2031-05-31"),
        ("2031年5月生产情况", "6月产量", "6月产量", ""),
        ("2031年5月生产情况", "年度计划", "瓷砖", "2031"),
        ("2031年度生产情况", "年度计划", "瓷砖", "2031"),
    ],
)
def test_a_month_in_a_head_is_that_month(title: str, head: str, label: str, period: str) -> None:
    """5月产量 on a slide about 2031年1-5月 is of May, and what is planned for the year is of that year."""
    drawn = f"产品 | {head} | 库存\n瓷砖 | 41.5 | 8\n玻璃 | 12.2 | 3"
    read = facts(table(drawn, context=(around("slide_title", title),)))
    assert [fact["period"] for fact in read[::2]] == [period] * 2
    assert label in read[0]["metric_label"]
    assert "budget" in read[0]["status"] or head != "年度计划"


def test_the_prior_year_under_a_period_is_the_year_before_it() -> None:
    """Prior year under "YTD March 2032" is 2031 up to March; under March 2032 it is March 2031."""
    drawn = " | March 2032 | March 2032 | YTD March 2032 | YTD March 2032\n | Actual | Prior year | Actual | Prior year"
    read = facts(table(f"{drawn}\nRevenue | 41 | 38 | 120 | 111\nCosts | 30 | 29 | 90 | 88"))
    assert [fact["period"] for fact in read[:4]] == [
        "2032-03",
        "2031-03",
        "2032-01-01/2032-03-31",
        "2031-01-01/2031-03-31",
    ]


@pytest.mark.parametrize("heads", ["1年以内 | 1-2年 | 3年以上", "30天以内 | 31-90天 | 90天以上"])
def test_stretches_of_age_head_columns(heads: str) -> None:
    """1年以内 is no number of years: it says how old the amounts under it are."""
    read = facts(table(f"客户 | {heads}\n甲店 | 5,210 | 830 | 45\n乙店 | 12,340 | 1,560 | 88"))
    assert [fact["value"] for fact in read] == ["5210", "830", "45", "12340", "1560", "88"]
    assert read[0]["metric_label"] == f"甲店 – {heads.split(' | ')[0]}"


def test_rates_beside_money_are_in_the_percent_of_the_unit_line() -> None:
    """单位：亿元、% says which two units there are; a rate has the second, a ratio or a balance not."""
    read = facts(
        table(
            "指标 | 实际完成 | 完成率\n存款余额 | 1,278 | 102.3\n坏账率 | 1.4 | 93.3\n流动比率 | 1.8 | 90",
            context=(around("unit_note", "单位：亿元、%"),),
        )
    )
    assert [fact["unit"] for fact in read] == ["CNY", "%", "%", "%", "unknown", "%"]


def test_millions_said_of_users_are_theirs() -> None:
    """Under "Active customers (million)" 4.1 are 4.1 million, and a share of them is not."""
    drawn = "Country | 2031 | 2032\nNorway | 4.1 | 4.4\nSweden | 5 | 5.2"
    read = facts(table(drawn, context=(around("caption", "Number of customers (million)"),)))
    assert {(fact["unit"], fact["scale"]) for fact in read} == {("unknown", 6)}


@pytest.mark.parametrize("corner", ["", "Rate", "Rate \\ growth"])
def test_steps_along_both_sides_name_what_stands_between(corner: str) -> None:
    """A price at each rate and each growth: rates and growths are no figures, and each price says at which it is."""
    drawn = f"{corner} | 1.0% | 2.0% | 3.0%\n7.5% | 41 | 46.2 | 55\n8.5% | 36 | 40 | 45\n9.5% | 31 | 34.7 | 38"
    read = facts(table(drawn, context=(around("slide_title", "Value per share (US$)"),)))
    assert [fact["value"] for fact in read] == ["41", "46.2", "55", "36", "40", "45", "31", "34.7", "38"]
    assert read[1]["metric_label"] == "Value per share – 7.5% – 2.0%"
    assert {fact["unit"] for fact in read} == {"USD"}


def test_a_first_row_of_figures_is_no_scale() -> None:
    """Figures that rise unevenly are figures, whatever stands over and beside them."""
    read = facts(table("Depot | 10 | 25 | 30\n1 | 41 | 46 | 55\n2 | 36 | 40 | 45\n3 | 31 | 34 | 38"))
    assert "10" in [fact["value"] for fact in read]


def test_the_same_period_beside_a_year_to_date_is_one_too() -> None:
    """上年同期 behind 本年累计 is no single month, 上年同月 behind 本月 is one."""
    drawn = (
        "指标 | 本月 | 上年同月 | 本年累计 | 上年同期\n营业收入 | 41 | 38 | 300 | 280\n营业成本 | 30 | 29 | 210 | 205"
    )
    read = facts(table(drawn, context=(around("document", "2032年8月经营月报"),)))
    assert [fact["period"] for fact in read[:4]] == [
        "2032-08",
        "2031-08",
        "2032-01-01/2032-08-31",
        "2031-01-01/2031-08-31",
    ]


def test_the_months_up_to_that_of_the_report_end_with_it() -> None:
    """1-8月 in a report on August are its year to date; 1-9月 are none of what it reports."""
    drawn = "类别 | 8月 | 1-8月 | 1-9月\n甲 | 4 | 31 | 35\n乙 | 3 | 23 | 27"
    read = facts(table(drawn, context=(around("document", "2032年8月经营月报"),)))
    assert [fact["period"] for fact in read[:3]] == ["2032-08", "2032-01-01/2032-08-31", ""]


def test_names_go_before_what_some_of_them_share() -> None:
    """A loan is called by its name, whether or not it is the only one of its lender."""
    drawn = (
        "Loan | Lender | Drawn | Undrawn | Margin\nPier loan | Nordbank | 12.5 | – | 2.75%\n"
        "Ferry loan | Nordbank | 8 | 1 | 2.5%\nQuay loan | Bonds | 6 | – | 7.2%\nTotal | | 26.5 | 1 | "
    )
    names = [(fact["entity"], fact["metric_label"]) for fact in facts(table(drawn))]
    assert ("Quay loan", "Margin") in names
    assert ("Pier loan", "Margin") in names


def test_an_arrow_down_before_a_change_is_its_sign() -> None:
    """▼2.0% under YoY is a loss of two percent; before a level an arrow changes nothing."""
    read = facts(
        table(
            "Metric | 2031 | YoY\nRevenue | 41 | ▼ 2.0%\nCosts | ▼30 | ▲3.1%\nMargin | 12% | ▼(0.4)pp\n股数 | 8 | ↓0%"
        )
    )
    assert [fact["value"] for fact in read] == ["41", "-2", "30", "3.1", "12", "-0.4", "8", "0"]


def test_a_bound_is_no_number() -> None:
    """<170 says what it is below: it stays in the ledger, and 170 is no fact."""
    found = interpret_table(table("Metric | 2031 | 2032\nSpend | 145 | <170\nStaff | ≥12 | 14"), VOCABULARY)
    assert found.block.columns["value"] == ["145", "14"]
