"""A question to the analytic copy gets the answer the store gives, byte for byte."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from ask_paraphrases import answerable, paraphrases
from ask_store import TODAY, demo_store

from factspine import FactStore, answer_question
from factspine.analytics.copying import follow
from factspine.narrative.search import search

_HERE = Path(__file__).parent
_STEP = 1 if os.environ.get("FACTSPINE_TEST_SCALE") else 12
GOLD = [json.loads(line) for line in (_HERE.parent / "data" / "gold_questions.jsonl").read_text("utf-8").splitlines()]
TRAPS = [json.loads(line) for line in (_HERE / "ask_traps.jsonl").read_text("utf-8").splitlines() if line.strip()]


@pytest.fixture(scope="module")
def copy() -> Iterator[FactStore]:
    with FactStore(f"duckdb:///{follow(demo_store())}") as opened:
        yield opened


def told(question: str, store: FactStore, **options: object) -> str:
    answer = answer_question(question, store, today=TODAY, **options).to_json()  # type: ignore[arg-type]
    del answer["elapsed_ms"]
    return json.dumps(answer, ensure_ascii=False)


def test_demo_questions_are_answered_alike(copy: FactStore) -> None:
    """Every demo question in all its forms, of the whole store and of its own document."""
    for gold in GOLD:
        for question in (gold["question"], *gold.get("paraphrases", ())):
            assert told(question, copy) == told(question, demo_store())
        if gold.get("doc"):
            documents = (gold["doc"],)
            assert told(gold["question"], copy, documents=documents) == told(
                gold["question"], demo_store(), documents=documents
            )


def test_traps_are_refused_alike(copy: FactStore) -> None:
    """The same reason, the same words, the same suggestions."""
    for trap in TRAPS[:: 1 if _STEP == 1 else 3]:
        assert told(trap["question"], copy) == told(trap["question"], demo_store())


def test_paraphrases_are_answered_alike(copy: FactStore) -> None:
    """Questions made from facts, in both languages."""
    for seed, fact in list(enumerate(answerable(demo_store().facts())))[::_STEP]:
        for asked in paraphrases(fact, seed):
            assert told(asked.question, copy) == told(asked.question, demo_store())


def test_search_finds_the_same_quotations(copy: FactStore) -> None:
    """The index made from the copy is the one made from the store."""
    for question in ("why did revenue grow", "营收增长原因"):
        assert search(question, copy).as_dict() == search(question, demo_store()).as_dict()


def test_tables_passages_and_places_are_the_same(copy: FactStore) -> None:
    """Whatever else a reader of the store asks for."""
    store = demo_store().seen_by(None)
    for record in store.documents():
        if not record.reading_id:
            continue
        assert copy.tables(record.doc_id) == store.tables(record.doc_id)
        assert copy.passages(record.doc_id) == store.passages(record.doc_id)
        assert copy.ledger(record.doc_id) == store.ledger(record.doc_id)
        assert copy.document_history(record.doc_id) == store.document_history(record.doc_id)
        for table in store.tables(record.doc_id):
            assert copy.table(record.doc_id, table.locator) == store.table(record.doc_id, table.locator)
    for fact in list(store.facts())[::20]:
        place = fact.source_doc_id, fact.source_locator
        assert copy.fact_at(*place) == store.fact_at(*place) == fact
    assert copy.findings() == store.findings()
    assert copy.head() == store.head()
