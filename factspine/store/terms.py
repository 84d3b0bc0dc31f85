"""The words of the store: every metric label with its code, every entity; and facts found by them, without detail."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from sqlalchemy import Column, ColumnElement, Connection, Select, bindparam, select

from factspine.store.access import hidden_from
from factspine.store.schema import fact_context, fact_metric
from factspine.store.spans import ReadingSpan
from factspine.store.table_heads import CELL_COLUMNS, CellFact
from factspine.store.termfile import ReadingNames, TermFile, Terms

_MOST_FACTS = 4000
_FEW = 3
__all__ = ["PlacedFact", "Terms", "facts_of_metrics", "terms_of_readings"]


class PlacedFact(NamedTuple):
    """A fact as far as choosing needs it, and the reading it belongs to."""

    reading_no: int
    doc_id: str
    cell: CellFact


def terms_of_readings(connection: Connection, readings: Sequence[ReadingSpan], path: Path | None) -> Terms:
    """Every label and entity of these readings; labels of other readings are not told of.

    What `path` holds of them is taken from there, and what it does not is gathered from the facts and added to it.
    """
    known = TermFile.load(path)
    missing = [span for span in readings if span.reading_id not in known]
    if missing:
        known.add((span.reading_id, _gathered(connection, span)) for span in missing)
        if path is not None:
            known.save(path)
    return known.of(span.reading_id for span in readings)


def _gathered(connection: Connection, span: ReadingSpan) -> ReadingNames:
    """The names of a reading, from its facts."""
    f = fact_metric.c
    mine = f.fact_no.between(span.first_fact_no, span.first_fact_no + span.fact_count - 1)
    metrics = connection.execute(select(f.metric_code, f.metric_label).distinct().where(mine)).all()
    entities = connection.execute(select(f.entity).distinct().where(mine)).scalars().all()
    return ReadingNames({(code, label) for code, label in metrics}, set(entities))


def facts_of_metrics(
    connection: Connection, codes: Sequence[str], entities: Sequence[str] = (), periods: Sequence[str] = ()
) -> list[PlacedFact]:
    """Facts of these metrics, and of these entities and periods where any are given; answered from the index."""
    given: dict[str, object] = {}
    for name, values in (("code", codes), ("entity", entities), ("period", periods)):
        given |= {name: list(values)} if len(values) > _FEW else {f"{name}_{at}": one for at, one in enumerate(values)}
    # Before the facts are counted: what is hidden must not take the place of what is not.
    hidden = hidden_from(connection)
    if hidden is not None:
        given["hidden"] = sorted(hidden.readings)
    counts = (min(len(values), _FEW + 1) for values in (codes, entities, periods))
    rows = connection.execute(_selected(*counts, leave_out=hidden is not None), given)
    return [PlacedFact(row[0], row[1], CellFact._make(row[2:])) for row in rows]


@cache
def _selected(codes: int, entities: int, periods: int, *, leave_out: bool) -> Select[Any]:
    """The query for so many codes, entities and periods; made once each, which takes longer than running it."""
    f, c = fact_metric.c, fact_context.c
    query = (
        select(f.reading_no, f.source_doc_id, *CELL_COLUMNS)
        .join_from(fact_metric, fact_context, c.context_no == f.context_no)
        .where(_one_of(f.metric_code, "code", codes))
        .order_by(f.fact_no)
        .limit(_MOST_FACTS)
    )
    if entities:
        query = query.where(_one_of(f.entity, "entity", entities))
    if periods:
        query = query.where(_one_of(f.period, "period", periods))
    return query.where(f.reading_no.not_in(bindparam("hidden", expanding=True))) if leave_out else query


def _one_of(column: Column[Any], name: str, count: int) -> ColumnElement[bool]:
    # A list of any length is written into the statement anew each time; a few have places of their own.
    if count > _FEW:
        return column.in_(bindparam(name, expanding=True))
    return column.in_([bindparam(f"{name}_{at}", type_=column.type) for at in range(count)])
