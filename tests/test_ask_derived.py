"""Numbers that no cell states: worked out from cited cells, or refused where the cells do not go together."""

from __future__ import annotations

from decimal import Decimal

import pytest
from ask_store import ask


@pytest.mark.parametrize(
    ("question", "operation", "value", "unit"),
    [
        ("ACME Group FY2024 REVENUE增长率是多少", "growth", "11.86", "%"),
        ("ACME Group revenue growth FY2024", "growth", "11.86", "%"),
        ("ACME Group REVENUE 2024年比2023年增加了多少", "difference", "140", "USD"),
        ("By how much did ACME Group revenue grow in FY2024?", "difference", "140", "USD"),
        ("How much did ACME Group revenue increase from FY2023 to FY2024?", "difference", "140", "USD"),
        ("By what percentage did ACME Group revenue grow in FY2024?", "growth", "11.86", "%"),
        ("How fast did ACME Group revenue grow in FY2024?", "growth", "11.86", "%"),
        ("ACME Group FY2024 REVENUE增长了百分之几", "growth", "11.86", "%"),
        ("difference between ACME Group FY2024 and FY2023 revenue", "difference", "140", "USD"),
        ("ACME Group FY2024 OPERATING PROFIT占REVENUE的比例", "share", "9.17", "%"),
        ("ACME Group operating profit as a percentage of revenue FY2024", "share", "9.17", "%"),
        ("ratio of ACME Group FY2024 revenue to operating profit", "ratio", "10.91", "times"),
        ("sum of New sales of ACME Group over channels FY2024", "sum", "773", "USD"),
        ("which channel has the highest New sales of ACME Group in FY2024", "max", "410", "USD"),
        ("2024年净销售额最高的门店", "max", "179660", "HKD"),
        ("2024年净销售额最低的门店", "min", "81300", "HKD"),
        ("average net sales of the stores in 2024", "average", "130485", "HKD"),
        ("how many stores had net sales in 2024", "count", "20", ""),
        ("Harbour Light Group insurance revenue H2 2024", "remainder", "5283.8", "HKD"),
        ("ACME Group ROE增长率 2024", "difference", "1.7", "percentage points"),
        ("ACME Group REVENUE 2023年至2024年复合增长率", "cagr", "11.86", "%"),
    ],
)
def test_worked_out(question: str, operation: str, value: str, unit: str) -> None:
    """The operation that was asked for, its exact value, and every operand cited."""
    answer = ask(question)
    assert answer.mode == "answer", answer.answer
    assert answer.derivation is not None
    assert (answer.derivation.operation, answer.value, answer.unit) == (operation, value, unit)
    assert set(answer.derivation.operands) <= {fact.fact_id for fact in answer.facts}
    for fact in answer.facts[:2]:
        assert fact.source_locator in answer.answer or operation in ("max", "min")


def test_a_stated_number_goes_before_a_computed_one() -> None:
    """Where the document has the change itself, that cell is the answer."""
    answer = ask("港晖集团2024年总收入同比变动是多少")
    assert answer.derivation is None
    assert answer.facts[0].metric_label.endswith("同比变动")


def test_different_basis_is_refused() -> None:
    """Money and a percentage make no ratio."""
    answer = ask("ratio of ACME Group FY2024 revenue to ROE")
    assert answer.reason is not None
    assert answer.reason.code == "different_basis"


def test_several_at_once() -> None:
    """Two places and two periods are four lines, each with its own cell."""
    answer = ask("港晖集团香港和澳门2023年、2024年的总保费分别是多少")
    assert answer.mode == "answer"
    lines = answer.answer.splitlines()
    assert len(lines) == 4
    assert all("来源:" in line for line in lines)
    assert len(answer.sources) == 4


def test_ranking() -> None:
    """The first three of a list, in order, each cited."""
    answer = ask("2024年各门店净销售额排名前三")
    shown = [line for line in answer.answer.splitlines() if line[:1].isdigit()]
    assert len(shown) == 3
    values = [fact.value for fact in answer.facts[:3]]
    assert values == sorted(values, reverse=True)
    assert values[0] == Decimal(179660)


def test_number_and_reason() -> None:
    """A question for a number and its reason gets the number, and is told that the rest is prose."""
    answer = ask("ACME Group FY2024 REVENUE是多少，为什么下降")
    assert answer.value == "1320"
    assert any("为什么下降" in note for note in answer.assumptions)
