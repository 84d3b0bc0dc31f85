"""Where a page is set in columns of prose: the gutters between them, and words region by region in reading order."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import NamedTuple

from factspine.extract.pdf.lines import Line, Run
from factspine.extract.pdf.marks import Word, letters_in
from factspine.extract.pdf.phrases import is_unit_line

_RUNS_MIN = 6
_EDGE = 7.0
_LEADING = 0.6  # of the type size: lines of one paragraph stand no further apart
_ROWS_MIN = 3


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
        line.base for line in lines if top <= line.base <= bottom and (_crosses(line, x) or _is_row_across(line, x))
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


def _crosses(line: Line, x: float) -> bool:
    return any(w.x0 < x - 1 and w.x1 > x + 1 for w in line.words)


def _is_row_across(line: Line, x: float) -> bool:
    """A label left of the gutter and nothing but figures right of it: a row of a table as wide as the page."""
    right = [run for run in line.runs if run.x0 > x]
    return len(right) > 0 and len(right) < len(line.runs) and all(run.kind in "ndp" for run in right)


def _follow(bottom: float, x: float, lines: Sequence[Line]) -> float:
    """Short lines that end a column belong to it: follow the text down until something crosses or it pauses."""
    for line in lines:
        if line.base > bottom and line.top - bottom < _LEADING * line.size:
            if _crosses(line, x) or _is_row_across(line, x):
                break
            bottom = line.bottom
    return bottom


def table_gutters(lines: Sequence[Line]) -> list[Gutter]:
    """The gutter between two tables that stand side by side, each under a title of its own.

    Labels and figures on both sides alone do not make two tables: assets beside liabilities are one.
    """
    labels = sorted(label for line in lines for label in _labels(line))
    if len(labels) < 2 * _ROWS_MIN:
        return []
    size = labels[0].size
    ends = list(itertools.accumulate((label.end for label in labels), max))
    for count in range(_ROWS_MIN, len(labels) - _ROWS_MIN + 1):
        if ends[count - 1] >= labels[count].start - 0.5 * size:
            continue
        x = (ends[count - 1] + labels[count].start) / 2
        sides = [[label.base for label in side] for side in (labels[:count], labels[count:])]
        top, bottom = max(map(min, sides)), min(map(max, sides))
        if min(sum(1 for base in side if top - 3 * size <= base <= bottom + 3 * size) for side in sides) >= _ROWS_MIN:
            return _titled(lines, x, min(map(min, sides)), max(map(max, sides)))
    return []


def _titled(lines: Sequence[Line], x: float, top: float, bottom: float) -> list[Gutter]:
    """The gutter from the titles over it to the last line it parts; none where there are no titles on both sides."""
    inside = [index for index, line in enumerate(lines) if top <= line.base <= bottom]
    first, last = inside[0], inside[-1]
    if any(_crosses(lines[index], x) for index in inside):
        return []
    headed = titled = False
    while first > 0 and not _crosses(lines[first - 1], x):
        line = lines[first - 1]
        if lines[first].top - line.bottom > 2.2 * line.size:
            break
        titled = titled or (headed and _titles_both(line, x))
        headed = headed or len(line.runs) > 2 or any(run.kind == "p" for run in line.runs)
        first -= 1
    if not titled:
        return []
    while last + 1 < len(lines) and not _crosses(lines[last + 1], x) and _near(lines[last], lines[last + 1]):
        last += 1
    return [Gutter(x, lines[first].top - 1, lines[last].bottom + 1)]


def _near(upper: Line, lower: Line) -> bool:
    return lower.top - upper.bottom < 1.2 * lower.size


class _Label(NamedTuple):
    """Words with figures behind them."""

    start: float
    end: float  # of the last of its figures
    base: float
    size: float


def _labels(line: Line) -> list[_Label]:
    """The labels of a line: at its beginning, or after the figures of another label."""
    found: list[_Label] = []
    runs = line.runs
    for index, run in enumerate(runs[:-1]):
        if run.kind == "t" and runs[index + 1].kind in "nd" and (index == 0 or runs[index - 1].kind in "nd"):
            figures = itertools.takewhile(lambda r: r.kind in "nd", runs[index + 1 :])
            found.append(_Label(run.x0, max(r.x1 for r in figures), line.base, line.size))
    return found


def _titles_both(line: Line, x: float) -> bool:
    """One phrase on either side of a gutter, neither of them a unit, a period or a figure."""
    sides = [[run for run in line.runs if (run.x0 > x) is right] for right in (False, True)]
    return all(len(side) == 1 and side[0].kind == "t" and not is_unit_line(side[0].text) for side in sides)


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
