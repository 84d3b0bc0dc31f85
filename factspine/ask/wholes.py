"""Which rows of a table add up to which: the parts of net sales are net sales, of each product.

A table of revenue by product often says `revenue` only in its last row. That the rows above are revenue, too, is proved
by their sum: a row that equals the sum of the rows before it is their whole, column by column, and stands for them from
then on, so that subtotals are parts of the total below them.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from decimal import Decimal, InvalidOperation

from factspine.store.table_heads import CellFact

Place = tuple[int, int]
_PARTS_LEAST = 2
_PARTS_MOST = 60
_ROWS_MOST = 2_000
_TELLING_ALONE = 1_000
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


def summed_rows(cells: Iterable[CellFact]) -> frozenset[int]:
    """The rows that are sums of the rows before or behind them in every column; what is highest is none of these.

    Small numbers add up by chance: one column alone proves it for amounts of four digits only.
    """
    columns: dict[int, list[tuple[int, Decimal]]] = defaultdict(list)
    for cell in cells:
        value = _number(cell.value)
        if value and cell.unit not in _RATES:
            columns[cell.col].append((cell.row, value))
    full = [sorted(entries) for entries in columns.values() if _PARTS_LEAST < len(entries) <= _ROWS_MOST]
    told = Counter(row for entries in full for row, _ in entries)
    large = {row for entries in full for row, value in entries if abs(value) >= _TELLING_ALONE}
    found: set[int] = set()
    for ordered in (full, [entries[::-1] for entries in full]):
        summed = Counter(row for entries in ordered for row in set(_add_up(entries).values()))
        found |= {row for row, times in summed.items() if times == told[row] and (times > 1 or row in large)}
    return frozenset(found)


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
