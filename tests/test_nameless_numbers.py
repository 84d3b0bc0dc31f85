"""Numbers whose labels name nothing: they are accounted for, and never a fact without a metric."""

from __future__ import annotations

from header_tables import table

from factspine.interpret.interpreter import interpret_table
from factspine.lexicon.vocabulary import Vocabulary


def test_a_label_of_signs_alone_names_no_metric() -> None:
    """A row headed by nothing but a sign is unmapped, with its number in the ledger."""
    meaning = interpret_table(table("Item | FY2024 | FY2023\nRevenue | 120 | 110\n$ | 15 | 14"), Vocabulary.load(None))
    assert all(meaning.block.columns["metric_code"])
    facts = set(zip(meaning.block.columns["row_no"], meaning.block.columns["col_no"], strict=True))
    known = facts | {cell for entry in meaning.ledger for cell in entry.cells}
    assert {(2, 2), (2, 3), (3, 2), (3, 3)} <= known
