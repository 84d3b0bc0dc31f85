"""Ways of reading a question: which stretch is the metric, which the organisation, and what is left over.

A metric's name may hold a place, a period or a channel (`Mainland service fees`), so the metric is found first,
longest names before shorter ones, and the rest is read around it. A reading that leaves a word of meaning over is no
answer; the words left over are what the refusal names.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from factspine.ask.passing import planned, planned_words
from factspine.ask.question import Question
from factspine.ask.terms import HAN_SMALL, TermIndex, key_word, name_key, without_small
from factspine.ask.words import Token, cut, function_words, tokens, unit_words, without_function_words
from factspine.lexicon.folding import is_cjk
from factspine.lexicon.periods import PeriodReading
from factspine.lexicon.scenario import take_marks

_LONGEST_WORDS = 12
_LONGEST_HAN = 24
_READINGS_TRIED = 24
# In a question, what is asked about is often called by what it is: the group's revenue, 集团营收.
_GENERIC = re.compile(r"集团|本集团|整体|总体|\b(?:group|company|firm|business)(?:'s)?\b", re.IGNORECASE)
# Said beside the name of one of them: the Central store.
_MEMBER = re.compile(r"门店|店铺|分行|分公司|\b(?:store|shop|branch|outlet)(?:'s)?\b", re.IGNORECASE)
_SIGNS = re.compile(r"[%‰$€£¥]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """One way of reading a question."""

    codes: frozenset[str]
    span: tuple[int, int]
    name: str = ""  # the metric as the question calls it, as a key
    entities: tuple[str, ...] = ()
    geographies: tuple[str, ...] = ()
    channels: tuple[str, ...] = ()
    periods: tuple[PeriodReading, ...] = ()
    marks: frozenset[str] = frozenset()
    kinds: tuple[str, ...] = ()  # words that ask for a kind of figure: 预算, parent company
    leftover: tuple[str, ...] = ()

    @property
    def weight(self) -> tuple[int, int]:
        """How much is left over, and how long the metric's name is; smaller is better."""
        return sum(map(len, self.leftover)), self.span[0] - self.span[1]


Named = tuple[int, int, set[str]]


def unnamed(question: Question, index: TermIndex) -> tuple[str, ...]:
    """The words of a question that name no metric: what is left when everything else is taken out."""
    return around(question, (0, 0), frozenset(), entities_in(question.text, index)).leftover


def entities_in(text: str, index: TermIndex) -> list[Named]:
    """The stretches of a text that name organisations of the store."""
    return [(start, end, found) for start, end, key in keys_in(text) if (found := index.entities.get(key))]


def metric_stretches(question: Question, index: TermIndex) -> list[tuple[int, int]]:
    """The stretches of a question that name metrics of the store, none within another.

    Names of more words go first; of one name its closest stretch, for its words may stand in any order: `total assets`
    and not `assets and total`.
    """
    found = [(start, end, key) for start, end, key in keys_in(question.text) if index.metrics.get(key)]
    taken: list[tuple[int, int]] = []
    for start, end, _ in sorted(found, key=lambda named: (-len(named[2]), named[1] - named[0], named)):
        if is_free(start, end, taken):
            taken.append((start, end))
    return taken


def entity_stretches(question: Question, index: TermIndex) -> list[tuple[int, int]]:
    """The stretches of a question that name organisations of the store, longest first, none within another."""
    taken: list[tuple[int, int]] = []
    for start, end, _ in sorted(entities_in(question.text, index), key=lambda named: (named[0] - named[1], named[0])):
        if is_free(start, end, taken):
            taken.append((start, end))
    return taken


def readings(question: Question, index: TermIndex) -> list[Reading]:
    """The ways of reading a question that name a metric of the store, best first."""
    metrics: list[Named] = []
    entities: list[Named] = []
    for start, end, key in keys_in(question.text):
        if codes := index.metrics.get(key):
            metrics.append((start, end, codes))
        if names := index.entities.get(key):
            entities.append((start, end, names))
    corrected = _corrected(question.text, index)
    if corrected is not None:
        text, places = corrected
        for start, end, key in keys_in(text):
            if codes := index.metrics.get(key):
                metrics.append((places[start], places[end], codes))
    found = {}
    for start, end, codes in sorted(metrics, key=lambda item: item[0] - item[1])[:_READINGS_TRIED]:
        if (start, end) not in found:
            found[start, end] = around(question, (start, end), frozenset(codes), entities)
    scattered = None if any(not r.leftover for r in found.values()) else _scattered(question, index, entities)
    every = [*found.values(), *([scattered] if scattered else ())]
    return sorted(every, key=lambda reading: reading.weight)


def _corrected(text: str, index: TermIndex) -> tuple[str, list[int]] | None:
    """The text with misspelt words put right, and where each character of it came from; None where nothing was."""
    pieces: list[str] = []
    places: list[int] = []
    at, changed = 0, False
    for token in tokens(text):
        if token.kind != "latin" or token.text.lower() in function_words():
            continue
        right = index.corrected(token.text)
        if right is None:
            continue
        changed = True
        pieces.append(text[at : token.start] + right)
        places += [*range(at, token.start), *[token.start] * len(right)]
        at = token.end
    if not changed:
        return None
    pieces.append(text[at:])
    places += [*range(at, len(text)), len(text)]
    return "".join(pieces), places


def keys_in(text: str) -> Iterator[tuple[int, int, str]]:
    """Every stretch of a text that may be a name, as a key: runs of words, and parts of Chinese runs."""
    words = tokens(text)
    keys = [key_word(token) for token in words]
    for first, token in enumerate(words):
        if token.kind == "han":
            yield from _keys_in_han(token)
        elif not keys[first]:
            continue  # a name neither begins nor ends with a small word
        latin: list[str] = []
        han = ""
        for last in range(first, min(len(words), first + _LONGEST_WORDS)):
            other = words[last]
            if other.kind == "han":
                # A Chinese word may touch the English one before it: `中国内地REVENUE是多少`.
                before = " ".join(sorted(latin)) + "|" + han
                if latin:
                    for stop in range(2, len(other.text)):
                        yield token.start, other.start + stop, before + without_small(other.text[:stop])
                han += without_small(other.text)
            elif keys[last]:
                latin.append(keys[last])
            if (first != last or token.kind == "latin") and (other.kind == "han" or keys[last]):
                yield token.start, other.end, " ".join(sorted(latin)) + "|" + han


def _keys_in_han(token: Token) -> Iterator[tuple[int, int, str]]:
    run = token.text
    for start in range(len(run)):
        if run[start] in HAN_SMALL:
            continue
        for end in range(start + 1, min(len(run), start + _LONGEST_HAN) + 1):
            if run[end - 1] not in HAN_SMALL:
                yield token.start + start, token.start + end, "|" + without_small(run[start:end])


def around(
    question: Question,
    metric: tuple[int, int],
    codes: frozenset[str],
    entities: list[Named],
    pieces: Sequence[tuple[int, int]] = (),
) -> Reading:
    """What the rest of the question says, once its metric is known; `pieces` where it stands in several."""
    taken = list(pieces) or ([metric] if metric[0] < metric[1] else [])
    named: list[str] = []
    for start, end, names in sorted(entities, key=lambda item: item[0] - item[1]):
        if is_free(start, end, taken):
            taken.append((start, end))
            named += sorted(names)
    periods = []
    for period in question.periods:
        if is_free(period.span_start, period.span_end, taken):
            taken.append((period.span_start, period.span_end))
            periods.append(period)
    places: dict[str, list[str]] = {"g": [], "c": []}
    for phrase in question.phrases:
        kind, _, code = phrase.form.partition(":")
        if kind in places and is_free(phrase.start, phrase.end, taken):
            taken.append((phrase.start, phrase.end))
            places[kind].append(code)
    half = question.text.find(question.half_said) if question.half_said else -1
    if half >= 0 and not periods and is_free(half, half + len(question.half_said), taken):
        taken.append((half, half + len(question.half_said)))
    rest = _blank(question.text, taken)
    kinds = planned_words(rest)
    marks, rest = planned(rest)
    scenario = take_marks(rest)
    return Reading(
        codes=codes,
        span=metric,
        name=name_key(" ".join(question.text[start:end] for start, end in pieces or (metric,))),
        entities=tuple(dict.fromkeys(named)),
        geographies=tuple(dict.fromkeys(places["g"])),
        channels=tuple(dict.fromkeys(places["c"])),
        periods=tuple(periods),
        marks=frozenset((*scenario.marks, *marks)),
        kinds=kinds,
        leftover=_leftover(_MEMBER.sub(" ", scenario.rest) if named else scenario.rest),
    )


def _scattered(question: Question, index: TermIndex, entities: list[Named]) -> Reading | None:
    """A metric whose words stand apart: what is left when everything else is taken out is its name."""
    reading = around(question, (0, 0), frozenset(), entities)
    if not reading.leftover:
        return None
    codes = index.metrics.get(name_key(" ".join(reading.leftover)))
    if not codes:
        return None
    return Reading(
        codes=frozenset(codes),
        span=(0, sum(map(len, reading.leftover))),
        name=name_key(" ".join(reading.leftover)),
        entities=reading.entities,
        geographies=reading.geographies,
        channels=reading.channels,
        periods=reading.periods,
        marks=reading.marks,
    )


def is_free(start: int, end: int, taken: Iterable[tuple[int, int]]) -> bool:
    return all(end <= first or last <= start for first, last in taken)


def _blank(text: str, taken: Iterable[tuple[int, int]]) -> str:
    for start, end in taken:
        text = text[:start] + " " * (end - start) + text[end:]
    return text


def _leftover(text: str) -> tuple[str, ...]:
    """The words of meaning that nothing has claimed, each as the question has it."""
    text = _GENERIC.sub(lambda match: " " * len(match.group()), text)
    found: list[str] = []
    before: Token | None = None  # the word that may touch the next one
    for token in tokens(text):
        if token.kind == "han":
            for start, stop in without_function_words(token.text):
                if token.text[start:stop] not in unit_words():
                    found.append(_whole_word(token.start + start, token.start + stop, text, token))
        elif (
            token.kind != "sign"
            and token.text.lower() not in function_words()
            and token.text.lower() not in unit_words()
        ):
            if before is not None and before.end == token.start and before.kind in ("latin", "number"):
                # A name of letters and digits (B2, 5G) is one word to whoever reads the refusal.
                found = [word for word in found if word != before.text]
                found.append(before.text + token.text)
            else:
                found.append(token.text)
        before = token
    return tuple(dict.fromkeys(found))


def _whole_word(start: int, end: int, text: str, token: Token) -> str:
    """A stretch widened to the words it cuts, so that a name is not called by half of it."""
    at = token.start
    first, last = start, end
    for word in cut(token.text):
        if at < end and start < at + len(word):
            first, last = min(first, at), max(last, at + len(word))
        at += len(word)
    return text[first:last]


__all__ = ["Reading", "is_cjk", "readings"]
