"""The backstop: every number in a text is a number of its evidence, or the sentence that says it is named."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from factspine.cite.agreement import SMALL_IN_WORDS
from factspine.cite.derivations import Stated, bears, find_stated, result_of
from factspine.cite.evidence import Evidence, evenly_spaced
from factspine.cite.figures import FROM, TO, Figure, read_figures
from factspine.cite.settings import clause_settings
from factspine.cite.sources import without_sources
from factspine.lexicon.sentences import Span, split_sentences

_DIGITS_OF_NAMES_MAX = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class SentenceCheck:
    """One sentence of a text and the numbers in it that the evidence does not hold."""

    span: Span
    text: str
    figures: tuple[Figure, ...]
    foreign: tuple[Figure, ...]

    @property
    def ok(self) -> bool:
        """Whether every number of it was found."""
        return not self.foreign


def check_numbers(text: str, evidence: Evidence | Callable[[Span], Evidence]) -> list[SentenceCheck]:
    """Every sentence of a text with what is not in the evidence; the evidence may differ from sentence to sentence."""
    text = evenly_spaced(text)
    claimed = without_sources(text)
    figures = read_figures(claimed)
    checks = []
    sums = find_stated(claimed)
    clauses = dict(zip((figure.start for figure in figures), clause_settings(claimed, figures), strict=True))
    for span in split_sentences(claimed):
        here = [figure for figure in figures if span.start <= figure.start < span.end]
        known = evidence if isinstance(evidence, Evidence) else evidence(span)
        foreign = tuple(
            figure
            for figure in here
            if (
                not known.supports(figure, here, clauses[figure.start])
                if _is_checked(figure)
                else known.contradicts(figure)
            )
        )
        foreign = (*foreign, *(one for one in _turned(here, known) if one not in foreign))
        foreign = _without_derived(foreign, [one for one in sums if span.start <= one.start < span.end], claimed, known)
        checks.append(SentenceCheck(span=span, text=text[span.start : span.end], figures=tuple(here), foreign=foreign))
    return checks


def _turned(here: Sequence[Figure], known: Evidence) -> list[Figure]:
    """Two levels turned round: up from 355 to 310, or from what the evidence says it went to, to what it came from."""
    turned = []
    levels = [one for one in here if one.kind == "amount" and one.step < 0]
    for one, other in pairwise(levels):
        if (one.step, other.step) != (FROM, TO) or one.negative or other.negative:
            continue
        measure = one.measure if one.measure.unit or one.measure.scale else other.measure
        change = other.value.scaleb(other.measure.scale) - one.value.scaleb(measure.scale)
        comparable = one.measure.unit == other.measure.unit or not one.measure.unit
        if (comparable and change * one.direction < 0) or known.has_move(other, one) > known.has_move(one, other):
            turned += [one, other]
    return turned


def _without_derived(
    foreign: tuple[Figure, ...], sums: Sequence[Stated], text: str, known: Evidence
) -> tuple[Figure, ...]:
    """What is foreign but for results of sums that the sentence states over numbers of the evidence, and these."""
    for stated in sums if foreign else ():
        figures = [figure for figure in read_figures(text) if figure.kind == "amount"]
        result = result_of(stated, figures, text)
        if result is not None and bears(stated, result, known.measures_of):
            foreign = tuple(
                one for one in foreign if one.start != result.start and not stated.start < one.start < stated.end
            )
    return foreign


def _is_checked(figure: Figure) -> bool:
    if figure.kind == "code":
        return not _is_name(figure.text)
    if not figure.in_words:
        return True
    if figure.kind == "ordinal":
        return figure.ranks  # else `first` and `second` order an argument
    return figure.value >= SMALL_IN_WORDS or bool(figure.measure.scale or figure.measure.unit in ("%", "pp", "x"))


def _is_name(code: str) -> bool:
    """Letters with a digit or two among them name a thing (`W3C`, `TiO2`); digits that stand apart, and many, count."""
    digits = [mark for mark in code if mark.isdigit()]
    return code.isalnum() and len(digits) <= _DIGITS_OF_NAMES_MAX


def foreign_figures(checks: Sequence[SentenceCheck]) -> list[Figure]:
    """All numbers that no evidence holds."""
    return [figure for check in checks for figure in check.foreign]
