"""How well, how truly and how fast reports are read: gold, read-back of every fact, prose, speed, memory, damage.

    python -m benchmarks.pdf --corpus FOLDER [--sample N] [--skip PART …]

Tables and facts are scored by the corpus's own scorer through the command line. The whole folder is ingested on one
core; its CPU time is compared with pdfplumber's `extract_tables()` and `extract_words()` on every N-th page, scaled to
all pages. Every fact is looked up again in its file by pdfplumber. Both sides are measured in CPU time, so that a busy
machine does not favour either. FACTSPINE_TEST_SCALE multiplies the number of damaged files.
"""

from __future__ import annotations

import argparse
import collections
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pypdfium2

from benchmarks.extract import gather
from benchmarks.figures import Figure, report
from factspine import FactStore, ingest
from factspine.core.findings import CODES
from factspine.core.limits import MIB, Limits
from factspine.core.tables import RawTable
from factspine.extract.pdf import read
from factspine.extract.pdf.glyphs import read_page
from factspine.ingestion.onefile import reread

PROGRAM = Path(sys.executable).with_name("factspine")
PARTS = ("score", "readback", "prose", "speed", "mutants")
PROSE_PAGES = 100
PROSE_WORDS_MIN = 250
PROSE_DIGITS_MAX = 0.02  # share of words with a digit: below it a page has no table worth the name
MUTANTS = 1000
MUTANT_BYTES_MAX = 400_000
_SHOWN = 40
# The second reader is slow and hungry; it is not what is measured here.
_PATIENT = replace(Limits(), child_memory_bytes=3072 * MIB, child_cpu_seconds=1800)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", type=Path, default=Path("../shared/corpus"))
    parser.add_argument("--sample", type=int, default=12, help="pdfplumber is timed on every N-th page")
    parser.add_argument("--skip", nargs="*", choices=PARTS, default=())
    arguments = parser.parse_args()
    wanted = [part for part in PARTS if part not in arguments.skip]
    files = sorted((arguments.corpus / "files").rglob("*.pdf"))
    figures: list[Figure] = []
    extra: dict[str, object] = {"documents": len(files)}
    with tempfile.TemporaryDirectory() as home:
        folder = Path(home) / "documents"
        gather(arguments.corpus / "files", folder, (".pdf",))
        seconds, memory = ingest_seconds(folder, Path(home) / "facts.db")
        note = f"{extra['documents']} documents, the child never holds more"
        figures.append(Figure(measure="memory, MiB", value=memory, must=1024, at_most=True, note=note))
        if "score" in wanted:
            figures += gold_figures(arguments.corpus)
        if "readback" in wanted:
            figures.append(readback_figure(folder, Path(home) / "facts.db", extra))
        if "prose" in wanted:
            figures.append(prose_figure(files, extra))
        if "speed" in wanted:
            figures += speed_figures(files, seconds, arguments.sample)
        if "mutants" in wanted:
            figures.append(mutant_figure(files, Path(home)))
    return report("Reports (PDF)", figures, "pdf", extra)


def ingest_seconds(folder: Path, store: Path) -> tuple[float, float]:
    """CPU seconds from bytes to a committed run, all processes together, and the largest of them in MiB."""
    before = _children_seconds()
    command = [str(PROGRAM), "ingest", str(folder), "--store", str(store), "--jobs", "1", "--json"]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE)
    totals = json.loads(done.stdout)["totals"]
    print(f"ingested {totals['documents']} documents: {totals['facts']:,} facts, {totals['tables']:,} tables")
    return _children_seconds() - before, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024


def _children_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def gold_figures(corpus: Path) -> list[Figure]:
    """What the corpus's scorer says of tables and facts."""
    tables = _scored(corpus, "tables", "icdar2013")
    facts = _scored(corpus, "facts", "finglm")
    return [
        Figure(
            measure="tables, adjacency F1",
            value=tables["f1"],
            must=0.85,
            aim=0.94,
            note=f"{tables['documents']} documents",
        ),
        Figure(
            measure="facts of a Chinese annual report",
            value=facts["right"],
            must=0.85,
            aim=0.97,
            note=f"{facts['n']} facts",
        ),
    ]


def _scored(corpus: Path, kind: str, source: str) -> dict[str, Any]:
    with tempfile.NamedTemporaryFile(suffix=".json") as out:
        command = [sys.executable, str(corpus / "score.py"), str(corpus), kind, "--source", source]
        subprocess.run(
            [*command, "--factspine", str(PROGRAM), "--json", out.name], check=True, stdout=subprocess.DEVNULL
        )
        scores: dict[str, dict[str, Any]] = json.loads(Path(out.name).read_text(encoding="utf-8"))
    return next(iter(scores.values()))


def readback_figure(folder: Path, store: Path, extra: dict[str, object]) -> Figure:
    """Every fact looked up in its file by the second reader."""
    facts = collections.defaultdict(list)
    with FactStore(store) as opened:
        for fact in opened.facts():
            facts[fact.source_doc_id].append((fact.source_locator, fact.value_text))

    def check(doc: str) -> list[str]:
        found = reread(folder / doc, [place for place, _ in facts[doc]], limits=_PATIENT)
        pairs = zip(facts[doc], found, strict=True)
        return [
            f"{doc} {place}: {text!r}, {seen!r}" for (place, text), (seen, _) in pairs if _folded(text) != _folded(seen)
        ]

    with ThreadPoolExecutor(2) as pool:
        differing = [line for lines in pool.map(check, sorted(facts)) for line in lines]
    extra["read-back differs"] = differing[:_SHOWN]
    count = sum(map(len, facts.values()))
    share = 1 - len(differing) / max(1, count)
    return Figure(measure="facts confirmed by pdfplumber", value=share, must=0.995, aim=1.0, note=f"{count:,} facts")


def _folded(text: str) -> str:
    return "".join(text.split())


def prose_figure(files: list[Path], extra: dict[str, object]) -> Figure:
    """Tables on pages of prose, chosen by rule: many words, hardly a digit; spread evenly over all files."""
    pages: list[tuple[Path, int]] = []
    for path in files:
        document = pypdfium2.PdfDocument(path)
        for number in range(1, len(document) + 1):
            words = read_page(document.raw, number, Limits()).words
            digits = sum(any(c.isdigit() for c in w.text) for w in words)
            if len(words) >= PROSE_WORDS_MIN and digits < PROSE_DIGITS_MAX * len(words):
                pages.append((path, number))
        document.close()
    step = max(1, len(pages) // PROSE_PAGES)
    chosen = collections.defaultdict(set)
    for path, number in pages[::step][:PROSE_PAGES]:
        chosen[path].add(number)
    found = [
        f"{path.name} {item.locator}"
        for path, numbers in chosen.items()
        for item in read(path, Limits())
        if isinstance(item, RawTable) and int(item.locator.split(",")[0].removeprefix("page=")) in numbers
    ]
    extra["prose pages"] = {path.name: sorted(numbers) for path, numbers in chosen.items()}
    extra["tables on prose pages"] = found
    count = sum(map(len, chosen.values()))
    return Figure(measure="false tables on prose pages", value=len(found), must=3, at_most=True, note=f"{count} pages")


def speed_figures(files: list[Path], ours: float, sample: int) -> list[Figure]:
    """CPU time of the whole ingest against pdfplumber's, which is timed on every N-th page."""
    import pdfplumber

    theirs, pages = 0.0, 0
    for path in files:
        start = time.process_time()
        with pdfplumber.open(path) as document:
            count = len(document.pages)
            opened = time.process_time() - start  # once a file, however many of its pages are timed
            taken = document.pages[:: sample if count > sample else 1]
            for page in taken:
                page.extract_tables()
                page.extract_words()
                page.close()
        theirs += opened + (time.process_time() - start - opened) * count / max(1, len(taken))
        pages += count
    note = f"{pages:,} pages: {1000 * ours / pages:.1f} ms a page, pdfplumber {1000 * theirs / pages:.0f} ms"
    return [
        Figure(
            measure="ingest / pdfplumber, CPU time", value=ours / theirs, must=0.15, aim=0.07, at_most=True, note=note
        )
    ]


def mutant_figure(files: list[Path], home: Path) -> Figure:
    """Damaged copies of small files: each must end in facts or a typed finding."""
    chance = random.Random(11)
    originals = [path.read_bytes() for path in files if path.stat().st_size <= MUTANT_BYTES_MAX]
    folder = home / "mutants"
    folder.mkdir()
    count = max(20, int(MUTANTS * float(os.environ.get("FACTSPINE_TEST_SCALE", "0.1"))))
    for number in range(count):
        (folder / f"{number:05d}.pdf").write_bytes(mutated(chance.choice(originals), chance))
    limits = replace(Limits(), child_cpu_seconds=10)
    with FactStore(home / "mutants.db") as store:
        store.init_schema()
        done = ingest(folder, store, limits=limits)
    wrong = [
        one.doc
        for one in done.documents
        if one.status not in ("ingested", "rejected") or any(f.code not in CODES for f in one.findings)
    ]
    rejected = sum(1 for one in done.documents if one.status == "rejected")
    slowest = max(one.seconds for one in done.documents)
    note = f"{len(done.documents):,} damaged files, {rejected} rejected, the slowest {slowest:.1f} s"
    lost = count - len(done.documents) + len(wrong)
    return Figure(measure="damaged files without a typed end", value=lost, must=0, at_most=True, note=note)


def mutated(original: bytes, chance: random.Random) -> bytes:
    """A copy with bytes changed, a stretch removed or repeated, or its end cut off."""
    content = bytearray(original)
    for _ in range(chance.randint(1, 60)):
        content[chance.randrange(len(content))] = chance.randrange(256)
    at, size = chance.randrange(len(content)), chance.randrange(2000)
    kind = chance.random()
    if kind < 0.2:
        del content[at:]
    elif kind < 0.4:
        del content[at : at + size]
    elif kind < 0.6:
        content[at:at] = content[at : at + size]
    return bytes(content)


if __name__ == "__main__":
    sys.exit(main())
