"""Which cell a question is about: every cell of a scope scored by the words it shares with the question.

Both sides count: how much of the question a cell's labels cover, weighted by how rare each word is among the labels,
and how much of the labels the question says. A cell is worth what its row, its column, its table and its fact say
together.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from itertools import pairwise

from factspine.ask.candidates import (
    TEXT,
    WEIGHTS,
    Candidate,
    LineMatch,
    Weights,
    asks_for_count,
    characters_said,
    fact_forms,
)
from factspine.ask.features import SMALL_WORDS, Features
from factspine.ask.question import Question, Word, critical_forms
from factspine.ask.relative import names_of
from factspine.ask.scope import AxisRarity, Line, Scope, ScopeTable
from factspine.ask.words import function_words, stem, synonym_forms, wider_forms
from factspine.store.table_heads import CellFact, HeadLine

_LINES_TRIED = 40
_FUZZY_CUTOFF = 84.0
_TELLS_LITTLE = 0.3
_QUARTER = re.compile(r"第?([一二三四1-4])季度?|[Qq]([1-4])")
_NUMERALS = {
    mark: (han, digit) for digit, han in zip("1234", "一二三四", strict=True) for mark in (digit, han)
}  # either way of writing a number -> both


_UNHEADED = LineMatch(Line(HeadLine("c", 0, 0, 0, ()), ()), {}, 0.0, 0.0, 0.0)


class Matcher:
    """Matches one question within one scope."""

    def __init__(self, question: Question, scope: Scope, weights: Weights = WEIGHTS) -> None:
        self._question = question
        self._scope = scope
        self._weights = weights
        self._covered: dict[int, dict[int, float]] = {}
        wider = wider_forms()
        self._wider = frozenset(form for word in question.words for form in wider.get(word.forms[0], ()))
        content = [word.forms[0] for word in question.words if word.kind != "han" and word.text not in SMALL_WORDS]
        self._neighbours = frozenset(pairwise(content))
        self._whole_places: frozenset[str] = frozenset()
        self._critical_of: dict[int, int] = {}
        times = Counter(word.forms for word in question.words)
        self._said_once = [times[word.forms] == 1 for word in question.words]
        self._extra: set[str] = set()  # forms of labels that a misspelt word or an abbreviation stands for
        self._match_words()
        self._match_phrases()
        self._match_quarter()
        self._word_weights = self._weigh()

    @property
    def word_weights(self) -> list[float]:
        return self._word_weights

    def _note(self, label: int, word: int, strength: float) -> None:
        words = self._covered.setdefault(label, {})
        if words.get(word, 0.0) < strength:
            words[word] = strength

    def _match_words(self) -> None:
        index = self._scope.index
        for number, word in enumerate(self._question.words):
            if word.kind == "han":
                self._match_han(number, word)
                continue
            for form in wider_forms().get(word.forms[0], ()):
                for label in index.get(form, ()):
                    self._note(label, number, 0.7)
            hits = index.get(word.forms[0])
            if hits:
                for label in hits:
                    self._note(label, number, 1.0)
            elif word.kind == "latin" and not word.function:
                self._match_loosely(number, word)

    def _match_quarter(self) -> None:
        """A quarter said without its year, and a column headed by nothing but its number: 第三季度 and 三."""
        said = _QUARTER.fullmatch(self._question.half_said)
        if said is None:
            return
        number = next(filter(None, said.groups()))
        start = self._question.text.find(self._question.half_said)
        inside = self._inside(start, start + len(self._question.half_said))
        for label, features in enumerate(self._scope.labels):
            if features.text.strip() in _NUMERALS.get(number, ()):
                for word in inside:
                    self._note(label, word, 0.9)

    def _match_han(self, number: int, word: Word) -> None:
        """A Chinese word is covered as far as its characters stand in pairs that a label has, too."""
        length = len(word.text)
        covered: dict[int, set[int]] = {}
        for at, pair in enumerate(word.forms):
            for label in self._scope.index.get(pair, ()):
                covered.setdefault(label, set()).update(range(at, min(at + 2, length)))
        if length == 1 and not word.function:
            for label, features in enumerate(self._scope.labels):
                if any(word.text in run for run in features.han):
                    self._note(label, number, 0.6)
        for label, places in covered.items():
            self._note(label, number, len(places) / length)

    def _match_loosely(self, number: int, word: Word) -> None:
        """Small typos, and abbreviations made of first letters."""
        self._match_joined(number, word)
        text = word.text.lower().removesuffix("s") if len(word.text) <= 6 else ""
        if 2 <= len(text) <= 6:
            for label, features in enumerate(self._scope.labels):
                if len(features.initials) >= len(text) and text in features.initials:
                    self._note(label, number, 0.8)
                    self._extra.update(features.words)
        form = word.forms[0]
        if len(form) >= 5:
            from rapidfuzz import fuzz, process

            near = process.extract(
                form, self._scope.latin_words, scorer=fuzz.ratio, score_cutoff=_FUZZY_CUTOFF, limit=3
            )
            for other, _, _ in near:
                if other[0] != form[0]:
                    continue  # who mistypes a word begins it right; outpatients are no inpatients
                self._extra.add(other)
                for label in self._scope.index.get(other, ()):
                    self._note(label, number, 0.85)

    def _match_joined(self, number: int, word: Word) -> None:
        """Two words written as one: `netprofit`."""
        text = word.text.lower()
        for at in range(3, len(text) - 3):
            halves = [stem(text[:at]), stem(text[at:])]
            known = [form in self._scope.index for form in halves]
            if all(known) or (any(known) and {text[:at], text[at:]} & function_words()):
                for form in halves:
                    self._extra.add(form)
                    for label in self._scope.index.get(form, ()):
                        self._note(label, number, 0.7)
                return

    def _match_phrases(self) -> None:
        for phrase in self._question.phrases:
            inside = self._inside(phrase.start, phrase.end)
            for label in self._scope.index.get(phrase.form, ()):
                for word in inside:
                    self._note(label, word, 1.0)
        for form, start, end in synonym_forms(self._question.text):
            inside = self._inside(start, end)
            for other, strength in ((form, 0.9), *((wide, 0.7) for wide in wider_forms().get(form, ()))):
                for label in self._scope.index.get(other, ()):
                    for word in inside:
                        self._note(label, word, strength)

    def _inside(self, start: int, end: int) -> list[int]:
        return [n for n, word in enumerate(self._question.words) if start <= word.start and word.end <= end]

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
            rows = self._best_lines(table.rows, table.row_rarity)
            cols = self._best_lines(table.cols, table.col_rarity)
            if not rows and not cols:
                continue
            load(table)
            found.extend(self._cells(table, rows, cols))
        found.sort(key=lambda c: (-c.score, c.table.heads.doc_id, c.fact.fact_no))
        return found

    def _best_lines(self, lines: list[Line], rarity: AxisRarity) -> list[LineMatch]:
        if len(lines) > _LINES_TRIED:
            touched = [line for line in lines if any(label in self._covered for label in line.labels)]
            lines = touched or lines[:_LINES_TRIED]
        matches = [self._line_match(line, rarity) for line in lines]
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

    def _score(self, table: ScopeTable, fact: CellFact, row: LineMatch, col: LineMatch, context: set[int]) -> Candidate:
        w = self._weights
        strengths = dict(row.words)
        for word, value in col.words.items():
            if strengths.get(word, 0.0) < value:
                strengths[word] = value
        period_fit = self._period_fit(table, fact, strengths, context)
        by_labels = {word for word, value in strengths.items() if value >= 0.5}
        for word in context:
            if strengths.get(word, 0.0) < w.context:
                strengths[word] = w.context
        said = fact_forms(fact) | {form for form in table.context.forms if form[1:2] == ":"}
        said.update(f"p:{period.period}" for period in self._question.periods if fact.period in names_of(period))
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
        score -= w.critical_unsaid * (self.critical_unsaid(row.line.labels) + self.critical_unsaid(col.line.labels))
        score -= w.twice * self._claimed_twice(row, col)
        score -= w.unit_mismatch * self._unit_mismatch(table, fact, row, col)
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
            period_fit=period_fit,
            labels=(*row.line.labels, *col.line.labels),
        )

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
            # A cell without a period, in a table that is all of this year, or that names no other.
            of_year = table.years == {period.period} or (not table.years and context.issuperset(inside))
            if of_year and not fact.period and period.period_type == "FY":
                return 0.9
        return -1.0 if fact.period else 0.0

    def _unit_mismatch(self, table: ScopeTable, fact: CellFact, row: LineMatch, col: LineMatch) -> float:
        """Whether a percentage was asked for and the cell is none, or the other way about."""
        forms = self._question.forms
        if fact.period_type == TEXT:
            return 0.0
        labels = self._scope.labels
        shown = fact.unit == "%" or any(
            "percent" in labels[label].forms for line in (row.line, col.line) for label in line.labels
        )
        if "percent" in forms:
            return 0.0 if shown else 1.0
        return 0.6 if fact.unit == "%" and asks_for_count(self._question.text) else 0.0
