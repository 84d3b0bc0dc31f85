"""A labelled table: which cells head columns, which head rows, which are data, which are notes; and who heads whom.

Data lie in blocks. A block is a rectangle with a path of labels for each of its rows and each of its columns; a table
with several header bands, side-by-side halves or label/value pairs has several.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from factspine.core.tables import Position, RawTable

Role = Literal["header", "label", "value", "note"]


class Label(NamedTuple):
    """A header text and where it stands, in grid coordinates."""

    text: str
    row: int
    col: int


Path = tuple[Label, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A rectangle of data cells (bounds inclusive, grid coordinates) with the labels that head it, outermost first."""

    first_row: int
    last_row: int
    first_col: int
    last_col: int
    row_paths: Mapping[int, Path]
    col_paths: Mapping[int, Path]
    # A list of records: each row one thing, each column one attribute of it; the row path is the record's name.
    records: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledTable:
    """A raw table with the role of each cell (parallel to `raw.cells`) and the blocks its data lie in."""

    raw: RawTable
    roles: Sequence[Role]
    header_rows: int  # rows above the first data row, titles not counted
    header_cols: int
    blocks: tuple[Block, ...]
    notes: tuple[Label, ...] = field(default=())  # titles, unit lines, footnotes inside the region
    decimal_comma: bool = False  # the texts of the table write 1.234,56
    unsettled: tuple[Position, ...] = ()  # texts that are numbers in one notation or another
