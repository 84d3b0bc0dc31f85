"""Which labels say which words of a question: outright, in other words, misspelt, abbreviated, by their characters."""

from __future__ import annotations

import re

from factspine.ask.question import Question, Word
from factspine.ask.scope import Scope
from factspine.ask.words import function_words, stem, synonym_forms, wider_forms

_FUZZY_CUTOFF = 84.0
_QUARTER = re.compile(r"第?([一二三四1-4])季度?|[Qq]([1-4])")
_NUMERALS = {
    mark: (han, digit) for digit, han in zip("1234", "一二三四", strict=True) for mark in (digit, han)
}  # either way of writing a number -> both


class WordMatches:
    """How well each label of a scope covers each word of a question."""

    def __init__(self, question: Question, scope: Scope) -> None:
        self._question = question
        self._scope = scope
        self.covered: dict[int, dict[int, float]] = {}  # label -> word -> how much of it
        self.places: dict[tuple[int, int], set[int]] = {}  # label, Chinese word -> the characters it has of it
        self.extra: set[str] = set()  # forms of labels that a misspelt word or an abbreviation stands for
        self._match_words()
        self._match_phrases()
        self._match_quarter()

    def _note(self, label: int, word: int, strength: float) -> None:
        words = self.covered.setdefault(label, {})
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
        inside = self.inside(start, start + len(self._question.half_said))
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
            if length > 3 and len(places) < length:
                self.places[label, number] = places

    def _match_loosely(self, number: int, word: Word) -> None:
        """Small typos, and abbreviations made of first letters."""
        self._match_joined(number, word)
        text = word.text.lower().removesuffix("s") if len(word.text) <= 6 else ""
        if 2 <= len(text) <= 6:
            for label, features in enumerate(self._scope.labels):
                if len(features.initials) >= len(text) and text in features.initials:
                    self._note(label, number, 0.8)
                    self.extra.update(features.words)
        form = word.forms[0]
        if len(form) >= 5:
            from rapidfuzz import fuzz, process

            near = process.extract(
                form, self._scope.latin_words, scorer=fuzz.ratio, score_cutoff=_FUZZY_CUTOFF, limit=3
            )
            for other, _, _ in near:
                if other[0] != form[0]:
                    continue  # who mistypes a word begins it right; outpatients are no inpatients
                self.extra.add(other)
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
                    self.extra.add(form)
                    for label in self._scope.index.get(form, ()):
                        self._note(label, number, 0.7)
                return

    def _match_phrases(self) -> None:
        for phrase in self._question.phrases:
            inside = self.inside(phrase.start, phrase.end)
            for label in self._scope.index.get(phrase.form, ()):
                for word in inside:
                    self._note(label, word, 1.0)
        for form, start, end in synonym_forms(self._question.text):
            inside = self.inside(start, end)
            for other, strength in ((form, 0.9), *((wide, 0.7) for wide in wider_forms().get(form, ()))):
                for label in self._scope.index.get(other, ()):
                    for word in inside:
                        self._note(label, word, strength)

    def inside(self, start: int, end: int) -> list[int]:
        """The words that lie within a stretch of the question."""
        return [n for n, word in enumerate(self._question.words) if start <= word.start and word.end <= end]
