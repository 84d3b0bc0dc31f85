"""The facts of a table against their seals, piece by piece and column by column: nearly all of a check's time."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from factspine.core.errors import UsageError
from factspine.core.facts import BLOCK_COLUMNS, FactBlock, FactContext
from factspine.core.hashing import merkle_root
from factspine.core.leaves import LEAF_COLUMNS, Lineage, fact_leaves
from factspine.core.locators import parse
from factspine.core.packed import split_leaves
from factspine.integrity.report import Collector
from factspine.store.audit import FACT_COLUMNS, Audit, InterpretationRow, ReadingRow

_FACTS_A_PIECE = 20_000
_CANONICAL = re.compile(r"-?(?:[1-9][0-9]*(?:\.[0-9]*[1-9])?|0\.[0-9]*[1-9])|0")
_LOCATOR = re.compile(r"[a-z_]+=[^,=\x00-\x1f\x7f-\x9f]*(?:,[a-z_]+=[^,=\x00-\x1f\x7f-\x9f]*)*")
_COLUMN = {name: number for number, name in enumerate(FACT_COLUMNS)}
_HOME = ("source_doc_id", "reading_no", "table_no")


class Region(NamedTuple):
    """A stored table that was hashed again: how it is known, and the part of its grid it covers."""

    locator: str
    leaf: bytes
    made: bytes  # the leaf made again; another one only where that is said already
    rows: tuple[int, int]  # first and last
    cols: tuple[int, int]


def is_locator(text: str) -> bool:
    """Whether a text can be parsed as a locator; the pattern settles nearly all of them without taking them apart."""
    if _LOCATOR.fullmatch(text):
        return True
    try:
        parse(text)
    except UsageError:
        return False
    return True


def load_contexts(audit: Audit, reading_no: int) -> dict[int, FactContext]:
    """The contexts of a reading by number."""
    return {
        number: FactContext(scale=scale, unit_evidence=evidence, period_start=start, period_end=end, status=status)
        for number, scale, evidence, start, end, status in audit.contexts(reading_no)
    }


class FactPiece:
    """Some facts of a table, read at once."""

    def __init__(self, audit: Audit, first: int, count: int, contexts: dict[int, FactContext]) -> None:
        self.rows = audit.facts(first, count)
        self.first = first
        self.count = count
        self._columns: list[Any] = list(zip(*self.rows, strict=True)) or [()] * len(FACT_COLUMNS)
        self._contexts = contexts

    def column(self, name: str) -> Sequence[Any]:
        """One column of the facts."""
        values: Sequence[Any] = self._columns[_COLUMN[name]]
        return values

    @property
    def unknown_contexts(self) -> set[int]:
        """Contexts that the facts name and the reading does not have."""
        return set(self.column("context_no")) - self._contexts.keys()

    def leaves(self, lineage: Lineage, locator: str) -> list[bytes]:
        """The leaf of each fact, made again."""
        numbers = self.column("context_no")
        used = {number: place for place, number in enumerate(dict.fromkeys(numbers))}
        columns: dict[str, Any] = {name: self.column(name) for name in LEAF_COLUMNS}
        columns["context_no"] = [used[number] for number in numbers]
        block = FactBlock(
            count=len(self.rows),
            columns={name: columns[name] for name in BLOCK_COLUMNS},
            contexts=tuple(self._contexts[number] for number in used),
        )
        return fact_leaves(lineage, locator, block)


class FactChecker:
    """The facts of one reading, table by table."""

    def __init__(self, audit: Audit, reading: ReadingRow, lineage: Lineage, found: Collector) -> None:
        self._audit = audit
        self._reading = reading
        self._lineage = lineage
        self._found = found
        self._contexts = load_contexts(audit, reading.reading_no)

    def check(self, told: InterpretationRow, table: Region, *, rooted: bool) -> None:
        """Every fact against its leaf, and all of them against the table's root where that can be trusted."""
        made: list[bytes] = []
        stored = split_leaves(self._audit.fact_leaves(self._reading.reading_no, told.table_no))
        if len(stored) != told.fact_count:
            self._found.add(
                "FS405", "not one leaf for each fact", reading=self._reading.reading_id, table=told.table_no
            )
            return
        for start in range(0, told.fact_count, _FACTS_A_PIECE):
            count = min(_FACTS_A_PIECE, told.fact_count - start)
            piece = FactPiece(self._audit, told.first_fact_no + start, count, self._contexts)
            self._found.checked["facts"] += len(piece.rows)
            numbers = self._numbers(piece)
            rooted = rooted and len(numbers) == count
            if piece.unknown_contexts:
                self._found.add("FS403", "the context of facts", reading=self._reading.reading_id, table=told.table_no)
                return
            if numbers:
                leaves = [stored[number - told.first_fact_no] for number in numbers]
                made += self._piece(piece, numbers, leaves, told.table_no, table)
        # Where one leaf or one value was changed, that is said already: then one of the two still leads to the root.
        if rooted and told.facts_root not in (merkle_root(stored), merkle_root(made)):
            self._found.add("FS405", reading=self._reading.reading_id, table=told.table_no)

    def _numbers(self, piece: FactPiece) -> Sequence[int]:
        """The numbers of the facts that are there; those that are not are found."""
        expected = range(piece.first, piece.first + piece.count)
        if len(piece.rows) == piece.count:
            return expected
        there = self._audit.fact_numbers(piece.first, piece.count)
        for number in sorted(set(expected) - set(there)):
            self._found.add("FS405", "a fact is missing", fact=self._name(number))
        return there

    def _piece(
        self, piece: FactPiece, numbers: Sequence[int], leaves: list[bytes], table_no: int, table: Region
    ) -> list[bytes]:
        again = piece.leaves(self._lineage, table.locator)
        if again == leaves:
            self._check_form(piece, numbers, table)
        else:
            for number, one, other in zip(numbers, again, leaves, strict=True):
                if one != other:
                    self._found.add("FS404", fact=self._name(number))
        home = (self._lineage.doc_id, self._reading.reading_no, table_no)
        claims = [piece.column(name) for name in _HOME]
        if any(set(claim) != {value} for claim, value in zip(claims, home, strict=True)):
            for number, claim in zip(numbers, zip(*claims, strict=True), strict=True):
                if claim != home:
                    self._found.add("FS407", fact=self._name(number))
        return again

    def _check_form(self, piece: FactPiece, numbers: Sequence[int], table: Region) -> None:
        """What no digest says: locators parse, values are canonical, cells lie in their table."""
        canonical, locator = _CANONICAL.fullmatch, _LOCATOR.fullmatch
        values, locators = piece.column("value"), piece.column("source_locator")
        if not (all(map(canonical, values)) and all(map(locator, locators))):
            for number, value, place in zip(numbers, values, locators, strict=True):
                if not canonical(value) or not is_locator(place):
                    self._found.add("FS408", fact=self._name(number))
        rows, cols = piece.column("row_no"), piece.column("col_no")
        (top, bottom), (left, right) = table.rows, table.cols
        if min(rows) < top or max(rows) > bottom or min(cols) < left or max(cols) > right:
            for number, row, col in zip(numbers, rows, cols, strict=True):
                if not (top <= row <= bottom and left <= col <= right):
                    self._found.add("FS416", fact=self._name(number))

    def _name(self, number: int) -> str:
        return f"{self._reading.reading_id}.{number - (self._reading.first_fact_no or 0) + 1}"
