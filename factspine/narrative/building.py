"""Bringing an index up to date with its store: what is new is read, what is gone is taken out, the rest stays.

As of a moment an index of what was known then is made the same way, in memory and for one use.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from factspine.core.chunks import Chunk
from factspine.core.tables import Passage, RawTable
from factspine.lexicon.vocabulary import Vocabulary
from factspine.narrative.chunking import Origin, draft_passages, entity_of, finish, title_of
from factspine.narrative.index import IndexedDocument, NarrativeIndex
from factspine.narrative.rows import draft_rows
from factspine.store.asof import AsOf
from factspine.store.spans import ReadingSpan
from factspine.store.store import FactStore


def refresh(index: NarrativeIndex, store: FactStore) -> int:
    """Make the index hold exactly the current readings of the store; how many documents changed."""
    if not any(_changes(index, store)):
        return 0
    return _bring_to(index, store)


@contextmanager
def index_then(index: NarrativeIndex, store: FactStore, as_of: AsOf) -> Iterator[NarrativeIndex]:
    """An index of what the store knew at a moment: its readings of then, ranked as if nothing had come later.

    `index` is the one of today. What is the same today is taken from it, the rest is read again from the store.
    """
    gone, new = _changes(index, store, as_of)
    if not gone and not new:
        yield index
        return
    kept = len(index.documents()) - len(gone) - len(new)
    with index.copy() if kept > len(gone) else index.empty() as past:
        _bring_to(past, store, as_of)
        yield past


def _bring_to(index: NarrativeIndex, store: FactStore, as_of: AsOf | None = None) -> int:
    with index.writing() as writer:
        # Somebody else may have done it while we waited: what counts is what the index holds now.
        gone, new = _changes(index, store, as_of)
        vocabulary = vocabulary_of(store)
        for doc_id in gone:
            writer.remove(doc_id)
        for span in new:
            chunks = chunks_of_reading(store, span, vocabulary, as_of)
            writer.add(span.doc_id, _name(span), span.sensitivity, chunks)
    return len(gone) + len(new)


def _changes(index: NarrativeIndex, store: FactStore, as_of: AsOf | None = None) -> tuple[list[str], list[ReadingSpan]]:
    """Documents to take out, and readings to put in."""
    wanted = {span.doc_id: span for span in store.readings(as_of=as_of)}
    held = index.documents()
    # Of a store that is seen in part, nothing can be said about the rest.
    gone = sorted(doc_id for doc_id in set(held) - set(wanted) if held[doc_id].level in store.cleared)
    return gone, [span for doc_id, span in sorted(wanted.items()) if _is_new(span, held.get(doc_id))]


def holds_reading(held: Mapping[str, IndexedDocument], span: ReadingSpan) -> bool:
    """Whether what an index holds of a document is this reading of it."""
    return not _is_new(span, held.get(span.doc_id))


def chunks_of_reading(
    store: FactStore, span: ReadingSpan, vocabulary: Vocabulary, as_of: AsOf | None = None
) -> list[Chunk]:
    """Everything one reading says that is current, or was then, in chunks."""
    records = store.tables(span.doc_id, as_of=as_of)
    tables = (store.table(span.doc_id, record.locator, as_of=as_of) for record in records)
    return make_chunks(
        store.passages(span.doc_id, as_of=as_of),
        (table for table in tables if table is not None),
        doc_id=span.doc_id,
        rev=span.file_hash,
        extractor_version=span.extractor_version,
        sensitivity=span.sensitivity,
        vocabulary=vocabulary,
    )


def make_chunks(
    passages: Sequence[Passage],
    tables: Iterable[RawTable],
    *,
    doc_id: str,
    rev: str,
    extractor_version: str,
    sensitivity: str = "PUBLIC",
    vocabulary: Vocabulary | None = None,
) -> list[Chunk]:
    """The chunks of one document from what an extractor saw in it."""
    words = vocabulary or Vocabulary.load()
    title = title_of(passages, doc_id)
    origin = Origin(
        doc_id=doc_id,
        rev=rev,
        extractor_version=extractor_version,
        sensitivity=sensitivity,
        title=title,
        entity=entity_of([title], words),
    )
    quoted = {passage.locator for passage in passages}
    drafts = [*draft_passages(passages, words), *(one for table in tables for one in draft_rows(table, words, quoted))]
    return finish((draft for draft in drafts if draft.text.strip()), origin)


def vocabulary_of(store: FactStore) -> Vocabulary:
    """The names that texts and questions are read with: the file beside the store, or the built-in ones."""
    beside = store.path.with_name("vocabulary.toml") if store.path is not None else None
    return Vocabulary.load(beside if beside is not None and beside.is_file() else None)


def _name(span: ReadingSpan) -> str:
    # A vocabulary may change whom a document is about without changing a word of it.
    return f"{span.file_hash} {span.extractor_version} {span.mapping_version}"


def _is_new(span: ReadingSpan, held: IndexedDocument | None) -> bool:
    return held is None or (held.reading_id, held.level) != (_name(span), span.sensitivity)
