"""Decks as people make them: titled slides with tables, native charts, groups, footnotes and speaker notes."""

from __future__ import annotations

import copy
import io
from collections.abc import Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

from documents_gold import GoldFact, expect, shown_value
from documents_package import normalised
from pptx import Presentation
from pptx.chart.data import ChartData
from pptx.dml.color import RGBColor
from pptx.enum.chart import XL_CHART_TYPE, XL_LEGEND_POSITION
from pptx.enum.text import MSO_ANCHOR, PP_ALIGN
from pptx.oxml import parse_xml
from pptx.oxml.ns import nsdecls, qn
from pptx.util import Emu, Inches, Pt

_NAVY, _PALE, _GREY = RGBColor(0x1F, 0x38, 0x64), RGBColor(0xDC, 0xE6, 0xF1), RGBColor(0x7F, 0x7F, 0x7F)
_FONT = "Microsoft YaHei"
_TOTALS = ("Total", "合计", "Profit for the year 年内利润")
_WHITE = RGBColor(0xFF, 0xFF, 0xFF)


class Slide:
    """One slide being written; `number` is 1-based."""

    def __init__(self, deck: Deck, slide: Any, number: int) -> None:
        self.deck = deck
        self.slide = slide
        self.number = number
        self.tables: list[Any] = []

    def text(self, text: str, left: float, top: float, width: float, size: int = 14, *, grey: bool = False) -> Any:
        """A text box; positions in inches, one paragraph a line."""
        box = self.slide.shapes.add_textbox(Inches(left), Inches(top), Inches(width), Inches(0.4))
        box.text_frame.word_wrap = True
        for index, line in enumerate(text.split("\n")):
            paragraph = box.text_frame.paragraphs[0] if index == 0 else box.text_frame.add_paragraph()
            _style(paragraph, line, size, _GREY if grey else RGBColor(0x26, 0x26, 0x26))
        return box

    def notes(self, text: str) -> None:
        """The speaker's notes."""
        self.slide.notes_slide.notes_text_frame.text = text

    def table(self, rows: Sequence[Sequence[str]], *, top: float = 1.5, width: float = 12.0, head_rows: int = 1) -> Any:
        """A native table; `<` continues the cell to the left, `^` the cell above."""
        height = 0.5 * len(rows)
        frame = self.slide.shapes.add_table(
            len(rows), len(rows[0]), Inches(0.65), Inches(top), Inches(width), Inches(height)
        )
        table = frame.table
        label_width = Inches(width * 0.34)
        table.columns[0].width = label_width
        for column in list(table.columns)[1:]:
            column.width = Emu((Inches(width) - label_width) // (len(rows[0]) - 1))
        for r, row in enumerate(rows):
            for c, text in enumerate(row):
                if text not in ("<", "^"):
                    _table_cell(table.cell(r, c), text, head=r < head_rows, label=c == 0, total=row[0] in _TOTALS)
                    _merge(table, rows, r, c)
        self.tables.append(rows)
        return frame

    def chart(self, kind: XL_CHART_TYPE, data: Any, title: str, *, value_axis: str = "", legend: bool = True) -> Any:
        """A native chart over most of the slide."""
        area = (Inches(0.65), Inches(1.4), Inches(12.0), Inches(5.3))
        chart = self.slide.shapes.add_chart(kind, *area, data).chart
        chart.has_title = True
        chart.chart_title.text_frame.text = title
        chart.font.size = Pt(12)
        chart.font.name = _FONT
        chart.has_legend = legend
        if legend:
            chart.legend.position = XL_LEGEND_POSITION.BOTTOM
            chart.legend.include_in_layout = False
        if value_axis:
            chart.value_axis.has_title = True
            chart.value_axis.axis_title.text_frame.text = value_axis
            chart.value_axis.tick_labels.number_format = "#,##0"
            chart.value_axis.tick_labels.number_format_is_linked = False
            chart.value_axis.major_gridlines.format.line.color.rgb = RGBColor(0xD9, 0xD9, 0xD9)
        return chart

    def group(self, *shapes: Any) -> None:
        """Puts shapes that are on the slide into one group, a table's frame included."""
        group = self.slide.shapes.add_group_shape()
        for shape in shapes:
            group._element.append(shape._element)
        group._element.recalculate_extents()

    def hide(self) -> None:
        """A slide that is skipped when presenting."""
        self.slide._element.set("show", "0")

    def gold(self, row: int, column: int, label: str | None, period: str, unit: str, **rest: str | None) -> None:
        """Notes the fact at a cell of the slide's last table (1-based, headers included)."""
        text = self.tables[-1][row - 1][column - 1]
        place = f"slide={self.number},table={len(self.tables)},cell=R{row}C{column}"
        self.deck.facts.append(expect(self.deck.doc, place, label, period, shown_value(text), unit, **rest))

    def point(
        self, series: str, cat: str, value: Decimal, label: str | None, period: str, unit: str, **rest: str | None
    ) -> None:
        """Notes the fact at a point of the slide's chart."""
        place = f"slide={self.number},chart=1,series={series},cat={cat}"
        self.deck.facts.append(expect(self.deck.doc, place, label, period, shown_value(f"{value}"), unit, **rest))


class Deck:
    """One deck being written, and the facts expected of it."""

    def __init__(self, doc: str, title: str) -> None:
        self.doc = doc
        self.facts: list[GoldFact] = []
        self._deck = Presentation()
        self._deck.slide_width, self._deck.slide_height = Inches(13.333), Inches(7.5)
        properties = self._deck.core_properties
        properties.title, properties.author, properties.last_modified_by = title, "Investor Relations", ""
        properties.created = properties.modified = datetime(2025, 3, 20, 9, 30)

    def cover(self, title: str, subtitle: str) -> Slide:
        """The first slide."""
        slide = self._deck.slides.add_slide(self._deck.slide_layouts[0])
        slide.background.fill.solid()
        slide.background.fill.fore_color.rgb = _NAVY
        for shape, text, size, top in zip(slide.placeholders, (title, subtitle), (38, 20), (2.4, 4.1), strict=True):
            shape.left, shape.top, shape.width, shape.height = Inches(0.9), Inches(top), Inches(11.5), Inches(1.4)
            _style(shape.text_frame.paragraphs[0], text, size, _WHITE)
        return Slide(self, slide, len(self._deck.slides))

    def slide(self, title: str) -> Slide:
        """A slide with a title."""
        slide = self._deck.slides.add_slide(self._deck.slide_layouts[5])
        shape = slide.shapes.title
        shape.left, shape.top, shape.width, shape.height = Inches(0.55), Inches(0.35), Inches(12.2), Inches(0.8)
        _style(shape.text_frame.paragraphs[0], title, 26, _NAVY, bold=True)
        shape.text_frame.paragraphs[0].alignment = PP_ALIGN.LEFT
        return Slide(self, slide, len(self._deck.slides))

    def write(self, folder: Path) -> None:
        """The deck's bytes into its place below the folder."""
        raw = io.BytesIO()
        self._deck.save(raw)
        target = folder / self.doc
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(normalised(raw.getvalue()))


def series_data(
    categories: Sequence[Any], series: Mapping[str, Sequence[Decimal]], number_format: str = "#,##0.0"
) -> ChartData:
    """Data of a chart with one category axis."""
    data = ChartData(number_format=number_format)
    data.categories = categories
    for name, values in series.items():
        data.add_series(name, [float(value) for value in values])
    return data


def second_axis_line(chart: Any, axis_title: str) -> None:
    """Turns the last series of a bar chart into a line on an axis of its own: two plots in one chart."""
    plot_area = chart._chartSpace.chart.plotArea
    bars = plot_area.find(qn("c:barChart"))
    moved = bars.findall(qn("c:ser"))[-1]
    bars.remove(moved)
    for element in moved.findall(qn("c:invertIfNegative")):
        moved.remove(element)
    moved.append(parse_xml(f'<c:smooth {nsdecls("c")} val="0"/>'))
    line = parse_xml(
        f'<c:lineChart {nsdecls("c")}><c:grouping val="standard"/><c:varyColors val="0"/>'
        '<c:marker val="1"/><c:axId val="50010"/><c:axId val="50020"/></c:lineChart>'
    )
    line.insert(2, moved)
    bars.addnext(line)
    axes = (
        f'<c:catAx {nsdecls("c")}><c:axId val="50010"/><c:scaling/><c:delete val="1"/><c:axPos val="b"/>'
        '<c:crossAx val="50020"/></c:catAx>',
        f'<c:valAx {nsdecls("c", "a")}><c:axId val="50020"/><c:scaling/><c:delete val="0"/><c:axPos val="r"/>'
        f"<c:title><c:tx><c:rich><a:bodyPr/><a:p><a:r><a:t>{axis_title}</a:t></a:r></a:p></c:rich></c:tx></c:title>"
        '<c:numFmt formatCode="0.0%" sourceLinked="0"/><c:majorTickMark val="out"/><c:minorTickMark val="none"/>'
        '<c:crossAx val="50010"/><c:crosses val="max"/></c:valAx>',
    )
    for axis in axes:
        last = plot_area.findall(qn("c:valAx"))[-1]
        last.addnext(copy.deepcopy(parse_xml(axis)))


def in_three_dimensions(chart: Any) -> None:
    """Makes the bars of a chart solid, a kind of plot that not every reader knows."""
    space = chart._chartSpace
    bars = space.chart.plotArea.find(qn("c:barChart"))
    for element in bars.findall(qn("c:overlap")):
        bars.remove(element)
    solid = parse_xml(f"<c:bar3DChart {nsdecls('c')}/>")
    solid.extend(list(bars))
    bars.getparent().replace(bars, solid)
    view = f'<c:view3D {nsdecls("c")}><c:rotX val="15"/><c:rotY val="20"/><c:rAngAx val="1"/></c:view3D>'
    space.chart.plotArea.addprevious(parse_xml(view))


def _style(paragraph: Any, text: str, size: int, color: RGBColor, *, bold: bool = False) -> None:
    run = paragraph.add_run()
    run.text = text
    run.font.size, run.font.bold, run.font.name = Pt(size), bold, _FONT
    run.font.color.rgb = color


def _table_cell(cell: Any, text: str, *, head: bool, label: bool, total: bool) -> None:
    paragraph = cell.text_frame.paragraphs[0]
    bold = head or total
    _style(paragraph, text, 15, _WHITE if head else RGBColor(0x26, 0x26, 0x26), bold=bold)
    paragraph.alignment = PP_ALIGN.CENTER if head else PP_ALIGN.LEFT if label else PP_ALIGN.RIGHT
    cell.margin_top = cell.margin_bottom = Inches(0.04)
    cell.vertical_anchor = MSO_ANCHOR.MIDDLE
    cell.fill.solid()
    cell.fill.fore_color.rgb = _NAVY if head else _PALE if total else _WHITE


def _merge(table: Any, rows: Sequence[Sequence[str]], r: int, c: int) -> None:
    right, bottom = c, r
    while right + 1 < len(rows[r]) and rows[r][right + 1] == "<":
        right += 1
    while bottom + 1 < len(rows) and rows[bottom + 1][c] == "^":
        bottom += 1
    if (right, bottom) != (c, r):
        table.cell(r, c).merge(table.cell(bottom, right))
