"""The rules that keep the record as it was written, and views for people with a database browser.

Revision ID: 0002
Revises: 0001
"""

from __future__ import annotations

from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute(_CURRENT_READING)
    op.execute(_FACT)
    _forbid_changes()


# For people who open the file in a database browser: what is current now, and each current fact with its lineage.
_CURRENT_READING = """
CREATE VIEW current_reading AS
SELECT document.doc_id, event.reading_no, reading.reading_id, revision.file_hash, extraction.extractor_version,
       reading.mapping_version, reading.sensitivity, run_seal.run_id AS known_from, run.started_at AS known_from_time,
       reading_seal.first_fact_no, reading_seal.fact_count
FROM document
JOIN event ON event.event_no = (SELECT max(event_no) FROM event AS latest
                                WHERE latest.document_no = document.document_no)
JOIN run ON run.run_no = event.run_no
JOIN run_seal ON run_seal.run_no = event.run_no
JOIN reading ON reading.reading_no = event.reading_no
JOIN reading_seal ON reading_seal.reading_no = event.reading_no
JOIN extraction ON extraction.extraction_no = reading.extraction_no
JOIN revision ON revision.revision_no = extraction.revision_no
"""

_FACT = """
CREATE VIEW fact AS
SELECT current_reading.reading_id || '.' || (f.fact_no - current_reading.first_fact_no + 1) AS fact_id,
       f.metric_code, f.entity, f.geography, f.channel, f.period_type, f.period, f.value, f.unit, f.source_doc_id,
       f.source_locator, f.metric_label, f.value_text, f.decimals, c.scale, c.unit_evidence, c.period_start,
       c.period_end, c.status, current_reading.sensitivity, current_reading.file_hash,
       current_reading.extractor_version, current_reading.mapping_version, current_reading.known_from,
       current_reading.known_from_time
FROM current_reading
JOIN fact_metric AS f ON f.fact_no >= current_reading.first_fact_no
                     AND f.fact_no < current_reading.first_fact_no + current_reading.fact_count
JOIN fact_context AS c ON c.context_no = f.context_no
"""


_TABLES = (
    "document",
    "run",
    "revision",
    "run_seal",
    "extraction",
    "passage",
    "raw_table",
    "reading",
    "event",
    "fact_context",
    "finding",
    "interpretation",
    "reading_seal",
    "fact_metric",
    "header",
    "ledger",
)

_POSTGRESQL_FUNCTION = """
CREATE FUNCTION factspine_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'nothing in % is changed or deleted', TG_TABLE_NAME;
END $$
"""


def _forbid_changes() -> None:
    sqlite = op.get_bind().dialect.name == "sqlite"
    if not sqlite:
        op.execute(_POSTGRESQL_FUNCTION)
    for table in _TABLES:
        if not sqlite:
            op.execute(
                f"CREATE TRIGGER {table}_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON {table} "
                "FOR EACH STATEMENT EXECUTE FUNCTION factspine_append_only()"
            )
            continue
        for action in ("update", "delete"):
            op.execute(
                f"CREATE TRIGGER {table}_no_{action} BEFORE {action.upper()} ON {table} "
                f"BEGIN SELECT RAISE(ABORT, 'nothing in {table} is changed or deleted'); END"
            )
