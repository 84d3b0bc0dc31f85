"""One slide: its frames of text, tables and charts become passages and raw tables with what surrounds them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from factspine.core.errors import FactSpineError, LimitExceeded
from factspine.core.findings import Finding
from factspine.core.limits import Limits
from factspine.core.tables import Box, ContextText, Item, Passage, Place, RawTable
from factspine.extract.pptx import tags
from factspine.extract.pptx.chartex import read_chartex
from factspine.extract.pptx.charts import ChartGrid, read_chart
from factspine.extract.pptx.layouts import Layouts, placeholder_of
from factspine.extract.pptx.package import Element, Package, PartDamaged, Relation, child_of
from factspine.extract.pptx.shapes import Shape, shapes_of
from factspine.extract.pptx.side import comments_of, diagram_words, notes_of
from factspine.extract.pptx.surroundings import Frame, assign, lines_of, told_apart
from factspine.extract.pptx.tables import read_table
from factspine.extract.pptx.text import Paragraph, paragraphs_of
from factspine.extract.pptx.workbooks import stale_cells

_C_SLD, _SP_TREE, _TX_BODY = (tags.p(name) for name in ("cSld", "spTree", "txBody"))
_GRAPHIC_DATA, _TBL = tags.a("graphicData"), tags.a("tbl")
_CHART, _CHARTEX, _DIAGRAM = tags.c("chart"), tags.cx("chart"), tags.dgm("relIds")
_TITLES = ("title", "ctrTitle")
_LONG_CELL = 60  # characters from which a table's cell is prose worth finding by its words
_NOTES_CONTEXT = 2000
_PICTURE_SHARE = 0.08  # of the slide's area from which a picture may show a table or a chart


class Visual(NamedTuple):
    """A table or chart on the slide, numbered among its kind."""

    kind: str  # table, chart, chartex
    number: int
    element: Element
    shape: Shape


class SlideReader:
    """Reads one slide; what it learns about the slide stays on it for the deck to ask."""

    def __init__(
        self, package: Package, limits: Limits, layouts: Layouts, *, number: int, part: str, slide_area: float
    ) -> None:
        self._package = package
        self._layouts = layouts
        self._limits = limits
        self._slide_area = slide_area
        self._locator = f"slide={number}"
        self._root = package.xml(part)
        self._relations = _relations(package, part)
        self._hidden = self._root.get("show") in ("0", "false")
        self._frames: list[Frame] = []
        self._visuals: list[Visual] = []
        self._diagrams: list[tuple[Shape, Element]] = []
        self.has_large_picture = False
        self.cell_count = 0
        self._sort_shapes()
        title = next((frame for frame in self._frames if frame.placeholder in _TITLES and frame.paragraphs), None)
        self.title = " ".join(" ".join(p.text for p in title.paragraphs).split()) if title is not None else ""
        self._title_locator = f"{self._locator},shape={title.number}" if title is not None else ""

    @property
    def has_visuals(self) -> bool:
        """Whether the slide has a table or chart of its own."""
        return bool(self._visuals)

    def opening(self) -> tuple[ContextText, ...]:
        """What the slide says as the first of a deck: title and subtitle, for every table after it."""
        texts = [ContextText(role="document", text=self.title, locator=self._title_locator)] if self.title else []
        for frame in self._frames:
            if frame.placeholder == "subTitle":
                texts.extend(
                    ContextText(
                        role="document", text=p.text, locator=f"{self._locator},shape={frame.number},para={p.number}"
                    )
                    for p in frame.paragraphs[:3]
                )
        return tuple(texts)

    def items(self, opening: tuple[ContextText, ...]) -> Iterator[Item]:
        """Passages, then tables and charts, then notes and comments; parts that fail become findings."""
        yield from self._passages()
        notes, notes_items = self._notes()
        tables = self._tables(opening, notes)
        yield from tables if len(self._visuals) < 2 else told_apart(list(tables))
        yield from notes_items
        yield from self._comments()

    # -- shapes ------------------------------------------------------------------------------------------------

    def _sort_shapes(self) -> None:
        common = child_of(self._root, _C_SLD)
        tree = child_of(common, _SP_TREE) if common is not None else None
        if tree is None:
            raise PartDamaged("it has no shape tree")
        counts = {"table": 0, "chart": 0}
        characters = 0
        for shape in shapes_of(tree, self._limits, self._locator):
            if shape.kind == "sp":
                frame = _frame(shape)
                if frame is not None:
                    self._frames.append(frame)
                    characters += sum(len(paragraph.text) for paragraph in frame.paragraphs)
            elif shape.kind == "graphicFrame":
                self._sort_graphic(shape, counts)
            elif shape.kind == "pic":
                self._note_picture(shape)
        if characters > self._limits.page_chars_max:
            raise LimitExceeded("page_chars_max", characters, self._limits.page_chars_max, locator=self._locator)

    def _sort_graphic(self, shape: Shape, counts: dict[str, int]) -> None:
        data = next(shape.element.iter(_GRAPHIC_DATA), None)
        content = next(data.iter(_TBL, _CHART, _CHARTEX, _DIAGRAM), None) if data is not None else None
        if content is None:
            self._note_picture(shape)  # an embedded object shows as a picture
        elif content.tag == _DIAGRAM:
            self._diagrams.append((shape, content))
        else:
            kind = "table" if content.tag == _TBL else "chart"
            counts[kind] += 1
            self._visuals.append(Visual("chartex" if content.tag == _CHARTEX else kind, counts[kind], content, shape))

    def _note_picture(self, shape: Shape) -> None:
        box = shape.box()
        if box is not None and (box[2] - box[0]) * (box[3] - box[1]) >= _PICTURE_SHARE * self._slide_area:
            self.has_large_picture = True

    # -- text --------------------------------------------------------------------------------------------------

    def _passages(self) -> Iterator[Item]:
        section = (self.title,) if self.title else ()
        for frame in self._frames:
            if frame.placeholder == "sldNum":
                continue
            is_title = frame.placeholder in _TITLES
            for paragraph in frame.paragraphs:
                yield Passage(
                    locator=f"{self._locator},shape={frame.number},para={paragraph.number}",
                    text=paragraph.text,
                    kind="title" if is_title else "text",
                    section=() if is_title else section,
                    hidden=self._hidden,
                )
        for shape, content in self._diagrams:
            place = f"{self._locator},shape={shape.number}"
            try:
                words = diagram_words(self._related_xml(content.get(tags.REL_DIAGRAM_DATA)))
            except PartDamaged as damage:
                yield _damaged("The diagram", damage, place)
                continue
            for paragraph in words:
                yield Passage(
                    locator=f"{place},para={paragraph.number}",
                    text=paragraph.text,
                    section=section,
                    hidden=self._hidden,
                )

    def _notes(self) -> tuple[tuple[ContextText, ...], list[Item]]:
        part = next((link.target for link in self._relations.values() if link.kind == "notesSlide"), None)
        if part is None:
            return (), []
        try:
            frames = notes_of(self._package.xml(part))
        except PartDamaged as damage:
            return (), [_damaged("The notes page", damage, f"{self._locator},notes=1")]
        section = (self.title,) if self.title else ()
        items: list[Item] = []
        context = []
        for number, paragraphs in frames:
            place = f"{self._locator},notes={number}"
            text = "\n".join(paragraph.text for paragraph in paragraphs)[:_NOTES_CONTEXT]
            context.append(ContextText(role="speaker_notes", text=text, locator=place))
            items.extend(
                Passage(
                    locator=f"{place},para={paragraph.number}",
                    text=paragraph.text,
                    kind="notes",
                    section=section,
                    hidden=self._hidden,
                )
                for paragraph in paragraphs
            )
        return tuple(context), items

    def _comments(self) -> Iterator[Item]:
        section = (self.title,) if self.title else ()
        number = 0
        for link in self._relations.values():
            if link.kind != "comments":
                continue
            try:
                texts = comments_of(self._package.xml(link.target))
            except PartDamaged as damage:
                yield _damaged("A comment part", damage, self._locator)
                continue
            for text in texts:
                number += 1
                if text:
                    place = f"{self._locator},comment={number}"
                    yield Passage(locator=place, text=text, kind="comment", section=section, hidden=self._hidden)

    # -- tables and charts -------------------------------------------------------------------------------------

    def _tables(self, opening: tuple[ContextText, ...], notes: tuple[ContextText, ...]) -> Iterator[Item]:
        if not self._visuals:
            return
        boxes = [visual.shape.box() for visual in self._visuals]
        around = assign(lines_of(self._placed_frames(), self._locator), boxes)
        # The first slide's title speaks for the whole deck, and for the slide's own tables as any title does.
        shared = tuple(text for text in opening if text.locator != self._title_locator)
        if self.title:
            shared = (*shared, ContextText(role="slide_title", text=self.title, locator=self._title_locator))
        for visual, box, near in zip(self._visuals, boxes, around, strict=True):
            context = (*shared, *near)
            kind = "table" if visual.kind == "table" else "chart"
            place = f"{self._locator},{kind}={visual.number}"
            try:
                if kind == "table":
                    yield from self._table(visual, place, box, (*context, *notes))
                else:
                    yield from self._chart(visual, place, box, context, notes)
            except PartDamaged as damage:
                yield _damaged(f"The {kind}", damage, place)
            except (FactSpineError, MemoryError):
                raise
            except Exception as error:  # one odd part must not cost the slide
                yield _damaged(f"The {kind}", PartDamaged(type(error).__name__), place)

    def _placed_frames(self) -> list[Frame]:
        """The text frames, each with its place: most placeholders leave it to the layout to say."""
        layout = next((link.target for link in self._relations.values() if link.kind == "slideLayout"), "")
        return [
            frame
            if frame.box is not None or frame.placeholder is None
            else frame._replace(box=self._layouts.box(layout, frame.slot, frame.placeholder))
            for frame in self._frames
        ]

    def _table(self, visual: Visual, place: str, box: Box | None, context: tuple[ContextText, ...]) -> Iterator[Item]:
        grid = read_table(visual.element, box, visual.shape.transform)
        self.cell_count += len(grid.cells)
        if not grid.cells:
            return
        yield RawTable(
            locator=place,
            title=self.title,
            n_rows=grid.n_rows,
            n_cols=grid.n_cols,
            cells=grid.cells,
            spans=grid.spans,
            hidden=self._hidden,
            bbox=box,
            boxes=grid.boxes,
            places=(Place(first_row=1, locator=place),),
            context=context,
        )
        section = (self.title,) if self.title else ()
        for cell in grid.cells:
            if len(cell.text) >= _LONG_CELL:
                where = f"{place},cell=R{cell.row}C{cell.col}"
                yield Passage(locator=where, text=cell.text, kind="cell", section=section, hidden=self._hidden)

    def _chart(
        self,
        visual: Visual,
        place: str,
        box: Box | None,
        context: tuple[ContextText, ...],
        notes: tuple[ContextText, ...],
    ) -> Iterator[Item]:
        part = self._related_part(visual.element.get(tags.REL_ID))
        root = self._package.xml(part)
        grid = read_chartex(root) if visual.kind == "chartex" else read_chart(root)
        if grid is None:
            yield Finding.of(
                "FS208",
                locator=place,
                remedy="Open the chart's data in its program and save the deck, or use its workbook.",
            )
            return
        self.cell_count += len(grid.cells)
        axes = tuple(
            ContextText(role="axis_title", text=text, locator=where)
            for text, cols in grid.axis_titles.items()
            for where in ([place] if len(cols) == grid.n_cols - 1 else [f"{place},cell=R1C{col}" for col in cols])
        )
        yield self._chart_table(grid, place, box, (*context, *axes, *notes))
        errors = sum(cell.kind == "e" for cell in grid.cells)
        if errors:
            yield Finding.of("FS206", f"{errors} points of the chart hold an error value.", locator=place)
        if stale := stale_cells(self._package, part, root):
            yield _stale_chart(stale, place)

    def _chart_table(self, grid: ChartGrid, place: str, box: Box | None, context: tuple[ContextText, ...]) -> RawTable:
        return RawTable(
            locator=place,
            kind="chart",
            title=grid.title,
            n_rows=grid.n_rows,
            n_cols=grid.n_cols,
            cells=grid.cells,
            hidden=self._hidden,
            hidden_cols=grid.unseen,
            header_rows=1,
            header_cols=1,
            bbox=box,
            places=(Place(first_row=1, locator=place),),
            context=context,
            addressing="chart",
        )

    def _related_xml(self, relation_id: str | None) -> Element:
        return self._package.xml(self._related_part(relation_id))

    def _related_part(self, relation_id: str | None) -> str:
        link = self._relations.get(relation_id or "")
        if link is None or not link.target:
            raise PartDamaged("the slide does not say where it is")
        return link.target


def _stale_chart(cells: list[str], place: str) -> Finding:
    points = "1 point" if len(cells) == 1 else f"{len(cells):,} points"
    return Finding.of(
        "FS212",
        f"{points} of the chart show another number than the chart's own workbook holds, the first of them in its cell "
        f"{cells[0]}; what the chart shows was read.",
        locator=place,
        remedy="Open the chart's data in its program, which brings it up to date, and save the deck.",
    )


def _relations(package: Package, part: str) -> dict[str, Relation]:
    try:
        return package.relations(part)
    except PartDamaged:
        return {}  # text and tables stand on the slide itself; charts will say that they are missing


def _frame(shape: Shape) -> Frame | None:
    element = shape.element
    body = child_of(element, _TX_BODY)
    if body is None:
        return None
    paragraphs: list[Paragraph] = paragraphs_of(body)
    if not paragraphs:
        return None
    placeholder = placeholder_of(element)
    if placeholder is None:
        return Frame(shape.number, shape.box(), None, paragraphs)
    return Frame(shape.number, shape.box(), placeholder.get("type", ""), paragraphs, placeholder.get("idx", "0"))


def _damaged(what: str, damage: PartDamaged, locator: str) -> Finding:
    return Finding.of(
        "FS207",
        f"{what} could not be read: {damage}.",
        locator=locator,
        remedy="Open the deck in its own program, repair and save it, then ingest it again.",
    )
