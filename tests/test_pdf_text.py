"""What a page says as a reader sees it: doubled, raised, hidden, turned and unnamed characters; prose and its order."""

from __future__ import annotations

from pathlib import Path

from factspine.core.findings import Finding
from factspine.core.limits import Limits
from factspine.core.tables import Item, Passage, RawTable
from factspine.extract.pdf import read
from tests.pdf_pages import Page, save

LOREM = (
    "The group sells equipment for cold storage and transport to customers in food processing and logistics. Demand"
    " grew in all regions during the year and the order book stood higher at its end than at any time before. Managers"
    " expect that growth will go on at a slower pace, since customers have brought forward some of their investments."
)


def items(path: Path) -> list[Item]:
    return list(read(path, Limits()))


def texts(path: Path) -> list[str]:
    return [i.text for i in items(path) if isinstance(i, Passage)]


def cells(path: Path) -> list[str]:
    return [c.text for i in items(path) if isinstance(i, RawTable) for c in i.cells]


TABLE = "| 2024 | 2023\nNorth | 1,000 | 2,000\nSouth | 3,000 | 4,000\nEast | 5,000 | 6,000"


def test_fake_bold_is_read_once(tmp_path: Path) -> None:
    """A number drawn twice to look bold is still that number."""
    page = Page()
    for shift in (0, 0.3):
        page.rows(TABLE, (72 + shift, 300 + shift, 400 + shift), 100)
    assert cells(save(tmp_path / "a.pdf", page))[2:5] == ["North", "1,000", "2,000"]


def test_one_glyph_for_two_equal_letters_is_both(tmp_path: Path) -> None:
    """Fonts draw ff and tt as one sign; letters that are drawn twice to look bold are still one each."""
    page = Page()
    page.text(72, 100, "The diZerence of oXces at SwiY", font="F7")
    assert texts(save(tmp_path / "a.pdf", page)) == ["The difference of offices at Switt"]
    bold = Page()
    for at, char in enumerate("goo"):
        for _ in range(2):
            bold.text(72 + 5.56 * at, 100, char)
    assert texts(save(tmp_path / "b.pdf", bold)) == ["goo"]


def test_a_raised_figure_is_a_mark_not_a_digit(tmp_path: Path) -> None:
    """A footnote mark after a number does not make it ten times as large."""
    page = Page()
    page.rows(TABLE, (72, 300, 400), 100)
    page.text(400.3, 110, "1", 6)
    found = cells(save(tmp_path / "a.pdf", page))
    assert "2,000¹" in found
    assert "2,0001" not in found


def test_text_nobody_sees_is_left_out_and_reported(tmp_path: Path) -> None:
    """White, invisible and off-page text is no part of the document."""
    page = Page()
    page.prose(LOREM, 72, 100, 520)
    page.color(1)
    page.text(72, 300, "White secret")
    page.color(0)
    page.text(72, 320, "Invisible secret", mode=3)
    page.text(900, 340, "Outside secret")
    found = items(save(tmp_path / "a.pdf", page))
    assert not any("secret" in i.text for i in found if isinstance(i, Passage))
    assert [i.code for i in found if isinstance(i, Finding)] == ["FS209"]


def test_white_text_on_a_dark_band_is_read(tmp_path: Path) -> None:
    """A header printed in white on colour is as good as any."""
    page = Page()
    page.fill(60, 88, 420, 104, gray=0.2)
    page.color(1)
    page.rows("Region | 2024 | 2023", (72, 300, 400), 100)
    page.color(0)
    page.rows(TABLE.split("\n", 1)[1], (72, 300, 400), 118)
    assert cells(save(tmp_path / "a.pdf", page))[:3] == ["Region", "2024", "2023"]


def test_a_rotated_page_reads_like_an_upright_one(tmp_path: Path) -> None:
    """The page's own rotation does not change what its table says, and boxes are as a reader sees the page."""
    upright = Page()
    upright.rows(TABLE, (72, 300, 400), 100)
    turned = Page(842, 595, rotate=90)
    # The same marks, drawn so that they stand upright once the viewer has turned the page.
    for operation in upright.operations:
        turned.operations.append(f"q 0 1 -1 0 842 0 cm {operation} Q")
    first, second = save(tmp_path / "a.pdf", upright), save(tmp_path / "b.pdf", turned)
    assert cells(first) == cells(second)
    tables = [i for p in (first, second) for i in items(p) if isinstance(i, RawTable)]
    assert all(abs(a - b) < 0.5 for a, b in zip(tables[0].boxes[(2, 2)], tables[1].boxes[(2, 2)], strict=True))


def test_a_table_printed_sideways_is_read(tmp_path: Path) -> None:
    """A wide table set along the long side of an upright page is turned before it is read; its boxes are not."""
    upright = Page(842, 595)
    upright.rows(TABLE, (72, 300, 400), 100)
    sideways = Page(595, 842)
    for operation in upright.operations:
        sideways.operations.append(f"q 0 1 -1 0 595 0 cm {operation} Q")
    path = save(tmp_path / "a.pdf", sideways)
    assert cells(path)[:5] == ["2024", "2023", "North", "1,000", "2,000"]
    (table,) = [i for i in items(path) if isinstance(i, RawTable)]
    x0, top, x1, bottom = table.boxes[(2, 2)]
    assert bottom - top > x1 - x0  # the text runs upwards
    assert 0 <= x0 < x1 <= 595


def test_characters_without_a_name_are_reported_and_never_a_number(tmp_path: Path) -> None:
    """A font that does not say which characters it draws gives no digits."""
    page = Page()
    for y in range(100, 180, 14):
        page.text(72, y, "1,234 5,678", font="F4")
    found = items(save(tmp_path / "a.pdf", page))
    assert "FS207" in [i.code for i in found if isinstance(i, Finding)]
    said = "".join(i.text for i in found if isinstance(i, Passage)) + "".join(cells(tmp_path / "a.pdf"))
    assert not any(char.isdigit() for char in said)


def test_paragraphs_come_whole_with_heading_and_place(tmp_path: Path) -> None:
    """Lines are joined to paragraphs; a heading names the section of what follows."""
    page = Page()
    page.text(72, 90, "2. Business review", 16, font="F2")
    y = page.prose(LOREM, 72, 120, 520)
    page.prose("A second paragraph follows after some white space and says little.", 72, y + 14, 520)
    found = [i for i in items(save(tmp_path / "a.pdf", page)) if isinstance(i, Passage)]
    assert [p.kind for p in found] == ["title", "text", "text"]
    assert found[1].text == LOREM
    assert found[1].section == ("2. Business review",)
    assert found[1].locator == "page=1,para=2"


def test_two_columns_are_read_one_after_the_other(tmp_path: Path) -> None:
    """Prose in columns is neither a table nor a mixture of both columns."""
    page = Page()
    page.prose(LOREM, 60, 100, 285)
    page.prose(LOREM.replace("The group", "Our company"), 310, 100, 535)
    path = save(tmp_path / "a.pdf", page)
    assert cells(path) == []
    assert texts(path) == [LOREM, LOREM.replace("The group", "Our company")]


def test_running_headers_and_page_numbers_are_apart(tmp_path: Path) -> None:
    """What comes again on every page is not part of the text."""
    pages = []
    for number in range(1, 5):
        page = Page()
        page.text(72, 40, f"Annual report {2024}", 8)
        page.text(500, 810, str(number), 8)
        page.prose(LOREM.replace("The group", f"Unit {number}"), 72, 120, 520)
        pages.append(page)
    found = texts(save(tmp_path / "a.pdf", *pages))
    assert len(found) == 4
    assert not any("Annual report" in text for text in found)


def test_hyphens_at_line_ends_are_undone_in_prose(tmp_path: Path) -> None:
    """A word broken over two lines is one word."""
    page = Page()
    page.text(72, 100, "The management expects that the invest-")
    page.text(72, 113, "ments will be recovered within ten years.")
    assert texts(save(tmp_path / "a.pdf", page)) == [
        "The management expects that the investments will be recovered within ten years."
    ]


def test_a_table_of_contents_is_no_table(tmp_path: Path) -> None:
    """Titles with page numbers are not data."""
    page = Page()
    page.text(72, 80, "Contents", 16, font="F2")
    for index, (title, number) in enumerate(
        [("Letter to shareholders", 3), ("Strategy", 8), ("Business review", 15), ("Risk", 31), ("Accounts", 44)]
    ):
        page.text(72, 120 + 16 * index, title + " " + "." * 60)
        page.right(520, 120 + 16 * index, str(number))
    assert cells(save(tmp_path / "a.pdf", page)) == []


def test_a_numbered_list_is_no_table(tmp_path: Path) -> None:
    """Item numbers beside sentences are not a column."""
    page = Page()
    for index in range(1, 7):
        page.text(72, 100 + 16 * index, f"{index}.")
        page.text(110, 100 + 16 * index, "Calculate the distance of each trip and keep the speed at which it ends.")
    assert cells(save(tmp_path / "a.pdf", page)) == []


def test_figures_over_each_other_are_a_finding_and_no_number(tmp_path: Path) -> None:
    """Two numbers printed at one place make no third: the cell is kept, marked, and reported."""
    page = Page()
    page.rows("| 2024 | 2023\nNorth | 1000 | 2,000\nSouth | 3,000 | 4,000\nEast | 5,000 | 6,000", (72, 300, 400), 100)
    page.right(301.5, 113, "7654")
    items = list(read(save(tmp_path / "a.pdf", page), Limits()))
    (table,) = (item for item in items if isinstance(item, RawTable))
    assert [(cell.row, cell.col) for cell in table.cells if cell.kind == "e"] == [(2, 2)]
    found = [(item.code, item.locator) for item in items if isinstance(item, Finding)]
    assert found == [("FS210", "page=1,table=1,cell=R2C2")]


def test_type_of_a_negative_size_reads_forwards(tmp_path: Path) -> None:
    """Some printers turn the type upside down and its size negative, which is upright: 18,987 is not 789,81."""
    page = Page()
    rows = (("District", "Voters"), ("Harbour side", "18,987"), ("Hill side", "7,645"), ("Old town", "8,083"))
    for number, row in enumerate(rows):
        for x, text in zip((72, 300), row, strict=True):
            page.operations.append(f"BT /F1 -10 Tf -1 0 0 -1 {x} {700 - 16 * number} Tm ({text}) Tj ET")
    assert {"Harbour side", "18,987", "Old town", "8,083"} <= set(cells(save(tmp_path / "a.pdf", page)))
