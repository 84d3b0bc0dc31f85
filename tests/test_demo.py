"""`make demo` on a fresh clone does the main job and says what to try next."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.commandline import DOCUMENTS, ROOT, clean_environment, run


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The part of a clone the demo works on, without a store."""
    folder = tmp_path_factory.mktemp("clone")
    shutil.copytree(ROOT / "data", folder / "data", ignore=shutil.ignore_patterns("*.db*", "__pycache__"))
    return folder


def _demo(clone: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(clone / "data" / "demo.py")]
    # A store the user works with is named, and must not be touched.
    environment = clean_environment(FACTSPINE_STORE=str(clone / "mine.db"))
    return subprocess.run(command, env=environment, capture_output=True, encoding="utf-8", timeout=120, check=False)


def test_the_demo_shows_facts_cells_and_revisions(clone: Path) -> None:
    """It reads the folder, lists facts with their cells, shows two cells, and what a second and a new reading do."""
    done = _demo(clone)
    assert (done.returncode, done.stderr) == (0, "")
    for shown in (
        "$ factspine ingest data/documents",
        "HKD thousand",
        "(123.4)",
        "hidden",
        "▸1234567.89",
        "▸(123.4)",
        "✓ reads the same",
        "page written: data/evidence.html",
        "1,320 US$ million(来源:ACME_FY2024_Review.pptx · slide=2,table=1,cell=R2C3,row=REVENUE,col=FY2024)",
        "two new plants opened",
        "changes what is asked, and nothing found accounts for it",
        "Nothing changed; no run was written.",
        "1 updated, 14 unchanged",
        "No facts match.",
        "Wan Chai",
        "Try next",
    ):
        assert shown in done.stdout, shown
    assert done.stdout.count("No facts match") == 1, "every situation but the retired row has a fact to show"
    assert (clone / "data" / "fact_metric.db").is_file()
    assert "data:image/png" in (clone / "data" / "evidence.html").read_text(encoding="utf-8")
    assert not (clone / "mine.db").exists()


def test_the_demo_leaves_another_store_alone(clone: Path) -> None:
    """A store at its place that holds other documents is not removed; the demo says so and ends with 1."""
    other = clone / "other"
    other.mkdir()
    shutil.copy(DOCUMENTS / "hong_kong" / "Branch_KPIs.xlsx", other / "my own.xlsx")
    store = clone / "data" / "fact_metric.db"
    assert run("ingest", other, "--store", store).returncode == 0
    done = _demo(clone)
    assert done.returncode == 1
    assert "Move it elsewhere" in done.stderr
    assert "my own.xlsx" in run("facts", "--store", store, "--doc", "my own.xlsx", "--json").stdout
