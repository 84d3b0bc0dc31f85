"""Whether the words around a number say that something went up or down, or was a profit or a loss.

`fell by 12%` and `-12%` agree, and so do `a loss of 5` and `(5)`; `rose by 12%` and `a profit of 5` do not.
"""

from __future__ import annotations

import re

_DOWN = (
    r"decreas\w*|declin\w*|f[ea]ll(?:s|en|ing)?|drop\w*|reduc\w*|lower(?:ed)?|down|lost|shr[aiu]nk\w*|shrinking|"
    r"contract(?:ed|ion)|negative|minus|slump\w*|plung\w*|slip(?:s|ped|ping)?|slid|slides?|sliding|tumbl\w*|dip(?:s|ped)?|"
    r"s[aiu]nk|deteriorat\w*|weaken\w*|下降|下跌|减少|降低|下滑|跌|缩减|回落|负增长|降幅|同比减|同比降|环比减|环比降|"
    r"骤降|锐减|萎缩|下挫|走低|下调|减幅|跌幅"
)
_UP = (
    r"increas\w*|rose|rises?|risen|rising|gr[eo]w(?:s|n|th|ing)?|gain\w*|up|higher|climb\w*|improv\w*|surg\w*|jump\w*|"
    r"soar\w*|advanc(?:ed|es|ing)|rebound\w*|expand\w*|strengthen\w*|增长|增加|上升|提高|上涨|提升|升幅|增幅|涨幅|同比增|"
    r"同比升|环比增|环比升|激增|猛增|大增|攀升|飙升|上扬|走高|上调|回升"
)
_WORD = re.compile(rf"\b(?P<down>{_DOWN})\b|\b(?P<up>{_UP})\b", re.IGNORECASE)
_CHINESE_WORD = re.compile(
    "(?P<down>" + "|".join(w for w in _DOWN.split("|") if not w.isascii()) + ")|"
    "(?P<up>" + "|".join(w for w in _UP.split("|") if not w.isascii()) + ")"
)
_CHANGE = re.compile(r"\b(?:chang(?:e|es|ed)|variance|y-?o-?y|q-?o-?q)\b|变动|变化|同比|环比", re.IGNORECASE)
# A label that leaves open which of the two it is says neither.
_EITHER = re.compile(
    r"\bprofits?\s*(?:and|or|/|&|\()\s*\(?loss(?:es)?\)?|\bloss(?:es)?\s*(?:and|or|/|&)\s*profits?|损益|盈亏|利润[/(（]+亏损",
    re.IGNORECASE,
)
_LOSS = re.compile(r"\bloss(?:es)?\b(?! (?:ratio|rate|of (?:life|control|data)))|亏损|净亏", re.IGNORECASE)
_PROFIT = re.compile(r"(?<![-\w])profits?\b|\bnet income\b|\bsurplus\b|盈利|净利|利润|溢利|盈余", re.IGNORECASE)
_CLAUSE = re.compile(
    r"[,;](?!\d)|\.(?=\s|$)|[，；。、|\n]|\b(?:while|but|whereas|and|although|versus|compared)\b|而|但", re.IGNORECASE
)
_REACH = 60
_REACH_AFTER = 24


def direction(folded: str, start: int, end: int) -> int:
    """-1 down, 1 up, 0 where the clause says neither: the nearest word before the number, or else right after it."""
    if (word := _last(_clause_before(folded, start))) is not None:
        return word
    after = folded[end : end + _REACH_AFTER]
    stop = _CLAUSE.search(after)
    return _first(after[: stop.start()] if stop else after) or 0


def outcome(folded: str, start: int) -> int:
    """-1 where the number is said to be a loss, 1 a profit, 0 where neither or both."""
    clause = _EITHER.sub(" ", _clause_before(folded, start))
    lost, won = bool(_LOSS.search(clause)), bool(_PROFIT.search(clause))
    return 0 if lost == won else -1 if lost else 1


def is_change(folded: str, start: int) -> bool:
    """Whether the number is said to be a change, whose sign then is its direction."""
    clause = _clause_before(folded, start)
    return bool(_CHANGE.search(clause)) and _last(clause) is None


def _clause_before(folded: str, start: int) -> str:
    before = folded[max(0, start - _REACH) : start]
    return before[max((found.end() for found in _CLAUSE.finditer(before)), default=0) :]


def _words(text: str) -> list[tuple[int, int]]:
    found = [(match.start(), -1 if match["down"] else 1) for match in _WORD.finditer(text)]
    found += [(match.start(), -1 if match["down"] else 1) for match in _CHINESE_WORD.finditer(text)]
    return sorted(found)


def directions_in(text: str) -> frozenset[int]:
    """All that a text says of up (1) and down (-1)."""
    return frozenset(way for _, way in _words(text))


def _last(text: str) -> int | None:
    words = _words(text)
    return words[-1][1] if words else None


def _first(text: str) -> int | None:
    words = _words(text)
    return words[0][1] if words else None
