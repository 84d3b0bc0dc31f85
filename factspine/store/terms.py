"""The words of the store: every metric label with its code, every entity; and facts found by them, without detail."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from sqlalchemy import BindParameter, Connection, Select, bindparam, select

from factspine.store.access import hidden_from
from factspine.store.schema import fact_context, fact_metric
from factspine.store.spans import ReadingSpan
from factspine.store.table_heads import CELL_COLUMNS, CellFact
from factspine.store.termfile import TermFile, Terms

_MOST_FACTS = 4000
__all__ = ["PlacedFact", "Terms", "facts_of_metrics", "terms_of_readings"]


class PlacedFact(NamedTuple):
    """A fact as far as choosing needs it, and the reading it belongs to."""

    reading_no: int
    doc_id: str
    cell: CellFact


def terms_of_readings(connection: Connection, readings: Sequence[ReadingSpan], path: Path | None) -> Terms:
    """Every label and entity of these readings; labels of other readings are not told of.

    What `path` holds of earlier readings is taken from there, and what is new is added to it.
    """
    known = TermFile.load(path)
    missing = [span for span in readings if span.reading_id not in known]
    f = fact_metric.c
    first: BindParameter[int] = bindparam("first")
    count: BindParameter[int] = bindparam("count")
    query = (
        select(f.metric_code, f.metric_label, f.entity).distinct().where(f.fact_no.between(first, first + count - 1))
    )
    if missing:
        named = (
            (span.reading_id, connection.execute(query, {"first": span.first_fact_no, "count": span.fact_count}))
            for span in missing
        )
        known.add((reading_id, ((code, label, entity) for code, label, entity in rows)) for reading_id, rows in named)
        if path is not None:
            known.save(path)
    return known.of(span.reading_id for span in readings)


def facts_of_metrics(
    connection: Connection, codes: Sequence[str], entities: Sequence[str] = (), periods: Sequence[str] = ()
) -> list[PlacedFact]:
    """Facts of these metrics, and of these entities and periods where any are given; answered from the index."""
    given: dict[str, object] = {"codes": list(codes)}
    if entities:
        given["entities"] = list(entities)
    if periods:
        given["periods"] = list(periods)
    # Before the facts are counted: what is hidden must not take the place of what is not.
    hidden = hidden_from(connection)
    if hidden is not None:
        given["hidden"] = sorted(hidden.readings)
    query = _selected(by_entity=bool(entities), by_period=bool(periods), leave_out=hidden is not None)
    rows = connection.execute(query, given)
    return [PlacedFact(row[0], row[1], CellFact._make(row[2:])) for row in rows]


@cache
def _selected(*, by_entity: bool, by_period: bool, leave_out: bool) -> Select[Any]:
    # Made once each: building a statement takes longer than running it.
    f, c = fact_metric.c, fact_context.c
    query = (
        select(f.reading_no, f.source_doc_id, *CELL_COLUMNS)
        .join_from(fact_metric, fact_context, c.context_no == f.context_no)
        .where(f.metric_code.in_(bindparam("codes", expanding=True)))
        .order_by(f.fact_no)
        .limit(_MOST_FACTS)
    )
    if by_entity:
        query = query.where(f.entity.in_(bindparam("entities", expanding=True)))
    if by_period:
        query = query.where(f.period.in_(bindparam("periods", expanding=True)))
    if leave_out:
        query = query.where(f.reading_no.not_in(bindparam("hidden", expanding=True)))
    return query
