"""The gold set: questions whose place is known, each in several phrasings, one JSON object a line.

    {"id": "hk-revenue", "section": "Hong Kong", "question": "What was …?", "paraphrases": ["…", "…"],
     "doc": "review.pptx", "locator": "slide=2,table=1,row=REVENUE", "ideal": "Revenue was …"}

`locator` names the place as far as it matters: every citation that has all of it is right. `ideal` is what a good
answer says, for the overlap criterion; it may be left out.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from factspine.core.errors import UsageError
from factspine.core.locators import Locator, parse

PHRASINGS = 3  # of each question, the first included
_REQUIRED = ("question", "doc", "locator")


@dataclass(frozen=True, slots=True, kw_only=True)
class GoldItem:
    """One question in all its phrasings, and the place that answers it."""

    id: str
    section: str
    phrasings: tuple[str, ...]
    doc: str
    locator: Locator
    ideal: str = ""

    def is_at(self, doc: str, locator: str) -> bool:
        """Whether a citation stands at the place of this item."""
        return doc == self.doc and set(self.locator.pairs) <= set(parse(locator).pairs)


def load_gold(path: Path, phrasings: int = PHRASINGS) -> list[GoldItem]:
    """The items of a file, each with as many phrasings as are asked."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}. Check its path.") from error
    items = [_item(line, number, path, phrasings) for number, line in enumerate(lines, 1) if line.strip()]
    if not items:
        raise UsageError(f"{path} has no question; give one JSON object a line.")
    names = [item.id for item in items]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise UsageError(f"{path} has two questions with the id {twice!r}; every one needs its own.")
    return items


def _item(line: str, number: int, path: Path, phrasings: int) -> GoldItem:
    try:
        record: Any = json.loads(line)
    except ValueError as error:
        raise UsageError(f"line {number} of {path} is not JSON; one object a line.") from error
    if not isinstance(record, dict):
        raise UsageError(f"line {number} of {path} is no JSON object.")
    missing = [name for name in _REQUIRED if not isinstance(record.get(name), str) or not record[name].strip()]
    if missing:
        raise UsageError(f"line {number} of {path} has no text {missing[0]!r}.")
    asked = (record["question"], *map(str, record.get("paraphrases") or ()))
    if len(set(asked)) < phrasings:
        raise UsageError(f"line {number} of {path} has {len(set(asked))} phrasings; {phrasings} are needed.")
    try:
        locator = parse(record["locator"])
    except UsageError as error:
        raise UsageError(f"line {number} of {path} has a locator that is none: {record['locator'][:60]!r}.") from error
    return GoldItem(
        id=str(record.get("id", number)),
        section=str(record.get("section", record["doc"])),
        phrasings=tuple(dict.fromkeys(asked))[:phrasings],
        doc=record["doc"],
        locator=locator,
        ideal=str(record.get("ideal", "")),
    )
