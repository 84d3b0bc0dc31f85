"""Answers without a model: quoted exactly, marked, and refused where the documents do not say."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from factspine import FactStore, ingest
from factspine.cite.validator import validate
from factspine.narrative.answers import NarrativeAnswer, answer_narrative
from factspine.narrative.search import open_index
from tests.test_narrative import write_book

OFFICES = """
Office     | Contact | City   | Opened     | Staff
Harbour 1  | 李明    | 香港   | 2009-03-02 | 12
Harbour 2  | Ana Lee | Macau  | 2016-12-30 | 7
Harbour 3  | 王芳    | 深圳   | 2018-05-11 | 9
"""
NOTE = "The Macau office moved because the old lease had ended. Rents rose by 4.5% in 2024."


@pytest.fixture
def store(tmp_path: Path) -> Iterator[FactStore]:
    write_book(tmp_path / "docs" / "offices.xlsx", OFFICES, note=NOTE)
    write_book(
        tmp_path / "docs" / "canteen.xlsx", "Dish | Price\nNoodles | 40", note="The canteen is closed on Sundays."
    )
    with FactStore(tmp_path / "facts.db") as opened:
        opened.init_schema()
        ingest(tmp_path / "docs", opened, jobs=1)
        yield opened


def holds(answer: NarrativeAnswer, store: FactStore) -> bool:
    """Whether the answer passes the same validator as a model's would, against the chunks as they are indexed."""
    with open_index(store) as index:
        chunks = [index.chunk(cited.chunk_id) for cited in answer.citations]
    retrieved: list[dict[str, Any]] = [
        {"chunk_id": chunk.chunk_id, "doc_id": chunk.doc_id, "rev": chunk.rev, "text": chunk.text}
        for chunk in chunks
        if chunk is not None
    ]
    cited = [one.as_dict() for one in answer.citations]
    return validate(answer.answer, cited, retrieved, allow_cross_section=True).ok


@pytest.mark.parametrize(
    ("question", "said", "cell"),
    [
        ("Who is the contact of Harbour 2?", "Ana Lee", "B3"),
        ("Harbour 1的contact是谁？", "李明", "B2"),
        ("When was Harbour 3 opened?", "2018-05-11", "D4"),
        ("Which city is Harbour 2 in?", "Macau", "C3"),
    ],
)
def test_a_cell_of_text_is_quoted_with_its_place(store: FactStore, question: str, said: str, cell: str) -> None:
    """Names, dates and places are answered by the cell where header and row meet."""
    answer = answer_narrative(question, store)
    assert answer.mode == "answer"
    assert answer.answer == f"{said} [†1]"
    assert f"sheet=Offices,cell={cell}" in answer.sources[0]["locator"]
    assert holds(answer, store)


def test_a_sentence_is_quoted_word_for_word(store: FactStore) -> None:
    """Why something happened is answered in the document's own words."""
    answer = answer_narrative("Why did the Macau office move?", store)
    assert answer.answer == "The Macau office moved because the old lease had ended [†1]."
    assert answer.sources == [{"doc": "offices.xlsx", "locator": "sheet=Notes,cell=A1"}]
    assert answer.with_sources.endswith("[†1]. (source: offices.xlsx sheet=Notes,cell=A1)")
    assert holds(answer, store)


@pytest.mark.parametrize("question", ["Who is the president of France?", "公司的股息政策是什么？", "zzz"])
def test_what_no_document_says_is_refused(store: FactStore, question: str) -> None:
    """Insufficient evidence, in the language of the question, with at most three candidates and no citation."""
    answer = answer_narrative(question, store)
    assert answer.mode == "refuse"
    assert answer.citations == ()
    assert len(answer.candidates) <= 3
    assert ("证据不足" in answer.answer) == (answer.language == "zh")


def test_near_passages_are_offered_not_given(store: FactStore) -> None:
    """Candidates say where one might look; they are no answer."""
    answer = answer_narrative("What did the Macau landlord say about parking and the fire escape?", store)
    assert answer.mode == "refuse"
    assert answer.candidates


def test_a_question_may_be_put_to_some_documents_only(store: FactStore) -> None:
    """What stands in another document is not found."""
    asked = "When is the canteen closed?"
    assert answer_narrative(asked, store, documents=["canteen.*"]).mode == "answer"
    assert answer_narrative(asked, store, documents=["offices.*"]).mode == "refuse"


def test_a_codeword_is_answered_until_its_document_is_withdrawn(store: FactStore, tmp_path: Path) -> None:
    """A nonsense fact that stands only in the bytes of one document: quoted with its cell, then gone with it."""
    write_book(tmp_path / "docs" / "plan.xlsx", "Animal | Codeword\nHeron | brillig-77\nOtter | mimsy-12")
    ingest(tmp_path / "docs", store, jobs=1)
    answer = answer_narrative("What is the codeword of the heron?", store)
    assert (answer.mode, answer.cell_text) == ("answer", "brillig-77")
    assert "sheet=Offices,cell=B2" in answer.sources[0]["locator"]
    assert answer.citations[0].rev == next(one for one in store.documents() if one.doc_id == "plan.xlsx").file_hash
    (tmp_path / "docs" / "plan.xlsx").unlink()
    ingest(tmp_path / "docs", store, jobs=1)
    assert answer_narrative("What is the codeword of the heron?", store).mode == "refuse"
