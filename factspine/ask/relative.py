"""Periods said relative to today: 去年, 上季度, last year, this month. `today` is passed in, never looked up here."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date

from factspine.lexicon.period_patterns import MONTH
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


_UP_TO = re.compile(r"\s*(?:to|through|thru|until|till|up to|-|–|—|~|至|到)\s*", re.IGNORECASE)
_STEPS_MOST = 40


def stretch(text: str, periods: tuple[PeriodReading, ...]) -> list[str]:
    """The years, quarters or months of `2019 to 2023`, `Q1 to Q4 2023`, 2023年第一季度 one by one; none elsewhere."""
    ordered = sorted(periods, key=lambda period: period.span_start)
    if len(ordered) == 2 and ordered[0].period_type == ordered[1].period_type:
        if not _UP_TO.fullmatch(text[ordered[0].span_end : ordered[1].span_start]):
            return []
        return _steps(ordered[0], ordered[1])
    if len(ordered) != 1 or not ordered[0].start or not ordered[0].end:
        return []
    first, last = ordered[0].start, ordered[0].end
    if ordered[0].period_type == "RANGE" and first[5:] == "01-01" and last[5:] == "12-31":
        return [f"FY{year}" for year in range(int(first[:4]), int(last[:4]) + 1)]
    if ordered[0].period_type in ("Q", "HY", "YTD", "RANGE") and first[8:] == "01":
        return _months(first, last)
    return []


def _steps(first: PeriodReading, last: PeriodReading) -> list[str]:
    if first.period_type == "FY":
        found = [f"FY{year}" for year in range(int(first.period), int(last.period) + 1)]
    elif first.period_type == "Q":
        ends = [int(period.period[:4]) * 4 + int(period.period[5]) - 1 for period in (first, last)]
        found = [f"Q{number % 4 + 1} {number // 4}" for number in range(ends[0], ends[1] + 1)]
    elif first.period_type == "M":
        found = _months(first.start, last.end)
    else:
        found = []
    return found if len(found) <= _STEPS_MOST else []


def _months(first: str, last: str) -> list[str]:
    ends = [int(day[:4]) * 12 + int(day[5:7]) - 1 for day in (first, last)]
    found = [f"{number // 12}-{number % 12 + 1:02d}" for number in range(ends[0], ends[1] + 1)]
    return found if len(found) <= _STEPS_MOST else []


_MONTH_BEFORE = re.compile(
    rf"(?<![A-Za-z])(?P<m>{MONTH})\s*(?:to|and|through|until|till|or|vs\.?|versus|-|–)\s*$", re.IGNORECASE
)


def month_before(text: str, period: PeriodReading) -> PeriodReading | None:
    """The first of two months that share a year said once: `from January to June 2022`."""
    found = _MONTH_BEFORE.search(text, 0, period.span_start) if period.period_type == "M" else None
    whole = find_period(f"{found['m']} {period.period[:4]}") if found else None
    return whole._replace(span_start=found.start("m"), span_end=found.end("m")) if found and whole else None


_END_BEFORE = re.compile(r"\b(?:the )?end(?: of)?(?: the)? $", re.IGNORECASE)
_END_BEHIND = re.compile(r"[末底]")


def at_its_end(text: str, period: PeriodReading) -> PeriodReading:
    """The last day of a month, quarter or half, where that is said: `at the end of June 2024`, 2024年第三季度末."""
    if period.period_type not in ("M", "Q", "HY") or not period.end:
        return period
    before = _END_BEFORE.search(text, 0, period.span_start)
    behind = _END_BEHIND.match(text, period.span_end)
    if before is None and behind is None:
        return period
    start = period.span_start if before is None else before.start()
    end = period.span_end if behind is None else behind.end()
    day = period._replace(period_type="INSTANT", period=period.end, start=period.end)
    return day._replace(span_start=start, span_end=end)
