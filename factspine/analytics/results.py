"""Results as text that other programs read: exact numbers, and no cell that a spreadsheet would run."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any, TextIO

import orjson

from factspine.analytics.session import Column, Result
from factspine.core.values import canonical

# What makes a spreadsheet take a text for a formula; a number with its sign is none, and a mark would spoil it.
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n")
_NUMBER = re.compile(r"[+-]?[\d,. ]*\d *%?")
_NUMERIC_KINDS = frozenset(
    ("DECIMAL", "TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "FLOAT", "DOUBLE", "BIGNUM")
)
_LARGEST_JSON_INTEGER = 2**53 - 1


def shown(value: Any) -> str:
    """A value as people read it: all digits, no trailing zeros, nothing where there is nothing."""
    if value is None:
        return ""
    if isinstance(value, Decimal):
        return canonical(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (datetime, date, time)):
        return value.isoformat(" ") if isinstance(value, datetime) else value.isoformat()
    if isinstance(value, (list, tuple, dict)):
        return orjson.dumps(plain(value)).decode()
    return bytes(value).hex() if isinstance(value, (bytes, bytearray, memoryview)) else str(value)


def plain(value: Any) -> Any:
    """A value as JSON holds it: decimals and integers no double can carry are text."""
    if isinstance(value, (list, tuple)):
        return [plain(one) for one in value]
    if isinstance(value, Mapping):
        return {shown(key): plain(one) for key, one in value.items()}
    if value is None or isinstance(value, (bool, float, str)):
        return value
    if isinstance(value, int):
        return value if abs(value) <= _LARGEST_JSON_INTEGER else str(value)
    return shown(value)


def guarded(text: str) -> str:
    """A text cell that no spreadsheet takes for a formula."""
    return f"'{text}" if text.startswith(_FORMULA_STARTS) and not _NUMBER.fullmatch(text) else text


def write_csv(result: Result, stream: TextIO) -> int:
    """Write a result with its header; how many rows it has."""
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow([guarded(column.name) for column in result.columns])
    count = 0
    for row in result.rows:
        writer.writerow([_cell(value) for value in row])
        count += 1
    return count


def write_json_lines(result: Result, stream: TextIO) -> int:
    """Write one object a row; how many there are."""
    names = unique_names(result.columns)
    count = 0
    for row in result.rows:
        stream.write(orjson.dumps(dict(zip(names, map(plain, row), strict=True))).decode() + "\n")
        count += 1
    return count


def unique_names(columns: Sequence[Column]) -> list[str]:
    """The names of columns; a name that comes again gets its number, so that no value hides another."""
    seen: dict[str, int] = {}
    names: list[str] = []
    for column in columns:
        seen[column.name] = seen.get(column.name, 0) + 1
        names.append(column.name if seen[column.name] == 1 else f"{column.name}_{seen[column.name]}")
    return names


def is_numeric(column: Column) -> bool:
    """Whether a column holds numbers."""
    return column.kind.partition("(")[0].removeprefix("U") in _NUMERIC_KINDS


def numbers(values: Iterable[Any]) -> list[float | None]:
    """Values to be drawn; a picture is the one place where a float will do."""
    return [None if value is None else float(value) for value in values]


def _cell(value: Any) -> str:
    text = shown(value)
    return guarded(text) if isinstance(value, (str, list, tuple, dict)) else text
