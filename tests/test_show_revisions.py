"""`factspine show`: a fact is shown in the revision it was read from, and what became of it is told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.commandline import run
from tests.xlsx_samples import draw

FIRST = """
           | FY2023   | FY2024
Revenue    | 71,200   | 85,230.5
Net profit | 6,100    | 7,400
"""
CORRECTED = FIRST.replace("85,230.5", "85,231.9")
MOVED = """
           | FY2023   | FY2024
Fee income | 3,300    | 3,500
Revenue    | 71,200   | 85,230.5
Net profit | 6,100    | 7,400
"""
WITHOUT = """
           | FY2023   | FY2024
Net profit | 6,100    | 7,400
"""
BOOK = "accounts.xlsx"


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder with a store of one workbook, whose Revenue of FY2024 is 85,230.5."""
    (tmp_path / "docs").mkdir()
    ingest(tmp_path, FIRST)
    return tmp_path


def ingest(place: Path, picture: str | None) -> None:
    """Take the workbook in as it is drawn; or gone, when it is not."""
    if picture is None:
        (place / "docs" / BOOK).unlink()
    else:
        draw(place / "docs" / BOOK, picture)
    done = run("ingest", place / "docs", "--store", place / "facts.db")
    assert (done.returncode, done.stderr) == (0, "")


def revenue(place: Path) -> str:
    """The id of the fact that the current revision has for Revenue of FY2024."""
    found = run("facts", "--store", place / "facts.db", "--text", "row=Revenue,col=FY2024", "--json").stdout
    return str(json.loads(found)["fact_id"])


def test_a_superseded_fact_is_shown_in_its_own_table(place: Path) -> None:
    """The table drawn is that of the fact's revision, and what holds now is said with its place and id."""
    before = revenue(place)
    ingest(place, CORRECTED)
    shown = run("show", before, "--store", place / "facts.db")
    assert (shown.returncode, shown.stderr) == (0, "")
    assert "▸85,230.5" in shown.stdout
    assert "✓ reads the same" in shown.stdout
    (line,) = (line for line in shown.stdout.replace("\n", " ").split("superseded")[1:])
    assert "85,231.9" in line
    assert revenue(place) in line
    current = run("show", revenue(place), "--store", place / "facts.db").stdout
    assert "▸85,231.9" in current
    assert "superseded" not in current


@pytest.mark.parametrize(
    ("later", "says"),
    [(MOVED, "cell=C3"), (WITHOUT, "no such fact in it now"), (None, "withdrawn")],
    ids=["moved", "vanished", "withdrawn"],
)
def test_what_is_no_longer_there_can_still_be_opened(place: Path, later: str | None, says: str) -> None:
    """Whether its row moved, vanished, or its document was withdrawn: a fact is opened, and told as such."""
    before = revenue(place)
    ingest(place, later)
    shown = run("show", before, "--store", place / "facts.db")
    assert (shown.returncode, shown.stderr) == (0, "")
    assert "▸85,230.5" in shown.stdout
    assert says in " ".join(shown.stdout.split())


def test_the_state_of_a_fact_is_in_its_json(place: Path) -> None:
    """`show --json` names the state, and the fact that holds now."""
    before = revenue(place)
    ingest(place, CORRECTED)
    shown = json.loads(run("show", before, "--store", place / "facts.db", "--json").stdout)
    assert (shown["state"], shown["reread_text"], shown["now"]["fact_id"]) == ("superseded", "85,230.5", revenue(place))
    ingest(place, None)
    gone = json.loads(run("show", before, "--store", place / "facts.db", "--json").stdout)
    assert (gone["state"], gone["now"]) == ("withdrawn", None)


def test_a_place_can_be_shown_as_it_was_known(place: Path) -> None:
    """`show --as-of` takes the revision that was current then; with a fact id it has nothing to say."""
    store, cell = place / "facts.db", "sheet=S!C2"
    first = json.loads(run("db", "runs", "--store", store, "--json").stdout)["runs"][0]["run_id"]
    before = revenue(place)
    ingest(place, CORRECTED)
    assert "▸85,230.5" in run("show", BOOK, cell, "--as-of", first, "--store", store).stdout
    assert "▸85,231.9" in run("show", BOOK, cell, "--store", store).stdout
    refused = run("show", before, "--as-of", first, "--store", store)
    assert refused.returncode == 2
    assert "--as-of goes with a document" in refused.stderr
