"""What crosses from the process that reads a document to the one that writes the store: columns, bytes and digests.

Everything that costs time for each cell (encoding, hashing) is done here, where the document is read, so that several
documents are packed in parallel and the single writer only inserts.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from json.encoder import encode_basestring
from typing import Literal, NamedTuple

from factspine.core.facts import FactBlock, FactContext, LedgerEntry
from factspine.core.hashing import DIGEST_BYTES, merkle_root
from factspine.core.labelled import LabelledTable
from factspine.core.leaves import Lineage, fact_leaves, interpretation_leaf
from factspine.core.tablecodec import encode_table
from factspine.core.tables import Position, RawTable

_new = tuple.__new__  # a named tuple's own constructor takes twice as long


class HeaderPath(NamedTuple):
    """The labels that head one row or column, within the part of the table where they do."""

    axis: Literal["r", "c"]
    position: int  # the row, or the column
    cross_first: int  # for a row, the columns it heads; for a column, the rows
    cross_last: int
    path: str  # JSON list of labels, outermost first


class PackedLedger(NamedTuple):
    """A ledger entry with its cells as compact text."""

    disposition: Literal["excluded", "unmapped", "null"]
    reason: str
    cell_count: int
    cells: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PackedTable:
    """A raw table as it is stored."""

    locator: str
    kind: Literal["table", "chart"]
    title: str
    n_rows: int
    n_cols: int
    cell_count: int
    formula_count: int
    body: bytes
    leaf: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class PackedInterpretation:
    """What one table was taken to mean, without its facts: those follow in pieces of any size, in order."""

    fact_count: int
    numeric_cells: int
    header_rows: int
    header_cols: int
    contexts: tuple[FactContext, ...]
    headers: tuple[HeaderPath, ...]
    ledger: tuple[PackedLedger, ...]
    facts_root: bytes
    leaf: bytes
    fact_leaves: bytes  # DIGEST_BYTES each, in order


def pack_table(raw: RawTable) -> PackedTable:
    """A raw table as it is stored."""
    body, leaf = encode_table(raw)
    return PackedTable(
        locator=raw.locator,
        kind=raw.kind,
        title=raw.title,
        n_rows=raw.n_rows,
        n_cols=raw.n_cols,
        cell_count=len(raw.cells),
        formula_count=len(raw.formulas),
        body=body,
        leaf=leaf,
    )


def pack_interpretation(
    lineage: Lineage,
    table: PackedTable,
    *,
    labelled: LabelledTable,
    block: FactBlock,
    ledger: Sequence[LedgerEntry],
    numeric_cells: int,
) -> PackedInterpretation:
    """The interpretation of a table as it is stored, with the leaves of its facts."""
    leaves = fact_leaves(lineage, table.locator, block)
    headers = tuple(pack_headers(labelled))
    entries = tuple(pack_ledger(entry) for entry in ledger)
    root = merkle_root(leaves)
    return PackedInterpretation(
        fact_count=block.count,
        numeric_cells=numeric_cells,
        header_rows=labelled.header_rows,
        header_cols=labelled.header_cols,
        contexts=block.contexts,
        headers=headers,
        ledger=entries,
        facts_root=root,
        leaf=interpretation_leaf(
            table.locator,
            table.leaf,
            root,
            (block.count, numeric_cells, labelled.header_rows, labelled.header_cols),
            headers,
            entries,
        ),
        fact_leaves=b"".join(leaves),
    )


def pack_headers(labelled: LabelledTable) -> Iterable[HeaderPath]:
    """Every row and column of every block with its labels; blocks that repeat one another count once."""
    seen: dict[tuple[str, int, int], HeaderPath] = {}
    for block in labelled.blocks:
        axes: tuple[tuple[Literal["r", "c"], int, int], ...] = (
            ("r", block.first_col, block.last_col),
            ("c", block.first_row, block.last_row),
        )
        for axis, first, last in axes:
            paths = block.row_paths if axis == "r" else block.col_paths
            for position, path in paths.items():
                if path and (axis, position, first) not in seen:
                    # What `json.dumps` makes of the list of labels, in a quarter of its time.
                    text = f"[{', '.join([encode_basestring(label[0]) for label in path])}]"
                    seen[axis, position, first] = _new(HeaderPath, (axis, position, first, last, text))
    return sorted(seen.values())


def pack_ledger(entry: LedgerEntry) -> PackedLedger:
    """A ledger entry with its cells as compact text."""
    return PackedLedger(entry.disposition, entry.reason, len(entry.cells), pack_cells(entry.cells))


def pack_cells(cells: Iterable[Position]) -> str:
    """Cells as runs within a row, `row:first-last`, joined by spaces: `3:2-5 4:2`."""
    runs: list[str] = []
    row = first = last = 0
    for next_row, col in sorted(set(cells)):
        if next_row == row and col == last + 1:
            last = col
            continue
        if row:
            runs.append(_run(row, first, last))
        row, first, last = next_row, col, col
    if row:
        runs.append(_run(row, first, last))
    return " ".join(runs)


def unpack_cells(text: str) -> tuple[Position, ...]:
    """The cells a compact text names, row by row."""
    cells: list[Position] = []
    for run in text.split():
        row, _, columns = run.partition(":")
        first, _, last = columns.partition("-")
        cells.extend((int(row), col) for col in range(int(first), int(last or first) + 1))
    return tuple(cells)


def split_leaves(leaves: bytes) -> list[bytes]:
    """Leaves that were joined, one by one."""
    return [leaves[start : start + DIGEST_BYTES] for start in range(0, len(leaves), DIGEST_BYTES)]


def _run(row: int, first: int, last: int) -> str:
    return f"{row}:{first}" if first == last else f"{row}:{first}-{last}"
