"""Periods told by what stands beside them: 上年同期 behind 1-6月 is January to June of the year before.

In a table of months and quarters a column that says only "the same period last year" speaks of the one before it. Where
that one names no period either, nobody has said which stretch it is.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from factspine.interpret.lines import NO_LINE, Line
from factspine.lexicon.periods import PartialPeriod

_MANY_LINES = 500  # a list of so many rows is not laid out in months
_NO_STRETCH = PartialPeriod("W")
_SAME_PERIOD = re.compile(r"同期|\b(?:same|corresponding|comparative) period", re.IGNORECASE)


def with_periods_beside(lines: Mapping[int, Line]) -> dict[int, Line]:
    """The rows or columns of a block, each relation with the part of the year it is to."""
    found = dict(lines)
    if len(lines) > _MANY_LINES:
        return found
    parts = {_stretch(line) for line in lines.values()} - {None}
    alone = next(iter(parts)) if len(parts) == 1 else _NO_STRETCH
    before = NO_LINE
    for number, line in lines.items():
        dims = line.dims
        if "prior_period" in dims.marks:
            if parts and dims.period is None and dims.partial is None:
                dims = dims._replace(partial=_stretch(before) or alone)
            if "year_to_date" in before.dims.marks and _SAME_PERIOD.search(line.label):
                # 上年同期 behind 本年累计: the same months of the year before, and no single one.
                dims = dims._replace(marks=tuple(sorted({*dims.marks, "year_to_date"})))
            found[number] = line._replace(dims=dims)
        before = line
    return found


def _stretch(line: Line) -> PartialPeriod | None:
    """The part of a year that a line is about, plans for the whole of it aside."""
    partial = line.dims.partial if line.dims.waits else None
    if partial is None or (partial.period_type == "FY" and partial.number):
        return None
    return partial._replace(marks=(), span_start=0, span_end=0)
