"""Two sequences side by side: which item of one became which of the other, wherever it now stands.

What is unique on both sides is paired wherever it is; its neighbours follow it as long as they are alike (Heckel's way
of comparing files). So an item that occurs twice goes with what stands around it, not with its old number.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Callable, Hashable, Mapping, Sequence
from itertools import product
from typing import NamedTuple

# One item by several keys, the most telling first. None: by this key it is like no other.
Keys = Sequence[Hashable]
_Numbers = Mapping[int, int]  # place -> number of its key
_PAIRS_A_PIECE = 32  # what many items share tells little about each, and looking at all pairs of them takes a square


class Pieces(NamedTuple):
    """What the items of both sequences consist of, by place, and before which of their keys it counts."""

    old: Callable[[int], Sequence[Hashable]]
    new: Callable[[int], Sequence[Hashable]]
    level: int


def align(
    old: Sequence[Keys], new: Sequence[Keys], *, neighbours_only: int = 0, pieces: Pieces | None = None
) -> dict[int, int]:
    """Places of old items to places of new ones. By the last `neighbours_only` keys an item is paired only where it is
    the only one left, or stands beside one that was paired. `pieces` is what items consist of: those that differ in
    some and share half are paired once those that differ in none are.
    """
    pairs = _Pairs(len(old), len(new))
    levels = len(old[0]) if old else 0
    for level in range(levels):
        if pieces is not None and level == pieces.level:
            pairs.by_pieces(pieces)
        before, after = pairs.left(old, new, level)
        if not before or not after:
            continue
        pairs.unique(before, after)
        pairs.follow(before, after)
        if level < levels - neighbours_only:
            pairs.in_order(before, after)
    return pairs.found


def shared_pieces(old: Sequence[Sequence[Hashable]], new: Sequence[Sequence[Hashable]]) -> Counter[tuple[int, int]]:
    """How many pieces each old item shares with each new one, rare ones first, as far as that may take."""
    before, after = _occurrences(old), _occurrences(new)
    rare_first = sorted((key for key in before if key in after), key=lambda key: len(before[key]) * len(after[key]))
    left = _PAIRS_A_PIECE * (sum(map(len, old)) + sum(map(len, new)))
    shared: Counter[tuple[int, int]] = Counter()
    for key in rare_first:
        left -= len(before[key]) * len(after[key])
        if left < 0:
            break
        for (one, times), (other, more) in product(before[key].items(), after[key].items()):
            shared[one, other] += min(times, more)
    return shared


def _occurrences(items: Sequence[Sequence[Hashable]]) -> dict[Hashable, Counter[int]]:
    found: dict[Hashable, Counter[int]] = {}
    for number, pieces in enumerate(items):
        for key in pieces:
            counts = found.get(key)
            if counts is None:
                counts = found[key] = Counter()
            counts[number] += 1
    return found


class _Pairs:
    """What is paired so far."""

    def __init__(self, old: int, new: int) -> None:
        self.found: dict[int, int] = {}
        self._taken: set[int] = set()
        self._sizes = old, new

    def _pair(self, old: int, new: int) -> None:
        self.found[old] = new
        self._taken.add(new)

    def left(self, old: Sequence[Keys], new: Sequence[Keys], level: int) -> tuple[_Numbers, _Numbers]:
        """The keys of what is not paired, as numbers: a key may be a whole row, and is hashed once."""
        numbers: dict[Hashable, int] = {}
        before = [place for place in range(len(old)) if place not in self.found]
        after = [place for place in range(len(new)) if place not in self._taken]
        return (
            {
                place: numbers.setdefault(old[place][level], len(numbers))
                for place in before
                if old[place][level] is not None
            },
            {
                place: numbers.setdefault(new[place][level], len(numbers))
                for place in after
                if new[place][level] is not None
            },
        )

    def unique(self, before: _Numbers, after: _Numbers) -> None:
        """Pairs what is there once on both sides."""
        counts, others = Counter(before.values()), Counter(after.values())
        at = {key: place for place, key in after.items()}
        for place, key in before.items():
            if counts[key] == 1 and others[key] == 1:
                self._pair(place, at[key])

    def follow(self, before: _Numbers, after: _Numbers) -> None:
        """Pairs neighbours of what is paired as long as they are alike, downwards and upwards; the ends of both
        sequences come last, because something may have been put before or behind everything.
        """
        old, new = self._sizes
        for ends in ({}, {-1: -1, old: new}):
            for step, places in ((1, list(before)), (-1, list(reversed(before)))):
                for place in places:
                    beside = self.found.get(place - step, ends.get(place - step))
                    if place in self.found or beside is None:
                        continue
                    other = beside + step
                    if other not in self._taken and after.get(other) == before[place]:
                        self._pair(place, other)

    def by_pieces(self, pieces: Pieces) -> None:
        """Pairs what shares half of the smaller one's pieces, those first that share most, if it is clear which."""
        before = [place for place in range(self._sizes[0]) if place not in self.found]
        after = [place for place in range(self._sizes[1]) if place not in self._taken]
        old, new = [pieces.old(place) for place in before], [pieces.new(place) for place in after]
        alike: dict[float, list[tuple[int, int]]] = defaultdict(list)
        for (one, other), count in shared_pieces(old, new).items():
            if 2 * count >= min(len(old[one]), len(new[other])):
                alike[count / (len(old[one]) + len(new[other]))].append((before[one], after[other]))
        # Where two are as good as each other, what stands around them decides, later.
        undecided: tuple[set[int], set[int]] = set(self.found), set(self._taken)
        for score in sorted(alike, reverse=True):
            pairs = [pair for pair in alike[score] if pair[0] not in undecided[0] and pair[1] not in undecided[1]]
            times, more = Counter(one for one, _ in pairs), Counter(other for _, other in pairs)
            for one, other in pairs:
                undecided[0].add(one)
                undecided[1].add(other)
                if times[one] == more[other] == 1:
                    self._pair(one, other)

    def in_order(self, before: _Numbers, after: _Numbers) -> None:
        """Pairs what is left and alike, first with first."""
        waiting: dict[int, deque[int]] = defaultdict(deque)
        for place, key in after.items():
            if place not in self._taken:
                waiting[key].append(place)
        for place, key in before.items():
            if place not in self.found and waiting.get(key):
                self._pair(place, waiting[key].popleft())
