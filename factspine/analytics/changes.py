"""What became of single facts when a document was read anew, told by the comparison every part of FactSpine uses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from factspine.core.changes import compare
from factspine.core.observed import Observed, TableMark

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_STEPS = """
SELECT event_no, earlier, reading_no FROM (
    SELECT event_no, reading_no, lag(reading_no) OVER (PARTITION BY document_no ORDER BY event_no) AS earlier
    FROM record.event)
WHERE event_no > ? AND reading_no <> 0 AND earlier <> 0 ORDER BY event_no
"""
# Most tables of a new revision stand where they stood and say what they said: those that agree in every fact are found
# here and left out, as the comparison itself would do first. Of the others it needs every fact, because what a table
# says tells which it is.
_LEFT = """
WITH fact AS (
        SELECT f.*, record.exact(f.value_number, f.long_value) AS value, t.locator AS table_locator, t.title
        FROM record.fact f JOIN record.raw_table t USING (table_no)
        WHERE f.reading_no IN ($before, $after)),
     paired AS (
        SELECT b.table_no AS before_no, a.table_no AS after_no, count(*) AS pairs
        FROM (FROM fact WHERE reading_no = $before) b JOIN (FROM fact WHERE reading_no = $after) a
        USING (table_locator, title, source_locator, metric_label, entity, geography, channel, period_type, period,
               status, value_text, value, unit, scale)
        GROUP BY ALL),
     size AS (SELECT reading_no, table_no, count(*) AS facts FROM fact GROUP BY ALL),
     same AS (
        SELECT before_no, after_no FROM paired
        JOIN size b ON b.reading_no = $before AND b.table_no = before_no AND b.facts = pairs
        JOIN size a ON a.reading_no = $after AND a.table_no = after_no AND a.facts = pairs)
SELECT fact_no, table_locator, title, source_locator, metric_label, entity, geography, channel, period_type, period,
       status, value_text, value, unit, scale
FROM fact WHERE reading_no = ${side} AND table_no NOT IN (SELECT {side}_no FROM same) ORDER BY fact_no
"""


def record_changes(connection: DuckDBPyConnection, *, since_event_no: int) -> None:
    """Note down the fate of each fact, the unchanged left out, for every later event that read a document anew."""
    for event_no, earlier, later in connection.execute(_STEPS, [since_event_no]).fetchall():
        before = _observed(connection, "before", earlier, later)
        after = _observed(connection, "after", earlier, later)
        fates = [
            (event_no, fate, _number(before, old), _number(after, new))
            for fate, old, new in compare([one for _, one in before], [one for _, one in after])
            if fate != "unchanged"
        ]
        if fates:
            connection.execute(
                "INSERT INTO record.change SELECT unnest(?::BIGINT[]), unnest(?::VARCHAR[]), "
                "unnest(?::BIGINT[]), unnest(?::BIGINT[])",
                [list(column) for column in zip(*fates, strict=True)],
            )


def _observed(connection: DuckDBPyConnection, side: str, earlier: int, later: int) -> list[tuple[int, Observed]]:
    rows = connection.execute(_LEFT.format(side=side), {"before": earlier, "after": later}).fetchall()
    return [(row[0], Observed(row[3], tuple(row[4:11]), tuple(row[11:]), TableMark(row[1], row[2]))) for row in rows]


def _number(facts: list[tuple[int, Observed]], index: int | None) -> int | None:
    return None if index is None else facts[index][0]
