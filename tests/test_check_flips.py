# ruff: noqa: S608  tables of the schema by name
"""No bit of the store or its archive changes unseen, unless it changes nothing."""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
from pathlib import Path

import pytest

from factspine.core.errors import FactSpineError
from factspine.integrity.checker import check
from factspine.store.schema import metadata
from factspine.store.store import FactStore
from tests.damage import make_store

SCALE = float(os.environ.get("FACTSPINE_TEST_SCALE", "1"))
FLIPS = max(40, int(60 * SCALE))


def content(path: Path) -> object:
    """Everything the tables and their indexes say; None where they cannot be read."""
    connection = sqlite3.connect(path)
    try:
        tables = [
            connection.execute(
                f"SELECT * FROM {table.name} ORDER BY {', '.join(table.primary_key.columns.keys())}"
            ).fetchall()
            for table in metadata.sorted_tables
        ]
        rules = connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY name").fetchall()
        return tables, rules, connection.execute("SELECT * FROM alembic_version").fetchall()
    except sqlite3.Error:
        return None
    finally:
        connection.close()


def is_seen(path: Path) -> bool:
    try:
        with FactStore(path) as store:
            return check(store, "read-data").exit_code != 0
    except FactSpineError:
        return True  # it cannot even be opened as a store


@pytest.mark.slow
def test_no_flipped_bit_changes_a_fact_unseen(tmp_path):
    """One bit anywhere in the database file: the check finds it, or every row is what it was."""
    sound = make_store(tmp_path)
    original, expected = sound.read_bytes(), content(sound)
    dice = random.Random(11)  # noqa: S311
    seen = 0
    for _ in range(FLIPS):
        damaged = bytearray(original)
        damaged[dice.randrange(len(damaged))] ^= 1 << dice.randrange(8)
        sound.write_bytes(damaged)
        found = is_seen(sound)
        seen += found
        assert found or content(sound) == expected
        for left in ("-wal", "-shm"):
            sound.with_name(sound.name + left).unlink(missing_ok=True)
    assert seen > FLIPS // 10
    sound.write_bytes(original)
    assert not is_seen(sound)


@pytest.mark.slow
def test_no_flipped_bit_of_the_archive_is_unseen(tmp_path):
    """One bit of an archived file is always found by reading the archive."""
    path = make_store(tmp_path)
    blobs = sorted(one for one in (tmp_path / "facts.db.vault").glob("??/*") if len(one.name) == 64)
    dice = random.Random(12)  # noqa: S311
    with FactStore(path) as store:
        kept = {
            record.file_hash
            for doc in store.documents()
            for record in store.document_history(doc.doc_id)
            if record.reading_id
        }
        for _ in range(max(10, int(20 * SCALE))):
            blob = dice.choice([one for one in blobs if one.name in kept])
            spare = shutil.copy(blob, tmp_path / "spare")
            damaged = bytearray(blob.read_bytes())
            damaged[dice.randrange(len(damaged))] ^= 1 << dice.randrange(8)
            blob.chmod(0o644)
            blob.write_bytes(damaged)
            assert set(check(store, "read-data").counts) == {"FS422"}
            shutil.copy(spare, blob)
        assert check(store, "read-data").ok
