"""The columns of a body of rows: which of them name the rows, which hold data, and where tables stand side by side."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from factspine.interpret.cellkinds import NUMERIC
from factspine.interpret.grid import Grid
from factspine.interpret.wording import (
    heads_codes,
    heads_note_references,
    heads_ranks,
    heads_row_numbers,
    heads_units,
    is_note_reference,
    is_total,
    may_head_row_numbers,
)

_KEY_COLUMNS_MAX = 5
_NAME_AND_UNIT = 2
_CODED = re.compile(r"[A-Za-z]{1,4}[-_]?\d{2,}[\w./-]*", re.ASCII)
_SAMPLED_ROWS = 100
_CODE_DIGITS = 5  # four may be a year or an amount
_LIST_ROWS = 2_000  # nobody writes a statement of so many lines; what is this long is a list of records


class Side(NamedTuple):
    """Value columns and the columns that name their rows."""

    labels: tuple[int, ...]
    values: tuple[int, ...]


class Axes(NamedTuple):
    """What each column of a body is."""

    sides: tuple[Side, ...]
    ordinals: frozenset[int]  # label columns that only count rows
    codes: frozenset[int]  # label columns of codes
    notes: frozenset[int]  # columns of references to notes
    records: bool

    @property
    def labels(self) -> frozenset[int]:
        return frozenset(col for side in self.sides for col in side.labels) | self.ordinals | self.codes

    @property
    def first_value(self) -> int | None:
        return min((col for side in self.sides for col in side.values), default=None)


class Columns:
    """The cells of some rows, column by column; what is asked of a column is worked out once."""

    def __init__(self, grid: Grid, rows: Sequence[int]) -> None:
        self.cells = grid.columns
        if len(rows) < len(grid.rows):
            wanted = frozenset(rows)
            some = {col: [cell for cell in cells if cell[1] in wanted] for col, cells in grid.columns.items()}
            self.cells = {col: cells for col, cells in some.items() if cells}
        self.order = list(self.cells)
        self._kinds: dict[int, str] = {}
        self._whole: dict[int, list[int] | None] = {}

    def kinds(self, col: int) -> str:
        """The kinds of a column's cells, from top to bottom."""
        own = self._kinds.get(col)
        if own is None:
            own = self._kinds[col] = "".join([cell[3] for cell in self.cells[col]])
        return own

    def share(self, col: int, kinds: Iterable[str]) -> float:
        """How much of a column is of one of these kinds."""
        own = self.kinds(col)
        return sum(map(own.count, kinds)) / len(own)

    def whole_numbers(self, col: int) -> list[int] | None:
        """The column's numbers if all of them are whole, years included."""
        if col not in self._whole:
            self._whole[col] = self._find_whole_numbers(col)
        return self._whole[col]

    def _find_whole_numbers(self, col: int) -> list[int] | None:
        found = []
        for cell in self.cells[col]:
            if cell.kind in "nyc":
                text = (cell.raw.value or cell.raw.text).strip()
                if not text.isdecimal():
                    return None
                found.append(int(text))
        return found

    def mixes_years(self, col: int) -> bool:
        """Amounts of which some look like years: numbers throughout, several of which are none."""
        own = self.kinds(col)
        return "y" in own and set(own) <= set("nyx") and 5 * own.count("n") >= len(own)

    def may_count(self, col: int) -> bool:
        """Whether the first number of a column is 0 or 1; nearly no other column needs a closer look."""
        for cell in self.cells[col]:
            if cell.kind in "nyc":
                text = (cell.raw.value or cell.raw.text).strip()
                return text.isdecimal() and int(text) < 2
        return False

    def counts_rows(self, col: int) -> bool:
        """1, 2, 3 … down the column, starting anew where a section does; of a long table not every row is looked at."""
        found = self.whole_numbers(col) if self.may_count(col) else None
        if not found or len(found) < max(2, 0.8 * len(self.cells[col])):
            return False
        rows = [cell.row for cell in self.cells[col] if cell.kind in "nyc"]
        steps = zip(pairwise(found), pairwise(rows), strict=True)
        sampled = len(rows) >= _SAMPLED_ROWS
        counts = all(b in (1, a + 1) or (sampled and b - a == below - above) for (a, b), (above, below) in steps)
        return counts and (len(found) > 2 or found[-1] > 1)

    def holds_codes(self, col: int) -> bool:
        """Whether a column holds names made of letters and digits, all of them different: A0601, GD-1002."""
        texts = [cell.raw.text.strip() for cell in self.cells[col] if cell.kind == "t"]
        told = len(texts) > 1 and len(texts) == len(self.cells[col]) == len(set(texts))
        return told and all(map(_CODED.fullmatch, texts))

    def numbers_rows(self, col: int, heads: Iterable[str]) -> bool:
        """Whether a head says that a column counts the rows; `No.` says so where the column does, or comes first."""
        for head in heads:
            if heads_row_numbers(head):
                return True
            if may_head_row_numbers(head):
                return col == self.order[0] or self.counts_rows(col)
            if heads_ranks(head):
                return col == self.order[0]  # a rank behind what it is of is one of its numbers
        return False

    def names_by_number(self, col: int) -> bool:
        """Whole numbers of one length, each another, right before a column of words: 400100 | Domestic revenue."""
        found = [cell.raw.text.strip() for cell in self.cells[col]]
        length = len(found[0])
        if (
            len(found) < 2
            or length < _CODE_DIGITS
            or any(len(text) != length or not text.isdecimal() for text in found)
        ):
            return False
        after = self.order[self.order.index(col) + 1 :][:1]
        return len(set(found)) == len(found) and bool(after) and self.share(after[0], "t") > 0.8

    def rises_evenly(self, col: int) -> bool:
        """Whole numbers at equal steps: the steps of a scale rather than amounts."""
        found = self.whole_numbers(col)
        if not found or len(found) < 3 or len(found) < len(self.cells[col]):
            return False
        steps = {b - a for a, b in pairwise(found)}
        return len(steps) == 1 and 0 not in steps


def heads_over(grid: Grid, heads: Sequence[int]) -> dict[int, list[str]]:
    """The header texts that stand over each column itself, spans not spread."""
    found: dict[int, list[str]] = {}
    for row in heads:
        for cell in grid.rows[row]:
            found.setdefault(cell.col, []).append(cell.raw.text)
    return found


def find_axes(grid: Grid, rows: Sequence[int], heads: Sequence[int]) -> Axes:
    """The axes of the rows of one body under its header rows."""
    columns = Columns(grid, rows)
    over = heads_over(grid, heads)
    ordinals, codes, notes = _nameless(columns, over)
    inner = _named_inside(grid, columns, heads)
    inside = {col for cols in inner for col in cols}
    plain = [col for col in columns.order if col not in ordinals | codes | notes | inside]
    lead = _leading_labels(columns, plain, bool(ordinals | codes))
    named_codes = frozenset(
        col for col in lead[1:] if any(heads_codes(text) for text in over.get(col, ())[-1:]) or columns.holds_codes(col)
    )
    if len(named_codes) < len(lead):
        codes |= named_codes  # a ticker behind the name of a company does not name it better
        plain = [col for col in plain if col not in named_codes]
        lead = [col for col in lead if col not in named_codes]
    values = [col for col in plain if col not in lead]
    long_list = rows[-1] - rows[0] >= _LIST_ROWS or len(lead) > _KEY_COLUMNS_MAX
    listed = bool(ordinals) or long_list or _name_things(columns, lead, over)
    records = _are_records(columns, values, listed, heads)
    if records and not any(columns.share(col, NUMERIC | {"d"}) > 0.5 for col in values) and len(lead) > 1:
        lead = lead[:1]
    lead = lead[:_KEY_COLUMNS_MAX]
    values = [col for col in plain if col not in lead]
    if not lead:
        # Where nothing else names the rows, their numbers do.
        lead = sorted(col for col in ordinals | codes if not values or col < values[0])[-1:]
    sides = _sides(columns, tuple(lead), values, over)
    if len(sides) > 1:
        # The names of a second side are no words among the values of the first.
        values = [col for side in sides for col in side.values]
        records = _are_records(columns, values, bool(ordinals) or long_list, heads)
    if inner:
        sides = _apart(sides, inner) + tuple(Side(labels=(*lead, cols[0]), values=cols[1:]) for cols in inner)
    return Axes(sides=sides, ordinals=ordinals, codes=codes, notes=notes, records=records)


def _nameless(columns: Columns, over: dict[int, list[str]]) -> tuple[frozenset[int], frozenset[int], frozenset[int]]:
    """Columns of numbers that are not amounts: row numbers, codes, references to notes."""
    ordinals, codes, notes = set(), set(), set()
    leading = True
    for col in columns.order:
        texts = over.get(col, ())[-1:]  # what stands lowest is about this column alone
        if any(heads_units(text) for text in texts):
            continue  # 000 is a unit there, and no code
        numeric = columns.share(col, "nx") > 0.5
        if columns.share(col, "c") > 0.1 and columns.whole_numbers(col) is not None:
            codes.add(col)
        elif columns.numbers_rows(col, texts) and columns.whole_numbers(col) is not None:
            ordinals.add(col)
        elif (any(heads_codes(text) for text in texts) and columns.whole_numbers(col)) or (
            leading and numeric and texts and columns.names_by_number(col)
        ):
            codes.add(col)
        elif _refers_to_notes(columns, col, texts):
            notes.add(col)
        elif leading and numeric and columns.counts_rows(col) and len(columns.order) > 1:
            ordinals.add(col)
        elif numeric:
            leading = False
    if len(ordinals | codes | notes) == len(columns.order):
        return frozenset(), frozenset(), frozenset()
    return frozenset(ordinals), frozenset(codes), frozenset(notes)


def _apart(sides: tuple[Side, ...], inner: list[tuple[int, ...]]) -> tuple[Side, ...]:
    """Sides cut where other columns lie between theirs, so that no two share a rectangle."""
    cuts = [cols[0] for cols in inner]
    found: list[Side] = []
    for side in sides:
        groups: dict[int, list[int]] = {}
        for col in side.values:
            groups.setdefault(sum(cut < col for cut in cuts), []).append(col)
        found.extend(Side(labels=side.labels, values=tuple(group)) for group in groups.values())
    return tuple(found)


def _named_inside(grid: Grid, columns: Columns, heads: Sequence[int]) -> list[tuple[int, ...]]:
    """Columns under one header that has nothing below it: the first of them names what the others hold.

    equipment | parameters         |
    pump 1    | voltage   | 239 V  |
    """
    found = []
    for position, row in enumerate(heads):
        for cell in grid.rows[row]:
            if cell.width < 2 or cell.col == columns.order[0]:
                continue
            cols = tuple(col for col in columns.order if cell.col <= col <= cell.last_col)
            deeper = any(grid.at(below, cell.col) not in (None, cell) for below in heads[position + 1 :])
            if deeper or len(cols) < 2:
                continue
            if cols[0] == cell.col and columns.share(cols[0], "t") == 1 and columns.share(cols[1], "t") < 1:
                found.append(cols)
    return found


def _leading_labels(columns: Columns, plain: list[int], named: bool) -> list[int]:
    """The columns before the first column of numbers."""
    lead: list[int] = []
    for col in plain:
        # Ranges and the like name rows only in the first column.
        if columns.share(col, "nqxr" if lead else "nqx") >= 0.5 or (lead and columns.mixes_years(col)):
            break
        if lead and columns.share(lead[0], "y") > 0.5 and columns.share(col, "nyx") == 1:
            break  # years name the rows already
        lead.append(col)
    if plain and len(lead) == len(plain):
        # Nothing but text: the first column names the rows, unless something else does.
        return [] if named and len(plain) == 1 else plain[:1]
    if not lead and not named and len(plain) > 1 and columns.rises_evenly(plain[0]):
        return plain[:1]
    return lead


def _refers_to_notes(columns: Columns, col: int, heads: Sequence[str]) -> bool:
    """A column of references: by its head, or because every cell has the form of one (七、59)."""
    named = any(heads_note_references(text) for text in heads)
    if named and columns.share(col, "t") < 1.0:
        return True
    cells = columns.cells[col]
    return (named or len(cells) > 1) and all(is_note_reference(cell.raw.text) for cell in cells)


def _name_things(columns: Columns, lead: list[int], over: dict[int, list[str]]) -> bool:
    """Several label columns, each with its own head and none with gaps: attributes of things, not levels of labels.

    A total has a gap where nothing of it is to be said. What is in per cent is no thing: the rows are measures.
    """
    if len(lead) == _NAME_AND_UNIT and any(cell.raw.text.strip() in "%％" for cell in columns.cells[lead[1]]):
        return False
    if len(lead) < 2 or not all(col in over for col in lead):
        return False
    totals = {cell.row for col in lead for cell in columns.cells[col] if is_total(cell.raw.text)}
    rows = max((len(columns.cells[col]) for col in columns.order), default=0)
    inside = [sum(cell.row not in totals for cell in columns.cells[col]) for col in lead]
    return rows > len(totals) and all(count >= rows - len(totals) for count in inside)


def _are_records(columns: Columns, values: list[int], numbered: bool, heads: Sequence[int]) -> bool:
    """A list of things: numbered rows, or columns of words and dates among those of numbers, each with a header."""
    if not heads or len(columns.order) < 2:
        return False
    words = sum(columns.share(col, "tdb") > 0.5 and len(columns.cells[col]) > 1 for col in values)
    return numbered or words > 0


def _named_anew(columns: Columns, first: int, values: list[int], over: dict[int, list[str]]) -> list[int]:
    """Columns of names behind which the same heads stand again: assets beside liabilities, income beside expenditure.

    资产 | 期末余额 | 期初余额 | 负债和所有者权益 | 期末余额 | 期初余额
    """
    named = [col for col in values if _names_rows(columns, col)]
    starts = [first, *named, columns.order[-1] + 1]
    groups = []
    for start, end in pairwise(starts):
        numeric = [col for col in values if start < col < end and col not in named]
        groups.append([over.get(col, [""])[-1].strip() for col in numeric])
    alike = len(groups) > 1 and groups[0] and all(groups[0]) and all(group == groups[0] for group in groups)
    return named if alike else []


def _names_rows(columns: Columns, col: int) -> bool:
    texts = [cell.raw.text for cell in columns.cells[col] if cell.kind == "t"]
    return len(texts) > 0.5 * len(columns.cells[col]) and len(set(texts)) > 0.8 * len(texts)


def _alike(columns: Columns, first: int, other: int) -> bool:
    """Whether a column may name rows as the first one does: words like words, years like years, steps like steps."""
    for kinds in ("t", "yd", "c"):
        if columns.share(first, kinds) > 0.5:
            return columns.share(other, kinds) > 0.5
    return columns.rises_evenly(first) and columns.rises_evenly(other)


def _sides(columns: Columns, lead: tuple[int, ...], values: list[int], over: dict[int, list[str]]) -> tuple[Side, ...]:
    """Tables side by side: the head of the first label column stands again over a later one."""
    first = lead[0] if lead else (columns.order[0] if columns.order else 0)
    head = over.get(first, [""])[-1].strip()
    again = [col for col in columns.order if col > first and head and over.get(col, [""])[-1].strip() == head]
    again = again or _named_anew(columns, first, values, over)
    again = [col for col in again if any(value < col for value in values)]
    again = [col for col in again if _alike(columns, first, col)]
    if not again:
        return (Side(labels=lead, values=tuple(values)),) if values else ()
    bounds = [first, *again, columns.order[-1] + 1]
    sides = []
    for start, end in pairwise(bounds):
        inside = [col for col in columns.order if start <= col < end]
        if start == first:
            labels = list(lead)
        else:
            labels = [inside[0]]
            for col in inside[1 : len(lead) or 1]:
                if columns.share(col, "t") > 0.5:
                    labels.append(col)
        side_values = tuple(col for col in inside if col not in labels and col in values)
        if side_values:
            sides.append(Side(labels=tuple(labels), values=side_values))
    return tuple(sides)
