"""Which formats are read, and by what. A row is an import path, so that knowing a format loads no parser.

Versions stand here because the parent compares them with the store without loading an extractor; a test holds them
equal to the extractors' own.
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from typing import cast

from factspine.core.errors import UsageError
from factspine.extract.contract import DrawingExtractor, Extractor, PageExtractor


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One format: its extractor, that one's version, and the media type recorded for its files."""

    format: str
    module: str
    version: str
    media_type: str
    has_pages: bool = False  # whether its pages can be drawn with what was read
    page_key: str = ""  # what its locators call a page, where it has a look of its own


_OFFICE = "application/vnd.openxmlformats-officedocument"
ROWS = {
    row.format: row
    for row in (
        Row(
            format="xlsx",
            module="factspine.extract.xlsx",
            version="xlsx/3",
            media_type=f"{_OFFICE}.spreadsheetml.sheet",
        ),
        Row(
            format="pptx",
            module="factspine.extract.pptx",
            version="pptx/3",
            media_type=f"{_OFFICE}.presentationml.presentation",
            page_key="slide",
        ),
        Row(
            format="pdf",
            module="factspine.extract.pdf",
            version="pdf/4",
            media_type="application/pdf",
            has_pages=True,
            page_key="page",
        ),
    )
}


def row_of(format: str) -> Row | None:  # noqa: A002 - the word people use
    """The row of a format, or None where it is not read."""
    return ROWS.get(format)


def load(format: str) -> Extractor:  # noqa: A002
    """The extractor of a format; imports its parsers, so only the child calls this."""
    row = ROWS.get(format)
    if row is None:
        raise UsageError(f"no extractor for {format}")
    return cast(Extractor, importlib.import_module(row.module))


def load_drawing(format: str) -> DrawingExtractor:  # noqa: A002
    """The extractor of a format whose pages can be drawn."""
    if not ROWS[format].has_pages:
        raise UsageError(f"{format} has no pages to draw")
    return cast(DrawingExtractor, load(format))


def load_pages(format: str) -> PageExtractor:  # noqa: A002
    """The extractor of a format whose pages or slides have a look of their own."""
    if not ROWS[format].page_key:
        raise UsageError(f"{format} has neither pages nor slides")
    return cast(PageExtractor, load(format))
