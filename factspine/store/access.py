"""Clearance: the record as a viewer sees it who is not cleared for all of it.

What is hidden leaves no trace. Such a viewer sees the history that would have been written had the hidden documents
never been there: runs that only dealt with them are left out, and the others are named, counted and sealed as runs
without them would be, by the functions that name and seal every run. So whoever sees everything sees the chain itself,
and nobody can tell from a name, a count or a seal that there is more.

Each event has the level its document had then. What is hidden from a viewer: every event of a document whose latest
level is above the viewer's clearance, and single events whose own level is.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from sqlalchemy import Connection, select

from factspine.core.clearance import LEVELS
from factspine.core.hashing import merkle_root, seal
from factspine.core.leaves import Lineage, event_leaf
from factspine.store.documents import DocumentRecord
from factspine.store.runs import GENESIS, SealedRun, run_name, seal_fields
from factspine.store.schema import document, event, reading, reading_seal, run, run_seal

_HIDDEN = "factspine_hidden"


@dataclass(frozen=True, slots=True, kw_only=True)
class Hidden:
    """What one viewer must not see, and the runs as that viewer sees them."""

    events: frozenset[int]
    documents: frozenset[int]
    readings: frozenset[int]
    first_events: Mapping[int, bytes]  # the first a viewer sees of a document that was updated, and its leaf then
    revealed: int  # the number of the last run in which a viewer first saw a document that was there before; or 0
    runs: tuple[SealedRun, ...]
    names: Mapping[str, str]  # the id of each run that is seen, by the one it has in the record
    by_run: Mapping[tuple[str, str], int]  # the number of an event, by document and id of the run in the record

    def record(self, found: DocumentRecord) -> DocumentRecord | None:
        """One event of one document as the viewer sees it; None where it is hidden."""
        number = self.by_run[found.doc_id, found.run_id]
        if number in self.events:
            return None
        status = "ingested" if number in self.first_events else found.status
        return replace(found, run_id=self.names[found.run_id], status=status)


class _Event(NamedTuple):
    event_no: int
    run_no: int
    document_no: int
    doc_id: str
    status: str
    reading_no: int | None
    file_hash: str
    extractor_version: str
    sensitivity: str
    leaf: bytes
    root: bytes | None


def hide(connection: Connection, hidden: Hidden | None) -> Connection:
    """The same connection; everything read through it leaves out what is hidden."""
    return connection.execution_options(**{_HIDDEN: hidden})


def hidden_from(connection: Connection) -> Hidden | None:
    """What is hidden from whoever reads through this connection; None where nothing is."""
    found: Hidden | None = connection.get_execution_options().get(_HIDDEN)
    return found


def work_out(connection: Connection, cleared: Collection[str]) -> Hidden | None:
    """What a viewer of these levels must not see; None where that is nothing."""
    if set(LEVELS) <= set(cleared) or not _anything_hidden(connection, cleared):
        return None
    events = _events(connection)
    levels = _levels(events)
    visible = [one for one in events if levels[one.event_no] in cleared]
    hidden = [one for one in events if levels[one.event_no] not in cleared]
    seen = {one.document_no: one for one in reversed(visible)}
    earliest = {one.document_no: one.event_no for one in reversed(events)}
    revealed = [one for number, one in seen.items() if one.event_no != earliest[number]]
    late = {one.event_no: _as_first(one) for one in revealed if one.status == "updated"}
    kept = {one.reading_no for one in visible}
    runs, names = _chain(connection, visible, late)
    ids = {one.run_no: one.run_id for one in connection.execute(select(run_seal.c.run_no, run_seal.c.run_id))}
    return Hidden(
        events=frozenset(one.event_no for one in hidden),
        documents=frozenset(one.document_no for one in hidden) - set(seen),
        readings=frozenset(one.reading_no for one in hidden if one.reading_no is not None) - kept,
        first_events=late,
        revealed=max((one.run_no for one in revealed), default=0),
        runs=runs,
        names=names,
        by_run={(one.doc_id, ids[one.run_no]): one.event_no for one in events},
    )


def _anything_hidden(connection: Connection, cleared: Collection[str]) -> bool:
    return not set(connection.execute(select(event.c.sensitivity).distinct()).scalars()) <= set(cleared)


def _events(connection: Connection) -> list[_Event]:
    e = event.c
    rows = connection.execute(
        select(
            e.event_no,
            e.run_no,
            e.document_no,
            document.c.doc_id,
            e.status,
            e.reading_no,
            e.file_hash,
            e.extractor_version,
            e.sensitivity,
            e.leaf,
            reading_seal.c.root,
        )
        .join_from(event, document, document.c.document_no == e.document_no)
        .outerjoin(reading_seal, reading_seal.c.reading_no == e.reading_no)
        .order_by(e.event_no)
    )
    return [_Event(*row) for row in rows]


def _levels(events: Sequence[_Event]) -> dict[int, str]:
    """The level of each event: its own, or its document's of now where that is higher."""
    latest = {one.document_no: one.sensitivity for one in events}
    return {one.event_no: max(one.sensitivity, latest[one.document_no], key=_height) for one in events}


def _height(level: str) -> int:
    # A level this version does not know is above all it does.
    return LEVELS.index(level) if level in LEVELS else len(LEVELS)


def _as_first(one: _Event) -> bytes:
    """The leaf of an event that read a document anew, had it been the first to read it."""
    lineage = Lineage(
        doc_id=one.doc_id,
        file_hash=one.file_hash,
        extractor_version=one.extractor_version,
        mapping_version="",
        sensitivity=one.sensitivity,
    )
    return event_leaf(lineage, "ingested", bytes(one.root or b""))


def _chain(
    connection: Connection, visible: Iterable[_Event], late: Mapping[int, bytes]
) -> tuple[tuple[SealedRun, ...], dict[str, str]]:
    """The runs that did something the viewer may see, named and sealed as if they had done nothing else."""
    leaves: dict[int, dict[str, bytes]] = defaultdict(dict)
    readings: set[int] = set()
    for one in visible:
        leaves[one.run_no][one.doc_id] = bytes(late.get(one.event_no, one.leaf))
        if one.reading_no is not None:
            readings.add(one.reading_no)
    facts: dict[int, int] = defaultdict(int)
    written = select(reading.c.reading_no, reading.c.run_no, reading_seal.c.fact_count).join_from(reading, reading_seal)
    for reading_no, run_no, count in connection.execute(written):
        if reading_no in readings:
            facts[run_no] += count
    runs: list[SealedRun] = []
    names: dict[str, str] = {}
    previous_id, previous_seal = "", GENESIS
    query = select(run.c.run_no, run_seal.c.run_id, run.c.started_at, run_seal.c.finished_at, run.c.factspine_version)
    for number, run_id, started, finished, version in connection.execute(
        query.join_from(run, run_seal, run_seal.c.run_no == run.c.run_no).order_by(run.c.run_no)
    ):
        if number not in leaves:
            continue
        root = merkle_root([leaf for _, leaf in sorted(leaves[number].items())])
        counts = (len(leaves[number]), facts[number])
        previous_id = run_name(previous_id, root)
        link = seal(previous_seal, root, seal_fields(started, finished, version, *counts))
        runs.append(
            SealedRun(
                run_no=number,
                run_id=previous_id,
                started_at=started,
                finished_at=finished,
                event_count=counts[0],
                fact_count=counts[1],
                root=root,
                previous_seal=previous_seal,
                seal=link,
            )
        )
        names[run_id] = previous_id
        previous_seal = link
    return tuple(runs), names
