"""The second, independent reader: pdfplumber, asked what stands in a box of a page.

It is slow, so it is asked only where the first reading is doubtful (figures that lie over each other, characters
without a code) and when facts are read back. A doubtful cell becomes sure only where both readers see the same
characters and the second sees them beside each other. A reader that falls back on character codes does not know what
it reads, so a character the first reader cannot name is never settled by the second alone.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from factspine.core.errors import InputRejected
from factspine.core.findings import Finding
from factspine.core.limits import Limits
from factspine.core.tables import Box, RawTable

_MARGIN = 0.6
_SHADOW_RISE = 0.12  # of the height: a character drawn again so near is drawn to look bold
_SHADOW_SHIFT = 0.3  # of the width
_SEEN_MAX = 2_000  # characters in one box: no cell holds more, a hostile page may
_SAME_LINE = 4.5  # points between the middles of characters of one line
_OVER = 0.5  # of the narrower character: kerned and slanted type reaches over less
_NAMELESS = re.compile(r"\(cid:\d+\)|[\ufffd\ue000-\uf8ff\x00-\x1f]")


class Char(NamedTuple):
    """A character as the second reader sees it, in points from the top-left of the page."""

    text: str
    x0: float
    x1: float
    y: float  # its middle
    height: float


def characters(path: Path, pages: Sequence[int]) -> dict[int, list[Char]]:
    """The characters of some pages according to the second reader."""
    import pdfplumber

    out: dict[int, list[Char]] = {}
    try:
        with pdfplumber.open(path, pages=list(pages)) as document:
            for page in document.pages:
                left, top = (page.cropbox[0], page.cropbox[1]) if page.cropbox else (0, 0)
                out[page.page_number] = [
                    Char(
                        c["text"],
                        c["x0"] - left,
                        c["x1"] - left,
                        (c["top"] + c["bottom"]) / 2 - top,
                        c["bottom"] - c["top"],
                    )
                    for c in page.chars
                ]
                page.close()
    except Exception as error:
        raise InputRejected("FS201", "The second reader cannot open the document.") from error
    return out


def seen_in(box: Box, chars: Sequence[Char]) -> list[Char]:
    """The characters in a box, each once, as a reader reads them."""
    x0, top, x1, bottom = box
    inside = [
        c
        for c in chars
        if x0 - _MARGIN <= (c.x0 + c.x1) / 2 <= x1 + _MARGIN and top - _MARGIN <= c.y <= bottom + _MARGIN
    ]
    return _in_order(_once(inside[:_SEEN_MAX]))


def fold(text: str) -> str:
    """A text as two readers can agree on it: white space is drawn, not stored."""
    return "".join(unicodedata.normalize("NFKC", text).split()).replace("\u00ad", "")


def is_nameless(text: str) -> bool:
    """Whether a text holds characters whose font does not say what they are."""
    return _NAMELESS.search(text) is not None


def _in_order(chars: list[Char]) -> list[Char]:
    """Characters line by line, each line from left to right; raised marks belong to the line they stand on."""
    lines: list[list[Char]] = []
    for char in sorted(chars, key=lambda c: c.y):
        if lines and char.y - lines[-1][0].y < _SAME_LINE:
            lines[-1].append(char)
        else:
            lines.append([char])
    return [char for line in lines for char in sorted(line, key=lambda c: c.x0)]


def _once(chars: list[Char]) -> list[Char]:
    """Characters without those drawn twice at one place."""
    kept: list[Char] = []
    for char in chars:
        if not any(
            k.text == char.text
            and abs(k.x0 - char.x0) < _SHADOW_SHIFT * max(0.5, char.x1 - char.x0)
            and abs(k.y - char.y) < _SHADOW_RISE * char.height
            for k in kept
        ):
            kept.append(char)
    return kept


def _overlap(chars: Sequence[Char]) -> bool:
    """Whether different characters were drawn at one place; then their order says nothing."""
    inked = [c for c in chars if c.text.strip()]
    return any(
        min(a.x1, b.x1) - max(a.x0, b.x0) > _OVER * max(0.1, min(a.x1 - a.x0, b.x1 - b.x0))
        and abs(a.y - b.y) < _SAME_LINE
        for i, a in enumerate(inked)
        for b in inked[i + 1 :]
    )


class SecondOpinion:
    """Asks the second reader about doubtful cells, page by page, within a budget that does not depend on the clock."""

    def __init__(self, path: Path, limits: Limits, chars_of: Mapping[int, int]) -> None:
        self._path = path
        self._chars_of = chars_of  # characters of each page by the first reading: what asking will cost
        self._pages_left = limits.second_pages_max
        self._chars_left = limits.second_chars_max
        self._known: dict[int, list[Char] | None] = {}

    def settle(self, table: RawTable) -> tuple[RawTable, list[Finding]]:
        """The table with every doubtful cell that both readers agree on made sure; a finding for each other one."""
        if not any(cell.kind == "e" for cell in table.cells):
            return table, []
        findings: list[Finding] = []
        cells = []
        for cell in table.cells:
            if cell.kind == "e":
                place = max((p for p in table.places if p.first_row <= cell.row), key=lambda p: p.first_row)
                page = int(place.locator.split(",", 1)[0].removeprefix("page="))
                why = self._doubt(page, cell.text, table.boxes[cell.row, cell.col])
                if why:
                    locator = f"{place.locator},cell=R{cell.row - place.first_row + 1}C{cell.col}"
                    remedy = "Look at the page, or export it again."
                    findings.append(Finding.of("FS210", why, locator=locator, remedy=remedy))
                else:
                    cell = cell._replace(kind="s")
            cells.append(cell)
        return replace(table, cells=cells), findings

    def _doubt(self, page: int, text: str, box: Box) -> str:
        """Why a cell stays doubtful; empty where the second reader confirms it."""
        if is_nameless(text):
            return "Characters have a font that does not say what they are; which number is meant cannot be said."
        chars = self._page(page)
        if chars is None:
            return "Characters lie over each other, and the second reader could not be asked within its budget."
        seen = seen_in(box, chars)
        written = "".join(c.text for c in seen)
        if is_nameless(written) or fold(written) != fold(text):
            return "The readers disagree about this cell; which number is meant cannot be said."
        if _overlap(seen):
            return "Characters lie over each other; which number is meant cannot be said."
        return ""

    def _page(self, number: int) -> list[Char] | None:
        if number not in self._known:
            self._known = {number: self._ask(number)}  # tables come in the order of pages: one page is enough
        return self._known[number]

    def _ask(self, number: int) -> list[Char] | None:
        cost = self._chars_of.get(number, 0)
        if self._pages_left < 1 or cost > self._chars_left:
            return None
        self._pages_left -= 1
        self._chars_left -= cost
        try:
            return characters(self._path, [number]).get(number)
        except InputRejected:
            return None
