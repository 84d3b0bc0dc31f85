"""Words of a question that the cell which fits it best does not have, where they would name another thing or a part.

A table has its own way of putting things, and much of what a question says beyond the labels may be passed over: who
was asked, where it happened, that it was measured. Not so a word that stands where a name stands: behind `of`, before
的, right before a metric, in the place of one of the label's own (`wind power` beside a label `nuclear power`). Where
nothing accounts for it, the number would be that of another thing, or of the whole for a part.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import pairwise

from factspine.ask.candidates import Candidate
from factspine.ask.features import SMALL_WORDS, Features
from factspine.ask.question import Question, Word
from factspine.ask.words import Token, pairs, phrases, stem, tag_of, tokens, unit_words, without_function_words

_FOUND = 0.3  # as much of a word is accounted for
_HALF, _CHARACTERS_LEFT = 0.5, 1.5
_KIN = 6  # letters that words of one family share
_OPENING = frozenset(
    (
        *("of", "for", "from", "by", "in", "at", "on", "among", "amongst", "within", "across", "to", "per"),
        *("before", "after", "without", "excluding", "including", "through", "via"),
    )
)
_CLOSING = frozenset({"that", "which", "who", "whose", "when", "where", "while", "than", "if", "versus", "vs"})
_BEFORE_NAMES = frozenset({"of", "in", "for", "from", "at", "on"})
_ARTICLES = frozenset({"the", "a", "an"})
_WHOLE = frozenset({"all", "total", "overall", "whole", "entire"})
_SAYS_NOTHING = frozenset(
    (
        *("total", "all", "mind", "fact", "general", "detail", "terms"),  # the total of, in mind, in terms of
        *(
            "金额",
            "总额",
            "总计",
            "合计",
            "数量",
            "总数",
            "数目",
            "人数",
            "多长",
            "多大",
            "多长时间",
            "百分比",
            "百分数",
        ),
    )
)
_SUFFIXES = ("地区", "业务", "板块", "部门", "项目")  # 西北地区 where a label says 西北
_PLAIN_BEGINNINGS = frozenset("年月日总全各本该某我")  # 年收入, 总产量: of 收入, 产量 nothing else
_THIS = frozenset("该本此这")  # 该产品: the one that was spoken of
_BREAKS = frozenset(",，;；。.?？!！:：、()（）")
_TOUCHING = re.compile(r"[\s-]*")
# What happened to the things counted, how often, how old they are: told of them, not a name for others.
_TOLD = re.compile(
    r".*ly|old|older|ages?|people|population|one's|two|three|four|five|six|seven|eight|nine|ten|once|twice"
)
# That they were counted says nothing of them.
_RECORDED = frozenset(
    {"reported", "recorded", "counted", "registered", "listed", "stated", "measured", "observed", "surveyed", "aged"}
)
# Of people nothing is said by these words.
_ANYBODY = frozenset({"people", "persons", "individuals"})
_LIVE = frozenset({"live", "lived", "living", "reside", "resided", "residing"})
_PLURAL = re.compile(r"[a-z][^su]s$")
# Where nothing asks, the question is a name, and every word of a name counts.
_SENTENCE = re.compile(
    r"\b(?:what|how|which|who|when|where|is|are|was|were|do|does|did|has|have|had|can|could|will|would|give|show|tell|find)\b"
    r"|多少|几|什么|哪|谁|何|吗|呢|是|有|请|告诉|查|给|多[大长高久]",
    re.IGNORECASE,
)
_ASKED_FOR = re.compile(r"\bwhat(?:'s| is| was| are| were)? (?:the )?$", re.IGNORECASE)


class Strangers:
    """The words of one question that one cell does not have, and whether they stand where names stand."""

    def __init__(self, question: Question, best: Candidate, labels: Sequence[Features]) -> None:
        self._question = question
        self._words = question.words
        self._best = best
        self._labels = labels
        self._of_whole = any(label.total for label in labels)
        caption = _forms(best.fact.metric_label)  # it may say what is measured
        self._captioned = {n for n, word in enumerate(question.words) if word.forms and caption.issuperset(word.forms)}
        self._known = {word[:_KIN] for label in labels for word in label.words}  # experiment, experimental

    def naming(self) -> tuple[int, ...]:
        """The words that name what the cell is not, by number."""
        if found := [*self._half_of_a_rate(), *self._halved()]:
            return tuple(found)
        found = [number for group in self._groups() for number in self._unfound(group)]
        beside = [number for number in range(len(self._words)) if self._is_unknown(number)]
        plain = bool(beside) and _SENTENCE.search(self._question.text) is None
        found += [number for number in beside if plain or self._is_placed(number, beside)]
        found += [number for number in range(len(self._words)) if self._only_titled(number)]
        return tuple(dict.fromkeys(found))

    def _strength(self, number: int) -> float:
        return self._best.strengths.get(number, 0.0)

    def _is_found(self, number: int) -> bool:
        return number in self._captioned or self._strength(number) >= _FOUND

    # Groups of words, of which one that is found accounts for the others.

    def _groups(self) -> Iterator[list[int]]:
        yield from self._behind_prepositions()
        yield from self._before_de()
        yield from self._before_metrics()
        yield from self._counted()
        yield self._nouns()[-1:]  # the last noun of a Chinese question says what is asked for

    def _unfound(self, group: Sequence[int]) -> list[int]:
        content = [number for number in group if self._tells(number)]
        return [] if any(map(self._is_found, content)) else content

    def _behind_prepositions(self) -> Iterator[list[int]]:
        """What stands behind a preposition, up to the next one."""
        group: list[int] | None = None
        for number, word in enumerate(self._words):
            lowered = word.text.lower()
            ends = lowered in _OPENING or lowered in _CLOSING or word.kind == "han" or self._breaks(number)
            if ends and group:
                yield group
            if lowered in _OPENING:
                group = []
            elif ends:
                group = None
            elif group is not None:
                group.append(number)
        if group:
            yield group

    def _before_de(self) -> Iterator[list[int]]:
        """What stands before 的, where there is a noun in it."""
        group: list[int] = []
        for number, word in enumerate(self._words):
            if self._breaks(number):
                group = []
            if word.text == "的":
                if any(tag_of(self._words[one].text).startswith("n") for one in group):
                    yield group
                group = []
            elif word.kind == "han" or group or not word.function:
                group.append(number)

    def _before_metrics(self) -> Iterator[list[int]]:
        """The word right before a metric that the lexicon knows."""
        for phrase in self._question.phrases:
            if phrase.form.startswith("m:"):
                before = [number for number, word in enumerate(self._words) if word.end <= phrase.start]
                if before and not self._breaks(before[-1] + 1):
                    yield before[-1:]

    def _counted(self) -> Iterator[list[int]]:
        """What is counted: the word behind `how many`, and every plural with it; of people, what they did."""
        for number, (one, other) in enumerate(pairwise(self._words), start=2):
            if (one.text.lower(), other.text.lower()) == ("how", "many") and number < len(self._words):
                behind = self._beside(number, 1) if self._words[number].text.lower() in _ANYBODY else None
                yield [number]
                if behind is not None and self._words[behind].text.lower() not in _LIVE:
                    yield [behind]
                yield from ([plural] for plural in self._plurals_behind(number))

    def _plurals_behind(self, number: int) -> Iterator[int]:
        """The plurals that touch a word from behind: many male bakers. What many do never ends with an s."""
        behind = self._beside(number, 1)
        while behind is not None and not self._words[behind].function:
            if _PLURAL.search(self._words[behind].text):
                yield behind
            behind = self._beside(behind, 1)

    def _nouns(self) -> list[int]:
        return [
            number
            for number, word in enumerate(self._words)
            if word.kind == "han" and self._tells(number) and tag_of(word.text).startswith("n")
        ]

    def _breaks(self, number: int) -> bool:
        """Whether a sign stands between a word and the one before it."""
        if not 0 < number < len(self._words):
            return False
        between = self._question.text[self._words[number - 1].end : self._words[number].start]
        return any(sign in _BREAKS for sign in between)

    def _tells(self, number: int) -> bool:
        word = self._words[number]
        if word.function or word.unit or word.kind not in ("latin", "han") or word.text.lower() in _SAYS_NOTHING:
            return False
        before = self._words[number - 1].text if number else ""
        kind_asked = any("哪" in other.text for other in self._words[max(number - 2, 0) : number])  # 哪个板块最高
        return before not in _THIS and not kind_asked and not in_period(self._question, word)

    # Words that a label has a part of.

    def _halved(self) -> list[int]:
        """Chinese words of which a label says the one half and another thing, or nothing, for the other."""
        return [
            number
            for number, word in enumerate(self._words)
            if word.kind == "han" and (self._is_half_said(number, word) or self._has_another_beginning(number, word))
        ]

    def _is_half_said(self, number: int, word: Word) -> bool:
        """人口密度 where a label says 人口: the rest of the word is a thing of its own."""
        strength, length = self._strength(number), len(word.text)
        if not self._tells(number) or not tag_of(word.text).startswith("n"):
            return False
        if any(word.text.endswith(suffix) and strength * length >= length - 2 for suffix in _SUFFIXES):
            return False
        return 0 < strength <= _HALF and (1 - strength) * length > _CHARACTERS_LEFT

    def _has_another_beginning(self, number: int, word: Word) -> bool:
        """Whether the end of a word is in a label and its beginning is another there, or none: 长期借款, 短期借款."""
        if word.function or self._strength(number) >= 1.0:
            return False
        for run in (run for label in self._labels for run in label.han):
            for start in (1, 2):
                beginning, end = word.text[:start], word.text[start:]
                at = run.find(end) if len(end) > 1 and not set(beginning) & set(run) else -1
                if at >= start and len(word.text) > 3:
                    return True
                if at == 0 and beginning not in _PLAIN_BEGINNINGS and not self._says(beginning):
                    return True
        return False

    def _says(self, text: str) -> bool:
        """Whether any label of the cell, or its table, says something, in Chinese."""
        return any(text in label.text for label in (*self._labels, self._best.table.context))

    def _half_of_a_rate(self) -> list[int]:
        """What is asked for where the label only counts something else by it: teachers, and pupils per teacher."""
        for label in self._labels:
            words = [stem(token.text) if token.kind == "latin" else token.text for token in tokens(label.text)]
            if "per" not in words[1:-1]:
                continue
            at = words.index("per", 1)
            if not any(word in self._question.forms for word in words[:at]) and not any(map(_is_unit, words[:at])):
                said = [
                    n for n, word in enumerate(self._words) if word.forms[0] in words[at + 1 :] and not word.function
                ]
                if said:
                    return said
        return []

    # Words that nothing has, beside words that the label has.

    def _is_unknown(self, number: int) -> bool:
        word = self._words[number]
        if word.function or word.unit or word.kind not in ("latin", "han") or self._is_found(number):
            return False
        if word.text.lower() in _WHOLE | _SAYS_NOTHING:
            return False
        if word.kind == "latin" and (len(word.text) < 2 or self._is_told(number)):
            return False
        if len(word.forms[0]) >= _KIN and word.forms[0][:_KIN] in self._known:
            return False
        phrases_of = (phrase for phrase in self._question.phrases if phrase.form[0] == "p")
        return not any(phrase.start <= word.start < phrase.end for phrase in phrases_of)

    def _is_told(self, number: int) -> bool:
        """Whether a word tells what happened to the things counted, how often, how old they are; no name for others.

        Before a word of the label it says which of them: `married women`, `damaged stock`.
        """
        lowered = self._words[number].text.lower()
        if lowered.endswith("ing"):
            return lowered not in phrases()["trades"]
        if lowered.endswith("ed") and lowered not in _RECORDED:
            return not self._is_attribute(number)
        return lowered in _RECORDED or _TOLD.fullmatch(lowered) is not None

    def _is_attribute(self, number: int) -> bool:
        """Whether a word stands before one of the label's, and behind no noun of which it would be the verb."""
        before, after = self._beside(number, -1), self._beside(number, 1)
        if after is None or after not in self._best.by_labels or self._words[after].function:
            return False
        return before is None or self._words[before].function

    def _is_placed(self, number: int, unknown: Sequence[int]) -> bool:
        """Whether a word stands where the name of another thing, or of a part, would stand."""
        return (
            self._takes_a_place(number)
            or self._narrows(number)
            or self._is_listed(number, unknown)
            or _ASKED_FOR.search(self._question.text, 0, self._words[number].start) is not None
            or (self._of_whole and self._names_a_part(number))
        )

    def _beside(self, number: int, step: int) -> int | None:
        """The number of the word that touches this one before or behind."""
        other = number + step
        if not 0 <= other < len(self._words):
            return None
        first, second = sorted((number, other))
        between = self._question.text[self._words[first].end : self._words[second].start]
        return other if _TOUCHING.fullmatch(between) else None

    def _takes_a_place(self, number: int, steps: Sequence[int] = (1, -1)) -> bool:
        """Whether a word stands beside a word of the label where the label itself has another, which nobody said."""
        for step in steps:
            other = self._beside(number, step)
            if other is None or other not in self._best.by_labels:
                continue
            if self._words[other].function and not self._words[other].critical:
                continue
            for label in self._labels:
                if any(self._unsaid(neighbour) for neighbour in _neighbours(self._words[other], -step, label)):
                    return True
        return False

    def _only_titled(self, number: int) -> bool:
        """Whether what takes a beginning's place is in the title at most: graduation rate, dropout rate."""
        word = self._words[number]
        if word.kind != "latin" or word.function or word.unit or word.text.lower() in _WHOLE | _SAYS_NOTHING:
            return False
        titled = self._is_found(number) and number not in self._best.by_labels | self._captioned
        return titled and self._takes_a_place(number, (1,))

    def _unsaid(self, token: Token) -> bool:
        if token.kind == "han":
            told = [token.text[start:end] for start, end in without_function_words(token.text)]
            return bool(told) and not any(character in self._question.text for text in told for character in text)
        return token.text.lower() not in SMALL_WORDS and stem(token.text) not in self._question.forms

    def _narrows(self, number: int) -> bool:
        """Whether an English word stands right before one of the label's own: `lobster catch` is part of a `catch`."""
        after = self._beside(number, 1)
        if self._words[number].kind != "latin" or after is None or after not in self._best.by_labels:
            return False
        other = self._words[after]
        return other.kind == "latin" and not other.function and not other.unit and not self._is_told(after)

    def _is_listed(self, number: int, unknown: Sequence[int]) -> bool:
        """Whether two words that no label has stand joined: `english or french` are names, and both are missing."""
        joins = [other for other in (number - 1, number + 1) if 0 <= other < len(self._words)]
        return any(self._words[join].text.lower() in ("or", "或") and 2 * join - number in unknown for join in joins)

    def _names_a_part(self, number: int) -> bool:
        """Whether a word stands as the name of a part would: right before a word of the label, or after `of`, `in`."""
        after = self._beside(number, 1)
        if after is not None and after in self._best.by_labels and not self._words[after].function:
            return True
        word, text = self._words[number], self._question.text
        if word.kind == "han":
            return text[word.end : word.end + 1] == "的" or text[max(word.start - 1, 0) : word.start] == "的"
        before = number - 1
        while before >= 0 and self._words[before].text.lower() in _ARTICLES:
            before -= 1
        return before >= 0 and self._words[before].text.lower() in _BEFORE_NAMES


def in_period(question: Question, word: Word) -> bool:
    """Whether a word is part of a period that the question names."""
    return any(period.span_start <= word.start and word.end <= period.span_end for period in question.periods)


@lru_cache(maxsize=4096)
def _forms(label: str) -> frozenset[str]:
    found: set[str] = set()
    for token in tokens(label):
        found.update(pairs(token.text) if token.kind == "han" else (stem(token.text),))
    return frozenset(found)


def _is_unit(word: str) -> bool:
    return word in ("rate", "number", "percent") or word in _unit_stems()


@cache
def _unit_stems() -> frozenset[str]:
    return frozenset(stem(word) for word in unit_words() if word.isascii())


def _neighbours(word: Word, step: int, label: Features) -> Iterator[Token]:
    """What stands right before or behind a word in a label."""
    words = tokens(label.text)
    if word.kind == "han":
        for run in words:
            at = run.text.find(word.text) if run.kind == "han" else -1
            text = "" if at < 0 else run.text[:at] if step < 0 else run.text[at + len(word.text) :]
            if text:
                yield Token(text, 0, len(text), "han")
        return
    for place, token in enumerate(words):
        if token.kind == "latin" and stem(token.text) == word.forms[0]:
            beside = place + step
            if 0 <= beside < len(words) and words[beside].kind == "latin":
                first, second = sorted((place, beside))
                if _TOUCHING.fullmatch(label.text[words[first].end : words[second].start]):
                    yield words[beside]
