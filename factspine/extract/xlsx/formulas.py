"""Formula texts; a shared formula is written out for each cell that uses it."""

from __future__ import annotations

import re

from factspine.core.locators import column_letters, column_number

# Quoted texts and quoted sheet names are skipped; a reference is not part of a longer name and is not a function.
_PIECES = re.compile(
    r'("(?:[^"]|"")*"|\'(?:[^\']|\'\')*\'|\[[^\]]*\])'
    r"|(?<![A-Za-z0-9_.$])(\$?)([A-Z]{1,3})(\$?)([1-9][0-9]{0,6})(?![A-Za-z0-9_.(!])"
)
_ATTRIBUTES = re.compile(r' ([A-Za-z:]+)="([^"<>&]*)"')
_LAST_ROW, _LAST_COL = 1_048_576, 16_384

Relative = tuple[bool, int, bool, int]  # column fixed?, column, row fixed?, row


class SharedFormulas:
    """The shared formulas of one sheet, by their index."""

    __slots__ = ("_masters",)

    def __init__(self) -> None:
        self._masters: dict[str, tuple[int, int, list[str | Relative]]] = {}

    def text(self, row: int, col: int, kind: str, index: str, text: str) -> str:
        """The formula of a cell as it would stand in that cell."""
        if kind != "shared" or not index:
            return "=" + text
        if text:
            self._masters[index] = (row, col, _pieces(text))
            return "=" + text
        master = self._masters.get(index)
        if master is None:
            return "="
        return "=" + _moved(master[2], row - master[0], col - master[1])


def attributes_of(text: str) -> dict[str, str] | None:
    """The attributes of a start tag by pattern; None where they are not written in the usual way."""
    found = _ATTRIBUTES.findall(text)
    if sum(len(key) + len(value) + 4 for key, value in found) != len(text.rstrip()):
        return None
    return dict(found)


def _pieces(text: str) -> list[str | Relative]:
    """A formula cut at its references."""
    out: list[str | Relative] = []
    at = 0
    for found in _PIECES.finditer(text):
        if found[1] is not None:
            continue
        out.append(text[at : found.start()])
        out.append((bool(found[2]), column_number(found[3]), bool(found[4]), int(found[5])))
        at = found.end()
    out.append(text[at:])
    return out


def _moved(pieces: list[str | Relative], rows: int, cols: int) -> str:
    out = []
    for piece in pieces:
        if isinstance(piece, str):
            out.append(piece)
            continue
        fixed_col, col, fixed_row, row = piece
        # References that run off the sheet come back in on the other side, as spreadsheets do.
        col = col if fixed_col else (col + cols - 1) % _LAST_COL + 1
        row = row if fixed_row else (row + rows - 1) % _LAST_ROW + 1
        out.append(f"{'$' * fixed_col}{column_letters(col)}{'$' * fixed_row}{row}")
    return "".join(out)
