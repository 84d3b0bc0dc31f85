"""A question in one language to a table in the other: what both languages have a name for is found, the rest is not."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_ask_understanding import _asked

SALES = """
Sales by region, EUR million |  |
Region | 2021 | 2022
Coast | 5.1 | 6.3
Uplands | 2.2 | 2.9
"""
PEOPLE = """
Suburb | Male | Female | Median age
Saltmarsh | 410 | 433 | 39.2
Fernhill | 220 | 207 | 44.1
"""
STATEMENT = """
项目 | 2021年 | 2022年
营业收入 | 810 | 905
研发费用 | 66 | 71
存货 | 120 | 131
"""
FORM = """
职工人数 | 214 | 资产总额（万元） | 5120
净利润（万元） | 433 | 研发费用（万元） | 87
"""


@pytest.mark.parametrize(
    ("table", "question", "value"),
    [
        (SALES, "2022年Uplands的销售额", "2.9"),
        (PEOPLE, "Saltmarsh的女性人数", "433"),
        (PEOPLE, "哪个郊区的年龄中位数最高", "44.1"),
        (PEOPLE, "Fernhill有多少男性", "220"),
        (STATEMENT, "What was revenue in 2022?", "905"),
        (STATEMENT, "How much did the company spend on research and development in 2021?", "66"),
        (STATEMENT, "inventories in 2022", "131"),
        (FORM, "What is the net profit?", "433"),
        (FORM, "What were total assets?", "5120"),
    ],
)
def test_what_both_languages_have_a_name_for_is_found(tmp_path: Path, table: str, question: str, value: str) -> None:
    """Metrics, people and what a title says the table measures."""
    (answer,) = _asked(tmp_path, table, question)
    assert (answer.mode, answer.value) == ("answer", value), answer.answer


@pytest.mark.parametrize(
    ("table", "question"),
    [
        (SALES, "2022年Uplands的成本"),
        (SALES, "2022年Uplands的线上销售额"),
        (SALES, "2022年海岸的销售额"),
        (PEOPLE, "Saltmarsh的女教师人数"),
        (PEOPLE, "Saltmarsh的收入中位数"),
        (STATEMENT, "What was revenue from hardware in 2022?"),
        (STATEMENT, "marketing expenses in 2022"),
        (FORM, "What is the net profit per employee?"),
        (FORM, "How many female employees are there?"),
        (FORM, "What is the floor area?"),
    ],
)
def test_what_is_not_there_is_refused_in_either_language(tmp_path: Path, table: str, question: str) -> None:
    """A word that neither the table nor the lexicon has in the other language accounts for nothing."""
    (answer,) = _asked(tmp_path, table, question)
    assert answer.mode != "answer", answer.answer
