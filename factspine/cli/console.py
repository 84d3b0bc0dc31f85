"""How things look on a terminal: one console, tables that fit, and nothing but data in a pipe."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any

import orjson
from rich.console import Console

console = Console(highlight=False)
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


def percent(share: float | None) -> str:
    """A share for people; nothing where there is nothing to share."""
    return "–" if share is None else f"{share:.1%}"
