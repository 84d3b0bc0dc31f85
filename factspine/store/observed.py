"""The facts of a reading as far as comparing two readings needs them: a tuple each, straight from the tables."""

from __future__ import annotations

from sqlalchemy import Connection, select

from factspine.core.observed import Observed, TableMark
from factspine.store.schema import fact_context, fact_metric, interpretation, raw_table, reading, reading_seal


def observed_facts(connection: Connection, reading_id: str) -> list[Observed]:
    """Every fact of a reading, in order; empty where there is no such reading."""
    f, c, s = fact_metric.c, fact_context.c, reading_seal.c
    span = connection.execute(
        select(s.first_fact_no, s.fact_count).join_from(reading, reading_seal).where(reading.c.reading_id == reading_id)
    ).first()
    if span is None:
        return []
    first, count = span
    contexts = {
        row[0]: tuple(row[1:])
        for row in connection.execute(
            select(c.context_no, c.scale, c.status)
            .join_from(fact_context, reading, reading.c.reading_no == c.reading_no)
            .where(reading.c.reading_id == reading_id)
        )
    }
    marks = {
        row[0]: TableMark(*row[1:])
        for row in connection.execute(
            select(raw_table.c.table_no, raw_table.c.locator, raw_table.c.title)
            .join_from(interpretation, raw_table, raw_table.c.table_no == interpretation.c.table_no)
            .join(reading, reading.c.reading_no == interpretation.c.reading_no)
            .where(reading.c.reading_id == reading_id)
        )
    }
    rows = connection.execute(
        select(
            f.source_locator,
            f.metric_label,
            f.entity,
            f.geography,
            f.channel,
            f.period_type,
            f.period,
            f.value_text,
            f.value,
            f.unit,
            f.context_no,
            f.table_no,
        )
        .where(f.fact_no.between(first, first + count - 1))
        .order_by(f.fact_no)
    )
    return [observed(*row[:10], *contexts[row[10]], table=marks[row[11]]) for row in rows]


def observed(
    locator: str,
    label: str,
    entity: str,
    geography: str,
    channel: str,
    period_type: str,
    period: str,
    text: str,
    value: str,
    unit: str,
    scale: int,
    status: str,
    *,
    table: TableMark,
) -> Observed:
    """One fact as the comparison takes it."""
    identity = (label, entity, geography, channel, period_type, period, status)
    return Observed(locator, identity, (text, value, unit, scale), table)
