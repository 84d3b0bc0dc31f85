"""The Fact: one number, said by one place in one file."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from decimal import Decimal
from typing import Literal

PeriodType = Literal["FY", "HY", "Q", "M", "YTD", "LTM", "INSTANT", "RANGE", "NONE"]
UNKNOWN_UNIT = "unknown"


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
