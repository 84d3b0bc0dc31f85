"""The catalogue of units: currencies from CLDR, scales and physical units from `units.toml`, one index over all names.

A name is found at a place in a folded text by its first characters, longest first, and only as a word: a Latin name
must not continue or begin inside a longer word.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Literal, NamedTuple

from factspine.lexicon.folding import Signs
from factspine.lexicon.tables import names

Class = Literal["currency", "before_per", "scale", "after_currency", "base", "per", "filler", "join"]


class Entry(NamedTuple):
    """What one name means."""

    cls: Class
    unit: str = ""
    scale: int = 0
    kind: str = ""
    alone: bool = True  # false: an ordinary word too, so a unit only in brackets or after "unit:"
    needs_scale: bool = False
    word: bool = False  # a name in words rather than a code or a sign


class Token(NamedTuple):
    """A name found in a text."""

    entry: Entry
    start: int
    end: int


_new = tuple.__new__  # a named tuple's own constructor takes twice as long
_PER_BEHIND = re.compile(r"\s*(?:/|per\b)")
_SCALE_BEHIND = re.compile(r"'(?:m|mn|k)(?![a-z])", re.IGNORECASE)  # RMB'm


@cache
def _index() -> dict[str, list[tuple[str, bool, Entry]]]:
    """All names by their first characters: (name, matched in exactly its case, what it means), longest first."""
    made = names()
    entries = [Entry(*row) for row in made.unit_rows]  # type: ignore[arg-type]
    return {
        start: [(name, exact, entries[number]) for name, exact, number in own] for start, own in made.unit_names.items()
    }


PLAIN_CLASSES = ("filler", "join", "per")  # words that say no unit by themselves


@cache
def unit_signs() -> Signs:
    """What every text has that says a unit, scale or currency.

    A Latin name starts where no letter stands before it and ends where none follows, so it begins with a whole run of
    letters.
    """
    return Signs.of(name for own in _index().values() for name, _, entry in own if entry.cls not in PLAIN_CLASSES)


def match(folded: str, lowered: str, at: int, after_currency: bool = False) -> Token | None:
    """The longest name that stands at a place of the text, as a word."""
    known = _index()
    for length in (3, 2, 1):
        for name, exact, entry in known.get(lowered[at : at + length], ()):
            if entry.cls == "after_currency" and not after_currency:
                continue
            end = at + len(name)
            if not (folded if exact else lowered).startswith(name, at) or not _stands_alone(folded, at, end):
                continue
            if entry.cls != "before_per" or _PER_BEHIND.match(lowered, end):
                return _new(Token, (entry, at, end))
    return None


def _stands_alone(text: str, start: int, end: int) -> bool:
    """Whether a Latin name is not part of a longer word; Chinese names may touch their neighbours."""
    last = text[end - 1]
    if last.isascii() and last.isalnum() and end < len(text):
        after = text[end]
        if after.isascii() and (after.isalnum() or (after == "-" and text[end + 1 : end + 2].isalpha())):
            return False
        if after == "'" and text[end + 1 : end + 2].isalpha() and not _SCALE_BEHIND.match(text, end):
            return False
    first = text[start]
    if start == 0 or not first.isascii():
        return True
    before = text[start - 1]
    if first.isalpha():
        return not (before.isascii() and before.isalpha())
    # `000` is a scale, but not in 10,000.
    return not (first.isdigit() and (before.isdigit() or (before in ",." and text[start - 2 : start - 1].isdigit())))
