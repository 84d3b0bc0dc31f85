"""Stored raw tables, and what the store knows about single cells of them: the labels that head them, their formulas."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Select, and_, or_, select

from factspine.core.tablecodec import decode_table, stored_formulas
from factspine.core.tables import Position, RawTable
from factspine.store.schema import header, interpretation, raw_table
from factspine.store.spans import ReadingSpan

Labels = tuple[str, ...]
_PathsByPosition = dict[tuple[str, int], list[tuple[int, int, Labels]]]


@dataclass(frozen=True, slots=True, kw_only=True)
class TableRecord:
    """A stored table without its cells, and what was made of it."""

    table_no: int
    locator: str
    kind: str
    title: str
    n_rows: int
    n_cols: int
    cell_count: int
    facts: int
    numeric_cells: int
    header_rows: int
    header_cols: int


def tables_of(connection: Connection, span: ReadingSpan) -> list[TableRecord]:
    """The tables of one reading, in the order of the document."""
    t, i = raw_table.c, interpretation.c
    rows = connection.execute(
        select(
            t.table_no,
            t.locator,
            t.kind,
            t.title,
            t.n_rows,
            t.n_cols,
            t.cell_count,
            i.fact_count.label("facts"),
            i.numeric_cells,
            i.header_rows,
            i.header_cols,
        )
        .join_from(
            raw_table,
            interpretation,
            and_(i.table_no == t.table_no, i.reading_no == span.reading_no),
            isouter=True,
        )
        .where(t.extraction_no == span.extraction_no)
        .order_by(t.ordinal)
    )
    # A table nobody could interpret has no counts; it counts nothing.
    records: list[dict[str, Any]] = [
        {name: 0 if value is None else value for name, value in row._mapping.items()} for row in rows
    ]
    return [TableRecord(**record) for record in records]


def table_at(connection: Connection, span: ReadingSpan, locator: str) -> RawTable | None:
    """The table of that locator in one reading."""
    t = raw_table.c
    return _decoded(connection, select(t.body).where(t.extraction_no == span.extraction_no, t.locator == locator))


def table_by_number(connection: Connection, table_no: int) -> RawTable | None:
    """The table of that number."""
    return _decoded(connection, select(raw_table.c.body).where(raw_table.c.table_no == table_no))


def _decoded(connection: Connection, query: Select[Any]) -> RawTable | None:
    body = connection.execute(query).scalar()
    return None if body is None else decode_table(body)


class CellDetails:
    """Labels and formulas of cells, looked up cell by cell or, for a run through whole tables, table by table."""

    def __init__(self, connection: Connection, *, whole_tables: bool = False) -> None:
        self._connection = connection
        self._whole_tables = whole_tables
        self._paths_of: tuple[int, int] | None = None
        self._paths: _PathsByPosition = {}
        self._formulas_of: int | None = None
        self._formulas: dict[Position, str] = {}

    def of(self, reading_no: int, table_no: int, row: int, col: int) -> tuple[Labels, Labels, str]:
        """Row path, column path and formula of a cell."""
        if not self._whole_tables:
            self._paths = self._load(reading_no, table_no, (row, col))
        elif self._paths_of != (reading_no, table_no):
            self._paths = self._load(reading_no, table_no)
            self._paths_of = (reading_no, table_no)
        if self._formulas_of != table_no:
            self._formulas = self._load_formulas(table_no)
            self._formulas_of = table_no
        formula = self._formulas.get((row, col), "") if self._formulas else ""
        return self._path("r", row, col), self._path("c", col, row), formula

    def _path(self, axis: str, position: int, cross: int) -> Labels:
        for first, last, labels in self._paths.get((axis, position), ()):
            if first <= cross <= last:
                return labels
        return ()

    def _load(self, reading_no: int, table_no: int, cell: Position | None = None) -> _PathsByPosition:
        h = header.c
        query = select(h.axis, h.position, h.cross_first, h.cross_last, h.path).where(
            h.reading_no == reading_no, h.table_no == table_no
        )
        if cell is not None:
            row, col = cell
            query = query.where(or_(and_(h.axis == "r", h.position == row), and_(h.axis == "c", h.position == col)))
        return _by_position(self._connection.execute(query))

    def _load_formulas(self, table_no: int) -> dict[Position, str]:
        t = raw_table.c
        body = self._connection.execute(select(t.body).where(t.table_no == table_no, t.formula_count > 0)).scalar()
        return {} if body is None else stored_formulas(body)


def _by_position(rows: Iterable[Any]) -> _PathsByPosition:
    paths: _PathsByPosition = defaultdict(list)
    for axis, position, first, last, path in rows:
        paths[axis, position].append((first, last, tuple(json.loads(path))))
    return paths
