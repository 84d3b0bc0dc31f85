"""A row or a column of a table as facts need it: what it says, and what it is called."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from factspine.core.labelled import Path
from factspine.core.locators import encode
from factspine.core.tables import RawTable
from factspine.interpret.dimensions import NOTHING, AxisReading, Dims, is_bare_amount, is_bare_total, is_relation
from factspine.lexicon.slugs import PATH_BREAK

_PATH_SHOWN = 3
_NAMED_LEAST = 3
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
    needed = _depths_needed(readings.values())
    return {
        number: _new(
            Line,
            (
                dims,
                PATH_BREAK.join(rests[-max(needed[rests], _depth_told(paths[number], rests, raw)) :]) if rests else "",
                label,
                f",{key}={encode(label)}" if label else "",
            ),
        )
        for number, (dims, rests, label) in readings.items()
    }


def _depth_told(path: Path, rests: tuple[str, ...], raw: RawTable) -> int:
    """Two labels where the innermost alone says nothing: 金额, 较年初, the subtotal of what a merged head spans."""
    if len(rests) < 2:
        return 1
    if is_bare_amount(rests[-1]) or any(map(is_relation, rests[-2:])):
        return 2
    if not is_bare_total(rests[-1]) or path[-2].row == path[-1].row:
        return 1
    return 1 + (raw.spans.get((path[-2].row, path[-2].col), (1, 1))[1] > 1)


def _depths_needed(readings: Iterable[AxisReading]) -> dict[tuple[str, ...], int]:
    """How many labels, from the innermost outwards, make each path unlike every other path of its axis."""
    paths = {reading.rests for reading in readings if reading.rests}
    needed: dict[tuple[str, ...], int] = {}
    for depth in range(1, _PATH_SHOWN + 1):
        tails = Counter(path[-depth:] for path in paths)
        for path in paths:
            if path not in needed and (tails[path[-depth:]] == 1 or depth in (len(path), _PATH_SHOWN)):
                needed[path] = depth
    longer = [path for path in paths if len(path) > 1]
    if len(longer) >= _NAMED_LEAST and len({path[0] for path in longer}) == len(longer):
        # The first label is the name of each, what follows says something of it: a shop, and who runs it.
        needed |= {path: min(len(path), _PATH_SHOWN) for path in longer}
    return needed


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
