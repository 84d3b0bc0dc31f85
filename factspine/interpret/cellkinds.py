"""What kind of thing one cell holds, as far as its own content tells: the ground on which bands and axes are found.

A kind is one letter, so that a row or a column of a table is a short string that can be counted:

    n  a number                       q  a number with its unit in words (54.1 m, 298人)
    x  a stand-in for a number        y  a bare year or another period
    d  a date                         c  a code: digits that are a name (007, 00000)
    r  digits that are no one number (10-40, 230/50/60, 3月, 1st, a telephone number)
    t  any other text                 b  true or false
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from factspine.core.tables import RawCell
from factspine.lexicon.nonnumbers import non_number_kind, null_reason
from factspine.lexicon.numbers import NumberReading, read_number
from factspine.lexicon.periods import is_period_label

NUMERIC = frozenset("nqx")  # what stands where a number belongs
HEADING = frozenset("tydrcb")  # what may head a row or a column

_FIRST_YEAR, _LAST_YEAR = 1800, 2100
_CODE = re.compile(r"0\d+")
_RANGE = re.compile(r"[\d\s.,/\-–—−~～:：+×*xX%‰()（）<>≤≥=°'\"]*\d[\d\s.,/\-–—−~～:：+×*xX%‰()（）<>≤≥=°'\"]*")
_UNIT_IN_BRACKETS = re.compile(r"[(（]\s*10{2,}|[(（]\s*10{0,2}(?:,000)+\s*[)）]")
_QUANTITY = re.compile(r"[约~≈]?[-+−]?\d[\d,]*(?:\.\d+)?\s*(?P<unit>[^\W\d_][^\d\s]{0,7}|°[CF]?)")
# After a number these make a name of it (the third month, the first of several), not an amount.
_ORDINAL_UNIT = re.compile(r"(?:个?月|季|年|号|日|周|级|类|组|期|届|次|st|nd|rd|th|[HQ]).*")
# How old, how long, how many: the name of a class, whatever stands in it.
_CLASS = re.compile(r"\d{1,3}\s*(?:个?月|年|天|日|周|岁)\s*(?:[(（]含[^()（）]{1,6}[)）])?(?:及?以[内上下]|内)")
_DATE = re.compile(r"(?:1[89]|20)\d\d年\d\d?月\d\d?[日号]")
# 2023年执行数 and 1-9月完成投资 head a column; 3个月以内 is a stretch.
_YEAR_AND_WORDS = re.compile(
    r"(?:1[89]|20)\d\d年度?[^\d\s]{2,}"
    r"|(?:\d{1,2}月?\s*[-~至—–]\s*)?\d{1,2}(?:月份?|季度)(?![以内至到及前后])[^\d\s]{2,}"
)
# Numbers that can be nothing else (2024 and 2024.3 can): most text cells that are numbers need no closer look.
_PLAIN_NUMBER = re.compile(r"-?(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|[1-9]\d{0,2}(?:\.\d+)?|0\.\d+)%?", re.ASCII)
_DIGITS = frozenset("0123456789")
_NARROW = {ord(wide): narrow for wide, narrow in zip("０１２３４５６７８９，．％－", "0123456789,.%-", strict=True)}
_LONGEST_VALUE = 40
_NON_NUMBERS = {"date": "d", "time": "d", "ratio": "r", "phone_number": "r", "range": "r"}
# Units that are words beside the number rather than signs of it: such a cell may as well be a name (3 years, 2次).
_WORDY_UNITS = frozenset({"count", "physical", "time"})

_known: dict[str, str] = {}
_KNOWN_MAX = 50_000


def kinds_of(cells: Iterable[RawCell]) -> list[str]:
    """The letters for many cells; most hold numbers that can be nothing else."""
    known, is_plain = _known.get, _PLAIN_NUMBER.fullmatch
    return [
        (known(text) or ("n" if len(text) <= _LONGEST_VALUE and is_plain(text) else kind_of_text(text)))
        if kind == "s"
        else "n"
        if kind == "n" and value and len(value) != 4 and text[:1] != "0"
        else _kind_of_value(text, kind, value)
        for _, _, text, kind, value, _ in cells
    ]


def _kind_of_value(text: str, kind: str, value: str | None) -> str:
    if kind != "n":
        return kind if kind in "db" else "x"
    if value and len(value) == 4 and value.isdecimal() and _is_year(value) and "," not in text:
        return "y"
    if text[:1] == "0" and _CODE.fullmatch(text):
        return "c"  # a format of zeros: shown as a name, not as an amount
    return "n"


def _is_year(digits: str) -> bool:
    return _FIRST_YEAR <= int(digits) <= _LAST_YEAR


def kind_of_text(text: str) -> str:
    """The letter for a text cell."""
    kind = _known.get(text)
    if kind is None:
        if len(_known) >= _KNOWN_MAX:
            _known.clear()
        kind = _known[text] = _read_text(text.strip())
    return kind


def _read_text(text: str) -> str:
    if not text.isascii():
        text = text.translate(_NARROW)
    if _PLAIN_NUMBER.fullmatch(text) and len(text) <= _LONGEST_VALUE:
        return "n"
    if not text or null_reason(text) is not None:
        return "x"
    if len(text) > _LONGEST_VALUE:
        return "t"
    if _DIGITS.isdisjoint(text):
        return "y" if is_period_label(text) else "t"
    if _CODE.fullmatch(text):
        return "c"
    if _UNIT_IN_BRACKETS.fullmatch(text):
        return "t"
    kind = non_number_kind(text)
    if kind == "date" or _DATE.fullmatch(text):
        return "d"
    if is_period_label(text):
        return "y"
    if _YEAR_AND_WORDS.fullmatch(text):
        return "t"
    if kind is not None:
        return _NON_NUMBERS.get(kind, "t")
    if _CLASS.fullmatch(text):
        return "r"
    if (number := read_number(text)) is not None:
        return _kind_with_unit(number, text)
    if _RANGE.fullmatch(text):
        return "r"
    if quantity := _QUANTITY.fullmatch(text):
        return "r" if _ORDINAL_UNIT.fullmatch(quantity["unit"]) else "q"
    return "t"


def _kind_with_unit(number: NumberReading, text: str) -> str:
    if number.unit is None:
        return "n"
    if text[:4].isdecimal() and not text[4:5].isdecimal() and _is_year(text[:4]):
        return "r"  # "2016 dollars" says of which year the dollars are
    return "q" if number.unit.kind in _WORDY_UNITS else "n"
