"""The completeness ledger: every cell that holds a number is a fact, excluded for a stated reason, or unmapped."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import compress

from factspine.core.facts import LedgerEntry
from factspine.core.labelled import Role
from factspine.core.tables import CellColumns, Position
from factspine.interpret.notation import with_points
from factspine.lexicon.numbers import numeric_texts
from factspine.lexicon.periods import is_period_label


class Ledger:
    """Collects the cells of one table that did not become facts."""

    def __init__(self) -> None:
        self._cells: dict[tuple[str, str], list[Position]] = {}

    def add(self, disposition: str, reason: str, place: Position) -> None:
        """Enter one cell."""
        self._cells.setdefault((disposition, reason), []).append(place)

    def add_labels(
        self, roles: Sequence[Role], cells: CellColumns, but: Collection[Position] = (), *, decimal_comma: bool = False
    ) -> None:
        """Enter the headings, labels and notes that are numbers; `roles` and `cells` are those of the whole table."""
        for at in _numeric_labels(roles, cells, decimal_comma=decimal_comma):
            if (cells.rows[at], cells.cols[at]) in but:
                continue
            text, kind = cells.texts[at], cells.kinds[at]
            reason = "date" if kind == "d" else _label_reason(roles[at], text, cells.values[at])
            self.add("excluded", reason, (cells.rows[at], cells.cols[at]))

    def count(self, disposition: str, reason: str = "") -> int:
        """How many cells have been entered so."""
        said = (disposition, reason)
        return sum(
            len(cells) for key, cells in self._cells.items() if key == said or (key[0] == said[0] and not reason)
        )

    def entries(self) -> tuple[LedgerEntry, ...]:
        """The ledger, in a fixed order."""
        return tuple(
            LedgerEntry(disposition=disposition, reason=reason, cells=tuple(sorted(cells)))  # type: ignore[arg-type]
            for (disposition, reason), cells in sorted(self._cells.items())
        )


def _numeric_labels(roles: Sequence[Role], cells: CellColumns, *, decimal_comma: bool) -> Iterable[int]:
    """The places of cells that are no data and yet numbers. Labels repeat, so each text is read once."""
    places = list(compress(range(len(roles)), map("value".__ne__, roles)))
    texts = {cells.texts[at] for at in places if cells.kinds[at] not in ("d", "n")}
    numeric = {text for text in texts if numeric_texts((with_points(text),))} if decimal_comma else numeric_texts(texts)
    return [at for at in places if cells.kinds[at] in ("d", "n") or cells.texts[at] in numeric]


def _label_reason(role: Role, text: str, value: str | None) -> str:
    if role == "note":
        return "in_note"
    if is_period_label(text):
        return "year_header"
    if role == "label" and (value or text).strip().isdigit():
        return "row_number"
    return "heading"
