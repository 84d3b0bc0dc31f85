"""What the axes and labels of a chart say of its numbers: units of one axis, shown formats, display units, dates."""

from __future__ import annotations

from pathlib import Path

import pytest
from deckmaking import TITLE_ONLY, add_chart, add_slide, contents, draw, new_deck, point_locators, save

from factspine.core.tables import RawTable
from factspine.extract.pptx import reread
from factspine.interpret.interpreter import interpret_table
from factspine.lexicon.vocabulary import Vocabulary

CATEGORIES = '<c:cat><c:strLit><c:ptCount val="1"/><c:pt idx="0"><c:v>FY2031</c:v></c:pt></c:strLit></c:cat>'
SERIES = (
    '<c:ser><c:idx val="{n}"/><c:order val="{n}"/><c:tx><c:v>{name}</c:v></c:tx>{labels}{categories}<c:val><c:numLit>'
    '<c:formatCode>{code}</c:formatCode><c:ptCount val="1"/><c:pt idx="0"><c:v>{value}</c:v></c:pt></c:numLit></c:val>'
    "</c:ser>"
)
TITLE = "<c:title><c:tx><c:rich><a:bodyPr/><a:p><a:r><a:t>{}</a:t></a:r></a:p></c:rich></c:tx></c:title>"


def series(
    n: int, name: str, value: str, *, labels: str = "", code: str = "General", categories: str = CATEGORIES
) -> str:
    return SERIES.format(n=n, name=name, value=value, labels=labels, code=code, categories=categories)


def axis(tag: str, number: int, inside: str = "") -> str:
    return f'<c:{tag}><c:axId val="{number}"/>{inside}<c:crossAx val="9"/></c:{tag}>'


def plot(tag: str, sers: str, axes: tuple[int, int], grouping: str = "clustered") -> str:
    ids = "".join(f'<c:axId val="{number}"/>' for number in axes)
    return f'<c:{tag}><c:grouping val="{grouping}"/>{sers}{ids}</c:{tag}>'


def read_chart(tmp_path: Path, title: str, area: str) -> RawTable:
    """The one chart of a slide, its plot area as written here; both readers agree about it."""
    deck = new_deck()
    slide = add_slide(deck, title)
    assert slide.slide_layout == deck.slide_layouts[TITLE_ONLY]
    add_chart(slide, ["a"], {"x": (1,)})
    part = next(shape.chart.part.partname[1:] for shape in slide.shapes if shape.has_chart)
    start, end = "<c:plotArea>", "</c:plotArea>"
    path = save(deck, tmp_path / "a.pptx", {part: lambda x: x[: x.index(start)] + start + area + x[x.index(end) :]})
    (table,), _, _ = contents(path)
    points = [(name, value) for name, value in point_locators(table) if value is not None]
    assert reread(path, [name for name, _ in points]) == [(value, value) for _, value in points]
    return table


def facts_of(table: RawTable) -> list[str]:
    block = interpret_table(table, Vocabulary.load(None)).block
    said = block.columns
    scales = [block.contexts[number].scale for number in said["context_no"]]
    names = ("metric_label", "value", "unit", "period")
    return [
        f"{label} {value} {unit} e{scale} {period}"
        for label, value, unit, period, scale in zip(*(said[name] for name in names), scales, strict=True)
    ]


COLUMNS_AND_LINE = plot("barChart", series(0, "Claims", "100"), (1, 2)) + plot(
    "lineChart", series(1, "Experience", "62.5"), (3, 4)
)


@pytest.mark.parametrize(
    ("title", "first", "second", "facts"),
    [
        ("Claims", "HK$ million", "%", ["Claims 100 HKD e6 2031", "Experience 62.5 % e0 2031"]),
        ("Claims (HK$ million)", "", "% of premiums", ["Claims 100 HKD e6 2031", "Experience 62.5 % e0 2031"]),
        ("Overview", "HK$ million", "", ["Claims 100 HKD e6 2031", "Experience 62.5 unknown e0 2031"]),
        ("Overview", "%", "%", ["Claims 100 % e0 2031", "Experience 62.5 % e0 2031"]),
    ],
)
def test_an_axis_speaks_of_its_own_series_only(
    tmp_path: Path, title: str, first: str, second: str, facts: list[str]
) -> None:
    """The percent sign of the second axis is not that of the columns, nor the money of the first that of the line."""
    titles = [TITLE.format(text) if text else "" for text in (first, second)]
    axes = axis("catAx", 1) + axis("valAx", 2, titles[0]) + axis("catAx", 3) + axis("valAx", 4, titles[1])
    assert facts_of(read_chart(tmp_path, title, COLUMNS_AND_LINE + axes)) == facts


def shows(code: str) -> str:
    return f'<c:dLbls><c:numFmt formatCode="{code}" sourceLinked="0"/><c:showVal val="1"/></c:dLbls>'


def formatted(code: str) -> str:
    return f'<c:numFmt formatCode="{code}" sourceLinked="0"/>'


MILLIONS = '<c:dispUnits><c:builtInUnit val="millions"/></c:dispUnits>'
HUNDRED_MILLIONS = (
    '<c:dispUnits><c:custUnit val="100000000"/><c:dispUnitsLbl><c:tx><c:rich><a:bodyPr/><a:p><a:r><a:t>亿元</a:t></a:r>'
    "</a:p></c:rich></c:tx></c:dispUnitsLbl></c:dispUnits>"
)


@pytest.mark.parametrize(
    ("title", "stored", "code", "labels", "inside", "fact"),
    [
        ("Sales (HK$ million)", "120500000", "General", "", MILLIONS, "Sales 120.5 HKD e6 2031"),
        ("Sales (HK$)", "120500000", "General", "", MILLIONS, "Sales 120.5 HKD e6 2031"),
        ("Sales (HK$ million)", "120500000", "General", shows("#,##0.0,,"), "", "Sales 120.5 HKD e6 2031"),
        ("Sales (HK$ million)", "120500000", "General", "", formatted("#,##0,,"), "Sales 120.5 HKD e6 2031"),
        ("Sales", "1230000000", "General", "", HUNDRED_MILLIONS, "Sales 12.3 CNY e8 2031"),
        ("Margin (%)", "0.125", "General", shows("0.0%"), "", "Margin 12.5 % e0 2031"),
        ("Margin", "0.125", "General", "", formatted("0%"), "Margin 12.5 % e0 2031"),
        ("Margin", "0.125", "0.0%", shows("0.0"), "", "Margin 12.5 % e0 2031"),
        ("Sales (HK$ million)", "120.5", "#,##0", shows("#,##0.0"), formatted("0"), "Sales 120.5 HKD e6 2031"),
    ],
)
def test_numbers_mean_what_labels_and_axis_show(
    tmp_path: Path, title: str, stored: str, code: str, labels: str, inside: str, fact: str
) -> None:
    """A title says the unit of what is seen, so display units and the formats of labels and axis count, too."""
    name = title.partition(" ")[0]
    plots = plot("barChart", series(0, name, stored, labels=labels, code=code), (1, 2))
    table = read_chart(tmp_path, title, plots + axis("catAx", 1) + axis("valAx", 2, inside))
    assert facts_of(table) == [fact]
    assert [cell.value for cell in table.cells if cell.kind == "n"] == [stored]


def test_shares_on_the_axis_are_not_the_stored_numbers(tmp_path: Path) -> None:
    """A chart stacked to 100 % shows percentages on its axis whatever it stores; the stored numbers are none."""
    plots = plot("barChart", series(0, "Shops", "12"), (1, 2), "percentStacked")
    table = read_chart(tmp_path, "Network", plots + axis("catAx", 1) + axis("valAx", 2, formatted("0%")))
    assert facts_of(table) == ["Shops 12 unknown e0 2031"]


@pytest.mark.parametrize(
    ("kind", "stored", "own", "of_axis", "shown"),
    [
        ("dateAx", "48304", "General", "mmm\\-yy", "2032-03"),
        ("catAx", "2031", "0&quot;E&quot;", "", "2031E"),
        ("catAx", "2031", "&quot;FY&quot;0", "", "FY2031"),
        ("catAx", "3", "General", "\\Q0", "Q3"),
        ("catAx", "2031", "General", "0", "2031"),
    ],
)
def test_numbers_that_name_points_are_named_as_shown(
    tmp_path: Path, kind: str, stored: str, own: str, of_axis: str, shown: str
) -> None:
    """Serial days take the format of their axis, and 2031 in a format of 0"E" is an estimate."""
    points = f'<c:ptCount val="1"/><c:pt idx="0"><c:v>{stored}</c:v></c:pt>'
    numbers = f"<c:cat><c:numLit><c:formatCode>{own}</c:formatCode>{points}</c:numLit></c:cat>"
    plots = plot("lineChart", series(0, "Sales", "5", categories=numbers), (1, 2))
    axes = axis(kind, 1, formatted(of_axis) if of_axis else "") + axis("valAx", 2)
    assert draw(read_chart(tmp_path, "Sales", plots + axes)) == f"| Sales\n{shown} | 5"


UNFILLED = "<c:spPr><a:noFill/><a:ln><a:noFill/></a:ln></c:spPr>"
FILLED_POINT = '<c:dPt><c:idx val="0"/><c:spPr><a:solidFill><a:srgbClr val="AA0000"/></a:solidFill></c:spPr></c:dPt>'


@pytest.mark.parametrize(
    ("looks", "unseen"),
    [(UNFILLED, {2}), (UNFILLED + FILLED_POINT, set()), (UNFILLED + shows("0"), set()), ("", set())],
)
def test_bars_that_only_hold_others_up_are_hidden(tmp_path: Path, looks: str, unseen: set[int]) -> None:
    """A bridge stands on bars nobody sees; what they store is flagged as hidden, unless points or labels show it."""
    plots = plot("barChart", series(0, "Base", "80", labels=looks) + series(1, "Step", "20"), (1, 2), "stacked")
    table = read_chart(tmp_path, "Bridge", plots + axis("catAx", 1) + axis("valAx", 2))
    assert table.hidden_cols == unseen
    block = interpret_table(table, Vocabulary.load(None)).block
    statuses = [block.contexts[number].status for number in block.columns["context_no"]]
    assert ["hidden" in status for status in statuses] == [bool(unseen), False]
