"""Whether a number can be what a question asks for: a day is no answer to how long, nor watts to how many inches.

A question is matched to labels by its words, and some of its words may fit a label that holds another kind of thing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from factspine.core.facts import UNKNOWN_UNIT, Fact
from factspine.lexicon.units import parse_unit

# Who, where, on which day, at what hour; not the women who …, nor the year in which.
_NO_AMOUNT = re.compile(
    r"谁|哪位|哪里|哪儿|在哪|何处|哪天|哪一天|几点|"
    r"^(?:who|whose|where|(?:on |at )?(?:what|which) (?:date|day|time))\b",
    re.IGNORECASE,
)
_DATED = re.compile(r"日期|年月日|\bdates?\b", re.IGNORECASE)
_LENGTH_OF_TIME = re.compile(r"多长时间|多久|\bhow long\b", re.IGNORECASE)
_COUNTED = re.compile(r"(?:多少|几)个?\s*([㐀-鿿]{1,4})|\bhow many\s+([a-z]+(?: [a-z]+)?)", re.IGNORECASE)
_MEASURED = frozenset({"physical", "time"})


def can_be_meant(question: str, facts: Sequence[Fact]) -> bool:
    """Whether facts that are given as they stand are, in kind, what is asked for."""
    if _NO_AMOUNT.search(question):
        return False
    if _LENGTH_OF_TIME.search(question) and any(_DATED.search(fact.metric_label) for fact in facts):
        return False
    wanted = _unit_asked(question)
    return wanted is None or all(_is_of(fact, *wanted) for fact in facts)


def _unit_asked(question: str) -> tuple[str, str] | None:
    """The unit after `how many`, with its kind; only of what is measured: people and things are counted by any word."""
    for chinese, english in _COUNTED.findall(question):
        for end in range(len(chinese), 0, -1):
            reading = parse_unit(chinese[:end])
            if reading is not None and reading.kind in _MEASURED:
                return reading.unit, reading.kind
        reading = parse_unit(english) if english else None
        if reading is not None and reading.kind in _MEASURED:
            return reading.unit, reading.kind
    return None


def _is_of(fact: Fact, unit: str, kind: str) -> bool:
    if fact.unit in (UNKNOWN_UNIT, unit):
        return True
    reading = parse_unit(fact.unit)
    # Days and years both measure time; of other measures only the same unit is known to measure the same.
    return reading is not None and reading.kind == kind == "time"
