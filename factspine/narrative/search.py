"""Searching: a question in, citations out, best first.

    result = search("why did the margin fall", store, top=5)
    result.index_hash, [hit.citation.snippet for hit in result.hits]

Filters are applied before anything is ranked, and what the reader is not cleared for is never looked at. Scores that
tie are ordered by section and snippet, so that the same store gives the same list in every process.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from factspine.core.chunks import Chunk
from factspine.core.citations import SIMILARITY_DECIMALS, Citation, Offsets, Window, tie_break
from factspine.core.clearance import LEVELS
from factspine.core.errors import UsageError
from factspine.lexicon.sentences import Span, split_sentences
from factspine.narrative.analyzer import analyzer_id, query_words, words
from factspine.narrative.building import index_then, refresh, vocabulary_of
from factspine.narrative.index import NO_MODEL, NarrativeIndex
from factspine.narrative.nearness import fused
from factspine.narrative.ranking import Filters
from factspine.narrative.reranking import POOL, reranked
from factspine.narrative.vectors import bundled
from factspine.store.asof import AsOf
from factspine.store.store import FactStore

PUBLIC = frozenset({"PUBLIC"})
# A score of the engine at which a text is as much about the question as not; only the order of scores is theirs.
_HALF_SCORE = 10.0
_NORM_DECIMALS = 6
_SNIPPET_MAX = 320


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A citation with the chunk it quotes."""

    citation: Citation
    chunk: Chunk


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchResult:
    """What a question found."""

    question: str
    index_hash: str
    hits: tuple[Hit, ...]
    retrieved: int = 0  # before the list was cut
    elapsed_ms: int = 0

    def as_dict(self) -> dict[str, Any]:
        """The result as the command line prints it."""
        return {
            "question": self.question,
            "index_hash": self.index_hash,
            "hits": [hit.citation.as_dict() for hit in self.hits],
        }


def search(
    question: str,
    store: FactStore,
    *,
    documents: Sequence[str] = (),
    top: int = 10,
    section: str = "",
    entity: str = "",
    period: str = "",
    cleared: Collection[str] = PUBLIC,
    hidden: bool = False,
    dense: bool = False,
    as_of: AsOf | None = None,
    index: NarrativeIndex | None = None,
) -> SearchResult:
    """The passages and rows nearest to a question; `documents` are glob patterns, `cleared` the reader's levels.

    `dense` looks for meaning, too, by the vectors of the extra, and makes one order of the two. `as_of` searches the
    revisions that were current at a moment; an `index` that is given must be of that moment.
    """
    if top < 1:
        raise UsageError("top is how many hits are wanted: 1 or more")
    own = nullcontext(index) if index is not None else index_of(store, dense=dense, as_of=as_of, cleared=cleared)
    with own as opened:
        known = seen_with(store, cleared).readings(documents, as_of=as_of) if documents else None
        doc_ids = None if known is None else frozenset(span.doc_id for span in known)
        code = vocabulary_of(store).entity(entity) if entity else None  # texts are kept under the code of a name
        about = entity if code is None else code.code
        filters = Filters(doc_ids=doc_ids, section=section, entity=about, period=period, hidden=hidden)
        return search_index(question, opened, filters=filters, top=top, cleared=cleared)


@contextmanager
def index_of(
    store: FactStore, *, dense: bool = False, as_of: AsOf | None = None, cleared: Collection[str] = PUBLIC
) -> Iterator[NarrativeIndex]:
    """The index of a store as it is now; as of a moment, one of what a reader of these levels sees of then."""
    with open_index(store, dense=dense) as index:
        refresh(index, store)
        if as_of is None:
            yield index
            return
        with index_then(index, seen_with(store, cleared), as_of) as past:
            yield past


def seen_with(store: FactStore, cleared: Collection[str]) -> FactStore:
    """A store as a reader of these levels sees it; who is cleared for nothing sees what is public."""
    return store.seen_by(max(cleared, key=LEVELS.index, default=None))


def open_index(store: FactStore, path: Path | None = None, *, dense: bool = False) -> NarrativeIndex:
    """The index of a store: the file beside it, unless another is named; with vectors it is a file of its own."""
    if path is None and store.path is None:
        raise UsageError("this store is no file, so no index lies beside it; say where it is (path=…)")
    suffix = ".dense.index" if dense else ".index"
    beside = path or store.path.with_name(store.path.name + suffix)  # type: ignore[union-attr]
    return NarrativeIndex(beside, bundled() if dense else None)


def search_index(
    question: str,
    index: NarrativeIndex,
    *,
    filters: Filters | None = None,
    top: int = 10,
    cleared: Collection[str] = PUBLIC,
) -> SearchResult:
    """A search in an index as it stands."""
    started = time.perf_counter()
    terms = query_words(question)
    levels = sorted(cleared)
    index_hash = index.index_hash(levels)
    found = index.find(terms, levels, filters or Filters(), max(top, POOL)) if terms else []
    ordered = sorted(reranked(question, terms, found), key=lambda one: -one[0])
    if index.embed_model != NO_MODEL:
        near = index.nearest(question, levels, filters or Filters(), max(top, POOL))
        both = fused([chunk for _, chunk in ordered], [one.chunk for one in near])
        ordered = sorted(both, key=lambda one: -one[0])
    # What ties with the last that is wanted is ordered by its citation, so that all of it is needed.
    cut = round(ordered[top - 1][0], _NORM_DECIMALS) if len(ordered) >= top else 0.0
    kept = [one for one in ordered if round(one[0], _NORM_DECIMALS) >= cut]
    hits = [_hit(score, chunk, terms, (index_hash, index.embed_model)) for score, chunk in kept]
    hits.sort(key=lambda hit: tie_break(hit.citation))
    before = {chunk.chunk_id: place for place, (_, chunk) in enumerate(found, 1)}  # as the engine ranked them
    placed = tuple(
        replace(hit, citation=replace(hit.citation, k_pos=before.get(hit.chunk.chunk_id, place), k_final=place))
        for place, hit in enumerate(hits[:top], 1)
    )
    elapsed = int((time.perf_counter() - started) * 1000)
    return SearchResult(
        question=question, index_hash=index_hash, hits=placed, retrieved=len(ordered), elapsed_ms=elapsed
    )


def cite(
    chunk: Chunk, span: Span, index_hash: str, score: float | None = None, *, embed_model: str = NO_MODEL
) -> Citation:
    """The citation of a stretch of a chunk."""
    norm = None if score is None else round(score / (score + _HALF_SCORE), _NORM_DECIMALS)
    snippet = chunk.text[span.start : span.end]
    return Citation(
        doc_id=chunk.doc_id,
        section_id=chunk.section_id,
        snippet_id=f"{chunk.chunk_id}:{span.start}-{span.end}",
        chunk_id=chunk.chunk_id,
        source_filename=chunk.doc_id.rpartition("/")[2],
        source_url=f"factspine:{chunk.doc_id}#{chunk.part_at(span.start).locator}",
        locator=chunk.part_at(span.start).locator,
        snippet=snippet,
        offsets=Offsets(span.start, span.end),
        tokens=len(words(snippet)),
        index_hash=index_hash,
        embed_model=embed_model,
        analyzer=analyzer_id(),
        rev=chunk.rev,
        page=chunk.page,
        window=Window(span.start, len(chunk.text) - span.end),
        score_raw=None if score is None else round(score, _NORM_DECIMALS),
        score_norm=norm,
        similarity=None if norm is None else round(norm, SIMILARITY_DECIMALS),
    )


def _hit(score: float, chunk: Chunk, terms: Sequence[str], identity: tuple[str, str]) -> Hit:
    index_hash, model = identity
    return Hit(citation=cite(chunk, best_span(chunk, terms), index_hash, score, embed_model=model), chunk=chunk)


def best_span(chunk: Chunk, terms: Sequence[str]) -> Span:
    """The sentences of a chunk that speak most of a question, one after another, short enough to read."""
    sentences = split_sentences(chunk.text) or [Span(0, len(chunk.text))]
    wanted = set(terms)
    scores = [len(wanted & set(words(chunk.text[one.start : one.end]))) for one in sentences]
    first = last = scores.index(max(scores))
    while last + 1 < len(sentences) and sentences[last + 1].end - sentences[first].start <= _SNIPPET_MAX:
        last += 1
    return Span(sentences[first].start, sentences[last].end)
