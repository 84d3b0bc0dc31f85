"""Words that narrow down what is asked for: `sales of beds`, 床的销售额.

A table has its own way of putting things, and much of a question may be worded otherwise. But what stands behind `of`
or before 的 says which part is meant. Where no label accounts for any word of it, the number of the whole would be
given for the number of the part.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from factspine.ask.question import Question, Word
from factspine.ask.words import tag_of

_OPENING = frozenset({"of", "for", "from", "by", "in", "at", "on", "among", "amongst", "within"})
_CLOSING = frozenset({"that", "which", "who", "whose", "when", "where", "while", "than", "if", "versus", "vs"})
_WHOLE = frozenset({"total", "all", "mind", "fact", "general", "detail", "terms"})  # the total of, in mind, in terms of
_THIS = frozenset("该本此这")  # 该产品: the one that was spoken of
_BREAKS = frozenset(",，;；。.?？!！:：、()（）")
_FOUND = 0.3  # as much of a word is accounted for


def unaccounted(question: Question, strengths: Mapping[int, float]) -> tuple[int, ...]:
    """The words of restrictions of which nothing is accounted for, by number."""
    left: list[int] = []
    for group in (*_english(question), *_chinese(question)):
        content = [number for number in group if _tells(question, number)]
        if content and not any(strengths.get(number, 0.0) >= _FOUND for number in content):
            left += content
    return tuple(dict.fromkeys(left))


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


def _breaks(question: Question, number: int) -> bool:
    """Whether a sign stands between a word and the one before it."""
    if not number:
        return False
    between = question.text[question.words[number - 1].end : question.words[number].start]
    return any(sign in _BREAKS for sign in between)


def _tells(question: Question, number: int) -> bool:
    word: Word = question.words[number]
    if word.function or word.unit or word.kind not in ("latin", "han") or word.text.lower() in _WHOLE:
        return False
    before = question.words[number - 1].text if number else ""
    return before not in _THIS and not _in_period(question, word)


def _in_period(question: Question, word: Word) -> bool:
    return any(period.span_start <= word.start and word.end <= period.span_end for period in question.periods)
