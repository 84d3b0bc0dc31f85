"""Retrieval transparency: the report that fits the published schema, and the bundle that can be checked offline."""

from __future__ import annotations

import json
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from factspine.cite.transparency import EXTENSION_ID, report_of, schema, transparency, write_bundle
from factspine.core.answers import Answer
from factspine.core.citations import Retrieval
from factspine.core.errors import UsageError
from tests.ask_store import ask, demo_store
from tests.commandline import run
from tests.test_exchange import BYTES, CITATION

NEAR = replace(CITATION, section_id="Results")
OTHER = replace(NEAR, doc_id="docs/plan.pptx", chunk_id="abc_2", snippet_id="abc_2:0-33", score_norm=0.7, rev="0" * 64)
FOUND = Retrieval(hits=(NEAR, OTHER), found=12, elapsed_ms=7)
QUOTING = Answer(
    question="How did revenue develop?",
    mode="answer",
    answer="Revenue rose to HK$1,320 million [†1].",
    language="en",
    quotes=(NEAR,),
    retrieval=FOUND,
    trace_id="q1",
)
REQUIRED = (
    "retrieval_strategy", "chunks_retrieved", "chunks_evaluated", "similarity_scores", "ranking_method",
    "retrieval_time_ms", "reranking_applied",
)  # fmt: skip


def test_a_report_satisfies_the_published_schema() -> None:
    """Every required field, no other field, scores from the highest down."""
    report = transparency(FOUND)
    jsonschema.validate(report, schema())
    assert set(REQUIRED) == set(report)
    assert [one["score"] for one in report["similarity_scores"]] == [0.7, 0.444444]
    assert (report["chunks_retrieved"], report["chunks_evaluated"]) == (12, 2)
    jsonschema.validate(transparency(Retrieval(hits=(), found=0, elapsed_ms=0)), schema())


def test_the_schema_we_hold_is_the_published_one() -> None:
    """Its name, its required fields, and what it forbids."""
    held = schema()
    assert held["$id"] == "https://tezit.com/schemas/vendor/com.ragu.retrieval-transparency/1.0.0"
    assert held["required"] == list(REQUIRED)
    assert held["additionalProperties"] is False
    assert held["then"] == {"required": ["reranking_model"]}


@pytest.mark.parametrize(
    "damage",
    [
        {"reranking_applied": True},
        {"retrieval_strategy": "guess"},
        {"ranking_method": "hope"},
        {"chunks_retrieved": -1},
        {"retrieval_time_ms": 1.5},
        {"note": "one field too many"},
        {"similarity_scores": [{"chunk_id": "a", "score": 1.2, "source_item_id": "b"}]},
        {"similarity_scores": [{"chunk_id": "a", "score": 0.2}]},
    ],
)
def test_the_schema_refuses_what_it_should(damage: dict[str, Any]) -> None:
    """A reranked report without its model, words outside the lists, scores past one: not valid."""
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**transparency(FOUND), **damage}, schema())


def test_no_more_is_evaluated_than_was_retrieved() -> None:
    """`chunks_evaluated` is at most `chunks_retrieved`; a report that says otherwise is not made."""
    with pytest.raises(UsageError, match="only 1 retrieved"):
        transparency(replace(FOUND, found=1))


def test_a_report_says_what_was_reranked_and_by_what() -> None:
    """Passages are put in another order by a reranker with a name; cells are not ranked at all."""
    quoted = report_of(ask("Why did revenue in Mainland China grow?"))
    assert (quoted["reranking_applied"], quoted["ranking_method"]) == (True, "bm25")
    assert quoted["reranking_model"] == "factspine-phrases/1"
    jsonschema.validate(quoted, schema())
    assert report_of(ask("中国内地FY2024的REVENUE是多少"))["reranking_applied"] is False


def test_a_search_that_was_cut_short_says_so() -> None:
    """The ceiling is named where one was reached."""
    report = transparency(replace(FOUND, ceiling="200 of 9,000 chunks were read"))
    jsonschema.validate(report, schema())
    assert report["retrieval_budget_exhausted"] is True
    assert report["ceiling_reached"] == "200 of 9,000 chunks were read"


@pytest.mark.parametrize(
    "question",
    [
        "中国内地FY2024的REVENUE是多少",
        "What was Macau's claims ratio in FY2024?",
        "港晖集团2024年总保费同比增长多少",
        "zzz",
    ],
)
def test_every_answer_has_a_report(question: str) -> None:
    """Numbers, computed numbers and refusals alike."""
    answer = ask(question)
    report = report_of(answer)
    jsonschema.validate(report, schema())
    assert {one["chunk_id"] for one in report["similarity_scores"]} >= {fact.fact_id for fact in answer.facts}


def test_a_source_is_verified_only_by_its_bytes(tmp_path: Path) -> None:
    """The bytes lie in the bundle and have the recorded hash; anything else is unverified."""
    items = write_bundle(tmp_path / "good.tez", QUOTING, created="2025-03-31T12:00:00Z", bytes_of=lambda rev: BYTES)
    assert [(item["title"], item["status"]) for item in items] == [
        ("docs/review.pptx", "verified"),
        ("docs/plan.pptx", "unverified"),
    ]
    assert sha256((tmp_path / "good.tez" / items[0]["file"]).read_bytes()).hexdigest() == NEAR.rev
    for number, content in enumerate((b"other bytes", None)):
        folder = tmp_path / f"bad{number}.tez"
        (item, _) = write_bundle(folder, QUOTING, created="2025-03-31T12:00:00Z", bytes_of=lambda rev, c=content: c)
        assert item["status"] == "unverified"
        assert "file" not in item
        assert not (folder / "context").exists()


def test_the_report_names_items_of_the_manifest(tmp_path: Path) -> None:
    """Every `source_item_id` is a context item; the extension lies where the standard puts it."""
    folder = tmp_path / "answer.tez"
    write_bundle(folder, QUOTING, created="2025-03-31T12:00:00Z", bytes_of=lambda rev: BYTES)
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    extension = folder / "extensions" / EXTENSION_ID
    report = json.loads((extension / "retrieval-transparency.json").read_text(encoding="utf-8"))
    jsonschema.validate(report, schema())
    known = {item["id"] for item in manifest["context"]["items"]}
    assert {one["source_item_id"] for one in report["similarity_scores"]} <= known
    about = json.loads((extension / "manifest.json").read_text(encoding="utf-8"))
    assert (about["extension_id"], about["extension_version"]) == (EXTENSION_ID, "1.0.0")
    assert set(about) == {"extension_id", "extension_version", "name", "description", "author", "url"}
    assert all(about.values())
    assert tuple(map(int, manifest["tezit_version"].split("."))) >= (1, 2)  # items have had names since then
    assert [path.name for path in (folder / "extensions").iterdir()] == [EXTENSION_ID]
    assert "[†1]: docs/review.pptx · slide=2,shape=1,para=1" in (folder / "synthesis.md").read_text(encoding="utf-8")


def test_an_answer_is_exported_from_the_command_line(tmp_path: Path) -> None:
    """Manifest, synthesis, context with the very bytes of the store, and a valid report."""
    folder, store = tmp_path / "revenue.tez", demo_store().path
    asked = ("--question", "中国内地FY2024的REVENUE是多少", "--store", str(store))
    done = run("export", "--tez", folder, *asked, "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["verified"] == 1
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    (item,) = manifest["context"]["items"]
    assert f"sha256:{sha256((folder / item['file']).read_bytes()).hexdigest()}" == item["hash"]
    assert "1,320" in (folder / "synthesis.md").read_text(encoding="utf-8")
    report = folder / "extensions" / EXTENSION_ID / "retrieval-transparency.json"
    jsonschema.validate(json.loads(report.read_text(encoding="utf-8")), schema())
    assert run("export", "--tez", folder, *asked).returncode == 2  # not empty: nothing is overwritten


def test_what_is_not_answered_is_not_exported(tmp_path: Path) -> None:
    """A refusal is exit code 1 and no folder; no question, or both exports at once, are wrong usage."""
    store = str(demo_store().path)
    assert run("export", "--tez", tmp_path / "no.tez", "--question", "zzz", "--store", store).returncode == 1
    assert not (tmp_path / "no.tez").exists()
    assert run("export", "--tez", tmp_path / "no.tez", "--store", store).returncode == 2
    assert run("export", "--tez", tmp_path / "a", "--parquet", tmp_path / "b", "--store", store).returncode == 2


def test_ask_writes_the_report_beside_an_answer(tmp_path: Path) -> None:
    """`--transparency` writes the file of the standard for one question."""
    path = tmp_path / "retrieval-transparency.json"
    question = "What was Macau's claims ratio in FY2024?"
    assert run("ask", question, "--transparency", path, "--store", str(demo_store().path)).returncode == 0
    jsonschema.validate(json.loads(path.read_text(encoding="utf-8")), schema())
