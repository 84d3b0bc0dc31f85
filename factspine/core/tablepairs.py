"""Two readings of a document, table by table: which table of one is which of the other.

A title says what a table is about, so it comes first where it tells tables apart; then what they say; then where they
stand. Two tables whose labels are the same are not the same table for that.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence

from factspine.core.observed import Observed, Spot, TableMark, spot_of
from factspine.core.sequences import shared_pieces

_LOOKED_AT = 32


class Part:
    """Facts of one table, or those of them that are still to be placed."""

    def __init__(self, mark: TableMark, order: int, facts: Sequence[Observed], spots: dict[int, Spot]) -> None:
        self.mark = mark
        self.order = order
        self.places = list(spots)
        self.labels = frozenset(spot.labels for spot in spots.values())
        # The text alone: a unit named elsewhere may change, and it is still the same table.
        self.said = tuple((spot.labels, facts[place].content[0]) for place, spot in spots.items())
        rows: dict[tuple[str, str], list[Hashable]] = {}
        for spot, said in zip(spots.values(), self.said, strict=True):
            rows.setdefault((spot.container, spot.row), []).append(said)
        self.rows = tuple(tuple(row) for row in rows.values())
        self.sheet, self.kind = _place_of(mark)
        self.name = name_of(mark)

    def like(self, other: Part) -> bool:
        """Whether half of the labels of the smaller table are the other's too."""
        return 2 * len(self.labels & other.labels) >= min(len(self.labels), len(other.labels))

    def may_be(self, other: Part) -> bool:
        """Whether no title says that these are two tables."""
        return "" in (self.mark.title, other.mark.title) or self.mark.title == other.mark.title


_Pieces = Callable[[Part], Sequence[Hashable]]


def _place_of(mark: TableMark) -> tuple[str, str]:
    """The sheet, where it is on one, and whether it is a table or a chart."""
    head, _, number = mark.locator.rpartition(",")
    return head if head.startswith("sheet=") else "", number.partition("=")[0]


def name_of(mark: TableMark) -> Hashable:
    """What a person calls a table, None where it has no name; on a sheet, the sheet's name is part of it."""
    sheet, kind = _place_of(mark)
    return (sheet, kind, mark.title) if sheet or mark.title else None


def pair_tables(old: Sequence[Part], new: Sequence[Part]) -> list[tuple[Part, Part]]:
    """Tables of both sides that are the same one."""
    pairing = _Pairing(old, new)
    pairing.by(lambda one: (one.name, one.mark.locator, one.said))
    pairing.by(lambda one: (one.name, one.said))
    pairing.by(lambda one: one.name, Part.like, once=True)
    # Whole rows first: where many tables share their numbers, few share a row of them.
    pairing.by_what_they_say(lambda part: part.rows)
    pairing.by_what_they_say(lambda part: part.said)
    pairing.by(lambda one: one.name, once=True)
    pairing.by(lambda one: one.name and (one.name, one.mark.locator), Part.like)
    pairing.by(lambda one: one.name, Part.like)
    pairing.by(lambda one: one.mark.locator, Part.like)
    pairing.by(lambda one: (one.sheet, one.kind, one.labels), Part.may_be)
    return pairing.pairs


class _Pairing:
    def __init__(self, old: Iterable[Part], new: Iterable[Part]) -> None:
        self.pairs: list[tuple[Part, Part]] = []
        self._old = list(old)
        self._new = list(new)

    def _settle(self, pairs: list[tuple[Part, Part]]) -> None:
        gone = {id(part) for pair in pairs for part in pair}
        self.pairs += pairs
        self._old = [part for part in self._old if id(part) not in gone]
        self._new = [part for part in self._new if id(part) not in gone]

    def by(
        self,
        key: Callable[[Part], Hashable],
        allowed: Callable[[Part, Part], bool] = lambda one, other: True,
        *,
        once: bool = False,
    ) -> None:
        """Pairs tables of the same key, first with first; with `once`, only where there is one on either side."""
        before, after = _grouped(self._old, key), _grouped(self._new, key)
        found: list[tuple[Part, Part]] = []
        for name, parts in before.items():
            others = after.get(name, [])
            if not once or len(parts) == len(others) == 1:
                found += _first_with_first(parts, others, allowed)
        self._settle(found)

    def by_what_they_say(self, pieces: _Pieces) -> None:
        """Pairs tables that share half of what the smaller one says, those first that share most."""
        taken: set[int] = set()
        found: list[tuple[Part, Part]] = []
        for one, other in most_alike(
            self._old, self._new, lambda one, other: min(len(pieces(one)), len(pieces(other))), pieces
        ):
            if id(one) not in taken and id(other) not in taken:
                taken |= {id(one), id(other)}
                found.append((one, other))
        self._settle(found)


def _first_with_first(
    old: Iterable[Part], new: Iterable[Part], allowed: Callable[[Part, Part], bool]
) -> list[tuple[Part, Part]]:
    left = list(new)
    found: list[tuple[Part, Part]] = []
    for one in old:
        for place, other in enumerate(left[:_LOOKED_AT]):
            if allowed(one, other):
                found.append((one, other))
                del left[place]
                break
    return found


def _grouped(parts: Iterable[Part], key: Callable[[Part], Hashable]) -> dict[Hashable, list[Part]]:
    groups: dict[Hashable, list[Part]] = defaultdict(list)
    for part in parts:
        groups[key(part)].append(part)
    groups.pop(None, None)
    return groups


def most_alike(
    old: Sequence[Part],
    new: Sequence[Part],
    size: Callable[[Part, Part], int],
    pieces: _Pieces = lambda part: part.said,
) -> list[tuple[Part, Part]]:
    """Pairs of tables that share at least half of `size`, those first that share most."""
    shared = shared_pieces([pieces(part) for part in old], [pieces(part) for part in new])
    found = []
    for (one, other), count in shared.items():
        before, after = old[one], new[other]
        if 2 * count >= size(before, after):
            share = 2 * count / (len(pieces(before)) + len(pieces(after)))
            named = before.name is not None and before.name == after.name
            stays = before.mark.locator == after.mark.locator
            found.append(((-share, not named, not stays, one, other), before, after))
    found.sort(key=lambda entry: entry[0])
    return [(before, after) for _, before, after in found]


def parts_of(facts: Sequence[Observed]) -> dict[TableMark, list[int]]:
    """Places of the facts of each table, in order."""
    tables: dict[TableMark, list[int]] = {}
    for place, fact in enumerate(facts):
        mark = fact.table if fact.table.locator else TableMark(spot_of(fact.locator).container)
        found = tables.get(mark)
        if found is None:
            found = tables[mark] = []
        found.append(place)
    return tables
