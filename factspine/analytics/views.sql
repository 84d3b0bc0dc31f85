-- The views people ask. Every row carries its citation: source_doc_id, source_locator, fact_id.

CREATE MACRO record.has_mark(status, mark) AS contains(' ' || status || ' ', ' ' || mark || ' ');
-- The canonical text of a value, out of where it is kept.
CREATE MACRO record.exact(value_number, long_value) AS
    coalesce(rtrim(rtrim(value_number::VARCHAR, '0'), '.'), long_value);
CREATE MACRO record.audit_order(status, audited) AS CASE
    WHEN record.has_mark(status, 'unaudited') THEN 2
    WHEN record.has_mark(status, 'audited') THEN 0
    WHEN audited IS NULL THEN 1 WHEN audited THEN 0 ELSE 2 END;

-- Amounts are compared as the verdicts of the core do it: in decimals where they fit with room for arithmetic, which is
-- all that documents hold, and beyond that in whole numbers of any length, ten to the `places` times as large.
CREATE MACRO record.fraction(value) AS if(contains(value, '.'), length(value) - instr(value, '.'), 0);
CREATE MACRO record.whole(value, power) AS
    (replace(value, '.', '') || repeat('0', power - record.fraction(value)))::BIGNUM;
CREATE MACRO record.places(value_1, scale_1, value_2, scale_2, step) AS
    greatest(record.fraction(value_1) - scale_1, record.fraction(value_2) - scale_2, -step, 0);
CREATE MACRO record.difference(value_1, scale_1, value_2, scale_2, step) AS
    record.whole(value_1, scale_1 + record.places(value_1, scale_1, value_2, scale_2, step))
    - record.whole(value_2, scale_2 + record.places(value_1, scale_1, value_2, scale_2, step));
CREATE MACRO record.within_half_exactly(value_1, scale_1, value_2, scale_2, step) AS
    record.difference(value_1, scale_1, value_2, scale_2, step) + record.difference(value_1, scale_1, value_2, scale_2, step)
    <= record.whole('1', step + record.places(value_1, scale_1, value_2, scale_2, step))
    AND record.difference(value_2, scale_2, value_1, scale_1, step) + record.difference(value_2, scale_2, value_1, scale_1, step)
    <= record.whole('1', step + record.places(value_1, scale_1, value_2, scale_2, step));
CREATE MACRO record.fits(amount) AS coalesce(abs(amount) < 1000000000000000000000, false);
CREATE MACRO record.ten_to(power) AS try_cast('1e' || power AS DECIMAL(38, 12));
CREATE MACRO record.same_amount(amount_1, value_1, scale_1, amount_2, value_2, scale_2) AS CASE
    WHEN amount_1 IS NOT NULL AND amount_2 IS NOT NULL THEN amount_1 = amount_2
    ELSE record.difference(value_1, scale_1, value_2, scale_2, 0) = '0'::BIGNUM END;
CREATE MACRO record.within_half(amount_1, value_1, scale_1, amount_2, value_2, scale_2, step) AS CASE
    WHEN record.fits(amount_1) AND record.fits(amount_2) AND step BETWEEN -12 AND 24
    THEN abs(amount_1 - amount_2) * 2 <= record.ten_to(step)
    ELSE record.within_half_exactly(value_1, scale_1, value_2, scale_2, step) END;
CREATE MACRO record.scaled_equal(small, small_value, small_scale, small_step, large, large_value, large_scale, large_step, power) AS
    small_value <> '0' AND record.within_half(
        CASE WHEN record.fits(small) AND abs(small) < record.ten_to(21 - power) THEN small * (10 ** power)::BIGINT END,
        small_value, small_scale + power, large, large_value, large_scale, greatest(small_step + power, large_step));
CREATE MACRO record.either_scaled(amount_1, value_1, scale_1, step_1, amount_2, value_2, scale_2, step_2, power) AS
    record.scaled_equal(amount_1, value_1, scale_1, step_1, amount_2, value_2, scale_2, step_2, power)
    OR record.scaled_equal(amount_2, value_2, scale_2, step_2, amount_1, value_1, scale_1, step_1, power);
CREATE MACRO record.scale_forgotten(amount_1, value_1, scale_1, step_1, amount_2, value_2, scale_2, step_2) AS
    record.either_scaled(amount_1, value_1, scale_1, step_1, amount_2, value_2, scale_2, step_2, 2)
    OR record.either_scaled(amount_1, value_1, scale_1, step_1, amount_2, value_2, scale_2, step_2, 3)
    OR record.either_scaled(amount_1, value_1, scale_1, step_1, amount_2, value_2, scale_2, step_2, 4)
    OR record.either_scaled(amount_1, value_1, scale_1, step_1, amount_2, value_2, scale_2, step_2, 6)
    OR record.either_scaled(amount_1, value_1, scale_1, step_1, amount_2, value_2, scale_2, step_2, 8)
    OR record.either_scaled(amount_1, value_1, scale_1, step_1, amount_2, value_2, scale_2, step_2, 9);

-- Each stretch of runs in which a reading was the current one; to_run_no is NULL while it is.
CREATE VIEW record.stretch AS
SELECT event_no, document_no, nullif(reading_no, 0) AS reading_no, run_no AS from_run_no,
       lead(run_no) OVER (PARTITION BY document_no ORDER BY event_no) AS to_run_no
FROM record.event;

CREATE VIEW record.known AS
SELECT s.reading_no, s.event_no, s.from_run_no, s.to_run_no, f.run_id AS known_from,
       f.finished_at::TIMESTAMP AS known_from_at, coalesce(t.run_id, '') AS known_to,
       t.finished_at::TIMESTAMP AS known_to_at
FROM record.stretch s
JOIN record.run f ON f.run_no = s.from_run_no
LEFT JOIN record.run t ON t.run_no = s.to_run_no
WHERE s.reading_no IS NOT NULL
QUALIFY row_number() OVER (PARTITION BY s.reading_no ORDER BY s.event_no DESC) = 1;

CREATE VIEW facts AS
SELECT reading_id || '.' || ordinal AS fact_id,
       metric_code, metric_label, entity, geography, channel, period_type, period,
       period_start, period_end,
       value_number AS value, unit, scale, amount,
       record.exact(value_number, long_value) AS value_exact, value_text, decimals, status,
       source_doc_id, source_locator
FROM record.fact
WHERE is_best;

CREATE VIEW facts_all AS
SELECT f.reading_id || '.' || f.ordinal AS fact_id,
       f.metric_code, f.metric_label, f.entity, f.geography, f.channel, f.period_type, f.period,
       f.period_start, f.period_end,
       f.value_number AS value, f.unit, f.scale, f.amount, record.exact(f.value_number, f.long_value) AS value_exact, f.value_text, f.decimals, f.status,
       f.source_doc_id, f.source_locator,
       f.is_current, f.is_best, r.file_hash, r.extractor_version, r.mapping_version, r.sensitivity,
       k.known_from, k.known_from_at, k.known_to, k.known_to_at
FROM record.fact f
JOIN record.reading r ON r.reading_no = f.reading_no
JOIN record.known k ON k.reading_no = f.reading_no;

-- The number of the last run known at a moment: a date (all of that day, UTC), a month, a year, a time,
-- the id of a run or the hash of a revision, or the beginning of either.
CREATE MACRO record.moment_of(text) AS CASE
    WHEN regexp_full_match(text, '\d{4}') THEN
        try_cast(text || '-01-01' AS TIMESTAMP) + INTERVAL 1 YEAR - INTERVAL 1 MILLISECOND
    WHEN regexp_full_match(text, '\d{4}-\d{2}') THEN
        try_cast(text || '-01' AS TIMESTAMP) + INTERVAL 1 MONTH - INTERVAL 1 MILLISECOND
    WHEN regexp_full_match(text, '\d{4}-\d{2}-\d{2}') THEN
        try_cast(text AS TIMESTAMP) + INTERVAL 1 DAY - INTERVAL 1 MILLISECOND
    ELSE try_cast(text AS TIMESTAMP) END;
CREATE MACRO record.run_as_of(moment) AS CASE
    WHEN record.moment_of(moment::VARCHAR) IS NOT NULL THEN coalesce(
        (SELECT max(run_no) FROM record.run WHERE finished_at::TIMESTAMP <= record.moment_of(moment::VARCHAR)), 0)
    ELSE coalesce(
        (SELECT min(run_no) FROM record.run
         WHERE length(moment::VARCHAR) >= 6 AND starts_with(run_id, lower(moment::VARCHAR))),
        (SELECT min(run_no) FROM record.event
         WHERE length(moment::VARCHAR) >= 6 AND starts_with(file_hash, lower(moment::VARCHAR))),
        error('no moment, run or revision is named ' || moment::VARCHAR)) END;

-- What `facts` showed at a moment.
CREATE MACRO facts_as_of(moment) AS TABLE
SELECT f.reading_id || '.' || f.ordinal AS fact_id,
       f.metric_code, f.metric_label, f.entity, f.geography, f.channel, f.period_type, f.period,
       f.period_start, f.period_end,
       f.value_number AS value, f.unit, f.scale, f.amount, record.exact(f.value_number, f.long_value) AS value_exact, f.value_text, f.decimals, f.status,
       f.source_doc_id, f.source_locator
FROM record.fact f
JOIN record.stretch s ON s.reading_no = f.reading_no
JOIN record.standing t ON t.reading_no = f.reading_no
WHERE s.from_run_no <= record.run_as_of(moment)
  AND (s.to_run_no IS NULL OR s.to_run_no > record.run_as_of(moment))
  AND NOT record.has_mark(f.status, 'hidden')
QUALIFY f.period_type = 'NONE' OR row_number() OVER (
    PARTITION BY f.metric_code, f.entity, f.geography, f.channel, f.period_type, f.period, f.kinds
    ORDER BY t.rank NULLS LAST, NOT record.has_mark(f.status, 'restated'), t.reports_to DESC,
             record.audit_order(f.status, t.audited), f.source_doc_id, f.source_locator, f.fact_no) = 1;

-- The best fact beside every other that speaks of the same thing, and what to make of the two.
CREATE VIEW agreements AS
WITH current_facts AS (
    SELECT f.*, c.unit_evidence <> '' AS unit_said, record.exact(f.value_number, f.long_value) AS value
    FROM record.fact f
    JOIN record.context c ON c.context_no = f.context_no
    WHERE f.is_current AND f.period_type <> 'NONE' AND NOT record.has_mark(f.status, 'hidden')
)
SELECT b.metric_code, b.entity, b.geography, b.channel, b.period_type, b.period, b.kinds AS kind,
       CASE WHEN b.unit = o.unit AND record.same_amount(b.amount, b.value, b.scale, o.amount, o.value, o.scale) THEN 'same'
            WHEN b.unit = o.unit AND record.within_half(b.amount, b.value, b.scale, o.amount, o.value, o.scale,
                 greatest(b.scale - b.decimals, o.scale - o.decimals)) THEN 'rounding'
            WHEN b.unit <> o.unit AND ((b.unit <> 'unknown' AND o.unit <> 'unknown') OR b.value = o.value
                 OR record.same_amount(b.amount, b.value, b.scale, o.amount, o.value, o.scale)) THEN 'unit'
            WHEN NOT (b.unit_said AND o.unit_said) AND record.scale_forgotten(
                 b.amount, b.value, b.scale, b.scale - b.decimals,
                 o.amount, o.value, o.scale, o.scale - o.decimals) THEN 'unit'
            WHEN record.has_mark(b.status, 'restated') <> record.has_mark(o.status, 'restated') THEN 'restated'
            ELSE 'conflict' END AS verdict,
       o.reading_id || '.' || o.ordinal AS fact_id, o.value_number AS value, o.unit, o.scale, o.amount,
       o.value AS value_exact, o.value_text, o.status, o.source_doc_id, o.source_locator,
       b.reading_id || '.' || b.ordinal AS best_fact_id, b.value_number AS best_value, b.unit AS best_unit,
       b.scale AS best_scale, b.amount AS best_amount, b.value AS best_value_exact, b.value_text AS best_value_text,
       b.status AS best_status, b.source_doc_id AS best_source_doc_id, b.source_locator AS best_source_locator
FROM current_facts b
JOIN current_facts o
  ON o.question = b.question AND NOT o.is_best
 AND (o.metric_code, o.entity, o.geography, o.channel, o.period_type, o.period, o.kinds)
   = (b.metric_code, b.entity, b.geography, b.channel, b.period_type, b.period, b.kinds)
WHERE b.is_best;

CREATE VIEW conflicts AS SELECT * EXCLUDE (verdict) FROM agreements WHERE verdict = 'conflict';
CREATE VIEW restatements AS SELECT * EXCLUDE (verdict) FROM agreements WHERE verdict = 'restated';

-- Where the numeric cells of each table of the current documents went.
CREATE VIEW coverage AS
WITH fates AS (
    SELECT reading_no, table_no,
           coalesce(sum(cell_count) FILTER (disposition = 'excluded'), 0)::BIGINT AS excluded,
           coalesce(sum(cell_count) FILTER (disposition = 'unmapped'), 0)::BIGINT AS unmapped,
           coalesce(sum(cell_count) FILTER (disposition = 'null'), 0)::BIGINT AS empty,
           coalesce(list(DISTINCT reason ORDER BY reason) FILTER (disposition = 'unmapped'), []) AS unmapped_reasons
    FROM record.ledger GROUP BY reading_no, table_no
)
SELECT r.doc_id AS source_doc_id, t.locator AS source_locator, t.kind, t.title,
       coalesce(i.numeric_cells, 0) AS numeric_cells, coalesce(i.fact_count, 0) AS facts,
       coalesce(f.excluded, 0) AS excluded, coalesce(f.unmapped, 0) AS unmapped, coalesce(f.empty, 0) AS empty,
       i.fact_count / nullif(i.fact_count + coalesce(f.unmapped, 0), 0) AS ratio,
       coalesce(f.unmapped_reasons, []) AS unmapped_reasons
FROM record.standing s
JOIN record.reading r ON r.reading_no = s.reading_no
JOIN record.raw_table t ON t.extraction_no = r.extraction_no
LEFT JOIN record.interpretation i ON i.reading_no = r.reading_no AND i.table_no = t.table_no
LEFT JOIN fates f ON f.reading_no = r.reading_no AND f.table_no = t.table_no
WHERE s.is_current;

-- Every number of the current documents that is no fact, and every cell that says there is none, with the reason.
CREATE VIEW ledger AS
SELECT r.doc_id AS source_doc_id, c.source_locator, c.value_text, l.disposition, l.reason,
       t.locator AS table_locator, t.title AS table_title, c.row_no, c.col_no, r.file_hash
FROM record.ledger_cell c
JOIN record.ledger l ON l.ledger_no = c.ledger_no
JOIN record.standing s ON s.reading_no = c.reading_no
JOIN record.reading r ON r.reading_no = c.reading_no
JOIN record.raw_table t ON t.table_no = c.table_no
WHERE s.is_current;

-- Where each fact comes from, all the way: cell, labels, formula, table, file, reader, vocabulary, run.
CREATE VIEW lineage AS
SELECT f.reading_id || '.' || f.ordinal AS fact_id, f.source_doc_id, f.source_locator, record.exact(f.value_number, f.long_value) AS value_exact,
       f.value_text, f.unit, f.scale, if(c.unit_evidence = 'self', f.source_locator, c.unit_evidence) AS unit_evidence,
       h.path::JSON::VARCHAR[] AS row_path, v.path::JSON::VARCHAR[] AS col_path, x.formula,
       t.locator AS table_locator, t.title AS table_title, f.row_no, f.col_no,
       r.file_hash, r.media_type, r.size_bytes, r.extractor_version, r.mapping_version, r.sensitivity, r.reading_id,
       k.known_from, k.known_from_at, k.known_to, k.known_to_at, f.is_current
FROM record.fact f
JOIN record.reading r ON r.reading_no = f.reading_no
JOIN record.known k ON k.reading_no = f.reading_no
JOIN record.context c ON c.context_no = f.context_no
JOIN record.raw_table t ON t.table_no = f.table_no
LEFT JOIN record.header h ON h.reading_no = f.reading_no AND h.table_no = f.table_no AND h.axis = 'r'
    AND h.position = f.row_no AND f.col_no BETWEEN h.cross_first AND h.cross_last
LEFT JOIN record.header v ON v.reading_no = f.reading_no AND v.table_no = f.table_no AND v.axis = 'c'
    AND v.position = f.col_no AND f.row_no BETWEEN v.cross_first AND v.cross_last
LEFT JOIN record.formula x ON x.table_no = f.table_no AND x.row_no = f.row_no AND x.col_no = f.col_no;

-- Every document as its last event left it.
CREATE VIEW documents AS
SELECT d.doc_id AS source_doc_id, e.status, e.file_hash, r.media_type, r.size_bytes, e.extractor_version,
       r.mapping_version, r.sensitivity, r.reading_id, coalesce(r.fact_count, 0) AS facts,
       coalesce(r.table_count, 0) AS tables, coalesce(r.passage_count, 0) AS passages,
       coalesce(r.numeric_cells, 0) AS numeric_cells, n.revisions, u.run_id, u.finished_at::TIMESTAMP AS known_from_at
FROM record.document d
JOIN record.event e ON e.document_no = d.document_no
JOIN record.run u ON u.run_no = e.run_no
JOIN (SELECT document_no, max(event_no) AS last, count(DISTINCT file_hash) AS revisions
      FROM record.event GROUP BY document_no) n ON n.last = e.event_no
LEFT JOIN record.reading r ON r.reading_no = nullif(e.reading_no, 0);

CREATE VIEW runs AS
SELECT run_no, run_id, started_at::TIMESTAMP AS started_at, finished_at::TIMESTAMP AS finished_at, factspine_version,
       event_count AS documents, fact_count AS facts, lower(hex(seal)) AS seal
FROM record.run;

CREATE VIEW findings AS
SELECT d.doc_id AS source_doc_id, f.locator AS source_locator, f.code, f.severity, f.message, f.remedy, u.run_id
FROM record.finding f
JOIN record.document d ON d.document_no = f.document_no
JOIN record.run u ON u.run_no = f.run_no
JOIN (SELECT document_no, max(event_no) AS last FROM record.event GROUP BY document_no) n
  ON n.document_no = f.document_no
JOIN record.event e ON e.event_no = n.last
WHERE (f.reading_no <> 0 AND f.reading_no = e.reading_no)
   OR (f.reading_no = 0 AND f.run_no = e.run_no AND e.status = 'rejected');

-- What each run did to single facts: all of a new document are added, all of a withdrawn one vanished.
CREATE VIEW changes AS
WITH steps AS (
    SELECT event_no, run_no, document_no, status, nullif(reading_no, 0) AS reading_no,
           nullif(lag(reading_no) OVER (PARTITION BY document_no ORDER BY event_no), 0) AS earlier_reading_no
    FROM record.event
), fates AS (
    SELECT event_no, fate, before_fact_no, after_fact_no FROM record.change
    UNION ALL
    SELECT s.event_no, 'added', NULL, f.fact_no FROM steps s JOIN record.fact f ON f.reading_no = s.reading_no
    WHERE s.earlier_reading_no IS NULL
    UNION ALL
    SELECT s.event_no, 'vanished', f.fact_no, NULL FROM steps s
    JOIN record.fact f ON f.reading_no = s.earlier_reading_no
    WHERE s.reading_no IS NULL
)
SELECT u.run_id, u.finished_at::TIMESTAMP AS changed_at, c.fate,
       coalesce(a.reading_id || '.' || a.ordinal, b.reading_id || '.' || b.ordinal) AS fact_id,
       coalesce(a.metric_code, b.metric_code) AS metric_code, coalesce(a.metric_label, b.metric_label) AS metric_label,
       coalesce(a.entity, b.entity) AS entity, coalesce(a.period, b.period) AS period,
       record.exact(b.value_number, b.long_value) AS value_before, record.exact(a.value_number, a.long_value) AS value_after, b.unit AS unit_before, a.unit AS unit_after,
       b.value_text AS text_before, a.value_text AS text_after,
       b.source_locator AS locator_before, a.source_locator AS locator_after,
       coalesce(a.source_doc_id, b.source_doc_id) AS source_doc_id,
       coalesce(a.source_locator, b.source_locator) AS source_locator
FROM fates c
JOIN record.event e ON e.event_no = c.event_no
JOIN record.run u ON u.run_no = e.run_no
LEFT JOIN record.fact a ON a.fact_no = c.after_fact_no
LEFT JOIN record.fact b ON b.fact_no = c.before_fact_no;
