"""One cell's context decided: unit and scale with their evidence, period, status; nearest statement first.

Nothing is filled in. Two nearest statements that contradict each other leave the unit unknown and say so; a currency
line over the table does not make money of a ratio or a head count.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from factspine.core.facts import OWN_CELL, UNKNOWN_UNIT, FactContext
from factspine.interpret.closing import year_that_ends
from factspine.interpret.dimensions import (
    HUNDREDTHS,
    SYMBOLS,
    UNSETTLED,
    Dims,
    contradict,
    fold_marks,
    merge,
    unit_inside,
)
from factspine.interpret.relative import relative_period, year_to_date
from factspine.interpret.surroundings import Surroundings
from factspine.lexicon.measured import is_counted
from factspine.lexicon.periods import PeriodReading, combine
from factspine.lexicon.units import UnitReading

FORMAT_SCALE = "format_scale"  # a unit kind: the number format divides by a thousand, the text does not say so

_new = tuple.__new__  # a named tuple's own constructor takes twice as long

NOT_MEANT = "not_meant"  # a trait: the note that says the unit of the table says of what, and this is something else

_SCALED = frozenset({"currency", "scale", "counted"})
_RELATIVE = frozenset({"prior_period", "opening", "closing"})
_NOT_MONEY = frozenset({"percent", "ratio", "count", "days", "physical"})
_PLANS = frozenset({"budget", "forecast", "estimate", "target"})
_SCENARIOS = _PLANS | {"actual", "restated"}


class Resolved(NamedTuple):
    """What all cells with the same labels, format and traits share."""

    entity: str
    geography: str
    channel: str
    period_type: str
    period: str
    unit: str
    context: FactContext
    unit_clash: bool


def resolve(
    row: Dims, column: Dims, around: Surroundings, cell_unit: UnitReading | None, trait: str, *, hidden: bool
) -> Resolved:
    """Decide the context of a cell from the nearest statement outwards."""
    dims, clash = merge(row, column)
    if not dims.counted and is_counted(around.metric):
        dims = dims._replace(counted=True)
    if dims.unit is not None and dims.unit.names_only and (trait in _NOT_MONEY or dims.counted):
        dims = dims._replace(unit=UNSETTLED, unit_evidence="")  # nor is the scale of the amounts theirs
    unit, evidence = _resolve_unit(dims, around.dims, cell_unit, trait)
    clash = clash or contradict(_applicable(around.dims.unit, trait), dims.unit)
    if clash and evidence != OWN_CELL:
        unit, evidence = None, ""
    period = _resolve_period(dims, around)
    unit_name = unit.unit if unit and unit.unit and unit.unit[0] != "/" else UNKNOWN_UNIT
    outer = around.dims
    status = _status(dims.marks, outer.marks, hidden=hidden, against=dims.against)
    scale, evidence = (unit.scale, evidence if unit.kind != "unsettled" else "") if unit else (0, "")
    kind, name, start, end = period[:4] if period else ("NONE", "", "", "")
    said = (dims.entity or outer.entity, dims.geography or outer.geography, dims.channel or outer.channel)
    context = _new(FactContext, (scale, evidence, start, end, status))
    return _new(Resolved, (*said, kind, name, unit_name, context, clash))


def has_own_unit(own: UnitReading | None, by_row: UnitReading, *, priced: bool, records: bool) -> bool:
    """Whether a row's unit is not that of a column: 吨 of a unit price, the local currency of `Revenue (US$)`."""
    if by_row.kind != "currency":
        return priced
    return records and own is not None and own.kind == "currency" and bool(own.unit)


def _resolve_unit(
    dims: Dims, around: Dims, cell_unit: UnitReading | None, trait: str
) -> tuple[UnitReading | None, str]:
    if dims.unit is None and around.unit is not None and "%" in around.unit.exceptions and _in_percent(dims, trait):
        return (cell_unit, OWN_CELL) if cell_unit else (UnitReading("%", kind="percent"), around.unit_evidence)
    table_unit = _applicable(around.unit, trait)
    if (
        table_unit is not None
        and table_unit.kind == "currency"
        and dims.counted
        and trait not in ("currency", "per_share")
    ):
        table_unit = None  # the money of a sheet is not the unit of the heads that are counted on it
    if table_unit is not None and table_unit.kind in _SCALED and dims.compared and trait != "currency":
        table_unit = None  # nor that of the growth that stands beside the amounts
    if table_unit is not None and dims.for_one and table_unit.kind in ("currency", "scale") and table_unit.scale:
        table_unit = None  # nor are its millions those of a price
    if dims.unit is not None and dims.unit.unit in HUNDREDTHS:
        table_unit = around.unit  # cents a share are cents of the currency of the table, whose scale is not theirs
    base = unit_inside(table_unit, dims.unit)
    if trait == "currency" and base is not None and not base.unit and table_unit is not None:
        base = base._replace(unit=table_unit.unit, kind=table_unit.kind)  # `Revenue (thousand)` is money all the same
    evidence = dims.unit_evidence if dims.unit is not None else around.unit_evidence if base is not None else ""
    if cell_unit is None:
        return base, evidence
    if cell_unit.kind == FORMAT_SCALE or (cell_unit.kind == "currency" and cell_unit.scale == 0):
        return _with_format(base, evidence, cell_unit)
    if not cell_unit.unit and base is not None and base.kind == "currency":
        return cell_unit._replace(unit=base.unit, kind=base.kind), evidence
    return cell_unit, OWN_CELL


_EXCEPTIONS = frozenset({"per_share", "shares", "percent", "ratio", "count", "stated", "%", "rate", "time", "open"})


def holds_several(unit: UnitReading | None) -> bool:
    """Whether a note says money and what things are counted or weighed in, and leaves open which is which: 元、盒."""
    return unit is not None and unit.kind == "currency" and not _EXCEPTIONS.issuperset(unit.exceptions)


def _in_percent(dims: Dims, trait: str) -> bool:
    """Whether a number is one of those in per cent, where the table is said to hold amounts and percentages."""
    return "percent" in (trait, dims.compared)


def _applicable(unit: UnitReading | None, trait: str) -> UnitReading | None:
    """The table's unit as far as it can apply to a metric of this trait."""
    if unit is not None and unit.kind == "counted":
        return unit if trait in ("count", "") else None
    if unit is None or unit.kind not in ("currency", "scale"):
        return None if trait == NOT_MEANT else unit
    if trait in _NOT_MONEY or trait == NOT_MEANT:
        return None
    if trait == "per_share":
        return unit._replace(scale=0) if unit.exceptions and unit.unit else None
    return unit


def _with_format(base: UnitReading | None, evidence: str, cell_unit: UnitReading) -> tuple[UnitReading | None, str]:
    """A currency or thousands scaling stated by the number format, together with what the labels say.

    Labels describe what is shown, so a scale they state already includes the format's.
    """
    if base is None:
        return cell_unit, OWN_CELL
    if base.kind not in ("currency", "scale"):
        return base, evidence
    scale = base.scale or cell_unit.scale
    if not cell_unit.unit or base.unit == cell_unit.unit or base.unit in SYMBOLS.get(cell_unit.unit, ()):
        return base._replace(scale=scale), evidence
    if not base.unit or cell_unit.unit in SYMBOLS.get(base.unit, ()):
        return base._replace(unit=cell_unit.unit, kind="currency", scale=scale), OWN_CELL
    return cell_unit, OWN_CELL


def _resolve_period(dims: Dims, around: Surroundings) -> PeriodReading | None:
    period = _own_period(dims, around)
    if period is not None and "year_to_date" in dims.marks:
        return year_to_date(period) or period  # a month's own figure and the year's up to it stand side by side
    return period


def _own_period(dims: Dims, around: Surroundings) -> PeriodReading | None:
    if dims.period is not None:
        return year_that_ends(dims.period, around.stated)
    outer = around.dims.period
    if dims.partial is not None and "prior_period" in dims.marks:
        own = combine(outer, dims.partial, around.year_end) if outer is not None else None
        return relative_period(own, frozenset(dims.marks)) if own is not None else None
    if outer is not None and _RELATIVE.intersection(dims.marks):
        return relative_period(outer, frozenset(dims.marks))
    if dims.partial is not None:
        return combine(outer, dims.partial, around.year_end) if outer is not None else None
    if dims.sums and outer is not None and outer.period_type in ("M", "Q") and "year_to_date" not in dims.marks:
        return None
    return outer


@lru_cache(maxsize=1024)
def _status(own: tuple[str, ...], around: tuple[str, ...], *, hidden: bool, against: bool) -> str:
    """The marks of a fact: what its own labels say of plan or outcome goes before what the title says.

    The distance between plan and outcome is not planned, under whatever heading it stands.
    """
    marks = set(own) - _PLANS if against else set(own)
    if not against and not marks & _SCENARIOS:
        marks |= set(around) & _SCENARIOS
    marks = set(fold_marks(tuple(set(around) - _SCENARIOS), tuple(marks)))
    if hidden:
        marks.add("hidden")
    if marks & _PLANS:
        marks.discard("actual")
    elif not marks & {"actual", "restated"}:
        marks.add("actual")
    return " ".join(sorted(marks))
