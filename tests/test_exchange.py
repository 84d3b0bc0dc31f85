"""The exchange formats: what others read of our answers is what their standards say."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest

from factspine.cite.gates import word_overlap
from factspine.cite.traces import Trace, auditable, log_answer, write_traces
from factspine.core.citations import FIELDS, Citation, Offsets

BYTES = b"the bytes of a document"
CITATION = Citation(
    doc_id="docs/review.pptx",
    section_id="Results for the year",
    snippet_id="abc_1:0-33",
    chunk_id="abc_1",
    source_filename="review.pptx",
    source_url="factspine:docs/review.pptx#slide=2,shape=1,para=1",
    locator="slide=2,shape=1,para=1",
    snippet="Revenue rose to HK$1,320 million.",
    offsets=Offsets(0, 33),
    tokens=6,
    index_hash="fts5:h",
    analyzer="a/1",
    rev=sha256(BYTES).hexdigest(),
    score_raw=8.0,
    score_norm=0.444444,
    similarity=0.4444,
    k_pos=2,
    k_final=1,
)


def test_a_citation_has_every_field_of_the_contract() -> None:
    """No field is left out, whatever is known; offsets say their unit."""
    record = CITATION.as_dict()
    assert tuple(record) == FIELDS
    assert record["offsets"] == {"start": 0, "end": 33, "unit": "char"}
    with pytest.raises(ValueError, match="cites nothing"):
        replace(CITATION, locator="")


def test_the_log_line_is_one_line_without_anybody_s_text(tmp_path: Path) -> None:
    """Names, scores and places: no question, no answer, no snippet."""
    trace = Trace(ts="2025-03-31", qid="Q1", seg=1, citations=(CITATION,), k=10)
    line = trace.line()
    assert line.startswith(
        "ts=2025-03-31 qid=Q1 seg=1 deltaS=0.56 lambda=convergent k=10 store=sqlite-fts5 index_hash="
    )
    assert "citations=[abc_1:0-33] scores=[0.4444] kpos=[2] kfinal=[1] section_id=Results_for_the_year rev=" in line
    assert "\n" not in line
    assert "1,320" not in line
    write_traces(tmp_path / "traces.db", [trace])
    with closing(sqlite3.connect(tmp_path / "traces.db")) as connection:
        row = connection.execute("SELECT qid, seg, deltaS, citations, kfinal FROM rag_traces").fetchone()
    assert row == ("Q1", 1, 0.5556, '["abc_1:0-33"]', "[1]")


def test_the_auditable_block_cites_first() -> None:
    """Citations before the answer, each with the five fields of the contract, and the distance to the evidence."""
    block = auditable("Revenue rose to HK$1,320 million [†1].", [CITATION])
    assert list(block) == ["citations", "answer", "ΔS", "λ"]
    assert set(block["citations"][0]) == {"snippet_id", "section_id", "source_url", "offsets", "tokens"}
    assert block["ΔS"] == 0.5556


def test_the_trace_log_has_its_fields(tmp_path: Path) -> None:
    """Each line of the opt-in log is a whole question and answer with four-decimal similarities."""
    path = tmp_path / "logs" / "rag_trace.jsonl"
    for number in (1, 2):
        log_answer(
            path,
            query_id=f"q{number}",
            timestamp="2025-03-31T12:00:00Z",
            question="How did revenue develop?",
            answer="Revenue rose to HK$1,320 million [†1].",
            citations=[CITATION],
            metadata={"k": 10},
        )
    first, second = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    assert set(first) == {"query_id", "timestamp", "question", "answer", "citations", "metadata"}
    assert second["query_id"] == "q2"
    assert first["citations"][0]["similarity"] == 0.4444


def test_overlap_is_the_share_of_words_in_the_evidence() -> None:
    """The overlap criterion counts words, in both scripts."""
    assert word_overlap("revenue rose sharply", "Revenue rose to HK$1,320 million") == pytest.approx(2 / 3)
    assert word_overlap("收入上升", "收入大幅上升") == 1.0
