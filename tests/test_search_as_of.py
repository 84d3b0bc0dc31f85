"""Search as of a moment: the revisions of then are found and quoted, and nothing that was learnt later is told."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from factspine import FactStore, answer_question, ingest
from factspine.core.errors import UsageError
from factspine.narrative.search import search
from tests.commandline import run
from tests.test_narrative import write_book

QUESTION = "Why did the Macau office move?"
OLD = "The Macau office moved because the old lease had ended."
NEW = "The Macau office moved because the roof leaked in every storm."
Row = tuple[str, str, str, str, float | None]


def told(store: FactStore, question: str = QUESTION, **options: object) -> tuple[str, list[Row]]:
    result = search(question, store, **options)  # type: ignore[arg-type]
    cited = [hit.citation for hit in result.hits]
    return result.index_hash, [(one.doc_id, one.locator, one.snippet, one.rev, one.score_raw) for one in cited]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[FactStore]:
    write_book(tmp_path / "docs" / "offices.xlsx", note=OLD)
    write_book(tmp_path / "docs" / "gone.xlsx", note="The Macau canteen moved because the kitchen burnt.")
    write_book(tmp_path / "docs" / "same.xlsx", note="The Lisbon office moved because it was too small.")
    with FactStore(tmp_path / "facts.db") as opened:
        opened.init_schema()
        ingest(tmp_path / "docs", opened, jobs=1)
        yield opened


def change(store: FactStore, docs: Path) -> str:
    """A document updated, one withdrawn, several new; the run before all that."""
    before = store.runs()[-1].run_id
    write_book(docs / "offices.xlsx", note=NEW)
    (docs / "gone.xlsx").unlink()
    for number in range(3):
        write_book(docs / f"later{number}.xlsx", note=f"The Macau office {number} moved because of the market.")
    ingest(docs, store, jobs=1)
    return before


def test_what_was_found_then_is_found_again(store: FactStore, tmp_path: Path) -> None:
    """The same hits, scores, revisions and index hash as on the day itself, whatever has come and gone since."""
    then = told(store)
    assert then[1][0][2] == OLD
    before = change(store, tmp_path / "docs")
    now = told(store)
    assert now[0] != then[0]
    assert OLD not in [row[2] for row in now[1]]
    assert told(store, as_of=before) == then
    assert told(store) == now  # and the index of today is as it was


def test_documents_of_then_can_be_named(store: FactStore, tmp_path: Path) -> None:
    """A pattern is matched against what there was then: a withdrawn document is there, a later one is not."""
    before = change(store, tmp_path / "docs")
    assert {row[0] for row in told(store, documents=["gone*"], as_of=before)[1]} == {"gone.xlsx"}
    assert told(store, documents=["gone*"])[1] == []
    assert told(store, documents=["later*"], as_of=before)[1] == []


def test_an_answer_as_of_then_quotes_the_revision_of_then(store: FactStore, tmp_path: Path) -> None:
    """The old sentence with the hash of the old file; today's answer is today's."""
    revision = next(span.file_hash for span in store.readings(["offices.xlsx"]))
    before = change(store, tmp_path / "docs")
    answer = answer_question(QUESTION, store, as_of=before)
    assert (answer.mode, answer.citations[0]["snippet"], answer.citations[0]["rev"]) == ("answer", OLD, revision)
    today = answer_question(QUESTION, store)
    assert today.citations[0]["snippet"] == NEW
    cell = answer_question("Who is the contact of Harbour 2?", store, as_of=before, documents=["gone.xlsx"])
    assert cell.answer.startswith("Ana Lee")


def test_before_the_first_run_there_is_nothing(store: FactStore) -> None:
    """No hits; a moment that does not exist is wrong usage."""
    assert told(store, as_of="1999-12-31")[1] == []
    with pytest.raises(UsageError):
        search(QUESTION, store, as_of="abcdef0123")


def test_what_is_restricted_now_is_not_found_as_of_then(store: FactStore, tmp_path: Path) -> None:
    """A document that was public then and is not any more leaves no trace in the past either."""
    before = store.runs()[-1].run_id
    words = '[[sensitivity]]\ndocuments = ["offices*"]\nlevel = "RESTRICTED"\n'
    (tmp_path / "vocabulary.toml").write_text(words, encoding="utf-8")
    write_book(tmp_path / "docs" / "offices.xlsx", note=NEW)
    ingest(tmp_path / "docs", store, jobs=1)
    moment = next(one.run_id for one in store.seen_by(None).runs())
    public = told(store, as_of=moment)[1]
    assert public
    assert "offices.xlsx" not in {row[0] for row in public}
    everything = frozenset({"PUBLIC", "INTERNAL", "CONFIDENTIAL", "RESTRICTED"})
    assert OLD in [row[2] for row in told(store, as_of=before, cleared=everything)[1]]


def test_the_command_searches_as_of_a_moment(store: FactStore, tmp_path: Path) -> None:
    """`--as-of`, for one question or for a batch."""
    before = change(store, tmp_path / "docs")
    hits = json.loads(run("search", QUESTION, "--as-of", before, "--store", store.path, "--json").stdout)["hits"]
    assert hits[0]["snippet"] == OLD
    batch = tmp_path / "questions.jsonl"
    batch.write_text(json.dumps({"id": 1, "question": QUESTION, "doc": "gone*"}) + "\n", encoding="utf-8")
    line = json.loads(run("search", "--batch", batch, "--as-of", before, "--store", store.path).stdout)
    assert {hit["doc_id"] for hit in line["hits"]} == {"gone.xlsx"}
    assert run("search", QUESTION, "--as-of", "no day", "--store", store.path).returncode == 2
