"""Citations read again: what the store and its index hold under each, in the form the validator checks against."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from factspine.cite.validator import Verdict, validate_citations
from factspine.core.answers import ANALYZER
from factspine.core.citations import Citation
from factspine.core.errors import UsageError
from factspine.narrative.analyzer import analyzer_id
from factspine.narrative.index import NarrativeIndex
from factspine.store.store import FactStore


def stored(citation: Citation, store: FactStore, index: NarrativeIndex) -> dict[str, Any] | None:
    """What stands in the store under a citation: a cell's text, or a chunk's; None where there is nothing."""
    try:
        fact = store.fact(citation.chunk_id)
    except UsageError:
        fact = None  # the name of a chunk is no name of a fact
    if fact is not None:
        return {
            "doc_id": fact.source_doc_id,
            "chunk_id": fact.fact_id,
            "text": fact.value_text,
            "rev": fact.source_file_hash,
            "index_hash": store.store_version,
            "analyzer": ANALYZER,
        }
    chunk = index.chunk(citation.chunk_id)
    if chunk is None:
        return None
    return {
        "doc_id": chunk.doc_id,
        "chunk_id": chunk.chunk_id,
        "section_id": chunk.section_id,
        "text": chunk.text,
        "rev": chunk.rev,
        "analyzer": analyzer_id(),
    }


def reread(citations: Sequence[Citation], store: FactStore, index: NarrativeIndex) -> Verdict:
    """Every citation of an answer against what the store holds now."""
    known = [record for one in citations if (record := stored(one, store, index)) is not None]
    return validate_citations([one.as_dict() for one in citations], known)
