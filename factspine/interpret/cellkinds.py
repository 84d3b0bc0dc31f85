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

from factspine.core.tables import RawCell

NUMERIC = frozenset("nqx")  # what stands where a number belongs
HEADING = frozenset("tydrcb")  # what may head a row or a column

_FIRST_YEAR, _LAST_YEAR = 1800, 2100
_CODE = re.compile(r"0\d+")
_RANGE = re.compile(r"[\d\s.,/\-–—−~～:：+×*xX%‰()（）<>≤≥=°'\"]*\d[\d\s.,/\-–—−~～:：+×*xX%‰()（）<>≤≥=°'\"]*")
_UNIT_IN_BRACKETS = re.compile(r"[(（]\s*10{2,}|[(（]\s*10{0,2}(?:,000)+\s*[)）]")
_NUMBER = re.compile(
    r"[(（]?[-+−–]?\s*(?:US|HK|NT|RMB|CNY|USD|HKD|EUR|GBP)?\s*[$€£¥￥]?\s*[-+−–]?"
    r"(?:\d{1,3}(?:[,，]\d{3})+|\d+)?(?:\.\d+)?(?:[eE][-+]?\d+)?\s*[%％‰]?[)）]?[%％]?"
)
_QUANTITY = re.compile(r"[约~≈]?[-+−]?\d[\d,]*(?:\.\d+)?\s*(?P<unit>[^\W\d_][^\d\s]{0,7}|°[CF]?)")
# After a number these make a name of it (the third month, the first of several), not an amount.
_ORDINAL_UNIT = re.compile(r"(?:个?月|季|年|号|日|周|级|类|组|期|届|次|st|nd|rd|th|[HQ]).*")
_PERIOD = re.compile(
    r"(?:FY|CY)?\s*(?:1[89]|20)\d\d\s*(?:年度?|[EAFP]|[HQ][1-4])?|[1-4]Q\d\d|[12]H\d\d|FY\s?\d\d[EAF]?"
    r"|(?:1[89]|20)\d\d\s*[/\-–]\s*(?:(?:1[89]|20)\d\d|\d\d)|(?:1[89]|20)\d\d年(?:第?[一二三四1-4]季度|上半年|下半年|\d\d?月)"
)
_DATE = re.compile(r"(?:1[89]|20)\d\d[-/.年]\d\d?[-/.月]\d\d?日?(?:\s+\d\d?:\d\d(?::\d\d)?)?")
_NULL = re.compile(
    r"[-–—−─]{1,4}|\.{2,4}|…{1,2}|[nN]\.?/?[aA]\.?|[nN]\.?[mM]\.?|\(?[A-Z]\)|[xX]|[NnSs]\.?[AaDd]\.?|不适用|无|/|\*{1,3}|#+"
)
_DIGITS = frozenset("0123456789")

_known: dict[str, str] = {}
_KNOWN_MAX = 50_000


def kind_of(cell: RawCell) -> str:
    """The letter for one cell."""
    if cell.kind == "n":
        return _kind_of_number(cell)
    if cell.kind == "s":
        return kind_of_text(cell.text)
    return {"d": "d", "b": "b"}.get(cell.kind, "x")


def _kind_of_number(cell: RawCell) -> str:
    value = cell.value or ""
    if len(value) == 4 and value.isdecimal() and _FIRST_YEAR <= int(value) <= _LAST_YEAR and "," not in cell.text:
        return "y"
    if cell.text[:1] == "0" and _CODE.fullmatch(cell.text):
        return "c"  # a format of zeros: shown as a name, not as an amount
    return "n"


def kind_of_text(text: str) -> str:
    """The letter for a text cell."""
    kind = _known.get(text)
    if kind is None:
        if len(_known) >= _KNOWN_MAX:
            _known.clear()
        kind = _known[text] = _read_text(text.strip())
    return kind


def _read_text(text: str) -> str:
    if not text or _NULL.fullmatch(text):
        return "x"
    if len(text) > 40 or _DIGITS.isdisjoint(text):
        return "t"
    if _CODE.fullmatch(text):
        return "c"
    if _PERIOD.fullmatch(text):
        return "y"
    if _DATE.fullmatch(text):
        return "d"
    if _UNIT_IN_BRACKETS.fullmatch(text):
        return "t"
    if _NUMBER.fullmatch(text):
        return "n"
    if _RANGE.fullmatch(text):
        return "r"
    if quantity := _QUANTITY.fullmatch(text):
        return "r" if _ORDINAL_UNIT.fullmatch(quantity["unit"]) else "q"
    return "t"
