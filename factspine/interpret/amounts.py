"""The number a data cell holds: exact value, shown precision, and the unit its own text or number format states.

A number cell is read through its format: `0.0%` over 0.153 is 15.3 %, `#,##0,` over 1320000 is 1,320 in thousands. A
text cell is read as people write numbers. Format readings are kept for each style, because a sheet has a million cells
and a dozen styles.
"""

from __future__ import annotations

from decimal import Decimal
from typing import NamedTuple

from factspine.core.tables import CellStyle, RawCell
from factspine.core.values import canonical
from factspine.interpret.resolve import FORMAT_SCALE
from factspine.lexicon.numbers import non_number_kind, null_reason, read_number
from factspine.lexicon.units import UnitReading, read_format

_new = tuple.__new__  # a named tuple's own constructor takes twice as long
_PERCENT = UnitReading(unit="%", kind="percent")


class Amount(NamedTuple):
    """A number as a cell states it."""

    value: str
    decimals: int
    unit: UnitReading | None  # None where the cell itself does not say
    marks: tuple[str, ...] = ()


class NotANumber(NamedTuple):
    """Why a data cell gives no number: a stated absence, or something else that has digits."""

    disposition: str  # null | excluded | text
    reason: str


class _FormatPlan(NamedTuple):
    shift: int  # power of ten from the stored number to the shown one
    decimals: int | None
    unit: UnitReading | None


class AmountReader:
    """Reads cells; keeps what it learned about styles and repeated texts."""

    def __init__(self) -> None:
        self._plans: dict[CellStyle, _FormatPlan] = {}
        self._texts: dict[str, Amount | NotANumber] = {}

    def read(self, cell: RawCell) -> Amount | NotANumber:
        """The amount a cell holds, or why it holds none."""
        if cell.kind == "n" and cell.value is not None:
            return self.read_number(cell.value, cell.style)
        if cell.kind == "s":
            known = self._texts.get(cell.text)
            if known is None:
                known = self._texts[cell.text] = _read_text(cell.text)
            return known
        return NotANumber("excluded", "date") if cell.kind == "d" else NotANumber("null", _KIND_REASONS[cell.kind])

    def read_number(self, value: str, style: CellStyle) -> Amount:
        """The amount of a number cell."""
        plan = self._plans.get(style)
        if plan is None:
            plan = self._plans[style] = _plan(style)
        shift, decimals, unit = plan
        if shift:
            value = canonical(Decimal(value).scaleb(shift))
        if decimals is None:
            decimals = len(value.partition(".")[2])
        return _new(Amount, (value, decimals, unit, ()))


_KIND_REASONS = {"b": "boolean", "e": "error", "n": "no_value"}


def _plan(style: CellStyle) -> _FormatPlan:
    format_reading = read_format(style.number_format)
    if format_reading.percent:
        return _FormatPlan(2, format_reading.decimals, _PERCENT)
    unit = None
    if format_reading.unit or format_reading.scale:
        kind = format_reading.kind if format_reading.unit else FORMAT_SCALE
        unit = UnitReading(unit=format_reading.unit, scale=format_reading.scale, kind=kind)
    return _FormatPlan(-format_reading.shift, format_reading.decimals, unit)


def _read_text(text: str) -> Amount | NotANumber:
    reading = read_number(text)
    if reading is not None:
        return Amount(reading.value, reading.decimals, reading.unit, reading.marks)
    if reason := null_reason(text):
        return NotANumber("null", reason)
    if kind := non_number_kind(text):
        return NotANumber("excluded", kind)
    return NotANumber("text", "text")
