"""Passages become chunks along the structure of the document: never across a section, a slide or a page.

Short neighbours under one heading are one chunk, so that a bullet is found with its fellows. A passage longer than a
chunk is cut at the end of a sentence, and only there does a chunk repeat the last sentence of the one before.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from factspine.core.chunks import Chunk, ChunkKind, ChunkPart
from factspine.core.errors import UsageError
from factspine.core.hashing import identify
from factspine.core.locators import Locator, parse
from factspine.core.tables import Passage
from factspine.interpret.titles import read_title
from factspine.lexicon.periods import find_period
from factspine.lexicon.sentences import Span, split_sentences
from factspine.lexicon.vocabulary import Vocabulary
from factspine.narrative.analyzer import language_of, words

CHUNKER_VERSION = "chunks/5"
CHARACTERS_MAX = 1200  # about a paragraph or two; longer chunks hide what they are found for
_OVERLAP_MAX = 200
_PLACES = ("page", "slide", "sheet")
_APART: dict[str, ChunkKind] = {"notes": "notes", "comment": "comment"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """What all chunks of one reading share."""

    doc_id: str
    rev: str
    extractor_version: str
    sensitivity: str = "PUBLIC"
    title: str = ""
    entity: str = ""  # whose document it is, where its title says so

    @property
    def source_id(self) -> str:
        """The short name of this revision of this document, from content alone."""
        return identify("source", self.doc_id, self.rev, self.extractor_version).hex()[:12]


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A chunk before it has a name and a number."""

    kind: ChunkKind
    text: str
    parts: tuple[ChunkPart, ...]
    section: tuple[str, ...]
    hidden: bool = False
    entity: str = ""  # whom it is about, where headings or labels say so


def title_of(passages: Iterable[Passage], otherwise: str) -> str:
    """What a document calls itself: its first title, or else the name of its file."""
    for passage in passages:
        if passage.kind == "title" and passage.text.strip():
            return " ".join(passage.text.split())
    return otherwise.rpartition("/")[2].rpartition(".")[0] or otherwise


def draft_passages(passages: Sequence[Passage], vocabulary: Vocabulary) -> Iterator[Draft]:
    """Chunks of prose, in the order of the document."""
    for (place, kind, section, hidden), group in groupby(passages, key=_group_key):
        heading = section or ((place,) if place else ())
        entity = entity_of(section, vocabulary)
        for parts, text in _joined(list(group)):
            yield Draft(kind=kind, text=text, parts=parts, section=heading, hidden=hidden, entity=entity)


def entity_of(headings: Sequence[str], vocabulary: Vocabulary) -> str:
    """Whom headings are about: the nearest that names somebody decides, as it does for the numbers of a table."""
    return next((name for text in reversed(headings) if (name := read_title(text, vocabulary).entity)), "")


def finish(drafts: Iterable[Draft], origin: Origin) -> list[Chunk]:
    """Drafts with names, languages, periods and counts."""
    return [_chunk(draft, number, origin) for number, draft in enumerate(drafts, 1)]


def _chunk(draft: Draft, number: int, origin: Origin) -> Chunk:
    said = " ".join((*draft.section, draft.text[:200], origin.title))
    period = find_period(said)
    first = draft.parts[0].locator
    return Chunk(
        chunk_id=f"{origin.source_id}_{number}",
        doc_id=origin.doc_id,
        source_locator=first,
        kind=draft.kind,
        text=draft.text,
        parts=draft.parts,
        section=draft.section,
        title=origin.title,
        entity=draft.entity or origin.entity,
        period=period.period if period is not None else "",
        language=language_of(draft.text),
        sensitivity=origin.sensitivity,
        tokens=len(words(draft.text)),
        rev=origin.rev,
        extractor_version=origin.extractor_version,
        chunker_version=CHUNKER_VERSION,
        page=place_of(first).number("page"),
        hidden=draft.hidden,
    )


def place_of(locator: str) -> Locator:
    """A locator taken apart; what cannot be is a place of its own."""
    try:
        return parse(locator)
    except UsageError:
        return Locator((("place", locator),))


def _group_key(passage: Passage) -> tuple[str, ChunkKind, tuple[str, ...], bool]:
    place = place_of(passage.locator)
    named = next((f"{key}={place.get(key)}" for key in _PLACES if place.get(key) is not None), "")
    # A title opens the section it names, and stands in it.
    section = (*passage.section, " ".join(passage.text.split())) if passage.kind == "title" else passage.section
    return named, _APART.get(passage.kind, "text"), section, passage.hidden


def _joined(passages: Sequence[Passage]) -> Iterator[tuple[tuple[ChunkPart, ...], str]]:
    """Passages of one group put together as long as they fit."""
    parts: list[ChunkPart] = []
    text = ""
    for passage in passages:
        for span in _pieces(passage.text):
            piece = passage.text[span.start : span.end]
            if parts and len(text) + 1 + len(piece) > CHARACTERS_MAX:
                yield tuple(parts), text
                parts, text = [], ""
            at = len(text) + 1 if parts else 0
            text = f"{text}\n{piece}" if parts else piece
            parts.append(ChunkPart(passage.locator, span.start, span.end, at))
    if parts:
        yield tuple(parts), text


def _pieces(text: str) -> Iterator[Span]:
    """A passage whole, or cut after sentences where it is too long; each later piece begins one sentence early."""
    if not text.strip():
        return
    if len(text) <= CHARACTERS_MAX:
        yield Span(0, len(text))
        return
    sentences = [piece for span in split_sentences(text) for piece in _bounded(span)]
    first = 0
    while first < len(sentences):
        start, last = sentences[first].start, first
        while last + 1 < len(sentences) and sentences[last + 1].end - start <= CHARACTERS_MAX:
            last += 1
        yield Span(start, sentences[last].end)
        if last + 1 == len(sentences):
            return
        repeats = last > first and sentences[last].end - sentences[last].start <= _OVERLAP_MAX
        first = last if repeats else last + 1


def _bounded(span: Span) -> Iterator[Span]:
    """A sentence longer than a chunk is cut where it must be."""
    for start in range(span.start, span.end, CHARACTERS_MAX):
        yield Span(start, min(start + CHARACTERS_MAX, span.end))
