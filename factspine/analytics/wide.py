"""Facts side by side: one row a metric, one column a period. A view must name its columns, so a refresh makes anew
those whose columns depend on what the store holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

# Name of the view, type of its periods, and how many of them: the latest. Wider than this nobody reads.
_VIEWS = (("by_year", "FY", 40), ("by_half", "HY", 40), ("by_quarter", "Q", 60), ("by_month", "M", 120))


def create_wide_views(connection: DuckDBPyConnection) -> None:
    """Make the wide views anew, for the periods there are now."""
    for view, period_type, most in _VIEWS:
        found = connection.execute(
            "SELECT DISTINCT period FROM record.fact WHERE is_best AND period_type = ? ORDER BY period DESC LIMIT ?",
            [period_type, most],
        ).fetchall()
        connection.execute(_wide(view, period_type, sorted(period for (period,) in found)))


def _wide(view: str, period_type: str, periods: list[str]) -> str:
    columns = "".join(
        f",\n       max(amount) FILTER (period = {_text(period)}) AS {_name(period)}" for period in periods
    )
    return f"""
CREATE OR REPLACE VIEW {view} AS
SELECT metric_code, any_value(metric_label ORDER BY fact_no) AS metric_label, entity, geography, channel, unit,
       kinds AS kind{columns},
       map_from_entries(list((period, reading_id || '.' || ordinal) ORDER BY period)) AS fact_ids,
       map_from_entries(list((period, source_doc_id || ' · ' || source_locator) ORDER BY period)) AS sources
FROM record.fact
WHERE is_best AND period_type = {_text(period_type)} AND period <> ''
GROUP BY metric_code, entity, geography, channel, unit, kinds
"""  # noqa: S608  quoted below


def _text(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _name(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'
