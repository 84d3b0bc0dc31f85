"""A new vocabulary over tables that were read long ago: facts are derived again, no file is opened.

The tables in the store are what the extractor saw; only their meaning is read anew. The result is a sealed run of new
readings under a new mapping version. The old readings stay, and answers given from them can be given again.
"""

from __future__ import annotations

import gc
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from factspine.core.errors import StoreError
from factspine.core.findings import Finding
from factspine.core.leaves import Lineage
from factspine.core.packed import PackedTable, pack_interpretation
from factspine.core.tablecodec import decode_table, table_digest
from factspine.ingestion.document import FINDINGS_PER_CODE_MAX, interpret_safely, listed_findings
from factspine.ingestion.versions import mapping_version
from factspine.lexicon.vocabulary import Vocabulary
from factspine.store.remapping import StoredTable, difference, live_readings, stored_reading
from factspine.store.runs import RunWriter
from factspine.store.store import FactStore
from factspine.store.vocabularies import keep_vocabulary

Clock = Callable[[], datetime]
Progress = Callable[[str, int, int], None]  # a document that is done, how many are, of how many
_PASSAGES_A_PIECE = 1_000
_FACTS_BETWEEN_COLLECTIONS = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class RemappedDocument:
    """What a new mapping made of one document; facts are the same fact where they stand in the same cell."""

    doc: str
    facts: int
    added: int
    changed: int
    vanished: int
    unchanged: int
    fields: Mapping[str, int]  # of the changed facts, how many differ in which field
    sensitivity: str

    def as_dict(self) -> dict[str, Any]:
        """The document's entry in the report."""
        return {
            "doc": self.doc,
            "facts": self.facts,
            "added": self.added,
            "changed": self.changed,
            "vanished": self.vanished,
            "unchanged": self.unchanged,
            "fields": dict(self.fields),
            "sensitivity": self.sensitivity,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class RemapReport:
    """One remapping. `run_id` is None where every document was mapped so already."""

    run_id: str | None
    head: str
    mapping_version: str
    documents: tuple[RemappedDocument, ...]
    already: int  # documents that were mapped so before
    seconds: float
    # Saved answers that would now be others; None where they cannot be read. The walk itself asks nothing.
    stale_answers: tuple[Mapping[str, Any], ...] | None = ()

    def as_dict(self) -> dict[str, Any]:
        """The report as one JSON object."""
        names = ("facts", "added", "changed", "vanished", "unchanged")
        totals = {name: sum(getattr(one, name) for one in self.documents) for name in names}
        fields: Counter[str] = Counter()
        for one in self.documents:
            fields.update(one.fields)
        return {
            "run_id": self.run_id,
            "head": self.head,
            "mapping_version": self.mapping_version,
            "documents": [one.as_dict() for one in self.documents],
            "totals": {
                "documents": len(self.documents),
                "already": self.already,
                **totals,
                "fields": dict(fields),
                "seconds": round(self.seconds, 4),
            },
            "stale_answers": None if self.stale_answers is None else [dict(one) for one in self.stale_answers],
        }


def remap(
    store: FactStore,
    *,
    vocabulary: Path | None = None,
    clock: Clock = lambda: datetime.now(UTC),
    progress: Progress | None = None,
) -> RemapReport:
    """Derives the facts of every current document again; one sealed run, or none where nothing had to be done.

    `vocabulary` defaults to `vocabulary.toml` beside the store, as an ingest's does.
    """
    started = time.perf_counter()
    if vocabulary is None and store.path is not None and store.path.with_name("vocabulary.toml").is_file():
        vocabulary = store.path.with_name("vocabulary.toml")
    words = Vocabulary.load(vocabulary)
    version = mapping_version(words)
    documents: list[RemappedDocument] = []
    with store.begin_run(started_at=clock()) as run, _collecting_rarely() as collect:
        live = live_readings(run)
        due = [lineage for lineage in live if lineage.mapping_version != version]
        for number, lineage in enumerate(due, 1):
            documents.append(_remap_document(run, lineage, version, words))
            collect(documents[-1].facts)
            if progress is not None:
                progress(lineage.doc_id, number, len(due))
        sealed = run.seal(clock())
    keep_vocabulary(store, vocabulary, words.version)
    head = store.head()
    return RemapReport(
        run_id=sealed.run_id if sealed else None,
        head=head.seal.hex() if head else "",
        mapping_version=version,
        documents=tuple(documents),
        already=len(live) - len(due),
        seconds=time.perf_counter() - started,
    )


@contextmanager
def _collecting_rarely() -> Iterator[Callable[[int], None]]:
    """Looks for cycles of garbage once in a million facts: they are rare in what interpretation builds, and looking for
    them among so many small objects takes as long as making those. The children of an ingest do likewise."""
    facts_since = 0

    def collect(facts: int) -> None:
        nonlocal facts_since
        facts_since += facts
        if facts_since > _FACTS_BETWEEN_COLLECTIONS:
            facts_since = 0
            gc.collect()

    collecting = gc.isenabled()
    gc.disable()
    try:
        yield collect
    finally:
        if collecting:
            gc.enable()


def _remap_document(run: RunWriter, old: Lineage, version: str, vocabulary: Vocabulary) -> RemappedDocument:
    new = replace(old, mapping_version=version, sensitivity=vocabulary.sensitivity(old.doc_id))
    if run.find_reading(new):
        run.point_to(new)  # the documents were mapped so once before
    else:
        _write(run, old, new, vocabulary)
    found = difference(run, old.reading_id, new.reading_id)
    return RemappedDocument(doc=new.doc_id, unchanged=found.unchanged, sensitivity=new.sensitivity, **found._asdict())


def _write(run: RunWriter, old: Lineage, new: Lineage, vocabulary: Vocabulary) -> None:
    stored = stored_reading(run, old.reading_id)
    # What intake and extraction found holds as before; what interpretation found is found anew.
    kept = [finding for finding in stored.findings if finding.code < "FS3"]
    seen: Counter[str] = Counter()
    with run.reading(new, media_type=stored.media_type, size_bytes=stored.size_bytes) as reading:
        for table in stored.tables():
            table_no = reading.add_table(_packed(table))
            raw = decode_table(table.body)
            meaning = interpret_safely(raw, vocabulary)
            packed = pack_interpretation(
                new,
                _packed(table),
                labelled=meaning.labelled,
                block=meaning.block,
                ledger=meaning.ledger,
                numeric_cells=meaning.numeric_cells,
            )
            reading.add_interpretation(table_no, packed)
            if meaning.block.count:
                reading.add_facts(table_no, meaning.block.count, meaning.block.columns)
            kept.extend(_counted(meaning.findings, seen))
        for start in range(0, len(stored.passages), _PASSAGES_A_PIECE):
            reading.add_passages(stored.passages[start : start + _PASSAGES_A_PIECE])
        reading.add_findings(listed_findings(kept, seen))


def _counted(findings: tuple[Finding, ...], seen: Counter[str]) -> Iterator[Finding]:
    for finding in findings:
        seen[finding.code] += 1
        if seen[finding.code] <= FINDINGS_PER_CODE_MAX:
            yield finding


def _packed(table: StoredTable) -> PackedTable:
    """A stored table, as the writer takes it. Nothing is derived from a table that is not what was sealed."""
    if table_digest(table.body) != table.leaf:
        raise StoreError(f"stored table {table.table_no} is not what was sealed; `factspine check` says more")
    return PackedTable(
        locator=table.locator,
        kind="chart" if table.kind == "chart" else "table",
        title=table.title,
        n_rows=table.n_rows,
        n_cols=table.n_cols,
        cell_count=table.cell_count,
        formula_count=table.formula_count,
        body=table.body,
        leaf=table.leaf,
    )
