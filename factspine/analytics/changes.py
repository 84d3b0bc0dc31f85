"""What became of single facts when a document was read anew, told by the comparison every part of FactSpine uses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from factspine.core.changes import Observed, compare

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_STEPS = """
SELECT event_no, earlier, reading_no FROM (
    SELECT event_no, reading_no, lag(reading_no) OVER (PARTITION BY document_no ORDER BY event_no) AS earlier
    FROM record.event)
WHERE event_no > ? AND reading_no <> 0 AND earlier <> 0 ORDER BY event_no
"""
# Most facts of a new revision stand where they stood and say what they said: pairs that agree in everything are
# found here, and only one a sheet, slide or page goes on, so that the comparison knows these places still exist.
_LEFT = """
WITH before AS (SELECT *, record.exact(value_number, long_value) AS value FROM record.fact WHERE reading_no = $before),
     after AS (SELECT *, record.exact(value_number, long_value) AS value FROM record.fact WHERE reading_no = $after),
     paired AS (
        SELECT b.fact_no AS before_no, a.fact_no AS after_no,
               row_number() OVER (
                   PARTITION BY regexp_extract(b.source_locator, '^(.*?)(,(cell|row|col|series|cat|point)=|$)', 1)
                   ORDER BY b.fact_no) = 1 AS kept
        FROM before b JOIN after a USING (source_locator, metric_label, entity, geography, channel, period_type,
                                          period, status, value_text, value, unit, scale)
        QUALIFY count(*) OVER (PARTITION BY b.source_locator) = 1
     )
SELECT fact_no, source_locator, metric_label, entity, geography, channel, period_type, period, status,
       value_text, value, unit, scale
FROM {side} WHERE fact_no NOT IN (SELECT {side}_no FROM paired WHERE NOT kept) ORDER BY fact_no
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
    return [(row[0], Observed(row[1], tuple(row[2:9]), tuple(row[9:]))) for row in rows]


def _number(facts: list[tuple[int, Observed]], index: int | None) -> int | None:
    return None if index is None else facts[index][0]
