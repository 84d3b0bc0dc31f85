"""A fact's number and unit in the words people use."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation

from factspine.core.facts import Fact
from factspine.core.values import canonical

_SCALES = {
    2: "hundred",
    3: "thousand",
    4: "万",
    5: "hundred thousand",
    6: "million",
    7: "千万",
    8: "亿",
    9: "billion",
}


def shown_value(fact: Fact) -> str:
    """The cell's own text, except where it would mislead beside the unit.

    A chart keeps 0.938 and shows it as 93.8 %; the value is 93.8, and "0.938 %" would be another number.
    """
    try:
        same = Decimal(fact.value_text.replace(",", "")) == fact.value
    except InvalidOperation:
        return fact.value_text  # brackets, marks or units in the text: it says itself what it means
    return fact.value_text if same else canonical(fact.value)


def shown_unit(unit: str, scale: int) -> str:
    """A unit with its scale in words."""
    return f"{unit} {_SCALES.get(scale, f'×10^{scale}')}" if scale else unit


def shown_amount(fact: Fact) -> str:
    """The number with its unit, as in a sentence; a sign the number brings along is not said twice."""
    value, unit = shown_value(fact), shown_unit(fact.unit, fact.scale)
    return value if unit == "%" and value.rstrip().endswith(("%", "％")) else f"{value} {unit}"


def shown_marks(fact: Fact) -> str:
    """What sets a fact apart (budget, restated, hidden, total …); nothing for a plain actual figure."""
    return " ".join(mark for mark in fact.status.split() if mark != "actual")
