"""Sources written out in a text: `(来源:{doc} · {locator})`, `(source: {doc} {locator})`.

Such a bracket says where something stands. It claims nothing, so its digits are no numbers of the text; and it proves
nothing, so they are no evidence either. Whatever else is put into a bracket of this look is text like any other.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from factspine.core.errors import UsageError
from factspine.core.locators import Locator, cell_position, parse
from factspine.lexicon.sentences import Span

_OPENING = re.compile(r"[(（]\s*(?:来源|來源|sources?)\s*[:：]\s*", re.IGNORECASE)
_ONE = re.compile(r"(?P<doc>[^=;；]*\.[A-Za-z][A-Za-z0-9]{1,4})(?:\s*·\s*|\s+)(?P<place>(?:sheet|slide|page)=.+)", re.S)
_NEXT = re.compile(r"[;；]\s*")
_COUNTED = frozenset({"slide", "page", "table", "chart", "shape", "para", "notes", "comment", "point"})
_LABELS = frozenset({"sheet", "row", "col", "series", "cat"})
# A label may name a year or a class; money and shares in it are a statement.
_STATEMENT = re.compile(
    r"[$€£¥%％]|\d\s*(?:[万亿千百]|(?:hundred|thousand|million|billion|trillion|percent|bn|mn|m|k)\b)", re.IGNORECASE
)


class WrittenSource(NamedTuple):
    """One document and place that a text names as its source, and the bracket it stands in."""

    doc_id: str
    locator: Locator
    bracket: Span


def find_sources(text: str) -> list[WrittenSource]:
    """Every source written out in a text, in order; a bracket with anything but sources in it is none."""
    found: list[WrittenSource] = []
    for opening in _OPENING.finditer(text):
        end = _closing(text, opening.end())
        if end is not None:
            bracket = Span(opening.start(), end)
            found += [WrittenSource(doc, place, bracket) for doc, place in _sources(text[opening.end() : end - 1])]
    return found


def without_sources(text: str) -> str:
    """A text with blanks in place of the sources written out in it, so that every letter keeps its place."""
    for start, end in dict.fromkeys(one.bracket for one in find_sources(text)):
        text = text[:start] + " " * (end - start) + text[end:]
    return text


def _closing(text: str, at: int) -> int | None:
    """Past the bracket that closes the one before `at`; labels may have brackets of their own."""
    depth = 1
    for place in range(at, len(text)):
        depth += (text[place] in "(（") - (text[place] in ")）")
        if depth == 0:
            return place + 1
    return None


def _sources(body: str) -> list[tuple[str, Locator]]:
    parts: list[str] = []
    for part in _NEXT.split(body):
        if parts and not _ONE.fullmatch(part):
            parts[-1] += f";{part}"  # a label may have the mark that separates sources
        else:
            parts.append(part)
    read = [_source(part.strip()) for part in parts]
    return [one for one in read if one is not None] if None not in read else []


def _source(text: str) -> tuple[str, Locator] | None:
    found = _ONE.fullmatch(text)
    if found is None:
        return None
    try:
        place = parse(found["place"])
    except UsageError:
        return None
    return (found["doc"].strip(), place) if all(_is_place(key, value) for key, value in place.pairs) else None


def _is_place(key: str, value: str) -> bool:
    if key in _COUNTED:
        return value.isascii() and value.isdigit()
    if key == "cell":
        return cell_position(value) is not None
    return key in _LABELS and not _STATEMENT.search(value)
