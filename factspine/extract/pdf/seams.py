"""Shading cell by cell: where one shade ends and the next of its colour begins, a cell ends, though nobody sees it.

Web pages and word processors shade a row as a row of cells. To the eye that is one area, so it makes no grid; but where
its parts meet is where the program that drew them had its columns, and a shade over several columns has the breadth of
the header that stands in it.
"""

from __future__ import annotations

from itertools import pairwise
from operator import attrgetter
from typing import NamedTuple

from factspine.extract.pdf.marks import Fill, PageMarks, Rule

_MEETING = 0.6  # points; a wider seam is seen
_LEVEL = 1.0
_HEIGHT_MIN, _WIDTH_MIN = 5.0, 8.0
_FILLS_MAX = 4_000
_UNDER = 0.3  # of the type size


class Seams(NamedTuple):
    """What shades say of columns."""

    walls: list[Rule]  # upright: between two cells of a row
    bands: list[Rule]  # level, right under a header over several columns, and as wide as these


NONE = Seams([], [])


def find_seams(marks: PageMarks) -> Seams:
    """The seams of a page."""
    if not 2 < len(marks.fills) <= _FILLS_MAX:
        return NONE
    rows = _rows(marks.fills)
    walls = [Rule(right.x0, left.top, left.bottom) for row in rows for left, right in pairwise(row)]
    if not walls:
        return NONE
    return Seams(sorted(walls), sorted(rule for rule in (_band(fill, marks) for fill in _wide(rows)) if rule))


def _rows(fills: list[Fill]) -> list[list[Fill]]:
    """Shades of one colour side by side, each meeting the next."""
    rows: list[list[Fill]] = []
    sized = (f for f in fills if f.bottom - f.top >= _HEIGHT_MIN and f.x1 - f.x0 >= _WIDTH_MIN)
    for fill in sorted(sized, key=lambda f: (f.color, round(f.top), round(f.bottom), f.x0)):
        last = rows[-1][-1] if rows else None
        if (
            last is not None
            and last.color == fill.color
            and abs(last.top - fill.top) < _LEVEL
            and abs(last.bottom - fill.bottom) < _LEVEL
            and abs(last.x1 - fill.x0) < _MEETING
        ):
            rows[-1].append(fill)
        else:
            rows.append([fill])
    return [row for row in rows if len(row) > 1]


def _wide(rows: list[list[Fill]]) -> list[Fill]:
    """Shades as broad as several of another row right below them."""
    wide = []
    for row in rows:
        near = [other for other in rows if abs(other[0].top - row[0].bottom) < _LEVEL]
        for fill in row:
            inside = [f for other in near for f in other if f.x0 > fill.x0 - _LEVEL and f.x1 < fill.x1 + _LEVEL]
            if len(inside) > 1:
                wide.append(fill)
    return wide


def _band(fill: Fill, marks: PageMarks) -> Rule | None:
    """The rule that a person would have drawn under the words of a shade."""
    words = [
        w
        for w in marks.words
        if fill.x0 - 1 < (w.x0 + w.x1) / 2 < fill.x1 + 1 and fill.top < (w.top + w.bottom) / 2 < fill.bottom
    ]
    if not words:
        return None
    last = max(words, key=attrgetter("base"))
    return Rule(last.base + _UNDER * last.size, fill.x0, fill.x1)
