"""Raw tables survive storage exactly."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from factspine.core.packed import pack_cells, unpack_cells
from factspine.core.tablecodec import decode_table, encode_table, stored_formulas, table_digest
from factspine.core.tables import CellStyle, ContextText, Place, RawCell, RawTable

texts = st.text(max_size=8) | st.sampled_from(["\x1e", "a\x1eb", "", "\n", "营业收入", "1,234"])
positions = st.tuples(st.integers(1, 1_048_576), st.integers(1, 16_384))
styles = st.builds(CellStyle, number_format=texts, bold=st.booleans(), indent=st.integers(0, 9))
cells = st.builds(
    RawCell,
    row=st.integers(1, 1_048_576),
    col=st.integers(1, 16_384),
    text=texts,
    kind=st.sampled_from("nsdbe"),
    value=st.none() | texts,
    style=styles,
)
boxes = st.tuples(*[st.floats(0, 5000, allow_nan=False)] * 4)
tables = st.builds(
    RawTable,
    locator=st.just("slide=2,table=1"),
    kind=st.sampled_from(["table", "chart"]),
    title=texts,
    top=st.integers(1, 9),
    n_rows=st.integers(0, 9),
    n_cols=st.integers(0, 9),
    cells=st.lists(cells, max_size=6),
    spans=st.dictionaries(positions, positions, max_size=3),
    formulas=st.dictionaries(positions, texts, max_size=3),
    uncached=st.frozensets(positions, max_size=3),
    hidden=st.booleans(),
    hidden_rows=st.frozensets(st.integers(1, 99), max_size=3),
    header_rows=st.none() | st.integers(0, 3),
    bbox=st.none() | boxes,
    boxes=st.dictionaries(positions, boxes, max_size=2),
    places=st.lists(st.builds(Place, first_row=st.integers(1, 9), locator=texts), max_size=2).map(tuple),
    context=st.lists(st.builds(ContextText, role=st.just("caption"), text=texts, locator=texts), max_size=2).map(tuple),
    addressing=st.sampled_from(["a1", "rc", "chart"]),
)


@given(tables)
def test_a_stored_table_reads_back_exactly(table: RawTable) -> None:
    """Cells, styles, spans, formulas, boxes, places and context come back as they were."""
    body, digest = encode_table(table)
    back = decode_table(body)
    assert back == table
    assert all(type(cell) is RawCell and type(cell.style) is CellStyle for cell in back.cells)
    assert stored_formulas(body) == table.formulas
    assert table_digest(body) == digest


@given(st.sets(st.tuples(st.integers(1, 20), st.integers(1, 20))))
def test_ledger_cells_read_back(cells: set[tuple[int, int]]) -> None:
    """The compact text of a set of cells names exactly those cells."""
    assert unpack_cells(pack_cells(cells)) == tuple(sorted(cells))
