"""A citation becomes the cell as a person sees it: the table around it, and whether it still reads the same.

The verdict comes from two independent looks at the bytes: the archived revision is hashed again, and the cell is read
again by the second reader of its format.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple

from factspine.core.answers import fact_record
from factspine.core.errors import UsageError
from factspine.core.facts import Fact
from factspine.core.hashing import hash_file
from factspine.core.labelled import Label, LabelledTable, Role
from factspine.core.tables import Position, RawCell, RawTable
from factspine.core.values import canonical
from factspine.evidence.standing import Standing, standing_of
from factspine.ingestion.onefile import reread
from factspine.interpret.headers import label_table
from factspine.sources.vault import Vault
from factspine.store.store import FactStore

Verdict = Literal["match", "changed", "file changed", "missing"]
_HEADER_ROWS_SHOWN = 6


class Window(NamedTuple):
    """How much of a table is shown on each side of a cell."""

    rows: int
    columns: int


TERMINAL = Window(rows=5, columns=3)
PAGE = Window(rows=12, columns=12)


@dataclass(frozen=True, slots=True, kw_only=True)
class CellView:
    """A fact with its surroundings: rows of (cell, role), blanks as None, the fact's own cell marked by position."""

    fact: Fact
    table: RawTable
    columns: tuple[int, ...]  # grid columns shown
    rows: tuple[tuple[int, tuple[tuple[RawCell | None, Role | None], ...]], ...]
    target: Position
    named_by: tuple[tuple[Label, ...], tuple[Label, ...]]  # the labels of its row and of its column, outermost first
    verdict: Verdict
    reread_text: str  # what the second reader found
    standing: Standing  # whether the fact still holds, and what does now

    def as_dict(self) -> dict[str, Any]:
        """What became of the fact, for JSON."""
        now = self.standing.now
        return {
            "verdict": self.verdict,
            "reread_text": self.reread_text,
            "state": self.standing.state,
            "now": None if now is None else fact_record(now),
            "fact": fact_record(self.fact),
        }


def view_fact(
    store: FactStore, fact: Fact, window: Window = TERMINAL, reading: tuple[Verdict, str] | None = None
) -> CellView:
    """The table around a fact in the revision it was read from, and whether the archive still says the same.

    `reading` is what `read_again` says of it, where that is known already.
    """
    found = store.cell_of(fact)
    if found is None:
        raise UsageError(
            f"{fact.source_locator} of {fact.source_doc_id} is in no table; `factspine search` finds text."
        )
    table, target = found
    labelled = label_table(table)
    verdict, text = reading or read_again(store, [fact])[fact.fact_id]
    rows = _rows_shown(labelled, target[0], window.rows)
    columns = _columns_shown(labelled, target[1], window.columns)
    cells = {(cell.row, cell.col): (cell, role) for cell, role in zip(table.cells, labelled.roles, strict=True)}
    shown = tuple((row, tuple(cells.get((row, col), (None, None)) for col in columns)) for row in rows)
    return CellView(
        fact=fact,
        table=table,
        columns=columns,
        rows=shown,
        target=target,
        named_by=_names(labelled, target),
        verdict=verdict,
        reread_text=text,
        standing=standing_of(store, fact),
    )


def read_again(store: FactStore, facts: Sequence[Fact]) -> dict[str, tuple[Verdict, str]]:
    """Hash the archived bytes and read the cells once more with the independent reader; each file once, by fact id."""
    if store.vault_path is None:
        raise UsageError("This store keeps no archive beside it, so its cells cannot be read again.")
    by_file: dict[tuple[str, str], list[Fact]] = {}
    for fact in facts:
        by_file.setdefault((fact.source_file_hash, Path(fact.source_doc_id).name), []).append(fact)
    found: dict[str, tuple[Verdict, str]] = {}
    for (file_hash, name), group in by_file.items():
        blob = Vault(store.vault_path).path_of(file_hash)
        if not blob.is_file():
            found |= {fact.fact_id: ("missing", "") for fact in group}
        elif hash_file(blob) != file_hash:
            found |= {fact.fact_id: ("file changed", "") for fact in group}
        else:
            texts = reread(blob, [fact.source_locator for fact in group], name=name)
            found |= {fact.fact_id: compare(fact, *text) for fact, text in zip(group, texts, strict=True)}
    return found


def compare(fact: Fact, text: str, value: str | None) -> tuple[Verdict, str]:
    """Whether what was read again is what the fact says."""
    if not text:
        return "missing", text
    same_value = value is None or value == canonical(fact.value) or text == fact.value_text
    return ("match" if text == fact.value_text and same_value else "changed"), text


def _names(labelled: LabelledTable, target: Position) -> tuple[tuple[Label, ...], tuple[Label, ...]]:
    row, col = target
    for block in labelled.blocks:
        if block.first_row <= row <= block.last_row and block.first_col <= col <= block.last_col:
            return block.row_paths.get(row, ()), block.col_paths.get(col, ())
    return (), ()


def _rows_shown(labelled: LabelledTable, target_row: int, around: int) -> tuple[int, ...]:
    rows = sorted({cell.row for cell in labelled.raw.cells})
    heads = {
        cell.row for cell, role in zip(labelled.raw.cells, labelled.roles, strict=True) if role in ("header", "note")
    }
    above = [row for row in rows if row < target_row]
    nearest_heads = [row for row in above if row in heads][-_HEADER_ROWS_SHOWN:]
    window = above[-around:] + [row for row in rows if row >= target_row][: around + 1]
    return tuple(sorted({*nearest_heads, *window}))


def _columns_shown(labelled: LabelledTable, target_col: int, around: int) -> tuple[int, ...]:
    columns = sorted({cell.col for cell in labelled.raw.cells})
    first_value = min((block.first_col for block in labelled.blocks), default=target_col)
    labels = [col for col in columns if col < first_value][:3]
    window = [col for col in columns if abs(columns.index(col) - columns.index(target_col)) <= around]
    return tuple(sorted({*labels, *window}))
