"""Numbers that are not written as numbers: 三成, two-thirds of, half the, doubled, 翻番, thousands of, 数百家, 十三家.

Whoever may not invent a digit must not invent `two-thirds` either, so these are read like digits are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Literal, NamedTuple

from factspine.lexicon.numerals import small_number

WordedKind = Literal["share", "multiple", "magnitude", "count", "ordinal"]


class Worded(NamedTuple):
    """One number in words. A share is in per cent, a multiple a factor, a magnitude a power of ten."""

    start: int
    end: int
    kind: WordedKind
    value: Decimal
    slack: Decimal = Decimal(0)  # how far from what it stands for it may be
    bound: int = 0  # -1 where what it stands for is less, 1 where it is more


_FRACTION_SLACK = Decimal("0.75")
_HALF_SLACK = Decimal(25)  # of `more than half`, `nearly half`
_TENTHS_SLACK = Decimal(1)
_NUMERAL = "一二两三四五六七八九十壹贰叁肆伍陆柒捌玖拾"
_TENTHS = re.compile(
    rf"(?<![{_NUMERAL}百千万构完集组形生养变])([{_NUMERAL[:10]}])成(半|[一二三四五六七八九])?(?![为立员功本人交长果品分型不就绩熟])"
)
_PARTS = re.compile(rf"(?<!百)(?<!千)(?<!万)([{_NUMERAL}]{{1,3}}|[千万]|\d{{1,2}})分之([{_NUMERAL}]{{1,3}}|\d{{1,2}})")
_HALF = re.compile(r"(?P<over>过半数?|超过?一半|多于一半)|(?P<under>近半数?|接近一半|不到一半|不足一半)|一半|半数")
_ENGLISH_HALF = re.compile(
    r"(?P<over>\b(?:more than|over) )?(?P<under>\b(?:less than|under|nearly|almost|just under) )?"
    r"(?<!first )(?<!second )(?<!last )(?<!other )(?<!latter )(?<!this )(?<!next )"
    r"\b(?:one[- ]half|half)(?: of\b| (?=(?:the|its|our|their|all)\b))(?! (?:the )?(?:year|\d{4}))",
    re.IGNORECASE,
)
_ENGLISH_PART = re.compile(
    r"\b(?P<of>a|one|two|three|four|five|seven|nine)[- ](?P<part>third|quarter|fifth|sixth|eighth|tenth)s?"
    r"(?= of\b)(?! of (?:the )?(?:year|\d{4}))|"
    r"(?<=\bby )(?:(?:about|nearly|almost|over|more than|around|roughly) )?"
    r"(?P<by>a|one|two|three|four)[- ](?P<fraction>third|quarter|fifth|sixth|eighth|tenth)s?\b|"
    r"(?<![\d/.])(?P<top>[1-9])/(?P<bottom>[2-9]|10)(?![\d/])(?= of\b|的)",
    re.IGNORECASE,
)
_COUNTS = {"a": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "seven": 7, "nine": 9, "ten": 10}
_PARTS_OF = {"third": 3, "quarter": 4, "fifth": 5, "sixth": 6, "eighth": 8, "tenth": 10}
_MULTIPLES = tuple(
    (re.compile(pattern, re.IGNORECASE), Decimal(factor))
    for pattern, factor in (
        (r"\bdoubl(?:ed|ing)\b|\b(?:two|2)-?fold\b|翻了?一?番|翻倍|翻了?一倍|(?:增长|增加|提高|上升)了?一倍", "2"),
        (r"\b(?:tripl|trebl)(?:ed|ing)\b|\b(?:three|3)-?fold\b", "3"),
        (r"\bquadrupl(?:ed|ing)\b|\b(?:four|4)-?fold\b|翻了?两番", "4"),
        (r"\b(?:five|5)-?fold\b", "5"),
        (r"\b(?:ten|10)-?fold\b", "10"),
        (r"\bhalv(?:ed|ing)\b|减半|腰斩", "0.5"),
    )
)
_POWERS = {"ten": 1, "dozen": 1, "score": 1, "hundred": 2, "thousand": 3, "million": 6, "billion": 9, "trillion": 12}
_ENGLISH_MAGNITUDE = re.compile(
    r"(?<!in )(?<!\()\b(ten|dozen|score|hundred|thousand|million|billion|trillion)s"
    r"(?: of (hundred|thousand|million|billion)s)? of\b",
    re.IGNORECASE,
)
_CHINESE_POWERS = {"十": 1, "百": 2, "千": 3, "万": 4, "亿": 8}
_CHINESE_MAGNITUDE = re.compile(
    r"(?:[数几上逾近超]|超过|将近)([十百千万亿])([万亿]?)[余多]?(?=[家人名个项间元户位次款件台辆座宗笔天])"
)
_CLASSIFIER = r"[家个名间项宗座款艘架辆台倍天人户栋套笔处]"
_CHINESE_COUNT = re.compile(
    rf"(?<![第初百千万亿零\d.数几上{_NUMERAL}])([一二两三四五六七八九壹贰叁肆伍陆柒捌玖]?[十拾廿卅][{_NUMERAL[:10]}壹贰叁肆伍陆柒捌玖]?|"
    rf"[二两三四五六七八九])(?={_CLASSIFIER})"
)
_DOZEN = re.compile(r"\b(half a|a|one|two|three)[- ]dozen\b", re.IGNORECASE)
_DOZENS = {"half a": 6, "a": 12, "one": 12, "two": 24, "three": 36}
_CHINESE_ORDINAL = re.compile(r"第([一二三四五六七八九十]{1,2})(?![季节章条期阶批届步至]|[一二三四五六七八九十])")


def find_worded(folded: str) -> list[Worded]:
    """Every number of a folded text that is said in such words, in order of place."""
    finders = (_shares, _multiples, _magnitudes, _counts)
    return sorted(found for finder in finders for found in finder(folded))


def _shares(folded: str) -> Iterator[Worded]:
    for found in _TENTHS.finditer(folded):
        tenths = small_number(found[1])
        if tenths is not None:
            more = 5 if found[2] == "半" else small_number(found[2]) if found[2] else 0
            value = Decimal(tenths * 10 + (more or 0))
            yield Worded(*found.span(), "share", value, _TENTHS_SLACK)
    for found in _PARTS.finditer(folded):
        parts, of = _denominator(found[1]), small_number(found[2])
        if parts and of is not None:
            yield _fraction(found, of, parts)
    for pattern in (_HALF, _ENGLISH_HALF):
        for found in pattern.finditer(folded):
            bound = 1 if found["over"] else -1 if found["under"] else 0
            yield Worded(*found.span(), "share", Decimal(50), _HALF_SLACK if bound else _TENTHS_SLACK, bound)
    for found in _ENGLISH_PART.finditer(folded):
        if found["by"]:
            yield _fraction(found, _COUNTS[found["by"].lower()], _PARTS_OF[found["fraction"].lower()])
        elif found["of"]:
            yield _fraction(found, _COUNTS[found["of"].lower()], _PARTS_OF[found["part"].lower()])
        else:
            yield _fraction(found, int(found["top"]), int(found["bottom"]))


def _denominator(text: str) -> int | None:
    return {"千": 1000, "万": 10000}.get(text) or small_number(text)


def _fraction(found: re.Match[str], top: int, bottom: int) -> Worded:
    value = Decimal(100 * top) / Decimal(bottom)
    return Worded(*found.span(), "share", value, min(_FRACTION_SLACK, value / 100))


def _multiples(folded: str) -> Iterator[Worded]:
    for pattern, factor in _MULTIPLES:
        for found in pattern.finditer(folded):
            yield Worded(*found.span(), "multiple", factor)


def _magnitudes(folded: str) -> Iterator[Worded]:
    for found in _ENGLISH_MAGNITUDE.finditer(folded):
        power = _POWERS[found[1].lower()] + (_POWERS[found[2].lower()] if found[2] else 0)
        yield Worded(*found.span(), "magnitude", Decimal(10) ** power)
    for found in _CHINESE_MAGNITUDE.finditer(folded):
        power = _CHINESE_POWERS[found[1]] + (_CHINESE_POWERS[found[2]] if found[2] else 0)
        yield Worded(*found.span(), "magnitude", Decimal(10) ** power)


def _counts(folded: str) -> Iterator[Worded]:
    for found in _CHINESE_COUNT.finditer(folded):
        value = small_number(found[1].replace("廿", "二十").replace("卅", "三十"))
        if value is not None:
            yield Worded(*found.span(), "count", Decimal(value))
    for found in _DOZEN.finditer(folded):
        yield Worded(*found.span(), "count", Decimal(_DOZENS[found[1].lower()]))
    for found in _CHINESE_ORDINAL.finditer(folded):
        value = small_number(found[1])
        if value is not None:
            yield Worded(*found.span(), "ordinal", Decimal(value))
