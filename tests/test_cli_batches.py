"""`ask --batch` and `search --batch`: every line has its own answer, in order, whatever stands in the others."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.commandline import DOCUMENTS, run

QUESTION = "ACME FY2024 REVENUE"
LINES = f"""
{{"id": "first", "question": "{QUESTION}"}}
not JSON at all
{{"id": "cut", "question": "{QUESTION}
{{"id": "asks nothing"}}
{{"id": 5, "question": "{QUESTION}", "doc": 7}}
["a", "list"]
{{"id": "last", "question": "{QUESTION}"}}
""".removeprefix("\n")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("batch") / "facts.db"
    assert run("ingest", DOCUMENTS, "--store", path).returncode == 0
    return path


@pytest.mark.parametrize("command", ["ask", "search"])
def test_a_bad_line_has_its_own_error_and_the_rest_is_answered(store: Path, tmp_path: Path, command: str) -> None:
    """Each line keeps its id, or has its number; the exit code tells that one could not be asked."""
    batch = tmp_path / "questions.jsonl"
    batch.write_text(LINES, encoding="utf-8")
    done = run(command, "--batch", batch, "--store", store)
    assert (done.returncode, done.stderr) == (1, "")
    told = [json.loads(line) for line in done.stdout.splitlines()]
    assert [one["id"] for one in told] == ["first", 2, "cut", "asks nothing", 5, 6, "last"]
    assert [one.get("error", "") != "" for one in told] == [False, True, True, True, True, True, False]
    assert told[0]["question"] == told[-1]["question"] == QUESTION


@pytest.mark.parametrize("command", ["ask", "search"])
def test_a_batch_of_questions_ends_with_0(store: Path, tmp_path: Path, command: str) -> None:
    """Whether or not each has an answer: that is in its line."""
    batch = tmp_path / "questions.jsonl"
    batch.write_text(f'{{"question": "{QUESTION}"}}\n\n{{"question": "no such thing 2024"}}\n', encoding="utf-8")
    done = run(command, "--batch", batch, "--store", store)
    assert (done.returncode, done.stderr) == (0, "")
    assert [json.loads(line)["id"] for line in done.stdout.splitlines()] == [1, 3]


def test_a_day_that_is_none_is_the_error_of_its_line(store: Path, tmp_path: Path) -> None:
    """`today` is read line by line."""
    batch = tmp_path / "questions.jsonl"
    batch.write_text(f'{{"id": 1, "question": "{QUESTION}", "today": "soon"}}\n{{"id": 2, "question": "{QUESTION}"}}\n')
    first, second = (json.loads(line) for line in run("ask", "--batch", batch, "--store", store).stdout.splitlines())
    assert "no day" in first["error"]
    assert second["mode"]
