"""What forms and lists call the things they say in words: names, dates, people, places, in Chinese and English.

A question rarely uses the word of the header: 负责人 is asked for where the list says Owner, a deadline where it says
Due. And a form is known by such words standing beside their values.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache, lru_cache
from importlib import resources
from types import MappingProxyType
from typing import NamedTuple

from factspine.lexicon.folding import fold

_SPREAD = re.compile(r"(?<=[㐀-鿿])\s+(?=[㐀-鿿])")
_LONGEST = 12  # characters of a Chinese label that is known by its ending
_WORDS_MAX = 4  # of an English one


class _Names(NamedTuple):
    others: Mapping[str, tuple[str, ...]]
    pattern: re.Pattern[str]
    endings: tuple[str, ...]


@cache
def _names() -> _Names:
    read = tomllib.loads(resources.files("factspine.lexicon").joinpath("attributes.toml").read_text("utf-8"))
    others: dict[str, tuple[str, ...]] = {}
    for group in read["groups"]:
        for name in group:
            others[name] = tuple(other for other in group if other != name)
    longest_first = sorted(others, key=lambda name: (-len(name), name))
    chinese = "|".join(re.escape(name) for name in longest_first if not name.isascii())
    latin = "|".join(re.escape(name) for name in longest_first if name.isascii())
    pattern = re.compile(rf"{chinese}|\b(?:{latin})\b")
    return _Names(MappingProxyType(others), pattern, tuple(read["endings"]))


def is_spread(text: str) -> bool:
    """Whether the characters of a label are spread to fill its cell, as only labels are: 姓　　名."""
    shown = fold(text).strip()
    return _SPREAD.search(shown) is not None and len(_SPREAD.sub("", shown)) <= _LONGEST


@lru_cache(maxsize=8192)
def is_attribute(text: str) -> bool:
    """Whether a short text names an attribute (姓名, Contact person) rather than being one."""
    label = _SPREAD.sub("", fold(text).lower()).strip(" :：*")
    if label in _names().others:
        return True
    if not label or any(mark.isdigit() or mark in ",，。;；、@" for mark in label):
        return False
    if any("㐀" <= mark <= "鿿" for mark in label):
        return len(label) <= _LONGEST and label.endswith(_names().endings)
    words = label.split()
    return len(words) <= _WORDS_MAX and words[-1] in _names().endings


def other_names(question: str) -> dict[str, tuple[str, ...]]:
    """The names of attributes that a question uses, each with what tables may call the same instead."""
    names = _names()
    found = (match.group() for match in names.pattern.finditer(fold(question).lower()))
    return {name: names.others[name] for name in found if names.others[name]}
