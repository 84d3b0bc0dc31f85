"""Native tables of a slide: origin cells only, with their spans, looks and boxes."""

from __future__ import annotations

from typing import Any, NamedTuple

from lxml import etree

from factspine.core.tables import PLAIN, Box, CellStyle, Position, RawCell
from factspine.extract.pptx import tags
from factspine.extract.pptx.package import Element
from factspine.extract.pptx.shapes import EMU_PER_POINT, Transform
from factspine.extract.pptx.text import raised

_TR, _TC, _P, _R, _FLD, _T, _BR, _PPR, _RPR, _TC_PR = (
    tags.a(name) for name in ("tr", "tc", "p", "r", "fld", "t", "br", "pPr", "rPr", "tcPr")
)
_M_T = tags.m("t")
_GRID, _GRID_COL = tags.a("tblGrid"), tags.a("gridCol")
_FILLS = frozenset(tags.a(name) for name in ("solidFill", "gradFill", "pattFill", "blipFill"))
_LINE_TOP, _LINE_BOTTOM, _NO_FILL = tags.a("lnT"), tags.a("lnB"), tags.a("noFill")
_ALIGN = {"l": "left", "ctr": "center", "r": "right"}
_TRUE = frozenset(("1", "true", "on"))
_EMU_PER_INDENT = 228600  # a quarter of an inch, what one press of the indent button moves a paragraph
_INDENT_MAX = 15
_IDEOGRAPHIC_SPACE = "\u3000"
_ADDRESS = f'"{tags.a("")[1:-1]}"'
_NAMES = {"a": tags.a("")[1:-1]}
_count_cells, _count_extensions, _count_all_cells, _count_all_rows = (
    etree.XPath(f"count({path})", namespaces=_NAMES)
    for path in ("a:tr/a:tc", "a:tr/a:extLst", "descendant::a:tc", "descendant::a:tr")
)
_new = tuple.__new__  # a named tuple's own constructor takes twice as long


class Grid(NamedTuple):
    """What a table holds, in its own rows and columns."""

    n_rows: int
    n_cols: int
    cells: list[RawCell]
    spans: dict[Position, Position]
    boxes: dict[Position, Box]


def read_table(table: Element, frame: Box | None, transform: Transform) -> Grid:
    """The cells of a table; `frame` and `transform` say where on the slide it stands."""
    _keep_choices(table)
    grid = next(table.iterchildren(_GRID), None)
    widths = [_emu(column.get("w")) for column in grid.iterchildren(_GRID_COL)] if grid is not None else []
    rows = list(table.iterchildren(_TR))
    heights = [_emu(row.get("h")) for row in rows]
    written = _written_cells(table, rows)
    if written is not None:
        n_cols = max([len(widths), *map(len, written)])
        cells, spans = _Cells(len(rows), n_cols).read_written(rows, written, f"{table.prefix}:t")
    else:
        n_cols = max([len(widths), *(len(list(row.iterchildren(_TC))) for row in rows)], default=0)
        cells, spans = _Cells(len(rows), n_cols).read(table)
    boxes = _boxes(cells, spans, widths, heights, frame, transform) if frame is not None else {}
    return Grid(len(rows), n_cols, cells, spans, boxes)


def _written_cells(table: Element, rows: list[Element]) -> list[list[str]] | None:
    """The XML of each cell, row by row; None for a table that is more or less than rows of cells.

    It is written anew by the library and so has one form: no comments, no marked sections, one way to put a tag. Only
    the prefix is as the file has it, and another may mean the same: then the XML is not to be trusted.
    """
    count = _count_cells(table)
    if not table.prefix or sum(map(len, rows)) != count + _count_extensions(table):
        return None  # something else among the cells of a row
    if _count_all_cells(table) != count or _count_all_rows(table) != len(rows):
        return None  # a table within a cell
    xml: str = etree.tostring(table, encoding="unicode", with_tail=False)
    if xml.count(_ADDRESS) != 1:
        return None
    cell_start, cell_end = f"<{table.prefix}:tc", f"</{table.prefix}:tc>"
    found = [row.split(cell_end)[:-1] for row in xml.split(f"</{table.prefix}:tr>")[:-1]]
    for cells in found:
        if cells:
            cells[0] = cells[0][cells[0].find(cell_start) :]  # without what opens the row
    # Rows and cells that hold nothing may be written without an end of their own.
    return found if len(found) == len(rows) and sum(map(len, found)) == count else None


def _keep_choices(table: Element) -> None:
    """Of alternative contents keep the first, so that one pass over all descendants reads every text once."""
    for alternate in list(table.iter(tags.ALTERNATE)):
        for branch in list(alternate)[1:]:
            alternate.remove(branch)


class _Cells:
    """Reads cells: each by one pass over its elements in document order, or by its look where that was met before."""

    def __init__(self, n_rows: int, n_cols: int) -> None:
        self._n_rows = n_rows
        self._n_cols = n_cols
        self._cells: list[RawCell] = []
        self._spans: dict[Position, Position] = {}
        self._styles: dict[tuple[Any, ...], CellStyle] = {}
        self._row = self._col = 0
        self._merged = False

    def read_written(
        self, rows: list[Element], written: list[list[str]], text_name: str
    ) -> tuple[list[RawCell], dict[Position, Position]]:
        """What `read` gives, for cells of which the XML is known, too.

        Most cells of a table differ in nothing but their text: what surrounds the text is parsed for the first of
        them, and for the others only compared.
        """
        styles: dict[tuple[str, str], CellStyle] = {}
        start, end, keep = f"<{text_name}>", f"</{text_name}>", self._cells.append
        for row_no, (row, cells) in enumerate(zip(rows, written, strict=True), 1):
            elements: list[Element] = []
            for col_no, cell in enumerate(cells, 1):
                before, _, rest = cell.partition(start)
                text, _, after = rest.partition(end)
                is_plain = text == text.strip() and "&" not in text
                style = styles.get((before, after)) if is_plain else None
                if style is not None:
                    keep(_new(RawCell, (row_no, col_no, text, "s", None, style)))
                    continue
                elements = elements or list(row.iterchildren(_TC))
                element, count = elements[col_no - 1], len(self._cells)
                self._row, self._col = row_no, col_no - 1
                self.read(element)
                # White space at the ends tells of indentation, and attributes of spans, which depend on the place.
                is_known = is_plain and len(self._cells) > count and not element.attrib
                if is_known and self._cells[-1].text == text:
                    styles[before, after] = self._cells[-1].style
        return self._cells, self._spans

    def read(self, table: Element) -> tuple[list[RawCell], dict[Position, Position]]:
        """The cells of a table, or one cell, that say something, row by row, and the spans of all.

        One pass over all elements: finding children by name would cost five times as much.
        """
        parts: list[str] = []
        runs: list[Element | None] = []  # the look of each run, None where it has none of its own
        look: Element | None = None
        frame: list[Element] = []  # properties of the first paragraph and of the cell
        lines = 0
        for element in table.iter(_T, _RPR, _R, _P, _TC, _TR, _BR, _PPR, _TC_PR, _FLD, _M_T):
            tag = element.tag
            if tag == _T:
                text = element.text or ""
                parts.append(text if look is None else raised(text, look, parts))
                runs.append(look)
                look = None
            elif tag == _RPR:
                look = element
            elif tag == _R or tag == _FLD:  # noqa: SIM109 - the hot path
                look = None
            elif tag == _P:
                lines += 1
                if lines > 1:
                    parts.append("\n")
            elif tag == _TC or tag == _TR:  # noqa: SIM109
                if parts and not self._merged:
                    self._keep(parts, runs, frame)
                parts, runs, frame, lines = [], [], [], 0
                if tag == _TC:
                    self._open_cell(element.attrib)
                else:
                    self._row, self._col = self._row + 1, 0
            elif tag == _TC_PR or tag == _PPR:  # noqa: SIM109
                if lines < 2 or tag == _TC_PR:
                    frame.append(element)
            else:
                parts.append("\n" if tag == _BR else element.text or "")
        if parts and not self._merged:
            self._keep(parts, runs, frame)
        return self._cells, self._spans

    def _open_cell(self, attributes: Element) -> None:
        self._col += 1
        self._merged = False
        if not attributes:
            return
        if attributes.get("hMerge") in _TRUE or attributes.get("vMerge") in _TRUE:
            self._merged = True
            return
        span = (
            _span(attributes.get("rowSpan"), self._n_rows - self._row),
            _span(attributes.get("gridSpan"), self._n_cols - self._col),
        )
        if span != (1, 1):
            self._spans[self._row, self._col] = span

    def _keep(self, parts: list[str], runs: list[Element | None], frame: list[Element]) -> None:
        """Keep the cell that just ended, if it says something."""
        full = parts[0] if len(parts) == 1 else "".join(parts)
        if "\v" in full:
            full = full.replace("\v", "\n")
        text = full.strip()
        if text:
            self._cells.append(RawCell(self._row, self._col, text, "s", None, self._style(full, runs, frame)))

    def _style(self, full: str, runs: list[Element | None], frame: list[Element]) -> CellStyle:
        align, indent = "", _leading_indent(full) if full[0].isspace() else 0
        filled = top = bottom = False
        for element in frame:
            if element.tag == _PPR:
                align = align or _ALIGN.get(element.get("algn", ""), "")
                indent += _paragraph_indent(element)
            elif len(element):
                filled, top, bottom = _surface(element)
        bold = bool(runs) and all(look is not None and look.get("b") in _TRUE for look in runs)
        italic = bool(runs) and all(look is not None and look.get("i") in _TRUE for look in runs)
        key: tuple[Any, ...] = ("General", bold, italic, min(indent, _INDENT_MAX), align, filled, top, bottom)
        style = self._styles.get(key)
        if style is None:
            style = self._styles[key] = PLAIN if key == PLAIN else CellStyle(*key)
        return style


def _surface(look: Element) -> tuple[bool, bool, bool]:
    """Whether a cell is filled, and ruled above and below."""
    filled = top = bottom = False
    for child in look:
        tag = child.tag
        if tag in _FILLS:
            filled = True
        elif tag == _LINE_TOP:
            top = len(child) > 0 and next(child.iterchildren(_NO_FILL), None) is None
        elif tag == _LINE_BOTTOM:
            bottom = len(child) > 0 and next(child.iterchildren(_NO_FILL), None) is None
    return filled, top, bottom


def _leading_indent(full: str) -> int:
    """Levels of indentation typed as white space: two spaces or one ideographic space a level."""
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
    if not spans:
        return {(row, col): (xs[col - 1], ys[row - 1], xs[col], ys[row]) for row, col, _, _, _, _ in cells}
    boxes = {}
    for cell in cells:
        position = cell.row, cell.col
        rows, cols = spans.get(position, (1, 1))
        right = min(cell.col + cols - 1, len(xs) - 1)
        boxes[position] = (xs[cell.col - 1], ys[cell.row - 1], xs[right], ys[cell.row + rows - 1])
    return boxes
