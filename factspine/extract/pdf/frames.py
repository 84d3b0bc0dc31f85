"""Level rules with common ends frame a table without a grid: where it begins, where it ends, what lies between."""

from __future__ import annotations

import itertools
from bisect import bisect_right
from collections.abc import Sequence

from factspine.extract.pdf.columns import find_strips, run_intervals
from factspine.extract.pdf.lines import Line
from factspine.extract.pdf.marks import Rule
from factspine.extract.pdf.phrases import CAPTION
from factspine.extract.pdf.seeds import restarts

_BANDS_MIN = 4


class Frame:
    """Level rules with common ends: where a table without a grid begins and ends."""

    __slots__ = ("bottom", "rules", "top", "tried", "x0", "x1")

    def __init__(self, rules: list[Rule]) -> None:
        self.rules = rules
        self.top, self.bottom = rules[0].at, rules[-1].at
        self.x0, self.x1 = min(r.start for r in rules), max(r.end for r in rules)
        self.tried = False

    def holds(self, line: Line) -> bool:
        return self.top - 2 <= line.base <= self.bottom + 2 and self.x0 - 8 <= line.x0 and line.x1 <= self.x1 + 8


def frame_rules(across: Sequence[Rule], lines: Sequence[Line]) -> list[Frame]:
    """Groups of level rules that begin and end together, with parted lines between each and the next."""
    groups: list[list[Rule]] = []
    for rule in sorted(across):
        if rule.end - rule.start < 60:
            continue
        for group in groups:
            if abs(group[0].start - rule.start) < 8 and abs(group[0].end - rule.end) < 8:
                group.append(rule)
                break
        else:
            groups.append([rule])
    frames = []
    for group in groups:
        if _is_banded(group, lines):
            frames.append(Frame(group))
        else:
            frames += [Frame(part) for part in _framed_parts(group, lines) if len(part) >= 2]
    return frames


def _is_banded(group: list[Rule], lines: Sequence[Line]) -> bool:
    """Rules between all rows, and a white strip down through all of them: a table of words needs no figures."""
    if len(group) < _BANDS_MIN:
        return False
    frame = Frame(group)
    bands: list[list[Line]] = [[] for _ in group[1:]]
    for line in lines:
        if frame.holds(line) and frame.top < line.base < frame.bottom:
            bands[min(bisect_right([r.at for r in group], line.base), len(bands)) - 1].append(line)
    strips = find_strips([run_intervals(line) for band in bands for line in band], slack=0.02)
    if not strips or not all(bands):
        return False
    if any(frame.holds(li) and (restarts(lines, i) or _is_prose(li, group[0])) for i, li in enumerate(lines)):
        return False
    middle = strips[0].middle
    both = sum(1 for band in bands if any(li.x0 < middle for li in band) and any(li.x1 > middle for li in band))
    return both >= 0.8 * len(bands)


def _is_prose(line: Line, rule: Rule) -> bool:
    """A line of many words without a gap, nearly as wide as the rules."""
    return len(line.runs) == 1 and line.runs[0].length > 9 and line.x1 - line.x0 > 0.75 * (rule.end - rule.start)


def _framed_parts(group: list[Rule], lines: Sequence[Line]) -> list[list[Rule]]:
    """Cut a group of rules where what stands between two of them is no part of a table."""
    parts = [[group[0]]]
    for upper, lower in itertools.pairwise(group):
        numbers = [
            i
            for i, li in enumerate(lines)
            if upper.at <= li.base <= lower.at and li.x1 > upper.start and li.x0 < upper.end
        ]
        between = [lines[i] for i in numbers]
        parted = sum(1 for li in between if len(li.runs) >= 2)
        beyond = sum(1 for li in between if li.x0 < upper.start - 12 or li.x1 > upper.end + 12)
        prose = sum(1 for li in between if _is_prose(li, upper))
        if (
            prose > 0.1 * len(between)
            or beyond > 0.2 * len(between)
            or any(CAPTION.match(li.text) for li in between)
            or not between
            or parted < 0.3 * len(between)
            or any(restarts(lines, i) for i in numbers)
        ):
            parts.append([lower])
        else:
            parts[-1].append(lower)
    return parts
