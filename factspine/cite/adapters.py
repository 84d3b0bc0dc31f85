"""Citations from and to the objects of other frameworks. Nothing of them is imported: their shapes are enough."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from factspine.core.citations import Citation


def from_langchain(document: Any) -> dict[str, Any]:
    """The citation payload of a LangChain document, from its metadata."""
    found: Mapping[str, Any] = document.metadata
    text = document.page_content
    start = found.get("start", 0)
    return {
        **{name: found.get(name, "") for name in ("doc_id", "section_id", "snippet_id", "source_url")},
        "chunk_id": found.get("chunk_id") or found.get("snippet_id", ""),
        "snippet": text,
        "offsets": {"start": start, "end": found.get("end", start + len(text)), "unit": "char"},
        "tokens": found.get("tokens", len(text.split())),
        **{name: found.get(name, "") for name in ("index_hash", "embed_model", "analyzer", "rev")},
        "score_raw": found.get("score"),
        "k_pos": found.get("k"),
    }


def to_langchain(citation: Citation) -> dict[str, Any]:
    """Content and metadata of a LangChain document: `Document(**to_langchain(citation))`."""
    metadata = {name: value for name, value in citation.as_dict().items() if name not in ("snippet", "offsets")}
    metadata |= {"start": citation.offsets.start, "end": citation.offsets.end}
    metadata |= {"score": citation.score_raw, "k": citation.k_pos}
    return {"page_content": citation.snippet, "metadata": metadata}


def from_llamaindex(node: Any, *, score: float | None = None) -> dict[str, Any]:
    """The citation payload of a LlamaIndex text node."""
    found: Mapping[str, Any] = node.metadata
    return {
        "doc_id": node.ref_doc_id or found.get("doc_id", ""),
        "section_id": found.get("section_id", ""),
        "snippet_id": node.node_id,
        "chunk_id": found.get("chunk_id") or node.node_id,
        "source_url": found.get("source_url", ""),
        "snippet": node.text,
        "offsets": {"start": node.start_char_idx, "end": node.end_char_idx, "unit": "char"},
        "tokens": found.get("tokens", 0),
        **{name: found.get(name, "") for name in ("index_hash", "embed_model", "analyzer", "rev")},
        "score_raw": score,
    }


def to_llamaindex(citation: Citation) -> dict[str, Any]:
    """The fields of a LlamaIndex text node: `TextNode(**to_llamaindex(citation))`."""
    metadata = {name: value for name, value in citation.as_dict().items() if name not in ("snippet", "offsets")}
    return {
        "id_": citation.snippet_id,
        "text": citation.snippet,
        "start_char_idx": citation.offsets.start,
        "end_char_idx": citation.offsets.end,
        "metadata": metadata,
    }
