"""A new vocabulary over old tables: no file is opened, nothing is lost, and what was said before can be said again."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from factspine.core.errors import StoreError
from factspine.ingestion.pipeline import ingest
from factspine.ingestion.remap import remap
from factspine.integrity.checker import check
from factspine.store import remapping
from factspine.store.facts import FactFilter
from factspine.store.remapping import difference, live_readings
from factspine.store.store import FactStore
from tests.damage import make_store, tamper

SCALE = float(os.environ.get("FACTSPINE_TEST_SCALE", "1"))
WORDS = (
    '[[metric]]\ncode = "TAKINGS"\nnames = ["revenue"]\n[[sensitivity]]\ndocuments = ["2.*"]\nlevel = "RESTRICTED"\n'
)
_REMAP = """
import sys
from pathlib import Path
from factspine.ingestion.remap import remap
from factspine.store.store import FactStore
with FactStore(sys.argv[1]) as store:
    remap(store, vocabulary=Path(sys.argv[2]))
"""


@pytest.fixture
def place(tmp_path: Path) -> Path:
    make_store(tmp_path)
    (tmp_path / "words.toml").write_text(WORDS, encoding="utf-8")
    return tmp_path


def roots(store: FactStore) -> dict[str, bytes]:
    with store.audit() as audit:
        return {reading.reading_id: reading.root for reading in audit.readings()}


def said(store: FactStore, **options: object) -> list[str]:
    return [repr(fact).partition("known_from")[0] for fact in store.facts(**options)]


def test_facts_get_their_new_codes_without_any_file(place):
    """With documents and archive gone, a new name for a metric reaches every fact, as a new mapping version."""
    shutil.rmtree(place / "documents")
    shutil.rmtree(place / "facts.db.vault")
    with FactStore(place / "facts.db") as store:
        before, run = said(store), store.store_version
        report = remap(store, vocabulary=place / "words.toml").as_dict()
        assert report["totals"]["fields"]["metric_code"] == report["totals"]["changed"] > 0
        assert report["totals"]["added"] == report["totals"]["vanished"] == 0
        found = list(store.facts(FactFilter(metric_codes=("TAKINGS",))))
        assert len(found) == report["totals"]["changed"]
        assert {fact.mapping_version for fact in store.facts()} == {report["mapping_version"]}
        assert {fact.sensitivity for fact in store.facts() if fact.source_doc_id == "2.xlsx"} == {"RESTRICTED"}
        assert said(store, as_of=run) == before
        assert remap(store, vocabulary=place / "words.toml").run_id is None


def test_what_a_mapping_changed_is_counted_by_cell(place, monkeypatch):
    """Facts are compared where they stand: the quick way over two readings alike and the general way say the same, and
    one reading beside another of other cells is so many facts added and vanished."""
    with FactStore(place / "facts.db") as store:
        quick = remap(store, vocabulary=place / "words.toml").as_dict()["documents"]
        assert any(one["changed"] for one in quick)
        monkeypatch.setattr(remapping, "_side_by_side", lambda *_: None)
        remap(store)  # the built-in words again
        back = remap(store, vocabulary=place / "words.toml").as_dict()["documents"]
        assert back == quick
        with store.begin_run() as run:
            lineages = {lineage.doc_id: lineage for lineage in live_readings(run)}
            one, other = lineages["2.xlsx"], lineages["new.xlsx"]
            found = difference(run, one.reading_id, other.reading_id)
            facts = {span.doc_id: span.fact_count for span in store.readings()}
        assert (found.vanished, found.added, found.changed) == (facts["2.xlsx"], facts["new.xlsx"], 0)


def test_remapping_ends_where_ingesting_anew_would(place):
    """The readings of a remapped store are, to the last digest, those of a store made with that vocabulary."""
    with FactStore(place / "facts.db") as store, FactStore(place / "other.db") as other:
        remap(store, vocabulary=place / "words.toml")
        other.init_schema()
        ingest(place / "documents", other, vocabulary=place / "words.toml")
        ours, theirs = roots(store), roots(other)
        assert theirs.items() <= ours.items()
        assert said(store) == said(other)
        assert check(store).ok


def test_going_back_points_to_the_old_readings(place):
    """The old vocabulary again writes no fact twice: the readings of then become current."""
    with FactStore(place / "facts.db") as store:
        before, known = said(store), len(roots(store))
        remap(store, vocabulary=place / "words.toml")
        between = len(roots(store))
        remap(store)
        assert said(store) == before
        assert len(roots(store)) == between > known


def test_nothing_is_derived_from_a_table_that_was_tampered_with(place):
    """A changed table stops the remapping, and nothing of it is kept."""
    tamper(
        place / "facts.db",
        lambda c: c.execute(
            "UPDATE raw_table SET body = (SELECT body FROM raw_table WHERE table_no = 1) "
            "WHERE table_no = (SELECT max(table_no) FROM raw_table)"
        ),
    )
    with FactStore(place / "facts.db") as store:
        runs = len(store.runs())
        with pytest.raises(StoreError, match="not what was sealed"):
            remap(store, vocabulary=place / "words.toml")
        assert len(store.runs()) == runs


@pytest.mark.slow
def test_killed_at_any_moment_a_remapping_is_whole_or_nothing(place):
    """kill -9 leaves all of the new mapping or nothing of it, and the chain whole; a second attempt completes it."""
    with FactStore(place / "facts.db") as store:
        before = said(store)
    dice = random.Random(3)  # noqa: S311
    for number in range(max(4, int(8 * SCALE))):
        path = place / f"{number}.db"
        for suffix in ("", ".heads"):
            shutil.copy(place / f"facts.db{suffix}", path.with_name(path.name + suffix))
        shutil.copytree(place / "facts.db.vault", path.with_name(path.name + ".vault"))
        process = subprocess.Popen([sys.executable, "-c", _REMAP, str(path), str(place / "words.toml")])
        time.sleep(dice.uniform(0.2, 0.9))
        process.send_signal(signal.SIGKILL)
        process.wait()
        with FactStore(path) as store:
            after = said(store)
            assert after == before or not [fact for fact in after if "revenue'" in fact]
            assert set(check(store).counts) <= {"FS508"}  # killed between commit and head log
            remap(store, vocabulary=place / "words.toml")
            assert len(list(store.facts(FactFilter(metric_codes=("TAKINGS",))))) > 0
            assert set(check(store).counts) <= {"FS508"}
