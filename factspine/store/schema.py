"""The tables of the record. Nothing in them is ever updated or deleted; triggers in the migrations see to that.

    document ── revision ── extraction ─┬─ raw_table ─┐
        │                               └─ passage    │
        │                   reading ──── interpretation ─┬─ header
        │                      │                         ├─ ledger
        │                      │         fact_context ── fact_metric
      event ───────────────────┴─ reading_seal
        │
       run ── run_seal

An extraction is what one extractor saw in one revision; a reading is what one vocabulary made of it, so a new
vocabulary adds a reading without another copy of the tables. A reading or run begins with its identity and ends with
its seal, in one transaction, so that neither row ever needs an update. A document is what its last event says.
"""

from __future__ import annotations

from typing import Any, get_args

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Column,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
)
from sqlalchemy.sql.type_api import TypeEngine

from factspine.core.facts import PeriodType

SCHEMA_VERSION = "0002"

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)

# SQLite's strict tables know INTEGER only (and it is 64 bits wide); PostgreSQL's INTEGER is too narrow for facts.
_NUMBER = BigInteger().with_variant(Integer, "sqlite")
_STRICT: dict[str, Any] = {"sqlite_strict": True}  # a number where text belongs is refused, as PostgreSQL would
_STRICT_BY_KEY: dict[str, Any] = {
    "sqlite_strict": True,
    "sqlite_with_rowid": False,
}  # stored in the order of the primary key


def _column(name: str, kind: TypeEngine[Any], *arguments: ForeignKey) -> Column[Any]:
    return Column(name, kind, *arguments, nullable=False)


def _key(name: str) -> Column[Any]:
    # Numbers are assigned by the writer, in order, under the write lock; never by a sequence.
    return Column(name, _NUMBER, primary_key=True, autoincrement=False)


def _not_empty(*names: str) -> tuple[CheckConstraint, ...]:
    return tuple(CheckConstraint(f"{name} <> ''", name=f"{name}_given") for name in names)


def _digests(*names: str) -> tuple[CheckConstraint, ...]:
    return tuple(CheckConstraint(f"length({name}) = 32", name=f"{name}_is_sha256") for name in names)


def _flag(name: str) -> CheckConstraint:
    return CheckConstraint(f"{name} IN (0, 1)", name=f"{name}_is_flag")


document = Table(
    "document",
    metadata,
    _key("document_no"),
    _column("doc_id", Text()),
    *_not_empty("doc_id"),
    UniqueConstraint("doc_id"),
    **_STRICT,
)

run = Table(
    "run",
    metadata,
    _key("run_no"),
    _column("started_at", Text()),
    _column("factspine_version", Text()),
    *_not_empty("started_at", "factspine_version"),
    **_STRICT,
)

run_seal = Table(
    "run_seal",
    metadata,
    Column("run_no", _NUMBER, ForeignKey("run.run_no"), primary_key=True, autoincrement=False),
    _column("run_id", Text()),
    _column("finished_at", Text()),
    _column("event_count", Integer()),
    _column("fact_count", _NUMBER),
    _column("root", LargeBinary()),
    _column("previous_seal", LargeBinary()),
    _column("seal", LargeBinary()),
    *_not_empty("run_id", "finished_at"),
    *_digests("root", "previous_seal", "seal"),
    UniqueConstraint("run_id"),
    # Two runs after one predecessor would be a fork: the database itself refuses it.
    UniqueConstraint("previous_seal"),
    **_STRICT,
)

revision = Table(
    "revision",
    metadata,
    _key("revision_no"),
    _column("document_no", _NUMBER, ForeignKey("document.document_no")),
    _column("file_hash", Text()),
    _column("media_type", Text()),
    _column("size_bytes", _NUMBER),
    _column("first_run_no", _NUMBER, ForeignKey("run.run_no")),
    CheckConstraint("length(file_hash) = 64", name="file_hash_is_sha256"),
    CheckConstraint("size_bytes >= 0", name="size_not_negative"),
    *_not_empty("media_type"),
    UniqueConstraint("document_no", "file_hash"),
    **_STRICT,
)

extraction = Table(
    "extraction",
    metadata,
    _key("extraction_no"),
    _column("revision_no", _NUMBER, ForeignKey("revision.revision_no")),
    _column("extractor_version", Text()),
    _column("run_no", _NUMBER, ForeignKey("run.run_no")),
    *_not_empty("extractor_version"),
    UniqueConstraint("revision_no", "extractor_version"),
    **_STRICT,
)

reading = Table(
    "reading",
    metadata,
    _key("reading_no"),
    _column("reading_id", Text()),
    _column("extraction_no", _NUMBER, ForeignKey("extraction.extraction_no")),
    _column("mapping_version", Text()),
    _column("sensitivity", Text()),
    _column("run_no", _NUMBER, ForeignKey("run.run_no")),
    CheckConstraint("length(reading_id) = 24", name="reading_id_is_digest"),
    *_not_empty("mapping_version", "sensitivity"),
    UniqueConstraint("reading_id"),
    UniqueConstraint("extraction_no", "mapping_version"),
    **_STRICT,
)

reading_seal = Table(
    "reading_seal",
    metadata,
    Column("reading_no", _NUMBER, ForeignKey("reading.reading_no"), primary_key=True, autoincrement=False),
    # Facts of a reading are numbered without gaps: its range is its index, and a fact's ordinal its public name.
    _column("first_fact_no", _NUMBER),
    _column("fact_count", _NUMBER),
    _column("table_count", Integer()),
    _column("passage_count", Integer()),
    _column("finding_count", Integer()),
    _column("numeric_cells", _NUMBER),
    _column("tables_root", LargeBinary()),
    _column("passages_root", LargeBinary()),
    _column("facts_root", LargeBinary()),
    _column("findings_root", LargeBinary()),
    _column("root", LargeBinary()),
    *_digests("tables_root", "passages_root", "facts_root", "findings_root", "root"),
    **_STRICT,
)

event = Table(
    "event",
    metadata,
    _key("event_no"),
    _column("run_no", _NUMBER, ForeignKey("run.run_no")),
    _column("document_no", _NUMBER, ForeignKey("document.document_no")),
    _column("status", Text()),
    Column("reading_no", _NUMBER, ForeignKey("reading.reading_no")),  # NULL: withdrawn or rejected, nothing to read
    _column("file_hash", Text()),  # empty where the file could not even be opened
    _column("extractor_version", Text()),  # empty where the file was rejected before any extractor saw it
    _column("sensitivity", Text()),  # who may know of it, also where nothing was read
    _column("leaf", LargeBinary()),
    *_not_empty("sensitivity"),
    CheckConstraint("status IN ('ingested', 'updated', 'withdrawn', 'rejected')", name="status_known"),
    CheckConstraint("(reading_no IS NULL) = (status IN ('withdrawn', 'rejected'))", name="reading_where_read"),
    *_digests("leaf"),
    UniqueConstraint("document_no", "run_no"),
    **_STRICT,
)

raw_table = Table(
    "raw_table",
    metadata,
    _key("table_no"),
    _column("extraction_no", _NUMBER, ForeignKey("extraction.extraction_no")),
    _column("ordinal", Integer()),
    _column("locator", Text()),
    _column("kind", Text()),
    _column("title", Text()),
    _column("n_rows", Integer()),
    _column("n_cols", Integer()),
    _column("cell_count", Integer()),
    _column("formula_count", Integer()),
    _column("body", LargeBinary()),
    _column("leaf", LargeBinary()),
    CheckConstraint("kind IN ('table', 'chart')", name="kind_known"),
    *_not_empty("locator"),
    *_digests("leaf"),
    UniqueConstraint("extraction_no", "ordinal"),
    UniqueConstraint("extraction_no", "locator"),
    **_STRICT,
)

passage = Table(
    "passage",
    metadata,
    _key("passage_no"),
    _column("extraction_no", _NUMBER, ForeignKey("extraction.extraction_no")),
    _column("ordinal", Integer()),
    _column("locator", Text()),
    _column("kind", Text()),
    _column("text", Text()),
    _column("section", Text()),  # JSON list of the headings above it
    _column("hidden", Integer()),
    _column("leaf", LargeBinary()),
    _flag("hidden"),
    *_not_empty("locator", "kind"),
    *_digests("leaf"),
    UniqueConstraint("extraction_no", "ordinal"),
    **_STRICT,
)

interpretation = Table(
    "interpretation",
    metadata,
    Column("reading_no", _NUMBER, ForeignKey("reading.reading_no"), primary_key=True, autoincrement=False),
    Column("table_no", _NUMBER, ForeignKey("raw_table.table_no"), primary_key=True, autoincrement=False),
    _column("first_fact_no", _NUMBER),
    _column("fact_count", _NUMBER),
    _column("numeric_cells", _NUMBER),
    _column("header_rows", Integer()),
    _column("header_cols", Integer()),
    _column("facts_root", LargeBinary()),
    _column("leaf", LargeBinary()),
    # The leaves of the facts, 32 bytes each, in order: one blob is written in a fifth of the time of one in each row.
    _column("fact_leaves", LargeBinary()),
    *_digests("facts_root", "leaf"),
    CheckConstraint("length(fact_leaves) = 32 * fact_count", name="one_leaf_for_each_fact"),
    **_STRICT,  # not by key: to compare keys SQLite would read the leaves, megabytes, for each row that refers to it
)

header = Table(
    "header",
    metadata,
    Column("reading_no", _NUMBER, primary_key=True, autoincrement=False),
    Column("table_no", _NUMBER, primary_key=True, autoincrement=False),
    Column("axis", Text(), primary_key=True),
    Column("position", Integer(), primary_key=True, autoincrement=False),
    Column("cross_first", Integer(), primary_key=True, autoincrement=False),
    _column("cross_last", Integer()),
    _column("path", Text()),  # JSON list of labels, outermost first
    ForeignKeyConstraint(["reading_no", "table_no"], ["interpretation.reading_no", "interpretation.table_no"]),
    CheckConstraint("axis IN ('r', 'c')", name="axis_known"),
    **_STRICT_BY_KEY,
)

ledger = Table(
    "ledger",
    metadata,
    _key("ledger_no"),
    _column("reading_no", _NUMBER),
    _column("table_no", _NUMBER),
    _column("disposition", Text()),
    _column("reason", Text()),
    _column("cell_count", Integer()),
    _column("cells", Text()),  # runs within a row: 3:2-5 4:2
    ForeignKeyConstraint(["reading_no", "table_no"], ["interpretation.reading_no", "interpretation.table_no"]),
    CheckConstraint("disposition IN ('excluded', 'unmapped', 'null')", name="disposition_known"),
    *_not_empty("reason"),
    Index(None, "reading_no", "table_no"),
    **_STRICT,
)

fact_context = Table(
    "fact_context",
    metadata,
    _key("context_no"),
    _column("reading_no", _NUMBER, ForeignKey("reading.reading_no")),
    _column("scale", Integer()),
    _column("unit_evidence", Text()),
    _column("period_start", Text()),
    _column("period_end", Text()),
    _column("status", Text()),
    *_not_empty("status"),
    **_STRICT,
)

# Written out: with an IN list of nine, inserting a fact took half as long again (6.8 instead of 4.4 microseconds).
_PERIOD_TYPE_KNOWN = " OR ".join(f"period_type = '{name}'" for name in get_args(PeriodType))

# Looking at every character of a value takes an embedded database a sixth of the time of inserting a fact. The writer
# looks at a whole block at once instead, in a fifth of that; a server, which others may write to, looks for itself.
_VALUE_POSTGRESQL = r"value ~ '^-?[0-9]+(\.[0-9]+)?$'"

fact_metric = Table(
    "fact_metric",
    metadata,
    _key("fact_no"),
    _column("metric_code", Text()),
    _column("entity", Text()),
    _column("geography", Text()),
    _column("channel", Text()),
    _column("period_type", Text()),
    _column("period", Text()),
    _column("value", Text()),
    _column("unit", Text()),
    _column("source_doc_id", Text()),
    _column("source_locator", Text()),
    _column("metric_label", Text()),
    _column("value_text", Text()),
    _column("decimals", Integer()),
    _column("reading_no", _NUMBER),
    _column("table_no", _NUMBER),
    _column("row_no", Integer()),
    _column("col_no", Integer()),
    _column("context_no", _NUMBER),
    *_not_empty("metric_code", "value", "unit", "source_doc_id", "source_locator"),
    CheckConstraint(_PERIOD_TYPE_KNOWN, name="period_type_known"),
    CheckConstraint(_VALUE_POSTGRESQL, name="value_is_number").ddl_if(dialect="postgresql"),
    Index(None, "metric_code", "entity", "period"),
    **_STRICT,
)

finding = Table(
    "finding",
    metadata,
    _key("finding_no"),
    _column("run_no", _NUMBER, ForeignKey("run.run_no")),
    _column("document_no", _NUMBER, ForeignKey("document.document_no")),
    Column("reading_no", _NUMBER, ForeignKey("reading.reading_no")),  # NULL: the document was rejected
    _column("code", Text()),
    _column("severity", Text()),
    _column("message", Text()),
    _column("locator", Text()),
    _column("remedy", Text()),
    CheckConstraint("severity IN ('error', 'warning', 'info')", name="severity_known"),
    *_not_empty("code", "message"),
    Index(None, "document_no", "run_no"),
    **_STRICT,
)
