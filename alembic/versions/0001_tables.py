"""The tables of the record: documents, readings, facts and runs.

Revision ID: 0001
Revises:
"""

from __future__ import annotations

import sqlalchemy as sa

from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

_NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    _create_document_and_run()
    _create_revision_and_run_seal()
    _create_extraction_and_passage()
    _create_raw_table()
    _create_reading_and_event()
    _create_fact_context_and_finding()
    _create_interpretation()
    _create_reading_seal()
    _create_fact_metric()
    _create_header_and_ledger()


def _create_document_and_run() -> None:
    op.create_table(
        "document",
        sa.Column("document_no", _NUMBER, autoincrement=False, nullable=False),
        sa.Column("doc_id", sa.Text(), nullable=False),
        sa.CheckConstraint("doc_id <> ''", name=op.f("ck_document_doc_id_given")),
        sa.PrimaryKeyConstraint("document_no", name=op.f("pk_document")),
        sa.UniqueConstraint("doc_id", name=op.f("uq_document_doc_id")),
        sqlite_strict=True,
    )
    op.create_table(
        "run",
        sa.Column("run_no", _NUMBER, autoincrement=False, nullable=False),
        sa.Column("started_at", sa.Text(), nullable=False),
        sa.Column("factspine_version", sa.Text(), nullable=False),
        sa.CheckConstraint("factspine_version <> ''", name=op.f("ck_run_factspine_version_given")),
        sa.CheckConstraint("started_at <> ''", name=op.f("ck_run_started_at_given")),
        sa.PrimaryKeyConstraint("run_no", name=op.f("pk_run")),
        sqlite_strict=True,
    )


def _create_revision_and_run_seal() -> None:
    op.create_table(
        "revision",
        sa.Column("revision_no", _NUMBER, autoincrement=False, nullable=False),
        sa.Column("document_no", _NUMBER, nullable=False),
        sa.Column("file_hash", sa.Text(), nullable=False),
        sa.Column("media_type", sa.Text(), nullable=False),
        sa.Column("size_bytes", _NUMBER, nullable=False),
        sa.Column("first_run_no", _NUMBER, nullable=False),
        sa.CheckConstraint("media_type <> ''", name=op.f("ck_revision_media_type_given")),
        sa.CheckConstraint("length(file_hash) = 64", name=op.f("ck_revision_file_hash_is_sha256")),
        sa.CheckConstraint("size_bytes >= 0", name=op.f("ck_revision_size_not_negative")),
        sa.ForeignKeyConstraint(["document_no"], ["document.document_no"], name=op.f("fk_revision_document_no")),
        sa.ForeignKeyConstraint(["first_run_no"], ["run.run_no"], name=op.f("fk_revision_first_run_no")),
        sa.PrimaryKeyConstraint("revision_no", name=op.f("pk_revision")),
        sa.UniqueConstraint("document_no", "file_hash", name=op.f("uq_revision_document_no_file_hash")),
        sqlite_strict=True,
    )
    op.create_table(
        "run_seal",
        sa.Column("run_no", _NUMBER, autoincrement=False, nullable=False),
        sa.Column("run_id", sa.Text(), nullable=False),
        sa.Column("finished_at", sa.Text(), nullable=False),
        sa.Column("event_count", sa.Integer(), nullable=False),
        sa.Column("fact_count", _NUMBER, nullable=False),
        sa.Column("root", sa.LargeBinary(), nullable=False),
        sa.Column("previous_seal", sa.LargeBinary(), nullable=False),
        sa.Column("seal", sa.LargeBinary(), nullable=False),
        sa.CheckConstraint("finished_at <> ''", name=op.f("ck_run_seal_finished_at_given")),
        sa.CheckConstraint("run_id <> ''", name=op.f("ck_run_seal_run_id_given")),
        sa.CheckConstraint("length(previous_seal) = 32", name=op.f("ck_run_seal_previous_seal_is_sha256")),
        sa.CheckConstraint("length(root) = 32", name=op.f("ck_run_seal_root_is_sha256")),
        sa.CheckConstraint("length(seal) = 32", name=op.f("ck_run_seal_seal_is_sha256")),
        sa.ForeignKeyConstraint(["run_no"], ["run.run_no"], name=op.f("fk_run_seal_run_no")),
        sa.PrimaryKeyConstraint("run_no", name=op.f("pk_run_seal")),
        sa.UniqueConstraint("previous_seal", name=op.f("uq_run_seal_previous_seal")),
        sa.UniqueConstraint("run_id", name=op.f("uq_run_seal_run_id")),
        sqlite_strict=True,
    )


def _create_extraction_and_passage() -> None:
    op.create_table(
        "extraction",
        sa.Column("extraction_no", _NUMBER, autoincrement=False, nullable=False),
        sa.Column("revision_no", _NUMBER, nullable=False),
        sa.Column("extractor_version", sa.Text(), nullable=False),
        sa.Column("run_no", _NUMBER, nullable=False),
        sa.CheckConstraint("extractor_version <> ''", name=op.f("ck_extraction_extractor_version_given")),
        sa.ForeignKeyConstraint(["revision_no"], ["revision.revision_no"], name=op.f("fk_extraction_revision_no")),
        sa.ForeignKeyConstraint(["run_no"], ["run.run_no"], name=op.f("fk_extraction_run_no")),
        sa.PrimaryKeyConstraint("extraction_no", name=op.f("pk_extraction")),
        sa.UniqueConstraint(
            "revision_no", "extractor_version", name=op.f("uq_extraction_revision_no_extractor_version")
        ),
        sqlite_strict=True,
    )
    op.create_table(
        "passage",
        sa.Column("passage_no", _NUMBER, autoincrement=False, nullable=False),
        sa.Column("extraction_no", _NUMBER, nullable=False),
        sa.Column("ordinal", sa.Integer(), nullable=False),
        sa.Column("locator", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("section", sa.Text(), nullable=False),
        sa.Column("hidden", sa.Integer(), nullable=False),
        sa.Column("leaf", sa.LargeBinary(), nullable=False),
        sa.CheckConstraint("kind <> ''", name=op.f("ck_passage_kind_given")),
        sa.CheckConstraint("locator <> ''", name=op.f("ck_passage_locator_given")),
        sa.CheckConstraint("hidden IN (0, 1)", name=op.f("ck_passage_hidden_is_flag")),
        sa.CheckConstraint("length(leaf) = 32", name=op.f("ck_passage_leaf_is_sha256")),
        sa.ForeignKeyConstraint(["extraction_no"], ["extraction.extraction_no"], name=op.f("fk_passage_extraction_no")),
        sa.PrimaryKeyConstraint("passage_no", name=op.f("pk_passage")),
        sa.UniqueConstraint("extraction_no", "ordinal", name=op.f("uq_passage_extraction_no_ordinal")),
        sqlite_strict=True,
    )


def _create_raw_table() -> None:
    op.create_table(
        "raw_table",
        sa.Column("table_no", _NUMBER, autoincrement=False, nullable=False),
        sa.Column("extraction_no", _NUMBER, nullable=False),
        sa.Column("ordinal", sa.Integer(), nullable=False),
        sa.Column("locator", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("n_rows", sa.Integer(), nullable=False),
        sa.Column("n_cols", sa.Integer(), nullable=False),
        sa.Column("cell_count", sa.Integer(), nullable=False),
        sa.Column("formula_count", sa.Integer(), nullable=False),
        sa.Column("body", sa.LargeBinary(), nullable=False),
        sa.Column("leaf", sa.LargeBinary(), nullable=False),
        sa.CheckConstraint("kind IN ('table', 'chart')", name=op.f("ck_raw_table_kind_known")),
        sa.CheckConstraint("locator <> ''", name=op.f("ck_raw_table_locator_given")),
        sa.CheckConstraint("length(leaf) = 32", name=op.f("ck_raw_table_leaf_is_sha256")),
        sa.ForeignKeyConstraint(
            ["extraction_no"], ["extraction.extraction_no"], name=op.f("fk_raw_table_extraction_no")
        ),
        sa.PrimaryKeyConstraint("table_no", name=op.f("pk_raw_table")),
        sa.UniqueConstraint("extraction_no", "locator", name=op.f("uq_raw_table_extraction_no_locator")),
        sa.UniqueConstraint("extraction_no", "ordinal", name=op.f("uq_raw_table_extraction_no_ordinal")),
        sqlite_strict=True,
    )


def _create_reading_and_event() -> None:
    op.create_table(
        "reading",
        sa.Column("reading_no", _NUMBER, autoincrement=False, nullable=False),
        sa.Column("reading_id", sa.Text(), nullable=False),
        sa.Column("extraction_no", _NUMBER, nullable=False),
        sa.Column("mapping_version", sa.Text(), nullable=False),
        sa.Column("sensitivity", sa.Text(), nullable=False),
        sa.Column("run_no", _NUMBER, nullable=False),
        sa.CheckConstraint("mapping_version <> ''", name=op.f("ck_reading_mapping_version_given")),
        sa.CheckConstraint("sensitivity <> ''", name=op.f("ck_reading_sensitivity_given")),
        sa.CheckConstraint("length(reading_id) = 24", name=op.f("ck_reading_reading_id_is_digest")),
        sa.ForeignKeyConstraint(["extraction_no"], ["extraction.extraction_no"], name=op.f("fk_reading_extraction_no")),
        sa.ForeignKeyConstraint(["run_no"], ["run.run_no"], name=op.f("fk_reading_run_no")),
        sa.PrimaryKeyConstraint("reading_no", name=op.f("pk_reading")),
        sa.UniqueConstraint("extraction_no", "mapping_version", name=op.f("uq_reading_extraction_no_mapping_version")),
        sa.UniqueConstraint("reading_id", name=op.f("uq_reading_reading_id")),
        sqlite_strict=True,
    )
    op.create_table(
        "event",
        sa.Column("event_no", _NUMBER, autoincrement=False, nullable=False),
        sa.Column("run_no", _NUMBER, nullable=False),
        sa.Column("document_no", _NUMBER, nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("reading_no", _NUMBER, nullable=True),
        sa.Column("file_hash", sa.Text(), nullable=False),
        sa.Column("extractor_version", sa.Text(), nullable=False),
        sa.Column("sensitivity", sa.Text(), nullable=False),
        sa.Column("leaf", sa.LargeBinary(), nullable=False),
        sa.CheckConstraint("sensitivity <> ''", name=op.f("ck_event_sensitivity_given")),
        sa.CheckConstraint(
            "(reading_no IS NULL) = (status IN ('withdrawn', 'rejected'))", name=op.f("ck_event_reading_where_read")
        ),
        sa.CheckConstraint(
            "status IN ('ingested', 'updated', 'withdrawn', 'rejected')", name=op.f("ck_event_status_known")
        ),
        sa.CheckConstraint("length(leaf) = 32", name=op.f("ck_event_leaf_is_sha256")),
        sa.ForeignKeyConstraint(["document_no"], ["document.document_no"], name=op.f("fk_event_document_no")),
        sa.ForeignKeyConstraint(["reading_no"], ["reading.reading_no"], name=op.f("fk_event_reading_no")),
        sa.ForeignKeyConstraint(["run_no"], ["run.run_no"], name=op.f("fk_event_run_no")),
        sa.PrimaryKeyConstraint("event_no", name=op.f("pk_event")),
        sa.UniqueConstraint("document_no", "run_no", name=op.f("uq_event_document_no_run_no")),
        sqlite_strict=True,
    )


def _create_fact_context_and_finding() -> None:
    op.create_table(
        "fact_context",
        sa.Column("context_no", _NUMBER, autoincrement=False, nullable=False),
        sa.Column("reading_no", _NUMBER, nullable=False),
        sa.Column("scale", sa.Integer(), nullable=False),
        sa.Column("unit_evidence", sa.Text(), nullable=False),
        sa.Column("period_start", sa.Text(), nullable=False),
        sa.Column("period_end", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.CheckConstraint("status <> ''", name=op.f("ck_fact_context_status_given")),
        sa.ForeignKeyConstraint(["reading_no"], ["reading.reading_no"], name=op.f("fk_fact_context_reading_no")),
        sa.PrimaryKeyConstraint("context_no", name=op.f("pk_fact_context")),
        sqlite_strict=True,
    )
    op.create_table(
        "finding",
        sa.Column("finding_no", _NUMBER, autoincrement=False, nullable=False),
        sa.Column("run_no", _NUMBER, nullable=False),
        sa.Column("document_no", _NUMBER, nullable=False),
        sa.Column("reading_no", _NUMBER, nullable=True),
        sa.Column("code", sa.Text(), nullable=False),
        sa.Column("severity", sa.Text(), nullable=False),
        sa.Column("message", sa.Text(), nullable=False),
        sa.Column("locator", sa.Text(), nullable=False),
        sa.Column("remedy", sa.Text(), nullable=False),
        sa.CheckConstraint("code <> ''", name=op.f("ck_finding_code_given")),
        sa.CheckConstraint("message <> ''", name=op.f("ck_finding_message_given")),
        sa.CheckConstraint("severity IN ('error', 'warning', 'info')", name=op.f("ck_finding_severity_known")),
        sa.ForeignKeyConstraint(["document_no"], ["document.document_no"], name=op.f("fk_finding_document_no")),
        sa.ForeignKeyConstraint(["reading_no"], ["reading.reading_no"], name=op.f("fk_finding_reading_no")),
        sa.ForeignKeyConstraint(["run_no"], ["run.run_no"], name=op.f("fk_finding_run_no")),
        sa.PrimaryKeyConstraint("finding_no", name=op.f("pk_finding")),
        sqlite_strict=True,
    )
    op.create_index(op.f("ix_finding_document_no_run_no"), "finding", ["document_no", "run_no"], unique=False)


def _create_interpretation() -> None:
    op.create_table(
        "interpretation",
        sa.Column("reading_no", _NUMBER, autoincrement=False, nullable=False),
        sa.Column("table_no", _NUMBER, autoincrement=False, nullable=False),
        sa.Column("first_fact_no", _NUMBER, nullable=False),
        sa.Column("fact_count", _NUMBER, nullable=False),
        sa.Column("numeric_cells", _NUMBER, nullable=False),
        sa.Column("header_rows", sa.Integer(), nullable=False),
        sa.Column("header_cols", sa.Integer(), nullable=False),
        sa.Column("facts_root", sa.LargeBinary(), nullable=False),
        sa.Column("leaf", sa.LargeBinary(), nullable=False),
        sa.Column("fact_leaves", sa.LargeBinary(), nullable=False),
        sa.CheckConstraint("length(facts_root) = 32", name=op.f("ck_interpretation_facts_root_is_sha256")),
        sa.CheckConstraint("length(leaf) = 32", name=op.f("ck_interpretation_leaf_is_sha256")),
        sa.CheckConstraint(
            "length(fact_leaves) = 32 * fact_count", name=op.f("ck_interpretation_one_leaf_for_each_fact")
        ),
        sa.ForeignKeyConstraint(["reading_no"], ["reading.reading_no"], name=op.f("fk_interpretation_reading_no")),
        sa.ForeignKeyConstraint(["table_no"], ["raw_table.table_no"], name=op.f("fk_interpretation_table_no")),
        sa.PrimaryKeyConstraint("reading_no", "table_no", name=op.f("pk_interpretation")),
        sqlite_strict=True,
    )


def _create_reading_seal() -> None:
    op.create_table(
        "reading_seal",
        sa.Column("reading_no", _NUMBER, autoincrement=False, nullable=False),
        sa.Column("first_fact_no", _NUMBER, nullable=False),
        sa.Column("fact_count", _NUMBER, nullable=False),
        sa.Column("table_count", sa.Integer(), nullable=False),
        sa.Column("passage_count", sa.Integer(), nullable=False),
        sa.Column("finding_count", sa.Integer(), nullable=False),
        sa.Column("numeric_cells", _NUMBER, nullable=False),
        sa.Column("tables_root", sa.LargeBinary(), nullable=False),
        sa.Column("passages_root", sa.LargeBinary(), nullable=False),
        sa.Column("facts_root", sa.LargeBinary(), nullable=False),
        sa.Column("findings_root", sa.LargeBinary(), nullable=False),
        sa.Column("root", sa.LargeBinary(), nullable=False),
        sa.CheckConstraint("length(facts_root) = 32", name=op.f("ck_reading_seal_facts_root_is_sha256")),
        sa.CheckConstraint("length(findings_root) = 32", name=op.f("ck_reading_seal_findings_root_is_sha256")),
        sa.CheckConstraint("length(passages_root) = 32", name=op.f("ck_reading_seal_passages_root_is_sha256")),
        sa.CheckConstraint("length(root) = 32", name=op.f("ck_reading_seal_root_is_sha256")),
        sa.CheckConstraint("length(tables_root) = 32", name=op.f("ck_reading_seal_tables_root_is_sha256")),
        sa.ForeignKeyConstraint(["reading_no"], ["reading.reading_no"], name=op.f("fk_reading_seal_reading_no")),
        sa.PrimaryKeyConstraint("reading_no", name=op.f("pk_reading_seal")),
        sqlite_strict=True,
    )


def _create_fact_metric() -> None:
    op.create_table(
        "fact_metric",
        sa.Column("fact_no", _NUMBER, autoincrement=False, nullable=False),
        sa.Column("metric_code", sa.Text(), nullable=False),
        sa.Column("entity", sa.Text(), nullable=False),
        sa.Column("geography", sa.Text(), nullable=False),
        sa.Column("channel", sa.Text(), nullable=False),
        sa.Column("period_type", sa.Text(), nullable=False),
        sa.Column("period", sa.Text(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.Column("unit", sa.Text(), nullable=False),
        sa.Column("source_doc_id", sa.Text(), nullable=False),
        sa.Column("source_locator", sa.Text(), nullable=False),
        sa.Column("metric_label", sa.Text(), nullable=False),
        sa.Column("value_text", sa.Text(), nullable=False),
        sa.Column("decimals", sa.Integer(), nullable=False),
        sa.Column("reading_no", _NUMBER, nullable=False),
        sa.Column("table_no", _NUMBER, nullable=False),
        sa.Column("row_no", sa.Integer(), nullable=False),
        sa.Column("col_no", sa.Integer(), nullable=False),
        sa.Column("context_no", _NUMBER, nullable=False),
        *_fact_checks(),
        sa.PrimaryKeyConstraint("fact_no", name=op.f("pk_fact_metric")),
        sqlite_strict=True,
    )
    op.create_index(
        op.f("ix_fact_metric_metric_code_entity_period"),
        "fact_metric",
        ["metric_code", "entity", "period"],
        unique=False,
    )


def _fact_checks() -> tuple[sa.CheckConstraint, ...]:
    return (
        sa.CheckConstraint("metric_code <> ''", name=op.f("ck_fact_metric_metric_code_given")),
        sa.CheckConstraint(
            "period_type = 'FY' OR period_type = 'HY' OR period_type = 'Q' OR period_type = 'M' OR "
            "period_type = 'YTD' OR period_type = 'LTM' OR period_type = 'INSTANT' OR period_type = 'RANGE' OR "
            "period_type = 'NONE'",
            name=op.f("ck_fact_metric_period_type_known"),
        ),
        sa.CheckConstraint("source_doc_id <> ''", name=op.f("ck_fact_metric_source_doc_id_given")),
        sa.CheckConstraint("source_locator <> ''", name=op.f("ck_fact_metric_source_locator_given")),
        sa.CheckConstraint("unit <> ''", name=op.f("ck_fact_metric_unit_given")),
        sa.CheckConstraint("value <> ''", name=op.f("ck_fact_metric_value_given")),
        sa.CheckConstraint("value ~ '^-?[0-9]+(\\.[0-9]+)?$'", name=op.f("ck_fact_metric_value_is_number")).ddl_if(
            dialect="postgresql"
        ),
    )


def _create_header_and_ledger() -> None:
    op.create_table(
        "header",
        sa.Column("reading_no", _NUMBER, autoincrement=False, nullable=False),
        sa.Column("table_no", _NUMBER, autoincrement=False, nullable=False),
        sa.Column("axis", sa.Text(), nullable=False),
        sa.Column("position", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("cross_first", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("cross_last", sa.Integer(), nullable=False),
        sa.Column("path", sa.Text(), nullable=False),
        sa.CheckConstraint("axis IN ('r', 'c')", name=op.f("ck_header_axis_known")),
        sa.ForeignKeyConstraint(
            ["reading_no", "table_no"],
            ["interpretation.reading_no", "interpretation.table_no"],
            name=op.f("fk_header_reading_no_table_no"),
        ),
        sa.PrimaryKeyConstraint("reading_no", "table_no", "axis", "position", "cross_first", name=op.f("pk_header")),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )
    op.create_table(
        "ledger",
        sa.Column("ledger_no", _NUMBER, autoincrement=False, nullable=False),
        sa.Column("reading_no", _NUMBER, nullable=False),
        sa.Column("table_no", _NUMBER, nullable=False),
        sa.Column("disposition", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("cell_count", sa.Integer(), nullable=False),
        sa.Column("cells", sa.Text(), nullable=False),
        sa.CheckConstraint("disposition IN ('excluded', 'unmapped', 'null')", name=op.f("ck_ledger_disposition_known")),
        sa.CheckConstraint("reason <> ''", name=op.f("ck_ledger_reason_given")),
        sa.ForeignKeyConstraint(
            ["reading_no", "table_no"],
            ["interpretation.reading_no", "interpretation.table_no"],
            name=op.f("fk_ledger_reading_no_table_no"),
        ),
        sa.PrimaryKeyConstraint("ledger_no", name=op.f("pk_ledger")),
        sqlite_strict=True,
    )
    op.create_index(op.f("ix_ledger_reading_no_table_no"), "ledger", ["reading_no", "table_no"], unique=False)
