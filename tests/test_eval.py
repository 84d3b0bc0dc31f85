"""`factspine eval`: a gold set in three phrasings and two seeds, four targets, and an exit code."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from factspine.core.errors import UsageError
from factspine.evaluation.gold import load_gold
from factspine.evaluation.report import evaluate, state_of
from factspine.evaluation.running import Run, disguise
from tests.ask_store import demo_store
from tests.commandline import ROOT, run

GOLD = ROOT / "data" / "gold_questions.jsonl"
ITEM = {
    "id": "a",
    "question": "What was Macau's claims ratio in FY2024?",
    "paraphrases": ["澳门2024年赔付率是多少", "Claims ratio Macau FY2024"],
    "doc": "macau/Branch_KPIs.xlsx",
    "locator": "sheet=KPIs,row=Claims ratio,col=FY2024",
}


def write(path: Path, *items: dict[str, Any]) -> Path:
    path.write_text("".join(json.dumps(item, ensure_ascii=False) + "\n" for item in items), encoding="utf-8")
    return path


def measured(path: Path, *options: str) -> tuple[int, dict[str, Any]]:
    done = run("eval", path, "--today", "2025-05-01", "--json", *options, "--store", str(demo_store().path))
    return done.returncode, json.loads(done.stdout)


def test_the_demo_s_gold_set_meets_every_target() -> None:
    """Citation match rate at least 0.95, coverage 0.70, ΔS at most 0.45, λ convergent, overlap 0.85; exit code 0."""
    code, report = measured(GOLD)
    totals = report["totals"]
    assert report["targets"] == dict.fromkeys(("citation_match_rate", "coverage", "delta_s", "lambda", "overlap"), True)
    assert totals["citation_match_rate"] >= 0.95
    assert totals["coverage"] >= 0.70
    assert totals["ΔS"] <= 0.45
    assert totals["λ"] == "convergent"
    assert totals["runs"] == 3 * 2 * totals["questions"]
    assert totals["codes"] == {"ok": totals["runs"]}
    assert totals["thin_sections"] == []
    assert code == 0


def test_a_gold_place_that_is_not_cited_fails_the_set(tmp_path: Path) -> None:
    """Another cell of the same table is not the cell; the exit code is 1."""
    code, report = measured(
        write(tmp_path / "gold.jsonl", {**ITEM, "locator": "sheet=KPIs,row=Claims ratio,col=FY2023"})
    )
    assert (code, report["passed"], report["totals"]["citation_match_rate"]) == (1, False, 0.0)
    assert report["targets"]["citation_match_rate"] is False
    assert report["targets"]["lambda"] is True


def test_a_question_that_is_not_answered_says_why_by_its_codes(tmp_path: Path) -> None:
    """Codes come before knobs: no citation is `empty_citations`, in the report and in the table."""
    asked = {**ITEM, "question": "zzz", "paraphrases": ["yyy", "xxx"]}
    code, report = measured(write(tmp_path / "gold.jsonl", asked))
    assert code == 1
    assert report["items"][0]["codes"] == {"empty_citations": 6}
    shown = run("eval", tmp_path / "gold.jsonl", "--store", str(demo_store().path))
    assert "empty_citations×6" in shown.stdout
    assert "citation match rate 0.000" in shown.stdout


def test_every_phrasing_is_asked_under_every_seed(tmp_path: Path) -> None:
    """Three phrasings by two seeds unless other numbers are given."""
    path = write(tmp_path / "gold.jsonl", ITEM)
    assert measured(path)[1]["items"][0]["runs"] == 6
    assert measured(path, "--phrasings", "2", "--seeds", "3")[1]["items"][0]["runs"] == 6
    assert measured(path, "--phrasings", "1", "--seeds", "1")[1]["items"][0]["runs"] == 1


def test_a_seed_changes_nothing_that_means_anything() -> None:
    """White space and the mark at the end: the words stay, and one seed always does the same."""
    for seed in range(20):
        said = disguise("What was Macau's claims ratio?", random.Random(seed))  # noqa: S311  repeatable, not secret
        again = disguise("What was Macau's claims ratio?", random.Random(seed))  # noqa: S311
        assert said == again
        assert said.rstrip(" ?？").split() == ["What", "was", "Macau's", "claims", "ratio"]


def a_run(phrasing: int, seed: int, place: str) -> Run:
    return Run(
        item="a",
        phrasing=phrasing,
        seed=seed,
        mode="answer",
        place=place,
        matched=True,
        codes=("ok",),
        coverage=1.0,
        delta_s=0.1,
        overlap=None,
    )


@pytest.mark.parametrize(
    ("places", "state"),
    [
        ({(1, 1): "x", (1, 2): "x", (2, 1): "x", (2, 2): "x"}, "convergent"),
        ({(1, 1): "x", (1, 2): "x", (2, 1): "y", (2, 2): "y"}, "divergent"),
        ({(1, 1): "x", (1, 2): "y", (2, 1): "x", (2, 2): "x"}, "chaotic"),
    ],
)
def test_lambda_tells_phrasing_from_chance(places: dict[tuple[int, int], str], state: str) -> None:
    """One place however it is put; another for another phrasing; another for the same phrasing."""
    assert state_of([a_run(*key, place) for key, place in places.items()]) == state


def test_figures_are_means_over_questions(tmp_path: Path) -> None:
    """One question of two right is half."""
    items = load_gold(write(tmp_path / "gold.jsonl", ITEM, {**ITEM, "id": "b"}))
    missed = Run(
        item="b",
        phrasing=1,
        seed=1,
        mode="refuse",
        place="",
        matched=False,
        codes=("empty_citations",),
        coverage=0.4,
        delta_s=0.9,
        overlap=None,
    )
    report = evaluate(items, [a_run(1, 1, "x"), missed])
    assert (report.match_rate, report.coverage, report.delta_s) == (0.5, 0.7, 0.5)
    assert report.targets == {"citation_match_rate": False, "coverage": True, "delta_s": False, "lambda": True}


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("not json", "is not JSON"),
        ("[]", "no JSON object"),
        (json.dumps({**ITEM, "doc": ""}), "has no text 'doc'"),
        (json.dumps({**ITEM, "locator": "nowhere"}), "a locator that is none"),
        (json.dumps({**ITEM, "paraphrases": []}), "1 phrasings; 3 are needed"),
        ("", "has no question"),
        (json.dumps(ITEM) + "\n" + json.dumps(ITEM), "two questions with the id 'a'"),
    ],
)
def test_a_gold_set_that_cannot_be_used_says_what_is_wrong(tmp_path: Path, line: str, said: str) -> None:
    """The line and what it lacks, before anything is asked."""
    path = tmp_path / "gold.jsonl"
    path.write_text(line + "\n", encoding="utf-8")
    with pytest.raises(UsageError, match=said):
        load_gold(path)
    assert run("eval", path, "--store", str(demo_store().path)).returncode == 2
