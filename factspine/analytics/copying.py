"""The analytic copy beside the store: made when first asked for, then following run by run.

A refresh works on a file of its own and puts it in place of the old one in one step: whoever has the old one open
reads on undisturbed, and a refresh that dies leaves the old copy as it was. One refresh runs at a time; the others
wait for it and find nothing left to do. The copy is derived from the record and never the other way round: where the
store is not the one the copy was made of, or another version made it, it is made anew.

Not everybody may see everything, so there is one copy for each level of clearance that is asked for. The one without a
level in its name holds what is public: it can be given to any tool and anybody. The others are as sensitive as the
store. Nothing in a copy tells that there is more than it holds.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple, TextIO

import duckdb

from factspine.analytics.incoming import ListSource, StreamSource
from factspine.analytics.loading import (
    Plan,
    create_layout,
    held_numbers,
    layout_text,
    load_rows,
    load_unpacked,
)
from factspine.analytics.moving import Mover
from factspine.core.clearance import LEVELS, level_of
from factspine.core.errors import StoreBusy, StoreError, UsageError
from factspine.lexicon.vocabulary import Vocabulary
from factspine.store.columns import ColumnExport, exporting
from factspine.store.renumbering import moved_rows
from factspine.store.store import FactStore

COPY_SUFFIX = ".duckdb"
# From here on a child that streams the rows is faster than lists, in spite of what starting it costs.
BULK_FACTS = 50_000
_REFRESH_MEMORY = "3GB"
_WAIT_SECONDS = 600.0
_MAGIC, _MAGIC_AT = b"DUCK", 8


class CopyState(NamedTuple):
    """Where a copy stands: by what it was made, how many runs it holds, the seal of the last, and the ranks its order
    follows. Runs are those its viewers may see."""

    layout: str = ""
    runs: int = 0
    seal: str = ""
    ranks: str = ""


class Ranks(NamedTuple):
    """The user's own order of documents, and a name for it that changes when it does."""

    name: str = ""
    rank: Callable[[str], int | None] = lambda _: None

    @classmethod
    def of(cls, vocabulary: Path | None) -> Ranks:
        """The order a vocabulary file declares."""
        if vocabulary is None:
            return cls()
        return cls(sha256(vocabulary.read_bytes()).hexdigest(), Vocabulary.load(vocabulary).precedence)


def copy_path(store_path: Path, viewer: str | None = None) -> Path:
    """Where the analytic copy of a store lies that a viewer of that level asks."""
    level = level_of(viewer)
    middle = "" if level == LEVELS[0] else f".{level.lower()}"
    return store_path.with_name(f"{store_path.name}{middle}{COPY_SUFFIX}")


@cache
def current_layout() -> str:
    """What made a copy: its tables and views, and DuckDB, whose hashes may differ from one version to the next."""
    return f"{sha256(layout_text().encode()).hexdigest()[:16]}/{duckdb.__version__}"


def follow(
    store: FactStore, *, viewer: str | None = None, vocabulary: Path | None = None, bulk_facts: int = BULK_FACTS
) -> Path:
    """Bring the copy for a viewer to the store's last run, and tell where it is. With nothing new, nothing is
    written. Where the store is itself such a copy, it is the one."""
    path = _file_of(store)
    if store.is_copy:
        return path
    target = copy_path(path, viewer)
    with exporting(store.seen_by(viewer)) as export:
        wanted = _wanted(export, vocabulary)
        if _noted_state(target) == wanted:
            return target
        state = read_state(target)
        if state == wanted:
            return target
        since = _last_run_held(state, wanted, export)
        new_facts = export.highest()["fact"] - export.highest(since)["fact"]
    if new_facts >= bulk_facts and find_spec("adbc_driver_sqlite") is not None:
        _refresh_in_child(path, level_of(viewer), vocabulary)
    else:
        refresh(store, viewer=viewer, vocabulary=vocabulary)
    return target


def refresh(
    store: FactStore, *, viewer: str | None = None, vocabulary: Path | None = None, streaming: bool = False
) -> bool:
    """Load what is new into the copy; whether there was anything. `streaming` only where nobody else in this process
    has the store open: the store is closed for it."""
    target = copy_path(_file_of(store), viewer)
    with _only_one(target) as note:
        with exporting(store.seen_by(viewer)) as export:
            wanted = _wanted(export, vocabulary)
            state = read_state(target)
            if state == wanted:
                return False
            continues = _last_run_held(state, wanted, export) > 0
        work = _workfile(target, continues=continues)
        with _writing(work) as connection:
            if not continues:
                create_layout(connection)
            _bring_up(connection, store, viewer, vocabulary, streaming=streaming)
        with work.open("rb") as done:
            os.fsync(done.fileno())
        work.replace(target)
        _write_note(note, target)
    return True


def read_state(path: Path) -> CopyState | None:
    """Where the copy stands; None where there is none, or none that can be used."""
    try:
        with path.open("rb") as stream:
            head = stream.read(_MAGIC_AT + len(_MAGIC))
    except FileNotFoundError:
        return None
    if head and head[_MAGIC_AT:] != _MAGIC:
        raise StoreError(f"{path.name} beside the store is no DuckDB file; move it away and ask again")
    try:
        with duckdb.connect(str(path), read_only=True) as connection:
            row = connection.execute("SELECT layout, runs, seal, ranks FROM record.copy_state").fetchone()
    except duckdb.ConnectionException:
        raise StoreBusy("this process has the analytic copy open in another way; close it first") from None
    except duckdb.BinderException:
        return None  # of an earlier layout
    except duckdb.CatalogException as error:
        raise StoreError(f"{path.name} beside the store is not its analytic copy; move it away") from error
    except duckdb.Error:
        return None  # damaged, or of a version this one cannot read: it is made anew
    return None if row is None else CopyState(*row)


def _wanted(export: ColumnExport, vocabulary: Path | None) -> CopyState:
    head = export.head()
    ranks = "" if vocabulary is None else sha256(vocabulary.read_bytes()).hexdigest()
    if head is None:
        return CopyState(current_layout(), ranks=ranks)
    return CopyState(current_layout(), export.runs_seen(), head.seal.hex(), ranks)


def _last_run_held(state: CopyState | None, wanted: CopyState, export: ColumnExport) -> int:
    """The number in the record of the last run a copy holds; 0 where it does not hold the beginning of this record."""
    if state is None or state.layout != wanted.layout:
        return 0
    run = export.run_at(state.runs)
    if run is None or run.seal.hex() != state.seal:
        return 0
    # Rows that were written long ago and can be seen only now lie among those the copy has: it cannot go on.
    return 0 if export.hidden is not None and export.hidden.revealed > run.run_no else run.run_no


def _file_of(store: FactStore) -> Path:
    if store.path is None:
        raise UsageError("the analytic copy lies beside a store in a file; name a path with --store")
    return store.path


def _workfile(target: Path, *, continues: bool) -> Path:
    work = target.with_name(target.name + ".refreshing")
    for leftover in (work, work.with_name(work.name + ".wal")):
        leftover.unlink(missing_ok=True)
    if continues:
        shutil.copyfile(target, work)
    return work


@contextmanager
def _writing(work: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    # Rows are numbered; the order in which they lie matters to nobody, and keeping it costs a core.
    config: dict[str, str | bool | int | float | list[str]] = {
        "preserve_insertion_order": False,
        "memory_limit": _REFRESH_MEMORY,
        "wal_autocheckpoint": "1TB",  # once, at the end
        "enable_external_access": True,
        "autoinstall_known_extensions": False,
        "autoload_known_extensions": False,
    }
    with duckdb.connect(str(work), config=config) as connection:
        # What is needed only on the way, and by several connections at once.
        connection.execute("ATTACH ':memory:' AS staging")
        # Nobody sees the file before it is complete; in a transaction not every statement is brought to disk.
        connection.execute("BEGIN")
        yield connection
        connection.execute("COMMIT")
        connection.execute("CHECKPOINT")


def _bring_up(
    connection: duckdb.DuckDBPyConnection,
    store: FactStore,
    viewer: str | None,
    vocabulary: Path | None,
    *,
    streaming: bool,
) -> None:
    ranks = Ranks.of(vocabulary)
    row = connection.execute("SELECT layout, runs, seal, ranks FROM record.copy_state").fetchone()
    before = None if row is None else CopyState(*row)
    rerank = before is not None and before.ranks != ranks.name
    with exporting(store.seen_by(viewer)) as export:
        # The store may have grown since it was looked at; what is loaded is what is noted down.
        reached = _wanted(export, vocabulary)
        since = _last_run_held(before, reached, export)
        moved = None if export.hidden is None else moved_rows(export.connection, export.hidden)
        plan = Plan(export.highest(since), export.highest(), Mover(connection, moved), held_numbers(connection))
        load_unpacked(connection, export, plan)
        if not streaming:
            load_rows(connection, ListSource(export), plan, ranks.rank, rerank=rerank)
    if streaming:
        store.close()
        load_rows(connection, StreamSource(_file_of(store)), plan, ranks.rank, rerank=rerank)
    connection.execute("DELETE FROM record.copy_state")
    connection.execute("INSERT INTO record.copy_state VALUES (?, ?, ?, ?)", list(reached))


@contextmanager
def _only_one(target: Path) -> Iterator[TextIO]:
    """One refresh at a time. The file that is locked also holds a note of the state it left."""
    import fcntl

    with _note_path(target).open("a+", encoding="utf-8") as lock:
        until = time.monotonic() + _WAIT_SECONDS
        while True:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() > until:
                    raise StoreBusy("another process is refreshing the analytic copy; try again later") from None
                time.sleep(0.05)
        yield lock


def _note_path(target: Path) -> Path:
    return target.with_name(target.name + ".lock")


def _signature(target: Path) -> list[int]:
    found = target.stat()
    return [found.st_ino, found.st_size, found.st_mtime_ns]


def _write_note(note: TextIO, target: Path) -> None:
    state = read_state(target)
    if state is not None:
        note.truncate(0)
        note.write(json.dumps({"state": list(state), "file": _signature(target)}))


def _noted_state(target: Path) -> CopyState | None:
    """The state the last refresh noted down, if the copy is still the file it left: opening it takes longer."""
    try:
        note = json.loads(_note_path(target).read_text(encoding="utf-8"))
        return CopyState(*note["state"]) if note["file"] == _signature(target) else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _refresh_in_child(path: Path, level: str, vocabulary: Path | None) -> None:
    command = [sys.executable, "-m", "factspine.analytics.copying", str(path.resolve()), level]
    if vocabulary is not None:
        command.append(str(vocabulary.resolve()))
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)  # noqa: S603
    if done.returncode:
        lines = done.stderr.strip().splitlines()
        raise StoreError(f"the analytic copy could not be refreshed: {lines[-1] if lines else 'the child died'}")


def _main(arguments: list[str]) -> None:
    with FactStore(Path(arguments[0])) as store:
        level, vocabulary = (*arguments[1:], "", "")[:2]
        refresh(store, viewer=level, vocabulary=Path(vocabulary) if vocabulary else None, streaming=True)


if __name__ == "__main__":
    _main(sys.argv[1:])
