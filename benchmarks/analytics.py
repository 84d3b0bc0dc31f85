"""The analytic copy: how long it takes to make, to open and to ask, each beside the least it could take.

    python -m benchmarks.analytics --facts 1000000

A store is made of facts as reports have them: one in ten speaks of what another document speaks of. Copying is
measured beside reading the same rows, with what they refer to, out of SQLite into Arrow; questions beside the same
questions to a bare DuckDB table of the same columns. On a busy machine look at processor time.
"""

from __future__ import annotations

import argparse
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from hashlib import sha256
from pathlib import Path

import duckdb

from benchmarks.figures import Figure, report
from factspine import FactStore
from factspine.analytics.copying import copy_path, follow
from factspine.analytics.session import QueryLimits, Session
from factspine.core.facts import FactBlock, FactContext
from factspine.core.labelled import LabelledTable
from factspine.core.leaves import Lineage
from factspine.core.packed import pack_interpretation, pack_table
from factspine.core.tables import RawCell, RawTable

_FACTS_A_DOCUMENT = 20_000
_RUNS = 10
_YEARS = range(2000, 2025)
# The rows of the record as the copy has them: every column, and what facts refer to beside them.
_READ = """
import sys, time, duckdb, adbc_driver_manager, adbc_driver_sqlite
query = '''
SELECT f.fact_no, f.metric_code, f.entity, f.geography, f.channel, f.period_type, f.period, f.value, f.unit,
       f.source_doc_id, f.source_locator, f.metric_label, f.value_text, f.decimals, f.reading_no, f.table_no, f.row_no,
       f.col_no, f.context_no, c.scale, c.unit_evidence, c.period_start, c.period_end, c.status
FROM fact_metric f JOIN fact_context c ON c.context_no = f.context_no ORDER BY f.fact_no'''
database = adbc_driver_sqlite.connect(sys.argv[1])
statement = adbc_driver_manager.AdbcStatement(adbc_driver_manager.AdbcConnection(database))
statement.set_options(**{"adbc.sqlite.query.batch_rows": "16384"})
statement.set_sql_query(query)
stream, _ = statement.execute_query()
print(duckdb.connect().execute("SELECT count(*) FROM stream").fetchall()[0][0])
"""
_COLUMNS = "SELECT * FROM facts"
_QUESTIONS = {
    "sum by unit": "SELECT unit, sum(amount) FROM {} GROUP BY unit",
    "count by metric and year": "SELECT metric_code, period, count(*) FROM {} GROUP BY ALL",
    "average by entity": "SELECT entity, avg(value) FROM {} WHERE period_type = 'FY' GROUP BY entity",
    "top documents": "SELECT source_doc_id, count(*) AS n FROM {} GROUP BY ALL ORDER BY n DESC LIMIT 10",
    "one metric over time": "SELECT period, sum(amount) FROM {} WHERE metric_code = 'metric_7' GROUP BY period",
}


def make_store(path: Path, facts: int) -> None:
    """Documents of one long table each, in several runs."""
    documents = max(facts // _FACTS_A_DOCUMENT, 1)
    rng = random.Random(20240331)
    with FactStore(path) as store:
        store.init_schema()
        for start in range(0, documents, max(documents // _RUNS, 1)):
            with store.begin_run() as run:
                for number in range(start, min(start + max(documents // _RUNS, 1), documents)):
                    _add_document(run, number, min(facts, _FACTS_A_DOCUMENT), rng)
                run.seal()


def _add_document(run, number: int, count: int, rng: random.Random) -> None:  # type: ignore[no-untyped-def]
    doc_id = f"group {number % 7}/Report_{number:05d}.xlsx"
    lineage = Lineage(
        doc_id=doc_id,
        file_hash=sha256(doc_id.encode()).hexdigest(),
        extractor_version="xlsx/1",
        mapping_version="builtin/1",
    )
    raw = RawTable(
        locator="sheet=P&L,table=1",
        n_rows=2,
        n_cols=2,
        cells=[RawCell(2, 2, "1", "n", "1")],
        formulas={},
        addressing="a1",
    )
    table, block = pack_table(raw), _block(number, count, rng)
    labelled = LabelledTable(raw=raw, roles=(), header_rows=1, header_cols=1, blocks=())
    packed = pack_interpretation(lineage, table, labelled=labelled, block=block, ledger=[], numeric_cells=count)
    with run.reading(lineage, media_type="xlsx", size_bytes=1000) as reading:
        table_no = reading.add_table(table)
        reading.add_interpretation(table_no, packed)
        reading.add_facts(table_no, block.count, block.columns)


def _block(number: int, count: int, rng: random.Random) -> FactBlock:
    metrics = [row // len(_YEARS) for row in range(count)]
    years = [_YEARS[row % len(_YEARS)] for row in range(count)]
    # Nine in ten facts are about a company of the document's own, one in ten about one that several report on.
    entities = [f"ENT_{number % 5}" if metric % 10 == 0 else f"COMPANY_{number}" for metric in metrics]
    values = [f"{rng.randrange(1, 10**7)}.{rng.randrange(1, 10)}" for _ in range(count)]
    labels = [f"Metric label number {metric} 指标" for metric in metrics]
    columns = {
        "metric_code": [f"metric_{metric}" for metric in metrics],
        "entity": entities,
        "geography": ["HK" if metric % 2 else "CN" for metric in metrics],
        "channel": [""] * count,
        "period_type": ["FY"] * count,
        "period": [str(year) for year in years],
        "value": values,
        "unit": ["HKD" if metric % 3 else "%" for metric in metrics],
        "source_locator": [f"sheet=P&L,cell=C{row + 2},row={labels[row]},col=FY{years[row]}" for row in range(count)],
        "metric_label": labels,
        "value_text": values,
        "decimals": [1] * count,
        "row_no": list(range(2, count + 2)),
        "col_no": [2] * count,
        "context_no": [year - _YEARS[0] for year in years],
    }
    contexts = tuple(
        FactContext(
            scale=6, unit_evidence="sheet=P&L,cell=A1", period_start=f"{year}-01-01", period_end=f"{year}-12-31"
        )
        for year in _YEARS
    )
    return FactBlock(count=count, columns=columns, contexts=contexts)


def timed(
    command: Sequence[str], before: Callable[[], object] = lambda: None, rounds: int = 3
) -> tuple[float, float, float]:
    """The least wall and processor seconds of a child among some rounds, and the most memory any child took, in MiB."""
    walls, processors = [], []
    for _ in range(rounds):
        before()
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        start = time.perf_counter()
        subprocess.run([sys.executable, *command], check=True, stdout=subprocess.DEVNULL)
        walls.append(time.perf_counter() - start)
        now = resource.getrusage(resource.RUSAGE_CHILDREN)
        processors.append(now.ru_utime + now.ru_stime - used.ru_utime - used.ru_stime)
    return min(walls), min(processors), now.ru_maxrss / 1024


def copying(path: Path, rounds: int) -> list[Figure]:
    """Making the copy beside reading the rows; both in a fresh process each time, and both with its start."""
    read_wall, read_cpu, _ = timed(["-c", _READ, str(path)], rounds=rounds)
    copy = copy_path(path)
    wall, cpu, memory = timed(
        ["-m", "factspine.analytics.copying", str(path)], lambda: copy.unlink(missing_ok=True), rounds
    )
    note = f"{wall:.2f} s beside {read_wall:.2f} s; processor {cpu:.2f} beside {read_cpu:.2f} s"
    return [
        Figure(
            measure="copy of new facts / reading the rows into Arrow",
            value=wall / read_wall,
            must=1.5,
            at_most=True,
            note=note,
        ),
        Figure(measure="memory of the copying process, MiB", value=memory, must=4096, at_most=True),
    ]


def opening(store: FactStore) -> Figure:
    """From an open store to the answer of a first small query, with nothing new."""
    follow(store)
    times = []
    for _ in range(7):
        start = time.perf_counter()
        with Session(follow(store)) as session, session.query("SELECT count(*) FROM runs") as result:
            list(result.rows)
        times.append((time.perf_counter() - start) * 1000)
    return Figure(measure="opening with nothing new, ms", value=sorted(times)[3], must=100, at_most=True)


def asking(copy: Path, folder: Path) -> list[Figure]:
    """Group-bys over `facts` beside the same over a bare table of the same columns, in turn."""
    bare = folder / "bare.duckdb"
    with duckdb.connect(str(bare)) as connection:
        connection.execute(f"ATTACH '{copy}' AS c (READ_ONLY); USE c; CREATE TABLE bare.bare AS {_COLUMNS}")
    figures = []
    limits = QueryLimits(seconds=None, memory="4GB")
    with Session(copy, limits) as ours, Session(bare, limits) as theirs:
        for name, question in _QUESTIONS.items():
            both: list[list[float]] = [[], []]
            for _ in range(9):
                for times, session, table in ((both[0], ours, "facts"), (both[1], theirs, "bare")):
                    start = time.perf_counter()
                    with session.query(question.format(table)) as result:
                        list(result.rows)
                    times.append((time.perf_counter() - start) * 1000)
            mine, least = min(both[0]), min(both[1])
            note = f"{mine:.1f} ms beside {least:.1f} ms"
            figures.append(
                Figure(measure=f"{name} / bare table", value=mine / least, must=1.3, at_most=True, note=note)
            )
    return figures


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--facts", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--store", type=Path, help="a store made earlier, or the place to keep the one made now")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path = options.store or folder / "facts.db"
        if not path.exists():
            make_store(path, options.facts)
        figures = copying(path, options.rounds)
        with FactStore(path) as store:
            figures.append(opening(store))
            figures += asking(follow(store), folder)
    return report("The analytic copy", figures, "analytics")


if __name__ == "__main__":
    sys.exit(main())
