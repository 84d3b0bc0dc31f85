"""Killed, refused by the disk or failing at any step: what was acknowledged stays, nothing is half there, and the next
run completes it. `FACTSPINE_TEST_KILLS` and `FACTSPINE_TEST_FAULTS` say how often; the defaults are few."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from factspine.analytics.copying import follow
from factspine.core.errors import FactSpineError
from factspine.ingestion.pipeline import ingest
from factspine.integrity.checker import check
from factspine.store.store import FactStore
from tests.hostile import containers

KILLS = int(os.environ.get("FACTSPINE_TEST_KILLS", "6"))
FAULTS = int(os.environ.get("FACTSPINE_TEST_FAULTS", "6"))
SOUND = (0, 3)  # a head that could not be written down any more is a warning
_BUSY = """
import random, sys
from pathlib import Path
from factspine.analytics.copying import follow
from factspine.ingestion.pipeline import ingest
from factspine.ingestion.remap import remap
from factspine.store.store import FactStore
from tests.hostile import containers

folder, path, dice = Path(sys.argv[1]), Path(sys.argv[2]), random.Random(int(sys.argv[3]))

def put(target, content):
    new = target.with_suffix(".new")
    new.write_bytes(content)
    new.replace(target)

with FactStore(path) as store:
    store.init_schema()
    while True:
        act = dice.choice(("ingest", "ingest", "remap", "refresh"))
        if act == "ingest":
            rows = containers.ROWS.replace("120", str(dice.randrange(1, 10**6)))
            put(folder / f"{dice.randrange(5)}.xlsx", containers.workbook(containers.sheet(rows)))
            ingest(folder, store, jobs=1)
        elif act == "remap":
            words = f'[[metric]]\\ncode = "M{dice.randrange(10**6)}"\\nnames = ["asia"]\\n'
            put(path.with_name("vocabulary.toml"), words.encode())
            remap(store)
        else:
            follow(store, vocabulary=path.with_name("vocabulary.toml"), bulk_facts=dice.choice((0, 10**9)))
        head = store.head()
        print(head.seal.hex() if head else "", flush=True)
"""
_ROOT = Path(__file__).resolve().parent.parent


@pytest.mark.slow
def test_killed_at_random_during_ingest_remap_and_refresh(tmp_path: Path) -> None:
    """After every kill the chain holds each run that was acknowledged, the check finds no error, and the copy can be
    brought up to date; in the end store and copy agree."""
    folder, path = tmp_path / "documents", tmp_path / "facts.db"
    folder.mkdir()
    path.with_name("vocabulary.toml").write_text("")
    dice = random.Random(20250331)  # noqa: S311
    acknowledged: set[str] = set()
    for number in range(KILLS):
        child = subprocess.Popen(
            [sys.executable, "-c", _BUSY, str(folder), str(path), str(number)],
            stdout=subprocess.PIPE,
            text=True,
            cwd=_ROOT,
            start_new_session=True,
        )
        assert child.stdout is not None
        if number % 2:  # half of them somewhere in their work, half already while starting
            acknowledged.add(child.stdout.readline().strip())
        time.sleep(dice.uniform(0, 1.5))
        child.send_signal(signal.SIGKILL)
        acknowledged |= {line.strip() for line in child.communicate()[0].splitlines() if len(line) == 65}
        if not path.exists():
            continue
        with FactStore(path) as store:
            if store.schema_version() is None:
                continue
            assert acknowledged - {""} <= {run.seal.hex() for run in store.runs()}
            found = check(store)
            assert found.exit_code in SOUND, found.counts
    with FactStore(path) as store:
        store.init_schema()
        ingest(folder, store)
        follow(store, vocabulary=path.with_name("vocabulary.toml"))
        assert check(store, "cross").exit_code in SOUND


_ONE_INGEST = """
import sys
from factspine.ingestion.pipeline import ingest
from factspine.store.store import FactStore
with FactStore(sys.argv[2]) as store:
    store.init_schema()
    ingest(sys.argv[1], store, jobs=1)
"""
_LIMITED = (
    """
import resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
limit = int(sys.argv[3])
resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
"""
    + _ONE_INGEST
)
# The n-th time that a file is opened, renamed, removed or linked, or that a statement is run, it fails.
_FAILING = (
    """
import errno, sqlite3, sys, threading
from sqlalchemy import Engine, event
wanted, counted, lock = int(sys.argv[3]), 0, threading.Lock()
FILES = {"open", "os.rename", "os.remove", "os.mkdir", "os.link", "os.chmod", "shutil.copyfile", "os.truncate"}

def step():
    global counted
    with lock:
        counted += 1
        return counted == wanted

def hook(name, arguments):
    if name in FILES and sys.argv[4] in str(arguments) and step():
        raise OSError(errno.EIO, "Input/output error")

def before(connection, cursor, statement, parameters, context, many):
    if step():
        raise sqlite3.OperationalError("disk I/O error")

event.listen(Engine, "before_cursor_execute", before)
sys.addaudithook(hook)
"""
    + _ONE_INGEST
    + "\nprint(counted)\n"
)


Told = dict[str, list[str]]


def told(store: FactStore) -> Told:
    """All that is said of every fact, but for the run it came with, by document."""
    found: Told = {}
    for fact in store.facts():
        found.setdefault(fact.source_doc_id, []).append(repr(fact).partition("known_from")[0])
    return found


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Told]:
    """A folder, and the facts of an undisturbed ingest of it."""
    place = tmp_path_factory.mktemp("sound")
    folder = place / "documents"
    folder.mkdir()
    for number in range(4):
        rows = containers.ROWS.replace("132.5", f"{number}.5")
        (folder / f"{number}.xlsx").write_bytes(containers.workbook(containers.sheet(rows)))
    (folder / "deck.pptx").write_bytes(containers.deck())
    with FactStore(place / "facts.db") as store:
        store.init_schema()
        ingest(folder, store)
        return folder, told(store)


def run_child(script: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", script, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, cwd=_ROOT, check=False, timeout=300)


def completes(folder: Path, path: Path, expected: Told) -> None:
    """Whatever was left: each document whole or not at all (one that could not be read does not stop the others); and
    the next ingest ends with every fact, and a sound store."""
    with FactStore(path) as store:
        store.init_schema()
        left = told(store)
        assert left == {name: expected[name] for name in left}
        ingest(folder, store)
        assert told(store) == expected
        found = check(store, "read-data")
        assert found.exit_code in SOUND, found.counts


@pytest.mark.slow
def test_a_full_disk_is_harmless_wherever_it_fills_up(sound: tuple[Path, Told], tmp_path: Path) -> None:
    """No file can grow beyond a limit, from a few bytes to almost enough: an error or success, never half a run."""
    folder, expected = sound
    refused = 0
    for number in range(FAULTS):
        path = tmp_path / f"{number}.db"
        limit = 512 * 2 ** (number * 12 // FAULTS) + 97 * number
        child = run_child(_LIMITED, folder, path, limit)
        refused += child.returncode != 0
        if child.returncode:
            last = child.stderr.strip().splitlines()[-1]
            assert "Error" in last or "Store" in last, child.stderr
        completes(folder, path, expected)
    assert refused


@pytest.mark.slow
def test_failing_at_any_step_is_harmless(sound: tuple[Path, Told], tmp_path: Path) -> None:
    """The n-th operation on a file of ours or on the database fails, for n spread over a whole ingest."""
    folder, expected = sound
    (tmp_path / "whole").mkdir()
    whole = run_child(_FAILING, folder, tmp_path / "whole" / "facts.db", 0, tmp_path)
    assert whole.returncode == 0, whole.stderr
    steps = int(whole.stdout)
    assert steps > 20
    for number in range(FAULTS):
        place = tmp_path / str(number)
        place.mkdir()
        child = run_child(_FAILING, folder, place / "facts.db", 1 + number * steps // FAULTS, tmp_path)
        assert child.returncode in (0, 1), child.stderr
        completes(folder, place / "facts.db", expected)


def test_a_store_that_cannot_be_made_is_said_to(tmp_path: Path) -> None:
    """A folder nobody may write to: one typed error."""
    place = tmp_path / "file"
    place.write_text("this is no folder")
    with pytest.raises((FactSpineError, OSError)), FactStore(place / "facts.db") as store:
        store.init_schema()
