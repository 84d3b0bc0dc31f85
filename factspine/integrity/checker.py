"""The check: levels from a glance to reading every document again. It continues after errors and never repairs.

quick        schema, the database's own quick check, the chain of seals and the head log
structure    and every hash, id, root, reference, locator and span; archived files are there (the default)
read-data    and the bytes of archived and source files hash as recorded
read-back    and every fact and passage stands where its locator says
cross        structure, and the analytic copy equals the store
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Literal, get_args

from factspine.core.errors import SchemaMismatch, StoreBusy, StoreError, StoreMissing, UsageError
from factspine.core.limits import Limits
from factspine.extract.registry import ROWS
from factspine.extract.sandbox import Sandbox
from factspine.ingestion.intake import WORKER_MODULE
from factspine.ingestion.readahead import ReadAhead
from factspine.ingestion.versions import mapping_version
from factspine.integrity.archive import Blob, blobs_of, check_blob, check_source
from factspine.integrity.bookkeeping import check_bookkeeping
from factspine.integrity.citations import check_answers
from factspine.integrity.cross import check_copy
from factspine.integrity.progress import StepLog
from factspine.integrity.readback import Judge, Unit, ask_second_reader, make_unit, reader
from factspine.integrity.report import CheckFinding, CheckReport, Collector
from factspine.integrity.seals import check_chain, check_events, check_expected_head, check_head_log
from factspine.integrity.structure import ReadingChecker, check_numbers, renumbered
from factspine.lexicon.vocabulary import Vocabulary
from factspine.sources.vault import Vault
from factspine.store.audit import Audit, EventRow, ReadingRow, Rows, RunRow
from factspine.store.store import FactStore

Level = Literal["quick", "structure", "read-data", "read-back", "cross"]
LEVELS: tuple[Level, ...] = get_args(Level)
Step = tuple[str, Callable[[Collector], None]]
Cross = Callable[[FactStore, Collector], None]  # compares the analytic copy with the store
_NIGHTS = 28
_READING = ("structure", "read-data", "read-back", "cross")


@dataclass(frozen=True, slots=True, kw_only=True)
class Subset:
    """The n-th of t parts. Files fall into parts by their hash, so that the parts stay what they are as files come."""

    number: int = 1
    of: int = 1

    @classmethod
    def parse(cls, text: str) -> Subset:
        """A subset written `n/t`."""
        number, mark, of = text.partition("/")
        if not (mark and number.isdigit() and of.isdigit() and 1 <= int(number) <= int(of)):
            raise UsageError(f"{text!r} is no part of a whole; write n/t, such as 1/7")
        return cls(number=int(number), of=int(of))

    def holds(self, name: str) -> bool:
        """Whether a file of that hash is in this part."""
        if self.of == 1:
            return True
        return int.from_bytes(sha256(name.encode()).digest()[:8]) % self.of == self.number - 1

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"


def check(
    store: FactStore,
    level: Level = "structure",
    *,
    subset: str = "1/1",
    sources: str | Path | None = None,
    expect_head: str | None = None,
    resume: Path | None = None,
    vault: Path | None = None,
    vocabulary: Path | None = None,
    jobs: int | None = None,
    limits: Limits | None = None,
    cross: Cross | None = check_copy,
    answers: Path | None = None,
    second_reader: bool = False,
    on_finding: Callable[[CheckFinding], None] | None = None,
) -> CheckReport:
    """Checks a store; raises `StoreMissing`, `StoreBusy` or `SchemaMismatch` where there is nothing to check.

    `subset` ("n/t") limits reading bytes and documents to a part of them. `sources` is the folder of documents, to
    compare them as they are now. `resume` names a file that remembers finished steps. `cross` compares the analytic
    copy. `answers` are saved answers, JSON lines, whose citations must hold. `second_reader` has read-back ask the
    independent reader of each format, too, which takes several times as long.
    """
    if level not in LEVELS:
        raise UsageError(f"no level {level!r}; there are {', '.join(LEVELS)}")
    work = _Check(
        store=store,
        level=level,
        subset=Subset.parse(subset),
        sources=Path(sources) if sources is not None else None,
        expect_head=expect_head,
        vault=vault or store.vault_path,
        vocabulary=vocabulary or _beside(store),
        jobs=jobs or len(os.sched_getaffinity(0)),
        limits=limits or Limits(),
        cross=cross,
        answers=answers,
        second_reader=second_reader,
    )
    return _report(work, resume, Collector(on_finding))


def _report(work: _Check, resume: Path | None, found: Collector) -> CheckReport:
    """Runs a check to its end, or as far as it comes."""
    started = time.perf_counter()
    outcome = _Outcome()
    try:
        with work.store.audit() as audit:
            work.run(audit, resume, found, outcome)
    except (StoreMissing, StoreBusy, SchemaMismatch):
        raise
    except StoreError:
        found.add("FS401")
    except KeyboardInterrupt:
        outcome.interrupted = True
    return CheckReport(
        level=work.level,
        subset=str(work.subset),
        store_version=outcome.version,
        head=outcome.head,
        findings=tuple(found.findings),
        counts=dict(found.counts),
        checked=dict(found.checked),
        verdicts=dict(found.verdicts),
        resumed=outcome.resumed,
        interrupted=outcome.interrupted,
        seconds=time.perf_counter() - started,
    )


@dataclass(slots=True)
class _Outcome:
    head: str = ""
    version: str = "empty"
    resumed: int = 0
    interrupted: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class _Record:
    """What all steps look at, read once."""

    runs: list[RunRow]
    events: list[EventRow]
    readings: list[ReadingRow]
    findings: Rows

    @property
    def current(self) -> list[ReadingRow]:
        """The readings that documents stand on now."""
        last = {event.document_no: event.reading_no for event in self.events}
        wanted = {number for number in last.values() if number is not None}
        return [reading for reading in self.readings if reading.reading_no in wanted]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Check:
    """One check and everything it was told."""

    store: FactStore
    level: Level
    subset: Subset
    sources: Path | None
    expect_head: str | None
    vault: Path | None
    vocabulary: Path | None
    jobs: int
    limits: Limits
    cross: Cross | None
    answers: Path | None
    second_reader: bool

    def run(self, audit: Audit, resume: Path | None, found: Collector, outcome: _Outcome) -> None:
        """All steps in order; a step that fails is a finding, and the next one runs."""
        runs = audit.runs()
        heads = {run.seal.hex() for run in runs if run.seal is not None}
        outcome.head = next((run.seal.hex() for run in reversed(runs) if run.seal is not None), "")
        outcome.version = next((run.run_id for run in reversed(runs) if run.run_id is not None), "empty")
        plan = {"level": self.level, "subset": str(self.subset), "sources": bool(self.sources), "head": outcome.head}
        with StepLog(resume, plan, heads | {""}) as log:
            outcome.resumed = len(log.done)
            for earlier in log.done.values():
                found.absorb(earlier)
            for name, act in self._steps(audit, runs, set(log.done), tuple(found.findings)):
                step = Collector()
                try:
                    act(step)
                except (StoreMissing, StoreBusy):
                    raise
                except (StoreError, ValueError, KeyError, TypeError, OverflowError, MemoryError) as error:
                    step.add("FS401", f"{name.partition(' ')[0]} could not be read ({type(error).__name__})")
                found.absorb(step)
                log.add(name, step)
            log.finish()

    def _steps(
        self, audit: Audit, runs: list[RunRow], done: set[str], earlier: Sequence[CheckFinding]
    ) -> Iterator[Step]:
        """The steps that are still to do; `earlier` was found by those that are done."""
        if "file" not in done:
            yield "file", partial(self._file, audit)
        deep = self.level in _READING
        record = _Record(
            runs=runs,
            events=audit.events() if deep else [],
            readings=audit.readings() if deep else [],
            findings=audit.findings() if deep else [],
        )
        disowned = {str(finding.about.get("reading")) for finding in earlier if finding.code in ("FS415", "FS506")}
        if deep:
            yield from self._reading_steps(audit, record, disowned, done)
        # Always done again: it is quick, and the chain may have grown.
        yield "chain", partial(self._chain, record, disowned, deep=deep)
        if deep:
            yield from self._archive_steps(record, disowned, done)
        if self.level == "read-back":
            yield from self._read_back_steps(audit, record, done)
        if self.level == "cross":
            yield "cross", self._cross
        if self.answers is not None:
            yield "answers", partial(check_answers, self.store, self.answers)

    def _file(self, audit: Audit, found: Collector) -> None:
        for name in audit.schema_differences():
            found.add("FS402", name)
        problems = audit.file_problems(quick=self.level == "quick")
        if problems:
            found.add("FS401", f"{len(problems)} problems in the file")
        if self.level != "quick":
            for table, row in audit.broken_references():
                found.add("FS403", table=table, row=row)

    def _reading_steps(self, audit: Audit, record: _Record, disowned: set[str], done: set[str]) -> Iterator[Step]:
        checker = ReadingChecker(audit, record.findings)
        # Readings of one extraction come one after the other, so that its tables are hashed once.
        for reading in sorted(renumbered(record.readings), key=lambda one: (one.extraction_no, one.reading_no)):
            name = f"reading {reading.reading_id}"
            if name not in done:
                yield name, partial(_check_reading, checker, reading, disowned)
        yield "numbers", partial(check_numbers, audit, record.readings)
        yield "seals", partial(_check_seals, audit)

    def _chain(self, record: _Record, disowned: set[str], found: Collector, *, deep: bool) -> None:
        sound = check_chain(record.runs, found)
        if deep:
            readings = {reading.reading_no: reading for reading in record.readings}
            check_events(record.runs, record.events, readings, record.findings, sound, found, disowned=disowned)
        if not found.counts:
            check_head_log(self.store.head_log_path, record.runs, found)
            if deep:
                media_types = {row.version: row.media_type for row in ROWS.values()}
                check_bookkeeping(record.events, record.readings, media_types, found)
        if self.expect_head is not None:
            check_expected_head(self.expect_head, record.runs, found)

    def _archive_steps(self, record: _Record, disowned: set[str], done: set[str]) -> Iterator[Step]:
        # A reading with a wrong lineage may name a file that never was; that is said already.
        blobs = blobs_of(reading for reading in record.readings if reading.reading_id not in disowned)
        if self.vault is None:
            if blobs:
                yield "archive", lambda found: found.add("FS490", "nobody said where the archive is")
            return
        vault = Vault(self.vault)
        reading_bytes = self.level in ("read-data", "read-back")
        unread: list[Blob] = []
        for blob in blobs:
            if self.level == "read-back" and self.subset.holds(blob.file_hash):
                continue  # looked at below, when the document is read again
            if not (reading_bytes and self.subset.holds(blob.file_hash)):
                unread.append(blob)
            elif (name := f"file {blob.file_hash}") not in done:
                yield name, partial(_check_blob, vault, blob, True)
        yield "files", partial(_check_blobs, vault, unread)
        if self.sources is not None and self.level == "read-data":
            for reading in record.current:
                name = f"source {reading.reading_id}"
                if self.subset.holds(reading.file_hash) and name not in done:
                    yield name, partial(_check_source, self.sources, reading)

    def _read_back_steps(self, audit: Audit, record: _Record, done: set[str]) -> Iterator[Step]:
        if self.vault is None:
            return
        units: list[Unit] = []
        pending = Collector()
        for unit in self._units(audit, record, pending):
            if unit.name not in done:
                units.append(unit)
        yield "read-back files", lambda found: found.absorb(pending)
        if not units:
            return
        judge = Judge(audit, mapping_version(Vocabulary.load(self.vocabulary)))
        with Sandbox(WORKER_MODULE, self.limits, children_max=self.jobs) as sandbox:
            ahead = ReadAhead(units, reader(sandbox, self.limits, self.vocabulary), threads=self.jobs)
            with ahead:
                try:
                    for unit, result in ahead:
                        yield unit.name, partial(judge.judge, unit, result)
                        if self.second_reader and unit.where == "archive":
                            twice = partial(ask_second_reader, audit, unit, self.limits)
                            yield f"second reader {unit.reading.reading_id}", twice
                except BaseException:
                    ahead.stop()
                    sandbox.close()
                    raise

    def _units(self, audit: Audit, record: _Record, found: Collector) -> Iterator[Unit]:
        """The archived revision of each extraction, and each source document that is no longer what was read."""
        vault = Vault(self.vault or Path())
        sound: dict[str, bool] = {}
        latest = {reading.extraction_no: reading for reading in record.readings if reading.root is not None}
        for reading in latest.values():
            if not self.subset.holds(reading.file_hash):
                continue
            if reading.file_hash not in sound:
                blob = Blob(file_hash=reading.file_hash, size_bytes=reading.size_bytes)
                sound[reading.file_hash] = check_blob(vault, blob, found, read=True)
            if sound[reading.file_hash]:
                yield make_unit(audit, reading, vault.path_of(reading.file_hash), "archive")
            else:
                found.verdicts["file changed"] += reading.fact_count or 0
        for reading in record.current if self.sources is not None else ():
            if self.subset.holds(reading.file_hash) and reading.root is not None:
                before = found.counts["FS424"]
                changed = check_source(self.sources or Path(), reading, found)
                if changed is not None:
                    yield make_unit(audit, reading, changed, "source")
                elif found.counts["FS424"] > before:
                    found.verdicts["missing"] += (reading.fact_count or 0) + (reading.passage_count or 0)

    def _cross(self, found: Collector) -> None:
        if self.cross is None:
            found.add("FS490", "there is no analytic copy to compare with")
        else:
            self.cross(self.store, found)


def _check_reading(checker: ReadingChecker, reading: ReadingRow, disowned: set[str], found: Collector) -> None:
    if not checker.check(reading, found):
        disowned.add(reading.reading_id)


def _check_seals(audit: Audit, found: Collector) -> None:
    for number in audit.seals_without_reading():
        found.add("FS417", reading_number=number)


def _check_blob(vault: Vault, blob: Blob, read: bool, found: Collector) -> None:
    check_blob(vault, blob, found, read=read)


def _check_blobs(vault: Vault, blobs: Sequence[Blob], found: Collector) -> None:
    for blob in blobs:
        check_blob(vault, blob, found, read=False)


def _check_source(folder: Path, reading: ReadingRow, found: Collector) -> None:
    check_source(folder, reading, found)


def _beside(store: FactStore) -> Path | None:
    path = store.path.with_name("vocabulary.toml") if store.path is not None else None
    return path if path is not None and path.is_file() else None


def nightly_subset(day: int) -> str:
    """The part that is read back on a day of the month: every document once in 28 days, the first parts again after."""
    return f"{(day - 1) % _NIGHTS + 1}/{_NIGHTS}"
