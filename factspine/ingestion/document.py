"""One document in the child: extract, interpret, pack, send.

A table is sent as soon as it is packed, so that the child never holds more than one table's facts, and hashing and
packing are done here, where several documents are worked on at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import IO, Any

from factspine.core.errors import InputRejected
from factspine.core.facts import BLOCK_COLUMNS, FactBlock, LedgerEntry
from factspine.core.findings import Finding
from factspine.core.labelled import LabelledTable
from factspine.core.leaves import Lineage
from factspine.core.limits import Limits
from factspine.core.packed import pack_interpretation, pack_table
from factspine.core.tables import Item, Passage, RawTable
from factspine.extract import registry
from factspine.extract.confine import may_write_bytecode
from factspine.extract.frames import ITEM, write_json
from factspine.ingestion.cleaning import clean_finding, clean_passage, clean_table
from factspine.ingestion.messages import PASSAGES_PER_FRAME, send_facts, send_findings, send_passages, send_table
from factspine.ingestion.versions import mapping_version
from factspine.interpret.interpreter import Interpretation, interpret_table
from factspine.lexicon.vocabulary import Vocabulary

# Ten thousand lines of "this row is hidden" help nobody; the number of them does.
FINDINGS_PER_CODE_MAX = 200
_REREAD_PER_FRAME = 10_000


def send_document(request: dict[str, Any], limits: Limits, out: IO[bytes]) -> dict[str, Any]:
    """Reads a document and sends all that goes into the store; returns the totals."""
    lineage = Lineage(**request["lineage"])
    vocabulary = load_vocabulary(request["vocabulary"])
    if mapping_version(vocabulary) != lineage.mapping_version:
        raise InputRejected("FS110", "The vocabulary changed while documents were read.", remedy="Ingest again.")
    sender = _Sender(lineage, vocabulary, out)
    for item in read_items(request, limits):
        if isinstance(item, RawTable):
            sender.table(item)
        elif isinstance(item, Passage):
            sender.passage(item)
        else:
            sender.finding(item)
    sender.finish()
    return sender.totals


def send_rereading(request: dict[str, Any], limits: Limits, out: IO[bytes]) -> dict[str, Any]:
    """Goes back to places of a document by its second reader and sends what stands there, in order."""
    with may_write_bytecode():
        extractor = registry.load(request["format"])
    found = extractor.reread(Path(request["path"]), request["locators"])
    for start in range(0, len(found), _REREAD_PER_FRAME):
        write_json(out, ITEM, list(found[start : start + _REREAD_PER_FRAME]))
    return {"places": len(found)}


def read_items(request: dict[str, Any], limits: Limits) -> Iterator[Item]:
    """What the extractor of the document's format sees in it, with text that can be stored."""
    with may_write_bytecode():
        extractor = registry.load(request["format"])
    for item in extractor.read(Path(request["path"]), limits):
        if isinstance(item, RawTable):
            yield clean_table(item)
        elif isinstance(item, Passage):
            yield clean_passage(item)
        else:
            yield clean_finding(item)


@lru_cache(maxsize=4)
def load_vocabulary(path: str | None) -> Vocabulary:
    """The built-in vocabulary and the user's, read once for all documents of a run."""
    return Vocabulary.load(Path(path) if path else None)


def prepare(vocabulary: str | None, formats: Iterable[str]) -> None:
    """Loads what reading documents of these formats needs, so that children forked afterwards have it at once.

    The libraries behind PDF start threads when they are loaded, and a process with threads is not forked: children load
    them themselves.
    """
    load_vocabulary.cache_clear()  # the file may have changed since the last run of this process
    load_vocabulary(vocabulary)
    for name in formats:
        if name in registry.ROWS and not registry.ROWS[name].has_pages:
            registry.load(name)


class _Sender:
    """Packs items and sends them, counting."""

    def __init__(self, lineage: Lineage, vocabulary: Vocabulary, out: IO[bytes]) -> None:
        self._lineage = lineage
        self._vocabulary = vocabulary
        self._out = out
        self._passages: list[Passage] = []
        self._findings: list[Finding] = []
        self._seen: dict[str, int] = {}
        self.totals = {"facts": 0, "tables": 0, "passages": 0, "numeric_cells": 0, "unmapped": 0, "excluded": 0}

    def table(self, raw: RawTable) -> None:
        meaning = interpret_safely(raw, self._vocabulary)
        packed = pack_table(raw)
        interpretation = pack_interpretation(
            self._lineage,
            packed,
            labelled=meaning.labelled,
            block=meaning.block,
            ledger=meaning.ledger,
            numeric_cells=meaning.numeric_cells,
        )
        send_table(self._out, packed, interpretation)
        send_facts(self._out, meaning.block)
        for finding in meaning.findings:
            self.finding(finding)
        totals = self.totals
        totals["tables"] += 1
        totals["facts"] += meaning.block.count
        totals["numeric_cells"] += meaning.numeric_cells
        for entry in meaning.ledger:
            if entry.disposition in totals:
                totals[entry.disposition] += len(entry.cells)

    def passage(self, passage: Passage) -> None:
        self._passages.append(passage)
        self.totals["passages"] += 1
        if len(self._passages) >= PASSAGES_PER_FRAME:
            self._flush()

    def finding(self, finding: Finding) -> None:
        count = self._seen[finding.code] = self._seen.get(finding.code, 0) + 1
        if count <= FINDINGS_PER_CODE_MAX:
            self._findings.append(finding)

    def finish(self) -> None:
        self._findings = listed_findings(self._findings, self._seen)
        self._flush()
        if self._findings:
            send_findings(self._out, self._findings)

    def _flush(self) -> None:
        if self._passages:
            send_passages(self._out, self._passages)
            self._passages = []


def listed_findings(findings: Sequence[Finding], seen: Mapping[str, int]) -> list[Finding]:
    """Findings as they are recorded: by code, each in the order of the document, with a line for those left out.

    By code, so that a new mapping of the stored tables ends with the list that reading the file again would give.
    """
    listed = list(findings)
    for code, count in seen.items():
        if count > FINDINGS_PER_CODE_MAX:
            more = count - FINDINGS_PER_CODE_MAX
            listed.append(Finding.of(code, f"{more:,} more of this kind are not listed."))
    return sorted(listed, key=lambda finding: finding.code)


def interpret_safely(raw: RawTable, vocabulary: Vocabulary) -> Interpretation:
    """What a table means; a table that defeats interpretation is kept, all its numbers unmapped, and says so."""
    try:
        return interpret_table(raw, vocabulary)
    except MemoryError:
        raise
    except Exception as error:  # one table must not cost the document
        numbers = tuple((cell.row, cell.col) for cell in raw.cells if cell.kind == "n")
        ledger = (LedgerEntry(disposition="unmapped", reason="not_interpreted", cells=numbers),) if numbers else ()
        message = f"The table could not be interpreted ({type(error).__name__})."
        return Interpretation(
            labelled=LabelledTable(raw=raw, roles=["value"] * len(raw.cells), header_rows=0, header_cols=0, blocks=()),
            block=FactBlock(count=0, columns={name: [] for name in BLOCK_COLUMNS}, contexts=()),
            ledger=ledger,
            findings=(Finding.of("FS306", message, locator=raw.locator),),
            numeric_cells=len(numbers),
        )
