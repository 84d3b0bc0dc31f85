"""Saved answers: whether each fact they cite is in the store, says what they say, and is still current."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from factspine.core.errors import UsageError
from factspine.core.values import canonical
from factspine.integrity.report import Collector
from factspine.store.store import FactStore


def check_answers(store: FactStore, path: Path, found: Collector) -> None:
    """Every answer of a file, one JSON object a line as `factspine ask --json` prints them."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise UsageError(f"the saved answers cannot be read ({type(error).__name__})") from error
    current = {span.reading_id for span in store.readings()}
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                cited = json.loads(line).get("facts") or []
            except (ValueError, AttributeError) as error:
                raise UsageError(f"line {number} of the saved answers is no JSON object") from error
            found.checked["answers"] += 1
            for fact in cited:
                _check_fact(store, fact, current, number, found)


def _check_fact(store: FactStore, cited: Mapping[str, Any], current: set[str], line: int, found: Collector) -> None:
    name = str(cited.get("fact_id", ""))
    try:
        fact = store.fact(name)
    except UsageError:
        fact = None
    about: dict[str, str | int] = {"answer": line, "fact": name if len(name) < 48 else "not a fact's name"}
    if fact is None:
        found.add("FS460", **about)
    elif "value" in cited and str(cited["value"]) != canonical(fact.value):
        found.add("FS461", **about)
    elif name.partition(".")[0] not in current:
        found.add("FS462", **about)
