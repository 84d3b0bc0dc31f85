"""Found tables to raw tables: cells, spans, looks and boxes in the coordinates of the page as it is printed."""

from __future__ import annotations

from collections.abc import Sequence

from factspine.core.tables import Box, CellKind, CellStyle, ContextText, Place, Position, RawCell, RawTable
from factspine.extract.pdf.marks import letters_in
from factspine.extract.pdf.second import is_nameless
from factspine.extract.pdf.shapes import Cell, Found
from factspine.extract.pdf.wording import turn_box

_INDENT_MAX = 9
_OVERLAP = 0.25  # of the type size: kerning and slanted type reach over less
_NARROWEST = 0.28  # of the type size, a digit: condensed type is wider


def page_of(locator: str) -> int:
    """The number of the page a locator of a report begins with."""
    return int(locator.split(",", 1)[0].removeprefix("page="))


class Part:
    """A table, or the part of one that stands on one page."""

    __slots__ = ("context", "found", "height", "locator", "title", "turn", "width")

    def __init__(self, found: Found, locator: str, width: float, height: float, turn: int) -> None:
        self.found = found
        self.locator = locator
        self.width, self.height, self.turn = width, height, turn
        self.title = ""
        self.context: list[ContextText] = []

    def seen(self, box: Box) -> Box:
        """A box as it lies on the printed page."""
        back = turn_box(box, (4 - self.turn) % 4, self.width, self.height)
        return (round(back[0], 2), round(back[1], 2), round(back[2], 2), round(back[3], 2))


def raw_table(parts: Sequence[Part], rows_before: Sequence[int]) -> RawTable:
    """One raw table from its parts; `rows_before` tells how many table rows come before each part."""
    cells: list[RawCell] = []
    spans: dict[Position, Position] = {}
    boxes: dict[Position, Box] = {}
    styles: dict[CellStyle, CellStyle] = {}
    for part, before in zip(parts, rows_before, strict=True):
        lefts = _left_edges(part.found.cells)
        for cell in part.found.cells:
            if not cell.text:
                continue
            at = (before + cell.row + 1, cell.col + 1)
            style = _style(cell, lefts)
            kind: CellKind = "e" if is_doubtful(cell) else "s"
            cells.append(RawCell(at[0], at[1], cell.text, kind, style=styles.setdefault(style, style)))
            boxes[at] = part.seen(cell.box)
            if cell.rowspan > 1 or cell.colspan > 1:
                spans[at] = (cell.rowspan, cell.colspan)
    cells.sort(key=lambda c: (c.row, c.col))
    first = parts[0]
    places = tuple(
        Place(first_row=before + 1, locator=part.locator) for part, before in zip(parts, rows_before, strict=True)
    )
    return RawTable(
        locator=first.locator,
        title=first.title,
        n_rows=max((c.row + spans.get((c.row, c.col), (1, 1))[0] - 1 for c in cells), default=0),
        n_cols=max((c.col + spans.get((c.row, c.col), (1, 1))[1] - 1 for c in cells), default=0),
        cells=cells,
        spans=spans,
        bbox=first.seen(first.found.box),
        boxes=boxes,
        places=places,
        context=tuple(first.context),
    )


def _left_edges(cells: Sequence[Cell]) -> dict[int, float]:
    edges: dict[int, float] = {}
    for cell in cells:
        if cell.colspan == 1:
            x0 = cell.lines[0][0].x0
            edges[cell.col] = min(x0, edges.get(cell.col, x0))
    return edges


def _style(cell: Cell, lefts: dict[int, float]) -> CellStyle:
    words = [w for line in cell.lines for w in line]
    first = words[0]
    indent = 0
    if cell.kind == "t" and cell.col == 0 and cell.col in lefts:
        indent = min(_INDENT_MAX, max(0, round((first.x0 - lefts[cell.col]) / max(first.size * 0.9, 1.0))))
    return CellStyle(bold=all(w.bold for w in words), italic=all(w.italic for w in words), indent=indent)


def is_doubtful(cell: Cell) -> bool:
    """Whether figures lie over each other or lack a code, so that one reader alone cannot say which number is meant."""
    text = cell.text
    if is_nameless(text):
        # An ornament before a label is no loss; in the place of a number it may be a digit.
        return any(c.isdigit() for c in text) or (cell.col > 0 and not letters_in(text))
    if cell.kind != "n":
        return False
    for line in cell.lines:
        for index, word in enumerate(line):
            digits = sum(c.isdigit() for c in word.text)
            if digits > 2 and word.x1 - word.x0 < _NARROWEST * word.size * digits:
                return True
            if index and digits and line[index - 1].x1 - word.x0 > _OVERLAP * word.size:
                return any(c.isdigit() for c in line[index - 1].text)
    return False
