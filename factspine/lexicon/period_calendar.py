"""First and last days of years, halves, quarters, months and spans, for any month the fiscal year ends in.

A fiscal year is named after the calendar year in which it ends.
"""

from __future__ import annotations

from typing import NamedTuple

_DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


class Dates(NamedTuple):
    """First and last day, ISO."""

    start: str
    end: str


def days_in(year: int, month: int) -> int:
    """How many days a month has; the standard library's calendar would have to be loaded for it."""
    leap = month == 2 and year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return _DAYS[month - 1] + leap


def date_text(year: int, month: int, day: int) -> str | None:
    """The ISO text of a day; None where there is no such day."""
    if not (1 <= month <= 12 and 1 <= day <= days_in(year, month)):
        return None
    return f"{year:04d}-{month:02d}-{day:02d}"


def _months(year: int, last_month: int, count: int) -> Dates:
    """`count` whole months that end with a month."""
    first = year * 12 + last_month - count
    return Dates(
        f"{first // 12:04d}-{first % 12 + 1:02d}-01",
        f"{year:04d}-{last_month:02d}-{days_in(year, last_month):02d}",
    )


def year_dates(year: int, end_month: int, end_day: int = 0) -> Dates:
    """The fiscal year that ends in a month of a year; on a day of it where the document says which."""
    if end_day:
        return span_dates(year, end_month, end_day, 12) or _months(year, end_month, 12)
    return _months(year, end_month, 12)


def half_dates(year: int, number: int, year_end: int) -> Dates:
    """The first or second half of a fiscal year."""
    return _part(year, number, 6, year_end)


def quarter_dates(year: int, number: int, year_end: int) -> Dates:
    """A quarter of a fiscal year."""
    return _part(year, number, 3, year_end)


def month_dates(year: int, month: int) -> Dates:
    """A calendar month."""
    return _months(year, month, 1)


def _part(year: int, number: int, length: int, year_end: int) -> Dates:
    last = year * 12 + year_end - 1 - (12 - number * length)
    return _months(last // 12, last % 12 + 1, length)


def span_dates(year: int, last_month: int, last_day: int, months: int) -> Dates | None:
    """`months` months that end on a day (0: the last of its month); None where there is no such day."""
    if not 1 <= last_month <= 12 or not 1 <= months <= 2400:
        return None
    length = days_in(year, last_month)
    if last_day > length:
        return None
    if last_day in (0, length):
        return _months(year, last_month, months)
    # A year that ends on the 28th begins on the 29th, or with the next month where that has none.
    first = year * 12 + last_month - 1 - months
    first_year, first_month = first // 12, first % 12 + 1
    if last_day < days_in(first_year, first_month):
        start = f"{first_year:04d}-{first_month:02d}-{last_day + 1:02d}"
    else:
        start = f"{(first + 1) // 12:04d}-{(first + 1) % 12 + 1:02d}-01"
    return Dates(start, f"{year:04d}-{last_month:02d}-{last_day:02d}")
