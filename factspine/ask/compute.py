"""Arithmetic on facts: exact decimals, units checked, every operand named in the formula."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal, localcontext

from factspine.ask.display import number_text
from factspine.core.answers import Derivation
from factspine.core.facts import UNKNOWN_UNIT, Fact
from factspine.core.values import EXACT, canonical
from factspine.core.verdicts import amount

_PERCENT_PLACES = 2  # of computed percentages, as annual reports print them
_PERCENT = "%"
_RATE_UNITS = frozenset({"%", "‰", "times", "x"})


class NotComparable(Exception):
    """Operands of different basis; the message says which."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """A number worked out, and how."""

    operation: str
    value: Decimal
    decimals: int
    unit: str
    scale: int
    formula: str
    operands: tuple[Fact, ...]
    period: str = ""  # of the result, where it is not that of the first operand

    @property
    def derivation(self) -> Derivation:
        """How it was worked out, for whoever checks it."""
        return Derivation(
            operation=self.operation,
            formula=self.formula,
            operands=tuple(fact.fact_id for fact in self.operands),
            value=canonical(self.value),
            unit=self.unit,
        )


def _same_basis(facts: Sequence[Fact], *, across: bool = False) -> None:
    units = {fact.unit for fact in facts}
    if len(units) > 1:
        raise NotComparable(" / ".join(sorted(units)))
    kinds = {tuple(sorted(set(fact.status.split()) & {"budget", "forecast", "estimate", "target"})) for fact in facts}
    if len(kinds) > 1 and not across:
        raise NotComparable("actual / plan")


def _same_length(facts: Sequence[Fact]) -> None:
    if len({fact.period_type for fact in facts}) > 1:
        raise NotComparable(" / ".join(sorted({fact.period_type for fact in facts})))


def _common(facts: Sequence[Fact]) -> tuple[list[Decimal], int, int]:
    """Values brought to the first operand's scale, that scale, and the decimals the result can show."""
    scale = facts[0].scale
    values = [amount(fact).scaleb(-scale, EXACT) for fact in facts]
    decimals = min(max(fact.decimals + scale - fact.scale, 0) for fact in facts)
    return values, scale, max(decimals, max(_own_decimals(value) for value in values))


def _own_decimals(value: Decimal) -> int:
    exponent = value.normalize().as_tuple().exponent
    return max(-exponent, 0) if isinstance(exponent, int) else 0


def _shown(fact: Fact) -> str:
    return number_text(fact.value, fact.decimals)


def _rounded(value: Decimal, decimals: int) -> Decimal:
    with localcontext(EXACT):
        return value.quantize(Decimal(1).scaleb(-decimals))


def difference(first: Fact, second: Fact, *, across: bool = False) -> Result:
    """first - second, in the unit of the first; `across` plan and outcome only where both were asked for."""
    _same_basis((first, second), across=across)
    (one, other), scale, decimals = _common((first, second))
    value = EXACT.subtract(one, other)
    return Result(
        operation="difference",
        value=value,
        decimals=decimals,
        unit="percentage points" if first.unit == _PERCENT else first.unit,
        scale=scale,
        formula=f"{_shown(first)} − {_shown(second)}",
        operands=(first, second),
    )


def growth(later: Fact, earlier: Fact, operation: str = "growth") -> Result:
    """(later - earlier) / |earlier|, in percent; a rate changes by percentage points, which is no growth."""
    _same_basis((later, earlier))
    _same_length((later, earlier))
    if later.unit in _RATE_UNITS:
        return difference(later, earlier)
    base = amount(earlier)
    if base <= 0:
        raise NotComparable("0")
    value = EXACT.divide(EXACT.subtract(amount(later), base), base) * 100
    return Result(
        operation=operation,
        value=_rounded(value, _PERCENT_PLACES),
        decimals=_PERCENT_PLACES,
        unit=_PERCENT,
        scale=0,
        formula=f"({_shown(later)} − {_shown(earlier)}) ÷ {_shown(earlier)}",
        operands=(later, earlier),
    )


def compound_growth(later: Fact, earlier: Fact, years: int) -> Result:
    """(later / earlier)^(1/years) - 1, in percent."""
    _same_basis((later, earlier))
    _same_length((later, earlier))
    base, end = amount(earlier), amount(later)
    if base <= 0 or end <= 0 or years < 1:
        raise NotComparable("0")
    with localcontext(EXACT) as context:
        context.prec = 40
        value = ((end / base) ** (Decimal(1) / Decimal(years)) - 1) * 100
    return Result(
        operation="cagr",
        value=_rounded(value, _PERCENT_PLACES),
        decimals=_PERCENT_PLACES,
        unit=_PERCENT,
        scale=0,
        formula=f"({_shown(later)} ÷ {_shown(earlier)})^(1/{years}) − 1",
        operands=(later, earlier),
    )


def share(part: Fact, whole: Fact) -> Result:
    """part / whole, in percent."""
    _same_basis((part, whole))
    if amount(whole) == 0 or part.unit in _RATE_UNITS:
        raise NotComparable(part.unit)
    value = EXACT.divide(amount(part), amount(whole)) * 100
    return Result(
        operation="share",
        value=_rounded(value, _PERCENT_PLACES),
        decimals=_PERCENT_PLACES,
        unit=_PERCENT,
        scale=0,
        formula=f"{_shown(part)} ÷ {_shown(whole)}",
        operands=(part, whole),
    )


def ratio(part: Fact, whole: Fact) -> Result:
    """part / whole, as a plain number."""
    _same_basis((part, whole))
    if amount(whole) == 0:
        raise NotComparable("0")
    return Result(
        operation="ratio",
        value=_rounded(EXACT.divide(amount(part), amount(whole)), 2),
        decimals=2,
        unit="times",
        scale=0,
        formula=f"{_shown(part)} ÷ {_shown(whole)}",
        operands=(part, whole),
    )


def total(facts: Sequence[Fact]) -> Result:
    """The sum of several facts."""
    _same_basis(facts)
    if facts[0].unit in _RATE_UNITS:
        raise NotComparable(facts[0].unit)
    values, scale, decimals = _common(facts)
    value = Decimal(0)
    for one in values:
        value = EXACT.add(value, one)
    return Result(
        operation="sum",
        value=value,
        decimals=decimals,
        unit=facts[0].unit,
        scale=scale,
        formula=" + ".join(map(_shown, facts)),
        operands=tuple(facts),
    )


def average(facts: Sequence[Fact]) -> Result:
    """The mean of several facts."""
    _same_basis(facts)
    values, scale, decimals = _common(facts)
    value = Decimal(0)
    for one in values:
        value = EXACT.add(value, one)
    mean = EXACT.divide(value, Decimal(len(values)))
    places = min(max(decimals, 1) + (0 if mean == mean.to_integral_value() else 1), decimals + 1)
    return Result(
        operation="average",
        value=_rounded(mean, places),
        decimals=places,
        unit=facts[0].unit,
        scale=scale,
        formula=f"({' + '.join(map(_shown, facts))}) ÷ {len(facts)}",
        operands=tuple(facts),
    )


def ordered(facts: Sequence[Fact], *, largest_first: bool) -> list[Fact]:
    """Facts in order of their amounts; equal ones in order of their places."""
    _same_basis(facts)
    return sorted(facts, key=lambda f: (-amount(f) if largest_first else amount(f), f.source_doc_id, f.source_locator))


def is_unitless(facts: Sequence[Fact]) -> bool:
    """Whether none of the facts says a unit."""
    return all(fact.unit == UNKNOWN_UNIT for fact in facts)
