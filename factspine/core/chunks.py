"""The chunk: a stretch of a document's text that can be found and quoted, with its whole lineage."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

ChunkKind = Literal["text", "notes", "comment", "row", "table"]


class ChunkPart(NamedTuple):
    """A piece of a chunk that stands at one place: `chunk.text[at : at + end - start]` is `stored[start:end]`.

    `stored` is the text of the passage, or of the table's cell, that the locator names.
    """

    locator: str
    start: int
    end: int
    at: int
    label: str = ""  # of a cell: what heads it


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """A stretch of text within one section of one revision of one document."""

    chunk_id: str
    doc_id: str
    source_locator: str  # of its first part
    kind: ChunkKind
    text: str
    parts: tuple[ChunkPart, ...]
    section: tuple[str, ...] = ()  # headings above it, outermost first
    title: str = ""  # of the document
    entity: str = ""
    period: str = ""
    language: str = ""  # zh, en, or "" where the text is neither
    sensitivity: str = "PUBLIC"
    tokens: int = 0
    rev: str  # the file hash of the revision
    extractor_version: str
    chunker_version: str
    page: int | None = None
    hidden: bool = False

    def __post_init__(self) -> None:
        if not self.doc_id or not self.source_locator:
            raise ValueError("a chunk without its document and locator is not a chunk")

    @property
    def section_id(self) -> str:
        """The section as one legible key; a chunk under no heading belongs to its document."""
        return "/".join(name.replace("/", "∕") for name in self.section) or self.doc_id

    def part_at(self, offset: int) -> ChunkPart:
        """The part that holds a character of the text; the one after it where the character only joins or heads."""
        for part in self.parts:
            if part.at + part.end - part.start > offset:
                return part
        return self.parts[-1]
