"""Native tables of a slide: origin cells only, with their spans, looks and boxes."""

from __future__ import annotations

from typing import NamedTuple

from factspine.core.tables import PLAIN, Box, CellStyle, Position, RawCell
from factspine.extract.pptx import tags
from factspine.extract.pptx.package import Element
from factspine.extract.pptx.shapes import EMU_PER_POINT, Transform
from factspine.extract.pptx.text import paragraph_text

_TR, _TC, _TX_BODY, _P, _R, _FLD, _PPR, _RPR, _TC_PR = (
    tags.a(name) for name in ("tr", "tc", "txBody", "p", "r", "fld", "pPr", "rPr", "tcPr")
)
_GRID, _GRID_COL = tags.a("tblGrid"), tags.a("gridCol")
_FILLS = frozenset(tags.a(name) for name in ("solidFill", "gradFill", "pattFill", "blipFill"))
_LINE_TOP, _LINE_BOTTOM, _NO_FILL = tags.a("lnT"), tags.a("lnB"), tags.a("noFill")
_ALIGN = {"l": "left", "ctr": "center", "r": "right"}
_TRUE = frozenset(("1", "true", "on"))
_EMU_PER_INDENT = 228600  # a quarter of an inch, what one press of the indent button moves a paragraph
_INDENT_MAX = 15
_IDEOGRAPHIC_SPACE = "\u3000"


class Grid(NamedTuple):
    """What a table holds, in its own rows and columns."""

    n_rows: int
    n_cols: int
    cells: list[RawCell]
    spans: dict[Position, Position]
    boxes: dict[Position, Box]


def read_table(table: Element, frame: Box | None, transform: Transform) -> Grid:
    """The cells of a table; `frame` and `transform` say where on the slide it stands."""
    grid = table.find(_GRID)
    widths = [_emu(column.get("w")) for column in grid.iterchildren(_GRID_COL)] if grid is not None else []
    rows = [list(row.iterchildren(_TC)) for row in table.iterchildren(_TR)]
    heights = [_emu(row.get("h")) for row in table.iterchildren(_TR)]
    n_cols = max([len(widths), *(len(row) for row in rows)], default=0)
    cells: list[RawCell] = []
    spans: dict[Position, Position] = {}
    for r, row in enumerate(rows, 1):
        for c, cell in enumerate(row, 1):
            attributes = cell.attrib
            if attributes:
                if attributes.get("hMerge") in _TRUE or attributes.get("vMerge") in _TRUE:
                    continue
                span = _span(attributes.get("rowSpan"), len(rows) - r), _span(attributes.get("gridSpan"), n_cols - c)
                if span != (1, 1):
                    spans[r, c] = span
            read = _read_cell(cell, r, c)
            if read is not None:
                cells.append(read)
    boxes = _boxes(cells, spans, widths, heights, frame, transform) if frame is not None else {}
    return Grid(len(rows), n_cols, cells, spans, boxes)


def cell_text(body: Element) -> str:
    """The text of a cell with the white space around it."""
    paragraphs = body.findall(_P)
    if len(paragraphs) == 1:
        return paragraph_text(paragraphs[0])
    return "\n".join([paragraph_text(paragraph) for paragraph in paragraphs])


def _read_cell(cell: Element, row: int, col: int) -> RawCell | None:
    body = cell.find(_TX_BODY)
    if body is None:
        return None
    full = cell_text(body)
    text = full.strip()
    if not text:
        return None
    return RawCell(row, col, text, "s", None, _style(cell, body, full))


def _style(cell: Element, body: Element, full: str) -> CellStyle:
    paragraph = body.find(_P)
    properties = paragraph.find(_PPR) if paragraph is not None else None
    align, indent = "", _leading_indent(full)
    if properties is not None:
        align = _ALIGN.get(properties.get("algn", ""), "")
        indent += _paragraph_indent(properties)
    bold, italic = _emphasis(body)
    filled = top = bottom = False
    look = cell.find(_TC_PR)
    if look is not None and len(look):
        for child in look:
            tag = child.tag
            if tag in _FILLS:
                filled = True
            elif tag == _LINE_TOP:
                top = child.find(_NO_FILL) is None and len(child) > 0
            elif tag == _LINE_BOTTOM:
                bottom = child.find(_NO_FILL) is None and len(child) > 0
    style = CellStyle("General", bold, italic, min(indent, _INDENT_MAX), align, filled, top, bottom)
    return PLAIN if style == PLAIN else style


def _emphasis(body: Element) -> tuple[bool, bool]:
    """Whether every run is bold, and whether every run is italic."""
    bold = italic = True
    for run in body.iter(_R, _FLD):
        look = run.find(_RPR)
        if look is None:
            return False, False
        bold = bold and look.get("b") in _TRUE
        italic = italic and look.get("i") in _TRUE
        if not bold and not italic:
            return False, False
    return bold, italic


def _leading_indent(full: str) -> int:
    """Levels of indentation typed as white space: two spaces or one ideographic space a level."""
    if not full[:1].isspace():
        return 0
    lead = full[: len(full) - len(full.lstrip())].rpartition("\n")[2]
    wide = lead.count(_IDEOGRAPHIC_SPACE) + lead.count("\t")
    return wide + (len(lead) - wide + 1) // 2


def _paragraph_indent(properties: Element) -> int:
    level = properties.get("lvl")
    if level is not None and level.isdigit() and len(level) < 3:
        return int(level)
    left = _emu(properties.get("marL"))
    # A bullet hangs to the left of its text: the edge of the first line is what the eye compares.
    return max(0, left + _emu(properties.get("indent"))) // _EMU_PER_INDENT if left else 0


def _emu(value: str | None) -> int:
    try:
        return int(value) if value else 0
    except ValueError:
        return 0


def _span(value: str | None, rest: int) -> int:
    """A span as the file says it, never past the table's edge."""
    return max(1, min(_emu(value), rest + 1)) if value else 1


def _boxes(
    cells: list[RawCell],
    spans: dict[Position, Position],
    widths: list[int],
    heights: list[int],
    frame: Box,
    transform: Transform,
) -> dict[Position, Box]:
    """Boxes of the cells that say something, from column widths and row heights as the file gives them."""
    if not all(widths) or not all(heights) or any(len(widths) < cell.col for cell in cells):
        return {}
    xs, ys = [frame[0]], [frame[1]]
    for width in widths:
        xs.append(xs[-1] + width * transform.scale_x / EMU_PER_POINT)
    for height in heights:
        ys.append(ys[-1] + height * transform.scale_y / EMU_PER_POINT)
    xs, ys = [round(x, 1) for x in xs], [round(y, 1) for y in ys]
    boxes = {}
    for cell in cells:
        position = cell.row, cell.col
        rows, cols = spans.get(position, (1, 1))
        right = min(cell.col + cols - 1, len(xs) - 1)
        boxes[position] = (xs[cell.col - 1], ys[cell.row - 1], xs[right], ys[cell.row + rows - 1])
    return boxes
