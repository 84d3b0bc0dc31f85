"""Connections, and everything that differs between databases.

SQLite: the driver's own transaction handling is switched off and every transaction is begun explicitly, a writing one
with BEGIN IMMEDIATE. Left to itself the driver begins late, and two writers that both read the head of the chain
before either writes would fork it without an error.

PostgreSQL: a writing transaction takes one advisory lock; rows are sent with COPY.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from itertools import repeat
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, Table, create_engine, event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError

from factspine.core.errors import RecordRefused, SchemaMismatch, StoreBusy, StoreError, StoreMissing, UsageError
from factspine.store.duck import SCHEME, make_copy_engine

# How long another writer is waited for; a timer that must not pile up says less.
BUSY_SECONDS = float(os.environ.get("FACTSPINE_BUSY_SECONDS", "60"))
_WRITING = "factspine_writing"
_MANY_ROWS = 500  # from here on a statement made for its rows pays for being compiled
_ADVISORY_LOCK = 0x66616374  # one number for all writers of one PostgreSQL database
# synchronous: in WAL mode NORMAL may lose runs that were already acknowledged when the power fails.
# cell_size_check: a damaged page is an error, not a wrong answer. trusted_schema: a crafted file runs no functions.
# recursive_triggers: without it INSERT OR REPLACE would delete rows unseen by the append-only triggers.
_PRAGMAS = (
    "PRAGMA synchronous = FULL",
    "PRAGMA foreign_keys = ON",
    "PRAGMA cell_size_check = ON",
    "PRAGMA trusted_schema = OFF",
    "PRAGMA recursive_triggers = ON",
    "PRAGMA cache_size = -65536",
    "PRAGMA temp_store = MEMORY",
)


def store_url(address: str | Path) -> URL:
    """The URL a path or URL stands for."""
    text = str(address)
    if isinstance(address, Path) or "://" not in text:
        if not text:
            raise UsageError("an empty store address; give a path or a URL")
        return URL.create("sqlite", database=text)
    try:
        url = make_url(text)
    except ArgumentError as error:
        raise UsageError("the store address is neither a path nor a database URL") from error
    if url.get_backend_name() == "sqlite" and url.database in (None, "", ":memory:"):
        raise UsageError("a store in memory cannot be shared between processes; give a file")
    return url


def sqlite_path(url: URL) -> Path | None:
    """The file of an embedded store; None where a server keeps it."""
    return Path(url.database) if url.get_backend_name() == "sqlite" and url.database else None


def copy_file(url: URL) -> Path | None:
    """The file of an analytic copy; None where the address names a store."""
    return Path(url.database) if url.get_backend_name() == SCHEME and url.database else None


def make_engine(url: URL, *, busy_seconds: float = BUSY_SECONDS) -> Engine:
    """An engine whose transactions begin as this store needs them; nothing is opened yet."""
    if copy_file(url) is not None:
        return make_copy_engine(url)
    path = sqlite_path(url)
    # Error texts carry no parameters: they would hold cell text.
    if path is None:
        engine = _server_engine(url)
    else:
        engine = create_engine(url, creator=lambda: _open_sqlite(path, busy_seconds), hide_parameters=True)
    event.listen(engine, "begin", _begin)
    return engine


def _server_engine(url: URL) -> Engine:
    try:
        return create_engine(url, hide_parameters=True)
    except (NoSuchModuleError, ImportError) as error:
        raise UsageError(
            f"no driver for {url.drivername} is installed; give a path, or install the driver of that database"
        ) from error


def create_sqlite_file(path: Path) -> None:
    """An empty database file in the layout a store has; only for a path nobody else knows yet."""
    connection = sqlite3.connect(path, isolation_level=None)
    try:
        # Facts are a few hundred bytes: with pages of twice the usual size, writing them takes a tenth less.
        connection.execute("PRAGMA page_size = 8192")
        connection.execute("PRAGMA journal_mode = WAL")
    finally:
        connection.close()


@contextmanager
def reading_transaction(engine: Engine) -> Iterator[Connection]:
    """A connection that sees one state of the store from its first to its last query."""
    with translated_errors(), engine.connect() as connection, connection.begin():
        yield connection


@contextmanager
def writing_transaction(engine: Engine) -> Iterator[Connection]:
    """A connection that holds the write lock from the start; commits at the end, rolls back on any exception."""
    with translated_errors(), open_writing(engine) as connection:
        yield connection
        connection.commit()


@contextmanager
def open_writing(engine: Engine) -> Iterator[Connection]:
    """A connection that holds the write lock from the start; what was not committed at the end is rolled back."""
    with engine.connect() as plain:
        connection = plain.execution_options(**{_WRITING: True})
        connection.begin()
        yield connection  # closing the connection rolls back what is still open


@contextmanager
def savepoint(connection: Connection) -> Iterator[None]:
    """Part of a writing transaction that is undone alone when an exception leaves it.

    Embedded stores have it straight from the driver: a run has one for each document, and the statement itself takes a
    hundredth of the time of being handed down.
    """
    if connection.dialect.name != "sqlite":
        with connection.begin_nested():
            yield
        return
    driver = _sqlite_driver(connection)
    driver.execute("SAVEPOINT part")
    try:
        yield
    except BaseException:
        driver.execute("ROLLBACK TO part")
        driver.execute("RELEASE part")
        raise
    driver.execute("RELEASE part")


def bulk_insert(connection: Connection, table: Table[Any], rows: Iterable[Sequence[Any]]) -> int:
    """Insert tuples in the order of the table's columns, without an object or dictionary a row; how many there were."""
    if connection.dialect.name == "sqlite":
        return _sqlite_driver(connection).executemany(_insert_of(table), rows).rowcount
    driver = connection.connection.driver_connection
    names = ",".join(column.name for column in table.columns)
    count = 0
    with driver.cursor() as cursor, cursor.copy(f"COPY {table.name} ({names}) FROM STDIN") as copy:  # type: ignore[union-attr]
        for row in rows:
            copy.write_row(row)
            count += 1
    return count


def insert_columns(connection: Connection, table: Table[Any], columns: Mapping[str, Iterable[Any]], count: int) -> int:
    """Insert `count` rows given column by column; how many there were.

    A column that is `itertools.repeat` holds one value for all rows. Binding a text takes longer than storing it, so
    that with many rows such a value is written into the statement once instead.
    """
    fixed: dict[str, Any] = {}
    if connection.dialect.name == "sqlite" and count >= _MANY_ROWS:
        fixed = {name: next(column) for name, column in columns.items() if isinstance(column, repeat)}
    bound = [columns[column.name] for column in table.columns if column.name not in fixed]
    rows = zip(*bound, strict=False)  # those that repeat are endless
    if not fixed:
        return bulk_insert(connection, table, rows)
    driver = _sqlite_driver(connection)
    values = ",".join(_literal(fixed[column.name]) if column.name in fixed else "?" for column in table.columns)
    return driver.executemany(f"INSERT INTO {table.name} VALUES ({values})", rows).rowcount  # noqa: S608


@cache
def _insert_of(table: Table[Any]) -> str:
    # The table's name is a constant of the schema, never input.
    return f"INSERT INTO {table.name} VALUES ({','.join('?' * len(table.columns))})"  # noqa: S608


def _sqlite_driver(connection: Connection) -> sqlite3.Connection:
    driver = connection.connection.driver_connection
    assert isinstance(driver, sqlite3.Connection)  # noqa: S101  what `_open_sqlite` opened
    return driver


def _literal(value: str | int) -> str:
    """A value as SQLite reads it in a statement; within quotes nothing but the quote itself has a meaning."""
    return str(int(value)) if isinstance(value, int) else "'" + value.replace("'", "''") + "'"


@contextmanager
def translated_errors() -> Iterator[None]:
    """Errors of the driver as errors of the store, that say what to do and quote no content."""
    try:
        yield
    except (DBAPIError, sqlite3.Error) as error:
        original = error.orig if isinstance(error, DBAPIError) else error
        raise _translate(str(original)) from error
    except UnicodeDecodeError as error:
        # The driver quotes what it read in its own error messages, and fails on them where that is no text.
        raise StoreError("the store's file is damaged; `factspine check` says more") from error


def _translate(message: str) -> StoreError:
    if "constraint failed" in message or "violates" in message:
        return RecordRefused(f"the store refused what was read: {message.splitlines()[0]}")
    if "locked" in message or "busy" in message:
        return StoreBusy("another process is writing to the store; try again when it has finished")
    if "unable to open database file" in message:
        return StoreMissing("the store cannot be opened; check the path and its permissions")
    if "not a database" in message:
        return SchemaMismatch("the file is no store; name another one, or a path where there is no file yet")
    if "full" in message:
        return StoreError("the disk is full; nothing of this run was kept. Free space and run again")
    return StoreError(f"the store refused: {message.splitlines()[0] if message else 'unknown reason'}")


def _open_sqlite(path: Path, busy_seconds: float) -> sqlite3.Connection:
    if not path.exists():
        raise StoreMissing(f"there is no store at {path}; `factspine init` or `factspine ingest` makes one")
    connection = sqlite3.connect(path, timeout=busy_seconds, isolation_level=None, check_same_thread=False)
    try:
        for pragma in _PRAGMAS:
            connection.execute(pragma)
    except BaseException:
        connection.close()
        raise
    return connection


def _begin(connection: Connection) -> None:
    writing = connection.get_execution_options().get(_WRITING, False)
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")
    elif writing:
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_ADVISORY_LOCK})")
    else:
        connection.exec_driver_sql("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
