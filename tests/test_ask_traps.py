"""Questions that must not be answered: whoever asks for what is not there gets a reason, never a number."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from ask_store import ask

from factspine.core.answers import Answer

TRAPS = [
    json.loads(line)
    for line in Path(__file__).with_name("ask_traps.jsonl").read_text(encoding="utf-8").splitlines()
    if line.strip()
]


def test_the_traps_are_many_and_in_both_languages() -> None:
    """At least 150 questions, of every kind that went wrong elsewhere, in Chinese and in English."""
    assert len(TRAPS) >= 150
    chinese = sum(any("㐀" <= mark <= "鿿" for mark in trap["question"]) for trap in TRAPS)
    assert 50 <= chinese <= len(TRAPS) - 50
    assert len(Counter(trap["kind"] for trap in TRAPS)) >= 10


@pytest.mark.parametrize("kind", sorted({trap["kind"] for trap in TRAPS}))
def test_no_number_is_given(kind: str) -> None:
    """A question of this kind is refused or asked back, with a reason in words and no value."""
    for trap in (trap for trap in TRAPS if trap["kind"] == kind):
        answer = ask(trap["question"])
        assert answer.mode in ("refuse", "clarify"), f"{trap['question']}: {answer.answer}"
        assert answer.value is None
        assert answer.reason is not None
        assert answer.reason.message


@pytest.mark.parametrize(
    ("question", "word"),
    [
        ("ACME Group FY2024 每股REVENUE是多少", "每股"),
        ("ACME Group organic revenue FY2024", "organic"),
        ("ACME Group revenue excluding disposals FY2024", "excluding"),
        ("Monroe Inc ROE FY2024", "Monroe"),
        ("特斯拉FY2024营收是多少", "特斯拉"),
        ("深圳FY2024营收", "深圳"),
        ("港晖集团2024年扣非净利润", "扣非"),
    ],
)
def test_the_refusal_names_the_word(question: str, word: str) -> None:
    """Whoever is refused because of a word is told which."""
    answer = ask(question)
    assert answer.reason is not None
    assert word in answer.reason.words
    assert word in answer.answer


def test_a_near_label_is_offered_and_not_given() -> None:
    """Operating profit is a suggestion for non-operating profit, never its answer."""
    answer = ask("Harbour Light Group FY2024 non-operating profit")
    assert answer.mode == "refuse"
    assert any("Operating profit" in suggestion.question for suggestion in answer.candidates)


def test_suggestions_can_be_asked() -> None:
    """What is offered instead is itself answered, with a number."""
    for question in ("ACME Group revenue in Q1 2024", "ACME Group REVENUE", "港晖集团2018年总收入是多少"):
        offered = ask(question).candidates
        assert offered
        for suggestion in offered:
            assert ask(suggestion.question).mode == "answer", suggestion.question


def test_every_suggestion_leads_somewhere() -> None:
    """What is offered instead of an answer is answered when asked, or at least not turned away for the same reason."""
    asked: dict[str, Answer] = {}
    tried = answered = 0
    for trap in TRAPS:
        refused = ask(trap["question"])
        assert refused.reason is not None
        if refused.reason.code == "insufficient_evidence":
            continue  # passages are offered there, no questions
        for suggestion in refused.candidates:
            answer = asked.setdefault(suggestion.question, ask(suggestion.question))
            tried += 1
            answered += answer.mode == "answer"
            same = answer.reason is not None and (answer.reason.code, answer.reason.words) == (
                refused.reason.code,
                refused.reason.words,
            )
            assert answer.mode == "answer" or not same, f"{trap['question']} -> {suggestion.question}"
    assert tried > 200
    assert answered >= 0.97 * tried


def test_suggestions_share_a_word_with_the_question() -> None:
    """Whoever asks for gross profit is offered profits, not something else that is gross."""
    for suggestion in ask("gross profit of Harbour Light Group FY2024").candidates:
        assert "profit" in suggestion.question.lower()


@pytest.mark.parametrize(
    "question", ["", "   ", "?" * 5000, "营收" * 3000, "\x00", "%%%", "\U0001f600", "a" * 999, "的" * 900]
)
def test_odd_questions_do_no_harm(question: str) -> None:
    """Whatever is typed is refused in words; nothing fails and nothing is answered."""
    answer = ask(question)
    assert answer.mode == "refuse"
    assert answer.reason is not None
