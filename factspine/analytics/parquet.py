"""The record as a folder of Parquet files that DuckDB, Spark, pandas and others read without FactSpine.

One folder a sensitivity and period type, so that a reader opens only what it asks for, and what must not leave the
house lies apart. Every row carries its citation and its whole lineage; values are exact: a decimal where it fits, and
the canonical text always.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import duckdb

from factspine.core.errors import UsageError

_FACTS = """
SELECT f.*, l.unit_evidence, l.row_path, l.col_path, l.formula, l.table_locator, l.table_title, l.media_type,
       l.reading_id
FROM facts_all f JOIN lineage l USING (fact_id)
{current}
ORDER BY f.source_doc_id, f.fact_id
"""
_PARTITIONS = "sensitivity, period_type"
_BESIDE = ("documents", "runs", "coverage", "ledger", "findings")


class Exported(NamedTuple):
    """What was written."""

    files: int
    facts: int


def export_parquet(copy: Path, folder: Path, *, all_revisions: bool = False) -> Exported:
    """Write the facts that are current, or all there ever were, and the small tables beside them; the folder must be
    new or empty, so that nothing old is taken for something exported."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(f"{folder} is not an empty folder; name one that does not exist yet.")
    folder.mkdir(parents=True, exist_ok=True)
    try:
        facts = _write(copy, folder, _FACTS.format(current="" if all_revisions else "WHERE f.is_current"))
    except duckdb.IOException as error:
        raise UsageError(f"{folder} cannot be written: {error}. Name another place, or make room.") from error
    return Exported(sum(1 for _ in folder.rglob("*.parquet")), facts)


def _write(copy: Path, folder: Path, query: str) -> int:
    with duckdb.connect(str(copy), read_only=True) as connection:
        connection.execute(
            f"COPY ({query}) TO {_quoted(folder / 'facts')} "
            f"(FORMAT parquet, COMPRESSION zstd, PARTITION_BY ({_PARTITIONS}), WRITE_PARTITION_COLUMNS true)"
        )
        (facts,) = connection.fetchone() or (0,)
        for name in _BESIDE:
            target = _quoted(folder / f"{name}.parquet")
            connection.execute(f"COPY (SELECT * FROM {name}) TO {target} (FORMAT parquet, COMPRESSION zstd)")  # noqa: S608
    return int(facts)


def _quoted(path: Path) -> str:
    return "'" + str(path.resolve()).replace("'", "''") + "'"
