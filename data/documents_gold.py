"""What the demo documents say, fact by fact: the expectations that other parts are measured against.

Each writer notes facts while it writes them, so a value here is read from the very cell it describes. `None` for a
field means that reasonable readers may differ, and nothing is expected of it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from decimal import Decimal

_PERIOD_TYPES = (
    ("FY", re.compile(r"\d{4}")),
    ("HY", re.compile(r"\d{4}H[12]")),
    ("Q", re.compile(r"\d{4}Q[1-4]")),
    ("M", re.compile(r"\d{4}-\d{2}")),
    ("INSTANT", re.compile(r"\d{4}-\d{2}-\d{2}")),
)
_TEXT_NUMBER = re.compile(r"(?P<open>\()?(?P<sign>[+\-−])?[A-Z$¥]*(?P<digits>[\d,]+(\.\d+)?)(?P<percent>%)?(?(open)\))")


@dataclass(frozen=True, slots=True, kw_only=True)
class GoldFact:
    """One expected fact. `cell` is the locator without its proving labels; value x 10^scale is what must agree."""

    doc: str
    cell: str
    metric_label: str | None
    entity: str | None
    geography: str | None
    channel: str | None
    period_type: str | None
    period: str | None
    value: str
    unit: str
    scale: int
    status: str


def expect(doc: str, cell: str, label: str | None, period: str, value: str, unit: str, **rest: str | None) -> GoldFact:
    """A gold fact in short: the period says its own type (or `LTM:…`, `FY:?`, `?`), the unit its scale (`HKD*6`)."""
    kind, mark, span = period.partition(":")
    if not mark:
        kind = next((name for name, shape in _PERIOD_TYPES if shape.fullmatch(period)), "?" if period else "NONE")
        span = period
    unit_name, _, scale = unit.partition("*")
    return GoldFact(
        doc=doc,
        cell=cell,
        metric_label=label,
        entity=rest.get("entity", ""),
        geography=rest.get("geography", ""),
        channel=rest.get("channel", ""),
        period_type=None if kind == "?" else kind,
        period=None if span == "?" else span,
        value=value,
        unit=unit_name or "unknown",
        scale=int(scale or 0),
        status=rest.get("status") or "actual",
    )


def canonical(value: Decimal) -> str:
    """The one text form of a value: no exponent, no trailing zeros."""
    text = format(value, "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


def shown_value(text: str) -> str:
    """The value of a number typed as text: `(123.4)` is -123.4, `15.3%` is 15.3."""
    found = _TEXT_NUMBER.fullmatch(text.strip())
    if found is None:
        raise ValueError(f"not a number typed as text: {text!r}")
    value = Decimal(found["digits"].replace(",", ""))
    return canonical(-value if found["open"] or found["sign"] in ("-", "−") else value)


def as_lines(facts: Iterable[GoldFact]) -> str:
    """The gold file: one fact a line, sorted by document and place."""
    ordered = sorted(facts, key=lambda fact: (fact.doc, fact.cell))
    places = [(fact.doc, fact.cell) for fact in ordered]
    if len(set(places)) != len(places):
        raise ValueError("a place is expected to hold two facts")
    return "".join(json.dumps(asdict(fact), ensure_ascii=False) + "\n" for fact in ordered)
