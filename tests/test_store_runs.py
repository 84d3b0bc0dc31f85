"""Runs: all or nothing, one chain, the same root for the same content."""

from __future__ import annotations

import os
import random
import sqlite3
import subprocess
import sys
import threading
from decimal import Decimal
from pathlib import Path

import pytest
from store_samples import NOON, add_document, ingest_one, lineage_of, write_reading

from factspine.core.errors import RecordRefused, StoreBusy, UsageError
from factspine.core.findings import Finding
from factspine.core.hashing import seal
from factspine.core.leaves import fact_leaves
from factspine.store.facts import FactFilter
from factspine.store.runs import GENESIS, seal_fields
from factspine.store.store import FactStore

SCALE = int(os.environ.get("FACTSPINE_TEST_SCALE", "1"))


@pytest.fixture
def store(tmp_path: Path) -> FactStore:
    store = FactStore(tmp_path / "facts.db")
    store.init_schema()
    return store


def row_counts(store: FactStore) -> dict[str, int]:
    connection = sqlite3.connect(str(store.path))
    names = [row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    counts = {name: connection.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in names}  # noqa: S608
    connection.close()
    return counts


def test_exact_decimals_survive(store: FactStore) -> None:
    """Values of up to 38 digits come back digit for digit."""
    numbers = random.Random(7)  # noqa: S311  any numbers will do
    values = ["0", "-0.1", "99999999999999.99", "9" * 38, "0." + "0" * 36 + "1", "-" + "1234567890" * 3 + ".12345678"]
    values += [f"{numbers.randint(-(10**19), 10**19)}.{numbers.randint(1, 10**18)}".rstrip("0") for _ in range(200)]
    ingest_one(store, "a.xlsx", values)
    facts = list(store.facts())
    assert [str(Decimal(value)) for value in values] == [str(fact.value) for fact in facts]
    assert values == [fact.value_text for fact in facts]


def test_an_interrupted_run_leaves_nothing(store: FactStore) -> None:
    """A run that ends in an error, or without a seal, never happened."""
    ingest_one(store, "a.xlsx", ["1"])
    before = row_counts(store)
    with pytest.raises(KeyboardInterrupt), store.begin_run() as run:  # noqa: PT012  the run must be open when it happens
        add_document(run, lineage_of("b.xlsx"), ["2"])
        raise KeyboardInterrupt
    with store.begin_run() as run:
        add_document(run, lineage_of("b.xlsx"), ["2"])
    assert row_counts(store) == before
    ingest_one(store, "b.xlsx", ["2"])
    assert len(list(store.facts())) == 2


def test_a_run_without_changes_is_not_written(store: FactStore) -> None:
    """Looking at an unchanged folder adds no run to the chain."""
    ingest_one(store, "a.xlsx", ["1"])
    before = row_counts(store)
    with store.begin_run() as run:
        assert run.seal() is None
    assert row_counts(store) == before


def test_a_document_that_fails_half_way_takes_only_itself_along(store: FactStore) -> None:
    """When a reader dies in the middle of one document, the others of the run are kept and it is reported."""
    broken = lineage_of("b.xlsx")
    with store.begin_run() as run:
        add_document(run, lineage_of("a.xlsx"), ["1", "2"])
        source = {"media_type": "xlsx", "size_bytes": 1}
        with pytest.raises(EOFError), run.reading(broken, **source) as reading:  # noqa: PT012  half-way is the point
            write_reading(reading, broken, ["3"])
            raise EOFError
        run.reject("b.xlsx", file_hash=broken.file_hash, findings=[Finding.of("FS204")])
        add_document(run, lineage_of("c.xlsx"), ["4"])
        assert run.seal() is not None
    assert [str(fact.value) for fact in store.facts()] == ["1", "2", "4"]
    assert [(record.doc_id, record.status) for record in store.documents()] == [
        ("a.xlsx", "ingested"),
        ("b.xlsx", "rejected"),
        ("c.xlsx", "ingested"),
    ]
    assert ("b.xlsx", "FS204") in [(doc_id, finding.code) for doc_id, finding in store.findings()]


def test_announced_facts_must_arrive(store: FactStore) -> None:
    """A reading whose facts stop half-way cannot be sealed."""
    from store_samples import sample_block, sample_labels, sample_table

    from factspine.core.packed import pack_interpretation, pack_table

    lineage, raw, block = lineage_of("a.xlsx"), sample_table(["1", "2"]), sample_block(["1", "2"])
    table = pack_table(raw)
    packed = pack_interpretation(lineage, table, labelled=sample_labels(raw), block=block, ledger=[], numeric_cells=2)
    with store.begin_run() as run:
        with (  # noqa: PT012  the last of these steps is the one that must fail
            pytest.raises(UsageError, match="missing"),
            run.reading(lineage, media_type="xlsx", size_bytes=1) as reading,
        ):
            number = reading.add_table(table)
            reading.add_interpretation(number, packed)
            reading.add_facts(number, 1, block.columns)
        assert run.seal() is None


@pytest.mark.parametrize("value", ["", "1e6", "1,234", "n.a.", "1\n2", "１２", "-", 12])
def test_a_value_that_is_no_decimal_is_refused(store: FactStore, value: object) -> None:
    """Nothing but an exact decimal becomes the value of a fact, and nothing of such a document is kept."""
    from dataclasses import replace

    from store_samples import sample_block, sample_labels, sample_table

    from factspine.core.packed import pack_interpretation, pack_table

    lineage, raw, block = lineage_of("a.xlsx"), sample_table(["1", "2"]), sample_block(["1", "2"])
    table = pack_table(raw)
    packed = pack_interpretation(lineage, table, labelled=sample_labels(raw), block=block, ledger=[], numeric_cells=2)
    wrong = replace(block, columns={**block.columns, "value": ["1", value]})
    with store.begin_run() as run:
        with (  # noqa: PT012  the last of these steps is the one that must fail
            pytest.raises(RecordRefused, match="no decimal"),
            run.reading(lineage, media_type="xlsx", size_bytes=1) as reading,
        ):
            number = reading.add_table(table)
            reading.add_interpretation(number, packed)
            reading.add_facts(number, 2, wrong.columns)
        assert run.seal() is None


def test_the_same_documents_give_the_same_root_in_any_order(tmp_path: Path) -> None:
    """Two stores filled with the same folder in different order, at different times, have the same root."""
    roots = set()
    names = ["b.xlsx", "a.xlsx", "zh/报告.xlsx", "c.xlsx"]
    for attempt in range(3):
        with FactStore(tmp_path / f"{attempt}.db") as store:
            store.init_schema()
            with store.begin_run() as run:
                for name in random.Random(attempt).sample(names, len(names)):  # noqa: S311  any order will do
                    add_document(run, lineage_of(name), ["1", str(len(name))])
                sealed = run.seal()
            assert sealed is not None
            roots.add(sealed.root)
    assert len(roots) == 1


@pytest.mark.parametrize("change", ["values", "content", "sensitivity", "mapping"])
def test_any_other_content_gives_another_root(tmp_path: Path, change: str) -> None:
    """A value, a file, a clearance or a vocabulary that differs is seen in the root."""
    roots = set()
    for changed in (False, True):
        lineage = lineage_of(
            "a.xlsx",
            "second" if changed and change == "content" else "first",
            mapping="other/1" if changed and change == "mapping" else "builtin/1",
            sensitivity="RESTRICTED" if changed and change == "sensitivity" else "PUBLIC",
        )
        with FactStore(tmp_path / f"{changed}.db") as store:
            store.init_schema()
            with store.begin_run(started_at=NOON) as run:
                add_document(run, lineage, ["1", "3" if changed and change == "values" else "2"])
                sealed = run.seal(finished_at=NOON)
            assert sealed is not None
            roots.add(sealed.root)
    assert len(roots) == 2


def test_a_separator_inside_a_text_cannot_forge_a_leaf() -> None:
    """Moving text from one field to the next gives another leaf, whatever characters the text holds."""
    from store_samples import sample_block

    leaves = []
    for entity, geography in (("a\x1fb", "c"), ("a", "b\x1fc"), ("a\x1fb\x1fc", ""), ("a", "b")):
        block = sample_block(["1"])
        block.columns["entity"], block.columns["geography"] = [entity], [geography]
        leaves += fact_leaves(lineage_of("a.xlsx"), "sheet=A,table=1", block)
    assert len(set(leaves)) == 4


def test_documents_change_withdraw_and_return(store: FactStore) -> None:
    """Old facts stay in the record with the runs that knew them; a file that returns to old bytes is not read again."""
    first = ingest_one(store, "a.xlsx", ["1", "2"])
    second = ingest_one(store, "a.xlsx", ["1", "3"], "second")
    assert [str(fact.value) for fact in store.facts()] == ["1", "3"]
    every = list(store.facts(all_revisions=True))
    assert [(str(f.value), f.known_from, f.known_to) for f in every] == [
        ("1", first.run_id, second.run_id),
        ("2", first.run_id, second.run_id),
        ("1", second.run_id, ""),
        ("3", second.run_id, ""),
    ]
    with store.begin_run() as run:
        run.withdraw("a.xlsx")
        run.seal()
    assert list(store.facts()) == []
    assert store.fact(every[0].fact_id) is not None
    with store.begin_run() as run:
        assert run.documents["a.xlsx"].status == "withdrawn"
        assert run.find_reading(lineage_of("a.xlsx")) is not None
        run.point_to(lineage_of("a.xlsx"))
        run.seal()
    assert [fact.fact_id for fact in store.facts()] == [fact.fact_id for fact in every[:2]]
    assert [record.status for record in store.document_history("a.xlsx")] == [
        "ingested",
        "updated",
        "withdrawn",
        "ingested",
    ]


def test_a_new_vocabulary_keeps_the_tables_it_stands_on(store: FactStore) -> None:
    """Another mapping adds facts, not another copy of the tables."""
    ingest_one(store, "a.xlsx", ["1"])
    before = row_counts(store)
    ingest_one(store, "a.xlsx", ["1"], mapping="other/1")
    after = row_counts(store)
    assert after["raw_table"] == before["raw_table"]
    assert after["passage"] == before["passage"]
    assert after["fact_metric"] == before["fact_metric"] + 1
    (fact,) = store.facts()
    assert fact.mapping_version == "other/1"


def check_chain(store: FactStore, length: int) -> None:
    runs = store.runs()
    assert len(runs) == length
    previous = GENESIS
    for run in runs:
        assert run.previous_seal == previous
        fields = seal_fields(run.started_at, run.finished_at, "0.1.0", run.event_count, run.fact_count)
        assert seal(previous, run.root, fields) == run.seal
        previous = run.seal


_WRITER = """
import sys
from store_samples import ingest_one
from factspine.store.store import FactStore
writer, path, appends = sys.argv[1], sys.argv[2], int(sys.argv[3])
with FactStore(path) as store:
    store.init_schema()
    for number in range(appends):
        ingest_one(store, f"{writer}/{number}.xlsx", [str(number), "2"])
"""


def test_eight_writers_never_fork_the_chain(tmp_path: Path) -> None:
    """Eight processes that make the store and append to it at once lose nothing and leave one chain."""
    path, appends = tmp_path / "facts.db", 10 * SCALE
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parent)}
    command = [sys.executable, "-c", _WRITER]
    writers = [
        subprocess.Popen([*command, str(number), str(path), str(appends)], env=environment) for number in range(8)
    ]
    assert [writer.wait(timeout=300) for writer in writers] == [0] * 8
    with FactStore(path) as store:
        check_chain(store, 8 * appends)
        assert sum(1 for _ in store.facts()) == 8 * appends * 2
        assert store.head_log_path is not None
        logged = [line.split("\t")[3] for line in store.head_log_path.read_text().splitlines()]
        assert sorted(logged) == sorted(run.seal.hex() for run in store.runs())


def test_a_reader_sees_all_of_a_run_or_none(store: FactStore) -> None:
    """Whoever reads while a run is written sees the state before it, then the state after it, never between."""
    done = threading.Event()

    def write() -> None:
        with FactStore(str(store.path)) as mine:
            for number in range(5):
                with mine.begin_run() as run:
                    for name in ("a.xlsx", "b.xlsx"):
                        add_document(run, lineage_of(name, str(number)), [str(number)] * 50)
                    run.seal()
        done.set()

    writer = threading.Thread(target=write)
    writer.start()
    seen = []
    while not done.is_set() or not seen:
        values = [int(fact.value) for fact in store.facts()]
        assert len(values) in (0, 100)
        assert len(set(values)) <= 1
        seen.append(values[0] if values else -1)
    writer.join()
    assert seen == sorted(seen)


def test_a_second_writer_is_told_to_wait(store: FactStore) -> None:
    """While a run is open, another writer waits as long as it was told to and then says the store is busy."""
    impatient = FactStore(str(store.path), busy_seconds=0.05)
    with store.begin_run() as run:
        with pytest.raises(StoreBusy), impatient.begin_run():
            pass
        add_document(run, lineage_of("a.xlsx"), ["1"])
        assert list(impatient.facts()) == []  # readers never wait
        run.seal()
    with impatient.begin_run() as run:
        run.withdraw("a.xlsx")
        run.seal()
    impatient.close()
    check_chain(store, 2)


def test_the_head_is_written_down_where_the_environment_says(
    store: FactStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The head log can live on another disk; when it cannot be written the run still stands and says so."""
    log = tmp_path / "elsewhere.log"
    monkeypatch.setenv("FACTSPINE_HEAD_LOG", str(log))
    assert ingest_one(store, "a.xlsx", ["1"]).head_logged
    assert store.store_version in log.read_text()
    monkeypatch.setenv("FACTSPINE_HEAD_LOG", str(tmp_path / "missing" / "log"))
    assert not ingest_one(store, "b.xlsx", ["1"]).head_logged
    assert len(store.runs()) == 2


def test_filters_find_what_they_say(store: FactStore) -> None:
    """Facts are found by document pattern, metric, label, entity, period, unit, status and text."""
    ingest_one(store, "a/x.xlsx", ["1", "2"])
    ingest_one(store, "b/[final].xlsx", ["3", "4"])

    def values(wanted: FactFilter) -> list[str]:
        return [str(fact.value) for fact in store.facts(wanted)]

    assert values(FactFilter(documents=["a/*"])) == ["1", "2"]
    assert values(FactFilter(metric="LINE_2")) == ["2", "4"]
    assert values(FactFilter(metric="ine 1")) == ["1", "3"]
    assert values(FactFilter(metric_codes=["line_1"])) == ["1", "3"]
    assert values(FactFilter(entity="acme_hk", period="2024", unit="HKD", status="actual", text="cell=B3")) == [
        "2",
        "4",
    ]
    assert values(FactFilter(status="act")) == []
    assert values(FactFilter(geography="CN")) == []
    assert store.tables("b/[final].xlsx")[0].facts == 2


def test_a_place_can_be_named_in_any_form(store: FactStore) -> None:
    """A fact is found by its full locator, by its cell alone, and by its labels alone."""
    ingest_one(store, "a.xlsx", ["1", "2"])
    for locator in ("sheet=P&L,cell=B3,row=Line 2,col=FY2024", "sheet=P&L!B3", "sheet=P&L,row=Line 2,col=FY2024"):
        fact = store.fact_at("a.xlsx", locator)
        assert fact is not None
        assert str(fact.value) == "2"
        assert fact.row_path == ("Line 2",)
        assert fact.col_path == ("FY2024",)
    assert store.fact_at("a.xlsx", "sheet=P&L!Z9") is None
    with pytest.raises(UsageError, match="names 2 facts"):
        store.fact_at("a.xlsx", "sheet=P&L,col=FY2024")
    table = store.table("a.xlsx", "sheet=P&L!B3")
    assert table is not None
    assert table == store.table("a.xlsx", "sheet=P&L,table=1")
    assert next(iter(store.facts())).formula == "=B3*2"


def test_a_document_the_record_refuses_does_not_end_the_run(tmp_path):
    """A row that breaks a rule takes its own document with it; the others of the run are kept."""
    from factspine.core.errors import RecordRefused
    from factspine.core.leaves import Lineage
    from factspine.core.tables import Passage
    from factspine.store.store import FactStore

    def lineage(name):
        return Lineage(doc_id=name, file_hash="ab" * 32, extractor_version="x/1", mapping_version="m")

    with FactStore(tmp_path / "facts.db") as store:
        store.init_schema()
        with store.begin_run() as run:
            with run.reading(lineage("good.xlsx"), media_type="a/b", size_bytes=1) as reading:
                reading.add_passages([Passage(locator="sheet=A,cell=A1", text="kept")])
            with (
                pytest.raises(RecordRefused),
                run.reading(lineage("bad.xlsx"), media_type="a/b", size_bytes=1) as reading,
            ):
                reading.add_passages([Passage(locator="", text="nowhere")])
            run.seal()
        assert [document.doc_id for document in store.documents()] == ["good.xlsx"]
