"""From scored cells to facts: which are meant, which words of the question they leave unused, what to say then.

A cell is given as the answer only where the question accounts for it and it accounts for the question: every word that
changes the meaning is used, nothing else fits nearly as well, and its own labels hold no such word that was not said.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from factspine.ask.accounting import other_metric, unused_words
from factspine.ask.along import accounted, in_tables_of, label_stretches, members, of_kind
from factspine.ask.candidates import TEXT, Candidate
from factspine.ask.halfsaid import years_of_part
from factspine.ask.latest import latest_period
from factspine.ask.lookup import Lookup
from factspine.ask.matching import Matcher
from factspine.ask.precedence import judged
from factspine.ask.question import Question, Word
from factspine.ask.resolution import Assumption, Outcome, Resolution
from factspine.ask.scope import Scope, ScopeTable
from factspine.ask.strangers import in_period
from factspine.ask.wholes import summed_rows, wholes_of
from factspine.core.facts import Fact
from factspine.core.verdicts import compare
from factspine.lexicon.periods import PartialPeriod
from factspine.lexicon.vocabulary import Vocabulary
from factspine.store.snapshot import Snapshot
from factspine.store.spans import ReadingSpan
from factspine.store.table_heads import CellFact

_PLANS = frozenset({"budget", "forecast", "estimate", "target"})
_WHOLE = frozenset({"total", "overall", "whole"})  # a label need not say that it is about all of it
_TABLES_READ = 60  # for what all of them tell
_TELLING = 0.5  # a word that weighs more tells cells apart


class Limits(NamedTuple):
    """How sure a match must be; found by measuring."""

    coverage: float = 0.42
    margin: float = 0.05
    crossing: float = 0.1  # as near as that, and with words of the question that the best has not
    plainer: float = 0.2  # as near as that, and without the words of meaning that the best has and nobody said
    few_tables: int = 3  # beyond that, every word must be accounted for and the row's own label be said
    row_said: float = 0.7
    far_apart: float = 0.25  # nothing else comes near: less of the question need be covered
    far_coverage: float = 0.3
    sure_coverage: float = 0.93
    sure_margin: float = 0.01


LIMITS = Limits()


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """What the cells of a scope came to, with the cells themselves."""

    resolution: Resolution
    best: Candidate | None = None
    close: tuple[Candidate, ...] = ()


class CellResolver:
    """Resolves questions by the labels of cells, within one scope and one state of the store."""

    def __init__(
        self,
        snapshot: Snapshot,
        readings: Sequence[ReadingSpan],
        scope: Scope,
        vocabulary: Vocabulary,
        limits: Limits = LIMITS,
    ) -> None:
        self._snapshot = snapshot
        self._readings = readings
        self._scope = scope
        self._vocabulary = vocabulary
        self._limits = limits

    def load(self, table: ScopeTable) -> None:
        """Read the facts of a table, once."""
        if not table.loaded:
            table.cells = {(cell.row, cell.col): cell for cell in self._snapshot.cells(table.heads)}
            table.wholes = wholes_of(table.cells.values())
            table.sums = summed_rows(table.cells.values())
            for place in self._snapshot.texts(table.heads):
                table.cells.setdefault(place, _text_cell(*place))
            table.loaded = True

    def settle(self, question: Question, lookup: Lookup) -> Resolution:
        """By labels or by names: in a table or two the labels tell best; among many tables an exact name goes first."""
        many = len(self._scope.tables) > self._limits.few_tables
        by_name = lookup.resolve(question) if many else None
        if by_name is not None and by_name.found:
            return by_name
        by_cell = self.resolve(question).resolution
        if by_cell.found:
            return by_cell
        by_name = by_name or lookup.resolve(question)
        return by_name if by_name.found else by_cell

    def resolve(self, question: Question) -> Judged:
        """The fact a question is about, or why there is none."""
        matcher = Matcher(question, self._scope)
        ranked = matcher.candidates(self.load)
        if not ranked:
            return Judged(resolution=Resolution(outcome="unknown_metric", words=_content(question.words)))
        allowed = _of_kind([c for c in ranked if _allowed(c.fact, question)], question)
        if not allowed or (allowed[0] is not ranked[0] and ranked[0].score - allowed[0].score > self._limits.margin):
            return _not("only_plan", ranked[0], ranked, ())
        if plan := _plan_meant(ranked, allowed[0], self._limits.margin):
            return _not("only_plan", plan, [plan, *(c for c in ranked if c is not plan)], ())
        return self._decide(question, matcher, allowed)

    def along(self, question: Question, kind: str = "") -> list[Fact] | None:
        """One fact for each line of the row or column that a question names; None where it names none, or several.

        `kind` is what the question calls the lines: where tables say which of them are such, only those count.
        """
        matcher = Matcher(question, self._scope)
        every = [c for c in matcher.candidates(self.load) if _allowed(c.fact, question) and self._fits(question, c)]
        ranked = _of_kind(every, question)

        def is_no_member(candidate: Candidate) -> bool:
            # What is left of the question names what is ranked: any word of it counts.
            passed = _passed_over(question, candidate, matcher)
            telling = [word for word in passed if word.lower() not in _WHOLE]
            return bool(telling or self._unused(question, candidate))

        found = members(matcher, self._scope, in_tables_of(kind, ranked), is_no_member)
        found = None if found is None else of_kind(kind, found, self._scope)
        return None if found is None else self._snapshot.facts([c.fact.fact_no for c in found], self._readings)

    def years_of(self, part: PartialPeriod) -> set[str]:
        """The years of which the tables tell this quarter, half or month."""
        tables = self._scope.tables[:_TABLES_READ]
        for table in tables:
            self.load(table)
        periods = {(cell.period_type, cell.period) for table in tables for cell in table.cells.values()}
        return years_of_part(part, periods) if len(tables) == len(self._scope.tables) else set()

    def _fits(self, question: Question, candidate: Candidate) -> bool:
        return not question.periods or candidate.period_fit >= 0.5

    def stretches(self, question: Question) -> list[tuple[int, int]]:
        """The parts of a question that are labels, where there are few tables."""
        few = len(self._scope.tables) <= self._limits.few_tables
        return label_stretches(question, self._scope.tables, self._scope) if few else []

    def _decide(self, question: Question, matcher: Matcher, ranked: list[Candidate]) -> Judged:
        best = self._accounting(question, _plainest(ranked, matcher, self._limits.plainer), ranked)
        if best.part_of:
            ranked = [best, *(c for c in ranked if c is not best and not _says_less(c, best, question, matcher))]
        if best.fact.period_type == TEXT:
            return _not("text_cell", best, [c for c in ranked if c.fact.period_type != TEXT], ())
        close = [c for c in ranked if abs(best.score - c.score) < self._limits.margin]
        if question.latest:
            close = _latest(close, self._scope.last_year)
            best = close[0]
            if self._is_outdated(best):
                return _not("no_period", best, ranked, (str(self._scope.last_year),))
        many = len(self._scope.tables) > self._limits.few_tables
        unused = self._unused(question, best)
        if question.periods and best.period_fit < 0.5:
            return _not("no_period", best, close, tuple(period.period for period in question.periods))
        if unused:
            return _not("unused_words", best, ranked, unused)
        if question.half_said and best.fact.period:
            return _not("year_missing", best, close, (question.half_said,))
        if question.periods and not _names_something(question, best):
            return _not("unsure", best, ranked, ())
        close = self._as_likely(question, best, close)
        if len(_groups(close)) > 1 and not self._told_alike(close):
            return _not("ambiguous", best, close, ())
        if rival := _rival(question, best, ranked, matcher, self._limits.crossing):
            return _not("ambiguous", best, [*close, rival], ())
        passed_over = _passed_over(question, best, matcher)
        if many:
            # Among many tables a word that the cell does not have is what would have led to another.
            if telling := tuple(word for word in passed_over if word.lower() not in _WHOLE):
                return _not("unused_words", best, ranked, telling)
            if best.row_cover < self._limits.row_said:
                return _not("unsure", best, ranked, ())
        apart = best.score - next((c.score for c in ranked if c not in close), 0.0)
        enough = self._limits.coverage if apart < self._limits.far_apart else self._limits.far_coverage
        if best.coverage < enough:
            return _not("unsure", best, close, passed_over)
        facts = self._snapshot.facts([c.fact.fact_no for c in close], self._readings)
        agreement = judged(facts, self._snapshot, self._readings, self._vocabulary)
        resolution = Resolution(
            outcome="found",
            facts=agreement.facts,
            agreement=agreement,
            label=facts[0].metric_label,
            assumptions=self._assumptions(best, passed_over),
        )
        return Judged(resolution=resolution, best=best, close=tuple(close))

    def _as_likely(self, question: Question, best: Candidate, close: list[Candidate]) -> list[Candidate]:
        """Of the cells that score alike, those that may be meant as well as the best."""
        if len(_groups(close)) > 1:  # what would be refused itself for the words it leaves is not meant
            said = accounted(best)
            close = [c for c in close if c is best or not (accounted(c) <= said and self._unused(question, c))]
        if len(_groups(close)) > 1 and best.coverage >= self._limits.sure_coverage:
            close = [c for c in close if best.score - c.score < self._limits.sure_margin]
        return close

    def _accounting(self, question: Question, best: Candidate, ranked: Sequence[Candidate]) -> Candidate:
        """The best cell; where it leaves words of meaning over, one that is as good and leaves none."""
        if best.fact.period_type == TEXT or not self._unused(question, best):
            return best
        near = (c for c in ranked if abs(best.score - c.score) < self._limits.margin and c.fact.period_type != TEXT)
        more = (c for c in near if accounted(c) >= accounted(best))
        return next((c for c in more if not self._unused(question, c)), best)

    def _assumptions(self, best: Candidate, passed_over: tuple[str, ...]) -> tuple[Assumption, ...]:
        found = [Assumption(kind="words", text=" ".join(passed_over))] if passed_over else []
        if best.part_of:
            rows = best.table.wholes[best.fact.row, best.fact.col]
            cells = (best.table.cells[row, best.fact.col] for row in rows)
            names = (cell.metric_label for cell in cells if f"m:{cell.metric_code}" in best.part_of)
            found.append(Assumption(kind="part", text=next(names)))
        return tuple(found)

    def _unused(self, question: Question, candidate: Candidate) -> tuple[str, ...]:
        labels = [self._scope.labels[number] for number in candidate.labels]
        strictly = len(self._scope.tables) > self._limits.few_tables
        return other_metric(question, candidate, self._vocabulary) or unused_words(
            question, candidate, labels, strictly=strictly
        )

    def _is_outdated(self, candidate: Candidate) -> bool:
        year = candidate.fact.period[:4]
        return bool(self._scope.last_year) and year.isdigit() and int(year) < (self._scope.last_year or 0)

    def _told_alike(self, close: Sequence[Candidate]) -> bool:
        """Whether cells of other names, in tables of their own, tell one number of one period."""
        tables = {id(c.table) for c in close}
        if len(tables) < len(close) or len({(c.fact.period_type, c.fact.period) for c in close}) > 1:
            return False
        facts = self._snapshot.facts([c.fact.fact_no for c in close], self._readings)
        return bool(facts[0].period and facts[0].value) and all(compare(facts[0], fact) == "same" for fact in facts[1:])


def _latest(close: list[Candidate], last_year: int | None) -> list[Candidate]:
    """Of cells that fit equally well those of the latest period."""
    chosen = latest_period(((c.fact.period_type, c.fact.period) for c in close), last_year)
    return [c for c in close if chosen is None or (c.fact.period_type, c.fact.period) == chosen]


def _names_something(question: Question, best: Candidate) -> bool:
    """Whether a label is named by more than its period: otherwise every cell of that year fits as well."""
    return any(
        not question.words[number].function and not in_period(question, question.words[number])
        for number in best.by_labels
    )


def _says_less(other: Candidate, best: Candidate, question: Question, matcher: Matcher) -> bool:
    """Whether a cell accounts for less than another and for nothing else: sales, and sales of shoes."""
    telling = {n for n, word in enumerate(question.words) if matcher.word_weights[n] > _TELLING and not word.function}
    return other.by_labels & telling < best.by_labels & telling


def _plainest(ranked: list[Candidate], matcher: Matcher, near: float) -> Candidate:
    """The best cell; where its labels say what nobody asked for (underlying), one that is as good and does not."""
    best = ranked[0]
    if best.fact.period_type == TEXT or not matcher.critical_unsaid(best.labels):
        return best
    for other in ranked[1:]:
        if best.score - other.score >= near:
            break
        same_row = other.table is best.table and other.fact.row == best.fact.row and other.by_labels >= best.by_labels
        if same_row and other.fact.period_type != TEXT and not matcher.critical_unsaid(other.labels):
            return other
    return best


def _rival(
    question: Question, best: Candidate, ranked: list[Candidate], matcher: Matcher, near: float
) -> Candidate | None:
    """A cell nearly as good whose labels say a word of the question that the best one's do not."""
    for other in ranked[1:]:
        if best.score - other.score >= near:
            break
        if any(
            matcher.word_weights[number] > _TELLING and not question.words[number].function
            for number in other.by_labels - best.by_labels
        ):
            return other
    return None


def _not(outcome: Outcome, best: Candidate, close: Sequence[Candidate], words: tuple[str, ...]) -> Judged:
    near = tuple(dict.fromkeys(c.fact.fact_no for c in close[:8]))
    resolution = Resolution(outcome=outcome, words=words, near=near, label=best.fact.metric_label)
    return Judged(resolution=resolution, best=best, close=tuple(close[:8]))


def _text_cell(row: int, col: int) -> CellFact:
    """A cell of words, which competes with the numbers beside it and is never given as one."""
    return CellFact(0, row, col, "", "", "", "", "", TEXT, "", "", "", "")


def _allowed(cell: CellFact, question: Question) -> bool:
    """Plans, forecasts and hidden cells are answered from only where the question asks for them."""
    marks = set(cell.status.split())
    if "hidden" in marks:
        return False
    plans = marks & _PLANS
    return not plans or bool(plans & question.marks)


def _of_kind(ranked: list[Candidate], question: Question) -> list[Candidate]:
    """Where a plan is asked for, of a table that has that plan only its cells: its file may be called so, too."""
    asked = question.marks & _PLANS
    with_plan = {id(c.table) for c in ranked if asked and asked & set(c.fact.status.split())}
    return [c for c in ranked if id(c.table) not in with_plan or asked & set(c.fact.status.split())]


def _plan_meant(ranked: list[Candidate], best: Candidate, near: float) -> Candidate | None:
    """A plan that fits as well as the best cell, and is not of the same: no outcome, then, but another figure."""
    for other in ranked:
        if best.score - other.score >= near:
            break
        plan = set(other.fact.status.split()) & _PLANS
        if plan and other.table is best.table and other.fact.metric_code != best.fact.metric_code:
            return other
    return None


def _groups(close: Iterable[Candidate]) -> set[tuple[str, ...]]:
    """What the cells that fit equally well are about; cells that say no period are each their own."""
    found: set[tuple[str, ...]] = set()
    for candidate in close:
        cell = candidate.fact
        place = "" if cell.period else f"{cell.fact_no}"
        found.add((cell.metric_code, cell.entity, cell.geography, cell.channel, cell.period_type, cell.period, place))
    return found


def _content(words: Iterable[Word]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(word.text for word in words if not word.function))


def _passed_over(question: Question, best: Candidate, matcher: Matcher) -> tuple[str, ...]:
    return tuple(
        dict.fromkeys(
            word.text
            for number, word in enumerate(question.words)
            if matcher.word_weights[number] > 0 and best.strengths.get(number, 0.0) < 0.3 and not word.function
        )
    )
