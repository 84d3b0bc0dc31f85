"""Stores to be damaged, and the ways of somebody who knows SQL and wants no trace left."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path

from factspine.ingestion.pipeline import ingest
from factspine.integrity.checker import check
from factspine.store.store import FactStore
from tests.hostile import containers

Act = Callable[[sqlite3.Connection], object]


def fill(folder: Path) -> Path:
    """Three documents, one of them unreadable."""
    folder.mkdir()
    for number in range(3):
        # Years as numbers: headers that the ledger accounts for.
        rows = containers.ROWS.replace("132.5", f"{number}32.5")
        rows = rows.replace('t="inlineStr"><is><t>FY2023</t></is>', "><v>2023</v>")
        rows = rows.replace('t="inlineStr"><is><t>FY2024</t></is>', "><v>2024</v>")
        (folder / f"{number}.xlsx").write_bytes(containers.workbook(containers.sheet(rows)))
    (folder / "deck.pptx").write_bytes(containers.deck())
    (folder / "broken.xlsx").write_bytes(containers.workbook()[:-50])
    return folder


def make_store(place: Path) -> Path:
    """A store of four runs: all documents, one revised, one withdrawn, one added; its path."""
    folder, path = fill(place / "documents"), place / "facts.db"
    with FactStore(path) as store:
        store.init_schema()
        ingest(folder, store, jobs=1)
        revised = containers.ROWS.replace("132.5", "133.5").replace("80", "81")
        (folder / "0.xlsx").write_bytes(containers.workbook(containers.sheet(revised)))
        ingest(folder, store, jobs=1)
        (folder / "1.xlsx").unlink()
        ingest(folder, store, jobs=1)
        (folder / "new.xlsx").write_bytes(containers.workbook(containers.sheet(containers.ROWS.replace("120", "77"))))
        ingest(folder, store, jobs=1)
    return path


def tamper(path: Path, act: Act) -> None:
    """Changes the file behind the store's back, and puts the rules against changes back in place."""
    connection = sqlite3.connect(path, isolation_level=None)
    try:
        connection.execute("PRAGMA foreign_keys = OFF")
        connection.execute("PRAGMA ignore_check_constraints = ON")
        rules = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for name, _ in rules:
            connection.execute(f"DROP TRIGGER {name}")
        act(connection)
        for _, sql in rules:
            connection.execute(sql)
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    finally:
        connection.close()


def codes(path: Path, level: str = "structure", **options: object) -> set[str]:
    """The codes a check finds."""
    with FactStore(path) as store:
        return set(check(store, level, **options).counts)  # type: ignore[arg-type]


def one(connection: sqlite3.Connection, query: str) -> object:
    """The only value of a query."""
    return connection.execute(query).fetchone()[0]
