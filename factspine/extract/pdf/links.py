"""Links from one place of a document to another: what they cover is where to go, as in contents and indexes.

A table of contents has labels and figures that stand under each other, and its figures are the numbers of pages. The
document itself says so where its lines, or the figures in them, lead to these pages.
"""

from __future__ import annotations

import ctypes
import itertools
import re
from collections.abc import Sequence
from typing import Any

import pypdfium2.raw as pdfium

from factspine.extract.pdf.lines import Line
from factspine.extract.pdf.marks import Word
from factspine.extract.pdf.shapes import Box, Cell

_LINKS_MAX = 5_000  # of one page; no index has more
_MOST = 0.6
_SECTION = re.compile(r"\d{1,2}(?:\.\d{1,2})*\.?")
_CONTENTS = re.compile(
    r"(?:\d+\s+)?(?:(?:table of )?contents|(?:list|index) of [a-z]+|index|inhalt(?:sverzeichnis)?|sommaire|[ií]ndice"
    r"|table des mati[èe]res|содержание|оглавление|spis treści|目\s*[录錄次]|索\s*引)(?:\s+\d+)?",
    re.I,
)
_PAGES = re.compile(r"\d{1,4}(?:(?:,|, | ?[-–] ?)\d{1,4})*,?")
_INDEX = re.compile(r"index|[ií]ndice|索", re.I)


def read_links(document: Any, page: Any) -> list[Box]:
    """Where links into the same document lie, in page space: left, bottom, right, top."""
    found: list[Box] = []
    at, link, rect = ctypes.c_int(0), pdfium.FPDF_LINK(), pdfium.FS_RECTF()
    for _ in range(_LINKS_MAX):
        if not pdfium.FPDFLink_Enumerate(page, at, link):
            break
        if pdfium.FPDFLink_GetDest(document, link) and pdfium.FPDFLink_GetAnnotRect(link, rect):
            found.append((rect.left, rect.bottom, rect.right, rect.top))
    return found


def leads_elsewhere(cells: Sequence[Cell], links: Sequence[Box]) -> bool:
    """Whether a table is a list of places to go to: most of it, or most of its figures, are links; or most of its lines
    hold one and end with the number of a page.
    """
    if not links:
        return False
    words = [w for cell in cells for line in cell.lines for w in line]
    x0, top = min(w.x0 for w in words), min(w.top for w in words)
    x1, bottom = max(w.x1 for w in words), max(w.bottom for w in words)
    near = [b for b in links if b[0] < x1 and x0 < b[2] and b[1] < bottom and top < b[3]]
    if not near:
        return False
    linked = {id(w) for w in words if any(_covers(box, w) for box in near)}
    figures = [cell for cell in cells if cell.kind == "n"]
    pointing = [cell for cell in figures if _is_linked(cell, linked)]
    if len(linked) >= _MOST * len(words) or (figures and len(pointing) >= _MOST * len(figures)):
        return True
    pages = page_numbers(cells)
    leading = {cell.row for cell in cells if _is_linked(cell, linked)}
    return len(pages & leading) >= _MOST * len(pages) > 0


def _covers(box: Box, word: Word) -> bool:
    x, y = (word.x0 + word.x1) / 2, (word.top + word.bottom) / 2
    return box[0] <= x <= box[2] and box[1] <= y <= box[3]


def _is_linked(cell: Cell, linked: set[int]) -> bool:
    return any(id(w) in linked for line in cell.lines for w in line)


def is_contents(cells: Sequence[Cell], lines: Sequence[Line]) -> bool:
    """Whether a table lists pages, and its page says that it is one of contents or of an index."""
    named = [line.text for line in lines if len(line.words) < 6 and _CONTENTS.fullmatch(line.text)]
    return bool(named) and (bool(page_numbers(cells)) or (any(map(_INDEX.search, named)) and _is_index(cells)))


def _is_index(cells: Sequence[Cell]) -> bool:
    """Words with the numbers of their pages, which need not rise: the words are in order."""
    figures = [cell.text for cell in cells if cell.kind in "np"]
    labels = {cell.row for cell in cells if cell.kind == "t" and cell.col == 0}
    return all(map(_PAGES.fullmatch, figures)) and len(labels) >= _MOST * len({cell.row for cell in cells})


def page_numbers(cells: Sequence[Cell]) -> set[int]:
    """The rows that end with the number of a page: plain numbers that rise, with at most the number of a section
    before them. None where other figures stand in the table.
    """
    figures = [cell for cell in cells if cell.kind in "np"]
    last = max((cell.col for cell in figures), default=0)
    ends = [cell.text for cell in figures if cell.col == last]
    if not last or not all(text.isascii() and text.isdigit() and len(text) < 5 for text in ends):
        return set()
    if any(a > b for a, b in itertools.pairwise(map(int, ends))):
        return set()
    numbered = all(cell.col == 0 and _SECTION.fullmatch(cell.text) for cell in figures if cell.col < last)
    return {cell.row for cell in figures if cell.col == last} if numbered else set()
