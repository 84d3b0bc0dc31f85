"""What the commands say of folders without documents, refused files, changed numbers and filters that fit nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.commandline import DOCUMENTS, run
from tests.xlsx_samples import draw

PICTURE = """
        | FY2023 | FY2024
Revenue | 1100   | 1250
"""


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of the demo documents; tests only read it."""
    path = tmp_path_factory.mktemp("words") / "facts.db"
    assert run("ingest", DOCUMENTS, "--store", path).returncode == 0
    return path


@pytest.mark.parametrize(("names", "says"), [((), "it is empty"), (("a.csv", "b.docx"), "2 files are of other kinds")])
def test_a_folder_without_documents_is_said_to_have_none(tmp_path: Path, names: tuple[str, ...], says: str) -> None:
    """No shares of nothing: the kinds that are read are named."""
    (tmp_path / "docs").mkdir()
    for name in names:
        (tmp_path / "docs" / name).write_text("a,b\n1,2\n")
    done = run("ingest", tmp_path / "docs", "--store", tmp_path / "facts.db")
    assert (done.returncode, done.stderr) == (0, "")
    assert "no xlsx, pptx or pdf" in done.stdout
    assert says in done.stdout
    assert "0 documents" not in done.stdout


def test_a_refused_file_is_told_with_its_remedy(tmp_path: Path) -> None:
    """A workbook of the old kind is not read; its line says what to save it as."""
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "old.xls").write_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(1528))
    done = run("ingest", tmp_path / "docs", "--store", tmp_path / "facts.db")
    (line,) = (line for line in done.stdout.splitlines() if line.startswith("FS108"))
    assert "old.xls" in line
    assert "Save it as" in line


def test_an_edited_number_is_changed_and_not_restated(tmp_path: Path) -> None:
    """Restated is a word for documents that say so of themselves."""
    store = tmp_path / "facts.db"
    (tmp_path / "docs").mkdir()
    for picture in (PICTURE, PICTURE.replace("1250", "1255")):
        draw(tmp_path / "docs" / "book.xlsx", picture)
        assert run("ingest", tmp_path / "docs", "--store", store).returncode == 0
    for subject in (("Revenue",), ("book.xlsx", "sheet=S!C2")):
        told = run("history", *subject, "--store", store).stdout
        assert " changed" in told
        assert "restated" not in told


@pytest.mark.parametrize("written", ["2024Q3", "Q3 FY2024", "FY24Q3", "2024年第三季度"])
def test_a_period_may_be_written_in_any_form_that_reads_as_one(store: Path, written: str) -> None:
    """The filter stands for the canonical period, however it is written."""
    canonical = run("facts", "--period", "2024Q3", "--store", store, "--json").stdout
    assert canonical
    assert run("facts", "--period", written, "--store", store, "--json").stdout == canonical


@pytest.mark.parametrize("command", [("facts",), ("history", "REVENUE"), ("search", "revenue")], ids=lambda one: one[0])
@pytest.mark.parametrize("written", ["FY24Q9", "2024-13", "soon"])
def test_what_is_no_period_is_refused_with_the_forms(store: Path, command: tuple[str, ...], written: str) -> None:
    """Half of what was written is never taken for all of it."""
    done = run(*command, "--period", written, "--store", store)
    assert (done.returncode, done.stdout) == (2, "")
    assert written in done.stderr
    assert "2024Q3" in done.stderr


def test_a_status_nobody_has_is_told_with_those_there_are(store: Path) -> None:
    """`--status bogus` names the statuses of the store."""
    done = run("facts", "--status", "bogus", "--store", store)
    assert done.returncode == 0
    assert "'bogus'" in done.stdout
    assert "actual" in done.stdout
    assert "budget" in done.stdout


def test_a_limit_below_nothing_is_refused(store: Path) -> None:
    """It is no way to ask for all."""
    done = run("facts", "--limit", "-3", "--store", store)
    assert (done.returncode, done.stdout) == (2, "")
    assert "--limit" in done.stderr
