"""Periods as documents name them, fiscal and calendar, Chinese and English: `FY24`, `1Q24`, 2024年上半年.

`find_period` finds a complete period; a text that gives only half of one (Q3, 第三季度, `Year ended December 31,`) is a
`PartialPeriod`, which `combine` completes with the year that stands above or beside it. Words such as 本期 or 上年 say
no year: they are marks, and a year is never guessed for them.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import Literal, NamedTuple

from factspine.core.facts import PeriodType
from factspine.lexicon.folding import Signs, fold, lower
from factspine.lexicon.period_calendar import (
    Dates,
    date_text,
    days_in,
    half_dates,
    month_dates,
    quarter_dates,
    span_dates,
    year_dates,
)
from factspine.lexicon.period_patterns import MONTHS, Said, letter_mark, patterns_for
from factspine.lexicon.period_signs import signs_of
from factspine.lexicon.scenario import scenario_signs, take_marks

__all__ = [
    "PartialPeriod",
    "PeriodReading",
    "combine",
    "find_partial",
    "find_period",
    "find_periods",
    "is_period_label",
]

_LONGEST_TEXT = 300


class PeriodReading(NamedTuple):
    """A period said by `text[span_start:span_end]`."""

    period_type: PeriodType
    period: str  # canonical: 2024, 2024H1, 2024Q3, 2024-03, 2024-12-31, 2024-01-01/2024-09-30
    start: str  # first day, ISO; the day itself for an instant
    end: str  # last day, ISO
    marks: tuple[str, ...] = ()  # actual, estimate, forecast, budget, restated, audited, unaudited …
    span_start: int = 0
    span_end: int = 0
    ended: bool = False  # the text says when it ends: "year ended 30 June 2024", but neither "2024" nor "June 2024"


PartialKind = Literal["HY", "Q", "M", "YTD", "LTM", "INSTANT", "RANGE", "FY", "W"]


class PartialPeriod(NamedTuple):
    """Half a period: the type is known and the year is missing."""

    period_type: PartialKind
    number: int = 0  # which half, quarter or month; months covered for YTD and RANGE
    month: int = 0  # the month and day it ends on, where the text says so
    day: int = 0
    marks: tuple[str, ...] = ()
    span_start: int = 0
    span_end: int = 0


def find_period(text: str, fiscal_year_end_month: int = 12) -> PeriodReading | None:
    """The first complete period a text says; None where there is none."""
    found = _periods(text, fiscal_year_end_month)
    return found[0] if found else None


# What every text has that says a period; most labels say nothing about time.
PERIOD_SIGNS = Signs(
    {*MONTHS, "quarter", "half", "month", "months", "year", "trailing", "last", "ltm", "ttm"},
    {*"0123456789零〇年月季半", "十二"},
)


@lru_cache(maxsize=16384)
def _scan(text: str) -> tuple[Said, ...]:
    """What the patterns say of a text, in order, not overlapping."""
    folded = fold(text[:_LONGEST_TEXT])
    if not PERIOD_SIGNS.are_in(folded):
        return ()
    found: list[Said] = []
    blanked = lower(folded)
    for pattern, read in patterns_for(signs_of(blanked)):
        for match in pattern.finditer(blanked):
            said = read(match) if match.group() else None
            if said is None:
                continue
            if "capital" in pattern.groupindex and not folded[slice(*match.span("capital"))].isupper():
                continue
            start = match.start()
            marks, end = letter_mark(folded, match, said.kind)
            found.append(said._replace(start=start, end=end, marks=marks))
            # What is taken is replaced by a letter nobody uses, so that no other pattern finds a part of it again.
            blanked = blanked[:start] + "\0" * (end - start) + blanked[end:]
    if not found:
        return ()
    found.sort(key=lambda said: said.start)
    if len(found) > 1:
        found = _join_spans(found, folded)
    general = take_marks(blanked.replace("\0", " ")).marks
    return tuple(said._replace(marks=_ordered(said.marks + general)) for said in found)


_FROM = re.compile(
    r"(?:\bfrom|[从由])\s*$", re.IGNORECASE
)  # `from January to February` may be a change: both are meant
_FROM_TO = re.compile(r"\s*(?:[-~]|to|until|thru|through|[至到])\s*", re.IGNORECASE)


def _join_spans(found: list[Said], folded: str) -> list[Said]:
    """`Apr 2021 to Mar 2022`, 2024年1月1日至6月30日: two months or days with `to` between them are one stretch."""
    joined: list[Said] = []
    for said in found:
        first = joined[-1] if joined and not _FROM.search(folded, 0, joined[-1].start) else None
        if first is not None and first.kind == said.kind and _FROM_TO.fullmatch(folded, first.end, said.start):
            span = _span(first, said)
            if span is not None:
                joined[-1] = span
                continue
        joined.append(said)
    return joined


def _span(first: Said, last: Said) -> Said | None:
    """From the beginning of one to the end of another; None where the second is not the later one."""
    if first.kind not in ("M", "Q", "INSTANT") or not (first.year or (first.kind == "INSTANT" and last.year)):
        return None
    if not first.year:  # 1 January to 30 June 2024
        first = first._replace(year=last.year - ((first.month, first.day) > (last.month, last.day)))
    year = last.year or first.year
    begins, ends = (first.number * 3 - 2, last.number * 3) if first.kind == "Q" else (first.month, last.month)
    months = (year - first.year) * 12 + ends - begins + 1
    if first.kind == "INSTANT" and (first.day != 1 or last.day != days_in(year, ends)):
        begun = date_text(first.year, first.month, first.day)
        later = (year, ends, last.day) > (first.year, begins, first.day)
        stretch = last._replace(kind="RANGE", year=year, begun=begun or "", start=first.start, ended=True)
        return stretch if begun and later else None
    if months < (1 if first.kind == "INSTANT" else 2):
        return None
    kind = "YTD" if begins == 1 and 1 < months < 12 else "RANGE"
    return Said(kind, year, months, ends, 0, start=first.start, end=last.end, ended=True)


def _ordered(marks: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(marks))


@lru_cache(maxsize=16384)
def _periods(text: str, fiscal_year_end_month: int) -> tuple[PeriodReading, ...]:
    found = _scan(text)
    if not found:
        return ()
    readings = (_complete(said, fiscal_year_end_month) for said in found)
    return tuple(reading for reading in readings if reading is not None)


def find_periods(text: str, fiscal_year_end_month: int = 12) -> list[PeriodReading]:
    """All complete periods of a text, in order."""
    return list(_periods(text, fiscal_year_end_month))


def find_partial(text: str) -> PartialPeriod | None:
    """The first half-said period of a text: Q3, 上半年, March, `Year ended December 31,`."""
    for said in _scan(text):
        if said.year == 0:
            return _partial(said)
    return None


def _partial(said: Said) -> PartialPeriod:
    kind: PartialKind = said.kind  # type: ignore[assignment]
    return PartialPeriod(kind, said.number, said.month, said.day, said.marks, said.start, said.end)


def _complete(said: Said, fiscal_year_end_month: int) -> PeriodReading | None:
    """A reading with its dates; None while the year is missing."""
    if said.year == 0:
        return None
    found = _canonical(said, fiscal_year_end_month)
    if found is None:
        return None
    period_type, period, dates = found
    return PeriodReading(period_type, period, dates.start, dates.end, said.marks, said.start, said.end, said.ended)


def _canonical(said: Said, year_end: int) -> tuple[PeriodType, str, Dates] | None:
    """The type, the canonical name and the dates of what was said."""
    year, number = said.year, said.number
    if said.kind == "W":
        return None
    if said.kind == "FY":
        if said.split:
            # 2023/24 ends in the second year; while the year end is said to be December, nothing tells when.
            return "FY", f"{year}", year_dates(year, year_end) if year_end != 12 else Dates("", "")
        if said.month:
            return "FY", f"{year}", year_dates(year, said.month, said.day)
        return "FY", f"{year}", year_dates(year, year_end if said.fiscal else 12)
    if said.kind == "HY":
        return "HY", f"{year}H{number}", half_dates(year, number, year_end if said.fiscal else 12)
    if said.kind == "Q":
        return "Q", f"{year}Q{number}", quarter_dates(year, number, year_end if said.fiscal else 12)
    if said.kind == "M":
        return "M", f"{year}-{said.month:02d}", month_dates(year, said.month)
    if said.kind == "INSTANT":
        day = date_text(year, said.month, said.day)
        return None if day is None else ("INSTANT", day, Dates(day, day))
    return _canonical_span(said, year_end)


def _canonical_span(said: Said, year_end: int) -> tuple[PeriodType, str, Dates] | None:
    """Spans of months: year to date, last twelve months, three months ended."""
    if said.begun:
        day = date_text(said.year, said.month, said.day)
        return ("RANGE", f"{said.begun}/{day}", Dates(said.begun, day)) if day else None
    last = said.month or (year_end - (12 - said.number)) % 12 or 12
    months = 12 if said.kind == "LTM" else said.number or last
    dates = span_dates(said.year, last, said.day, months)
    if dates is None:
        return None
    name = f"{dates.start}/{dates.end}"
    if said.kind in ("YTD", "LTM"):
        return ("YTD" if said.kind == "YTD" else "LTM"), name, dates
    return _named_span(said, months, last, dates, name, year_end)


def _named_span(
    said: Said, months: int, last: int, dates: Dates, name: str, year_end: int
) -> tuple[PeriodType, str, Dates]:
    """`Three months ended March 31` is a quarter, `six months ended June 30` a half, where the calendar has one.

    Canonical quarters and halves are used only where the span is one of a calendar year or ends with the fiscal year;
    another span keeps its dates.
    """
    if months == 12:
        return "FY", f"{said.year}", dates
    if year_end == 12 and months == 3 and last % 3 == 0:
        return "Q", f"{said.year}Q{last // 3}", dates
    if year_end == 12 and months == 6 and last in (6, 12):
        return "HY", f"{said.year}H{last // 6}", dates
    if months == 1:
        return "M", f"{said.year}-{last:02d}", dates
    if year_end == 12 and months == last:
        return "YTD", name, dates
    return "RANGE", name, dates


def combine(
    outer: PeriodReading | PartialPeriod, inner: PeriodReading | PartialPeriod, fiscal_year_end_month: int = 12
) -> PeriodReading | None:
    """One period out of two that head the same cell: 2024 over Q1 is 2024Q1; a more exact period wins over its year.

    None where the two do not make one period (two halves without a year, two different years).
    """
    if isinstance(outer, PartialPeriod) and isinstance(inner, PartialPeriod):
        return None
    if isinstance(outer, PartialPeriod):
        return _join(inner, outer, fiscal_year_end_month) if isinstance(inner, PeriodReading) else None
    if isinstance(inner, PartialPeriod):
        return _join(outer, inner, fiscal_year_end_month)
    if outer.start <= inner.start and inner.end <= outer.end:
        return inner._replace(marks=_ordered(inner.marks + outer.marks))
    if inner.start <= outer.start and outer.end <= inner.end:
        return outer._replace(marks=_ordered(outer.marks + inner.marks))
    return None


def _join(whole: PeriodReading, part: PartialPeriod, year_end: int) -> PeriodReading | None:
    """The part of a year: the year comes from the complete period."""
    marks = _ordered(part.marks + whole.marks)
    if whole.period_type != "FY":
        if part.period_type == "FY" and part.month == 0:
            return _year_of(whole, part.number, marks, year_end)
        if whole.period_type == "INSTANT" and part.period_type in ("RANGE", "YTD", "LTM") and not part.month:
            year, month, day = (int(piece) for piece in whole.period.split("-"))
            said = Said(part.period_type, year, part.number, month, day, marks=marks, ended=True)
            return _complete(said, year_end)
        return _within(whole, part, year_end)
    last_month = int(whole.end[5:7] or 12)
    kind, year, ended = part.period_type, int(whole.period), part.month > 0
    said = Said(kind, year, part.number, part.month, part.day, fiscal=True, marks=marks, ended=ended)
    reading = _complete(said, last_month)
    if reading is not None and not whole.end and part.period_type in ("Q", "HY"):
        return reading._replace(start="", end="")  # a quarter of 2023/24, whose first day nobody has said
    return reading


_SHORTER = frozenset({"M", "Q", "HY", "YTD"})


def _year_of(whole: PeriodReading, planned: int, marks: tuple[str, ...], year_end: int) -> PeriodReading | None:
    """The whole year of which a report tells a part: a plan tells it, where years end in December."""
    if whole.period_type not in _SHORTER:
        return whole._replace(marks=marks)
    year = whole.end[:4]
    if not planned or whole.start[:4] != year or year_end != 12:
        return None
    dates = year_dates(int(year), 12)
    return PeriodReading("FY", year, dates.start, dates.end, marks)


def _within(whole: PeriodReading, part: PartialPeriod, year_end: int) -> PeriodReading | None:
    """A part of a longer stretch that holds it, or a stretch that ends as it does: June in a report on June 2024 or on
    its first half, January to June in either.
    """
    if part.period_type not in _SHORTER or not whole.start or whole.start[:4] != whole.end[:4]:
        return None
    said = Said(part.period_type, int(whole.end[:4]), part.number, part.month, marks=_ordered(part.marks + whole.marks))
    found = _complete(said, year_end)
    if found is None or found.end > whole.end:
        return None
    is_up_to = part.period_type in ("YTD", "HY") and found.end == whole.end
    return found if whole.start <= found.start or is_up_to else None


_RELATIVE = frozenset({"current_period", "prior_period", "opening", "closing"})
_FILLING = re.compile(
    r"[\s()\[\],.;:/|*'+&-]+|\b(?:as|at|of|the|for|to|and|in|years?)\b|[年度的于在止至和与及]", re.IGNORECASE
)
# The mark of a footnote behind a period: 2024¹, FY24 (2), 2022(a), 2023 (iv), 2024年（注1）.
NOTE_MARK = re.compile(
    r"(?:\s*(?:[*†‡§¶#^]++|[¹²³⁰⁴-⁹⁽⁾ᵃ-ᵿᶜ①-⑳]++|\[(?:[0-9a-z]{1,2}|[ivx]{1,4})\]"
    r"|[\[(](?:附?[注註]|notes?)?\s*(?:\d{1,2}|[a-z]|[ivx]{1,4})?[)\]]))+\s*$",
    re.I,
)


@cache
def _label_signs() -> Signs:
    return PERIOD_SIGNS.joined(scenario_signs())


@lru_cache(maxsize=16384)
def is_period_label(text: str) -> bool:
    """Whether a text is nothing but a period: complete, half-said (Q3) or relative (本期), with its marks."""
    if len(text) > _LONGEST_TEXT:
        return False
    rest = fold(text)
    if not _label_signs().are_in(rest):
        return False
    found = _scan(text)
    for said in found:
        rest = rest[: said.start] + " " * (said.end - said.start) + rest[said.end :]
    if found:
        rest = NOTE_MARK.sub("", rest)
    scenario = take_marks(rest)
    if not found and not _RELATIVE.intersection(scenario.marks):
        return False
    return not _FILLING.sub("", scenario.rest)
