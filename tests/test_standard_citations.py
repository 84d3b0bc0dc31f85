"""What we print is held to what we ask of others: every citation of every answer passes our own validator."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from factspine.cite.gates import structure_codes
from factspine.cite.traces import traces_of
from factspine.core.answers import Answer
from factspine.core.citations import FIELDS, Citation
from factspine.evaluation.resolving import reread
from factspine.narrative.answers import answer_narrative
from factspine.narrative.building import refresh
from factspine.narrative.index import NarrativeIndex
from factspine.narrative.search import open_index
from tests.ask_paraphrases import answerable, paraphrases
from tests.ask_store import ask, demo_store

# Growth, share, difference, sum, average, ranking, a list, a restated year: answers with several cells each.
DERIVED = (
    "What was the growth of Revenue of Harbour Light Group in FY2024?",
    "港晖集团2024年总保费同比增长多少",
    "What is the difference between Revenue of Harbour Light Group in FY2024 and FY2023?",
    "What was the operating margin of Harbour Light Group in FY2024?",
    "What were Macau's and Hong Kong's claims ratio in FY2024?",
    "澳门和香港2024年赔付率分别是多少",
)
IN_WORDS = (
    "Why did revenue in Mainland China grow?",
    "What does growth in 2025 depend on?",
    "When are premiums recognised?",
    "How did the margin improve?",
    "收入增长的原因是什么？",
    "内地保费增长主要由什么带动？",
    "Where is the Wan Chai store?",
)


@pytest.fixture(scope="module")
def index() -> Iterator[NarrativeIndex]:
    with open_index(demo_store()) as opened:
        refresh(opened, demo_store())
        yield opened


def holds(citations: tuple[Citation, ...], index: NarrativeIndex) -> bool:
    printed = [one.as_dict() for one in citations]
    assert all(tuple(record) == FIELDS for record in printed)
    assert structure_codes(printed) == ()
    return reread(citations, demo_store(), index).ok


def test_the_citation_of_every_number_holds(index: NarrativeIndex) -> None:
    """A question about each fact of the demo that can be asked for: all its citations are ok, and can be traced."""
    facts = answerable(demo_store().facts())
    answers = [ask(asked.question) for fact in facts[::5] for asked in paraphrases(fact, seed=1)]
    given = [answer for answer in answers if answer.mode == "answer"]
    assert len(given) > 100
    assert [answer.question for answer in given if not holds(answer.cited, index)] == []
    assert all(traces_of(answer, ts="2025-05-01") for answer in given)


@pytest.mark.parametrize("question", DERIVED)
def test_the_citations_of_computed_answers_hold(question: str, index: NarrativeIndex) -> None:
    """Every operand is cited, ranked in the order of the answer, and ok."""
    answer = ask(question)
    assert answer.mode == "answer"
    assert [one.k_final for one in answer.cited] == list(range(1, len(answer.facts) + 1))
    assert holds(answer.cited, index)


@pytest.mark.parametrize("question", IN_WORDS)
def test_the_citations_of_quotations_hold(question: str, index: NarrativeIndex) -> None:
    """Every quotation is ok against the index as it is, has a score and a rank, and is near enough to be cited."""
    answer = answer_narrative(question, demo_store(), index=index)
    assert answer.mode == "answer"
    assert holds(answer.citations, index)
    for one in answer.citations:
        assert one.k_pos is not None
        assert one.similarity is not None
        assert one.similarity >= 0.1


def test_an_answer_without_a_source_cannot_be_made() -> None:
    """Not by mistake either: the record itself refuses."""
    with pytest.raises(ValueError, match="without a source"):
        Answer(question="q", mode="answer", answer="42", language="en")
