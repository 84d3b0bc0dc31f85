"""Stores of made facts, of any size: many companies and labels that share their words, written as an ingest does."""

from __future__ import annotations

import json
import random
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from factspine import FactStore
from factspine.core.facts import FactBlock, FactContext
from factspine.core.labelled import LabelledTable
from factspine.core.leaves import Lineage
from factspine.core.packed import pack_interpretation, pack_table
from factspine.core.tables import RawCell, RawTable
from factspine.store.runs import RunWriter

_FACTS_A_DOCUMENT = 2_000
_LABELS_MOST = 100_000
_YEARS = (2021, 2022, 2023, 2024)
_QUESTIONS = 200
_WORDS = ("net", "gross", "deferred", "retail", "policy", "claims", "service", "segment", "regional", "branch")
_NOUNS = ("revenue", "income", "expense", "balance", "margin", "provision", "reserve", "payments", "receipts", "losses")
_METRICS = ("REVENUE", "NEWSALES", "PROFIT", "ROE")
_PLACES = {"香港": "HK", "中国内地": "CN"}


def label(number: int) -> str:
    """One of many metric names that share their words."""
    return f"{_WORDS[number % 10]} {_WORDS[number // 10 % 10]} {_NOUNS[number // 100 % 10]} line {number}"


def make_store(path: Path, facts: int) -> None:
    """Documents of one company each, their facts under labels that many documents share; questions beside the store.

    Its names are written down at the end, as an ingest does.
    """
    rng = random.Random(20240331)
    labels = min(max(facts // 100, 100), _LABELS_MOST)
    wanted: list[tuple[str, str]] = []
    documents = max(facts // _FACTS_A_DOCUMENT, 1)
    with FactStore(path) as store:
        store.init_schema()
        with store.begin_run() as run:
            for number in range(documents):
                _add_document(run, _company(number, labels, rng, wanted))
            _add_document(run, _known_by_both())
            run.seal()
        store.remember_terms()
    chosen = rng.sample(wanted, min(_QUESTIONS, len(wanted)))
    path.with_suffix(".json").write_text(json.dumps(chosen), encoding="utf-8")


class Document(NamedTuple):
    """The facts of one document, and what they have in common."""

    doc_id: str
    entity: str
    names: list[str]
    geographies: list[str]
    years: list[int]
    values: list[str]


def _company(number: int, labels: int, rng: random.Random, wanted: list[tuple[str, str]]) -> Document:
    entity = f"Company {number} Holdings"
    first = rng.randrange(labels)
    rows = [((first + row) % labels, year) for row in range(_FACTS_A_DOCUMENT // len(_YEARS)) for year in _YEARS]
    values = [f"{rng.randrange(1, 10**7)}.{rng.randrange(1, 10)}" for _ in rows]
    names = [label(metric) for metric, _ in rows]
    some = rng.randrange(len(rows))
    wanted.append((f"What was the {names[some]} of {entity} in FY{rows[some][1]}?", values[some]))
    return Document(
        doc_id=f"group {number % 7}/Report_{number:05d}.xlsx",
        entity=entity,
        names=names,
        geographies=["HK"] * len(rows),
        years=[year for _, year in rows],
        values=values,
    )


def _known_by_both() -> Document:
    """Facts that a vocabulary of four metrics has names for, too."""
    rows = [(metric, place, year) for metric in _METRICS for place in _PLACES for year in _YEARS]
    return Document(
        doc_id="ACME_Review.xlsx",
        entity="ACME Group",
        names=[metric for metric, _, _ in rows],
        geographies=[_PLACES[place] for _, place, _ in rows],
        years=[year for _, _, year in rows],
        values=[f"{100 + number}.5" for number in range(len(rows))],
    )


def questions_for_both() -> list[tuple[str, str]]:
    """Questions that both systems understand, with the value each has."""
    known = _known_by_both()
    return [
        (f"{place}FY{year}的{metric}是多少", known.values[number])
        for number, (metric, place, year) in enumerate(
            (metric, place, year) for metric in _METRICS for place in _PLACES for year in _YEARS
        )
    ]


def rows_for_ragspine(path: Path) -> list[list[str]]:
    """The facts of a store as RAGSpine has them: its codes for the organisations it knows, `TOTAL` for no channel."""
    codes = {"HK": "ACME_HK", "CN": "ACME_CN"}
    with FactStore(path) as store:
        return [
            [
                fact.metric_code,
                codes[fact.geography] if fact.entity == "ACME Group" else fact.entity,
                fact.geography,
                "TOTAL",
                fact.period_type,
                fact.period,
                str(fact.value),
                fact.unit,
                fact.source_doc_id,
                fact.source_locator,
            ]
            for fact in store.facts()
        ]


def _add_document(run: RunWriter, made: Document) -> None:
    lineage = Lineage(
        doc_id=made.doc_id,
        file_hash=sha256(made.doc_id.encode()).hexdigest(),
        extractor_version="xlsx/1",
        mapping_version="builtin/1",
    )
    raw = RawTable(
        locator="sheet=P&L,table=1",
        n_rows=2,
        n_cols=2,
        cells=[RawCell(2, 2, "1", "n", "1")],
        formulas={},
        addressing="a1",
    )
    count = len(made.names)
    columns = {
        "metric_code": [name.upper().replace(" ", "_") for name in made.names],
        "entity": [made.entity] * count,
        "geography": made.geographies,
        "channel": [""] * count,
        "period_type": ["FY"] * count,
        "period": [str(year) for year in made.years],
        "value": made.values,
        "unit": ["HKD"] * count,
        "source_locator": [f"sheet=P&L,cell=C{row + 2}" for row in range(count)],
        "metric_label": made.names,
        "value_text": made.values,
        "decimals": [1] * count,
        "row_no": list(range(2, count + 2)),
        "col_no": [2] * count,
        "context_no": [year - _YEARS[0] for year in made.years],
    }
    contexts = tuple(
        FactContext(scale=6, unit_evidence="", period_start=f"{y}-01-01", period_end=f"{y}-12-31") for y in _YEARS
    )
    block = FactBlock(count=count, columns=columns, contexts=contexts)
    table = pack_table(raw)
    labelled = LabelledTable(raw=raw, roles=(), header_rows=1, header_cols=1, blocks=())
    packed = pack_interpretation(lineage, table, labelled=labelled, block=block, ledger=[], numeric_cells=block.count)
    with run.reading(lineage, media_type="xlsx", size_bytes=1000) as reading:
        table_no = reading.add_table(table)
        reading.add_interpretation(table_no, packed)
        reading.add_facts(table_no, block.count, block.columns)
