"""Plan and outcome, restated and first reported, group and parent: asked for together, both are told."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from drawn_books import TODAY, store_of, told

from factspine import FactStore, answer_question

BOOKS = {
    "plan.xlsx": {
        "P&L": """
US$ million | FY2023 Actual | FY2024 Actual | FY2024 Budget | FY2025 Forecast
Revenue | 300 | 330 | 350 | 400
Operating profit | 30 | 33 | 31 | 44
"""
    },
    "costs.xlsx": {
        "预算执行": """
单位：万元
项目 | 2024年预算 | 2024年实际
管理费用 | 500 | 530
销售费用 | 200 | 190
"""
    },
    "restated.xlsx": {
        "S": """
HK$ million | FY2023 (as reported) | FY2023 (restated) | FY2024
Finance costs | 71 | 74 | 80
"""
    },
}
BOTH = [
    ("plan.xlsx", "actual revenue vs budget FY2024", ["330", "350"]),
    ("plan.xlsx", "FY2024 revenue actual vs budget", ["330", "350"]),
    ("plan.xlsx", "revenue budget and actual for FY2024", ["350", "330"]),
    ("plan.xlsx", "FY2024 operating profit: actual versus budget", ["33", "31"]),
    ("plan.xlsx", "FY2024 revenue vs plan", ["330", "350"]),
    ("plan.xlsx", "revenue FY2025 forecast vs FY2024 actual", ["400", "330"]),
    ("costs.xlsx", "2024年管理费用预算与实际", ["500", "530"]),
    ("costs.xlsx", "2024年管理费用的预算和实际分别是多少", ["500", "530"]),
    ("costs.xlsx", "2024年销售费用预算数和实际数对比", ["200", "190"]),
    ("restated.xlsx", "FY2023 finance costs restated vs as reported", ["74", "71"]),
]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FactStore]:
    with store_of(tmp_path_factory.mktemp("against"), BOOKS) as opened:
        yield opened


@pytest.mark.parametrize(("document", "question", "values"), BOTH)
def test_both_are_told_with_their_cells(store: FactStore, document: str, question: str, values: list[str]) -> None:
    """One of the two alone would answer half of the question."""
    for documents in ([document], []):
        answer = answer_question(question, store, today=TODAY, documents=documents)
        assert (answer.mode, [str(fact.value) for fact in answer.facts]) == ("answer", values), answer.answer


def test_the_one_that_is_missing_is_named(store: FactStore) -> None:
    """What there is is told, and of the other that there is none."""
    answer = answer_question("actual vs forecast revenue FY2025", store, today=TODAY)
    assert [str(fact.value) for fact in answer.facts] == ["400"]
    assert answer.answer.startswith("actual: There is only a budget, forecast or hidden figure of “Revenue”")


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("2024年管理费用实际比预算超支多少", "30"),
        ("2024年销售费用实际与预算的差异", "-10"),
        ("revenue variance to budget FY2024", "-20"),
        ("How much was revenue below budget in FY2024?", "-20"),
    ],
)
def test_how_far_they_are_apart_is_worked_out(store: FactStore, question: str, value: str) -> None:
    """Who asks for the difference gets it, worked out from both."""
    assert told(answer_question(question, store, today=TODAY)) == ("answer", value)


@pytest.mark.parametrize(
    "question", ["actual net debt vs budget FY2024", "2024年研发费用预算与实际", "revenue vs budget FY2023 in Japan"]
)
def test_what_is_not_there_is_refused(store: FactStore, question: str) -> None:
    """Neither side is made up."""
    assert answer_question(question, store, today=TODAY).mode == "refuse"
