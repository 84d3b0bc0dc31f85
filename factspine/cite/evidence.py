"""What a text may rest on: quoted spans and cited facts, with every number in them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal
from functools import cached_property
from typing import NamedTuple

from factspine.cite.agreement import agrees, dates_agree
from factspine.cite.dates import Day
from factspine.cite.figures import FROM, TO, Figure, read_figures
from factspine.cite.measures import Measure, stated_measures
from factspine.cite.orders import find_orders
from factspine.cite.settings import Setting, clause_settings, heads_of, is_year, setting_of, settings
from factspine.cite.snippets import Quoted
from factspine.cite.sources import without_sources
from factspine.core.facts import UNKNOWN_UNIT, Fact
from factspine.lexicon.folding import fold
from factspine.lexicon.units import parse_unit

_POINT = Decimal(1)
_NEARLY = Decimal("0.05")
_FEWEST_COUNTED = 2  # `one` is as often an article
_ORDER_LOW, _ORDER_HIGH = Decimal("0.9"), Decimal(15)  # 近千 is less than a thousand, thousands are some of them
_ANYTIME = Setting()
_LAST_DAYS = {"Q1": (3, 31), "Q2": (6, 30), "H1": (6, 30), "Q3": (9, 30), "Q4": (12, 31), "H2": (12, 31)}


def evenly_spaced(text: str) -> str:
    """A text with single spaces."""
    return Quoted.whole(text).evenly_spaced().text


class _Known(NamedTuple):
    figure: Figure
    stated: tuple[Measure, ...]
    setting: Setting = _ANYTIME  # the period it stands under, where a row or a fact says so
    clause: Setting = _ANYTIME  # the period its clause names, in prose


class Evidence:
    """Quoted texts, facts, the pages they stand on, and the headings above them.

    A number is read where it stands: whoever quotes `1,320` out of `HK$1,320 million` has quoted the millions, too. A
    heading says in what its numbers are and of when; it lends no other number. Orders to whoever reads are none, nor is
    the place of a source.
    """

    def __init__(
        self,
        texts: Iterable[str | Quoted] = (),
        facts: Sequence[Fact] = (),
        pages: Iterable[int] = (),
        headings: Iterable[str] = (),
    ) -> None:
        every = (Quoted.whole(text) if isinstance(text, str) else text for text in texts)
        own = (one._replace(text=without_sources(one.text)) for one in every if one.end > one.start)
        self._texts = [one.evenly_spaced() for one in own]
        self._facts = tuple(facts)
        self._pages = frozenset(pages)
        self._headings = "\n".join(evenly_spaced(heading) for heading in headings if heading)

    @cached_property
    def _known(self) -> list[_Known]:
        found: list[_Known] = []
        above = stated_measures(self._headings) if self._headings else ()
        for quoted in self._texts:
            figures, stated = read_figures(quoted.text), (*stated_measures(quoted.text), *above)
            orders = find_orders(quoted.text)
            clauses = clause_settings(quoted.text, figures)
            for figure, setting, clause in zip(figures, settings(quoted.text, figures), clauses, strict=True):
                if _is_quoted(figure, quoted) and not any(span.start <= figure.start < span.end for span in orders):
                    # What heads a cell, or its row, says its unit; what heads the cell beside it does not.
                    heads = heads_of(quoted.text, figure.start)
                    own = tuple(measure for head in heads for measure in stated_measures(head))
                    when = _ANYTIME if heads else clause
                    found.append(_Known(figure, (*own, *above) if heads else stated, setting, when))
        periods = [one for one in read_figures(self._headings) if one.kind == "date" or is_year(one)]
        found += [_Known(figure, ()) for figure in periods]
        for fact in self._facts:
            found.append(_Known(_of_fact(fact), (), setting_of(read_figures(fact.period))))
            words = " | ".join((fact.metric_label, fact.entity, fact.period, *fact.row_path, *fact.col_path))
            found += [_Known(figure, ()) for figure in read_figures(words)]
        return found

    @cached_property
    def _folded(self) -> str:
        said = [
            *(one.text[one.start : one.end] for one in self._texts),
            *(f"{fact.metric_label} {fact.entity} {fact.value_text}" for fact in self._facts),
        ]
        return "\n".join(fold(text).lower() for text in said)

    def supports(self, figure: Figure, neighbours: Sequence[Figure] = (), clause: Setting = _ANYTIME) -> bool:
        """Whether a number of a text is one of these.

        `neighbours` are the other numbers of its sentence, `clause` the periods that its clause names.
        """
        if figure.kind == "date":
            return figure.day is not None and self._has_day(figure.day)
        if figure.kind == "page" and int(figure.value) in self._pages:
            return True
        if figure.kind == "code":
            return self._has_code(figure)
        if figure.kind == "multiple":
            return self._has_multiple(figure, neighbours)
        if figure.kind == "magnitude":
            return any(_is_of_order(figure, one) for one in self._known)
        if figure.kind in ("ordinal", "page"):
            return any(one.figure.value == figure.value and one.figure.kind != "date" for one in self._known)
        if figure.is_baseline:
            return self._has_amount(figure, neighbours)
        return self._has_amount(figure, neighbours, setting_of(neighbours), clause)

    def has_move(self, first: Figure, last: Figure) -> bool:
        """Whether these say that something went from one level to another."""
        known = [one for one in self._known if one.figure.kind == "amount"]
        came = any(one.figure.step == FROM and _is_level(first, one) for one in known)
        return came and any(one.figure.step == TO and _is_level(last, one) for one in known)

    def measures_of(self, digits: str) -> frozenset[tuple[str, int]]:
        """The units and scales in which these have a number of exactly these digits; without a sign."""
        value = Decimal(digits.replace(",", ""))
        found: set[tuple[str, int]] = set()
        for one in self._known:
            known = one.figure
            if known.kind == "amount" and known.value == value and not known.negative:
                found.add((known.measure.unit, known.measure.scale))
                bare = not known.measure.unit and not known.measure.scale
                found.update((measure.unit, measure.scale) for measure in one.stated if bare)
        return frozenset(found)

    def contradicts(self, figure: Figure) -> bool:
        """Whether a small number in words counts what these count too, and none of them counts so many."""
        thing = _thing(figure)
        if figure.kind != "amount" or not thing or figure.value < _FEWEST_COUNTED:
            return False
        amounts = [one.figure for one in self._known if one.figure.kind == "amount"]
        if any(known.value == figure.value for known in amounts):
            return False
        return any(_thing(known) == thing for known in amounts)

    def _has_multiple(self, figure: Figure, neighbours: Sequence[Figure]) -> bool:
        """`Doubled` is said by the same word, by 2x, by +100%, or by two numbers beside it of which one is twice."""
        factor = figure.value
        for one in (known.figure for known in self._known):
            if one.kind == "multiple" and one.value == factor:
                return True
            if one.kind == "amount" and one.measure.unit == "x" and one.value == factor:
                return True
            down = one.negative or one.direction < 0
            if one.measure.unit == "%" and down == (factor < 1) and abs(one.value - abs(factor - 1) * 100) < _POINT:
                return True
        sizes = [one.value.scaleb(one.measure.scale) for one in neighbours if one.kind == "amount" and one.value]
        ratio = factor if factor > 1 else 1 / factor
        pairs = ((low, high) for low in sizes for high in sizes if high > low)
        return any(abs(high / low - ratio) <= _NEARLY * ratio for low, high in pairs)

    def _has_amount(
        self, figure: Figure, neighbours: Sequence[Figure], said_of: Setting = _ANYTIME, clause: Setting = _ANYTIME
    ) -> bool:
        counted = figure.approximate or figure.measure.unit not in ("", "years")
        for one in self._known:
            known = one.figure
            if (
                known.kind == "amount"
                and not (counted and is_year(known))  # about 2,000 people are not what the year 2024 says
                and agrees(figure, known, one.stated)
                and not said_of.is_at_odds_with(one.setting)
                and not clause.is_at_odds_with(one.clause)
            ):
                return True
            bare = not figure.measure.unit and not figure.measure.scale
            if bare and known.kind in ("ordinal", "page") and known.value == figure.value:
                return True
        return self._has_year(figure, neighbours) or self._is_within_code(figure)

    def _has_year(self, figure: Figure, neighbours: Sequence[Figure]) -> bool:
        """A year alone is said by a day or month of it; by a quarter or half only beside that quarter or half."""
        if figure.measure.unit or figure.measure.scale or figure.decimals:
            return False
        parts = {one.day.part for one in neighbours if one.day is not None and one.day.part}
        days = [one.figure.day for one in self._known if one.figure.day is not None]
        return any(day.year == figure.value and (not day.part or day.part in parts) for day in days)

    def _has_day(self, day: Day) -> bool:
        known = [one.figure for one in self._known]
        if day.part in _LAST_DAYS:
            last = day._replace(part="", month=_LAST_DAYS[day.part][0], day=_LAST_DAYS[day.part][1])
            months = 6 if day.part[0] == "H" else 3  # the six months to 30 June are the first half
            if any(one.measure.unit == "months" and one.value == months for one in known) and self._has_day(last):
                return True
        if any(figure.day is not None and dates_agree(day, figure.day) for figure in known):
            return True
        # The year may stand in a title and the month or quarter beside the number.
        if not day.year or not any(figure.kind == "amount" and figure.value == day.year for figure in known):
            return False
        rest = day._replace(year=0)
        return any(figure.day is not None and not figure.day.year and dates_agree(rest, figure.day) for figure in known)

    def _has_code(self, figure: Figure) -> bool:
        said = fold(figure.text).lower()
        if said in self._folded or said.replace("-", "") in self._folded.replace("-", ""):
            return True
        numbers = [one for one in read_figures(_apart(said)) if one.kind == "amount"]
        return bool(numbers) and all(self._has_amount(number, ()) for number in numbers)

    def _is_within_code(self, figure: Figure) -> bool:
        """`3` is said by `B/3` or `CO2-3`, as the same digits standing apart within a code."""
        if figure.measure.unit or figure.measure.scale:
            return False
        said = format(figure.value, "f")
        codes = (one.figure for one in self._known if one.figure.kind == "code")
        return any(said in _apart(code.text).split() for code in codes)


def _is_level(figure: Figure, one: _Known) -> bool:
    """Whether a number is this level, whichever way it went."""
    plain = figure._replace(direction=0, step=0)
    return agrees(plain, one.figure._replace(direction=0, step=0), one.stated)


def _thing(figure: Figure) -> str:
    """What a number counts: a time by its unit, anything else by the word after it; nothing where there is none."""
    if figure.measure.kind == "time":
        return figure.measure.unit
    return f"{figure.measure.unit} {figure.measure.noun}" if figure.measure.noun else ""


def _is_quoted(figure: Figure, quoted: Quoted) -> bool:
    """Whether all the digits of a number lie in the quotation; of a number in words, all of it."""
    digits = [at for at, mark in enumerate(quoted.text[figure.start : figure.end], figure.start) if mark.isdecimal()]
    first, last = (digits[0], digits[-1] + 1) if digits else (figure.start, figure.end)
    return quoted.start <= first and last <= quoted.end


def _apart(code: str) -> str:
    """A code with its digits and letters standing apart."""
    parts: list[str] = []
    for mark in code:
        if parts and mark.isdigit() == parts[-1][-1].isdigit() and mark.isalnum():
            parts[-1] += mark
        elif mark.isalnum():
            parts.append(mark)
    return " ".join(parts)


def _is_of_order(claimed: Figure, one: _Known) -> bool:
    """Whether an amount is some hundreds, thousands … as the text says, in its own scale or a stated one."""
    known = one.figure
    if known.kind == "magnitude":
        return known.value == claimed.value
    if known.kind != "amount":
        return False
    scales = {known.measure.scale, *(known.measure.scale + measure.scale for measure in one.stated)}
    sizes = [known.value.scaleb(scale) for scale in scales]
    return any(_ORDER_LOW * claimed.value <= size < _ORDER_HIGH * claimed.value for size in sizes)


def _of_fact(fact: Fact) -> Figure:
    unit = "" if fact.unit == UNKNOWN_UNIT else fact.unit
    reading = parse_unit(unit) if unit else None
    kind = reading.kind if reading is not None else "currency" if len(unit) == 3 and unit.isupper() else ""
    return Figure(
        "amount",
        fact.value_text,
        0,
        len(fact.value_text),
        abs(fact.value),
        fact.decimals,
        Measure(unit, fact.scale, kind),
        negative=fact.value < 0,
    )
