"""Roles and paths of the tables people make."""

from __future__ import annotations

from header_tables import paths, roles, table

from factspine.interpret.headers import label_table


def labelled_roles(text: str) -> list[str]:
    return roles(label_table(table(text)))


def test_title_unit_line_and_source_are_notes() -> None:
    """A title above, a unit line and a source below are not part of the grid."""
    text = """
        Sales by region  |        |
        单位：万元       |        |
        Region           | 2023   | 2024
        North            | 12     | 14
        South            | 7      | 9.5
        Total            | 19     | 23.5
        Source: company accounts. | |
    """
    assert labelled_roles(text) == ["n", "n", "hhh", "lvv", "lvv", "lvv", "n"]
    assert paths(text, "9.5") == (("South",), ("2024",))


def test_years_over_numbers_head_columns_and_years_beside_numbers_head_rows() -> None:
    """A year is a header where it stands over or beside data, though it is a number."""
    assert labelled_roles("| 2019 | 2020\nOutput | 55 | 61\nHours | 8 | 9") == ["hh", "lvv", "lvv"]
    assert labelled_roles("Year | Output | Hours\n2019 | 55 | 8\n2020 | 61 | 9") == ["hhh", "lvv", "lvv"]


def test_a_merged_header_holds_for_all_columns_under_it() -> None:
    text = """
        项目     | 期末数 | <      | 期初数 | <
        ^        | 账面   | 准备   | 账面   | 准备
        原材料   | 10     | 1      | 20     | 2
        合计     | 110    | 11     | 120    | 12
    """
    assert labelled_roles(text) == ["hhh", "hhhh", "lvvvv", "lvvvv"]
    assert paths(text, "12") == (("合计",), ("期初数", "准备"))


def test_a_header_without_merges_holds_up_to_the_next_text() -> None:
    text = """
        State | 1999    |        | 2000    |
              | Renters | Owners | Renters | Owners
        Ohio  | 138     | 314    | 142     | 334
        Utah  | 143     | 369    | 144     | 378
    """
    assert paths(text, "334") == (("Ohio",), ("2000", "Owners"))
    assert paths(text, "369") == (("Utah",), ("1999", "Owners"))


def test_a_line_without_numbers_is_a_section() -> None:
    text = """
               | Men  | Women
        Age    |      |
        15-19  | 110  | 127
        20-24  | 147  | 161
        Region |      |
        North  | 11   | 13
    """
    assert labelled_roles(text) == ["hh", "l", "lvv", "lvv", "l", "lvv"]
    assert paths(text, "161") == (("Age", "20-24"), ("Women",))
    assert paths(text, "13") == (("Region", "North"), ("Women",))


def test_indented_rows_stand_under_the_row_above_them() -> None:
    text = """
        Item            | 2023 | 2024
        Assets          | 100  | 110
        ..Current       | 60   | 66
        ....Cash        | 25   | 31
        ..Fixed         | 40   | 44
        Liabilities     | 70   | 71
    """
    assert paths(text, "31")[0] == ("Assets", "Current", "Cash")
    assert paths(text, "44")[0] == ("Assets", "Fixed")
    assert paths(text, "71")[0] == ("Liabilities",)


def test_several_label_columns_are_filled_down() -> None:
    text = """
        Region | Product | 2023 | 2024
        North  | Tea     | 1.5  | 2.5
               | Coffee  | 3.5  | 4.5
        South  | Tea     | 5.5  | 6.5
    """
    assert paths(text, "4.5")[0] == ("North", "Coffee")
    assert paths(text, "6.5")[0] == ("South", "Tea")


def test_row_numbers_and_codes_are_not_values() -> None:
    """序号, zero-padded codes and coded accounts name rows; they are not amounts."""
    assert labelled_roles("序号 | 名称 | 金额\n1 | 甲 | 55\n2 | 乙 | 66\n3 | 丙 | 77") == ["hhh", "llv", "llv", "llv"]
    assert labelled_roles('State | FIPS | People\nA | "01" | 55\nB | "02" | 66\nC | 10 | 77')[1:] == ["llv"] * 3
    assert labelled_roles("代码 | 科目 | 余额\n1002 | 存款 | 5\n1131 | 应收 | 6")[1:] == ["llv", "llv"]


def test_a_second_header_band_starts_a_second_block() -> None:
    text = """
        季度   | 一  | 二
        产量   | 36  | 47
        采购   | 35  | 48
        预计支出 | < | <
        季度   | 三  | 四
        采购   | 71  | 72
    """
    assert labelled_roles(text)[4] == "hhh"
    assert len(label_table(table(text)).blocks) == 2
    assert paths(text, "72") == (("预计支出", "采购"), ("四",))


def test_two_tables_side_by_side_have_their_own_labels() -> None:
    text = """
        银行 | 金额 | 利率  | 银行 | 金额 | 利率
        甲行 | 100  | 0.01  | 丙行 | 110  | 0.03
        乙行 | 200  | 0.02  | 丁行 | 210  | 0.04
    """
    assert labelled_roles(text) == ["hhhhhh", "lvvlvv", "lvvlvv"]
    assert paths(text, "210") == (("丁行",), ("金额",))


def test_a_list_of_records_has_words_and_dates_among_its_values() -> None:
    text = """
        姓名 | 部门   | 入职日期   | 工资 | 状态
        张三 | 销售部 | 2012-03-01 | 800  | 在职
        李四 | 财务部 | 2009-02-14 | 2500 | 离职
        王五 | 企划部 | 2011-07-30 | 1800 | 在职
    """
    labelled = label_table(table(text))
    assert labelled.blocks[0].records
    assert roles(labelled)[1][-2:] == "vv"
    assert paths(text, "2500")[0][0] == "李四"


def test_a_transposed_table_has_periods_down() -> None:
    assert labelled_roles("Period | Revenue | Cost\nQ1 2024 | 5 | 3\nQ2 2024 | 6 | 4") == ["hhh", "lvv", "lvv"]


def test_a_table_without_header_row_has_labels_only() -> None:
    text = "Revenue | 100 | 120\nCost | 60 | 65\nProfit | 40 | 55"
    assert labelled_roles(text) == ["lvv"] * 3
    assert paths(text, "65") == (("Cost",), ())


def test_a_unit_line_inside_a_body_heads_what_follows() -> None:
    text = """
                | Syria   | Other
        Age     | 13      | 21
                | percent | <
        Women   | 56.5    | 45.9
        Men     | 43.5    | 54.1
    """
    assert paths(text, "54.1") == (("Men",), ("Other", "percent"))
    assert paths(text, "21") == (("Age",), ("Other",))


def test_a_row_that_numbers_the_columns_is_a_header() -> None:
    text = "Item | Plan | Actual | Change\n | 1 | 2 | 3\nTea | 15 | 17 | 2\nMilk | 22 | 21 | -1"
    assert labelled_roles(text)[1] == "hhh"


def test_headers_given_by_the_format_are_obeyed() -> None:
    """A chart says which row names its series: numbers there are names."""
    raw = table("x | 10 | 20\n1 | 5 | 6\n2 | 7 | 8", header_rows=1, header_cols=1)
    assert roles(label_table(raw)) == ["hhh", "lvv", "lvv"]


def test_a_column_of_note_references_is_not_data() -> None:
    text = "项目 | 附注 | 2023 | 2024\n货币资金 | 1 | 500 | 600\n应收账款 | 2 | 70 | 80\n存货 | 5 | 9.5 | 8.5"
    assert labelled_roles(text)[1:] == ["lnvv"] * 3
