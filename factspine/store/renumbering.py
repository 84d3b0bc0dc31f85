"""The numbers of rows as they would be if what is hidden had never been written.

Numbers are assigned in order, without gaps, and the rows of one reading or extraction lie together. So a gap would show
that something is hidden; and how far each row must move is said once for its reading or extraction.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import Any, NamedTuple

from sqlalchemy import Connection, Table, func, select

from factspine.store.access import Hidden
from factspine.store.schema import (
    event,
    extraction,
    fact_context,
    finding,
    ledger,
    passage,
    raw_table,
    reading,
    reading_seal,
    revision,
)

Row = tuple[Any, ...]


class MovedRows(NamedTuple):
    """The rows of one kind that can be seen: names of columns, the old number first and the new one second."""

    columns: tuple[str, ...]
    kinds: tuple[str, ...]
    rows: list[Row]


def moved_rows(connection: Connection, hidden: Hidden) -> dict[str, MovedRows]:
    """Where the rows that can be seen move to, by kind; what is not named in it is hidden."""
    events = _dense(connection.execute(select(event.c.event_no).order_by(event.c.event_no)).scalars(), hidden.events)
    documents = sorted(
        set(connection.execute(select(event.c.document_no).distinct()).scalars()) - set(hidden.documents)
    )
    readings, extractions = _readings(connection, hidden), _extractions(connection, hidden)
    return {
        "document": _numbered(documents),
        "event": _simple(_with_status(events, hidden)),
        "run": MovedRows(
            ("run_no", "new_no", "run_id", "event_count", "fact_count", "root", "seal"),
            ("BIGINT", "BIGINT", "VARCHAR", "BIGINT", "BIGINT", "BLOB", "BLOB"),
            [
                (one.run_no, place, one.run_id, one.event_count, one.fact_count, one.root, one.seal)
                for place, one in enumerate(hidden.runs, 1)
            ],
        ),
        "reading": readings,
        "extraction": extractions,
        "revision": _numbered(_revisions(connection, [row[0] for row in extractions.rows])),
        "finding": _numbered(_findings(connection, hidden)),
    }


def _dense(numbers: Iterable[int], without: Collection[int]) -> list[tuple[int, int]]:
    return [(number, place) for place, number in enumerate((one for one in numbers if one not in without), 1)]


def _numbered(numbers: Iterable[int]) -> MovedRows:
    return MovedRows(("old_no", "new_no"), ("BIGINT", "BIGINT"), list(_dense(numbers, ())))


def _simple(rows: list[Row]) -> MovedRows:
    return MovedRows(("old_no", "new_no", "leaf_as_first"), ("BIGINT", "BIGINT", "BLOB"), rows)


def _with_status(events: list[tuple[int, int]], hidden: Hidden) -> list[Row]:
    return [(old, new, hidden.first_events.get(old)) for old, new in events]


def _shifted(
    owners: Iterable[int], is_seen: Callable[[int], bool], counts: list[dict[int, int]]
) -> list[tuple[int, int, tuple[int, ...]]]:
    """Each owner that is seen, its new number, and by how much the rows it owns move, kind by kind."""
    found, shifts, place = [], [0] * len(counts), 0
    for owner in owners:
        if is_seen(owner):
            place += 1
            found.append((owner, place, tuple(shifts)))
        else:
            shifts = [shift + count.get(owner, 0) for shift, count in zip(shifts, counts, strict=True)]
    return found


def _counted(connection: Connection, table: Table, owner: str) -> dict[int, int]:
    column = table.c[owner]
    return dict(connection.execute(select(column, func.count()).group_by(column)).all())


def _extraction_of(connection: Connection) -> dict[int, int]:
    query = select(reading.c.reading_no, reading.c.extraction_no).order_by(reading.c.reading_no)
    return dict(connection.execute(query).all())


def _extractions(connection: Connection, hidden: Hidden) -> MovedRows:
    of_reading = _extraction_of(connection)
    seen = {number for reading_no, number in of_reading.items() if reading_no not in hidden.readings}
    every = connection.execute(select(extraction.c.extraction_no).order_by(extraction.c.extraction_no)).scalars()
    counts = [_counted(connection, table, "extraction_no") for table in (raw_table, passage)]
    rows = [(old, new, *shifts) for old, new, shifts in _shifted(every, seen.__contains__, counts)]
    return MovedRows(("extraction_no", "new_no", "tables", "passages"), ("BIGINT",) * 4, rows)


def _readings(connection: Connection, hidden: Hidden) -> MovedRows:
    of_reading = _extraction_of(connection)
    facts = dict(connection.execute(select(reading_seal.c.reading_no, reading_seal.c.fact_count)).all())
    counts = [facts, *(_counted(connection, table, "reading_no") for table in (fact_context, ledger))]
    tables = {row[0]: row[2] for row in _extractions(connection, hidden).rows}
    rows = [
        (old, new, *shifts, tables[of_reading[old]])
        for old, new, shifts in _shifted(of_reading, lambda number: number not in hidden.readings, counts)
    ]
    columns = ("reading_no", "new_no", "facts", "contexts", "ledgers", "tables")
    return MovedRows(columns, ("BIGINT",) * 6, rows)


def _revisions(connection: Connection, extractions: Collection[int]) -> list[int]:
    seen = set(extractions)
    query = select(extraction.c.extraction_no, revision.c.revision_no).join_from(extraction, revision)
    return sorted({number for extraction_no, number in connection.execute(query) if extraction_no in seen})


def _findings(connection: Connection, hidden: Hidden) -> list[int]:
    e, f = event.c, finding.c
    query = (
        select(f.finding_no, e.event_no)
        .join_from(finding, event, (e.document_no == f.document_no) & (e.run_no == f.run_no))
        .order_by(f.finding_no)
    )
    return [number for number, event_no in connection.execute(query) if event_no not in hidden.events]
