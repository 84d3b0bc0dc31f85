"""Periods told by their relation to the document's own: 上期, 期末余额, 期初余额, last year.

The document says which period it is about, on its cover or in a caption; the column says how it relates to that. Where
the document does not say, neither do we.
"""

from __future__ import annotations

from datetime import date, timedelta

from factspine.lexicon.periods import PeriodReading


def relative_period(own: PeriodReading, marks: frozenset[str]) -> PeriodReading | None:
    """The period a column is about, given the document's own period; None where the relation has no answer."""
    if not own.start or not own.end:
        return None
    if "opening" in marks:
        return _opening(own)
    if "closing" in marks:
        end = _instant(date.fromisoformat(own.end))
        return year_before(end) if "prior_period" in marks else end
    return year_before(own)


def _opening(own: PeriodReading) -> PeriodReading | None:
    """The day before a period begins; of a balance sheet dated with the last day of a year, that of the year before.

    A balance sheet of another day does not say when its period began: with the year, the half or the month.
    """
    if own.period_type != "INSTANT":
        return _instant(date.fromisoformat(own.start) - timedelta(days=1))
    return year_before(own) if own.end.endswith("-12-31") else None


def year_to_date(own: PeriodReading) -> PeriodReading | None:
    """From the first day of the year to the end of a month or quarter; None where that is not what is told."""
    if own.period_type not in ("M", "Q") or not own.end:
        return None
    start = f"{own.end[:4]}-01-01"
    return own._replace(period_type="YTD", period=f"{start}/{own.end}", start=start)


def _instant(day: date) -> PeriodReading:
    text = day.isoformat()
    return PeriodReading(period_type="INSTANT", period=text, start=text, end=text)


def year_before(own: PeriodReading) -> PeriodReading | None:
    """The same stretch of the year before."""
    if own.period_type in ("RANGE", "LTM", "NONE"):
        return None
    start, end = _back(own.start), _back(own.end)
    if own.period_type == "INSTANT":
        period = end
    elif own.period_type == "YTD":
        period = f"{start}/{end}"
    else:
        period = f"{int(own.period[:4]) - 1}{own.period[4:]}"
    return PeriodReading(period_type=own.period_type, period=period, start=start, end=end)


def _back(day: str) -> str:
    """The same day of the year before; the last of February where there is no 29th."""
    year, rest = int(day[:4]) - 1, day[4:]
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    if rest == "-02-29" or (rest == "-02-28" and leap):
        rest = "-02-29" if leap else "-02-28"
    return f"{year}{rest}"
