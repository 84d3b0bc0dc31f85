"""The completeness ledger cell by cell: each number that is no fact, where it stands, what it shows and why."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from sqlalchemy import ColumnElement, Connection, select

from factspine.core.facts import LeftOut
from factspine.core.packed import unpack_cells
from factspine.core.places import places_of
from factspine.core.tablecodec import decode_table
from factspine.store.schema import ledger, raw_table
from factspine.store.spans import ReadingSpan

_l, _t = ledger.c, raw_table.c


def left_out(connection: Connection, spans: Iterable[ReadingSpan]) -> Iterator[LeftOut]:
    """What of these readings is no fact, in the order of document and place."""
    for span in spans:
        for entries, table in _entries(connection, _l.reading_no == span.reading_no):
            why = {cell: row for row in entries for cell in unpack_cells(row.cells)}
            for at, place, text in places_of(table, sorted(why)):
                row = why[at]
                yield LeftOut(span.doc_id, place, text, row.disposition, row.reason, table.locator, span.file_hash)


def ledger_cells(connection: Connection, first: int, last: int) -> Iterator[tuple[int, int, int, int, int, str, str]]:
    """The cells of a range of ledger entries: entry, reading, table, row and column, locator, what it shows."""
    for entries, table in _entries(connection, _l.ledger_no.between(first, last)):
        for entry in entries:
            for (row, col), place, text in places_of(table, unpack_cells(entry.cells)):
                yield entry.ledger_no, entry.reading_no, entry.table_no, row, col, place, text


def _entries(connection: Connection, wanted: ColumnElement[bool]) -> Iterator[tuple[list[Any], Any]]:
    """The entries of each table of a reading, with the table."""
    columns = (_l.ledger_no, _l.reading_no, _l.table_no, _l.disposition, _l.reason, _l.cells)
    rows = connection.execute(select(*columns).where(wanted).order_by(_l.ledger_no)).all()
    start = 0
    while start < len(rows):
        end = start
        while end < len(rows) and rows[end][1:3] == rows[start][1:3]:
            end += 1
        body = connection.execute(select(_t.body).where(_t.table_no == rows[start].table_no)).scalar_one()
        yield list(rows[start:end]), decode_table(body)
        start = end
