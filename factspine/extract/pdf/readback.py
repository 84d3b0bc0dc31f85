"""Going back to a cell with another reader: pdfplumber says which characters stand in the cell's box.

The first reader says where each cell lies, pdfplumber alone says what is written there. White space is drawn, not
stored, so the two texts are compared without it; where they agree, the cell's text is given as it was first read.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from factspine.core.errors import InputRejected, UsageError
from factspine.core.limits import Limits
from factspine.core.locators import parse
from factspine.core.tables import Box, Passage, RawTable
from factspine.extract.pdf.reader import read_document

Reading = tuple[str, str | None]
_MARGIN = 0.6
_DOUBLED = 1.0
_SAME_LINE = 4.5  # points between the middles of characters of one line


def read_back(path: Path, locators: Sequence[str]) -> list[Reading]:
    """What stands at each locator according to the second reader; empty where there is nothing."""
    asked = [_place(locator) for locator in locators]
    known = _first_reading(path)
    pages = sorted({int(place.split(",")[0].removeprefix("page=")) for place in asked if place in known})
    second = _second_reading(path, pages)
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


def _second_reading(path: Path, pages: Sequence[int]) -> dict[int, list[dict[str, Any]]]:
    import pdfplumber

    out: dict[int, list[dict[str, Any]]] = {}
    try:
        with pdfplumber.open(path, pages=list(pages)) as document:
            for page in document.pages:
                left, top = (page.cropbox[0], page.cropbox[1]) if page.cropbox else (0, 0)
                out[page.page_number] = [
                    {
                        "text": c["text"],
                        "x0": c["x0"] - left,
                        "x1": c["x1"] - left,
                        "y": (c["top"] + c["bottom"]) / 2 - top,
                    }
                    for c in page.chars
                ]
                page.close()
    except Exception as error:
        raise InputRejected("FS201", "The second reader cannot open the document.") from error
    return out


def _agreed(text: str, chars: list[dict[str, Any]], box: Box | None) -> str:
    if box is None:
        everything = _fold("".join(c["text"] for c in chars))
        return text if _fold(text) in everything else ""
    x0, top, x1, bottom = box
    inside = [
        c
        for c in chars
        if x0 - _MARGIN <= (c["x0"] + c["x1"]) / 2 <= x1 + _MARGIN and top - _MARGIN <= c["y"] <= bottom + _MARGIN
    ]
    seen = _in_order(_once(inside))
    written = "".join(c["text"] for c in seen)
    return text if _fold(written) == _fold(text) else written.strip()


def _in_order(chars: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Characters line by line, each line from left to right; raised marks belong to the line they stand on."""
    lines: list[list[dict[str, Any]]] = []
    for char in sorted(chars, key=lambda c: c["y"]):
        if lines and char["y"] - lines[-1][0]["y"] < _SAME_LINE:
            lines[-1].append(char)
        else:
            lines.append([char])
    return [char for line in lines for char in sorted(line, key=lambda c: c["x0"])]


def _once(chars: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Characters without those drawn twice at one place."""
    kept: list[dict[str, Any]] = []
    for char in chars:
        if not any(
            k["text"] == char["text"] and abs(k["x0"] - char["x0"]) < _DOUBLED and abs(k["y"] - char["y"]) < _DOUBLED
            for k in kept
        ):
            kept.append(char)
    return kept


def _fold(text: str) -> str:
    return "".join(unicodedata.normalize("NFKC", text).split()).replace("\u00ad", "")
