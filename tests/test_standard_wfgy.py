"""Retrieval traceability: the payload, its eight rules, return codes, log line, trace table, adapters."""

from __future__ import annotations

import json
import random
import re
import sqlite3
import sys
from contextlib import closing
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from langchain_core.documents import Document
from llama_index.core.schema import NodeRelationship, NodeWithScore, RelatedNodeInfo, TextNode

from factspine import search
from factspine.cite.adapters import from_langchain, from_llamaindex, to_langchain, to_llamaindex
from factspine.cite.enforcement import enforce
from factspine.cite.prompts import INSTRUCTIONS, read_reply
from factspine.cite.remedies import next_step
from factspine.cite.traces import COLUMNS, Trace, auditable, keep_answer, traces_of
from factspine.cite.validator import validate, validate_citations
from factspine.core.citations import CODES, FIELDS, Citation, Offsets, tie_break
from factspine.core.errors import UsageError
from tests.ask_store import ask, demo_store

REQUIRED = (
    "doc_id", "section_id", "snippet_id", "source_url", "offsets", "tokens", "index_hash", "embed_model", "analyzer",
    "rev",
)  # fmt: skip
OPTIONAL = ("window", "page", "score_raw", "score_norm", "rerank_score", "k_pos", "k_final")
TEXT = "Hardware keys are required for all admin roles. Keys are rotated every 90 days."
CITATION = Citation(
    doc_id="handbook.pptx",
    section_id="policies/security/keys",
    snippet_id="hb-7:0-47",
    chunk_id="hb-7",
    source_filename="handbook.pptx",
    source_url="factspine:handbook.pptx#slide=3,shape=2,para=1",
    locator="slide=3,shape=2,para=1",
    snippet=TEXT[:47],
    offsets=Offsets(0, 47),
    tokens=8,
    index_hash="fts5:2f7d",
    analyzer="words/1",
    rev=sha256(b"handbook").hexdigest(),
    page=3,
    score_raw=8.421,
    score_norm=0.4571,
    similarity=0.4571,
    k_pos=18,
    k_final=3,
)
ANSWER = "Hardware keys are required for all admin roles [†1]."
RETRIEVED = {**CITATION.as_dict(), "snippet_id": "hb-7", "text": TEXT}


def codes(*citations: dict[str, Any], answer: str = ANSWER, **options: Any) -> tuple[str, ...]:
    return validate(answer, citations, [RETRIEVED], **options).codes


def changed(**changes: Any) -> dict[str, Any]:
    record = {**CITATION.as_dict(), **changes}
    return {name: value for name, value in record.items() if value is not ...}


def test_the_payload_has_every_field() -> None:
    """Ten required fields and seven recommended ones, in every citation that is printed."""
    printed = ask("中国内地FY2024的REVENUE是多少").to_json()["citations"]
    found = [hit.citation.as_dict() for hit in search("why did revenue grow", demo_store(), top=5).hits]
    assert printed
    assert found
    for record in (*printed, *found):
        assert set(REQUIRED) | set(OPTIONAL) <= set(record)
        assert all(record[name] is not None for name in REQUIRED)
        assert set(record["offsets"]) == {"start", "end", "unit"}


def test_rule_1_cite_first_then_explain() -> None:
    """The prompt asks for citations first; a reply that explains and then cites is not taken."""

    class Late:
        name = "late"
        asked = 0

        def complete(self, instructions: str, material: str) -> str:
            self.asked += 1
            said = json.dumps({"citations": [{"chunk_id": "hb-7", "snippet": TEXT[:47]}], "answer": ANSWER})
            return f"Keys are needed, of course. {said}" if self.asked == 1 else said

    assert INSTRUCTIONS.index('"citations"') < INSTRUCTIONS.index('"answer"')
    assert "Cite before you explain" in INSTRUCTIONS
    result = enforce("Who needs keys?", [RETRIEVED], Late())
    assert (result.mode, result.repaired) == ("answer", True)
    assert list(auditable(ANSWER, [CITATION])) == ["citations", "answer", "ΔS", "λ"]


@pytest.mark.parametrize(
    "offsets",
    [
        {"start": 47, "end": 0, "unit": "char"},
        {"start": 5, "end": 5, "unit": "char"},
        {"start": -1, "end": 5, "unit": "char"},
        {"start": 0, "end": 47, "unit": "byte"},
    ],
)
def test_rule_2_offsets_are_monotonic(offsets: dict[str, Any]) -> None:
    """start < end, in characters or tokens."""
    assert "bad_offsets" in codes(changed(offsets=offsets))


def test_rule_2_units_are_not_mixed() -> None:
    """Characters and tokens cannot be mixed in one run."""
    second = changed(offsets={"start": 0, "end": 8, "unit": "token"})
    assert "bad_offsets" in codes(changed(), second, answer=ANSWER + " Keys are needed [†2].")


def test_rule_3_one_segment_one_section() -> None:
    """Citations of one sentence share their section, unless a whitelist says otherwise."""
    other = {**RETRIEVED, "chunk_id": "hb-8", "snippet_id": "hb-8", "section_id": "policies/audit"}
    second = changed(chunk_id="hb-8", snippet_id="hb-8:0-47", section_id="policies/audit")
    both = "Hardware keys are required for all admin roles [†1][†2]."
    assert validate(both, [changed(), second], [RETRIEVED, other]).codes == ("cross_section_reuse",)
    assert validate(both, [changed(), second], [RETRIEVED, other], allow_cross_section=True).ok


def test_rule_4_analyzer_parity() -> None:
    """Another analyzer at reading time fails at once."""
    assert codes(changed(analyzer="lowercase")) == ("analyzer_mismatch",)
    assert codes(changed(), analyzer="words/2") == ("analyzer_mismatch",)


def test_rule_5_ties_are_broken_the_same_way_always() -> None:
    """score_norm downwards, then section, then snippet, in whatever order they came."""
    tied = [
        replace(CITATION, section_id=section, snippet_id=snippet, score_norm=score)
        for score in (0.2, 0.5)
        for section in ("b", "a")
        for snippet in ("2", "1")
    ]
    random.Random(7).shuffle(tied)  # noqa: S311  repeatable, not secret
    order = [(one.score_norm, one.section_id, one.snippet_id) for one in sorted(tied, key=tie_break)]
    assert order == [(score, section, snippet) for score in (0.5, 0.2) for section in "ab" for snippet in "12"]
    hits = [hit.citation for hit in search("revenue", demo_store(), top=30).hits]
    assert hits == sorted(hits, key=tie_break)


def test_rule_6_index_identity() -> None:
    """The index a citation names is the live one."""
    assert codes(changed(index_hash="fts5:0000")) == ("mismatch_index_hash",)
    assert codes(changed(), index_hash="fts5:0000") == ("mismatch_index_hash",)


def test_rule_7_revision_lock() -> None:
    """The revision is the one that produced the chunk."""
    assert codes(changed(rev="0" * 64)) == ("rev_mismatch",)


def test_rule_8_traces_are_complete() -> None:
    """No trace without a score and the rank before reranking; the rank after it where there is one."""
    line = Trace(ts="2025-03-31", qid="Q1", seg=1, citations=(CITATION,), k=10).line()
    assert "scores=[0.4571] kpos=[18] kfinal=[3]" in line
    for gap in ({"score_raw": None, "score_norm": None}, {"k_pos": None}):
        with pytest.raises(ValueError, match="a trace needs both"):
            Trace(ts="2025-03-31", qid="Q1", seg=1, citations=(replace(CITATION, **gap),), k=10)


@pytest.mark.parametrize(
    ("code", "citations"),
    [
        ("ok", [changed()]),
        ("empty_citations", []),
        ("missing_score", [changed(score_raw=..., score_norm=...)]),
        ("bad_offsets", [changed(offsets={"start": 9, "end": 3, "unit": "char"})]),
        ("mismatch_index_hash", [changed(index_hash="other")]),
        ("analyzer_mismatch", [changed(analyzer="other")]),
        *((f"missing_{name}", [changed(**{name: ...})]) for name in REQUIRED if name != "doc_id"),
    ],
)
def test_every_return_code_is_returned(code: str, citations: list[dict[str, Any]]) -> None:
    """Each fault comes back under the standard's own name for it."""
    verdict = validate_citations(citations, [RETRIEVED]).as_dict()
    assert code in verdict["codes"]
    assert set(verdict["codes"]) <= set(CODES) | {f"missing_{name}" for name in FIELDS}


KEYS = (
    "ts", "qid", "seg", "deltaS", "lambda", "k", "store", "index_hash", "embed", "citations", "scores", "kpos",
    "kfinal", "section_id", "rev",
)  # fmt: skip


def test_an_answer_is_logged_a_line_a_segment(tmp_path: Path) -> None:
    """The keys of the standard in its order, one line for each section cited, the same row in `rag_traces`."""
    answer = ask("中国内地FY2024的REVENUE是多少")
    keep_answer(tmp_path / "logs", answer, ts="2025-03-31T09:00:00+00:00")
    lines = (tmp_path / "logs" / "rag_traces.log").read_text(encoding="utf-8").splitlines()
    assert len(lines) == len(traces_of(answer, ts=""))
    for line in lines:
        assert tuple(re.findall(r"(?:^| )(\w+)=", line.partition(" section_id=")[0])) == KEYS[:-2]
        assert " section_id=" in line
        assert line.endswith(f"rev={answer.cited[0].rev}")
        assert "1,320" not in line
    with closing(sqlite3.connect(tmp_path / "logs" / "rag_traces.db")) as database:
        columns = database.execute("PRAGMA table_info(rag_traces)").fetchall()
        rows = database.execute("SELECT ts, qid, seg, deltaS, lambda_state, citations FROM rag_traces").fetchall()
    assert tuple(column[1] for column in columns) == COLUMNS
    assert {column[1] for column in columns if column[3]} == {"ts", "qid", "seg", "deltaS", "lambda_state"}
    cited = json.dumps([one.snippet_id for one in answer.cited])
    assert rows == [("2025-03-31T09:00:00+00:00", answer.trace_id, 1, 0.0, "convergent", cited)]


def test_the_auditable_answer_can_be_checked_by_a_machine() -> None:
    """Citations with their five fields, the answer, ΔS and λ; and the citations hold."""
    answer = ask("中国内地FY2024的REVENUE是多少")
    block = json.loads(json.dumps(auditable(answer.answer, answer.cited)))
    assert [set(one) for one in block["citations"]] == [
        {"snippet_id", "section_id", "source_url", "offsets", "tokens"} for _ in answer.facts
    ]
    assert (block["ΔS"], block["λ"]) == (0.0, "convergent")
    assert block["answer"] == answer.answer


@pytest.fixture
def found() -> Citation:
    return search("why did revenue in Mainland China grow", demo_store(), top=1).hits[0].citation


def without_nothing(citation: Citation) -> dict[str, Any]:
    return {name: value for name, value in citation.as_dict().items() if value is not None}


def test_a_citation_goes_through_langchain_and_back(found: Citation) -> None:
    """A real LangChain document holds all of a citation, through its own serialisation too."""
    document = to_langchain(found)
    assert isinstance(document, Document)
    assert document.page_content == found.snippet
    again = Document.model_validate_json(document.model_dump_json())
    assert from_langchain(again) == without_nothing(found)


def test_a_citation_goes_through_llamaindex_and_back(found: Citation) -> None:
    """A real LlamaIndex node holds all of a citation, its document as its source, its metadata out of the text."""
    scored = to_llamaindex(found)
    assert isinstance(scored, NodeWithScore)
    assert isinstance(scored.node, TextNode)
    assert scored.node.ref_doc_id == found.doc_id
    assert scored.node.get_content(metadata_mode="all").strip().endswith(found.snippet)
    again = NodeWithScore(node=TextNode.from_json(scored.node.to_json()), score=scored.score)
    assert from_llamaindex(again) == without_nothing(found)
    assert from_llamaindex(scored.node)["score_raw"] == found.score_raw


def test_documents_of_others_are_projected_and_what_they_lack_is_named() -> None:
    """Metadata by the names of the standard becomes a citation; what is not there is not filled in."""
    metadata = {name: CITATION.as_dict()[name] for name in REQUIRED if name != "offsets"}
    theirs = Document(page_content=CITATION.snippet, metadata={**metadata, "start": 0, "end": 47, "score": 8.4, "k": 2})
    payload = from_langchain(theirs)
    assert (payload["offsets"], payload["score_raw"], payload["k_pos"]) == (
        {"start": 0, "end": 47, "unit": "char"},
        8.4,
        2,
    )
    assert validate_citations([{**payload, "chunk_id": "hb-7"}], [RETRIEVED]).ok
    node = TextNode(
        id_="hb-7",
        text=CITATION.snippet,
        start_char_idx=0,
        end_char_idx=47,
        metadata={"section_id": "policies/security/keys", "tokens": 8},
        relationships={NodeRelationship.SOURCE: RelatedNodeInfo(node_id="handbook.pptx")},
    )
    projected = from_llamaindex(node, score=0.8)
    assert projected["doc_id"] == "handbook.pptx"
    lacking = validate_citations([projected], [RETRIEVED]).codes
    assert lacking == (
        "missing_source_url",
        "missing_index_hash",
        "missing_embed_model",
        "missing_analyzer",
        "missing_rev",
    )


def test_without_the_package_the_remedy_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Going to a framework that is not installed says which extra to install."""
    monkeypatch.setitem(sys.modules, "langchain_core.documents", None)
    with pytest.raises(UsageError, match=r"factspine\[langchain\]"):
        to_langchain(CITATION)


def test_every_code_has_a_next_step() -> None:
    """Whoever gets a code is told what helps against it, fields that are missing by their name."""
    assert all(next_step(code) for code in CODES if code not in ("ok", "missing_<field>"))
    assert "`rev`" in next_step("missing_rev")
    assert next_step("ok") == ""


def test_a_model_that_stops_for_a_missing_field_is_a_refusal() -> None:
    """The prompt tells it to stop with the field and where to look; nothing of such a reply becomes an answer."""
    assert '"error"' in INSTRUCTIONS
    assert '"fix"' in INSTRUCTIONS
    reply = read_reply('{"error": "offsets", "fix": "chunk 7, revenue was 999"}')
    assert reply == {"answer": "", "citations": [], "mode": "refuse"}
