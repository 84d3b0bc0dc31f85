"""Layouts of other people: names on two sides, units in a column, totals across, notes with a subject."""

from __future__ import annotations

from typing import Any

from test_interpretation import around, facts, table

from factspine.core.tables import RawTable


def told(raw: RawTable, *names: str) -> dict[tuple[int, int], tuple[Any, ...]]:
    """What the facts of a table say, by row and column."""
    return {(fact["row_no"], fact["col_no"]): tuple(fact[name] for name in names) for fact in facts(raw)}


def test_names_on_the_other_side_name_their_own_numbers() -> None:
    """Where the same heads stand again behind a second column of names, that column names what follows."""
    raw = table("""
        资产 | 期末余额 | 期初余额 | 负债和所有者权益 | 期末余额 | 期初余额
        货币资金 | 10 | 12 | 短期借款 | 5 | 6
        存货 | 44 | 45 | 应付账款 | 7 | 8
        资产总计 | 54 | 57 | 负债和所有者权益总计 | 12 | 14
    """)
    names = told(raw, "metric_label")
    assert names[2, 2] == ("货币资金",)
    assert names[2, 5] == names[2, 6] == ("短期借款",)
    assert names[4, 6] == ("负债和所有者权益总计",)


def test_a_year_and_words_head_a_column() -> None:
    """2023年执行数 is a heading with a year in it, not an amount with its unit."""
    raw = table("""
        项目 | 2023年执行数 | 2024年预算数
        教育支出 | 5 | 6
        农林水支出 | 7 | 8
    """)
    assert told(raw, "metric_label", "period", "status") == {
        (2, 2): ("教育支出", "2023", "actual"),
        (2, 3): ("教育支出", "2024", "budget"),
        (3, 2): ("农林水支出", "2023", "actual"),
        (3, 3): ("农林水支出", "2024", "budget"),
    }


def test_a_column_of_units_says_the_unit_of_each_row() -> None:
    """Whatever the units are, none of them is taken for a code or for the name of the row."""
    raw = table("""
        Metric | Unit | Actual | Prior year
        Net interest income | $m | 10.1 | 12.0
        Cost/income ratio | % | 44 | 45
        Customers | 000 | 120 | 130
        Branches | # | 12 | 13
    """)
    said = told(raw, "metric_label", "unit", "scale")
    assert said[2, 3] == ("Net interest income", "$", 6)
    assert said[3, 3] == ("Cost/income ratio", "%", 0)
    assert said[4, 3] == ("Customers", "unknown", 3)
    assert said[5, 3] == ("Branches", "unknown", 0)


def test_each_row_of_a_numbered_list_of_figures_has_its_own_name() -> None:
    """Columns that are nothing but periods leave the naming to the row, and to each row its own."""
    raw = table("""
        序号 | 事项 | 2024年上半年 | 全年安排
        =1 | 植树造林 | =10 | =11
        =2 | 河道清淤 | =20 | =21
        =3 | 道路养护 | =30 | =31
    """)
    assert {fact["metric_label"] for fact in facts(raw) if fact["row_no"] == 3 and fact["col_no"] == 3} == {"河道清淤"}


def test_a_total_across_the_names_is_not_the_last_record() -> None:
    """合计 under 序号, with blanks where the names stand, is a row of its own, marked as a total."""
    raw = table("""
        序号 | 姓名 | 部门 | 基本工资（元） | 绩效工资（元）
        =1 | 何静 | 仓储部 | 5200 | 800
        =2 | 罗文博 | 运输部 | 6100 | 900
        =3 | 苏颖 | 财务部 | 6600 | 700
        合 计 |  |  | 17900 | 2400
    """)
    entities = told(raw, "entity", "status")
    assert entities[4, 4] == ("苏颖", "actual")
    assert entities[5, 4] == ("合 计", "actual total")


def test_a_record_is_named_by_what_tells_it_from_the_others() -> None:
    """A category that several rows share does not name any of them."""
    raw = table("""
        序号 | 类别 | 品名 | 数量 | 金额（元）
        =1 | 耗材 | 硒鼓 | 12 | 3600
        =2 | 耗材 | 墨盒 | 30 | 2400
        =3 | 文具 | 签字笔 | 90 | 270
        =4 | 文具 | 档案盒 | 40 | 320
    """)
    assert told(raw, "entity")[3, 5] == ("墨盒",)


def test_a_line_above_a_list_names_none_of_its_records() -> None:
    """经费预算表（单位：万元） over a numbered list says its unit, and subtotals across the names name themselves."""
    raw = table("""
        经费预算表（单位：万元） |  |  |
        序号 | 预算科目 | 财政拨款 | 自筹资金
        =1 | 设备费 | 22 | 11
        =2 | 材料费 | 32 | 12
        直接费用小计 |  | 54 | 23
        =3 | 差旅费 | 2 | 13
        合计 |  | 56 | 36
    """)
    said = told(raw, "entity", "unit", "scale")
    assert said[4, 3] == ("材料费", "CNY", 4)
    assert said[5, 3] == ("直接费用小计", "CNY", 4)
    assert said[7, 3] == ("合计", "CNY", 4)


def test_leader_dots_and_footnote_marks_are_no_part_of_a_name() -> None:
    """`Fenmark .......` and `2008 \\\\2....` are Fenmark and 2008."""
    raw = table("""
        Year | Peat | Lignite \\1
        2007........ | 1.5 | 2.5
        2008 \\2..... | 1.6 | 2.6
        2009........ | 1.7 | 2.7
    """)
    assert told(raw, "metric_label", "period")[3, 3] == ("Lignite", "2008")


def test_a_units_note_holds_for_what_it_names() -> None:
    """[Receipts in billions of dollars] says nothing about the number of establishments."""
    raw = table(
        """
        Industry | Establishments | Receipts | Pupils per teacher
        Utilities | 4,100 | 12.3 | 14.1
        Broadcasting | 2,900 | 9.9 | 15.2
        """,
        context=(around("caption", "[Receipts in billions of dollars (12.3 represents $12,300,000,000)]"),),
    )
    assert told(raw, "unit", "scale") == {
        (2, 2): ("unknown", 0),
        (2, 3): ("$", 9),
        (2, 4): ("unknown", 0),
        (3, 2): ("unknown", 0),
        (3, 3): ("$", 9),
        (3, 4): ("unknown", 0),
    }


def test_the_money_of_a_sheet_is_not_the_unit_of_heads() -> None:
    """人数 and scores stay without a unit where the sheet says 万元."""
    raw = table(
        "部门 | 年初人数 | 考核得分 | 费用\n财务部 | 12 | 88 | 30\n法务部 | 8 | 91 | 20",
        context=(around("unit_note", "单位：万元"),),
    )
    units = told(raw, "unit", "scale")
    assert (units[2, 2], units[2, 3], units[2, 4]) == (("unknown", 0), ("unknown", 0), ("CNY", 4))


def test_a_month_and_the_year_to_date_are_two_periods() -> None:
    """Of a month's report the cumulative columns are of the year up to then."""
    raw = table(
        """
        项目 | 本月 |  | 本年累计 |
         | 预算 | 实际 | 预算 | 实际
        工程款 | 10 | 11 | 70 | 72
        税费 | 3 | 4 | 21 | 20
        """,
        spans={(1, 2): (1, 2), (1, 4): (1, 2), (1, 1): (2, 1)},
        context=(around("caption", "2024年7月"),),
    )
    periods = told(raw, "period_type", "period", "status")
    assert periods[3, 3] == ("M", "2024-07", "actual current_period")
    assert periods[3, 5] == ("YTD", "2024-01-01/2024-07-31", "actual year_to_date")


def test_the_opening_balance_of_a_dated_balance_sheet() -> None:
    """期初 beside 2022年12月31日 is the end of the year before; beside another day nobody knows."""
    text = "项目 | 期末余额 | 期初余额\n存货 | 44 | 45\n商誉 | 7 | 8"
    year = told(table(text, context=(around("caption", "2022年12月31日"),)), "period")
    assert (year[2, 2], year[2, 3]) == (("2022-12-31",), ("2021-12-31",))
    other = told(table(text, context=(around("caption", "2022年9月30日"),)), "period")
    assert (other[2, 2], other[2, 3]) == (("2022-09-30",), ("",))


def test_amounts_that_look_like_years_go_on_with_a_series() -> None:
    """1998 cases on a day, or three such days running, are amounts: no header, and not the year of what follows."""
    raw = table("""
        Updated | Day | Cases
        12/06/2021 | 01/05/2021 | =1650
        12/06/2021 | 02/05/2021 | =2412
        12/06/2021 | 03/05/2021 | =1998
        12/06/2021 | 04/05/2021 | =2050
        12/06/2021 | 05/05/2021 | =3501
    """)
    assert {col for _, col in told(raw, "value")} == {3}
    assert [value for (value,) in told(raw, "value").values()] == ["1650", "2412", "1998", "2050", "3501"]


def test_models_are_no_financial_years() -> None:
    """F20 and F34 in a list of cars are models, whatever FY20 is elsewhere."""
    raw = table("Car | Model | Price\nSaloon | F20 | =100\nEstate | F34 | =120\nCoupe | F82 | =130")
    assert {period for (period,) in told(raw, "period").values()} == {""}


def test_numbers_of_columns_name_nothing() -> None:
    """(1) (2) (3) below the headers number the columns; what is measured stands above them."""
    raw = table("""
        No. | District | Cases | Rate
        (1) | (2) | (3) | (4)
        1. | North | 126762 | 25.4
        2. | South | 130755 | 24.7
        3. | East | 139752 | 26.2
    """)
    names = told(raw, "metric_label", "value")
    assert {said[0] for said in names.values()} == {"Cases", "Rate"}
    assert len(names) == 6
