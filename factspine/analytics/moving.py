"""Rows on their way into a copy that not everybody may see all of: what is hidden stays out, and no gap shows it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from factspine.store.renumbering import MovedRows

_DOCUMENT = "JOIN staging.moved_document d ON d.old_no = r.document_no"
_RUN = "JOIN staging.moved_run u ON u.run_no = r.run_no"
_READING = "JOIN staging.moved_reading m ON m.reading_no = r.reading_no"
_EXTRACTION = "JOIN staging.moved_extraction x ON x.extraction_no = r.extraction_no"
# For each kind of row: the columns that change, and what says how.
_MOVES = {
    "document": ("d.new_no AS document_no", _DOCUMENT),
    "run": (
        "u.new_no AS run_no, u.run_id AS run_id, u.event_count AS event_count, u.fact_count AS fact_count, "
        "u.root AS root, u.seal AS seal",
        _RUN,
    ),
    "event": (
        "e.new_no AS event_no, u.new_no AS run_no, d.new_no AS document_no, coalesce(m.new_no, 0) AS reading_no, "
        "if(e.leaf_as_first IS NULL, r.status, 'ingested') AS status, coalesce(e.leaf_as_first, r.leaf) AS leaf",
        f"JOIN staging.moved_event e ON e.old_no = r.event_no {_RUN} {_DOCUMENT} LEFT {_READING}",
    ),
    "reading": (
        "m.new_no AS reading_no, v.new_no AS revision_no, d.new_no AS document_no, x.new_no AS extraction_no, "
        "u.new_no AS run_no, r.first_fact_no - m.facts AS first_fact_no",
        f"{_READING} JOIN staging.moved_revision v ON v.old_no = r.revision_no {_DOCUMENT} {_EXTRACTION} {_RUN}",
    ),
    "raw_table": ("r.table_no - x.tables AS table_no, x.new_no AS extraction_no", _EXTRACTION),
    "passage": ("r.passage_no - x.passages AS passage_no, x.new_no AS extraction_no", _EXTRACTION),
    "formula": ("r.table_no - x.tables AS table_no, x.new_no AS extraction_no", _EXTRACTION),
    "interpretation": (
        "m.new_no AS reading_no, r.table_no - m.tables AS table_no, r.first_fact_no - m.facts AS first_fact_no",
        _READING,
    ),
    "header": ("m.new_no AS reading_no, r.table_no - m.tables AS table_no", _READING),
    "ledger": (
        "r.ledger_no - m.ledgers AS ledger_no, m.new_no AS reading_no, r.table_no - m.tables AS table_no",
        _READING,
    ),
    "ledger_cell": (
        "r.ledger_no - m.ledgers AS ledger_no, m.new_no AS reading_no, r.table_no - m.tables AS table_no",
        _READING,
    ),
    "finding": (
        "f.new_no AS finding_no, u.new_no AS run_no, d.new_no AS document_no, coalesce(m.new_no, 0) AS reading_no",
        f"JOIN staging.moved_finding f ON f.old_no = r.finding_no {_RUN} {_DOCUMENT} LEFT {_READING}",
    ),
    "context": ("r.context_no - m.contexts AS context_no, m.new_no AS reading_no", _READING),
    "fact": (
        "r.fact_no - m.facts AS fact_no, m.new_no AS reading_no, r.table_no - m.tables AS table_no, "
        "r.context_no - m.contexts AS context_no",
        _READING,
    ),
}


class Mover:
    """Wraps the SQL that yields new rows; without anything hidden it leaves it as it is."""

    def __init__(self, connection: DuckDBPyConnection, moved: Mapping[str, MovedRows] | None) -> None:
        self._hides = moved is not None
        for name, (columns, kinds, rows) in (moved or {}).items():
            cells = ", ".join(f"unnest(?::{kind}[]) AS {column}" for column, kind in zip(columns, kinds, strict=True))
            values = [list(column) for column in zip(*rows, strict=True)] if rows else [[] for _ in columns]
            # By a connection of its own: those that stage facts see it before this one's transaction ends.
            with connection.cursor() as cursor:
                cursor.execute(f"CREATE TABLE staging.moved_{name} AS SELECT {cells}", values)

    def __call__(self, name: str, rows: str) -> str:
        """SQL that yields the rows of one kind that belong into the copy, by the numbers they have there."""
        if not self._hides:
            return rows
        columns, joins = _MOVES[name]
        return f"SELECT r.* REPLACE ({columns}) FROM ({rows}) r {joins}"  # noqa: S608  constants only
