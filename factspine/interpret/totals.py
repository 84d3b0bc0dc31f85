"""Totals foot: total rows and SUM formulas are checked against what they add up, within shown precision.

A labelled total can add up the rows since the last total, all rows of its depth, or the subtotals above it; a table is
called wrong only when one of these misses by a little, because then it was clearly meant. A SUM formula says itself
what it adds up, so its cached value is checked outright.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import NamedTuple

from factspine.core.facts import FactBlock
from factspine.core.findings import Finding
from factspine.core.labelled import Block, LabelledTable
from factspine.core.locators import column_number
from factspine.core.places import cell_place
from factspine.core.tables import Position, RawTable
from factspine.interpret.dimensions import is_total

_SUM = re.compile(r"=?SUM\(\$?([A-Z]{1,3})\$?(\d{1,7}):\$?([A-Z]{1,3})\$?(\d{1,7})\)", re.IGNORECASE)
_CELLS_CHECKED = 20_000  # a list of a hundred thousand records has no total rows to foot
_SUM_CELLS_CHECKED = 100_000
_NEARLY = Decimal("0.01")
_DOUBLE_NOISE = Decimal("1e-9")
_new = tuple.__new__  # a named tuple's own constructor takes twice as long


class _Entry(NamedTuple):
    row: int
    value: Decimal
    decimals: int
    depth: int
    is_total: bool


def check_totals(labelled: LabelledTable, facts: FactBlock) -> list[Finding]:
    """Findings for totals that do not add up."""
    findings = list(_check_sum_formulas(labelled.raw))
    if facts.count > _CELLS_CHECKED:
        return findings
    depths: dict[Position, int] = {}
    reported = {finding.locator for finding in findings}
    for block in labelled.blocks:
        totals = {row for row, path in block.row_paths.items() if path and is_total(path[-1].text)}
        if not totals:
            continue
        depths = depths or {(cell.row, cell.col): cell.style.indent for cell in labelled.raw.cells}
        for column, entries in _columns(block, facts, totals, depths):
            for index, entry in enumerate(entries):
                missed = _missed_sum(entries, index) if entry.is_total else None
                if missed is None:
                    continue
                place = cell_place(labelled.raw, entry.row, column)
                if place not in reported:
                    findings.append(_finding(place, entry.value, missed))
    return findings


def _columns(
    block: Block, facts: FactBlock, totals: set[int], depths: dict[Position, int]
) -> Iterator[tuple[int, list[_Entry]]]:
    by_column: dict[int, list[_Entry]] = {}
    columns = facts.columns
    depth_of_row: dict[int, int] = {}
    for row, col, value, decimals, unit in zip(
        columns["row_no"], columns["col_no"], columns["value"], columns["decimals"], columns["unit"], strict=True
    ):
        # Shares of different bases do not add up, and need not.
        if unit == "%" or not (block.first_row <= row <= block.last_row and block.first_col <= col <= block.last_col):
            continue
        depth = depth_of_row.get(row)
        if depth is None:
            path = block.row_paths.get(row, ())
            depth = depth_of_row[row] = depths.get(path[-1][1:], 0) if path else 0
        by_column.setdefault(col, []).append(_new(_Entry, (row, Decimal(value), decimals, depth, row in totals)))
    yield from sorted(by_column.items())


def _missed_sum(entries: Sequence[_Entry], index: int) -> Decimal | None:
    """The sum a total nearly hits; None where it hits one, or none is near."""
    total = entries[index]
    if _adds_up_nearby(total, entries[:index][::-1]) or _adds_up_nearby(total, entries[index + 1 :]):
        return None
    near: Decimal | None = None
    for parts in _groups(entries, index):
        if len(parts) < 2:
            continue
        added = sum((part.value for part in parts), Decimal(0))
        if _equal_as_shown(total, added, len(parts), min(part.decimals for part in parts)):
            return None
        if total.value and abs(added - total.value) <= _NEARLY * abs(total.value):
            near = added
    return near


def _adds_up_nearby(total: _Entry, neighbours: Sequence[_Entry]) -> bool:
    """Whether some run of rows next to a total adds up to it, wherever its group may end."""
    added, decimals = Decimal(0), total.decimals
    for count, part in enumerate(neighbours, 1):
        added += part.value
        decimals = min(decimals, part.decimals)
        if count > 1 and _equal_as_shown(total, added, count, decimals):
            return True
    return False


def _equal_as_shown(total: _Entry, added: Decimal, count: int, decimals: int) -> bool:
    """Equal within the rounding that so many shown numbers allow."""
    return abs(added - total.value) <= Decimal(count + 1).scaleb(-min(decimals, total.decimals)) / 2


def _groups(entries: Sequence[_Entry], index: int) -> Iterator[list[_Entry]]:
    """The sets of rows a total may add up, above it and below it."""
    total, above, below = entries[index], list(entries[:index]), list(entries[index + 1 :])
    since_total = above[max((i + 1 for i, entry in enumerate(above) if entry.is_total), default=0) :]
    until_total = below[: next((i for i, entry in enumerate(below) if entry.is_total), len(below))]
    for group in (since_total, [entry for entry in above if not entry.is_total], until_total):
        yield group
        shallowest = min((entry.depth for entry in group), default=0)
        yield [entry for entry in group if entry.depth == shallowest]
    yield [entry for entry in above if entry.is_total]
    yield [entry for entry in above if entry.is_total] + since_total
    yield [entry for entry in above if entry.depth == total.depth + 1]


def _check_sum_formulas(raw: RawTable) -> Iterator[Finding]:
    sums = [(position, found) for position, text in raw.formulas.items() if (found := _SUM.fullmatch(text))]
    if not sums:
        return
    values = {(cell.row, cell.col): cell.value for cell in raw.cells if cell.kind == "n" and cell.value is not None}
    checked = 0
    for (row, col), found in sorted(sums):
        first_row, last_row = sorted((int(found[2]), int(found[4])))
        first_col, last_col = sorted((column_number(found[1].upper()), column_number(found[3].upper())))
        checked += (last_row - first_row + 1) * (last_col - first_col + 1)
        if checked > _SUM_CELLS_CHECKED:
            return
        stored = values.get((row, col))
        if stored is None or not _inside(raw, first_row, last_row, first_col, last_col):
            continue
        parts = [values.get((r, c)) for r in range(first_row, last_row + 1) for c in range(first_col, last_col + 1)]
        added = sum((Decimal(part) for part in parts if part is not None), Decimal(0))
        if abs(added - Decimal(stored)) > _DOUBLE_NOISE * max(Decimal(1), abs(added)):
            yield _finding(cell_place(raw, row, col), Decimal(stored), added)


def _inside(raw: RawTable, first_row: int, last_row: int, first_col: int, last_col: int) -> bool:
    return (
        raw.top <= first_row
        and last_row < raw.top + raw.n_rows
        and raw.left <= first_col
        and last_col < raw.left + raw.n_cols
    )


def _finding(place: str, stated: Decimal, added: Decimal) -> Finding:
    # The message gives no amounts: findings travel further than the numbers may.
    direction = "more" if stated > added else "less"
    return Finding.of(
        "FS301",
        f"The total at {place} is {direction} than what it adds up.",
        locator=place,
        remedy="Compare the total with its parts in the document.",
    )
