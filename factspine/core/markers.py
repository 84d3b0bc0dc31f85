"""Inline markers: `[†1]`, `[†2]` … name the citations of a list by their place in it."""

from __future__ import annotations

import re
from typing import NamedTuple

_MARKER = re.compile(r"\[†\s*(\d{1,4})\s*\]")
_BROKEN = re.compile(r"\[\s*†(?!\s*\d{1,4}\s*\])|(?<!\[)†\s*\d+\s*\]|\[†\s*\d{5,}")
_SENTENCE_END = re.compile(r"[.!?。！？;；…]+[\"'”’」』)]*$")
_INNER_END = re.compile(r"[.!?;](?=\s)|[。！？；…]")


class Marker(NamedTuple):
    """One marker of a text; `number` is 1-based."""

    number: int
    start: int
    end: int


def marker(number: int) -> str:
    """The marker of a citation by its place in the list, 1-based."""
    return f"[†{number}]"


def find_markers(text: str) -> list[Marker]:
    """Every well-formed marker, in order of place."""
    return [Marker(int(found[1]), *found.span()) for found in _MARKER.finditer(text)]


def numbers_in(text: str) -> list[int]:
    """The citations a sentence names."""
    return [one.number for one in find_markers(text)]


def markers_are_in_order(text: str, count: int) -> bool:
    """Whether every marker names a citation of the list, and the list is first named from its beginning on."""
    if _BROKEN.search(text):
        return False
    highest = 0
    for one in find_markers(text):
        if not 1 <= one.number <= count or one.number > highest + 1:
            return False
        highest = max(highest, one.number)
    return True


def without_markers(text: str) -> str:
    """A text as it reads without its markers."""
    return re.sub(r"\s*\[†\s*\d+\s*\]", "", text)


def mark(sentence: str, number: int) -> str:
    """A sentence with a marker before its full stop, as the eye expects it."""
    end = _SENTENCE_END.search(sentence)
    at = end.start() if end else len(sentence)
    return f"{sentence[:at]} {marker(number)}{sentence[at:]}"


def mark_quotation(text: str, number: int) -> str:
    """Words quoted whole, letter for letter, with one marker after them, however many sentences they are."""
    shown = " ".join(text.split())
    if "“" not in shown and "”" not in shown and _INNER_END.search(shown):
        shown = f"“{shown}”"
    return f"{shown} {marker(number)}"
