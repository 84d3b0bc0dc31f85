"""Long lists: a hundred thousand rows must mean what ten rows mean, and be stored as they are."""

from __future__ import annotations

from itertools import repeat
from pathlib import Path

import pytest
from header_tables import table
from store_samples import NOON, lineage_of, sample_block, sample_labels, sample_table

from factspine import FactStore
from factspine.core.packed import pack_interpretation, pack_table
from factspine.core.tables import RawTable
from factspine.interpret.interpreter import Interpretation, interpret_table
from factspine.lexicon.vocabulary import Vocabulary

_ROWS = 2_500


def _long_list(hidden_rows: frozenset[int] = frozenset()) -> Interpretation:
    rows = "\n".join(f"Customer {n} | Region {n % 7} | {n}.5 | {n * 2}.25" for n in range(1, _ROWS + 1))
    raw = table(f"Customer | Area | Weight | Height\n{rows}")
    fields = {name: getattr(raw, name) for name in ("locator", "n_rows", "n_cols", "cells", "spans")}
    return interpret_table(RawTable(**fields, hidden_rows=hidden_rows), Vocabulary.load(None))


def test_each_row_of_a_long_list_is_a_record() -> None:
    """Nobody writes a statement of thousands of lines: the column is what is measured, the row is who."""
    facts = _long_list().block.columns
    assert len(facts["value"]) == 2 * _ROWS
    assert set(facts["metric_label"]) == {"Weight", "Height"}
    assert facts["entity"][-1] == f"Customer {_ROWS}"
    assert facts["value"][-2:] == [f"{_ROWS}.5", f"{_ROWS * 2}.25"]


def test_a_long_list_may_count_its_rows_without_saying_so() -> None:
    """A first column without a head that counts 0, 1, 2 … numbers thousands of rows as it does ten."""
    rows = "\n".join(f"{n} | Site {n} | {n}.5 | {n}.25" for n in range(_ROWS))
    facts = interpret_table(table(f" | Site | 2023 | 2024\n{rows}"), Vocabulary.load(None)).block.columns
    assert len(facts["value"]) == 2 * _ROWS
    assert set(facts["period"]) == {"2023", "2024"}
    assert f"Site {_ROWS - 1}" in facts["metric_label"]


def test_a_hidden_row_of_a_long_list_is_hidden_alone() -> None:
    """Rows that say the same share what is worked out for them, but not whether they are hidden."""
    meaning = _long_list(hidden_rows=frozenset({5}))
    status = {
        row: meaning.block.contexts[context].status
        for row, context in zip(meaning.block.columns["row_no"], meaning.block.columns["context_no"], strict=True)
    }
    assert [row for row, marks in status.items() if "hidden" in marks.split()] == [5]


@pytest.mark.parametrize("shared", ["it's", "''; DROP TABLE fact_metric; --", "千元", "a\nb", '"quoted"'])
def test_what_all_facts_share_is_stored_as_it_is(tmp_path: Path, shared: str) -> None:
    """A value that many facts have in common is written once for all of them, whatever characters it holds."""
    values = [str(number) for number in range(600)]
    raw, block, lineage = sample_table(values), sample_block(values), lineage_of("list.xlsx")
    packed_table = pack_table(raw)
    packed = pack_interpretation(
        lineage, packed_table, labelled=sample_labels(raw), block=block, ledger=[], numeric_cells=block.count
    )
    columns = dict(block.columns)
    columns |= {"entity": repeat(shared), "decimals": repeat(3), "context_no": repeat(0)}  # type: ignore[dict-item]
    with FactStore(tmp_path / "facts.db") as store:
        store.init_schema()
        with store.begin_run(started_at=NOON) as run:
            with run.reading(lineage, media_type="xlsx", size_bytes=1) as reading:
                table_no = reading.add_table(packed_table)
                reading.add_interpretation(table_no, packed)
                reading.add_facts(table_no, block.count, columns)
            run.seal(NOON)
        facts = list(store.facts())
    assert [str(fact.value) for fact in facts] == values
    assert {fact.entity for fact in facts} == {shared}
    assert {fact.decimals for fact in facts} == {3}
