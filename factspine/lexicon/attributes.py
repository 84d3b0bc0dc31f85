"""What forms and lists call the things they say in words: names, dates, people, places, in Chinese and English.

A question rarely uses the word of the header: 负责人 is asked for where the list says Owner, a deadline where it says
Due. And a form is known by such words standing beside their values.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache

from factspine.lexicon.folding import fold
from factspine.lexicon.tables import attributes

_SPREAD = re.compile(r"(?<=[㐀-鿿])\s+(?=[㐀-鿿])")
_LONGEST = 12  # characters of a Chinese label that is known by its ending
_WORDS_MAX = 4  # of an English one


@cache
def _others() -> dict[str, tuple[str, ...]]:
    """Every name with the other names of the same thing."""
    return {name: tuple(other for other in group if other != name) for group in attributes().groups for name in group}


@cache
def _anywhere() -> re.Pattern[str]:
    """Any name of an attribute, the longest first."""
    longest_first = sorted(_others(), key=lambda name: (-len(name), name))
    chinese = "|".join(re.escape(name) for name in longest_first if not name.isascii())
    latin = "|".join(re.escape(name) for name in longest_first if name.isascii())
    return re.compile(rf"{chinese}|\b(?:{latin})\b")


def is_spread(text: str) -> bool:
    """Whether the characters of a label are spread to fill its cell, as only labels are: 姓　　名."""
    shown = fold(text).strip()
    return _SPREAD.search(shown) is not None and len(_SPREAD.sub("", shown)) <= _LONGEST


@lru_cache(maxsize=8192)
def is_attribute(text: str) -> bool:
    """Whether a short text names an attribute (姓名, Contact person) rather than being one."""
    label = _SPREAD.sub("", fold(text).lower()).strip(" :：*")
    endings = tuple(attributes().endings)
    if label in _others():
        return True
    if not label or any(mark.isdigit() or mark in ",，。;；、@" for mark in label):
        return False
    if any("㐀" <= mark <= "鿿" for mark in label):
        return len(label) <= _LONGEST and label.endswith(endings)
    words = label.split()
    return len(words) <= _WORDS_MAX and words[-1] in endings


def other_names(question: str) -> dict[str, tuple[str, ...]]:
    """The names of attributes that a question uses, each with what tables may call the same instead."""
    others = _others()
    found = (match.group() for match in _anywhere().finditer(fold(question).lower()))
    return {name: others[name] for name in found if others[name]}
