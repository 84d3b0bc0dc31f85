"""Vetted answers in place of a search: exactly this question, still in force, and its source still says so.

The source is read again in the store: where the document is gone, is not for this asker, or no longer holds a number
that the vetted answer says, the entry is silent and the question is answered like any other.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from factspine.cite.validator import validate
from factspine.core.chunks import Chunk, ChunkPart
from factspine.core.citations import Citation
from factspine.core.locators import parse
from factspine.core.markers import mark
from factspine.lexicon.sentences import Span
from factspine.narrative.faq import FaqEntry
from factspine.narrative.index import NarrativeIndex
from factspine.narrative.search import cite


def vetted_answer(entry: FaqEntry, index: NarrativeIndex, cleared: Collection[str]) -> tuple[str, Citation] | None:
    """The entry's words, marked, and the citation of its source; None where the source does not bear them."""
    held = index.documents().get(entry.doc)
    if held is None or held.level not in cleared:
        return None
    found = _place(index, entry)
    if found is None:
        return None
    chunk, part = found
    span = Span(part.at, part.at + part.end - part.start)
    cited = replace(
        cite(chunk, span, index.index_hash(sorted(cleared))),
        score_raw=1.0,  # it was looked up and not ranked
        score_norm=1.0,
        similarity=1.0,
        k_pos=1,
        k_final=1,
    )
    text = mark(entry.answer, 1)
    stored = {**cited.as_dict(), "snippet_id": chunk.chunk_id, "text": chunk.text}
    return (text, cited) if not validate(text, [cited.as_dict()], [stored]).unsupported else None


def _place(index: NarrativeIndex, entry: FaqEntry) -> tuple[Chunk, ChunkPart] | None:
    """The stretch of the index that stands at the entry's place."""
    wanted = set(parse(entry.locator).pairs)
    for chunk in index.chunks_of(entry.doc):
        for part in chunk.parts:
            if wanted <= set(parse(part.locator).pairs):
                return chunk, part
    return None
