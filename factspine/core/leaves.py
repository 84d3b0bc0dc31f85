"""The digest of each thing in the record, over what it says and nothing else.

No database number and no time enters a leaf, so that the same folder gives the same roots wherever, whenever and in
whatever order it is ingested. Whoever writes a leaf and whoever checks it call the same functions.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import groupby, repeat
from typing import Any

from factspine.core.facts import FactBlock, FactContext
from factspine.core.findings import Finding
from factspine.core.hashing import identify, merkle_root
from factspine.core.tables import Passage

_SEPARATOR = "\x1f"
_READING_ID_LENGTH = 24
# Fields of a fact's leaf, after its scope and before its context: the block's columns, in this order.
LEAF_COLUMNS = (
    "metric_code",
    "entity",
    "geography",
    "channel",
    "period_type",
    "period",
    "value",
    "unit",
    "source_locator",
    "metric_label",
    "value_text",
    "decimals",
    "row_no",
    "col_no",
)
_NUMBERS = frozenset({"decimals", "row_no", "col_no"})
_FACTS_AT_ONCE = 8_000  # so many that what is made of them stays in the processor's cache


@dataclass(frozen=True, slots=True, kw_only=True)
class Lineage:
    """Which bytes were read, and by what: shared by all facts of one reading of one document."""

    doc_id: str
    file_hash: str
    extractor_version: str
    mapping_version: str
    sensitivity: str = "PUBLIC"

    @property
    def reading_id(self) -> str:
        """The public name of this reading; facts are `reading_id.1`, `reading_id.2` …"""
        digest = identify("reading", self.doc_id, self.file_hash, self.extractor_version, self.mapping_version)
        return digest.hex()[:_READING_ID_LENGTH]

    @property
    def digest(self) -> bytes:
        """Everything that is said once for all facts of the reading."""
        return identify(
            "lineage", self.doc_id, self.file_hash, self.extractor_version, self.mapping_version, self.sensitivity
        )


def fact_leaves(lineage: Lineage, table_locator: str, block: FactBlock) -> list[bytes]:
    """The leaf of each fact of a block, in order."""
    if not block.count:
        return []
    scope = identify("fact-scope", lineage.digest.hex(), table_locator).hex()
    contexts = [context_digest(context).hex() for context in block.contexts]
    # What comes first is the same for many facts: it is hashed once, and going on from there costs less than starting.
    begun = [
        sha256(f"factspine/fact/1{_SEPARATOR}{scope}{_SEPARATOR}{context}{_SEPARATOR}".encode()) for context in contexts
    ]
    leaves: list[bytes] = []
    for start in range(0, block.count, _FACTS_AT_ONCE):
        columns = [_texts(name, block.columns[name][start : start + _FACTS_AT_ONCE]) for name in LEAF_COLUMNS]
        numbers = block.columns["context_no"][start : start + _FACTS_AT_ONCE]
        for number, text in zip(numbers, _joined(columns, len(numbers)), strict=True):
            digest = begun[number].copy()
            digest.update(text.encode("utf-8", "surrogatepass"))
            leaves.append(digest.digest())
        if any(_SEPARATOR in "".join(column) for column in columns):
            # A field holds the separator itself: joined by length, in a domain of its own.
            for row in range(start, start + len(numbers)):
                texts = [str(block.columns[name][row]) for name in LEAF_COLUMNS]
                if any(_SEPARATOR in text for text in texts):
                    leaves[row] = identify("fact-by-length", scope, contexts[block.columns["context_no"][row]], *texts)
    return leaves


def _texts(name: str, column: Sequence[Any]) -> Sequence[str]:
    """A column as texts; of one that holds the same value throughout, that value alone."""
    first = column[0]
    # The last value is looked at first: most columns that vary differ there, and cost nothing more.
    if column[-1] == first and column.count(first) == len(column):
        return (str(first),)
    if name not in _NUMBERS:
        return column
    # Few numbers, many rows: looking their text up takes a quarter of the time of making it.
    digits = {number: str(number) for number in set(column)}
    return list(map(digits.__getitem__, column))


def _joined(columns: Sequence[Sequence[str]], count: int) -> Iterable[str]:
    """The fields of each fact, joined; stretches of columns that do not vary are joined once."""
    parts: list[Iterable[str]] = []
    for alone, group in groupby(columns, key=lambda column: len(column) == 1):
        if alone:
            parts.append(repeat(_SEPARATOR.join(column[0] for column in group), count))
        else:
            parts.extend(group)
    return map(_SEPARATOR.join, zip(*parts, strict=True))


def context_digest(context: FactContext) -> bytes:
    """What many facts share, as one field of their leaves."""
    return identify(
        "context",
        str(context.scale),
        context.unit_evidence,
        context.period_start,
        context.period_end,
        context.status,
    )


def interpretation_leaf(
    table_locator: str,
    table_leaf: bytes,
    facts_root: bytes,
    counts: tuple[int, int, int, int],
    headers: Iterable[tuple[str, int, int, int, str]],
    ledger: Iterable[tuple[str, str, int, str]],
) -> bytes:
    """One table's meaning: its facts, header paths and ledger.

    `counts` are its facts, numeric cells, header rows and header columns.
    """
    return interpretation_leaf_of(
        table_locator, table_leaf, facts_root, counts, headers_digest(headers), ledger_digest(ledger)
    )


def interpretation_leaf_of(
    table_locator: str,
    table_leaf: bytes,
    facts_root: bytes,
    counts: Sequence[int],
    headers: bytes,
    ledger: bytes,
) -> bytes:
    """One table's meaning, from the digests of its header paths and ledger."""
    return identify(
        "interpretation",
        table_locator,
        table_leaf.hex(),
        facts_root.hex(),
        *map(str, counts),
        headers.hex(),
        ledger.hex(),
    )


def headers_digest(headers: Iterable[tuple[str, int, int, int, str]]) -> bytes:
    """The header paths of one table, in order."""
    # A path is JSON and has no raw line break, so lines cannot run into one another.
    lines = "\n".join(f"{axis} {at} {first} {last} {path}" for axis, at, first, last, path in headers)
    return identify("headers", lines)


def ledger_digest(ledger: Iterable[tuple[str, str, int, str]]) -> bytes:
    """The ledger of one table, in order."""
    return identify("ledger", *(field for entry in ledger for field in map(str, entry)))


def passage_leaf(passage: Passage) -> bytes:
    """One stretch of prose."""
    section = [str(len(passage.section)), *passage.section]
    return identify("passage", passage.locator, passage.kind, str(int(passage.hidden)), *section, passage.text)


def finding_leaf(finding: Finding) -> bytes:
    """One finding."""
    return identify("finding", finding.code, finding.severity, finding.message, finding.locator, finding.remedy)


def findings_root(findings: Sequence[Finding]) -> bytes:
    """All findings of one reading or rejection, in order."""
    return merkle_root([finding_leaf(finding) for finding in findings])


def reading_root(lineage: Lineage, roots: Sequence[bytes], counts: Sequence[int]) -> bytes:
    """One reading of one document: the roots of its tables, passages, facts and findings, and how many there are."""
    return identify("reading-root", lineage.digest.hex(), *(root.hex() for root in roots), *map(str, counts))


def event_leaf(lineage: Lineage, status: str, content: bytes) -> bytes:
    """What a run did to one document. `content` is the root of its reading, or of the findings it was rejected with."""
    fields = (lineage.file_hash, lineage.extractor_version, lineage.sensitivity)
    return identify("event", lineage.doc_id, status, *fields, content.hex())
