"""Workbooks of offices, plants and wards: years of founding, units that run on, two units in one note, subtotals."""

from __future__ import annotations

import pytest
from test_interpretation import around, facts, ledger, table
from test_interpretation_layouts import told

from factspine.interpret.interpreter import interpret_table
from factspine.interpret.titles import read_title
from factspine.lexicon.units import find_unit
from factspine.lexicon.vocabulary import Vocabulary

VOCABULARY = Vocabulary.load(None)


def test_the_year_of_founding_in_a_form_is_no_measure() -> None:
    """成立年份 | 1987 says when a thing was founded; the head count in the same column is an amount."""
    raw = table("""
        单位名称 | 东岭林场 | 成立年份 | =1987
        场长 | 周一山 | 在职人数 | =143
        营林面积（公顷） | =2310 | 护林站 | =12
    """)
    assert set(told(raw, "value")) == {(2, 4), (3, 2), (3, 4)}
    assert ledger(interpret_table(raw, VOCABULARY))["excluded:date"] == 1


def test_amounts_of_which_some_look_like_years_are_amounts() -> None:
    """A balance of 1,987 beside one of 4,410 names no row."""
    raw = table(
        "用途 | 余额 | 占比\n种苗 | =1987 | 21.0%\n管护 | =2031 | 21.4%\n防火 | =4410 | 46.5%\n合计 | =8428 | 88.9%"
    )
    assert {cell for cell in told(raw, "value") if cell[1] == 2} == {(2, 2), (3, 2), (4, 2), (5, 2)}


def test_a_note_with_two_units_says_which_is_which() -> None:
    """单位：万元、%: amounts are in 万元, rates and growth in per cent, and what is neither keeps the money away."""
    raw = table(
        """
        指标 | 本年 | 上年 | 同比增速
        保费收入 | =410 | =380 | =7.9
        退保率 | =2.1 | =2.4 |
        汇率 | =7.1 | =7.0 |
        网点数（个） | =31 | =30 | =3.3
        """,
        context=(around("unit_note", "单位：万元、%"),),
    )
    said = told(raw, "unit", "scale")
    assert (said[2, 2], said[2, 4]) == (("CNY", 4), ("%", 0))
    assert (said[3, 2], said[3, 3]) == (("%", 0), ("%", 0))
    assert said[4, 2][0] == "unknown"
    assert (said[5, 2], said[5, 4]) == (("items", 0), ("%", 0))


@pytest.mark.parametrize(
    ("label", "unit", "scale"),
    [
        ("住院人次", "person-times", 0),
        ("客运量万人次", "person-times", 4),
        ("原煤产量万吨", "t", 4),
        ("售电量亿千瓦时", "kWh", 8),
        ("校舍面积平方米", "m2", 0),
        ("学费收入万元", "CNY", 4),
    ],
)
def test_a_unit_that_ends_a_label_without_a_bracket_is_one(label: str, unit: str, scale: int) -> None:
    """产量万吨 is said as clearly as 产量（万吨）."""
    reading = find_unit(label)
    assert reading is not None
    assert (reading.unit, reading.scale) == (unit, scale)


@pytest.mark.parametrize("label", ["造价每平方米", "男子一千米", "常住人口", "每万人", "两万户", "通车里程公里数"])
def test_a_unit_inside_a_name_is_none(label: str) -> None:
    """What is said for each square metre is not in square metres, and a race is not its length."""
    assert find_unit(label) is None


def test_visits_are_counted_and_what_they_cost_is_not() -> None:
    """门诊人次 says its unit in its name: it keeps the name, and yields to any unit that is stated."""
    raw = table("科室 | 门诊人次 | 人均费用（元）\n眼科 | =410 | =86\n牙科 | =377 | =120")
    assert told(raw, "unit", "metric_label")[2, 2] == ("person-times", "眼科 – 门诊人次")
    assert told(raw, "unit")[2, 3] == ("CNY",)
    crossed = table(
        "指标 | 2023 | 费用（元） | 同比增长\n门诊人次 | =410 | =8600 | =2.2\n住院人次 | =37 | =9100 | =1.4"
    )
    said = told(crossed, "unit")
    assert (said[2, 2], said[2, 3], said[2, 4]) == (("person-times",), ("unknown",), ("unknown",))
    titled = table("科室 | 收入\n眼科 | =410\n牙科 | =377", context=(around("caption", "2023年门诊人次"),))
    assert told(titled, "unit")[2, 2] == ("unknown",)


def test_amount_alone_says_not_of_what() -> None:
    """Under 同比增减, 金额 is the amount of the change."""
    raw = table("""
        项目 | 本月数 | 同比增减 |
         | | 金额 | %
        罚没收入 | =86 | =5 | =6.2
        利息收入 | =51 | =-2 | =-3.8
    """)
    said = told(raw, "metric_label", "unit")
    assert said[3, 3] == ("罚没收入 – 同比增减 – 金额", "unknown")
    assert said[3, 4] == ("罚没收入 – 同比增减", "%")


def test_a_comma_before_the_form_of_a_company_parts_nothing() -> None:
    """`Alder Foods, Inc.` is one name, and Inc. alone is nobody's."""
    assert read_title("Alder Foods, Inc. - cost report", VOCABULARY).entity == "Alder Foods, Inc."
    assert read_title("Inc.", VOCABULARY).entity == ""


def test_up_to_a_month_in_a_report_on_that_month() -> None:
    """1-8月累计 under a title of August is from January to August of that year; 1-7月 has no year."""
    raw = table(
        "产品 | 8月产量 | 1-8月累计产量 | 1-7月累计产量\n轴承 | =86 | =701 | =615\n齿轮 | =41 | =330 | =289",
        context=(around("caption", "2023年8月生产月报"),),
    )
    assert [fact["period"] for fact in facts(raw)][:3] == ["2023-08", "2023-01-01/2023-08-31", ""]
