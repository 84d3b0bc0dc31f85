"""The Fact: one number, said by one place in one file."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from decimal import Decimal
from typing import Any, Literal, NamedTuple

# Excluded: not what is measured, and the reason says what it is. Unmapped: perhaps it is, and nobody can say of what.
# Null: a cell that stands where a number should and says that there is none.
Disposition = Literal["excluded", "unmapped", "null"]
PeriodType = Literal["FY", "HY", "Q", "M", "YTD", "LTM", "INSTANT", "RANGE", "NONE"]
UNKNOWN_UNIT = "unknown"
# As unit evidence: the cell's own text or number format said it. Readers put the cell's locator in its place, so that
# facts which differ only in where they stand can share one context.
OWN_CELL = "self"


@dataclass(frozen=True, slots=True)
class Fact:
    """The first ten fields are frozen in this order; everything after them is by keyword.

    `value` is in `unit` x 10^`scale`: "1,320" in a table of HK$ million is value 1320, unit HKD, scale 6. A dimension
    the document does not give is the empty string.
    """

    metric_code: str
    entity: str
    geography: str
    channel: str
    period_type: PeriodType
    period: str
    value: Decimal
    unit: str
    source_doc_id: str
    source_locator: str
    _: KW_ONLY
    fact_id: str = ""
    metric_label: str = ""
    value_text: str = ""  # the literal cell text
    decimals: int = 0  # shown precision: digits after the point, as the document shows them
    scale: int = 0  # power of ten
    unit_evidence: str = ""  # locator of the text that said the unit; "" where none did
    row_path: tuple[str, ...] = ()
    col_path: tuple[str, ...] = ()
    period_start: str = ""
    period_end: str = ""
    status: str = "actual"  # space-separated marks, sorted: actual, budget, forecast, restated, hidden, total …
    sensitivity: str = "PUBLIC"
    formula: str = ""
    source_file_hash: str = ""
    extractor_version: str = ""
    mapping_version: str = ""
    known_from: str = ""  # run in which this observation became current, and the run in which it ceased to be
    known_to: str = ""

    def __post_init__(self) -> None:
        if not self.source_doc_id or not self.source_locator:
            raise ValueError("a fact without its document and locator is not a fact")


class FactContext(NamedTuple):
    """What many facts of one table share; stored once and referred to."""

    scale: int = 0
    unit_evidence: str = ""
    period_start: str = ""
    period_end: str = ""
    status: str = "actual"


# The columns interpretation fills, in the order they are stored. `row_no`, `col_no` are grid coordinates of the cell in
# its raw table; `context_no` is an index into the block's contexts.
BLOCK_COLUMNS = (
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
    "context_no",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class FactBlock:
    """The facts of one table, column by column: a million rows are never a million objects.

    Every name of `BLOCK_COLUMNS` has a list of `count` values in `columns`; facts are in row-major order.
    """

    count: int
    columns: dict[str, list[Any]]
    contexts: tuple[FactContext, ...]

    def __post_init__(self) -> None:
        if set(self.columns) != set(BLOCK_COLUMNS) or any(len(c) != self.count for c in self.columns.values()):
            raise ValueError("a block holds every column, each as long as the block")


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerEntry:
    """Cells of one table that hold numbers, or stand where one should, and are not facts: why, and which."""

    disposition: Disposition
    reason: str  # year_header, row_number, note_reference, phone_number, date, identifier, dash, not_available, error …
    cells: tuple[tuple[int, int], ...]  # grid coordinates


class LeftOut(NamedTuple):
    """One cell of the ledger: a number that is no fact, or what stands in place of one."""

    source_doc_id: str
    source_locator: str
    value_text: str  # what the cell shows
    disposition: Disposition
    reason: str
    table_locator: str
    file_hash: str
