"""One header text taken apart: its period, unit, entity, place, channel and scenario; what remains is the metric.

Nothing that carries meaning is lost: a word leaves the label only when it is kept in a field. A place or channel is
taken where it is the whole label, a segment set off by punctuation, or stands at the edge of a metric the vocabulary
knows; so `China revenue` is revenue in China, and a name such as `Bank of China Tower` stays whole.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import NamedTuple

from factspine.lexicon import names
from factspine.lexicon.catalogue import unit_signs
from factspine.lexicon.folding import Signs, fold, is_cjk, key_of
from factspine.lexicon.measured import LETTERS, bears_letter, is_paid, is_unsettled, letters_of
from factspine.lexicon.periods import (
    NOTE_MARK,
    PERIOD_SIGNS,
    PartialPeriod,
    PeriodReading,
    combine,
    find_partial,
    find_period,
)
from factspine.lexicon.scenario import scenario_signs, take_marks
from factspine.lexicon.units import UnitReading, find_unit
from factspine.lexicon.vocabulary import Vocabulary

__all__ = ["LabelReading", "read_label"]

_new = tuple.__new__  # a named tuple's own constructor takes twice as long
_CACHE_MOST = 65536
_LONGEST_LABEL = 300  # beyond that a text is prose and is left whole


class LabelReading(NamedTuple):
    """A label and what it says; a field is None or "" where the label does not say it."""

    text: str
    rest: str  # the words that are none of the others: the metric's
    period: PeriodReading | None = None
    partial: PartialPeriod | None = None
    unit: UnitReading | None = None
    entity: str = ""
    geography: str = ""
    channel: str = ""
    marks: tuple[str, ...] = ()


def read_label(text: str, vocabulary: Vocabulary) -> LabelReading:
    """The label taken apart; remembered per vocabulary, since labels repeat."""
    cache = vocabulary.label_cache
    found = cache.get(text)
    if found is None:
        found = _read(text, vocabulary)
        if len(cache) >= _CACHE_MOST:
            cache.clear()
        cache[text] = found
    return found


def _read(text: str, vocabulary: Vocabulary) -> LabelReading:
    if not text.strip() or len(text) > _LONGEST_LABEL:
        return LabelReading(text, text.strip())
    whole = _whole_name(text, vocabulary)
    if whole is not None:
        return whole
    if not _signs().are_in(fold(text)):
        lead = _take_lead(text)
        return _take_names(LabelReading(text, "", marks=lead.marks), lead.rest, vocabulary)
    unit = find_unit(text)
    body = _without_unit(text, unit)
    period = find_period(body, vocabulary.fiscal_year_end_month)
    partial = None if period else find_partial(body)
    marks: tuple[str, ...] = ()
    if period is not None:
        body = _blank(body, period.span_start, period.span_end)
        # `Year ended December 31,` and the year may stand in one label with something between them.
        half = find_partial(body)
        joined = combine(period, half, vocabulary.fiscal_year_end_month) if half else None
        if half is not None and joined is not None:
            period, body = joined, _blank(body, half.span_start, half.span_end)
        marks = period.marks
    elif partial is not None and partial.period_type != "W":  # the name of a week is all that tells it from others
        body, marks = _blank(body, partial.span_start, partial.span_end), partial.marks
    scenario = take_marks("" if (period or partial) and NOTE_MARK.fullmatch(body.strip()) else body)
    lead = _take_lead(scenario.rest)
    reading = LabelReading(
        text, "", period, partial, unit, marks=tuple(dict.fromkeys(marks + scenario.marks + lead.marks))
    )
    return _settle_letters(_take_names(reading, lead.rest, vocabulary), vocabulary)


@cache
def _signs() -> Signs:
    """What every label has that says a unit, a period or a mark; half of all labels have none of it."""
    return PERIOD_SIGNS.joined(unit_signs(), scenario_signs())


_PAID_FOR = frozenset({"physical", "time", "count"})
_SLASH = re.compile(r"\s*[/／]")


def _settle_letters(reading: LabelReading, vocabulary: Vocabulary) -> LabelReading:
    """`Revenue (m)` is in millions of something, `Height (m)` in metres, `EPS (p)` in pence: the metric tells."""
    unit, label = reading.unit, reading.rest
    if not label:
        return reading
    if unit is not None and unit.kind in _PAID_FOR and is_paid(label) and _SLASH.match(reading.text, unit.start):
        return reading._replace(unit=unit._replace(unit=f"/{unit.unit}", kind="rate"), rest=_clean(reading.text))
    if unit is not None:
        said = fold(reading.text[unit.start : unit.end]).strip("() ")
        if unit.scale or said not in LETTERS:
            return reading
        label = f"{label} ({said})"
    elif label[-1:] not in ")）":
        return reading
    code = vocabulary.metric_code(label.rpartition("(")[0]) or vocabulary.metric_code(label.rpartition("（")[0])
    letters = letters_of(label, vocabulary.metric_kind(code) if code else "")
    if letters is not None:
        return reading._replace(unit=letters.unit, rest=_clean(letters.rest))
    if unit is not None and not bears_letter(reading.rest, label):
        reading = reading._replace(unit=None, rest=label)  # `Losses (L)`: short for the word before it
    if reading.unit is None and is_unsettled(label):
        return reading._replace(unit=UnitReading("", kind="unsettled"))
    return reading


def _whole_name(text: str, vocabulary: Vocabulary) -> LabelReading | None:
    """A label that is a known metric or name as it stands is not taken apart."""
    if vocabulary.metric_code(text) is not None:
        # `Change (%)` is a name, and says its unit all the same.
        return LabelReading(text, _clean(text), unit=find_unit(text))
    entity = vocabulary.entity(text)
    if entity is not None:
        return LabelReading(text, "", entity=entity.code, geography=entity.geography)
    return None


def _blank(text: str, start: int, end: int) -> str:
    """The text with a span replaced by spaces, so that its neighbours do not grow together."""
    return text[:start] + " " * (end - start) + text[end:]


def _without_unit(text: str, unit: UnitReading | None) -> str:
    if unit is None:
        return text
    after = fold(text[unit.end :]).lstrip().lower()
    if unit.kind == "percent" and after and text[unit.start : unit.end].strip() in ("%", "％", "‰"):
        # `% of revenue`, `% change`: without its sign the label would be another metric.
        return text
    return _blank(text, unit.start, unit.end)


class _Lead(NamedTuple):
    marks: tuple[str, ...]
    rest: str


_NUMBERING = re.compile(
    r"^\s*(?:[(（]?[一二三四五六七八九十]{1,3}[)）、.．]\s*|[一二三四五六七八九十]{1,3}\s*[、.．]\s*|[(（]\s*\d{1,2}\s*[)）]\s*"
    r"|\d{1,2}(?:\.\d{1,2}){0,3}[、.．)）]\s*(?=\D)|\d{1,2}(?:\.\d{1,2}){1,3}\s+(?=\D)|[(（]?[ivxIVX]{1,4}[)）.]\s+|[①-⑳]\s*"
    r"|[•·▪■◆●○–—-]\s+)"
)
_LEADS = (
    (
        "of_which",
        re.compile(r"^\s*(?:其中\s*[:：]?|of which\s*[:：]?|including\s*[:：]|incl\.\s*[:：]?)\s*", re.IGNORECASE),
    ),
    ("less", re.compile(r"^\s*(?:减\s*[:：]|減\s*[:：]|less\s*[:：])\s*", re.IGNORECASE)),
    ("add", re.compile(r"^\s*(?:加\s*[:：]|add\s*[:：]|plus\s*[:：])\s*", re.IGNORECASE)),
)
# The characters with which either begins: most labels begin otherwise and need no closer look.
_NUMBERING_STARTS = frozenset("(（一二三四五六七八九十0123456789ivxIVX①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳•·▪■◆●○–—-")
_LEAD_STARTS = frozenset("其oOiI减減lL加aApP")


def _take_lead(text: str) -> _Lead:
    """Numbering and `of which:` before the label; the words of the second kind become marks."""
    first = text.lstrip()[:1]
    rest = _NUMBERING.sub("", text, count=1) if first in _NUMBERING_STARTS else text
    marks = []
    if rest is text and first not in _LEAD_STARTS:
        return _new(_Lead, ((), text))
    for mark, pattern in _LEADS:
        found = pattern.match(rest)
        if found is not None and found.end() < len(rest.rstrip()):
            marks.append(mark)
            rest = rest[found.end() :]
    return _Lead(tuple(marks), rest if rest.strip() else text)


_BREAK = re.compile(
    r"\s+[-–—‐―]+\s+|[|｜\n\t_;；:：/／,，、·•()（）\[\]【】]|[–—―]+|(?<=[㐀-鿿])\s*-\s*|\s*-\s*(?=[㐀-鿿])"
)
_BREAK_CHARACTERS = frozenset("-–—‐―|｜\n\t_;；:：/／,，、·•()（）[]【】")  # one of them is in every break


def _take_names(reading: LabelReading, rest: str, vocabulary: Vocabulary) -> LabelReading:
    """Entity, place and channel taken out of what remains of the label."""
    cleaned = _clean(rest)
    if not cleaned:
        return reading
    named = _as_name(reading, cleaned, vocabulary)
    if named is not None:
        is_counted = named.channel and reading.unit is not None and reading.unit.kind in ("count", "scale")
        return _with_rest(reading, cleaned) if is_counted else named  # `Agents ('000)` are counted themselves
    if vocabulary.metric_code(cleaned) is not None:
        return _with_rest(reading, cleaned)
    if not _BREAK_CHARACTERS.isdisjoint(rest) and (breaks := _BREAK.findall(rest)):
        pieces = _BREAK.split(rest)
        kept = [True] * len(pieces)
        for position, piece in enumerate(pieces):
            named = _as_name(reading, _clean(piece), vocabulary, segment=True)
            if named is not None and any(kept[i] and _clean(p) for i, p in enumerate(pieces) if i != position):
                reading, kept[position] = named, False
        if not all(kept):
            cleaned = _clean(_rejoin(pieces, breaks, kept))
    reading, cleaned = _take_edges(reading, cleaned, vocabulary)
    return _with_rest(reading, cleaned)


def _with_rest(reading: LabelReading, rest: str) -> LabelReading:
    return _new(LabelReading, (reading[0], rest, *reading[2:]))


def _rejoin(pieces: list[str], breaks: list[str], kept: list[bool]) -> str:
    """The kept pieces with the marks between them; what stood around a taken piece becomes a space."""
    text = pieces[0] if kept[0] else ""
    for position in range(1, len(pieces)):
        if kept[position] and kept[position - 1]:
            text += breaks[position - 1] + pieces[position]
        elif kept[position]:
            text += " " + pieces[position]
    return text


def _as_name(reading: LabelReading, text: str, vocabulary: Vocabulary, *, segment: bool = False) -> LabelReading | None:
    """The reading with a name taken, where the text is one and the label has not said one of its kind before."""
    if not text:
        return None
    known = _names_of(vocabulary).names
    if key_of(text) in known or fold(text).strip() in known:
        entity = vocabulary.entity(text)
        if entity is not None and not reading.entity:
            return reading._replace(entity=entity.code, geography=reading.geography or entity.geography)
        place = None if reading.geography else vocabulary.geography(text)
        if place is not None:
            return reading._replace(geography=place)
        channel = None if reading.channel else vocabulary.channel(text)
        if channel is not None:
            return reading._replace(channel=channel)
    if not segment and not reading.entity and (company := names.organisation(text)) is not None:
        return reading._replace(entity=company)
    return None


_SHORT_WORDS = frozenset({"us", "usa", "uk", "hk", "prc", "uae", "eu", "u", "the"})
_PREPOSITION = re.compile(r"\s+(?:in|from|within|to|by|via|through)\s+(?:the\s+)?", re.IGNORECASE)


class _Names(NamedTuple):
    """All names, and how they begin and end: their first and last words, their first and last two characters."""

    names: frozenset[str]
    first_words: frozenset[str]
    last_words: frozenset[str]
    heads: frozenset[str]
    tails: frozenset[str]


@lru_cache(maxsize=4)
def _names_of(vocabulary: Vocabulary) -> _Names:
    known = [*vocabulary.entities, *vocabulary.channels, *names.every_key()]
    words = [name.split(" ") for name in known]
    return _Names(
        frozenset(known),
        frozenset(name[0] for name in words) | _SHORT_WORDS,
        frozenset(name[-1] for name in words) | _SHORT_WORDS,
        frozenset(name[:2] for name in known),
        frozenset(name[-2:] for name in known),
    )


def _may_have_name(text: str, vocabulary: Vocabulary) -> bool:
    """Whether a name stands at an edge at all; tells quickly, since nearly no label has one."""
    key = key_of(text)
    known = vocabulary.is_name
    edges = _names_of(vocabulary)
    words = key.split(" ")
    if len(words) > 1 and (words[0] in edges.first_words or words[-1] in edges.last_words):
        longest = min(4, len(words) - 1)
        for count in range(1, longest + 1):
            if known(" ".join(words[:count])) or known(" ".join(words[-count:])):
                return True
        if any(word in _SHORT_WORDS for word in (words[0], words[-1])):
            return True
    if not key.isascii() and (key[:2] in edges.heads or key[-2:] in edges.tails or key[-1:] in edges.tails):
        cuts = {*range(2, min(9, len(key))), *range(max(2, len(key) - 8), len(key) - 1)}
        return any(known(key[:at]) or known(key[at:]) for at in cuts)
    return False


def _take_edges(reading: LabelReading, text: str, vocabulary: Vocabulary) -> tuple[LabelReading, str]:
    """A name at the edge: after a space between Chinese words, or beside a metric the vocabulary knows."""
    if not _may_have_name(text, vocabulary):
        return reading, text
    for head, tail in _edge_cuts(text):
        for name, other in ((head, tail), (tail, head)):
            taken = _as_name(reading, name.strip(), vocabulary, segment=True)
            if taken is None or (taken.channel != reading.channel and _is_common_word(name.strip())):
                continue
            both = _as_name(taken, other.strip(), vocabulary, segment=True)
            if both is not None:
                return both, ""
            if taken.geography != reading.geography and vocabulary.geography(other.strip()) == taken.geography:
                return taken, ""  # the same place in two languages
            between_chinese = is_cjk(head[-1]) and is_cjk(tail.lstrip()[0]) and tail[0].isspace()
            if between_chinese or vocabulary.metric_code(other) is not None:
                return taken, _clean(other)
    return reading, text


def _is_common_word(channel: str) -> bool:
    """Whether a built-in channel may be an ordinary part of the metric: retail revenue, direct costs, online sales.

    Without punctuation around it, such a name counts only where it calls itself a channel, or the user's file names it.
    """
    return names.channel(channel) is not None and not _CALLED_CHANNEL.search(channel)


_CALLED_CHANNEL = re.compile(r"(?:渠道|通路|channel)$", re.IGNORECASE)


def _edge_cuts(text: str) -> list[tuple[str, str]]:
    """The ways of cutting a label in two at a word boundary near its ends."""
    found = _PREPOSITION.search(text)
    cuts = [(text[: found.start()], text[found.end() :])] if found and found.start() and found.end() < len(text) else []
    spaces = [at for at, c in enumerate(text) if c == " " and 0 < at < len(text) - 1]
    cuts += [(text[:at], text[at:]) for at in dict.fromkeys(spaces[:4] + spaces[-4:])]
    if is_cjk(text[0]):
        cuts += [(text[:at], text[at:]) for at in range(2, min(9, len(text) - 1))]
    return [(head, tail) for head, tail in cuts if head.strip() and tail.strip()]


_FOOTNOTE = re.compile(
    r"(?:\s*(?:[*†‡§¶]++|[¹²³⁰⁴-⁹⁽⁾ᵃ-ᵿᶜ①-⑳]++(?:[, ]{1,2}[¹²³⁰⁴-⁹⁽⁾ᵃ-ᵿᶜ]++)*+"
    r"|\[[0-9a-z]{1,2}\]|\((?:注|附注|note|notes)\s*[\d, ]*\)"
    r"|（(?:注|附注)[^）]{0,6}）))+\s*$",
    re.IGNORECASE,
)
_EMPTY_BRACKETS = re.compile(r"[(（\[【]\s*[)）\]】]")
_SPACE_BEFORE = re.compile(r"\s+([,，;；:：)）])")
_SPACE_AFTER = re.compile(r"([(（])\s+")
_BRACKETS = frozenset("()（）")
# Every character that ends a footnote's mark, and every one that any of the above looks for.
_FOOTNOTE_ENDS = frozenset("*†‡§¶])）") | frozenset(map(chr, [0xB9, 0xB2, 0xB3, *range(0x1D43, 0x1D80), 0x1D9C]))
_FOOTNOTE_ENDS |= frozenset(map(chr, [*range(0x2070, 0x207A), 0x207D, 0x207E, *range(0x2460, 0x2474)]))
_UNTIDY = frozenset("()（）[]【】,，;；:：") | _FOOTNOTE_ENDS
_EDGES = " \t\r\n,，;；:：、|/／_-–—―·•"


_SIGNED = re.compile(r"\s*[-−]\d")
_SIGNS = frozenset("-−")


def _clean(text: str) -> str:
    """The words of a label without the punctuation that a taken neighbour left behind."""
    if text.lstrip()[:1] in _SIGNS and _SIGNED.match(text) and not text[-1:].isdigit():
        return f"-{_clean(text.lstrip()[1:])}"  # `-50 bps` is not `50 bps`
    if _UNTIDY.isdisjoint(text):
        return " ".join(text.split()).strip(_EDGES)
    text = _EMPTY_BRACKETS.sub(" ", text)
    text = text.rstrip()
    if text[-1:] in _FOOTNOTE_ENDS:
        text = _FOOTNOTE.sub("", text) or text
    text = " ".join(text.split()).strip(_EDGES)
    text = _SPACE_BEFORE.sub(r"\1", text)
    text = _SPACE_AFTER.sub(r"\1", text)
    if text[:1] in "(（" and text[-1:] in ")）" and _BRACKETS.isdisjoint(text[1:-1]):
        text = text[1:-1].strip(_EDGES)
    return text
