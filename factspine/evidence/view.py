"""A citation becomes the cell as a person sees it: the table around it, and whether it still reads the same.

The verdict comes from two independent looks at the bytes: the archived revision is hashed again, and the cell is read
again by the second reader of its format.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from factspine.core.errors import UsageError
from factspine.core.facts import Fact
from factspine.core.hashing import hash_file
from factspine.core.labelled import LabelledTable, Role
from factspine.core.locators import Locator, cell_position, parse
from factspine.core.tables import RawCell, RawTable
from factspine.core.values import canonical
from factspine.evidence.standing import Standing, standing_of
from factspine.ingestion.onefile import reread
from factspine.interpret.dimensions import tidy
from factspine.interpret.headers import label_table
from factspine.sources.vault import Vault
from factspine.store.store import FactStore

Verdict = Literal["match", "changed", "file changed", "missing"]
_ROWS_AROUND = 5
_COLUMNS_AROUND = 3
_HEADER_ROWS_SHOWN = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class CellView:
    """A fact with its surroundings: rows of (cell, role), blanks as None, the fact's own cell marked by position."""

    fact: Fact
    table: RawTable
    columns: tuple[int, ...]  # grid columns shown
    rows: tuple[tuple[int, tuple[tuple[RawCell | None, Role | None], ...]], ...]
    target: tuple[int, int]
    verdict: Verdict
    reread_text: str  # what the second reader found
    standing: Standing  # whether the fact still holds, and what does now


def view_fact(store: FactStore, fact: Fact) -> CellView:
    """The table around a fact in the revision it was read from, and whether the archive still says the same."""
    table = store.table_of(fact)
    if table is None:
        raise UsageError(
            f"{fact.source_locator} of {fact.source_doc_id} is in no table; `factspine search` finds text."
        )
    labelled = label_table(table)
    target = _position(labelled, parse(fact.source_locator))
    verdict, text = read_again(store, fact)
    rows = _rows_shown(labelled, target[0])
    columns = _columns_shown(labelled, target[1])
    cells = {(cell.row, cell.col): (cell, role) for cell, role in zip(table.cells, labelled.roles, strict=True)}
    shown = tuple((row, tuple(cells.get((row, col), (None, None)) for col in columns)) for row in rows)
    return CellView(
        fact=fact,
        table=table,
        columns=columns,
        rows=shown,
        target=target,
        verdict=verdict,
        reread_text=text,
        standing=standing_of(store, fact),
    )


def read_again(store: FactStore, fact: Fact) -> tuple[Verdict, str]:
    """Hash the archived bytes and read the cell once more with the independent reader."""
    if store.vault_path is None:
        raise UsageError("This store keeps no archive beside it, so its cells cannot be read again.")
    blob = Vault(store.vault_path).path_of(fact.source_file_hash)
    if not blob.is_file():
        return "missing", ""
    if hash_file(blob) != fact.source_file_hash:
        return "file changed", ""
    return compare(fact, *reread(blob, [fact.source_locator], name=Path(fact.source_doc_id).name)[0])


def compare(fact: Fact, text: str, value: str | None) -> tuple[Verdict, str]:
    """Whether what was read again is what the fact says."""
    if not text:
        return "missing", text
    same_value = value is None or value == canonical(fact.value) or text == fact.value_text
    return ("match" if text == fact.value_text and same_value else "changed"), text


def _position(labelled: LabelledTable, locator: Locator) -> tuple[int, int]:
    """The grid position a locator names: by its cell, or in a chart by series and category."""
    raw = labelled.raw
    cell = locator.get("cell")
    if cell is not None:
        row, col = cell_position(cell) or (0, 0)
        return (row, col) if raw.addressing == "a1" else (row + raw.top - 1, col + raw.left - 1)
    point = locator.number("point")
    for block in labelled.blocks:
        for row, row_path in block.row_paths.items():
            for col, col_path in block.col_paths.items():
                names = tidy(col_path[-1].text) if col_path else "", tidy(row_path[-1].text) if row_path else ""
                if names == (locator.get("series"), locator.get("cat")) and point in (None, row - raw.top):
                    return row, col
    raise UsageError(f"{locator} names no point of its chart.")


def _rows_shown(labelled: LabelledTable, target_row: int) -> tuple[int, ...]:
    rows = sorted({cell.row for cell in labelled.raw.cells})
    heads = {
        cell.row for cell, role in zip(labelled.raw.cells, labelled.roles, strict=True) if role in ("header", "note")
    }
    above = [row for row in rows if row < target_row]
    nearest_heads = [row for row in above if row in heads][-_HEADER_ROWS_SHOWN:]
    window = above[-_ROWS_AROUND:] + [row for row in rows if row >= target_row][: _ROWS_AROUND + 1]
    return tuple(sorted({*nearest_heads, *window}))


def _columns_shown(labelled: LabelledTable, target_col: int) -> tuple[int, ...]:
    columns = sorted({cell.col for cell in labelled.raw.cells})
    first_value = min((block.first_col for block in labelled.blocks), default=target_col)
    labels = [col for col in columns if col < first_value][:3]
    window = [col for col in columns if abs(columns.index(col) - columns.index(target_col)) <= _COLUMNS_AROUND]
    return tuple(sorted({*labels, *window}))
