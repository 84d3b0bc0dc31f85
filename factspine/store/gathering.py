"""Rows of several tables, gathered and written together.

A document of two hundred small tables has six kinds of rows for each: handing every handful to the database by itself
costs more than storing it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import Connection, Table

from factspine.store.engine import bulk_insert

_ROWS_MAX = 4_000
_BYTES_MAX = 4 * 1024 * 1024


class Gathering:
    """Rows that wait to be written; `tables` in an order in which each refers to those before it only."""

    def __init__(self, connection: Connection, tables: Sequence[Table]) -> None:
        self._connection = connection
        self._waiting: dict[Table, list[Sequence[Any]]] = {table: [] for table in tables}
        self._rows = 0
        self._bytes = 0

    def add(self, table: Table, rows: Iterable[Sequence[Any]], size: int = 0) -> int:
        """Take rows; how many there were. `size` is what they weigh, where that is much."""
        waiting = self._waiting[table]
        before = len(waiting)
        waiting.extend(rows)
        count = len(waiting) - before
        self._rows += count
        self._bytes += size
        return count

    @property
    def is_full(self) -> bool:
        """Whether so much waits that it had better be written."""
        return self._rows > _ROWS_MAX or self._bytes > _BYTES_MAX

    def write(self) -> None:
        """Write all that waits."""
        for table, rows in self._waiting.items():
            if rows:
                bulk_insert(self._connection, table, rows)
                rows.clear()
        self._rows = self._bytes = 0
