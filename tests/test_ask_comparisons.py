"""One figure measured by another: the second side of a comparison says only what is different."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_ask_understanding import _asked

SHOPS = """
门店 | 2021年实际 | 2022年实际 | 2022年预算 | 2023年预算
南门店 | 205 | 231 | 240 | 262
码头店 | 98 | 87 | 110 | 95
"""
MARKS = """
姓名 | 语文 | 数学
白羽 | 81 | 92
蔡明 | 77 | 95
"""
VISITS = """
科室 | 2022年1月门诊量 | 2022年2月门诊量
儿科 | 640 | 581
外科 | 310 | 335
"""
GOALS = """
Metric | 2023 Actual | 2024 Plan
Headcount | 310 | 345
Parcels delivered | 5200 | 5950
"""
QUARTERS = """
 | Q2 2022 | Q2 2023 | Plan Q2 2023
Revenue | 40 | 46.5 | 45
EBITDA | 9 | 11.2 | 12
"""
QUARTERS_OF_YEAR = """
产品 | 2022年第一季度 | 2022年第二季度
台灯 | 210 | 190
吊扇 | 80 | 305
门铃 | 95 | 60
"""
TOWNS = """
Town | Owners | Median age
Alder | 14.0 | 41.5
Quillan | 9.5 | 36.2
"""


@pytest.mark.parametrize(
    ("table", "question", "value"),
    [
        (SHOPS, "南门店2023年预算比2022年实际增加多少", "31"),
        (SHOPS, "南门店2022年实际比预算少多少", "-9"),
        (SHOPS, "码头店2022年实际比2021年实际高多少", "-11"),
        (SHOPS, "码头店2022年预算与实际相差多少", "23"),
        (SHOPS, "南门店2022年实际低于预算多少", "-9"),
        (SHOPS, "2022年预算南门店比码头店高多少", "130"),
        (MARKS, "蔡明的数学比白羽高多少", "3"),
        (MARKS, "白羽的语文比数学低多少", "-11"),
        (VISITS, "儿科2022年2月门诊量比1月少多少", "-59"),
        (VISITS, "2022年1月儿科的门诊量比外科多多少", "330"),
        (GOALS, "By how much is headcount planned to rise from 2023 actual to 2024 plan?", "35"),
        (GOALS, "difference between parcels delivered 2024 plan and 2023 actual", "750"),
        (QUARTERS, "By how much did revenue in Q2 2023 exceed plan?", "1.5"),
        (QUARTERS, "difference between actual and plan EBITDA in Q2 2023", "-0.8"),
        (QUARTERS, "How much higher is EBITDA in Q2 2023 than in Q2 2022?", "2.2"),
        (QUARTERS, "By how much did EBITDA grow from Q2 2022 to Q2 2023?", "2.2"),
        (TOWNS, "How much higher is the median age in Alder than in Quillan?", "5.3"),
        (TOWNS, "By how much do owners in Alder exceed owners in Quillan?", "4.5"),
    ],
)
def test_the_second_side_says_only_what_is_different(tmp_path: Path, table: str, question: str, value: str) -> None:
    """What it leaves out it takes from the first; a plan is compared with an outcome where both are named."""
    (answer,) = _asked(tmp_path, table, question)
    assert (answer.mode, answer.value) == ("answer", value), answer.answer
    assert answer.derivation is not None
    assert len(answer.facts) == 2


@pytest.mark.parametrize(
    ("table", "question"),
    [
        (SHOPS, "南门店2023年预算比2022年高多少"),  # budget or actual of 2022: there are both
        (SHOPS, "南门店2023年预算比2020年实际高多少"),
        (SHOPS, "南门店2023年预算比塔楼店高多少"),
        (MARKS, "蔡明的数学比周正高多少"),
        (MARKS, "蔡明的数学比英语高多少"),
        (VISITS, "儿科2022年2月门诊量比3月少多少"),
        (QUARTERS, "By how much did revenue in Q2 2023 exceed the forecast?"),
        (QUARTERS, "By how much did online revenue in Q2 2023 exceed plan?"),
        (QUARTERS, "By how much did revenue in Q2 2023 exceed costs?"),
        (TOWNS, "How much higher is the median age in Alder than in Rosefield?"),
        (TOWNS, "How much higher is the median income in Alder than in Quillan?"),
    ],
)
def test_no_side_is_given_for_the_difference(tmp_path: Path, table: str, question: str) -> None:
    """Where one of the sides is not there, or could be two things, neither is the answer."""
    (answer,) = _asked(tmp_path, table, question)
    assert answer.mode != "answer", answer.answer


@pytest.mark.parametrize(
    ("table", "question", "value"),
    [
        (QUARTERS_OF_YEAR, "台灯和吊扇2022年第一季度之和", "290"),
        (QUARTERS_OF_YEAR, "sum of 台灯 and 门铃 in Q2 2022", "250"),
    ],
)
def test_two_rows_are_added_in_one_quarter(tmp_path: Path, table: str, question: str, value: str) -> None:
    """A quarter that is said of both is not taken apart into its months."""
    (answer,) = _asked(tmp_path, table, question)
    assert (answer.mode, answer.value) == ("answer", value), answer.answer
