"""What the store accounts for beside facts: prose, findings, the completeness ledger, coverage, and its head."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, and_, func, or_, select

from factspine.core.facts import LedgerEntry
from factspine.core.findings import Finding
from factspine.core.packed import unpack_cells
from factspine.core.tables import Passage
from factspine.store.access import hidden_from
from factspine.store.runs import SealedRun
from factspine.store.schema import document, event, finding, ledger, passage, raw_table, run, run_seal
from factspine.store.spans import ReadingSpan


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage:
    """Where the numeric cells of one document went."""

    doc_id: str
    numeric_cells: int
    facts: int
    excluded: int
    unmapped: int
    null: int  # cells that stand where a number should, and say that there is none

    @property
    def ratio(self) -> float | None:
        """Facts among the numeric cells that should have become one; None where there are none."""
        due = self.facts + self.unmapped
        return self.facts / due if due else None


def passages_of(connection: Connection, span: ReadingSpan) -> list[Passage]:
    """The prose of one reading, in the order of the document."""
    p = passage.c
    rows = connection.execute(
        select(p.locator, p.kind, p.text, p.section, p.hidden)
        .where(p.extraction_no == span.extraction_no)
        .order_by(p.ordinal)
    )
    return [
        Passage(
            locator=row.locator,
            kind=row.kind,
            text=row.text,
            section=tuple(json.loads(row.section)),
            hidden=bool(row.hidden),
        )
        for row in rows
    ]


def findings_now(
    connection: Connection, doc_id: str | None = None, *, as_of: int | None = None
) -> list[tuple[str, Finding]]:
    """The findings that hold now, with their documents: those of current readings and of current rejections."""
    latest = select(func.max(event.c.event_no)).group_by(event.c.document_no)
    if as_of is not None:
        latest = latest.where(event.c.run_no <= as_of)
    f = finding.c
    holds = or_(
        f.reading_no == event.c.reading_no,
        and_(f.reading_no.is_(None), f.run_no == event.c.run_no, event.c.status == "rejected"),
    )
    query = (
        select(event.c.event_no, document.c.doc_id, f.code, f.severity, f.message, f.locator, f.remedy)
        .join_from(event, document, document.c.document_no == event.c.document_no)
        .join(finding, and_(f.document_no == event.c.document_no, holds))
        .where(event.c.event_no.in_(latest))
        .order_by(document.c.doc_id, f.finding_no)
    )
    if doc_id is not None:
        query = query.where(document.c.doc_id == doc_id)
    hidden = hidden_from(connection)
    return [
        (
            row.doc_id,
            Finding(code=row.code, severity=row.severity, message=row.message, locator=row.locator, remedy=row.remedy),
        )
        for row in connection.execute(query)
        if hidden is None or row.event_no not in hidden.events
    ]


def ledger_of(connection: Connection, span: ReadingSpan) -> list[tuple[str, LedgerEntry]]:
    """The numeric cells of one reading that are not facts, with the locators of their tables."""
    entry = ledger.c
    rows = connection.execute(
        select(raw_table.c.locator, entry.disposition, entry.reason, entry.cells)
        .join_from(ledger, raw_table, raw_table.c.table_no == entry.table_no)
        .where(entry.reading_no == span.reading_no)
        .order_by(entry.ledger_no)
    )
    return [
        (
            row.locator,
            LedgerEntry(disposition=row.disposition, reason=row.reason, cells=unpack_cells(row.cells)),
        )
        for row in rows
    ]


def coverage_of(connection: Connection, readings: Sequence[ReadingSpan]) -> list[Coverage]:
    """Where the numeric cells of each reading went."""
    entry = ledger.c
    counts: dict[tuple[int, str], int] = {
        (reading_no, disposition): cells
        for reading_no, disposition, cells in connection.execute(
            select(entry.reading_no, entry.disposition, func.sum(entry.cell_count)).group_by(
                entry.reading_no, entry.disposition
            )
        )
    }
    return [
        Coverage(
            doc_id=span.doc_id,
            numeric_cells=span.numeric_cells,
            facts=span.fact_count,
            excluded=int(counts.get((span.reading_no, "excluded"), 0)),
            unmapped=int(counts.get((span.reading_no, "unmapped"), 0)),
            null=int(counts.get((span.reading_no, "null"), 0)),
        )
        for span in readings
    ]


def sealed_runs(connection: Connection, *, last_only: bool = False) -> list[SealedRun]:
    """The chain, oldest first, or its head alone; as whoever asks may see it."""
    if (hidden := hidden_from(connection)) is not None:
        return list(hidden.runs[-1:] if last_only else hidden.runs)
    query = select(
        run_seal.c.run_no,
        run_seal.c.run_id,
        run.c.started_at,
        *(run_seal.c[name] for name in ("finished_at", "event_count", "fact_count", "root", "previous_seal", "seal")),
    ).join_from(run_seal, run, run.c.run_no == run_seal.c.run_no)
    number = run_seal.c.run_no
    query = query.order_by(number.desc()).limit(1) if last_only else query.order_by(number)
    rows: list[dict[str, Any]] = [dict(row._mapping) for row in connection.execute(query)]
    return [SealedRun(**row) for row in rows]
