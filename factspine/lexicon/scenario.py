"""Plan or outcome, audited or not, restated or as first reported: the words that say so, taken out of a label.

A word counts only where it stands for itself. 一般公共预算收入 is a kind of revenue and `pension plan` a kind of asset,
so 预算 and plan inside them say nothing about the number.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import NamedTuple

from factspine.lexicon.folding import Signs, fold
from factspine.lexicon.tables import names


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


_SEGMENT = re.compile(r"[^()\[\],;:/|\n-]+")


@lru_cache(maxsize=16384)
def take_marks(text: str) -> Scenario:
    """The scenario marks of a label (without its period and unit) and what remains of it."""
    folded = fold(text)
    if not scenario_signs().are_in(folded):
        return Scenario((), text)
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
    first = len(folded) - len(folded.lstrip())
    for match in edge.finditer(fold("".join(rest)).strip()):
        if folded.strip() == match.group():
            continue
        take(first + match.start(), first + match.end(), match.group())
    if not found:
        return Scenario((), text)
    return Scenario(tuple(dict.fromkeys(found)), "".join(rest))
