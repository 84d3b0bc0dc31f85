"""The index against the bare engine on the same text: time to build, time to ask, at a hundred thousand chunks.

`--corpus` adds what real documents and claims give: numbers caught, evidence pages found, cells of text quoted.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from factspine import FactStore, ingest
from factspine.core.chunks import Chunk, ChunkPart
from factspine.narrative.analyzer import query_words, words
from factspine.narrative.building import refresh
from factspine.narrative.index import NarrativeIndex
from factspine.narrative.ranking import Filters
from factspine.narrative.search import open_index, search_index

_VOCABULARY = 12_000
_CHINESE = (
    "营业收入同比增长主要由于新产品销量上升成本下降门店租金风险管理董事会审计报告客户渠道保费理赔现金流量投资收益"
)
_QUERIES = 200


def make_texts(count: int, seed: int = 1) -> list[str]:
    """Paragraphs of both languages with a tail of rare words, as reports have."""
    rng = random.Random(seed)
    texts = []
    for number in range(count):
        # Cubed: few words are everywhere and most are rare, as in any language.
        common = [f"w{_letters(int(_VOCABULARY * rng.random() ** 3))}" for _ in range(60)]
        start = rng.randrange(len(_CHINESE) - 20)
        texts.append(f"{' '.join(common)} {_CHINESE[start : start + 20]} {number:,}")
    return texts


def _letters(number: int) -> str:
    return "".join(chr(97 + int(digit)) for digit in str(number))


def make_chunk(number: int, text: str) -> Chunk:
    locator = f"page={number % 500 + 1},para=1"
    return Chunk(
        chunk_id=f"c_{number}",
        doc_id="report.pdf",
        source_locator=locator,
        kind="text",
        text=text,
        parts=(ChunkPart(locator, 0, len(text), 0),),
        section=("Results",),
        rev="r",
        extractor_version="x",
        chunker_version="c",
        tokens=60,
    )


def timed(work: Callable[[], object]) -> float:
    """Seconds of the processor: ratios hold, too, while others are at work on the machine."""
    started = time.process_time()
    work()
    return time.process_time() - started


def bare(path: Path, texts: list[str]) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA cache_size = -65536")
    connection.execute("CREATE VIRTUAL TABLE t USING fts5(text, tokenize = 'porter unicode61 remove_diacritics 2')")
    connection.execute("BEGIN")
    connection.executemany("INSERT INTO t (text) VALUES (?)", ((" ".join(words(text)),) for text in texts))
    connection.execute("COMMIT")
    return connection


def engine(count: int) -> dict[str, float]:
    """Ratios to the bare engine."""
    texts = make_texts(count)
    chunks = [make_chunk(number, text) for number, text in enumerate(texts)]
    rng = random.Random(2)
    questions = [" ".join(rng.sample(rng.choice(texts).split(), 4)) for _ in range(_QUERIES)]
    with tempfile.TemporaryDirectory() as home:
        holder: list[sqlite3.Connection] = []
        raw = timed(lambda: holder.append(bare(Path(home) / "bare.db", texts)))
        index = NarrativeIndex(Path(home) / "facts.db.index")

        def build() -> None:
            with index.writing() as writer:
                writer.add("report.pdf", "r", "PUBLIC", chunks)

        ours = timed(build)
        query = "SELECT rowid, bm25(t) FROM t WHERE t MATCH ? ORDER BY 2 LIMIT 10"
        matches = [" OR ".join(f'"{word}"' for word in query_words(question)) for question in questions]
        raw_times, our_times = [], []
        for question, match in zip(questions, matches, strict=True):
            raw_times.append(timed(lambda match=match: holder[0].execute(query, (match,)).fetchall()))
            our_times.append(timed(lambda question=question: search_index(question, index, top=10)))
        holder[0].close()
        index.close()
    raw_cuts, our_cuts = statistics.quantiles(raw_times, n=20), statistics.quantiles(our_times, n=20)
    return {
        "chunks": count,
        "build_ratio": round(ours / raw, 2),
        "query_p50_ratio": round(our_cuts[9] / raw_cuts[9], 2),
        "query_p95_ratio": round(our_cuts[18] / raw_cuts[18], 2),
        "build_seconds": round(ours, 1),
        "query_p50_ms": round(our_cuts[9] * 1000, 1),
        "query_p95_ms": round(our_cuts[18] * 1000, 1),
    }


class Asked(NamedTuple):
    """A question with the pages that hold its evidence."""

    file: str
    question: str
    pages: frozenset[int]
    group: str


def questions(corpus: Path) -> list[Asked]:
    """Report questions with evidence pages, by language; and stated figures with theirs, asked for by name."""
    asked = []
    for line in (corpus / "gold.jsonl").read_text(encoding="utf-8").splitlines():
        one = json.loads(line)
        pages = frozenset(place["page"] for place in one.get("evidence") or ())
        if not pages or not one.get("file"):
            continue
        language = one["lang"][:2]
        if one["kind"] == "doc_qa":
            asked.append(Asked(one["file"], one["question"], pages, f"{language} questions"))
        elif one["kind"] == "metric_fact" and language == "zh":
            named = f"{one['entity']}{one['period'].removeprefix('FY')}年{one['metric']}是多少？"
            asked.append(Asked(one["file"], named, pages, "zh figures by name"))
    return asked


def pages(corpus: Path, *, dense: bool = False) -> dict[str, dict[str, float]]:
    """How often a page that holds the evidence is among the pages of the first five and ten hits, by language."""
    asked = questions(corpus)
    tally: dict[str, list[tuple[bool, bool]]] = {}
    with tempfile.TemporaryDirectory() as home:
        for name in {one.file for one in asked}:
            target = Path(home) / "documents" / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(corpus / name, target)
        with FactStore(Path(home) / "facts.db") as store:
            store.init_schema()
            ingest(Path(home) / "documents", store)
            with open_index(store, dense=dense) as index:
                refresh(index, store)
                for one in asked:
                    filters = Filters(doc_ids=frozenset([one.file]))
                    found = [hit.chunk.page for hit in search_index(one.question, index, filters=filters).hits]
                    rates = bool(one.pages & set(found[:5])), bool(one.pages & set(found))
                    tally.setdefault(one.group, []).append(rates)
    return {
        group: {
            "questions": len(rates),
            "top5": round(sum(five for five, _ in rates) / len(rates), 4),
            "top10": round(sum(ten for _, ten in rates) / len(rates), 4),
        }
        for group, rates in sorted(tally.items())
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--chunks", type=int, default=100_000)
    parser.add_argument("--corpus", type=Path)
    parser.add_argument("--dense", action="store_true", help="pages by meaning, too, with the extra")
    options = parser.parse_args()
    print(json.dumps(engine(options.chunks)))
    if options.corpus is not None and options.corpus.is_dir():
        print(json.dumps(pages(options.corpus, dense=options.dense)))
        program = Path(sys.executable).with_name("factspine")
        for kind in ("claims", "lookup"):
            subprocess.run([str(options.corpus / "score.py"), str(options.corpus), kind, "--factspine", str(program)])
    return 0


if __name__ == "__main__":
    sys.exit(main())
