"""What is read, and whether it is true: roles of cells against gold, read-back of every fact, completeness.

    python -m benchmarks.extract --corpus FOLDER

The corpus is driven through the command line by its own scorer; then all its workbooks and decks are ingested into a
store of their own and every fact is looked up again, in the archived bytes, by the second reader of its format.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import warnings
from collections import Counter
from decimal import Decimal
from pathlib import Path
from typing import Any

from benchmarks.figures import Figure, report
from factspine import FactStore, ingest
from factspine.core.facts import Fact
from factspine.core.locators import cell_position, parse
from factspine.core.tables import RawCell
from factspine.core.values import canonical
from factspine.ingestion.onefile import reread
from factspine.interpret.interpreter import interpret_table
from factspine.lexicon.numbers import read_number
from factspine.lexicon.vocabulary import Vocabulary
from factspine.sources.vault import Vault

_PROGRAM = Path(sys.executable).with_name("factspine")
_BOUNDS = {
    "pptx tables": (1.0, 1.0),
    "pptx charts": (0.99, 1.0),
    "xlsx roles hitab": (0.985, 0.995),
    "xlsx roles hitab_original": (0.985, 0.995),
    "xlsx roles saus": (0.992, 0.998),
    "xlsx roles imtqa": (0.93, 0.98),
}
_SHOWN = 12


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", type=Path, required=True)
    corpus = parser.parse_args().corpus.resolve()
    lines = (corpus / "manifest.jsonl").read_text(encoding="utf-8").splitlines()
    origins = {row["file"]: row["source"] for row in map(json.loads, lines)}
    figures = score_roles(corpus)
    with tempfile.TemporaryDirectory() as home:
        documents = Path(home) / "documents"
        gather(corpus / "files", documents, (".xlsx", ".pptx"))
        with FactStore(Path(home) / "facts.db") as store:
            store.init_schema()
            done = ingest(documents, store)
            print(f"ingested {len(done.documents)} documents")
            more, extra = measure_store(store, documents, origins)
    return report("Extraction", figures + more, "extract", extra)


def gather(source: Path, target: Path, suffixes: tuple[str, ...]) -> None:
    """Links to the documents of these kinds, in the same folders."""
    for path in sorted(source.rglob("*")):
        if path.suffix in suffixes and path.is_file():
            place = target / path.relative_to(source)
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(path.read_bytes())


def score_roles(corpus: Path) -> list[Figure]:
    """F1 of each source, by the corpus' scorer through the command line."""
    scores: dict[str, dict[str, Any]] = {}
    for source in ("hitab", "saus", "imtqa", "pptx"):
        with tempfile.NamedTemporaryFile(suffix=".json") as out:
            command = [sys.executable, str(corpus / "score.py"), str(corpus), "tables", "--source", source]
            command += ["--factspine", str(_PROGRAM), "--json", out.name]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            scores |= json.loads(Path(out.name).read_text(encoding="utf-8"))
    return [
        Figure(
            measure=f"F1 {name}",
            value=score["f1"],
            must=_BOUNDS.get(name, (None, None))[0],
            aim=_BOUNDS.get(name, (None, None))[1],
            note=f"precision {score['precision']}, recall {score['recall']}, {score['gold']} cells",
        )
        for name, score in sorted(scores.items())
    ]


def measure_store(store: FactStore, documents: Path, origins: dict[str, str]) -> tuple[list[Figure], dict[str, object]]:
    """Read-back and completeness over every document of a store."""
    totals: Counter[str] = Counter()
    failures: list[str] = []
    lost: list[str] = []
    sources: dict[str, Counter[str]] = {}
    coverage = {row.doc_id: row for row in store.coverage()}
    for doc_id, row in coverage.items():
        facts = _facts_of(store, doc_id)
        failures += read_back(store, doc_id, facts)
        counts, missing = recount(store, doc_id, documents / doc_id)
        lost += missing
        counts["facts"], counts["stored"] = row.facts, row.facts + row.excluded + row.unmapped
        counts["numeric_cells"] = row.numeric_cells
        totals += counts
        sources.setdefault(origins.get(f"files/{doc_id}", "other"), Counter()).update(
            {"facts": row.facts, "unmapped": row.unmapped, "excluded": row.excluded, "null": row.null, "documents": 1}
        )
    for line in (failures + lost)[:_SHOWN]:
        print("  -", line)
    again, whole = totals["facts"] - len(failures), totals["numeric_cells"]
    counted, inside = totals["cells"], totals["value_cells"]
    figures = [
        Figure(
            measure="facts that read the same at their locator",
            value=_share(again, totals["facts"]),
            must=1.0,
            note=f"{totals['facts']:,} facts, {len(failures)} differ",
        ),
        Figure(
            measure="numeric cells that are accounted for",
            value=_share(counted - len(lost), counted),
            must=1.0,
            note=f"{counted:,} cells counted anew, {len(lost)} unaccounted for",
        ),
        Figure(
            measure="facts + excluded + unmapped = numeric cells",
            value=float(totals["stored"] == whole),
            must=1.0,
            note=f"{totals['stored']:,} of {whole:,}",
        ),
        Figure(
            measure="numbers inside data tables that are facts",
            value=_share(totals["value_facts"], inside),
            must=0.95,
            note=f"{totals['value_facts']:,} of {inside:,}",
        ),
    ]
    for source, counts in sorted(sources.items()):
        due = counts["facts"] + counts["unmapped"]
        note = ", ".join(f"{counts[name]:,} {name}" for name in ("documents", "facts", "excluded", "unmapped", "null"))
        figures.append(Figure(measure=f"coverage {source}", value=_share(counts["facts"], due), note=note))
    return figures, {"read_back_failures": failures, "unaccounted": lost}


def _facts_of(store: FactStore, doc_id: str) -> list[Fact]:
    from factspine.store.facts import FactFilter

    pattern = "".join(f"[{mark}]" if mark in "*?[" else mark for mark in doc_id)
    return list(store.facts(FactFilter(documents=[pattern])))


def read_back(store: FactStore, doc_id: str, facts: list[Fact]) -> list[str]:
    """The facts of a document that the second reader does not find, each with what it found."""
    if not facts or store.vault_path is None:
        return []
    blob = Vault(store.vault_path).path_of(facts[0].source_file_hash)
    found = reread(blob, [fact.source_locator for fact in facts], name=Path(doc_id).name)
    return [
        f"{doc_id} {fact.source_locator}: stored {fact.value_text!r} = {fact.value}, read {text!r} = {value}"
        for fact, (text, value) in zip(facts, found, strict=True)
        if text != fact.value_text or not _same_value(fact, text, value)
    ]


def _same_value(fact: Fact, text: str, value: str | None) -> bool:
    """The stored number, shifted as the number format shows it (percent, thousands); else the number the text is."""
    if value is None:
        reading = read_number(text)
        return reading is not None and reading.value == canonical(fact.value)
    return any(Decimal(value).scaleb(shift) == fact.value for shift in (0, 2, -3, -6, -9))


def recount(store: FactStore, doc_id: str, path: Path) -> tuple[Counter[str], list[str]]:
    """All numbers of a document's tables, counted without the ledger, and those that nothing accounts for."""
    vocabulary = Vocabulary.load(None)
    counts: Counter[str] = Counter()
    lost: list[str] = []
    on_sheets: dict[str, set[tuple[int, int]]] = {}
    for record in store.tables(doc_id):
        raw = store.table(doc_id, record.locator)
        assert raw is not None
        meaning = interpret_table(raw, vocabulary)
        facts = set(zip(meaning.block.columns["row_no"], meaning.block.columns["col_no"], strict=True))
        known = facts | {cell for entry in meaning.ledger for cell in entry.cells}
        on_sheets.setdefault(parse(raw.locator).get("sheet") or "", set()).update(known)
        for cell, role in zip(raw.cells, meaning.labelled.roles, strict=True):
            if not _is_number(cell):
                continue
            place = (cell.row, cell.col)
            counts["cells"] += 1
            if role == "value":
                counts["value_cells"] += 1
                counts["value_facts"] += place in facts
            if place not in known:
                lost.append(f"{doc_id} {raw.locator} {place}: {role}")
    if path.suffix == ".xlsx":
        lost += _lost_in_workbook(doc_id, path, on_sheets)
    return counts, lost


def _is_number(cell: RawCell) -> bool:
    return cell.kind == "n" if cell.kind != "s" else read_number(cell.text) is not None


def _lost_in_workbook(doc_id: str, path: Path, known: dict[str, set[tuple[int, int]]]) -> list[str]:
    """Number cells that openpyxl sees and no table of ours has."""
    import openpyxl

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        workbook = openpyxl.load_workbook(path, data_only=True)
    return [
        f"{doc_id} {sheet.title}!{cell.coordinate}: in no table"
        for sheet in workbook.worksheets
        for row in sheet.iter_rows()
        for cell in row
        if isinstance(cell.value, int | float)
        and not isinstance(cell.value, bool)
        and cell_position(cell.coordinate) not in known.get(sheet.title, set())
    ]


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 1.0


if __name__ == "__main__":
    sys.exit(main())
