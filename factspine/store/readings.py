"""Writing one reading of one document: its tables, what they were taken to mean, its facts, prose and findings."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import repeat
from typing import Any

from sqlalchemy import Connection, select

from factspine.core.errors import RecordRefused, StoreError, UsageError
from factspine.core.facts import FactContext
from factspine.core.findings import Finding
from factspine.core.hashing import DIGEST_BYTES, merkle_root
from factspine.core.leaves import Lineage, finding_leaf, passage_leaf, reading_root
from factspine.core.packed import PackedInterpretation, PackedTable
from factspine.core.tables import Passage
from factspine.store import schema
from factspine.store.engine import bulk_insert, insert_columns
from factspine.store.gathering import Gathering
from factspine.store.termfile import ReadingNames

# Many values at once: -0, leading zeros and trailing zeros of a fraction are left to the check.
_DECIMALS = re.compile(r"(?:-?[0-9]++(?:\.[0-9]++)?+\n)*+")
_MANY_FACTS = 500  # of one table: they are written by themselves, what they share once
_GATHERED = (
    schema.raw_table,
    schema.interpretation,
    schema.header,
    schema.ledger,
    schema.fact_context,
    schema.fact_metric,
)
_FACT_COLUMNS = tuple(column.name for column in schema.fact_metric.columns)


class Numbers:
    """The next free number of each table. The writer alone assigns them, under the write lock."""

    def __init__(self, following: dict[str, int]) -> None:
        self._next = following

    def take(self, table: str, count: int = 1) -> int:
        """The first of `count` numbers that are now taken."""
        first = self._next[table]
        self._next[table] = first + count
        return first

    def peek(self, table: str) -> int:
        return self._next[table]

    def copy(self) -> Numbers:
        return Numbers(dict(self._next))

    def restore(self, earlier: Numbers) -> None:
        self._next = dict(earlier._next)


class ReadingWriter:
    """The open reading. Facts of a table come right after its interpretation, in one piece or several."""

    def __init__(
        self,
        connection: Connection,
        numbers: Numbers,
        lineage: Lineage,
        *,
        place: tuple[int, int],  # run, document
        source: tuple[str, int],  # media type, size in bytes
        is_new: bool,  # a document the store has never heard of: there is nothing to look for
    ) -> None:
        self._connection = connection
        self._numbers = numbers
        self._lineage = lineage
        self._run_no, self._document_no = place
        self._extraction_no, self._stored_tables, self._stored_passages = self._open_extraction(source, is_new)
        self.reading_no = numbers.take("reading")
        self._insert(
            schema.reading,
            (
                self.reading_no,
                lineage.reading_id,
                self._extraction_no,
                lineage.mapping_version,
                lineage.sensitivity,
                self._run_no,
            ),
        )
        self._gathered = Gathering(connection, _GATHERED)
        self._first_fact_no = numbers.peek("fact_metric")
        self._contexts: dict[FactContext, int] = {}
        self._table_leaves: dict[int, bytes] = {}
        self._passage_leaves: list[bytes] = []
        self._interpretation_leaves: list[bytes] = []
        self._finding_leaves: list[bytes] = []
        self._numeric_cells = 0
        self.names = ReadingNames(set(), set())  # gathered as they pass: later they would have to be read again
        self._open_table: tuple[int, int, list[int]] | None = None  # table, facts still to come, its contexts

    @property
    def fact_count(self) -> int:
        """How many facts the reading holds so far."""
        return self._numbers.peek("fact_metric") - self._first_fact_no

    def add_table(self, table: PackedTable) -> int:
        """Keep a raw table; the number its interpretation and facts refer to."""
        stored = self._stored_tables
        if stored is not None:
            # The same extractor saw the same bytes before, under another vocabulary: it must have seen the same table.
            number, leaf = stored.get(table.locator, (0, b""))
            if leaf != table.leaf:
                raise StoreError(
                    f"{self._lineage.extractor_version} reads {table.locator} otherwise than before from the same bytes"
                )
        else:
            number = self._numbers.take("raw_table")
            ordinal = len(self._table_leaves) + 1
            shape = (table.n_rows, table.n_cols, table.cell_count, table.formula_count)
            head = (number, self._extraction_no, ordinal, table.locator, table.kind, table.title)
            self._gathered.add(schema.raw_table, [(*head, *shape, table.body, table.leaf)], len(table.body))
        self._table_leaves[number] = table.leaf
        return number

    def add_interpretation(self, table_no: int, packed: PackedInterpretation) -> None:
        """Keep what a table was taken to mean; its facts follow."""
        self._expect_facts_complete()
        if len(packed.fact_leaves) != packed.fact_count * DIGEST_BYTES:
            raise UsageError("not one leaf for each fact")
        first = self._numbers.peek("fact_metric")
        counts = (packed.fact_count, packed.numeric_cells, packed.header_rows, packed.header_cols)
        table = (self.reading_no, table_no)
        row = (*table, first, *counts, packed.facts_root, packed.leaf, packed.fact_leaves)
        gathered = self._gathered
        gathered.add(schema.interpretation, [row], len(packed.fact_leaves))
        gathered.add(schema.header, [(*table, *path) for path in packed.headers])
        gathered.add(schema.ledger, [(self._numbers.take("ledger"), *table, *entry) for entry in packed.ledger])
        self._interpretation_leaves.append(packed.leaf)
        self._numeric_cells += packed.numeric_cells
        self._open_table = (table_no, packed.fact_count, self._context_numbers(packed.contexts))
        if gathered.is_full:
            gathered.write()

    def add_facts(self, table_no: int, count: int, columns: Mapping[str, Iterable[Any]]) -> None:
        """Keep `count` facts of the table interpreted last, given column by column.

        `columns` are those of a fact block; each is a list, or `itertools.repeat` of the value that all facts share.
        """
        if self._open_table is None or self._open_table[0] != table_no:
            raise UsageError("facts follow the interpretation of their table")
        _, missing, contexts = self._open_table
        if count > missing:
            raise UsageError(f"{count} facts came where {missing} were announced")
        _expect_decimals(columns["value"])
        self.names.metrics.update(_distinct(columns["metric_code"], columns["metric_label"]))
        self.names.entities.update(name for (name,) in _distinct(columns["entity"]))
        first = self._numbers.take("fact_metric", count)
        given = self._fact_columns(first, count, columns)
        if count < _MANY_FACTS:
            rows = zip(*map(given.__getitem__, _FACT_COLUMNS), strict=False)  # those that repeat are endless
            written = self._gathered.add(schema.fact_metric, rows)
        else:
            self._gathered.write()  # what these facts refer to
            written = insert_columns(self._connection, schema.fact_metric, given, count)
        if written != count:
            raise UsageError(f"{count} facts were announced, the columns hold {written}")
        self._open_table = (table_no, missing - count, contexts)

    def add_passages(self, passages: Sequence[Passage]) -> None:
        """Keep stretches of prose."""
        leaves = [passage_leaf(passage) for passage in passages]
        ordinal = len(self._passage_leaves)
        self._passage_leaves.extend(leaves)
        if self._stored_passages is not None:
            return  # they are there already; close() compares the leaves
        first = self._numbers.take("passage", len(passages))
        sections = {passage.section for passage in passages}  # one stands over many passages
        written = {section: json.dumps(section, ensure_ascii=False) for section in sections}
        rows = (
            (
                first + offset,
                self._extraction_no,
                ordinal + offset + 1,
                passage.locator,
                passage.kind,
                passage.text,
                written[passage.section],
                int(passage.hidden),
                leaf,
            )
            for offset, (passage, leaf) in enumerate(zip(passages, leaves, strict=True))
        )
        bulk_insert(self._connection, schema.passage, rows)

    def add_findings(self, findings: Sequence[Finding]) -> None:
        """Keep what could not be done."""
        first = self._numbers.take("finding", len(findings))
        about = (self._run_no, self._document_no, self.reading_no)
        rows = (
            (first + offset, *about, f.code, f.severity, f.message, f.locator, f.remedy)
            for offset, f in enumerate(findings)
        )
        bulk_insert(self._connection, schema.finding, rows)
        self._finding_leaves.extend(map(finding_leaf, findings))

    def close(self) -> bytes:
        """Seal the reading; its root."""
        self._expect_facts_complete()
        self._expect_same_extraction()
        self._gathered.write()
        leaves = (
            list(self._table_leaves.values()),
            self._passage_leaves,
            self._interpretation_leaves,
            self._finding_leaves,
        )
        roots = [merkle_root(part) for part in leaves]
        counts = (
            self.fact_count,
            len(self._table_leaves),
            len(self._passage_leaves),
            len(self._finding_leaves),
            self._numeric_cells,
        )
        root = reading_root(self._lineage, roots, counts)
        self._insert(schema.reading_seal, (self.reading_no, self._first_fact_no, *counts, *roots, root))
        return root

    def _fact_columns(self, first: int, count: int, columns: Mapping[str, Iterable[Any]]) -> dict[str, Iterable[Any]]:
        assert self._open_table is not None  # noqa: S101  checked by the caller
        table_no, _, contexts = self._open_table
        given: dict[str, Iterable[Any]] = dict(columns)
        given["fact_no"] = range(first, first + count)
        given["source_doc_id"] = repeat(self._lineage.doc_id)
        given["reading_no"] = repeat(self.reading_no)
        given["table_no"] = repeat(table_no)
        of_fact = columns["context_no"]
        if isinstance(of_fact, repeat):
            given["context_no"] = repeat(contexts[next(of_fact)])
        else:
            given["context_no"] = map(contexts.__getitem__, of_fact)
        return given

    def _context_numbers(self, contexts: Sequence[FactContext]) -> list[int]:
        """The numbers of a table's contexts; those that the reading has not had yet are kept now."""
        numbers, rows = [], []
        for context in contexts:
            number = self._contexts.get(context)
            if number is None:
                number = self._contexts[context] = self._numbers.take("fact_context")
                rows.append((number, self.reading_no, *context))
            numbers.append(number)
        self._gathered.add(schema.fact_context, rows)
        return numbers

    def _open_extraction(
        self, source: tuple[str, int], is_new: bool
    ) -> tuple[int, dict[str, tuple[int, bytes]] | None, list[bytes] | None]:
        """The extraction this reading stands on, and what the store holds of it already."""
        known = None
        revision_no = None if is_new else self._known_revision()
        if revision_no is None:
            revision_no = self._numbers.take("revision")
            row = (revision_no, self._document_no, self._lineage.file_hash, *source, self._run_no)
            self._insert(schema.revision, row)
        else:
            known = self._known_extraction(revision_no)
        if known is None:
            number = self._numbers.take("extraction")
            self._insert(schema.extraction, (number, revision_no, self._lineage.extractor_version, self._run_no))
            return number, None, None
        table, passage = schema.raw_table.c, schema.passage.c
        tables = self._connection.execute(
            select(table.locator, table.table_no, table.leaf).where(table.extraction_no == known)
        )
        passages = self._connection.execute(
            select(passage.leaf).where(passage.extraction_no == known).order_by(passage.ordinal)
        )
        stored = {locator: (number, bytes(leaf)) for locator, number, leaf in tables}
        return int(known), stored, [bytes(leaf) for leaf in passages.scalars()]

    def _known_revision(self) -> int | None:
        revision = schema.revision.c
        known: int | None = self._connection.execute(
            select(revision.revision_no).where(
                revision.document_no == self._document_no, revision.file_hash == self._lineage.file_hash
            )
        ).scalar()
        return known

    def _known_extraction(self, revision_no: int) -> int | None:
        extraction = schema.extraction.c
        known: int | None = self._connection.execute(
            select(extraction.extraction_no).where(
                extraction.revision_no == revision_no,
                extraction.extractor_version == self._lineage.extractor_version,
            )
        ).scalar()
        return known

    def _expect_facts_complete(self) -> None:
        if self._open_table is not None and self._open_table[1]:
            raise UsageError(f"{self._open_table[1]} announced facts of a table are missing")

    def _expect_same_extraction(self) -> None:
        if self._stored_tables is None:
            return
        same_tables = len(self._stored_tables) == len(self._table_leaves)
        if not same_tables or self._stored_passages != self._passage_leaves:
            raise StoreError(f"{self._lineage.extractor_version} reads the same bytes otherwise than before")

    def _insert(self, table: Any, row: tuple[Any, ...]) -> None:
        bulk_insert(self._connection, table, [row])


def _expect_decimals(values: Iterable[Any]) -> None:
    """Nothing but exact decimals may be the value of a fact."""
    several = [next(iter(values))] if isinstance(values, repeat) else list(values)
    try:
        lines = "\n".join(several) + "\n"
    except TypeError:
        lines = ""
    if lines.count("\n") != len(several) or not _DECIMALS.fullmatch(lines):
        raise RecordRefused("the store refused what was read: a value that is no decimal")


def _distinct(*columns: Iterable[Any]) -> set[Any]:
    """The different rows of columns, of which some may be `itertools.repeat`."""
    if all(isinstance(column, repeat) for column in columns):
        return {tuple(next(iter(column)) for column in columns)}
    return set(zip(*columns, strict=False))  # those that repeat are endless
