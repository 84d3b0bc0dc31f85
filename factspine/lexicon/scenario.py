"""Plan or outcome, audited or not, restated or as first reported: the words that say so, taken out of a label.

A word counts only where it stands for itself. 一般公共预算收入 is a kind of revenue and `pension plan` a kind of asset,
so 预算 and plan inside them say nothing about the number.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import NamedTuple

from factspine.lexicon.folding import Signs, any_of, fold, may_say
from factspine.lexicon.tables import names

_new = tuple.__new__  # a named tuple's own constructor takes twice as long


class Scenario(NamedTuple):
    """Marks found in a text, and the text without the words that said them."""

    marks: tuple[str, ...]
    rest: str


@cache
def _patterns() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Words that count anywhere, and words that count at an edge."""
    known = names()
    anywhere_words = "|".join(map(_as_word, known.scenario_anywhere))
    edge_words = "|".join(map(_as_word, known.scenario_edge))
    return (
        re.compile(f"\\(\\s*(?:{anywhere_words})\\s*\\)|{anywhere_words}", re.IGNORECASE),
        re.compile(f"^(?:{edge_words})(?=\\s)|(?<=\\s)(?:{edge_words})$", re.IGNORECASE),
    )


def _as_word(word: str) -> str:
    return rf"\b{re.escape(word)}\b" if word.isascii() else re.escape(word)


@cache
def scenario_signs() -> Signs:
    """What every text has that says a mark."""
    return Signs.of(names().scenario_marks)


_PLANS = frozenset({"budget", "forecast", "estimate", "target"})
_ENDING_CHARACTERS = 3  # 预算 ends the name of a kind of revenue, 预算数 says what the number is


@cache
def _endings() -> tuple[tuple[str, str], ...]:
    """Chinese words that say plan or outcome at the end of a longer one, which keeps them: 年初预算数, 费用预算表."""
    return tuple(
        (word, mark)
        for word, mark in names().scenario_marks.items()
        if mark in _PLANS | {"actual"} and not word.isascii() and len(word) >= _ENDING_CHARACTERS
    )


# What has been done is no plan, whatever the table is called: 累计完成投资 in a 投资计划表.
_DONE = re.compile(r"(?:已|累计|实际)(?:完成|执行|发生|支出|支付|投入|到位)")
# What is planned, in a word that begins with the plan: 计划投资, 计划产量.
_PLANNED = re.compile(
    r"(?:年度|本年|全年|本月)?计划(?:总)?(?:投资|产量|产值|销量|销售|收入|支出|费用|采购|数|人数|人次|金额|招生|工时|面积|任务"
    r"|用量|出货|完成(?!率|情况|比|度|进度))"
)
_PLANNED_EN = re.compile(
    r"plan(?:ned)? (?:costs?|revenues?|sales|volumes?|qty|quantit(?:y|ies)|hours|amounts?|values?|expenses|output|units"
    r"|fte)",
    re.IGNORECASE,
)
_RELATIVE = frozenset({"current_period", "prior_period"})
# `vs budget` and `budget variance` are no budgets.
_COMPARED_WITH = re.compile(
    r"(?:\b(?:vs\.?|versus|against|over|under|to|from|of|remaining|unspent|unused|available)|/)\s*$", re.IGNORECASE
)
_COMPARISON = re.compile(
    r"\s*(?:variances?|var\.?|vs\.?|versus|attainment|achievement|achieved|differences?|diff\.?|deltas?|utili[sz]ation"
    r"|utili[sz]ed|used|spent|consumed|remaining|unspent|balance|execution)\b",
    re.IGNORECASE,
)
_AGAINST = re.compile(
    r"(?i:\b(?:variances?|vs\.?|versus|differences?|diff\.?|deltas?|attainment|achievement|over\s?/\s?\(?under\)?)(?!\w))"
    r"|\b(?:VAR|[Vv]ar)\b(?!iable)|^\W*[Δ∆]|(?i:(?:%|percent|share) of (?:the )?(?:budget|plan|target|forecast)\b)"
    r"|(?i:^\s*(?:amounts? |total |funds? )?(?:spent|expended|disbursed|incurred|paid|received|collected)\b)"
    r"|(?i:\b(?:expenditure|spend|spending|disbursements?) (?:to date|ytd)\b|\boutturn\b)"
    r"|(?i:^\s*(?:remaining |closing )?balance\b|^\s*% (?:spent|used|executed|achieved|consumed)|\bburn rate\b)"
    r"|(?i:\b(?:remaining|unspent|unused) (?:budget|funds?)\b|\bbudget (?:remaining|unspent|utili[sz]ation|balance)\b)"
    r"|差\s*异|偏\s*差|差\s*额|增\s*减|完成(?:率|比例|度|进度)|达成率|达标率|执行(?:率|进度)|超支|结余率|使用率|支出进度"
    r"|(?:较|比|与|占)(?:年初|年度|全年|调整)?(?:预算|计划|目标)",
)


# One of these words has every label in Latin script that the pattern fits.
_AGAINST_WORDS = any_of(
    "variance variances vs versus difference differences diff delta deltas attainment achievement over var budget plan"
    " target forecast spent expended disbursed incurred paid received collected expenditure spend spending disbursement"
    " disbursements outturn balance used executed achieved consumed burn fund funds"
)


@lru_cache(maxsize=16384)
def is_against(text: str) -> bool:
    """Whether a label says what became of a plan or how far off it was: neither is planned, under whatever title."""
    return ("%" in text or may_say(text, _AGAINST_WORDS)) and _AGAINST.search(text) is not None


@lru_cache(maxsize=4096)
def _two_marks(word: str) -> tuple[str, ...]:
    """上年同期累计, 本月预算: which period, and what of it; () where a word is not wholly these two."""
    marks = names().scenario_marks
    for cut in range(2, len(word) - 1):
        first, second = marks.get(word[:cut], ""), marks.get(word[cut:], "")
        if first in _RELATIVE and second and second not in _RELATIVE:
            return first, second
    return ()


_SEGMENT = re.compile(r"[^()\[\],;:/|\n-]+")


@lru_cache(maxsize=16384)
def take_marks(text: str) -> Scenario:
    """The scenario marks of a label (without its period and unit) and what remains of it."""
    folded = fold(text)
    if not scenario_signs().are_in(folded):
        return _new(Scenario, ((), text))
    anywhere, edge = _patterns()
    marks = names().scenario_marks
    found: list[str] = []
    rest = list(text)

    def take(start: int, end: int, word: str) -> None:
        found.append(marks[word.strip("() ").lower()])
        rest[start:end] = " " * (end - start)

    for match in anywhere.finditer(folded):
        take(*match.span(), match.group())
    folded = fold("".join(rest))
    for match in _SEGMENT.finditer(folded):
        word = match.group().strip().lower()
        if word in marks:
            take(*match.span(), word)
        elif word.isascii():
            found.extend(["budget"] if _PLANNED_EN.fullmatch(word) else [])
        else:
            found.extend(mark for ending, mark in _endings() if word.endswith(ending))
            found.extend(["actual"] if _DONE.search(word) else [])
            found.extend(["budget"] if _PLANNED.match(word) else [])
            if two := _two_marks(word):
                found.extend(two)
                rest[match.start() : match.end()] = " " * (match.end() - match.start())
    first = len(folded) - len(folded.lstrip())
    edges = fold("".join(rest)).strip()
    for match in edge.finditer(edges):
        if folded.strip() == match.group():
            continue
        if _COMPARED_WITH.search(edges, 0, match.start()) or _COMPARISON.match(edges, match.end()):
            continue
        take(first + match.start(), first + match.end(), match.group())
    if not found:
        return Scenario((), text)
    return Scenario(tuple(dict.fromkeys(found)), "".join(rest))
