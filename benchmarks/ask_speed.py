"""How long an answer takes, as the store grows: the middle of many questions, the first after opening, and memory.

    python -m benchmarks.ask_speed [--sizes 100000 1000000]

Every size is a store of its own with a label for every hundred facts, at most 100,000. Each measurement is a
process of its own; sizes are compared within one run.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from hashlib import sha256
from pathlib import Path

from benchmarks.figures import Figure, report
from factspine import FactStore, answer_question
from factspine.core.facts import FactBlock, FactContext
from factspine.core.labelled import LabelledTable
from factspine.core.leaves import Lineage
from factspine.core.packed import pack_interpretation, pack_table
from factspine.core.tables import RawCell, RawTable

_FACTS_A_DOCUMENT = 2_000
_LABELS_MOST = 100_000
_YEARS = (2021, 2022, 2023, 2024)
_QUESTIONS = 200
_WORDS = ("net", "gross", "deferred", "retail", "policy", "claims", "service", "segment", "regional", "branch")
_NOUNS = ("revenue", "income", "expense", "balance", "margin", "provision", "reserve", "payments", "receipts", "losses")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=[100_000, 1_000_000])
    parser.add_argument("--probe", type=Path, help="measure this store and print JSON")
    asked = parser.parse_args()
    if asked.probe:
        print(json.dumps(probe(asked.probe)))
        return 0
    measured: dict[int, dict[str, float]] = {}
    with tempfile.TemporaryDirectory() as home:
        for size in asked.sizes:
            path = Path(home) / f"facts-{size}.db"
            make_store(path, size)
            command = [sys.executable, "-m", "benchmarks.ask_speed", "--probe", str(path)]
            done = subprocess.run(command, check=True, capture_output=True, text=True)
            measured[size] = json.loads(done.stdout)
    return report("Answers as the store grows", figures(measured), "ask_speed")


def figures(measured: dict[int, dict[str, float]]) -> list[Figure]:
    found = []
    first = min(measured)
    for size, probe_of in sorted(measured.items()):
        note = f"p90 {probe_of['p90_ms']:.2f} ms, {probe_of['right']:.0%} right"
        found.append(Figure(measure=f"p50 ms, {size:,} facts", value=probe_of["p50_ms"], note=note))
        if size != first:
            ratio = probe_of["p50_ms"] / measured[first]["p50_ms"]
            found.append(Figure(measure=f"p50 : p50 at {first:,}", value=ratio, must=3.0, at_most=True))
        found.append(
            Figure(measure=f"first answer s, {size:,} facts", value=probe_of["first_s"], must=2.0, at_most=True)
        )
        found.append(Figure(measure=f"memory MiB, {size:,} facts", value=probe_of["mib"], must=500, at_most=True))
    return found


def probe(path: Path) -> dict[str, float]:
    """Questions to one store: the first, the middle of many, memory."""
    questions = _questions(path)
    started = time.perf_counter()
    store = FactStore(path)
    answer_question(questions[0][0], store)
    first = time.perf_counter() - started
    times, right = [], 0
    for question, value in questions:
        begun = time.perf_counter()
        answer = answer_question(question, store)
        times.append(time.perf_counter() - begun)
        right += answer.value == value
    times.sort()
    return {
        "first_s": first,
        "p50_ms": statistics.median(times) * 1000,
        "p90_ms": times[int(len(times) * 0.9)] * 1000,
        "right": right / len(questions),
        "mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }


def _questions(path: Path) -> list[tuple[str, str]]:
    """Questions whose answers are known, made in a process of its own so that it leaves no memory here."""
    lines = json.loads((path.with_suffix(".json")).read_text(encoding="utf-8"))
    return [(question, value) for question, value in lines]


def label(number: int) -> str:
    """One of many metric names that share their words."""
    return f"{_WORDS[number % 10]} {_WORDS[number // 10 % 10]} {_NOUNS[number // 100 % 10]} line {number}"


def make_store(path: Path, facts: int) -> None:
    """Documents of one company each, their facts under labels that many documents share."""
    rng = random.Random(20240331)
    labels = min(max(facts // 100, 100), _LABELS_MOST)
    wanted: list[tuple[str, str]] = []
    documents = max(facts // _FACTS_A_DOCUMENT, 1)
    with FactStore(path) as store:
        store.init_schema()
        with store.begin_run() as run:
            for number in range(documents):
                _add_document(run, number, labels, rng, wanted)
            run.seal()
    chosen = rng.sample(wanted, min(_QUESTIONS, len(wanted)))
    path.with_suffix(".json").write_text(json.dumps(chosen), encoding="utf-8")


def _add_document(run, number: int, labels: int, rng: random.Random, wanted: list[tuple[str, str]]) -> None:  # type: ignore[no-untyped-def]
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
    entity = f"Company {number} Holdings"
    first = rng.randrange(labels)
    rows = [((first + row) % labels, year) for row in range(_FACTS_A_DOCUMENT // len(_YEARS)) for year in _YEARS]
    values = [f"{rng.randrange(1, 10**7)}.{rng.randrange(1, 10)}" for _ in rows]
    names = [label(metric) for metric, _ in rows]
    some = rng.randrange(len(rows))
    wanted.append((f"What was the {names[some]} of {entity} in FY{rows[some][1]}?", values[some]))
    columns = {
        "metric_code": [name.upper().replace(" ", "_") for name in names],
        "entity": [entity] * len(rows),
        "geography": ["HK"] * len(rows),
        "channel": [""] * len(rows),
        "period_type": ["FY"] * len(rows),
        "period": [str(year) for _, year in rows],
        "value": values,
        "unit": ["HKD"] * len(rows),
        "source_locator": [f"sheet=P&L,cell=C{row + 2}" for row in range(len(rows))],
        "metric_label": names,
        "value_text": values,
        "decimals": [1] * len(rows),
        "row_no": list(range(2, len(rows) + 2)),
        "col_no": [2] * len(rows),
        "context_no": [year - _YEARS[0] for _, year in rows],
    }
    contexts = tuple(
        FactContext(scale=6, unit_evidence="", period_start=f"{y}-01-01", period_end=f"{y}-12-31") for y in _YEARS
    )
    block = FactBlock(count=len(rows), columns=columns, contexts=contexts)
    table = pack_table(raw)
    labelled = LabelledTable(raw=raw, roles=(), header_rows=1, header_cols=1, blocks=())
    packed = pack_interpretation(
        lineage, table, labelled=labelled, block=block, ledger=[], numeric_cells=block.count
    )
    with run.reading(lineage, media_type="xlsx", size_bytes=1000) as reading:
        table_no = reading.add_table(table)
        reading.add_interpretation(table_no, packed)
        reading.add_facts(table_no, block.count, block.columns)


if __name__ == "__main__":
    sys.exit(main())
