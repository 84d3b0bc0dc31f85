"""How the facts of one reading of a document became those of another: unchanged, changed, moved, vanished, added.

Whole tables are followed first, then the cells within them: a row inserted above moves every fact below it, a page
inserted before moves every table after it, and none of them vanished, whatever stands in their old places now.
The same comparison tells an ingest what a new revision did, and the check what a document says now.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from factspine.core.grids import Grid, pair_cells
from factspine.core.observed import Observed, Spot, TableMark, spot_of
from factspine.core.sequences import align
from factspine.core.tablepairs import Part, most_alike, name_of, pair_tables, parts_of

Fate = Literal["unchanged", "changed", "moved", "vanished", "added"]
FATES: tuple[Fate, ...] = ("added", "changed", "moved", "vanished", "unchanged")


class Change(NamedTuple):
    """One fact's fate: its place in the list before and in the list after, None where it is not there."""

    fate: Fate
    before: int | None
    after: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeCounts:
    """How many facts of a document met each fate."""

    added: int = 0
    changed: int = 0
    moved: int = 0
    vanished: int = 0
    unchanged: int = 0

    def as_dict(self) -> dict[str, int]:
        """The counts by name, in the order people read them."""
        return {name: getattr(self, name) for name in FATES}


def count_changes(changes: Iterable[Change]) -> ChangeCounts:
    """The sums of a comparison."""
    return ChangeCounts(**Counter[str](change.fate for change in changes))


def compare(before: Sequence[Observed], after: Sequence[Observed]) -> list[Change]:
    """The fate of every fact of both lists: first those before, in order, then the added ones."""
    return _Comparison(before, after).result()


class _Side:
    """One reading: its facts, and the tables of it that are not the same in the other."""

    def __init__(self, facts: Sequence[Observed], tables: Mapping[TableMark, list[int]]) -> None:
        self.facts = facts
        self.left = {place for places in tables.values() for place in places}
        self.spots = {place: spot_of(facts[place].locator) for places in tables.values() for place in places}
        self.parts = [self._part(mark, order, places) for order, (mark, places) in enumerate(tables.items())]
        self.part_of = {place: part for part in self.parts for place in part.places}
        self.by_mark = {part.mark: part for part in self.parts}

    def _part(self, mark: TableMark, order: int, places: Iterable[int]) -> Part:
        return Part(mark, order, self.facts, {place: self.spots[place] for place in places})

    def left_of(self, part: Part) -> list[int]:
        """Places of a table's facts that are not paired."""
        return [place for place in part.places if place in self.left]

    def remnants(self) -> list[Part]:
        """Tables as far as their facts are not paired."""
        parts = ((part, self.left_of(part)) for part in self.parts)
        return [self._part(part.mark, part.order, places) for part, places in parts if places]

    def grid(self, places: Iterable[int]) -> Grid:
        return Grid(self.facts, self.spots, places)

    def whole_rows(self) -> dict[Hashable, deque[list[int]]]:
        """Rows of which no fact is paired, by all they say. A single number may be there by chance."""
        rows: dict[tuple[int, str, str], list[int]] = defaultdict(list)
        for place, part in self.part_of.items():
            spot = self.spots[place]
            rows[part.order, spot.container, spot.row].append(place)
        found: dict[Hashable, deque[list[int]]] = defaultdict(deque)
        for places in rows.values():
            if len(places) > 1 and all(place in self.left for place in places):
                said = ((self.spots[one].labels, self.facts[one].identity, self.facts[one].content) for one in places)
                found[tuple(said)].append(places)
        return found


def _same_ends(old: Sequence[Observed], new: Sequence[Observed]) -> tuple[int, int]:
    """How many facts at the beginning and at the end of a table are the same, in whole rows."""
    shorter = min(len(old), len(new))
    head = next((at for at in range(shorter) if old[at] != new[at]), shorter)
    while head and any(_same_row(facts[head - 1], facts[head]) for facts in (old, new) if head < len(facts)):
        head -= 1
    shorter -= head
    tail = next((at for at in range(shorter) if old[-1 - at] != new[-1 - at]), shorter)
    while tail and any(_same_row(facts[-tail], facts[-tail - 1]) for facts in (old, new) if tail < len(facts)):
        tail -= 1
    return head, tail


def _same_row(one: Observed, other: Observed) -> bool:
    here, there = spot_of(one.locator), spot_of(other.locator)
    return here.row == there.row and here.container == there.container


class _Comparison:
    """Whole tables are paired first, then cells within them, then what is left: tables that were taken apart or put
    together, rows that went to another table, and what still stands in its place.
    """

    def __init__(self, before: Sequence[Observed], after: Sequence[Observed]) -> None:
        self._fates: dict[int, tuple[Fate, int]] = {}
        tables, others = parts_of(before), parts_of(after)
        known = self._same_in_place(before, tables, after, others)
        self._old, self._new = _Side(before, tables), _Side(after, others)
        self._pairs = [(self._old.by_mark[mark], self._new.by_mark[mark]) for mark in known]
        self._pairs += pair_tables(
            [part for part in self._old.parts if part.mark not in known],
            [part for part in self._new.parts if part.mark not in known],
        )
        for one, other in self._pairs:
            self._pair_cells(one.places, other.places)
        self._pair_remnants()
        self._pair_rows()
        self._pair_places()

    def _same_in_place(
        self,
        before: Sequence[Observed],
        tables: dict[TableMark, list[int]],
        after: Sequence[Observed],
        others: dict[TableMark, list[int]],
    ) -> set[TableMark]:
        """Settles tables that are what they were, and of large ones that hardly changed what is the same at both ends.

        Returns those of which something is left: no other table has their name, so that they are surely the same.
        """
        for mark in [mark for mark in tables if mark in others]:
            places, partners = tables[mark], others[mark]
            if [before[place] for place in places] == [after[place] for place in partners]:
                self._fates.update((one, ("unchanged", other)) for one, other in zip(places, partners, strict=True))
                del tables[mark], others[mark]
        names, more = Counter(map(name_of, tables)), Counter(map(name_of, others))
        known: set[TableMark] = set()
        for mark in [mark for mark in tables if mark in others and names[name_of(mark)] == more[name_of(mark)] == 1]:
            places, partners = tables[mark], others[mark]
            old, new = [before[place] for place in places], [after[place] for place in partners]
            head, tail = _same_ends(old, new)
            if name_of(mark) is not None and 2 * (head + tail) >= max(len(old), len(new)):
                ends = [(at, at) for at in range(head)] + [(-at, -at) for at in range(1, tail + 1)]
                self._fates.update((places[one], ("unchanged", partners[other])) for one, other in ends)
                tables[mark], others[mark] = places[head : len(old) - tail], partners[head : len(new) - tail]
                known.add(mark)
        return known

    def _pair(self, old: int, new: int) -> None:
        self._old.left.discard(old)
        self._new.left.discard(new)
        self._fates[old] = (self._fate(old, new), new)

    def _fate(self, old: int, new: int) -> Fate:
        one, other = self._old.facts[old], self._new.facts[new]
        if one.locator == other.locator:
            return "unchanged" if one.identity == other.identity and one.content == other.content else "changed"
        here, there = self._old.spots[old], self._new.spots[new]
        # A sheet's name may be part of what a number is about: renamed, it is still the same cell.
        renamed = here.container != there.container and one.table.title == other.table.title
        same = here.labels == there.labels and one.content == other.content
        return "moved" if same and (renamed or one.identity == other.identity) else "changed"

    def _pair_cells(self, old: Iterable[int], new: Iterable[int]) -> None:
        for one, other in pair_cells(self._old.grid(old), self._new.grid(new)):
            self._pair(one, other)

    def _pair_remnants(self) -> None:
        """A table that was taken apart or put together with another: what is left of it goes where most of it is."""
        olds, news = {one.order for one, _ in self._pairs}, {other.order for _, other in self._pairs}

        def lonely(one: Part, other: Part) -> int:
            sizes = [len(part.said) for part, paired in ((one, olds), (other, news)) if part.order not in paired]
            return min(sizes, default=0)

        for one, other in most_alike(self._old.remnants(), self._new.remnants(), lonely):
            if lonely(one, other):
                self._pair_cells(self._old.left_of(one), self._new.left_of(other))

    def _pair_rows(self) -> None:
        """Rows that went to another table."""
        if not self._old.left or not self._new.left:
            return
        there = self._new.whole_rows()
        for key, rows in self._old.whole_rows().items():
            for row, other in zip(rows, there.get(key, ()), strict=False):
                for one, partner in zip(row, other, strict=True):
                    self._pair(one, partner)

    def _pair_places(self) -> None:
        """What stands in its place under other labels, or there with another meaning."""
        numbers = {one.order: number for number, (one, _) in enumerate(self._pairs)}
        others = {other.order: number for number, (_, other) in enumerate(self._pairs)}
        self._pair_alike(numbers, others, lambda fact, spot, paired: fact.locator)
        # Within a table that moved as a whole, the same cell of it is the same place.
        self._pair_alike(
            numbers,
            others,
            lambda fact, spot, paired: (
                ("" if paired else spot.container, spot.row, spot.col, fact.content[0]) if spot.row else None
            ),
        )

    def _pair_alike(
        self,
        numbers: Mapping[int, int],
        others: Mapping[int, int],
        key: Callable[[Observed, Spot, bool], Hashable],
    ) -> None:
        """Pairs what is alike in a pair of tables, or in tables that are in none: what is another table's is no place
        of this one any more.
        """
        waiting: dict[Hashable, deque[int]] = defaultdict(deque)
        for side, tables in ((self._new, others), (self._old, numbers)):
            for place in sorted(side.left):
                number = tables.get(side.part_of[place].order)
                alike = key(side.facts[place], side.spots[place], number is not None)
                if alike is None:
                    continue
                if side is self._new:
                    waiting[number, alike].append(place)
                elif waiting.get((number, alike)):
                    self._pair(place, waiting[number, alike].popleft())

    def result(self) -> list[Change]:
        """The fates in order."""
        changes = [
            Change(self._fates[place][0], place, self._fates[place][1])
            if place in self._fates
            else Change("vanished", place, None)
            for place in range(len(self._old.facts))
        ]
        return changes + [Change("added", None, place) for place in sorted(self._new.left)]


def compare_passages(before: Sequence[tuple[str, str]], after: Sequence[tuple[str, str]]) -> list[Change]:
    """The fate of every stretch of prose, each a locator and a text.

    A text that occurs on every page goes with what stands around it.
    """
    pairs = align([(text,) for _, text in before], [(text,) for _, text in after])
    fates: dict[int, tuple[Fate, int]] = {
        old: ("unchanged" if before[old][0] == after[new][0] else "moved", new) for old, new in pairs.items()
    }
    fates.update((old, ("changed", new)) for old, new in _rewritten(pairs, len(before), len(after)))
    taken = {new for _, new in fates.values()}
    there = {locator: new for new, (locator, _) in enumerate(after) if new not in taken}
    for old, (locator, _) in enumerate(before):
        if old not in fates and locator in there:
            fates[old] = ("changed", there.pop(locator))
    taken = {new for _, new in fates.values()}
    changes = [
        Change(*fates[old][:1], old, fates[old][1]) if old in fates else Change("vanished", old, None)
        for old in range(len(before))
    ]
    return changes + [Change("added", None, new) for new in range(len(after)) if new not in taken]


def _rewritten(pairs: Mapping[int, int], old: int, new: int) -> Iterator[tuple[int, int]]:
    """Texts that are others now between the same neighbours, as many as there were."""
    known = {-1: -1, **pairs, old: new}
    taken = set(pairs.values())
    last = -1
    for place in range(old + 1):
        if place in known:
            start, end = known[last] + 1, known[place]
            if end - start == place - last - 1 and not taken.intersection(range(start, end)):
                yield from zip(range(last + 1, place), range(start, end), strict=True)
            last = place
