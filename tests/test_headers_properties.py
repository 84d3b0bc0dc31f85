"""What holds for every grid, however odd."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from factspine.core.labelled import LabelledTable
from factspine.core.tables import CellStyle, RawCell, RawTable
from factspine.interpret.headers import label_table

CONTENT = st.one_of(
    st.none(),
    st.sampled_from(
        ["Total", "合计", "序号", "单位：万元", "2024", "—", "n.a.", "10-20", "0731", "12%", "  Cash", "注：x"]
    ),
    st.integers(-5000, 5000),
    st.text(max_size=6),
)


@st.composite
def grids(draw: st.DrawFn) -> RawTable:
    rows, cols = draw(st.integers(0, 9)), draw(st.integers(1, 7))
    top, left = draw(st.integers(1, 4)), draw(st.integers(1, 4))
    cells, spans = [], {}
    for r in range(top, top + rows):
        for c in range(left, left + cols):
            content = draw(CONTENT)
            if content is None or content == "":
                continue
            style = CellStyle(bold=draw(st.booleans()), indent=draw(st.integers(0, 2)))
            is_number = isinstance(content, int)
            cells.append(
                RawCell(r, c, str(content), "n" if is_number else "s", str(content) if is_number else None, style)
            )
            if draw(st.integers(0, 12)) == 0:
                spans[(r, c)] = (draw(st.integers(1, 3)), draw(st.integers(1, 3)))
    return RawTable(locator="sheet=S,table=1", top=top, left=left, n_rows=rows, n_cols=cols, cells=cells, spans=spans)


def blocks_of(labelled: LabelledTable, cell: RawCell) -> int:
    return sum(
        b.first_row <= cell.row <= b.last_row and b.first_col <= cell.col <= b.last_col and cell.row in b.row_paths
        for b in labelled.blocks
    )


@settings(max_examples=400, deadline=None)
@given(grids())
def test_every_cell_has_a_role_and_every_value_lies_in_one_block(raw: RawTable) -> None:
    """No grid makes labelling fail, lose a cell or claim a value twice."""
    labelled = label_table(raw)
    assert len(labelled.roles) == len(raw.cells)
    assert set(labelled.roles) <= {"header", "label", "value", "note"}
    for cell, role in zip(raw.cells, labelled.roles, strict=True):
        if role == "value":
            assert blocks_of(labelled, cell) == 1, (cell, labelled.blocks)


@settings(max_examples=100, deadline=None)
@given(grids())
def test_the_same_grid_gives_the_same_labels(raw: RawTable) -> None:
    assert label_table(raw) == label_table(raw)


def test_a_long_list_is_labelled_like_a_short_one() -> None:
    """Rows that are not looked at one by one still get their roles, sections and names."""
    cells = [RawCell(1, 1, "Name"), RawCell(1, 2, "City"), RawCell(1, 3, "Sales")]
    for r in range(2, 5002):
        if r % 1000 == 0:
            cells.append(RawCell(r, 1, f"Part {r // 1000}"))
            continue
        cells += [RawCell(r, 1, f"n{r}"), RawCell(r, 2, "Paris"), RawCell(r, 3, str(r), "n", str(r))]
    labelled = label_table(RawTable(locator="sheet=S,table=1", n_rows=5001, n_cols=3, cells=cells))
    assert labelled.roles.count("value") == 4995
    block = labelled.blocks[0]
    assert [label.text for label in block.row_paths[3456]] == ["Part 3", "n3456", "Paris"]
    assert [label.text for label in block.col_paths[3]] == ["Sales"]
    assert len(block.row_paths) == 4995
