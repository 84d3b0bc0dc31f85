"""How much of a question a text accounts for: its words, weighted by how rare they are in the index."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from collections.abc import Set as AbstractSet
from functools import lru_cache
from types import MappingProxyType

from factspine.lexicon.attributes import other_names
from factspine.lexicon.folding import fold
from factspine.narrative.analyzer import query_words, words
from factspine.narrative.asking import asked_for

_ENDING = re.compile(r"(?:ies|ing|edly|ed|es|s|ly)$")
_CHINESE = re.compile(r"[㐀-鿿]+")
_SPREAD = re.compile(r"(?<=[㐀-鿿])\s+(?=[㐀-鿿])")
# A number that names one of many: the 1 of 1号 stands in many a date, 1号 does not.
_NUMBERED = re.compile(r"\d+(?=[号號楼樓期班级級区區栋棟类類组組线線層层#])[^\d]")
_STEM_MIN = 3
_AGENT = re.compile(r"(?<=[a-z]{3})(?:er|or|ion|ment)$")
_NUMBER_WEIGHT = 2.0


def stem(word: str) -> str:
    """An English word without its ending, as coarse as comparing words of one question with one text may be."""
    if not word.isascii() or not word.isalpha() or len(word) <= _STEM_MIN:
        return word
    cut = _ENDING.sub("", word)
    cut = cut if len(cut) >= _STEM_MIN else word
    # mov(e), moved, moving; stopp(ed) and stop.
    return (
        cut[:-1] if cut.endswith("e") or (len(cut) > _STEM_MIN and cut[-1] == cut[-2] and cut[-1] not in "ls") else cut
    )


def closed_up(text: str) -> str:
    """A text, folded, whose characters are not spread to fill a cell: 父　亲."""
    return _SPREAD.sub("", fold(text))


@lru_cache(maxsize=8192)
def forms(text: str) -> frozenset[str]:
    """What a text can be recognised by: stems of words, whole Chinese words and their neighbouring characters."""
    text = closed_up(text)
    found = {stem(word) for word in words(text)}
    for run in _CHINESE.findall(text):
        found.update(run[at : at + 2] for at in range(len(run) - 1))
        found.update(run)
    found.update(_NUMBERED.findall(text))
    return frozenset(found)


@lru_cache(maxsize=4096)
def head_forms(text: str) -> frozenset[str]:
    """What a header can be recognised by: `Owner` and `Location` by the verb they are made of, too."""
    roots = (stem(_AGENT.sub("", word)) for word in words(text) if word.isascii() and _AGENT.search(word))
    return forms(text) | frozenset(roots)


class Question:
    """The telling words of a question with their weights."""

    def __init__(
        self,
        text: str,
        frequencies: Mapping[str, int],
        count: int,
        alike: Mapping[str, Collection[str]] = MappingProxyType({}),
    ) -> None:
        self.text = text
        # What a word of the question may be called instead: names, each of which must be there with all its words.
        self._alike = {
            stem(word): frozenset(frozenset(map(stem, words(name))) for name in names)
            for phrase, names in alike.items()
            for word in words(phrase)
        }
        self.weights: dict[str, float] = {}
        for word in query_words(text):
            weight = math.log1p((count + 1) / (frequencies.get(word, 0) + 0.5))
            # A number in a question names one of many: the 1 of 1号 is everywhere, and yet it decides.
            self.weights[stem(word)] = weight * (_NUMBER_WEIGHT if word[0].isdigit() else 1.0)
        folded = fold(text)
        for named in _NUMBERED.findall(folded):
            bare = self.weights.pop(named[:-1], 0.0)
            self.weights[named] = max(bare, self.weights.pop(named[-1], 0.0))
        self.total = sum(self.weights.values()) or 1.0
        self.joints = _joints(folded, self.weights)
        # What it says that it asks for; a lone character is too little to go by.
        sought = {stem(word) for word in words(asked_for(folded)) if len(word) > 1}
        self.sought = frozenset(sought & self.weights.keys())
        self._headings = {
            stem(word): frozenset(frozenset(map(stem, words(name))) for name in names)
            for phrase, names in other_names(text).items()
            for word in words(phrase)
        }

    def is_called(self, word: str, header: AbstractSet[str]) -> bool:
        """Whether a header names what this word of the question names, in its word or another."""
        return word in header or any(name <= header for name in self._headings.get(word, ()))

    def heads(self, own: AbstractSet[str]) -> float:
        """How much of a header, given by its words, the question says, from 0 to 1."""
        if any(name == own for names in self._headings.values() for name in names):
            return 1.0
        return sum(word in self.weights for word in own) / len(own) if own else 0.0

    def joined(self, known: frozenset[str]) -> float:
        """How many of the neighbouring words of the question are neighbours there, too, from 0 to 1."""
        return len(self.joints & known) / len(self.joints) if self.joints else 0.0

    def share(self, known: Iterable[str], otherwise: Callable[[str], bool] | None = None) -> float:
        """How much of the question these forms account for, or are held `otherwise`; from 0 to 1."""
        held = known if isinstance(known, frozenset | set) else set(known)
        told = (
            weight
            for word, weight in self.weights.items()
            if self._held(word, held) or (otherwise is not None and otherwise(word))
        )
        return sum(told) / self.total

    def _held(self, word: str, held: AbstractSet[str]) -> bool:
        return word in held or any(name <= held for name in self._alike.get(word, ()))


def _joints(folded: str, weights: Mapping[str, float]) -> frozenset[str]:
    """The pairs of characters where one telling Chinese word ends and the next begins."""
    found: set[str] = set()
    for run in _CHINESE.findall(folded):
        ends = {at + len(word) for word in weights for at in range(len(run)) if run.startswith(word, at)}
        starts = {at for word in weights for at in range(len(run)) if run.startswith(word, at)}
        found.update(run[at - 1 : at + 1] for at in ends & starts)
    return frozenset(found)
