"""Headers and footers: lines at the edges of a page that come again on its neighbours, and page numbers."""

from __future__ import annotations

import re
from collections.abc import Iterable

from factspine.extract.pdf.lines import Line, build_lines
from factspine.extract.pdf.marks import PageMarks, Word

_EDGE = 0.115  # of the page height
_DIGITS = re.compile(r"[\d０-９]+")
_PAGE_NUMBER = re.compile(
    r"[-–—\s]*(?:page|p\.|第|F-|A-)?\s*(?:\d{1,4}|[ivxlcdm]{1,7})\s*(?:页|(?:/|of|共)\s*\d{1,4}\s*页?)?[-–—\s|]*", re.I
)
_NEAR = 5.0


class Edges:
    """The lines at the top and the bottom of a page."""

    __slots__ = ("lines", "marks")

    def __init__(self, marks: PageMarks) -> None:
        self.marks = marks
        high, low = _EDGE * marks.height, (1 - _EDGE) * marks.height
        words = [w for w in marks.words if w.bottom < high or w.top > low]
        self.lines = build_lines(words) if words else []

    def signatures(self) -> set[tuple[str, int]]:
        return {key for line in self.lines for key in _keys(line)}


def _keys(line: Line) -> list[tuple[str, int]]:
    text = _DIGITS.sub("#", line.text).casefold()
    place = round(line.base / _NEAR)
    return [(text, place), (text, place + 1), (text, place - 1)]


def running_words(page: Edges, neighbours: Iterable[Edges]) -> tuple[set[int], list[str]]:
    """Ids of the words of running lines, and the texts of those that are not page numbers."""
    known: set[tuple[str, int]] = set()
    for other in neighbours:
        known |= other.signatures()
    words: set[int] = set()
    texts: list[str] = []
    outermost = (min((li.base for li in page.lines), default=0.0), max((li.base for li in page.lines), default=0.0))
    for line in page.lines:
        text = line.text
        key = _keys(line)[0]
        number = _PAGE_NUMBER.fullmatch(text) is not None and line.base in outermost
        if number or (key in known and len(text) > 1):
            words.update(id(w) for w in line.words)
            if not number:
                texts.append(text)
    return words, texts


def without(words: list[Word], dropped: set[int]) -> list[Word]:
    """Words that are not running lines."""
    return [w for w in words if id(w) not in dropped] if dropped else words
