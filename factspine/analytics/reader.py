"""The read side of a store, out of its analytic copy: the same methods as `FactStore`, and the same answers.

The record is made for one fact at a time and this for many at once; which of them answered must never show.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from decimal import Decimal
from fnmatch import fnmatchcase
from pathlib import Path
from string import ascii_lowercase, ascii_uppercase
from types import TracebackType
from typing import Any

from factspine.analytics.session import QueryLimits, Session
from factspine.core.errors import StoreMissing, UsageError
from factspine.core.facts import OWN_CELL, Fact
from factspine.store.accounts import Coverage
from factspine.store.documents import DocumentRecord
from factspine.store.facts import FactFilter
from factspine.store.runs import SealedRun

# Whoever reads the whole record through this asked for it: only memory is limited.
_LIMITS = QueryLimits(seconds=None)
_ASCII = f"'{ascii_uppercase}', '{ascii_lowercase}'"
_FACT = """
SELECT f.metric_code, f.entity, f.geography, f.channel, f.period_type, f.period,
       record.exact(f.value_number, f.long_value), f.unit, f.source_doc_id,
       f.source_locator, f.reading_id || '.' || f.ordinal, f.metric_label, f.value_text, f.decimals, f.scale,
       c.unit_evidence, coalesce(h.path, '[]'), coalesce(v.path, '[]'), c.period_start, c.period_end, f.status,
       r.sensitivity, coalesce(x.formula, ''), r.file_hash, r.extractor_version, r.mapping_version,
       k.known_from, k.known_to
FROM record.fact f
JOIN record.reading r ON r.reading_no = f.reading_no
JOIN known k ON k.reading_no = f.reading_no
JOIN record.context c ON c.context_no = f.context_no
LEFT JOIN record.header h ON h.reading_no = f.reading_no AND h.table_no = f.table_no AND h.axis = 'r'
    AND h.position = f.row_no AND f.col_no BETWEEN h.cross_first AND h.cross_last
LEFT JOIN record.header v ON v.reading_no = f.reading_no AND v.table_no = f.table_no AND v.axis = 'c'
    AND v.position = f.col_no AND f.row_no BETWEEN v.cross_first AND v.cross_last
LEFT JOIN record.formula x ON x.table_no = f.table_no AND x.row_no = f.row_no AND x.col_no = f.col_no
"""
# When each reading was current, as far as was known after a run; of several stretches, the last.
_KNOWN = """
WITH seen AS (SELECT * FROM record.event WHERE run_no <= $run_no), stretch AS (
    SELECT event_no, reading_no, run_no, lead(run_no) OVER (PARTITION BY document_no ORDER BY event_no) AS to_run_no
    FROM seen), known AS (
    SELECT s.reading_no, s.event_no, a.run_id AS known_from, coalesce(b.run_id, '') AS known_to
    FROM stretch s JOIN record.run a ON a.run_no = s.run_no LEFT JOIN record.run b ON b.run_no = s.to_run_no
    WHERE s.reading_no <> 0
    QUALIFY row_number() OVER (PARTITION BY s.reading_no ORDER BY s.event_no DESC) = 1)
"""
_NOW = 2**62


class FactCopy:
    """The read side of a store at the path of its analytic copy. What it shows is the run it was last brought to."""

    def __init__(self, path: str | Path) -> None:
        self._path = Path(path)
        if not self._path.is_file():
            raise StoreMissing(f"there is no analytic copy at {self._path}; `factspine sql` makes one")
        self._session = Session(self._path, _LIMITS)

    @property
    def path(self) -> Path:
        """The file of the copy."""
        return self._path

    def close(self) -> None:
        """Close the copy."""
        self._session.close()

    def __enter__(self) -> FactCopy:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def facts(
        self, wanted: FactFilter | None = None, *, all_revisions: bool = False, as_of: object = None
    ) -> Iterator[Fact]:
        """Facts one by one, in order of document and place: current ones, or those of every reading there ever was."""
        conditions, parameters = _conditions(wanted or FactFilter())
        if wanted is not None and wanted.documents:
            conditions.append("f.source_doc_id IN (SELECT unnest($documents::VARCHAR[]))")
            parameters["documents"] = self._matching(wanted.documents)
        if not all_revisions:
            conditions.append("k.known_to = '' AND k.reading_no <> 0")
        parameters["run_no"] = self._run_as_of(as_of)
        where = f"WHERE {' AND '.join(conditions)}" if conditions else ""
        order = "ORDER BY f.source_doc_id, k.event_no, f.fact_no"
        with self._session.query(f"{_KNOWN}{_FACT}{where} {order}", parameters) as found:
            for row in found.rows:
                yield _fact(row)

    def fact(self, fact_id: str) -> Fact | None:
        """The fact of that id, current or not."""
        reading_id, _, ordinal = fact_id.partition(".")
        if not (ordinal.isascii() and ordinal.isdigit()):
            raise UsageError(f"not a fact id: {fact_id[:60]!r}")
        where = "WHERE f.reading_id = $reading_id AND f.ordinal = $ordinal"
        parameters = {"reading_id": reading_id, "ordinal": int(ordinal), "run_no": _NOW}
        with self._session.query(f"{_KNOWN}{_FACT}{where}", parameters) as found:
            row = next(found.rows, None)
        return None if row is None else _fact(row)

    def documents(self) -> list[DocumentRecord]:
        """Every document, as its last event left it, in order of id."""
        text = """
            SELECT d.source_doc_id, d.status, d.file_hash, coalesce(d.media_type, ''), coalesce(d.size_bytes, 0),
                   d.extractor_version, coalesce(d.mapping_version, ''), coalesce(d.sensitivity, ''),
                   coalesce(d.reading_id, ''), d.facts, d.tables, d.passages, d.numeric_cells, d.run_id, r.started_at
            FROM documents d JOIN record.run r USING (run_id) ORDER BY d.source_doc_id"""
        names = DocumentRecord.__slots__
        return [DocumentRecord(**dict(zip(names, row, strict=True))) for row in self._all(text)]

    def coverage(self, documents: Sequence[str] = ()) -> list[Coverage]:
        """Where the numeric cells of each current document went; `documents` are glob patterns."""
        text = """
            SELECT r.doc_id, r.numeric_cells, r.fact_count, {counts}
            FROM record.standing s JOIN record.reading r USING (reading_no) LEFT JOIN record.ledger l USING (reading_no)
            WHERE s.is_current GROUP BY ALL ORDER BY r.doc_id"""
        counts = ", ".join(
            f"coalesce(sum(l.cell_count) FILTER (l.disposition = '{name}'), 0)::BIGINT"
            for name in ("excluded", "unmapped", "null")
        )
        found = [
            Coverage(doc_id=doc_id, numeric_cells=cells, facts=facts, excluded=excluded, unmapped=unmapped, null=null)
            for doc_id, cells, facts, excluded, unmapped, null in self._all(text.format(counts=counts))
        ]
        return [one for one in found if not documents or _matches(one.doc_id, documents)]

    def runs(self) -> list[SealedRun]:
        """Every run, oldest first."""
        text = """
            SELECT run_no, run_id, started_at, finished_at, event_count, fact_count, seal,
                   lag(seal, 1, repeat('\\x00'::BLOB, 32)) OVER (ORDER BY run_no), root
            FROM record.run ORDER BY run_no"""
        return [
            SealedRun(
                run_no=number,
                run_id=run_id,
                started_at=started,
                finished_at=finished,
                event_count=events,
                fact_count=facts,
                root=root,
                previous_seal=previous,
                seal=seal,
            )
            for number, run_id, started, finished, events, facts, seal, previous, root in self._all(text)
        ]

    def head(self) -> SealedRun | None:
        """The last run; None in an empty store."""
        return next(reversed(self.runs()), None)

    @property
    def store_version(self) -> str:
        """What answers were given from: the id of the last run."""
        head = self.head()
        return "empty" if head is None else head.run_id

    def _run_as_of(self, moment: object) -> int:
        if moment is None:
            return _NOW
        ((number,),) = self._all("SELECT record.run_as_of($moment::VARCHAR)", {"moment": str(moment)})
        return int(number)

    def _matching(self, patterns: Sequence[str]) -> list[str]:
        return [name for (name,) in self._all("SELECT doc_id FROM record.document") if _matches(name, patterns)]

    def _all(self, text: str, parameters: dict[str, Any] | None = None) -> list[tuple[Any, ...]]:
        with self._session.query(text, parameters) as found:
            return list(found.rows)


def _matches(doc_id: str, patterns: Sequence[str]) -> bool:
    return any(fnmatchcase(doc_id, pattern) for pattern in patterns)


def _conditions(wanted: FactFilter) -> tuple[list[str], dict[str, Any]]:
    """The filter in DuckDB's words, the documents left out; case is folded as the record folds it, ASCII only."""
    parameters: dict[str, Any] = {}

    def given(name: str, text: str) -> str:
        parameters[name] = "".join(mark.lower() if mark.isascii() else mark for mark in text)
        return f"${name}"

    def same(column: str, mark: str) -> str:
        return f"translate(f.{column}, {_ASCII}) = {mark}"

    def within(column: str, mark: str) -> str:
        return f"contains(translate(f.{column}, {_ASCII}), {mark})"

    found: list[str] = []
    if wanted.metric:
        mark = given("metric", wanted.metric)
        found.append(f"({same('metric_code', mark)} OR {within('metric_label', mark)})")
    if wanted.metric_codes:
        parameters["metric_codes"] = list(wanted.metric_codes)
        found.append("f.metric_code IN (SELECT unnest($metric_codes::VARCHAR[]))")
    for name in ("entity", "geography", "channel", "period", "unit"):
        if text := getattr(wanted, name):
            found.append(same(name, given(name, text)))
    if wanted.status:
        found.append(f"contains(' ' || translate(f.status, {_ASCII}) || ' ', {given('status', f' {wanted.status} ')})")
    if wanted.text:
        mark = given("text", wanted.text)
        places = (within(name, mark) for name in ("metric_label", "value_text", "source_locator"))
        found.append(f"({' OR '.join(places)})")
    return found, parameters


def _fact(row: tuple[Any, ...]) -> Fact:
    (metric_code, entity, geography, channel, period_type, period, value, unit, doc_id, locator, fact_id) = row[:11]
    (label, text, decimals, scale, evidence, row_path, col_path, start, end, status, sensitivity, formula) = row[11:23]
    (file_hash, extractor_version, mapping_version, known_from, known_to) = row[23:]
    return Fact(
        metric_code,
        entity,
        geography,
        channel,
        period_type,
        period,
        Decimal(value),
        unit,
        doc_id,
        locator,
        fact_id=fact_id,
        metric_label=label,
        value_text=text,
        decimals=decimals,
        scale=scale,
        unit_evidence=locator if evidence == OWN_CELL else evidence,
        row_path=tuple(json.loads(row_path)),
        col_path=tuple(json.loads(col_path)),
        period_start=start,
        period_end=end,
        status=status,
        sensitivity=sensitivity,
        formula=formula,
        source_file_hash=file_hash,
        extractor_version=extractor_version,
        mapping_version=mapping_version,
        known_from=known_from,
        known_to=known_to,
    )
