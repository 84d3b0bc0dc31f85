"""The schema keeps the record: what it refuses, and that migrations and code agree about it."""

from __future__ import annotations

import re
import sqlite3
from pathlib import Path

import pytest
from sqlalchemy import create_engine
from sqlalchemy.dialects import postgresql
from sqlalchemy.schema import CreateTable
from store_samples import ingest_one

from factspine.core.errors import SchemaMismatch, StoreError, StoreMissing
from factspine.store import schema
from factspine.store.store import FactStore

RECORD = sorted(schema.metadata.tables)


@pytest.fixture
def store(tmp_path: Path) -> FactStore:
    store = FactStore(tmp_path / "facts.db")
    store.init_schema()
    return store


def raw(store: FactStore) -> sqlite3.Connection:
    connection = sqlite3.connect(str(store.path), isolation_level=None)
    connection.execute("PRAGMA foreign_keys = ON")
    return connection


@pytest.mark.parametrize("table", RECORD)
def test_nothing_in_the_record_is_changed_or_deleted(store: FactStore, table: str) -> None:
    """Whoever opens the file with any tool cannot update or delete a row of the record."""
    ingest_one(store, "a.xlsx", ["1", "2"])
    connection = raw(store)
    column = next(iter(schema.metadata.tables[table].columns)).name
    assert connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0] > 0  # noqa: S608
    for statement in (f"UPDATE {table} SET {column} = {column}", f"DELETE FROM {table}"):  # noqa: S608
        with pytest.raises(sqlite3.IntegrityError, match="is changed or deleted"):
            connection.execute(statement)
    connection.close()


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("source_doc_id", None),
        ("source_doc_id", ""),
        ("source_locator", None),
        ("source_locator", ""),
        ("value", None),
        ("value", ""),
        ("value", b"1"),
        ("unit", ""),
        ("metric_code", ""),
        ("period_type", "YEAR"),
    ],
)
def test_a_fact_without_lineage_or_exact_value_is_refused(store: FactStore, column: str, value: object) -> None:
    """The database itself refuses a fact that does not say where it comes from, or holds no value."""
    ingest_one(store, "a.xlsx", ["1", "2"])
    connection = raw(store)
    names = [c.name for c in schema.fact_metric.columns]
    row = dict(zip(names, connection.execute("SELECT * FROM fact_metric LIMIT 1").fetchone(), strict=True))
    row |= {"fact_no": 1000}
    insert = f"INSERT INTO fact_metric VALUES ({','.join('?' * len(names))})"  # noqa: S608
    with pytest.raises(sqlite3.IntegrityError):
        connection.execute(insert, tuple((row | {column: value}).values()))
    connection.execute(insert, tuple(row.values()))  # as it was, the row is welcome: only the change was refused
    connection.close()


def test_the_ten_frozen_fields_come_first_and_in_order() -> None:
    """Tools that read fact_metric by position find the ten fields of the contract."""
    names = [column.name for column in schema.fact_metric.columns][1:11]
    assert names == [
        "metric_code",
        "entity",
        "geography",
        "channel",
        "period_type",
        "period",
        "value",
        "unit",
        "source_doc_id",
        "source_locator",
    ]


def definitions(connection: sqlite3.Connection) -> dict[str, list[str]]:
    rows = connection.execute(
        "SELECT name, sql FROM sqlite_master WHERE type IN ('table', 'index') AND sql IS NOT NULL"
    ).fetchall()
    # The order of constraints within a table says nothing.
    return {
        name: sorted(re.sub(r"\s+", " ", line).strip(" ,") for line in sql.splitlines())
        for name, sql in rows
        if name != "alembic_version"
    }


def test_migrations_lead_to_the_schema_the_code_knows(store: FactStore, tmp_path: Path) -> None:
    """A store made by the migrations is exactly the one the code describes."""
    described = tmp_path / "described.db"
    engine = create_engine(f"sqlite:///{described}")
    schema.metadata.create_all(engine)
    engine.dispose()
    connection = sqlite3.connect(described)
    migrated = raw(store)
    assert definitions(migrated) == definitions(connection)
    assert store.schema_version() == schema.SCHEMA_VERSION
    connection.close()
    migrated.close()


def test_migrations_have_one_head_and_it_is_ours() -> None:
    """The version the code asks for is the last one the migrations make."""
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    from factspine.store.migrate import script_location

    config = Config()
    config.set_main_option("script_location", str(script_location()).replace("%", "%%"))
    assert ScriptDirectory.from_config(config).get_heads() == [schema.SCHEMA_VERSION]


def test_the_migrations_folder_is_no_package() -> None:
    """A package of that name at the top would shadow the library it belongs to."""
    assert not (Path(__file__).parents[1] / "alembic" / "__init__.py").exists()


def test_every_table_compiles_for_a_server() -> None:
    """Nothing in the schema is of one database only."""
    for table in schema.metadata.tables.values():
        ddl = str(CreateTable(table).compile(dialect=postgresql.dialect()))
        assert "GLOB" not in ddl
        assert "STRICT" not in ddl


def test_a_store_that_is_not_there_is_not_made_by_looking(tmp_path: Path) -> None:
    """Asking for facts of a mistyped path says so, and leaves no empty file behind."""
    store = FactStore(tmp_path / "nowhere" / "facts.db")
    with pytest.raises(StoreMissing):
        store.documents()
    assert not list(tmp_path.iterdir())


def test_a_store_of_another_version_is_refused_with_what_to_do(store: FactStore) -> None:
    """An older store asks to be upgraded, a newer one asks for a newer program; neither is read as it is."""
    store.close()
    for version, advice in (("0000", "db upgrade"), ("9999", "upgrade factspine")):
        connection = raw(store)
        connection.execute("UPDATE alembic_version SET version_num = ?", (version,))
        connection.close()
        again = FactStore(str(store.path))
        with pytest.raises(SchemaMismatch, match=advice):
            again.documents()
        again.close()


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    """Pointing at a document instead of a store is an error of the store's own kind."""
    path = tmp_path / "facts.db"
    path.write_text("This is not a database, it is a text file. " * 50)
    with pytest.raises(StoreError):
        FactStore(path).documents()


def test_making_a_store_twice_is_harmless(store: FactStore) -> None:
    """`init_schema` on a store in use changes nothing, and leaves nothing lying about."""
    ingest_one(store, "a.xlsx", ["1"])
    FactStore(str(store.path)).init_schema()
    assert len(list(store.facts())) == 1
    assert store.path is not None
    store.close()
    assert {entry.name for entry in store.path.parent.iterdir()} <= {"facts.db", "facts.db.heads"}


def test_the_view_shows_current_facts_with_their_lineage(store: FactStore) -> None:
    """Whoever opens the file in a database browser finds current facts with document, hash and versions."""
    ingest_one(store, "a.xlsx", ["1", "2"])
    ingest_one(store, "a.xlsx", ["3"], "second")
    connection = raw(store)
    connection.row_factory = sqlite3.Row
    rows = connection.execute("SELECT * FROM fact").fetchall()
    connection.close()
    (fact,) = store.facts()
    assert [(row["fact_id"], row["value"], row["file_hash"], row["scale"], row["known_from"]) for row in rows] == [
        (fact.fact_id, "3", fact.source_file_hash, 6, fact.known_from)
    ]
