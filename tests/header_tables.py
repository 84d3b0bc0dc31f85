"""Tables written as text, for the tests of labelling.

`|` stands between cells, `<` joins a cell to the one left of it, `^` to the one above; leading dots are indentation.
Numbers become number cells; in quotes they stay text.
"""

from __future__ import annotations

import re

from factspine.core.labelled import LabelledTable
from factspine.core.tables import CellStyle, RawCell, RawTable
from factspine.interpret.headers import label_table

_NUMBER = re.compile(r"-?\d+(\.\d+)?")
_CODES = {"h": "header", "l": "label", "v": "value", "n": "note"}


def table(text: str, **fields: int) -> RawTable:
    rows = [[cell.strip() for cell in line.split("|")] for line in text.strip().splitlines()]
    cells: list[RawCell] = []
    spans: dict[tuple[int, int], tuple[int, int]] = {}
    origin: dict[tuple[int, int], tuple[int, int]] = {}
    for r, row in enumerate(rows, 1):
        for c, content in enumerate(row, 1):
            if content in ("<", "^"):
                start = origin[(r, c - 1) if content == "<" else (r - 1, c)]
                origin[(r, c)] = start
                spans[start] = (r - start[0] + 1, c - start[1] + 1)
            elif content:
                origin[(r, c)] = (r, c)
                cells.append(_cell(r, c, content))
    width = max(map(len, rows))
    return RawTable(locator="sheet=S,table=1", n_rows=len(rows), n_cols=width, cells=cells, spans=spans, **fields)


def _cell(row: int, col: int, content: str) -> RawCell:
    bold = content.startswith("*")
    content = content.lstrip("*")
    indent = len(content) - len(content.lstrip("."))
    text = content[indent:] if content.strip(".") else content
    style = CellStyle(bold=bold, indent=indent if content.strip(".") else 0)
    if _NUMBER.fullmatch(text):
        return RawCell(row, col, text, "n", text, style)
    return RawCell(row, col, text.strip('"'), "s", None, style)


def roles(labelled: LabelledTable) -> list[str]:
    """One string a row: the first letter of each cell's role."""
    lines: dict[int, str] = {}
    for cell, role in zip(labelled.raw.cells, labelled.roles, strict=True):
        lines[cell.row] = lines.get(cell.row, "") + role[0]
    return list(lines.values())


def paths(text: str, value: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The row path and the column path, as texts, of the one cell with this content."""
    labelled = label_table(table(text))
    cell = next(cell for cell in labelled.raw.cells if cell.text == value)
    block = next(
        b
        for b in labelled.blocks
        if b.first_row <= cell.row <= b.last_row and b.first_col <= cell.col <= b.last_col and cell.row in b.row_paths
    )
    row = tuple(label.text for label in block.row_paths.get(cell.row, ()))
    return row, tuple(label.text for label in block.col_paths.get(cell.col, ()))
