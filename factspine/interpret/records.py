"""Lists of records: which label column names the record, and what the others say about it.

A list often starts with several label columns: a code, a name, a region, a year, a date. One of them is the record's
name; periods, places, channels and currencies are attributes of every number in the row; the rest stays in the path.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from factspine.core.labelled import Block, Label, LabelledTable
from factspine.interpret.columns import heads_identifiers, is_attribute
from factspine.interpret.dimensions import NOTHING, Dims, fold_label, tidy
from factspine.lexicon.labels import read_label
from factspine.lexicon.vocabulary import Vocabulary

_SAMPLE = 40
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
    records: dict[int, Record] = {}
    folded: dict[tuple[int, str], Dims] = {}  # by identity: every statement here is kept in `folded` itself
    for row, path in block.row_paths.items():
        dims, name = NOTHING, ""
        for label in path:
            if label.col in attributes:
                key = (id(dims), label.text)
                if key not in folded:
                    folded[key] = fold_label(dims, read_label(tidy(label.text), vocabulary), "")
                dims = folded[key]
            elif label.col == name_column:
                name = tidy(label.text)
        records[row] = Record(name, dims)
    return records


def _label_columns(block: Block) -> dict[int, list[str]]:
    columns: dict[int, list[str]] = {}
    for _, path in zip(range(_SAMPLE), block.row_paths.values(), strict=False):
        for label in path:
            columns.setdefault(label.col, []).append(tidy(label.text))
    return columns


def _name_column(
    candidates: Sequence[int], columns: Mapping[int, Sequence[str]], heads: Mapping[int, Label]
) -> int | None:
    """The first column of words; a column of codes names a record only where nothing else does."""
    worded = [
        col
        for col in candidates
        if not heads_identifiers(heads.get(col)) and not all(_CODE.fullmatch(text) for text in columns[col])
    ]
    return next(iter(sorted(worded) or sorted(candidates)), None)
