"""When the years of a table end, where its caption says so: "2023" and "2022" under "for the year ended 30 June 2023".

A caption counts only if it states an end: a span that ended on a day, or the last day of a month. "2019-2023" names
the years that are shown, "Q2 2023" the occasion, "15 March 2023" the day the data were taken; none of them says what a
column headed by a bare year is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from factspine.interpret.relative import year_before
from factspine.lexicon.period_calendar import days_in
from factspine.lexicon.periods import PartialPeriod, PeriodReading, combine, find_partial, find_periods

_LONGEST_CAPTION = 160  # longer ones are paragraphs that mention days
_ENDED = re.compile(r"\bend(?:ed|ing)\b|[截止]", re.IGNORECASE)
_AS_AT = re.compile(r"\bas\s+(?:at|of)\b", re.IGNORECASE)
_SEVERAL_SPANS = re.compile(r"\b(?:and|or)\s+(?:\w+[\s-]+)?(?:months?|weeks?|quarters?|years?)\s+end(?:ed|ing)\b", re.I)
_OCCASION = re.compile(
    r"(?:publish|releas|updat|print|retriev|access|issu|sign|approv|fil|dat|prepar|post)ed\s*(?:on|at|:)?\s*$"
    r"|\bdata\s*(?:as\s+(?:of|at))?\s*$|(?:发布|公布|更新|公告|报出|签署|批准)\S{0,4}$",
    re.IGNORECASE,
)

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
    if stated is None or not _is_bare_year(own):
        return own
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
    if not ends and partial is not None and partial.month and partial.period_type in ("FY", "INSTANT", "RANGE"):
        said = caption[partial.span_start : partial.span_end]
        if (_AS_AT if partial.period_type == "INSTANT" else _ENDED).search(said):
            ends = [partial._replace(marks=(), span_start=0, span_end=0)]
    return ends


def _states_end(caption: str, period: PeriodReading) -> bool:
    if not period.end or period.period_type in ("LTM", "NONE"):
        return False
    said = caption[period.span_start : period.span_end]
    if period.period_type == "INSTANT":
        return _ends_month(period.end) and not _OCCASION.search(caption[: period.span_start])
    return _ENDED.search(said) is not None


def _ends_month(day: str) -> bool:
    year, month, date = (int(part) for part in day.split("-"))
    return date == days_in(year, month)


def _is_bare_year(period: PeriodReading) -> bool:
    return period.period_type == "FY" and period.start == f"{period.period}-01-01" and period.end[5:] == "12-31"
