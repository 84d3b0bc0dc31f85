"""What is printed into a pipe is whole: no word is shortened, no line broken to fit a screen nobody looks at."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.commandline import run
from tests.xlsx_samples import draw

LABEL = "Revenue from contracts with customers of the northern and the southern division before elimination"
PICTURE = f"""
Northern Division Holdings
(USD million)
{" " * len(LABEL)} | FY2023 | FY2024
{LABEL} | 1250 | 1375
Net profit | 120 | 135
"""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pipes")
    (folder / "docs").mkdir()
    draw(folder / "docs" / "a_long_name_of_a_workbook_that_says_what_is_in_it_and_for_whom.xlsx", PICTURE)
    assert run("ingest", folder / "docs", "--store", folder / "facts.db").returncode == 0
    return folder


@pytest.mark.parametrize(
    "command",
    [
        ("facts",),
        ("sql", "SELECT metric_label, entity, period, value, source_doc_id, source_locator, fact_id FROM facts"),
        ("show", "a_long_name_of_a_workbook_that_says_what_is_in_it_and_for_whom.xlsx", "sheet=S!C4"),
    ],
    ids=lambda command: command[0],
)
def test_a_table_in_a_pipe_is_not_cut(place: Path, command: tuple[str, ...]) -> None:
    """The label stands in full on the line of its number."""
    done = run(*command, "--store", place / "facts.db")
    assert (done.returncode, done.stderr) == (0, "")
    assert any(LABEL in line and ("1,375" in line or "1375" in line) for line in done.stdout.splitlines()), done.stdout
    assert "…" not in done.stdout


def test_an_extracted_table_in_a_pipe_is_not_cut(place: Path) -> None:
    """`extract` without `--json`, too."""
    (book,) = (place / "docs").iterdir()
    done = run("extract", book)
    assert any(LABEL in line and "1375" in line for line in done.stdout.splitlines()), done.stdout


def test_a_picture_in_a_pipe_is_as_wide_as_a_screen(place: Path) -> None:
    """Bars would otherwise fill whatever width there is."""
    done = run("sql", "SELECT period, value FROM facts", "--plot", "--store", place / "facts.db")
    assert done.returncode == 0, done.stderr
    assert max(map(len, done.stdout.splitlines())) <= 80
