"""Documents: what the store holds of each now, which is what its last event says."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Column, Connection, Label, ScalarSelect, Select, func, select

from factspine.store.schema import document, event, extraction, ledger, reading, reading_seal, revision, run, run_seal


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentState:
    """One document as of its last event. `reading_id` is empty where it was withdrawn or rejected."""

    doc_id: str
    status: str  # ingested, updated, withdrawn, rejected
    file_hash: str
    extractor_version: str  # empty where it was rejected before an extractor saw it
    mapping_version: str = ""
    reading_id: str = ""
    facts: int = 0
    tables: int = 0
    passages: int = 0
    numeric_cells: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentRecord:
    """One event of one document, with what was read."""

    doc_id: str
    status: str
    file_hash: str
    media_type: str
    size_bytes: int
    extractor_version: str
    mapping_version: str
    sensitivity: str
    reading_id: str
    facts: int
    tables: int
    passages: int
    numeric_cells: int
    run_id: str  # the run in which this became so
    run_started_at: str


def document_states(connection: Connection) -> dict[str, DocumentState]:
    """Every document the store has ever seen, by id."""
    rows = connection.exec_driver_sql(_STATES).all()  # at once: row by row takes three times as long
    return {
        doc_id: DocumentState(
            doc_id=doc_id,
            status=status,
            file_hash=file_hash,
            extractor_version=extractor,
            mapping_version=mapping,
            reading_id=reading_id,
            facts=facts,
            tables=tables,
            passages=passages,
            numeric_cells=numeric_cells,
        )
        for doc_id, status, file_hash, extractor, mapping, reading_id, facts, tables, passages, numeric_cells in rows
    }


# In words, since every ingest asks three times: putting it together took longer than answering it.
_STATES = """
SELECT document.doc_id, event.status, event.file_hash, event.extractor_version,
    coalesce(reading.mapping_version, ''), coalesce(reading.reading_id, ''), coalesce(reading_seal.fact_count, 0),
    coalesce(reading_seal.table_count, 0), coalesce(reading_seal.passage_count, 0),
    coalesce(reading_seal.numeric_cells, 0)
FROM document
JOIN event ON event.event_no = (SELECT max(event_no) FROM event WHERE event.document_no = document.document_no)
LEFT JOIN reading ON reading.reading_no = event.reading_no
LEFT JOIN reading_seal ON reading_seal.reading_no = event.reading_no
ORDER BY document.doc_id
"""


def unmapped_cells(connection: Connection) -> dict[str, int]:
    """How many numeric cells of each reading have no label to be known by; readings without any are left out."""
    rows = connection.execute(
        select(reading.c.reading_id, func.sum(ledger.c.cell_count))
        .join_from(ledger, reading, reading.c.reading_no == ledger.c.reading_no)
        .where(ledger.c.disposition == "unmapped")
        .group_by(reading.c.reading_id)
    )
    return {reading_id: int(cells) for reading_id, cells in rows}


def document_records(
    connection: Connection, *, history_of: str | None = None, as_of: int | None = None, without: Collection[int] = ()
) -> Iterator[DocumentRecord]:
    """The last event of every document in order of id, or every event of one document, oldest first.

    With `as_of`, as it was after the run of that number; as if the events of the numbers `without` had not been.
    """
    query = _records()
    if as_of is not None:
        query = query.where(event.c.run_no <= as_of)
    if history_of is None:
        query = query.where(event.c.event_no == _last_event_no(as_of, without)).order_by(document.c.doc_id)
    else:
        query = query.where(document.c.doc_id == history_of).order_by(event.c.event_no)
    for row in connection.execute(query):
        yield DocumentRecord(**row._mapping)


def _records() -> Select[Any]:
    return (
        select(
            document.c.doc_id,
            event.c.status,
            event.c.file_hash,
            _given(revision.c.media_type, ""),
            _given(revision.c.size_bytes, 0),
            event.c.extractor_version,
            _given(reading.c.mapping_version, ""),
            _given(reading.c.sensitivity, ""),
            _given(reading.c.reading_id, ""),
            _given(reading_seal.c.fact_count, 0).label("facts"),
            _given(reading_seal.c.table_count, 0).label("tables"),
            _given(reading_seal.c.passage_count, 0).label("passages"),
            _given(reading_seal.c.numeric_cells, 0),
            run_seal.c.run_id,
            run.c.started_at.label("run_started_at"),
        )
        .join_from(document, event, event.c.document_no == document.c.document_no)
        .join(run, run.c.run_no == event.c.run_no)
        .join(run_seal, run_seal.c.run_no == event.c.run_no)
        .outerjoin(reading, reading.c.reading_no == event.c.reading_no)
        .outerjoin(reading_seal, reading_seal.c.reading_no == event.c.reading_no)
        .outerjoin(extraction, extraction.c.extraction_no == reading.c.extraction_no)
        .outerjoin(revision, revision.c.revision_no == extraction.c.revision_no)
    )


def _given(column: Column[Any], otherwise: str | int) -> Label[Any]:
    return func.coalesce(column, otherwise).label(column.name)


def _last_event_no(as_of: int | None = None, without: Collection[int] = ()) -> ScalarSelect[Any]:
    latest = event.alias("latest")
    query = select(func.max(latest.c.event_no)).where(latest.c.document_no == document.c.document_no)
    if without:
        query = query.where(latest.c.event_no.not_in(sorted(without)))
    return (query if as_of is None else query.where(latest.c.run_no <= as_of)).scalar_subquery()
