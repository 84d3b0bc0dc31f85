"""Where new rows come from: lists through the store's own connection, or streams straight out of its file."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from factspine.store.columns import COLUMN_SETS, ColumnExport, column_stream

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from factspine.analytics.moving import Mover

# A stream is read by one thread, and a query over several streams reads one after the other. So each is staged by a
# query of its own; more of them than this gain nothing on small machines.
_STREAMS = 2
_STAGED = "SELECT *, hash(metric_code, entity, period) AS question FROM ({rows})"


class RowSource(Protocol):
    """New rows of any kind."""

    def rows(self, connection: DuckDBPyConnection, name: str, first: int, last: int) -> Iterator[tuple[str, list[Any]]]:
        """SQL that yields the rows of a range, and its parameters, in one or more portions."""

    def staged(self, connection: DuckDBPyConnection, moved: Mover, first: int, last: int) -> Iterator[None]:
        """The facts of a range under the name `staged`, in one or more portions."""


class ListSource:
    """Rows through the store's own connection, as lists."""

    def __init__(self, export: ColumnExport) -> None:
        self._export = export

    def rows(self, connection: DuckDBPyConnection, name: str, first: int, last: int) -> Iterator[tuple[str, list[Any]]]:
        """The rows of a range, some thousands at a time."""
        columns = COLUMN_SETS[name].query.selected_columns
        kinds = {str: "VARCHAR", int: "BIGINT", bytes: "BLOB"}
        cells = ", ".join(f"unnest(?::{kinds[one.type.python_type]}[]) AS {one.name}" for one in columns)
        for chunk in self._export.chunks(name, first, last):
            yield f"SELECT {cells}", chunk

    def staged(self, connection: DuckDBPyConnection, moved: Mover, first: int, last: int) -> Iterator[None]:
        """Each portion as a table."""
        for text, parameters in self.rows(connection, "fact", first, last):
            rows = _STAGED.format(rows=moved("fact", text))
            connection.execute(f"CREATE TEMP TABLE staged AS {rows}", parameters)
            yield
            connection.execute("DROP TABLE staged")


class StreamSource:
    """Rows straight out of the store's file, as Arrow; only in a process that has no store open."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def rows(self, connection: DuckDBPyConnection, name: str, first: int, last: int) -> Iterator[tuple[str, list[Any]]]:
        """All the rows of a range."""
        with column_stream(self._path, name, first, last) as stream:
            connection.register("incoming", stream)
            yield "SELECT * FROM incoming", []
            connection.unregister("incoming")

    def staged(self, connection: DuckDBPyConnection, moved: Mover, first: int, last: int) -> Iterator[None]:
        """All the facts of a range, read by several threads into a table each."""
        step = -(-(last - first + 1) // _STREAMS)
        starts = range(first, last + 1, step)
        tables = [f"staging.part_{start}" for start in starts]

        def stage(table: str, stream: object) -> None:
            with connection.cursor() as cursor:
                cursor.register("incoming", stream)
                rows = _STAGED.format(rows=moved("fact", "SELECT * FROM incoming"))
                cursor.execute(f"CREATE TABLE {table} AS {rows}")

        with ExitStack() as stack, ThreadPoolExecutor(_STREAMS) as threads:
            # Opened one after the other: the first connection to a file at rest wants it for itself for a moment.
            opening = (column_stream(self._path, "fact", start, min(start + step - 1, last)) for start in starts)
            streams = [stack.enter_context(stream) for stream in opening]
            list(threads.map(stage, tables, streams))
        parts = " UNION ALL ".join(f"SELECT * FROM {table}" for table in tables)  # noqa: S608  names made above
        # A transaction sees what was there when it began.
        connection.execute(f"COMMIT; BEGIN; CREATE TEMP VIEW staged AS {parts}")
        yield
        connection.execute("DROP VIEW staged; COMMIT; BEGIN")
        with connection.cursor() as cursor:
            cursor.execute("; ".join(f"DROP TABLE {table}" for table in tables))
