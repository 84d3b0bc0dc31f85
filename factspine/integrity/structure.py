"""Structure and lineage of one reading: every table, passage, label, ledger entry and fact is what was sealed.

Each thing is hashed again and compared with its own stored digest, and each root with the stored digests below it. So
a damage is found where it is, with one code, and not once more at every level above.
"""

from __future__ import annotations

import json
import zlib
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from factspine.core.hashing import DIGEST_BYTES, merkle_root
from factspine.core.leaves import (
    Lineage,
    finding_leaf,
    headers_digest,
    interpretation_leaf_of,
    ledger_digest,
    passage_leaf,
    reading_root,
)
from factspine.core.tablecodec import stored_description
from factspine.core.tables import Passage
from factspine.integrity.factrows import FactChecker, FactPiece, Region, is_locator, load_contexts
from factspine.integrity.report import Collector
from factspine.integrity.seals import finding_of
from factspine.store.audit import TABLE_COLUMNS, Audit, InterpretationRow, ReadingRow, Rows


class ReadingChecker:
    """Checks readings in order; tables and prose are shared by the readings of one extraction and hashed once."""

    def __init__(self, audit: Audit, findings: Rows) -> None:
        self._audit = audit
        self._extraction_no = 0
        self._tables: dict[int, Region] = {}
        self._passage_leaves: list[bytes] = []
        self._extraction_sound = True
        self._findings: dict[int, Rows] = defaultdict(list)
        for row in findings:
            if row[2] is not None:
                self._findings[row[2]].append(row)

    def check(self, reading: ReadingRow, found: Collector) -> bool:
        """Everything about one reading; False where its root or lineage is wrong, so that nothing can rest on it."""
        about = {"reading": reading.reading_id}
        found.checked["readings"] += 1
        if reading.root is None or reading.fact_count is None or reading.first_fact_no is None:
            found.add("FS417", **about)
            return True
        lineage = lineage_of(reading)
        self._open_extraction(reading, found)
        interpretations = self._audit.interpretations(reading.reading_no)
        if lineage.reading_id != reading.reading_id or not self._seal_holds(reading, lineage, interpretations, found):
            if "FS506" not in found.counts:
                found.add("FS415", **about)
            return False
        self._check_parts(reading, found)
        self._check_meaning(reading, lineage, interpretations, found)
        return True

    def _seal_holds(
        self,
        reading: ReadingRow,
        lineage: Lineage,
        interpretations: Sequence[InterpretationRow],
        found: Collector,
    ) -> bool:
        """Whether the reading's root follows from its parts; where it does not, whether the lineage is to blame."""
        if reading_root(lineage, _roots(reading), _counts(reading)) == reading.root:
            return True
        first = next((one for one in interpretations if one.fact_count and one.table_no in self._tables), None)
        if first is not None:
            piece = FactPiece(self._audit, first.first_fact_no, 1, load_contexts(self._audit, reading.reading_no))
            locator = self._tables[first.table_no].locator
            stored = self._audit.fact_leaves(reading.reading_no, first.table_no)[:DIGEST_BYTES]
            if piece.rows and (piece.unknown_contexts or piece.leaves(lineage, locator) != [stored]):
                return False
        found.add("FS506", reading=reading.reading_id)
        return False

    def _open_extraction(self, reading: ReadingRow, found: Collector) -> None:
        if reading.extraction_no == self._extraction_no:
            return
        self._extraction_no = reading.extraction_no
        self._tables, ordinals = {}, []
        for row in self._audit.tables(reading.extraction_no):
            table = dict(zip(TABLE_COLUMNS, row, strict=True))
            ordinals.append(table["ordinal"])
            self._tables[table["table_no"]] = _check_table(table, reading.reading_id, found)
        self._extraction_sound = ordinals == list(range(1, len(ordinals) + 1))
        passages = self._audit.passages(reading.extraction_no)
        self._passage_leaves = [row[6] for row in passages]
        self._extraction_sound &= [row[0] for row in passages] == list(range(1, len(passages) + 1))
        for row in passages:
            _check_passage(row, reading.reading_id, found)
        found.checked["tables"] += len(ordinals)
        found.checked["passages"] += len(passages)

    def _check_parts(self, reading: ReadingRow, found: Collector) -> None:
        tables = self._tables.values()
        counted = (len(tables), len(self._passage_leaves)) == (reading.table_count, reading.passage_count)
        # Where a table or the digest beside it was changed, that is said already: one of the two still fits.
        rooted = reading.tables_root in (
            merkle_root([table.leaf for table in tables]),
            merkle_root([table.made for table in tables]),
        )
        prose = merkle_root(self._passage_leaves) == reading.passages_root
        if not (counted and self._extraction_sound and rooted and prose):
            found.add("FS412", reading=reading.reading_id)
        rows = self._findings.get(reading.reading_no, [])
        belong = all(row[:2] == (reading.run_no, reading.document_no) for row in rows)
        said = [finding_leaf(finding_of(row[3:])) for row in rows]
        if not belong or len(said) != reading.finding_count or merkle_root(said) != reading.findings_root:
            found.add("FS414", reading=reading.reading_id)

    def _check_meaning(
        self, reading: ReadingRow, lineage: Lineage, interpretations: Sequence[InterpretationRow], found: Collector
    ) -> None:
        headers = _by_table(self._audit.headers(reading.reading_no))
        ledger = _by_table(self._audit.ledger(reading.reading_no))
        facts = FactChecker(self._audit, reading, lineage, found)
        known = {one.table_no for one in interpretations}
        strays = (headers.keys() | ledger.keys()) - known
        if strays or merkle_root([one.leaf for one in interpretations]) != reading.facts_root:
            found.add("FS413", reading=reading.reading_id)
        following = reading.first_fact_no or 0
        for one in interpretations:
            about: dict[str, str | int] = {"reading": reading.reading_id, "table": one.table_no}
            table = self._tables.get(one.table_no)
            if table is None:
                continue  # the missing table is said already
            if one.first_fact_no != following:
                found.add("FS418", "first fact of a table", **about)
            counts = (one.fact_count, one.numeric_cells, one.header_rows, one.header_cols)
            digests = headers_digest(headers[one.table_no]), ledger_digest(ledger[one.table_no])
            sealed = one.leaf in (
                interpretation_leaf_of(table.locator, leaf, one.facts_root, counts, *digests)
                for leaf in {table.leaf, table.made}
            )
            if not sealed:
                found.add("FS413", **about)
            elif not _inside(headers[one.table_no], ledger[one.table_no], table):
                found.add("FS416", **about)
            facts.check(one._replace(first_fact_no=following), table, rooted=sealed)
            following += one.fact_count


def lineage_of(reading: ReadingRow) -> Lineage:
    """The lineage as the tables give it now."""
    return Lineage(
        doc_id=reading.doc_id,
        file_hash=reading.file_hash,
        extractor_version=reading.extractor_version,
        mapping_version=reading.mapping_version,
        sensitivity=reading.sensitivity,
    )


def _roots(reading: ReadingRow) -> list[bytes]:
    roots = (reading.tables_root, reading.passages_root, reading.facts_root, reading.findings_root)
    return [root or b"" for root in roots]


def _counts(reading: ReadingRow) -> list[int]:
    counts = (
        reading.fact_count,
        reading.table_count,
        reading.passage_count,
        reading.finding_count,
        reading.numeric_cells,
    )
    return [count or 0 for count in counts]


def _check_table(table: dict[str, Any], reading_id: str, found: Collector) -> Region:
    about: dict[str, str | int] = {"reading": reading_id, "table": table["table_no"]}
    bounds = (1, 1 << 31), (1, 1 << 31)
    try:
        digest, said = stored_description(table["body"])
    except (zlib.error, ValueError, KeyError, TypeError):
        found.add("FS409", **about)
        return Region(table["locator"], table["leaf"], table["leaf"], *bounds)
    if digest != table["leaf"]:
        found.add("FS409", **about)
        return Region(table["locator"], table["leaf"], digest, *bounds)
    names = ("locator", "kind", "title", "n_rows", "n_cols", "cell_count")
    if [said[name] for name in names] != [table[name] for name in names] or (
        len(said["formulas"]) != table["formula_count"]
    ):
        found.add("FS410", **about)
    elif not is_locator(table["locator"]):
        found.add("FS408", **about)
    top, left = said["top"], said["left"]
    # Whatever the description says now: the facts were sealed with the locator inside the body.
    return Region(
        said["locator"], table["leaf"], digest, (top, top + said["n_rows"] - 1), (left, left + said["n_cols"] - 1)
    )


def _check_passage(row: tuple[Any, ...], reading_id: str, found: Collector) -> None:
    ordinal, locator, kind, text, section, hidden, leaf = row
    about: dict[str, str | int] = {"reading": reading_id, "passage": ordinal}
    try:
        passage = Passage(
            locator=locator, kind=kind, text=text, section=tuple(json.loads(section)), hidden=bool(hidden)
        )
        same = passage_leaf(passage) == leaf
    except (ValueError, TypeError):
        same = False
    if not same:
        found.add("FS411", **about)
    elif not is_locator(locator):
        found.add("FS408", **about)


def _by_table(rows: Rows) -> Mapping[int, Rows]:
    grouped: dict[int, Rows] = defaultdict(list)
    for row in rows:
        grouped[row[0]].append(row[1:])
    return grouped


def _inside(headers: Rows, ledger: Rows, table: Region) -> bool:
    spans = {"r": (table.rows, table.cols), "c": (table.cols, table.rows)}
    for axis, position, first, last, _ in headers:
        (low, high), (cross_low, cross_high) = spans[axis]
        if not (low <= position <= high and cross_low <= first <= last <= cross_high):
            return False
    rows = (run.partition(":")[0] for *_, cells in ledger for run in cells.split())
    return all(table.rows[0] <= int(row) <= table.rows[1] for row in rows)


def renumbered(readings: Sequence[ReadingRow]) -> list[ReadingRow]:
    """Readings with the number their facts must begin with: facts are numbered reading by reading without gaps."""
    following: int | None = 1
    told: list[ReadingRow] = []
    for reading in readings:
        first = reading.first_fact_no if following is None else following
        told.append(reading._replace(first_fact_no=first) if reading.first_fact_no is not None else reading)
        # A reading without a seal does not say where it ends; the next one is believed.
        following = None if first is None or reading.fact_count is None else first + reading.fact_count
    return told


def check_numbers(audit: Audit, readings: Sequence[ReadingRow], found: Collector) -> None:
    """Each reading's facts begin where those of the one before end, and no fact lies outside."""
    expected = renumbered(readings)
    for reading, told in zip(readings, expected, strict=True):
        if reading.first_fact_no != told.first_fact_no:
            found.add("FS418", "first fact of a reading", reading=reading.reading_id)
    last = expected[-1] if expected else None
    if last is None:
        total = 0
    elif last.first_fact_no is None or last.fact_count is None:
        return
    else:
        total = last.first_fact_no + last.fact_count - 1
    for number, reading_no in audit.facts_outside(1, total):
        found.add("FS406", fact_number=number, reading_number=reading_no)
