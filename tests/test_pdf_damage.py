"""Files that are broken, too large or made to harm: a typed rejection or a finding, never anything else."""

from __future__ import annotations

import contextlib
import os
import random
from pathlib import Path

import pytest

from factspine.core.errors import InputRejected, LimitExceeded
from factspine.core.findings import Finding
from factspine.core.limits import Limits
from factspine.core.tables import Passage, RawTable
from factspine.extract.pdf import read, reread
from tests.pdf_pages import Page, document, save

TABLE = "| 2024 | 2023\nNorth | 1,000 | 2,000\nSouth | 3,000 | 4,000\nEast | 5,000 | 6,000"


def sample() -> bytes:
    page = Page()
    page.rows(TABLE, (72, 300, 400), 100)
    page.rule(72, 103, 400, 103)
    page.fill(72, 200, 300, 220)
    page.prose("Some words that fill a line or two so that there is something to break.", 72, 300, 300)
    return document([page, page])


@pytest.mark.parametrize("content", [b"", b"%PDF-1.7\n", b"not a document at all", b"%PDF-1.7\n" + b"\0" * 5000])
def test_what_is_no_document_is_rejected_with_a_reason(tmp_path: Path, content: bytes) -> None:
    """A file that cannot be opened says so in a finding's code and what to do."""
    path = tmp_path / "a.pdf"
    path.write_bytes(content)
    with pytest.raises(InputRejected) as caught:
        list(read(path, Limits()))
    assert caught.value.code in ("FS201", "FS107")
    assert caught.value.remedy


def test_too_many_pages_are_rejected_by_name(tmp_path: Path) -> None:
    """The limit that was exceeded is named."""
    path = save(tmp_path / "a.pdf", *[Page() for _ in range(4)])
    with pytest.raises(LimitExceeded) as caught:
        list(read(path, Limits(pages_max=3)))
    assert caught.value.limit == "pages_max"


def test_a_page_too_full_is_a_finding_and_the_others_are_read(tmp_path: Path) -> None:
    """One page over the limit does not lose the document."""
    full, normal = Page(), Page()
    for y in range(60, 800, 10):
        full.text(40, y, "many characters stand on this page " * 3, 6)
    normal.rows(TABLE, (72, 300, 400), 100)
    items = list(read(save(tmp_path / "a.pdf", full, normal), Limits(page_chars_max=1000)))
    assert [(i.code, i.locator) for i in items if isinstance(i, Finding)] == [("FS207", "page=1")]
    assert [i.locator for i in items if isinstance(i, RawTable)] == ["page=2,table=1"]


def test_a_grid_of_many_cells_takes_bounded_time(tmp_path: Path) -> None:
    """A page ruled into 150 by 150 cells, each drawn on its own, is read and not waited for."""
    page = Page()
    for row in range(150):
        for col in range(150):
            page.operations.append(f"{40 + 3.4 * col:.1f} {800 - 5 * row:.1f} 3.4 5 re S")
    assert isinstance(list(read(save(tmp_path / "a.pdf", page), Limits())), list)


def test_mutants_give_items_or_a_typed_rejection(tmp_path: Path) -> None:
    """Whatever is changed in a file, nothing but a typed error leaves the reader."""
    original = sample()
    path = tmp_path / "a.pdf"
    chance = random.Random(7)  # noqa: S311 - reproducible damage, not a secret
    for _ in range(int(os.environ.get("FACTSPINE_TEST_SCALE", "1")) * 60):
        mutant = bytearray(original)
        for _ in range(chance.randint(1, 30)):
            mutant[chance.randrange(len(mutant))] = chance.randrange(256)
        if chance.random() < 0.2:
            del mutant[chance.randrange(len(mutant)) :]
        path.write_bytes(bytes(mutant))
        with contextlib.suppress(InputRejected):
            assert all(isinstance(item, RawTable | Passage | Finding) for item in read(path, Limits()))


def test_the_second_reader_confirms_what_the_first_read(tmp_path: Path) -> None:
    """Each number is found again by another library at the same place."""
    path = tmp_path / "a.pdf"
    path.write_bytes(sample())
    places, texts = [], []
    for item in read(path, Limits()):
        if isinstance(item, RawTable):
            places += [f"{item.locator},cell=R{c.row}C{c.col},row=any" for c in item.cells]
            texts += [c.text for c in item.cells]
    assert texts
    assert [text for text, _ in reread(path, places)] == texts


def test_the_second_reader_says_nothing_of_places_that_are_not_there(tmp_path: Path) -> None:
    """A cell beyond the table, a page beyond the document and a locator of another format read as nothing."""
    path = tmp_path / "a.pdf"
    path.write_bytes(sample())
    places = ["page=1,table=1,cell=R99C1", "page=77,table=1,cell=R1C1", "sheet=A,cell=B2", "nonsense"]
    assert reread(path, places) == [("", None)] * 4


def test_raised_and_circled_digits_do_not_lose_the_document(tmp_path: Path) -> None:
    """A column of numbers with footnotes (12²) or of circled digits is read, and is no column of page numbers."""
    page = Page()
    for number, label in enumerate(("Kilometres walked", "Kilometres by bicycle", "Kilometres by train"), start=2):
        y = 100 + 16 * number
        page.text(72, y, label)
        page.text(300, y, f"{number}")
        page.text(306, y - 3.5, "2", 6)
    items = list(read(save(tmp_path / "a.pdf", page), Limits()))
    assert any("3²" in (cell.text for cell in item.cells) for item in items if isinstance(item, RawTable)) or any(
        "3²" in item.text for item in items if isinstance(item, Passage)
    )
