"""Tables that go on on the next page: one table with its header once, each part with its own place."""

from __future__ import annotations

from bisect import bisect_left

from factspine.core.tables import RawTable
from factspine.extract.pdf.assemble import Part, page_of, raw_table
from factspine.extract.pdf.shapes import Cell, Found

_ALIGNED = 7.0
_ROWS_MAX = 200_000


class OpenTable:
    """A table that reaches the foot of its page and may go on."""

    def __init__(self, part: Part) -> None:
        self.parts = [part]
        self.rows_before = [0]
        self._rows = part.found.n_rows

    @property
    def page(self) -> int:
        """The page it has come to."""
        return page_of(self.parts[-1].locator)

    def told_again(self, text: str, part: Part) -> bool:
        """Whether a text over a table stood over this one, too, and the header of this one stands below it again."""
        first = self.parts[0]
        said = {told.text for told in first.context if told.role in ("caption", "unit_note")}
        return text in said and _row_texts(first.found.cells).get(0) == _row_texts(part.found.cells).get(0)

    def take(self, part: Part) -> bool:
        """Add the table at the head of the next page, if it goes on with this one."""
        if self._rows > _ROWS_MAX or not _fits(self.parts[0].found, part.found):
            return False
        _drop_repeated_header(self.parts[0].found, part.found)
        if not part.found.cells:
            return True
        _share_columns([p.found for p in self.parts], part.found)
        self.parts.append(part)
        self.rows_before.append(self._rows)
        self._rows += part.found.n_rows
        return True

    def finish(self) -> RawTable:
        """The whole table."""
        return raw_table(self.parts, self.rows_before)


def _fits(upper: Found, lower: Found) -> bool:
    if upper.ruled != lower.ruled:
        return False
    if abs(upper.box[0] - lower.box[0]) > 14 or abs(upper.box[2] - lower.box[2]) > 14:
        return False
    if not upper.ruled:
        return upper.n_cols == lower.n_cols and _share(_rights(upper), _rights(lower)) >= 0.7
    return _share(lower.col_lefts, upper.col_edges) >= 0.99 and _share(upper.col_lefts, lower.col_edges) >= 0.6


def _share(values: list[float], others: list[float]) -> float:
    if not values:
        return 0.0
    return sum(1 for v in values if any(abs(v - o) <= _ALIGNED for o in others)) / len(values)


def _rights(table: Found) -> list[float]:
    rights: dict[int, float] = {}
    for cell in table.cells:
        if cell.colspan == 1:
            rights[cell.col] = max(cell.box[2], rights.get(cell.col, 0.0))
    return [rights[c] for c in sorted(rights) if c > 0]


def _drop_repeated_header(upper: Found, lower: Found) -> None:
    """Rows at the head of the second part that repeat the first rows of the first part are not data."""
    first, second = _row_texts(upper.cells), _row_texts(lower.cells)
    repeated = 0
    while repeated < min(len(first), len(second), 6) and second.get(repeated) == first.get(repeated):
        repeated += 1
    if not repeated:
        return
    kept = [c for c in lower.cells if c.row >= repeated]
    for cell in kept:
        cell.row -= repeated
    lower.cells = kept
    lower.n_rows = max((c.row + c.rowspan for c in kept), default=0)


def _row_texts(cells: list[Cell]) -> dict[int, tuple[str, ...]]:
    rows: dict[int, list[str]] = {}
    for cell in cells:
        rows.setdefault(cell.row, []).append(cell.text)
    return {row: tuple(texts) for row, texts in rows.items()}


def _share_columns(uppers: list[Found], lower: Found) -> None:
    """Number the columns of all parts alike: a column may be empty on one page and filled on the next."""
    if not lower.ruled:
        return
    lefts = list(uppers[0].col_lefts)
    for left in lower.col_lefts:
        if not any(abs(left - known) <= _ALIGNED for known in lefts):
            lefts.append(left)
    lefts.sort()
    for table in [*uppers, lower]:
        if table.col_lefts == lefts:
            continue
        number = [min(range(len(lefts)), key=lambda i, x=left: abs(lefts[i] - x)) for left in table.col_lefts]  # type: ignore[misc]
        for cell in table.cells:
            end = cell.col + cell.colspan
            cell.col, last = number[cell.col], number[end] if end < len(number) else bisect_left(lefts, table.box[2])
            cell.colspan = max(1, last - cell.col)
        table.col_lefts = lefts
        table.n_cols = len(lefts)
