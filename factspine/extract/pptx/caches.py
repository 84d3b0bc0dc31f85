"""The points a chart carries in its own XML: caches of references and literal lists, of numbers and of text."""

from __future__ import annotations

from typing import NamedTuple

from factspine.core.tables import CellKind
from factspine.core.values import decimal_of_stored
from factspine.extract.pptx import tags
from factspine.extract.pptx.numbers import date_granularity, date_of_serial, name_of_number
from factspine.extract.pptx.package import Element

_PT, _V, _FORMAT = tags.c("pt"), tags.c("v"), tags.c("formatCode")
_LEVEL = tags.c("lvl")
_NUMBER_LISTS = frozenset(tags.c(name) for name in ("numCache", "numLit"))
_TEXT_LISTS = frozenset(tags.c(name) for name in ("strCache", "strLit"))
_LEVEL_LIST = tags.c("multiLvlStrCache")
_LISTS = _NUMBER_LISTS | _TEXT_LISTS | {_LEVEL_LIST}
_REFERENCES = frozenset(tags.c(name) for name in ("numRef", "strRef", "multiLvlStrRef"))
LEVEL_SEPARATOR = " / "


class Point(NamedTuple):
    """One stored point: what it shows, and its exact value where it is a number."""

    text: str
    kind: CellKind = "s"
    value: str | None = None
    number_format: str = "General"


Points = dict[int, Point]  # by 0-based index; indexes may have gaps


def read_points(holder: Element | None, *, is_1904: bool, dates: bool, unformatted: str = "") -> Points:
    """The points below `c:val`, `c:cat`, `c:xVal` …; dates are recognised by format where `dates` says they may be.

    `unformatted` is the format an axis gives to numbers that have none of their own.
    """
    stored = _stored_list(holder)
    if stored is None:
        return {}
    if stored.tag in _NUMBER_LISTS:
        return _numbers(stored, is_1904=is_1904, dates=dates, unformatted=unformatted)
    if stored.tag == _LEVEL_LIST:
        return join_levels([_texts(level) for level in stored.iterchildren(_LEVEL)])
    return _texts(stored)


def _stored_list(holder: Element | None) -> Element | None:
    if holder is None:
        return None
    for child in holder:
        if child.tag in _REFERENCES:
            child = next((part for part in child if part.tag in _LISTS), None)
            if child is not None:
                return child
        elif child.tag in _NUMBER_LISTS or child.tag in _TEXT_LISTS:
            return child
    return None


def _numbers(stored: Element, *, is_1904: bool, dates: bool, unformatted: str) -> Points:
    shared = next(stored.iterchildren(_FORMAT), None)
    shared_format = (shared.text if shared is not None else None) or "General"
    if unformatted and shared_format == "General":
        shared_format = unformatted
    points: Points = {}
    for index, text, own_format in _stored_values(stored):
        points[index] = number_point(text, own_format or shared_format, is_1904=is_1904, dates=dates)
    return points


def number_point(text: str, number_format: str, *, is_1904: bool, dates: bool) -> Point:
    """A stored number as a point; text that is no number stays what it is."""
    value = decimal_of_stored(text)
    if value is None:
        return Point(text.strip(), "e" if text.lstrip().startswith("#") else "s")
    granularity = date_granularity(number_format) if dates else None
    if granularity is not None and (day := date_of_serial(value, is_1904, granularity)) is not None:
        return Point(day[0], "d", day[1], number_format)
    if dates and (name := name_of_number(value, number_format)):
        return Point(name)
    return Point(value, "n", value, number_format)


def _texts(stored: Element) -> Points:
    return {index: Point(text.strip()) for index, text, _ in _stored_values(stored) if text.strip()}


def join_levels(levels: list[Points]) -> Points:
    """Categories of several levels, innermost first, as `Outer / Inner`.

    An outer label stands at the first inner one it covers and holds until the next outer label.
    """
    if not levels:
        return {}
    running: list[str] = [""] * len(levels)
    joined: Points = {}
    for index in sorted(set().union(*levels)):
        for depth in range(len(levels) - 1, 0, -1):
            if index in levels[depth]:
                running[depth] = levels[depth][index].text
        inner = levels[0].get(index)
        labels = [*reversed(running[1:]), inner.text if inner is not None else ""]
        joined[index] = Point(LEVEL_SEPARATOR.join(label for label in labels if label))
    return joined


def _stored_values(stored: Element) -> list[tuple[int, str, str | None]]:
    """Index, text and own format of each point, in one pass."""
    found = []
    index, own_format = -1, None
    for element in stored.iter(_PT, _V):
        if element.tag == _PT:
            number = element.get("idx") or ""
            index = int(number) if number.isascii() and number.isdigit() and len(number) < 10 else -1
            own_format = element.get("formatCode")
        elif index >= 0 and element.text:
            found.append((index, element.text, own_format))
    return found
