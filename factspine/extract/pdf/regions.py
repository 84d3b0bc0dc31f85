"""Where a page is set in columns of prose: the gutters between them, and words region by region in reading order."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import NamedTuple

from factspine.extract.pdf.lines import Line, Run
from factspine.extract.pdf.marks import Rule, Word, letters_in
from factspine.extract.pdf.phrases import is_unit_line

_RUNS_MIN = 6
_MORE_MIN = 3  # lines on either side, where the gutter is known from elsewhere on the page
_EDGE = 7.0
_INDENT = 1.2  # of the type size: what stands further in does not begin at the edge of a column
_RULE_BEYOND = 30.0
_LEADING = 0.6  # of the type size: lines of one paragraph stand no further apart
_ROWS_MIN = 3


class Gutter(NamedTuple):
    """A white strip between two columns of prose."""

    x: float
    top: float
    bottom: float


def find_gutters(lines: Sequence[Line], across: Sequence[Rule] = ()) -> list[Gutter]:
    """Gutters of a page, from left to right; none on a page with one column. Level rules across end them."""
    prose = [run for line in lines for run in line.runs if _is_prose(run)]
    if len(prose) < 2 * _RUNS_MIN:
        return []
    clusters = _by_left_edge(prose)
    gutters: list[Gutter] = []
    for left, right in itertools.pairwise(clusters):
        gutters += _between(left, right, lines, across)
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


class _Strip(NamedTuple):
    """White space between two columns of prose: where it lies, and where the right column begins and ends."""

    x: float
    begin: float
    end: float

    def is_crossed_by(self, line: Line) -> bool:
        """Whether a line belongs to neither column alone."""
        return _crosses(line, self.x) or self._is_row_across(line)

    def _is_row_across(self, line: Line) -> bool:
        """A label left of the strip and nothing but figures right of it: a row of a table as wide as both columns.

        What begins at the left edge of the right column is a row of that column.
        """
        left = [run for run in line.runs if run.x0 <= self.x]
        right = [run for run in line.runs if self.x < run.x0 < self.end]
        if not left or not right or right[0].x0 < self.begin + _INDENT * line.size:
            return False
        return all(run.kind in "ndp" for run in right)


def _between(left: list[Run], right: list[Run], lines: Sequence[Line], across: Sequence[Rule]) -> list[Gutter]:
    """The gutter between two columns, in as many pieces as what crosses it leaves."""
    ends = sorted(r.x1 for r in left)
    end = ends[int(len(ends) * 0.9) - 1]
    begin, limit = min(r.x0 for r in right), max(r.x1 for r in right)
    if begin - end < 4 or min(end - min(r.x0 for r in left), limit - begin) < 90:
        return []
    strip = _Strip(begin - min(6.0, (begin - end) / 2), begin, limit)
    top, bottom = (
        max(min(r.top for r in left), min(r.top for r in right)),
        min(max(r.bottom for r in left), max(r.bottom for r in right)),
    )
    crossing = [line.base for line in lines if top <= line.base <= bottom and strip.is_crossed_by(line)]
    crossing += [r.at for r in across if top <= r.at <= bottom and _runs_across(r, strip.x)]
    edges = [top, *sorted(crossing), bottom]
    tallest = max((b - a, a, b) for a, b in itertools.pairwise(edges))
    if tallest[0] < 7 * left[0].words[0].size:
        return []
    pieces = []
    for upper, lower in itertools.pairwise(edges):
        main = (upper, lower) == tallest[1:]
        low = upper + 2 if upper > top else top - 2
        inside = min(sum(1 for r in side if low <= r.top <= lower) for side in (left, right))
        if inside >= (_RUNS_MIN if main else _MORE_MIN):
            high = low if upper > top else _follow_up(low, strip, lines, across)
            pieces.append(Gutter(strip.x, high, _follow(lower, strip, lines)))
        elif main:
            return []
    return pieces


def _crosses(line: Line, x: float) -> bool:
    return any(w.x0 < x - 1 and w.x1 > x + 1 for w in line.words)


def _runs_across(rule: Rule, x: float) -> bool:
    return rule.start < x - _RULE_BEYOND and rule.end > x + _RULE_BEYOND


def _follow(bottom: float, strip: _Strip, lines: Sequence[Line]) -> float:
    """Short lines that end a column belong to it: follow the text down until something crosses or it pauses."""
    for line in lines:
        if line.base > bottom and line.top - bottom < _LEADING * line.size:
            if strip.is_crossed_by(line):
                break
            bottom = line.bottom
    return bottom


def _follow_up(top: float, strip: _Strip, lines: Sequence[Line], across: Sequence[Rule]) -> float:
    """Short lines that begin a column belong to it as well."""
    for line in reversed(lines):
        if line.base < top and top - line.bottom < _LEADING * line.size:
            if strip.is_crossed_by(line) or any(line.base < r.at < top and _runs_across(r, strip.x) for r in across):
                break
            top = line.top
    return top


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
    """Words of each region in reading order: what stands over columns, each column, what stands below them."""
    regions: list[list[Word]] = []
    rest = list(words)
    for zone in _zones(gutters):
        top, bottom = min(g.top for g in zone), max(g.bottom for g in zone)
        columns: list[list[Word]] = [[] for _ in range(len({g.x for g in zone}) + 1)]
        above: list[Word] = []
        below: list[Word] = []
        for word in rest:
            middle = (word.top + word.bottom) / 2
            if middle < top:
                above.append(word)
            elif middle > bottom:
                below.append(word)
            else:
                x = (word.x0 + word.x1) / 2
                columns[len({g.x for g in zone if g.x <= x and g.top <= middle <= g.bottom})].append(word)
        regions += [above, *columns]
        rest = below
    return [region for region in (*regions, rest) if region]


def _zones(gutters: Sequence[Gutter]) -> list[list[Gutter]]:
    """Gutters that stand side by side, from the top of the page down."""
    zones: list[list[Gutter]] = []
    for gutter in sorted(gutters, key=lambda g: g.top):
        if zones and gutter.top < max(g.bottom for g in zones[-1]):
            zones[-1].append(gutter)
        else:
            zones.append([gutter])
    return zones
