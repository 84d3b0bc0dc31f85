"""The record handed over column by column, for programs that work on sets: which rows, and two ways to carry them.

Rows are numbered in the order they were written and never change, so what is new since last time is a range of
numbers. One transaction tells where the ranges end; the rows in them can then be read at leisure, by several readers
at once, and are the same for all.

As lists, through the store's own connection: any database, about 7 microseconds a fact with everything around it. As
a stream of Arrow columns straight out of an embedded store: 1.3. The driver of the second way brings a SQLite library
of its own, and when one of two SQLite libraries in a process closes a file, the locks of the other are gone. So
`column_stream` is for a process that has no store open; it must never be called beside a writer.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

from sqlalchemy import ColumnElement, Connection, Select, func, select
from sqlalchemy.dialects import sqlite

from factspine.core.tablecodec import stored_formulas
from factspine.store.access import Hidden, hidden_from
from factspine.store.accounts import sealed_runs
from factspine.store.ledgers import ledger_cells
from factspine.store.runs import SealedRun
from factspine.store.schema import (
    document,
    event,
    extraction,
    fact_context,
    fact_metric,
    finding,
    header,
    interpretation,
    ledger,
    passage,
    raw_table,
    reading,
    reading_seal,
    revision,
    run,
    run_seal,
)
from factspine.store.store import FactStore

_ROWS_A_CHUNK = 20_000
_ROWS_A_BATCH = "16384"
_BUSY_MILLISECONDS = 60_000


class ColumnSet(NamedTuple):
    """One kind of row: what is read of it, and the number that says which rows are new."""

    query: Select[Any]
    number: ColumnElement[int]

    @property
    def names(self) -> list[str]:
        """The columns, in order."""
        return [column.name for column in self.query.selected_columns]

    def between(self, first: int, last: int) -> Select[Any]:
        """The rows of a range of numbers, both ends included, in order."""
        return self.query.where(self.number.between(first, last)).order_by(self.number)


def _all_but(table: Any, *left_out: str) -> Select[Any]:
    return select(*(column for column in table.columns if column.name not in left_out))


_READING = (
    select(
        reading.c.reading_no,
        reading.c.reading_id,
        revision.c.revision_no,
        revision.c.document_no,
        document.c.doc_id,
        revision.c.file_hash,
        revision.c.media_type,
        revision.c.size_bytes,
        reading.c.extraction_no,
        extraction.c.extractor_version,
        reading.c.mapping_version,
        reading.c.sensitivity,
        reading.c.run_no,
        reading_seal.c.first_fact_no,
        reading_seal.c.fact_count,
        reading_seal.c.table_count,
        reading_seal.c.passage_count,
        reading_seal.c.numeric_cells,
        reading_seal.c.root,
    )
    .join_from(reading, reading_seal, reading_seal.c.reading_no == reading.c.reading_no)
    .join(extraction, extraction.c.extraction_no == reading.c.extraction_no)
    .join(revision, revision.c.revision_no == extraction.c.revision_no)
    .join(document, document.c.document_no == revision.c.document_no)
)
_RUN = select(
    run.c.run_no,
    run_seal.c.run_id,
    run.c.started_at,
    run_seal.c.finished_at,
    run.c.factspine_version,
    run_seal.c.event_count,
    run_seal.c.fact_count,
    run_seal.c.root,
    run_seal.c.seal,
).join_from(run, run_seal, run_seal.c.run_no == run.c.run_no)
_FINDING = select(
    *(finding.c[name] for name in ("finding_no", "run_no", "document_no")),
    # Streams take a column's type from its first rows: no column may begin with NULL.
    func.coalesce(finding.c.reading_no, 0).label("reading_no"),
    *(finding.c[name] for name in ("code", "severity", "message", "locator", "remedy")),
)
_EVENT = select(
    *(event.c[name] for name in ("event_no", "run_no", "document_no", "status")),
    func.coalesce(event.c.reading_no, 0).label("reading_no"),
    event.c.file_hash,
    event.c.extractor_version,
    event.c.sensitivity,
    event.c.leaf,
)

# The facts come last: whoever loads them in this order finds everything they refer to.
COLUMN_SETS: dict[str, ColumnSet] = {
    "document": ColumnSet(_all_but(document), document.c.document_no),
    "run": ColumnSet(_RUN, run.c.run_no),
    "event": ColumnSet(_EVENT, event.c.event_no),
    "reading": ColumnSet(_READING, reading.c.reading_no),
    "raw_table": ColumnSet(_all_but(raw_table, "leaf"), raw_table.c.table_no),
    "passage": ColumnSet(_all_but(passage, "leaf"), passage.c.passage_no),
    "interpretation": ColumnSet(
        _all_but(interpretation, "facts_root", "leaf", "fact_leaves"), interpretation.c.reading_no
    ),
    "header": ColumnSet(_all_but(header), header.c.reading_no),
    "ledger": ColumnSet(_all_but(ledger), ledger.c.ledger_no),
    "finding": ColumnSet(_FINDING, finding.c.finding_no),
    "context": ColumnSet(_all_but(fact_context), fact_context.c.context_no),
    "fact": ColumnSet(_all_but(fact_metric, "source_doc_id"), fact_metric.c.fact_no),
}


class ColumnExport:
    """What the store holds at one moment, to be read as columns.

    Rows are given as they lie in the record; `hidden` says which of them whoever asks may not see."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self.hidden: Hidden | None = hidden_from(connection)

    @property
    def connection(self) -> Connection:
        """The connection all of this is read through."""
        return self._connection

    def head(self) -> SealedRun | None:
        """The last run that can be seen; None where there is none."""
        return next(iter(sealed_runs(self._connection, last_only=True)), None)

    def runs_seen(self) -> int:
        """How many runs can be seen."""
        if self.hidden is not None:
            return len(self.hidden.runs)
        return int(self._connection.execute(select(func.count()).select_from(run_seal)).scalar() or 0)

    def run_at(self, place: int) -> SealedRun | None:
        """The run that is this many-th of those that can be seen; None where there is none."""
        if self.hidden is not None:
            return self.hidden.runs[place - 1] if 0 < place <= len(self.hidden.runs) else None
        return next((one for one in sealed_runs(self._connection) if one.run_no == place), None)

    def highest(self, run_no: int | None = None) -> dict[str, int]:
        """The highest number of each kind of row, or what it was after a run; 0 where there is none."""
        if run_no is None:
            limits = {name: select(func.max(columns.number)) for name, columns in COLUMN_SETS.items()}
        else:
            limits = _limits_after(run_no)
        return {name: int(self._connection.execute(limits[name]).scalar() or 0) for name in COLUMN_SETS}

    def chunks(self, name: str, first: int, last: int) -> Iterator[list[list[Any]]]:
        """The rows of a range of numbers, some thousands at a time, each chunk a list of columns."""
        rows = self._connection.execution_options(yield_per=_ROWS_A_CHUNK).execute(
            COLUMN_SETS[name].between(first, last)
        )
        for chunk in rows.partitions():
            yield [list(column) for column in zip(*chunk, strict=True)]

    def formulas(self, first_table_no: int, last_table_no: int) -> Iterator[tuple[int, int, int, int, str]]:
        """The formulas of a range of tables: extraction, table, row and column of the cell, and what it computes."""
        t = raw_table.c
        bodies = self._connection.execution_options(yield_per=16).execute(
            select(t.extraction_no, t.table_no, t.body)
            .where(t.table_no.between(first_table_no, last_table_no), t.formula_count > 0)
            .order_by(t.table_no)
        )
        for extraction_no, table_no, body in bodies:
            for (row, col), formula in stored_formulas(body).items():
                yield extraction_no, table_no, row, col, formula

    def ledger_cells(self, first: int, last: int) -> Iterator[tuple[int, int, int, int, int, str, str]]:
        """The cells of a range of ledger entries: entry, reading, table, row and column, locator, what it shows."""
        return ledger_cells(self._connection, first, last)


def _limits_after(run_no: int) -> dict[str, Select[Any]]:
    """Numbers grow with the runs that assign them: the highest of each kind that a run or an earlier one assigned."""
    last_reading = select(func.max(reading.c.reading_no)).where(reading.c.run_no <= run_no)
    extractions = select(extraction.c.extraction_no).where(extraction.c.run_no <= run_no)
    before = last_reading.scalar_subquery()
    last_fact = func.max(reading_seal.c.first_fact_no + reading_seal.c.fact_count - 1)
    return {
        "document": select(func.max(event.c.document_no)).where(event.c.run_no <= run_no),
        "run": select(func.max(run.c.run_no)).where(run.c.run_no <= run_no),
        "event": select(func.max(event.c.event_no)).where(event.c.run_no <= run_no),
        "reading": last_reading,
        "raw_table": select(func.max(raw_table.c.table_no)).where(raw_table.c.extraction_no.in_(extractions)),
        "passage": select(func.max(passage.c.passage_no)).where(passage.c.extraction_no.in_(extractions)),
        "interpretation": last_reading,
        "header": last_reading,
        "ledger": select(func.max(ledger.c.ledger_no)).where(ledger.c.reading_no <= before),
        "finding": select(func.max(finding.c.finding_no)).where(finding.c.run_no <= run_no),
        "context": select(func.max(fact_context.c.context_no)).where(fact_context.c.reading_no <= before),
        "fact": select(last_fact).where(reading_seal.c.reading_no <= before),
    }


@contextmanager
def exporting(store: FactStore) -> Iterator[ColumnExport]:
    """The columns of a store as it is at this moment."""
    with store._reading() as connection:
        yield ColumnExport(connection)


@contextmanager
def column_stream(path: Path, name: str, first: int, last: int) -> Iterator[Any]:
    """The same rows as `chunks` gives, as an Arrow stream; only in a process that has no store open (see above)."""
    import adbc_driver_manager
    import adbc_driver_sqlite

    query = COLUMN_SETS[name].between(first, last)
    text = str(query.compile(dialect=sqlite.dialect(), compile_kwargs={"literal_binds": True}))
    with (
        adbc_driver_sqlite.connect(f"file:{quote(str(path.resolve()))}?mode=ro") as database,
        adbc_driver_manager.AdbcConnection(database) as connection,
        adbc_driver_manager.AdbcStatement(connection) as statement,
    ):
        # A writer that is just closing, or another reader that opens a file at rest, is waited for.
        statement.set_sql_query(f"PRAGMA busy_timeout = {_BUSY_MILLISECONDS}")
        statement.execute_update()
        statement.set_options(**{"adbc.sqlite.query.batch_rows": _ROWS_A_BATCH})
        statement.set_sql_query(text)
        stream, _ = statement.execute_query()
        yield stream
