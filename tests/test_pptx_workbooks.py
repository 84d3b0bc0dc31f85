"""Charts whose own workbook says otherwise: the slide is read as it shows, and somebody is told."""

from __future__ import annotations

import io
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from pptx.chart.data import XyChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Inches

from factspine.core.findings import Finding
from factspine.extract.pptx import tags
from tests.deckmaking import add_chart, add_slide, contents, new_deck, save

Act = Callable[[Any], object]


def edited(part: Any, act: Act) -> None:
    """Changes the workbook behind a chart and leaves what the chart itself keeps."""
    book = openpyxl.load_workbook(io.BytesIO(part.blob))
    act(book)
    saved = io.BytesIO()
    book.save(saved)
    part._blob = saved.getvalue()


def told(tmp_path: Path, act: Act, *, scatter: bool = False) -> tuple[set[str], list[Finding]]:
    """What the chart of a deck says, and what is found about it, after its workbook was changed."""
    deck = new_deck()
    slide = add_slide(deck, "Revenue in HK$ million")
    if scatter:
        data = XyChartData()
        series = data.add_series("Revenue")
        for x, y in ((1, 120), (2, 132.5)):
            series.add_data_point(x, y)
        place = (Inches(1), Inches(2), Inches(4), Inches(3))
        chart = slide.shapes.add_chart(XL_CHART_TYPE.XY_SCATTER, *place, data).chart
    else:
        chart = add_chart(slide, ["FY2023", "FY2024"], {"Revenue": (120, 132.5), "Cost": (80, 0.1 + 0.2)})
    edited(chart.part.chart_workbook.xlsx_part, act)
    (table,), _, findings = contents(save(deck, tmp_path / "deck.pptx"))
    return {cell.text for cell in table.cells}, findings


def put(**cells: Any) -> Act:
    return lambda book: [book.worksheets[0].__setitem__(cell, value) for cell, value in cells.items()]


def test_what_the_workbook_says_otherwise_is_told_and_the_chart_is_read(tmp_path: Path) -> None:
    """One finding a chart, with the chart's place and the workbook's cell; the numbers are those on the slide."""
    shown, (found,) = told(tmp_path, put(B3=140, C2=81))
    assert {"120", "132.5", "80"} <= shown
    assert "140" not in shown
    assert (found.code, found.severity, found.locator) == ("FS212", "warning", "slide=1,chart=1")
    assert found.message.startswith("2 points of the chart show another number")
    assert "cell B3" in found.message
    assert "140" not in found.message


def test_points_of_a_scatter_chart_are_compared_too(tmp_path: Path) -> None:
    """The y values; one point says so."""
    _, (found,) = told(tmp_path, put(B3=133), scatter=True)
    assert found.message.startswith("1 point of the chart")


def _more_sheets(book: Any) -> None:
    own = book.worksheets[0]
    other = book.create_sheet("Other", 0)
    for row in own.iter_rows():
        for cell in row:
            other[cell.coordinate] = 1 if isinstance(cell.value, int | float) else cell.value


def _hide_a_row(book: Any) -> None:
    book.worksheets[0].row_dimensions[2].hidden = True
    book.worksheets[0]["B3"] = 140


NOTHING_TO_TELL = {
    "nothing changed": lambda _: None,
    "a digit more": put(C3=0.3),
    "a cell without a number": put(B3="n.a.", C2=None),
    "another cell": put(E9=140),
    "another sheet before it": _more_sheets,
    "rows the chart leaves out": _hide_a_row,
}


@pytest.mark.parametrize("act", NOTHING_TO_TELL.values(), ids=list(NOTHING_TO_TELL))
def test_what_is_alike_or_cannot_be_compared_is_no_finding(tmp_path: Path, act: Act) -> None:
    """Digits of binary fractions, blanks and hidden rows are no disagreement; the sheet meant is the one compared."""
    assert told(tmp_path, act)[1] == []


def test_the_sheet_that_the_chart_names_is_compared(tmp_path: Path) -> None:
    """With several sheets in the workbook, a change on the chart's own is found."""

    def act(book: Any) -> None:
        _more_sheets(book)
        book.worksheets[1]["B2"] = 121

    (found,) = told(tmp_path, act)[1]
    assert "cell B2" in found.message


@pytest.mark.parametrize(
    "content", [b"", b"PK\x03\x04 no workbook", b"\x00" * 5_000_000], ids=["empty", "damaged", "huge"]
)
def test_a_workbook_that_cannot_be_read_costs_nothing(tmp_path: Path, content: bytes) -> None:
    """The chart is read without it, and nothing is said about it."""
    deck = new_deck()
    chart = add_chart(add_slide(deck), ["FY2023", "FY2024"], {"Revenue": (120, 132.5)})
    chart.part.chart_workbook.xlsx_part._blob = content
    tables, _, findings = contents(save(deck, tmp_path / "deck.pptx"))
    assert (len(tables), findings) == (1, [])


def test_a_reference_to_whole_columns_costs_nothing(tmp_path: Path) -> None:
    """A chart may name ten million cells and say that it shows them all: they are not even counted up."""
    deck = new_deck()
    chart = add_chart(add_slide(deck, "Revenue in HK$ million"), ["FY2023", "FY2024"], {"Revenue": (120, 132.5)})
    for values in chart._chartSpace.iter(tags.c("numRef")):
        values.find(tags.c("f")).text = "Sheet1!$B$2:$B$9999999"
        values.find(f"{tags.c('numCache')}/{tags.c('ptCount')}").set("val", "9999998")
    path = save(deck, tmp_path / "deck.pptx")
    tracemalloc.start()
    (table,), _, findings = contents(path)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert {"120", "132.5"} <= {cell.text for cell in table.cells}
    assert not findings
    assert most < 30_000_000
