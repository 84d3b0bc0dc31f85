"""Killed, repeated, shuffled or run four times at once, an ingest ends with the same facts."""

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

from factspine.ingestion.pipeline import ingest
from factspine.store.store import FactStore
from tests.hostile import containers

SCALE = float(os.environ.get("FACTSPINE_TEST_SCALE", "1"))
_INGEST = """
import sys
from factspine.ingestion.pipeline import ingest
from factspine.store.store import FactStore
with FactStore(sys.argv[2]) as store:
    store.init_schema()
    ingest(sys.argv[1], store, jobs=2)
"""


def fill(folder, count=12):
    folder.mkdir()
    for number in range(count):
        rows = containers.ROWS.replace("132.5", f"{number}.5")
        (folder / f"{number:02}.xlsx").write_bytes(containers.workbook(containers.sheet(rows)))
    (folder / "deck.pptx").write_bytes(containers.deck())
    (folder / "broken.xlsx").write_bytes(containers.workbook()[:-50])
    return folder


def open_store(path):
    store = FactStore(path)
    store.init_schema()
    return store


def start(folder, path, **environment):
    return subprocess.Popen(
        [sys.executable, "-c", _INGEST, str(folder), str(path)],
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def facts_of(store):
    """All that is said of every fact, but for the run it came with."""
    return [repr(fact).partition("known_from")[0] for fact in store.facts()]


@pytest.fixture(scope="module")
def clean(tmp_path_factory):
    """A folder, and the facts of a store made from it in one go."""
    place = tmp_path_factory.mktemp("clean")
    folder = fill(place / "documents")
    with open_store(place / "facts.db") as store:
        ingest(folder, store)
        yield folder, facts_of(store), store.head().root


@pytest.mark.slow
def test_killed_at_any_moment_a_second_ingest_completes(clean, tmp_path):
    """kill -9 leaves all of a run or nothing, and no child that lives on."""
    folder, expected, _ = clean
    moments = random.Random(5)  # noqa: S311
    for number in range(max(4, int(6 * SCALE))):
        path = tmp_path / f"{number}.db"
        process = start(folder, path)
        time.sleep(moments.uniform(0.1, 1.6))
        process.send_signal(signal.SIGKILL)
        process.communicate()
        with open_store(path) as store:
            assert facts_of(store) in ([], expected)
            ingest(folder, store)
            assert facts_of(store) == expected
            assert len(store.runs()) == 1


def test_four_processes_end_with_one_set_of_facts(clean, tmp_path):
    """Ingesting one folder from four processes at once writes it once."""
    folder, expected, _ = clean
    path = tmp_path / "facts.db"
    open_store(path).close()
    processes = [start(folder, path) for _ in range(4)]
    assert [(process.communicate()[1], process.returncode) for process in processes] == [(b"", 0)] * 4
    with open_store(path) as store:
        assert facts_of(store) == expected
        assert len(store.runs()) == 1


def test_same_bytes_same_facts(clean, tmp_path):
    """Hash seed, locale, time zone and the number of workers leave no trace in the facts or the run's root."""
    folder, expected, root = clean
    path = tmp_path / "facts.db"
    process = start(folder, path, PYTHONHASHSEED="7", LC_ALL="C", TZ="Asia/Shanghai")
    assert process.communicate()[1] == b""
    with open_store(path) as store:
        assert facts_of(store) == expected
        assert store.head().root == root


def test_order_of_arrival_does_not_matter(clean, tmp_path):
    """Files that came one by one in any order give the facts of the whole folder."""
    folder, expected, _ = clean
    slow = tmp_path / "documents"
    slow.mkdir()
    names = sorted(path.name for path in folder.iterdir())
    random.Random(3).shuffle(names)  # noqa: S311
    with open_store(tmp_path / "facts.db") as store:
        for start_at in range(0, len(names), 4):
            for name in names[start_at : start_at + 4]:
                shutil.copy(folder / name, slow / name)
            ingest(slow, store)
        assert facts_of(store) == expected


def test_children_end_with_their_parent(clean, tmp_path):
    """A killed ingest leaves no worker running."""
    folder, *_ = clean
    process = start(folder, tmp_path / "facts.db")
    children = set()
    deadline = time.monotonic() + 20
    while not children and process.poll() is None and time.monotonic() < deadline:
        children = _children(process.pid)
        time.sleep(0.01)
    process.kill()
    process.communicate()
    deadline = time.monotonic() + 20
    while any(_alive(child) for child in children) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert children
    assert not any(_alive(child) for child in children)


def _children(pid):
    found = set()
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            found.update(map(int, task.read_text().split()))
        except OSError:
            continue
    return found


def _alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
