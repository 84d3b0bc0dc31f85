"""The evidence page: one file for a deck, a workbook and a report, with the fact's own cell boxed."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import lxml.html
import openpyxl
import pdfplumber
import pytest
from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Inches

from tests.commandline import run
from tests.pdf_pages import Page, save
from tests.test_show_places import ruled
from tests.xlsx_samples import draw

DANGEROUS = "<script>alert(1)</script> & \u202eeunever\u202c"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of one deck, one workbook and one report."""
    place = tmp_path_factory.mktemp("evidence")
    docs = place / "docs"
    docs.mkdir()
    write_deck(docs / "deck.pptx")
    write_book(docs / "book.xlsx")
    first, second = Page(), Page()
    ruled(first, [("Item", "2024", "2023"), *((f"Line {i}", f"{i},100", f"{i},200") for i in range(1, 40))], 100)
    ruled(second, [("Item", "2024", "2023"), *((f"Line {i}", f"{i},100", f"{i},200") for i in range(40, 45))], 80)
    save(docs / "report.pdf", first, second)
    assert run("ingest", docs, "--store", place / "facts.db").returncode == 0
    return place


def write_deck(path: Path) -> None:
    deck = Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[5])
    slide.shapes.title.text = "Sales (US$ million)"
    data = CategoryChartData()
    data.categories = ["FY2023", "FY2024"]
    data.add_series("North", (10, 20))
    data.add_series("South", (30, 40))
    box = (Inches(1), Inches(2), Inches(8), Inches(5))
    slide.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, *box, data)
    slide = deck.slides.add_slide(deck.slide_layouts[5])
    slide.shapes.title.text = "Costs (US$ million)"
    table = slide.shapes.add_table(2, 2, Inches(1), Inches(2), Inches(6), Inches(1)).table
    for row, texts in enumerate((("Item", "FY2024"), ("Staff costs", "77.5"))):
        for col, text in enumerate(texts):
            table.cell(row, col).text = text
    deck.save(str(path))


def write_book(path: Path) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "P&L"
    for row in (("Accounts",), ("RMB million",), ("Item", "FY2023", "FY2024"), ("Revenue", 71.5, 85.2)):
        sheet.append(row)
    sheet.append((DANGEROUS, 3, 4))
    sheet.append(("Secret line", 5, 6))
    sheet.row_dimensions[6].hidden = True
    book.save(path)


def fact(place: Path, document: str, **wanted: str) -> dict[str, Any]:
    """The one fact of a document that has these fields."""
    listed = run("facts", "--store", place / "facts.db", "--doc", document, "--json").stdout.splitlines()
    found = [one for one in map(json.loads, listed) if all(one[name] == said for name, said in wanted.items())]
    assert len(found) == 1, [(one["source_locator"], one["value"]) for one in found]
    return dict(found[0])


def page(place: Path, fact_id: str) -> Any:
    """The page `show` writes of a fact, as a browser would read it."""
    file = place / "page.html"
    shown = run("show", fact_id, "--store", place / "facts.db", "--html", file)
    assert (shown.returncode, shown.stderr) == (0, "")
    assert str(file.name) in shown.stdout
    return lxml.html.fromstring(file.read_text(encoding="utf-8"))


def classed(tree: Any, tag: str, *classes: str) -> list[Any]:
    """The elements of that tag and those classes, in order."""
    return [one for one in tree.iter(tag) if set(classes) <= set((one.get("class") or "").split())]


def boxed(tree: Any) -> tuple[float, float, float, float]:
    """The frame drawn around the fact's cell: left, top, right, bottom."""
    (frame,) = {
        (one.get("x"), one.get("y"), one.get("width"), one.get("height"))
        for one in tree.iter("rect")
        if {"outline", "cell"} <= set((one.get("class") or "").split())
    }
    x, y, width, height = map(float, frame)
    return x, y, x + width, y + height


def test_a_report_shows_its_page_with_the_cell_boxed(place: Path) -> None:
    """The frame lies around the number and around nothing else, also where a table goes on over the page."""
    tree = page(place, fact(place, "report.pdf", value="42200")["fact_id"])
    x0, top, x1, bottom = boxed(tree)
    with pdfplumber.open(place / "docs" / "report.pdf") as report:
        words = report.pages[1].extract_words()
    within = [
        w["text"] for w in words if x0 < (w["x0"] + w["x1"]) / 2 < x1 and top < (w["top"] + w["bottom"]) / 2 < bottom
    ]
    assert within == ["42,200"]
    (picture,) = tree.iter("image")
    assert picture.get("href").startswith("data:image/png;base64,")
    assert next(tree.iter("summary")).text == "The whole page (2)"


def test_a_slide_shows_its_table_with_the_cell_boxed(place: Path) -> None:
    """The slide is drawn as a likeness; the frame has the number in it, and the labels are marked too."""
    tree = page(place, fact(place, "deck.pptx", value="77.5")["fact_id"])
    x0, top, x1, bottom = boxed(tree)
    lines = [
        line for line in tree.iter("tspan") if top < float(line.get("y")) < bottom and x0 < float(line.get("x")) < x1
    ]
    assert [line.text for line in lines] == ["77.5"]
    assert len({tuple(one.values()) for one in tree.iter("rect") if one.get("class") == "outline name"}) == 2


def test_a_chart_shows_the_bar_of_the_number(place: Path) -> None:
    """Bars are as tall as their numbers, and the one of the fact is framed."""
    tree = page(place, fact(place, "deck.pptx", value="30")["fact_id"])
    bars = [one for one in tree.iter("rect") if one.get("class") == "mark bar"]
    heights = [float(bar.get("height")) for bar in bars]
    assert [round(height / heights[0], 2) for height in heights] == [1, 3, 2, 4]
    x0, top, x1, bottom = boxed(tree)
    framed = [
        bar
        for bar in bars
        if x0 < float(bar.get("x")) + float(bar.get("width")) / 2 < x1 and top < float(bar.get("y")) + 1 < bottom
    ]
    assert framed == [bars[1]]


def test_a_workbook_shows_its_sheet_with_the_cell_boxed(place: Path) -> None:
    """A sheet has no page of its own: it is drawn with its letters and numbers, and what named the cell is marked."""
    tree = page(place, fact(place, "book.xlsx", value="85.2")["fact_id"])
    (cell,) = classed(tree, "td", "cell")
    assert cell.text == "85.2"
    assert [one.text for one in classed(tree, "td", "name")] == ["FY2024", "Revenue"]
    assert [one.text for one in classed(tree, "td", "unit")] == ["RMB million"]
    assert [one.text for one in classed(next(tree.iter("tr")), "th", "edge")] == [None, "A", "B", "C"]
    assert "Secret line" in classed(tree, "tr", "hidden-row")[0].text_content()
    assert not list(tree.iter("svg"))[1:]


def test_the_page_says_how_the_number_was_read_and_where_it_comes_from(place: Path) -> None:
    """Labels with their cells, the text that said the unit, the file's hash, the versions that read it."""
    found = fact(place, "book.xlsx", value="85.2")
    tree = page(place, found["fact_id"])
    told = [" ".join(one.text_content().split()) for one in tree.iter("dd")]
    for part in ("Revenue sheet=P&L,cell=A4", "RMB million sheet=P&L,cell=A2", found["file_hash"], found["fact_id"]):
        assert part in told
    assert "✓ reads the same" in classed(tree, "p", "verdict", "good")[0].text


def test_what_a_document_says_is_text_and_nothing_else(place: Path) -> None:
    """A label that is a script stays a label; marks that turn the direction of writing are left out."""
    tree = page(place, fact(place, "book.xlsx", value="4")["fact_id"])
    assert not list(tree.iter("script"))
    written = (place / "page.html").read_text(encoding="utf-8")
    assert "&lt;script&gt;" in written
    assert not re.search("[\u202a-\u202e\u2066-\u2069]", written)


@pytest.mark.parametrize("document", ["report.pdf", "deck.pptx", "book.xlsx"])
def test_the_page_needs_nothing_but_itself(place: Path, document: str) -> None:
    """No address leads out of it, and it forbids itself to fetch any."""
    listed = run("facts", "--store", place / "facts.db", "--doc", document, "--limit", "1", "--json").stdout
    tree = page(place, json.loads(listed)["fact_id"])
    links = [one.get(name) for one in tree.iter() for name in ("href", "src", "{http://www.w3.org/1999/xlink}href")]
    assert all(link.startswith(("#", "data:")) for link in links if link)
    (policy,) = (one.get("content") for one in tree.iter("meta") if one.get("http-equiv") == "Content-Security-Policy")
    assert policy.startswith("default-src 'none'")
    assert "url(" not in next(tree.iter("style")).text
    assert "@import" not in next(tree.iter("style")).text


def test_the_page_says_what_became_of_a_fact(tmp_path: Path) -> None:
    """Superseded with what holds now, withdrawn, and an archive that was tampered with: each is told on the page."""
    docs, store, file = tmp_path / "docs", tmp_path / "facts.db", tmp_path / "page.html"
    docs.mkdir()
    draw(docs / "a.xlsx", "| FY2024\nRevenue | 85.2\n")
    run("ingest", docs, "--store", store)
    before = fact(tmp_path, "a.xlsx")
    draw(docs / "a.xlsx", "| FY2024\nRevenue | 86.4\n")
    run("ingest", docs, "--store", store)
    told = []
    for change in (lambda: None, (docs / "a.xlsx").unlink):
        change()
        run("ingest", docs, "--store", store)
        assert run("show", before["fact_id"], "--store", store, "--html", file).returncode == 0
        tree = lxml.html.fromstring(file.read_text(encoding="utf-8"))
        told.append(classed(tree, "p", "verdict", "old")[0].text)
    assert "86.4" in told[0]
    assert told[1].startswith("withdrawn")
    (blob,) = (one for one in tmp_path.rglob("*") if one.name.startswith(before["file_hash"]))
    blob.chmod(0o644)
    blob.write_bytes(blob.read_bytes() + b"x")
    assert run("show", before["fact_id"], "--store", store, "--html", file).returncode == 1
    tree = lxml.html.fromstring(file.read_text(encoding="utf-8"))
    assert classed(tree, "p", "verdict", "bad")[0].text == "✗ the archived file is not the one that was ingested"


def test_an_answer_is_written_with_the_evidence_of_its_numbers(place: Path) -> None:
    """Each source in the answer is a link to its cell below."""
    file = place / "answer.html"
    asked = run("ask", "Revenue FY2024 vs FY2023", "--store", place / "facts.db", "--html", file)
    assert asked.returncode == 0, asked.stdout + asked.stderr
    tree = lxml.html.fromstring(file.read_text(encoding="utf-8"))
    assert classed(tree, "p", "question")[0].text == "Revenue FY2024 vs FY2023"
    links = {one.get("href").removeprefix("#") for one in classed(tree, "a", "source")}
    assert links == {one.get("id") for one in classed(tree, "section", "exhibit")}
    assert sorted(one.text for one in classed(tree, "td", "cell")) == ["71.5", "85.2"]


def test_a_refusal_is_written_with_its_reason(place: Path) -> None:
    """There is no evidence of nothing, and the page says why."""
    file = place / "answer.html"
    asked = run("ask", "How many penguins in FY2024?", "--store", place / "facts.db", "--html", file)
    assert asked.returncode == 1
    tree = lxml.html.fromstring(file.read_text(encoding="utf-8"))
    assert "penguins" in classed(tree, "p", "answer", "refuse")[0].text_content()
    assert not classed(tree, "section", "exhibit")


def test_a_page_that_cannot_be_written_is_one_line(place: Path) -> None:
    """The place that was named is at fault, and is named."""
    found = fact(place, "book.xlsx", value="85.2")
    shown = run(
        "show", found["fact_id"], "--store", place / "facts.db", "--html", place / "docs" / "book.xlsx" / "p.html"
    )
    assert shown.returncode == 2
    assert shown.stderr.count("\n") == 1
    assert "p.html cannot be written" in shown.stderr


def test_a_page_takes_the_place_of_a_page_and_of_nothing_else(place: Path) -> None:
    """Who names a document, or the store, by mistake loses neither."""
    found, file = fact(place, "book.xlsx", value="85.2"), place / "again.html"
    for precious in (place / "docs" / "book.xlsx", place / "facts.db"):
        before = precious.read_bytes()
        shown = run("show", found["fact_id"], "--store", place / "facts.db", "--html", precious)
        assert (shown.returncode, shown.stderr.count("\n")) == (2, 1)
        assert "name another place" in shown.stderr
        assert precious.read_bytes() == before
    for _ in range(2):
        asked = run(
            "ask", "Revenue FY2024 of the book", "--doc", "book.xlsx", "--store", place / "facts.db", "--html", file
        )
        assert f"page written: {file}" in asked.stdout
        assert file.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")


def test_what_speaks_against_an_answer_is_told_with_its_number_and_place(tmp_path: Path) -> None:
    """Also where the answer was not worked out from it; a link within the page leads somewhere on the page."""
    docs, store, file = tmp_path / "docs", tmp_path / "facts.db", tmp_path / "page.html"
    docs.mkdir()
    draw(docs / "a.xlsx", "HK$ million\n| FY2023 | FY2024\nRevenue | 71.5 | 85.2\nCosts | 60 | 70\n")
    draw(docs / "b.xlsx", "HK$ million\n| FY2023 | FY2022\nRevenue | 75.5 | 62\nCosts | 60 | 50\n")
    run("ingest", docs, "--store", store)
    asked = run("ask", "How much did Revenue grow in FY2024?", "--store", store, "--html", file)
    assert asked.returncode == 0, asked.stdout
    tree = lxml.html.fromstring(file.read_text(encoding="utf-8"))
    links = {one.get("href") for one in tree.iter("a")}
    assert links
    assert links <= {f"#{one.get('id')}" for one in classed(tree, "section", "exhibit")}
    (other,) = classed(tree, "p", "remark", "other")
    assert "75.5 HKD million" in other.text_content()
    assert "b.xlsx · sheet=" in other.text_content()
