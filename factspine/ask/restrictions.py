"""Words that narrow down what is asked for: `sales of beds`, 床的销售额, `online sales`.

A table has its own way of putting things, and much of a question may be worded otherwise. But what stands behind `of`,
before 的, or right before a known metric says which part is meant. Where no label accounts for any word of it, the
number of the whole would be given for the number of the part.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import pairwise

from factspine.ask.question import Question, Word
from factspine.ask.words import pairs, stem, tag_of, tokens

_OPENING = frozenset(
    (
        *("of", "for", "from", "by", "in", "at", "on", "among", "amongst", "within", "to", "per"),
        *("before", "after", "without", "excluding", "including", "through", "via"),
    )
)
_CLOSING = frozenset({"that", "which", "who", "whose", "when", "where", "while", "than", "if", "versus", "vs"})
_SAYS_NOTHING = frozenset(
    (
        *("total", "all", "mind", "fact", "general", "detail", "terms"),  # the total of, in mind, in terms of
        *("金额", "总额", "总计", "合计", "数量", "总数", "数目", "多长", "多大", "多长时间", "百分比", "百分数"),
    )
)
_SUFFIXES = ("地区", "业务", "板块", "部门", "项目")  # 西北地区 where a label says 西北
_THIS = frozenset("该本此这")  # 该产品: the one that was spoken of
_BREAKS = frozenset(",，;；。.?？!！:：、()（）")
_HALF, _CHARACTERS_LEFT = 0.5, 1.5
_FOUND = 0.3  # as much of a word is accounted for


def unaccounted(question: Question, strengths: Mapping[int, float]) -> tuple[int, ...]:
    """The words of restrictions of which nothing is accounted for, by number."""
    left: list[int] = []
    for group in (
        *_english(question),
        *_chinese(question),
        *_adjoining(question),
        *_asked_for(question),
        *_counted(question),
    ):
        content = [number for number in group if _tells(question, number)]
        if content and not any(strengths.get(number, 0.0) >= _FOUND for number in content):
            left += content
    left += (number for number in _nouns(question) if _half_said(question.words[number], strengths.get(number, 0.0)))
    return tuple(dict.fromkeys(left))


def said_by(question: Question, label: str) -> frozenset[int]:
    """The words of a question that a label has, by number."""
    forms = _forms(label)
    return frozenset(n for n, word in enumerate(question.words) if word.forms and forms.issuperset(word.forms))


@lru_cache(maxsize=4096)
def _forms(label: str) -> frozenset[str]:
    found: set[str] = set()
    for token in tokens(label):
        found.update(pairs(token.text) if token.kind == "han" else (stem(token.text),))
    return frozenset(found)


def _half_said(word: Word, strength: float) -> bool:
    """人口密度 where a label says 人口: the rest of the word is a thing of its own."""
    if any(word.text.endswith(suffix) and strength * len(word.text) >= len(word.text) - 2 for suffix in _SUFFIXES):
        return False
    return 0 < strength <= _HALF and (1 - strength) * len(word.text) > _CHARACTERS_LEFT


def _english(question: Question) -> Iterator[list[int]]:
    """What stands behind a preposition, up to the next one."""
    group: list[int] | None = None
    for number, word in enumerate(question.words):
        lowered = word.text.lower()
        ends = lowered in _OPENING or lowered in _CLOSING or word.kind == "han" or _breaks(question, number)
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


def _chinese(question: Question) -> Iterator[list[int]]:
    """What stands before 的, where there is a noun in it."""
    group: list[int] = []
    for number, word in enumerate(question.words):
        if _breaks(question, number):
            group = []
        if word.text == "的":
            if any(tag_of(question.words[one].text).startswith("n") for one in group):
                yield group
            group = []
        elif word.kind == "han" or group or not word.function:
            group.append(number)


def _adjoining(question: Question) -> Iterator[list[int]]:
    """The word right before a metric that the lexicon knows."""
    for phrase in question.phrases:
        if phrase.form.startswith("m:"):
            before = [number for number, word in enumerate(question.words) if word.end <= phrase.start]
            if before and not _breaks(question, before[-1] + 1):
                yield before[-1:]


def _asked_for(question: Question) -> Iterator[list[int]]:
    """The last noun of a Chinese question, which says what is asked for."""
    nouns = _nouns(question)
    if nouns:
        yield nouns[-1:]


def _counted(question: Question) -> Iterator[list[int]]:
    """The word behind `how many`: what is counted, or which of them."""
    for number, (one, other) in enumerate(pairwise(question.words)):
        if (one.text.lower(), other.text.lower()) == ("how", "many") and number + 2 < len(question.words):
            yield [number + 2]


def _nouns(question: Question) -> list[int]:
    return [
        number
        for number, word in enumerate(question.words)
        if word.kind == "han" and _tells(question, number) and tag_of(word.text).startswith("n")
    ]


def _breaks(question: Question, number: int) -> bool:
    """Whether a sign stands between a word and the one before it."""
    if not number:
        return False
    between = question.text[question.words[number - 1].end : question.words[number].start]
    return any(sign in _BREAKS for sign in between)


def _tells(question: Question, number: int) -> bool:
    word: Word = question.words[number]
    if word.function or word.unit or word.kind not in ("latin", "han") or word.text.lower() in _SAYS_NOTHING:
        return False
    before = question.words[number - 1].text if number else ""
    kind_asked = any("哪" in other.text for other in question.words[max(number - 2, 0) : number])  # 哪个板块最高
    return before not in _THIS and not kind_asked and not in_period(question, word)


def in_period(question: Question, word: Word) -> bool:
    """Whether a word is part of a period that the question names."""
    return any(period.span_start <= word.start and word.end <= period.span_end for period in question.periods)
