"""The facts of one table in two readings: which cell of one is which of the other.

Rows are paired by what they say and by their labels, columns likewise; a cell goes with its row and its column.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from operator import itemgetter
from typing import Any

from factspine.core.observed import Observed, Spot
from factspine.core.sequences import Pieces, align

_Row = tuple[str, str]  # the container too: a table may continue on the next page
_SAID, _LABEL = 1, 2  # among the keys of a row: what it says under its label, and its label alone
_WHO = 4  # of an identity: label, entity, geography, channel; the period and the status belong to columns as often


class Grid:
    """Some facts of a table by row and column."""

    def __init__(self, facts: Sequence[Observed], spots: Mapping[int, Spot], places: Iterable[int]) -> None:
        self.facts = facts
        self.rows: dict[_Row, dict[str, int]] = {}
        self.row_labels: dict[_Row, str] = {}
        self.col_labels: dict[str, str] = {}
        for place in places:
            container, _, row, col, row_label, col_label = spots[place]
            self.rows.setdefault((container, row), {})[col] = place
            self.row_labels.setdefault((container, row), row_label)
            self.col_labels.setdefault(col, col_label)

    def row_keys(self, cols: Mapping[str, int]) -> list[tuple[Hashable, ...]]:
        """Of each row: what it says and about what; the same without; label and whom it is about; label; what it says.

        A single number proves no row without its label.
        """
        keys: list[tuple[Hashable, ...]] = []
        for row, cells in self.rows.items():
            label = self.row_labels[row]
            told = sorted(
                ((cols[col], self.facts[place]) for col, place in cells.items() if col in cols), key=itemgetter(0)
            )
            said = tuple((col, fact.content) for col, fact in told)
            about = tuple(fact.identity for _, fact in told)
            whom = frozenset(self.facts[place].identity[:_WHO] for place in cells.values())
            keys.append(((label, said, about), (label, said), (label, whom), label, said if len(said) > 1 else None))
        return keys

    def col_keys(self, rows: Mapping[_Row, int]) -> tuple[list[str], list[tuple[Hashable, ...]]]:
        """The columns, and of each: label and what it says in these rows; label; what it says."""
        said: dict[str, list[tuple[int, tuple[object, ...]]]] = defaultdict(list)
        for row, number in rows.items():
            for col, place in self.rows[row].items():
                said[col].append((number, self.facts[place].content))
        names = list(self.col_labels)
        keys: list[tuple[Hashable, ...]] = []
        for col in names:
            told = tuple(said[col])
            keys.append(((self.col_labels[col], told), self.col_labels[col], told if len(told) > 1 else None))
        return names, keys


def pair_cells(old: Grid, new: Grid) -> list[tuple[int, int]]:
    """Places of old facts with those of the new facts they became."""
    rows_of_old, rows_of_new = list(old.rows), list(new.rows)
    cols_old, cols_new = _columns_alike(old, new)
    keys_old, keys_new = old.row_keys(cols_old), new.row_keys(cols_new)
    found = align(keys_old, keys_new, neighbours_only=1, pieces=Pieces(_cells(keys_old), _cells(keys_new), _LABEL))
    ordered = sorted(found.items())
    in_old = {rows_of_old[before]: number for number, (before, _) in enumerate(ordered)}
    in_new = {rows_of_new[after]: number for number, (_, after) in enumerate(ordered)}
    names_old, said_old = old.col_keys(in_old)
    names_new, said_new = new.col_keys(in_new)
    cols = {names_old[one]: names_new[other] for one, other in align(said_old, said_new, neighbours_only=1).items()}
    pairs: list[tuple[int, int]] = []
    for row, other in zip(in_old, in_new, strict=True):
        cells = new.rows[other]
        for col, place in old.rows[row].items():
            partner = cells.get(cols.get(col, ""))
            if partner is not None:
                pairs.append((place, partner))
    return pairs


def _cells(rows: Sequence[tuple[Any, ...]]) -> Callable[[int], Sequence[Hashable]]:
    """The cells of a row with its label, from its keys."""
    return lambda place: [(rows[place][_SAID][0], cell) for cell in rows[place][_SAID][1]]


def _columns_alike(old: Grid, new: Grid) -> tuple[dict[str, int], dict[str, int]]:
    """Columns that are surely the same, numbered on both sides: only in these are rows compared."""
    # A column more or less must not make every row another one.
    before, after = _once(old), _once(new)
    shared = [label for label in before if label in after]
    if not shared:
        return _numbered(old.col_labels), _numbered(new.col_labels)
    return (
        {before[label]: number for number, label in enumerate(shared)},
        {after[label]: number for number, label in enumerate(shared)},
    )


def _once(grid: Grid) -> dict[str, str]:
    counts = Counter(grid.col_labels.values())
    return {label: col for col, label in grid.col_labels.items() if counts[label] == 1}


def _numbered(names: Iterable[str]) -> dict[str, int]:
    return {name: number for number, name in enumerate(names)}
