"""Whether answers are right: other people's questions over their own documents, and our own traps and paraphrases.

    python -m benchmarks.ask --corpus FOLDER

The corpus is driven through the command line by its own scorer. Right needs the value and the cell; a question that is
not answered counts as neither right nor wrong.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from datetime import date
from decimal import Decimal
from pathlib import Path

from benchmarks.figures import Figure, report
from factspine import FactStore, answer_question, ingest

_ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(_ROOT / "tests"))
from ask_paraphrases import answerable, paraphrases  # noqa: E402  the tests' own way of making questions

_PROGRAM = Path(sys.executable).with_name("factspine")
_TODAY = date(2025, 5, 1)
# set: right must, right aim, wrong at most
_LOOKUP = {"hitab": (0.60, 0.85, 0.06), "imtqa": (0.80, 0.93, 0.05), "sstqa": (0.70, 0.88, 0.08)}
_REPORTS = ("erc1", "erc2", "uda_tat")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", type=Path, required=True)
    corpus = parser.parse_args().corpus.resolve()
    figures = [*own_questions(), *lookups(score(corpus, "lookup")), *reports(score(corpus, "docqa"))]
    return report("Answers", figures, "ask")


def score(corpus: Path, kind: str) -> dict[str, dict[str, float]]:
    """What the corpus's own scorer says."""
    with tempfile.TemporaryDirectory() as home:
        out = Path(home) / "figures.json"
        command = [sys.executable, str(corpus / "score.py"), str(corpus), kind, "--factspine", str(_PROGRAM)]
        subprocess.run([*command, "--json", str(out)], check=True, capture_output=True)
        found: dict[str, dict[str, float]] = json.loads(out.read_text(encoding="utf-8"))
    return found


def lookups(scored: dict[str, dict[str, float]]) -> list[Figure]:
    found = []
    for name, (must, aim, wrong) in _LOOKUP.items():
        row = scored[name]
        note = f"{row['n']:.0f} questions"
        found.append(Figure(measure=f"{name} right", value=row["right"], must=must, aim=aim, note=note))
        found.append(Figure(measure=f"{name} wrong", value=row["wrong"], must=wrong, at_most=True))
    return found


def reports(scored: dict[str, dict[str, float]]) -> list[Figure]:
    """Annual reports: numbers without arithmetic, taken together, and questions that have no answer there."""

    def share(names: list[str], what: str) -> float:
        count = sum(scored[name]["n"] for name in names)
        return sum(scored[name][what] * scored[name]["n"] for name in names) / count

    plain = [name for name in _REPORTS if name in scored]
    none = [name for name in scored if name.endswith("unanswerable")]
    return [
        Figure(measure="reports right", value=share(plain, "right"), must=0.45, aim=0.75),
        Figure(measure="reports wrong", value=share(plain, "wrong"), must=0.08, at_most=True),
        Figure(measure="no answer there: refused", value=share(none, "right"), must=1.0),
    ]


def own_questions() -> list[Figure]:
    """The demo documents: questions that must not be answered, and questions whose answers are in them."""
    lines = (_ROOT / "tests" / "ask_traps.jsonl").read_text(encoding="utf-8").splitlines()
    with tempfile.TemporaryDirectory() as home, FactStore(Path(home) / "facts.db") as store:
        store.init_schema()
        ingest(_ROOT / "data" / "documents", store)
        given = sum(
            answer_question(json.loads(line)["question"], store, today=_TODAY).mode == "answer" for line in lines
        )
        asked = [
            question for seed, fact in enumerate(answerable(store.facts())) for question in paraphrases(fact, seed)
        ]
        right = 0
        for question, fact in asked:
            answer = answer_question(question, store, today=_TODAY)
            cited = {"doc": fact.source_doc_id, "locator": fact.source_locator} in answer.sources
            value = None if answer.value is None else Decimal(answer.value).scaleb(answer.scale or 0)
            right += cited and value == fact.value.scaleb(fact.scale)
    return [
        Figure(measure="traps answered", value=given, must=0, at_most=True, note=f"{len(lines)} questions"),
        Figure(measure="paraphrases right", value=right / len(asked), must=0.98, note=f"{len(asked)} questions"),
    ]


if __name__ == "__main__":
    sys.exit(main())
