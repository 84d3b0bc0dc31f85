"""Figures set large side by side, each with a word or two in small type: what a report wants to be remembered by.

They stand under each other like cells, but no row and no column holds them together.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from factspine.extract.pdf.lines import Line
from factspine.extract.pdf.marks import is_measure

_LARGE = 1.3  # times the size of what stands around
_SMALL = 0.8  # of the size of the figures
_GAP = 0.6  # of the type size, between figures and their words
_WORDS_ABOVE, _WORDS_BELOW = 2, 3  # lines


def without_headlines(lines: list[Line]) -> list[Line]:
    """Lines of which tables may be made."""
    usual = median(line.size for line in lines) if lines else 0.0
    large = [i for i, line in enumerate(lines) if line.size >= _LARGE * usual and _is_headline(line)]
    if not large:
        return lines
    taken: set[int] = set()
    for index in large:
        taken.add(index)
        taken.update(_words(lines, index, range(index - 1, max(-1, index - 1 - _WORDS_ABOVE), -1)))
        taken.update(_words(lines, index, range(index + 1, min(len(lines), index + 1 + _WORDS_BELOW))))
    return [line for index, line in enumerate(lines) if index not in taken]


def _is_headline(line: Line) -> bool:
    return len(line.runs) > 1 and all(run.kind == "n" or is_measure(run.text) for run in line.runs)


def _words(lines: Sequence[Line], index: int, others: range) -> list[int]:
    """The lines next to large figures that hold nothing but small words over or under them."""
    figures, found = lines[index], []
    last = figures
    for other in others:
        line = lines[other]
        gap = max(line.top - last.bottom, last.top - line.bottom)
        if line.size > _SMALL * figures.size or gap > _GAP * last.size or not _each_by_its_own(line, figures):
            break
        found.append(other)
        last = line
    return found


def _each_by_its_own(line: Line, figures: Line) -> bool:
    """Whether no phrase of a line reaches from one figure to the next."""
    if any(run.kind != "t" for run in line.runs):
        return False
    bounds = [(left.x1 + right.x0) / 2 for left, right in pairwise(figures.runs)]
    return not any(run.x0 < bound < run.x1 for run in line.runs for bound in bounds)
