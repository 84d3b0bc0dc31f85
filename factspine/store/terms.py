"""The words of the store: every metric label with its code, every entity; and facts found by them, without detail."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

from sqlalchemy import Connection, Select, bindparam, func, select

from factspine.store.schema import fact_context, fact_metric, reading
from factspine.store.table_heads import CELL_COLUMNS, CellFact

_MOST_FACTS = 4000


class Terms(NamedTuple):
    """What can be asked for by name."""

    metrics: tuple[tuple[str, str], ...]  # code, label
    entities: tuple[str, ...]


class PlacedFact(NamedTuple):
    """A fact as far as choosing needs it, and the reading it belongs to."""

    reading_no: int
    doc_id: str
    cell: CellFact


def terms_of_store(connection: Connection, readings: Sequence[int]) -> Terms:
    """Every label and entity of these readings; labels of other readings are not told of."""
    f = fact_metric.c
    metrics = select(f.metric_code, f.metric_label).distinct().order_by(f.metric_code, f.metric_label)
    entities = select(f.entity).distinct().where(f.entity != "").order_by(f.entity)
    if connection.execute(select(func.count()).select_from(reading)).scalar() != len(set(readings)):
        among = f.reading_no.in_(list(readings))
        metrics, entities = metrics.where(among), entities.where(among)
    return Terms(
        tuple((code, label) for code, label in connection.execute(metrics)),
        tuple(connection.execute(entities).scalars()),
    )


def facts_of_metrics(
    connection: Connection, codes: Sequence[str], entities: Sequence[str] = (), periods: Sequence[str] = ()
) -> list[PlacedFact]:
    """Facts of these metrics, and of these entities and periods where any are given; answered from the index."""
    given: dict[str, object] = {"codes": list(codes)}
    if entities:
        given["entities"] = list(entities)
    if periods:
        given["periods"] = list(periods)
    rows = connection.execute(_selected(by_entity=bool(entities), by_period=bool(periods)), given)
    return [PlacedFact(row[0], row[1], CellFact._make(row[2:])) for row in rows]


@cache
def _selected(*, by_entity: bool, by_period: bool) -> Select[Any]:
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
    return query
