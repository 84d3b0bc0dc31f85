"""The record each question leaves: enough to find and count, and nothing that anybody wrote."""

from __future__ import annotations

import json
import logging
import os
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import model_server as server
import openpyxl
import pytest
from commandline import clean_environment, run

from factspine import FactStore, answer_question, ingest
from factspine.ask import trace

CANARY = "zebrafinch"
QUESTION = f"What was the {CANARY} revenue in FY2024?"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Documents full of a word that must not get out: in a folder's name, a file's, a sheet's, labels and values."""
    made = tmp_path / f"{CANARY}-home" / f"{CANARY}-documents"
    made.mkdir(parents=True)
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = CANARY
    for row in ([f"{CANARY} Holdings", None, None], ["HK$ million", "FY2023", "FY2024"],
                [f"{CANARY} revenue", 71_234.5, 81_234.5], [f"Net {CANARY}", 3, 4]):  # fmt: skip
        sheet.append(row)
    book.save(made / f"{CANARY}.xlsx")
    return made


@pytest.fixture
def store(folder: Path) -> FactStore:
    found = FactStore(folder.parent / f"{CANARY}.db")
    found.init_schema()
    ingest(folder, found)
    return found


def traces_of(store: FactStore) -> list[dict[str, Any]]:
    path = trace.trace_path(store.path)
    assert path is not None
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_each_question_leaves_one_record(store: FactStore) -> None:
    """Ids, codes, counts, timings and versions, whether it was answered or not."""
    found = answer_question(QUESTION, store)
    answer_question("What was the profit of nobody in FY1999?", store, documents=["a/*", "b/*"], viewer="internal")
    first, second = traces_of(store)
    assert found.mode == "answer"
    assert (first["mode"], first["facts"], first["counts"]["facts"]) == ("answer", [found.facts[0].fact_id], 1)
    assert (second["mode"], second["facts"], bool(second["reason"])) == ("refuse", [], True)
    assert (second["counts"]["patterns"], second["viewer"]) == (2, "INTERNAL")
    assert first["versions"]["store"] == found.store_version
    assert first["timings_ms"]["total"] == found.elapsed_ms
    assert first["model"] is None


def test_the_same_question_can_be_found_again_by_whoever_has_the_key(store: FactStore) -> None:
    """A hash with the key beside the store: equal for equal questions, different in every store."""
    found = answer_question(QUESTION, store)
    answer_question(QUESTION, store)
    answer_question(QUESTION + " ", store)
    first, again, other = traces_of(store)
    assert first["question"] == again["question"] != other["question"]
    assert first["trace"] == again["trace"]
    assert store.path is not None
    key = store.path.with_name(store.path.name + ".traces.key")
    assert first["question"] == trace.keyed(key.read_bytes(), "question", QUESTION)
    assert first["trace"] == trace.keyed(key.read_bytes(), "trace", found.trace_id)
    assert stat.S_IMODE(key.stat().st_mode) == 0o600


def test_nothing_that_anybody_wrote_gets_into_traces_logs_or_errors(
    store: FactStore, caplog: pytest.LogCaptureFixture
) -> None:
    """One word in cells, names, questions, paths and a model's reply: none of it outside the answer itself."""
    plan = {"metric": CANARY, "read_as": [{"words": f"{CANARY} takings", "term": f"{CANARY} revenue"}]}
    with caplog.at_level(logging.DEBUG), server.model(server.plans(**plan)) as running:
        answer_question(QUESTION, store)
        answer_question(f"{CANARY} 的增长率是多少", store, documents=[f"*{CANARY}*"])
        answer_question(f"What were the {CANARY} takings in FY2024?", store, running.provider())
        answer_question(f"What is {CANARY} about, {CANARY}?", store, viewer="RESTRICTED")
        assert running.asked, "the model was asked"
    assert store.path is not None
    written = (store.path.with_name(store.path.name + ".traces.jsonl")).read_text(encoding="utf-8")
    assert len(written.splitlines()) == 4
    assert CANARY not in written
    assert "81234" not in written.replace(",", "")
    assert "81,234" not in written
    logged = "\n".join(record.getMessage() for record in caplog.records)
    assert CANARY not in logged
    assert "key-of-the-test" not in logged + written


def test_what_became_of_a_model_is_in_the_trace_and_not_in_the_answer(store: FactStore) -> None:
    """A time-out, an error and a lie are told apart by their codes; the answers are the same."""
    question = "What were the takings in FY2024?"
    parts: list[tuple[server.Part, float, str]] = [
        (server.sleeps(2.0), 0.3, "timeout"),
        (lambda handler, _: server.send(handler, b"{}", status=503), 9, "http_503"),
        (server.says("It was 9,999."), 9, "garbage"),
        (server.plans(metric="Profit of the moon"), 9, "invented"),
        (server.plans(metric="", read_as=[{"words": "not there", "term": f"{CANARY} revenue"}]), 9, "not_in_question"),
        (server.plans(metric="", read_as=[{"words": "takings", "term": f"{CANARY} revenue"}]), 9, "offered"),
    ]
    plain = answer_question(question, store)
    for part, seconds, code in parts:
        with server.model(part) as running:
            answer = answer_question(question, store, running.provider(seconds))
        last = traces_of(store)[-1]
        assert last["model"] == {"name": "played-model", "code": code}
        assert last["timings_ms"]["model"] > 0
        if code != "offered":
            assert {**answer.to_json(), "elapsed_ms": 0} == {**plain.to_json(), "elapsed_ms": 0}


def test_traces_can_be_switched_off_or_sent_elsewhere(
    store: FactStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One variable, `off` or a file; the answers are the same bytes either way."""
    plain = answer_question(QUESTION, store).to_json()
    monkeypatch.setenv(trace.TRACE_VARIABLE, "off")
    quiet = answer_question(QUESTION, store).to_json()
    assert {**plain, "elapsed_ms": 0} == {**quiet, "elapsed_ms": 0}
    monkeypatch.setenv(trace.TRACE_VARIABLE, str(tmp_path / "elsewhere.jsonl"))
    answer_question(QUESTION, store)
    assert len((tmp_path / "elsewhere.jsonl").read_text(encoding="utf-8").splitlines()) == 1
    monkeypatch.delenv(trace.TRACE_VARIABLE)
    assert len(traces_of(store)) == 1


def test_a_trace_that_cannot_be_written_costs_no_answer(
    store: FactStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder that is not there, a folder in place of the file, a damaged key: the answer is given."""
    expected = answer_question(QUESTION, store).value
    (tmp_path / "folder.jsonl").mkdir()
    (tmp_path / "damaged.key").write_bytes(b"short")
    for name in ("none/traces.jsonl", "folder.jsonl", "damaged.jsonl"):
        monkeypatch.setenv(trace.TRACE_VARIABLE, str(tmp_path / name))
        assert answer_question(QUESTION, store).value == expected
    assert not (tmp_path / "damaged.jsonl").exists()


def test_traces_do_not_fill_the_disk(store: FactStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two files at most, the older one replaced."""
    monkeypatch.setattr(trace, "_BYTES_MOST", 3000)
    for _ in range(20):
        answer_question(QUESTION, store)
    assert store.path is not None
    files = sorted(store.path.parent.glob("*.traces.jsonl*"))
    assert [path.name.rpartition("traces")[2] for path in files] == [".jsonl", ".jsonl.1"]
    assert all(path.stat().st_size <= 3000 for path in files)
    assert all(json.loads(line) for path in files for line in path.read_text(encoding="utf-8").splitlines())


def test_processes_that_ask_at_once_mix_no_lines(store: FactStore) -> None:
    """Several processes, one key, whole lines."""
    code = (
        "import sys; from factspine import FactStore, answer_question\n"
        "for _ in range(10): answer_question(sys.argv[2], FactStore(sys.argv[1]))"
    )
    command = [sys.executable, "-c", code, str(store.path), QUESTION]
    started = [subprocess.Popen(command, env=clean_environment(), cwd=Path(__file__).parent.parent) for _ in range(3)]
    assert [process.wait(120) for process in started] == [0, 0, 0]
    found = traces_of(store)
    assert len(found) == 30
    assert len({one["question"] for one in found}) == 1


def test_errors_on_the_command_line_repeat_no_question(store: FactStore, tmp_path: Path) -> None:
    """What goes wrong is told in one line, without the question."""
    done = run("ask", QUESTION, "--store", tmp_path / "none.db")
    assert done.returncode == 10
    assert CANARY not in done.stderr.replace(os.fspath(tmp_path), "")
    model = run("ask", "What were the takings?", "--store", str(store.path), "--model", "m", env=clean_environment())
    assert (model.returncode, CANARY in model.stderr) == (2, False)
