"""Charts on slides are read from their own data, whatever their type, with every digit."""

from __future__ import annotations

import datetime
from pathlib import Path
from typing import Any

import pytest
from deckmaking import add_chart, add_slide, add_table, contents, draw, new_deck, point_locators, save
from pptx.chart.data import BubbleChartData, CategoryChartData, XyChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Inches

from factspine.extract.pptx import reread

CHART = "ppt/charts/chart{}.xml"
QUARTERS = ["Q1", "Q2", "Q3"]


def chart_part(slide: Any) -> str:
    frame = next(shape for shape in slide.shapes if shape.has_chart)
    return str(frame.chart.part.partname)[1:]


@pytest.mark.parametrize(
    "kind",
    ["COLUMN_CLUSTERED", "BAR_STACKED_100", "LINE_MARKERS", "AREA_STACKED", "PIE", "DOUGHNUT", "RADAR_FILLED"],
)
def test_charts_of_every_written_type_are_grids(tmp_path: Path, kind: str) -> None:
    """Categories are rows, series are columns, the values are the chart's own."""
    deck = new_deck()
    add_chart(add_slide(deck), QUARTERS, {"Revenue": (1.5, None, -3)}, getattr(XL_CHART_TYPE, kind))
    (table,), _, findings = contents(save(deck, tmp_path / "a.pptx"))
    assert draw(table) == "| Revenue\nQ1 | 1.5\nQ2 |\nQ3 | -3"
    assert (table.locator, table.kind, table.addressing) == ("slide=1,chart=1", "chart", "chart")
    assert (table.header_rows, table.header_cols, findings) == (1, 1, [])


@pytest.mark.parametrize(
    "element", ["bar3DChart", "line3DChart", "area3DChart", "pie3DChart", "ofPieChart", "surfaceChart", "stockChart"]
)
def test_charts_the_second_library_cannot_write_are_read_too(tmp_path: Path, element: str) -> None:
    """3-D, of-pie, surface and stock charts hold the same lists and are read the same way."""
    deck = new_deck()
    slide = add_slide(deck)
    add_chart(slide, QUARTERS, {"High": (3, 4, 5), "Low": (1, 2, 3)})
    path = save(deck, tmp_path / "a.pptx", {chart_part(slide): lambda x: x.replace("c:barChart", f"c:{element}")})
    (table,), _, _ = contents(path)
    assert draw(table) == "| High | Low\nQ1 | 3 | 1\nQ2 | 4 | 2\nQ3 | 5 | 3"
    locators = point_locators(table)
    assert [value for _, value in reread(path, [name for name, _ in locators])] == [value for _, value in locators]


def test_every_stored_digit_is_kept(tmp_path: Path) -> None:
    """A value is what the file says, not what a float or a format makes of it."""
    deck = new_deck()
    slide = add_slide(deck)
    add_chart(slide, ["a", "b", "c"], {"s": (1, 2, 3)}, number_format="0.0%")
    edits = {
        chart_part(slide): lambda x: (
            x.replace("<c:v>1</c:v>", "<c:v>1234567.891234</c:v>")
            .replace("<c:v>2</c:v>", "<c:v>0.30000000000000004</c:v>")
            .replace("<c:v>3</c:v>", "<c:v>1.5E-3</c:v>")
        )
    }
    (table,), _, _ = contents(save(deck, tmp_path / "a.pptx", edits))
    points = [cell for cell in table.cells if cell.col == 2 and cell.row > 1]
    assert [cell.value for cell in points] == ["1234567.891234", "0.3", "0.0015"]
    assert all(cell.text == cell.value and cell.kind == "n" for cell in points)
    assert {cell.style.number_format for cell in points} == {"0.0%"}


@pytest.mark.parametrize(
    ("stored", "kind"), [("#N/A", "e"), ("NaN", "s"), ("1e999999999", "s"), ("INF", "s"), ("-", "s")]
)
def test_what_is_no_number_never_becomes_one(tmp_path: Path, stored: str, kind: str) -> None:
    """Error values, infinities and absurd exponents are kept as text, without a value."""
    deck = new_deck()
    slide = add_slide(deck)
    add_chart(slide, ["a", "b"], {"s": (1, 2)})
    edit = {chart_part(slide): lambda x: x.replace("<c:v>1</c:v>", f"<c:v>{stored}</c:v>")}
    (table,), _, findings = contents(save(deck, tmp_path / "a.pptx", edit))
    (cell,) = [cell for cell in table.cells if (cell.row, cell.col) == (2, 2)]
    assert (cell.text, cell.kind, cell.value) == (stored, kind, None)
    assert [finding.code for finding in findings] == (["FS206"] if kind == "e" else [])


@pytest.mark.parametrize(
    ("number_format", "shown"),
    [
        ("m/d/yyyy", ["2024-01-31", "2024-02-29"]),
        ("[$-409]mmm\\-yy;@", ["2024-01", "2024-02"]),
        ('yyyy"年"m"月"', ["2024-01", "2024-02"]),
        ("yyyy", ["2024", "2024"]),
        ("#,##0", ["45322", "45351"]),
    ],
)
def test_date_categories_are_dates(tmp_path: Path, number_format: str, shown: list[str]) -> None:
    """Date categories read as dates, as far as their format shows them; the whole day is the cell's value."""
    deck = new_deck()
    slide = add_slide(deck)
    add_chart(slide, [datetime.date(2024, 1, 31), datetime.date(2024, 2, 29)], {"s": (1, 2)})
    edit = {chart_part(slide): lambda x: x.replace(r"yyyy\-mm\-dd", number_format.replace('"', "&quot;"))}
    path = save(deck, tmp_path / "a.pptx", edit)
    (table,), _, _ = contents(path)
    labels = [cell for cell in table.cells if cell.col == 1]
    assert [cell.text for cell in labels] == shown
    is_date = number_format != "#,##0"
    assert [cell.value for cell in labels] == (["2024-01-31", "2024-02-29"] if is_date else shown)
    point = ",point=2" if number_format == "yyyy" else ""
    assert reread(path, [f"slide=1,chart=1,series=s,cat={shown[1]}{point}"]) == [("2", "2")]


def test_the_1904_calendar_is_honoured(tmp_path: Path) -> None:
    """A chart whose days are counted from 1904 shows the right days."""
    deck = new_deck()
    slide = add_slide(deck)
    add_chart(slide, [datetime.date(2020, 1, 30)], {"s": (1,)})
    edit = {chart_part(slide): lambda x: x.replace('<c:date1904 val="0"/>', '<c:date1904 val="1"/>')}
    path = save(deck, tmp_path / "a.pptx", edit)
    (table,), _, _ = contents(path)
    assert table.cells[1].text == "2024-01-31"
    assert reread(path, ["slide=1,chart=1,series=s,cat=2024-01-31"]) == [("1", "1")]


def test_multi_level_categories_read_from_the_outside_in(tmp_path: Path) -> None:
    """A year over its quarters gives `2023 / Q1`; the year holds until the next one."""
    deck = new_deck()
    data = CategoryChartData()
    for year in ("2023", "2024"):
        outer = data.add_category(year)
        outer.add_sub_category("Q1"), outer.add_sub_category("Q2")
    data.add_series("s", (1, 2, 3, 4))
    add_slide(deck).shapes.add_chart(XL_CHART_TYPE.LINE, 0, 0, Inches(4), Inches(3), data)
    path = save(deck, tmp_path / "a.pptx")
    (table,), _, _ = contents(path)
    assert draw(table) == "| s\n2023 / Q1 | 1\n2023 / Q2 | 2\n2024 / Q1 | 3\n2024 / Q2 | 4"
    assert reread(path, ["slide=1,chart=1,series=s,cat=2024 / Q1"]) == [("3", "3")]


def test_scatter_points_are_named_by_their_x(tmp_path: Path) -> None:
    """Each x value heads a row; series with other x values get rows of their own."""
    deck = new_deck()
    data = XyChartData()
    for name, points in (("A", ((0.7, 2.5), (1.5, 3))), ("B", ((0.7, 9), (2, 8)))):
        series = data.add_series(name)
        for x, y in points:
            series.add_data_point(x, y)
    add_slide(deck).shapes.add_chart(XL_CHART_TYPE.XY_SCATTER, 0, 0, Inches(4), Inches(3), data)
    path = save(deck, tmp_path / "a.pptx")
    (table,), _, _ = contents(path)
    assert draw(table) == "| A | B\n0.7 | 2.5 |\n1.5 | 3 |\n0.7 |  | 9\n2 |  | 8"
    assert reread(path, ["slide=1,chart=1,series=B,cat=0.7"]) == [("9", "9")]


def test_bubble_sizes_are_values_of_their_own(tmp_path: Path) -> None:
    """A bubble chart says three things a point; none of them is lost."""
    deck = new_deck()
    data = BubbleChartData()
    series = data.add_series("A")
    series.add_data_point(1, 10, 5), series.add_data_point(2, 20, 7)
    add_slide(deck).shapes.add_chart(XL_CHART_TYPE.BUBBLE, 0, 0, Inches(4), Inches(3), data)
    path = save(deck, tmp_path / "a.pptx")
    (table,), _, _ = contents(path)
    assert draw(table) == "| A | A (bubble size)\n1 | 10 | 5\n2 | 20 | 7"
    assert reread(path, [name for name, _ in point_locators(table)]) == [(v, v) for _, v in point_locators(table)]


SECOND_PLOT = (
    '<c:lineChart><c:ser><c:idx val="1"/><c:order val="1"/><c:tx><c:v>Margin</c:v></c:tx>{cat}'
    '<c:val><c:numLit><c:formatCode>0%</c:formatCode><c:ptCount val="2"/><c:pt idx="0"><c:v>0.1</c:v></c:pt>'
    '<c:pt idx="1"><c:v>0.2</c:v></c:pt></c:numLit></c:val></c:ser><c:axId val="7"/><c:axId val="8"/></c:lineChart>'
)
UNUSED_AXIS = (
    '<c:valAx><c:axId val="8"/><c:title><c:tx><c:rich><a:bodyPr/><a:p><a:r><a:t>%</a:t></a:r></a:p></c:rich></c:tx>'
    "</c:title></c:valAx>"
)
OTHER_CATEGORIES = (
    '<c:cat><c:strLit><c:ptCount val="2"/><c:pt idx="0"><c:v>North</c:v></c:pt><c:pt idx="1"><c:v>South</c:v></c:pt>'
    "</c:strLit></c:cat>"
)


@pytest.mark.parametrize(
    ("categories", "grid"),
    [
        ("", "| Revenue | Margin\nQ1 | 5 | 0.1\nQ2 | 6 | 0.2"),
        (OTHER_CATEGORIES, "| Revenue | Margin\nQ1 | 5 |\nQ2 | 6 |\nNorth |  | 0.1\nSouth |  | 0.2"),
    ],
)
def test_several_plots_share_one_grid(tmp_path: Path, categories: str, grid: str) -> None:
    """Columns with a line over them are one grid; literal data count; other categories get other rows."""
    deck = new_deck()
    slide = add_slide(deck)
    add_chart(slide, ["Q1", "Q2"], {"Revenue": (5, 6)})
    plot = SECOND_PLOT.format(cat=categories)
    path = save(
        deck, tmp_path / "a.pptx", {chart_part(slide): lambda x: x.replace("</c:barChart>", "</c:barChart>" + plot)}
    )
    (table,), _, _ = contents(path)
    assert draw(table) == grid
    locators = point_locators(table)
    assert [value for _, value in reread(path, [name for name, _ in locators])] == [value for _, value in locators]


def test_titles_of_charts_and_value_axes_come_along(tmp_path: Path) -> None:
    """The chart's title is its title; the value axis says the unit, and no other axis does."""
    deck = new_deck()
    slide = add_slide(deck, "Sales")
    chart = add_chart(slide, ["Q1"], {"Revenue": (5,), "Cost": (2,)})
    chart.has_title = True
    chart.chart_title.text_frame.text = "Revenue by quarter"
    chart.value_axis.has_title = True
    chart.value_axis.axis_title.text_frame.text = "HK$ million"
    chart.category_axis.has_title = True
    chart.category_axis.axis_title.text_frame.text = "Quarter"
    (table,), _, _ = contents(save(deck, tmp_path / "a.pptx"))
    assert table.title == "Revenue by quarter"
    assert [(c.text, c.locator) for c in table.context if c.role == "axis_title"] == [
        ("HK$ million", "slide=1,chart=1")
    ]
    unused = {chart_part(slide): lambda x: x.replace("</c:valAx>", "</c:valAx>" + UNUSED_AXIS)}
    (other,), _, _ = contents(save(deck, tmp_path / "b.pptx", unused))
    assert other.context == table.context


def test_an_automatic_title_is_the_only_series_name(tmp_path: Path) -> None:
    """A chart of one series that titles itself shows that series' name."""
    deck = new_deck()
    slide = add_slide(deck)
    add_chart(slide, ["Q1"], {"Revenue": (5,)})
    on = {chart_part(slide): lambda x: x.replace('<c:autoTitleDeleted val="0"/>', "<c:title/>", 1)}
    (table,), _, _ = contents(save(deck, tmp_path / "a.pptx", on))
    assert table.title == "Revenue"


def test_points_without_categories_are_counted(tmp_path: Path) -> None:
    """Where the chart names no categories, its points are 1, 2, …, as programs show them."""
    deck = new_deck()
    slide = add_slide(deck)
    add_chart(slide, ["a", "b"], {"s": (5, 6)})
    edit = {chart_part(slide): lambda x: x[: x.index("<c:cat>")] + x[x.index("</c:cat>") + 8 :]}
    path = save(deck, tmp_path / "a.pptx", edit)
    (table,), _, _ = contents(path)
    assert draw(table) == "| s\n1 | 5\n2 | 6"
    assert reread(path, ["slide=1,chart=1,series=s,cat=2"]) == [("6", "6")]


def test_a_far_away_point_costs_one_row(tmp_path: Path) -> None:
    """An index of hundreds of millions does not make a table of as many rows."""
    deck = new_deck()
    slide = add_slide(deck)
    add_chart(slide, ["a", "b"], {"s": (5, 6)})
    edit = {
        chart_part(slide): lambda x: x.replace('idx="1"', 'idx="900000000"').replace(
            'ptCount val="2"', 'ptCount val="900000001"'
        )
    }
    (table,), _, _ = contents(save(deck, tmp_path / "a.pptx", edit))
    assert (table.n_rows, draw(table)) == (3, "| s\na | 5\nb | 6")


def test_repeated_names_are_told_apart_by_point(tmp_path: Path) -> None:
    """Two points of one name are two places; without saying which, neither is meant."""
    deck = new_deck()
    add_chart(add_slide(deck), ["a", "a"], {"s": (5, 6)})
    path = save(deck, tmp_path / "a.pptx")
    place = "slide=1,chart=1,series=s,cat=a"
    assert reread(path, [place, place + ",point=1", place + ",point=2"]) == [("", None), ("5", "5"), ("6", "6")]


def test_series_of_one_name_count_on_through_the_rows(tmp_path: Path) -> None:
    """The points of a second series of the same name are counted after all rows of the first."""
    deck = new_deck()
    slide = add_slide(deck)
    add_chart(slide, ["a", "b"], {"s": (5, 6), "t": (7, 8)})
    path = save(deck, tmp_path / "a.pptx", {chart_part(slide): lambda x: x.replace("<c:v>t</c:v>", "<c:v>s</c:v>")})
    place = "slide=1,chart=1,series=s,cat=b"
    assert reread(path, [place, place + ",point=2", place + ",point=4"]) == [("", None), ("6", "6"), ("8", "8")]


def test_a_chart_without_data_is_reported_and_still_counts(tmp_path: Path) -> None:
    """A chart that only points to a workbook is a finding; the next chart is still chart 2."""
    deck = new_deck()
    slide = add_slide(deck)
    add_chart(slide, ["a"], {"s": (5,)})
    empty = chart_part(slide)
    add_chart(slide, ["b"], {"t": (6,)}, left=5)

    def drop(xml: str) -> str:
        return xml[: xml.index("<c:ser>")] + xml[xml.rindex("</c:ser>") + 8 :]

    (table,), _, findings = contents(save(deck, tmp_path / "a.pptx", {empty: drop}))
    assert table.locator == "slide=1,chart=2"
    assert [(f.code, f.locator) for f in findings] == [("FS208", "slide=1,chart=1")]


CHARTEX = """<?xml version="1.0"?><cx:chartSpace xmlns:cx="http://schemas.microsoft.com/office/drawing/2014/chartex"
 xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><cx:chartData><cx:data id="0"><cx:strDim type="cat">
<cx:lvl ptCount="2"><cx:pt idx="0">Start</cx:pt><cx:pt idx="1">End</cx:pt></cx:lvl></cx:strDim><cx:numDim type="val">
<cx:lvl ptCount="2" formatCode="0.0"><cx:pt idx="0">100.5</cx:pt><cx:pt idx="1">-20</cx:pt></cx:lvl></cx:numDim>
</cx:data></cx:chartData><cx:chart><cx:title><cx:tx><cx:rich><a:bodyPr/><a:p><a:r><a:t>Bridge</a:t></a:r></a:p></cx:rich>
</cx:tx></cx:title><cx:plotArea><cx:plotAreaRegion><cx:series layoutId="waterfall"><cx:tx><cx:txData><cx:v>Profit</cx:v>
</cx:txData></cx:tx><cx:dataId val="0"/></cx:series></cx:plotAreaRegion></cx:plotArea></cx:chart></cx:chartSpace>"""


def test_newer_charts_inside_alternative_content_are_read_once(tmp_path: Path) -> None:
    """A waterfall is read from its own data; the picture kept for older programs is not a second shape."""
    deck = new_deck()
    slide = add_slide(deck)
    add_table(slide.shapes, "| a | 1 |")
    frame = (
        '<mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006">'
        '<mc:Choice Requires="cx1" xmlns:cx1="http://schemas.microsoft.com/office/drawing/2015/9/8/chartex"><p:graphicFrame>'
        '<p:nvGraphicFramePr><p:cNvPr id="9" name="w"/><p:cNvGraphicFramePr/><p:nvPr/></p:nvGraphicFramePr>'
        '<p:xfrm><a:off x="0" y="0"/>'
        '<a:ext cx="1270000" cy="1270000"/></p:xfrm><a:graphic><a:graphicData uri="http://schemas.microsoft.com/office/drawing/'
        '2014/chartex"><cx:chart xmlns:cx="http://schemas.microsoft.com/office/drawing/2014/chartex" r:id="rId77"/>'
        "</a:graphicData></a:graphic></p:graphicFrame></mc:Choice><mc:Fallback><p:sp><p:nvSpPr>"
        '<p:cNvPr id="9" name="f"/>'
        "<p:cNvSpPr/><p:nvPr/></p:nvSpPr><p:spPr/><p:txBody><a:bodyPr/><a:p><a:r><a:t>not available</a:t></a:r></a:p>"
        "</p:txBody></p:sp></mc:Fallback></mc:AlternateContent></p:spTree>"
    )
    link = (
        '<Relationship Id="rId77" Type="http://schemas.microsoft.com/office/2014/relationships/chartEx"'
        ' Target="../charts/chartEx1.xml"/></Relationships>'
    )
    path = save(
        deck,
        tmp_path / "a.pptx",
        {
            "ppt/slides/slide1.xml": lambda x: x.replace("</p:spTree>", frame),
            "ppt/slides/_rels/slide1.xml.rels": lambda x: x.replace("</Relationships>", link),
        },
        {"ppt/charts/chartEx1.xml": CHARTEX.encode()},
    )
    tables, passages, findings = contents(path)
    assert [(t.locator, t.title) for t in tables] == [("slide=1,table=1", ""), ("slide=1,chart=1", "Bridge")]
    assert draw(tables[1]) == "| Profit\nStart | 100.5\nEnd | -20"
    assert tables[1].bbox == (0.0, 0.0, 100.0, 100.0)
    assert (passages, findings) == ([], [])
    assert reread(path, ["slide=1,chart=1,series=Profit,cat=End"]) == [("-20", "-20")]
