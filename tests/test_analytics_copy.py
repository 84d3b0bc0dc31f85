"""The analytic copy follows the store: only new runs are loaded, and no death or damage leaves it unusable."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import duckdb
import pytest

from factspine.analytics import loading
from factspine.analytics.copying import copy_path, follow, refresh
from factspine.analytics.session import Session
from factspine.core.errors import StoreError
from factspine.store.store import FactStore
from tests.analytics_samples import Said, ask, new_store, say

TABLES = (
    *("document", "run", "event", "reading", "standing", "raw_table", "passage", "interpretation"),
    *("header", "formula", "ledger", "finding", "context", "change", "fact"),
)


def contents(copy: Path) -> dict[str, list[tuple[object, ...]]]:
    return {name: ask(copy, f"FROM record.{name} ORDER BY ALL") for name in TABLES}


def test_only_new_runs_are_loaded(tmp_path: Path) -> None:
    """What is in the copy already is not read again: a mark left in it is still there after the next run."""
    store = new_store(tmp_path)
    say(store, {"a.xlsx": [Said(value="1")]})
    copy = follow(store)
    with duckdb.connect(str(copy)) as connection:
        connection.execute("UPDATE record.fact SET metric_label = 'marked'")
    say(store, {"b.xlsx": [Said(value="2", entity="OTHER")]}, day=1)
    assert follow(store) == copy
    found = ask(copy, "SELECT source_doc_id, metric_label, value_exact FROM facts ORDER BY ALL")
    assert found == [("a.xlsx", "marked", "1"), ("b.xlsx", "Revenue", "2")]


def test_nothing_new_writes_nothing(tmp_path: Path) -> None:
    """Asking twice leaves the file as it is, byte for byte and with its time."""
    store = new_store(tmp_path)
    say(store, {"a.xlsx": [Said(value="1")]})
    before = follow(store).stat()
    after = follow(store).stat()
    assert (before.st_ino, before.st_mtime_ns) == (after.st_ino, after.st_mtime_ns)


def test_an_empty_store_has_an_empty_copy(tmp_path: Path) -> None:
    """The views are there before the first document is."""
    assert ask(follow(new_store(tmp_path)), "SELECT count(*) FROM facts") == [(0,)]


def test_both_ways_of_loading_give_the_same_copy(tmp_path: Path) -> None:
    """Through lists or through streams, at once or run by run: the rows are equal."""
    store = new_store(tmp_path)
    documents = {f"{n}.xlsx": [Said(value=str(n * k), period=str(2000 + k)) for k in range(1, 9)] for n in range(1, 5)}
    say(store, documents)
    follow(store, bulk_facts=10**9)
    say(store, {"1.xlsx": [Said(value="7"), Said(value="-0.5", unit="unknown", metric="X")]}, day=1, content="second")
    step_by_step = contents(follow(store, bulk_facts=10**9))
    copy_path(tmp_path / "facts.db").unlink()
    at_once = contents(follow(store, bulk_facts=10**9))
    copy_path(tmp_path / "facts.db").unlink()
    streamed = contents(follow(store, bulk_facts=0))
    assert at_once == streamed
    assert step_by_step == at_once


def test_many_facts_are_loaded_slice_by_slice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However they are cut into slices on the way, the same facts come first."""
    store = new_store(tmp_path)
    documents = {f"{n}.xlsx": [Said(value=str(n * k), period=str(2000 + k)) for k in range(1, 9)] for n in range(1, 5)}
    say(store, documents)
    at_once = contents(follow(store, bulk_facts=10**9))
    copy_path(tmp_path / "facts.db").unlink()
    monkeypatch.setattr(loading, "_SLICE_FACTS", 5)
    assert refresh(store, streaming=True)
    assert contents(copy_path(tmp_path / "facts.db")) == at_once


def test_text_of_any_kind_arrives_unchanged(tmp_path: Path) -> None:
    """Quotes, line ends, separators, NUL and characters of all planes come through both ways of loading."""
    odd = ["'; DROP TABLE fact; --", 'say "x"', "a\nb\r\n", "\x1f\x00|", "营收（百万港元）", "𝟙🀄", "\\N", "NULL", " "]
    store = new_store(tmp_path)
    say(store, {"a.xlsx": [Said(value="1", entity=text, metric=f"M{n}") for n, text in enumerate(odd)]})
    for bulk_facts in (0, 10**9):
        copy = follow(store, bulk_facts=bulk_facts)
        assert [row[0] for row in ask(copy, "SELECT entity FROM facts ORDER BY metric_code")] == odd
        copy.unlink()


def test_a_refresh_that_is_killed_leaves_the_old_copy(tmp_path: Path) -> None:
    """Killed at any moment: the copy opens, shows one run or the other, and the next refresh completes it."""
    store = new_store(tmp_path)
    say(store, {"a.xlsx": [Said(value="1")]})
    copy = follow(store)
    say(store, {"b.xlsx": [Said(value=str(n), entity=str(n)) for n in range(2000)]}, day=1)
    started = time.perf_counter()
    kept = copy.read_bytes()
    subprocess.run([sys.executable, "-m", "factspine.analytics.copying", str(store.path)], check=True)
    whole = time.perf_counter() - started
    complete = contents(copy)
    rounds = int(os.environ.get("FACTSPINE_TEST_SCALE", "1")) * 8
    for number in range(rounds):
        copy.write_bytes(kept)
        child = subprocess.Popen([sys.executable, "-m", "factspine.analytics.copying", str(store.path)])
        time.sleep(whole * (number + 1) / (rounds + 1))
        child.send_signal(signal.SIGKILL)
        child.wait()
        assert ask(copy, "SELECT count(*) FROM facts_all") in ([(1,)], [(2001,)])
        assert contents(follow(store)) == complete


def test_whoever_reads_is_not_disturbed_by_a_refresh(tmp_path: Path) -> None:
    """A session that is open while the copy is refreshed goes on seeing what it saw."""
    store = new_store(tmp_path)
    say(store, {"a.xlsx": [Said(value="1")]})
    with Session(follow(store)) as session:
        say(store, {"b.xlsx": [Said(value="2")]}, day=1)
        child = [sys.executable, "-m", "factspine.analytics.copying", str(store.path)]
        subprocess.run(child, check=True)
        with session.query("SELECT count(*) FROM facts_all") as result:
            assert list(result.rows) == [(1,)]


def test_refreshes_at_the_same_time_wait_for_each_other(tmp_path: Path) -> None:
    """Four at once: each ends well, and the copy holds every fact once."""
    store = new_store(tmp_path)
    say(store, {"a.xlsx": [Said(value=str(n), entity=str(n)) for n in range(500)]})
    command = [sys.executable, "-m", "factspine.analytics.copying", str(store.path)]
    children = [subprocess.Popen(command) for _ in range(4)]
    assert [child.wait() for child in children] == [0] * 4
    assert ask(copy_path(tmp_path / "facts.db"), "SELECT count(*), count(DISTINCT fact_id) FROM facts") == [(500, 500)]


def test_the_copy_of_another_store_is_made_anew(tmp_path: Path) -> None:
    """A store that was replaced, say by a backup, is not continued from the copy of what it was."""
    store = new_store(tmp_path)
    say(store, {"a.xlsx": [Said(value="1")]})
    copy = follow(store)
    (tmp_path / "other").mkdir()
    other = new_store(tmp_path / "other")
    say(other, {"b.xlsx": [Said(value="2")]})
    say(other, {"c.xlsx": [Said(value="3")]}, day=1)
    shutil.copyfile(copy, copy_path(tmp_path / "other" / "facts.db"))
    assert ask(follow(other), "SELECT DISTINCT source_doc_id FROM facts_all ORDER BY 1") == [("b.xlsx",), ("c.xlsx",)]


def test_a_damaged_copy_is_made_anew(tmp_path: Path) -> None:
    """The copy is derived: where it cannot be read it is made again, without a question."""
    store = new_store(tmp_path)
    say(store, {"a.xlsx": [Said(value="1")]})
    copy = follow(store)
    copy.write_bytes(copy.read_bytes()[:5000])
    assert ask(follow(store), "SELECT value_exact FROM facts") == [("1",)]


@pytest.mark.parametrize("kind", ["text", "database"])
def test_a_file_that_is_not_ours_is_left_alone(tmp_path: Path, kind: str) -> None:
    """Somebody else's file under the name of the copy is never overwritten."""
    store = new_store(tmp_path)
    say(store, {"a.xlsx": [Said(value="1")]})
    path = copy_path(tmp_path / "facts.db")
    if kind == "text":
        path.write_text("my notes, which are not a database")
    else:
        duckdb.connect(str(path)).execute("CREATE TABLE mine (i INTEGER)").close()
    before = path.read_bytes()
    with pytest.raises(StoreError, match="move it away"):
        follow(store)
    assert path.read_bytes() == before


def test_refresh_tells_whether_there_was_anything(tmp_path: Path) -> None:
    """The first refresh loads, the second finds nothing."""
    with FactStore(tmp_path / "facts.db") as store:
        store.init_schema()
        say(store, {"a.xlsx": [Said(value="1")]})
        assert [refresh(store), refresh(store)] == [True, False]
