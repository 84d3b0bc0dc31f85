"""Two clocks: whatever happens later, what the store said at a moment can be read again, to the last byte."""

from __future__ import annotations

import os
import random
import re
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from factspine import answer_question
from factspine.ask.knowing import known_then
from factspine.core.errors import UsageError
from factspine.ingestion.pipeline import ingest
from factspine.ingestion.remap import remap
from factspine.integrity.checker import check
from factspine.integrity.history import history
from factspine.store.store import FactStore
from tests.hostile import containers

SCALE = float(os.environ.get("FACTSPINE_TEST_SCALE", "1"))
START = datetime(2025, 1, 1, 12, tzinfo=UTC)
TODAY = date(2025, 5, 1)
QUESTIONS = ("revenue FY2023", "turnover FY2024", "gross profit FY2023", "sales FY2024", "how much was it in 2031")


def workbook(dice: random.Random) -> bytes:
    rows = containers.ROWS.replace(">Asia<", ">Revenue<").replace(">Europe<", ">Gross profit<")
    for old in ("120", "132.5", "80", "91.25"):
        rows = rows.replace(f"<v>{old}</v>", f"<v>{dice.choice((old, dice.randrange(1, 999)))}</v>")
    if dice.random() < 0.3:
        rows = rows.replace(">Revenue<", ">Turnover<")
    return containers.workbook(containers.sheet(rows))


class History:
    """A store to which things happen, and what it said after each of them."""

    def __init__(self, place: Path, dice: random.Random, store: FactStore) -> None:
        self.folder = place / "documents"
        self.folder.mkdir()
        self.dice = dice
        self.store = store
        self.words = place / "vocabulary.toml"
        self.now = START
        self.said: list[tuple[str, str, str]] = []  # day, run, everything

    def clock(self) -> datetime:
        self.now += timedelta(seconds=1)
        return self.now

    def happen(self) -> None:
        """Something at random: a document comes, changes, goes, comes back; the vocabulary changes."""
        self.now += timedelta(days=1)
        names = [self.folder / f"{letter}.xlsx" for letter in "abc"]
        act = self.dice.choice(("write", "write", "write", "remove", "remap"))
        if act == "remap":
            code = self.dice.choice(("SALES", "TURNOVER"))
            self.words.write_text(f'[[metric]]\ncode = "{code}"\nnames = ["revenue"]\n', encoding="utf-8")
            remap(self.store, clock=self.clock)
        else:
            path = self.dice.choice(names)
            if act == "write":
                path.write_bytes(workbook(self.dice))
            else:
                path.unlink(missing_ok=True)
            ingest(self.folder, self.store, jobs=1, clock=self.clock)
        self.said.append((self.now.date().isoformat(), self.store.store_version, self.speak()))

    def speak(self, **as_of: object) -> str:
        facts = [repr(fact) for fact in self.store.facts(**as_of)]
        documents = [repr(record) for record in self.store.documents(**as_of)]
        findings = [repr(finding) for finding in self.store.findings(**as_of)]
        return "\n".join([*facts, *documents, *findings, *self.answers(**as_of)])

    def answers(self, **as_of: object) -> list[str]:
        """Questions by names that come and go with documents and vocabularies."""
        told = [answer_question(question, self.store, today=TODAY, **as_of) for question in QUESTIONS]
        # An empty store says nothing, whatever the vocabulary was.
        return [repr({**one.to_json(), "elapsed_ms": 0}) for one in told if one.store_version != "empty"]


@pytest.mark.parametrize("seed", range(max(2, int(3 * SCALE))))
def test_every_past_state_reads_again_byte_for_byte(tmp_path, seed):
    """Over random histories of ingest, edit, withdrawal and new vocabularies: by day and by run, all is as it was."""
    dice = random.Random(seed)  # noqa: S311
    with FactStore(tmp_path / "facts.db") as store:
        store.init_schema()
        past = History(tmp_path, dice, store)
        for _ in range(9):
            past.happen()
        for day, run, words in past.said:
            assert past.speak(as_of=day) == words
            if run != "empty":
                assert past.speak(as_of=run) == words
        assert past.speak() == past.said[-1][2]
        assert list(store.facts(as_of="2024-12-31")) == []
        assert check(store).ok


def test_moments_are_dates_times_runs_and_revisions(tmp_path):
    """A day counts whole, a month to its end; a revision means the run that first read it; nonsense is refused."""
    folder = tmp_path / "documents"
    folder.mkdir()
    with FactStore(tmp_path / "facts.db") as store:
        store.init_schema()
        (folder / "a.xlsx").write_bytes(containers.workbook(containers.sheet()))
        first = ingest(folder, store, clock=lambda: START)
        (folder / "a.xlsx").write_bytes(containers.workbook(containers.sheet(containers.ROWS.replace("120", "121"))))
        second = ingest(folder, store, clock=lambda: START + timedelta(days=40))

        def value(moment: object) -> str:
            return str(next(iter(store.facts(as_of=moment))).value)

        assert value(None) == "121"
        for moment in (
            "2025-01-01",
            "2025-01",
            "2025-01-01T12:00:00Z",
            START.date(),
            START,
            first.run_id,
            first.run_id[:8],
            first.documents[0].file_hash,
        ):
            assert value(moment) == "120"
        for moment in ("2025", second.run_id, second.documents[0].file_hash[:20], "2025-02-10"):
            assert value(moment) == "121"
        assert list(store.facts(as_of="2024")) == []
        assert list(store.facts(as_of="2025-01-01T11:59:59Z")) == []
        for nonsense in ("yesterday", "2025-13-01", "abcdef0123"):
            with pytest.raises(UsageError):
                list(store.facts(as_of=nonsense))


def test_history_follows_a_number_through_revisions(tmp_path):
    """A row inserted above does not hide what the number was: its history has every revision, oldest first."""
    folder = tmp_path / "documents"
    folder.mkdir()
    first = containers.ROWS
    second = first.replace("120", "125")
    third = re.sub(
        r'r="([A-C]?)(\d)"', lambda place: f'r="{place[1]}{int(place[2]) + 1}"', second.replace("125", "126")
    )
    with FactStore(tmp_path / "facts.db") as store:
        store.init_schema()
        for day, rows in enumerate((first, second, third)):
            (folder / "a.xlsx").write_bytes(containers.workbook(containers.sheet(rows)))
            ingest(folder, store, clock=lambda day=day: START + timedelta(days=day))  # type: ignore[misc]
        ((_, told),) = history(store, "a.xlsx", "sheet=P&L!B3")
        assert [str(one.fact.value) for one in told] == ["120", "125", "126"]
        assert [one.verdict for one in told] == [None, "changed", "changed"]
        assert [bool(one.known_until) for one in told] == [True, True, False]
        ((_, same),) = history(store, told[-1].fact.fact_id)
        assert [one.fact for one in same] == [one.fact for one in told]
        with pytest.raises(UsageError):
            history(store, "nothing like it")


@pytest.mark.parametrize(
    ("question", "plain"),
    [
        ("截至3月底我们知道的revenue FY2023", "revenue FY2023"),
        ("revenue FY2023 as known on 31 March 2025", "revenue FY2023"),
        ("What did we know at the end of March about revenue FY2023?", "revenue FY2023?"),
        ("What did we know about revenue FY2023 as of 2025-03-31?", "revenue FY2023?"),
    ],
)
def test_a_question_can_name_the_moment_it_is_answered_as_of(tmp_path, question, plain):
    """What was known at the end of March is answered, and said so; without these words, what is known now."""
    folder = tmp_path / "documents"
    folder.mkdir()
    rows = containers.ROWS.replace(">Asia<", ">Revenue<")
    with FactStore(tmp_path / "facts.db") as store:
        store.init_schema()
        for day, value in ((0, "120"), (100, "125")):
            (folder / "a.xlsx").write_bytes(containers.workbook(containers.sheet(rows.replace("120", value))))
            ingest(folder, store, clock=lambda day=day: START + timedelta(days=day))  # type: ignore[misc]
        assert answer_question(plain, store, today=TODAY).value == "125"
        then = answer_question(question, store, today=TODAY)
        assert (then.value, then.question) == ("120", question)
        assert any("2025-03-31" in told for told in then.assumptions)
        told = answer_question(plain, store, today=TODAY, as_of="2025-03-31")
        assert (then.answer, then.store_version) == (told.answer, told.store_version)
        # The same day said twice is one day; two days contradict each other, and neither is preferred.
        twice = answer_question(question, store, today=TODAY, as_of="2025-03-31")
        assert (twice.value, twice.answer) == ("120", then.answer)
        contradiction = answer_question(question, store, today=TODAY, as_of="2025-07-01")
        assert (contradiction.mode, contradiction.value) == ("refuse", None)
        assert contradiction.reason is not None
        assert contradiction.reason.code == "two_moments"
        assert contradiction.reason.words == ("2025-03-31", "2025-07-01")


def test_old_answers_replay_under_the_old_vocabulary(tmp_path):
    """A name that meant something then is understood as of then, whatever the vocabulary says now."""
    folder, words = tmp_path / "documents", tmp_path / "vocabulary.toml"
    folder.mkdir()
    (folder / "a.xlsx").write_bytes(containers.workbook(containers.sheet(containers.ROWS.replace(">Asia<", ">Zork<"))))
    with FactStore(tmp_path / "facts.db") as store:
        store.init_schema()
        said = {}
        for day, name in enumerate((None, "quux", "gronk")):
            if name is None:
                ingest(folder, store, clock=lambda: START)
            else:
                words.write_text(f'[[metric]]\ncode = "ZORK"\nnames = ["zork", "{name}"]\n', encoding="utf-8")
                remap(store, clock=lambda day=day: START + timedelta(days=day))  # type: ignore[misc]
            for question in ("zork FY2023", "quux FY2023", "gronk FY2023"):
                said[store.store_version, question] = answer_question(question, store, today=TODAY).to_json()
        assert {question for (_, question), one in said.items() if one["mode"] == "answer"} >= {"quux FY2023"}
        for (version, question), answer in said.items():
            again = answer_question(question, store, today=TODAY, as_of=version).to_json()
            assert {**again, "elapsed_ms": 0} == {**answer, "elapsed_ms": 0}, (version, question)


@pytest.mark.parametrize(
    ("said", "moment"),
    [
        ("截至昨天我们知道的营收", "2025-08-12"),
        ("截至上周末我们知道的营收", "2025-08-10"),
        ("截至上个月底我们已知的营收", "2025-07-31"),
        ("截至上季度末我们知道的营收", "2025-06-30"),
        ("截至去年底我们知道的营收", "2024-12-31"),
        ("10天前我们知道的营收", "2025-08-03"),
        ("截至运行3a1139e3c1477ff0我们知道的营收", "3a1139e3c1477ff0"),
        ("revenue as known yesterday", "2025-08-12"),
        ("revenue as known at the end of last month", "2025-07-31"),
        ("revenue as known at the end of 2024", "2024-12-31"),
        ("revenue as known in run 3a1139e3", "3a1139e3"),
        ("what did we know last week about revenue", "2025-08-10"),
    ],
)
def test_a_moment_may_be_named_from_today_or_by_a_run(said, moment):
    """Yesterday, the end of last month and a run are moments like any other."""
    found = known_then(said, date(2025, 8, 13))
    assert found is not None
    assert (found.moment, found.question.lower()) in ((moment, "营收"), (moment, "revenue"))


@pytest.mark.parametrize(
    "question",
    [
        "截至上上周我们知道的revenue FY2023",
        "revenue FY2023 as known at Easter",
        "revenue FY2023 as known in run abc123",
    ],
)
def test_a_moment_that_is_not_understood_is_never_now(tmp_path, question):
    """Where it is not clear when, nothing is answered as of today instead."""
    folder = tmp_path / "documents"
    folder.mkdir()
    rows = containers.ROWS.replace(">Asia<", ">Revenue<")
    (folder / "a.xlsx").write_bytes(containers.workbook(containers.sheet(rows)))
    with FactStore(tmp_path / "facts.db") as store:
        store.init_schema()
        ingest(folder, store)
        assert answer_question("revenue FY2023", store, today=TODAY).mode == "answer"
        answer = answer_question(question, store, today=TODAY)
        assert (answer.mode, answer.reason.code) == ("refuse", "unknown_moment")
