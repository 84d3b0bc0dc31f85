"""A label as the question sees it: the forms that may be matched, and the units that ought to be covered.

Forms are plain strings. Words are themselves (stemmed); what the lexicon understands has a prefix: `m:` a metric,
`g:` a place, `c:` a channel, `e:` an organisation, `p:` a period, `s:` a scenario or position in the period.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from factspine.ask.words import function_words, pairs, stem, synonym_forms, tokens
from factspine.lexicon.folding import key_of
from factspine.lexicon.labels import read_label
from factspine.lexicon.vocabulary import Vocabulary

_CACHE_MOST = 300_000
SMALL_WORDS = frozenset(
    {"of", "the", "and", "in", "for", "to", "a", "an", "by", "on", "at", "or", "with", "from", "per", "as"}
)
# One amount over another is a ratio, whatever it is called: loans as a percentage of deposits, debt to total equity.
_RATIO = re.compile(
    r"\bas a (?:percentage|percent|proportion|share|%) of\b|(?:\bto|/) ?(?:total|net|gross|average)\b", re.IGNORECASE
)
# A label spread over its cell: 合  计.
_SPACED = re.compile(r"(?<=[㐀-鿿])\s+(?=[㐀-鿿])")


class Features(NamedTuple):
    """What a label offers: forms, and its units (words, or single Chinese characters with the pairs they are in)."""

    text: str
    forms: frozenset[str]
    words: tuple[str, ...]  # stems, in order, small words left out
    han: tuple[str, ...]  # Chinese runs
    initials: str  # first letters of its words, with and without the small ones: what an abbreviation of it would be
    total: float  # how much it says "all of them": 1 nothing else, less where it names what


_TOTAL_FORM = "total"
_HAN_TOTALS = ("合计", "总计", "小计", "总额", "共计", "是")


def label_features(text: str, vocabulary: Vocabulary, cache: dict[str, Features]) -> Features:
    """The features of a label; `cache` belongs to one vocabulary."""
    found = cache.get(text)
    if found is None:
        if len(cache) >= _CACHE_MOST:
            cache.clear()
        found = cache[text] = _features(text, vocabulary)
    return found


def _features(text: str, vocabulary: Vocabulary) -> Features:
    forms: set[str] = set()
    words: list[str] = []
    runs: list[str] = []
    initials: list[str] = []
    telling = ""
    text = _SPACED.sub("", text)
    for token in tokens(text):
        if token.kind == "han":
            runs.append(token.text)
            forms.update(pairs(token.text))
        else:
            form = stem(token.text) if token.kind == "latin" else token.text.replace(",", "")
            form = "percent" if form in ("%", "‰") else form
            forms.add(form)
            small = token.text.lower() in SMALL_WORDS
            if token.kind == "latin":
                initials.append(token.text[0].lower())
                telling += "" if small else token.text[0].lower()
            if not small:
                words.append(form)
    for form, _, _ in synonym_forms(text):
        forms.add(form)
    if _RATIO.search(text):
        forms.add("ratio")
    forms |= said_forms(text, vocabulary)
    letters = f"{''.join(initials)} {telling}"
    return Features(text, frozenset(forms), tuple(words), tuple(runs), letters, _total(words, runs))


def _total(words: list[str], runs: list[str]) -> float:
    if words in ([_TOTAL_FORM], ["yes"]) or (not words and "".join(runs) in _HAN_TOTALS):
        return 1.0
    return 0.8 if words[:1] in ([_TOTAL_FORM], ["both"]) else 0.6 if _TOTAL_FORM in words[-1:] else 0.0


def said_forms(text: str, vocabulary: Vocabulary) -> set[str]:
    """What the lexicon understands of a label, as forms."""
    reading = read_label(text, vocabulary)
    forms: set[str] = set()
    code = vocabulary.metric_code(reading.rest) if reading.rest else None
    if code is not None:
        forms.add(f"m:{code}")
    if reading.geography:
        forms.add(f"g:{reading.geography}")
    if reading.channel:
        forms.add(f"c:{reading.channel}")
    if reading.entity:
        forms.add(entity_form(reading.entity))
    if reading.period is not None:
        forms.add(f"p:{reading.period.period}")
    forms.update(f"s:{mark}" for mark in reading.marks)
    return forms


def entity_form(name: str) -> str:
    """The form of an organisation or of a record's name."""
    return f"e:{key_of(name)}"


__all__ = ["SMALL_WORDS", "Features", "entity_form", "function_words", "label_features", "said_forms"]
