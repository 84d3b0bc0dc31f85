"""The validator's codes: one promise of the citation standards a test."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from factspine.cite.validator import validate, validate_text
from tests.commandline import run

TEXT = "Revenue rose to HK$1,320 million. Margin was 12.3%. The board proposed a dividend."
CHUNK: dict[str, Any] = {
    "doc_id": "review.pptx",
    "chunk_id": "c1",
    "snippet_id": "c1",
    "section_id": "results",
    "text": TEXT,
    "index_hash": "h1",
    "analyzer": "a1",
    "rev": "r1",
}


def citation(snippet: str = "Revenue rose to HK$1,320 million.", **changes: Any) -> dict[str, Any]:
    start = max(TEXT.find(snippet), 0)
    whole = {
        **{name: CHUNK[name] for name in ("doc_id", "chunk_id", "snippet_id", "section_id", "index_hash", "analyzer")},
        "rev": "r1",
        "source_url": "",
        "snippet": snippet,
        "offsets": {"start": start, "end": start + len(snippet), "unit": "char"},
        "tokens": 6,
        "embed_model": "none",
        "score_raw": 1.5,
        "k_pos": 1,
    }
    whole.update(changes)
    return {name: value for name, value in whole.items() if value is not ...}


ANSWER = "Revenue rose to HK$1,320 million [†1]."


def codes(*citations: dict[str, Any], answer: str = ANSWER, **options: Any) -> tuple[str, ...]:
    return validate(answer, citations, [CHUNK], **options).codes


def test_a_quotation_from_what_was_retrieved_is_ok() -> None:
    """The exact words of a retrieved chunk, marked, with every field: nothing to say."""
    verdict = validate(ANSWER, [citation()], [CHUNK])
    assert verdict.ok
    assert verdict.as_dict()["codes"] == ["ok"]
    assert verdict.matches == ("exact",)


@pytest.mark.parametrize(
    "name",
    ["snippet_id", "section_id", "source_url", "offsets", "tokens", "index_hash", "embed_model", "analyzer", "rev"],
)
def test_a_missing_field_is_named(name: str) -> None:
    """Every required field of the payload has a code of its own."""
    assert f"missing_{name}" in codes(citation(**{name: ...}))


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"score_raw": ...}, "missing_score"),
        ({"offsets": {"start": 5, "end": 5, "unit": "char"}}, "bad_offsets"),
        ({"offsets": {"start": 40, "end": 10, "unit": "char"}}, "bad_offsets"),
        ({"offsets": {"start": 1, "end": 34, "unit": "char"}}, "bad_offsets"),
        ({"offsets": {"start": 0, "end": 9000, "unit": "char"}}, "bad_offsets"),
        ({"offsets": {"start": True, "end": 9, "unit": "char"}}, "bad_offsets"),
        ({"index_hash": "h2"}, "mismatch_index_hash"),
        ({"analyzer": "a2"}, "analyzer_mismatch"),
        ({"rev": "r2"}, "rev_mismatch"),
        ({"chunk_id": "c9", "snippet_id": "c9"}, "not_retrieved"),
        ({"doc_id": "other.pptx"}, "not_retrieved"),
        ({"snippet": "Revenue rose to HK$1,321 million."}, "snippet_mismatch"),
    ],
)
def test_each_fault_has_its_code(changes: dict[str, Any], code: str) -> None:
    """What is wrong with a citation is said, not that something is."""
    assert code in codes(citation(**changes))


def test_no_citations_is_a_fault_of_its_own() -> None:
    """An answer without a citation block is not an answer."""
    assert codes() == ("empty_citations",)


def test_character_and_token_offsets_are_not_mixed() -> None:
    """Units of offsets are consistent within a run."""
    second = citation("Margin was 12.3%.", offsets={"start": 3, "end": 6, "unit": "token"})
    assert "bad_offsets" in codes(citation(), second, answer=ANSWER + " Margin was 12.3% [†2].")


def test_one_sentence_cites_one_section() -> None:
    """Two sections in one sentence are refused unless that was allowed; in two sentences they are fine."""
    other = {**CHUNK, "chunk_id": "c2", "snippet_id": "c2", "section_id": "outlook"}
    second = citation("Margin was 12.3%.", chunk_id="c2", snippet_id="c2", section_id="outlook")
    both = "Revenue rose to HK$1,320 million and margin was 12.3% [†1][†2]."
    apart = "Revenue rose to HK$1,320 million [†1]. Margin was 12.3% [†2]."
    assert validate(both, [citation(), second], [CHUNK, other]).codes == ("cross_section_reuse",)
    assert validate(both, [citation(), second], [CHUNK, other], allow_cross_section=True).ok
    assert validate(apart, [citation(), second], [CHUNK, other]).ok


@pytest.mark.parametrize(
    "answer",
    [
        "Revenue rose to HK$1,320 million [†2].",
        "Revenue rose to HK$1,320 million [†0].",
        "Revenue rose to HK$1,320 million [†].",
        "Revenue rose to HK$1,320 million.",
        "Revenue rose to HK$1,320 million [†1]. The board proposed a dividend.",
    ],
)
def test_markers_name_the_list_in_order(answer: str) -> None:
    """A marker past the list, out of order or broken, and a claim without one, are refused."""
    assert "bad_marker" in codes(citation(), answer=answer)


def test_markers_out_of_order_are_refused() -> None:
    """The list is named from its beginning on."""
    answer = "Margin was 12.3% [†2]. Revenue rose to HK$1,320 million [†1]."
    assert "bad_marker" in codes(citation(), citation("Margin was 12.3%."), answer=answer)


def test_a_number_rests_on_the_sentence_s_own_citations() -> None:
    """Citations that are swapped prove nothing: the number must stand in what its own sentence cites."""
    answer = "Margin was 12.3% [†1]. Revenue rose to HK$1,320 million [†2]."
    assert codes(citation(), citation("Margin was 12.3%."), answer=answer) == ("uncited_number",)


def test_a_snippet_may_differ_in_width_quotes_and_space_only() -> None:
    """The declared normalisation is recorded as such; a changed word is a changed word."""
    snippet = "Revenue  rose to\nHK＄1,320 million."
    verdict = validate(ANSWER, [citation(snippet, offsets={"start": 0, "end": 33, "unit": "char"})], [CHUNK])
    assert verdict.matches == ("normalised",)
    assert verdict.ok
    assert "snippet_mismatch" in codes(citation("Revenue fell to HK$1,320 million."))


def test_the_short_form_needs_chunk_and_snippet_only() -> None:
    """`{doc_id, chunk_id, snippet}` is complete in its own form."""
    short = {"doc_id": "review.pptx", "chunk_id": "c1", "snippet": "Margin was 12.3%."}
    assert validate("Margin was 12.3% [†1].", [short], [CHUNK]).ok
    assert "missing_chunk_id" in validate("Margin was 12.3% [†1].", [{"snippet": "Margin was 12.3%."}], [CHUNK]).codes
    assert "missing_similarity" in validate("A b [†1].", [{"source_filename": "f", "chunk_id": "c1"}], [CHUNK]).codes


def test_references_are_evidence_for_the_whole_text() -> None:
    """Without citations every reference counts for every sentence, and bracketed numbers are markers."""
    assert validate_text("Margin was 12.3% [1].", [TEXT]).ok
    assert validate_text("Margin was 12.4% [1].", [TEXT]).codes == ("uncited_number",)


def test_the_command_prints_a_verdict_a_line(tmp_path: Path) -> None:
    """Lines in, verdicts out, exit code 1 where one of them fails."""
    lines = [
        {"id": "a", "answer": "Margin was 12.3%.", "references": [TEXT]},
        {"id": "b", "answer": "Margin was 12.4%.", "references": [TEXT]},
        {"id": "c", "answer": ANSWER, "citations": [citation()], "retrieved": [CHUNK]},
        {"id": "d", "answer": "Insufficient evidence.", "citations": [], "retrieved": [], "mode": "refuse"},
    ]
    file = tmp_path / "claims.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    done = run("validate", file, "--json")
    verdicts = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(one["id"], one["ok"], one["codes"]) for one in verdicts] == [
        ("a", True, ["ok"]),
        ("b", False, ["uncited_number"]),
        ("c", True, ["ok"]),
        ("d", True, ["ok"]),
    ]
    assert verdicts[1]["unsupported"][0]["text"] == "Margin was 12.4%."
    assert done.returncode == 1
    assert run("validate", tmp_path / "none.jsonl").returncode == 2
