"""A quotation read again where it says it stands: in the passage or the cell of the store, not in the index."""

from __future__ import annotations

from factspine.core.chunks import ChunkPart
from factspine.core.citations import Citation
from factspine.core.locators import Locator
from factspine.core.places import cell_place
from factspine.narrative.chunking import place_of
from factspine.narrative.index import NarrativeIndex
from factspine.store.asof import AsOf
from factspine.store.store import FactStore

_LABELS = ("row", "col")


def resolves(citation: Citation, index: NarrativeIndex, store: FactStore, as_of: AsOf | None = None) -> bool:
    """Whether the store's reading, of now or then, has at the citation's place what the citation quotes."""
    chunk = index.chunk(citation.chunk_id)
    if chunk is None or chunk.rev != citation.rev:
        return False
    quoted = chunk.text[citation.offsets.start : citation.offsets.end]
    if quoted != citation.snippet:
        return False
    touched = [part for part in chunk.parts if _touches(part, citation)]
    stored = {part.locator: _stored(store, citation.doc_id, part.locator, as_of) for part in touched}
    return bool(touched) and all(
        stored[part.locator][part.start : part.end] == chunk.text[part.at : part.at + part.end - part.start]
        for part in touched
    )


def _touches(part: ChunkPart, citation: Citation) -> bool:
    return part.at < citation.offsets.end and citation.offsets.start < part.at + part.end - part.start


def _stored(store: FactStore, doc_id: str, locator: str, as_of: AsOf | None) -> str:
    """The text of a passage or of a cell; nothing where there is no such place."""
    place = place_of(locator)
    if place.get("cell") is not None:
        bare = str(place.without(*_LABELS))
        for record in store.tables(doc_id, as_of=as_of):
            if _holds(place_of(record.locator), place):
                table = store.table(doc_id, record.locator, as_of=as_of)
                found = (
                    [one.text for one in table.cells if cell_place(table, one.row, one.col) == bare] if table else []
                )
                if found:
                    return found[0]
    passages = store.passages(doc_id, as_of=as_of)
    return next((passage.text for passage in passages if passage.locator == locator), "")


def _holds(table: Locator, cell: Locator) -> bool:
    """Whether a table may hold a cell: it is on the same sheet, slide or page."""
    return all(table.get(key) == cell.get(key) for key in ("sheet", "slide", "page") if cell.get(key) is not None)
