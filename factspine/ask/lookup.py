"""Facts by name: a metric of the store, and the organisation, place, channel and period the question says.

This is the exact way. Every word of meaning has its place, or there is no answer; what is near is offered as a
question.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from factspine.ask.interpretations import Reading, readings, unnamed
from factspine.ask.latest import latest_period
from factspine.ask.question import Question
from factspine.ask.resolution import Assumption, Resolution
from factspine.ask.terms import TermIndex, near_only, spellings
from factspine.ask.words import balances, root
from factspine.core.facts import UNKNOWN_UNIT, Fact
from factspine.core.verdicts import Agreement, compare, judge, question_of, standings_of
from factspine.lexicon.vocabulary import Vocabulary
from factspine.store.snapshot import Snapshot
from factspine.store.spans import ReadingSpan
from factspine.store.table_heads import CellFact
from factspine.store.terms import PlacedFact

PLANS = frozenset({"budget", "forecast", "estimate", "target"})
_SUGGESTED = 8
_SAY_LITTLE = frozenset({"actual", "total", "of_which", "less", "add"})


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
        if not found:
            return Resolution(
                outcome="unknown_metric", words=unnamed(question, self._index), near=self._near(question, ())
            )
        best = found[0]
        equal = [reading for reading in found if not reading.leftover] or [best]
        first: Resolution | None = None
        for reading in equal[:4]:
            result = self._of(reading, question)
            if result.found:
                return result
            first = first or result
        return first or Resolution(outcome="unknown_metric", words=unnamed(question, self._index))

    def series(self, question: Question, dimension: str) -> list[Fact] | Resolution | None:
        """One fact for each member of a dimension; None where the question names no metric, or nothing varies."""
        found = [reading for reading in readings(question, self._index) if not reading.leftover]
        for reading in found[:4]:
            facts = [
                fact
                for fact in _where(self._facts(reading.codes, reading.entities, _period_names(reading)), reading)
                if _shown(fact.cell, reading.marks) and "total" not in fact.cell.status.split()
            ]
            members = _members(facts, dimension, reading)
            if isinstance(members, str):
                return Resolution(
                    outcome="ambiguous", words=(members,), near=_numbers(_latest(facts)), label=self._label(reading)
                )
            if members:
                return [self._preferred(group) for group in members]
        return None

    def _exactly(self, reading: Reading, facts: list[Fact]) -> list[Fact]:
        """Facts that are called as the question calls them; others of the same metric only where they agree."""
        exact = [fact for fact in facts if reading.name in spellings(fact.metric_label)]
        if not exact or len(exact) == len(facts):
            return facts
        return [
            fact for fact in facts if fact in exact or all(compare(own, fact) in ("same", "rounding") for own in exact)
        ]

    def _preferred(self, group: Sequence[PlacedFact]) -> Fact:
        full = self._snapshot.facts(_numbers(group), self._spans)
        return judge(question_of(full[0]), full, standings_of(full, self._vocabulary.precedence)).facts[0]

    def _near(self, question: Question, exclude: Sequence[str]) -> tuple[int, ...]:
        """Facts of metrics whose names share words with the question."""
        forms = [
            form
            for word in question.words
            if not word.function
            for form in ((root(word.text),) if word.kind == "latin" else word.forms)
        ]
        numbers: list[int] = []
        for code in self._index.near(forms, exclude):
            facts = self._facts([code], (), [period.period for period in question.periods]) or self._facts(
                [code], (), ()
            )
            plain = [f for f in facts if _shown(f.cell, frozenset())]
            if plain:
                numbers.append(_latest(plain)[0].cell.fact_no)
        return tuple(numbers)

    def _facts(self, codes: Iterable[str], entities: Sequence[str], periods: Sequence[str]) -> list[PlacedFact]:
        found = self._snapshot.facts_of(sorted(codes), entities, periods)
        return [fact for fact in found if fact.reading_no in self._current]

    def _of(self, reading: Reading, question: Question) -> Resolution:
        label = self._label(reading)
        if reading.leftover:
            near = self._facts(reading.codes, reading.entities, [p.period for p in reading.periods])
            plain = [f for f in near if _shown(f.cell, reading.marks)]
            numbers = (*_numbers(_latest(plain)[:3]), *self._near(question, sorted(reading.codes)))
            return Resolution(outcome="unused_words", words=reading.leftover, near=numbers, label=label)
        if question.half_said and not reading.periods and not _inside(question, reading):
            return Resolution(outcome="year_missing", words=(question.half_said,), label=label)
        return self.named(reading, latest=question.latest)

    def named(self, reading: Reading, *, latest: bool = False) -> Resolution:
        """The fact of a metric, organisation, place, channel and period that are known."""
        label = self._label(reading)
        facts = self._facts(reading.codes, reading.entities, _period_names(reading))
        if not facts:
            return self._nothing(reading, label)
        narrowed = _where(facts, reading)
        if not narrowed:
            return self._not_there(reading, facts, label)
        shown = [fact for fact in narrowed if _shown(fact.cell, reading.marks)]
        if not shown:
            return Resolution(outcome="only_plan", near=_numbers(narrowed[:_SUGGESTED]), label=label)
        group = facts = _group_accounts(shown)
        if latest:
            facts = self._latest(group, balance=_is_balance(reading))
            if self._last_year is not None and not any(_year(fact.cell) >= self._last_year for fact in facts):
                words = (str(self._last_year),)
                return Resolution(outcome="no_period", words=words, near=_numbers(_latest(group)), label=label)
        chosen = self._choose(reading, facts, label)
        return chosen if len(group) == len(shown) or not chosen.found else self._beside(chosen, shown)

    def _beside(self, chosen: Resolution, shown: list[PlacedFact]) -> Resolution:
        """The group's figure with the places that tell it too; where another is told beside it, that is said."""
        first = chosen.facts[0]
        known = {fact.fact_id for fact in chosen.facts}
        others = [
            fact
            for fact in self._snapshot.facts(_numbers(shown), self._spans)
            if fact.fact_id not in known and question_of(fact)[1:] == question_of(first)[1:]
        ]
        agreeing = [fact for fact in others if compare(first, fact) in ("same", "rounding")]
        assumptions = chosen.assumptions
        if len(agreeing) < len(others):
            assumptions = (*assumptions, Assumption(kind="consolidated", text=""))
        facts = [*chosen.facts, *agreeing]
        agreement = judge(question_of(first), facts, standings_of(facts, self._vocabulary.precedence))
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
        shown = [fact for fact in _where(others, reading) if _shown(fact.cell, reading.marks)]
        if shown and reading.periods:
            words = tuple(period.period for period in reading.periods)
            return Resolution(outcome="no_period", words=words, near=_numbers(_latest(shown)), label=label)
        return self._not_there(reading, others or self._facts(reading.codes, (), ()), label)

    def _not_there(self, reading: Reading, others: list[PlacedFact], label: str) -> Resolution:
        words = (*reading.entities, *reading.geographies, *reading.channels, *(p.period for p in reading.periods))
        shown = [fact for fact in others if _shown(fact.cell, reading.marks)]
        return Resolution(outcome="no_such_combination", words=words, near=_numbers(_latest(shown)), label=label)

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
                chosen = _unsaid(kind, values, default, said=said, balance=_is_balance(reading))
                if chosen is None:
                    return Resolution(outcome="ambiguous", words=(kind,), near=_numbers(_latest(facts)), label=label)
                facts = [fact for fact in facts if value(fact.cell) == chosen]
                values = [chosen]
            if not said and values[0] and (kind != "geography" or len(values) == 1):
                assumptions.append(
                    Assumption(kind=kind, text=values[0].partition(":")[2] if kind == "period" else values[0])
                )
            elif (
                kind == "period" and said and values[0].startswith("INSTANT") and reading.periods[0].period_type == "FY"
            ):
                assumptions.append(Assumption(kind="year_end", text=values[0].partition(":")[2]))
        full = self._exactly(reading, self._snapshot.facts(_numbers(facts), self._spans))
        if (words := near_only(reading.name, (fact.metric_label for fact in full))) is not None:
            return Resolution(outcome="unused_words", words=words, near=_numbers(_latest(facts)), label=label)
        wanted = [fact for fact in full if fact.unit == self._unit]
        full = wanted or full
        if len({fact.unit for fact in full} - {UNKNOWN_UNIT}) > 1:
            return Resolution(outcome="ambiguous", words=("unit",), near=_numbers(facts[:_SUGGESTED]), label=label)
        agreement = judge(question_of(full[0]), full, standings_of(full, self._vocabulary.precedence))
        if told_apart(agreement):
            return Resolution(outcome="ambiguous", near=_numbers(facts[:_SUGGESTED]), label=label)
        return Resolution(
            outcome="found", facts=agreement.facts, agreement=agreement, assumptions=tuple(assumptions), label=label
        )


def told_apart(agreement: Agreement) -> bool:
    """Whether one table tells several of the facts: it has a reason to, and they are not one thing told twice."""
    first = agreement.facts[0]
    return any(
        verdict == "conflict" and fact.source_doc_id == first.source_doc_id and table_of(fact) == table_of(first)
        for fact, verdict in zip(agreement.facts, agreement.verdicts, strict=True)
    )


def table_of(fact: Fact) -> str:
    """The locator of the table or chart that a fact stands in."""
    return fact.source_locator.partition(",cell=")[0].partition(",series=")[0]


def _is_balance(reading: Reading) -> bool:
    return bool(reading.codes & balances())


def _year(cell: CellFact) -> int:
    end = cell.period.rpartition("/")[2][:4]
    return int(end) if end.isdigit() else 0


def _group_accounts(facts: list[PlacedFact]) -> list[PlacedFact]:
    """Of a document's figures those of its consolidated statements, where it has them: who says no more means these."""
    stated = {fact.doc_id for fact in facts if "consolidated" in fact.cell.status.split()}
    return [fact for fact in facts if fact.doc_id not in stated or "consolidated" in fact.cell.status.split()]


def _members(facts: list[PlacedFact], dimension: str, reading: Reading) -> list[list[PlacedFact]] | str:
    """Facts by the member of a dimension they are about; the name of another dimension that varies, too."""
    said = {
        "entity": reading.entities,
        "geography": reading.geographies,
        "channel": reading.channels,
        "period": reading.periods,
    }
    for name in ("channel", "geography"):
        # What is not ranged over and not said is the whole.
        if name != dimension and not said[name] and any(not getattr(fact.cell, name) for fact in facts) and dimension:
            facts = [fact for fact in facts if not getattr(fact.cell, name)]
    if dimension in ("channel", "geography", "entity"):
        facts = [fact for fact in facts if getattr(fact.cell, dimension)]
    varies = [
        name
        for name in said
        if len({(fact.cell.period_type if name == "period" else "", getattr(fact.cell, name)) for fact in facts}) > 1
    ]
    if not dimension and len(varies) == 1:
        dimension = varies[0]
    if dimension not in varies:
        return []
    # A store stands in one region: what the member itself decides does not vary.
    others = [name for name in varies if name != dimension and not (dimension == "entity" and name == "geography")]
    if others:
        return others[0]
    groups: dict[str, list[PlacedFact]] = {}
    for fact in facts:
        groups.setdefault(getattr(fact.cell, dimension), []).append(fact)
    return list(groups.values())


def _unsaid(kind: str, values: list[str], default: str, *, said: bool, balance: bool) -> str | None:
    """The value that holds where the question says none: the whole where there is one, the configured default."""
    if kind == "period":
        # A year and its last day: the year's own figure goes first, of what changes; the day's, of what there is.
        own = [value for value in values if value.startswith("INSTANT:" if balance else "FY:")]
        return own[0] if said and len(own) == 1 else None
    if said:
        return None
    if kind == "entity":
        return default if default in values else None
    return "" if "" in values else None


def _where(facts: Iterable[PlacedFact], reading: Reading) -> list[PlacedFact]:
    return [
        fact
        for fact in facts
        if (not reading.geographies or fact.cell.geography in reading.geographies)
        and (not reading.channels or fact.cell.channel in reading.channels)
    ]


def _period_names(reading: Reading) -> list[str]:
    """The periods asked for, and the last day of a year: balances are stated for it."""
    names = []
    for period in reading.periods:
        names.append(period.period)
        if period.period_type == "FY" and period.end:
            names.append(period.end)
    return names


def _shown(cell: CellFact, marks: frozenset[str]) -> bool:
    """Plans and hidden cells are answered from only where they are asked for."""
    own = set(cell.status.split())
    if "hidden" in own:
        return False
    asked = marks - _SAY_LITTLE
    if asked:
        return asked <= own
    return not own & PLANS


def _inside(question: Question, reading: Reading) -> bool:
    start = question.text.find(question.half_said)
    return reading.span[0] <= start < reading.span[1]


def _numbers(facts: Iterable[PlacedFact]) -> tuple[int, ...]:
    return tuple(fact.cell.fact_no for fact in facts)


def _latest(facts: Iterable[PlacedFact]) -> list[PlacedFact]:
    """One fact for each thing that could be meant, latest period first."""
    seen: dict[tuple[str, ...], PlacedFact] = {}
    for fact in facts:
        cell = fact.cell
        seen.setdefault((cell.metric_code, cell.entity, cell.geography, cell.channel, cell.period), fact)
    ranked = sorted(seen.values(), key=lambda fact: fact.cell.period, reverse=True)
    return sorted(ranked, key=lambda fact: (bool(fact.cell.channel), bool(fact.cell.geography)))[:_SUGGESTED]
