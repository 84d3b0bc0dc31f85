"""The words of the store: every metric label with its code, every entity; and facts found by them, without detail."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import Connection, select

from factspine.store.schema import fact_context, fact_metric
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


def terms_of_store(connection: Connection) -> Terms:
    """Every label and entity there ever was; whether a fact is current is asked when it is looked up."""
    f = fact_metric.c
    metrics = connection.execute(
        select(f.metric_code, f.metric_label).distinct().order_by(f.metric_code, f.metric_label)
    )
    entities = connection.execute(select(f.entity).distinct().where(f.entity != "").order_by(f.entity))
    return Terms(tuple((code, label) for code, label in metrics), tuple(entities.scalars()))


def facts_of_metrics(
    connection: Connection, codes: Sequence[str], entities: Sequence[str] = (), periods: Sequence[str] = ()
) -> list[PlacedFact]:
    """Facts of these metrics, and of these entities and periods where any are given; answered from the index."""
    f, c = fact_metric.c, fact_context.c
    query = (
        select(f.reading_no, f.source_doc_id, *CELL_COLUMNS)
        .join_from(fact_metric, fact_context, c.context_no == f.context_no)
        .where(f.metric_code.in_(list(codes)))
        .order_by(f.fact_no)
        .limit(_MOST_FACTS)
    )
    if entities:
        query = query.where(f.entity.in_(list(entities)))
    if periods:
        query = query.where(f.period.in_(list(periods)))
    return [PlacedFact(row[0], row[1], CellFact._make(row[2:])) for row in connection.execute(query)]
