"""The number a data cell holds: exact value, shown precision, and the unit its own text or number format states.

A number cell is read through its format: `0.0%` over 0.153 is 15.3 %, `#,##0,` over 1320000 is 1,320 in thousands. A
text cell is read as people write numbers. Format readings are kept for each style, because a sheet has a million cells
and a dozen styles.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import chain, compress
from operator import itemgetter
from typing import NamedTuple

from factspine.core.labelled import Label
from factspine.core.tables import CellColumns, CellStyle
from factspine.core.values import shift_canonical
from factspine.interpret.notation import with_points
from factspine.interpret.resolve import FORMAT_SCALE
from factspine.lexicon.nonnumbers import are_several_numbers
from factspine.lexicon.numbers import NumberReading, non_number_kind, null_reason, read_number
from factspine.lexicon.units import UnitReading, read_format

_PERCENT = UnitReading(unit="%", kind="percent")


class NotANumber(NamedTuple):
    """Why a data cell gives no number: a stated absence, or something else that has digits."""

    disposition: str  # null | excluded | text
    reason: str


_MARK = re.compile(r"(?:^|[\s.;。；])([(（]\d[)）])(?=\s*[^\W\d])")


def note_marks(notes: Iterable[Label]) -> frozenset[str]:
    """The marks that notes of a table explain: a cell with nothing but (2), beside `(2) Not disclosed`, is not -2."""
    return frozenset(chain.from_iterable(_MARK.findall(note.text) for note in notes))


class Amounts(NamedTuple):
    """The numbers of many cells, column by column."""

    values: list[str]
    decimals: list[int]
    units: list[int]  # as numbered by the reader


class _FormatPlan(NamedTuple):
    shift: int  # power of ten from the stored number to the shown one
    decimals: int | None
    unit: int  # as numbered by the reader


class AmountReader:
    """Reads cells; keeps what it learned about styles and repeated texts, and numbers the units it meets."""

    def __init__(self, marks: frozenset[str] = frozenset(), *, decimal_comma: bool = False) -> None:
        self._marks = marks
        self._decimal_comma = decimal_comma
        self.units: list[UnitReading | None] = [None]
        self._unit_numbers: dict[UnitReading | None, int] = {None: 0}
        self._texts: dict[str, NumberReading | NotANumber] = {}
        self.fallen: set[tuple[int, int]] = set()  # where an arrow points down before a number without a sign

    def refusals(self, cells: CellColumns) -> dict[int, NotANumber]:
        """Why cells hold no number, by their place among `cells`; those that do are not among them."""
        kinds, values, texts = cells.kinds, cells.values, cells.texts
        doubtful = list(compress(range(len(kinds)), map("n".__ne__, kinds)))
        if None in compress(values, map("n".__eq__, kinds)):  # a number without its value
            doubtful = [place for place, kind in enumerate(kinds) if kind != "n" or values[place] is None]
        found = {}
        for place in doubtful:
            kind = kinds[place]
            read = self._read_text(texts[place]) if kind == "s" else _KIND_REASONS[kind]
            if isinstance(read, NotANumber):
                found[place] = read
        return found

    def read(self, cells: CellColumns) -> Amounts:
        """The amounts of cells that hold numbers."""
        styles = list(map(id, cells.styles))  # cells share style objects: no need to compare their fields
        plans = {
            number: self._plan(cells.styles[styles.index(number)]) for number in sorted(set(styles), key=styles.index)
        }
        plan_of_cell = list(map(plans.__getitem__, styles))
        values: list[str | None] = cells.values
        if any(plan.shift for plan in plans.values()):
            values = [
                shift_canonical(value, plan[0]) if plan[0] and value is not None else value
                for value, plan in zip(values, plan_of_cell, strict=True)
            ]
        decimals = [
            len((value or "").partition(".")[2]) if plan[1] is None else plan[1]
            for value, plan in zip(values, plan_of_cell, strict=True)
        ]
        amounts = Amounts(values, decimals, list(map(itemgetter(2), plan_of_cell)))  # type: ignore[arg-type]
        return self._with_texts(cells, amounts) if "s" in cells.kinds else amounts

    def _with_texts(self, cells: CellColumns, amounts: Amounts) -> Amounts:
        values, decimals, units = list(amounts.values), amounts.decimals, amounts.units
        for place in compress(range(len(cells.kinds)), map("s".__eq__, cells.kinds)):
            read = self._read_text(cells.texts[place])
            if isinstance(read, NumberReading):
                values[place], decimals[place], units[place] = read.value, read.decimals, self._number(read.unit)
                if "down" in read.marks and read.value[:1] != "-":
                    self.fallen.add((cells.rows[place], cells.cols[place]))
        return Amounts(values, decimals, units)

    def _read_text(self, text: str) -> NumberReading | NotANumber:
        known = self._texts.get(text)
        if known is None and text.strip() in self._marks:
            known = self._texts[text] = NotANumber("excluded", "note_reference")
        if known is None:
            known = self._texts[text] = _read_text(with_points(text) if self._decimal_comma else text)
        return known

    def _number(self, unit: UnitReading | None) -> int:
        number = self._unit_numbers.setdefault(unit, len(self.units))
        if number == len(self.units):
            self.units.append(unit)
        return number

    def _plan(self, style: CellStyle) -> _FormatPlan:
        shift, decimals, unit = _read_style(style)
        return _FormatPlan(shift, decimals, self._number(unit))


_KIND_REASONS = {
    "d": NotANumber("excluded", "date"),
    "b": NotANumber("null", "boolean"),
    "e": NotANumber("null", "error"),
    "n": NotANumber("null", "no_value"),
}


def _read_style(style: CellStyle) -> tuple[int, int | None, UnitReading | None]:
    """Power of ten from the stored number to the shown one, decimals where they are fixed, and the unit."""
    format_reading = read_format(style.number_format)
    if format_reading.percent:
        return 2, format_reading.decimals, _PERCENT
    unit = None
    if format_reading.unit or format_reading.scale:
        kind = format_reading.kind if format_reading.unit else FORMAT_SCALE
        unit = UnitReading(unit=format_reading.unit, scale=format_reading.scale, kind=kind)
    return -format_reading.shift, format_reading.decimals, unit


_BOUNDS = frozenset({"less_than", "more_than", "at_most", "at_least"})


def _read_text(text: str) -> NumberReading | NotANumber:
    reading = read_number(text)
    if reading is not None:
        # <170 says what it is below, not what it is.
        return reading if _BOUNDS.isdisjoint(reading.marks) else NotANumber("excluded", "range")
    if reason := null_reason(text):
        return NotANumber("null", reason)
    if kind := non_number_kind(text):
        return NotANumber("excluded", kind)
    if are_several_numbers(text):
        return NotANumber("unmapped", "several_numbers")
    return NotANumber("text", "text")
