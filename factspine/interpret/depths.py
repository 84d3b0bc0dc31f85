"""How much of a path of labels names a row or a column: as many of them as tell it from the others, and mean something.

The innermost label is enough where it says what is measured and no other path ends in it. Where it says only that there
is an amount, a total or a change, the label above it says of what.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from factspine.core.labelled import Path
from factspine.core.tables import Position
from factspine.interpret.dimensions import AxisReading, is_bare_amount, is_bare_total, is_relation

_PATH_SHOWN = 3
_NAMED_LEAST = 3
_WITH_PARENT = 2

Spans = Mapping[Position, tuple[int, int]]


def depths_shown(
    readings: Mapping[int, AxisReading], paths: Mapping[int, Path], spans: Spans, *, of_rows: bool
) -> dict[int, int]:
    """How many labels, from the innermost outwards, name each row or column."""
    needed = _depths_needed(readings.values())
    deepest = max(needed.values(), default=1)
    shown = {}
    for number, reading in readings.items():
        depth = needed.get(reading.rests, 1)
        if depth == 1 < len(reading.rests):
            depth = _depth_told(paths[number], reading, spans)
            if of_rows and depth == 1 < deepest and _is_of_column(paths[number]):
                depth = _WITH_PARENT  # as the rows beside it are named
        shown[number] = depth
    return shown


def _depth_told(path: Path, reading: AxisReading, spans: Spans) -> int:
    """Two labels where the innermost alone says nothing: 金额, 较年初, the subtotal of what a merged head spans."""
    if is_bare_amount(reading.rests[-1]) or any(map(is_relation, reading.rests[-2:])):
        return _WITH_PARENT
    if not is_bare_total(reading.rests[-1]) or path[-2].row == path[-1].row:
        return 1
    return _WITH_PARENT if spans.get((path[-2].row, path[-2].col), (1, 1))[1] > 1 else 1


def _is_of_column(path: Path) -> bool:
    """Whether the innermost label of a row stands in a column of its own, behind that of the label it belongs to."""
    return len(path) > 1 and path[-1].col > path[-2].col


def _depths_needed(readings: Iterable[AxisReading]) -> dict[tuple[str, ...], int]:
    """How many labels, from the innermost outwards, make each path unlike every other path of its axis."""
    paths = {reading.rests for reading in readings if reading.rests}
    needed: dict[tuple[str, ...], int] = {}
    for depth in range(1, _PATH_SHOWN + 1):
        tails = Counter(path[-depth:] for path in paths)
        for path in paths:
            if path not in needed and (tails[path[-depth:]] == 1 or depth in (len(path), _PATH_SHOWN)):
                needed[path] = depth
    names, ends = ({path[at] for path in paths} for at in (0, -1))
    longer = [path for path in paths if len(path) > 1]
    if len(ends) < len(paths) == len(names) or _are_named(longer):
        # The first label is the name of each, what follows says something of it: a shop, and who runs it.
        needed |= {path: min(len(path), _PATH_SHOWN) for path in longer}
    return needed


def _are_named(longer: Sequence[tuple[str, ...]]) -> bool:
    return len(longer) >= _NAMED_LEAST and len({path[0] for path in longer}) == len(longer)
