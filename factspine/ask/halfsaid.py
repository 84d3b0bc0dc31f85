"""Quarters, halves and months said without their year, where the documents asked of tell of those of one year only.

`3月销售额`, asked of a report on the first half of 2024, can only mean March 2024. The year is put in, and the answer
says so; where there are two such years, or none, the question is asked back.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from factspine.lexicon.periods import PartialPeriod, find_partial

_NUMERAL = r"(?:\d{1,2}|十[一二]?|[一二三四五六七八九])"
# In a Chinese question words touch a period on both sides, where a label would end.
_HAN_PART = re.compile(
    rf"(?<![\d零〇一二三四五六七八九十年第个几两数]){_NUMERAL}月?(?:份)?[-~至到]{_NUMERAL}月(?:份)?"
    rf"|(?<![\d零〇一二三四五六七八九十年第个几两数]){_NUMERAL}月(?:份)?(?![\d球饼亮])"
    r"|[上下]半年|第?[一二三四1-4]季度"
)
_SIGNS = {"M": "-", "Q": "Q", "HY": "H"}


class Dated(NamedTuple):
    """A question with the year put in."""

    text: str
    year: str


def years_of_part(part: PartialPeriod, periods: set[tuple[str, str]]) -> set[str]:
    """The years of which there is this quarter, half or month; of the months up to one, every one of them."""
    if part.period_type == "YTD":
        months = [part._replace(period_type="M", number=number) for number in range(1, part.number + 1)]
        return set.intersection(*(years_of_part(month, periods) for month in months)) if months else set()
    sign = _SIGNS.get(part.period_type, "")
    return {
        period[:4]
        for kind, period in periods
        if sign and kind == part.period_type and period[4:5] == sign and int(period[5:]) == part.number
    }


def half_said(text: str) -> list[tuple[int, int, PartialPeriod]]:
    """The quarters, halves and months of a text that names no year, each with its place."""
    found = [(*match.span(), find_partial(match.group())) for match in _HAN_PART.finditer(text)]
    if found:
        return [(start, end, part) for start, end, part in found if part is not None]
    at, parts = 0, []
    while (part := find_partial(text[at:])) is not None:
        parts.append((at + part.span_start, at + part.span_end, part))
        at += part.span_end
    return parts


def dated(folded: str, years: Callable[[PartialPeriod], set[str]]) -> Dated | None:
    """The question with the only year there is; None where there is none, or more than one."""
    parts = half_said(folded)
    found: set[str] = set()
    text = folded
    for start, end, part in reversed(parts):
        found |= (own := years(part))
        if len(own) != 1 or len(found) != 1:
            return None
        said, year = folded[start:end], next(iter(own))
        text = text[:start] + (f"{said} {year}" if said.isascii() else f"{year}年{said}") + text[end:]
    return Dated(text, found.pop()) if found else None
