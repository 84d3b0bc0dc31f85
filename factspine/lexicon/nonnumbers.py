"""What stands where a number might, and is none: dashes and 不适用; dates, telephone numbers, identifiers, ranges."""

from __future__ import annotations

import re
from datetime import date

from factspine.lexicon.folding import fold
from factspine.lexicon.unit_grammar import parse_unit

_REASONS = {
    "dash": ("/", "\\", "//", "~", "·", "•"),
    "not_available": (
        "n/a", "n.a.", "n.a", "na", "n. a.", "n/av", "not available", "unavailable", "..", "...", "…", "……", ".", ":",
        "无数据", "暂无", "暂无数据", "缺失", "缺", "未知", "unknown", "(na)", "no data", "n.av.", "nav", "没有数据",
    ),
    "not_applicable": (
        "不适用", "不適用", "not applicable", "n/ap", "n.ap.", "(x)", "x", "xx", "xxx", "×", "inapplicable", "无需",
    ),
    "not_meaningful": ("n.m.", "n.m", "nm", "n/m", "not meaningful", "not material", "无意义", "不具意义", "无可比性"),
    "suppressed": ("*", "**", "***", "****", "(d)", "(s)", "suppressed", "confidential", "withheld", "保密"),
    "negligible": ("(z)", "negligible", "trace", "微量", "-0", "(*)"),
    "nil": ("nil", "none", "无", "null", "(nil)", "空"),
    "pending": ("tbd", "tba", "tbc", "t.b.d.", "待定", "待补充", "待公布", "to be determined", "to be announced"),
    "not_disclosed": ("n.d.", "n/d", "nd", "not disclosed", "未披露", "undisclosed", "不公开"),
    "error": ("#n/a", "#div/0!", "#value!", "#ref!", "#name?", "#num!", "#null!", "#spill!", "#calc!", "err", "error"),
}  # fmt: skip
_NULLS = {fold(text): reason for reason, texts in _REASONS.items() for text in texts}
_LONGEST_NULL = 24


def null_reason(text: str) -> str | None:
    """Why there is no number: dash, not_available, not_applicable, not_meaningful, suppressed …; else None."""
    if len(text) > _LONGEST_NULL:
        return None
    folded = fold(text).strip().casefold()
    if not folded:
        return None
    if not folded.strip("- _"):
        return "dash"
    if folded[0] in "([" and folded[-1] in ")]" and not folded[1:-1].strip("- "):
        return "dash"
    return _NULLS.get(folded)


_D = r"(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{4}|\d{4}[-/]\d{1,2})"
_KINDS = (
    ("date", re.compile(rf"{_D}(?:[ T]\d{{1,2}}:\d\d(?::\d\d(?:\.\d+)?)?)?Z?")),
    ("date", re.compile(r"\d{4}\s*年(?:\s*\d{1,2}\s*月)?(?:\s*\d{1,2}\s*[日号])?(?:度|末|底|初)?")),
    ("date", re.compile(r"\d{1,2}\s*月(?:份|末|底|初)?(?:\s*\d{1,2}\s*[日号])?")),
    ("date", re.compile(r"\d{1,2}[- ][A-Za-z]{3,9}\.?[- ,]{1,2}\d{2,4}|[A-Za-z]{3,9}\.? \d{1,2}, ?\d{4}")),
    ("date", re.compile(r"\d{1,2}/\d{1,2}/\d{2}")),
    ("date", re.compile(rf"{_D}\s*(?:-|~|至|到|to)+\s*(?:{_D}|今|至今|present)")),
    ("time", re.compile(r"(?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d)?(?:\s*[ap]m)?", re.IGNORECASE)),
    ("ratio", re.compile(r"\d+(?:\.\d+)?\s*[:∶]\s*\d+(?:\.\d+)?(?:\s*[:∶]\s*\d+(?:\.\d+)?)*")),
    ("phone_number", re.compile(r"(?:\+?86[- ]?)?1[3-9]\d{9}|(?:\+?86[- ]?)?1[3-9]\d[- ]\d{4}[- ]\d{4}")),
    ("phone_number", re.compile(r"\+\d{1,3}[- ]?(?:\(?\d{1,4}\)?[- ]?){2,5}|\(0\d{2,3}\)\s*\d{7,8}")),
    ("phone_number", re.compile(r"0\d{2,3}[- ]\d{7,8}|\d{4}-\d{7,8}")),
    ("phone_number", re.compile(r"[48]00[- ]\d{3,4}[- ]\d{3,4}|\(\d{3}\)\s*\d{3}-\d{4}|\d{3}-\d{3}-\d{4}")),
    ("range", re.compile(r"[$€£¥]?\d[\d,.]*\s*%?\s*(?:-|~|至|到|to|–)+\s*[$€£¥]?\d[\d,.]*\s*[%\w]{0,6}")),
    ("range", re.compile(
        r"[^\W\d]{0,4}\s*\d[\d,.]*\s*[^\W\d]{0,4}?(?:[及或]?以[内上下外]|之内|(?:年|月|天|日|周)内)(?:\s*\([^()]*\))?")),
    ("version", re.compile(r"[vV]?\d{1,3}\.\d{1,3}\.\d{1,2}(?:\.\d+)?|[vV]\d+(?:\.\d+)*|\d{1,3}(?:\.\d{1,3}){3,}")),
    ("row_number", re.compile(r"\d{1,3}[.、)]|\d{1,3}\s*、|[①-⑳]|(?:\d{1,2}\.){2,}")),
    ("ratio", re.compile(r"\d+\s*/\s*\d+")),
    ("identifier", re.compile(r"0\d+(?:-\d+)*|\d{16,}|\d{17}[\dXx]|\d+(?:-\d+){2,}")),
    ("identifier", re.compile(r"(?=[A-Za-z\d#/_.-]*\d)(?=[A-Za-z\d#/_.-]*[A-Za-z])[A-Za-z#][A-Za-z\d#/_.-]{2,}")),
)  # fmt: skip
_COMPACT_DATE = re.compile(r"(19[5-9]\d|20[0-4]\d)(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])")


def non_number_kind(text: str) -> str | None:
    """What a text of digits is that is not a number; None where it may be one.

    date, time, ratio, phone_number, range, version, row_number or identifier.
    """
    folded = fold(text).strip()
    if not folded or len(folded) > 40:
        return None
    if (compact := _COMPACT_DATE.fullmatch(folded)) is not None and _is_date(compact):
        return "date"
    for kind, pattern in _KINDS:
        if pattern.fullmatch(folded):
            if kind == "identifier" and _is_money(folded):
                continue
            return kind
    return None


_NUMBERS_ALONE = re.compile(r"[\d\s.,;%‰()+±/|$€£¥-]++")
_ONE_NUMBER = re.compile(r"\d[\d.,]*")
# Spaces and dashes alone stand within telephone numbers and codes, too.
_PARTED = re.compile(r"\d\s*%?\s*[(;/|±]|\d%?,\s")
_LONGEST_ROW_OF_NUMBERS = 60


def are_several_numbers(text: str) -> bool:
    """Whether a text is two or more numbers and nothing else: 593 (19.1%). Which of them is meant nobody has said."""
    folded = fold(text).strip() if len(text) <= _LONGEST_ROW_OF_NUMBERS else ""
    if _NUMBERS_ALONE.fullmatch(folded) is None or _PARTED.search(folded) is None:
        return False
    return len(_ONE_NUMBER.findall(folded)) > 1


def _is_date(parts: re.Match[str]) -> bool:
    try:
        date(*(int(part) for part in parts.groups()))
    except ValueError:
        return False
    return True


_MONEY = re.compile(r"[A-Za-z]{2,3}\d[\d.]*[A-Za-z]{0,2}")


def _is_money(text: str) -> bool:
    """`USD100m` has the look of an identifier."""
    if not _MONEY.fullmatch(text):
        return False
    letters = re.match(r"[A-Za-z]+", text)
    unit = parse_unit(letters.group()) if letters else None
    return unit is not None and unit.kind == "currency"
