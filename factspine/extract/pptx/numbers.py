"""Numbers and dates as a chart stores them: decimal text, serial days, and the format that says which."""

from __future__ import annotations

import re
from datetime import date, timedelta
from functools import lru_cache
from typing import Literal

Granularity = Literal["year", "month", "day", "minute"]

_LITERALS = re.compile(r'"[^"]*"?|\\.|_.|\*.|\[[^\]]*\]')
_SERIAL_MAX = 2_958_465  # the last day of the year 9999
_EPOCH_1900, _EPOCH_1904 = date(1899, 12, 30), date(1904, 1, 1)
_FALSE_LEAP_DAY = 60  # the 1900 system counts a 29 February 1900 that never was


@lru_cache(maxsize=512)
def date_granularity(number_format: str) -> Granularity | None:
    """How much of a date a number format shows; None where it shows a plain number or a bare time."""
    if number_format in ("General", ""):
        return None
    code = _LITERALS.sub("", number_format.partition(";")[0]).lower().replace("am/pm", "")
    if any(mark in code for mark in "0#?%"):
        return None
    if "d" in code:
        return "minute" if "h" in code else "day"
    if "h" in code:
        return None
    if "m" in code:
        return "month"
    return "year" if "y" in code or code.strip("-/ .") in ("e", "ee") else None


def date_of_serial(value: str, is_1904: bool, granularity: Granularity) -> tuple[str, str] | None:
    """A serial day as (text, ISO date); None where it is no day of the calendar.

    The text is the date in ISO order, cut to what the format shows: `m/d/yyyy` gives 2024-03-31, `mmm-yy` 2024-03,
    `yyyy` 2024. The shown order of day and month depends on the reader's machine; this one cannot be misread.
    """
    days_text, _, fraction = value.partition(".")
    if days_text.startswith("-") or len(days_text) > 7 or int(days_text) > _SERIAL_MAX:
        return None
    days = int(days_text)
    if is_1904:
        if days > _SERIAL_MAX - 1462:
            return None
        day = _EPOCH_1904 + timedelta(days=days)
    else:
        day = _EPOCH_1900 + timedelta(days=days if days >= _FALSE_LEAP_DAY else days + 1)
    iso = day.isoformat()
    if granularity == "year":
        return iso[:4], iso
    if granularity == "month":
        return iso[:7], iso
    if granularity == "minute" and fraction:
        minutes = round(float("0." + fraction) * 1440) % 1440
        return f"{iso} {minutes // 60:02d}:{minutes % 60:02d}", iso
    return iso, iso


_NAMING = re.compile(r'(?P<before>(?:"[^"]*"|\\.)*)(?P<digits>0+|#+0?)(?P<after>(?:"[^"]*"|\\.)*)')
_QUOTES = re.compile(r'"|\\(?=.)')


def name_of_number(value: str, number_format: str) -> str:
    """A whole number as a format with words shows it, "" where the format has none: `0"E"` makes 2025E of 2025."""
    naming = _NAMING.fullmatch(number_format.partition(";")[0])
    if naming is None or not value.isdecimal() or len(naming["digits"]) > max(len(value), 2):
        return ""
    before, after = (_QUOTES.sub("", naming[part]) for part in ("before", "after"))
    padded = value.zfill(naming["digits"].count("0"))
    return f"{before}{padded}{after}".strip() if (before + after).strip() else ""
