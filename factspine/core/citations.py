"""The citation: one object that serves every standard we follow, and the codes a validator returns about it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

OffsetUnit = Literal["char", "token"]

# What a validator may say; `missing_<field>` is formed with the name of the field.
CODES = (
    "ok",
    "empty_citations",
    "missing_score",
    "bad_offsets",
    "cross_section_reuse",
    "mismatch_index_hash",
    "analyzer_mismatch",
    "rev_mismatch",
    "not_retrieved",
    "snippet_mismatch",
    "uncited_number",
    "bad_marker",
)
MISSING = "missing_"
SIMILARITY_DECIMALS = 4
SIMILARITY_MIN = 0.1  # below it a passage is not cited


class Offsets(NamedTuple):
    """Where a snippet lies in the stored text of its chunk; the end is exclusive."""

    start: int
    end: int
    unit: OffsetUnit = "char"

    def as_dict(self) -> dict[str, Any]:
        """The span as the payload has it."""
        return {"start": self.start, "end": self.end, "unit": self.unit}


class Window(NamedTuple):
    """How many characters of the chunk stand before and after the snippet."""

    pre: int = 0
    post: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Citation:
    """A quotation and where it stands: `snippet` is `text[offsets.start:offsets.end]` of the chunk, byte for byte.

    `rev` is the file hash of the revision. Without a vector index `embed_model` is `none`: a field that is required
    says that there is nothing, rather than being left out.
    """

    doc_id: str
    section_id: str
    snippet_id: str
    chunk_id: str
    source_filename: str
    source_url: str
    locator: str
    snippet: str
    offsets: Offsets
    tokens: int
    index_hash: str
    analyzer: str
    rev: str
    embed_model: str = "none"
    page: int | None = None
    window: Window = field(default=Window())
    score_raw: float | None = None
    score_norm: float | None = None
    similarity: float | None = None
    rerank_score: float | None = None
    k_pos: int | None = None
    k_final: int | None = None

    def __post_init__(self) -> None:
        if not self.doc_id or not self.locator:
            raise ValueError("a citation without its document and locator cites nothing")

    def as_dict(self) -> dict[str, Any]:
        """The payload, every field of it, in the order of the contract."""
        record = {name: getattr(self, name) for name in FIELDS}
        record["offsets"] = self.offsets.as_dict()
        record["window"] = self.window._asdict()
        return record

    @classmethod
    def from_dict(cls, record: Mapping[str, Any]) -> Citation:
        """The citation of a payload that has every field."""
        fields = {name: record[name] for name in FIELDS}
        fields["offsets"] = Offsets(**record["offsets"])
        fields["window"] = Window(**record["window"])
        return cls(**fields)


@dataclass(frozen=True, slots=True, kw_only=True)
class Retrieval:
    """What one request retrieved, best first: what a retrieval report is made of."""

    hits: tuple[Citation, ...]
    found: int  # before the list was cut
    elapsed_ms: int
    ranking: Literal["cosine", "bm25", "hybrid", "rrf"] = "bm25"
    reranker: str = ""  # what put the best of them in another order, if anything did
    ceiling: str = ""  # which limit cut the search short, if one did


FIELDS = (
    "doc_id",
    "section_id",
    "snippet_id",
    "chunk_id",
    "source_filename",
    "source_url",
    "locator",
    "snippet",
    "offsets",
    "tokens",
    "index_hash",
    "embed_model",
    "analyzer",
    "rev",
    "page",
    "window",
    "score_raw",
    "score_norm",
    "similarity",
    "rerank_score",
    "k_pos",
    "k_final",
)


def source_url(doc_id: str, locator: str) -> str:
    """The address of a place in a document, as citations give it: the document within the store, then the place."""
    return f"factspine:{doc_id}#{locator}"


def tie_break(citation: Citation) -> tuple[float, str, str]:
    """The order of citations whose scores tie: score downwards, then section, then snippet."""
    return -(citation.score_norm or 0.0), citation.section_id, citation.snippet_id
