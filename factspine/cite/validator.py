"""The validator: citations against what this request retrieved, markers against the list, numbers against the quotes.

verdict = validate(answer, citations, retrieved)      # codes of the contract; `ok` where there is nothing to say
verdict = validate_citations(citations, retrieved)    # citations alone: fields, scores, offsets, identity, snippets
verdict = validate_text(answer, references)           # numbers alone, against texts that are all evidence
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from factspine.cite.backstop import check_numbers
from factspine.cite.derivations import find_stated
from factspine.cite.evidence import Evidence, evenly_spaced
from factspine.cite.payload import (
    Retrieved,
    citation_codes,
    mixed_units,
    retrieved_set,
)
from factspine.cite.snippets import Match
from factspine.cite.sources import WrittenSource, find_sources, without_sources
from factspine.core.errors import UsageError
from factspine.core.facts import Fact
from factspine.core.locators import Locator, parse
from factspine.core.markers import find_markers, marker, markers_are_in_order, numbers_in, without_markers
from factspine.lexicon.sentences import Span, split_sentences

_SHORTEST_CLAIM = 2  # words; a heading of one word claims nothing


@dataclass(frozen=True, slots=True, kw_only=True)
class Unsupported:
    """A sentence that does not stand, and why."""

    text: str
    code: str
    span: Span
    figures: tuple[str, ...] = ()  # the numbers that no evidence holds

    def as_dict(self) -> dict[str, Any]:
        """The finding as the command line prints it."""
        return {"text": self.text, "code": self.code, "figures": list(self.figures)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What a validation found: codes in the order they were met, each once."""

    codes: tuple[str, ...] = ()
    unsupported: tuple[Unsupported, ...] = ()
    matches: tuple[Match, ...] = field(default=())  # how each citation's snippet was found

    @property
    def ok(self) -> bool:
        """Whether there is nothing to say against the text."""
        return not self.codes

    def as_dict(self) -> dict[str, Any]:
        """The verdict as the command line prints it."""
        return {
            "ok": self.ok,
            "codes": list(self.codes) or ["ok"],
            "unsupported": [one.as_dict() for one in self.unsupported],
            "matches": list(self.matches),
        }


def validate_text(answer: str, references: Sequence[str], facts: Sequence[Fact] = ()) -> Verdict:
    """The numbers of a text against texts and facts that are all evidence for all of it."""
    return _verdict([], _foreign_numbers(answer, Evidence(references, facts)))


def validate(
    answer: str,
    citations: Sequence[Mapping[str, Any]],
    retrieved: Iterable[Mapping[str, Any]],
    *,
    facts: Sequence[Fact] = (),
    index_hash: str = "",
    analyzer: str = "",
    allow_cross_section: bool = False,
) -> Verdict:
    """An answer with its citations against the set that was retrieved for this very request."""
    if not citations:
        return _verdict(["empty_citations"], [])
    answer = evenly_spaced(answer)
    known = retrieved_set(retrieved, index_hash=index_hash, analyzer=analyzer)
    codes, _, matches = _payloads(citations, known)
    written = [_citation_of(source, citations) for source in find_sources(answer)]
    if None in written:
        codes.append("not_retrieved")
    if not find_markers(answer):
        answer = _with_markers(answer, citations)
    said = without_sources(answer)
    marked = bool(find_markers(said))
    if not markers_are_in_order(said, len(citations)):
        codes.append("bad_marker")
    sentences = [said[span.start : span.end] for span in split_sentences(said)]
    segments = [numbers_in(sentence) for sentence in sentences] if marked else [list(range(1, len(citations) + 1))]
    if not allow_cross_section and any(_crosses(segment, citations) for segment in segments):
        codes.append("cross_section_reuse")
    unsupported = [*_unmarked(said), *_foreign_numbers(answer, _Quotes(answer, citations, known, facts))]
    return _verdict(codes, sorted(unsupported, key=lambda one: one.span), matches)


def validate_citations(
    citations: Sequence[Mapping[str, Any]],
    retrieved: Iterable[Mapping[str, Any]],
    *,
    index_hash: str = "",
    analyzer: str = "",
) -> Verdict:
    """Citations without the text that names them, against what was retrieved or what the store holds."""
    if not citations:
        return _verdict(["empty_citations"], [])
    return _verdict(*_payloads(citations, retrieved_set(retrieved, index_hash=index_hash, analyzer=analyzer)))


def _payloads(
    citations: Sequence[Mapping[str, Any]], known: Retrieved
) -> tuple[list[str], list[Unsupported], list[Match]]:
    codes: list[str] = ["bad_offsets"] if mixed_units(citations) else []
    matches: list[Match] = []
    for citation in citations:
        found, match = citation_codes(citation, known)
        codes += found
        matches.append(match)
    return codes, [], matches


class _Quotes:
    """The evidence of each sentence: what the citations it names quote, as far as these stand."""

    def __init__(
        self, answer: str, citations: Sequence[Mapping[str, Any]], known: Retrieved, facts: Sequence[Fact]
    ) -> None:
        self._answer = answer
        self._citations = citations
        self._known = known
        self._facts = facts

    def __call__(self, span: Span) -> Evidence:
        cited = [
            self._citations[n - 1]
            for n in numbers_in(self._answer[span.start : span.end])
            if 1 <= n <= len(self._citations)
        ]
        standing = [one for one in cited if not citation_codes(one, self._known)[0]]
        pages = [page for one in standing if isinstance(page := one.get("page"), int)]
        headings = dict.fromkeys(str(one.get("section_id") or "") for one in standing)
        return Evidence([self._known.quoted(one) for one in standing], self._facts, pages, headings)


def _with_markers(answer: str, citations: Sequence[Mapping[str, Any]]) -> str:
    """A text that writes its sources out and marks nothing: each source marks the citation it is."""
    pieces, at = [], 0
    for bracket, sources in groupby(find_sources(answer), key=lambda source: source.bracket):
        numbers = [_citation_of(source, citations) for source in sources]
        pieces += [answer[at : bracket.end], "".join(marker(number) for number in numbers if number is not None)]
        at = bracket.end
    return _with_operands("".join(pieces) + answer[at:])


def _with_operands(answer: str) -> str:
    """A line that states a sum and no source rests on the sources of the lines under it, which tell its operands."""
    lines = answer.split("\n")
    for at, line in enumerate(lines):
        if find_stated(line) and not find_markers(line):
            below = dict.fromkeys(number for other in lines[at + 1 :] for number in numbers_in(other))
            lines[at] = f"{line} {''.join(map(marker, below))}".rstrip()
    return "\n".join(lines)


def _citation_of(source: WrittenSource, citations: Sequence[Mapping[str, Any]]) -> int | None:
    """Which citation a source is that a text writes out, 1-based; short forms of citations tell no place."""
    for number, one in enumerate(citations, 1):
        if source.doc_id in (one.get("doc_id"), one.get("source_filename")):
            place = one.get("locator")
            if not place or _is_at(source.locator, str(place)):
                return number
    return None


def _is_at(place: Locator, cited: str) -> bool:
    """Whether a place is the cited one, or names it in fewer words."""
    try:
        return set(place.pairs) <= set(parse(cited).pairs)
    except UsageError:
        return False


def _crosses(segment: Iterable[int], citations: Sequence[Mapping[str, Any]]) -> bool:
    sections = {citations[number - 1].get("section_id") for number in segment if 1 <= number <= len(citations)}
    return len(sections - {None}) > 1


def _unmarked(answer: str) -> list[Unsupported]:
    """Sentences that claim something and name no citation."""
    found = []
    for span in split_sentences(answer):
        text = answer[span.start : span.end]
        if not numbers_in(text) and _claims(without_markers(text)):
            found.append(Unsupported(text=text, code="bad_marker", span=span))
    return found


def _claims(sentence: str) -> bool:
    """Whether a sentence says anything: a line that ends in a colon introduces, a single word is a heading."""
    if sentence.rstrip("* ").endswith((":", "：")):
        return False
    words = sentence.split()
    chinese = sum("㐀" <= mark <= "鿿" for mark in sentence)
    return len(words) >= _SHORTEST_CLAIM or chinese > _SHORTEST_CLAIM


def _foreign_numbers(answer: str, evidence: Evidence | _Quotes) -> list[Unsupported]:
    return [
        Unsupported(
            text=check.text,
            code="uncited_number",
            span=check.span,
            figures=tuple(figure.text for figure in check.foreign),
        )
        for check in check_numbers(answer, evidence)
        if not check.ok
    ]


def _verdict(codes: Iterable[str], unsupported: Sequence[Unsupported], matches: Sequence[Match] = ()) -> Verdict:
    every = dict.fromkeys([*codes, *(one.code for one in unsupported)])
    return Verdict(codes=tuple(every), unsupported=tuple(unsupported), matches=tuple(matches))
