"""Characters that are hard to read: each is handled or reported, and no number is made of what nobody can read.

A second reader is asked about doubtful cells: where both agree the cell is a fact, where they do not it is a finding.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from factspine import FactStore, ingest
from factspine.core.findings import Finding
from factspine.core.limits import Limits
from factspine.core.tables import RawTable
from factspine.extract.pdf import read
from tests.pdf_pages import Page, save, width

ROWS = [("Revenue", "1,320", "1,210"), ("Costs", "812", "790"), ("Profit", "508", "420"), ("Staff", "77", "71")]


def statement(*, without: tuple[int, int] | None = None) -> Page:
    """A statement of four rows and two years; one of its numbers may be left for the test to draw."""
    page = Page()
    page.rows("(in thousands of euro) | 2024 | 2023", (72, 300, 400), 100)
    for index, row in enumerate(ROWS):
        cells = [text if (index, col) != without else "" for col, text in enumerate(row)]
        page.rows(" | ".join(cells), (72, 300, 400), 114 + 14 * index)
    return page


def reading(path: Path, limits: Limits | None = None) -> tuple[dict[tuple[int, int], tuple[str, str]], list[Finding]]:
    """Text and kind of each cell of the one table, and the findings."""
    items = list(read(path, limits or Limits()))
    (table,) = (item for item in items if isinstance(item, RawTable))
    cells = {(cell.row, cell.col): (cell.text, cell.kind) for cell in table.cells}
    return cells, [item for item in items if isinstance(item, Finding)]


def values(folder: Path) -> dict[str, str]:
    """Every fact of a folder of documents: cell and literal text."""
    with FactStore(folder.with_suffix(".db")) as store:
        store.init_schema()
        ingest(folder, store)
        return {fact.source_locator.split(",")[2]: fact.value_text for fact in store.facts()}


@pytest.mark.parametrize("shift", [(0.3, 0.0), (0.8, 0.0), (1.2, 0.0), (0.6, 0.6), (0.5, -0.9)])
def test_fake_bold_in_any_direction_is_read_once(tmp_path: Path, shift: tuple[float, float]) -> None:
    """A number drawn again a little beside itself, to look bold or to cast a shadow, is that number."""
    page = statement(without=(0, 1))
    for dx, dy in ((0.0, 0.0), shift):
        page.right(300 + dx, 114 + dy, "1,320")
    cells, findings = reading(save(tmp_path / "a.pdf", page))
    assert cells[2, 2] == ("1,320", "s")
    assert not findings


def test_ligatures_are_taken_apart(tmp_path: Path) -> None:
    """A label set with joined letters is found by its ordinary spelling."""
    page = statement(without=(2, 0))
    page.text(72, 142, "Pro", 10)
    page.text(72 + width("Pro", 10), 142, "Z", 10, font="F6")
    page.text(72 + width("Pro", 10) + 5, 142, "t", 10)
    cells, _ = reading(save(tmp_path / "a.pdf", page))
    assert cells[4, 1][0] == "Profit"


def test_a_raised_footnote_mark_is_no_digit_of_its_number(tmp_path: Path) -> None:
    """1,320 with a small raised 2 behind it is 1,320."""
    page = statement()
    page.text(300.4, 110.5, "2", 6)
    folder = tmp_path / "documents"
    folder.mkdir()
    save(folder / "a.pdf", page)
    assert values(folder)["cell=R2C2"] in ("1,320", "1,320²")
    with FactStore(folder.with_suffix(".db")) as store:
        (fact,) = (f for f in store.facts() if ",cell=R2C2," in f.source_locator)
    assert str(fact.value) == "1320"


def test_a_label_hyphenated_over_two_lines_is_one_row(tmp_path: Path) -> None:
    """A broken word in a label does not make a row of its own."""
    page = statement(without=(3, 0))
    page.text(72, 142 + 14, "Average number of employ-", 10)
    page.text(72, 142 + 26, "ees during the year", 10)
    cells, _ = reading(save(tmp_path / "a.pdf", page))
    assert cells[5, 1][0] == "Average number of employ-ees during the year"
    assert cells[5, 2][0] == "77"


@pytest.mark.parametrize("how", ["white", "invisible", "outside"])
def test_a_number_nobody_sees_is_no_fact_and_is_reported(tmp_path: Path, how: str) -> None:
    """What is hidden under a statement, in white, without ink or beyond the paper, is no part of it."""
    page = statement(without=(1, 1))
    if how == "white":
        page.color(1)
    page.text(950 if how == "outside" else 300 - width("999", 10), 128, "999", mode=3 if how == "invisible" else 0)
    cells, findings = reading(save(tmp_path / "a.pdf", page))
    assert (3, 2) not in cells
    assert [finding.code for finding in findings] == ["FS209"]


@pytest.mark.parametrize("turn", [90, 180, 270])
def test_a_page_turned_any_way_says_the_same(tmp_path: Path, turn: int) -> None:
    """The page's rotation changes nothing of what is read."""
    upright = statement()
    matrix, size = {
        90: ("0 1 -1 0 842 0", (842.0, 595.0)),
        180: ("-1 0 0 -1 595 842", (595.0, 842.0)),
        270: ("0 -1 1 0 0 595", (842.0, 595.0)),
    }[turn]
    turned = Page(*size, rotate=turn)
    turned.operations = [f"q {matrix} cm {operation} Q" for operation in upright.operations]
    assert reading(save(tmp_path / "a.pdf", turned)) == reading(save(tmp_path / "b.pdf", upright))


def test_numbers_in_a_font_without_a_unicode_map_are_findings(tmp_path: Path) -> None:
    """A font that does not say which characters it draws makes no number, and each such cell is named."""
    page = statement(without=(1, 1))
    page.text(282, 128, "812", font="F4")
    cells, findings = reading(save(tmp_path / "a.pdf", page))
    assert cells[3, 2] == ("\ufffd\ufffd\ufffd", "e")
    assert [(f.code, f.locator) for f in findings] == [("FS210", "page=1,table=1,cell=R3C2")]


def test_digits_with_made_up_names_are_findings_though_both_readers_guess_alike(tmp_path: Path) -> None:
    """Both readers fall back on the code of a glyph called g9; agreeing on a guess proves nothing."""
    page = statement(without=(1, 1))
    page.right(300, 128, "812", font="F5")
    folder = tmp_path / "documents"
    folder.mkdir()
    _, findings = reading(save(folder / "a.pdf", page))
    assert [(f.code, f.locator) for f in findings] == [("FS210", "page=1,table=1,cell=R3C2")]
    assert "cell=R3C2" not in values(folder)


def test_an_encoding_of_its_own_that_names_its_digits_is_read(tmp_path: Path) -> None:
    """Codes of letters that draw digits are read as the digits they are named."""
    page = statement(without=(1, 1))
    page.text(300 - width("812", 10), 128, "IBC", font="F6")
    cells, findings = reading(save(tmp_path / "a.pdf", page))
    assert cells[3, 2] == ("812", "s")
    assert not findings


@pytest.mark.parametrize("place", [(300.0, 128.0), (301.5, 128.0), (294.44, 128.0)])
def test_different_digits_over_each_other_are_a_finding_and_no_fact(tmp_path: Path, place: tuple[float, float]) -> None:
    """A digit printed over another makes a number nobody can read, whichever digit it hides."""
    page = statement()
    page.right(*place, "6")
    folder = tmp_path / "documents"
    folder.mkdir()
    cells, findings = reading(save(folder / "a.pdf", page))
    assert cells[3, 2][1] == "e"
    assert [(f.code, f.locator) for f in findings] == [("FS210", "page=1,table=1,cell=R3C2")]
    assert "cell=R3C2" not in values(folder)


def squeezed() -> Page:
    """A statement with one number set so narrow that its digits might lie over each other."""
    page = statement(without=(0, 1))
    page.operations.append("40 Tz")
    page.text(300 - 0.4 * width("1,320", 10), 114, "1,320")
    page.operations.append("100 Tz")
    return page


def test_a_doubtful_number_both_readers_agree_on_is_a_fact(tmp_path: Path) -> None:
    """Digits set very narrow are doubtful; the second reader sees the same digits side by side, and they count."""
    folder = tmp_path / "documents"
    folder.mkdir()
    cells, findings = reading(save(folder / "a.pdf", squeezed()))
    assert cells[2, 2] == ("1,320", "s")
    assert not findings
    assert values(folder)["cell=R2C2"] == "1,320"


def test_beyond_the_second_readers_budget_a_doubtful_number_is_a_finding(tmp_path: Path) -> None:
    """The second reader is slow: where it may not be asked any more, doubt stays doubt."""
    path = save(tmp_path / "a.pdf", squeezed())
    for limits in (Limits(second_pages_max=0), Limits(second_chars_max=10)):
        cells, findings = reading(path, limits)
        assert cells[2, 2] == ("1,320", "e")
        assert [(f.code, f.locator) for f in findings] == [("FS210", "page=1,table=1,cell=R2C2")]
