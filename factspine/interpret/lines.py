"""A row or a column of a table as facts need it: what it says, and what it is called."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from factspine.core.labelled import Path
from factspine.core.locators import encode
from factspine.core.tables import RawTable
from factspine.interpret.depths import depths_shown
from factspine.interpret.dimensions import NOTHING, AxisReading, Dims
from factspine.lexicon.slugs import PATH_BREAK

_new = tuple.__new__  # a named tuple's own constructor takes twice as long


class Line(NamedTuple):
    """A row or a column of a block."""

    dims: Dims
    words: str  # what is left when everything recognised is taken out: the metric, or a record's name
    label: str  # innermost label, as the document has it
    suffix: str  # the label's part of a locator


NO_LINE = Line(NOTHING, "", "", "")


def read_lines(
    paths: Mapping[int, Path], key: str, read: Callable[[Path], AxisReading], raw: RawTable
) -> dict[int, Line]:
    """Every row or column of a block read; a metric's words are as much of its path as tells it from the others."""
    readings = {number: read(path) for number, path in paths.items()}
    depths = depths_shown(readings, paths, raw.spans, of_rows=key == "row")
    return {
        number: _new(
            Line,
            (
                dims,
                PATH_BREAK.join(rests[-depths[number] :]),
                label,
                f",{key}={encode(label)}" if label else "",
            ),
        )
        for number, (dims, rests, label) in readings.items()
    }


def shared_statements(rows: dict[int, Line]) -> dict[int, Line]:
    """The same lines with equal statements held once, so that pairs of them are decided once."""
    seen: dict[Dims, Dims] = {}
    same: dict[int, Dims] = {id(NOTHING): NOTHING}  # by identity: most are held once already, and hashing them is dear
    for dims in {id(line.dims): line.dims for line in rows.values()}.values():
        same.setdefault(id(dims), seen.setdefault(dims, dims))
    return {
        number: line if same[id(line.dims)] is line.dims else line._replace(dims=same[id(line.dims)])
        for number, line in rows.items()
    }
