"""Words of a question that stand where a label has another word: they name something that the cell is not.

A question about a few tables may say more than the labels do, and what it says beyond them is passed over: who was
asked, where it happened, that it was measured. Not so a word that takes the place of one of the label's own (`wind
power` beside a label `nuclear power`, 长期借款 beside 短期借款), nor one that names a part where the cell is of the
whole: such a question is about something else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from factspine.ask.candidates import Candidate
from factspine.ask.features import SMALL_WORDS, Features
from factspine.ask.question import Question, Word
from factspine.ask.words import Token, phrases, stem, tokens, unit_words, without_function_words

_TOUCHING = re.compile(r"[\s-]*")
# What happened to the things counted, how often, how old they are: told of them, not a name for others.
_TOLD = re.compile(
    r".*(?:ed|ly)|old|older|age|ages|aged|people|population|one's|two|three|four|five|six|seven|eight|nine|ten|once|twice",
    re.I,
)
# Where nothing asks, the question is a name, and every word of a name counts.
_SENTENCE = re.compile(
    r"\b(?:what|how|which|who|when|where|is|are|was|were|do|does|did|has|have|had|can|could|will|would|give|show|tell|find)\b"
    r"|多少|几|什么|哪|谁|何|吗|呢|是|有|请|告诉|查|给|多[大长高久]",
    re.IGNORECASE,
)
_ASKED_FOR = re.compile(r"\bwhat(?:'s| is| was| are| were)? (?:the )?$", re.IGNORECASE)
_WHOLE = frozenset({"all", "total", "overall", "whole", "entire"})
_BEFORE_NAMES = frozenset({"of", "in", "for", "from", "at", "on"})
_ARTICLES = frozenset({"the", "a", "an"})
_USED = 0.3
_KIN = 6  # letters that words of one family share


def contrasting_words(question: Question, best: Candidate, labels: Sequence[Features]) -> tuple[str, ...]:
    """The words that make a question one about another cell than the one that fits it best."""
    known = {word[:_KIN] for label in labels for word in label.words}  # experiment, experimental
    if rate := _half_of_a_rate(question, best, labels):
        return rate
    halved = [word.text for number, word in enumerate(question.words) if _is_halved(number, word, best, labels)]
    if halved:
        return tuple(halved)
    strangers = [
        number
        for number, word in enumerate(question.words)
        if _is_stranger(number, question, best) and (len(word.forms[0]) < _KIN or word.forms[0][:_KIN] not in known)
    ]
    if not strangers:
        return ()
    of_whole = any(label.total for label in labels)
    plain = _SENTENCE.search(question.text) is None
    found = [
        number
        for number in strangers
        if plain
        or _takes_a_place(number, question, best, labels)
        or _narrows(number, question, best)
        or _is_listed(number, strangers, question)
        or _ASKED_FOR.search(question.text, 0, question.words[number].start)
        or (of_whole and _names_a_part(number, question, best))
    ]
    return tuple(question.words[number].text for number in found)


def _half_of_a_rate(question: Question, best: Candidate, labels: Sequence[Features]) -> tuple[str, ...]:
    """The word that is asked for where the label only counts something else by it: teachers, and pupils per teacher."""
    for label in labels:
        words = [stem(token.text) if token.kind == "latin" else token.text for token in tokens(label.text)]
        if "per" not in words[1:-1]:
            continue
        at = words.index("per", 1)
        if not any(word in question.forms for word in words[:at]) and not any(map(_is_unit, words[:at])):
            said = [word.text for word in question.words if word.forms[0] in words[at + 1 :] and not word.function]
            if said:
                return tuple(said)
    return ()


def _is_unit(word: str) -> bool:
    return word in ("rate", "number", "percent") or word in _unit_stems()


@cache
def _unit_stems() -> frozenset[str]:
    return frozenset(stem(word) for word in unit_words() if word.isascii())


def _is_halved(number: int, word: Word, best: Candidate, labels: Sequence[Features]) -> bool:
    """Whether the end of a Chinese word is in a label and its beginning is another there: 长期借款, 短期借款."""
    if word.kind != "han" or word.function or len(word.text) < 4 or best.strengths.get(number, 0.0) >= 1.0:
        return False
    for run in (run for label in labels for run in label.han):
        for start in (1, 2):
            at = run.find(word.text[start:])
            if at >= start and not set(word.text[:start]) & set(run):
                return True
    return False


def _is_stranger(number: int, question: Question, best: Candidate) -> bool:
    word = question.words[number]
    if word.function or word.unit or word.kind not in ("latin", "han") or best.strengths.get(number, 0.0) >= _USED:
        return False
    if word.kind == "latin" and (len(word.text) < 2 or _is_told(word.text) or word.text.lower() in _WHOLE):
        return False
    return not any(phrase.form[0] == "p" and phrase.start <= word.start < phrase.end for phrase in question.phrases)


def _is_told(text: str) -> bool:
    lowered = text.lower()
    if lowered.endswith("ing"):
        return lowered not in phrases()["trades"]
    return _TOLD.fullmatch(text) is not None


def _beside(number: int, step: int, question: Question) -> int | None:
    """The number of the word that touches this one before or behind."""
    other = number + step
    if not 0 <= other < len(question.words):
        return None
    first, second = sorted((number, other))
    between = question.text[question.words[first].end : question.words[second].start]
    return other if _TOUCHING.fullmatch(between) else None


def _takes_a_place(number: int, question: Question, best: Candidate, labels: Sequence[Features]) -> bool:
    """Whether a word stands beside a word of the label where the label itself has another, which nobody said."""
    for step in (1, -1):
        other = _beside(number, step, question)
        if other is None or other not in best.by_labels:
            continue
        if question.words[other].function and not question.words[other].critical:
            continue
        for label in labels:
            if any(_unsaid(neighbour, question) for neighbour in _neighbours(question.words[other], -step, label)):
                return True
    return False


def _is_listed(number: int, strangers: Sequence[int], question: Question) -> bool:
    """Whether two words that no label has stand joined: `english or french` are names, and both are missing."""
    joins = [other for other in (number - 1, number + 1) if 0 <= other < len(question.words)]
    return any(question.words[join].text.lower() in ("or", "或") and 2 * join - number in strangers for join in joins)


def _narrows(number: int, question: Question, best: Candidate) -> bool:
    """Whether an English word stands right before one of the label's own: `lobster catch` is part of a `catch`."""
    after = _beside(number, 1, question)
    if question.words[number].kind != "latin" or after is None or after not in best.by_labels:
        return False
    other = question.words[after]
    return other.kind == "latin" and not other.function and not other.unit and not _is_told(other.text)


def _neighbours(word: Word, step: int, label: Features) -> Iterator[Token]:
    """What stands right before or behind a word in a label."""
    if word.kind == "han":
        for run in tokens(label.text):
            at = run.text.find(word.text) if run.kind == "han" else -1
            if at >= 0:
                text = run.text[:at] if step < 0 else run.text[at + len(word.text) :]
                if text:
                    yield Token(text, 0, len(text), "han")
        return
    words = tokens(label.text)
    for place, token in enumerate(words):
        if token.kind == "latin" and stem(token.text) == word.forms[0]:
            beside = place + step
            if 0 <= beside < len(words) and words[beside].kind == "latin":
                first, second = sorted((place, beside))
                if _TOUCHING.fullmatch(label.text[words[first].end : words[second].start]):
                    yield words[beside]


def _unsaid(token: Token, question: Question) -> bool:
    if token.kind == "han":
        told = [token.text[start:end] for start, end in without_function_words(token.text)]
        return bool(told) and not any(character in question.text for text in told for character in text)
    return token.text.lower() not in SMALL_WORDS and stem(token.text) not in question.forms


def _names_a_part(number: int, question: Question, best: Candidate) -> bool:
    """Whether a word stands where the name of a part would: right before a word of the label, or after `of`, `in`."""
    after = _beside(number, 1, question)
    if after is not None and after in best.by_labels and not question.words[after].function:
        return True
    word = question.words[number]
    if word.kind == "han":
        return (
            question.text[word.end : word.end + 1] == "的" or question.text[max(word.start - 1, 0) : word.start] == "的"
        )
    before = number - 1
    while before >= 0 and question.words[before].text.lower() in _ARTICLES:
        before -= 1
    return before >= 0 and question.words[before].text.lower() in _BEFORE_NAMES
