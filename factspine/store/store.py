"""FactStore: the one door to the record. Writing is a run; everything else only reads."""

from __future__ import annotations

import copy
import weakref
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from types import TracebackType

from sqlalchemy import Connection, Engine, func, select

from factspine.core.clearance import LEVELS, cleared_for
from factspine.core.errors import UsageError
from factspine.core.facts import Fact, LedgerEntry, LeftOut
from factspine.core.findings import Finding
from factspine.core.observed import Observed
from factspine.core.tables import Passage, Position, RawTable
from factspine.store import migrate
from factspine.store.access import Hidden, hidden_from, hide, work_out
from factspine.store.accounts import Coverage, coverage_of, findings_now, ledger_of, passages_of, sealed_runs
from factspine.store.asof import AsOf, run_as_of
from factspine.store.audit import Audit
from factspine.store.documents import DocumentRecord, DocumentState, document_records, document_states, unmapped_cells
from factspine.store.engine import (
    BUSY_SECONDS,
    copy_file,
    make_engine,
    open_writing,
    reading_transaction,
    sqlite_path,
    store_url,
    translated_errors,
)
from factspine.store.facts import FactFilter, cell_of, fact_at, fact_by_id, fact_in, find_facts
from factspine.store.heads import append_head, head_log_path
from factspine.store.ledgers import left_out
from factspine.store.observed import observed_facts
from factspine.store.runs import RunWriter, SealedRun
from factspine.store.schema import event
from factspine.store.snapshot import Snapshot
from factspine.store.spans import ReadingSpan, current_span, spans
from factspine.store.tables import TableRecord, table_at, table_by_number, tables_of
from factspine.store.termfile import ReadingNames, TermFile

_LAST_EVENT = select(func.max(event.c.event_no))
_COPY_ENDINGS = (".duckdb", *(f".{level.lower()}" for level in LEVELS))


class FactStore:
    """A store of facts at a path or database URL. Nothing is opened until it is used.

    `duckdb:///path` is the read side out of an analytic copy: the same methods, as far as they read, and answers.
    Whoever opens a store sees all of it; `seen_by` is the store as somebody sees it who may not.
    """

    def __init__(self, address: str | Path, *, busy_seconds: float = BUSY_SECONDS) -> None:
        self._engine: Engine = make_engine(store_url(address), busy_seconds=busy_seconds)
        self._path = sqlite_path(self._engine.url) or copy_file(self._engine.url)
        self._checked = False
        self._whole: FactStore | None = None  # of a view: the store it is a view of
        self._cleared = frozenset(LEVELS)
        # What is hidden from viewers, worked out once for each state of the store.
        self._hidden: dict[frozenset[str], tuple[int, Hidden | None]] = {}
        # Whoever forgets to close a store leaves no open connection behind.
        self._finalizer = weakref.finalize(self, self._engine.dispose)

    def seen_by(self, viewer: str | None) -> FactStore:
        """The same store as a viewer of that level sees it; nobody in particular sees what is public. Only to read."""
        view = copy.copy(self)
        view._whole = self._whole or self
        view._cleared = self._cleared & cleared_for(viewer)
        return view

    @property
    def cleared(self) -> frozenset[str]:
        """The levels that can be seen here."""
        return self._cleared

    @property
    def path(self) -> Path | None:
        """The file of an embedded store, or of a copy; None where a server keeps it."""
        return self._path

    @property
    def is_copy(self) -> bool:
        """Whether this is the read side out of an analytic copy."""
        return copy_file(self._engine.url) is not None

    @property
    def vault_path(self) -> Path | None:
        """Where the bytes of each revision are archived, beside the store."""
        if self.path is None:
            return None
        name = self.path.name
        for ending in _COPY_ENDINGS if self.is_copy else ():
            name = name.removesuffix(ending)
        return self.path.with_name(name + ".vault")

    @property
    def head_log_path(self) -> Path | None:
        """Where the head of the chain is written down after each run."""
        return head_log_path(self.path)

    def init_schema(self) -> None:
        """Make the store if there is none, and migrate it to the newest schema."""
        migrate.upgrade(self._engine)
        self._checked = True

    def schema_version(self) -> str | None:
        """The schema version the store has; None for a database that holds no store yet."""
        return migrate.current_version(self._engine)

    def close(self) -> None:
        """Close every connection."""
        if self._whole is None:
            self._engine.dispose()

    def __enter__(self) -> FactStore:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @contextmanager
    def begin_run(self, *, started_at: datetime | None = None) -> Iterator[RunWriter]:
        """Take the write lock and open a run. Without `run.seal()` at its end, nothing of it is kept."""
        if self._whole is not None or self.is_copy:
            raise UsageError("this only reads; name the store itself to write")
        self._require()
        with translated_errors(), open_writing(self._engine) as connection:
            yield RunWriter(connection, started_at, on_sealed=self._log_head)

    @contextmanager
    def snapshot(self, *, as_of: AsOf | None = None) -> Iterator[Snapshot]:
        """Several reads that all see the same state: that of now, or of a moment."""
        with self._reading() as connection:
            yield Snapshot(connection, run_as_of(connection, as_of), self._terms_path)

    def remember_terms(self, written: Mapping[str, ReadingNames] | None = None) -> None:
        """Write down the names of the current readings, so that the first question need not gather them.

        With `written`, only those that a run has just written (`RunWriter.names`): nothing is read for them.
        """
        if self._terms_path is None:
            return  # a server keeps the store; there is no place beside it
        if written is None:
            with self.snapshot() as snapshot:
                snapshot.terms(snapshot.readings())
        elif written:
            known = TermFile.load(self._terms_path)
            known.add(written.items())
            known.save(self._terms_path)

    @property
    def _terms_path(self) -> Path | None:
        return None if self.path is None else self.path.with_name(self.path.name + ".terms")

    def documents(self, *, as_of: AsOf | None = None) -> list[DocumentRecord]:
        """Every document, as its last event left it, in order of id."""
        with self._reading() as connection:
            return _visible(connection, as_of=run_as_of(connection, as_of))

    def document_states(self) -> dict[str, DocumentState]:
        """The little an ingest needs to know of each document, by id."""
        with self._reading() as connection:
            return document_states(connection)

    def unmapped_cells(self) -> dict[str, int]:
        """How many numeric cells of each reading have no label to be known by, where there are any."""
        with self._reading() as connection:
            return unmapped_cells(connection)

    def readings(
        self, documents: Sequence[str] = (), *, all_revisions: bool = False, as_of: AsOf | None = None
    ) -> list[ReadingSpan]:
        """The readings that are current, or were then, or all there ever were, in order of document and time."""
        with self._reading() as connection:
            known = run_as_of(connection, as_of)
            return spans(connection, documents, all_revisions=all_revisions, as_of=known)

    def fact_in(self, reading: ReadingSpan, locator: str) -> Fact | None:
        """The fact at a place of one reading, current or not."""
        with self._reading() as connection:
            found = fact_in(connection, reading, locator)
            return None if found is None else found[0]

    def observed(self, reading_ids: Sequence[str]) -> Iterator[tuple[str, list[Observed]]]:
        """The facts of readings, current or not, as far as comparing them needs."""
        with self._reading() as connection:
            for reading_id in reading_ids:
                yield reading_id, observed_facts(connection, reading_id)

    def document_history(self, doc_id: str) -> list[DocumentRecord]:
        """Every event of one document, oldest first."""
        with self._reading() as connection:
            return _visible(connection, history_of=doc_id)

    def facts(
        self, wanted: FactFilter | None = None, *, all_revisions: bool = False, as_of: AsOf | None = None
    ) -> Iterator[Fact]:
        """Facts one by one, in order of document and place: current ones, or those of every reading there ever was.

        `as_of` is a date, a time, a run's id or a revision's hash: then what the store said at that moment, no more.
        """
        with self._reading() as connection:
            known = run_as_of(connection, as_of)
            yield from find_facts(connection, wanted or FactFilter(), all_revisions=all_revisions, as_of=known)

    def fact(self, fact_id: str) -> Fact | None:
        """The fact of that id, current or not."""
        with self._reading() as connection:
            return fact_by_id(connection, fact_id)

    def fact_at(self, doc_id: str, locator: str, *, as_of: AsOf | None = None) -> Fact | None:
        """The current fact at a place; any form of locator that names one cell will do."""
        with self._reading() as connection:
            found = fact_at(connection, doc_id, locator, as_of=run_as_of(connection, as_of))
            return None if found is None else found[0]

    def tables(self, doc_id: str, *, as_of: AsOf | None = None) -> list[TableRecord]:
        """The tables of a document's current reading, without their cells."""
        with self._reading() as connection:
            return tables_of(connection, current_span(connection, doc_id, as_of=run_as_of(connection, as_of)))

    def table(self, doc_id: str, locator: str, *, as_of: AsOf | None = None) -> RawTable | None:
        """The table of that locator, or the one that holds the fact at it."""
        with self._reading() as connection:
            known = run_as_of(connection, as_of)
            table = table_at(connection, current_span(connection, doc_id, as_of=known), locator)
            if table is None and (found := fact_at(connection, doc_id, locator, as_of=known)) is not None:
                table = table_by_number(connection, found[1])
            return table

    def cell_of(self, fact: Fact) -> tuple[RawTable, Position] | None:
        """The table a fact was read from, as it stood in the fact's own revision, and the fact's cell in its grid."""
        with self._reading() as connection:
            found = cell_of(connection, fact.fact_id)
            table = table_by_number(connection, found[0]) if found is not None else None
            return None if found is None or table is None else (table, found[1])

    def passages(self, doc_id: str, *, as_of: AsOf | None = None) -> list[Passage]:
        """The prose of a document's current reading."""
        with self._reading() as connection:
            return passages_of(connection, current_span(connection, doc_id, as_of=run_as_of(connection, as_of)))

    def findings(self, doc_id: str | None = None, *, as_of: AsOf | None = None) -> list[tuple[str, Finding]]:
        """The findings that hold now, each with its document."""
        with self._reading() as connection:
            return findings_now(connection, doc_id, as_of=run_as_of(connection, as_of))

    def ledger(self, doc_id: str) -> list[tuple[str, LedgerEntry]]:
        """The numeric cells of a document that are not facts, with the locators of their tables."""
        with self._reading() as connection:
            return ledger_of(connection, current_span(connection, doc_id))

    def left_out(self, documents: Sequence[str] = (), *, as_of: AsOf | None = None) -> Iterator[LeftOut]:
        """Each number of the current documents that is no fact, and why; `documents` are glob patterns."""
        with self._reading() as connection:
            yield from left_out(connection, spans(connection, documents, as_of=run_as_of(connection, as_of)))

    def coverage(self, documents: Sequence[str] = (), *, as_of: AsOf | None = None) -> list[Coverage]:
        """Where the numeric cells of each current document went; `documents` are glob patterns."""
        with self._reading() as connection:
            return coverage_of(connection, spans(connection, documents, as_of=run_as_of(connection, as_of)))

    def runs(self) -> list[SealedRun]:
        """Every run, oldest first."""
        with self._reading() as connection:
            return sealed_runs(connection)

    def head(self) -> SealedRun | None:
        """The last run; None in an empty store."""
        with self._reading() as connection:
            return next(iter(sealed_runs(connection, last_only=True)), None)

    @contextmanager
    def audit(self) -> Iterator[Audit]:
        """Everything in the record as it lies in the tables, for whoever checks it."""
        self._require()
        with reading_transaction(self._engine) as connection:
            yield Audit(connection)

    @property
    def store_version(self) -> str:
        """What answers were given from: the id of the last run."""
        head = self.head()
        return "empty" if head is None else head.run_id

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        self._require()
        with reading_transaction(self._engine) as connection:
            yield hide(connection, self._hidden_now(connection))

    def _hidden_now(self, connection: Connection) -> Hidden | None:
        if self._cleared >= set(LEVELS):
            return None
        state = connection.execute(_LAST_EVENT).scalar() or 0
        known = self._hidden.get(self._cleared)
        if known is None or known[0] != state:
            known = self._hidden[self._cleared] = (state, work_out(connection, self._cleared))
        return known[1]

    def _require(self) -> None:
        whole = self._whole or self  # a view is made for each question; the store is looked at once
        if not whole._checked:
            migrate.require_current(self._engine)
            whole._checked = True

    def _log_head(self, sealed: SealedRun) -> bool:
        path = self.head_log_path
        if path is None:
            return False
        try:
            append_head(path, sealed)
        except OSError:
            return False  # the run is committed and stays so; the caller is told through `head_logged`
        return True


def _visible(
    connection: Connection, *, history_of: str | None = None, as_of: int | None = None
) -> list[DocumentRecord]:
    hidden = hidden_from(connection)
    if hidden is None:
        return list(document_records(connection, history_of=history_of, as_of=as_of))
    found = document_records(connection, history_of=history_of, as_of=as_of, without=hidden.events)
    return [one for one in map(hidden.record, found) if one is not None]
