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
from factspine.extract.pdf.reader import read_document
from factspine.extract.pdf.second import Char, characters, fold, seen_in

Reading = tuple[str, str | None]


def read_back(path: Path, locators: Sequence[str]) -> list[Reading]:
    """What stands at each locator according to the second reader; empty where there is nothing."""
    asked = [_place(locator) for locator in locators]
    known = _first_reading(path)
    pages = sorted({int(place.split(",")[0].removeprefix("page=")) for place in asked if place in known})
    second = characters(path, pages)
    readings: list[Reading] = []
    for place in asked:
        if place not in known:
            readings.append(("", None))
            continue
        text, box = known[place]
        page = int(place.split(",")[0].removeprefix("page="))
        readings.append((_agreed(text, second[page], box), None))
    return readings


def _place(locator: str) -> str:
    try:
        found = parse(locator)
    except UsageError:
        return ""
    keys = ("page", "table", "cell") if found.get("table") else ("page", "para")
    return ",".join(f"{key}={found.get(key)}" for key in keys)


def _first_reading(path: Path) -> dict[str, tuple[str, Box | None]]:
    """Text and box of every cell and passage by its place."""
    known: dict[str, tuple[str, Box | None]] = {}
    for item in read_document(path, Limits()):
        if isinstance(item, Passage):
            known[item.locator] = (item.text, None)
        elif isinstance(item, RawTable):
            for cell in item.cells:
                place = max((p for p in item.places if p.first_row <= cell.row), key=lambda p: p.first_row)
                name = f"{place.locator},cell=R{cell.row - place.first_row + 1}C{cell.col}"
                known[name] = (cell.text, item.boxes.get((cell.row, cell.col)))
    return known


def _agreed(text: str, chars: list[Char], box: Box | None) -> str:
    if box is None:
        everything = fold("".join(c.text for c in chars))
        return text if fold(text) in everything else ""
    written = "".join(c.text for c in seen_in(box, chars))
    return text if fold(written) == fold(text) else written.strip()
