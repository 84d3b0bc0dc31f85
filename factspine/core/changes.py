"""How the facts of one reading of a document became those of another: unchanged, changed, moved, vanished, added.

`cell` finds a place and the labels prove it. A row inserted above moves every fact below it; none of them vanished.
The same comparison tells an ingest what a new revision did, and the check what a document says now.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from factspine.core.errors import UsageError
from factspine.core.locators import Locator, parse

Fate = Literal["unchanged", "changed", "moved", "vanished", "added"]
FATES: tuple[Fate, ...] = ("added", "changed", "moved", "vanished", "unchanged")
_LABELS = ("row", "col", "series", "cat", "point")


class Observed(NamedTuple):
    """One fact as far as comparing needs it."""

    locator: str
    identity: tuple[str, ...]  # what the number is about, where both sides were mapped alike; else empty
    content: tuple[object, ...]  # what it says; the first item is the literal text


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


class _Place(NamedTuple):
    container: Hashable  # the sheet, or the slide or page and the number of the table on it
    labels: Hashable
    cell: str


def compare(before: Sequence[Observed], after: Sequence[Observed]) -> list[Change]:
    """The fate of every fact of both lists: first those before, in order, then the added ones."""
    pairing = _Pairing(before, after)
    places = _Places()
    here = {places.of(one.locator).container for one in after}

    def labelled(one: Observed) -> Hashable:
        place = places.of(one.locator)
        return place.container, place.labels, one.identity

    def labelled_anywhere(one: Observed) -> Hashable:
        return places.of(one.locator).labels, one.identity

    def homeless(one: Observed) -> Hashable:
        place = places.of(one.locator)
        return None if place.container in here else (place.labels, one.identity)

    def relabelled(one: Observed) -> Hashable:
        place = places.of(one.locator)
        return (place.container, place.cell, one.content[0]) if place.cell else None

    pairing.pair("unchanged", lambda one: (one.locator, one.identity, one.content))
    pairing.pair("moved", lambda one: (labelled(one), one.content))
    pairing.pair("changed", lambda one: (one.locator, one.identity))
    pairing.pair("changed", labelled)
    pairing.pair("moved", lambda one: (labelled_anywhere(one), one.content))
    # A sheet's name or a slide's title may be part of what a number is about: renamed, it is still the same cell.
    pairing.pair(
        "moved",
        lambda one: None if homeless(one) is None else (places.of(one.locator).labels, one.content[0]),
        lambda one: (places.of(one.locator).labels, one.content[0]),
    )
    # A value that changed is followed to another sheet or slide only where its own is gone.
    pairing.pair("changed", homeless, labelled_anywhere)
    pairing.pair("changed", lambda one: one.locator)
    pairing.pair("changed", relabelled)
    return pairing.result()


class _Places:
    """Locators taken apart, each once."""

    def __init__(self) -> None:
        self._known: dict[str, _Place] = {}

    def of(self, text: str) -> _Place:
        place = self._known.get(text)
        if place is None:
            place = self._known[text] = _take_apart(text)
        return place


def _take_apart(text: str) -> _Place:
    try:
        locator = parse(text)
    except UsageError:
        return _Place(text, (), "")
    container = tuple(pair for pair in locator.pairs if pair[0] != "cell" and pair[0] not in _LABELS)
    return _Place(container, _labels(locator), locator.get("cell") or "")


def _labels(locator: Locator) -> Hashable:
    return tuple(pair for pair in locator.pairs if pair[0] in _LABELS)


class _Pairing:
    """What is still unpaired on both sides; each pass pairs what has the same key, in order."""

    def __init__(self, before: Sequence[Observed], after: Sequence[Observed]) -> None:
        self._before = before
        self._after = after
        self._old: dict[int, None] = dict.fromkeys(range(len(before)))
        self._new: dict[int, None] = dict.fromkeys(range(len(after)))
        self._paired: dict[int, tuple[Fate, int]] = {}

    def pair(
        self,
        fate: Fate,
        key: Callable[[Observed], Hashable],
        key_after: Callable[[Observed], Hashable] | None = None,
    ) -> None:
        if not self._old or not self._new:
            return
        waiting: dict[Hashable, deque[int]] = defaultdict(deque)
        for index in self._new:
            waiting[(key_after or key)(self._after[index])].append(index)
        waiting.pop(None, None)
        for index in list(self._old):
            found = waiting.get(key(self._before[index]))
            if found:
                partner = found.popleft()
                del self._old[index], self._new[partner]
                self._paired[index] = (fate, partner)

    def result(self) -> list[Change]:
        changes = [
            Change(*self._paired[index][:1], index, self._paired[index][1])
            if index in self._paired
            else Change("vanished", index, None)
            for index in range(len(self._before))
        ]
        changes += [Change("added", None, index) for index in self._new]
        return changes


def compare_passages(before: Sequence[tuple[str, str]], after: Sequence[tuple[str, str]]) -> list[Change]:
    """The fate of every stretch of prose, each a locator and a text."""
    pairing = _Pairing([_said(*one) for one in before], [_said(*one) for one in after])
    pairing.pair("unchanged", lambda one: (one.locator, one.content))
    pairing.pair("moved", lambda one: one.content)
    pairing.pair("changed", lambda one: one.locator)
    return pairing.result()


def _said(locator: str, text: str) -> Observed:
    return Observed(locator, (), (text,))
