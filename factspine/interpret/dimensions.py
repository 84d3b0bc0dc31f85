"""What labels say: period, unit, entity, geography, channel, scenario; what is left over is the metric.

A path of labels is folded from the outside in: "2024" over "Q1" is 2024Q1, an inner unit replaces an outer one, marks
add up. What none of the vocabularies claims stays, in the document's own words.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple, TypeGuard

from factspine.core.labelled import Label, Path
from factspine.interpret.relative import relative_period
from factspine.lexicon.folding import any_of, may_say
from factspine.lexicon.labels import LabelReading, read_label
from factspine.lexicon.measured import adds_up, is_counted, is_for_one
from factspine.lexicon.periods import PartialPeriod, PeriodReading, combine
from factspine.lexicon.scenario import is_against
from factspine.lexicon.units import UnitReading, parse_unit
from factspine.lexicon.vocabulary import Vocabulary

_TOTAL = re.compile(r"(?:\b(?:sub-?|grand )?totals?\b|[合总總小]\s*[计計])", re.IGNORECASE)
_TOTAL_WORDS = any_of("total totals subtotal subtotals")
# Soft hyphens, joiners, marks of direction: they would cut a word in two.
_UNSEEN = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060\ufeff]")
# What leads the eye from a label to its number, and the mark of a footnote: `Teachers \\1 ........`.
_LEADERS = re.compile(r"(?:\s*(?:\.\s?){3,}+|\s*…++|\s*\\\d{1,2}(?=\s|$|\.{2}))+\s*$")

_LEADER_ENDS = frozenset(".…")
_COMPARISONS = frozenset({"percent", "ratio"})
_PROPORTION = re.compile(
    r"(?P<share>(?:% )?(?:share|mix|weight(?:ing)?)|(?:% |percentage |market )shares? of .*"
    # Share of associates is an amount, of parcels or of sales it is none.
    r"|shares? of (?!.*\b(?:associates?|affiliates?|investees?|(?:joint )?ventures?|profits?|loss(?:es)?|results?"
    r"|income|earnings|equity|assets)\b).*"
    r"|(?:revenue|sales|business|channel|customer|portfolio|funding|energy|asset) mix|权重"
    r"|(?!.*(?:[汇费倍频功效比速]|周转|市盈|市净|市销|容积|兑换)率).*(?:率|占比|比重|增速|增幅|同比|环比)"
    r"|.*(?:同比|环比|比上年)增长)|.*汇率"
    r"|(?!.*\b(?:effects?|changes?|gains?|loss(?:es)?|differences?|fluctuations?)\b)"
    r"(?:.*\b)?(?:exchange|fx|conversion) rates?\b.*",
    re.IGNORECASE,
)
_new = tuple.__new__  # a named tuple's own constructor takes twice as long
ASSURANCE = frozenset({"audited", "unaudited"})  # of these only the nearest holds


_PRIOR = frozenset({"prior_period"})


class Dims(NamedTuple):
    """Everything labels say about a number except what it measures."""

    period: PeriodReading | None = None
    partial: PartialPeriod | None = None
    unit: UnitReading | None = None
    unit_evidence: str = ""
    entity: str = ""
    geography: str = ""
    channel: str = ""
    marks: tuple[str, ...] = ()
    counted: bool = False  # a label says that things are counted, or points given: the table's money is not theirs
    for_one: bool = False  # a label says what one thing costs or earns: the table's millions are not its own
    against: bool = False  # a label says how far a number is from a plan: that is no plan itself
    # A label says growth, share ("percent") or ratio: neither is money or scale of anything else its own.
    compared: str = ""
    sums: bool = False  # a label says that something adds up, and not from when: a month is not all of it

    @property
    def waits(self) -> bool:
        """Whether half a period is said, whose year stands elsewhere or nowhere."""
        return self.partial is not None and self.partial.period_type != "W"


NOTHING = Dims()


class AxisReading(NamedTuple):
    """One row's or column's labels, read."""

    dims: Dims
    rests: tuple[str, ...]  # what is left of each label, outermost first; labels used up leave nothing
    label: str  # the innermost label as the document has it


@lru_cache(maxsize=16384)  # a header is part of the path of every column under it
def tidy(text: str) -> str:
    """A label on one line, without what leads from it to its number and without what nobody sees."""
    text = " ".join(text.split())
    if not text.isascii():
        text = _UNSEEN.sub("", text)
    return _LEADERS.sub("", text) or text if text[-1:] in _LEADER_ENDS or "\\" in text else text


@lru_cache(maxsize=16384)
def is_total(label: str) -> bool:
    """Whether a label names a total or subtotal."""
    return may_say(label, _TOTAL_WORDS) and _TOTAL.search(label) is not None


@lru_cache(maxsize=16384)
def is_bare_total(label: str) -> bool:
    """Whether a label says total and nothing else."""
    return is_total(label) and _TOTAL.fullmatch(label.strip(" :：")) is not None


_AMOUNT = re.compile(
    r"金\s*额|数\s*额|数\s*量|数\s*值|绝\s*对\s*[值额数量]|amounts?|values?|figures?|numbers?|absolute", re.IGNORECASE
)


@lru_cache(maxsize=16384)
def is_bare_amount(label: str) -> bool:
    """Whether a label says only that what stands beside or under it is an amount, not of what."""
    return _AMOUNT.fullmatch(label.strip(" :：")) is not None


_RELATION = re.compile(
    r"(?:较|比|与|同比|环比).*|.*(?:增减|增长|增幅|增速|变动|变化|净增|占比|比重|比例)[额率幅]?"
    r"|(?:%|percent|pct|percentage)?\s*"
    r"(?:change|growth|increase|decrease|variance|var\.?|share|difference|of total)s?\s*%?"
    r"|yoy|qoq|mom|y/y|q/q|m/m",
    re.IGNORECASE,
)


@lru_cache(maxsize=16384)
def is_relation(label: str) -> bool:
    """Whether a label says how something relates to something else, and not what it is: 较年初, growth."""
    return _RELATION.fullmatch(label.strip(" :：")) is not None


def read_path(
    path: Path,
    vocabulary: Vocabulary,
    evidence: Callable[[Label], str],
    currencies: frozenset[int] = frozenset(),
    units: frozenset[int] = frozenset(),
) -> AxisReading:
    """Fold a path of labels from the outside in; `currencies` and `units` are columns that hold such."""
    if len(path) == 1 and (alone := _read_alone(path[0].text, vocabulary)) is not None:
        return alone
    dims, innermost = NOTHING, ""
    rests: list[str] = []
    for label in path:
        text = tidy(label.text)
        reading = read_label(text, vocabulary)
        if label is path[0] and text.isascii() and _counts_alone(reading) and label[1:] <= path[-1][1:]:
            # Above or before other labels, People and Shares are names, of costs and of assets; behind them, units.
            reading = LabelReading(text, text)
        if label.col in currencies:
            reading = naming_currency(reading)
        elif label.col in units and reading.unit is None and (unit := parse_unit(text)) is not None:
            reading = LabelReading(text, "", unit=unit if unit.unit != "items" else None)  # `months` there is no name
        dims = fold_label(dims, reading, evidence(label) if reading.unit else "")
        if innermost and not any(map(str.isalnum, text)):
            continue  # the # in a column of units
        if reading.rest and (not rests or rests[-1] != reading.rest):
            rests.append(reading.rest)
        if not innermost or not _is_unit_alone(reading):
            innermost = text  # a column of units beside the names does not name the rows
        if not dims.counted and is_counted(reading.rest):
            dims = dims._replace(counted=True)
        if not dims.for_one and is_for_one(text):
            dims = dims._replace(for_one=True)
        if not dims.against and is_against(text):
            dims = dims._replace(against=True)
        if not dims.sums and adds_up(text):
            dims = dims._replace(sums=True)
    if rests and (compared := compared_by(rests[-1], vocabulary)):
        dims = dims._replace(compared=compared)
    dims = _with_total(dims, innermost)
    if "total" not in dims.marks and any(is_bare_total(tidy(label.text)) for label in path[:-1]):
        dims = _with_total(dims, "total")
    return _new(AxisReading, (dims, tuple(rests), innermost))


def compared_by(label: str, vocabulary: Vocabulary) -> str:
    """Whether a label names a growth or share (percent) or a ratio; "" where it names neither."""
    code = vocabulary.metric_code(label)
    if code:
        kind = vocabulary.metric_kind(code)
        return kind if kind in _COMPARISONS else ""
    found = _PROPORTION.fullmatch(label)
    return "" if found is None else "percent" if found["share"] else "ratio"


def says_of(dims: Dims, measure: str, vocabulary: Vocabulary) -> Dims:
    """What labels say together with what a title says is measured: heads are counted, a margin is no money."""
    return dims._replace(
        counted=dims.counted or is_counted(measure),
        for_one=dims.for_one or is_for_one(measure),
        compared=dims.compared or compared_by(measure, vocabulary),
    )


@lru_cache(maxsize=16384)  # the rows of one table after the other are called the same
def _read_alone(label: str, vocabulary: Vocabulary) -> AxisReading | None:
    """A path of one label; None where it says a unit, of which it matters where it stands."""
    text = tidy(label)
    reading = read_label(text, vocabulary)
    if reading.unit:
        return None
    dims = _with_total(fold_label(NOTHING, reading, ""), text)
    if is_counted(reading.rest):
        dims = dims._replace(counted=True)
    if reading.rest and (compared := compared_by(reading.rest, vocabulary)):
        dims = dims._replace(compared=compared)
    if is_for_one(text):
        dims = dims._replace(for_one=True)
    if is_against(text):
        dims = dims._replace(against=True)
    if adds_up(text):
        dims = dims._replace(sums=True)
    return AxisReading(dims, (reading.rest,) if reading.rest else (), text)


def _with_total(dims: Dims, label: str) -> Dims:
    # Marked, so that nobody who adds up facts adds up their totals, too.
    return dims._replace(marks=tuple(sorted({*dims.marks, "total"}))) if is_total(label) else dims


def _counts_alone(reading: LabelReading) -> bool:
    return reading.unit is not None and reading.unit.kind == "count" and _is_unit_alone(reading)


def _is_unit_alone(reading: LabelReading) -> bool:
    return reading.unit is not None and not any((reading.rest, reading.period, reading.partial, *reading[5:]))


_SAYS_NOTHING = LabelReading("", "")[2:]


def fold_label(outer: Dims, reading: LabelReading, evidence: str) -> Dims:
    """What holds inside `outer` once a further label has been read."""
    if reading[2:] == _SAYS_NOTHING:
        return outer
    period, partial = fold_periods(outer, reading.period, reading.partial)
    if "prior_period" in reading.marks and outer.period is not None and period is outer.period:
        period = relative_period(outer.period, _PRIOR)  # Prior year under March 2024 is March 2023
    unit = unit_inside(outer.unit, reading.unit)
    places = (reading.entity or outer.entity, reading.geography or outer.geography, reading.channel or outer.channel)
    marks = fold_marks(outer.marks, reading.marks)
    traits = (outer.counted, outer.for_one, outer.against, outer.compared, outer.sums)
    return _new(Dims, (period, partial, unit, evidence or outer.unit_evidence, *places, marks, *traits))


def fold_marks(outer: tuple[str, ...], inner: tuple[str, ...]) -> tuple[str, ...]:
    """The marks of an outer text and a nearer one; "2022 (audited)" under "(unaudited)" is audited."""
    if not inner and not outer:
        return ()
    if not ASSURANCE.isdisjoint(inner):
        outer = tuple(mark for mark in outer if mark not in ASSURANCE)
    return tuple(sorted({*outer, *inner}))


def fold_periods(
    outer: Dims, period: PeriodReading | None, partial: PartialPeriod | None
) -> tuple[PeriodReading | None, PartialPeriod | None]:
    """The period that an outer label and an inner one give together."""
    if period is None and partial is None:
        return outer.period, outer.partial
    for left in (outer.period, outer.partial):
        for right in (period, partial):
            if left is not None and right is not None:
                joined = combine(left, right)
                if joined is not None:
                    return joined, None
    return period or outer.period, partial or outer.partial


def fold_units(outer: UnitReading | None, inner: UnitReading | None) -> UnitReading | None:
    """The unit that an outer text and a nearer one give together: a scale and a currency may stand apart."""
    if outer is None or inner is None:
        return inner or outer
    if not inner.unit and outer.unit and outer.kind == "currency" and inner.kind != "counted":
        return inner._replace(unit=outer.unit, kind=outer.kind, exceptions=(*outer.exceptions, *inner.exceptions))
    if not outer.unit and inner.kind == "currency" and inner.scale == 0:
        return inner._replace(scale=outer.scale, exceptions=(*outer.exceptions, *inner.exceptions))
    return inner


def unit_inside(outer: UnitReading | None, inner: UnitReading | None) -> UnitReading | None:
    """The unit of what a label names, under one stated further out.

    A column of currencies leaves the scale to whoever states it. A label that states a scale of its own, and no money,
    under money that has its scale already may count anything: `Policies (thousand)` on a sheet in US$ million.
    """
    if outer is None or inner is None:
        return inner or outer
    if inner.kind == "unsettled":
        return inner
    if inner.unit.startswith("/"):  # so much a kilogram, in the money of the table unless that is counted in thousands
        told = outer.kind == "currency" and not outer.scale
        return inner._replace(unit=outer.unit + inner.unit) if told else inner
    if inner.names_only and outer.kind in ("currency", "scale"):
        return outer._replace(unit=inner.unit, kind="currency", exceptions=outer.exceptions)
    if inner.kind == "scale" and outer.kind == "currency" and outer.scale:
        return inner
    if outer.kind == "currency" and outer.unit in HUNDREDTHS.get(inner.unit, ()):
        return inner._replace(unit=outer.unit, scale=-2)
    return fold_units(outer, inner)


def contradict(outer: UnitReading | None, inner: UnitReading | None) -> bool:
    """Whether a text states another currency than the column of currencies does."""
    if outer is None or inner is None or not inner.names_only or outer.kind != "currency" or outer.unit == inner.unit:
        return False
    return inner.unit not in SYMBOLS.get(outer.unit, ()) and outer.unit not in SYMBOLS.get(inner.unit, ())


def naming_currency(reading: LabelReading) -> LabelReading:
    """A label of a column of currencies: what it says of the scale, which is nothing, is no statement."""
    unit = reading.unit
    if unit is None or unit.kind != "currency" or unit.scale:
        return reading
    return reading._replace(unit=unit._replace(names_only=True))


# A unit that nobody knows, and that is not that of the table.
UNSETTLED = UnitReading("", kind="unsettled")
# What a sign may stand for, and of which currencies a word for a hundredth part may be one.
SYMBOLS = {
    "$": ("USD", "HKD", "TWD", "CAD", "AUD", "SGD", "NZD", "MXN", "BRL"),
    "¥": ("CNY", "JPY"),
    "元": ("CNY", "TWD", "HKD", "USD"),
}
HUNDREDTHS = {"cents": ("$", "EUR", "USD", "HKD", "TWD", "CAD", "AUD", "SGD", "NZD", "ZAR"), "分": ("CNY", "元")}


def merge(row: Dims, column: Dims) -> tuple[Dims, bool]:
    """What a row and a column say together, and whether they contradict each other about the unit."""
    if row is NOTHING or column is NOTHING:
        return (column if row is NOTHING else row), False
    period, partial = fold_periods(row, column.period, column.partial)
    unit, evidence, clash = _merge_units(row, column)
    places = (row.entity or column.entity, row.geography or column.geography, row.channel or column.channel)
    marks = fold_marks(column.marks, row.marks)  # a line said to be unaudited is so in every column
    traits = (row.counted or column.counted, row.for_one or column.for_one, row.against or column.against)
    # How much of a ratio was reached is said in percent.
    compared = "percent" if "percent" in (row.compared, column.compared) else row.compared or column.compared
    sums = row.sums or column.sums
    return _new(Dims, (period, partial, unit, evidence, *places, marks, *traits, compared, sums)), clash


def _is_money(unit: UnitReading | None) -> TypeGuard[UnitReading]:
    return unit is not None and unit.kind in ("currency", "scale")


def _is_of_things(unit: UnitReading | None) -> TypeGuard[UnitReading]:
    """Whether a unit is that of what is counted or weighed: neither its growth nor its share is so many of them."""
    return unit is not None and unit.kind in ("count", "physical")


# Kinds that describe the number itself rather than the money it may be made of: "Change (%)" over "Revenue (HK$ m)".
_SPECIFIC = frozenset({"percent", "ratio", "per_share", "count", "physical", "time", "rate", "open"})


def _merge_units(row: Dims, column: Dims) -> tuple[UnitReading | None, str, bool]:
    left, right = row.unit, column.unit
    if _is_of_things(left) and (column.compared == "percent" != row.compared or (right and left.is_in_name)):
        left = None
    if _is_of_things(right) and (row.compared == "percent" != column.compared or (left and right.is_in_name)):
        right = None
    if _is_money(left) and left.names_only and column.counted:
        left = UNSETTLED  # nor is the scale of the amounts that of what is counted
    elif _is_money(left) and column.compared and not row.compared:
        left = None
    if _is_money(right) and ((row.compared and not column.compared) or (row.counted and not column.counted)):
        right = None
    if row.for_one and not column.for_one and _is_money(right) and right.scale:
        right = None
    if column.for_one and not row.for_one and _is_money(left) and left.scale:
        left = None
    if left is None or right is None:
        return (right, column.unit_evidence, False) if left is None else (left, row.unit_evidence, False)
    if (left.unit, left.scale) == (right.unit, right.scale):
        return left, row.unit_evidence, False
    if left.names_only and right.kind == "currency":
        return (None, "", True) if contradict(right, left) else (right, column.unit_evidence, False)
    if "unsettled" in (left.kind, right.kind):
        other, evidence = (right, column.unit_evidence) if left.kind == "unsettled" else (left, row.unit_evidence)
        return (other, evidence, False) if other.kind in _SPECIFIC else (UNSETTLED, "", False)
    if left.unit.startswith("/") or right.unit.startswith("/"):
        rate, other = (left, right) if left.unit.startswith("/") else (right, left)
        return unit_inside(other, rate), row.unit_evidence if rate is left else column.unit_evidence, False
    if not left.unit or not right.unit:
        joined = unit_inside(left, right) if not left.unit else unit_inside(right, left)
        return joined, column.unit_evidence if right.unit else row.unit_evidence, False
    if (left.kind in _SPECIFIC) != (right.kind in _SPECIFIC):
        return (left, row.unit_evidence, False) if left.kind in _SPECIFIC else (right, column.unit_evidence, False)
    if (left.kind == "percent") != (right.kind == "percent"):
        # A change or share in percent is one whatever it is of: "Change (%)" over "Earnings per share (HK$)".
        return (left, row.unit_evidence, False) if left.kind == "percent" else (right, column.unit_evidence, False)
    return None, "", True
