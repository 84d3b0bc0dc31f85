"""Which cell a question is about: every cell of a scope scored by the words it shares with the question.

Both sides count: how much of the question a cell's labels cover, weighted by how rare each word is among the labels,
and how much of the labels the question says. A cell is worth what its row, its column, its table and its fact say
together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import pairwise

from factspine.ask.candidates import (
    WEIGHTS,
    Candidate,
    LineMatch,
    Weights,
    characters_said,
    fact_forms,
    unit_mismatch,
)
from factspine.ask.features import SMALL_WORDS, Features
from factspine.ask.question import Question, critical_forms
from factspine.ask.relative import names_of
from factspine.ask.scope import AxisRarity, Line, Scope, ScopeTable
from factspine.ask.wordmatch import WordMatches
from factspine.ask.words import wider_forms
from factspine.store.table_heads import CellFact, HeadLine

_LINES_TRIED = 40
_TELLS_LITTLE = 0.3
_NAMED = 0.7  # a row is named by the question when this much of its own label is said
_SAID = _TELLING = 0.5  # as much of a word is found; a word that weighs more tells cells apart


_UNHEADED = LineMatch(Line(HeadLine("c", 0, 0, 0, ()), ()), {}, 0.0, 0.0, 0.0)


class Matcher:
    """Matches one question within one scope."""

    def __init__(self, question: Question, scope: Scope, weights: Weights = WEIGHTS) -> None:
        self._question = question
        self._scope = scope
        self._weights = weights
        wider = wider_forms()
        self._wider = frozenset(form for word in question.words for form in wider.get(word.forms[0], ()))
        content = [word.forms[0] for word in question.words if word.kind != "han" and word.text not in SMALL_WORDS]
        self._neighbours = frozenset(pairwise(content))
        self._whole_places: frozenset[str] = frozenset()
        self._critical_of: dict[int, int] = {}
        times = Counter(word.forms for word in question.words)
        self._said_once = [times[word.forms] == 1 for word in question.words]
        found = WordMatches(question, scope)
        self._covered, self._extra, self._inside = found.covered, found.extra, found.inside
        self._places = found.places
        self._halved = frozenset(number for _, number in found.places)
        self._word_weights = self._weigh()

    @property
    def word_weights(self) -> list[float]:
        return self._word_weights

    def _weigh(self) -> list[float]:
        """How much each word of the question tells, by how many lines it is found on."""
        counts = [0.0] * len(self._question.words)
        for table in self._scope.tables:
            for line in (*table.rows, *table.cols):
                for word, strength in self._line_words(line).items():
                    counts[word] += strength
        weights = []
        for number, asked in enumerate(self._question.words):
            if counts[number]:
                weight = max(self._scope.rarity(counts[number]), 0.15)
                if asked.function:
                    weight *= self._weights.small_word if asked.text in SMALL_WORDS else 0.3
            elif asked.function or asked.unit:
                weight = 0.0
            elif all(form in self._scope.context_forms for form in asked.forms):
                weight = 0.3
            else:
                weight = self._weights.unknown_word * self._scope.rarity(0.5)
            weights.append(weight * self._weights.critical if asked.critical else weight)
        return weights

    def _line_words(self, line: Line) -> dict[int, float]:
        if len(line.labels) == 1:
            return self._covered.get(line.labels[0], {})
        words: dict[int, float] = {}
        for label in line.labels:
            for word, strength in self._covered.get(label, {}).items():
                if words.get(word, 0.0) < strength:
                    words[word] = strength
        return words

    def _line_match(self, line: Line, rarity: AxisRarity) -> LineMatch:
        words = self._line_words(line)
        said = total = whole = 0.0
        depth = 1.0
        for number in reversed(line.labels):
            label_said, label_total = self._label_said(number, rarity)
            said += depth * label_said
            total += depth * label_total
            if depth == 1.0:
                whole = max(whole, self._whole(self._scope.labels[number]))
            if label_total > _TELLS_LITTLE:
                depth *= self._weights.outer  # labels that tell lines apart count less the further out they stand
        strength = sum(self._word_weights[word] * value for word, value in words.items())
        cover = max(said / total if total else 0.0, self._weights.whole_floor * whole)
        return LineMatch(line, words, cover, strength, self._order(line))

    def _named(self, match: LineMatch, rarity: AxisRarity) -> LineMatch:
        """A row whose first label is its name: who says that need not say who runs it."""
        if len(match.line.labels) < 2:
            return match
        said, total = self._label_said(match.line.labels[0], rarity)
        return match._replace(cover=max(match.cover, said / total)) if total else match

    def _whole(self, features: Features) -> float:
        """How much a label says `all of them`."""
        return max(features.total, 0.8 if features.forms & self._whole_places else 0.0)

    def _label_said(self, number: int, rarity: AxisRarity) -> tuple[float, float]:
        """How much of a label's weight the question says, and how much there is."""
        features, forms = self._scope.labels[number], self._question.forms
        words, runs = rarity.weights(number, features)
        said = total = 0.0
        for word, weight in words:
            total += weight
            if word in forms or word in self._extra:
                said += weight
            elif word in self._wider:
                said += 0.8 * weight
        for run, weights in runs:
            total += sum(weights)
            said += sum(weights[at] for at in characters_said(run, forms))
        if said < total:
            shared = features.forms & forms
            if any(form[1:2] == ":" and form[0] in "mgcep" for form in shared):
                said = max(said, 0.8 * total)  # what the lexicon understands in both is said, in other words
            # Whoever names no part means the whole: an unsaid `total` weighs little.
            total = said + (total - said) * (1.0 - self._weights.total_unsaid * self._whole(features))
        return said, total

    def _order(self, line: Line) -> float:
        """How much of the line's longest label the question says in the same order."""
        best = 0.0
        for number in line.labels:
            words = self._scope.labels[number].words
            if len(words) > 1:
                together = sum(pair in self._neighbours for pair in pairwise(words))
                best = max(best, together / (len(words) - 1))
        return best

    def candidates(self, load: Callable[[ScopeTable], None]) -> list[Candidate]:
        """Cells of the scope that share anything with the question, best first."""
        found: list[Candidate] = []
        for table in self._scope.tables:
            self._whole_places = table.whole_places
            rows = self._best_lines(table.rows, table.row_rarity, named_first=table.named_first)
            cols = self._best_lines(table.cols, table.col_rarity)
            if not rows and not cols:
                continue
            load(table)
            found.extend(self._cells(table, rows, cols))
        found.sort(key=lambda c: (-c.score, c.table.heads.doc_id, c.fact.fact_no))
        return found

    def _best_lines(self, lines: list[Line], rarity: AxisRarity, *, named_first: bool = False) -> list[LineMatch]:
        if len(lines) > _LINES_TRIED:
            touched = [line for line in lines if any(label in self._covered for label in line.labels)]
            lines = touched or lines[:_LINES_TRIED]
        matches = [self._line_match(line, rarity) for line in lines]
        if named_first:
            matches = [self._named(match, rarity) for match in matches]
        if len(matches) <= _LINES_TRIED:
            return matches
        matches.sort(key=lambda m: -(m.strength + m.cover))
        return matches[:_LINES_TRIED]

    def _cells(self, table: ScopeTable, rows: list[LineMatch], cols: list[LineMatch]) -> list[Candidate]:
        found = []
        context = self._context_words(table)
        headed = {line.head.position for line in table.cols}
        for row in rows:
            for col in cols:
                fact = table.cells.get((row.line.head.position, col.line.head.position))
                if fact is None:
                    continue
                if not row.line.head.cross_first <= fact.col <= row.line.head.cross_last:
                    continue
                if not col.line.head.cross_first <= fact.row <= col.line.head.cross_last:
                    continue
                found.append(self._score(table, fact, row, col, context))
            if row.line.head.cross_first == row.line.head.cross_last:
                # In a form the words beside a number are all that names it.
                fact = table.cells.get((row.line.head.position, row.line.head.cross_first))
                if fact is not None and fact.col not in headed:
                    found.append(self._score(table, fact, row, _UNHEADED._replace(cover=row.cover), context))
        return found

    def _context_words(self, table: ScopeTable) -> set[int]:
        forms = table.context.forms
        found = {n for n, word in enumerate(self._question.words) if all(form in forms for form in word.forms)}
        for phrase in self._question.phrases:
            if phrase.form in forms:
                found.update(self._inside(phrase.start, phrase.end))
        return found

    def _strengths(self, row: LineMatch, col: LineMatch) -> dict[int, float]:
        """How well the labels of a row and a column say each word of the question."""
        strengths = dict(row.words)
        for word, value in col.words.items():
            if strengths.get(word, 0.0) < value:
                strengths[word] = value
        for word in self._halved:
            places = {
                at for label in (*row.line.labels, *col.line.labels) for at in self._places.get((label, word), ())
            }
            strengths[word] = max(strengths.get(word, 0.0), len(places) / len(self._question.words[word].text))
        return strengths

    def _score(self, table: ScopeTable, fact: CellFact, row: LineMatch, col: LineMatch, context: set[int]) -> Candidate:
        w = self._weights
        strengths = self._strengths(row, col)
        period_fit = self._period_fit(table, fact, strengths, context)
        by_labels = {word for word, value in strengths.items() if value >= 0.5}
        for word in context:
            if strengths.get(word, 0.0) < w.context:
                strengths[word] = w.context
        part_of = self._claim_wholes(table, fact, row, strengths, by_labels)
        said = self._said(table, fact) | part_of
        for phrase in self._question.phrases:
            if phrase.form in said:
                for word in self._inside(phrase.start, phrase.end):
                    strengths[word] = 1.0
                    by_labels.add(word)
        total = sum(self._word_weights) or 1.0
        coverage = sum(self._word_weights[word] * value for word, value in strengths.items()) / total
        score = coverage + w.row_cover * row.cover + w.col_cover * col.cover + w.order * (row.order + col.order)
        if period_fit < 0:
            score -= 1.0
        elif period_fit == 0 and self._question.periods:
            score -= w.period_unsaid * 0.2
        score += w.part * bool(part_of)
        score -= w.critical_unsaid * (self.critical_unsaid(row.line.labels) + self.critical_unsaid(col.line.labels))
        score -= w.twice * self._claimed_twice(row, col)
        score -= w.unit_mismatch * unit_mismatch(
            self._question, fact, percent_said=any(self._scope.says(one.line, "percent") for one in (row, col))
        )
        return Candidate(
            table=table,
            fact=fact,
            score=score,
            coverage=coverage,
            row_cover=row.cover,
            col_cover=col.cover,
            strengths=strengths,
            by_labels=frozenset(by_labels),
            forms=frozenset(said),
            part_of=frozenset(part_of),
            period_fit=period_fit,
            labels=(*row.line.labels, *col.line.labels),
        )

    def _said(self, table: ScopeTable, fact: CellFact) -> set[str]:
        """What the lexicon understands of a cell and of its table, as forms."""
        said = fact_forms(fact) | self._scope.measured(fact.metric_label)
        said.update(form for form in table.context.forms if form[1:2] == ":")
        said.update(f"p:{period.period}" for period in self._question.periods if fact.period in names_of(period))
        return said

    def _claim_wholes(
        self, table: ScopeTable, fact: CellFact, row: LineMatch, strengths: dict[int, float], by_labels: set[int]
    ) -> set[str]:
        """Lets a row that the question names be called by what it is a part of; the metrics of wholes it names, too."""
        forms: set[str] = set()
        wholes = table.wholes.get((fact.row, fact.col), ()) if self._is_named(row) else ()
        for whole in wholes:
            said = {
                word: value
                for line in table.lines_at(whole, fact.col)
                for word, value in self._line_words(line).items()
            }
            if all(
                strengths.get(word, 0.0) >= value for word, value in said.items() if self._word_weights[word] > _TELLING
            ):
                continue  # nothing that the row does not say itself
            for word, value in said.items():
                strengths[word] = max(strengths.get(word, 0.0), value)
                if value >= _SAID:
                    by_labels.add(word)
            forms.add(f"m:{table.cells[whole, fact.col].metric_code}")
        return forms

    def _is_named(self, row: LineMatch) -> bool:
        """Whether the question says a row's own label, and more of it than that it is a total."""
        innermost = self._scope.labels[row.line.labels[-1]] if row.line.labels else None
        own = [word for word in innermost.words if word != "total"] if innermost else []
        said = self._question.forms | self._extra
        return row.cover >= _NAMED and sum(word in said for word in own) >= _NAMED * len(own)

    def critical_unsaid(self, labels: tuple[int, ...]) -> int:
        """How many words that change the meaning labels have and the question has not."""
        count = 0
        for number in labels:
            known = self._critical_of.get(number)
            if known is None:
                unsaid = critical_forms(self._scope.labels[number].text) - self._question.forms - self._extra
                known = self._critical_of[number] = len(unsaid - self._wider)
            count += known
        return count

    def _claimed_twice(self, row: LineMatch, col: LineMatch) -> int:
        """How many words, said once, both the row and the column would be named by."""
        return sum(
            1
            for word, strength in row.words.items()
            if strength >= 0.5
            and col.words.get(word, 0.0) >= 0.5
            and self._word_weights[word] > 1.0
            and self._said_once[word]
        )

    def _period_fit(self, table: ScopeTable, fact: CellFact, strengths: dict[int, float], context: set[int]) -> float:
        asked = self._question.periods
        if not asked:
            return 1.0
        for period in asked:
            if fact.period in names_of(period):
                return 1.0
            inside = self._inside(period.span_start, period.span_end)
            if inside and all(strengths.get(word, 0.0) >= 0.5 for word in inside):
                return 0.9
            # In a table that is all of this year, or that names no other.
            of_year = table.years == {period.period} or (not table.years and context.issuperset(inside))
            if of_year and not fact.period and period.period_type == "FY":
                return 0.9
        return -1.0 if fact.period else 0.0
