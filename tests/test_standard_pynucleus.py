"""The source standard: three fields, `[†n]`, four decimals, the trace log, the overlap criterion, the gate."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from factspine import search
from factspine.cite.gates import OVERLAP_MIN, structure_codes, word_overlap
from factspine.cite.validator import validate
from factspine.core.markers import marker, markers_are_in_order
from tests.ask_store import ask, demo_store
from tests.commandline import run

CHUNK = {
    "source_filename": "plants.pptx",
    "chunk_id": "plants_1",
    "text": "Modular plants are built sooner. They cost 12% less.",
}
CITATION = {"source_filename": "plants.pptx", "chunk_id": "plants_1", "similarity": 0.8712}


def test_markers_map_to_the_list_by_their_order() -> None:
    """`[†1]`, `[†2]` … first used in that order, each naming a citation of the list."""
    assert [marker(number) for number in (1, 2, 10)] == ["[†1]", "[†2]", "[†10]"]
    assert markers_are_in_order("A [†1]. B [†2]. C [†1][†3].", 3)
    for text in ("B [†2]. A [†1].", "A [†1]. B [†3].", "A [†0].", "A [†4].", "A [†one].", "A †1]."):
        assert not markers_are_in_order(text, 3), text


def test_several_citations_may_support_one_claim() -> None:
    """A claim with two markers stands on both."""
    second = {**CHUNK, "chunk_id": "plants_2", "text": "Modular plants are built in halves of the usual time."}
    answer = "Modular plants are built sooner [†1][†2]."
    citations = [CITATION, {**CITATION, "chunk_id": "plants_2"}]
    assert validate(answer, citations, [CHUNK, second]).ok


def test_every_factual_claim_names_a_source() -> None:
    """Citation coverage is all of the claims: one that names none is told."""
    answer = "Modular plants are built sooner [†1]. They are beautiful too."
    verdict = validate(answer, [CITATION], [CHUNK])
    assert verdict.codes == ("bad_marker",)
    assert [one.text for one in verdict.unsupported] == ["They are beautiful too."]


@pytest.mark.parametrize("name", ["source_filename", "chunk_id", "similarity"])
def test_the_structure_gate_names_a_missing_field(name: str) -> None:
    """Each of the three fields is required."""
    assert structure_codes([CITATION]) == ()
    assert structure_codes([CITATION, {key: value for key, value in CITATION.items() if key != name}]) == (
        f"missing_{name}",
    )
    assert structure_codes([]) == ("empty_citations",)


@pytest.mark.parametrize("similarity", [1.2, -0.1, 0.87123, "0.87", True])
def test_a_similarity_is_a_share_with_four_decimals(similarity: object) -> None:
    """From 0 to 1, rounded to four decimals."""
    assert structure_codes([{**CITATION, "similarity": similarity}]) == ("missing_score",)


def test_our_similarities_have_four_decimals() -> None:
    """Of answers and of searches alike, whatever the score was."""
    hits = [hit.citation for hit in search("revenue growth in Mainland China", demo_store(), top=20).hits]
    cited = ask("中国内地FY2024的REVENUE是多少").cited
    assert len({one.similarity for one in hits}) > 3
    for one in (*hits, *cited):
        assert one.similarity is not None
        assert one.similarity == round(one.score_norm or 0.0, 4)
    assert structure_codes([one.as_dict() for one in (*hits, *cited)]) == ()


def test_a_chunk_is_named_by_its_source_and_its_number() -> None:
    """`<source_id>_<chunk_idx>`: one name for each document, numbered from one without a gap."""
    hits = search("revenue", demo_store(), top=200).hits
    names: dict[str, set[str]] = {}
    for hit in hits:
        source, mark, number = hit.citation.chunk_id.rpartition("_")
        assert (bool(source), mark, number.isdigit()) == (True, "_", True)
        assert int(number) >= 1
        names.setdefault(hit.citation.doc_id, set()).add(source)
    assert all(len(found) == 1 for found in names.values())
    assert len({source for found in names.values() for source in found}) == len(names) > 1


def test_what_is_agreed_on_must_stand_in_what_is_cited() -> None:
    """The overlap counts words of the ideal answer that the answer says and the cited chunks hold."""
    ideal = "Modular plants are built sooner"
    assert word_overlap(ideal, "Modular plants are built sooner [†1].", CHUNK["text"]) == 1.0
    unsaid = word_overlap(ideal, "Plants are built.", CHUNK["text"])
    uncited = word_overlap(ideal, "Modular plants are built sooner.", "Plants are green.")
    assert unsaid == 0.6
    assert uncited == 0.4
    assert max(unsaid, uncited) < OVERLAP_MIN == 0.85
    assert word_overlap("收入上升", "收入大幅上升", "收入上升了") == 1.0


def test_questions_and_answers_are_logged_only_where_asked_for(tmp_path: Path) -> None:
    """With `--logs` every question is a line with the standard's fields; without it nothing holds its words."""
    store = str(demo_store().path)
    question = "What was Macau's claims ratio in FY2024?"
    run("ask", question, "--store", store, cwd=tmp_path)
    assert list(tmp_path.iterdir()) == []
    batch = tmp_path / "asked.jsonl"
    batch.write_text(
        "".join(json.dumps({"id": n, "question": text}) + "\n" for n, text in enumerate((question, "zzz"))), "utf-8"
    )
    run("ask", "--batch", batch, "--logs", tmp_path / "logs", "--store", store)
    lines = (tmp_path / "logs" / "rag_trace.jsonl").read_text(encoding="utf-8").splitlines()
    answered, refused = map(json.loads, lines)
    assert set(answered) == {"query_id", "timestamp", "question", "answer", "citations", "metadata"}
    assert answered["question"] == question
    assert "57.9%" in answered["answer"]
    assert answered["query_id"] != refused["query_id"]
    assert structure_codes(answered["citations"]) == ()
    assert (refused["citations"], refused["metadata"]["mode"]) == ([], "refuse")
    traces = (tmp_path / "logs" / "rag_traces.log").read_text(encoding="utf-8")
    assert "57.9" not in traces
    assert "claims" not in traces.lower().replace("row=claims", "")
