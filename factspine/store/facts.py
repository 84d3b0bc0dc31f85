"""Reading facts: filters in SQL, records one by one, in order of document and place."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from typing import Any

from sqlalchemy import ColumnElement, CompoundSelect, Connection, Row, Select, bindparam, func, or_, select, union_all

from factspine.core.errors import UsageError
from factspine.core.facts import OWN_CELL, Fact
from factspine.core.locators import Locator, cell_position, parse
from factspine.core.tables import Position
from factspine.store.schema import fact_context, fact_metric, header
from factspine.store.spans import ReadingSpan, current_span, span_of_reading, spans
from factspine.store.tables import CellDetails, Labels

_ROWS_A_FETCH = 2000
_f, _c = fact_metric.c, fact_context.c


@dataclass(frozen=True, slots=True, kw_only=True)
class FactFilter:
    """What facts are wanted; everything that is given must hold. Texts match whatever their case."""

    documents: Sequence[str] = ()  # glob patterns, any of which may match
    metric: str = ""  # the code, or a part of the label
    metric_codes: Sequence[str] = ()  # exact codes: answered from the index
    entity: str = ""
    geography: str = ""
    channel: str = ""
    period: str = ""
    unit: str = ""
    status: str = ""  # one of the status marks
    text: str = ""  # a part of the label, the cell text or the locator

    def conditions(self) -> list[ColumnElement[bool]]:
        """The filter in SQL, the documents left out."""
        found: list[ColumnElement[bool]] = []
        if self.metric:
            found.append(or_(_same(_f.metric_code, self.metric), _within(_f.metric_label, self.metric)))
        if self.metric_codes:
            found.append(_f.metric_code.in_(list(self.metric_codes)))
        found.extend(_same(_f[name], getattr(self, name)) for name in _EQUAL if getattr(self, name))
        if self.status:
            found.append(_within(" " + _c.status + " ", f" {self.status} "))
        if self.text:
            found.append(
                or_(*(_within(_f[name], self.text) for name in ("metric_label", "value_text", "source_locator")))
            )
        return found


_EQUAL = ("entity", "geography", "channel", "period", "unit")


def find_facts(
    connection: Connection, wanted: FactFilter, *, all_revisions: bool = False, as_of: int | None = None
) -> Iterator[Fact]:
    """Facts one by one; in order of document, reading and place."""
    readings = spans(connection, wanted.documents, all_revisions=all_revisions, as_of=as_of)
    if wanted.metric_codes:
        yield from _through_index(connection, wanted, readings)
        return
    details = CellDetails(connection, whole_tables=True)
    for span in readings:
        query = _facts_of(span).where(*wanted.conditions()).order_by(_f.fact_no)
        for row in connection.execute(query.execution_options(yield_per=_ROWS_A_FETCH)):
            yield _fact(row, span, details)


def fact_by_id(connection: Connection, fact_id: str) -> Fact | None:
    """The fact of that id, current or not."""
    found = _row_of_id(connection, fact_id)
    return None if found is None else _fact(*found, CellDetails(connection))


def cell_of(connection: Connection, fact_id: str) -> tuple[int, Position] | None:
    """The number of the table the fact of that id was read from, current or not, and the place of its cell there."""
    found = _row_of_id(connection, fact_id)
    return None if found is None else (int(found[0].table_no), (int(found[0].row_no), int(found[0].col_no)))


def _row_of_id(connection: Connection, fact_id: str) -> tuple[Row[Any], ReadingSpan] | None:
    reading_id, _, ordinal = fact_id.partition(".")
    if not (ordinal.isascii() and ordinal.isdigit()):
        raise UsageError(f"not a fact id: {fact_id[:60]!r}")
    span = span_of_reading(connection, reading_id)
    if span is None or not 1 <= int(ordinal) <= span.fact_count:
        return None
    row = connection.execute(_select().where(_f.fact_no == span.first_fact_no + int(ordinal) - 1)).first()
    return None if row is None else (row, span)


def facts_by_number(connection: Connection, numbers: Iterable[int], readings: Iterable[ReadingSpan]) -> list[Fact]:
    """Facts of these readings by their numbers in the store, in order; without header paths and formulas."""
    of_reading = {span.reading_no: span for span in readings}
    found = connection.execute(_selected_by_number(), {"numbers": sorted(set(numbers))}).all()
    return [_fact(row, of_reading[row.reading_no], None) for row in found if row.reading_no in of_reading]


@cache
def _selected_by_number() -> Select[Any]:
    # Made once: building a statement takes longer than running it.
    return _select().where(_f.fact_no.in_(bindparam("numbers", expanding=True))).order_by(_f.fact_no)


def paths_by_number(connection: Connection, numbers: Iterable[int]) -> dict[int, tuple[Labels, Labels]]:
    """The labels of the row and of the column of facts, by their numbers in the store."""
    found: dict[int, dict[str, Labels]] = defaultdict(dict)
    for number, axis, path in connection.execute(_selected_paths(), {"numbers": sorted(set(numbers))}):
        found[number].setdefault(axis, tuple(json.loads(path)))
    return {number: (paths.get("r", ()), paths.get("c", ())) for number, paths in found.items()}


@cache
def _selected_paths() -> CompoundSelect[Any]:
    h = header.c
    sides = (("r", _f.row_no, _f.col_no), ("c", _f.col_no, _f.row_no))
    return union_all(
        *(
            select(_f.fact_no, h.axis, h.path).where(
                _f.fact_no.in_(bindparam("numbers", expanding=True)),
                h.reading_no == _f.reading_no,
                h.table_no == _f.table_no,
                h.axis == axis,
                h.position == position,
                cross.between(h.cross_first, h.cross_last),
            )
            for axis, position, cross in sides
        )
    )


def fact_at(connection: Connection, doc_id: str, locator: str, *, as_of: int | None = None) -> tuple[Fact, int] | None:
    """The current fact at a place, and its table's number; any form of locator that names one cell will do."""
    return fact_in(connection, current_span(connection, doc_id, as_of=as_of), locator)


def fact_in(connection: Connection, span: ReadingSpan, locator: str) -> tuple[Fact, int] | None:
    """The fact at a place of one reading, and its table's number."""
    row = connection.execute(_facts_of(span).where(_f.source_locator == locator).limit(1)).first()
    if row is None:
        numbers = _matching(connection, span, parse(locator))
        if len(numbers) > 1:
            raise UsageError(f"{locator} names {len(numbers)} facts; add the cell, row or column")
        if not numbers:
            return None
        row = connection.execute(_select().where(_f.fact_no == numbers[0])).one()
    return _fact(row, span, CellDetails(connection)), row.table_no


def _matching(connection: Connection, span: ReadingSpan, asked: Locator) -> list[int]:
    """Facts whose locator says everything that is asked; labels first, then `row` and `col` taken as numbers."""
    wanted = [frozenset(asked.pairs)]
    row, col = asked.number("row"), asked.number("col")
    if row is not None and col is not None and asked.get("cell") is None:
        wanted.append(frozenset((*asked.without("row", "col").pairs, ("cell", f"R{row}C{col}"))))
    cell = asked.get("cell")
    if cell is not None and cell_position(cell) is not None:
        wanted.append(frozenset(asked.without("row", "col").pairs))
    in_range = _f.fact_no.between(span.first_fact_no, span.first_fact_no + span.fact_count - 1)
    places = connection.execute(select(_f.fact_no, _f.source_locator).where(in_range)).all()
    # Only facts of the same sheet, slide or page are parsed.
    first = str(Locator(asked.pairs[:1]))
    near = [(number, frozenset(parse(place).pairs)) for number, place in places if place.startswith(first + ",")]
    for pairs in wanted:
        if found := [number for number, place in near if pairs <= place]:
            return found
    return []


def _through_index(connection: Connection, wanted: FactFilter, readings: Iterable[ReadingSpan]) -> Iterator[Fact]:
    by_reading: dict[int, list[Row[Any]]] = defaultdict(list)
    for row in connection.execute(_select().where(*wanted.conditions()).order_by(_f.fact_no)):
        by_reading[row.reading_no].append(row)
    details = CellDetails(connection)
    for span in readings:
        for row in by_reading.get(span.reading_no, ()):
            yield _fact(row, span, details)


def _select() -> Select[Any]:
    context = (_c.scale, _c.unit_evidence, _c.period_start, _c.period_end, _c.status)
    return select(*fact_metric.columns, *context).join_from(fact_metric, fact_context, _c.context_no == _f.context_no)


def _facts_of(span: ReadingSpan) -> Select[Any]:
    return _select().where(_f.fact_no.between(span.first_fact_no, span.first_fact_no + span.fact_count - 1))


def _same(column: ColumnElement[Any], text: str) -> ColumnElement[bool]:
    return func.lower(column) == _lower(text)


def _within(column: ColumnElement[Any], text: str) -> ColumnElement[bool]:
    return func.lower(column).contains(_lower(text), autoescape=True)


def _lower(text: str) -> str:
    # SQLite's lower() knows ASCII only; what we compare it with must be folded the same way.
    return "".join(mark.lower() if mark.isascii() else mark for mark in text)


def _fact(row: Any, span: ReadingSpan, details: CellDetails | None) -> Fact:
    # Unpacked at once: looking the columns up by name nearly doubles the time a fact takes.
    (fact_no, metric_code, entity, geography, channel, period_type, period, value, unit, doc_id, locator) = row[:11]
    (label, text, decimals, reading_no, table_no, row_no, col_no, _, scale, evidence, start, end, status) = row[11:]
    row_path, col_path, formula = ((), (), "") if details is None else details.of(reading_no, table_no, row_no, col_no)
    return Fact(
        metric_code,
        entity,
        geography,
        channel,
        period_type,
        period,
        Decimal(value),
        unit,
        doc_id,
        locator,
        fact_id=f"{span.reading_id}.{fact_no - span.first_fact_no + 1}",
        metric_label=label,
        value_text=text,
        decimals=decimals,
        scale=scale,
        unit_evidence=locator if evidence == OWN_CELL else evidence,
        row_path=row_path,
        col_path=col_path,
        period_start=start,
        period_end=end,
        status=status,
        sensitivity=span.sensitivity,
        formula=formula,
        source_file_hash=span.file_hash,
        extractor_version=span.extractor_version,
        mapping_version=span.mapping_version,
        known_from=span.known_from,
        known_to=span.known_to,
    )
