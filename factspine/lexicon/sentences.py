"""Where sentences begin and end, in Chinese and English, as spans of the text itself."""

from __future__ import annotations

import re
from typing import NamedTuple

# A full stop ends a sentence before a space and something that can begin one; not after an abbreviation or an initial,
# and never between digits. Chinese marks end one wherever they stand, and so does a marker before a new beginning.
_END = re.compile(r"[。！？；]+[”」』）】\"'’]*|[.!?…]+[\"'”’)\]*]*(?=\s|$|\[)|\n+|(?<=\])\s+(?=[A-Z㐀-鿿])")
_MARKERS = re.compile(r"\s*(?:\[†?\d+(?:\s*[,，-]\s*†?\d+)*\]\s?)+[.。]?")
_MARKED = re.compile(r"\[†\d+\]$")
_ABBREVIATION = re.compile(
    r"(?:^|[\s(\"'“])(?:[A-Za-z]|mr|mrs|ms|dr|prof|st|no|nos|vs|etc|inc|ltd|co|corp|e\.g|i\.e|approx|fig|figs|sec|art|"
    r"jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|u\.s|u\.k|p|pp|vol|ca|c|cf|al|est)\.$",
    re.IGNORECASE,
)
# Words quoted as a whole are one claim, however many sentences they have, where a marker says what is quoted.
_QUOTED = re.compile(r"“[^“”]*”\s*\[†\d+\]")
_LIST_NUMBER = re.compile(r"(?:^|\n)\s*\(?[0-9]{1,2}[.)]$")


class Span(NamedTuple):
    """A stretch of a text; the end is exclusive."""

    start: int
    end: int


def split_sentences(text: str) -> list[Span]:
    """The sentences of a text without the white space around them; citation markers belong to what they follow."""
    spans: list[Span] = []
    start = 0
    for end in _ends(text):
        if end > start:
            _append(spans, text, start, end)
            start = end
    _append(spans, text, start, len(text))
    return spans


def _ends(text: str) -> list[int]:
    ends: list[int] = []
    reached = 0
    quoted = [found.span() for found in _QUOTED.finditer(text)]
    for found in _END.finditer(text):
        if found.start() < reached or _continues(text, found, reached):
            continue
        if any(start < found.start() and found.end() < end for start, end in quoted):
            continue
        if found.group().isspace() and "\n" not in found.group() and not _MARKED.search(text, reached, found.start()):
            continue  # a bracket that is no marker of ours
        end = found.end()
        # After a line break a bracket begins something new; elsewhere a marker ends the sentence before it.
        if not found.group().startswith("\n") and (markers := _MARKERS.match(text, end)) is not None:
            end = markers.end()
        ends.append(end)
        reached = end
    return ends


def _continues(text: str, found: re.Match[str], reached: int) -> bool:
    """Whether a full stop belongs to an abbreviation, an initial or a list number."""
    if not found.group().startswith("."):
        return False
    if _MARKED.search(text, reached, found.start()):
        return False
    before = text[max(reached, found.start() - 12) : found.start() + 1]
    if _LIST_NUMBER.search(text[reached : found.start() + 1]) or re.fullmatch(r"\s*\(?[0-9]{1,2}[.)]", before):
        return True
    following = text[found.end() : found.end() + 2].strip()
    if following[:1].islower():
        return True
    return bool(_ABBREVIATION.search(before)) and found.end() < len(text.rstrip())


def _append(spans: list[Span], text: str, start: int, end: int) -> None:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if start < end:
        spans.append(Span(start, end))
