"""Which period each number of a table's row stands under: `KPI: Claims ratio | FY2023: 58.7% | FY2024: 57.9%`.

A row quotes numbers of several periods side by side. Whoever says one of them of another period's has every figure from
the quotation and still says something false, so a number of a row brings its period with it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from factspine.cite.figures import Figure

_SEGMENT = re.compile(r"[^|｜\n]+")
_HEADED = re.compile(r"[:：]\s")
_BREAK = re.compile(r"[,;(](?=\D)|(?<=\D)[,;)]|[，；（）、]|(?P<stop>[.!?](?=\s|$)|[。！？\n|｜])")
_OPENING = re.compile(
    r"\W*(?:(?:in|for|during|by|at|as of|as at|over|the|full|end|fiscal|financial|calendar|year|ended|ending|of) )*"
    r"(?:FY|CY)?\s*\d{4}\s*(?:年(?:度|末|底|全年)?|财年)?(?:,| as a whole)?\s*",
    re.IGNORECASE,
)
_FIRST_YEAR, _LAST_YEAR = 1900, 2100
_GROUPED = re.compile(r"[,，]")


class Setting(NamedTuple):
    """The years and the parts of years (quarters, halves, months) that a number is said of; empty where none is."""

    years: frozenset[int] = frozenset()
    parts: frozenset[str] = frozenset()

    def is_at_odds_with(self, other: Setting) -> bool:
        """Whether both name years, or parts of years, and none of them is the same."""
        if _apart(self.years, other.years):
            return True
        # A month may be the last of a half: only quarters are compared with quarters, halves with halves.
        kinds = {part[0] for part in self.parts} & {part[0] for part in other.parts}
        ours, theirs = (frozenset(part for part in one.parts if part[0] in kinds) for one in (self, other))
        return _apart(ours, theirs)


def setting_of(figures: Sequence[Figure]) -> Setting:
    """The periods among the numbers of a sentence or a header."""
    years = {one.day.year for one in figures if one.day is not None and one.day.year}
    # Of 2022/23 only the year it ends in counts: 2023/24 is another one, though it shares a number with it.
    joined = {one.start for one in figures if one.text[:1] in "-/~–"}
    years |= {int(one.value) for one in figures if is_year(one) and one.end not in joined}
    parts = {one.day.part or f"M{one.day.month}" for one in figures if one.day is not None and _has_part(one)}
    return Setting(frozenset(years), frozenset(parts))


def settings(text: str, figures: Sequence[Figure]) -> list[Setting]:
    """The setting of each number of a text: what heads it in its row, or else what the row begins with."""
    found = [Setting()] * len(figures)
    for line in re.finditer(r"[^\n]+", text):
        segments = list(_SEGMENT.finditer(text, *line.span()))
        if len(segments) < 2:
            continue  # prose: its periods are not set out
        row = setting_of([one for one in figures if segments[0].start() <= one.start < segments[0].end()])
        for segment in segments[1:]:
            headed = _HEADED.search(text, *segment.span())
            cut = headed.start() if headed else segment.start()
            own = setting_of([one for one in figures if segment.start() <= one.start < cut])
            for at, one in enumerate(figures):
                if cut <= one.start < segment.end():
                    found[at] = own if own != Setting() else row
    return found


def clause_settings(text: str, figures: Sequence[Figure]) -> list[Setting]:
    """The periods that the clause of each number names; of an opening that is nothing but a period, in its sentence."""
    found = [Setting()] * len(figures)
    opening = Setting()
    at = 0
    for mark in (*_BREAK.finditer(text), None):
        end = mark.start() if mark is not None else len(text)
        own = setting_of([one for one in figures if at <= one.start < end])
        if _OPENING.fullmatch(text, at, end):
            opening = own
        said = own if own != Setting() else opening
        for place, one in enumerate(figures):
            if at <= one.start < end:
                found[place] = said
        if mark is not None and mark["stop"]:
            opening = Setting()
        at = end
    return found


def heads_of(text: str, at: int) -> tuple[str, ...]:
    """What speaks for a cell of a row: the cell with its head, the row's label, its cells without a number (`Unit: %`).

    Nothing where the text is no row at that place.
    """
    first = text.rfind("\n", 0, at) + 1
    last = text.find("\n", at)
    segments = list(_SEGMENT.finditer(text, first, last if last >= 0 else len(text)))
    if len(segments) < 2:
        return ()
    own = next((one.group() for one in segments if one.start() <= at < one.end()), "")
    notes = (one.group() for one in segments[1:] if not any(mark.isdecimal() for mark in one.group()))
    return own, segments[0].group(), *notes


def _apart(ours: frozenset[int] | frozenset[str], theirs: frozenset[int] | frozenset[str]) -> bool:
    return bool(ours and theirs) and not ours & theirs


def is_year(one: Figure) -> bool:
    """Whether a number may be a year: four plain digits, 2024年, or what was read as one."""
    plain = one.kind == "amount" and not one.decimals and not one.measure.scale and one.measure.unit in ("", "years")
    return plain and _FIRST_YEAR <= one.value <= _LAST_YEAR and _GROUPED.search(one.text) is None


def _has_part(one: Figure) -> bool:
    return one.day is not None and bool(one.day.part or one.day.month)
