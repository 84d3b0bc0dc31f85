"""Files of questions, one JSON object a line, for `ask --batch` and `search --batch`.

A line that is no question has its own answer, an error, as any other line has: one bad line never stops the rest.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

import orjson
import typer

from factspine.cli.app import EXIT_FAILED
from factspine.cli.console import print_json
from factspine.core.errors import UsageError

# The id of a line that is not JSON as a whole, such as one that was cut off.
_ID = re.compile(rb'"id"\s*:\s*("(?:[^"\\]|\\.)*"|-?\d+)\s*[,}]')


class Line(NamedTuple):
    """One line of a batch: its id (its number where it has none), and what it asks or what is wrong with it."""

    id: Any
    record: dict[str, Any]
    error: str


def run_batch(file: Path, answer: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    """Print one JSON line for each line of the file, in order; exit code 1 at the end where one could not be asked."""
    failed = False
    for line in _lines(file):
        failed = failed or bool(line.error)
        print_json({"id": line.id, **({"error": line.error} if line.error else answer(line.record))})
    if failed:
        raise typer.Exit(EXIT_FAILED)


def documents_of(record: dict[str, Any]) -> tuple[str, ...]:
    """The patterns a line names under `doc`: one, a list of them, or none."""
    given = record.get("doc") or ()
    return (given,) if isinstance(given, str) else tuple(given)


def _lines(file: Path) -> Iterator[Line]:
    try:
        lines = file.read_bytes().splitlines()
    except OSError as error:
        raise UsageError(f"{file} cannot be read: {error.strerror}. Check its path.") from error
    for number, text in enumerate(lines, 1):
        if text.strip():
            yield _line(number, text)


def _line(number: int, text: bytes) -> Line:
    try:
        record = orjson.loads(text)
    except orjson.JSONDecodeError:
        return Line(_id_within(text, number), {}, f"line {number} is no JSON; write one object a line.")
    if not isinstance(record, dict):
        return Line(number, {}, f"line {number} is no JSON object; write one a line.")
    known = record.get("id", number)
    if not isinstance(record.get("question"), str) or not record["question"].strip():
        return Line(known, {}, f'line {number} has no "question".')
    documents = record.get("doc") or []
    if not isinstance(documents, str | list) or not all(isinstance(one, str) for one in documents):
        return Line(known, {}, f'"doc" of line {number} is no pattern, nor a list of them.')
    if record.get("today") and not _is_day(record["today"]):
        return Line(known, {}, f'"today" of line {number} is no day; write it as 2025-03-31.')
    return Line(known, record, "")


def _is_day(text: Any) -> bool:
    try:
        date.fromisoformat(text)
    except (TypeError, ValueError):
        return False
    return True


def _id_within(text: bytes, number: int) -> Any:
    found = _ID.search(text)
    try:
        return orjson.loads(found[1]) if found else number
    except orjson.JSONDecodeError:
        return number
