"""Decks: slides become raw tables, charts as grids, and passages, each with its place.

The hot path reads the zip's parts with lxml and touches only what holds text or numbers: opening a deck with
python-pptx inflates every picture first and wraps every cell in objects. python-pptx is the second opinion instead:
`reread` goes back to each locator through its objects, so that two readers must agree before a number is a fact.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from factspine.core.drawings import PageDrawing
from factspine.core.limits import Limits
from factspine.core.tables import Item

VERSION = "pptx/3"

__all__ = ["VERSION", "picture", "read", "reread"]


def read(path: Path, limits: Limits) -> Iterator[Item]:
    """Everything a deck says, slide by slide; damaged slides become findings, a damaged deck `InputRejected`."""
    from factspine.extract.pptx.deck import read_deck  # parsers load only in the process that parses

    return read_deck(path, limits)


def reread(path: Path, locators: Sequence[str]) -> list[tuple[str, str | None]]:
    """What stands at each locator according to the second reader: text, and the exact value of a chart's point."""
    from factspine.extract.pptx.readback import read_back  # another name: a submodule would hide this function

    return read_back(path, locators)


def picture(path: Path, number: int, limits: Limits) -> PageDrawing:
    """A likeness of one slide: its texts, tables and charts in their places."""
    from factspine.extract.pptx.drawing import draw_slide

    return draw_slide(path, number, limits)
