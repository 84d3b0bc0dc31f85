"""Writing a run: one transaction that holds the write lock from its first moment and ends with a seal, or in nothing.

with store.begin_run() as run:
    with run.reading(lineage, media_type=…, size_bytes=…) as reading:
        table_no = reading.add_table(packed_table)
        reading.add_interpretation(table_no, packed)
        reading.add_facts(table_no, count, columns)      # any number of pieces, in order
        reading.add_passages(passages)
        reading.add_findings(findings)
    run.point_to(lineage)                                        # reads again as it once did
    run.reject(doc_id, file_hash=…, findings=[…])
    run.withdraw(doc_id)
    sealed = run.seal()                                          # None: nothing had changed, nothing was written
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from sqlalchemy import Connection, select

from factspine import __version__
from factspine.core.clearance import LEVELS
from factspine.core.errors import StoreError, UsageError
from factspine.core.findings import Finding
from factspine.core.hashing import identify, merkle_root, seal
from factspine.core.leaves import Lineage, event_leaf, findings_root
from factspine.store import schema
from factspine.store.documents import DocumentState, document_states
from factspine.store.engine import bulk_insert, savepoint, translated_errors
from factspine.store.readings import Numbers, ReadingWriter
from factspine.store.termfile import ReadingNames

PUBLIC = LEVELS[0]
GENESIS = bytes(32)  # what the first seal follows
_RUN_ID_LENGTH = 16
_NOTHING = merkle_root(())
_NUMBERED = (
    schema.document,
    schema.run,
    schema.revision,
    schema.extraction,
    schema.reading,
    schema.event,
    schema.raw_table,
    schema.passage,
    schema.ledger,
    schema.fact_context,
    schema.fact_metric,
    schema.finding,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SealedRun:
    """A committed run: its place in the chain and what it holds."""

    run_no: int
    run_id: str
    started_at: str
    finished_at: str
    event_count: int
    fact_count: int
    root: bytes
    previous_seal: bytes
    seal: bytes
    head_logged: bool = False  # whether the head is also written down outside the store


class RunWriter:
    """The open run. `documents` is what the store held of each document when the run began."""

    def __init__(
        self,
        connection: Connection,
        started_at: datetime | None = None,
        *,
        on_sealed: Callable[[SealedRun], bool] | None = None,
    ) -> None:
        self._connection = connection
        self._on_sealed = on_sealed
        self._numbers = Numbers(_next_numbers(connection))
        self._document_numbers: dict[str, int] = dict(
            tuple(row) for row in connection.exec_driver_sql("SELECT doc_id, document_no FROM document")
        )
        self._leaves: dict[str, bytes] = {}
        self._fact_count = 0
        self._reading_is_open = False
        self.names: dict[str, ReadingNames] = {}  # of each reading written, by its id
        self.documents: dict[str, DocumentState] = document_states(connection)
        self.started_at = timestamp(started_at)
        self.run_no = self._numbers.take("run")
        bulk_insert(connection, schema.run, [(self.run_no, self.started_at, __version__)])

    @property
    def connection(self) -> Connection:
        """The connection that holds the write lock, for reads of the store that the run depends on."""
        return self._connection

    @contextmanager
    def reading(self, lineage: Lineage, *, media_type: str, size_bytes: int) -> Iterator[ReadingWriter]:
        """Write what was read in one document; on an exception nothing of this document is kept, the run goes on."""
        if self._reading_is_open:
            raise UsageError("one reading at a time: the facts of a reading are numbered without gaps")
        self._refuse_second_event(lineage.doc_id)
        is_new = lineage.doc_id not in self._document_numbers
        document_no = self._document_no(lineage.doc_id)
        numbers = self._numbers.copy()
        self._reading_is_open = True
        try:
            with translated_errors(), savepoint(self._connection):
                writer = ReadingWriter(
                    self._connection,
                    self._numbers,
                    lineage,
                    place=(self.run_no, document_no),
                    source=(media_type, size_bytes),
                    is_new=is_new,
                )
                yield writer
                root = writer.close()
                self._add_event(lineage.doc_id, None, writer.reading_no, lineage, root)
        except BaseException:
            self._numbers.restore(numbers)
            self._leaves.pop(lineage.doc_id, None)
            raise
        finally:
            self._reading_is_open = False
        self._fact_count += writer.fact_count
        self.names[lineage.reading_id] = writer.names

    def find_reading(self, lineage: Lineage) -> str | None:
        """The id of the reading this lineage stands for, if the store holds it already."""
        found: str | None = self._connection.execute(
            select(schema.reading.c.reading_id).where(schema.reading.c.reading_id == lineage.reading_id)
        ).scalar()
        return found

    def point_to(self, lineage: Lineage) -> None:
        """The document reads again as it once did: make that reading current without writing it again."""
        self._refuse_second_event(lineage.doc_id)
        row = self._connection.execute(
            select(schema.reading_seal.c.reading_no, schema.reading_seal.c.root, schema.reading.c.sensitivity)
            .join_from(schema.reading, schema.reading_seal)
            .where(schema.reading.c.reading_id == lineage.reading_id)
        ).first()
        if row is None:
            raise UsageError(f"the store holds no reading {lineage.reading_id} of {lineage.doc_id}")
        read = replace(lineage, sensitivity=row.sensitivity)
        self._add_event(lineage.doc_id, None, row.reading_no, read, row.root)

    def reject(
        self,
        doc_id: str,
        *,
        file_hash: str,
        findings: Sequence[Finding],
        extractor_version: str = "",
        sensitivity: str = PUBLIC,
    ) -> None:
        """The document is there but cannot be read. `file_hash` is empty where not even its bytes could be."""
        self._refuse_second_event(doc_id)
        document_no = self._document_no(doc_id)
        rows = [
            (
                self._numbers.take("finding"),
                self.run_no,
                document_no,
                None,
                f.code,
                f.severity,
                f.message,
                f.locator,
                f.remedy,
            )
            for f in findings
        ]
        bulk_insert(self._connection, schema.finding, rows)
        lineage = Lineage(
            doc_id=doc_id,
            file_hash=file_hash,
            extractor_version=extractor_version,
            mapping_version="",
            sensitivity=sensitivity,
        )
        self._add_event(doc_id, "rejected", None, lineage, findings_root(findings))

    def withdraw(self, doc_id: str) -> None:
        """The document is no longer there. What it said remains in the record, as of the runs that knew it."""
        state = self.documents.get(doc_id)
        if state is None or state.status == "withdrawn":
            raise UsageError(f"{doc_id} is not in the store, so it cannot be withdrawn")
        self._refuse_second_event(doc_id)
        lineage = Lineage(
            doc_id=doc_id,
            file_hash=state.file_hash,
            extractor_version=state.extractor_version,
            mapping_version=state.mapping_version,
            sensitivity=self._last_sensitivity(doc_id),
        )
        self._add_event(doc_id, "withdrawn", None, lineage, _NOTHING)

    def seal(self, finished_at: datetime | None = None) -> SealedRun | None:
        """Commit the run and link it into the chain; None where nothing had changed, and then nothing is written."""
        transaction = self._connection.get_transaction()
        if transaction is None or self._reading_is_open:
            raise UsageError("a run is sealed once, after its last reading")
        if not self._leaves:
            transaction.rollback()
            return None
        sealed = self._link(timestamp(finished_at))
        row = (sealed.run_no, sealed.run_id, sealed.finished_at, sealed.event_count, sealed.fact_count)
        bulk_insert(self._connection, schema.run_seal, [(*row, sealed.root, sealed.previous_seal, sealed.seal)])
        transaction.commit()
        logged = self._on_sealed(sealed) if self._on_sealed is not None else False
        return replace(sealed, head_logged=logged)

    def _link(self, finished_at: str) -> SealedRun:
        root = merkle_root([self._leaves[doc_id] for doc_id in sorted(self._leaves)])
        previous_name, previous = _last_link(self._connection)
        counts = (len(self._leaves), self._fact_count)
        link = seal(previous, root, seal_fields(self.started_at, finished_at, __version__, *counts))
        return SealedRun(
            run_no=self.run_no,
            run_id=run_name(previous_name, root),
            started_at=self.started_at,
            finished_at=finished_at,
            event_count=counts[0],
            fact_count=counts[1],
            root=root,
            previous_seal=previous,
            seal=link,
        )

    def _document_no(self, doc_id: str) -> int:
        number = self._document_numbers.get(doc_id)
        if number is None:
            number = self._numbers.take("document")
            bulk_insert(self._connection, schema.document, [(number, doc_id)])
            self._document_numbers[doc_id] = number
        return number

    def _last_sensitivity(self, doc_id: str) -> str:
        """Who may know of a document, as of its last event."""
        e = schema.event.c
        query = select(e.sensitivity).where(e.document_no == self._document_no(doc_id))
        found: str = self._connection.execute(query.order_by(e.event_no.desc()).limit(1)).scalar_one()
        return found

    def _refuse_second_event(self, doc_id: str) -> None:
        if doc_id in self._leaves:
            raise UsageError(f"{doc_id} was already dealt with in this run")

    def _add_event(
        self, doc_id: str, status: str | None, reading_no: int | None, lineage: Lineage, content: bytes
    ) -> None:
        if status is None:
            known = self.documents.get(doc_id)
            status = "updated" if known is not None and known.status in ("ingested", "updated") else "ingested"
        leaf = event_leaf(lineage, status, content)
        row = (
            self._numbers.take("event"),
            self.run_no,
            self._document_no(doc_id),
            status,
            reading_no,
            lineage.file_hash,
            lineage.extractor_version,
            lineage.sensitivity,
            leaf,
        )
        bulk_insert(self._connection, schema.event, [row])
        self._leaves[doc_id] = leaf


def seal_fields(started_at: str, finished_at: str, version: str, event_count: int, fact_count: int) -> list[str]:
    """What a seal says beside its root, in the order it is hashed."""
    return [started_at, finished_at, version, str(event_count), str(fact_count)]


def _last_link(connection: Connection) -> tuple[str, bytes]:
    """The id and the seal of the run that a new one follows; of the first, no name and what the chain begins with."""
    last = connection.exec_driver_sql("SELECT run_id, seal FROM run_seal ORDER BY run_no DESC LIMIT 1").first()
    return ("", GENESIS) if last is None else (last.run_id, bytes(last.seal))


def run_name(previous: str, root: bytes) -> str:
    """The id of the run that follows another. Ids come from content alone, not from the clock as seals do: stores that
    read the same documents in the same order name their runs alike, and print the same facts."""
    return identify("run", previous, root.hex()).hex()[:_RUN_ID_LENGTH]


def timestamp(moment: datetime | None) -> str:
    """A moment, or now, as the record writes it: UTC, to the millisecond."""
    if moment is None:
        moment = datetime.now(UTC)
    if moment.tzinfo is None:
        raise UsageError("a time without a time zone is ambiguous; pass an aware datetime")
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _next_numbers(connection: Connection) -> dict[str, int]:
    """The next number of each table, asked for at once: a question for each took longer than writing a small table."""
    keys = [(table, table.primary_key.columns[0]) for table in _NUMBERED]
    # Names of the schema, never input.
    highest = connection.exec_driver_sql(
        "SELECT " + ", ".join(f"(SELECT max({key.name}) FROM {table.name})" for table, key in keys)  # noqa: S608
    ).one()
    if any(number is not None and number < 0 for number in highest):
        name = next(table.name for (table, _), number in zip(keys, highest, strict=True) if (number or 0) < 0)
        raise StoreError(f"{name} holds numbers no run assigned; restore the store from a copy")
    return {table.name: (number or 0) + 1 for (table, _), number in zip(keys, highest, strict=True)}
