"""A plan is no outcome: where there is only a plan, the question is asked back, with the plan to ask for."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_ask_understanding import _asked

STALLS = """
摊位 | 2021年实际 | 2022年预算 | 2022年同比
东市 | 61.5 | 70 | 13.8%
西市 | 48.2 | 50 | 3.7%
"""
GOALS = """
Metric | 2023 Actual | 2024 Plan | 2025 Plan
Headcount | 310 | 345 | 360
Parcels delivered | 5200 | 5950 | 6400
"""
BOTH = """
Metric | 2023 Actual | 2023 Plan
Headcount | 310 | 305
"""


@pytest.mark.parametrize(
    ("table", "question", "plan"),
    [
        (STALLS, "东市2022年是多少", "预算"),
        (STALLS, "2022年西市", "预算"),
        (GOALS, "headcount in 2024", "budget"),
        (GOALS, "How many parcels will be delivered in 2025?", "budget"),
    ],
)
def test_a_plan_alone_is_asked_back(tmp_path: Path, table: str, question: str, plan: str) -> None:
    """No other column of that year is given instead; the question to ask names the plan."""
    (answer,) = _asked(tmp_path, table, question)
    assert answer.mode == "clarify", answer.answer
    assert answer.value is None
    assert answer.reason is not None
    assert answer.reason.code == "only_plan"
    assert plan in answer.candidates[0].question


@pytest.mark.parametrize(
    ("table", "question", "value"),
    [
        (STALLS, "东市2022年预算是多少", "70"),
        (STALLS, "东市2022年同比", "13.8"),
        (STALLS, "西市2021年是多少", "48.2"),
        (GOALS, "planned headcount in 2024", "345"),
        (GOALS, "headcount in 2023", "310"),
        (BOTH, "headcount in 2023", "310"),
        (BOTH, "headcount plan 2023", "305"),
    ],
)
def test_an_outcome_or_the_plan_asked_for_is_answered(tmp_path: Path, table: str, question: str, value: str) -> None:
    """Where both are there, whoever says neither means the outcome."""
    (answer,) = _asked(tmp_path, table, question)
    assert (answer.mode, answer.value) == ("answer", value), answer.answer


QUARTERS = "产品 | 2022年第一季度 | 2022年第二季度\n台灯 | 210 | 190\n吊扇 | 80 | 305"
SPRINGS = "产品 | 2022年第二季度 | 2023年第二季度\n台灯 | 210 | 190\n吊扇 | 80 | 305"


@pytest.mark.parametrize("question", ["台灯第二季度", "台灯二季度是多少"])
def test_the_only_year_of_a_table_is_not_put_in_silently(tmp_path: Path, question: str) -> None:
    """Where there is one second quarter, the answer is of that one, and says that its year was not said."""
    (answer,) = _asked(tmp_path, QUARTERS, question)
    assert (answer.mode, answer.value, answer.period) == ("answer", "190", "2022Q2"), answer.answer
    assert any("2022" in told and "年份" in told for told in answer.assumptions)


@pytest.mark.parametrize("question", ["台灯第二季度", "台灯二季度是多少", "台灯第三季度"])
def test_a_quarter_without_its_year_is_asked_back(tmp_path: Path, question: str) -> None:
    """Where there are two, or none, nobody can tell which is meant."""
    (answer,) = _asked(tmp_path, SPRINGS, question)
    assert answer.mode == "clarify", answer.answer
    assert answer.reason is not None
    assert answer.reason.code == "year_missing"
