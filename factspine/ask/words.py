"""Texts as words: what a label or a question is made of, in one spelling for all its spellings.

English words are stemmed, Chinese text is taken as pairs of characters: labels and questions cut the same phrase into
different words, but they share its pairs. Words that say the same thing share one form.
"""

from __future__ import annotations

import re
import tomllib
from functools import cache, lru_cache
from importlib import resources
from typing import Any, NamedTuple

from factspine.lexicon.folding import fold

_TOKEN = re.compile(
    r"[㐀-鿿]+|\d+(?:[.,]\d+)*|(?:[A-Za-z]\.){2,}|[A-Za-z](?:&[A-Za-z])+\b|[A-Za-zÀ-ɏ]+(?:'[A-Za-z]+)?|[%‰$€£¥]"
)


class Token(NamedTuple):
    """A run of one script, or a number, and where it stands in the folded text."""

    text: str
    start: int
    end: int
    kind: str  # han, latin, number, sign


@cache
def phrases() -> dict[str, Any]:
    """The word lists of this package."""
    return tomllib.loads(resources.files("factspine.ask").joinpath("phrases.toml").read_text(encoding="utf-8"))


@cache
def function_words() -> frozenset[str]:
    """English words of asking itself."""
    return frozenset(phrases()["function"]["en"])


@cache
def _function_phrases() -> re.Pattern[str]:
    """Chinese words of asking itself, longest first."""
    words = sorted(phrases()["function"]["zh"], key=lambda word: (-len(word), word))
    return re.compile("|".join(map(re.escape, words)))


@cache
def unit_words() -> frozenset[str]:
    """Words that say in which unit a number is wanted."""
    lists = phrases()["unit_words"]
    return frozenset([*lists["en"], *lists["zh"]])


@cache
def balances() -> frozenset[str]:
    """Codes of metrics that are a state of affairs on a day."""
    return frozenset(phrases()["balances"])


@cache
def wider_forms() -> dict[str, tuple[str, ...]]:
    """Forms of wider words that a label may use for a word."""
    return {stem(word): tuple(map(stem, others)) for word, others in phrases()["wider"].items()}


@cache
def _stemmer() -> Any:
    import snowballstemmer

    return snowballstemmer.stemmer("english")


@lru_cache(maxsize=200_000)
def root(word: str) -> str:
    """The form that the inflections of an English word share."""
    lowered = word.casefold().removesuffix("'s").replace(".", "")
    found: str = _stemmer().stemWord(lowered)
    return found


@lru_cache(maxsize=200_000)
def stem(word: str) -> str:
    """The form that the inflections of an English word, and its synonyms, share."""
    own = root(word)
    return _synonym_of().get(own, own)


@cache
def _synonym_of() -> dict[str, str]:
    found: dict[str, str] = {}
    for group in phrases()["synonyms"]["groups"]:
        head = _stemmer().stemWord(group[0])
        for member in group:
            if member.isascii() and " " not in member:
                found.setdefault(_stemmer().stemWord(member), head)
    return found


@cache
def _han_synonyms() -> tuple[re.Pattern[str], dict[str, str]]:
    """Chinese members of groups of synonyms, and the form each group shares with its English members."""
    form = {
        member: _stemmer().stemWord(group[0])
        for group in phrases()["synonyms"]["groups"]
        for member in group
        if not member.isascii()
    }
    words = sorted(form, key=lambda word: (-len(word), word))
    return re.compile("|".join(map(re.escape, words))), form


@cache
def _worded_synonyms() -> tuple[re.Pattern[str], dict[str, str]]:
    """English members of several words, and the form of their group."""
    form = {
        member: stem(group[0])
        for group in phrases()["synonyms"]["groups"]
        for member in group
        if member.isascii() and " " in member
    }
    words = sorted(form, key=lambda word: (-len(word), word))
    body = "|".join(re.escape(word).replace("\\ ", "[ -]") for word in words)
    return re.compile(rf"\b(?:{body})s?\b"), form


def tokens(text: str) -> list[Token]:
    """The words of a text, in order; Chinese as runs."""
    return list(_tokens(text))


@lru_cache(maxsize=64)  # several steps look at one question
def _tokens(text: str) -> list[Token]:
    folded = fold(text)
    found = []
    for match in _TOKEN.finditer(folded):
        word = match.group()
        first = word[0]
        kind = "han" if first >= "㐀" else "number" if first.isdigit() else "sign" if not first.isalpha() else "latin"
        found.append(Token(word, match.start(), match.end(), kind))
    return found


def token_texts(text: str) -> list[str]:
    """The words of a text without their places: what keys of many labels are made of."""
    return _TOKEN.findall(fold(text))


def pairs(run: str) -> list[str]:
    """The pairs of neighbouring characters of a Chinese run; a lone character stands for itself."""
    return [run] if len(run) == 1 else [run[at : at + 2] for at in range(len(run) - 1)]


def synonym_forms(text: str) -> list[tuple[str, int, int]]:
    """The groups of synonyms that Chinese words, and English phrases, of a text belong to, with their places."""
    folded = fold(text)
    found: list[tuple[str, int, int]] = []
    if not folded.isascii():
        pattern, form = _han_synonyms()
        found += [(form[match.group()], match.start(), match.end()) for match in pattern.finditer(folded)]
    pattern, form = _worded_synonyms()
    for match in pattern.finditer(folded.lower()):
        member = match.group().replace("-", " ")
        found.append((form.get(member) or form[member.removesuffix("s")], match.start(), match.end()))
    return found


def without_function_words(run: str) -> list[tuple[int, int]]:
    """The stretches of a Chinese run that are not asking itself."""
    kept = []
    at = 0
    for match in _function_phrases().finditer(run):
        if match.start() > at:
            kept.append((at, match.start()))
        at = match.end()
    if at < len(run):
        kept.append((at, len(run)))
    return kept


def cut(run: str) -> list[str]:
    """A Chinese run as a dictionary cuts it."""
    import rjieba

    return list(rjieba.cut(run))


@lru_cache(maxsize=65536)
def tag_of(word: str) -> str:
    """The part of speech a dictionary gives a Chinese word."""
    import rjieba

    tagged = rjieba.tag(word)
    return str(tagged[0][1]) if len(tagged) == 1 else ""
