"""Small readings written straight to a store, for tests that are about the store and not about documents."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from hashlib import sha256

from factspine.core.facts import FactBlock, FactContext, LedgerEntry
from factspine.core.findings import Finding
from factspine.core.labelled import Block, Label, LabelledTable
from factspine.core.leaves import Lineage
from factspine.core.packed import pack_interpretation, pack_table
from factspine.core.tables import Passage, RawCell, RawTable
from factspine.store.readings import ReadingWriter
from factspine.store.runs import RunWriter, SealedRun
from factspine.store.store import FactStore

NOON = datetime(2025, 3, 31, 12, tzinfo=UTC)
MAPPING = "builtin/1"


def lineage_of(doc_id: str, content: str = "first", *, mapping: str = MAPPING, sensitivity: str = "PUBLIC") -> Lineage:
    return Lineage(
        doc_id=doc_id,
        file_hash=sha256(f"{doc_id}:{content}".encode()).hexdigest(),
        extractor_version="xlsx/1",
        mapping_version=mapping,
        sensitivity=sensitivity,
    )


def sample_table(values: Sequence[str], sheet: str = "P&L") -> RawTable:
    """A        B
    1            FY2024
    2   Line 1       <value>
    """
    cells = [RawCell(1, 2, "FY2024")]
    for row, value in enumerate(values, 2):
        cells += [RawCell(row, 1, f"Line {row - 1}"), RawCell(row, 2, value, "n", value)]
    return RawTable(
        locator=f"sheet={sheet},table=1",
        n_rows=len(values) + 1,
        n_cols=2,
        cells=cells,
        formulas={(2, 2): "=B3*2"},
        addressing="a1",
    )


def sample_block(values: Sequence[str], sheet: str = "P&L") -> FactBlock:
    count = len(values)
    rows = range(2, count + 2)
    columns: dict[str, list[object]] = {
        "metric_code": [f"line_{row - 1}" for row in rows],
        "entity": ["ACME_HK"] * count,
        "geography": ["HK"] * count,
        "channel": [""] * count,
        "period_type": ["FY"] * count,
        "period": ["2024"] * count,
        "value": list(values),
        "unit": ["HKD"] * count,
        "source_locator": [f"sheet={sheet},cell=B{row},row=Line {row - 1},col=FY2024" for row in rows],
        "metric_label": [f"Line {row - 1}" for row in rows],
        "value_text": list(values),
        "decimals": [0] * count,
        "row_no": list(rows),
        "col_no": [2] * count,
        "context_no": [0] * count,
    }
    context = FactContext(scale=6, unit_evidence=f"sheet={sheet},cell=A1", status="actual")
    return FactBlock(count=count, columns=columns, contexts=(context,))


def sample_labels(raw: RawTable) -> LabelledTable:
    rows = {cell.row: (Label(cell.text, cell.row, 1),) for cell in raw.cells if cell.col == 1}
    block = Block(
        first_row=2,
        last_row=raw.n_rows,
        first_col=2,
        last_col=2,
        row_paths=rows,
        col_paths={2: (Label("FY2024", 1, 2),)},
    )
    return LabelledTable(raw=raw, roles=(), header_rows=1, header_cols=1, blocks=(block,))


def write_reading(reading: ReadingWriter, lineage: Lineage, values: Sequence[str], sheet: str = "P&L") -> None:
    """One table with its facts, one passage, one finding and one ledger entry."""
    raw, block = sample_table(values, sheet), sample_block(values, sheet)
    packed_table = pack_table(raw)
    ledger = [LedgerEntry(disposition="excluded", reason="year_header", cells=((1, 2),))]
    packed = pack_interpretation(
        lineage, packed_table, labelled=sample_labels(raw), block=block, ledger=ledger, numeric_cells=block.count + 1
    )
    table_no = reading.add_table(packed_table)
    reading.add_interpretation(table_no, packed)
    reading.add_facts(table_no, block.count, block.columns)
    reading.add_passages([Passage(locator=f"sheet={sheet},cell=A9", text="Unaudited 未经审计", section=("Notes",))])
    reading.add_findings([Finding.of("FS302", locator=raw.locator)])


def add_document(run: RunWriter, lineage: Lineage, values: Sequence[str], sheet: str = "P&L") -> None:
    with run.reading(lineage, media_type="xlsx", size_bytes=1000) as reading:
        write_reading(reading, lineage, values, sheet)


def ingest_one(
    store: FactStore, doc_id: str, values: Sequence[str], content: str = "first", *, mapping: str = MAPPING
) -> SealedRun:
    """One run with one document."""
    with store.begin_run(started_at=NOON) as run:
        add_document(run, lineage_of(doc_id, content, mapping=mapping), values)
        sealed = run.seal(finished_at=NOON)
    assert sealed is not None
    return sealed
