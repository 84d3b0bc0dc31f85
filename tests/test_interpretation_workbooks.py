"""Workbooks as people build them: what must not be misread in accounts, lists, forms and statistics."""

from __future__ import annotations

import pytest
from test_interpretation import around, facts, table
from test_interpretation_layouts import told

from factspine.lexicon.periods import find_partial, find_periods, is_period_label
from factspine.lexicon.units import find_unit
from factspine.lexicon.vocabulary import Vocabulary

VOCABULARY = Vocabulary.load(None)


def test_years_with_footnotes_head_columns() -> None:
    """2022(a) and 2023¹ are years with a footnote, not amounts; the range in the title is no cell's period."""
    raw = table(
        """
        Line | =2021 | 2022(a) | 2023¹
        Motor | =4.1 | =4.2 | =4.3
        Travel | =1.1 | =1.2 | =1.3
    """,
        context=(around("caption", "Premiums by line, 2021–2023"),),
    )
    assert [fact["period"] for fact in facts(raw)] == ["2021", "2022", "2023"] * 2


@pytest.mark.parametrize(
    ("text", "period"),
    [
        ("2024年Q1经营数据", "2024Q1"),
        ("2024一季度", "2024Q1"),
        ("2024年H2", "2024H2"),
        ("Oct-Dec 2024", "2024Q4"),
        ("Jan–Mar 24", "2024-01-01/2024-03-31"),
        ("2024年6月30日止六个月", "2024H1"),
    ],
)
def test_part_of_a_year_is_not_the_year(text: str, period: str) -> None:
    """A quarter, half or run of months is read whole, however it is written."""
    assert [found.period for found in find_periods(text)] == [period]


@pytest.mark.parametrize("text", ["31-Dec", "30 Jun", "At 30 June", "Full year", "全年合计", "Jan-Jun"])
def test_half_said_periods_wait_for_their_year(text: str) -> None:
    """A day, a run of months or the full year without its year is half a period; 31-Dec is not December 2031."""
    assert is_period_label(text)
    assert find_partial(text) is not None
    assert not find_periods(text)


def test_a_week_is_not_its_year() -> None:
    """Figures of week 14 of FY2025 are not figures of FY2025."""
    raw = table("Store | Sales\nYork | =10\nBath | =12", context=(around("caption", "Trading – week 14, FY2025"),))
    assert [fact["period"] for fact in facts(raw)] == ["", ""]
    weekly = table(
        "Store | Week 1 | Week 2\nYork | =10 | =11\nBath | =12 | =13", context=(around("caption", "Sales 2025"),)
    )
    assert {(fact["metric_label"], fact["period"]) for fact in facts(weekly)} == {
        (f"{store} – Week {week}", "") for store in ("York", "Bath") for week in (1, 2)
    }


def test_counts_under_groups_are_amounts() -> None:
    """`No.` and `#` under Female and Male head counts, not row numbers."""
    raw = table("""
        Age band | Female | | Male |
         | No. | % | No. | %
        Under 25 | =47 | =42.1 | =90 | =23.1
        25 to 34 | =76 | =2.8 | =85 | =30.3
        35 to 44 | =33 | =21.2 | =18 | =5.9
    """)
    said = told(raw, "value", "status")
    assert {(row, col) for row, col in said} == {(row, col) for row in (3, 4, 5) for col in (2, 3, 4, 5)}


def test_numbers_of_things_and_years_of_things_are_no_measures() -> None:
    """A contract's number names nobody, the year it started is not an amount; the customer names the record."""
    raw = table("""
        Contract No | Customer | Start year | Amount (USD)
        =10023 | Harlow Plc | =2023 | =500
        =10030 | Bexley GmbH | =2024 | =700
        =10037 | Minato KK | =2023 | =900
    """)
    assert told(raw, "metric_label", "entity", "unit") == {
        (2, 4): ("Amount", "Harlow Plc", "USD"),
        (3, 4): ("Amount", "Bexley GmbH", "USD"),
        (4, 4): ("Amount", "Minato KK", "USD"),
    }


def test_note_references_under_heads_in_two_languages_are_no_facts() -> None:
    """Note 附註 heads references to notes."""
    raw = table("""
         | Note 附註 | 2024 | 2023
        Revenue 收入 | =4 | =521 | =488
        Other income 其他收入 | =5 | =310 | =220
    """)
    assert {col for _, col in told(raw, "value")} == {3, 4}


def test_a_header_with_a_year_and_words_is_no_amount() -> None:
    """2025年计划投资 heads a column of a list; the list does not fall apart into pairs."""
    raw = table("""
        序号 | 项目名称 | 建设年限 | 总投资（亿元） | 2025年计划投资（亿元） | 联系人
        =1 | 滨江大道改造 | 2023-2026 | =4.7 | =2 | 赵工
        =2 | 东湖污水处理厂 | 2023-2026 | =5.4 | =1.3 | 钱工
    """)
    assert told(raw, "metric_label", "entity", "period")[4 - 1, 5] == ("计划投资", "东湖污水处理厂", "2025")


def test_members_of_a_kind_are_measured_by_what_the_caption_says() -> None:
    """Under "Sales by region" the row North holds sales of North; so do product tables side by side."""
    raw = table(
        "Region | 2023 | 2024\nNorth | =5 | =6\nWest | =7 | =8\nTotal | =12 | =14",
        context=(around("caption", "Table 3: Sales by region"),),
    )
    labels = [fact["metric_label"] for fact in facts(raw)]
    assert labels == ["Sales – North", "Sales – North", "Sales – West", "Sales – West", "Sales", "Sales"]


def test_who_reports_is_the_entity_and_who_typed_is_nobody() -> None:
    """编制单位 names whose accounts these are; 编制日期 and 制表人 say nothing about the numbers."""
    raw = table(
        "项目 | 本期金额 | 上期金额\n营业收入 | =5 | =6",
        context=(
            around("caption", "利润表（2024年度）"),
            around("caption", "编制单位：锦程物流中心"),
            around("caption", "编制日期：2025-01-10"),
            around("caption", "制表人：王五"),
        ),
    )
    assert told(raw, "metric_label", "entity", "period") == {
        (2, 2): ("营业收入", "锦程物流中心", "2024"),
        (2, 3): ("营业收入", "锦程物流中心", "2023"),
    }


def test_plan_and_outcome_in_chinese_budget_tables() -> None:
    """年初预算数 and 调整预算数 are budgets that stay apart, 执行数 is an outcome; 费用预算表 holds budgets."""
    raw = table("项目 | 年初预算数 | 调整预算数 | 执行数\n办公费 | =5 | =6 | =7\n差旅费 | =8 | =9 | =1")
    said = told(raw, "metric_label", "status", "period")
    assert said[2, 2] == ("办公费 – 年初预算数", "budget", "")
    assert said[2, 3] == ("办公费 – 调整预算数", "budget", "")
    assert said[2, 4] == ("办公费", "actual", "")
    plan = table("项目 | 金额\n工资 | =5\n奖金 | =6", context=(around("caption", "2025年销售费用预算表"),))
    assert {fact["status"] for fact in facts(plan)} == {"budget"}


def test_a_comparison_with_the_budget_is_no_budget() -> None:
    """`vs Budget %` is a change that happened."""
    raw = table("Store | Sales | Budget | vs Budget %\nYork | =10 | =11 | =-9.1\nBath | =12 | =11 | =9.1")
    assert told(raw, "status")[2, 3] == ("budget",)
    assert told(raw, "status", "unit")[2, 4] == ("actual", "%")


def test_a_unit_nobody_knows_names_no_row() -> None:
    """Beside a column of units the metric keeps its name, and the unit stays unknown."""
    raw = table("Metric | Unit | 2023 | 2024\nFleet size | gliders | =4 | =5\nLoad factor | % | =78 | =81")
    assert told(raw, "metric_label", "unit")[2, 3] == ("Fleet size", "unknown")


def test_a_ticker_behind_a_name_names_no_company() -> None:
    """The company is named, and what is expected of a year is not of the day of the table."""
    raw = table(
        """
        Company | Ticker | 2024E | 2025E
        Lumen Steel | LST LN | =5.1 | =4.9
        Aurora Mining | AUR AU | =6.1 | =5.8
    """,
        context=(around("caption", "EV/EBITDA (x), as of 30-Sep-2024"),),
    )
    said = told(raw, "metric_label", "period", "status")
    assert [period for _, period, _ in said.values()] == ["2024", "2025"] * 2
    assert all("Lumen Steel" in said[2, col][0] for col in (3, 4))


def test_changes_in_percent_of_amounts_a_share() -> None:
    """A percentage is one whatever it is of: no clash with the unit of the row."""
    raw = table("项目 | 2024年 | 本年比上年增减（%）\n基本每股收益（元/股） | =0.51 | =6.3")
    assert [fact["unit"] for fact in facts(raw)] == ["CNY/share", "%"]


def test_the_sign_of_a_scenario_stays_in_its_name() -> None:
    """-50 bps and +50 bps are two scenarios."""
    raw = table("Scenario | EV\n+50 bps interest rates | =5\n-50 bps interest rates | =6")
    assert len({fact["metric_label"] for fact in facts(raw)}) == 2


def test_months_of_no_year_are_still_told_apart() -> None:
    """Jan and Feb of a year that nobody says have no period, and two labels."""
    raw = table(
        "Site | Jan | Feb\nDepot A | =5 | =6\nDepot B | =7 | =8", context=(around("caption", "Electricity (MWh)"),)
    )
    said = told(raw, "metric_label", "period")
    assert said[2, 2] == ("Electricity – Depot A – Jan", "")
    assert said[2, 3] == ("Electricity – Depot A – Feb", "")


def test_a_month_under_a_title_of_that_month() -> None:
    """June in a report on June 2024 is that June; Act, Bud and LY say what they always say."""
    raw = table(
        "Account | June | | \n | Act | Bud | LY\nWages | =10 | =11 | =9\nTravel | =2 | =3 | =4",
        spans={(1, 2): (1, 3)},
        context=(around("caption", "Cost centre report – June 2024"),),
    )
    said = told(raw, "period", "status")
    assert said[3, 2] == ("2024-06", "actual")
    assert said[3, 3] == ("2024-06", "budget")
    assert "prior_period" in said[3, 4][1]


@pytest.mark.parametrize(
    ("text", "unit", "scale"),
    [
        ("USDm", "USD", 6),
        ("RMBbn", "CNY", 9),
        ("kEUR", "EUR", 3),
        ("MUSD", "USD", 6),
        ("HK$'M", "HKD", 6),
        ("RMB'm", "CNY", 6),
        ("Revenue (USDmn)", "USD", 6),
        ("₹ Cr", "INR", 7),
        ("All figures in US$ thousands unless otherwise stated", "USD", 3),
    ],
)
def test_currencies_and_scales_in_one_word(text: str, unit: str, scale: int) -> None:
    """Analysts write them without a space, before and behind."""
    found = find_unit(text)
    assert found is not None
    assert (found.unit, found.scale) == (unit, scale)


def test_pairs_above_a_table_are_about_the_table() -> None:
    """Company, period and currency in cells of their own say so of every number below, and head no column."""
    raw = table("""
        Company: | Alder Trading Ltd | |
        Period: | FY2024 | |
        Currency: | HKD'000 | |
        Line | Actual | Budget | Variance
        Sales | =10 | =11 | =-1
        Costs | =5 | =6 | =-1
    """)
    said = told(raw, "entity", "period", "unit", "scale", "status")
    assert said[5, 2] == ("Alder Trading Ltd", "2024", "HKD", 3, "actual")
    assert said[5, 3] == ("Alder Trading Ltd", "2024", "HKD", 3, "budget")


def test_a_subtotal_named_beside_its_number_is_not_the_line_above() -> None:
    """VAT stands right before its amount, not in the column of names."""
    raw = table("""
        Item | Description | Qty | Unit price | Amount
        A1 | Drill | =2 | =120 | =240
        A2 | Saw | =3 | =40 | =120
         | | | VAT 20% | =77
    """)
    assert "Saw" not in told(raw, "metric_label")[4, 5][0]


def test_numbers_of_accounts_in_forms_are_no_amounts() -> None:
    """What stands beside `Account no.:` is a name in digits."""
    raw = table(
        "Account no.: | =12345678 | Currency: | GBP\nBalance: | =500 | Branch: | York\nLimit: | =900 | Status: | open"
    )
    assert {fact["metric_label"] for fact in facts(raw)} == {"Balance", "Limit"}


def test_prices_take_their_own_unit_beside_a_column_of_units() -> None:
    """The unit 吨 is that of the quantities, not of the unit price in yuan."""
    raw = table("""
        物料名称 | 单位 | 账面数量 | 单价(元) | 差异金额(元)
        电机 | 台 | =30 | =850 | =0
        钢板 | 吨 | =12.5 | =4200 | =-840
    """)
    said = told(raw, "unit")
    assert said[3, 3] == ("t",)
    assert said[3, 4] == said[3, 5] == ("CNY",)


def test_a_line_with_reporter_period_and_unit() -> None:
    """One cell may say whose statement it is, of when, and in what unit, set apart by spaces."""
    raw = table(
        "项目 | 本年金额 | 上年金额\n收到的税费返还 | =5 | =6",
        context=(around("caption", "编制单位：晨曦电子有限公司  2024年度  单位：元"),),
    )
    assert told(raw, "entity", "period", "unit") == {
        (2, 2): ("晨曦电子有限公司", "2024", "CNY"),
        (2, 3): ("晨曦电子有限公司", "2023", "CNY"),
    }


def test_a_place_in_two_languages_is_one_place() -> None:
    """Hong Kong 香港 is Hong Kong, and nothing of it is a metric."""
    raw = table("Region 地區 | Employees\nHong Kong 香港 | =120\nJapan 日本 | =300")
    assert [fact["geography"] for fact in facts(raw)] == ["HK", "JP"]


def test_money_of_a_sheet_is_not_the_unit_of_rooms_and_rates() -> None:
    """Rooms are counted and growth is a rate: the million dollars of the title are not theirs."""
    raw = table(
        "Property | Rooms | Revenue\nMarina | =120 | =30\nPalm | =90 | =20",
        context=(around("caption", "Hotels (US$ million)"),),
    )
    assert told(raw, "unit")[2, 2] == ("unknown",)
    assert told(raw, "unit", "scale")[2, 3] == ("USD", 6)
    rates = table(
        "项目 | 余额 | 比年初增长\n各项存款 | =520 | =8.1\n各项贷款 | =410 | =7.5",
        context=(around("unit_note", "单位：亿元"),),
    )
    assert told(rates, "unit")[2, 2] == ("CNY",)
    assert told(rates, "unit")[2, 3] == ("unknown",)


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("Apr 2021 to Mar 2022", "2021-04-01", "2022-03-31"),
        ("2024年1月1日至6月30日", "2024-01-01", "2024-06-30"),
        ("1 July 2023 – 30 June 2024", "2023-07-01", "2024-06-30"),
    ],
)
def test_from_one_month_or_day_to_another(text: str, start: str, end: str) -> None:
    """A stretch is one period, neither its first month nor its last."""
    (found,) = find_periods(text)
    assert (found.start, found.end) == (start, end)


def test_people_are_a_cost_like_others() -> None:
    """A row called People in a table of costs holds money."""
    raw = table(
        "Cost | | 2024\nPeople | | =60\n | Salaries | =50\n | Training | =10",
        context=(around("unit_note", "(THB million)"),),
    )
    assert {fact["unit"] for fact in facts(raw)} == {"THB"}


def test_a_statement_about_people_in_percent() -> None:
    """A survey's title says what its numbers are percentages of."""
    raw = table(
        "Statement | Agree | Disagree\nI feel valued | =61 | =17",
        context=(around("caption", "Staff survey: percentage of staff"),),
    )
    assert [fact["unit"] for fact in facts(raw)] == ["%", "%"]


def test_a_column_in_its_own_currency_beside_local_ones() -> None:
    """The row's local currency is that of the local column, not of the one headed US$."""
    raw = table("""
        Entity | Local currency | Revenue (local '000) | Revenue (US$'000) | Auditor
        Acorn Japan KK | JPY | =1500000 | =10000 | Kato
        Acorn UK Ltd | GBP | =8000 | =10160 | Hale
    """)
    said = told(raw, "unit", "scale")
    assert said[2, 3] == ("JPY", 3)
    assert said[3, 3] == ("GBP", 3)
    assert said[2, 4] == said[3, 4] == ("USD", 3)


def test_the_figures_of_a_part_are_not_those_of_the_whole() -> None:
    """A segment's name over a table, in its corner or as its title, belongs to what each of its numbers is called."""
    corner = facts(table("零售分部 | 2024年 | 2023年\n营收（万元） | =2610.5 | =2344.1\n员工人数 | =1180 | =1102"))
    assert {fact["metric_label"] for fact in corner} == {"零售分部 – 营收", "零售分部 – 员工人数"}
    titled = facts(
        table("Item | FY2023 | FY2024\nRevenue | =210.4 | =233", context=(around("caption", "Retail segment, US$ m"),))
    )
    assert {fact["metric_label"] for fact in titled} == {"Retail segment – Revenue"}
    assert {fact["metric_code"] for fact in (*corner, *titled)}.isdisjoint({"REVENUE", "EMPLOYEES"})


def test_somebody_elses_figures_are_not_the_reporters() -> None:
    """What is told of a target or a competitor in one's own pack names nobody, unless it says the name."""
    raw = table(
        "Target's figures | FY2023 | FY2024\nRevenue | =210.4 | =233",
        context=(around("document", "Birch Holdings Ltd board pack"),),
    )
    assert {(fact["entity"], fact["metric_label"]) for fact in facts(raw)} == {("", "Target's figures – Revenue")}


@pytest.mark.parametrize(
    "head", ["Operating segment", "业务分部", "Customer segment", "所属事业部", "Peer group median"]
)
def test_what_heads_parts_is_no_part(head: str) -> None:
    """Operating segment over the names of segments says what they are, and nothing of the numbers."""
    found = facts(table(f"{head} | FY2023 | FY2024\nRetail | =210.4 | =233\nWholesale | =80.1 | =77.3"))
    assert len(found) == 4
    assert not any(head in fact["metric_label"] for fact in found)


def test_what_is_no_money_takes_none_of_the_sheets() -> None:
    """Heads, days and amounts a share under a line of pounds are not thousands of pounds."""
    raw = table(
        "Item | FY2024\nRevenue | =85230\nHeadcount (FTE) | =214\nDays sales outstanding | =41\n"
        "Adjusted EPS (p) | =12.4",
        context=(around("unit_note", "£'000"),),
    )
    units = {fact["metric_label"]: fact["unit"] for fact in facts(raw)}
    assert units.pop("Revenue") == "GBP"
    assert units.pop("Adjusted EPS") == "GBP"  # in pence: see the tests of units
    assert units == {"Headcount": "FTE", "Days sales outstanding": "unknown"}


@pytest.mark.parametrize(
    "title", ["Target 2025", "Targets for the year", "Target figures", "Target Stores Ltd: results"]
)
def test_a_plan_or_a_name_is_nobody_else(title: str) -> None:
    """A target may be a plan and part of a company's name; only a target's own figures are somebody else's."""
    raw = table(
        "Item | FY2024\nRevenue | =210.4\nNet profit | =33",
        context=(around("document", "Birch Holdings Ltd"), around("caption", title)),
    )
    assert {fact["metric_label"] for fact in facts(raw)} == {"Revenue", "Net profit"}
    assert "" not in {fact["entity"] for fact in facts(raw)}


def test_ranks_with_ties_are_no_measure() -> None:
    """A rank before what it ranks numbers the rows, however it jumps; behind it, it is one of its numbers."""
    ranked = table("Rank | Port | 2023 | 2024\n1 | Oslo | =11.5 | =12\n2 | Bergen | =8.5 | =9\n2 | Moss | =8.5 | =9")
    assert {(fact["entity"] or fact["metric_label"], fact["period"]) for fact in facts(ranked)} == {
        (name, year) for name in ("Oslo", "Bergen", "Moss") for year in ("2023", "2024")
    }
    behind = table("Port | Tonnes | Rank\nOslo | =11.5 | =1\nBergen | =8.5 | =2\nMoss | =8.5 | =2")
    assert sum("Rank" in fact["metric_label"] for fact in facts(behind)) == 3
