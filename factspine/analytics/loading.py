"""Into the copy: the rows that are new, which facts are current now, and which of them come first."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib import resources
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from factspine.analytics.changes import record_changes
from factspine.analytics.incoming import RowSource
from factspine.analytics.moving import Mover
from factspine.analytics.wide import create_wide_views
from factspine.store.columns import COLUMN_SETS, ColumnExport
from factspine.store.schema import SCHEMA_VERSION

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_ROWS_A_CHUNK = 20_000
_CELL = {"row_no": "BIGINT", "col_no": "BIGINT"}
_FORMULA_CELLS = {"extraction_no": "BIGINT", "table_no": "BIGINT", **_CELL, "formula": "VARCHAR"}
_LEDGER_CELLS = {
    "ledger_no": "BIGINT",
    "reading_no": "BIGINT",
    "table_no": "BIGINT",
    **_CELL,
    "source_locator": "VARCHAR",
    "value_text": "VARCHAR",
}
_KINDS = "['budget', 'forecast', 'estimate', 'target', 'pro_forma', 'opening', 'closing']"
# Facts are first gathered in memory, some millions at a time, to see which of them are best; then those are written,
# and the others after them.
_SLICE_FACTS = 2_000_000
# What contexts and their readings mean for the facts that have them, worked out once a context.
_MEANING = f"""
CREATE TEMP TABLE meaning AS
SELECT c.context_no, c.scale, c.status, try_cast(c.period_start AS DATE) AS starts,
       try_cast(c.period_end AS DATE) AS ends, list_contains(string_split(c.status, ' '), 'hidden') AS hidden,
       array_to_string(list_sort(list_intersect(string_split(c.status, ' '), {_KINDS})), ' ') AS kinds,
       r.reading_id, r.doc_id, r.first_fact_no, s.is_current
FROM record.context c
JOIN record.reading r ON r.reading_no = c.reading_no
JOIN record.standing s ON s.reading_no = c.reading_no
WHERE c.context_no > ?
"""  # noqa: S608  constants only
# The staged facts that are not best: outranked by another, hidden, or of a reading that is not current.
_BEHIND = """
CREATE TEMP TABLE behind AS
SELECT fact_no FROM ({placed}) WHERE NOT is_best
UNION
SELECT fact_no FROM staged WHERE context_no IN (SELECT context_no FROM meaning WHERE hidden OR NOT is_current)
"""
_STAGED_IN_QUESTION = """(
    SELECT f.*, c.status, c.kinds, c.is_current FROM staged f
    JOIN meaning c ON c.context_no = f.context_no
    WHERE f.question IN (FROM affected))
"""
# Casting to a decimal rounds: only values that fit are cast. Most are short, and what is short fits.
_FRACTION = "if(contains(value, '.'), strlen(value) - instr(value, '.'), 0)"
_WRITE_STAGED = f"""
INSERT INTO record.fact
SELECT f.fact_no, f.reading_no, c.reading_id, f.fact_no - c.first_fact_no + 1,
       f.metric_code, f.metric_label, f.entity, f.geography, f.channel, f.period_type, f.period, c.starts, c.ends,
       CASE WHEN number IS NULL THEN f.value END, f.value_text, f.decimals, f.unit, c.scale, c.status, number,
       CASE WHEN (c.scale >= 0 AND strlen(value) <= 13) OR {_FRACTION} - c.scale <= 12 THEN
            try_cast(if(c.scale = 0, f.value, f.value || 'e' || c.scale) AS DECIMAL(38, 12)) END,
       c.doc_id, f.source_locator, f.table_no, f.row_no, f.col_no, f.context_no, c.kinds, f.question,
       c.is_current, {{best}}
FROM (SELECT *, CASE WHEN strlen(value) <= 19 OR {_FRACTION} <= 18
                THEN try_cast(value AS DECIMAL(38, 18)) END AS number
      FROM staged WHERE {{which}}) f
JOIN meaning c ON c.context_no = f.context_no
"""  # noqa: S608  constants only
_BEST_FIRST = (("true", "fact_no NOT IN (FROM behind)"), ("false", "fact_no IN (FROM behind)"))
_STANDINGS = f"""
INSERT INTO record.standing
SELECT r.reading_no, false, NULL,
       coalesce(max(c.period_end) FILTER (len(list_intersect(string_split(c.status, ' '), {_KINDS})) = 0), ''),
       CASE WHEN bool_or(list_contains(string_split(c.status, ' '), 'unaudited')) THEN false
            WHEN bool_or(list_contains(string_split(c.status, ' '), 'audited')) THEN true END
FROM record.reading r LEFT JOIN record.context c ON c.reading_no = r.reading_no AND c.context_no > ?
WHERE r.reading_no > ? GROUP BY r.reading_no
"""  # noqa: S608  constants only
_TURNED = """
CREATE TEMP TABLE turned AS
WITH last_events AS (SELECT arg_max(reading_no, event_no) AS reading_no FROM record.event GROUP BY document_no)
SELECT s.reading_no, NOT s.is_current AS is_current FROM record.standing s
WHERE s.is_current <> (s.reading_no IN (SELECT reading_no FROM last_events))
"""
_IN_QUESTION = "is_current AND period_type <> 'NONE' AND NOT contains(' ' || status || ' ', ' hidden ')"
# Full columns decide, the hash of three of them only finds: facts that share it may still answer other questions.
_PLACED = f"""
SELECT f.fact_no, row_number() OVER (
    PARTITION BY f.question, f.metric_code, f.entity, f.geography, f.channel, f.period_type, f.period, f.kinds
    ORDER BY t.rank NULLS LAST, NOT record.has_mark(f.status, 'restated'), t.reports_to DESC,
             record.audit_order(f.status, t.audited), r.doc_id, f.source_locator, f.fact_no) = 1 AS is_best
FROM (SELECT * FROM {{facts}} WHERE question IN (FROM affected) AND {_IN_QUESTION}) f
JOIN record.standing t ON t.reading_no = f.reading_no
JOIN record.reading r ON r.reading_no = f.reading_no
"""  # noqa: S608  constants only
_CONTESTED = f"SELECT question FROM {{facts}} WHERE {_IN_QUESTION} GROUP BY question HAVING count(*) > 1"  # noqa: S608


class Plan(NamedTuple):
    """What there is to load: for each kind of row the number loaded so far and the highest there is, in the record's
    own numbers; what of them belongs into the copy and by what numbers; and the numbers the copy has come to."""

    loaded: Mapping[str, int]
    highest: Mapping[str, int]
    moved: Mover
    held: Mapping[str, int]

    def range(self, name: str) -> tuple[int, int]:
        """The numbers of the new rows; empty where the first is beyond the last."""
        return self.loaded.get(name, 0) + 1, self.highest[name]


_LAYOUT = ("tables.sql", "views.sql", "stored.sql")


def layout_text() -> str:
    """The tables and views of a copy, in SQL."""
    folder = resources.files("factspine.analytics")
    return "\n".join(folder.joinpath(name).read_text(encoding="utf-8") for name in _LAYOUT)


def create_layout(connection: DuckDBPyConnection) -> None:
    """The tables and views of an empty copy."""
    connection.execute(layout_text())
    connection.execute("INSERT INTO stored.alembic_version VALUES (?)", [SCHEMA_VERSION])


def load_unpacked(connection: DuckDBPyConnection, export: ColumnExport, plan: Plan) -> None:
    """What lies packed in the record, so that it always comes through the store: the formulas of new tables, and the
    cells of new ledger entries."""
    formulas = export.formulas(*plan.range("raw_table"))
    _load(connection, plan, "formula", _FORMULA_CELLS, formulas, left_out="EXCLUDE (extraction_no)")
    _load(connection, plan, "ledger_cell", _LEDGER_CELLS, export.ledger_cells(*plan.range("ledger")))


def _load(
    connection: DuckDBPyConnection,
    plan: Plan,
    name: str,
    columns: Mapping[str, str],
    rows: Iterator[tuple[Any, ...]],
    *,
    left_out: str = "",
) -> None:
    """Rows of one kind that come one by one, some thousands at a time."""
    cells = ", ".join(f"unnest(?::{kind}[]) AS {column}" for column, kind in columns.items())
    moved = plan.moved(name, f"SELECT {cells}")
    while chunk := list(islice(rows, _ROWS_A_CHUNK)):
        values = [list(column) for column in zip(*chunk, strict=True)]
        connection.execute(f"INSERT INTO record.{name} SELECT * {left_out} FROM ({moved})", values)  # noqa: S608


def load_rows(
    connection: DuckDBPyConnection, source: RowSource, plan: Plan, rank: Callable[[str], int | None], *, rerank: bool
) -> None:
    """Everything that is new; afterwards the copy stands where the plan was made."""
    for name in COLUMN_SETS:
        first, last = plan.range(name)
        if name == "fact" or first > last:
            continue
        for text, parameters in source.rows(connection, name, first, last):
            connection.execute(f"INSERT INTO record.{name} {plan.moved(name, text)}", parameters)
    old_readings, old_contexts, old_facts = (plan.held[name] for name in ("reading", "context", "fact"))
    connection.execute(_STANDINGS, [old_contexts, old_readings])
    connection.execute(_TURNED)
    connection.execute(
        "UPDATE record.standing SET is_current = t.is_current FROM turned t "
        "WHERE record.standing.reading_no = t.reading_no"
    )
    _set_ranks(connection, rank, since=0 if rerank else old_readings)
    slices = _load_facts(connection, source, plan)
    _turn_facts(connection, old_readings)
    if old_facts or rerank or slices > 1:
        _choose_best(connection, everything=rerank or not old_facts)
    record_changes(connection, since_event_no=plan.held["event"])
    create_wide_views(connection)
    connection.execute("DROP TABLE turned")


def _load_facts(connection: DuckDBPyConnection, source: RowSource, plan: Plan) -> int:
    """The new facts, slice by slice, each with its best facts first; how many slices there were."""
    first, last = plan.range("fact")
    connection.execute(_MEANING, [plan.held["context"]])
    slices = 0
    for start in range(first, last + 1, _SLICE_FACTS):
        for _ in source.staged(connection, plan.moved, start, min(start + _SLICE_FACTS - 1, last)):
            slices += 1
            with _affected(connection, "SELECT question FROM staged GROUP BY question HAVING count(*) > 1"):
                connection.execute(_BEHIND.format(placed=_PLACED.format(facts=_STAGED_IN_QUESTION)))
            for best, which in _BEST_FIRST:
                connection.execute(_WRITE_STAGED.format(best=best, which=which))
            connection.execute("DROP TABLE behind")
    connection.execute("DROP TABLE meaning")
    return slices


def _set_ranks(connection: DuckDBPyConnection, rank: Callable[[str], int | None], *, since: int) -> None:
    readings = connection.execute("SELECT reading_no, doc_id FROM record.reading WHERE reading_no > ?", [since])
    ranks = [(reading_no, rank(doc_id)) for reading_no, doc_id in readings.fetchall()]
    if since and all(place is None for _, place in ranks):
        return
    connection.execute(
        "UPDATE record.standing SET rank = given.rank FROM "
        "(SELECT unnest(?::BIGINT[]) AS reading_no, unnest(?::INTEGER[]) AS rank) given "
        "WHERE record.standing.reading_no = given.reading_no",
        [[number for number, _ in ranks], [place for _, place in ranks]],
    )


def _turn_facts(connection: DuckDBPyConnection, old_readings: int) -> None:
    """Facts loaded earlier that ceased to be current, or are current once more."""
    connection.execute(
        "UPDATE record.fact SET is_current = t.is_current, "
        "is_best = t.is_current AND NOT record.has_mark(status, 'hidden') "
        "FROM turned t WHERE record.fact.reading_no = t.reading_no AND t.reading_no <= ?",
        [old_readings],
    )


def _choose_best(connection: DuckDBPyConnection, *, everything: bool) -> None:
    """Which facts come first, wherever that may have changed."""
    turned = "SELECT DISTINCT question FROM record.fact WHERE reading_no IN (SELECT reading_no FROM turned)"
    with _affected(connection, _CONTESTED.format(facts="record.fact") if everything else turned):
        connection.execute(
            f"UPDATE record.fact SET is_best = placed.is_best FROM ({_PLACED.format(facts='record.fact')}) placed "  # noqa: S608
            "WHERE record.fact.fact_no = placed.fact_no AND record.fact.is_best <> placed.is_best"
        )


@contextmanager
def _affected(connection: DuckDBPyConnection, questions: str) -> Iterator[None]:
    """The questions whose facts are to be put in order; what nobody else speaks of is best already."""
    connection.execute(f"CREATE TEMP TABLE affected AS {questions}")
    yield
    connection.execute("DROP TABLE affected")


def held_numbers(connection: DuckDBPyConnection) -> dict[str, int]:
    """The highest numbers a copy has."""
    found = {}
    for name in ("event", "reading", "context", "fact"):
        # Fetched to its end: an unfinished result blocks what comes next.
        ((number,),) = connection.execute(f"SELECT coalesce(max({name}_no), 0) FROM record.{name}").fetchall()  # noqa: S608
        found[name] = int(number)
    return found
