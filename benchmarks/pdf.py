"""How well and how fast reports are read: tables against gold, facts, false tables on prose, speed against pdfplumber.

    python -m benchmarks.pdf [--corpus DIR] [--json FILE] [--no-speed] [--sample N]

Tables are scored as the corpus's own scorer does (adjacency relations, averaged over documents), in this process and on
what `read` yields, so that a change can be judged in seconds. pdfplumber is timed on every N-th page and its time
multiplied; ours is always timed on the whole file.
"""

from __future__ import annotations

import argparse
import collections
import importlib.util
import json
import pathlib
import time
import types
from typing import Any

import pypdfium2 as pdfium2

from factspine.core.limits import Limits
from factspine.core.tables import RawTable
from factspine.extract.pdf import read
from factspine.extract.pdf.glyphs import read_page

PROSE_PAGES = 100
PROSE_WORDS_MIN = 250
PROSE_DIGITS_MAX = 0.02  # share of words with a digit: below it a page has no table worth the name


def scorer(corpus: pathlib.Path) -> types.ModuleType:
    spec = importlib.util.spec_from_file_location("corpus_score", corpus / "score.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def page_of(locator: str) -> int:
    return int(locator.split("page=")[1].split(",")[0])


def cells_of(table: RawTable) -> list[dict[str, Any]]:
    out = []
    for cell in table.cells:
        rows, cols = table.spans.get((cell.row, cell.col), (1, 1))
        out.append({"r": cell.row, "c": cell.col, "rs": rows, "cs": cols, "text": cell.text})
    return out


def tables_score(corpus: pathlib.Path, gold: list[dict[str, Any]]) -> dict[str, Any]:
    score = scorer(corpus)
    by_file = collections.defaultdict(list)
    for item in gold:
        if item["kind"] == "table_cells" and (item.get("file") or "").endswith(".pdf"):
            by_file[item["file"]].append(item)
    documents = {}
    for name, items in sorted(by_file.items()):
        want: collections.Counter[Any] = collections.Counter()
        got: collections.Counter[Any] = collections.Counter()
        pages = {p for i in items for p in i["locator"]["pages"]}
        for item in items:
            want += score.relations(item["cells"])
        for table in read(corpus / name, Limits()):
            if isinstance(table, RawTable) and page_of(table.locator) in pages:
                got += score.relations(cells_of(table))
        hit = (want & got).total()
        documents[name] = (hit / max(1, got.total()), hit / max(1, want.total()))
    precision, recall = (sum(d[i] for d in documents.values()) / max(1, len(documents)) for i in (0, 1))
    low = {n: [round(v, 3) for v in d] for n, d in documents.items() if min(d) < 0.95}
    f1 = 2 * precision * recall / (precision + recall)
    return {"precision": round(precision, 4), "recall": round(recall, 4), "f1": round(f1, 4), "below 0.95": low}


def facts_score(corpus: pathlib.Path, gold: list[dict[str, Any]]) -> dict[str, Any]:
    from factspine.interpret.interpreter import interpret_table
    from factspine.lexicon.vocabulary import Vocabulary

    score = scorer(corpus)
    items = [g for g in gold if g["kind"] == "metric_fact"]
    facts = collections.defaultdict(list)
    vocabulary = Vocabulary.load(None)
    for name in sorted({i["file"] for i in items}):
        for table in read(corpus / name, Limits()):
            if isinstance(table, RawTable):
                columns = interpret_table(table, vocabulary).block.columns
                keys = ("metric_label", "value", "period", "source_locator")
                for label, value, period, place in zip(*(columns[k] for k in keys), strict=True):
                    facts[score.fold(label)].append((value, str(period), page_of(place)))
    missed = []
    for item in items:
        pages = {e["page"] for e in item["evidence"]}
        year = item["period"].removeprefix("FY")
        near = [f for label, group in facts.items() if score.fold(item["metric"]) in label for f in group]
        right = [
            f for f in near if score.same_scaled(score.number(f[0]), item["value"]) and year in f[1] and f[2] in pages
        ]
        if not right:
            missed.append(item["id"])
    return {"gold": len(items), "right": round(1 - len(missed) / max(1, len(items)), 4), "missed": len(missed)}


def prose_score(files: list[pathlib.Path]) -> dict[str, Any]:
    """Tables on pages of prose, chosen by rule: many words, hardly a digit; spread evenly over all files."""
    pages: list[tuple[pathlib.Path, int]] = []
    for path in files:
        document = pdfium2.PdfDocument(path)
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
        if isinstance(item, RawTable) and page_of(item.locator) in numbers
    ]
    listed = {path.name: sorted(numbers) for path, numbers in chosen.items()}
    return {"pages": sum(map(len, chosen.values())), "tables": len(found), "where": found, "chosen": listed}


def speed(files: list[pathlib.Path], sample: int) -> dict[str, Any]:
    import pdfplumber

    ours = theirs = 0.0
    pages = 0
    for path in files:
        start = time.process_time()
        for _ in read(path, Limits()):
            pass
        ours += time.process_time() - start
        start = time.process_time()
        taken = 0
        with pdfplumber.open(path) as document:
            count = len(document.pages)
            pages += count
            for page in document.pages[:: sample if count > sample else 1]:
                page.extract_tables()
                page.extract_words()
                page.close()
                taken += 1
        theirs += (time.process_time() - start) * count / max(1, taken)
    return {
        "pages": pages,
        "read ms a page": round(1000 * ours / pages, 2),
        "pdfplumber ms a page": round(1000 * theirs / pages, 2),
        "ratio": round(ours / theirs, 4),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", type=pathlib.Path, default=pathlib.Path("../shared/corpus"))
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--no-speed", action="store_true")
    parser.add_argument("--no-prose", action="store_true")
    parser.add_argument("--sample", type=int, default=12)
    args = parser.parse_args()
    gold = [json.loads(line) for line in (args.corpus / "gold.jsonl").read_text(encoding="utf-8").splitlines()]
    files = sorted((args.corpus / "files" / "pdf").rglob("*.pdf"))
    figures: dict[str, Any] = {"tables": tables_score(args.corpus, gold), "facts": facts_score(args.corpus, gold)}
    if not args.no_prose:
        figures["prose"] = prose_score(files)
    if not args.no_speed:
        figures["speed"] = speed(files, args.sample)
    print(json.dumps(figures, ensure_ascii=False, indent=2))
    if args.json:
        args.json.write_text(json.dumps(figures, ensure_ascii=False, indent=2), encoding="utf-8")


if __name__ == "__main__":
    main()
