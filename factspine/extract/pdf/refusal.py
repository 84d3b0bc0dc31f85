"""What looks like a table to alignment and is none: contents, prose in columns, lists, labels of a chart."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence

from factspine.extract.pdf.marks import is_measure, letters_in
from factspine.extract.pdf.shapes import Box, Cell

_LIST_MARK = re.compile(
    r"(?:[•●▪■◦–—*·❖➢✓-]|\(?[0-9a-zA-Z]{1,3}[.)]|[ivx]+[.)]|[（(]?[一二三四五六七八九十\d]+[）)、.]|\d{1,2}(?:\.\d{1,2}){1,3}\.?)"
)
_FORMULA_NUMBER = re.compile(r"\([A-Z]?\d{1,3}(?:\.\d{1,3}){0,2}[a-z]?\)")
_FORMULA_SIGN = re.compile(r"[=≤≥≈≡∼∝∑∏∫∂∈∇⊂⊆∀∃→↦√∞]")
# Pieces of brackets that reach over several lines, by their own codes or by those of the Symbol font.
_TALL_BRACKET = re.compile(r"[\u239b-\u23ae\uf8e5-\uf8fe]")


def is_no_table(cells: Sequence[Cell], *, framed: bool) -> bool:
    """Whether a candidate fails to be a table; rules that frame it speak for it."""
    rows: dict[int, list[Cell]] = {}
    for cell in cells:
        rows.setdefault(cell.row, []).append(cell)
    full = [row for row in rows.values() if len(row) >= 2]
    figures = [c for c in cells if c.col > 0 and (c.kind in "nd" or is_measure(c.text))]
    if len(full) < 2 or not any(letters_in(c.text) >= 2 for c in cells):
        return True
    if _is_contents(full, cells) or _is_list(full) or _is_formula(cells):
        return True
    if framed:
        return len(full) < 0.5 * len(rows)
    if len(figures) < 2 and not _even_text(full, rows):
        return True
    return _is_prose(cells, rows, len(figures))


def is_chart(cells: Sequence[Cell], box: Box, graphics: Sequence[Box]) -> bool:
    """Figures among curves and slanted lines, most of them without a label beside them: the labels of a chart."""
    width, height = max(box[2] - box[0], 1.0), max(box[3] - box[1], 1.0)
    inside = [g for g in graphics if g[0] < box[2] and box[0] < g[2] and g[1] < box[3] and box[1] < g[3]]
    if not inside:
        return False
    x0, x1 = max(box[0], min(g[0] for g in inside)), min(box[2], max(g[2] for g in inside))
    top, bottom = max(box[1], min(g[1] for g in inside)), min(box[3], max(g[3] for g in inside))
    if (x1 - x0) < 0.35 * width or (bottom - top) < 0.35 * height:
        return False
    rows = {c.row for c in cells}
    labelled = {c.row for c in cells if c.col == 0 and letters_in(c.text) >= 3}
    return len(labelled) < 0.6 * len(rows)


def _even_text(full: list[list[Cell]], rows: dict[int, list[Cell]]) -> bool:
    """Words only: every row must be filled, with short cells."""
    return (
        len(full) >= 3
        and len(full) >= 0.8 * len(rows)
        and min(len(r) for r in full) >= 3
        and all(len(c.text) < 60 for r in full for c in r)
    )


def _is_contents(full: list[list[Cell]], cells: Sequence[Cell]) -> bool:
    """One column of page numbers, rising, and one of names."""
    columns = {c.col for c in cells}
    fronts = [number for r in full if r[0].col == 0 and (number := _page(r[0].text)) is not None]
    named = all(c.kind == "t" for r in full for c in r[1:])
    if len(columns) <= 3 and named and len(fronts) >= max(3, 0.6 * len(full)) and fronts == sorted(fronts):
        return True
    numbers = [number for r in full if r[-1].col == max(columns) and (number := _page(r[-1].text)) is not None]
    if len(columns) > 3 or len(numbers) < 0.7 * len(full) or len(numbers) < 3:
        return False
    others = [c for r in full for c in r[1:-1] if c.kind == "n"]
    rising = sum(1 for a, b in itertools.pairwise(numbers) if b >= a)
    return rising >= 0.9 * (len(numbers) - 1) and len(others) < 0.3 * len(full) and len(set(numbers)) > 2


def _page(text: str) -> int | None:
    """The number of a page; raised and circled digits (2², ⑤) are digits to Python and no numbers."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 4 else None


def _is_formula(cells: Sequence[Cell]) -> bool:
    """Formulas with their numbers at the margin, which are no negative amounts; or with brackets over several lines."""
    signs = sum(1 for c in cells if _FORMULA_SIGN.search(c.text))
    if signs and sum(1 for c in cells if _TALL_BRACKET.search(c.text)) > 1:
        return True
    figures = [c for c in cells if c.kind == "n"]
    numbers = [c for c in figures if _FORMULA_NUMBER.fullmatch(c.text)]
    signed = {c.row for c in cells if _FORMULA_SIGN.search(c.text)}
    at_margin = len({c.col for c in numbers}) == 1 and all(c.col >= numbers[0].col for c in figures)
    return bool(numbers) and len(numbers) == len(figures) and at_margin and 2 * len(signed) >= len(numbers)


def _is_list(full: list[list[Cell]]) -> bool:
    """A first column of nothing but bullets or item numbers, and one column of text."""
    marks = sum(1 for r in full if _LIST_MARK.fullmatch(r[0].text))
    return marks >= 0.7 * len(full) and all(len(r) <= 2 for r in full)


def _is_prose(cells: Sequence[Cell], rows: dict[int, list[Cell]], figures: int) -> bool:
    """Mostly words in long cells."""
    letters = sum(len(c.text) for c in cells if c.kind == "t")
    texts = [c for c in cells if c.kind == "t"]
    if not texts:
        return False
    figures += sum(1 for c in cells if c.kind in "nd" and c.col == 0)
    average = letters / len(texts)
    return figures < 0.25 * len(rows) or (average > 60 and figures < 0.8 * len(rows))
