"""Whether a number of a text is a number of the evidence: value, scale, unit, sign, and rounding as shown."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import NamedTuple

from factspine.cite.dates import Day
from factspine.cite.figures import Figure
from factspine.cite.measures import Measure

# Rounded to a single digit a number says too little about the one it stands for, unless it comes out close to it.
_CLOSE = Decimal("0.05")
_TEN = Decimal(10)
_ZEROS_OF_COUNTS = 2  # `more than 1,200 people` is rounded, `over 130 clubs` is a count of its own
# Small numbers in words count what the writer has just listed (`two reasons`) as often as they state a fact.
SMALL_IN_WORDS = 13
_DOLLARS = frozenset({"USD", "HKD", "AUD", "CAD", "SGD", "TWD", "NZD", "MOP"})
_YEN = frozenset({"CNY", "JPY"})
_YUAN = frozenset({"CNY", "HKD", "TWD"})
_VAGUE = {"$": _DOLLARS, "¥": _YEN, "元": _YUAN}
_COMPARED = frozenset({"currency", "percent", "time", "physical"})
_MONEY_OR_SHARE = frozenset({"currency", "percent"})  # never the same as what is counted, weighed or unnamed


class Said(NamedTuple):
    """One way to read a figure: its size in plain units, and the smallest step its digits can show."""

    size: Decimal
    step: Decimal
    measure: Measure


def readings(figure: Figure) -> Iterator[Said]:
    """The ways to read an amount: as written, and in what its neighbour in a range is written in."""
    for measure in (figure.measure, *figure.other_measures):
        power = _TEN**measure.scale
        yield Said(figure.value * power, _TEN**-figure.decimals * power, measure)


def agrees(claimed: Figure, known: Figure, stated: tuple[Measure, ...] = ()) -> bool:
    """Whether an amount of the text can be this amount of the evidence; `stated` are measures said for all of it."""
    if not _signs_agree(claimed, known) or claimed.bound * known.bound < 0:
        return False  # nearly 60% is not what over 60% says
    if claimed.step * known.step < 0:
        return False  # what it rose to is not what it rose by
    if claimed.per and known.per and claimed.per != known.per:
        return False
    small = known.in_words and known.value < SMALL_IN_WORDS
    if small and not claimed.in_words and not _count_alike(claimed.measure, known.measure):
        return False
    return any(_same(ours, theirs, claimed) for ours in readings(claimed) for theirs in _known_readings(known, stated))


def _known_readings(known: Figure, stated: tuple[Measure, ...]) -> Iterator[Said]:
    yield from readings(known)
    if known.measure.unit and known.measure.scale:
        return
    if known.measure.unit and known.text[-1:].isalpha():
        return  # whoever writes the unit after the number has said all of it
    for measure in stated:
        if known.measure.unit and not _units_agree(known.measure, measure):
            continue
        if known.measure.scale and measure.scale:
            continue
        power = _TEN ** (known.measure.scale + measure.scale)
        said = measure if measure.unit else known.measure
        yield Said(known.value * power, _TEN**-known.decimals * power, said._replace(noun=known.measure.noun))


def _same(ours: Said, theirs: Said, claimed: Figure) -> bool:
    if not _units_agree(ours.measure, theirs.measure):
        return _is_share(ours, theirs, claimed)
    if ours.measure.unit and not theirs.measure.unit and ours.measure.kind in ("currency", "percent"):
        return _is_share(ours, theirs, claimed)
    return _equal(ours, theirs, claimed)


def _is_share(ours: Said, theirs: Said, claimed: Figure) -> bool:
    """15.3% is what 0.153 says."""
    if ours.measure.unit != "%" or theirs.measure.unit or theirs.size > 1 or theirs.size == theirs.size.to_integral():
        return False
    return _equal(ours, theirs._replace(size=theirs.size * 100, measure=ours.measure), claimed)


def _equal(ours: Said, theirs: Said, claimed: Figure) -> bool:
    difference = abs(ours.size - theirs.size)
    if difference == 0:
        return True
    if claimed.bound * (theirs.size - ours.size) < 0:
        return False  # nearly 30% is not what 31% says, nor over 30% what 29% says
    if difference <= claimed.slack:
        return True
    step = ours.step
    zeros = _trailing_zeros(claimed.value)
    if not _may_round(ours.measure) and not (claimed.approximate and zeros >= _ZEROS_OF_COUNTS):
        return False
    if claimed.approximate and not claimed.decimals:
        step *= _TEN**zeros
        # Over 1,200 may be 1,290; about 1,200 is what rounds to it.
        near = difference < step if claimed.bound else difference <= step / 2
        return near and ours.size >= step and difference <= theirs.size / 10
    if difference > step / 2:
        return False
    return ours.size >= step * 10 or difference <= _CLOSE * theirs.size


def _may_round(ours: Measure) -> bool:
    """Amounts of money, shares and what is told in thousands or millions are rounded; what is counted or weighed one
    by one is quoted as it stands."""
    return bool(ours.scale) or ours.kind in ("currency", "percent")


def _trailing_zeros(value: Decimal) -> int:
    digits = format(value, "f")
    return len(digits) - len(digits.rstrip("0"))


def _units_agree(ours: Measure, theirs: Measure) -> bool:
    if not ours.unit or not theirs.unit or ours.unit == theirs.unit:
        return True
    if _MONEY_OR_SHARE & {ours.kind, theirs.kind} and ours.kind != theirs.kind:
        return False
    if ours.kind not in _COMPARED or theirs.kind not in _COMPARED:
        return True
    if theirs.unit in _VAGUE.get(ours.unit, ()) or ours.unit in _VAGUE.get(theirs.unit, ()):
        return True
    return bool(_VAGUE.get(ours.unit, frozenset()) & _VAGUE.get(theirs.unit, frozenset()))


def _count_alike(ours: Measure, theirs: Measure) -> bool:
    """`four` is everywhere in prose; it is the 4 of the text only where both are said of the same thing."""
    return bool(ours.unit and ours.unit == theirs.unit) or bool(ours.noun and ours.noun == theirs.noun)


def _signs_agree(claimed: Figure, known: Figure) -> bool:
    """`-12%`, `fell by 12%` and `a decline of 12%` are one; `rose by 12%` is not. Likewise losses and profits."""
    if claimed.negative != known.negative:
        plain = known if claimed.negative else claimed
        return plain.direction < 0 or plain.outcome < 0 or claimed.value == 0
    if claimed.negative:
        return True
    if known.is_change and claimed.direction < 0:
        return False  # a change without a sign went up
    return claimed.direction * known.direction >= 0 and claimed.outcome * known.outcome >= 0


def dates_agree(claimed: Day, known: Day) -> bool:
    """Whether every part of a date that the text says is said by a date of the evidence."""
    if claimed.part != known.part and (claimed.part or known.part):
        return False
    return all(
        not ours or ours == theirs
        for ours, theirs in ((claimed.year, known.year), (claimed.month, known.month), (claimed.day, known.day))
    )
