"""What deriving facts again needs of the store, read inside the run that writes them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from sqlalchemy import Connection, case, func, or_, select

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

_CELL = ("table_no", "row_no", "col_no")
# What a mapping decides of a fact.
_FIELDS = (
    "metric_code",
    "metric_label",
    "entity",
    "geography",
    "channel",
    "period",
    "value",
    "unit",
    "scale",
    "status",
)


class Difference(NamedTuple):
    """How the facts of one reading differ from those of another."""

    facts: int  # of the later one
    added: int
    changed: int
    vanished: int
    fields: Mapping[str, int]  # of the changed facts, how many differ in which field

    @property
    def unchanged(self) -> int:
        """How many facts are in both, and alike."""
        return self.facts - self.added - self.changed


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


def difference(run: RunWriter, before: str, after: str) -> Difference:
    """What became of the facts of one reading in another of the same tables; a fact is the same where its cell is."""
    connection = run.connection
    old, new = _range(run, before), _range(run, after)
    if old[1] == new[1] and (found := _side_by_side(connection, old, new)) is not None:
        return found
    earlier, later = _meanings(connection, *old), _meanings(connection, *new)
    fields: Counter[str] = Counter()
    changed = 0
    for cell, meaning in later.items():
        known = earlier.get(cell)
        if known is not None and known != meaning:
            changed += 1
            fields.update(name for name, one, other in zip(_FIELDS, known, meaning, strict=True) if one != other)
    both = len(earlier.keys() & later.keys())
    return Difference(len(later), len(later) - both, changed, len(earlier) - both, fields)


def _side_by_side(connection: Connection, old: tuple[int, int], new: tuple[int, int]) -> Difference | None:
    """The difference where both readings have facts in the same cells, as they nearly always do: one pass of the
    database over both, without a row that comes here. None where they have not."""
    first, count = old
    one, other = fact_metric.alias(), fact_metric.alias()
    said, meant = fact_context.alias(), fact_context.alias()
    pairs = [
        (one.c[name], other.c[name]) if name in one.c else (said.c[name], meant.c[name]) for name in (*_CELL, *_FIELDS)
    ]
    differ = [left != right for left, right in pairs]
    cells, fields = differ[: len(_CELL)], differ[len(_CELL) :]
    counted = [func.sum(case((condition, 1), else_=0)) for condition in (or_(*cells), or_(*fields), *fields)]
    moved, changed, *by_field = connection.execute(
        select(*counted)
        .join_from(one, other, other.c.fact_no == one.c.fact_no + (new[0] - first))
        .join(said, said.c.context_no == one.c.context_no)
        .join(meant, meant.c.context_no == other.c.context_no)
        .where(one.c.fact_no.between(first, first + count - 1))
    ).one()
    if moved:
        return None
    differing = {name: int(found) for name, found in zip(_FIELDS, by_field, strict=True) if found}
    return Difference(count, 0, int(changed or 0), 0, differing)


def _meanings(connection: Connection, first: int, count: int) -> dict[tuple[Any, ...], tuple[Any, ...]]:
    """What every fact of a reading was taken to mean, by its cell: table, row, column."""
    f, c = fact_metric.c, fact_context.c
    columns = [f[name] if name in f else c[name] for name in (*_CELL, *_FIELDS)]
    rows = connection.execute(
        select(*columns)
        .join_from(fact_metric, fact_context, c.context_no == f.context_no)
        .where(f.fact_no.between(first, first + count - 1))
    )
    return {tuple(row[: len(_CELL)]): tuple(row[len(_CELL) :]) for row in rows}


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
