"""One measurement in a process of its own, so that nothing is warm from the one before: prints one JSON object.

python -m benchmarks.probes NAME ARGUMENT…
"""

from __future__ import annotations

import gc
import hashlib
import io
import json
import os
import resource
import sqlite3
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any


def probe_ingest(folder: str, cores: str, suffixes: str = "") -> dict[str, float]:
    """Whole ingest of a folder, from bytes to committed run, on this many cores."""
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[-int(cores) :])
    from factspine import FactStore, ingest

    with tempfile.TemporaryDirectory() as home, FactStore(Path(home) / "facts.db") as store:
        store.init_schema()
        before = sum(resource.getrusage(resource.RUSAGE_SELF)[:2])
        started = time.perf_counter()
        done = ingest(folder, store, jobs=int(cores))
        seconds = time.perf_counter() - started
    rejected = [one.doc for one in done.documents if one.status == "rejected" and not one.doc.endswith(".pdf")]
    return {
        "seconds": seconds,
        "facts": sum(one.facts for one in done.documents),
        "rejected": len(rejected),
        "cpu": sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
        - before,
        "parent_mib": _peak_mib(),
        "child_mib": resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024,
    }


def _peak_mib() -> float:
    """This process' own peak; `getrusage` would give that of the process it was started by, where it was larger."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(status.split("VmHWM:")[1].split()[0]) / 1024


def probe_again(folder: str) -> dict[str, float]:
    """A second ingest of an unchanged folder, and hashing the same files: alternately, the best of each."""
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[-1:])
    from factspine import FactStore, ingest

    with tempfile.TemporaryDirectory() as home, FactStore(Path(home) / "facts.db") as store:
        store.init_schema()
        ingest(folder, store)
        best = {"again": 1e9, "hashing": 1e9}
        for _ in range(5):
            best["hashing"] = min(best["hashing"], _timed(lambda: _hash_all(Path(folder))))
            best["again"] = min(best["again"], _timed(lambda: ingest(folder, store, jobs=1)))
    return best


def _hash_all(folder: Path) -> None:
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            hashlib.sha256(path.read_bytes()).hexdigest()


def probe_openpyxl(folder: str) -> dict[str, float]:
    """The plain library: load the workbooks, visit all cells."""
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[-1:])
    import openpyxl

    warnings.simplefilter("ignore")

    def walk() -> None:
        for path in sorted(Path(folder).rglob("*.xlsx")):
            for sheet in openpyxl.load_workbook(path).worksheets:
                for row in sheet.iter_rows():
                    for cell in row:
                        _ = cell.value

    before = time.process_time()
    seconds = _timed(walk)
    return {"seconds": seconds, "cpu": time.process_time() - before}


def probe_python_pptx(folder: str) -> dict[str, float]:
    """The plain library: walk all tables, charts and text."""
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[-1:])
    import pptx

    def walk() -> None:
        for path in sorted(Path(folder).rglob("*.pptx")):
            for slide in pptx.Presentation(str(path)).slides:
                _walk_shapes(slide.shapes)
                if slide.has_notes_slide and slide.notes_slide.notes_text_frame is not None:
                    _ = slide.notes_slide.notes_text_frame.text

    before = time.process_time()
    seconds = _timed(walk)
    return {"seconds": seconds, "cpu": time.process_time() - before}


def _walk_shapes(shapes: Any) -> None:
    for shape in shapes:
        if hasattr(shape, "shapes"):
            _walk_shapes(shape.shapes)
        elif shape.has_text_frame:
            _ = shape.text_frame.text
        elif getattr(shape, "has_table", False):
            for row in shape.table.rows:
                for cell in row.cells:
                    _ = cell.text
        elif getattr(shape, "has_chart", False):
            _walk_chart(shape.chart)


def _walk_chart(chart: Any) -> None:
    try:
        for plot in chart.plots:
            _ = [str(category) for category in plot.categories]
            _ = [tuple(series.values) for series in plot.series]
    except (NotImplementedError, ValueError, KeyError):
        return  # plots the library refuses


def probe_store(workbook: str, rows_out: str) -> dict[str, float]:
    """Writing facts through the store, and the same rows by `executemany`: alternately, the best of each."""
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[-1:])
    best = {"store": 1e9, "raw": 1e9, "raw_default": 1e9}
    messages = _messages(workbook)
    with tempfile.TemporaryDirectory() as home:
        for turn in range(3):
            path = Path(home) / f"facts-{turn}.db"
            best["store"] = min(best["store"], _write_store(path, messages))
            source = sqlite3.connect(path)
            rows = source.execute("SELECT * FROM fact_metric").fetchall()
            schema = "SELECT sql FROM sqlite_master WHERE tbl_name = 'fact_metric' AND type IN ('table', 'index')"
            statements = [sql for (sql,) in source.execute(schema) if sql]
            if not turn:
                columns = ", ".join(_FACT_COLUMNS)
                kept = source.execute(f"SELECT {columns} FROM fact_metric LIMIT 100000").fetchall()  # noqa: S608
                Path(rows_out).write_text(json.dumps(kept), encoding="utf-8")
            source.close()
            path.unlink()
            for name, pragmas in (("raw", _PRAGMAS), ("raw_default", ())):
                best[name] = min(best[name], _write_raw(Path(home) / f"{name}-{turn}.db", statements, rows, pragmas))
    return {**best, "facts": len(rows)}


_FACT_COLUMNS = (
    "metric_code", "entity", "geography", "channel", "period_type", "period", "value", "unit", "source_doc_id",
    "source_locator",
)  # fmt: skip
_PRAGMAS = ("synchronous = FULL", "cache_size = -65536", "temp_store = MEMORY")  # as the store sets them


def _messages(workbook: str) -> list[Any]:
    """What the child sends for a workbook, as the parent receives it."""
    from factspine.core.limits import Limits
    from factspine.ingestion.document import send_document
    from factspine.ingestion.messages import receive
    from factspine.ingestion.versions import mapping_version
    from factspine.lexicon.vocabulary import Vocabulary

    lineage = {
        "doc_id": "folder/orders.xlsx",
        "file_hash": "0" * 64,
        "extractor_version": "xlsx/1",
        "mapping_version": mapping_version(Vocabulary.load(None)),
        "sensitivity": "PUBLIC",
    }
    out = io.BytesIO()
    send_document({"path": workbook, "format": "xlsx", "lineage": lineage, "vocabulary": None}, Limits(), out)
    # What reads a document may write no files from then on; this process still has to.
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    out.seek(0)
    return [lineage, *receive(out, Limits().frame_bytes_max)]


def _write_store(path: Path, messages: list[Any]) -> float:
    from factspine import FactStore
    from factspine.core.leaves import Lineage
    from factspine.ingestion.messages import FactsMessage, TableMessage

    def write() -> None:
        with store.begin_run() as run:
            with run.reading(Lineage(**messages[0]), media_type="xlsx", size_bytes=1) as reading:
                table_no = 0
                for message in messages[1:]:
                    if isinstance(message, FactsMessage):
                        reading.add_facts(table_no, message.count, message.columns)
                    elif isinstance(message, TableMessage):
                        table_no = reading.add_table(message.table)
                        reading.add_interpretation(table_no, message.interpretation)
            run.seal()

    with FactStore(path) as store:
        store.init_schema()
        return _timed(write)


def _write_raw(path: Path, statements: list[str], rows: list[tuple[Any, ...]], pragmas: tuple[str, ...]) -> float:
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA journal_mode = WAL")
    for pragma in pragmas:
        connection.execute(f"PRAGMA {pragma}")
    for statement in statements:
        connection.execute(statement)
    marks = ",".join("?" * len(rows[0]))

    def write() -> None:
        with connection:
            connection.executemany(f"INSERT INTO fact_metric VALUES ({marks})", rows)  # noqa: S608

    seconds = _timed(write)
    connection.close()
    path.unlink()
    return seconds


def _timed(work: Callable[[], object]) -> float:
    gc.collect()
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def _probes() -> Iterator[tuple[str, Callable[..., dict[str, float]]]]:
    return ((name.removeprefix("probe_"), found) for name, found in globals().items() if name.startswith("probe_"))


if __name__ == "__main__":
    print(json.dumps(dict(_probes())[sys.argv[1]](*sys.argv[2:])))
