# ruff: noqa: E501 - a pattern on one line can be read; folded, it cannot
"""The unit a question wants its number in: 以港币计, 多少亿元, in US dollars, how many million dollars."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import NamedTuple

from factspine.core.facts import UNKNOWN_UNIT, Fact
from factspine.core.values import EXACT
from factspine.core.verdicts import amount
from factspine.lexicon.units import UnitReading, find_unit

_ASKED = (
    re.compile(r"以(?P<unit>[^，,。？?]{1,12}?)(?:为单位|计价|计算|列示|表示|计)"),
    re.compile(r"(?:换算成|折合成?|折算成|转换成)(?P<unit>[㐀-鿿A-Za-z$€£¥]{1,10}?)(?=[，,。？?是有为]|$|多少)"),
    re.compile(
        r"(?:多少|几)(?P<unit>(?:百万|千万|万|亿|千)?(?:人民币|港币|港元|美元|美金|日元|欧元|英镑|澳门元|元)|百万|千万|万|亿)"
    ),
    re.compile(
        r"\bin (?P<unit>(?:thousands?|millions?|billions?)?(?: of )?\s?(?:us dollars?|hong kong dollars?|hk dollars?|"
        r"dollars|us\$|hk\$|rmb|usd|hkd|cny|eur|euros?|gbp|pounds?|yuan|renminbi|mop|jpy|yen|thousands?|millions?|billions?))"
        r"(?P<scale>\s(?:thousands?|millions?|billions?))?(?![\w$])",
        re.IGNORECASE,
    ),
    re.compile(
        r"\bhow many (?P<unit>(?:thousand|million|billion)?\s?(?:us dollars|hk dollars|hong kong dollars|euros|yuan|rmb))\b",
        re.IGNORECASE,
    ),
)


_ANY_DOLLAR = "$"  # whose dollars they are, the document says
_DOLLARS = frozenset({"USD", "HKD", "CAD", "AUD", "NZD", "SGD", "TWD"})
_BARE_YUAN = re.compile(r"(?:百万|千万|百亿|十亿|万|亿|千)元")


class WantedUnit(NamedTuple):
    """A unit or scale asked for, and the words that ask for it."""

    unit: str  # empty where only a scale is asked for
    scale: int | None  # None where only a unit is asked for
    start: int
    end: int


def wanted_unit(folded: str) -> WantedUnit | None:
    """The unit a question asks for; None where it asks for none."""
    for pattern in _ASKED:
        match = pattern.search(folded)
        if match is None:
            continue
        said = " ".join(part for part in match.groupdict().values() if part)
        reading = _read(said)
        if reading is not None:
            scale = reading.scale if reading.scale or "元" in said else None
            # 亿元 says how large, not whose money: which currency it is, the document says.
            unit = "" if _BARE_YUAN.fullmatch(said.strip()) else reading.unit
            return WantedUnit(unit, scale, match.start(), match.end())
    return None


def _read(said: str) -> UnitReading | None:
    if said.strip() in ("元",):
        return None  # which currency it is, the document says
    return find_unit(f"({said})") or find_unit(f"单位:{said}") or find_unit(f"in {said}")


class Converted(NamedTuple):
    """A fact's amount in another scale of its own unit."""

    value: Decimal
    scale: int


def fits(fact: Fact, wanted: WantedUnit) -> bool:
    """Whether a fact can be told in the unit asked for: never between currencies."""
    if wanted.unit == _ANY_DOLLAR and fact.unit in _DOLLARS:
        return True
    return not wanted.unit or fact.unit in (wanted.unit, UNKNOWN_UNIT) or takes_sign(fact, wanted)


def takes_sign(fact: Fact, wanted: WantedUnit) -> bool:
    """Whether a document writes only `$`, and US dollars are asked for: taken as such, and said to be."""
    return fact.unit == "$" and wanted.unit == "USD"


def convert(fact: Fact, wanted: WantedUnit) -> Converted | None:
    """The amount in the scale asked for; None where it stands in it already or says no unit."""
    if fact.unit == UNKNOWN_UNIT or wanted.scale is None or wanted.scale == fact.scale:
        return None
    return Converted(amount(fact).scaleb(-wanted.scale, EXACT), wanted.scale)


def without_unit(text: str, wanted: WantedUnit | None, language: str) -> str:
    """A question without the words that say its unit; those that ask for a number stay."""
    if wanted is None:
        return text
    return text[: wanted.start] + (" 多少 " if language == "zh" else " ") + text[wanted.end :]
