"""Citations from and to the objects of other frameworks: LangChain documents and LlamaIndex nodes.

    citation = from_langchain(document)          document = to_langchain(citation)
    citation = from_llamaindex(node_or_scored)   scored = to_llamaindex(citation)

Coming from them nothing is imported, their shapes are enough; going to them needs the package, an extra. What a
document of theirs does not say is missing from the payload, and the validator names it; nothing is filled in.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from types import ModuleType
from typing import Any

from factspine.core.citations import FIELDS, SIMILARITY_DECIMALS, Citation
from factspine.core.errors import UsageError

# What their objects keep in places of their own; everything else travels as metadata under its own name.
_PLACED = frozenset({"snippet", "offsets"})


def from_langchain(document: Any) -> dict[str, Any]:
    """The citation payload of a LangChain document: its text, and its metadata by the names of the standard."""
    found: Mapping[str, Any] = document.metadata
    start, end = found.get("start"), found.get("end")
    return _payload(
        found,
        snippet=document.page_content,
        snippet_id=found.get("snippet_id") or getattr(document, "id", None),
        start=start,
        end=start + len(document.page_content) if end is None and start is not None else end,
        score=found.get("score"),
        rank=found.get("k"),
    )


def to_langchain(citation: Citation) -> Any:
    """A citation as a LangChain document."""
    place = {"start": citation.offsets.start, "end": citation.offsets.end}
    return _package("langchain_core.documents", "langchain").Document(
        id=citation.snippet_id,
        page_content=citation.snippet,
        metadata={**_metadata(citation), **place, "score": citation.score_raw, "k": citation.k_pos},
    )


def from_llamaindex(node: Any, *, score: float | None = None) -> dict[str, Any]:
    """The citation payload of a LlamaIndex text node, alone or with the score it was found with."""
    scored, node = (node.score, node.node) if hasattr(node, "node") else (None, node)
    found: Mapping[str, Any] = node.metadata
    return _payload(
        {**found, "doc_id": node.ref_doc_id or found.get("doc_id")},
        snippet=node.text,
        snippet_id=node.node_id,
        start=node.start_char_idx,
        end=node.end_char_idx,
        score=score if score is not None else scored,
    )


def to_llamaindex(citation: Citation) -> Any:
    """A citation as a LlamaIndex text node with its score; its document is the node's source."""
    schema = _package("llama_index.core.schema", "llamaindex")
    metadata = _metadata(citation)
    node = schema.TextNode(
        id_=citation.snippet_id,
        text=citation.snippet,
        start_char_idx=citation.offsets.start,
        end_char_idx=citation.offsets.end,
        metadata=metadata,
        # Where a text stands is not what it says: neither an embedding nor a model should read it.
        excluded_embed_metadata_keys=sorted(metadata),
        excluded_llm_metadata_keys=sorted(metadata),
        relationships={schema.NodeRelationship.SOURCE: schema.RelatedNodeInfo(node_id=citation.doc_id)},
    )
    return schema.NodeWithScore(node=node, score=citation.score_raw)


def _metadata(citation: Citation) -> dict[str, Any]:
    return {name: value for name, value in citation.as_dict().items() if name not in _PLACED}


def _payload(
    found: Mapping[str, Any],
    *,
    snippet: str,
    snippet_id: str | None,
    start: int | None,
    end: int | None,
    score: float | None,
    rank: int | None = None,
) -> dict[str, Any]:
    """The payload from what an object says; fields it does not have are left out."""
    record = {name: found[name] for name in FIELDS if found.get(name) is not None}
    record["snippet"] = snippet
    if snippet_id:
        record |= {"snippet_id": snippet_id, "chunk_id": found.get("chunk_id") or snippet_id}
    if start is not None and end is not None:
        record["offsets"] = {"start": start, "end": end, "unit": "char"}
    if score is not None:
        record["score_raw"] = score
    if rank is not None:
        record["k_pos"] = rank
    if record.get("similarity") is None and record.get("score_norm") is not None:
        record["similarity"] = round(record["score_norm"], SIMILARITY_DECIMALS)
    return {name: record[name] for name in FIELDS if name in record}


def _package(name: str, extra: str) -> ModuleType:
    try:
        return import_module(name)
    except ImportError as error:
        raise UsageError(f"this needs another package: pip install 'factspine[{extra}]'.") from error
