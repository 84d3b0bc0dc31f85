"""How things look on a terminal: one console, tables that fit, and nothing but data in a pipe."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from typing import Any

import orjson
from rich.console import Console

# Nobody scrolls a file sideways, but whoever pipes a table looks for words in it: lines are as long as they are, unless
# a width is asked for.
_WIDTH_OF_A_PIPE = 100_000
_PICTURE_WIDTH = 80


def _console() -> Console:
    made = Console(highlight=False)
    if not made.is_terminal and not os.environ.get("COLUMNS"):
        made.width = _WIDTH_OF_A_PIPE
    return made


console = _console()
problems = Console(stderr=True, highlight=False)


def print_json(record: dict[str, Any]) -> None:
    """One JSON object on one line."""
    sys.stdout.write(orjson.dumps(record).decode() + "\n")


def print_json_lines(records: Iterable[dict[str, Any]]) -> None:
    """One JSON object a line, written as they come."""
    write = sys.stdout.write
    for record in records:
        write(orjson.dumps(record).decode() + "\n")


def is_terminal() -> bool:
    """Whether a person is looking."""
    return console.is_terminal


def is_whole() -> bool:
    """Whether nothing is to be shortened: what is printed goes to a program or a file."""
    return console.width >= _WIDTH_OF_A_PIPE


def picture_width() -> int:
    """How wide to draw what fills the width it is given."""
    return _PICTURE_WIDTH if is_whole() else console.width


def percent(share: float | None) -> str:
    """A share for people; nothing where there is nothing to share."""
    return "–" if share is None else f"{share:.1%}"
