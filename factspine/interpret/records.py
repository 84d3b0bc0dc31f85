"""Lists of records: which label column names the record, and what the others say about it.

A list often starts with several label columns: a code, a name, a region, a year, a date. One of them is the record's
name; periods, places, channels and currencies are attributes of every number in the row; the rest stays in the path.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from factspine.core.labelled import Block, Label, LabelledTable
from factspine.core.tables import RawCell
from factspine.interpret.columns import heads_identifiers, is_attribute
from factspine.interpret.dimensions import NOTHING, Dims, fold_label, is_bare_total, is_total, tidy
from factspine.interpret.paths import FlatPaths
from factspine.lexicon.labels import read_label
from factspine.lexicon.units import find_unit
from factspine.lexicon.vocabulary import Vocabulary

_SAMPLE = 40
_TELLS_APART = 0.9
_OF_MOST = 0.6
_CODE = re.compile(r"[A-Za-z]{0,6}[-_ ./#]?\d[\w./#-]*")


class Record(NamedTuple):
    """One record of a list."""

    name: str
    dims: Dims


def column_heads(labelled: LabelledTable, block: Block) -> dict[int, Label]:
    """The header text nearest above a block, for every column of the table."""
    heads: dict[int, Label] = {}
    for cell, role in zip(labelled.raw.cells, labelled.roles, strict=True):
        if cell.row >= block.first_row:
            break
        if role == "header":
            heads[cell.col] = Label(cell.text, cell.row, cell.col)
    return heads


def read_records(block: Block, heads: Mapping[int, Label], vocabulary: Vocabulary) -> dict[int, Record]:
    """The name of each record and what its attribute columns say."""
    columns = _label_columns(block)
    attributes = {col for col, texts in columns.items() if is_attribute(heads.get(col), texts, vocabulary)}
    name_column = _name_column([col for col in columns if col not in attributes], columns, heads)
    statements = _Statements(vocabulary)
    flat = block.row_paths.columns if isinstance(block.row_paths, FlatPaths) else None
    if flat is not None:
        return _read_columns(block, flat, attributes, name_column, statements)
    records: dict[int, Record] = {}
    totals = _Totals()
    for row, path in block.row_paths.items():
        dims, name = NOTHING, ""
        for label in path:
            if label.col in attributes:
                dims = statements[dims, label.text]
            elif label.col == name_column or is_bare_total(tidy(label.text)):
                name = tidy(label.text)
            elif label.row < row and (unit := find_unit(label.text)) is not None and dims.unit is None:
                dims = dims._replace(unit=unit)  # a line above the records: 经费预算表（单位：万元）
        if not name and len(path) == 1 and path[0].row == row and path[0].col not in attributes:
            name = tidy(path[0].text)  # a row with one text of its own, across the columns of names
        records[row] = Record(name, totals[dims] if is_total(name) else dims)
    return records


class _Totals(dict[Dims, Dims]):
    """Statements with the mark of a total, each made once."""

    def __missing__(self, dims: Dims) -> Dims:
        marked = self[dims] = dims._replace(marks=tuple(sorted({*dims.marks, "total"})))
        return marked


class _Statements:
    """What a statement becomes with a further label, worked out once for each pair of them."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._folded: dict[tuple[int, str], Dims] = {}  # by identity: every statement is kept here itself

    def __getitem__(self, inside: tuple[Dims, str]) -> Dims:
        outer, text = inside
        key = (id(outer), text)
        known = self._folded.get(key)
        if known is None:
            known = self._folded[key] = fold_label(outer, read_label(tidy(text), self._vocabulary), "")
        return known


def _read_columns(
    block: Block,
    columns: list[dict[int, RawCell]],
    attributes: set[int],
    name_column: int | None,
    statements: _Statements,
) -> dict[int, Record]:
    """The records of a long list, column by column."""
    rows = list(block.row_paths)
    dims, names = [NOTHING] * len(rows), [""] * len(rows)
    for column in columns:
        col = next((cell.col for cell in column.values()), None)
        cells = list(map(column.get, rows))
        if col in attributes:
            dims = [
                said if cell is None else statements[said, cell[2].strip()]
                for said, cell in zip(dims, cells, strict=True)
            ]
        elif col == name_column:
            names = ["" if cell is None else tidy(cell[2]) for cell in cells]
    return dict(zip(rows, map(Record, names, dims), strict=True))


def _label_columns(block: Block) -> dict[int, list[str]]:
    columns: dict[int, list[str]] = {}
    for _, path in zip(range(_SAMPLE), block.row_paths.values(), strict=False):
        for label in path:
            columns.setdefault(label.col, []).append(tidy(label.text))
    return columns


def _name_column(
    candidates: Sequence[int], columns: Mapping[int, Sequence[str]], heads: Mapping[int, Label]
) -> int | None:
    """The first column of words that tells the records apart; codes name a record only where nothing else does."""
    worded = [
        col
        for col in candidates
        if not heads_identifiers(heads.get(col)) and not all(_CODE.fullmatch(text) for text in columns[col])
    ]
    telling = [col for col in worded if len(set(columns[col])) >= _TELLS_APART * len(columns[col])]
    most = max((len(columns[col]) for col in telling), default=0)
    # What stands in few rows names those alone: subtotals.
    telling = [col for col in telling if len(columns[col]) > _OF_MOST * most]
    return next(iter(sorted(telling) or sorted(worded) or sorted(candidates)), None)
