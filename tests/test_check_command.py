"""The check as people run it: exit codes, JSON lines with ids only, subsets, going on after an interruption, proofs."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from factspine.core.errors import UsageError
from factspine.integrity.checker import Subset, check, nightly_subset
from factspine.integrity.proofs import prove, verify
from factspine.store.store import FactStore
from tests.damage import make_store, tamper
from tests.hostile import containers


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_store(tmp_path_factory.mktemp("sound"))


@pytest.fixture
def store(sound: Path, tmp_path: Path) -> Path:
    shutil.copytree(sound.parent, tmp_path / "copy")
    return tmp_path / "copy" / sound.name


def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    program = [sys.executable, "-m", "factspine", *map(str, arguments)]
    code = "from factspine.cli import main; main()"
    return subprocess.run(
        [sys.executable, "-c", code, *program[3:]],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "COLUMNS": "120"},
    )


def head_of(path: Path) -> str:
    with FactStore(path) as opened:
        return opened.head().seal.hex()


def change_a_value(path: Path) -> None:
    tamper(path, lambda c: c.execute("UPDATE fact_metric SET value = '121' WHERE fact_no = 1"))


def test_exit_codes_say_what_was_found(store, tmp_path):
    """0 clean, 3 warnings, 1 errors, 2 usage, 10 missing, 12 no store, 13 unknown head, 14 could not run."""
    assert run("check", "--store", store).returncode == 0
    assert run("check", "--store", store, "--expect-head", head_of(store)).returncode == 0
    assert run("check", "--store", store, "--expect-head", "0" * 64).returncode == 13
    assert run("check", "--store", store, "--cross").returncode == 14
    assert run("check", "--store", store, "--read-data-subset", "3/2").returncode == 2
    assert run("check", "--store", tmp_path / "nothing.db").returncode == 10
    (tmp_path / "text.db").write_text("this is no database, only some text that is long enough to be read as a header")
    assert run("check", "--store", tmp_path / "text.db").returncode == 12
    store.with_name(store.name + ".heads").unlink()
    assert run("check", "--store", store).returncode == 3
    change_a_value(store)
    assert run("check", "--store", store).returncode == 1


def test_findings_are_json_lines_with_ids_and_never_text(store):
    """Each finding is one line, the last line is the summary, and no word of a document, path or label is in them."""
    tamper(store, lambda c: c.execute("UPDATE fact_metric SET value = '12345.678' WHERE fact_no = 1"))
    tamper(store, lambda c: c.execute("UPDATE passage SET text = 'x' WHERE passage_no = 1"))
    for blob in store.with_name(store.name + ".vault").glob("??/*"):
        blob.chmod(0o644)
        blob.write_bytes(b"")
    done = run("check", "--store", store, "--read-back", "--source", store.parent / "documents", "--json")
    *findings, summary = map(json.loads, done.stdout.splitlines())
    assert {one["code"] for one in findings} >= {"FS404", "FS411", "FS421"}
    assert summary["summary"]["exit_code"] == done.returncode == 1
    for word in ("Asia", "Europe", "Revenue", "P&L", ".xlsx", ".pptx", "documents", "12345.678", str(store.parent)):
        assert word not in done.stdout


def test_parts_together_are_the_whole():
    """Every file is in exactly one part, and a month of nights covers them all."""
    names = [f"{number:064x}" for number in range(500)]
    for of in (1, 7, 28):
        held = [name for number in range(1, of + 1) for name in names if Subset(number=number, of=of).holds(name)]
        assert sorted(held) == names
    assert {nightly_subset(day) for day in range(1, 29)} == {f"{number}/28" for number in range(1, 29)}
    assert nightly_subset(31) == "3/28"


def test_a_part_reads_back_only_its_documents(sound):
    """Read-back of 1/3, 2/3 and 3/3 gives the verdicts of the whole."""
    with FactStore(sound) as opened:
        whole = check(opened, "read-back").verdicts["match"]
        parts = [check(opened, "read-back", subset=f"{number}/3").verdicts.get("match", 0) for number in (1, 2, 3)]
    assert sum(parts) == whole
    assert max(parts) < whole


def test_an_interrupted_check_goes_on_where_it_stopped(store, tmp_path):
    """After an interruption at any step the second check takes over what was done and finds the same."""
    change_a_value(store)
    with FactStore(store) as opened:
        expected = check(opened, "read-data")
        steps = tmp_path / "steps.jsonl"
        for stop_after in (1, 3, 6):
            steps.unlink(missing_ok=True)
            seen = 0

            def stop(_finding: object, stop_after: int = stop_after) -> None:
                nonlocal seen
                seen += 1
                raise KeyboardInterrupt

            first = check(opened, "read-data", resume=steps, on_finding=stop)
            assert (first.interrupted, first.exit_code) == (True, 130)
            lines = steps.read_text().splitlines()[: stop_after + 1]
            steps.write_text("\n".join(lines) + '\n{"step": "cut sho')
            second = check(opened, "read-data", resume=steps)
            assert second.counts == expected.counts
            assert second.checked["facts"] == expected.checked["facts"]
            assert second.resumed >= 1
            assert check(opened, "read-data", resume=steps).resumed == 0  # that one was finished: begun anew


def test_every_fact_can_be_proved_and_verified_without_the_store(sound):
    """A proof leads from the fact to the head; one changed character anywhere in it, and it does not."""
    with FactStore(sound) as opened:
        names = [fact.fact_id for fact in opened.facts(all_revisions=True)]
        proofs = [json.loads(json.dumps(prove(opened, name))) for name in names]
        head = opened.head().seal.hex()
        facts = {name: opened.fact(name) for name in names}
    for proof in proofs:
        verified = verify(proof, heads=[head])
        assert str(facts[verified.fact_id].value) == verified.value
        assert facts[verified.fact_id].source_locator == verified.locator
    for field, forged in (("value", "999"), ("unit", "HKD"), ("source_locator", "sheet=A,cell=A1"), ("period", "2031")):
        proof = json.loads(json.dumps(proofs[0]))
        proof["fact"][field] = forged
        with pytest.raises(UsageError, match="leads to head"):
            verify(proof, heads=[head])
    proof = json.loads(json.dumps(proofs[0]))
    proof["lineage"]["doc_id"] = "another.xlsx"
    with pytest.raises(UsageError):
        verify(proof, heads=[head])


def test_prove_and_verify_on_the_command_line(store, tmp_path):
    """`prove` prints what `verify` accepts with the head log, and refuses with another head."""
    with FactStore(store) as opened:
        name = next(iter(opened.facts())).fact_id
    proof = tmp_path / "proof.json"
    proof.write_text(run("prove", name, "--store", store).stdout)
    heads = store.with_name(store.name + ".heads")
    assert run("verify", proof, "--heads", heads).returncode == 0
    assert json.loads(run("verify", proof, "--json").stdout)["holds"] is True
    assert run("verify", proof, "--expect-head", "0" * 64).returncode == 1
    assert run("prove", "000000000000000000000000.1", "--store", store).returncode == 2


def test_saved_answers_are_held_to_the_store(store, tmp_path):
    """A citation to an unknown fact, a changed value and a superseded fact are each told by their code."""
    with FactStore(store) as opened:
        every = list(opened.facts(all_revisions=True))
        old = next(fact for fact in every if fact.known_to)
        new = next(fact for fact in every if not fact.known_to)
        for fact_id, value, expected in (
            (new.fact_id, str(new.value), set()),
            (new.fact_id, "1", {"FS461"}),
            (old.fact_id, str(old.value), {"FS462"}),
            ("0" * 24 + ".1", "1", {"FS460"}),
        ):
            answers = tmp_path / "answers.jsonl"
            answers.write_text(json.dumps({"question": "?", "facts": [{"fact_id": fact_id, "value": value}]}) + "\n")
            assert set(check(opened, "quick", answers=answers).counts) == expected


def test_a_busy_store_is_checked_beside_its_writer(store):
    """A run that is being written does not disturb the check, and is not in it."""
    with FactStore(store) as writer, FactStore(store) as reader, writer.begin_run():
        assert check(reader).ok


def test_the_analytic_copy_is_held_to_the_store(store):
    """A copy that says another number than the store is FS450, at the level that compares them; else nothing is."""
    import duckdb

    from factspine.analytics.copying import follow

    with FactStore(store) as opened:
        copy = follow(opened)
        assert check(opened, "cross").counts == {}
        with duckdb.connect(str(copy)) as connection:
            connection.execute(
                "UPDATE record.fact SET value_text = '999' WHERE fact_no = (SELECT max(fact_no) FROM record.fact)"
            )
        assert set(check(opened).counts) == set()
        assert set(check(opened, "cross").counts) == {"FS450"}


def test_a_busy_store_is_exit_code_11(store, tmp_path, monkeypatch):
    """Another process holds the write lock for longer than anybody waits: 11, one line, and nothing written."""
    holder = sqlite3.connect(store, isolation_level=None)
    try:
        holder.execute("BEGIN EXCLUSIVE")
        (tmp_path / "documents").mkdir()
        (tmp_path / "documents" / "a.xlsx").write_bytes(containers.workbook())
        monkeypatch.setenv("FACTSPINE_BUSY_SECONDS", "0.2")
        busy = run("ingest", tmp_path / "documents", "--store", store)
    finally:
        holder.close()
    assert busy.returncode == 11
    assert len(busy.stderr.splitlines()) == 1
    assert "try again" in busy.stderr
