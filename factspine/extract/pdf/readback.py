"""Going back to a cell with another reader: pdfplumber says which characters stand in the cell's box.

The first reader says where each cell lies, pdfplumber alone says what is written there. White space is drawn, not
stored, so the two texts are compared without it; where they agree, the cell's text is given as it was first read.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from factspine.core.errors import UsageError
from factspine.core.limits import Limits
from factspine.core.locators import parse
from factspine.core.tables import Box, Passage, RawTable
from factspine.extract.pdf.assemble import page_of
from factspine.extract.pdf.reader import read_document, settled_from
from factspine.extract.pdf.second import Char, characters, fold, seen_in

Reading = tuple[str, str | None]
_PAGES_BEFORE = 6  # read before the page of a cell: neighbours that tell running lines, and where its table may begin


def read_back(path: Path, locators: Sequence[str]) -> list[Reading]:
    """What stands at each locator according to the second reader; empty where there is nothing."""
    asked = [_place(locator) for locator in locators]
    known = _first_reading(path, {place for place in asked if place})
    pages = sorted({page_of(place) for place in asked if place in known})
    second = characters(path, pages)
    readings: list[Reading] = []
    for place in asked:
        if place not in known:
            readings.append(("", None))
            continue
        text, box = known[place]
        readings.append((_agreed(text, second[page_of(place)], box), None))
    return readings


def _place(locator: str) -> str:
    try:
        found = parse(locator)
    except UsageError:
        return ""
    if found.number("page") is None:
        return ""
    keys = ("page", "table", "cell") if found.get("table") else ("page", "para")
    return ",".join(f"{key}={found.get(key)}" for key in keys)


def _first_reading(path: Path, asked: set[str]) -> dict[str, tuple[str, Box | None]]:
    """Text and box of every cell and passage that is asked for, by its place.

    In a long report a few pages around them are enough, unless a table began before those pages. What a paragraph is
    depends on all pages before it.
    """
    cells_only = all(",cell=" in place for place in asked)
    first = max(1, min(map(page_of, asked), default=1) - _PAGES_BEFORE) if cells_only else 1
    known = _read_from(path, first, asked)
    return known if known is not None else _read_from(path, 1, asked) or {}


def _read_from(path: Path, first: int, asked: set[str]) -> dict[str, tuple[str, Box | None]] | None:
    """What stands at the places, read from a page on; None where that page is too late to know."""
    known: dict[str, tuple[str, Box | None]] = {}
    for item in read_document(path, Limits(), first):
        if isinstance(item, Passage):
            known[item.locator] = (item.text, None)
        elif isinstance(item, RawTable):
            names = _names(item)
            if asked.intersection(names) and page_of(item.locator) < settled_from(first):
                return None
            known.update(names)
        if asked <= known.keys():
            return known
    return known if first == 1 else None


def _names(table: RawTable) -> dict[str, tuple[str, Box | None]]:
    """The cells of a table by their places."""
    names: dict[str, tuple[str, Box | None]] = {}
    for cell in table.cells:
        place = max((p for p in table.places if p.first_row <= cell.row), key=lambda p: p.first_row)
        name = f"{place.locator},cell=R{cell.row - place.first_row + 1}C{cell.col}"
        names[name] = (cell.text, table.boxes.get((cell.row, cell.col)))
    return names


def _agreed(text: str, chars: list[Char], box: Box | None) -> str:
    if box is None:
        everything = fold("".join(c.text for c in chars))
        return text if fold(text) in everything else ""
    written = "".join(c.text for c in seen_in(box, chars))
    return text if fold(written) == fold(text) else written.strip()
