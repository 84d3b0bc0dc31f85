"""Which readings count, when they did, and which facts are theirs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fnmatch import fnmatchcase
from itertools import groupby
from typing import Any, NamedTuple

from sqlalchemy import Connection, select

from factspine.core.errors import UsageError
from factspine.store.access import Hidden, hidden_from
from factspine.store.schema import document, event, extraction, reading, reading_seal, revision, run_seal


class ReadingSpan(NamedTuple):
    """One reading of one document: its lineage, the runs between which it was current, the range of its facts."""

    doc_id: str
    reading_no: int
    reading_id: str
    extraction_no: int
    file_hash: str
    extractor_version: str
    mapping_version: str
    sensitivity: str
    first_fact_no: int
    fact_count: int
    numeric_cells: int
    known_from: str
    known_to: str  # empty while it is current


def spans(
    connection: Connection,
    documents: Sequence[str] = (),
    *,
    all_revisions: bool = False,
    as_of: int | None = None,
) -> list[ReadingSpan]:
    """Current readings, or all, in order of document id and time; `documents` are glob patterns.

    With `as_of`, as it was after the run of that number: nothing that was learnt later is told.
    """
    events = (
        select(document.c.doc_id, event.c.event_no, event.c.reading_no, run_seal.c.run_id)
        .join_from(document, event, event.c.document_no == document.c.document_no)
        .join(run_seal, run_seal.c.run_no == event.c.run_no)
        .order_by(document.c.doc_id, event.c.event_no)
    )
    if as_of is not None:
        events = events.where(event.c.run_no <= as_of)
    if documents and not any(_is_pattern(name) for name in documents):
        events = events.where(document.c.doc_id.in_(list(documents)))
    known: dict[int, tuple[str, str]] = {}
    seen = _seen(connection.execute(events), hidden_from(connection))
    for doc_id, history in groupby(seen, key=lambda row: row[0]):
        if not documents or any(fnmatchcase(doc_id, pattern) for pattern in documents):
            known.update(_intervals(history, all_revisions=all_revisions))
    return list(_with_lineage(connection, known))


def current_span(connection: Connection, doc_id: str, *, as_of: int | None = None) -> ReadingSpan:
    """The reading of one document that is current, or was after a run."""
    found = _exactly(connection, doc_id, all_revisions=False, as_of=as_of)
    if not found:
        raise UsageError(f"the store holds no current reading of {doc_id}; `factspine facts` lists what there is")
    return found[0]


def span_of_reading(connection: Connection, reading_id: str) -> ReadingSpan | None:
    """The reading of that id, current or not."""
    doc_id = connection.execute(
        select(document.c.doc_id)
        .join_from(reading, extraction)
        .join(revision)
        .join(document)
        .where(reading.c.reading_id == reading_id)
    ).scalar()
    if doc_id is None:
        return None
    # What is hidden from whoever asks is not among these.
    every = _exactly(connection, doc_id, all_revisions=True)
    return next((span for span in every if span.reading_id == reading_id), None)


def _exactly(
    connection: Connection, doc_id: str, *, all_revisions: bool, as_of: int | None = None
) -> list[ReadingSpan]:
    # In a pattern, a bracketed character stands for itself: a file may well be named `Plan [final].xlsx`.
    pattern = "".join(f"[{mark}]" if mark in "*?[" else mark for mark in doc_id)
    return spans(connection, [pattern], all_revisions=all_revisions, as_of=as_of)


def _is_pattern(name: str) -> bool:
    return any(mark in name for mark in "*?[")


_Step = tuple[str, int | None, str]  # document, the reading that became current, the run in which it did


def _seen(events: Iterable[Any], hidden: Hidden | None) -> Iterator[_Step]:
    """The events whoever asks may see, their runs by the names they have for them."""
    for doc_id, event_no, reading_no, run_id in events:
        if hidden is None:
            yield doc_id, reading_no, run_id
        elif event_no not in hidden.events:
            yield doc_id, reading_no, hidden.names[run_id]


def _intervals(history: Iterable[_Step], *, all_revisions: bool) -> dict[int, tuple[str, str]]:
    """From and to which run each reading was current; of several stretches, the last."""
    rows = [(reading_no, run_id) for _, reading_no, run_id in history]
    if not all_revisions:
        reading_no, run_id = rows[-1]
        return {} if reading_no is None else {reading_no: (run_id, "")}
    intervals: dict[int, tuple[str, str]] = {}
    for (reading_no, run_id), following in zip(rows, [*rows[1:], None], strict=True):
        if reading_no is not None:
            intervals.pop(reading_no, None)
            intervals[reading_no] = (run_id, "" if following is None else following[1])
    return intervals


def _with_lineage(connection: Connection, known: dict[int, tuple[str, str]]) -> Iterator[ReadingSpan]:
    query = (
        select(
            document.c.doc_id,
            reading.c.reading_no,
            reading.c.reading_id,
            reading.c.extraction_no,
            revision.c.file_hash,
            extraction.c.extractor_version,
            reading.c.mapping_version,
            reading.c.sensitivity,
            reading_seal.c.first_fact_no,
            reading_seal.c.fact_count,
            reading_seal.c.numeric_cells,
        )
        .join_from(reading, reading_seal, reading_seal.c.reading_no == reading.c.reading_no)
        .join(extraction, extraction.c.extraction_no == reading.c.extraction_no)
        .join(revision, revision.c.revision_no == extraction.c.revision_no)
        .join(document, document.c.document_no == revision.c.document_no)
    )
    if len(known) == 1:
        query = query.where(reading.c.reading_no == next(iter(known)))
    found = {row.reading_no: row for row in connection.execute(query) if row.reading_no in known}
    for reading_no, (known_from, known_to) in known.items():
        yield ReadingSpan(*found[reading_no], known_from, known_to)
