"""What an extractor is: a module that turns a file into items, and a second reader that goes back to a place.

Both run only inside the sandboxed child. They may raise `InputRejected` and nothing else on purpose; whatever else
leaves them is reported as a damaged document.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Protocol

from factspine.core.drawings import PageDrawing
from factspine.core.limits import Limits
from factspine.core.tables import Item, RawTable

PagePictures = Iterator[tuple[int, bytes]]


class Extractor(Protocol):
    """The reader of one format."""

    VERSION: str

    def read(self, path: Path, limits: Limits) -> Iterator[Item]:
        """Tables, passages and findings, in the order of the document."""

    def reread(self, path: Path, locators: Sequence[str]) -> Sequence[tuple[str, str | None]]:
        """What stands at each place according to an independent reader: the text, and the exact value or None."""


class DrawingExtractor(Extractor, Protocol):
    """The reader of a format that has pages, which can be drawn with what was read."""

    def draw(self, path: Path, tables: Sequence[RawTable], roles: Mapping[str, Sequence[str]]) -> PagePictures:
        """Each page's number and PNG; `roles` are those of a table's cells, by the table's locator."""


class PageExtractor(Extractor, Protocol):
    """The reader of a format in pages or slides, each of which has a look of its own."""

    def picture(self, path: Path, number: int, limits: Limits) -> PageDrawing:
        """One page or slide as it looks."""
