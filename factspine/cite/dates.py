"""Days, months, quarters and halves in running text; a bare year is an amount like any other four digits."""

from __future__ import annotations

import re
from typing import NamedTuple

from factspine.lexicon.folding import fold
from factspine.lexicon.numerals import small_number
from factspine.lexicon.periods import PeriodReading, find_periods


class Day(NamedTuple):
    """What a date says: parts that are not said are 0 or empty."""

    start: int
    end: int
    year: int = 0
    month: int = 0
    day: int = 0
    part: str = ""  # Q1 … Q4, H1, H2, or a span such as 01-01/09-30


_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = (
    r"(?P<month>Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|"
    r"Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\.?"
)
_PATTERNS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\b{_MONTH} (?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?:,? (?P<year>\d{{3,4}}))?(?![\d%,.]\d|\d|%)",
        rf"\b(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? {_MONTH}\b(?:,? (?P<year>\d{{3,4}}))?(?!\d)",
        r"(?P<number>\d{1,2})月(?:份)?(?:(?P<day>\d{1,2})[日号])?",
        r"(?P<number>十?[一二三四五六七八九]|十)月(?P<day>[一二三]?十?[一二三四五六七八九十])[日号]",
        r"\bQ(?P<quarter>[1-4])\b|\b(?P<quarter2>[1-4])Q\b|第?(?P<quarter3>[一二三四1-4])季度?",
        r"\b(?P<quarter4>first|second|third|fourth|1st|2nd|3rd|4th)[- ]quarter\b",
        r"\bH(?P<half>[12])\b|\b(?P<half2>[12])H\b|(?P<half3>[上下])半年|\b(?P<half4>first|second)[- ]half\b",
    )
)
_WORDS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "1st": 1, "2nd": 2, "3rd": 3, "4th": 4, "上": 1, "下": 2}
_ISO = re.compile(r"(\d{4})-(\d\d)(?:-(\d\d))?")
_PLAIN_YEAR = re.compile(r"(?:the )?(?:year )?\d{4}\s*(?:财?年度?|年全年)?", re.IGNORECASE)
_TWO_YEARS = re.compile(r"(?P<first>\d{4})\s*[-/~]\s*\d{2,4}")
_PART = re.compile(r"(\d{4})([QH]\d)")


def find_days(text: str) -> list[Day]:
    """Every date of a text that says more than a year, in order of place."""
    found = [day for reading in find_periods(text) if (day := _of_period(reading)) is not None]
    taken = [(day.start, day.end) for day in found]
    folded = fold(text)
    for pattern in _PATTERNS:
        for match in pattern.finditer(folded):
            if any(match.start() < end and start < match.end() for start, end in taken):
                continue
            if (day := _of_match(match)) is not None:
                found.append(day)
                taken.append(match.span())
    return sorted(found)


def find_years(text: str) -> list[tuple[int, int, int]]:
    """Years that are not written as four plain digits, with their places: FY25, 二〇二四年, and both of 2023/24."""
    found = []
    for reading in find_periods(text):
        start, end = reading.span_start, reading.span_end
        if not re.fullmatch(r"\d{4}", reading.period) or _PLAIN_YEAR.fullmatch(fold(text[start:end])):
            continue
        pair = _TWO_YEARS.search(fold(text[start:end]))
        cut = start + pair.end("first") if pair else start
        if pair:
            found.append((int(pair["first"]), start, cut))
        found.append((int(reading.period), cut, end))
    return found


def _of_period(reading: PeriodReading) -> Day | None:
    period, start, end = reading.period, reading.span_start, reading.span_end
    if (part := _PART.fullmatch(period)) is not None:
        return Day(start, end, int(part[1]), part=part[2])
    if (iso := _ISO.fullmatch(period)) is not None:
        return Day(start, end, int(iso[1]), int(iso[2]), int(iso[3] or 0))
    return None  # years and ranges of years are read as the numbers they are


def _of_match(match: re.Match[str]) -> Day | None:
    groups = {name: value for name, value in match.groupdict().items() if value}
    start, end = match.span()
    for name, value in groups.items():
        if name.startswith(("quarter", "half")):
            number = _WORDS.get(value.lower()) or small_number(value)
            return None if number is None else Day(start, end, part=f"{'Q' if name[0] == 'q' else 'H'}{number}")
    day = small_number(groups["day"]) or 0 if "day" in groups else 0
    month = (
        small_number(groups["number"]) or 0 if "number" in groups else _MONTHS.index(groups["month"][:3].lower()) + 1
    )
    if not 1 <= month <= 12 or day > 31:
        return None
    return Day(start, end, int(groups.get("year", 0)), month, day)
