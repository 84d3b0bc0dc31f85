"""How long an answer takes, as the store grows: the middle of many questions, the first after opening, and memory.

    python -m benchmarks.ask_speed [--sizes 100000 1000000 10000000] [--ragspine PYTHON] [--home FOLDER]

Every size is a store of its own with a label for every hundred facts, at most 100,000. Each measurement is a process
of its own on one core, the best of three; sizes are compared within one run, and so is RAGSpine, which gets the same
300,000 facts and is asked, in turn with ours, what its vocabulary of four metrics has names for.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.figures import Figure, report
from benchmarks.made_facts import make_store, questions_for_both, rows_for_ragspine
from benchmarks.other_systems import ragspine_python

_HERE = Path(__file__).parent
_SIDE_BY_SIDE = 300_000
_TURNS = 3
Measured = dict[str, float]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=[100_000, 1_000_000, 10_000_000])
    parser.add_argument(
        "--ragspine", help="a Python that has rag-spine 0.11; by default one is made; `no` leaves it out"
    )
    parser.add_argument("--home", type=Path, help="where the stores are made, and kept; by default nowhere")
    parser.add_argument("--probe", type=Path, help="measure this store and print JSON")
    parser.add_argument("--questions", type=Path, help="with --probe: the questions to ask")
    asked = parser.parse_args()
    if asked.probe:
        print(json.dumps(probe(asked.probe, asked.questions or asked.probe.with_suffix(".json"))))
        return 0
    with tempfile.TemporaryDirectory() as temporary:
        home = asked.home or Path(temporary)
        home.mkdir(parents=True, exist_ok=True)
        found = figures({size: measure(_store(home, size)) for size in sorted(asked.sizes)})
        if asked.ragspine != "no":
            found += side_by_side(home, asked.ragspine or ragspine_python())
    return report("Answers as the store grows", found, "ask_speed")


def _store(home: Path, size: int) -> Path:
    path = home / f"facts-{size}.db"
    if not path.exists():
        make_store(path, size)
    return path


def measure(path: Path, questions: Path | None = None) -> Measured:
    """The best of some fresh processes, each figure for itself."""
    turns = [_probe(path, questions) for _ in range(_TURNS)]
    return {name: (max if name == "right" else min)(turn[name] for turn in turns) for name in turns[0]}


def _probe(path: Path, questions: Path | None) -> Measured:
    command = [sys.executable, "-m", "benchmarks.ask_speed", "--probe", str(path)]
    command += [] if questions is None else ["--questions", str(questions)]
    return _json(command)


def _json(command: list[str]) -> Measured:
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    found: Measured = json.loads(done.stdout)
    return found


def figures(measured: dict[int, Measured]) -> list[Figure]:
    found = []
    first = min(measured)
    for size, of_size in measured.items():
        note = (
            f"p90 {of_size['p90_ms']:.2f} ms, of the processor {of_size['cpu_ms']:.2f} ms, {of_size['right']:.0%} right"
        )
        found.append(Figure(measure=f"p50 ms, {size:,} facts", value=of_size["p50_ms"], note=note))
        if size != first:
            ratio = of_size["p50_ms"] / measured[first]["p50_ms"]
            found.append(Figure(measure=f"p50 : p50 at {first:,}", value=ratio, must=3.0, at_most=True))
        found.append(
            Figure(measure=f"first answer s, {size:,} facts", value=of_size["first_s"], must=2.0, at_most=True)
        )
        found.append(Figure(measure=f"memory MiB, {size:,} facts", value=of_size["mib"], must=500, at_most=True))
    return found


def side_by_side(home: Path, python: str) -> list[Figure]:
    """The same facts and questions in both systems, asked in turn; the best of each."""
    path = _store(home, _SIDE_BY_SIDE)
    rows, questions = home / "rows.json", home / "questions.json"
    rows.write_text(json.dumps(rows_for_ragspine(path)), encoding="utf-8")
    questions.write_text(json.dumps(questions_for_both()), encoding="utf-8")
    theirs_at = home / "ragspine.db"
    command = [python, str(_HERE / "ragspine_ask_probe.py"), str(theirs_at), str(rows), str(questions)]
    _json(command)  # writes its store
    ours, theirs, every = [], [], []
    for _ in range(_TURNS):
        theirs.append(_json(command))
        ours.append(_probe(path, questions))
        every.append(_probe(path, None))
    best, other, label = (min(turns, key=lambda one: one["p50_ms"]) for turns in (ours, theirs, every))
    note = f"{best['p50_ms']:.2f} ms : {other['p50_ms']:.2f} ms; found {best['right']:.0%} and {other['found']:.0%}"
    wide = f"{label['p50_ms']:.2f} ms; questions for any of {_SIDE_BY_SIDE // 100:,} labels, unknown to RAGSpine"
    name = f"p50 : RAGSpine 0.11, {_SIDE_BY_SIDE:,} facts"
    return [
        Figure(measure=name, value=best["p50_ms"] / other["p50_ms"], must=3.0, at_most=True, note=note),
        Figure(
            measure=f"{name}, any label", value=label["p50_ms"] / other["p50_ms"], must=3.0, at_most=True, note=wide
        ),
    ]


def probe(path: Path, asked: Path) -> Measured:
    """Questions to one store: the first, the middle of many, memory."""
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[-1:])
    questions = [(question, value) for question, value in json.loads(asked.read_text(encoding="utf-8"))]
    from factspine import FactStore, answer_question

    started = time.perf_counter()
    store = FactStore(path)
    answer_question(questions[0][0], store)
    first = time.perf_counter() - started
    times, right, cpu = [], 0, time.process_time()
    for question, value in questions:
        begun = time.perf_counter()
        answer = answer_question(question, store)
        times.append(time.perf_counter() - begun)
        right += answer.value == value
    cpu = time.process_time() - cpu
    times.sort()
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return {
        "first_s": first,
        "p50_ms": statistics.median(times) * 1000,
        "p90_ms": times[int(len(times) * 0.9)] * 1000,
        "cpu_ms": cpu / len(questions) * 1000,
        "right": right / len(questions),
        "mib": int(status.split("VmHWM:")[1].split()[0]) / 1024,
    }


if __name__ == "__main__":
    sys.exit(main())
