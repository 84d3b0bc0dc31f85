"""A row or a column of a table as facts need it: what it says, and what it is called."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from factspine.interpret.dimensions import NOTHING, Dims


class Line(NamedTuple):
    """A row or a column of a block."""

    dims: Dims
    words: str  # what is left when everything recognised is taken out: the metric, or a record's name
    label: str  # innermost label, as the document has it
    suffix: str  # the label's part of a locator


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


NO_LINE = Line(NOTHING, "", "", "")
