"""Where a page is set in columns of prose: the gutters between them, and words region by region in reading order."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import NamedTuple

from factspine.extract.pdf.lines import Line, Run
from factspine.extract.pdf.marks import Word, letters_in

_RUNS_MIN = 6
_EDGE = 7.0


class Gutter(NamedTuple):
    """A white strip between two columns of prose."""

    x: float
    top: float
    bottom: float


def find_gutters(lines: Sequence[Line]) -> list[Gutter]:
    """Gutters of a page, from left to right; none on a page with one column."""
    prose = [run for line in lines for run in line.runs if _is_prose(run)]
    if len(prose) < 2 * _RUNS_MIN:
        return []
    clusters = _by_left_edge(prose)
    gutters: list[Gutter] = []
    for left, right in itertools.pairwise(clusters):
        gutter = _between(left, right, lines)
        if gutter is not None:
            gutters.append(gutter)
    return gutters


def _is_prose(run: Run) -> bool:
    text = run.text
    letters = letters_in(text)
    return letters > 0.6 * len(text.replace(" ", "")) and (len(run.words) >= 4 or letters >= 24 or len(text) > 30)


def _by_left_edge(runs: list[Run]) -> list[list[Run]]:
    clusters: list[list[Run]] = []
    for run in sorted(runs, key=lambda r: r.x0):
        if clusters and run.x0 - clusters[-1][-1].x0 <= _EDGE:
            clusters[-1].append(run)
        else:
            clusters.append([run])
    big = [c for c in clusters if len(c) >= _RUNS_MIN]
    # Indented paragraphs make two clusters of one column: unite clusters whose runs share most of their width.
    united: list[list[Run]] = []
    for cluster in big:
        if united:
            ends = sorted(r.x1 for r in united[-1])
            if cluster[0].x0 < ends[len(ends) * 3 // 4]:
                united[-1] = united[-1] + cluster
                continue
        united.append(cluster)
    return united


def _between(left: list[Run], right: list[Run], lines: Sequence[Line]) -> Gutter | None:
    ends = sorted(r.x1 for r in left)
    end = ends[int(len(ends) * 0.9) - 1]
    begin = min(r.x0 for r in right)
    if begin - end < 4 or min(end - min(r.x0 for r in left), max(r.x1 for r in right) - begin) < 90:
        return None
    x = begin - min(6.0, (begin - end) / 2)
    top, bottom = (
        max(min(r.top for r in left), min(r.top for r in right)),
        min(max(r.bottom for r in left), max(r.bottom for r in right)),
    )
    crossing = sorted(
        w.base for line in lines for w in line.words if w.x0 < x - 1 and w.x1 > x + 1 and top <= w.base <= bottom
    )
    best = (0.0, top, top)
    edges = [top, *crossing, bottom]
    for a, b in itertools.pairwise(edges):
        best = max(best, (b - a, a, b))
    if best[0] < 7 * left[0].words[0].size:
        return None
    low = best[1] + 2 if best[1] > top else top - 2
    inside = [sum(1 for r in side if low <= r.top <= best[2]) for side in (left, right)]
    if min(inside) < _RUNS_MIN:
        return None
    return Gutter(x, low, _follow(best[2], x, lines))


def _follow(bottom: float, x: float, lines: Sequence[Line]) -> float:
    """Short lines that end a column belong to it: follow the text down until something crosses or it pauses."""
    for line in lines:
        if line.base > bottom and line.top - bottom < 1.2 * line.size:
            if any(w.x0 < x - 1 and w.x1 > x + 1 for w in line.words):
                break
            bottom = line.bottom
    return bottom


def by_region(words: Sequence[Word], gutters: Sequence[Gutter]) -> list[list[Word]]:
    """Words of each region in reading order: above the columns, each column, below them."""
    if not gutters:
        return [list(words)]
    top, bottom = min(g.top for g in gutters), max(g.bottom for g in gutters)
    xs = sorted(g.x for g in gutters)
    above: list[Word] = []
    below: list[Word] = []
    columns: list[list[Word]] = [[] for _ in range(len(xs) + 1)]
    for word in words:
        middle = (word.top + word.bottom) / 2
        if middle < top:
            above.append(word)
        elif middle > bottom:
            below.append(word)
        else:
            columns[sum(1 for x in xs if x <= (word.x0 + word.x1) / 2)].append(word)
    return [region for region in (above, *columns, below) if region]
