"""How fast, in how much memory: whole ingests against the plain libraries that only read, in one run.

    python -m benchmarks.ingest --corpus FOLDER [--ragspine PYTHON]

Every figure is a ratio of times measured alternately, the best of each side, in processes of their own on one core.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.extract import gather
from benchmarks.figures import Figure, report
from benchmarks.made_decks import make_deck
from benchmarks.made_workbooks import make_medium_books, make_number_book, make_order_book
from benchmarks.other_systems import ragspine_python

_HERE = Path(__file__).parent


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--ragspine", help="a Python that has rag-spine 0.11; by default one is made")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        home = Path(name)
        figures = [*workbooks(options.corpus, home), *decks(options.corpus, home), *cores(home)]
        figures += [*writing(home, options.ragspine), again(home), parent_memory(options.corpus)]
    return report("Ingest", figures, "ingest", {"cpu_count": os.cpu_count()})


def probe(name: str, *arguments: object) -> dict[str, float]:
    """One measurement in a fresh process."""
    command = [sys.executable, "-m", "benchmarks.probes", name, *map(str, arguments)]
    # Installed libraries lie there compiled; ours are compiled by the first of several turns, wherever that is allowed.
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    done = subprocess.run(command, check=True, capture_output=True, text=True, cwd=_HERE.parent, env=environment)
    found: dict[str, float] = json.loads(done.stdout)
    print(f"  {name} {arguments[0]}: {found}", file=sys.stderr)
    return found


def ratio(folder: Path, library: str, turns: int) -> tuple[float, str, dict[str, float]]:
    """Whole ingest : plain library on one folder, the best of several turns each."""
    ours: list[dict[str, float]] = []
    plain: list[dict[str, float]] = []
    for _ in range(turns):
        ours.append(probe("ingest", folder, 1))
        plain.append(probe(library, folder))
    fastest = min(ours, key=lambda one: one["seconds"])
    seconds, cpu = (min(one[key] for one in plain) for key in ("seconds", "cpu"))
    by_cpu = min(one["cpu"] for one in ours) / cpu  # what others do on the machine disturbs it less
    note = f"{fastest['seconds']:.2f} s : {seconds:.2f} s, by CPU time {by_cpu:.2f}, {fastest['facts']:,} facts"
    return fastest["seconds"] / seconds, note, fastest


def workbooks(corpus: Path, home: Path) -> list[Figure]:
    """Against openpyxl, on real workbooks and on a million cells."""
    gather(corpus / "files", home / "xlsx", (".xlsx",))
    value, note, _ = ratio(home / "xlsx", "openpyxl", 3)
    figures = [_against("xlsx, corpus : openpyxl", value, 0.5, 0.2, note)]
    for name, make, turns in (("list of orders", make_order_book, 2), ("nothing but numbers", make_number_book, 1)):
        folder = home / name
        folder.mkdir()
        make(folder / "book.xlsx")
        value, note, fastest = ratio(folder, "openpyxl", turns)
        figures.append(_against(f"xlsx, 1 M cells, {name} : openpyxl", value, 0.5, 0.2, note))
        mib = fastest["child_mib"]
        figures.append(Figure(measure=f"child, 1 M cells, {name}: MiB", value=mib, must=1024, at_most=True))
    return figures


def decks(corpus: Path, home: Path) -> list[Figure]:
    """Against python-pptx, on real decks and on a hundred slides."""
    gather(corpus / "files", home / "pptx", (".pptx",))
    (home / "deck").mkdir()
    make_deck(home / "deck" / "deck.pptx")
    figures = []
    for name, folder in (("corpus", home / "pptx"), ("100 slides", home / "deck")):
        value, note, _ = ratio(folder, "python_pptx", 3)
        figures.append(_against(f"pptx, {name} : python-pptx", value, 1.0, 0.5, note))
    return figures


def _against(measure: str, value: float, must: float, aim: float, note: str) -> Figure:
    return Figure(measure=measure, value=value, must=must, aim=aim, at_most=True, note=note)


def cores(home: Path) -> list[Figure]:
    """Two cores against one, on a folder of ordinary workbooks."""
    folder = home / "medium"
    make_medium_books(folder, 32)
    one, two = [], []
    for _ in range(2):
        one.append(probe("ingest", folder, 1)["seconds"])
        two.append(probe("ingest", folder, 2)["seconds"])
    note = f"{min(one):.2f} s : {min(two):.2f} s, 32 workbooks"
    return [Figure(measure="two cores : one core", value=min(one) / min(two), must=1.8, note=note)]


def writing(home: Path, ragspine: str | None) -> list[Figure]:
    """Facts into SQLite with indexes and seals, against bare rows and against RAGSpine."""
    book, rows = home / "numbers.xlsx", home / "rows.json"
    make_number_book(book, rows=25_000)
    found = probe("store", book, rows)
    speed = found["facts"] / found["store"]
    note = f"{speed:,.0f} facts/s; with the driver's default cache {found['raw_default'] / found['store']:.2f} x"
    figures = [Figure(measure="store : executemany", value=found["raw"] / found["store"], must=0.8, aim=1.3, note=note)]
    python = ragspine or ragspine_python()
    command = [python, str(_HERE / "ragspine_probe.py"), str(rows)]
    other = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    theirs = other["facts"] / other["seconds"]
    note = f"RAGSpine {theirs:,.0f} facts/s"
    return [*figures, Figure(measure="store : RAGSpine 0.11", value=speed / theirs, must=2.0, note=note)]


def again(home: Path) -> Figure:
    """A folder of a thousand files that has not changed, against hashing them."""
    folder = home / "thousand"
    make_medium_books(folder, 1_000, rows=150)
    found = probe("again", folder)
    return Figure(
        measure="unchanged 1,000 files : hashing",
        value=found["again"] / found["hashing"],
        must=1.5,
        at_most=True,
        note=f"{found['again'] * 1000:.0f} ms : {found['hashing'] * 1000:.0f} ms",
    )


def parent_memory(corpus: Path) -> Figure:
    """The parent's peak while it ingests the whole corpus on all cores."""
    mib = probe("ingest", corpus.resolve() / "files", os.cpu_count() or 1)["parent_mib"]
    return Figure(measure="parent, whole corpus: MiB", value=mib, must=300, at_most=True)


if __name__ == "__main__":
    sys.exit(main())
