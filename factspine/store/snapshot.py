"""One state of the store, read in several steps: what answering needs, from its first look to its citation."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from sqlalchemy import Connection, select

from factspine.core.facts import Fact
from factspine.store.access import hidden_from
from factspine.store.accounts import passages_of, sealed_runs
from factspine.store.facts import facts_by_number, paths_by_number
from factspine.store.schema import fact_context, run_seal
from factspine.store.spans import ReadingSpan, spans
from factspine.store.table_heads import CellFact, TableHeads, cells_of_table, heads_of_reading, texts_of_table
from factspine.store.terms import PlacedFact, Terms, facts_of_metrics, terms_of_readings

_LAST_RUN = select(run_seal.c.run_id).order_by(run_seal.c.run_no.desc()).limit(1)


class Snapshot:
    """Reads that all see the same state. Made by `FactStore.snapshot`."""

    def __init__(self, connection: Connection, as_of: int | None = None, terms_path: Path | None = None) -> None:
        self._terms_path = terms_path  # where names are kept beside the store
        self._connection = connection
        self._as_of = as_of  # the number of the last run that counts; None for now

    @property
    def version(self) -> str:
        """The id of the last run; `empty` before the first."""
        if self._as_of is not None or hidden_from(self._connection) is not None:
            runs = sealed_runs(self._connection)
            known = [run for run in runs if self._as_of is None or run.run_no <= self._as_of]
            return known[-1].run_id if known else "empty"
        return self._connection.execute(_LAST_RUN).scalar() or "empty"

    def readings(self, documents: Sequence[str] = ()) -> list[ReadingSpan]:
        """The current readings; `documents` are glob patterns."""
        return spans(self._connection, documents, as_of=self._as_of)

    def heads(self, span: ReadingSpan) -> list[TableHeads]:
        """The tables of a reading with their labels."""
        return heads_of_reading(self._connection, span)

    def terms(self, readings: Iterable[ReadingSpan]) -> Terms:
        """Every metric label and entity of some readings, to be asked for by name."""
        return terms_of_readings(self._connection, list(readings), self._terms_path)

    def facts_of(
        self, codes: Sequence[str], entities: Sequence[str] = (), periods: Sequence[str] = ()
    ) -> list[PlacedFact]:
        """Facts of metrics, entities and periods, of any reading, as far as choosing needs them."""
        return facts_of_metrics(self._connection, codes, entities, periods)

    def cells(self, table: TableHeads, rows: Sequence[int] = ()) -> list[CellFact]:
        """The facts of a table, or of some of its rows, as far as matching needs them."""
        return cells_of_table(self._connection, table, rows)

    def opening(self, span: ReadingSpan, passages: int) -> list[str]:
        """How a document begins: its title page says whose it is."""
        return [passage.text for passage in passages_of(self._connection, span)[:passages]]

    def texts(self, table: TableHeads) -> list[tuple[int, int]]:
        """Row and column of the cells of a table that hold words or numbers."""
        return texts_of_table(self._connection, table)

    def periods_and_marks(self, readings: Iterable[ReadingSpan]) -> dict[str, set[tuple[str, str]]]:
        """By document, the last day and the status of everything some readings say."""
        names = {span.reading_no: span.doc_id for span in readings}
        said: dict[str, set[tuple[str, str]]] = {}
        if names:
            c = fact_context.c
            query = select(c.reading_no, c.period_end, c.status).where(c.reading_no.in_(list(names))).distinct()
            for reading_no, period_end, status in self._connection.execute(query):
                said.setdefault(names[reading_no], set()).add((period_end, status))
        return said

    def facts(self, numbers: Iterable[int], readings: Iterable[ReadingSpan]) -> list[Fact]:
        """Facts in full, by number, in order."""
        return facts_by_number(self._connection, numbers, readings)

    def paths(self, numbers: Iterable[int]) -> dict[int, tuple[tuple[str, ...], tuple[str, ...]]]:
        """The labels of the row and of the column of facts, by number: for those that are given, not all looked at."""
        return paths_by_number(self._connection, numbers)
