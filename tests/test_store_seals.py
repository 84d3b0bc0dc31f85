"""Everything a seal stands for can be computed again from what is stored; a killed writer leaves a whole chain."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

from store_samples import add_document, ingest_one, lineage_of

from factspine.core.facts import BLOCK_COLUMNS, FactBlock, FactContext
from factspine.core.hashing import merkle_root
from factspine.core.leaves import event_leaf, fact_leaves, interpretation_leaf, reading_root
from factspine.core.tablecodec import table_digest
from factspine.store.store import FactStore

SCALE = int(os.environ.get("FACTSPINE_TEST_SCALE", "1"))


def test_every_digest_can_be_computed_again_from_what_is_stored(tmp_path: Path) -> None:
    """From the rows of the store alone: the leaf of each fact, and every root up to the run's."""
    store = FactStore(tmp_path / "facts.db")
    store.init_schema()
    lineage = lineage_of("a.xlsx", sensitivity="RESTRICTED")
    with store.begin_run() as run:
        add_document(run, lineage, ["1", "-2.5", "3"])
        sealed = run.seal()
    connection = sqlite3.connect(str(store.path))
    connection.row_factory = sqlite3.Row
    (table,) = connection.execute("SELECT * FROM raw_table").fetchall()
    (context,) = connection.execute("SELECT * FROM fact_context").fetchall()
    rows = connection.execute("SELECT * FROM fact_metric ORDER BY fact_no").fetchall()
    columns = {name: [row[name] for row in rows] for name in BLOCK_COLUMNS}
    columns["context_no"] = [0] * len(rows)
    shared = {name: context[name] for name in ("scale", "unit_evidence", "period_start", "period_end", "status")}
    block = FactBlock(count=len(rows), columns=columns, contexts=(FactContext(**shared),))
    leaves = fact_leaves(lineage, table["locator"], block)

    (meaning,) = connection.execute("SELECT * FROM interpretation").fetchall()
    assert meaning["fact_leaves"] == b"".join(leaves)
    headers = connection.execute(
        "SELECT axis, position, cross_first, cross_last, path FROM header ORDER BY axis, position, cross_first"
    ).fetchall()
    ledger = connection.execute(
        "SELECT disposition, reason, cell_count, cells FROM ledger ORDER BY ledger_no"
    ).fetchall()
    assert table["leaf"] == table_digest(table["body"])
    assert meaning["facts_root"] == merkle_root(leaves)
    counts = tuple(meaning[name] for name in ("fact_count", "numeric_cells", "header_rows", "header_cols"))
    leaf = interpretation_leaf(table["locator"], table["leaf"], merkle_root(leaves), counts, headers, ledger)
    assert leaf == meaning["leaf"]

    (reading,) = connection.execute("SELECT * FROM reading_seal").fetchall()
    roots = [reading[name] for name in ("tables_root", "passages_root", "facts_root", "findings_root")]
    totals = [
        reading[name] for name in ("fact_count", "table_count", "passage_count", "finding_count", "numeric_cells")
    ]
    connection.close()
    assert roots[0] == merkle_root([table["leaf"]])
    assert roots[2] == merkle_root([leaf])
    assert reading["root"] == reading_root(lineage, roots, totals)
    assert sealed is not None
    assert sealed.root == merkle_root([event_leaf(lineage, "ingested", reading["root"])])


_ENDLESS = """
import itertools, sys
from store_samples import ingest_one
from factspine.store.store import FactStore
store = FactStore(sys.argv[1])
store.init_schema()
for number in itertools.count(len(store.runs())):
    sealed = ingest_one(store, f"{number}.xlsx", [str(n) for n in range(200)])
    print(sealed.seal.hex(), flush=True)
"""


def test_an_acknowledged_run_survives_a_kill(tmp_path: Path) -> None:
    """Killed at any moment, the store holds every run that was acknowledged, whole, and goes on from there."""
    path = tmp_path / "facts.db"
    acknowledged: list[str] = []
    for attempt in range(4 * SCALE):
        writer = subprocess.Popen(
            [sys.executable, "-c", _ENDLESS, str(path)],
            env={**os.environ, "PYTHONPATH": str(Path(__file__).parent)},
            stdout=subprocess.PIPE,
            text=True,
        )
        assert writer.stdout is not None
        acknowledged.append(writer.stdout.readline().strip())
        time.sleep(0.013 * (attempt % 9))
        writer.send_signal(signal.SIGKILL)
        acknowledged += [line.strip() for line in writer.communicate()[0].splitlines() if len(line) == 65]
        with FactStore(path) as store:
            runs = store.runs()
            assert set(acknowledged) <= {run.seal.hex() for run in runs}
            assert sum(1 for _ in store.facts()) == 200 * len(runs)
            assert [run.previous_seal for run in runs[1:]] == [run.seal for run in runs[:-1]]
    with FactStore(path) as store:
        ingest_one(store, "after.xlsx", ["1"])
        assert store.head() == store.runs()[-1]
