"""Which rows of a table add up to which: the parts of net sales are net sales, of each product.

A table of revenue by product often says `revenue` only in its last row. That the rows above are revenue, too, is proved
by their sum: a row that equals the sum of the rows before it is their whole, column by column, and stands for them from
then on, so that subtotals are parts of the total below them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from decimal import Decimal, InvalidOperation

from factspine.store.table_heads import CellFact

Place = tuple[int, int]
_PARTS_LEAST = 2
_PARTS_MOST = 60
_ROWS_MOST = 2_000
_RATES = frozenset({"%", "‰", "bps"})  # percentages of a whole add up, too, but they are not what it is called


def wholes_of(cells: Iterable[CellFact]) -> Mapping[Place, tuple[int, ...]]:
    """For each cell the rows that it is a part of in its own column, the nearest first."""
    columns: dict[int, list[tuple[int, Decimal]]] = defaultdict(list)
    for cell in cells:
        value = _number(cell.value)
        if value is not None and cell.unit not in _RATES:  # statements give the currency in the first and last row only
            columns[cell.col].append((cell.row, value))
    found: dict[Place, tuple[int, ...]] = {}
    for col, entries in columns.items():
        if _PARTS_LEAST < len(entries) <= _ROWS_MOST:
            whole_of = _add_up(sorted(entries))
            for row in whole_of:
                chain = []
                above: int | None = row
                while above is not None and (above := whole_of.get(above)) is not None:
                    chain.append(above)
                found[row, col] = tuple(chain)
    return found


def _add_up(entries: list[tuple[int, Decimal]]) -> dict[int, int]:
    """The row each row is a direct part of."""
    whole_of: dict[int, int] = {}
    open_rows: list[tuple[int, Decimal]] = []  # not part of anything yet
    for row, value in entries:
        count = _parts(open_rows, value)
        if count:
            whole_of.update((part, row) for part, _ in open_rows[-count:])
            del open_rows[-count:]
        open_rows.append((row, value))
    return whole_of


def _parts(open_rows: list[tuple[int, Decimal]], value: Decimal) -> int:
    """How many of the last rows add up to a value; 0 where none do. Rows of nothing prove nothing."""
    total = Decimal(0)
    telling = 0
    for count, (_, part) in enumerate(reversed(open_rows[-_PARTS_MOST:]), start=1):
        total += part
        telling += part != 0
        if total == value and telling >= _PARTS_LEAST:
            return count
    return 0


def _number(text: str) -> Decimal | None:
    try:
        return Decimal(text) if text else None
    except InvalidOperation:
        return None
