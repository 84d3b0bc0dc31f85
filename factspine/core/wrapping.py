"""Texts broken into lines by how wide their characters are set, roughly: what a picture of a slide needs."""

from __future__ import annotations

import re

_WIDE, _NARROW = 1.0, 0.52  # shares of the type size
_FIRST_WIDE = 0x2E80  # Chinese and the like, set as squares
_PIECES = re.compile(r"\s+|[\u2e80-\uffff]|[^\s\u2e80-\uffff]+")  # a line breaks at spaces and beside any square


def set_width(text: str, size: float) -> float:
    """How wide a text is set."""
    return sum(_WIDE if ord(char) >= _FIRST_WIDE else _NARROW for char in text) * size


def wrapped(text: str, width: float, size: float) -> list[str]:
    """The lines of a text in a column; a word wider than the column has a line of its own."""
    lines = []
    for paragraph in text.split("\n"):
        line = ""
        for piece in _PIECES.findall(paragraph):
            if line and set_width((line + piece).rstrip(), size) > width:
                lines.append(line.rstrip())
                line = piece.lstrip()
            else:
                line += piece
        lines.append(line.rstrip())
    return lines
