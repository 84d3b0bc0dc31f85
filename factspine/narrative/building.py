"""Bringing an index up to date with its store: what is new is read, what is gone is taken out, the rest stays."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from factspine.core.chunks import Chunk
from factspine.core.tables import Passage, RawTable
from factspine.lexicon.vocabulary import Vocabulary
from factspine.narrative.chunking import Origin, draft_passages, entity_of, finish, title_of
from factspine.narrative.index import IndexedDocument, NarrativeIndex
from factspine.narrative.rows import draft_rows
from factspine.store.spans import ReadingSpan
from factspine.store.store import FactStore


def refresh(index: NarrativeIndex, store: FactStore) -> int:
    """Make the index hold exactly the current readings of the store; how many documents changed."""
    if not any(_changes(index, store)):
        return 0
    with index.writing() as writer:
        # Somebody else may have done it while we waited: what counts is what the index holds now.
        gone, new = _changes(index, store)
        vocabulary = _vocabulary(store)
        for doc_id in gone:
            writer.remove(doc_id)
        for span in new:
            writer.add(span.doc_id, _name(span), span.sensitivity, chunks_of_reading(store, span, vocabulary))
    return len(gone) + len(new)


def _changes(index: NarrativeIndex, store: FactStore) -> tuple[list[str], list[ReadingSpan]]:
    """Documents to take out, and readings to put in."""
    wanted = {span.doc_id: span for span in store.readings()}
    held = index.documents()
    # Of a store that is seen in part, nothing can be said about the rest.
    gone = sorted(doc_id for doc_id in set(held) - set(wanted) if held[doc_id].level in store.cleared)
    return gone, [span for doc_id, span in sorted(wanted.items()) if _is_new(span, held.get(doc_id))]


def holds_reading(held: Mapping[str, IndexedDocument], span: ReadingSpan) -> bool:
    """Whether what an index holds of a document is this reading of it."""
    return not _is_new(span, held.get(span.doc_id))


def chunks_of_reading(store: FactStore, span: ReadingSpan, vocabulary: Vocabulary) -> list[Chunk]:
    """Everything one current reading says, in chunks."""
    tables = (store.table(span.doc_id, record.locator) for record in store.tables(span.doc_id))
    return make_chunks(
        store.passages(span.doc_id),
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


def _vocabulary(store: FactStore) -> Vocabulary:
    beside = store.path.with_name("vocabulary.toml") if store.path is not None else None
    return Vocabulary.load(beside if beside is not None and beside.is_file() else None)


def _name(span: ReadingSpan) -> str:
    # A vocabulary may change whom a document is about without changing a word of it.
    return f"{span.file_hash} {span.extractor_version} {span.mapping_version}"


def _is_new(span: ReadingSpan, held: IndexedDocument | None) -> bool:
    return held is None or (held.reading_id, held.level) != (_name(span), span.sensitivity)
