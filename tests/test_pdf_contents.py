"""Contents and indexes are lists of places to go to, not tables of numbers."""

from __future__ import annotations

from pathlib import Path

import pytest

from factspine.core.limits import Limits
from factspine.core.tables import Passage, RawTable
from factspine.extract.pdf import read
from tests.pdf_pages import Page, save, width

CHAPTERS = """
Opening remarks      | 4
Shops and branches   | 4
People               | 5
"""
COLUMNS = (72, 500)


def tables(path: Path) -> list[RawTable]:
    return [item for item in read(path, Limits()) if isinstance(item, RawTable)]


def linked(page: Page, *, figures: bool) -> None:
    """Link each line of the chapters: its words, or the number of its page."""
    for number, line in enumerate(CHAPTERS.strip().splitlines()):
        label, _, _ = line.partition("|")
        y = 120 + 14 * number
        start, end = (488, 502) if figures else (72, 72 + width(label.strip(), 10))
        page.link(start, y - 9, end, y + 3)


@pytest.mark.parametrize("figures", [True, False])
def test_lines_that_lead_to_pages_are_no_table(tmp_path: Path, figures: bool) -> None:
    """Whether the words or the numbers are linked, a line of contents states no number."""
    page = Page()
    page.rows(CHAPTERS, COLUMNS, 120)
    linked(page, figures=figures)
    path = save(tmp_path / "a.pdf", page)
    assert tables(path) == []
    said = " ".join(item.text for item in read(path, Limits()) if isinstance(item, Passage))
    assert "Shops and branches" in said


def test_a_sideways_page_of_contents_is_turned_with_its_links(tmp_path: Path) -> None:
    """Links lie where the words lie, also on a page that is turned for reading."""
    page = Page(842, 595, rotate=0)
    for number, line in enumerate(CHAPTERS.strip().splitlines()):
        label, _, figure = (part.strip() for part in line.partition("|"))
        x = 120 + 14 * number
        page.text(0, 0, label, matrix=f"0 1 -1 0 {x} 60")
        page.text(0, 0, figure, matrix=f"0 1 -1 0 {x} 480")
        page.link(x - 9, 595 - 60 - width(label, 10), x + 3, 595 - 60)
    assert tables(save(tmp_path / "a.pdf", page)) == []


def test_a_label_that_leads_to_a_note_keeps_its_figures(tmp_path: Path) -> None:
    """A statement whose labels are linked is still a statement: its figures are no pages."""
    page = Page()
    page.rows("     | 2024 | 2023\nSales | 812 | 790\nProfit | 101 | 95\nStaff | 55 | 52", (72, 400, 500), 106)
    for y in (120, 134, 148):
        page.link(72, y - 9, 110, y + 3)
    (table,) = tables(save(tmp_path / "a.pdf", page))
    assert {"812", "95"} <= {cell.text for cell in table.cells}


@pytest.mark.parametrize("heading", ["Contents", "Table of contents 3", "目  录", "Sommaire"])
def test_a_page_that_says_contents_has_no_table_of_pages(tmp_path: Path, heading: str) -> None:
    """Without links, the heading says what rising numbers behind words are, however few lines there are."""
    page = Page()
    page.text(72, 80, heading, 16)
    page.rows(CHAPTERS, COLUMNS, 120)
    assert tables(save(tmp_path / "a.pdf", page)) == []


def test_an_index_is_no_table(tmp_path: Path) -> None:
    """The numbers behind the words of an index are pages, in whatever order."""
    page = Page()
    page.text(72, 80, "Index", 16)
    page.rows("Assets | 41\nBranches | 7\nCash | 40, 41\nDebt | 12", (72, 300), 120)
    assert tables(save(tmp_path / "a.pdf", page)) == []


def test_a_price_index_is_a_table(tmp_path: Path) -> None:
    """The word alone refuses nothing: figures with a year or with decimals are no pages."""
    page = Page()
    page.text(72, 80, "Index", 16)
    page.rows("Place | 2023 | 2024\nHarbour | 101.2 | 104.0\nHills | 99.8 | 100.3", (72, 300, 400), 120)
    assert len(tables(save(tmp_path / "a.pdf", page))) == 1
