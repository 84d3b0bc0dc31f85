"""What stands right above a table says what it is; the end of a sentence about something else does not."""

from __future__ import annotations

from pathlib import Path

from factspine.core.limits import Limits
from factspine.core.tables import RawTable
from factspine.extract.pdf import read
from tests.pdf_pages import Page, save

ROWS = "Balance, June 30, 2023|9,889\nAdditions|3,861\nReleases|(1,200)\nBalance, June 30, 2024|12,550"
BEFORE = "The group takes advice from two firms on what it may deduct, and follows the more careful of both."


def table_below(path: Path, *paragraphs: str) -> RawTable:
    page = Page()
    y = 80.0
    for text in paragraphs:
        y = page.prose(text, 72, y, 420)
    page.rows(ROWS, (72, 420), y + 14)
    (table,) = [item for item in read(save(path, page), Limits()) if isinstance(item, RawTable)]
    return table


def test_a_sentence_that_leads_to_a_table_is_its_title_as_a_whole(tmp_path: Path) -> None:
    """Not its last line alone, which may be no more than `and fiscal 2024.`"""
    lead = "The following table shows how the amounts of deferred levies changed in fiscal 2023 and in 2024."
    table = table_below(tmp_path / "a.pdf", f"{BEFORE} {lead}")
    assert table.title == lead


def test_the_end_of_another_sentence_is_no_title(tmp_path: Path) -> None:
    """A year or an amount in it is not the table's."""
    other = "An inspection of the years before was closed without a finding in the second half of the fiscal year 2021."
    table = table_below(tmp_path / "a.pdf", f"{BEFORE} {other}")
    assert "2021" not in table.title
    assert not any("2021" in text.text for text in table.context if text.role == "caption")


def test_a_unit_below_a_paragraph_is_kept(tmp_path: Path) -> None:
    """A unit in brackets right below a sentence that has ended is not the rest of it."""
    table = table_below(tmp_path / "a.pdf", BEFORE, "(HK$ thousand)")
    said = [text.text for text in table.context] + [cell.text for cell in table.cells]
    assert "(HK$ thousand)" in said
