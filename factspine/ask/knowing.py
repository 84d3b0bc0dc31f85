"""Questions about what was known at a moment: 截至3月底我们知道的FY2023营收, "revenue FY2023 as known on 31 March".

The day a number is about and the day we knew it are two clocks. Words that set the second one always speak of knowing;
a day without them (截至2024年12月31日的总资产) is the first.
"""

from __future__ import annotations

import re
from calendar import monthrange
from datetime import date
from typing import NamedTuple

_ENGLISH_MONTHS = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)
_MONTH = "|".join(f"{name[:3]}(?:{name[3:]})?" if len(name) > 3 else name for name in _ENGLISH_MONTHS)
_CHINESE_DATE = (
    r"(?:(?P<zy>\d{4})\s*年|(?P<zrel>去年|今年|前年))?\s*"
    r"(?:(?P<zm>\d{1,2})\s*月\s*(?:(?P<zd>\d{1,2})\s*[日号]|(?:底|末|月底|月末))?|(?P<zend>年?[底末]))"
)
_ENGLISH_DATE = (
    r"(?:(?:the\s+)?end\s+of\s+)?(?:(?P<ed>\d{1,2})(?:st|nd|rd|th)?\s+)?(?P<em>" + _MONTH + r")\.?"
    r"(?:\s+(?P<ed2>\d{1,2})(?:st|nd|rd|th)?(?!\d))?(?:,?\s+(?P<ey>\d{4}))?"
)
_ISO = r"(?P<iso>\d{4}-\d{2}(?:-\d{2})?)"
_PATTERNS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        # 截至2025年3月底我们知道的…  在2025-03-31时已知的…
        rf"(?:截至|截止到?|到|在)?\s*(?:{_ISO}|{_CHINESE_DATE})\s*(?:时|为止|之前|前)?\s*[,，]?\s*"
        r"(?:我们|当时|库里|系统|大家)?(?:所|已经?|当时)?(?:知道|已知|知|掌握|了解)(?:到)?的?\s*[,，]?",
        # as known on 31 March · as we knew it at the end of March · known as of 2025-03-31
        rf"[,(]?\s*\bas\s+(?:we\s+)?(?:known|knew\s+it|it\s+was\s+known)\s+(?:on|at|by|as\s+of|in)?\s*(?:{_ISO}|{_ENGLISH_DATE})\)?",
        rf"[,(]?\s*\bknown\s+(?:to\s+us\s+)?(?:as\s+of|on|at|by)\s+(?:{_ISO}|{_ENGLISH_DATE})\)?",
        # what did we know at the end of March about … · as of 2025-03-31 we knew …
        rf"\bwhat\s+did\s+we\s+know\s+(?:on|at|by|as\s+of)\s+(?:{_ISO}|{_ENGLISH_DATE})\s*(?:about|of)?",
        rf"\bas\s+of\s+(?:{_ISO}|{_ENGLISH_DATE})\s*,?\s*we\s+knew\s*(?:about|of)?",
    )
)


class KnownThen(NamedTuple):
    """A question without the words that say when, and the last day of what counts."""

    question: str
    day: date

    def is_day_of(self, moment: str) -> bool:
        """Whether a moment that was given otherwise lies on this day."""
        return str(moment).startswith(self.day.isoformat())

    def note(self, language: str) -> str:
        """What is said with the answer."""
        return f"按截至{self.day}已入库的内容" if language == "zh" else f"as known on {self.day}"


def known_then(question: str, today: date) -> KnownThen | None:
    """The moment a question wants to be answered as of; None where it names none, or none there can be."""
    for pattern in _PATTERNS:
        found = pattern.search(question)
        if found is not None and (day := _day(found.groupdict(), today)) is not None:
            rest = f"{question[: found.start()]} {question[found.end() :]}"
            return KnownThen(" ".join(rest.split()), day)
    return None


def _day(said: dict[str, str | None], today: date) -> date | None:
    """The day that is named, or the last day of the month or year; without a year, the latest that is past."""
    try:
        if iso := said.get("iso"):
            return date.fromisoformat(iso) if len(iso) > len("2025-03") else _last_day(*map(int, iso.split("-")))
        if month_name := said.get("em"):
            month = 1 + next(n for n, name in enumerate(_ENGLISH_MONTHS) if name.startswith(month_name[:3].lower()))
            return _in_past(said.get("ey"), month, said.get("ed") or said.get("ed2"), today)
        year = said.get("zy")
        if relative := said.get("zrel"):
            year = str(today.year - {"今年": 0, "去年": 1, "前年": 2}[relative])
        if said.get("zend"):
            return None if year is None else date(int(year), 12, 31)
        return _in_past(year, int(said.get("zm") or 0), said.get("zd"), today)
    except ValueError:
        return None  # no such day


def _in_past(year: str | None, month: int, day: str | None, today: date) -> date:
    def on(one: int) -> date:
        return date(one, month, int(day)) if day else _last_day(one, month)

    if year is not None:
        return on(int(year))
    return on(today.year) if on(today.year) <= today else on(today.year - 1)


def _last_day(year: int, month: int) -> date:
    return date(year, month, monthrange(year, month)[1])
