# ruff: noqa: E501 - a pattern on one line can be read; folded, it cannot
"""The ways in which documents write periods, most exact first; each pattern comes with the function that reads it."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import NamedTuple

from factspine.lexicon.numerals import chinese_digits, small_number
from factspine.lexicon.period_calendar import days_in
from factspine.lexicon.period_signs import YEAR as _Y4


class Said(NamedTuple):
    """What a text says of a period before dates are worked out; year 0 where it says none."""

    kind: str  # FY HY Q M YTD LTM INSTANT RANGE; W: a week, which is no period here
    year: int = 0
    number: int = 0
    month: int = 0
    day: int = 0
    fiscal: bool = False  # said to be a fiscal period, so the company's year end applies
    split: bool = False  # 2023/24
    marks: tuple[str, ...] = ()
    start: int = 0
    end: int = 0
    ended: bool = False  # on the day or in the month that is said
    begun: str = ""  # the first day of a stretch that is no number of whole months


MONTHS = {
    name: number
    for number, names in enumerate(
        ("january jan", "february feb", "march mar", "april apr", "may may", "june jun", "july jul", "august aug",
         "september sept sep", "october oct", "november nov", "december dec"),
        start=1,
    )
    for name in names.split()
}  # fmt: skip
MONTH = "(?:" + "|".join(sorted(MONTHS, key=len, reverse=True)) + r")\b\.?"
_ORDINALS = {"first": 1, "1st": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4}
_COUNTS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
           "eleven": 11, "twelve": 12, "thirteen": 13, "fifteen": 15, "eighteen": 18}  # fmt: skip
_MONTHS_OF_WEEKS = {4: 1, 5: 1, 13: 3, 14: 3, 26: 6, 27: 6, 39: 9, 40: 9, 52: 12, 53: 12}
_CN = "零〇一二三四五六七八九两十"
_B = r"(?<![\d.,a-z_])(?<!\d[-/:])"  # not inside a longer number or word: 1,2024; 2024.5; X2024
_E = r"(?![\d_])(?![.,]\d)"
_CNY = r"[一二][零〇一二三四五六七八九]{3}"
_YEAR_CN = rf"(?P<y>{_Y4}|{_CNY}|(?<!\d)\d\d)\s*年"
_NUM = rf"\d{{1,2}}|[{_CN}]{{1,3}}"
_MARK = r"(?P<mark>(?<=\d)\s?[aefbpr](?![a-z0-9]))?"


def _year(text: str) -> int:
    """A year of two or four digits, in either script; 0 where it is none."""
    digits = chinese_digits(text) if not text.isascii() else text
    if digits is None or not digits.isdigit():
        return 0
    value = int(digits)
    if len(digits) == 2:
        # Two digits: this century up to 2069, as everywhere.
        value += 2000 if value < 70 else 1900
    return value if 1900 <= value <= 2100 else 0


def _month(text: str | None) -> int:
    if not text:
        return 0
    found = MONTHS.get(text.lower().rstrip("."))
    return found if found is not None else (small_number(text) or 0)


def _count(text: str) -> int:
    return _COUNTS.get(text.lower()) or small_number(text) or 0


Reader = Callable[[re.Match[str]], Said | None]
Row = tuple[str, str, Reader]  # what a text must have for the pattern to be tried (signs), pattern, reader


def _get(match: re.Match[str], name: str) -> str:
    """What a group caught; alternatives of one pattern number their groups (n, n2, n3)."""
    known = match.re.groupindex
    for group in (name, name + "2", name + "3"):
        if group in known and (caught := match.group(group)) is not None:
            return str(caught)
    return ""


def _instant(match: re.Match[str]) -> Said | None:
    year, month, day = _year(_get(match, "y")), _month(_get(match, "m")), small_number(_get(match, "d")) or 0
    if not year or not 1 <= month <= 12 or not 1 <= day <= 31:
        return None
    return Said("INSTANT", year, 0, month, day, ended=True)


def _ended(match: re.Match[str]) -> Said | None:
    """`six months ended 30 June 2024`, 截至2024年6月30日止六个月, `Year ended December 31,`."""
    text = match.group().lower()
    year_text = _get(match, "y")
    year = _year(year_text) if year_text else 0
    if year_text and not year:
        return None
    month, day = _month(_get(match, "m")), small_number(_get(match, "d") or "0") or 0
    if month > 12:
        return None
    count = _get(match, "n")
    if "week" in text:
        months = _MONTHS_OF_WEEKS.get(_count(count), 0)
    elif "quarter" in text:
        months = 3
    elif "half" in text or (count and "year" not in text):
        months = _count(count) if count else 6
    else:
        months = 12  # each of the three years ended December 31
    if months == 12 and month:
        return Said("FY", year, 0, month, day, ended=True)
    return Said("RANGE", year, months, month, day, ended=month > 0) if months else None


def _span_cn(match: re.Match[str]) -> Said | None:
    """2024年1-9月: from January a year to date, otherwise a range."""
    year = _year(_get(match, "y")) if _get(match, "y") else 0
    first, last = _month(_get(match, "a")), _month(_get(match, "m"))
    if not 1 <= first < last <= 12:
        return None
    if first == 1:
        return Said("YTD", year, last, last)
    return Said("RANGE", year, last - first + 1, last)


def _ytd(match: re.Match[str]) -> Said | None:
    """9M2024, YTD Sep 2024, 前三季度."""
    year = _year(_get(match, "y")) if _get(match, "y") else 0
    months = _count(_get(match, "n")) if _get(match, "n") else 0
    if _get(match, "q"):
        months = 3 * _count(_get(match, "q"))
    last = _month(_get(match, "m")) or 0
    if months > 12 or (not months and not last):
        return None
    if months == 12:
        return Said("FY", year)
    return Said("YTD", year, months or last, last or months)


def _ltm(match: re.Match[str]) -> Said | None:
    year = _year(_get(match, "y")) if _get(match, "y") else 0
    month, day = _month(_get(match, "m")), small_number(_get(match, "d") or "0") or 0
    if year and not month:
        quarter = _count(_get(match, "q")) if _get(match, "q") else 0
        if not quarter:
            return None
        month = quarter * 3
    return Said("LTM", year, 12, month, day)


def _half(match: re.Match[str]) -> Said | None:
    year_text = _get(match, "y")
    year = _year(year_text) if year_text else 0
    if year_text and not year:
        return None
    said = (_get(match, "n") or match.group()).lower()
    # 半年度 alone is the first: the second ends a year
    number = 2 if any(w in said for w in ("2", "下", "second")) else 1
    return Said("HY", year, number, fiscal=_is_fiscal(match))


def _quarter(match: re.Match[str]) -> Said | None:
    year_text = _get(match, "y")
    year = _year(year_text) if year_text else 0
    if year_text and not year:
        return None
    text = _get(match, "n").lower()
    number = _ORDINALS.get(text) or small_number(text) or 0
    if not 1 <= number <= 4:
        return None
    return Said("Q", year, number, fiscal=_is_fiscal(match))


def _monthly(match: re.Match[str]) -> Said | None:
    year_text = _get(match, "y")
    year = _year(year_text) if year_text else 0
    month = _month(_get(match, "m"))
    if (year_text and not year) or not 1 <= month <= 12:
        return None
    if _get(match, "eom") and year:
        return Said("INSTANT", year, 0, month, days_in(year, month))
    return Said("M", year, month, month)


def _fiscal_year(match: re.Match[str]) -> Said | None:
    year = _year(_get(match, "y"))
    return Said("FY", year, fiscal=_is_fiscal(match)) if year else None


def _split_year(match: re.Match[str]) -> Said | None:
    """2023/24 and 2023-24 are one fiscal year when the second follows the first; 2019-2024 is none."""
    first = _year(_get(match, "a"))
    second_text = _get(match, "y")
    second = _year(second_text) if len(second_text) == 4 else first // 100 * 100 + int(second_text)
    if len(second_text) == 2 and first % 100 == 99:
        second += 100
    if not first or second != first + 1:
        return None
    return Said("FY", second, fiscal=True, split=True)


def _year_range(match: re.Match[str]) -> Said | None:
    """2019-2024, 2020年至2024年: from the first day of one to the last of the other."""
    first, last = _year(_get(match, "a")), _year(_get(match, "y"))
    if last <= first or (last == first + 1 and match.group("to") == "-" and "年" not in match.group()[:6]):
        return None  # 2023-2024 is one fiscal year
    return Said("RANGE", last, 12 * (last - first + 1), 12)


def _republic_year(match: re.Match[str]) -> Said | None:
    """民国113年: counted from 1912."""
    return Said("FY", 1911 + int(_get(match, "n")))


def _year_end(match: re.Match[str]) -> Said | None:
    year = _year(_get(match, "y"))
    return Said("INSTANT", year, 0, 12, 31) if year else None


def _partial_day(match: re.Match[str]) -> Said | None:
    """`As at December 31,` / 12月31日: an instant whose year is elsewhere."""
    month, day = _month(_get(match, "m")), small_number(_get(match, "d")) or 0
    return Said("INSTANT", 0, 0, month, day) if 1 <= month <= 12 and 1 <= day <= 31 else None


def _week(match: re.Match[str]) -> Said | None:
    """Week 14, 第14周, 2025-W05: which days they are depends on the calendar of whoever counts them."""
    return Said("W") if match.group() else None


def _whole_year(match: re.Match[str]) -> Said | None:
    """`Full year` beside its quarters: the year itself stands elsewhere."""
    return Said("FY") if match.group() else None


def _year_planned(match: re.Match[str]) -> Said | None:
    """本年预算, 年度计划: of the whole year, in the report on a month of it too."""
    return Said("FY", number=1) if match.group() else None


def _is_fiscal(match: re.Match[str]) -> bool:
    text = match.group().lower()
    return "f" in text[:2] or "fiscal" in text or "财" in text or "fy" in text


_LETTER_MARKS = {mark: name for name, marks in (("actual", "A"), ("forecast", "EFP"), ("budget", "B"), ("preliminary", "p"), ("revised", "rR")) for mark in marks}  # fmt: skip
_TRAILING = re.compile(r"\s?(?P<mark>[AEFBP])(?![A-Za-z0-9])|\s*\((?P<bracket>[AEFBP])\)")


def letter_mark(folded: str, match: re.Match[str], kind: str) -> tuple[tuple[str, ...], int]:
    """What the letter at the end of a period or right after it says (`2024E`, `FY24 (A)`), and where the period ends.

    The letter is read from the text as it is written: p is preliminary, P a projection.
    """
    end = match.end()
    if "mark" in match.re.groupindex and (own := folded[slice(*match.span("mark"))].strip()):
        return (_LETTER_MARKS[own if own in "pr" else own.upper()],), end
    if kind == "INSTANT" or not re.match(r"[\d年]", folded[end - 1 : end]):
        return (), end
    found = _TRAILING.match(folded, end)
    if found is None or (found.group("mark") and folded[end] == " " and found.end() != len(folded.rstrip())):
        return (), end
    return (_LETTER_MARKS[found.group("mark") or found.group("bracket")],), found.end()


_LATE = r"(?:1[3-9]|2\d|3[01])"  # a day that is no month
_TO = r"\s*(?:[-~]|to|[至到])\s*"
_DAY = r"(?P<d>\d{1,2})(?:st|nd|rd|th)?"
_MON = rf"(?P<m>{MONTH})"
_AS_AT = r"(?:as\s+(?:at|of)\s+)?"
_COUNT = r"(?P<n>" + "|".join(_COUNTS) + r"|\d{1,2})"
_ENDED = rf"(?:(?:{_COUNT}|half)[- ]?(?:months?|weeks?|year)?|(?:fiscal |financial )?(?:year|quarter)s?)s?\s+(?:period\s+)?end(?:ed|ing)\s*(?:on\s+)?"
# The year of a law is part of its name: Companies Act 2006, the Code of 1986, 公司法(2018年修正).
_LAW = ("act of", "act", "act,", "law of", "law", "law,", "ordinance", "ordinance,", "code of", "regulations")
_NO_LAW = "".join(rf"(?<!\b{name} \d{{4}})" for name in _LAW)
_NO_LAW_CN = r"(?!年?\s*(?:修订|修正|修改)\s*[)》])"
_FY = r"(?:fy|cy|(?:fiscal|financial|calendar)(?:\s+year)?|f(?!-))"


ROWS: tuple[Row, ...] = (
    # spans that end on a day
    ("nlemy", rf"\b(?:for\s+the\s+)?{_ENDED}{_DAY}\s+{_MON},?\s+(?P<y>{_Y4}){_E}", _ended),
    ("nlemy", rf"\b(?:for\s+the\s+)?{_ENDED}{_MON}\s*(?:{_DAY})?,?\s+(?P<y>{_Y4}){_E}", _ended),
    ("nlem", rf"\b(?:for\s+the\s+)?{_ENDED}(?:{_DAY}\s+{_MON}|(?P<m2>{MONTH})\s*(?:(?P<d2>\d{{1,2}})(?!\d))?),?", _ended),
    ("c截月", rf"截[至止]于?\s*{_YEAR_CN}\s*(?P<m>{_NUM})\s*月(?:\s*(?P<d>{_NUM}|三十一?)\s*日)?\s*止?的?(?:(?P<n>{_NUM})\s*个月(?:期间)?|年度|财政年度|财年)", _ended),
    ("c年月", rf"{_YEAR_CN}\s*(?P<m>{_NUM})\s*月\s*(?P<d>{_NUM}|三十一?)\s*日\s*止的?(?:(?P<n>{_NUM})\s*个月(?:期间)?|年度|财政年度|财年)", _ended),
    ("c截月", rf"截[至止]于?\s*(?P<m>{_NUM})\s*月(?:\s*(?P<d>{_NUM}|三十一?)\s*日)?\s*止?的?(?:(?P<n>{_NUM})\s*个月(?:期间)?|年度|财政年度|财年)", _ended),
    ("nlt", rf"\b(?:ltm|ttm|last\s+twelve\s+months|trailing\s+twelve\s+months|12\s?mma)\s*(?:to|ended|ending|as of|[-:])?\s*(?:(?P<d>\d{{1,2}})\s+)?(?:{_MON}(?:\s+(?P<d2>\d{{1,2}})(?!\d),?)?[-\s']*(?P<y>{_Y4}|\d\d)|(?P<q>[1-4])q\s?(?P<y2>\d\d)){_E}", _ltm),
    ("t", r"\b(?:ltm|ttm|last\s+twelve\s+months|trailing\s+twelve\s+months)\b|过去十二个月|最近十二个月|滚动十二个月", _ltm),
    ("le", rf"^\s*(?:for\s+the\s+)?{_ENDED}$", _ended),
    # days; the first of two whose year stands behind the second
    ("nlmy", rf"(?<![\d.,]){_DAY}\s+{_MON}(?={_TO}\d{{1,2}}(?:st|nd|rd|th)?\s+{MONTH},?\s+(?:{_Y4}))", _partial_day),
    ("c年月", rf"(?:截[至止]于?|于)?\s*{_YEAR_CN}\s*(?P<m>{_NUM})\s*月\s*(?P<d>{_NUM}|三十一?)\s*[日号](?:止)?", _instant),
    ("nys", rf"{_AS_AT}(?:{_B}|(?<=\d-))(?P<y>{_Y4})(?P<sep>[-./])(?P<m>\d{{1,2}})(?P=sep)(?P<d>\d{{1,2}})(?:[t ]00:00:00)?{_E}", _instant),
    ("nlm", rf"{_AS_AT}{_B}{_DAY}[-\s]+(?:of\s+)?{_MON}[-,\s]*(?P<y>{_Y4}|(?<=[-'])\d\d){_E}", _instant),
    ("nlmy", rf"{_AS_AT}(?<![a-z]){_MON}\s*{_DAY}\s*,\s*(?P<y>{_Y4}){_E}", _instant),
    ("nlmy", rf"{_AS_AT}(?<![a-z]){_MON}\s+{_DAY}\s+(?P<y>{_Y4}){_E}", _instant),
    # of two days with `to` between them the second tells which way the first is written
    ("ny/", rf"(?:{_B}|(?<=\d-))(?:(?P<d>{_LATE})/(?P<m>\d{{1,2}})|(?P<d2>\d{{1,2}})/(?P<m2>\d{{1,2}})(?=/\d{{4}}{_TO}{_LATE}/\d{{1,2}}/))/(?P<y>{_Y4}){_E}", _instant),
    ("ny/", rf"(?:{_B}|(?<=\d-))(?:(?P<m>\d{{1,2}})/(?P<d>{_LATE})|(?P<m2>\d{{1,2}})/(?P<d2>\d{{1,2}})(?=/\d{{4}}{_TO}\d{{1,2}}/{_LATE}/))/(?P<y>{_Y4}){_E}", _instant),
    ("ny.", rf"{_B}(?P<d>\d{{1,2}})\.(?P<m>\d{{1,2}})\.(?P<y>{_Y4}){_E}", _instant),
    # a week is no period of the calendar's; the year beside it is not the number's either
    ("nv", rf"(?:{_B}(?:fy\s?)?(?:{_Y4})\s?年?[-,\s]*)?(?:(?<![a-z])(?:week|wk)\s?(?:no\.?\s?)?\d{{1,2}}|第\s?\d{{1,2}}\s?周)(?![\d-])(?:[-,\s]*(?:of\s+)?(?:fy\s?(?:{_Y4}|\d\d)|{_Y4}))?(?![a-z\d])", _week),
    ("nly", rf"{_B}(?:{_Y4})-?w\d\d(?!\d)", _week),
    # year to date
    ("nlq", rf"{_B}q1\s?-\s?q?(?P<q>[234])[-\s']*(?P<y>{_Y4}|\d\d){_E}", _ytd),
    ("c年月", rf"{_YEAR_CN}\s*(?P<a>{_NUM})\s*月?\s*[-~至到]+\s*(?P<m>{_NUM})\s*月(?:份)?", _span_cn),
    ("c月", rf"(?<!\d)(?P<a>{_NUM})\s*月?\s*[-~至到]+\s*(?P<m>{_NUM})\s*月(?:份)?", _span_cn),
    ("nlm", rf"(?<![a-z])(?<!from )(?P<a>{MONTH})\s?(?:-|~|to)\s?{_MON}[-\s',]*(?P<y>{_Y4}|\d\d){_E}", _span_cn),
    ("lm", rf"(?<![a-z])(?<!from )(?P<a>{MONTH})\s?(?:-|~|to)\s?{_MON}(?![a-z\d])", _span_cn),
    ("c年前", rf"{_YEAR_CN}\s*前\s*(?P<q>[三二两3])\s*个?季度?", _ytd),
    ("c前季", r"前\s*(?P<q>[三二两3])\s*个?季度", _ytd),
    ("c年前月", rf"{_YEAR_CN}\s*前\s*(?P<n>{_NUM})\s*个?月", _ytd),
    ("nlk", rf"{_B}(?P<n>\d{{1,2}})\s?m[-\s']*(?:fy)?(?P<y>{_Y4}|\d\d){_E}", _ytd),
    ("nlky", rf"{_B}(?P<y>{_Y4})\s?(?P<n>[2-9]|1[01])m(?![a-z0-9])", _ytd),
    ("nlk", rf"{_B}(?P<n>3|6|9)m(?![a-z0-9])", _ytd),
    ("nlmd", rf"\b(?:ytd|year[- ]to[- ]date)\s*(?:to\s+|[-:]\s*)?{_MON}[-\s',]*(?P<y>{_Y4}|\d\d){_E}", _ytd),
    ("nlmd", rf"(?<![a-z]){_MON}[-\s']*(?P<y>{_Y4}|\d\d)\s*(?:ytd|year[- ]to[- ]date)\b", _ytd),
    # quarters
    ("c年季", rf"{_YEAR_CN}(?:度)?\s*第?\s*(?P<n>[一二三四1-4])\s*季度?", _quarter),
    ("nlq", rf"{_B}(?P<n>[1-4])q[-\s']*(?:fy|cy)?'?(?P<y>{_Y4}|\d\d){_E}", _quarter),
    ("nlq", rf"{_B}q(?P<n>[1-4])[-/,\s']*(?:of\s+)?(?:fy\s?|cy\s?|fiscal\s+)?'?(?P<y>{_Y4}|\d\d){_E}", _quarter),
    ("nlq", rf"{_B}(?:fy|cy)?\s?(?P<y>{_Y4}|\d\d)[-/\s'年度]*(?:q(?P<n>[1-4])|(?P<n2>[1-4])q){_MARK}(?![a-z0-9])", _quarter),
    ("cny季", rf"{_B}(?P<y>{_Y4})\s*第?(?P<n>[一二三四1-4])季度?", _quarter),
    ("nlyu", rf"\b(?P<n>first|second|third|fourth|1st|2nd|3rd|4th)\s+(?:fiscal\s+)?quarter(?:\s+of)?\s+(?:fiscal\s+(?:year\s+)?|fy\s?)?(?P<y>{_Y4}|(?<=fy)\d\d){_E}", _quarter),
    ("lu", r"\b(?P<n>first|second|third|fourth|1st|2nd|3rd|4th)\s+(?:fiscal\s+)?quarter\b", _quarter),
    ("c季", r"第\s*(?P<n>[一二三四1-4])\s*季度?|(?P<n2>[一二三四])季度|(?<!\d)(?P<n3>[1-4])季度", _quarter),
    ("nlq", rf"{_B}q(?P<n>[1-4])(?![a-z0-9])|{_B}(?P<n2>[1-4])q(?![a-z0-9])", _quarter),
    # halves
    ("c年", rf"{_YEAR_CN}(?:度)?\s*(?P<n>上半年|下半年|中期|半年度?)", _half),
    ("nlh", rf"{_B}(?P<n>[12])h[-\s']*(?:fy|cy)?'?(?P<y>{_Y4}|\d\d){_E}", _half),
    ("nlh", rf"{_B}h(?P<n>[12])[-/,\s']*(?:of\s+)?(?:fy\s?|cy\s?)?'?(?P<y>{_Y4}|\d\d){_E}", _half),
    ("nlh", rf"{_B}(?:fy|cy)?\s?(?P<y>{_Y4}|\d\d)[-/\s'年度]*(?:h(?P<n>[12])|(?P<n2>[12])h){_MARK}(?![a-z0-9])", _half),
    ("nlyw", rf"\b(?P<n>first|second|1st|2nd)[- ]half(?:\s+of|,)?\s+(?:fy\s?)?(?P<y>{_Y4}){_E}", _half),
    ("nlyi", rf"\b(?P<n>interim)\s+(?P<y>{_Y4}){_E}", _half),
    ("cny", rf"{_B}(?P<y>{_Y4})\s*(?P<n>上半年|下半年|中期|半年度?)", _half),
    ("w", r"\b(?P<n>first|second|1st|2nd)[- ]half(?:\s+year)?\b|(?P<n2>上半年|下半年)", _half),
    ("nlh", rf"{_B}h(?P<n>[12])(?![a-z0-9])|{_B}(?P<n2>[12])h(?![a-z0-9])", _half),
    # months
    ("c年月", rf"{_YEAR_CN}\s*(?P<m>{_NUM})\s*月(?:份)?(?P<eom>[末底])?", _monthly),
    ("nlmy", rf"(?<![a-z]){_MON}[-/\s',]*(?P<y>{_Y4}){_E}", _monthly),
    ("nlm", rf"(?<![a-z]){_MON}\s?[-/']\s?'?(?P<y>\d\d){_E}", _monthly),
    # `Mar 24` is a month of a year; `Dec 31` and `December 24` are days
    ("nlm", r"(?<![a-z])(?P<m>jan|feb|mar|apr|jun|jul|aug|sep|oct|nov|dec)\s(?P<y>[01]\d|2[0-7])(?![\d,a-z])", _monthly),
    ("nlmy", rf"{_B}(?P<y>{_Y4})\s?[-/ ]\s?{_MON}(?![a-z0-9])", _monthly),
    ("nlm", rf"{_B}(?P<d>29|3[01])-{_MON}(?![a-z0-9])", _partial_day),  # 24-Mar may be a month of 2024
    ("nlm", rf"{_B}(?P<y>\d\d)\s?[-/]\s?{_MON}(?![a-z0-9])", _monthly),
    ("nys", rf"{_B}(?P<y>{_Y4})[-/.](?P<m>0[1-9]|1[0-2])(?![\d/.-]){_E}", _monthly),
    ("nys", rf"{_B}(?:(?P<m>0[1-9])\.|(?P<m2>0[1-9]|1[0-2])/)(?P<y>{_Y4})(?![\d/.-]){_E}", _monthly),
    ("nys", rf"{_B}(?P<y>{_Y4})[-/](?P<m>[1-9])(?![\d/.-]){_E}", _monthly),
    # years
    ("nyo", rf"{_B}(?P<a>{_Y4})\s*年?\s*(?P<to>-|~|至|到|to)+\s*(?P<y>{_Y4})\s*(?:年度?)?{_E}(?!-\d)", _year_range),
    ("c民", r"民国\s*(?P<n>\d{2,3})\s*年度?", _republic_year),
    ("nlfs", rf"{_B}{_FY}[-\s']*(?P<a>{_Y4}|\d\d)\s?[/-]\s?'?(?P<y>\d{{4}}|\d\d){_MARK}{_E}", _split_year),
    ("nys", rf"{_B}(?P<a>{_Y4})\s?[/-]\s?(?P<y>\d{{4}}|\d\d){_MARK}{_E}(?!\s*[-/]\s*\d)(?:\s*(?:财政)?年度?)?", _split_year),
    ("nlf", rf"{_B}{_FY}[-\s']*(?P<y>{_Y4}|\d\d){_MARK}{_E}", _fiscal_year),
    ("c财", rf"(?P<y>{_Y4}|{_CNY})\s*(?:年)?\s*(?:财年|财政年度|会计年度)", _fiscal_year),
    ("c财", r"(?<!\d)(?P<y>\d\d)\s*(?:财年|财政年度)", _fiscal_year),
    ("c年", rf"(?:截?[至止]于?\s*)?(?P<y>{_Y4}|{_CNY})\s*年\s*(?:年?[末底])", _year_end),
    ("nlye", rf"(?:year[- ]end|end of)\s+(?P<y>{_Y4}){_E}", _year_end),
    ("c年", rf"(?<![\d.,a-z_])(?P<y>{_Y4}|{_CNY})\s*年(?:全年|度|全年度)?{_NO_LAW_CN}", _fiscal_year),
    ("ny", rf"{_B}(?P<y>{_Y4}){_NO_LAW}{_NO_LAW_CN}{_MARK}(?![a-z0-9_%])(?!-\d)(?![.,]\d)", _fiscal_year),
    # Alone in its cell: 24A, 25E, '26. Of years long past or far off more are codes (12A, 55B) than are years, and 24e is
    # an estimated 24.
    ("nl", r"^\s*'?(?P<y>19|2\d|3[0-5])(?P<capital>(?P<mark>[aef]))\s*$", _fiscal_year),
    ("n", r"^\s*'(?P<y>\d\d)\s*$", _fiscal_year),
    # halves of a period
    ("c月", rf"(?<!\d)(?P<m>{_NUM})\s*月\s*(?P<d>{_NUM}|三十一?)\s*日", _partial_day),
    ("nlm", rf"(?:as\s+(?:at|of)\s+)?(?<![a-z]){_MON}\s+{_DAY}(?!\d)\s*,?", _partial_day),
    ("nlm", rf"(?:as\s+(?:at|of)\s+|\bat\s+|^\s*){_DAY}\s+{_MON}\s*,?", _partial_day),
    ("l", r"^\s*(?:(?:full|total|whole)[- ]year|year[- ]total)\s*$", _whole_year),
    ("c年", r"^\s*全年(?:合计|累计|总计|度|数)?\s*$", _whole_year),
    ("c年", r"(?:全年|本年度?|当年|年度)(?=(?:总)?(?:预算|计划|目标)[数值额]?\s*$)", _year_planned),
    ("c月", r"(?<![\d第])(?P<m>\d{1,2}|[一二三四五六七八九十]|十[一二])\s*月(?:份)?(?![\d一-龥])", _monthly),
    ("c月", r"^\s*(?P<m>\d{1,2})\s*月份?(?=[一-龥])(?![龄期内以之后前起止至到末底初])", _monthly),
    ("lm", rf"^\s*{_MON}\s*$", _monthly),
)  # fmt: skip


@cache
def patterns_for(signs: frozenset[str]) -> tuple[tuple[re.Pattern[str], Reader], ...]:
    """The patterns that can match a text with these signs, most exact first; compiled when first needed."""
    return tuple((_compiled(pattern), read) for needs, pattern, read in ROWS if signs.issuperset(needs))


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)  # for lower case: one that ignores case takes more than twice as long to compile
