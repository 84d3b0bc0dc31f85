"""Periods said relative to today: 去年, 上季度, last year, this month. `today` is passed in, never looked up here."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date

from factspine.lexicon.periods import PeriodReading, find_period

_PATTERNS: tuple[tuple[str, Callable[[date], str]], ...] = (
    (r"前年|the year before last", lambda t: f"{t.year - 2}年"),
    (r"去年第?([一二三四1-4])季度", lambda t: f"{t.year - 1}年第{{0}}季度"),
    (r"今年第?([一二三四1-4])季度", lambda t: f"{t.year}年第{{0}}季度"),
    (r"(?:去年|上一年)(上|下)半年", lambda t: f"{t.year - 1}年{{0}}半年"),
    (r"今年(上|下)半年", lambda t: f"{t.year}年{{0}}半年"),
    (r"去年(\d{1,2})月", lambda t: f"{t.year - 1}年{{0}}月"),
    (r"今年(\d{1,2})月", lambda t: f"{t.year}年{{0}}月"),
    (r"\bq([1-4]) (?:of )?last year\b", lambda t: f"Q{{0}} {t.year - 1}"),
    (r"\bq([1-4]) (?:of )?this year\b", lambda t: f"Q{{0}} {t.year}"),
    (r"去年|\b(?:last|previous|prior)(?: fiscal| financial)? year\b", lambda t: f"{t.year - 1}年"),
    (r"今年|\b(?:this|current)(?: fiscal| financial)? year\b", lambda t: f"{t.year}年"),
    (r"上(?:个)?季度|上季|\b(?:last|previous|prior) quarter\b", lambda t: _quarter(t, -1)),
    (r"本季度|这个季度|\b(?:this|current) quarter\b", lambda t: _quarter(t, 0)),
    (r"上个?月|\b(?:last|previous|prior) month\b", lambda t: _month(t, -1)),
    (r"本月|这个月|\b(?:this|current) month\b", lambda t: _month(t, 0)),
)
_COMPILED = tuple((re.compile(pattern, re.IGNORECASE), name) for pattern, name in _PATTERNS)
# 上年同期 and `last year's` beside a comparison head columns; they say no year of their own.
_NOT_RELATIVE = re.compile(r"去年同期|上年同期")


def _quarter(today: date, shift: int) -> str:
    index = today.year * 4 + (today.month - 1) // 3 + shift
    return f"{index // 4}Q{index % 4 + 1}"


def _month(today: date, shift: int) -> str:
    index = today.year * 12 + today.month - 1 + shift
    return f"{index // 12}年{index % 12 + 1}月"


def relative_periods(folded: str, today: date) -> list[PeriodReading]:
    """The periods a text names by their distance from today."""
    found: list[PeriodReading] = []
    blanked = _NOT_RELATIVE.sub(lambda match: "\0" * len(match.group()), folded)
    for pattern, name in _COMPILED:
        for match in pattern.finditer(blanked):
            reading = find_period(name(today).format(*match.groups()))
            if reading is not None:
                found.append(reading._replace(span_start=match.start(), span_end=match.end()))
                blanked = blanked[: match.start()] + "\0" * len(match.group()) + blanked[match.end() :]
    return found


def names_of(period: PeriodReading) -> tuple[str, ...]:
    """The canonical names of a period: a half or quarter is also the stretch of its months (2024年1-6月)."""
    if period.period_type in ("HY", "Q") and period.start and period.end:
        return period.period, f"{period.start}/{period.end}"
    return (period.period,)
