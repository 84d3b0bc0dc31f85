"""One raw table, interpreted: labels, facts, ledger and findings. This is the whole walk from cells to facts."""

from __future__ import annotations

from dataclasses import dataclass

from factspine.core.facts import FactBlock, LedgerEntry
from factspine.core.findings import Finding
from factspine.core.labelled import LabelledTable
from factspine.core.tables import RawTable
from factspine.interpret.facts import FactBuilder
from factspine.interpret.headers import label_table
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
    unmapped, unsettled = ledger.count("unmapped"), ledger.count("unmapped", "notation")
    if unsettled:
        findings.append(
            Finding.of(
                "FS305",
                f"{unsettled:,} texts are other numbers with a decimal comma than with a decimal point.",
                locator=raw.locator,
                remedy="Write the numbers of the table in one notation, or store them as numbers.",
            )
        )
    if unmapped > unsettled:
        findings.append(
            Finding.of(
                "FS302",
                f"{unmapped - unsettled:,} numeric cells have no label to be known by.",
                locator=raw.locator,
                remedy="Give the table a header row or a label column.",
            )
        )
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
        numeric_cells=block.count + ledger.count("excluded") + unmapped,
    )
