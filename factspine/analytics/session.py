"""SQL for people, locked down: the copy is read and nothing else, within a time and a memory limit.

Nothing in a query can reach a file, another database, the network or an extension, nor change these settings. A query
that takes too long is interrupted; one that needs too much memory fails.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple

import duckdb

from factspine.core.errors import FactSpineError, UsageError
from factspine.store.duck import READ_MEMORY, open_copy

_FETCH_ROWS = 2000
# Parquet has no integer this wide and DuckDB would write a float instead: as a decimal it stays exact.
_WIDE_INTEGERS = ("HUGEINT", "UHUGEINT")


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryLimits:
    """How much one query may take. Generous for an analyst, and no mistake brings the machine down."""

    seconds: float | None = 30.0  # None: as long as it takes
    memory: str = READ_MEMORY


class QueryFailed(FactSpineError):
    """A query ran into a limit or an error of its own."""


class Column(NamedTuple):
    """A column of a result: its name and DuckDB's name of its type."""

    name: str
    kind: str


class Result(NamedTuple):
    """Columns, and rows to be taken one by one while the session is open."""

    columns: tuple[Column, ...]
    rows: Iterator[tuple[Any, ...]]


class Session:
    """One locked-down connection to an analytic copy. `writable` are the only files a query may write or read."""

    def __init__(self, path: Path, limits: QueryLimits | None = None, *, writable: tuple[Path, ...] = ()) -> None:
        self._limits = limits or QueryLimits()
        self._connection = open_copy(path, self._limits.memory, reachable=writable)

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def __enter__(self) -> Session:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @contextmanager
    def query(self, text: str, parameters: object = None) -> Iterator[Result]:
        """Run SQL; of several statements, the last one's result. The time limit holds until the last row is taken."""
        # A cursor of its own: several results may be read side by side.
        with self._connection.cursor() as cursor, self._limited(cursor):
            cursor.execute(text, parameters)
            found = tuple(Column(name, str(kind)) for name, kind, *_ in cursor.description or ())
            yield Result(found, _rows(cursor))

    def write_parquet(self, text: str, path: Path) -> int:
        """Write the result of one SELECT to a file that was declared writable; how many rows it has."""
        statements = duckdb.extract_statements(text)
        if len(statements) != 1 or statements[0].type != duckdb.StatementType.SELECT:
            raise UsageError("Parquet holds the result of one SELECT; give exactly one.")
        query = statements[0].query.rstrip().rstrip(";")
        with self._connection.cursor() as cursor, self._limited(cursor):
            described = cursor.execute(f"DESCRIBE ({query}\n)").fetchall()
            columns = ", ".join(_exact(name, kind) for name, kind, *_ in described)
            target = _quoted(str(path.resolve()))
            # The caller's own query, in the caller's own locked session.
            wrapped = f"COPY (SELECT {columns} FROM ({query}\n)) TO {target}"  # noqa: S608
            cursor.execute(f"{wrapped} (FORMAT parquet, USE_TMP_FILE false)")
            (count,) = cursor.fetchone() or (0,)
        return int(count)

    @contextmanager
    def _limited(self, cursor: duckdb.DuckDBPyConnection) -> Iterator[None]:
        expired = threading.Event()

        def interrupt() -> None:
            expired.set()
            cursor.interrupt()

        timer = None if self._limits.seconds is None else threading.Timer(self._limits.seconds, interrupt)
        if timer is not None:
            timer.daemon = True
            timer.start()
        try:
            yield
        except duckdb.Error as error:
            raise _told(error, self._limits, expired=expired.is_set()) from error
        finally:
            if timer is not None:
                timer.cancel()


def _rows(cursor: duckdb.DuckDBPyConnection) -> Iterator[tuple[Any, ...]]:
    while rows := cursor.fetchmany(_FETCH_ROWS):
        yield from rows


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _exact(name: str, kind: str) -> str:
    quoted = '"' + name.replace('"', '""') + '"'
    return f"{quoted}::DECIMAL(38, 0) AS {quoted}" if kind in _WIDE_INTEGERS else quoted


def _told(error: duckdb.Error, limits: QueryLimits, *, expired: bool) -> FactSpineError:
    if expired and limits.seconds is not None:
        return QueryFailed(f"the query took longer than {limits.seconds:g} s; narrow it, or raise --seconds.")
    if isinstance(error, duckdb.OutOfMemoryException):
        return QueryFailed(f"the query needs more than {limits.memory} of memory; narrow it, or raise --memory.")
    message = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
    if isinstance(error, duckdb.PermissionException):
        return UsageError(f"{message} This command only reads; nothing outside the store can be reached from SQL.")
    return UsageError(f"{message.removesuffix('.')}. `DESCRIBE facts` lists the columns, `SHOW TABLES` the views.")
