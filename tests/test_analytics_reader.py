"""The store and its analytic copy give the same answers; which of them answered never shows."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from factspine.analytics.copying import follow
from factspine.core.errors import StoreMissing, UsageError
from factspine.core.facts import BLOCK_COLUMNS
from factspine.core.leaves import LEAF_COLUMNS
from factspine.ingestion.pipeline import ingest
from factspine.store.facts import FactFilter
from factspine.store.schema import metadata
from factspine.store.store import FactStore
from tests.analytics_samples import FIRST_DAY, Said, ask, new_store, say

DOCUMENTS = Path(__file__).parents[1] / "data" / "documents"
FILTERS = [
    FactFilter(),
    FactFilter(metric="revenue"),
    FactFilter(metric="营收"),
    FactFilter(metric_codes=("REVENUE", "OPERATING_PROFIT")),
    FactFilter(entity="acme group", period="2024"),
    FactFilter(geography="hk"),
    FactFilter(channel="AGENCY"),
    FactFilter(unit="%"),
    FactFilter(status="restated"),
    FactFilter(text="total"),
    FactFilter(text="100%_'"),
    FactFilter(documents=("*.pptx",)),
    FactFilter(documents=("management/*", "none")),
    FactFilter(documents=("none",)),
]


def opened_copy(store: FactStore) -> FactStore:
    """The read side that holds all of the store."""
    return FactStore(f"duckdb:///{follow(store, viewer='RESTRICTED')}")


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[FactStore, FactStore]]:
    folder = tmp_path_factory.mktemp("both")
    with FactStore(folder / "facts.db") as store:
        store.init_schema()
        ingest(DOCUMENTS, store)
        say(store, {"a.xlsx": [Said(value="1"), Said(value="2.50", metric="B", evidence="self")]})
        say(store, {"a.xlsx": [Said(value="3")]}, day=1, content="second")
        with store.begin_run() as run:
            run.withdraw("a.xlsx")
            run.seal()
        with opened_copy(store) as copy:
            yield store, copy


@pytest.mark.parametrize("wanted", FILTERS, ids=str)
def test_facts_are_equal_whatever_is_asked(both: tuple[FactStore, FactStore], wanted: FactFilter) -> None:
    """Every field of every fact, in the same order, current ones and all there ever were."""
    store, copy = both
    assert list(copy.facts(wanted)) == list(store.facts(wanted))
    assert list(copy.facts(wanted, all_revisions=True)) == list(store.facts(wanted, all_revisions=True))


def test_documents_runs_and_coverage_are_equal(both: tuple[FactStore, FactStore]) -> None:
    """What the store accounts for, the copy accounts for alike."""
    store, copy = both
    assert copy.documents() == store.documents()
    assert copy.runs() == store.runs()
    assert copy.coverage() == store.coverage()
    assert copy.coverage(["*.pptx"]) == store.coverage(["*.pptx"])
    assert copy.store_version == store.store_version


def test_a_fact_is_found_by_its_id(both: tuple[FactStore, FactStore]) -> None:
    """Current or not, and nothing for an id nobody has."""
    store, copy = both
    for fact in list(store.facts(all_revisions=True))[::50]:
        assert copy.fact(fact.fact_id) == store.fact(fact.fact_id) == fact
    assert copy.fact("0" * 24 + ".1") is None
    with pytest.raises(UsageError):
        copy.fact("nonsense")


def test_the_past_is_equal(tmp_path: Path) -> None:
    """As of every moment, by day, time, run and revision."""
    store = new_store(tmp_path)
    say(store, {"a.xlsx": [Said(value="1")], "b.xlsx": [Said(value="4")]})
    say(store, {"a.xlsx": [Said(value="2")]}, day=3, content="second")
    say(store, {"c.xlsx": [Said(value="3")]}, day=5)
    moments: list[object] = [(FIRST_DAY + timedelta(days=day)).date() for day in range(-1, 8)]
    moments += [FIRST_DAY + timedelta(days=3, seconds=second) for second in (-1, 0, 1)]
    moments += [run.run_id for run in store.runs()] + ["2025-02", "2025"]
    moments += [record.file_hash for record in store.document_history("a.xlsx")]
    with opened_copy(store) as copy:
        for moment in moments:
            assert list(copy.facts(as_of=moment)) == list(store.facts(as_of=moment)), moment  # type: ignore[arg-type]


def test_a_store_can_be_opened_by_the_address_of_its_copy(tmp_path: Path) -> None:
    """`duckdb:///path` reads as the store itself does."""
    store = new_store(tmp_path)
    say(store, {"a.xlsx": [Said(value="1")]})
    with FactStore(f"duckdb:///{follow(store)}") as copy:
        assert list(copy.facts()) == list(store.facts())


def test_a_copy_that_is_not_there_is_missed(tmp_path: Path) -> None:
    """The read side never makes anything."""
    with FactStore(f"duckdb:///{tmp_path / 'none.duckdb'}") as copy, pytest.raises(StoreMissing):
        list(copy.facts())
    assert list(tmp_path.iterdir()) == []


def test_the_copy_has_every_table_and_column_that_reading_needs(
    both: tuple[FactStore, FactStore], tmp_path: Path
) -> None:
    """A column added to the record is missed here, not in an answer; only digests for the check are left out."""
    _, copy = both
    assert copy.path is not None
    # One process opens a DuckDB file in one way only, and the store has it open already.
    twin = Path(shutil.copy(copy.path, tmp_path / "twin.duckdb"))
    found = {
        (table, column)
        for table, column in ask(
            twin, "SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = 'stored'"
        )
    }
    left_out = {
        ("revision", "first_run_no"),
        ("extraction", "run_no"),
        *(("reading_seal", f"{name}_root") for name in ("tables", "passages", "facts", "findings")),
        ("reading_seal", "finding_count"),
        *((name, "leaf") for name in ("raw_table", "passage", "interpretation")),
        *(("interpretation", name) for name in ("facts_root", "fact_leaves")),
        ("alembic_version", "version_num"),
    }
    recorded = {(table.name, column.name) for table in metadata.tables.values() for column in table.columns}
    assert recorded ^ found == left_out


def test_what_is_sealed_of_a_fact_is_what_is_stored_of_it() -> None:
    """The columns a fact is written with, those its leaf covers and those of its table are one list."""
    columns = {column.name for column in metadata.tables["fact_metric"].columns}
    numbers = {"fact_no", "reading_no", "table_no", "context_no"}  # places in the store; their content is sealed
    assert set(BLOCK_COLUMNS) == columns - {"fact_no", "reading_no", "table_no", "source_doc_id"}
    assert set(LEAF_COLUMNS) == columns - numbers - {"source_doc_id"}
