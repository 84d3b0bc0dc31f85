"""What questions are matched with: the header labels of tables, and the facts that stand under them, without detail."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import Connection, select

from factspine.core.tablecodec import decode_table, stored_texts
from factspine.store.schema import fact_context, fact_metric, header, interpretation, raw_table
from factspine.store.spans import ReadingSpan


class HeadLine(NamedTuple):
    """One row or column of a table: its labels, outermost first, and the part of the table they hold for."""

    axis: str  # r or c
    position: int
    cross_first: int
    cross_last: int
    path: tuple[str, ...]


class TableHeads(NamedTuple):
    """The labels of one table."""

    doc_id: str
    reading_no: int
    table_no: int
    locator: str
    title: str
    first_fact_no: int
    fact_count: int
    lines: tuple[HeadLine, ...]
    corner: str = ""  # what stands over the labels of the rows, and says what they are: Age, 账龄


class CellFact(NamedTuple):
    """A fact as far as matching needs it."""

    fact_no: int
    row: int
    col: int
    metric_code: str
    metric_label: str
    entity: str
    geography: str
    channel: str
    period_type: str
    period: str
    unit: str
    status: str
    value: str


_TEXT_CELLS_MOST = 20_000
_CORNER_CELLS_MOST = 2_000  # of a table whose corner is looked at: a long list has a column of names, and no corner


def texts_of_table(connection: Connection, table: TableHeads) -> list[tuple[int, int]]:
    """The cells of a table that hold words; none where the table is too large to look through for one question."""
    t = raw_table.c
    body = connection.execute(
        select(t.body).where(t.table_no == table.table_no, t.cell_count <= _TEXT_CELLS_MOST)
    ).scalar()
    return [] if body is None else [(cell.row, cell.col) for cell in decode_table(body).cells if cell.text.strip()]


CELL_COLUMNS = (
    fact_metric.c.fact_no,
    fact_metric.c.row_no,
    fact_metric.c.col_no,
    fact_metric.c.metric_code,
    fact_metric.c.metric_label,
    fact_metric.c.entity,
    fact_metric.c.geography,
    fact_metric.c.channel,
    fact_metric.c.period_type,
    fact_metric.c.period,
    fact_metric.c.unit,
    fact_context.c.status,
    fact_metric.c.value,
)  # of a `CellFact`, in its order


def heads_of_reading(connection: Connection, span: ReadingSpan) -> list[TableHeads]:
    """Every table of a reading with its labels, in the order of the document."""
    h, t, i = header.c, raw_table.c, interpretation.c
    lines: dict[int, list[HeadLine]] = defaultdict(list)
    query = select(h.table_no, h.axis, h.position, h.cross_first, h.cross_last, h.path)
    for table_no, axis, position, first, last, path in connection.execute(query.where(h.reading_no == span.reading_no)):
        lines[table_no].append(HeadLine(axis, position, first, last, tuple(json.loads(path))))
    tables = connection.execute(
        select(t.table_no, t.locator, t.title, i.first_fact_no, i.fact_count)
        .join_from(interpretation, raw_table, t.table_no == i.table_no)
        .where(i.reading_no == span.reading_no)
        .order_by(t.ordinal)
    )
    bodies = dict(
        connection.execute(
            select(t.table_no, t.body)
            .join_from(interpretation, raw_table, t.table_no == i.table_no)
            .where(i.reading_no == span.reading_no, t.cell_count <= _CORNER_CELLS_MOST)
        ).all()
    )
    return [
        TableHeads(
            span.doc_id,
            span.reading_no,
            *(table_no, locator, title, first, count),
            tuple(lines[table_no]),
            _corner(bodies.get(table_no), lines[table_no], title),
        )
        for table_no, locator, title, first, count in tables
    ]


def _corner(body: bytes | None, lines: Sequence[HeadLine], title: str) -> str:
    """The one text over the labels of the rows; several head columns of attributes, each a thing to be asked for."""
    rows, cols = ([line.position for line in lines if line.axis == axis] for axis in "rc")
    if body is None or not rows or not cols:
        return ""
    above = [text for (row, col), text in stored_texts(body).items() if row < min(rows) and col < min(cols)]
    found = [text for text in above if text != title]
    return found[0] if len(found) == 1 else ""


def cells_of_table(connection: Connection, table: TableHeads, rows: Sequence[int] = ()) -> list[CellFact]:
    """The facts of a table, or of some of its rows."""
    f, c = fact_metric.c, fact_context.c
    query = (
        select(*CELL_COLUMNS)
        .join_from(fact_metric, fact_context, c.context_no == f.context_no)
        .where(f.fact_no.between(table.first_fact_no, table.first_fact_no + table.fact_count - 1))
        .order_by(f.fact_no)
    )
    if rows:
        query = query.where(f.row_no.in_(list(rows)))
    return [CellFact._make(row) for row in connection.execute(query)]
