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


def beside_year_to_date(cols: Mapping[int, Line]) -> dict[int, Line]:
    """Columns with what 上年同期 behind 本年累计 means: the same months of the year before, and no single one."""
    found = dict(cols)
    for col, line in cols.items():
        dims, left = line.dims, cols.get(col - 1, NO_LINE).dims
        if "year_to_date" in left.marks and "prior_period" in dims.marks and _SAME_PERIOD.search(line.label):
            marks = tuple(sorted({*dims.marks, "year_to_date"}))
            found[col] = line._replace(dims=dims._replace(marks=marks))
    return found


def with_periods_beside(lines: Mapping[int, Line]) -> dict[int, Line]:
    """The rows or columns of a block, where some are parts of a year, each relation with the part it is to."""
    found = dict(lines)
    parts = {_stretch(line) for line in lines.values()} - {None} if len(lines) <= _MANY_LINES else set()
    if not parts:
        return found
    alone = next(iter(parts)) if len(parts) == 1 else _NO_STRETCH
    before = NO_LINE
    for number, line in lines.items():
        dims = line.dims
        if "prior_period" in dims.marks and dims.period is None and dims.partial is None:
            found[number] = line._replace(dims=dims._replace(partial=_stretch(before) or alone))
        before = line
    return found


def _stretch(line: Line) -> PartialPeriod | None:
    """The part of a year that a line is about, plans for the whole of it aside."""
    partial = line.dims.partial if line.dims.waits else None
    if partial is None or (partial.period_type == "FY" and partial.number):
        return None
    return partial._replace(marks=(), span_start=0, span_end=0)
