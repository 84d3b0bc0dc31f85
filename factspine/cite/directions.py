"""Whether the words around a number say that something went up or down: `fell by 12%` and `-12%` agree."""

from __future__ import annotations

import re

_DOWN = (
    r"decreas\w*|declin\w*|f[ea]ll(?:s|en|ing)?|drop\w*|reduc\w*|lower(?:ed)?|down|loss(?:es)?|lost|shr[aiu]nk\w*|"
    r"contract(?:ed|ion)|negative|minus|slump\w*|下降|下跌|减少|降低|下滑|亏损|跌|缩减|回落|负增长|减亏|降幅|同比减|同比降"
)
_UP = (
    r"increas\w*|rose|rises?|risen|rising|gr[eo]w(?:s|n|th|ing)?|gain\w*|up|higher|climb\w*|improv\w*|surg\w*|"
    r"增长|增加|上升|提高|上涨|提升|升幅|增幅|同比增|同比升"
)
_WORD = re.compile(rf"\b(?P<down>{_DOWN})\b|\b(?P<up>{_UP})\b", re.IGNORECASE)
_CHINESE_WORD = re.compile(
    "(?P<down>" + "|".join(w for w in _DOWN.split("|") if not w.isascii()) + ")|"
    "(?P<up>" + "|".join(w for w in _UP.split("|") if not w.isascii()) + ")"
)
_CLAUSE = re.compile(
    r"[,;.](?=\s|$)|[，；。、|\n]|\b(?:while|but|whereas|and|although|versus|compared)\b|而|但", re.IGNORECASE
)
_REACH = 60
_REACH_AFTER = 24


def direction(folded: str, start: int, end: int) -> int:
    """-1 down, 1 up, 0 where the clause says neither: the nearest word before the number, or else right after it."""
    before = folded[max(0, start - _REACH) : start]
    clause = before[max((found.end() for found in _CLAUSE.finditer(before)), default=0) :]
    if (word := _last(clause)) is not None:
        return word
    after = folded[end : end + _REACH_AFTER]
    stop = _CLAUSE.search(after)
    found = _first(after[: stop.start()] if stop else after)
    return found or 0


def _words(text: str) -> list[tuple[int, int]]:
    found = [(match.start(), -1 if match["down"] else 1) for match in _WORD.finditer(text)]
    found += [(match.start(), -1 if match["down"] else 1) for match in _CHINESE_WORD.finditer(text)]
    return sorted(found)


def _last(text: str) -> int | None:
    words = _words(text)
    return words[-1][1] if words else None


def _first(text: str) -> int | None:
    words = _words(text)
    return words[0][1] if words else None
