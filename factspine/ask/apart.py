"""Metrics whose names stand apart in a question: 零售分部2024年上半年营收, `Garden's FY2024 turnover`.

A label may say what is measured and of which part of the whole (`Revenue – Garden`, 零售分部 – 营收). A question says
the two in any order and puts the period between them, and calls what is measured by any of its names. These readings
are tried where no name that stands together leads to a figure.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from factspine.ask.interpretations import Named, Reading, around, entities_in, is_free, keys_in
from factspine.ask.question import Question
from factspine.ask.terms import TermIndex
from factspine.lexicon.folding import is_cjk

_TRIED = 24
# What a part of a business is, beside its name: the Garden segment, 华东大区.
_KIND = re.compile(
    r"(?:'s)?\s+(?:segment|division|business|region|market|unit)(?:'s)?(?![a-z])"
    r"|(?:分部|板块|事业部|业务|部门|大区|地区|区域|市场|区)",
    re.IGNORECASE,
)
# Joins a name and a period that stands in it: 零售分部在2024年的营收, `Retail in FY2024 revenue`.
_BEFORE = re.compile(r"(?:[\s,，]|\b(?:in|for|during|of)|[在于的])*$", re.IGNORECASE)
_BEHIND = re.compile(r"[\s,，的]*")
Span = tuple[int, int]
Apart = tuple[tuple[Span, ...], set[str]]  # the pieces of a name, and the metrics that are called so


def readings_apart(question: Question, index: TermIndex) -> list[Reading]:
    """The ways of reading a question whose metric stands in pieces, with nothing left over; best first."""
    entities = entities_in(question.text, index)
    found: dict[tuple[frozenset[str], tuple[Span, ...]], Reading] = {}
    for pieces, codes in (*_closed(question, index), *_of_parts(question, index)):
        key = frozenset(codes), pieces
        if key not in found and len(found) < _TRIED:
            found[key] = _reading(question, pieces, key[0], entities)
    whole = [reading for reading in found.values() if not reading.leftover]
    return sorted(whole, key=lambda reading: reading.weight)


def _reading(question: Question, pieces: Sequence[Span], codes: frozenset[str], entities: list[Named]) -> Reading:
    ends = min(start for start, _ in pieces), max(end for _, end in pieces)
    return around(question, ends, codes, entities, pieces)


def _closed(question: Question, index: TermIndex) -> Iterator[Apart]:
    """Names of metrics that a period cuts in two."""
    text = question.text
    for period in question.periods:
        before, behind = _BEFORE.search(text, 0, period.span_start), _BEHIND.match(text, period.span_end)
        first = period.span_start if before is None else before.start()
        second = period.span_end if behind is None else behind.end()
        if not 0 < first < second < len(text):
            continue
        gap = "" if is_cjk(text[first - 1]) and is_cjk(text[second]) else " "
        shift = second - first - len(gap)
        for start, end, key in keys_in(f"{text[:first]}{gap}{text[second:]}"):
            if start < first and first + len(gap) < end and (codes := index.metrics.get(key)):
                yield ((start, first), (second, end + shift)), codes


def _of_parts(question: Question, index: TermIndex) -> Iterator[Apart]:
    """What is measured and the part it is measured of, each by itself."""
    stretches = list(keys_in(question.text))
    for start, end, key in stretches:
        for head in index.measures.get(key, ()):
            of_head = index.parts[head]
            for first, last, other in stretches:
                codes = of_head.get(other)
                if codes and is_free(first, last, [(start, end)]):
                    yield ((start, end), (first, _with_kind(question.text, last))), codes


def _with_kind(text: str, end: int) -> int:
    """The end of a part's name with the word behind it that says what kind of part it is."""
    kind = _KIND.match(text, end)
    return end if kind is None else kind.end()
