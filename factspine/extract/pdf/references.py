"""Columns between labels and figures: references to notes close behind the labels, and units, some of them signs."""

from __future__ import annotations

import re
from collections.abc import Sequence

from factspine.extract.pdf.lines import Line, Run
from factspine.extract.pdf.marks import AFTER_NUMBER, CURRENCIES, Word

_REFERENCE = re.compile(
    r"\d{1,3}(?:\.\d{1,2})?(?:\([a-z\d]{1,3}\))*|[一二三四五六七八九十]{1,3}[、.（(]?\s*[(（]?\d{1,3}[)）]?"
)
_ROWS_MIN = 3
_GAP = 0.3  # of the type size: wider than most spaces
_ANCHORS_MAX = 100  # a column shows in its first rows
_ALIGNED = 0.12  # of the type size


def part_references(lines: Sequence[Line]) -> None:
    """Part references from the labels before them, where several end or begin at one place behind all labels."""
    joined = [line for line in lines if _ends_with_reference(line)]
    if not joined:
        return
    apart = [line.runs[1].words[0] for line in lines if _stands_apart(line)]
    column = _aligned([*(line.runs[0].words[-1] for line in joined), *apart], joined[0].size)
    if len(column) < _ROWS_MIN or len(column) < 0.6 * (len(joined) + len(apart)):
        return
    begin = min(word.x0 for word in column)
    inside = {id(word) for word in column}
    labels = [line.runs[0].words for line in lines if line.runs[0].kind == "t"]
    ends = [words[-2].x1 if id(words[-1]) in inside else words[-1].x1 for words in labels]
    if sum(1 for end in ends if end > begin) > 0.06 * len(ends):
        return  # labels reach over it: numbers that happen to stand under each other
    for line in joined:
        words = line.runs[0].words
        if id(words[-1]) in inside:
            line.runs[:1] = [Run(words[:-1]), Run(words[-1:])]


def part_units(lines: Sequence[Line]) -> None:
    """Part a currency from the amount behind it where it stands in a column of units: €m, %, €."""
    for line in lines:
        for number, run in enumerate(line.runs[1:], start=1):
            sign = run.words[0]
            if sign.text in CURRENCIES and len(run.words) > 1 and run.words[1].x0 - sign.x1 > sign.size:
                others = sum(1 for li in lines for r in li.runs[1:] if r is not run and _begins_below(r, sign))
                if others >= _ROWS_MIN:
                    line.runs[number : number + 1] = [Run(run.words[:1]), Run(run.words[1:])]
                break


def _begins_below(run: Run, sign: Word) -> bool:
    """Whether words, or the one sign of a unit, begin where a currency does."""
    return abs(run.x0 - sign.x0) <= _ALIGNED * sign.size and (run.kind == "t" or run.text in AFTER_NUMBER)


def _ends_with_reference(line: Line) -> bool:
    words = line.runs[0].words
    if len(words) < 2 or len(line.runs) < 2 or not _REFERENCE.fullmatch(words[-1].text):
        return False
    return words[-1].x0 - words[-2].x1 > _GAP * words[-1].size


def _stands_apart(line: Line) -> bool:
    """A label, a reference in a run of its own, and figures."""
    runs = line.runs
    return len(runs) > 2 and runs[0].kind == "t" and _REFERENCE.fullmatch(runs[1].text) is not None


def _aligned(words: Sequence[Word], size: float) -> list[Word]:
    """The most words that share their right or their left edge."""
    best: list[Word] = []
    for anchor in words[:_ANCHORS_MAX]:
        for side in ("x0", "x1"):
            same = [w for w in words if abs(getattr(w, side) - getattr(anchor, side)) <= _ALIGNED * size]
            best = max(best, same, key=len)
    return best
