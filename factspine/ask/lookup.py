"""Facts by name: a metric of the store, and the organisation, place, channel and period the question says.

This is the exact way. Every word of meaning has its place, or there is no answer; what is near is offered as a
question.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from factspine.ask.apart import readings_apart
from factspine.ask.choosing import (
    SUGGESTED,
    group_accounts,
    is_balance,
    is_shown,
    is_whole_of_named,
    members_absent,
    members_of,
    most_told,
    numbers_of,
    of_place,
    offered,
    period_names,
    says_half,
    told_apart,
    value_unsaid,
    year_of,
    years_of,
)
from factspine.ask.interpretations import Reading, readings, unnamed
from factspine.ask.latest import latest_period
from factspine.ask.precedence import judged
from factspine.ask.question import Question
from factspine.ask.resolution import Assumption, Outcome, Resolution
from factspine.ask.terms import TermIndex, near_only, spellings
from factspine.ask.words import root
from factspine.core.facts import UNKNOWN_UNIT, Fact
from factspine.core.verdicts import Agreement, compare, question_of
from factspine.lexicon.vocabulary import Vocabulary
from factspine.store.snapshot import Snapshot
from factspine.store.spans import ReadingSpan
from factspine.store.table_heads import CellFact
from factspine.store.terms import PlacedFact

# A name that stands in pieces tells more than these.
_SAYS_LITTLE = frozenset({"unused_words", "no_such_combination", "unknown_metric"})


class Lookup:
    """Answers questions from the names of one state of the store."""

    def __init__(
        self,
        snapshot: Snapshot,
        spans: Sequence[ReadingSpan],
        index: TermIndex,
        vocabulary: Vocabulary,
        unit: str = "",
        last_year: int | None = None,
    ) -> None:
        self._snapshot = snapshot
        self._spans = spans
        self._current = frozenset(span.reading_no for span in spans)
        self._index = index
        self._vocabulary = vocabulary
        self._unit = unit  # that the question wants its number in; "" where it does not say
        self._last_year = last_year  # that the documents asked of report on

    def resolve(self, question: Question) -> Resolution:
        """The fact a question names, or why there is none."""
        found = readings(question, self._index)
        if not found and (apart := readings_apart(question, self._index)):
            return self._of(apart[0], question)
        if not found:
            words = unnamed(question, self._index)
            outcome: Outcome = "unknown_metric" if words else "not_a_question"
            return Resolution(outcome=outcome, words=words, near=self._near(question, ()))
        best = found[0]
        equal = [reading for reading in found if not reading.leftover] or [best]
        first: Resolution | None = None
        for reading in equal[:4]:
            result = self._of(reading, question)
            if result.found:
                return result
            first = first or result
        for reading in readings_apart(question, self._index)[:4]:
            result = self._of(reading, question)
            if result.found or first is None or first.outcome in _SAYS_LITTLE:
                return result
        return first or Resolution(outcome="unknown_metric", words=unnamed(question, self._index))

    def series(self, question: Question, dimension: str, lengths: Sequence[str] = ()) -> list[Fact] | Resolution | None:
        """One fact for each member of a dimension; None where the question names no metric, or nothing varies.

        `lengths` are the types of periods that count; none: all of them.
        """
        found = [reading for reading in readings(question, self._index) if not reading.leftover]
        for reading in found[:4]:
            years = years_of(reading) if lengths and "FY" not in lengths else ()
            periods = () if years else period_names(reading)
            facts = [
                fact
                for fact in of_place(self._facts(reading.codes, reading.entities, periods), reading)
                if is_shown(fact.cell, reading.marks)
                and (dimension == "period" or "total" not in fact.cell.status.split())
                and (not lengths or fact.cell.period_type in lengths)
                and (not years or fact.cell.period[:4] in years)
            ]
            members = members_of(facts, dimension, reading)
            if isinstance(members, str):
                return Resolution(
                    outcome="ambiguous", words=(members,), near=numbers_of(offered(facts)), label=self._label(reading)
                )
            if members:
                ordered = members if dimension != "period" else sorted(members, key=lambda group: group[0].cell.period)
                return [self._preferred(group) for group in ordered]
        return None

    def _exactly(self, reading: Reading, facts: list[Fact]) -> list[Fact]:
        """Facts that are called as the question calls them; others of the same metric where they agree.

        Another document that gives the metric another name speaks of it all the same: what it says is not left out
        because a chance wording is nearer to the question.
        """
        exact = [fact for fact in facts if reading.name in spellings(fact.metric_label)]
        if not exact or len(exact) == len(facts):
            return facts
        documents = {fact.source_doc_id for fact in exact}
        return [
            fact
            for fact in facts
            if fact in exact
            or fact.source_doc_id not in documents
            or all(compare(own, fact) in ("same", "rounding") for own in exact)
        ]

    def _preferred(self, group: Sequence[PlacedFact]) -> Fact:
        full = self._snapshot.facts(numbers_of(group), self._spans)
        return self._judged(full).facts[0]

    def _judged(self, facts: Sequence[Fact]) -> Agreement:
        return judged(facts, self._snapshot, self._spans, self._vocabulary)

    def _near(self, question: Question, exclude: Sequence[str]) -> tuple[int, ...]:
        """Facts of metrics whose names share words with the question."""
        content = [word for word in question.words if not word.function]
        telling = [word for word in content if not word.critical and word.kind != "number"]
        forms = [
            form for word in telling or content for form in ((root(word.text),) if word.kind == "latin" else word.forms)
        ]
        numbers: list[int] = []
        for code in self._index.near(forms, exclude):
            facts = self._facts([code], (), [period.period for period in question.periods]) or self._facts(
                [code], (), ()
            )
            plain = [f for f in facts if is_shown(f.cell, frozenset())]
            if plain:
                numbers.append(offered(plain)[0].cell.fact_no)
        return tuple(numbers)

    def _facts(self, codes: Iterable[str], entities: Sequence[str], periods: Sequence[str]) -> list[PlacedFact]:
        found = self._snapshot.facts_of(sorted(codes), entities, periods)
        return [fact for fact in found if fact.reading_no in self._current]

    def _of(self, reading: Reading, question: Question) -> Resolution:
        label = self._label(reading)
        if reading.leftover:
            near = self._facts(reading.codes, reading.entities, [p.period for p in reading.periods])
            plain = [f for f in near if is_shown(f.cell, reading.marks)]
            numbers = (*numbers_of(offered(plain)[:3]), *self._near(question, sorted(reading.codes)))
            return Resolution(outcome="unused_words", words=reading.leftover, near=numbers, label=label)
        if question.half_said and not reading.periods and not says_half(question, reading):
            return Resolution(outcome="year_missing", words=(question.half_said,), label=label)
        return self.named(reading, latest=question.latest)

    def named(self, reading: Reading, *, latest: bool = False) -> Resolution:
        """The fact of a metric, organisation, place, channel and period that are known."""
        label = self._label(reading)
        facts = self._facts(reading.codes, reading.entities, period_names(reading))
        if not facts:
            return self._nothing(reading, label)
        narrowed = of_place(facts, reading)
        if not narrowed:
            return self._not_there(reading, facts, label)
        shown = [fact for fact in narrowed if is_shown(fact.cell, reading.marks)]
        if not shown:
            plain = [fact for fact in narrowed if is_shown(fact.cell, frozenset())]
            if plain and reading.kinds:
                # A kind of figure was asked for that is not there: the parent's, a first report, a budget.
                near = numbers_of(offered(plain))
                return Resolution(outcome="unused_words", words=reading.kinds, near=near, label=label)
            return Resolution(outcome="only_plan", near=numbers_of(narrowed[:SUGGESTED]), label=label)
        if absent := members_absent(reading, shown):
            # Of two periods or places asked for, one is not an answer.
            return Resolution(outcome="no_period", words=absent, near=numbers_of(offered(shown)), label=label)
        group = facts = group_accounts(shown)
        if latest:
            facts = self._latest(group, balance=is_balance(reading))
            if self._last_year is not None and not any(year_of(fact.cell) >= self._last_year for fact in facts):
                words = (str(self._last_year),)
                return Resolution(outcome="no_period", words=words, near=numbers_of(offered(group)), label=label)
        chosen = self._choose(reading, facts, label)
        return chosen if len(group) == len(shown) or not chosen.found else self._beside(chosen, shown)

    def _beside(self, chosen: Resolution, shown: list[PlacedFact]) -> Resolution:
        """The group's figure with the places that tell it too; where another is told beside it, that is said."""
        first = chosen.facts[0]
        known = {fact.fact_id for fact in chosen.facts}
        others = [
            fact
            for fact in self._snapshot.facts(numbers_of(shown), self._spans)
            if fact.fact_id not in known and question_of(fact) == question_of(first)
        ]
        agreeing = [fact for fact in others if compare(first, fact) in ("same", "rounding")]
        assumptions = chosen.assumptions
        if len(agreeing) < len(others):
            assumptions = (*assumptions, Assumption(kind="consolidated", text=""))
        facts = [*chosen.facts, *agreeing]
        agreement = self._judged(facts)
        return replace(chosen, facts=agreement.facts, agreement=agreement, assumptions=assumptions)

    def _latest(self, facts: list[PlacedFact], *, balance: bool) -> list[PlacedFact]:
        periods = ((fact.cell.period_type, fact.cell.period) for fact in facts)
        chosen = latest_period(periods, self._last_year, balance=balance)
        return [fact for fact in facts if chosen is None or (fact.cell.period_type, fact.cell.period) == chosen]

    def _label(self, reading: Reading) -> str:
        return self._index.label_of.get(min(reading.codes), "") if reading.codes else ""

    def _nothing(self, reading: Reading, label: str) -> Resolution:
        """There is such a metric, but not so: what there is instead."""
        others = self._facts(reading.codes, reading.entities, ())
        shown = [fact for fact in of_place(others, reading) if is_shown(fact.cell, reading.marks)]
        if shown and reading.periods:
            words = tuple(period.period for period in reading.periods)
            return Resolution(outcome="no_period", words=words, near=numbers_of(offered(shown)), label=label)
        return self._not_there(reading, others or self._facts(reading.codes, (), ()), label)

    def _not_there(self, reading: Reading, others: list[PlacedFact], label: str) -> Resolution:
        words = (*reading.entities, *reading.geographies, *reading.channels, *(p.period for p in reading.periods))
        shown = [fact for fact in others if is_shown(fact.cell, reading.marks)]
        return Resolution(outcome="no_such_combination", words=words, near=numbers_of(offered(shown)), label=label)

    def _choose(self, reading: Reading, facts: list[PlacedFact], label: str) -> Resolution:
        """One thing out of the facts that fit; what was not said must follow, or be asked back."""
        assumptions: list[Assumption] = []
        default = self._vocabulary.defaults.get("entity", "")
        steps: tuple[tuple[str, bool, Callable[[CellFact], str]], ...] = (
            ("entity", bool(reading.entities), lambda cell: cell.entity),
            ("geography", bool(reading.geographies), lambda cell: cell.geography),
            ("channel", bool(reading.channels), lambda cell: cell.channel),
            ("period", bool(reading.periods), lambda cell: f"{cell.period_type}:{cell.period}"),
        )
        for kind, said, value in steps:
            values = sorted({value(fact.cell) for fact in facts})
            if len(values) > 1:
                chosen = value_unsaid(kind, values, default, said=said, balance=is_balance(reading))
                if kind == "entity" and chosen == "" and not is_whole_of_named(facts):
                    chosen = None
                if chosen is None:
                    return Resolution(
                        outcome="ambiguous", words=(kind,), near=numbers_of(offered(facts, kind)), label=label
                    )
                facts = [fact for fact in facts if value(fact.cell) == chosen]
                values = [chosen]
            taken = values[0].partition(":")[2] if kind == "period" else values[0]
            if not said and taken and (kind != "geography" or len(values) == 1):
                assumptions.append(Assumption(kind=kind, text=taken))
            elif (
                kind == "period" and said and values[0].startswith("INSTANT") and reading.periods[0].period_type == "FY"
            ):
                assumptions.append(Assumption(kind="year_end", text=values[0].partition(":")[2]))
        full = self._exactly(reading, self._snapshot.facts(numbers_of(facts), self._spans))
        if (words := near_only(reading.name, (fact.metric_label for fact in full))) is not None:
            return Resolution(outcome="unused_words", words=words, near=numbers_of(offered(facts)), label=label)
        wanted = [fact for fact in full if fact.unit == self._unit]
        full = wanted or full
        if len({fact.unit for fact in full} - {UNKNOWN_UNIT}) > 1:
            return Resolution(outcome="ambiguous", words=("unit",), near=numbers_of(facts[:SUGGESTED]), label=label)
        agreement = self._judged(full)
        if told_apart(agreement):
            return Resolution(outcome="ambiguous", near=numbers_of(facts[:SUGGESTED]), label=label)
        if agreement.verdict == "conflict" and len({fact.source_doc_id for fact in full}) == 1:
            # One document does not contradict itself: its tables speak of different things by one name.
            most = most_told(full)
            if most is None:
                return Resolution(outcome="ambiguous", near=numbers_of(facts[:SUGGESTED]), label=label)
            agreement = self._judged(most)
            assumptions.append(Assumption(kind="most_told", text=""))
        return Resolution(
            outcome="found", facts=agreement.facts, agreement=agreement, assumptions=tuple(assumptions), label=label
        )
