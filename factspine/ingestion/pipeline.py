"""The walk from a folder to a sealed run: scan, compare, read, write, seal.

The folder is hashed before the write lock is taken and compared with the store again once it is held, so that several
processes ingesting one folder end with one set of facts. Reading goes on in parallel; writing is one transaction.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from factspine.core.errors import InputRejected, RecordRefused, StoreError, UsageError
from factspine.core.findings import Finding
from factspine.core.leaves import Lineage
from factspine.core.limits import Limits
from factspine.extract.frames import BadFrame
from factspine.extract.registry import ROWS
from factspine.extract.sandbox import Sandbox
from factspine.ingestion.changes import with_changes
from factspine.ingestion.document import prepare
from factspine.ingestion.intake import WORKER_MODULE, ReadDocument, Reader, RefusedDocument, inspect
from factspine.ingestion.messages import FactsMessage, PassagesMessage, TableMessage, receive
from factspine.ingestion.plan import LIVE, Plan, make_plan, require_some_left
from factspine.ingestion.readahead import ReadAhead
from factspine.ingestion.report import DocumentReport, IngestReport, Status, not_seen, refused, unchanged
from factspine.ingestion.versions import mapping_version
from factspine.lexicon.vocabulary import Vocabulary
from factspine.sources.folder import Hashed, scan
from factspine.sources.membership import Membership
from factspine.sources.sniff import KNOWN_SUFFIXES, suffix_of
from factspine.sources.vault import Vault
from factspine.store.documents import DocumentState
from factspine.store.runs import RunWriter, SealedRun
from factspine.store.store import FactStore
from factspine.store.vocabularies import keep_vocabulary

# A document that is done, how many are, of how many; before the first of them once without a document.
Progress = Callable[[DocumentReport | None, int, int], None]
Clock = Callable[[], datetime]

# Documents of this size keep a core busy for seconds: they start before the small ones.
_LARGE_BYTES = 1024 * 1024
_DOCUMENTS_PER_WORKER = 4
_BYTES_PER_WORKER = 256 * 1024
_VOCABULARY_NAME = "vocabulary.toml"


def ingest(
    folder: str | Path,
    store: FactStore,
    *,
    jobs: int | None = None,
    limits: Limits | None = None,
    vocabulary: Path | None = None,
    progress: Progress | None = None,
    clock: Clock = lambda: datetime.now(UTC),
    withdraw: bool | None = None,
    vault: Path | None = None,
    allow_empty: bool = False,
) -> IngestReport:
    """Brings the store up to date with a folder; what changed becomes one sealed run, or none where nothing did.

    `vocabulary` defaults to `vocabulary.toml` beside the store, `vault` to the archive beside it. `withdraw` says what
    becomes of documents that the store holds and the folder does not: by default those last seen in this same folder
    are withdrawn; True withdraws all, False none. Where several were and none is, only with `allow_empty`.
    """
    if jobs is not None and jobs < 1:
        raise UsageError("jobs is the number of documents read at once: 1 or more")
    archive = vault or store.vault_path
    if archive is None:
        raise UsageError("this store is no file, so nothing lies beside it; say where the archive is (vault=…)")
    started = time.perf_counter()
    if vocabulary is None and store.path is not None and store.path.with_name(_VOCABULARY_NAME).is_file():
        vocabulary = store.path.with_name(_VOCABULARY_NAME)
    walk = _Walk(
        folder=Path(folder),
        store=store,
        vault=Vault(archive),
        jobs=jobs or len(os.sched_getaffinity(0)),
        limits=limits or Limits(),
        vocabulary=Vocabulary.load(vocabulary),
        vocabulary_path=vocabulary,
        withdraw=withdraw,
        allow_empty=allow_empty or withdraw is not None,
        progress=progress,
    )
    report = walk.run(clock)
    if report.run_id is not None:
        keep_vocabulary(store, vocabulary, walk.vocabulary.version)
    return replace(report, seconds=time.perf_counter() - started)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Walk:
    """One ingest and everything it was told."""

    folder: Path
    store: FactStore
    vault: Vault
    jobs: int
    limits: Limits
    vocabulary: Vocabulary
    vocabulary_path: Path | None
    withdraw: bool | None
    allow_empty: bool
    progress: Progress | None

    def run(self, clock: Clock) -> IngestReport:
        found = scan(
            self.folder,
            exclude=[self.vault.root, *_files_of(self.store)],
            threads=self.jobs,
            size_max=self.limits.file_bytes_max,
        )
        membership = Membership(self.vault.root, self.folder)
        states = self.store.document_states()
        documents = tuple(one for one in found.documents if self._is_document(one, one.file.doc_id in states))
        skipped = found.skipped + len(found.documents) - len(documents)
        hidden = {doc_id for doc_id in membership.known | set(states) if any(one.holds(doc_id) for one in found.unseen)}
        plan = self._plan(documents, states, membership, hidden)
        unseen = {one.name: not_seen(one) for one in found.unseen}
        if plan.changes_nothing:
            reports = self._known_reports(plan, {}, states) | unseen
            reports |= {r.found.file.doc_id: refused(r.found, r.findings) for r in plan.refused}
            return self._report(None, with_changes(self.store, states, states, reports), skipped)
        names = [*(one.file.doc_id for one in documents), *(hidden & membership.known)]
        with self.store.begin_run(started_at=clock()) as run:
            # Another process may have written meanwhile: what counts is what the store says now.
            plan = self._plan(documents, run.documents, membership, hidden)
            before = run.documents
            reports, strangers = _Writer(self, run).write(plan)
            self.vault.settle()
            membership.widen(names)
            sealed = run.seal(clock())
        membership.settle(names)
        if sealed is not None:
            with suppress(StoreError):  # the run stands; the first question would gather the names instead
                self.store.remember_terms(run.names)
        # Readings that were there before are counted from the store, once the run that may revive them is in it.
        after = self.store.document_states()
        reports |= self._known_reports(plan, reports, after) | unseen
        reports = with_changes(self.store, before, after, reports)
        return self._report(sealed, reports, skipped + strangers)

    def _is_document(self, found: Hashed, known: bool) -> bool:
        """Leaves out archives that hold no document, before a lock is taken for them."""
        if known or found.error or suffix_of(found.file.doc_id) in KNOWN_SUFFIXES:
            return True
        try:
            return inspect(found.file.path, found.file.doc_id, self.limits) is not None
        except (InputRejected, OSError):  # reading it properly will say why
            return True

    def _plan(
        self,
        documents: tuple[Hashed, ...],
        states: Mapping[str, DocumentState],
        membership: Membership,
        hidden: set[str],  # documents of which nobody can say now whether they are there
    ) -> Plan:
        if self.withdraw is None:
            candidates = membership.known - membership.elsewhere()
        else:
            candidates = set(states) if self.withdraw else set()
        plan = make_plan(
            documents,
            states,
            mapping_version=self.mapping_version,
            limits=self.limits,
            rejected_with=self.rejected_with,
            candidates=candidates - hidden,
        )
        return plan if documents or self.allow_empty else require_some_left(self.folder, plan)

    @property
    def mapping_version(self) -> str:
        return mapping_version(self.vocabulary)

    def rejected_with(self, doc_id: str) -> tuple[Finding, ...]:
        """The findings that the store holds for a rejected document."""
        return tuple(finding for _, finding in self.store.findings(doc_id))

    def _known_reports(
        self, plan: Plan, so_far: Mapping[str, DocumentReport], states: Mapping[str, DocumentState]
    ) -> dict[str, DocumentReport]:
        """Reports of documents that were not read now, with what their readings hold."""
        revived = [report for report in so_far.values() if report.status in LIVE and not report.seconds]
        wanted: dict[str, Status] = {one.file.doc_id: "unchanged" for one in plan.unchanged}
        wanted |= {report.doc: report.status for report in revived}
        if not wanted:
            return {}
        unmapped = self.store.unmapped_cells()
        found = ((states[doc_id], status) for doc_id, status in wanted.items() if doc_id in states)
        return {
            known.doc_id: DocumentReport(
                doc=known.doc_id,
                status=status,
                file_hash=known.file_hash,
                facts=known.facts,
                passages=known.passages,
                tables=known.tables,
                numeric_cells=known.numeric_cells,
                unmapped=unmapped.get(known.reading_id, 0),
            )
            for known, status in found
        }

    def _report(self, sealed: SealedRun | None, reports: dict[str, DocumentReport], skipped: int) -> IngestReport:
        head = sealed or self.store.head()
        return IngestReport(
            run_id=sealed.run_id if sealed else None,
            head=head.seal.hex() if head else "",
            documents=tuple(reports[doc_id] for doc_id in sorted(reports)),
            skipped=skipped,
            head_logged=sealed is None or sealed.head_logged,
            seconds=0.0,
        )


class _Writer:
    """Writes a plan into an open run."""

    def __init__(self, walk: _Walk, run: RunWriter) -> None:
        self._walk = walk
        self._run = run
        self._reports: dict[str, DocumentReport] = {}
        self._total = 0
        self._strangers = 0

    def write(self, plan: Plan) -> tuple[dict[str, DocumentReport], int]:
        """Writes everything; returns a report for each document, and how many files turned out to be none."""
        self._reports = {one.file.doc_id: unchanged(one) for one in plan.unchanged}
        unread = [one for one in plan.read if not self._point_back(one)]
        self._total = len(self._reports) + len(unread) + len(plan.refused) + len(plan.gone)
        for refusal in plan.refused:
            if not refusal.recorded:
                doc_id = refusal.found.file.doc_id
                level = self._walk.vocabulary.sensitivity(doc_id)
                self._run.reject(doc_id, file_hash="", findings=refusal.findings, sensitivity=level)
            self._done(refused(refusal.found, refusal.findings))
        for doc_id in plan.gone:
            self._run.withdraw(doc_id)
            self._done(DocumentReport(doc=doc_id, status="withdrawn"))
        if unread:
            self._read(unread)
        return self._reports, self._strangers

    def _read(self, unread: list[Hashed]) -> None:
        walk = self._walk
        workers = _useful_workers(unread, walk.jobs)
        vocabulary = str(walk.vocabulary_path.resolve()) if walk.vocabulary_path else None
        prepare(vocabulary, {KNOWN_SUFFIXES.get(suffix_of(found.file.doc_id), "") for found in unread})
        with Sandbox(WORKER_MODULE, walk.limits, children_max=workers, forked=True) as sandbox:
            reader = Reader(
                sandbox,
                walk.vault,
                walk.limits,
                mapping_version=walk.mapping_version,
                vocabulary=walk.vocabulary,
                vocabulary_path=vocabulary,
            )
            # One thread more than children: while they work, it brings the next document as far as their door.
            ahead = ReadAhead(unread, reader, threads=workers + 1, early=_early)
            if walk.progress is not None:
                walk.progress(None, len(self._reports), self._total)
            with ahead:
                try:
                    for found, result in ahead:
                        self._write(found, result)
                except BaseException:
                    # Threads wait for their children; without them they end at once.
                    ahead.stop()
                    sandbox.close()
                    raise

    def _write(self, found: Hashed, result: ReadDocument | RefusedDocument) -> None:
        if isinstance(result, RefusedDocument):
            self._refuse(found, result)
            return
        with result.content:
            try:
                findings = self._write_content(found, result)
            except (BadFrame, UsageError):
                # What the child announced and what it sent do not agree; nothing of it was kept.
                finding = Finding.of("FS204", "The extraction process spoke nonsense.")
                self._refuse(found, RefusedDocument(findings=(finding,), extractor_version=result.row.version))
                return
            except RecordRefused as refusal:
                finding = Finding.of("FS306", f"Nothing of this document was kept: {refusal}.")
                self._refuse(found, RefusedDocument(findings=(finding,), extractor_version=result.row.version))
                return
        totals = result.totals
        self._done(
            DocumentReport(
                doc=found.file.doc_id,
                status=self._status(found.file.doc_id),
                file_hash=found.sha256,
                facts=totals["facts"],
                passages=totals["passages"],
                tables=totals["tables"],
                numeric_cells=totals["numeric_cells"],
                unmapped=totals["unmapped"],
                findings=findings,
                seconds=result.seconds,
            )
        )

    def _write_content(self, found: Hashed, result: ReadDocument) -> tuple[Finding, ...]:
        findings = list(result.findings)
        result.content.seek(0)
        size = found.file.size
        with self._run.reading(result.lineage, media_type=result.row.media_type, size_bytes=size) as reading:
            table_no = 0
            for message in receive(result.content, self._walk.limits.frame_bytes_max):
                if isinstance(message, FactsMessage):
                    reading.add_facts(table_no, message.count, message.columns)
                elif isinstance(message, TableMessage):
                    table_no = reading.add_table(message.table)
                    reading.add_interpretation(table_no, message.interpretation)
                elif isinstance(message, PassagesMessage):
                    reading.add_passages(message.passages)
                else:
                    findings += message.findings
            reading.add_findings(findings)
        return tuple(findings)

    def _refuse(self, found: Hashed, result: RefusedDocument) -> None:
        """Records a rejection, unless the store says the same already or the bytes were never really seen."""
        doc_id = found.file.doc_id
        if not result.findings:
            self._strangers += 1
            return
        codes = {finding.code for finding in result.findings}
        known = self._run.documents.get(doc_id)
        repeated = known is not None and known.status == "rejected" and known.file_hash == found.sha256
        if repeated:
            repeated = {finding.code for finding in self._walk.rejected_with(doc_id)} == codes
        if not repeated and not codes & {"FS102", "FS110"}:
            self._run.reject(
                doc_id,
                file_hash=found.sha256,
                findings=result.findings,
                extractor_version=result.extractor_version,
                sensitivity=self._walk.vocabulary.sensitivity(doc_id),
            )
        self._done(replace(refused(found, result.findings), seconds=result.seconds))

    def _point_back(self, found: Hashed) -> bool:
        """Makes an earlier reading current again where a document went back to bytes it once had."""
        doc_id = found.file.doc_id
        if doc_id not in self._run.documents:
            return False
        for row in ROWS.values():
            lineage = Lineage(
                doc_id=doc_id,
                file_hash=found.sha256,
                extractor_version=row.version,
                mapping_version=self._walk.mapping_version,
            )
            if self._run.find_reading(lineage):
                self._run.point_to(lineage)
                self._done(DocumentReport(doc=doc_id, status=self._status(doc_id), file_hash=found.sha256))
                return True
        return False

    def _status(self, doc_id: str) -> Status:
        known = self._run.documents.get(doc_id)
        return "updated" if known is not None and known.status in LIVE else "ingested"

    def _done(self, report: DocumentReport) -> None:
        self._reports[report.doc] = report
        if self._walk.progress is not None:
            self._walk.progress(report, len(self._reports), self._total)


def _files_of(store: FactStore) -> list[Path]:
    """The store's own files, which may lie in the folder they are made from."""
    if store.path is None:
        return []
    endings = ("", "-wal", "-shm", "-journal", ".heads", ".terms", ".traces.jsonl", ".traces.jsonl.1", ".traces.key")
    names = (store.path.name + ending for ending in endings)
    return [store.path.with_name(name) for name in names]


def _useful_workers(unread: list[Hashed], jobs: int) -> int:
    """How many children are worth starting: one more is a quarter of a second of work before its first document."""
    by_count = len(unread) // _DOCUMENTS_PER_WORKER
    by_size = sum(found.file.size for found in unread) // _BYTES_PER_WORKER
    return max(1, min(jobs, len(unread), max(by_count, by_size)))


def _early(found: Hashed) -> int:
    return found.file.size if found.file.size > _LARGE_BYTES else 0
