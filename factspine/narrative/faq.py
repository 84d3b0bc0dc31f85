"""Vetted answers: a question that somebody has answered for good is answered with that, and with that answer's source.

    [[faq]]
    question = "What is the complaints hotline?"
    aliases = ["complaints phone number", "投诉电话是多少"]
    answer = "The complaints hotline is 2000 1234."
    doc = "handbook.pptx"
    locator = "slide=3,shape=2,para=1"
    until = 2026-12-31

A question matches exactly or by an alias, up to width, case and punctuation; never by likeness. Past its last day an
entry is silent. Questions for numbers are never answered this way: whoever asks passes them by.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from factspine.core.errors import UsageError
from factspine.lexicon.folding import key_of

FILE_NAME = "faq.toml"
_REQUIRED = ("question", "answer", "doc", "locator")


@dataclass(frozen=True, slots=True, kw_only=True)
class FaqEntry:
    """One vetted answer with its own source."""

    question: str
    answer: str
    doc: str
    locator: str
    aliases: tuple[str, ...] = ()
    until: date | None = None


class Faq:
    """Vetted answers by question; `today` decides which still hold."""

    def __init__(self, entries: Iterable[FaqEntry], *, today: date) -> None:
        self._by_key: dict[str, FaqEntry] = {}
        for entry in entries:
            if entry.until is not None and entry.until < today:
                continue
            for text in (entry.question, *entry.aliases):
                known = self._by_key.setdefault(key_of(text), entry)
                if known is not entry:
                    raise UsageError(f"two vetted answers for one question: {text[:60]!r}; leave one of them out")

    @classmethod
    def load(cls, path: Path, *, today: date) -> Faq:
        """The entries of a TOML file."""
        try:
            rows = tomllib.loads(path.read_text(encoding="utf-8")).get("faq", [])
        except OSError as error:
            raise UsageError(f"{path} cannot be read: {error.strerror}. Check its path.") from error
        except tomllib.TOMLDecodeError as error:
            raise UsageError(f"{path} is not TOML: {error}") from error
        return cls([_entry(row, number, path) for number, row in enumerate(rows, 1)], today=today)

    @classmethod
    def beside(cls, store_path: Path | None, *, today: date) -> Faq | None:
        """The entries that lie beside a store, as its vocabulary does; None where there are none."""
        path = None if store_path is None else store_path.with_name(FILE_NAME)
        return cls.load(path, today=today) if path is not None and path.is_file() else None

    def find(self, question: str) -> FaqEntry | None:
        """The vetted answer to exactly this question."""
        return self._by_key.get(key_of(question))


def _entry(row: dict[str, Any], number: int, path: Path) -> FaqEntry:
    missing = [name for name in _REQUIRED if not row.get(name)]
    if missing:
        raise UsageError(f"entry {number} of {path} has no {missing[0]}; a vetted answer needs its source")
    known = {**row, "aliases": tuple(row.get("aliases", ()))}
    unknown = set(known) - set(FaqEntry.__dataclass_fields__)
    if unknown:
        raise UsageError(f"entry {number} of {path} has {sorted(unknown)[0]!r}; see the README for what there is")
    return FaqEntry(**known)
