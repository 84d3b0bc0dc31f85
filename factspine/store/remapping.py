"""What deriving facts again needs of the store, read inside the run that writes them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from sqlalchemy import Connection, select

from factspine.core.errors import UsageError
from factspine.core.findings import Finding
from factspine.core.leaves import Lineage
from factspine.core.tables import Passage
from factspine.store.accounts import passages_of
from factspine.store.runs import RunWriter
from factspine.store.schema import (
    extraction,
    fact_context,
    fact_metric,
    finding,
    raw_table,
    reading,
    reading_seal,
    revision,
)
from factspine.store.spans import ReadingSpan, span_of_reading, spans

# A fact's meaning by its cell: table, row, column -> what the mapping decided.
Remeaning = dict[tuple[int, int, int], tuple[Any, ...]]


class StoredTable(NamedTuple):
    """A raw table as it lies in the store."""

    table_no: int
    locator: str
    kind: str
    title: str
    n_rows: int
    n_cols: int
    cell_count: int
    formula_count: int
    body: bytes
    leaf: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredReading:
    """A reading's lasting parts; its tables come one by one."""

    media_type: str
    size_bytes: int
    tables: Callable[[], Iterator[StoredTable]]
    passages: list[Passage]
    findings: list[Finding]


def live_readings(run: RunWriter) -> list[Lineage]:
    """The lineage of every current reading, in order of document."""
    return [_lineage(span) for span in spans(run.connection)]


def stored_reading(run: RunWriter, reading_id: str) -> StoredReading:
    """What a reading stands on."""
    connection = run.connection
    span = _span(connection, reading_id)
    v, f = revision.c, finding.c
    media_type, size_bytes = connection.execute(
        select(v.media_type, v.size_bytes)
        .join_from(extraction, revision, v.revision_no == extraction.c.revision_no)
        .where(extraction.c.extraction_no == span.extraction_no)
    ).one()
    said = connection.execute(
        select(f.code, f.severity, f.message, f.locator, f.remedy)
        .where(f.reading_no == span.reading_no)
        .order_by(f.finding_no)
    )
    return StoredReading(
        media_type=media_type,
        size_bytes=size_bytes,
        tables=lambda: _tables(connection, span.extraction_no),
        passages=passages_of(connection, span),
        findings=[
            Finding(code=code, severity=severity, message=message, locator=locator, remedy=remedy)
            for code, severity, message, locator, remedy in said
        ],
    )


def meanings_of(run: RunWriter, reading_id: str) -> Remeaning:
    """What every fact of a reading was taken to mean, by its cell."""
    first, count = _range(run, reading_id)
    f, c = fact_metric.c, fact_context.c
    rows = run.connection.execute(
        select(
            f.table_no,
            f.row_no,
            f.col_no,
            f.metric_code,
            f.metric_label,
            f.entity,
            f.geography,
            f.channel,
            f.period,
            f.value,
            f.unit,
            c.scale,
            c.status,
        )
        .join_from(fact_metric, fact_context, c.context_no == f.context_no)
        .where(f.fact_no.between(first, first + count - 1))
    )
    return {(row[0], row[1], row[2]): tuple(row[3:]) for row in rows}


def _tables(connection: Connection, extraction_no: int) -> Iterator[StoredTable]:
    t = raw_table.c
    numbers = connection.execute(
        select(t.table_no).where(t.extraction_no == extraction_no).order_by(t.ordinal)
    ).scalars()
    columns = [t[name] for name in StoredTable._fields]
    for number in list(numbers):
        yield StoredTable(*connection.execute(select(*columns).where(t.table_no == number)).one())


def _lineage(span: ReadingSpan) -> Lineage:
    return Lineage(
        doc_id=span.doc_id,
        file_hash=span.file_hash,
        extractor_version=span.extractor_version,
        mapping_version=span.mapping_version,
        sensitivity=span.sensitivity,
    )


def _span(connection: Connection, reading_id: str) -> ReadingSpan:
    span = span_of_reading(connection, reading_id)
    if span is None:
        raise UsageError(f"the store holds no reading {reading_id}")
    return span


def _range(run: RunWriter, reading_id: str) -> tuple[int, int]:
    # A reading of the open run is in no sealed run yet, so that it is not among the spans.
    s = reading_seal.c
    row = run.connection.execute(
        select(s.first_fact_no, s.fact_count).join_from(reading, reading_seal).where(reading.c.reading_id == reading_id)
    ).first()
    if row is None:
        raise UsageError(f"the store holds no reading {reading_id}")
    return int(row[0]), int(row[1])
