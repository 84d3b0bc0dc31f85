"""The record as it lies in its tables, for whoever checks it: nothing is interpreted, joined away or left out.

Rows are plain tuples straight from the driver: the check reads every one of them, and an object for each would cost
more than hashing it.
"""

from __future__ import annotations

import tempfile
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from sqlalchemy import Connection

from factspine.core.leaves import LEAF_COLUMNS, Lineage
from factspine.store import schema
from factspine.store.engine import translated_errors

Rows = list[tuple[Any, ...]]

# A fact as the check reads it: what its leaf says, then where it claims to belong.
FACT_COLUMNS = (*LEAF_COLUMNS, "source_doc_id", "reading_no", "table_no", "context_no")
TABLE_COLUMNS = (
    "table_no",
    "ordinal",
    "locator",
    "kind",
    "title",
    "n_rows",
    "n_cols",
    "cell_count",
    "formula_count",
    "body",
    "leaf",
)


class RunRow(NamedTuple):
    """A run and its seal; the seal's part is None where there is none."""

    run_no: int
    started_at: str
    factspine_version: str
    run_id: str | None
    finished_at: str | None
    event_count: int | None
    fact_count: int | None
    root: bytes | None
    previous_seal: bytes | None
    seal: bytes | None


class EventRow(NamedTuple):
    """What a run did to one document."""

    event_no: int
    run_no: int
    document_no: int
    doc_id: str
    status: str
    reading_no: int | None
    file_hash: str
    extractor_version: str
    sensitivity: str
    leaf: bytes

    @property
    def lineage(self) -> Lineage:
        """What its leaf says of the document."""
        return Lineage(
            doc_id=self.doc_id,
            file_hash=self.file_hash,
            extractor_version=self.extractor_version,
            mapping_version="",
            sensitivity=self.sensitivity,
        )


class ReadingRow(NamedTuple):
    """A reading, what it stands on, and its seal; the seal's part is None where there is none."""

    reading_no: int
    reading_id: str
    extraction_no: int
    mapping_version: str
    sensitivity: str
    run_no: int
    extraction_run_no: int
    extractor_version: str
    revision_no: int
    file_hash: str
    media_type: str
    size_bytes: int
    first_run_no: int
    document_no: int
    doc_id: str
    first_fact_no: int | None
    fact_count: int | None
    table_count: int | None
    passage_count: int | None
    finding_count: int | None
    numeric_cells: int | None
    tables_root: bytes | None
    passages_root: bytes | None
    facts_root: bytes | None
    findings_root: bytes | None
    root: bytes | None


class InterpretationRow(NamedTuple):
    """What a table was taken to mean, without the facts."""

    table_no: int
    first_fact_no: int
    fact_count: int
    numeric_cells: int
    header_rows: int
    header_cols: int
    facts_root: bytes
    leaf: bytes


class Audit:
    """One state of the record. Made by `FactStore.audit`."""

    def __init__(self, connection: Connection) -> None:
        self._driver: Any = connection.connection.driver_connection
        self.embedded = connection.dialect.name == "sqlite"

    def _rows(self, query: str) -> Rows:
        # Queries are made of constants of the schema and of numbers, never of text from outside.
        with translated_errors():
            cursor = self._driver.cursor()
            try:
                cursor.execute(query)
                rows: Rows = cursor.fetchall()
                return rows
            finally:
                cursor.close()

    def file_problems(self, *, quick: bool) -> list[str]:
        """What the database itself finds wrong with its file; nothing where a server keeps it."""
        if not self.embedded:
            return []
        pragma = "quick_check" if quick else "integrity_check"
        return [str(row[0]) for row in self._rows(f"PRAGMA {pragma}(100)") if row[0] != "ok"]

    def schema_differences(self) -> list[str]:
        """Names of tables, indexes, triggers and views that are not as the migrations make them."""
        if not self.embedded:
            return []
        here = _objects(self._rows(_OBJECTS))
        expected = _expected_objects()
        return sorted(name for name in here.keys() | expected.keys() if here.get(name) != expected.get(name))

    def broken_references(self) -> list[tuple[str, int]]:
        """Table and row number of rows that refer to nothing. Facts are left out: the check walks them anyway."""
        if not self.embedded:
            return []
        found: list[tuple[str, int]] = []
        for table in schema.metadata.sorted_tables:
            if table is not schema.fact_metric:
                found += [(row[0], row[1] or 0) for row in self._rows(f"PRAGMA foreign_key_check({table.name})")]
        return found

    def runs(self) -> list[RunRow]:
        """Every run with its seal, in order."""
        return [
            RunRow(*row)
            for row in self._rows(
                "SELECT run.run_no, started_at, factspine_version, run_id, finished_at, event_count, fact_count, root, "
                "previous_seal, seal FROM run LEFT JOIN run_seal ON run_seal.run_no = run.run_no ORDER BY run.run_no"
            )
        ]

    def events(self) -> list[EventRow]:
        """Every event, in order."""
        return [
            EventRow(*row)
            for row in self._rows(
                "SELECT event_no, run_no, event.document_no, doc_id, status, reading_no, file_hash, extractor_version, "
                "sensitivity, leaf FROM event JOIN document ON document.document_no = event.document_no "
                "ORDER BY event_no"
            )
        ]

    def readings(self) -> list[ReadingRow]:
        """Every reading with what it stands on and its seal, in order."""
        return [ReadingRow(*row) for row in self._rows(_READINGS)]

    def seals_without_reading(self) -> list[int]:
        """Numbers of seals without a reading."""
        query = "SELECT reading_no FROM reading_seal WHERE reading_no NOT IN (SELECT reading_no FROM reading)"
        return [row[0] for row in self._rows(query)]

    def tables(self, extraction_no: int) -> Rows:
        """`TABLE_COLUMNS` of every table of an extraction, in order."""
        return self._rows(
            f"SELECT {', '.join(TABLE_COLUMNS)} FROM raw_table WHERE extraction_no = {int(extraction_no)} "  # noqa: S608
            "ORDER BY ordinal"
        )

    def table_leaves(self, extraction_no: int) -> Rows:
        """Number, locator and leaf of every table of an extraction, in order."""
        return self._rows(
            f"SELECT table_no, locator, leaf FROM raw_table WHERE extraction_no = {int(extraction_no)} "  # noqa: S608
            "ORDER BY ordinal"
        )

    def table_titles(self, extraction_no: int) -> dict[int, tuple[str, str]]:
        """Locator and title of every table of an extraction, by its number."""
        query = f"SELECT table_no, locator, title FROM raw_table WHERE extraction_no = {int(extraction_no)}"  # noqa: S608
        return {number: (locator, title) for number, locator, title in self._rows(query)}

    def table_body(self, table_no: int) -> bytes:
        """The stored form of one table."""
        body: bytes = self._rows(f"SELECT body FROM raw_table WHERE table_no = {int(table_no)}")[0][0]  # noqa: S608
        return body

    def passages(self, extraction_no: int) -> Rows:
        """Ordinal, locator, kind, text, section, hidden and leaf of every passage of an extraction, in order."""
        return self._rows(
            "SELECT ordinal, locator, kind, text, section, hidden, leaf FROM passage "  # noqa: S608
            f"WHERE extraction_no = {int(extraction_no)} ORDER BY ordinal"
        )

    def interpretations(self, reading_no: int) -> list[InterpretationRow]:
        """What each table was taken to mean, in the order of the tables."""
        return [
            InterpretationRow(*row)
            for row in self._rows(
                "SELECT i.table_no, first_fact_no, fact_count, numeric_cells, header_rows, header_cols, facts_root, "  # noqa: S608
                "i.leaf FROM interpretation AS i LEFT JOIN raw_table AS t ON t.table_no = i.table_no "
                f"WHERE reading_no = {int(reading_no)} ORDER BY t.ordinal, i.table_no"
            )
        ]

    def fact_leaves(self, reading_no: int, table_no: int) -> bytes:
        """The leaves of a table's facts as they were stored, one after the other."""
        rows = self._rows(
            f"SELECT fact_leaves FROM interpretation WHERE reading_no = {int(reading_no)} "  # noqa: S608
            f"AND table_no = {int(table_no)}"
        )
        leaves: bytes = rows[0][0] if rows else b""
        return leaves

    def contexts(self, reading_no: int) -> Rows:
        """Number, scale, unit evidence, period start and end, and status of a reading's contexts."""
        return self._rows(
            "SELECT context_no, scale, unit_evidence, period_start, period_end, status FROM fact_context "  # noqa: S608
            f"WHERE reading_no = {int(reading_no)}"
        )

    def headers(self, reading_no: int) -> Rows:
        """Table, axis, position, cross_first, cross_last and path of a reading's header paths, in order."""
        return self._rows(
            "SELECT table_no, axis, position, cross_first, cross_last, path FROM header "  # noqa: S608
            f"WHERE reading_no = {int(reading_no)} ORDER BY table_no, axis, position, cross_first"
        )

    def ledger(self, reading_no: int) -> Rows:
        """Table, disposition, reason, cell_count and cells of a reading's ledger, in order."""
        return self._rows(
            "SELECT table_no, disposition, reason, cell_count, cells FROM ledger "  # noqa: S608
            f"WHERE reading_no = {int(reading_no)} ORDER BY ledger_no"
        )

    def findings(self) -> Rows:
        """Run, document, reading, code, severity, message, locator and remedy of every finding, in order."""
        return self._rows(
            "SELECT run_no, document_no, reading_no, code, severity, message, locator, remedy FROM finding "
            "ORDER BY finding_no"
        )

    def facts(self, first: int, count: int) -> Rows:
        """`FACT_COLUMNS` of the facts in a range of numbers, in order."""
        return self._rows(
            f"SELECT {_FACT_LIST} FROM fact_metric WHERE fact_no BETWEEN {int(first)} AND {int(first + count - 1)} "  # noqa: S608
            "ORDER BY fact_no"
        )

    def fact_cells(self, first: int, count: int) -> Rows:
        """Number, row, column and literal text of the facts in a range of numbers, in order."""
        return self._rows(
            "SELECT fact_no, row_no, col_no, value_text FROM fact_metric "  # noqa: S608
            f"WHERE fact_no BETWEEN {int(first)} AND {int(first + count - 1)} ORDER BY fact_no"
        )

    def facts_observed(self, first: int, count: int) -> Rows:
        """Number, locator, label, dimensions, text, value, unit and context of the facts in a range, in order."""
        return self._rows(
            "SELECT fact_no, source_locator, metric_label, entity, geography, channel, period_type, period, "  # noqa: S608
            f"value_text, value, unit, context_no FROM fact_metric WHERE fact_no BETWEEN {int(first)} AND "
            f"{int(first + count - 1)} ORDER BY fact_no"
        )

    def fact_numbers(self, first: int, count: int) -> list[int]:
        """The numbers that are there in a range."""
        return [
            row[0]
            for row in self._rows(
                f"SELECT fact_no FROM fact_metric WHERE fact_no BETWEEN {int(first)} AND {int(first + count - 1)}"  # noqa: S608
            )
        ]

    def facts_outside(self, first: int, count: int, at_most: int = 1000) -> list[tuple[int, int]]:
        """Number and reading of facts that lie outside a range."""
        return [
            (row[0], row[1])
            for row in self._rows(
                f"SELECT fact_no, reading_no FROM fact_metric WHERE fact_no < {int(first)} "  # noqa: S608
                f"OR fact_no >= {int(first + count)} ORDER BY fact_no LIMIT {int(at_most)}"
            )
        ]


_FACT_LIST = ", ".join(FACT_COLUMNS)
_OBJECTS = "SELECT type, name, tbl_name, sql FROM sqlite_master"
_SEAL_COLUMNS = (
    "first_fact_no",
    "fact_count",
    "table_count",
    "passage_count",
    "finding_count",
    "numeric_cells",
    "tables_root",
    "passages_root",
    "facts_root",
    "findings_root",
    "root",
)
_READINGS = (
    "SELECT r.reading_no, reading_id, r.extraction_no, mapping_version, sensitivity, r.run_no, x.run_no, "  # noqa: S608
    "x.extractor_version, x.revision_no, v.file_hash, media_type, size_bytes, first_run_no, v.document_no, doc_id, "
    f"{', '.join('s.' + name for name in _SEAL_COLUMNS)} "
    "FROM reading AS r JOIN extraction AS x ON x.extraction_no = r.extraction_no "
    "JOIN revision AS v ON v.revision_no = x.revision_no JOIN document AS d ON d.document_no = v.document_no "
    "LEFT JOIN reading_seal AS s ON s.reading_no = r.reading_no ORDER BY r.reading_no"
)


def _objects(rows: Rows) -> dict[str, tuple[Any, ...]]:
    return {f"{kind} {name}": (table, sql) for kind, name, table, sql in rows}


@lru_cache(maxsize=1)
def _expected_objects() -> dict[str, tuple[Any, ...]]:
    """The schema of a store made this moment."""
    import sqlite3

    from factspine.store.engine import make_engine, store_url
    from factspine.store.migrate import upgrade

    with tempfile.TemporaryDirectory(prefix="factspine-") as folder:
        path = Path(folder) / "store.db"
        engine = make_engine(store_url(path))
        try:
            upgrade(engine)
        finally:
            engine.dispose()
        connection = sqlite3.connect(path)
        try:
            return _objects(connection.execute(_OBJECTS).fetchall())
        finally:
            connection.close()
