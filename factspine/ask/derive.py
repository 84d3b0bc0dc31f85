"""Numbers that no cell states: worked out from facts that do, each found the way a plain question finds it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from factspine.ask import compute
from factspine.ask.choosing import table_of
from factspine.ask.comparing import Sides
from factspine.ask.compute import NotComparable, Result
from factspine.ask.display import period_text
from factspine.ask.lists import Single, Span, singles_in
from factspine.ask.operations import Operation
from factspine.ask.passing import planned_words
from factspine.ask.question import Question
from factspine.ask.relative import stretch
from factspine.ask.resolution import Resolution
from factspine.core.facts import Fact
from factspine.core.verdicts import amount
from factspine.lexicon.periods import PeriodReading, find_period

# What has changed has changed since the year before; a difference needs both its sides said.
_CHANGED = re.compile(r"增加|减少|增长|变化|变动|下降|上升|change|increase|decrease|by how much", re.IGNORECASE)
# Of what a share is, where that is left to the table.
_THE_TOTAL = re.compile(
    r"\s*(?:the )?(?:(?:grand |overall )?total|whole|合计数?|总计|总数|总额|总量|全部)\W*", re.IGNORECASE
)
_TOTAL_SAID = re.compile(r"总|合计|全|共|整|\b(?:total|all|whole|overall|group|entire|every)\b", re.IGNORECASE)
_LATEST = {"zh": "最新的", "en": "latest "}
_AND = {"zh": "和", "en": "and"}
Resolve = Callable[[str], Resolution]
Read = Callable[[str], Question]


@dataclass(frozen=True, slots=True, kw_only=True)
class Derived:
    """What an operation came to: a result, or the resolution that failed, or a basis that differs."""

    result: Result | None = None
    failed: Resolution | None = None
    basis: str = ""
    assumed: Resolution | None = None  # whose assumptions hold for the result


class Deriver:
    """Works operations out for one question."""

    def __init__(
        self, read: Read, resolve: Resolve, labels: Callable[[Question], Sequence[Span]] = lambda question: ()
    ) -> None:
        self._read = read
        self._resolve = resolve
        self._labels = labels  # the parts of a question that are labels of the tables asked of

    def _singles(self, question: Question) -> list[Single]:
        return singles_in(question, (self._labels(question), ()))

    def derive(self, operation: Operation) -> Derived | None:
        """The result of an operation; None where it is not one of two figures."""
        try:
            if operation.kind in ("growth", "growth_previous", "cagr"):
                return self._growth(operation)
            if operation.kind == "difference":
                return self._difference(operation)
            if operation.kind in ("share_of", "ratio"):
                return self._of_two(operation)
            if operation.kind in ("sum", "average"):
                return self._over_list(operation)
        except NotComparable as error:
            return Derived(basis=str(error))
        return None

    def _pair(self, first: str, second: str) -> tuple[Resolution, Resolution] | Derived:
        one = self._resolve(first)
        if not one.found:
            return Derived(failed=one)
        other = self._resolve(second)
        if not other.found:
            return Derived(failed=other)
        return one, other

    def _growth(self, operation: Operation) -> Derived:
        question = self._read(operation.question)
        ends = self._ends(question) or self._end_found(operation.question)
        if ends is None:
            return self._lacking(operation.question)
        later_period, earlier_period = ends
        if earlier_period is None and operation.kind != "cagr":
            earlier_period = _previous(later_period, quarter=operation.kind == "growth_previous")
        if earlier_period is None:
            return self._lacking(operation.question)
        pair = self._pair(
            _with_period(question, period_name(later_period)), _with_period(question, period_name(earlier_period))
        )
        if isinstance(pair, Derived):
            return pair
        later, earlier = _same_source(*pair)
        _same_subject(later, earlier)
        if operation.kind == "cagr":
            years = int(later.period[:4]) - int(earlier.period[:4])
            return Derived(result=compute.compound_growth(later, earlier, years), assumed=pair[0])
        kind = operation.kind
        if ends[1] is not None and not _a_year_apart(later, earlier):
            kind = "growth_between"
        return Derived(result=compute.growth(later, earlier, kind), assumed=pair[0])

    def _end_found(self, text: str) -> tuple[PeriodReading, None] | None:
        """The period that the figure itself is of, where the question says none and one follows."""
        found = self._resolve(text)
        if found.outcome == "ambiguous":
            found = self._only_pair(text)
        period = find_period(period_text(found.facts[0].period_type, found.facts[0].period)) if found.found else None
        return None if period is None else (period, None)

    def _only_pair(self, text: str) -> Resolution:
        """The later of two periods a year apart, where there are no others: of one change there is no doubt."""
        latest = self._resolve(f"{_LATEST[self._read(text).language]}{text}")
        if not latest.found or not latest.facts[0].period[:4].isdigit():
            return latest
        year, rest = int(latest.facts[0].period[:4]), latest.facts[0].period[4:]
        names = (period_text(latest.facts[0].period_type, f"{year - back}{rest}") for back in (1, 2))
        before = [self._resolve(f"{text} {name}").found for name in names]
        return latest if before == [True, False] else replace(latest, outcome="ambiguous")

    def _lacking(self, text: str) -> Derived:
        """Why there is no second figure: the first is not there, or no period says which one it would be."""
        found = self._resolve(text)
        if found.found:
            words = (found.facts[0].metric_label,)
            found = Resolution(outcome="missing_operand", words=words, label=found.label)
        return Derived(failed=found)

    def _ends(self, question: Question) -> tuple[PeriodReading, PeriodReading | None] | None:
        """The later and the earlier period a question names; the earlier one may be implied."""
        periods = question.periods
        if len(periods) == 1:
            if periods[0].period_type == "RANGE" and "/" in periods[0].period:
                first, _, last = periods[0].period.partition("/")
                start, end = find_period(f"FY{first[:4]}"), find_period(f"FY{last[:4]}")
                return (end, start) if start and end and start != end else None
            return periods[0], None
        if len(periods) == 2:
            ordered = sorted(periods, key=lambda period: period.end or period.period)
            return ordered[1], ordered[0]
        return None

    def _difference(self, operation: Operation) -> Derived:
        if operation.other:
            sides = self._of_sides(operation)
            if sides.failed is None or sides.failed.outcome == "ambiguous":
                return sides
            joined = f"{operation.question} {_AND[self._read(operation.question).language]} {operation.other}"
            listed = self._difference(Operation(operation.kind, joined, words=operation.words))
            return sides if listed.result is None else listed
        question = self._read(operation.question)
        singles = self._singles(question)
        if len(singles) == 2:
            pair = self._pair(singles[0].text, singles[1].text)
        else:
            ends = self._ends(question)
            if ends is None and _CHANGED.search(operation.words):
                ends = self._end_found(operation.question)
            if ends is None:
                return self._lacking(operation.question)
            later, earlier = ends[0], ends[1]
            if earlier is None and _CHANGED.search(operation.words):
                earlier = _previous(later, quarter=False)
            if earlier is None:
                return self._lacking(operation.question)
            pair = self._pair(_with_period(question, period_name(later)), _with_period(question, period_name(earlier)))
        if isinstance(pair, Derived):
            return pair
        first, second = _same_source(*pair)
        if len(singles) != 2:
            _same_subject(first, second)
        return self._subtracted(first, second, pair[0])

    def _of_sides(self, operation: Operation) -> Derived:
        """One figure less another, each side of the comparison by itself."""
        one, other = Sides(self._read, self._resolve, self._labels).of(operation.question, operation.other)
        if not (one.found and other.found):
            return Derived(failed=other if one.found else one)
        first, second = _same_source(one, other)
        if first.fact_id == second.fact_id:
            raise NotComparable(first.metric_label)
        if first.period != second.period and first.period_type == second.period_type:
            _same_subject(first, second)  # another period, and somebody else: the part that one side left out
        totals = ["total" in fact.status.split() for fact in (first, second)]
        if totals[0] != totals[1] and not _TOTAL_SAID.search(f"{operation.question} {operation.other}"):
            raise NotComparable(f"{first.metric_label} / {second.metric_label}")  # one part, and the whole by itself
        # Plan and outcome are compared where the question names a plan.
        across = bool(planned_words(f"{operation.question} {operation.other}"))
        if operation.apart and not across and first.period == second.period and amount(first) < amount(second):
            first, second = second, first
        return self._subtracted(first, second, one, across=across)

    def _subtracted(self, first: Fact, second: Fact, assumed: Resolution, *, across: bool = False) -> Derived:
        if first.period and second.period and first.period < second.period:
            first, second = second, first
        return Derived(result=compute.difference(first, second, across=across), assumed=assumed)

    def _of_two(self, operation: Operation) -> Derived:
        """A share or ratio: what one side does not say, the other says for it."""
        part, whole = self._read(operation.question), self._read(operation.other)
        part_text, whole_text = operation.question, operation.other
        if not whole.periods and part.periods:
            whole_text = f"{period_name(part.periods[0])} {whole_text}"
        elif not part.periods and whole.periods:
            part_text = f"{part_text} {period_name(whole.periods[0])}"
        one = self._resolve(part_text)
        if not one.found:
            borrowed = f"{part_text} {_without_places(whole)}"
            again = self._resolve(borrowed)
            one = again if again.found else one
        other = self._resolve(whole_text)
        if one.found and not other.found and _THE_TOTAL.fullmatch(operation.other):
            other = Sides(self._read, self._resolve, self._labels).in_its_place("total", part_text, one) or other
        if not one.found and other.found and other.facts[0].entity:
            again = self._resolve(f"{other.facts[0].entity} {part_text}")
            one = again if again.found else one
        if not one.found:
            return Derived(failed=one)
        if not other.found and one.facts[0].entity:
            again = self._resolve(f"{one.facts[0].entity} {whole_text}")
            other = again if again.found else other
        if not other.found:
            return Derived(failed=other)
        part_fact, whole_fact = _same_source(one, other)
        if part_fact.fact_id == whole_fact.fact_id:
            raise NotComparable(part_fact.metric_label)
        if part_fact.period != whole_fact.period:
            raise NotComparable(f"{part_fact.period} / {whole_fact.period}")
        work = compute.share if operation.kind == "share_of" else compute.ratio
        return Derived(result=work(part_fact, whole_fact), assumed=one)

    def _over_list(self, operation: Operation) -> Derived | None:
        question = self._read(operation.question)
        texts = [one.text for one in self._singles(question)] or [
            _with_period(question, name) for name in stretch(question.text, question.periods)
        ]
        if len(texts) < 2:
            return None
        facts: list[Fact] = []
        first: Resolution | None = None
        for text in texts:
            resolution = self._resolve(text)
            if not resolution.found:
                return Derived(failed=resolution)
            first = first or resolution
            facts.append(resolution.facts[0])
        work = compute.total if operation.kind == "sum" else compute.average
        return Derived(result=work(facts), assumed=first)

    def remainder(self, question: Question) -> Derived | None:
        """The last quarter or half of a year, where the year and what came before it are stated."""
        if len(question.periods) != 1:
            return None
        period = question.periods[0]
        year = period.period[:4]
        before = {"Q4": f"9M{year}", "H2": f"1H{year}"}.get(period.period[4:])
        if before is None:
            return None
        whole = self._resolve(_with_period(question, f"FY{year}"))
        earlier = self._resolve(_with_period(question, before))
        if not (whole.found and earlier.found):
            return None
        try:
            first, second = _same_source(whole, earlier)
            _same_subject(first, second)
            result = compute.difference(first, second)
        except NotComparable as error:
            return Derived(basis=str(error))
        if first.unit in ("%", "‰", "x") or first.period_type != "FY":
            return None
        return Derived(result=replace(result, operation="remainder", period=period.period), assumed=whole)


def period_name(period: PeriodReading) -> str:
    """A period as a question would name it."""
    return period_text(period.period_type, period.period)


def _with_period(question: Question, name: str) -> str:
    """The question with its periods replaced by one."""
    text = question.text
    if not question.periods:
        return f"{text} {name}"
    for position, period in enumerate(sorted(question.periods, key=lambda p: -p.span_start)):
        last = position == len(question.periods) - 1
        text = text[: period.span_start] + (f" {name} " if last else " ") + text[period.span_end :]
    return text


def _without_places(question: Question) -> str:
    text = question.text
    for phrase in question.phrases:
        if phrase.form[0] in "gcep":
            text = text[: phrase.start] + " " * (phrase.end - phrase.start) + text[phrase.end :]
    return text


def _a_year_apart(later: Fact, earlier: Fact) -> bool:
    years = later.period[:4], earlier.period[:4]
    return (
        later.period[4:] == earlier.period[4:] and all(map(str.isdigit, years)) and int(years[0]) - int(years[1]) == 1
    )


def _previous(period: PeriodReading, *, quarter: bool) -> PeriodReading | None:
    """The same period a year before, or the quarter, half or month right before."""
    year, rest = int(period.period[:4]), period.period[4:]
    if not quarter:
        return find_period(period_text(period.period_type, f"{year - 1}{rest}"))
    if period.period_type == "Q":
        number = int(rest[1])
        return find_period(f"Q{number - 1} {year}" if number > 1 else f"Q4 {year - 1}")
    if period.period_type == "HY":
        return find_period(f"H1 {year}" if rest == "H2" else f"H2 {year - 1}")
    if period.period_type == "M":
        month = int(rest[1:])
        return find_period(f"{year}-{month - 1:02d}" if month > 1 else f"{year - 1}-12")
    return None


def _same_source(first: Resolution, second: Resolution) -> tuple[Fact, Fact]:
    """One fact of each, from one table where both are there; else the preferred ones."""
    for one in first.facts:
        for other in second.facts:
            if one.source_doc_id == other.source_doc_id and table_of(one) == table_of(other):
                return one, other
    return first.facts[0], second.facts[0]


def _same_subject(first: Fact, second: Fact) -> None:
    for name in ("metric_code", "entity", "geography", "channel"):
        if getattr(first, name) != getattr(second, name):
            raise NotComparable(f"{getattr(first, name) or '–'} / {getattr(second, name) or '–'}")
