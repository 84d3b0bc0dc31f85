"""The walk through a deck: presentation, slides in their order, what each says, what could not be read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from factspine.core.errors import FactSpineError, InputRejected, LimitExceeded
from factspine.core.findings import Finding
from factspine.core.limits import Limits
from factspine.core.tables import ContextText, Item
from factspine.extract.pptx import tags
from factspine.extract.pptx.layouts import Layouts
from factspine.extract.pptx.package import Element, Package, PartDamaged
from factspine.extract.pptx.shapes import EMU_PER_POINT
from factspine.extract.pptx.slide import SlideReader

_SLIDE_LIST, _SLIDE_ID, _SLIDE_SIZE = (tags.p(name) for name in ("sldIdLst", "sldId", "sldSz"))
_LISTED_SLIDES = 20  # numbers a message names before it only counts
_REMEDY = "Open the deck in its own program, repair and save it, then ingest it again."


def read_deck(path: Path, limits: Limits) -> Iterator[Item]:
    """Every table, chart, passage and finding of a deck, in slide order."""
    with Package(path, limits) as package:
        slides, (width, height) = slides_of(package)
        if len(slides) > limits.pages_max:
            raise LimitExceeded("pages_max", len(slides), limits.pages_max)
        layouts = Layouts(package, limits)
        opening: tuple[ContextText, ...] = ()
        pictures: list[int] = []
        cells = 0
        for number, part in enumerate(slides, 1):
            try:
                slide = SlideReader(package, limits, layouts, number=number, part=part, slide_area=width * height)
                said = slide.opening() if number == 1 else opening
                if number == 1:
                    opening = said if not slide.has_visuals else _whose_deck(said)
                yield from slide.items(said)
            except (FactSpineError, MemoryError):
                raise
            except Exception as error:  # whatever a damaged slide provokes costs that slide only, and is said
                why = str(error) if isinstance(error, PartDamaged) else type(error).__name__
                message = f"Slide {number} could not be read: {why}."
                yield Finding.of("FS207", message, locator=f"slide={number}", remedy=_REMEDY)
                continue
            if slide.has_large_picture and not slide.has_visuals:
                pictures.append(number)
            cells += slide.cell_count
            if cells > limits.cells_max:
                raise LimitExceeded("cells_max", cells, limits.cells_max, locator=f"slide={number}")
        if pictures:
            yield _picture_finding(pictures)


def _whose_deck(said: tuple[ContextText, ...]) -> tuple[ContextText, ...]:
    """A first slide with tables of its own is no cover: of others it says whose they are, not their unit or year."""
    return tuple(replace(text, role="sibling") for text in said)


def slides_of(package: Package) -> tuple[list[str], tuple[float, float]]:
    """Part names of the slides in the order they are shown ("" where a link leads nowhere), and a slide's size."""
    try:
        main = next((link.target for link in package.relations("").values() if link.kind == "officeDocument"), None)
        main = main or "ppt/presentation.xml"
        presentation = package.xml(main)
        links = package.relations(main)
    except PartDamaged as damage:
        raise InputRejected(
            "FS201", f"The presentation's main part cannot be read: {damage}.", remedy=_REMEDY
        ) from damage
    listed = presentation.find(_SLIDE_LIST)
    parts = []
    for entry in listed.iterchildren(_SLIDE_ID) if listed is not None else ():
        link = links.get(entry.get(tags.REL_ID) or "")
        parts.append(link.target if link is not None else "")
    return parts, _size(presentation.find(_SLIDE_SIZE))


def _size(size: Element | None) -> tuple[float, float]:
    """Width and height of a slide in points; without a stated size the one programs start with."""
    try:
        width, height = (int(size.get(side)) for side in ("cx", "cy")) if size is not None else (0, 0)
    except (TypeError, ValueError):
        width, height = 0, 0
    return (width / EMU_PER_POINT, height / EMU_PER_POINT) if width > 0 and height > 0 else (720.0, 540.0)


def _picture_finding(slides: list[int]) -> Finding:
    shown = ", ".join(str(number) for number in slides[:_LISTED_SLIDES])
    more = f" and {len(slides) - _LISTED_SLIDES} more" if len(slides) > _LISTED_SLIDES else ""
    return Finding.of(
        "FS211",
        f"{len(slides)} slides show large pictures and no table or chart: {shown}{more}.",
        locator=f"slide={slides[0]}",
        remedy="Numbers inside pictures are not read; insert the table or chart itself.",
    )
