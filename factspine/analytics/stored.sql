-- The tables of the record by the names and columns they have there, for whatever reads the record. Digests that only the
-- check of the record needs are left out.

CREATE SCHEMA stored;

CREATE TABLE stored.alembic_version (version_num VARCHAR);
CREATE VIEW stored.document AS SELECT document_no, doc_id FROM record.document;
CREATE VIEW stored.run AS SELECT run_no, started_at, factspine_version FROM record.run;
CREATE VIEW stored.run_seal AS
SELECT run_no, run_id, finished_at, event_count, fact_count, root,
       lag(seal, 1, repeat('\x00'::BLOB, 32)) OVER (ORDER BY run_no) AS previous_seal, seal
FROM record.run;
CREATE VIEW stored.revision AS
SELECT DISTINCT revision_no, document_no, file_hash, media_type, size_bytes FROM record.reading;
CREATE VIEW stored.extraction AS SELECT DISTINCT extraction_no, revision_no, extractor_version FROM record.reading;
CREATE VIEW stored.reading AS
SELECT reading_no, reading_id, extraction_no, mapping_version, sensitivity, run_no FROM record.reading;
CREATE VIEW stored.reading_seal AS
SELECT reading_no, first_fact_no, fact_count, table_count, passage_count, numeric_cells, root FROM record.reading;
CREATE VIEW stored.event AS
SELECT event_no, run_no, document_no, status, nullif(reading_no, 0) AS reading_no, file_hash, extractor_version, sensitivity,
       leaf
FROM record.event;
CREATE VIEW stored.raw_table AS FROM record.raw_table;
CREATE VIEW stored.passage AS FROM record.passage;
CREATE VIEW stored.interpretation AS FROM record.interpretation;
CREATE VIEW stored.header AS FROM record.header;
CREATE VIEW stored.ledger AS FROM record.ledger;
CREATE VIEW stored.finding AS
SELECT finding_no, run_no, document_no, nullif(reading_no, 0) AS reading_no, code, severity, message, locator, remedy
FROM record.finding;
CREATE VIEW stored.fact_context AS FROM record.context;
CREATE VIEW stored.fact_metric AS
SELECT fact_no, metric_code, entity, geography, channel, period_type, period,
       record.exact(value_number, long_value) AS value, unit, source_doc_id, source_locator, metric_label, value_text,
       decimals, reading_no, table_no, row_no, col_no, context_no
FROM record.fact;
