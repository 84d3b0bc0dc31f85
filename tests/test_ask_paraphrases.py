"""Questions made from facts, put in the ways people put them, find that fact and its cell."""

from __future__ import annotations

import os
from decimal import Decimal

from ask_paraphrases import answerable, paraphrases
from ask_store import ask, demo_store

# All of them with FACTSPINE_TEST_SCALE; a seventh otherwise.
_STEP = 1 if os.environ.get("FACTSPINE_TEST_SCALE") else 7


def test_at_least_three_hundred_questions_can_be_made() -> None:
    """The demo documents hold more than 300 facts that a question can name without doubt."""
    assert len(answerable(demo_store().facts())) * 2 >= 300


def test_value_and_citation_are_right() -> None:
    """Of questions whose answer is in a document, at least 98 in 100 get it, with its cell; none gets another."""
    right, wrong, missed = 0, [], []
    for seed, fact in enumerate(answerable(demo_store().facts())):
        if seed % _STEP:
            continue
        for asked in paraphrases(fact, seed):
            answer = ask(asked.question)
            cited = {"doc": fact.source_doc_id, "locator": fact.source_locator} in answer.sources
            if answer.mode != "answer" or answer.value is None or answer.scale is None:
                missed.append(asked.question)
            elif cited and Decimal(answer.value).scaleb(answer.scale) == fact.value.scaleb(fact.scale):
                right += 1
            else:
                wrong.append(asked.question)
    assert not wrong
    assert right >= 0.98 * (right + len(missed)), missed[:10]
