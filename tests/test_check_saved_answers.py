"""Saved answers: each ingest and each remap tells which of them no longer hold, and why."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest

from factspine import FactStore, answer_question, ingest, remap
from factspine.ask.saved import AskedWith, answers_path, save_answer, stale_answers
from factspine.core.errors import UsageError
from tests.commandline import run
from tests.hostile import containers

TODAY = date(2025, 5, 1)


def write(folder: Path, name: str, **values: str) -> None:
    rows = containers.ROWS.replace(">Asia<", ">Revenue<").replace(">Europe<", ">Gross profit<")
    for old, new in values.items():
        rows = rows.replace(f">{old.removeprefix('v')}<", f">{new}<")
    (folder / name).write_bytes(containers.workbook(containers.sheet(rows)))


@pytest.fixture
def place(tmp_path: Path) -> Path:
    (tmp_path / "documents").mkdir()
    write(tmp_path / "documents", "a.xlsx")
    with FactStore(tmp_path / "facts.db") as store:
        store.init_schema()
        ingest(tmp_path / "documents", store)
    return tmp_path


def save(store: FactStore, *questions: str, **options: str) -> None:
    for question in questions:
        answer = answer_question(question, store, today=TODAY, **options)  # type: ignore[arg-type]
        save_answer(store, answer, AskedWith(today=TODAY.isoformat(), **options))  # type: ignore[arg-type]


REVENUE, GROSS, NET = "revenue FY2023", "gross profit FY2023", "net profit FY2023"


def test_only_answers_that_would_be_others_are_stale(place: Path) -> None:
    """A changed cell makes its answer stale; a new revision that says the same, or one asked as of a day, does not."""
    with FactStore(place / "facts.db") as store:
        save(store, REVENUE, GROSS)
        save(store, REVENUE, as_of=store.store_version)
        assert stale_answers(store) == []
        write(place / "documents", "a.xlsx", v120="121")
        report = ingest(place / "documents", store)
        (stale,) = stale_answers(store)
        assert report.stale_answers == (stale.as_dict(),)
        assert report.as_dict()["stale_answers"] == [stale.as_dict()]
        assert (stale.line, stale.question, stale.why) == (1, REVENUE, "value")
        assert "120" in stale.was
        assert "121" in stale.now
        assert stale.facts


def test_an_answer_can_come_and_go(place: Path) -> None:
    """What was refused and can be answered now is told, and what was answered and cannot any more."""
    with FactStore(place / "facts.db") as store:
        save(store, NET, GROSS)
        write(place / "documents", "a.xlsx", **{"Gross profit": "Net profit"})
        ingest(place / "documents", store)
        assert [(one.question, one.why) for one in stale_answers(store)] == [
            (NET, "answered"),
            (GROSS, "not answered"),
        ]


def test_the_command_line_saves_and_tells(place: Path) -> None:
    """`ask --save` keeps the answer; the next ingest lists it with what it says now, in words and in JSON."""
    store = place / "facts.db"
    assert run("ask", REVENUE, "--save", "--store", store).returncode == 0
    with FactStore(store) as opened:
        kept = answers_path(opened)
    assert kept.stat().st_mode & 0o077 == 0
    assert json.loads(kept.read_text(encoding="utf-8"))["value"] == "120"
    report = json.loads(run("ingest", place / "documents", "--store", store, "--json").stdout)
    assert report["stale_answers"] == []
    write(place / "documents", "a.xlsx", v120="125.5")
    told = run("ingest", place / "documents", "--store", store).stdout
    assert "1 saved answer is stale" in told
    assert "125.5" in told
    report = json.loads(run("ingest", place / "documents", "--store", store, "--json").stdout)
    assert [one["why"] for one in report["stale_answers"]] == ["value"]
    assert run("check", "--answers", kept, "--store", store).returncode == 3


def test_a_line_that_is_no_answer_is_named(place: Path) -> None:
    """Nothing is guessed from a damaged file."""
    with FactStore(place / "facts.db") as store:
        answers_path(store).write_text('{"question": 1}\n')
        with pytest.raises(UsageError, match="line 1"):
            stale_answers(store)
        write(place / "documents", "a.xlsx", v120="121")
        report = ingest(place / "documents", store)
        assert (report.run_id is not None, report.stale_answers) == (True, None)
    write(place / "documents", "a.xlsx", v120="122")
    told = run("ingest", place / "documents", "--store", place / "facts.db")
    assert told.returncode == 0
    assert "1 changed" in told.stdout
    assert "saved answers could not be read" in told.stderr


def test_a_remap_tells_in_python_too(place: Path) -> None:
    """What a new vocabulary makes of saved answers stands in its report."""
    with FactStore(place / "facts.db") as store:
        save(store, "zork FY2023")
        words = place / "vocabulary.toml"
        words.write_text('[[metric]]\ncode = "ZORK"\nnames = ["zork", "Revenue"]\n', encoding="utf-8")
        told = remap(store).stale_answers
        assert told is not None
        assert [one["why"] for one in told] == ["answered"]
