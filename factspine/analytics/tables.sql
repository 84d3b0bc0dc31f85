-- The tables of the analytic copy: the record's rows as they are, and facts with what they refer to beside them.
-- Everything a fact says of itself stands in its own row, so that a question over millions of facts is one scan.

CREATE SCHEMA record;

CREATE TABLE record.copy_state (
    layout VARCHAR, runs BIGINT, seal VARCHAR, ranks VARCHAR
);

CREATE TABLE record.document (document_no BIGINT, doc_id VARCHAR);
CREATE TABLE record.run (
    run_no BIGINT, run_id VARCHAR, started_at VARCHAR, finished_at VARCHAR, factspine_version VARCHAR,
    event_count BIGINT, fact_count BIGINT, root BLOB, seal BLOB
);
CREATE TABLE record.event (
    event_no BIGINT, run_no BIGINT, document_no BIGINT, status VARCHAR, reading_no BIGINT, file_hash VARCHAR,
    extractor_version VARCHAR, sensitivity VARCHAR, leaf BLOB
);
CREATE TABLE record.reading (
    reading_no BIGINT, reading_id VARCHAR, revision_no BIGINT, document_no BIGINT, doc_id VARCHAR, file_hash VARCHAR, media_type VARCHAR,
    size_bytes BIGINT, extraction_no BIGINT, extractor_version VARCHAR, mapping_version VARCHAR, sensitivity VARCHAR,
    run_no BIGINT, first_fact_no BIGINT, fact_count BIGINT, table_count BIGINT, passage_count BIGINT,
    numeric_cells BIGINT, root BLOB
);
-- How the facts of a reading stand beside others: the user's rank of the document (1 is first), the last day its
-- actual figures are about, whether it says that it is audited; and whether it is current.
CREATE TABLE record.standing (
    reading_no BIGINT, is_current BOOLEAN, rank INTEGER, reports_to VARCHAR, audited BOOLEAN
);
CREATE TABLE record.raw_table (
    table_no BIGINT, extraction_no BIGINT, ordinal BIGINT, locator VARCHAR, kind VARCHAR, title VARCHAR,
    n_rows BIGINT, n_cols BIGINT, cell_count BIGINT, formula_count BIGINT, body BLOB
);
CREATE TABLE record.passage (
    passage_no BIGINT, extraction_no BIGINT, ordinal BIGINT, locator VARCHAR, kind VARCHAR, text VARCHAR,
    section VARCHAR, hidden BIGINT
);
CREATE TABLE record.interpretation (
    reading_no BIGINT, table_no BIGINT, first_fact_no BIGINT, fact_count BIGINT, numeric_cells BIGINT,
    header_rows BIGINT, header_cols BIGINT
);
CREATE TABLE record.header (
    reading_no BIGINT, table_no BIGINT, axis VARCHAR, position BIGINT, cross_first BIGINT, cross_last BIGINT,
    path VARCHAR
);
CREATE TABLE record.formula (table_no BIGINT, row_no BIGINT, col_no BIGINT, formula VARCHAR);
CREATE TABLE record.ledger (
    ledger_no BIGINT, reading_no BIGINT, table_no BIGINT, disposition VARCHAR, reason VARCHAR, cell_count BIGINT,
    cells VARCHAR
);
-- What lies packed in the ledger and its tables, cell by cell.
CREATE TABLE record.ledger_cell (
    ledger_no BIGINT, reading_no BIGINT, table_no BIGINT, row_no BIGINT, col_no BIGINT, source_locator VARCHAR,
    value_text VARCHAR
);
CREATE TABLE record.finding (
    finding_no BIGINT, run_no BIGINT, document_no BIGINT, reading_no BIGINT, code VARCHAR, severity VARCHAR,
    message VARCHAR, locator VARCHAR, remedy VARCHAR
);
CREATE TABLE record.context (
    context_no BIGINT, reading_no BIGINT, scale BIGINT, unit_evidence VARCHAR, period_start VARCHAR,
    period_end VARCHAR, status VARCHAR
);
-- What became of single facts when a document was read anew.
CREATE TABLE record.change (event_no BIGINT, fate VARCHAR, before_fact_no BIGINT, after_fact_no BIGINT);

-- value_number: the value where it has at most 18 decimals and 20 digits before them, and long_value its text where it
-- has more; amount: the value times ten to the scale, where that has at most 12 decimals and 26 digits before them.
-- All exact, or NULL. question: a hash over part of what the fact speaks of, to find others that may speak of the same.
-- Facts that are best lie together as far as possible: where all of a stretch are, asking for them costs nothing.
CREATE TABLE record.fact (
    fact_no BIGINT, reading_no INTEGER, reading_id VARCHAR, ordinal INTEGER,
    metric_code VARCHAR, metric_label VARCHAR, entity VARCHAR, geography VARCHAR, channel VARCHAR,
    period_type VARCHAR, period VARCHAR, period_start DATE, period_end DATE,
    long_value VARCHAR, value_text VARCHAR USING COMPRESSION zstd, decimals SMALLINT, unit VARCHAR, scale SMALLINT, status VARCHAR,
    value_number DECIMAL(38, 18), amount DECIMAL(38, 12),
    source_doc_id VARCHAR, source_locator VARCHAR USING COMPRESSION zstd,
    table_no BIGINT, row_no INTEGER, col_no INTEGER, context_no BIGINT,
    kinds VARCHAR, question UBIGINT, is_current BOOLEAN, is_best BOOLEAN
);
