"""A row or a column of a table as facts need it: what it says, and what it is called."""

from __future__ import annotations

from typing import NamedTuple

from factspine.interpret.dimensions import NOTHING, Dims


class Line(NamedTuple):
    """A row or a column of a block."""

    dims: Dims
    words: str  # what is left when everything recognised is taken out: the metric, or a record's name
    label: str  # innermost label, as the document has it
    suffix: str  # the label's part of a locator


NO_LINE = Line(NOTHING, "", "", "")
