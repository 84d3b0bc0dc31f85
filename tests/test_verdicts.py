"""Facts that speak of the same thing: what their difference is, and which of them comes first, by declared rules."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from factspine.core.facts import Fact
from factspine.core.verdicts import (
    DocumentStanding,
    agreements,
    compare,
    conflicts,
    deciding_rule,
    in_order,
    restatements,
    standings_of,
)


def fact(value: str, unit: str = "HKD", scale: int = 6, *, doc: str = "a.xlsx", **more: Any) -> Fact:
    decimals = len(value.partition(".")[2])
    more = {"unit_evidence": "sheet=A,cell=A1", "source_file_hash": doc, "decimals": decimals, **more}
    place = f"sheet=A,cell=B{abs(hash(value)) % 97 + 1}"
    return Fact("REVENUE", "ACME", "", "", "FY", "2024", Decimal(value), unit, doc, place, scale=scale, **more)


@pytest.mark.parametrize(
    ("first", "second", "verdict"),
    [
        (fact("1320"), fact("1320", doc="b.xlsx"), "same"),
        (fact("1320"), fact("1320000", scale=3, doc="b.xlsx"), "same"),
        (fact("1.3", scale=9), fact("1320", doc="b.xlsx"), "rounding"),
        (fact("12.8", scale=9), fact("12846.2", doc="b.xlsx"), "rounding"),
        (fact("12.7", scale=9), fact("12846.2", doc="b.xlsx"), "conflict"),
        (fact("1320"), fact("169", unit="USD", doc="b.xlsx"), "unit"),
        (fact("1320"), fact("1320", unit="unknown", scale=0, doc="b.xlsx", unit_evidence=""), "unit"),
        (fact("1320"), fact("1320000", scale=6, doc="b.xlsx", unit_evidence=""), "unit"),
        (fact("1320"), fact("1311", doc="b.xlsx", status="actual restated"), "restated"),
        (fact("1320"), fact("1311", source_file_hash="newer"), "changed"),
        (fact("1320"), fact("1311", source_file_hash="newer", status="actual restated"), "restated"),
        (fact("1320"), fact("1320", scale=5, mapping_version="newer"), "changed"),
        (fact("1320"), fact("1311", status="as_reported"), "conflict"),
        (fact("1320"), fact("1311", doc="b.xlsx"), "conflict"),
    ],
)
def test_verdict_over_two_facts(first, second, verdict):
    """The first explanation that holds, the same whichever fact is named first."""
    assert compare(first, second) == compare(second, first) == verdict


def test_a_superseded_revision_is_no_restatement():
    """What a document no longer says is neither restated by it nor in conflict with it."""
    said = [fact("1320"), fact("1311", source_file_hash="newer")]
    assert (restatements(said), conflicts(said)) == ([], [])
    assert [one.verdict for one in agreements(said)] == ["changed"]


def test_precedence_is_declared_rule_by_rule():
    """Explicit rank, restated, newer revision, later document, audited: each decides where those before it do not."""
    old, new = fact("1", source_file_hash="1"), fact("2", source_file_hash="2")
    a, b = fact("3", doc="a"), fact("4", doc="b")
    for first, second, standings, rule in (
        (b, a, {"b": DocumentStanding(rank=1)}, "explicit"),
        (fact("5", doc="b", status="actual restated"), a, {"a": DocumentStanding(reports_to="2030-12-31")}, "restated"),
        (new, old, {"a.xlsx": DocumentStanding(known_order={"1": 1, "2": 2})}, "revision"),
        (b, a, {"b": DocumentStanding(reports_to="2025-12-31")}, "later_document"),
        (b, a, {"a": DocumentStanding(audited=False), "b": DocumentStanding(audited=True)}, "audited"),
        (a, b, {}, None),
    ):
        assert in_order([second, first], standings)[0] == first
        assert deciding_rule(first, second, standings) == rule


def test_gathered_facts_tell_conflicts_from_restatements():
    """A budget contradicts no actual; a restatement is no conflict; hidden facts and those of no period count not."""
    said = [
        fact("1320"),
        fact("1311", doc="b.xlsx"),
        fact("1400", doc="c.xlsx", status="budget"),
        fact("1401", doc="d.xlsx", status="budget restated"),
        fact("9", doc="e.xlsx", status="actual hidden"),
    ]
    found = agreements(said, standings_of(said))
    assert sorted(one.verdict for one in found) == ["conflict", "restated"]
    assert [len(one.facts) for one in conflicts(said)] == [2]
    (restated,) = restatements(said)
    assert restated.facts[0].source_doc_id == "d.xlsx"
