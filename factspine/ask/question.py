"""Reading a question: its words, each with its place, and everything the lexicon recognises among them.

Nothing is decided here. What a word is used for comes out when it is matched with the labels of the store; what nobody
used is then known, because every word is in the list.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cache, lru_cache
from itertools import pairwise, takewhile
from typing import NamedTuple

from factspine.ask.framing import without_frame
from factspine.ask.passing import planned, said_in_passing
from factspine.ask.relative import at_its_end, month_before, relative_periods
from factspine.ask.words import (
    Token,
    cut,
    function_words,
    pairs,
    phrases,
    root,
    stem,
    synonym_forms,
    tag_of,
    tokens,
    unit_words,
    without_function_words,
)
from factspine.lexicon.folding import fold, is_cjk
from factspine.lexicon.periods import PartialPeriod, PeriodReading, combine, find_partial, find_periods
from factspine.lexicon.scenario import take_marks
from factspine.lexicon.vocabulary import Vocabulary

_LONGEST_NAME_WORDS = 6
_LONGEST_NAME_CHARACTERS = 12
_NAMES = ("nr", "ns", "nt", "nz", "nrt", "nrfg")  # how a dictionary tags names


class Word(NamedTuple):
    """One word of the question."""

    text: str
    start: int
    end: int
    kind: str  # han, latin, number, sign
    forms: tuple[str, ...]  # a stem, or the pairs of a Chinese word
    function: bool  # a word of asking itself: may stay unused
    critical: bool  # changes what a number is: must be used
    name_like: bool = False  # written as a name (capital letter inside the sentence)
    unit: bool = False  # says in which unit the number is wanted


def is_name(word: Word) -> bool:
    """Whether a word is the name of somebody or something: by a dictionary, or because it is written in capitals."""
    if word.kind == "han":
        return tag_of(word.text) in _NAMES
    return word.kind == "latin" and len(word.text) > 1 and word.text.isupper()


class Phrase(NamedTuple):
    """A stretch that the lexicon understands, as a form that labels and facts have, too."""

    form: str
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question, read."""

    text: str  # folded; same length as what was asked
    language: str
    words: tuple[Word, ...]
    phrases: tuple[Phrase, ...]
    periods: tuple[PeriodReading, ...]
    half_said: str = ""  # a quarter, half or month without its year
    latest: bool = False  # of several periods the latest is meant
    marks: frozenset[str] = frozenset()
    forms: frozenset[str] = field(default=frozenset())  # everything a label may be covered by


def read_question(text: str, vocabulary: Vocabulary, today: date) -> Question:
    """The question taken apart."""
    framed = without_frame(_DASHED.sub("", _TOUCHING.sub(" ", fold(text))))
    folded = framed.text
    periods = _periods(folded, vocabulary.fiscal_year_end_month, today)
    passing = said_in_passing(folded)
    words = tuple(_passed(word, passing) for word in _words(folded, periods))
    found = [Phrase(f"p:{p.period}", p.span_start, p.span_end) for p in periods]
    found += _names(folded, vocabulary)
    bare = _without(folded, periods)
    marks = frozenset((*take_marks(bare).marks, *planned(bare)[0]))
    forms = {form for word in words for form in word.forms} | {phrase.form for phrase in found}
    forms.update(_loose_pairs(folded))
    forms.update(form for form, _, _ in synonym_forms(folded))
    forms.update(f"s:{mark}" for mark in marks)
    if _COUNTED.search(folded):
        forms.add("number")  # a column headed so is what is asked for
    partial = None if periods else find_partial(folded)
    return Question(
        text=folded,
        language=language_of(folded),
        words=words,
        phrases=tuple(found),
        periods=tuple(sorted(periods, key=lambda p: p.span_start)),
        half_said="" if partial is None else folded[partial.span_start : partial.span_end],
        latest=framed.latest and not periods,
        marks=marks,
        forms=frozenset(forms),
    )


# A year that touches the name before it: `Group2023年`.
_TOUCHING = re.compile(r"(?<=[a-z]{2})(?=(?:19|20)\d\d(?!\d))|(?<=[A-Za-z])(?=[二一][〇零○九八一二三四五六七]{3}年)")
# Two labels of a path, written as one: 零售收入 – 同比变动.
_DASHED = re.compile(r"(?<=[㐀-鿿])\s*-\s*(?=[㐀-鿿])")
_COUNTED = re.compile(r"\bhow many (?!percent|%|million|billion|thousand|dollar|point|times|years?\b)", re.IGNORECASE)
_SPAN = re.compile(r"(?<!\d)(\d{4}-\d\d-\d\d)/(\d{4}-\d\d-\d\d)(?!\d)")
_AND = re.compile(
    r"\s*(?:、|,|，|/|和|与|及|跟|对比|比|&|\band\b|\bvs\.?|\bversus\b|\bor\b|\bto\b|-)\s*", re.IGNORECASE
)
_BETWEEN = re.compile(r"[\s的,，年度]*")


def _periods(folded: str, year_end: int, today: date) -> list[PeriodReading]:
    """Every period a question names, a year and its quarter or half beside it taken together."""
    spans = [
        PeriodReading("RANGE", match.group(), match[1], match[2], (), match.start(), match.end())
        for match in _SPAN.finditer(folded)
    ]
    rest = _without(folded, spans)
    periods = [*spans, *(at_its_end(rest, p) for p in find_periods(rest, year_end)), *relative_periods(rest, today)]
    periods += [month for period in periods if (month := month_before(rest, period)) is not None]
    half = find_partial(_without(folded, periods)) if periods else None
    if half is None:
        return periods
    joined = []
    for period in periods:
        first, last = sorted(((period.span_start, period.span_end), (half.span_start, half.span_end)))
        whole = None
        if period.period_type == "FY" and _BETWEEN.fullmatch(folded[first[1] : last[0]]):
            whole = combine(period, half, year_end)
        joined.append(period if whole is None else whole._replace(span_start=first[0], span_end=last[1]))
    if joined == periods and (beside := _beside(periods, half, folded, year_end)) is not None:
        joined.append(beside)
    return joined


def _beside(periods: list[PeriodReading], half: PartialPeriod, folded: str, year_end: int) -> PeriodReading | None:
    """The first of two quarters that share a year said once: Q3 and Q2 2024."""
    next_one = min((p for p in periods if p.span_start >= half.span_end), key=lambda p: p.span_start, default=None)
    if next_one is None or next_one.period_type not in ("Q", "HY", "M"):
        return None
    year = find_periods(f"FY{next_one.period[:4]}", year_end)
    if not year or not _AND.fullmatch(folded[half.span_end : next_one.span_start]):
        return None
    whole = combine(year[0], half, year_end)
    return None if whole is None else whole._replace(span_start=half.span_start, span_end=half.span_end)


def language_of(text: str) -> str:
    """The language a question is asked in."""
    han = sum(map(is_cjk, text))
    return "zh" if han >= 2 or (han and not re.search(r"[a-z]{3}", text)) else "en"


def _without(text: str, periods: list[PeriodReading]) -> str:
    for period in periods:
        text = text[: period.span_start] + " " * (period.span_end - period.span_start) + text[period.span_end :]
    return text


@cache
def _critical() -> tuple[frozenset[str], re.Pattern[str]]:
    lists = phrases()["critical"]
    han = sorted(lists["zh"], key=lambda word: (-len(word), word))
    return frozenset(lists["en"]), re.compile("|".join(map(re.escape, han)))


@cache
def critical_roots() -> frozenset[str]:
    """English words that change what a number is, as roots."""
    return frozenset(map(root, phrases()["critical"]["en"]))


def is_critical(word: str) -> bool:
    """Whether a word changes what a number is."""
    english, han = _critical()
    return han.search(word) is not None if is_cjk(word[0]) else word.lower() in english


@lru_cache(maxsize=65536)
def critical_forms(label: str) -> frozenset[str]:
    """The words of a label that change what a number is, as forms."""
    english, _ = _critical()
    found = {stem(token.text) for token in tokens(label) if token.kind == "latin" and token.text.lower() in english}
    return frozenset(found | {match.group()[:2] for match in _CHANGES.finditer(label)})


def _passed(word: Word, passing: list[tuple[int, int]]) -> Word:
    inside = any(start <= word.start and word.end <= end for start, end in passing)
    return word._replace(function=True, critical=False) if inside else word


_CHANGES = re.compile(r"同比|环比|增长|增速|增幅|增减|变动|占比|比重")  # of a figure, no figure of its own
_ORDINAL = re.compile(r"第[一二三四五六七八九十\d]")  # 第二批: one of several
_EARLIER = ("上年", "上期")  # made of small words, and not one of them


def _cut_at(token: Token, periods: Sequence[PeriodReading]) -> list[str]:
    """The words of a Chinese run; where a period begins or ends, so does a word: 2024年|销售额."""
    ends = {edge - token.start for p in periods for edge in (p.span_start, p.span_end)}
    places = [0, *sorted(edge for edge in ends if 0 < edge < len(token.text)), len(token.text)]
    return [word for first, last in pairwise(places) for word in cut(token.text[first:last])]


def _words(folded: str, periods: Sequence[PeriodReading]) -> list[Word]:
    found: list[Word] = []
    for token in tokens(folded):
        if token.kind == "han":
            at = token.start
            for piece in _cut_at(token, periods):
                function = not without_function_words(piece) and piece not in _EARLIER
                found.append(
                    Word(
                        piece,
                        at,
                        at + len(piece),
                        "han",
                        tuple(pairs(piece)),
                        function,
                        is_critical(piece) or _ORDINAL.match(piece) is not None,
                        unit=piece in unit_words(),
                    )
                )
                at += len(piece)
            continue
        lowered = token.text.lower()
        form = stem(token.text) if token.kind == "latin" else token.text.replace(",", "")
        form = "percent" if form in ("%", "‰") else form
        name_like = token.kind == "latin" and token.text[0].isupper() and not token.text.isupper() and bool(found)
        function = lowered in function_words()
        found.append(
            Word(
                token.text,
                token.start,
                token.end,
                token.kind,
                (form,),
                function,
                is_critical(lowered),
                name_like,
                lowered in unit_words(),
            )
        )
    return found


def _loose_pairs(folded: str) -> set[str]:
    """Pairs across the small words of a Chinese sentence: 完成的测绘 covers 完成测绘."""
    found: set[str] = set()
    for run in re.findall(r"[㐀-鿿]+", folded):
        found.update(pairs(run))
        found.update(run)
        bare = re.sub(r"[的了在是之所其和与及]", "", run)
        if bare:
            found.update(pairs(bare))
    return found


def _names(folded: str, vocabulary: Vocabulary) -> list[Phrase]:
    """Metrics, places, channels and organisations that the lexicon knows, longest first; kinds may overlap."""
    found: list[Phrase] = []
    taken: dict[str, list[tuple[int, int]]] = {}
    for start, end in _spans(folded, vocabulary):
        text = folded[start:end]
        for kind, form in _meanings(text, vocabulary):
            spans = taken.setdefault(kind, [])
            if not any(start < last and first < end for first, last in spans):
                spans.append((start, end))
                found.append(Phrase(form, start, end))
    return found


def _meanings(text: str, vocabulary: Vocabulary) -> list[tuple[str, str]]:
    found = []
    if (code := vocabulary.metric_code(text)) is not None:
        found.append(("m", f"m:{code}"))
    if (entity := vocabulary.entity(text)) is not None:
        found.append(("e", f"e:{entity.code.casefold()}"))
    if (place := vocabulary.geography(text)) is not None:
        found.append(("g", f"g:{place}"))
    if (channel := vocabulary.channel(text)) is not None:
        found.append(("c", f"c:{channel}"))
    return found


def _spans(folded: str, vocabulary: Vocabulary) -> list[tuple[int, int]]:
    """Stretches that may be a name: runs of words, and parts of Chinese runs; longest first."""
    found: list[tuple[int, int]] = []
    words = tokens(folded)
    for first, token in enumerate(words):
        if token.kind != "han":
            if vocabulary.may_begin(token.text):
                run = takewhile(lambda other: other.kind != "han", words[first : first + _LONGEST_NAME_WORDS])
                found += ((token.start, other.end) for other in run)
            continue
        for start in range(token.start, token.end - 1):
            if vocabulary.may_begin(folded[start : start + 2]):
                longest = min(token.end, start + _LONGEST_NAME_CHARACTERS)
                found += ((start, end) for end in range(start + 2, longest + 1))
    return sorted(found, key=lambda span: (span[0] - span[1], span[0]))
