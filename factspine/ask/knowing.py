"""Questions about what was known at a moment: 截至3月底我们知道的FY2023营收, "revenue FY2023 as known on 31 March".

The day a number is about and the day we knew it are two clocks. Words that set the second one always speak of knowing;
a day without them (截至2024年12月31日的总资产) is the first.
"""

from __future__ import annotations

import re
from calendar import monthrange
from datetime import date, timedelta
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
_CHINESE_RELATIVE = (
    r"(?P<zr>今[天日]|昨[天日]|前[天日]|(?<!上)上个?(?:周|星期|月|季度?)|(?<!大)[去前]年)末?底?"
    r"|(?P<zago>\d{1,3})\s*天[以之]?前"
)
_ENGLISH_DATE = (
    r"(?:(?:the\s+)?end\s+of\s+)?(?:(?P<ed>\d{1,2})(?:st|nd|rd|th)?\s+)?(?P<em>" + _MONTH + r")\.?"
    r"(?:\s+(?P<ed2>\d{1,2})(?:st|nd|rd|th)?(?!\d))?(?:,?\s+(?P<ey>\d{4}))?"
)
_ENGLISH_RELATIVE = (
    r"(?:(?:the\s+)?end\s+of\s+)?(?:(?P<er>today|yesterday|last\s+(?:week|month|quarter|year))|(?P<eyear>\d{4})(?![-\d]))"
    r"|(?P<eago>\d{1,3})\s+days?\s+ago"
)
_ISO = r"(?P<iso>\d{4}-\d{2}(?:-\d{2})?)"
_RUN = r"(?:run|revision|运行|批次|修订|版本)\s*(?P<run>(?=[0-9a-f]*\d)[0-9a-f]{6,64})(?![0-9a-z])"
_CHINESE = rf"(?:{_ISO}|{_RUN}|{_CHINESE_DATE}|{_CHINESE_RELATIVE})"
_ENGLISH = rf"(?:{_ISO}|{_RUN}|{_ENGLISH_DATE}|{_ENGLISH_RELATIVE})"
_KNOWING = r"(?:我们|当时|库里|系统|大家)?(?:所|已经?|当时)?(?:知道|已知|知|掌握|了解)"
_AT = r"(?:as\s+of|on|at|by|in|after)"
_PATTERNS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        # 截至2025年3月底我们知道的…  在2025-03-31时已知的…
        rf"(?:截至|截止到?|到|在)?\s*{_CHINESE}\s*(?:时|为止|之前|前|之后|后)?\s*[,，]?\s*{_KNOWING}(?:到)?的?\s*[,，]?",
        # as known on 31 March · as we knew it at the end of March · known as of 2025-03-31
        rf"[,(]?\s*\bas\s+(?:we\s+)?(?:known|knew\s+it|it\s+was\s+known)\s+{_AT}?\s*{_ENGLISH}\)?",
        rf"[,(]?\s*\bknown\s+(?:to\s+us\s+)?{_AT}\s+{_ENGLISH}\)?",
        # what did we know at the end of March about … · as of 2025-03-31 we knew …
        rf"\bwhat\s+did\s+we\s+know\s+(?:{_AT}\s+)?{_ENGLISH}\s*(?:about|of)?",
        rf"\bwhat\s+did\s+we\s+know\s+(?:about|of)\s+(?P<asked>.+?)\s+(?:{_AT}\s+)?{_ENGLISH}(?=\s*\??\s*$)",
        rf"\bas\s+of\s+{_ENGLISH}\s*,?\s*we\s+knew\s*(?:about|of)?",
    )
)
# Words that set the second clock, whether or not a moment can be made of what stands with them.
_SPOKEN_OF = re.compile(
    rf"截[至止]到?[^,，。?？;；]{{1,20}}?{_KNOWING}|\bas\s+(?:we\s+)?(?:known|knew)\b|\bknown\s+(?:to\s+us\s+)?(?:as\s+of|by)\b"
    r"|\bwhat\s+did\s+we\s+know\b",
    re.IGNORECASE,
)


class KnownThen(NamedTuple):
    """A question without the words that say when, and the last of what counts: a day, a run or a revision."""

    question: str
    moment: str

    def is_day_of(self, moment: str) -> bool:
        """Whether a moment that was given otherwise lies on this day."""
        return str(moment).startswith(self.moment)

    def note(self, language: str) -> str:
        """What is said with the answer."""
        return f"按截至{self.moment}已入库的内容" if language == "zh" else f"as known on {self.moment}"


def known_then(question: str, today: date) -> KnownThen | None:
    """The moment a question wants to be answered as of; None where it names none, or none there can be."""
    for pattern in _PATTERNS:
        found = pattern.search(question)
        if found is None:
            continue
        said = found.groupdict()
        day = _day(said, today)
        moment = said.get("run") or (day.isoformat() if day is not None else "")
        if moment:
            rest = f"{question[: found.start()]} {said.get('asked') or ''} {question[found.end() :]}"
            return KnownThen(" ".join(rest.split()), moment.lower())
    return None


def moment_spoken_of(question: str) -> str:
    """The words that speak of when something was known; empty where there are none."""
    found = _SPOKEN_OF.search(question)
    return found.group() if found else ""


def _day(said: dict[str, str | None], today: date) -> date | None:
    """The day that is named, or the last day of the month or year; without a year, the latest that is past."""
    try:
        if iso := said.get("iso"):
            return date.fromisoformat(iso) if len(iso) > len("2025-03") else _last_day(*map(int, iso.split("-")))
        if month_name := said.get("em"):
            month = 1 + next(n for n, name in enumerate(_ENGLISH_MONTHS) if name.startswith(month_name[:3].lower()))
            return _in_past(said.get("ey"), month, said.get("ed") or said.get("ed2"), today)
        if end_of := said.get("eyear"):
            return date(int(end_of), 12, 31)
        if (relative := _relative_day(said, today)) is not None:
            return relative
        year = said.get("zy")
        if name := said.get("zrel"):
            year = str(today.year - {"今年": 0, "去年": 1, "前年": 2}[name])
        if said.get("zend"):
            return None if year is None else date(int(year), 12, 31)
        return _in_past(year, int(said.get("zm") or 0), said.get("zd"), today)
    except (ValueError, OverflowError):
        return None  # no such day


def _relative_day(said: dict[str, str | None], today: date) -> date | None:
    """A day named by its distance from today; of a week, month, quarter or year its last one."""
    if ago := said.get("zago") or said.get("eago"):
        return today - timedelta(days=int(ago))
    name = (said.get("zr") or said.get("er") or "").lower().replace("个", "")
    if not name:
        return None
    if name in ("today", "今天", "今日"):
        return today
    if name in ("yesterday", "昨天", "昨日"):
        return today - timedelta(days=1)
    if name in ("前天", "前日"):
        return today - timedelta(days=2)
    if name.endswith(("week", "周", "星期")):
        return today - timedelta(days=today.isoweekday())
    if name.endswith(("quarter", "季度", "季")):
        return today.replace(month=(today.month - 1) // 3 * 3 + 1, day=1) - timedelta(days=1)
    if name.endswith(("month", "月")):
        return today.replace(day=1) - timedelta(days=1)
    return date(today.year - (2 if name == "前年" else 1), 12, 31)


def _in_past(year: str | None, month: int, day: str | None, today: date) -> date:
    def on(one: int) -> date:
        return date(one, month, int(day)) if day else _last_day(one, month)

    if year is not None:
        return on(int(year))
    return on(today.year) if on(today.year) <= today else on(today.year - 1)


def _last_day(year: int, month: int) -> date:
    return date(year, month, monthrange(year, month)[1])
