"""Forms: words and values in pairs."""

from __future__ import annotations

from header_tables import paths, roles, table

from factspine.interpret.headers import label_table


def labelled_roles(text: str) -> list[str]:
    return roles(label_table(table(text)))


def test_pairs_across_the_row() -> None:
    text = """
        姓名 | 张三 | 年龄 | 35
        电话 | 0731-28701356 | 工资 | 8200
        职务 | 经理 | 住址 | 长沙市
    """
    assert labelled_roles(text) == ["lvlv"] * 3
    assert paths(text, "8200") == (("工资",), ())


def test_a_form_in_two_columns_has_no_header_row() -> None:
    text = "成立时间 | 1943年\n注册地 | 上海\n员工数 | 520\n网址 | www.example.com"
    assert labelled_roles(text) == ["lv"] * 4
    assert paths(text, "520")[0] == ("员工数",)


def test_a_form_with_a_table_below_it() -> None:
    text = """
        折旧计算表 | < | < | <
        编号 | 8    | 名称 | 风机
        原值 | 3960 | 残值率 | 0.05
        折旧明细 | < | < | <
        年份 | 年折旧额 | 累计 | 净值
        1    | 501.6 | 501.6 | 3458.4
        2    | 465.8 | 967.4 | 2992.6
        3    | 429.9 | 1397.3 | 2562.7
    """
    found = labelled_roles(text)
    assert found[1:3] == ["lvlv", "lvlv"]
    assert found[4:] == ["hhhh", "lvvv", "lvvv", "lvvv"]
    assert paths(text, "2992.6")[1][-1] == "净值"


def test_sections_of_a_form() -> None:
    text = """
        基本参数 | < | < | <
        乘员 | 1    | 长度 | 18.9
        性能数据 | < | < | <
        推重比 | 0.84 | 过载 | -3
    """
    assert labelled_roles(text) == ["n", "lvlv", "l", "lvlv"]
    assert paths(text, "0.84")[0] == ("性能数据", "推重比")


def test_a_list_that_alternates_is_no_form() -> None:
    """Words and numbers in turn under a header row are columns, not pairs."""
    text = "产品 | 销量 | 仓库 | 库存\n茶 | 15 | 东 | 100\n糖 | 25 | 西 | 200\n盐 | 35 | 东 | 300"
    assert labelled_roles(text)[0] == "hhhh"
    assert paths(text, "300")[1] == ("库存",)


def test_names_inside_a_header() -> None:
    """Under one header over two columns, the first names what the second holds."""
    text = """
        设备 | 日期       | 参数     | <
        甲机 | 2013-05-01 | 额定功率 | 29.5
        ^    | ^          | 转速     | 780
        乙机 | 2016-05-01 | 额定功率 | 31
        ^    | ^          | 转速     | 790
    """
    found = labelled_roles(text)
    assert all(row[-2:] == "lv" for row in found[1:])
    assert paths(text, "790")[0][-1] == "转速"


def test_a_line_of_pairs_above_a_table() -> None:
    text = """
        公司 | 甲公司 | 日期 | 2022-01-01
        银行 | 金额   | 利率 | 期限
        甲行 | 100    | 0.01 | 30
        乙行 | 200    | 0.02 | 60
    """
    assert labelled_roles(text) == ["lvlv", "hhhh", "lvvv", "lvvv"]
