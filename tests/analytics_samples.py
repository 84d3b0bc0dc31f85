"""Facts of any kind written straight to a store, for tests of what is asked about sets of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import duckdb

from factspine.core.facts import FactBlock, FactContext
from factspine.core.packed import pack_interpretation, pack_table
from factspine.core.tables import RawCell, RawTable
from factspine.store.runs import RunWriter, SealedRun
from factspine.store.store import FactStore
from tests.store_samples import lineage_of, sample_labels

FIRST_DAY = datetime(2025, 1, 31, 12, tzinfo=UTC)


@dataclass(frozen=True, kw_only=True)
class Said:
    """One number, as a test cares about it."""

    value: str
    metric: str = "REVENUE"
    entity: str = "ACME"
    period: str = "2024"
    period_type: str = "FY"
    unit: str = "HKD"
    scale: int = 6
    decimals: int = 0
    status: str = "actual"
    evidence: str = "sheet=P&L,cell=A1"
    period_end: str = "2024-12-31"


def add_facts(run: RunWriter, doc_id: str, said: Sequence[Said], content: str = "first", **lineage: str) -> None:
    """One document whose only table says these numbers, one a row."""
    identity = lineage_of(doc_id, content, **lineage)
    cells = [RawCell(1, 2, "FY2024")]
    for row, one in enumerate(said, 2):
        cells += [RawCell(row, 1, one.metric), RawCell(row, 2, one.value, "n", one.value)]
    raw = RawTable(
        locator="sheet=P&L,table=1",
        n_rows=len(said) + 1,
        n_cols=2,
        cells=cells,
        formulas={(2, 2): "=B3*2"},
        addressing="a1",
    )
    table, block = pack_table(raw), _block(said)
    packed = pack_interpretation(
        identity, table, labelled=sample_labels(raw), block=block, ledger=[], numeric_cells=block.count
    )
    with run.reading(identity, media_type="xlsx", size_bytes=1000) as reading:
        table_no = reading.add_table(table)
        reading.add_interpretation(table_no, packed)
        reading.add_facts(table_no, block.count, block.columns)


def _block(said: Sequence[Said]) -> FactBlock:
    contexts = [
        FactContext(
            scale=one.scale,
            unit_evidence=one.evidence,
            period_start="2024-01-01",
            period_end=one.period_end,
            status=one.status,
        )
        for one in said
    ]
    unique = list(dict.fromkeys(contexts))
    rows = range(2, len(said) + 2)
    columns: dict[str, list[Any]] = {
        "metric_code": [one.metric for one in said],
        "entity": [one.entity for one in said],
        "geography": ["" for _ in said],
        "channel": ["" for _ in said],
        "period_type": [one.period_type for one in said],
        "period": [one.period for one in said],
        "value": [one.value for one in said],
        "unit": [one.unit for one in said],
        "source_locator": [f"sheet=P&L,cell=B{row},row={one.metric}" for row, one in zip(rows, said, strict=True)],
        "metric_label": [one.metric.title() for one in said],
        "value_text": [one.value for one in said],
        "decimals": [one.decimals for one in said],
        "row_no": list(rows),
        "col_no": [2] * len(said),
        "context_no": [unique.index(context) for context in contexts],
    }
    return FactBlock(count=len(said), columns=columns, contexts=tuple(unique))


def say(store: FactStore, documents: dict[str, Sequence[Said]], *, day: int = 0, content: str = "first") -> SealedRun:
    """One run with these documents, a number of days after the first."""
    moment = FIRST_DAY + timedelta(days=day)
    with store.begin_run(started_at=moment) as run:
        for doc_id, said in documents.items():
            add_facts(run, doc_id, said, content)
        sealed = run.seal(finished_at=moment)
    assert sealed is not None
    return sealed


def new_store(folder: Path) -> FactStore:
    """An empty store."""
    store = FactStore(folder / "facts.db")
    store.init_schema()
    return store


def ask(copy: Path, query: str) -> list[tuple[Any, ...]]:
    """What any DuckDB tool gets from the copy."""
    with duckdb.connect(str(copy), read_only=True) as connection:
        return connection.execute(query).fetchall()
