"""Numbers written in English words: `twenty-five`, `three million`, `one hundred and twelve`, `third`."""

from __future__ import annotations

import re
from typing import NamedTuple

_UNITS = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_SMALL = {word: number for number, word in enumerate(_UNITS)} | {
    word: (number + 2) * 10 for number, word in enumerate(_TENS)
}
_POWERS = {"hundred": 100, "thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
_ORDINALS = [
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "eleventh",
    "twelfth",
    "thirteenth",
    "fourteenth",
    "fifteenth",
    "sixteenth",
    "seventeenth",
    "eighteenth",
    "nineteenth",
]
_ORDINAL_VALUES = {word: number + 1 for number, word in enumerate(_ORDINALS)} | {
    "twentieth": 20,
    "thirtieth": 30,
    "fortieth": 40,
    "fiftieth": 50,
    "hundredth": 100,
}
_WORD = "|".join(sorted((*_SMALL, *_POWERS), key=len, reverse=True))
_RUN = re.compile(rf"\b(?:{_WORD})(?:(?:[ -]|\s+and\s+)(?:{_WORD}))*\b", re.IGNORECASE)
_ORDINAL = re.compile(rf"\b(?:(?:{'|'.join(_TENS)})-)?(?:{'|'.join(_ORDINAL_VALUES)})\b", re.IGNORECASE)


class WordNumber(NamedTuple):
    """A number in words and where it stands."""

    value: int
    start: int
    end: int
    ordinal: bool = False


def find_number_words(text: str) -> list[WordNumber]:
    """Cardinal numbers in words, each run of words as one number or, where they do not join, word by word."""
    found: list[WordNumber] = []
    for run in _RUN.finditer(text):
        words = [(m.group().lower(), m.start(), m.end()) for m in re.finditer(r"[A-Za-z]+", run.group())]
        words = [word for word in words if word[0] != "and"]
        if words[0][0] in _POWERS:
            continue  # `millions of`, `a hundred`: how many is not said, or by digits before
        value = _value([word for word, _, _ in words])
        if value is not None:
            found.append(WordNumber(value, run.start(), run.end()))
            continue
        found += [WordNumber(_SMALL[w], run.start() + a, run.start() + b) for w, a, b in words if w in _SMALL]
    return found


def find_ordinal_words(text: str) -> list[WordNumber]:
    """Ordinal numbers in words."""
    found = []
    for match in _ORDINAL.finditer(text):
        tens, _, last = match.group().lower().rpartition("-")
        found.append(WordNumber(_SMALL.get(tens, 0) + _ORDINAL_VALUES[last], match.start(), match.end(), True))
    return found


def _value(words: list[str]) -> int | None:
    total, group, last = 0, 0, ""
    for word in words:
        if word in _SMALL:
            if last in _SMALL and not (last in _TENS and _SMALL[word] < 10):
                return None
            group += _SMALL[word]
        elif word == "hundred":
            group = (group or 1) * 100
        else:
            total += (group or 1) * _POWERS[word]
            group = 0
        last = word
    return total + group
