"""When the years of a table end, where its caption says so: "2023" and "2022" under "for the year ended 30 June 2023".

A caption counts only if it states an end: a span that ended on a day, or the last day of a month. "2019-2023" names
the years that are shown, "Q2 2023" the occasion, "15 March 2023" the day the data were taken; none of them says what a
column headed by a bare year is. Nor does a sentence in passing, which may be all that stands over a table in a report.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from factspine.interpret.relative import year_before
from factspine.lexicon.period_calendar import days_in
from factspine.lexicon.periods import PartialPeriod, PeriodReading, combine, find_partial, find_periods

_LONGEST_CAPTION = 160  # longer ones are paragraphs that mention days
_AS_AT = re.compile(r"\bas\s+of\b|\bat\b", re.IGNORECASE)
_SENTENCE = re.compile(r"^[a-z]|[.:;。：；]$")
_SEVERAL_SPANS = re.compile(r"\b(?:and|or)\s+(?:\w+[\s-]+)?(?:months?|weeks?|quarters?|years?)\s+end(?:ed|ing)\b", re.I)
_OCCASION = re.compile(
    r"(?:publish|releas|updat|print|retriev|access|issu|sign|approv|fil|dat|prepar|post)ed\s*(?:on|at|:)?\s*$"
    r"|\bdata\s*(?:as\s+(?:of|at))?\s*$|(?:发布|公布|更新|公告|报出|签署|批准)\S{0,4}$",
    re.IGNORECASE,
)

_PLANS = frozenset({"budget", "forecast", "estimate", "target"})

End = PeriodReading | PartialPeriod


def stated_end(captions: Iterable[str], fiscal_year_end_month: int) -> End | None:
    """The one end a table's captions state, as the latest period that has it; None where they state none or two."""
    ends = [end for caption in captions for end in _ends(caption, fiscal_year_end_month)]
    whole = [end for end in ends if isinstance(end, PeriodReading)]
    if not whole:
        return ends[0] if len(set(ends)) == 1 else None
    if len({(end.period_type, end.end[5:]) for end in whole}) != 1:
        return None
    return max(whole, key=lambda end: end.end)


def year_that_ends(own: PeriodReading, stated: End | None) -> PeriodReading:
    """What a bare year means under a caption that states its end; a later year than the caption's is left alone."""
    if stated is None or not _is_bare_year(own) or not _PLANS.isdisjoint(own.marks):
        return own  # what is expected of 2025 is not expected of the day the table speaks of
    if isinstance(stated, PartialPeriod):
        return combine(own, stated) or own
    years = int(stated.end[:4]) - int(own.period)
    if years < 0:
        return own
    if years and not _ends_month(stated.end):  # 52 weeks ended 25 March: nobody has said when those before ended
        return own._replace(start="", end="") if stated.period_type == "FY" else own
    meant: PeriodReading | None = stated
    for _ in range(years):
        meant = year_before(meant) if meant is not None else None
    return own if meant is None or (meant.start, meant.end) == (own.start, own.end) else meant._replace(marks=own.marks)


def _ends(caption: str, fiscal_year_end_month: int) -> list[End]:
    if len(caption) > _LONGEST_CAPTION or _SEVERAL_SPANS.search(caption):
        return []
    found = find_periods(caption, fiscal_year_end_month)
    ends: list[End] = [period for period in found if _states_end(caption, period)]
    if any(period not in ends and not _is_bare_year(period) for period in found):
        return []  # it speaks of other stretches too
    partial = find_partial(caption)
    if not ends and partial is not None and _states_partial_end(caption, partial):
        ends = [partial._replace(marks=(), span_start=0, span_end=0)]
    return ends


def _states_end(caption: str, period: PeriodReading) -> bool:
    if not period.ended or _mentions(caption, period.period_type):
        return False
    if period.period_type == "INSTANT":
        return _ends_month(period.end) and not _OCCASION.search(caption[: period.span_start])
    return True


def _states_partial_end(caption: str, partial: PartialPeriod) -> bool:
    if not partial.month or partial.period_type not in ("FY", "INSTANT", "RANGE"):
        return False
    if partial.period_type == "INSTANT" and not _AS_AT.search(caption[partial.span_start : partial.span_end]):
        return False
    return not _mentions(caption, partial.period_type)


def _mentions(caption: str, period_type: str) -> bool:
    """Whether a caption is part of a sentence; what it says of a day or a half need not be what the table shows."""
    return _SENTENCE.search(caption) is not None and (period_type != "FY" or caption[-1] in ".。")


def _ends_month(day: str) -> bool:
    year, month, date = (int(part) for part in day.split("-"))
    return date == days_in(year, month)


def _is_bare_year(period: PeriodReading) -> bool:
    calendar = period.start == f"{period.period}-01-01" and period.end == f"{period.period}-12-31"
    return calendar and period.period_type == "FY" and not period.ended
