"""Files and folders that cannot be written or read: one line that names the place and what to do, never a traceback."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.commandline import DOCUMENTS, clean_environment, run

QUESTION = "中国内地FY2024的REVENUE是多少"


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder of documents, and a file where a folder would have to be."""
    (tmp_path / "docs").mkdir()
    shutil.copy(DOCUMENTS / "ACME_FY2024_Review.pptx", tmp_path / "docs")
    (tmp_path / "file").write_text("in the way")
    return tmp_path


def assert_refused(*arguments: str | Path, names: str | Path) -> None:
    """The command ends with 2 and one line that names the place and says what next."""
    done = run(*arguments)
    assert done.returncode == 2, done
    assert done.stderr.startswith("factspine: ")
    assert done.stderr.count("\n") == 1, done.stderr
    assert str(names) in done.stderr
    assert done.stderr.rstrip().endswith(".")


@pytest.mark.parametrize("parent", ["/proc", "/proc/nowhere", "{place}/file"])
@pytest.mark.parametrize("command", ["ingest", "init"])
def test_a_store_where_none_can_be_made(place: Path, command: str, parent: str) -> None:
    """Making a store where nothing can be written says so."""
    parent = parent.format(place=place)
    given = (place / "docs",) if command == "ingest" else ()
    assert_refused(command, *given, "--store", f"{parent}/facts.db", names=parent)


def test_places_of_results_that_cannot_be_written(place: Path) -> None:
    """Parquet, bundles, pictures, saved answers and the analytic copy: each names what is in the way."""
    store = place / "facts.db"
    assert run("ingest", place / "docs", "--store", store).returncode == 0
    for folder in (Path("/proc/nowhere"), place / "file" / "out"):
        assert_refused("export", "--parquet", folder, "--store", store, names=folder)
        assert_refused("export", "--tez", folder, "--question", QUESTION, "--store", store, names=folder)
    (place / "facts.db.answers.jsonl").mkdir()
    assert_refused("ask", QUESTION, "--save", "--store", store, names="facts.db.answers.jsonl")
    (place / "facts.db.duckdb").unlink(missing_ok=True)
    (place / "facts.db.duckdb").mkdir()
    assert_refused("sql", "SELECT 1 FROM facts", "--store", store, names="facts.db.duckdb")


def test_an_archive_that_cannot_be_written(place: Path) -> None:
    """Where the archive beside the store cannot be written, nothing is recorded and the line names it."""
    store = place / "facts.db"
    assert run("init", "--store", store).returncode == 0
    (place / "facts.db.vault").write_text("in the way")
    assert_refused("ingest", place / "docs", "--store", store, names="facts.db.vault")
    assert run("facts", "--store", store, "--json").stdout == ""


def test_a_log_of_heads_that_cannot_be_written(place: Path) -> None:
    """The run stands, and whoever counts on the log is told that its head is not in it."""
    store = place / "facts.db"
    done = run("ingest", place / "docs", "--store", store, env=clean_environment(FACTSPINE_HEAD_LOG="/proc/heads"))
    assert done.returncode == 0
    assert "run " in done.stdout
    assert "/proc/heads" in done.stderr
    assert done.stderr.count("\n") == 1
