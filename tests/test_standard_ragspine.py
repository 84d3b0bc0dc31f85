"""Provenance: lineage is in the table, in every chunk and in every answer; vetted answers bring their own source."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import date
from pathlib import Path

import pytest

from factspine import FactStore, answer_question, ingest, search
from factspine.cite.prompts import material
from factspine.core.answers import Answer
from factspine.core.chunks import Chunk, ChunkPart
from factspine.core.errors import UsageError
from factspine.narrative.building import refresh
from factspine.narrative.faq import Faq
from factspine.narrative.search import open_index
from tests.ask_store import ask, demo_store
from tests.commandline import run
from tests.test_narrative import write_book

TODAY = date(2025, 3, 31)
NOTE = "The complaints hotline is 2000 1234. Complaints are answered within five days. Rents rose by 4.5% in 2024."
TABLE = "Office | Staff | Rent\nHarbour 1 | 12 | 400\nHarbour 2 | 7 | 350"
FAQ = """
[[faq]]
question = "What is the complaints hotline?"
aliases = ["complaints phone number", "投诉电话是多少"]
answer = "Call 2000 1234, the complaints hotline."
doc = "offices.xlsx"
locator = "sheet=Notes,cell=A1"
until = 2025-12-31

[[faq]]
question = "What was Staff of Harbour 1?"
answer = "There were enough."
doc = "offices.xlsx"
locator = "sheet=Notes,cell=A1"

[[faq]]
question = "Who mends the lift?"
answer = "The lift is mended by ten people of 9,999."
doc = "offices.xlsx"
locator = "sheet=Notes,cell=A1"

[[faq]]
question = "Who reads this?"
answer = "Whoever can."
doc = "gone.xlsx"
locator = "sheet=Notes,cell=A1"
"""


@pytest.fixture
def store(tmp_path: Path) -> Iterator[FactStore]:
    write_book(tmp_path / "docs" / "offices.xlsx", TABLE, note=NOTE)
    with FactStore(tmp_path / "facts.db") as opened:
        opened.init_schema()
        ingest(tmp_path / "docs", opened, jobs=1)
        yield opened


@pytest.fixture
def faq(tmp_path: Path) -> Path:
    path = tmp_path / "vetted.toml"
    path.write_text(FAQ, encoding="utf-8")
    return path


@pytest.mark.parametrize("column", ["source_doc_id", "source_locator"])
def test_a_fact_cannot_be_stored_without_its_lineage(column: str) -> None:
    """Both columns are NOT NULL in `fact_metric`."""
    path = demo_store().path
    assert path is not None
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as database:
        columns = {row[1]: row for row in database.execute("PRAGMA table_info(fact_metric)")}
    assert columns[column][3] == 1


def test_a_chunk_cannot_be_made_without_its_lineage() -> None:
    """Neither document nor locator may be missing; and no chunk of the index lacks them."""
    part = ChunkPart("page=1,para=1", 0, 4, 0)
    for doc, locator in (("", "page=1,para=1"), ("a.pdf", "")):
        with pytest.raises(ValueError, match="is not a chunk"):
            Chunk(
                chunk_id="c",
                doc_id=doc,
                source_locator=locator,
                kind="text",
                text="text",
                parts=(part,),
                rev="r",
                extractor_version="1",
                chunker_version="1",
            )
    with open_index(demo_store()) as index:
        refresh(index, demo_store())
        chunks = [chunk for doc in index.documents() for chunk in index.chunks_of(doc)]
    assert len(chunks) > 100
    assert all(chunk.doc_id and chunk.source_locator for chunk in chunks)


def test_lineage_travels_to_the_answer() -> None:
    """`result.sources` is document and locator of the stored row, and the line says the same."""
    result = ask("中国内地FY2024的REVENUE是多少")
    fact = result.facts[0]
    assert result.sources == [{"doc": fact.source_doc_id, "locator": fact.source_locator}]
    assert f"(来源:{fact.source_doc_id} · {fact.source_locator})" in result.answer
    assert result.to_json()["sources"] == result.sources
    stored = demo_store().fact(fact.fact_id)
    assert stored is not None
    assert (stored.source_doc_id, stored.source_locator) == (fact.source_doc_id, fact.source_locator)


def test_every_line_of_several_keeps_its_source() -> None:
    """Computed and listed answers name the cell of each operand."""
    for question in ("澳门和香港2024年赔付率分别是多少", "港晖集团2024年总保费同比增长多少"):
        result = ask(question)
        assert len(result.sources) > 1
        assert all(f"{one['doc']} · {one['locator']}" in result.answer for one in result.sources)


@pytest.mark.parametrize(
    ("question", "opening"),
    [("Why did revenue in Mainland China grow?", " (source: "), ("内地保费为什么增长？", "(来源:")],
)
def test_a_quotation_says_where_it_stands(question: str, opening: str) -> None:
    """Narrative snippets end in `(来源:{doc} {locator})`, and in English likewise."""
    result = ask(question)
    assert result.mode == "answer"
    places = "; ".join(f"{one['doc']} {one['locator']}" for one in result.sources)
    assert result.answer.endswith(f"{opening}{places})")
    assert [one.locator for one in result.quotes]


def test_a_model_is_told_where_every_snippet_stands() -> None:
    """Each fenced snippet carries `(来源:{doc} {locator})`, so that a source can be named as it was given."""
    hits = search("Why did revenue in Mainland China grow?", demo_store(), top=3).hits
    told = material("Why?", [{**hit.citation.as_dict(), "text": hit.chunk.text} for hit in hits])
    for hit in hits:
        assert f'source="(来源:{hit.citation.doc_id} {hit.citation.locator})"' in told


def test_a_number_without_a_cell_is_no_answer() -> None:
    """Lineage cannot be dropped on the way: the record refuses."""
    with pytest.raises(ValueError, match="without the cell"):
        Answer(question="q", mode="answer", answer="42", language="en", value="42")


def test_a_vetted_answer_comes_with_its_own_source(store: FactStore, faq: Path) -> None:
    """Exactly the question or an alias, up to width, case and punctuation; the citation is of the stored passage."""
    vetted = Faq.load(faq, today=TODAY)
    for question in ("What is the complaints hotline?", "what is the complaints hotline", "投诉电话是多少？"):
        answer = answer_question(question, store, today=TODAY, faq=vetted)
        assert answer.mode == "answer"
        assert answer.answer.startswith("Call 2000 1234, the complaints hotline [†1].")
        assert answer.sources == [{"doc": "offices.xlsx", "locator": "sheet=Notes,cell=A1"}]
        assert answer.quotes[0].rev == store.documents()[0].file_hash
        assert answer.quotes[0].snippet.startswith("The complaints hotline is 2000 1234.")


def test_a_vetted_answer_is_never_given_by_likeness(store: FactStore, faq: Path) -> None:
    """A similar question is searched like any other."""
    vetted = Faq.load(faq, today=TODAY)
    for question in ("What is the sales hotline?", "What is the complaints hotline of Macau?", "complaints"):
        assert "Call 2000 1234" not in answer_question(question, store, today=TODAY, faq=vetted).answer


def test_a_vetted_answer_expires(store: FactStore, faq: Path) -> None:
    """On its last day it holds; the day after it is silent."""
    question = "What is the complaints hotline?"
    for day, given in ((date(2025, 12, 31), True), (date(2026, 1, 1), False)):
        answer = answer_question(question, store, today=day, faq=Faq.load(faq, today=day))
        assert answer.answer.startswith("Call 2000 1234") == given


def test_numbers_are_never_vetted(store: FactStore, faq: Path) -> None:
    """A question for a metric goes to the facts, whatever somebody has written down for it."""
    answer = answer_question("What was Staff of Harbour 1?", store, today=TODAY, faq=Faq.load(faq, today=TODAY))
    assert "enough" not in answer.answer


@pytest.mark.parametrize("question", ["Who mends the lift?", "Who reads this?"])
def test_a_vetted_answer_that_its_source_does_not_bear_is_silent(store: FactStore, faq: Path, question: str) -> None:
    """A number that the passage does not hold, or a document that is gone: nothing vetted is left of it."""
    answer = answer_question(question, store, today=TODAY, faq=Faq.load(faq, today=TODAY))
    assert answer.mode == "refuse"


def test_a_vetted_answer_is_for_whoever_may_read_its_source(store: FactStore, tmp_path: Path) -> None:
    """The source of an entry is cleared like any other document."""
    words = tmp_path / "vocabulary.toml"
    words.write_text('[[sensitivity]]\ndocuments = ["offices*"]\nlevel = "RESTRICTED"\n', encoding="utf-8")
    (tmp_path / "faq.toml").write_text(FAQ, encoding="utf-8")
    with FactStore(tmp_path / "closed.db") as closed:
        closed.init_schema()
        ingest(tmp_path / "docs", closed, jobs=1)
        question = "What is the complaints hotline?"
        assert answer_question(question, closed, today=TODAY).mode == "refuse"
        assert answer_question(question, closed, today=TODAY, viewer="RESTRICTED").answer.startswith("Call 2000 1234")


def test_vetted_answers_lie_beside_the_store_or_are_named(store: FactStore, faq: Path, tmp_path: Path) -> None:
    """`faq.toml` beside the store is found by itself; `--faq` names another."""
    asked = ("ask", "What is the complaints hotline?", "--json", "--today", "2025-03-31", "--store", str(store.path))
    named = json.loads(run(*asked, "--faq", faq).stdout)
    (tmp_path / "faq.toml").write_text(FAQ, encoding="utf-8")
    found = json.loads(run(*asked).stdout)
    for answer in (named, found):
        assert answer["answer"].startswith("Call 2000 1234")
        assert answer["citations"][0]["locator"] == "sheet=Notes,cell=A1"
    assert run(*asked, "--faq", tmp_path / "none.toml").returncode == 2


def test_a_vetted_answer_needs_a_source(tmp_path: Path) -> None:
    """No entry without document and locator."""
    path = tmp_path / "faq.toml"
    path.write_text('[[faq]]\nquestion = "a"\nanswer = "b"\n', encoding="utf-8")
    with pytest.raises(UsageError, match="needs its source"):
        Faq.load(path, today=TODAY)
