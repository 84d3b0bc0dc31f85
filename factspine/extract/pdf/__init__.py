"""PDF reports: pages become raw tables and passages, each with its page and box.

pdfium reads the pages (characters, rules, fills, pictures); tables are found by geometry and by what figures, periods
and labels look like. Measured on public table-recognition pages (adjacency F1, averaged over 20 documents): ruled
grids alone 0.70; alignment alone, all rules withheld, 0.83; alignment with level rules 0.96; grids first, alignment for
whatever they leave or leave undivided, 0.99. So grids come first (`lattice`), coarse grids and everything else go to
alignment (`stream`), and rules, where there are any, settle where a table ends and which lines are one row.

The way through the package: `reader` (pages in order) → `glyphs`, `wording`, `paths` (what a page holds) → `layout`
(`rulings`, `lattice`; `lines`, `regions`, `seeds`, `frames`, `stream`, `references`, `columns`, `heads`, `rows`,
`refusal`) → `prose`, `surrounds` (passages, and texts beside tables) → `continuation`, `assemble` (raw tables).
pdfplumber, a reader of its own, is the second opinion (`second`): it is asked about doubtful cells while a report is
read, and `reread` goes back to each locator through it.

What a page looks like must not depend on one setter's habits, so most distances are shares of the type size, and
statements set in hundreds of ways by code are read alike (of 400 settings never looked at before, 0.995 of cell
adjacencies and 0.997 of facts).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from factspine.core.drawings import PageDrawing
from factspine.core.limits import Limits
from factspine.core.tables import Item, RawTable

VERSION = "pdf/4"

__all__ = ["VERSION", "draw", "picture", "read", "reread"]


def read(path: Path, limits: Limits) -> Iterator[Item]:
    """Everything a report says, page by page; damaged pages become findings, a damaged file `InputRejected`."""
    from factspine.extract.pdf.reader import read_document  # parsers load only in the process that parses

    return read_document(path, limits)


def reread(path: Path, locators: Sequence[str]) -> list[tuple[str, str | None]]:
    """What stands at each locator according to the second reader."""
    from factspine.extract.pdf.readback import read_back  # the second reader's library is loaded only when it is asked

    return read_back(path, locators)


def draw(path: Path, tables: Sequence[RawTable], roles: Mapping[str, Sequence[str]]) -> Iterator[tuple[int, bytes]]:
    """Each page as a PNG with what was read drawn over it."""
    from factspine.extract.pdf.drawing import draw_pages

    return draw_pages(path, tables, roles)


def picture(path: Path, number: int, limits: Limits) -> PageDrawing:
    """One page as it looks."""
    from factspine.extract.pdf.drawing import draw_page

    return draw_page(path, number)
