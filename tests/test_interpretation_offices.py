"""Workbooks of offices, plants and wards: years of founding, units that run on, two units in one note, subtotals."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_interpretation import around, facts, ledger, table
from test_interpretation_layouts import told

from factspine.interpret.interpreter import interpret_table
from factspine.interpret.titles import read_title
from factspine.lexicon.nonnumbers import are_several_numbers
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


def test_an_export_says_when_it_was_run_and_in_whose_money_each_column_is() -> None:
    """The day a report was run is no period; the month stands in the row; the group's money is the column's own."""
    raw = table("""
        Report: ZQ12 | | User: AB | | Run date: 09.03.2023 | | |
        Co. Code | G/L Account | Account | Posting Period | Currency | Amount | Amount (EUR) | Document No.
        2200 | =410100 | Service revenue | 02.2023 | EUR | 4,120.00- | 4,120.00- | 1700000041
        2200 | =520300 | Tools | 02.2023 | EUR | 310.40 | 310.40 | 1700000042
        2300 | =410200 | Licence revenue | 02.2023 | USD | 860.00- | 802.10- | 1700000050
        2300 | =610100 | Freight | 02.2023 | USD | 45.10 | 42.06 | 1700000051
         | | Total | | | | 4,935.76- |
    """)
    said = told(raw, "period", "unit", "value")
    assert {cell for cell in said if cell[1] in (1, 2, 4, 8)} == set()
    assert said[3, 6] == ("2023-02", "EUR", "-4120")
    assert (said[5, 6], said[5, 7]) == (("2023-02", "USD", "-860"), ("2023-02", "EUR", "-802.1"))


def test_months_under_the_year_above_them_are_of_that_year() -> None:
    """2022 and 2023 alone in their lines, months below each: the second January is not that of the first year."""
    raw = table("""
        Month | All items | Food
        =2022 | |
        January | =101.4 | =99.1
        February | =101.9 | =99.3
        =2023 | |
        January | =104.0 | =102.2
        February | =104.1 | =102.4
    """)
    said = told(raw, "period", "metric_label")
    assert said[3, 2] == ("2022-01", "All items")
    assert (said[6, 2], said[7, 3]) == (("2023-01", "All items"), ("2023-02", "Food"))


def test_all_items_are_no_unit() -> None:
    """An index of prices, all items, is not counted in items."""
    assert find_unit("Producer prices, all items") is None


def test_indicators_with_units_of_their_own_are_no_list_of_things() -> None:
    """A column of units with persons, days and per cent says that each row is another measure."""
    raw = table(
        """
        指标名称 | 计量单位 | 1月 | 2月 | 全年累计 | 同比±%
        出院人数 | 人 | =1412 | =1377 | =17103 | =4.4
        手术台次 | 台次 | =640 | =588 | =7911 | =6.6
        平均住院日 | 天 | =8.2 | =8.1 | =8.0 | =-4.8
        床位使用率 | % | =91.2 | =88.7 | =92.0 | =1.9
        业务收入 | 万元 | =4120 | =3880 | =51220 | =6.9
        """,
        context=(around("caption", "2022年度运营指标月度汇总"),),
    )
    said = told(raw, "metric_label", "unit", "scale", "period")
    assert said[2, 3] == ("出院人数", "persons", 0, "2022-01")
    assert said[3, 4][1] == "times"
    assert (said[5, 5][1], said[6, 5][1:3], said[6, 6][1]) == ("%", ("CNY", 4), "%")


def test_the_unit_of_a_quantity_is_not_that_of_its_value() -> None:
    """SET, L and T in a column of units are those of the quantity; the values are in the money of the sheet."""
    raw = table(
        """
        Item | Qty | UoM | 0-30 days | Total
        Gasket kit | =340 | SET | =820 | =2835
        Hydraulic oil | =1250 | L | =1875 | =1875
        Steel strip | =18.75 | T | =9900 | =25924
        """,
        context=(around("unit_note", "Values in GBP"),),
    )
    said = told(raw, "unit")
    assert [said[row, 2][0] for row in (2, 3, 4)] == ["sets", "L", "t"]
    assert {said[row, col] for row in (2, 3, 4) for col in (4, 5)} == {("GBP",)}


def test_a_relation_says_to_what_it_belongs() -> None:
    """较年初 under 对公存款 is the change of these, though no other column is called so."""
    raw = table("""
        机构 | 对公存款 | | 储蓄存款 |
         | 余额 | 较年初 | 余额 | 较上月
        河西支行 | =186 | =12 | =98 | =1
        新港支行 | =142 | =3 | =61 | =2
    """)
    said = told(raw, "metric_label")
    assert (said[3, 3], said[3, 5]) == (("河西支行 – 对公存款 – 较年初",), ("河西支行 – 储蓄存款 – 较上月",))


def test_letters_above_the_line_behind_a_year_are_notes() -> None:
    """Under `Jobless rate`, 2021ᵖ is a year and nothing else."""
    raw = table("Region | Jobless rate |\n | 2020 | 2021ᵖ\nNorth | =4.1 | =4.3\nSouth | =5.0 | =5.2")
    assert told(raw, "metric_label", "period")[3, 3] == ("North – Jobless rate", "2021")


def test_years_name_the_rows_and_amounts_beside_them_do_not() -> None:
    """Output of 1,912 and 2,041 behind a column of years is output, in wide digits too."""
    raw = table("Year | Coal | Gas\n=2018 | １，８６５ | =2033\n=2019 | =1912 | =2048\n=2020 | =2041 | =7.5")
    assert set(told(raw, "value")) == {(row, col) for row in (2, 3, 4) for col in (2, 3)}


def test_one_year_stands_behind_two_days() -> None:
    """1 April – 30 September 2022 is six months, not the last day of them."""
    raw = table(
        "Site | Joiners\nLeeds | =31\nBath | =12", context=(around("caption", "Starters, 1 April – 30 September 2022"),)
    )
    assert told(raw, "period")[2, 2] == ("2022-04-01/2022-09-30",)


@pytest.mark.parametrize(("first", "second"), [(1866, 1999), (1987, 1994)])
def test_a_row_of_amounts_that_look_like_years_heads_nothing(first: int, second: int) -> None:
    """1,866 and 1,999 members under 2021 and 2022 are members, wherever the row stands."""
    rows = ["North | =7001 | =7002", f"East | ={first} | ={second}", "South | =4120 | =4133"]
    for order in (rows, rows[1:] + rows[:1]) if second - first > 60 else (rows,):
        said = told(table("Region | =2021 | =2022\n" + "\n".join(order)), "period", "value")
        place = 2 + order.index(rows[1])
        assert (said[place, 2], said[place, 3]) == (("2021", str(first)), ("2022", str(second)))
        assert len(said) == 6


def test_the_years_from_beginning_to_end_are_not_those_of_the_numbers() -> None:
    """建设年限 2022-2025 says how long the thing is built; what was spent from January to September is of 2023."""
    raw = table(
        """
        序号 | 项目名称 | 建设年限 | 总投资 | 2023年计划投资 | 1-9月完成投资
        =1 | 东港大桥 | 2022-2025 | =26000 | =6200 | =5011
        =2 | 北山隧道 | 2023-2026 | =12600 | =3600 | =2620
        """,
        context=(around("caption", "2023年建设计划执行情况（截至9月底）"),),
    )
    said = told(raw, "period", "status")
    assert said[2, 5] == ("2023", "budget")
    assert said[2, 6][0] == said[3, 6][0] == "2023-01-01/2023-09-30"


def test_a_monthly_statement_beside_the_year() -> None:
    """本年预算 is the budget of the year and 上年同期累计 what there was up to that month of the year before."""
    raw = table(
        """
        项目 | 本月金额 | 本年累计金额 | 上年同期累计 | 本年预算
        营业收入 | =12 | =98 | =90 | =150
        营业成本 | =9 | =71 | =66 | =108
        """,
        context=(around("caption", "利润表 2023年8月"),),
    )
    said = told(raw, "period", "status")
    assert said[2, 2][0] == "2023-08"
    assert said[2, 3][0] == "2023-01-01/2023-08-31"
    assert said[2, 4][0] == "2022-01-01/2022-08-31"
    assert said[2, 5] == ("2023", "budget")


def test_a_form_begins_with_a_name_and_a_code() -> None:
    """机构名称 and 机构代码 before what they are here head no list, whatever stands in the columns below."""
    raw = table("""
        机构名称 | 清水卫生院 | 机构代码 | PD-4012
        在岗职工数（人） | =64 | 执业医师（人） | =21
        注册护士（人） | =19 | 乡村医生（人） | =8
        病床使用率（%） | =61.4 | 平均住院日（天） | =6.8
    """)
    said = told(raw, "metric_label", "unit")
    assert (said[2, 4], said[4, 4]) == (("执业医师", "persons"), ("平均住院日", "days"))


def test_names_of_a_database_are_read() -> None:
    """net_sales_gbp is in pounds; store_id numbers the stores, whose names are those of the records."""
    raw = table("""
        store_id | store_name | open_date | transactions | net_sales_gbp
        =1021 | Alton | 2009-05-14 | =1986 | =24105.5
        =1022 | Barnby | 2013-03-21 | =4210 | =61220
    """)
    said = told(raw, "entity", "unit")
    assert (said[2, 4], said[3, 5]) == (("Alton", "unknown"), ("Barnby", "GBP"))


def test_what_grew_stays_with_how_much() -> None:
    """Under 比上年增长(%), 面积 is the growth of the area and not the area."""
    raw = table("""
        作物 | 播种面积(公顷) | 比上年增长(%) |
         | | 面积 | 单产
        稻谷 | =1190 | =0.9 | =1.2
        小麦 | =186 | =-1.2 | =0.4
    """)
    assert told(raw, "metric_label", "unit")[3, 3] == ("稻谷 – 比上年增长 – 面积", "%")


def test_a_column_under_a_total_is_one() -> None:
    """Gross pay and tax under a head that says Total are totals, each in its column."""
    raw = table(
        "Month | Sales | | Total |\n | Gross | Tax | Gross | Tax\nJan | =18 | =3 | =28 | =5\nFeb | =19 | =4 | =29 | =6"
    )
    said = told(raw, "status")
    assert (said[3, 2], said[3, 4], said[4, 5]) == (("actual",), ("actual total",), ("actual total",))


@pytest.mark.parametrize("note", ["单位：盒、元", "单位：元、盒"])
def test_a_note_of_boxes_and_money_gives_money_to_money_alone(note: str) -> None:
    """Where things and money are said in one note, only what is named as money is in money."""
    raw = table(
        "药品名称 | 约定采购量 | 采购数量 | 采购金额\n甲片 | =1986 | =2050 | =7872\n乙片 | =4200 | =3987 | =6578",
        context=(around("unit_note", note),),
    )
    said = told(raw, "unit")
    assert (said[2, 2], said[2, 3], said[2, 4]) == (("unknown",), ("unknown",), ("CNY",))


def test_when_a_thing_goes_live_is_no_amount() -> None:
    """2027 among Q3 FY25 and Mar-26 is a year."""
    raw = table(
        "Work | Budget | Go-live\nMill | =18 | Q3 FY25\nSolar | =20 | Mar-26\nERP | =41 | 2027\nOther | =9 | varies",
        context=(around("unit_note", "AUD million"),),
    )
    assert {col for _, col in told(raw, "value")} == {2}


def test_a_pair_of_currencies_names_a_rate() -> None:
    """USD/CNY heads yuan for one dollar, not dollars for one yuan: the name stays, and the unit is not guessed."""
    raw = table("Date | USD/CNY | LPR (%)\n2023-01-31 | =6.75 | =3.65\n2023-02-28 | =6.94 | =3.65")
    said = told(raw, "metric_label", "unit")
    assert (said[2, 2], said[2, 3]) == (("USD/CNY", "unknown"), ("LPR", "%"))


def test_agents_by_the_thousand_are_counted() -> None:
    """`Agents ('000)` beside premiums is how many there are; `Agency (US$m)` is what they sold."""
    raw = table("Market | APE (US$m) | Agents ('000)\nHong Kong | =86 | =18.6\nThailand | =41 | =12.0")
    assert told(raw, "metric_label", "scale", "channel")[2, 3][:2] == ("Agents", 3)


def test_the_mark_of_a_note_in_place_of_a_number_is_none() -> None:
    """(2) is a note where the table explains it below, and minus two where it does not."""
    text = "Market | APE | Agents\nWest | =18 | =7\nEast | =12 | (2)\nSouth (1) | =9 | =5"
    raw = table(f"{text}\n(1) Includes Corfe.  (2) Not disclosed.")
    assert (3, 3) not in told(raw, "value")
    assert ledger(interpret_table(raw, VOCABULARY))["excluded:note_reference"] == 1
    assert told(table(text), "value")[3, 3] == ("-2",)


def test_how_old_a_debt_is_heads_a_column() -> None:
    """1年以内 and 3年以上 under 其中： are classes, not the first row of amounts."""
    raw = table("""
        客户名称 | 期末余额 | 其中： | | | 坏账准备
         | | 1年以内 | 1-2年 | 3年以上 |
        远航物流 | =1986 | =1860 | =126 | - | =105
        凯达电子 | =2050 | =1500 | =350 | =200 | =170
    """)
    said = told(raw, "metric_label")
    assert (said[3, 3], said[4, 5]) == (("远航物流 – 1年以内",), ("凯达电子 – 3年以上",))


def test_the_same_period_of_last_year_is_that_of_the_part_before() -> None:
    """上年同期 behind 1-6月 is half a year, under a quarter a quarter, and behind a bare sum of months unknown."""
    halves = table(
        "项目 | 6月 | 上年同期 | 1-6月累计 | 上年同期 \n税收 | =8 | =7 | =45 | =42",
        context=(around("caption", "2023年收入"),),
    )
    assert [fact["period"] for fact in facts(halves)] == [
        "2023-06",
        "2022-06",
        "2023-01-01/2023-06-30",
        "2022-01-01/2022-06-30",
    ]
    down = table(
        "月份 | 用水量\n1月 | =86\n2月 | =60\n3月 | =90\n一季度小计 | =236\n上年同期 | =250",
        context=(around("caption", "2023年用水统计"),),
    )
    assert told(down, "period")[6, 2] == ("2022Q1",)
    summed = table(
        "月份 | 用水量\n1月 | =86\n2月 | =60\n合计 | =146\n上年同期 | =150",
        context=(around("caption", "2023年用水统计"),),
    )
    assert told(summed, "period")[5, 2] == ("",)
    plain = table("项目 | 本年 | 上年同期\n税收 | =8 | =7", context=(around("caption", "2023年收入"),))
    assert told(plain, "period")[2, 3] == ("2022",)


def test_a_place_inside_the_name_of_a_company_is_part_of_it() -> None:
    """海岸人寿（香港）有限公司 is one name, not a place and 有限公司."""
    assert read_title("海岸人寿（香港）有限公司", VOCABULARY).entity == "海岸人寿（香港）有限公司"
    assert read_title("有限公司", VOCABULARY).entity == ""


def test_marks_explained_in_a_note_are_no_unit() -> None:
    """`[x] not available` does not make of casualties so many times something."""
    raw = table(
        "Road user | 2021 | 2022\nWalkers | =361 | =385\nRiders | =111 | [x]\n[note 1] new roads.  [x] not available"
    )
    assert told(raw, "unit")[2, 2] == ("unknown",)


def test_what_adds_up_is_not_that_of_the_month() -> None:
    """累计装机 in a report on June may count from long before; 自年初累计 is from January to June."""
    raw = table(
        "指标 | 本月 | 自年初累计 | 累计装机\n风电 | =86 | =420 | =1990\n光伏 | =41 | =205 | =865",
        context=(around("caption", "2023年6月快报"),),
    )
    said = told(raw, "period")
    assert (said[2, 2], said[2, 3], said[2, 4]) == (("2023-06",), ("2023-01-01/2023-06-30",), ("",))


def test_rows_of_one_table_are_named_alike() -> None:
    """Where Killed needs its road user, Serious, which stands once, has its own, too."""
    raw = table("""
        Road user | Severity | 2021 | 2022
        Walkers | Killed | =361 | =385
         | Serious | =5032 | =5901
        Riders | Killed | =111 | =91
    """)
    assert told(raw, "metric_label")[3, 3] == ("Walkers – Serious",)


def test_plan_costs_are_planned() -> None:
    """`Plan costs` beside `Act. costs` are a budget."""
    raw = table("Element | Act. costs | Plan costs\nSalaries | =186 | =190\nParts | =98 | =105")
    said = told(raw, "status")
    assert (said[2, 2], said[2, 3]) == (("actual",), ("budget",))


def test_several_numbers_in_one_cell_are_accounted_for() -> None:
    """593 (19.1%) is a count and its share: no fact, since nobody said which is meant, and not forgotten."""
    drawn = "Item | 2031 | 2032\nBeds | 593 (19.1%) | 12\nDesks | 8 | 12 / 15\nLamps | 3 | 12, 14"
    found = interpret_table(table(drawn), VOCABULARY)
    assert found.block.columns["value"] == ["12", "8", "3"]
    assert {entry.reason: entry.cells for entry in found.ledger}["several_numbers"] == ((2, 2), (4, 3))
    assert [finding.code for finding in found.findings] == ["FS302"]
    assert "several numbers" in found.findings[0].message


@pytest.mark.parametrize(
    "text", ["593", "-1,234.5", "(12)", "Beds 12 (3)", "$12", "—", "12%", "2000 5207", "(02) 9000-1234"]
)
def test_one_number_is_not_several(text: str) -> None:
    """Separators and signs make no second number, nor does a space in a telephone number."""
    assert not are_several_numbers(text)


def test_a_plan_for_the_year_is_of_no_calendar_year_where_years_end_otherwise(tmp_path: Path) -> None:
    """年度预算 in a report on June is of that June's year; where years end in March, it is open which one that is."""
    drawn = "项目 | 年度预算\n差旅 | 41.5\n培训 | 12.2"
    other = tmp_path / "vocabulary.toml"
    other.write_text("[fiscal]\nyear_end_month = 3\n", encoding="utf-8")
    periods = []
    for vocabulary in (VOCABULARY, Vocabulary.load(other)):
        read = interpret_table(table(drawn, context=(around("caption", "2031年6月费用"),)), vocabulary)
        periods.append(read.block.columns["period"])
    assert periods == [["2031", "2031"], ["", ""]]
