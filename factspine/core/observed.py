"""Facts as far as comparing two readings of a document needs them, and their places taken apart.

A locator is taken apart as text: commas and equal signs of labels are encoded in it, so that what stands between them
is the grammar's. Nothing is decoded, because both sides are written alike.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_DETAIL = re.compile(r",(?:cell|row|col|series|cat|point)=")
_DIGITS = "0123456789"


class TableMark(NamedTuple):
    """Which table of a document a fact stands in. One object for all facts of one table."""

    locator: str = ""  # "sheet=P&L,table=1", "slide=2,table=1"; empty where it is not known
    title: str = ""


NO_TABLE = TableMark()


class Observed(NamedTuple):
    """One fact as far as comparing needs it."""

    locator: str
    identity: tuple[str, ...]  # what the number is about, where both sides were mapped alike; else empty
    content: tuple[object, ...]  # what it says; the first item is the literal text
    table: TableMark = NO_TABLE


class Spot(NamedTuple):
    """A fact's locator taken apart. Categories of a chart are its rows and series its columns."""

    container: str  # the sheet, or the slide or page and the number of the table on it
    labels: str
    row: str
    col: str
    row_label: str
    col_label: str


def spot_of(locator: str) -> Spot:
    """The parts of a fact's locator."""
    at = locator.find(",cell=")
    if at < 0:
        return _spot_of_point(locator)
    end = locator.find(",", at + 6)
    cell, labels = (locator[at + 6 :], "") if end < 0 else (locator[at + 6 : end], locator[end + 1 :])
    head = cell.rstrip(_DIGITS)
    tail = cell[len(head) :]
    # `C7` ends in its row, `R7C3` in its column.
    row, col = (head, tail) if head[1:2].isdigit() else (tail, head)
    row_label, _, col_label = labels.partition("col=")
    return Spot(locator[:at], labels, row, col, row_label, col_label)


def _spot_of_point(locator: str) -> Spot:
    found = _DETAIL.search(locator)
    if found is None:
        return Spot(locator, "", "", "", "", "")
    container, rest = locator[: found.start()], locator[found.start() + 1 :]
    series, _, category = rest.partition(",cat=")
    return Spot(container, rest, category, series, category, series)
