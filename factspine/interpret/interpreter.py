"""One raw table, interpreted: labels, facts, ledger and findings. This is the whole walk from cells to facts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from factspine.core.facts import FactBlock, LedgerEntry
from factspine.core.findings import Finding
from factspine.core.labelled import LabelledTable
from factspine.core.tables import RawTable
from factspine.interpret.facts import FactBuilder
from factspine.interpret.headers import label_table
from factspine.interpret.ledger import Ledger
from factspine.interpret.surroundings import read_surroundings
from factspine.interpret.totals import check_totals
from factspine.lexicon.vocabulary import Vocabulary

# Part of every fact's mapping version: raised whenever the same table would give other facts.
VERSION = "map/7"


@dataclass(frozen=True, slots=True, kw_only=True)
class Interpretation:
    """What one table says."""

    labelled: LabelledTable
    block: FactBlock
    ledger: tuple[LedgerEntry, ...]
    findings: tuple[Finding, ...]
    numeric_cells: int  # facts, excluded and unmapped cells together: each number of the table is one of these


def interpret_table(raw: RawTable, vocabulary: Vocabulary) -> Interpretation:
    """Label the table, read its surroundings, build its facts, foot its totals."""
    labelled = label_table(raw)
    builder = FactBuilder(labelled, vocabulary, read_surroundings(labelled, vocabulary))
    block = builder.build()
    ledger = builder.ledger
    findings = check_totals(labelled, block)
    findings.extend(_of_unmapped(ledger, raw.locator))
    if builder.unit_clashes:
        findings.append(
            Finding.of(
                "FS304",
                "Two statements of the unit contradict each other; the unit of these facts is unknown.",
                locator=raw.locator,
                remedy="State one unit for each number.",
            )
        )
    return Interpretation(
        labelled=labelled,
        block=block,
        ledger=ledger.entries(),
        findings=tuple(findings),
        numeric_cells=block.count + ledger.count("excluded") + ledger.count("unmapped"),
    )


def _of_unmapped(ledger: Ledger, locator: str) -> Iterator[Finding]:
    """What is said of the numbers of a table that nobody can know by anything: how many, why, and what helps."""
    unsettled, several = ledger.count("unmapped", "notation"), ledger.count("unmapped", "several_numbers")
    told = (
        (
            "FS305",
            unsettled,
            "texts are other numbers with a decimal comma than with a decimal point.",
            "Write the numbers of the table in one notation, or store them as numbers.",
        ),
        (
            "FS302",
            several,
            "cells hold several numbers each, and nothing says which of them is meant.",
            "Give each number a cell of its own.",
        ),
        (
            "FS302",
            ledger.count("unmapped") - unsettled - several,
            "numeric cells have no label to be known by.",
            "Give the table a header row or a label column.",
        ),
    )
    for code, count, message, remedy in told:
        if count:
            yield Finding.of(code, f"{count:,} {message}", locator=locator, remedy=remedy)
