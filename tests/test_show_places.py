"""`factspine show` marks the fact's own cell, wherever its locator counts from."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Inches

from tests.commandline import run
from tests.pdf_pages import Page, save


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """A store of a report whose table goes on over the page, and of a deck whose chart names two series alike."""
    first, second = Page(), Page()
    ruled(first, [("Item", "2024", "2023"), *((f"Line {i}", f"{i},100", f"{i},200") for i in range(1, 40))], 100)
    ruled(second, [("Item", "2024", "2023"), *((f"Line {i}", f"{i},100", f"{i},200") for i in range(40, 45))], 80)
    (tmp_path / "docs").mkdir()
    save(tmp_path / "docs" / "report.pdf", first, second)
    deck = Presentation()
    data = CategoryChartData()
    data.categories = ["FY2023", "FY2024"]
    data.add_series("Sales", (11.5, 12.5))
    data.add_series("Sales", (21.5, 22.5))
    place = (Inches(1), Inches(1), Inches(8), Inches(5))
    deck.slides.add_slide(deck.slide_layouts[6]).shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, *place, data)
    deck.save(str(tmp_path / "docs" / "deck.pptx"))
    store = tmp_path / "facts.db"
    assert run("ingest", tmp_path / "docs", "--store", store).returncode == 0
    return store


def ruled(page: Page, rows: list[tuple[str, str, str]], y: float) -> None:
    """A table with all its lines."""
    xs = (72, 300, 400, 500)
    for index in range(len(rows) + 1):
        page.rule(xs[0], y + 16 * index, xs[-1], y + 16 * index)
    for x in xs:
        page.rule(x, y, x, y + 16 * len(rows))
    for index, row in enumerate(rows):
        page.text(78, y + 12 + 16 * index, row[0])
        for edge, text in zip((394, 494), row[1:], strict=True):
            page.right(edge, y + 12 + 16 * index, text)


@pytest.mark.parametrize("document", ["report.pdf", "deck.pptx"])
def test_every_fact_is_shown_at_its_own_cell(store: Path, document: str) -> None:
    """Also on the second page of a table, and where two series of a chart have one name."""
    listed = run("facts", "--store", store, "--doc", document, "--json").stdout.splitlines()
    facts = [json.loads(line) for line in listed]
    assert len(facts) == (88 if document == "report.pdf" else 4)
    for fact in facts[-12::4] + facts[-1:]:  # before the end of the page, behind it, and the last
        shown = run("show", fact["fact_id"], "--store", store).stdout
        assert f"▸{fact['value_text']}" in shown, fact["source_locator"]
        assert "✓ reads the same" in shown
