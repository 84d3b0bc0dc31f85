"""The completeness ledger: every cell that holds a number is a fact, excluded for a stated reason, or unmapped."""

from __future__ import annotations

from factspine.core.facts import LedgerEntry
from factspine.core.labelled import Role
from factspine.core.tables import RawCell
from factspine.lexicon.numbers import looks_numeric, read_number
from factspine.lexicon.periods import is_period_label


class Ledger:
    """Collects the cells of one table that did not become facts."""

    def __init__(self) -> None:
        self._cells: dict[tuple[str, str], list[tuple[int, int]]] = {}

    def add(self, disposition: str, reason: str, cell: RawCell) -> None:
        """Enter one cell."""
        self._cells.setdefault((disposition, reason), []).append((cell.row, cell.col))

    def add_label(self, role: Role, cell: RawCell) -> None:
        """Enter a heading, label or note if it is a number."""
        if cell.kind == "d":
            self.add("excluded", "date", cell)
        elif cell.kind == "n" or (looks_numeric(cell.text) and read_number(cell.text) is not None):
            self.add("excluded", _label_reason(role, cell), cell)

    def count(self, disposition: str) -> int:
        """How many cells have been entered so."""
        return sum(len(cells) for (kind, _), cells in self._cells.items() if kind == disposition)

    def entries(self) -> tuple[LedgerEntry, ...]:
        """The ledger, in a fixed order."""
        return tuple(
            LedgerEntry(disposition=disposition, reason=reason, cells=tuple(cells))  # type: ignore[arg-type]
            for (disposition, reason), cells in sorted(self._cells.items())
        )


def _label_reason(role: Role, cell: RawCell) -> str:
    if role == "note":
        return "in_note"
    if is_period_label(cell.text):
        return "year_header"
    if role == "label" and (cell.value or cell.text).strip().isdigit():
        return "row_number"
    return "heading"
