"""The completeness ledger as an auditor asks it: each number that is no fact, where it stands, and why."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import get_args

import pytest

from factspine.analytics.copying import follow
from factspine.core.facts import Disposition, LeftOut
from factspine.core.locators import parse
from factspine.core.reasons import REASONS
from factspine.ingestion.pipeline import ingest
from factspine.interpret.columns import ColumnUse
from factspine.lexicon import nonnumbers
from factspine.store.store import FactStore
from tests.analytics_samples import ask
from tests.commandline import DOCUMENTS, run
from tests.hostile import containers


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of the demo documents."""
    path = tmp_path_factory.mktemp("ledger") / "facts.db"
    with FactStore(path) as store:
        store.init_schema()
        ingest(DOCUMENTS, store)
    return path


def told(path: Path, *arguments: str) -> list[dict[str, str]]:
    """What the command lists, as JSON."""
    done = run("ledger", "--store", path, "--json", *arguments)
    assert (done.returncode, done.stderr) == (0, "")
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_every_number_is_a_fact_or_listed_with_its_reason(demo: Path) -> None:
    """Of each document, facts and the listed numbers together are all the numbers of its tables, none twice."""
    with FactStore(demo) as store:
        listed: dict[str, list[LeftOut]] = {}
        for one in store.left_out():
            listed.setdefault(one.source_doc_id, []).append(one)
        facts = {(one.source_doc_id, str(parse(one.source_locator).without("row", "col"))) for one in store.facts()}
        coverage = store.coverage()
        assert len(coverage) == 15
        for document in coverage:
            cells = listed.get(document.doc_id, [])
            numbers = [one for one in cells if one.disposition != "null"]
            assert document.facts + len(numbers) == document.numeric_cells
            places = [one.source_locator for one in cells]
            assert len(set(places)) == len(places)
            assert not facts.intersection((document.doc_id, place) for place in places)


def test_what_is_listed_stands_where_it_says(demo: Path) -> None:
    """The text of each is the text of the cell at its locator, on a slide, on a sheet, in a chart."""
    with FactStore(demo) as store:
        by_place = {(one.source_doc_id, one.source_locator): one.value_text for one in store.left_out()}
    deck, book = "Harbour_Light_FY2024_Annual_Results.pptx", "management/Harbour_Light_Management_Accounts_FY2024.xlsx"
    assert by_place[deck, "slide=2,table=1,cell=R5C4"] == "n.m."
    assert by_place[deck, "slide=7,chart=1,cat=2024-03"] == "2024-03"
    assert by_place[book, "sheet=KPIs,cell=E21"] == "#DIV/0!"
    assert by_place[book, "sheet=Balance sheet,cell=B3"] == "31 Dec 2024"
    for _, place in by_place:
        assert str(parse(place)) == place


def test_sql_and_the_command_list_the_same(demo: Path) -> None:
    """The view of the analytic copy, a store opened from that copy, and the command: cell for cell."""
    with FactStore(demo) as store:
        ours = sorted(store.left_out())
        copy = follow(store)
    rows = ask(copy, "SELECT * EXCLUDE (table_title, row_no, col_no) FROM ledger")
    assert sorted(LeftOut(*row) for row in rows) == ours
    with FactStore(f"duckdb:///{copy}") as opened:
        assert sorted(opened.left_out()) == ours
    lines = told(demo)
    assert sorted(LeftOut(*(line[name] for name in LeftOut._fields)) for line in lines) == ours
    assert all(line["why"] for line in lines)
    wanted = [one for one in ours if one.reason == "dash" and one.source_doc_id.endswith(".pdf")]
    assert len(told(demo, "--doc", "*.pdf", "--reason", "dash", "--disposition", "null")) == len(wanted) > 0
    assert len(told(demo, "--limit", "3")) == 3


def test_a_person_sees_the_sums_and_what_could_be_asked(demo: Path) -> None:
    """Below the first cells stands how many there are of each kind; an unknown reason is refused with those known."""
    done = run("ledger", "--store", demo, "--limit", "2")
    with FactStore(demo) as store:
        kinds = Counter(one.disposition for one in store.left_out())
    assert f"… and {kinds.total() - 2:,} more" in done.stdout
    assert f"{kinds['excluded']:,} no measures: " in done.stdout
    refused = run("ledger", "--store", demo, "--reason", "because")
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "no_labels" in refused.stderr
    assert "No document matches" in run("ledger", "--store", demo, "--doc", "no such*").stdout


def test_the_ledger_of_then_is_that_of_then(tmp_path: Path) -> None:
    """A revision without a dash has none in the list now, and still has it as of before; the copy follows."""
    folder = tmp_path / "documents"
    folder.mkdir()
    rows = containers.ROWS.replace(">120<", ">—<")
    (folder / "a.xlsx").write_bytes(containers.workbook(containers.sheet(rows)))
    with FactStore(tmp_path / "facts.db") as store:
        store.init_schema()
        first = ingest(folder, store).run_id
        follow(store)
        before = list(store.left_out())
        (folder / "a.xlsx").write_bytes(containers.workbook(containers.sheet()))
        ingest(folder, store)
        now = list(store.left_out())
        assert [one.reason for one in before if one not in now and one.disposition == "null"] == ["dash"]
        assert not any(one.reason == "dash" for one in now)
        assert [one._replace(file_hash="") for one in store.left_out(as_of=first)] == [
            one._replace(file_hash="") for one in before
        ]
        assert ask(follow(store), "SELECT count(*) FROM ledger WHERE reason = 'dash'") == [(0,)]


def test_every_reason_has_its_meaning() -> None:
    """Whatever the readers give as a reason is said in words, and can be asked for."""
    kinds = {kind for kind, _ in nonnumbers._KINDS} | set(get_args(ColumnUse)) - {"measure"}
    assert kinds | {"year_header", "heading", "in_note", "row_number"} == set(REASONS["excluded"])
    assert set(nonnumbers._REASONS) | {"boolean", "no_value", "dash"} == set(REASONS["null"])
    assert set(REASONS) == set(get_args(Disposition))


def test_no_number_of_the_demo_is_without_a_meaning(demo: Path) -> None:
    """Each is a fact or left out for a reason that is its own: nothing there is beyond the program."""
    assert not [one for one in told(demo) if one["disposition"] == "unmapped"]
