"""The demo documents hold every hard situation; each must be read as a careful person would read it."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path

import pytest

from factspine import FactStore, ingest
from factspine.core.facts import Fact
from factspine.core.locators import parse

Facts = dict[tuple[str, str], Fact]
DATA = Path(__file__).parent.parent / "data"
GOLD = [json.loads(line) for line in (DATA / "gold_facts.jsonl").read_text(encoding="utf-8").splitlines()]
EXACT_MARKS = {"budget", "forecast", "restated", "hidden"}
NEEDED_MARKS = {"total", "unaudited"}


@pytest.fixture(scope="module")
def facts(tmp_path_factory: pytest.TempPathFactory) -> Facts:
    with FactStore(tmp_path_factory.mktemp("gold") / "facts.db") as store:
        store.init_schema()
        ingest(DATA / "documents", store)
        return {(f.source_doc_id, str(parse(f.source_locator).without("row", "col"))): f for f in store.facts()}


@pytest.mark.parametrize("gold", GOLD, ids=lambda gold: f"{gold['doc'].rpartition('/')[2]}:{gold['cell']}")
def test_a_number_is_read_as_a_careful_person_reads_it(
    gold: dict[str, str], facts: dict[tuple[str, str], Fact]
) -> None:
    """Metric, whose, where, which period, which unit and scale, plan or outcome: all as the document says them."""
    fact = facts[gold["doc"], gold["cell"]]
    for name in ("metric_label", "entity", "geography", "channel", "period_type", "period", "unit"):
        if gold[name] is not None:
            assert getattr(fact, name) == gold[name], name
    assert fact.value.scaleb(fact.scale) == Decimal(gold["value"]).scaleb(int(gold["scale"]))
    wanted, found = set((gold["status"] or "").split()), set(fact.status.split())
    assert wanted & EXACT_MARKS == found & EXACT_MARKS
    assert wanted & NEEDED_MARKS <= found


def test_every_unit_says_where_it_was_read(facts: Facts) -> None:
    """A unit without evidence would be a guess."""
    assert facts
    for fact in facts.values():
        assert (fact.unit == "unknown" and not fact.scale) or fact.unit_evidence, fact.source_locator
