"""Lists of records: which label column names the record, and what the others say about it.

A list often starts with several label columns: a code, a name, a region, a year, a date. One of them is the record's
name; periods, places, channels and currencies are attributes of every number in the row; the rest stays in the path.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from factspine.core.labelled import Block, Label, LabelledTable
from factspine.core.tables import RawCell
from factspine.interpret.columns import currency_columns, heads_identifiers, is_attribute
from factspine.interpret.dimensions import NOTHING, Dims, fold_label, is_bare_total, is_total, naming_currency, tidy
from factspine.interpret.paths import FlatPaths
from factspine.lexicon.labels import LabelReading, read_label
from factspine.lexicon.slugs import PATH_BREAK
from factspine.lexicon.units import find_unit
from factspine.lexicon.vocabulary import Vocabulary

_SAMPLE = 40
_SHORT_ROWS = 500
_TELLS_APART = 0.9
_OF_MOST = 0.6
_CODE = re.compile(r"[A-Za-z]{0,6}[-_ ./#]?\d[\w./#-]*")
_new = tuple.__new__  # a named tuple's own constructor takes twice as long


class Record(NamedTuple):
    """One record of a list; `label` is the cell that names it, `name` says of which group as well where need be."""

    name: str
    dims: Dims
    label: str


def column_heads(labelled: LabelledTable, block: Block) -> dict[int, Label]:
    """The header text nearest above a block, for every column of the table."""
    heads: dict[int, Label] = {}
    for cell, role in zip(labelled.raw.cells, labelled.roles, strict=True):
        if cell.row >= block.first_row:
            break
        if role == "header":
            heads[cell.col] = _new(Label, (cell.text, cell.row, cell.col))
    return heads


def read_records(
    block: Block, heads: Mapping[int, Label], vocabulary: Vocabulary, evidence_of: Callable[[Label], str]
) -> dict[int, Record]:
    """The name of each record and what its attribute columns say; of short lists, with the cell that says the unit."""
    columns = _label_columns(block)
    attributes = {col for col, texts in columns.items() if is_attribute(heads.get(col), texts, vocabulary)}
    named_by = _name_columns([col for col in columns if col not in attributes], columns, heads)
    statements = _Statements(vocabulary, currency_columns(heads))
    flat = block.row_paths.columns if isinstance(block.row_paths, FlatPaths) else None
    if flat is not None:
        return _read_columns(block, flat, attributes, named_by, statements)
    short = len(block.row_paths) <= _SHORT_ROWS  # in a long one every row would be a statement of its own
    records: dict[int, Record] = {}
    totals = _Totals()
    for row, path in block.row_paths.items():
        dims, said = NOTHING, dict.fromkeys(named_by, "")
        for label in path:
            if label.col in attributes:
                dims = statements[dims, label.text, label.col, evidence_of(label) if short else ""]
            elif label.col in said:
                said[label.col] = tidy(label.text)
            elif is_bare_total(tidy(label.text)):
                said = {label.col: tidy(label.text)}
            elif label.row < row and (unit := find_unit(label.text)) is not None and dims.unit is None:
                dims = dims._replace(unit=unit)  # a line above the records: 经费预算表（单位：万元）
        if not any(said.values()) and len(path) == 1 and path[0].row == row and path[0].col not in attributes:
            said = {path[0].col: tidy(path[0].text)}  # a row with one text of its own, across the columns of names
        name, label_text = _joined(said.values()), next(reversed(said.values()), "")
        records[row] = Record(name, totals[dims] if is_total(label_text) else dims, label_text)
    return records


def _joined(names: Iterable[str]) -> str:
    return PATH_BREAK.join(name for name in names if name)


class _Totals(dict[Dims, Dims]):
    """Statements with the mark of a total, each made once."""

    def __missing__(self, dims: Dims) -> Dims:
        marked = self[dims] = dims._replace(marks=tuple(sorted({*dims.marks, "total"})))
        return marked


class _Statements:
    """What a statement becomes with a further label, worked out once for each pair of them."""

    def __init__(self, vocabulary: Vocabulary, currencies: frozenset[int]) -> None:
        self._vocabulary = vocabulary
        self._currencies = currencies  # columns
        self._readings: dict[tuple[str, bool], LabelReading] = {}
        self._folded: dict[tuple[int, str, bool, str], Dims] = {}  # by identity: every statement is kept here itself

    def __getitem__(self, inside: tuple[Dims, str, int, str]) -> Dims:
        outer, text, col, evidence = inside
        names_money = col in self._currencies
        reading = self._readings.get((text, names_money))
        if reading is None:
            reading = read_label(tidy(text), self._vocabulary)
            reading = self._readings[text, names_money] = naming_currency(reading) if names_money else reading
        key = (id(outer), text, names_money, evidence if reading.unit is not None else "")
        known = self._folded.get(key)
        if known is None:
            known = self._folded[key] = fold_label(outer, reading, key[3])
        return known


def _read_columns(
    block: Block,
    columns: list[dict[int, RawCell]],
    attributes: set[int],
    named_by: Sequence[int],
    statements: _Statements,
) -> dict[int, Record]:
    """The records of a long list, column by column."""
    rows = list(block.row_paths)
    dims, names = [NOTHING] * len(rows), {col: [""] * len(rows) for col in named_by}
    for column in columns:
        col = next((cell.col for cell in column.values()), None)
        cells = list(map(column.get, rows))
        if col in attributes:
            dims = [
                said if cell is None else statements[said, cell[2].strip(), col, ""]
                for said, cell in zip(dims, cells, strict=True)
            ]
        elif col in names:
            names[col] = ["" if cell is None else tidy(cell[2]) for cell in cells]
    labels = next(reversed(names.values()), [""] * len(rows))
    joined = labels if len(names) < 2 else list(map(_joined, zip(*names.values(), strict=True)))
    return dict(zip(rows, map(Record, joined, dims, labels), strict=True))


def _label_columns(block: Block) -> dict[int, list[str]]:
    columns: dict[int, list[str]] = {}
    for _, path in zip(range(_SAMPLE), block.row_paths.values(), strict=False):
        for label in path:
            columns.setdefault(label.col, []).append(tidy(label.text))
    return columns


def _name_columns(
    candidates: Sequence[int], columns: Mapping[int, Sequence[str]], heads: Mapping[int, Label]
) -> tuple[int, ...]:
    """The first column of words that tells the records apart; codes name a record only where nothing else does.

    A first column that sorts the records into groups does not name them: the second one does, within its group where it
    repeats itself from group to group.
    """
    worded = [
        col
        for col in candidates
        if not heads_identifiers(heads.get(col)) and not all(_CODE.fullmatch(text) for text in columns[col])
    ]
    telling = [col for col in worded if len(set(columns[col])) >= _TELLS_APART * len(columns[col])]
    most = max((len(columns[col]) for col in telling), default=0)
    # What stands in few rows names those alone: subtotals.
    telling = [col for col in telling if len(columns[col]) > _OF_MOST * most]
    order = sorted(worded) or sorted(candidates)
    if len(order) > 1 and len(columns[order[0]]) == len(columns[order[1]]) and _groups(columns[order[0]]):
        pairs = list(zip(columns[order[0]], columns[order[1]], strict=True))
        if len(set(columns[order[1]])) < len(pairs) == len(set(pairs)):
            return (order[0], order[1])
    return tuple(sorted(telling)[:1] or order[:1])


def _groups(texts: Sequence[str]) -> bool:
    """Whether texts stand together in groups of at least two on average: they sort records and name none."""
    starts = sum(text != before for before, text in pairwise(texts)) + 1
    return starts == len(set(texts)) and 2 * starts <= len(texts)
