"""Questions for words in tables, over made-up documents of many kinds: how many are right, and that none is wrong."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from factspine import FactStore, answer_question, ingest
from factspine.core.locators import parse
from tests.textcells import QUESTIONS, Asked, write_documents

ASKED = [asked for asked in QUESTIONS if asked.answer]
TRAPS = [asked for asked in QUESTIONS if not asked.answer]
RIGHT_MIN = 0.95


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FactStore]:
    home: Path = tmp_path_factory.mktemp("cells")
    write_documents(home / "docs")
    with FactStore(home / "facts.db") as opened:
        opened.init_schema()
        ingest(home / "docs", opened, jobs=1)
        yield opened


def outcome(asked: Asked, store: FactStore, *, of_all: bool) -> str:
    """right, wrong or abstained."""
    answer = answer_question(asked.question, store, documents=() if of_all else [asked.doc])
    if answer.mode != "answer":
        return "abstained"
    places = {(source["doc"], parse(source["locator"]).get("cell")) for source in answer.sources}
    return "right" if asked.answer in answer.answer and (asked.doc, asked.cell) in places else "wrong"


@pytest.mark.parametrize("of_all", [False, True], ids=["of its document", "of all documents"])
def test_words_in_tables_are_quoted_from_their_cell(store: FactStore, of_all: bool) -> None:
    """At least 19 of 20 with exactly their cell, and not one with another."""
    assert len(ASKED) >= 60
    got = {asked.question: outcome(asked, store, of_all=of_all) for asked in ASKED}
    assert [question for question, found in got.items() if found == "wrong"] == []
    missed = [question for question, found in got.items() if found == "abstained"]
    assert len(missed) <= (1 - RIGHT_MIN) * len(ASKED), missed


@pytest.mark.parametrize("of_all", [False, True], ids=["of its document", "of all documents"])
@pytest.mark.parametrize("asked", TRAPS, ids=lambda asked: asked.question)
def test_what_no_cell_says_is_not_answered(store: FactStore, asked: Asked, of_all: bool) -> None:
    """No such row, no such column, or two rows that fit: refused or asked back, never the nearest cell."""
    assert outcome(asked, store, of_all=of_all) == "abstained"


def test_the_first_and_the_last_are_proved_by_the_cell_that_was_compared(store: FactStore) -> None:
    """The name with its cell, and beside it the value that makes it the first."""
    answer = answer_question("入职日期最早的是谁？", store, documents=["花名册.xlsx"])
    assert [parse(source["locator"]).get("cell") for source in answer.sources] == ["B3", "E3"]
    assert "入职日期: 2009-02-14 [†2]" in answer.answer


def test_a_long_list_is_read_to_its_end(tmp_path: Path) -> None:
    """The earliest of two thousand rows is the earliest, though a search finds but a few of them."""
    from tests.test_narrative import write_book

    rows = [f"Guild {n:04d} | Warden {n:04d} | {1900 + n % 90}-{n % 12 + 1:02d}-{n % 27 + 1:02d}" for n in range(2000)]
    rows[1577] = "Guild 1577 | Warden 1577 | 1871-05-06"
    write_book(tmp_path / "docs" / "guilds.xlsx", "\n".join(["Guild | Warden | Founded", *rows]))
    with FactStore(tmp_path / "facts.db") as opened:
        opened.init_schema()
        ingest(tmp_path / "docs", opened, jobs=1)
        answer = answer_question("Which guild was founded earliest?", opened)
        assert answer.answer.startswith("Guild 1577 [†1]"), answer.answer


def test_a_tie_names_nobody(tmp_path: Path) -> None:
    """Where two share the place, neither is given."""
    from tests.test_narrative import write_book

    write_book(tmp_path / "docs" / "tie.xlsx", "Runner | Club | Joined\nAda | Elm | 2020-01-02\nBea | Oak | 2020-01-02")
    with FactStore(tmp_path / "facts.db") as opened:
        opened.init_schema()
        ingest(tmp_path / "docs", opened, jobs=1)
        assert answer_question("Which runner joined earliest?", opened).mode == "refuse"


def test_a_number_of_another_kind_is_no_answer(tmp_path: Path) -> None:
    """A day is not how long, and watts are not inches, whatever words the labels share with the question."""
    from tests.test_narrative import write_book

    drawn = "Lamp | Bulb size (W) | Return date\nLuma | 40 | 12.23\nNova | 60 | 12.24"
    write_book(tmp_path / "docs" / "lamps.xlsx", drawn)
    with FactStore(tmp_path / "facts.db") as opened:
        opened.init_schema()
        ingest(tmp_path / "docs", opened, jobs=1)
        assert answer_question("Luma bulb size", opened).value == "40"
        assert answer_question("How many inches is the bulb size of Luma?", opened).mode == "refuse"
        assert answer_question("How long until the return date of Luma?", opened).mode == "refuse"
