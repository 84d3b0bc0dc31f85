"""One slide as marks to draw: its texts, tables and charts where the deck puts them, pictures as their places.

It is a likeness, not the slide: themes, effects and typefaces are left out, and every chart is drawn as bars of its
own data. What it must show truly is which number stands where.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from factspine.core.drawings import Mark, PageDrawing
from factspine.core.errors import UsageError
from factspine.core.limits import Limits
from factspine.core.tables import Box, Position
from factspine.core.wrapping import wrapped
from factspine.extract.pptx import tags
from factspine.extract.pptx.chartex import read_chartex
from factspine.extract.pptx.charts import ChartGrid, read_chart
from factspine.extract.pptx.deck import slides_of
from factspine.extract.pptx.layouts import Layouts, placeholder_of
from factspine.extract.pptx.package import Element, Package, PartDamaged, child_of
from factspine.extract.pptx.shapes import Shape, shapes_of
from factspine.extract.pptx.tables import read_table
from factspine.extract.pptx.text import paragraphs_of

_C_SLD, _SP_TREE, _TX_BODY, _SP_PR = (tags.p(name) for name in ("cSld", "spTree", "txBody", "spPr"))
_TBL, _CHART, _CHARTEX = tags.a("tbl"), tags.c("chart"), tags.cx("chart")
_SOLID, _RGB, _R_PR, _P_PR = (tags.a(name) for name in ("solidFill", "srgbClr", "rPr", "pPr"))
_ALIGN = {"l": "left", "ctr": "center", "r": "right"}
_SIZES = {"title": 32.0, "ctrTitle": 40.0, "subTitle": 24.0}  # what programs start with; a deck's own size is preferred
_BODY_SIZE, _CELL_SIZE, _SMALLEST = 18.0, 12.0, 5.0
_LINE = 1.2  # a line's height as a share of the type size
_SERIES = ("#4e79a7", "#76b7b2", "#59a14f", "#b07aa1", "#9aa5b1", "#9c755f")  # colours of a chart's series in turn
_INSET = 8.0  # points a frame keeps free on both sides together


def draw_slide(path: Path, number: int, limits: Limits) -> PageDrawing:
    """A slide as marks; `UsageError` where the deck has no such slide."""
    with Package(path, limits) as package:
        parts, (width, height) = slides_of(package)
        if not 1 <= number <= len(parts):
            raise UsageError(f"the deck has {len(parts)} slides, not {number}")
        drawer = _Drawer(package, limits, number, parts[number - 1])
        marks = tuple(drawer.marks())
        return PageDrawing(number=number, width=width, height=height, marks=marks, points=drawer.points)


class _Drawer:
    """Goes through the shapes of one slide; what is damaged is left out of the likeness."""

    def __init__(self, package: Package, limits: Limits, number: int, part: str) -> None:
        self._package = package
        self._limits = limits
        self._locator = f"slide={number}"
        self._root = package.xml(part)
        self._relations = package.relations(part)
        self._layouts = Layouts(package, limits)
        self._charts = 0
        self.points: dict[str, dict[Position, Box]] = {}

    def marks(self) -> Iterator[Mark]:
        common = child_of(self._root, _C_SLD)
        tree = child_of(common, _SP_TREE) if common is not None else None
        for shape in shapes_of(tree, self._limits, self._locator) if tree is not None else ():
            box = shape.box() or self._placeholder_box(shape)
            if shape.kind == "sp" and box is not None:
                yield from _text(shape.element, box)
            elif shape.kind == "pic" and box is not None:
                yield Mark(kind="picture", box=box)
            elif shape.kind == "graphicFrame":
                yield from self._graphic(shape, box)

    def _placeholder_box(self, shape: Shape) -> Box | None:
        placeholder = placeholder_of(shape.element)
        if placeholder is None:
            return None
        layout = next((link.target for link in self._relations.values() if link.kind == "slideLayout"), "")
        return self._layouts.box(layout, placeholder.get("idx", "0"), placeholder.get("type", ""))

    def _graphic(self, shape: Shape, box: Box | None) -> Iterator[Mark]:
        content = next(shape.element.iter(_TBL, _CHART, _CHARTEX), None)
        if content is None:
            if box is not None:
                yield Mark(kind="picture", box=box)
        elif content.tag == _TBL:
            yield from _table(content, box, shape)
        else:
            self._charts += 1
            if box is not None:
                yield from self._chart(content, box)

    def _chart(self, content: Element, box: Box) -> Iterator[Mark]:
        link = self._relations.get(content.get(tags.REL_ID) or "")
        try:
            root = self._package.xml(link.target if link is not None else "")
        except PartDamaged:
            yield Mark(kind="picture", box=box)
            return
        grid = read_chartex(root) if content.tag == _CHARTEX else read_chart(root)
        if grid is None:
            yield Mark(kind="picture", box=box)
            return
        yield Mark(kind="chart", box=box, text=grid.title, size=_CELL_SIZE)
        bars = _bars(grid, box)
        self.points[f"{self._locator},chart={self._charts}"] = bars
        categories = {cell.row: cell.text for cell in grid.cells if cell.col == 1}
        for (row, col), bar in bars.items():
            yield Mark(kind="bar", box=bar, text=categories.get(row, ""), fill=_SERIES[(col - 2) % len(_SERIES)])


def _text(element: Element, box: Box) -> Iterator[Mark]:
    body = child_of(element, _TX_BODY)
    fill = _fill(child_of(element, _SP_PR))
    paragraphs = paragraphs_of(body) if body is not None else []
    if body is None or (not paragraphs and not fill):
        return
    placeholder = placeholder_of(element)
    kind = placeholder.get("type", "") if placeholder is not None else ""
    look = next(body.iter(_R_PR), None)
    text = "\n".join(paragraph.text for paragraph in paragraphs)
    properties = next(body.iter(_P_PR), None)
    yield Mark(
        kind="text",
        box=box,
        text=text,
        size=_fitted(text, box, _stated_size(look) or _SIZES.get(kind, _BODY_SIZE)),
        bold=kind in _SIZES or (look is not None and look.get("b") in ("1", "true")),
        align=_ALIGN.get(properties.get("algn", ""), "") if properties is not None else "",
        fill=fill,
    )


def _table(table: Element, box: Box | None, shape: Shape) -> Iterator[Mark]:
    grid = read_table(table, box, shape.transform)
    stated = _stated_size(next(table.iter(_R_PR), None)) or _CELL_SIZE
    for cell in grid.cells:
        place = grid.boxes.get((cell.row, cell.col))
        if place is not None:
            size = _fitted(cell.text, place, stated)
            yield Mark(kind="cell", box=place, text=cell.text, size=size, bold=cell.style.bold, align=cell.style.align)


def _bars(grid: ChartGrid, box: Box) -> dict[Position, Box]:
    """A bar for each number of a chart, side by side for each category, from a common line of zero."""
    values = {(cell.row, cell.col): float(cell.value) for cell in grid.cells if cell.kind == "n" and cell.value}
    values = {place: value for place, value in values.items() if place[0] > 1 and place[1] > 1}
    if not values:
        return {}
    left, right = box[0] + 0.06 * (box[2] - box[0]), box[2] - 0.03 * (box[2] - box[0])
    top, bottom = box[1] + 0.16 * (box[3] - box[1]), box[3] - 0.12 * (box[3] - box[1])
    highest, lowest = max(0.0, *values.values()), min(0.0, *values.values())
    reach = highest - lowest or 1.0
    zero = top + (bottom - top) * highest / reach
    group = (right - left) / max(1, grid.n_rows - 1)
    bar = 0.8 * group / max(1, grid.n_cols - 1)
    found = {}
    for (row, col), value in values.items():
        x = left + group * (row - 2) + 0.1 * group + bar * (col - 2)
        y = zero - (bottom - top) * value / reach
        found[row, col] = (round(x, 2), round(min(y, zero), 2), round(x + bar, 2), round(max(y, zero), 2))
    return found


def _fill(properties: Element | None) -> str:
    """A shape's own plain colour; colours of the theme are not looked up."""
    solid = child_of(properties, _SOLID) if properties is not None else None
    colour = child_of(solid, _RGB) if solid is not None else None
    value = colour.get("val", "") if colour is not None else ""
    return f"#{value}" if len(value) == 6 and all(digit in "0123456789abcdefABCDEF" for digit in value) else ""


def _stated_size(look: Element | None) -> float:
    """The size a run states, in hundredths of a point; 0 where it states none."""
    value = look.get("sz", "") if look is not None else ""
    return int(value) / 100 if value.isascii() and value.isdigit() and len(value) < 6 else 0.0


def _fitted(text: str, box: Box, size: float) -> float:
    """The size at which a text fits its box, as programs shrink it; never larger than stated."""
    width, height = max(1.0, box[2] - box[0] - _INSET), max(1.0, box[3] - box[1])
    while size > _SMALLEST:
        if len(wrapped(text, width, size)) * size * _LINE <= height:
            break
        size -= 1
    return max(size, _SMALLEST)
