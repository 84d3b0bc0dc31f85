"""Two clocks: whatever happens later, what the store said at a moment can be read again, to the last byte."""

from __future__ import annotations

import os
import random
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from factspine.core.errors import UsageError
from factspine.ingestion.pipeline import ingest
from factspine.ingestion.remap import remap
from factspine.integrity.checker import check
from factspine.integrity.history import history
from factspine.store.store import FactStore
from tests.hostile import containers

SCALE = float(os.environ.get("FACTSPINE_TEST_SCALE", "1"))
START = datetime(2025, 1, 1, 12, tzinfo=UTC)


def workbook(dice: random.Random) -> bytes:
    rows = containers.ROWS
    for old in ("120", "132.5", "80", "91.25"):
        rows = rows.replace(f"<v>{old}</v>", f"<v>{dice.choice((old, dice.randrange(1, 999)))}</v>")
    if dice.random() < 0.3:
        rows = rows.replace("Asia", "APAC")
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
        return "\n".join([*facts, *documents, *findings])


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
        assert past.speak(as_of="2024-12-31") == ""
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
        assert [one.verdict for one in told] == [None, "restated", "restated"]
        assert [bool(one.known_until) for one in told] == [True, True, False]
        ((_, same),) = history(store, told[-1].fact.fact_id)
        assert [one.fact for one in same] == [one.fact for one in told]
        with pytest.raises(UsageError):
            history(store, "nothing like it")
