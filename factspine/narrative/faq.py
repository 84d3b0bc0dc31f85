"""Vetted answers: a question that somebody has answered for good is answered with that, and with that answer's source.

    [[faq]]
    question = "What is the complaints hotline?"
    aliases = ["complaints phone number", "投诉电话是多少"]
    answer = "The complaints hotline is 2000 1234."
    doc = "handbook.pptx"
    locator = "slide=3,shape=2,para=1"
    until = 2026-12-31

A question matches exactly or by an alias, up to width, case and punctuation; never by likeness. Past its last day an
entry is silent. Numbers of the store are never answered this way: whoever asks passes metric questions by.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from factspine.core.citations import Citation, Offsets
from factspine.core.errors import UsageError
from factspine.core.hashing import identify
from factspine.lexicon.folding import key_of

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
    rev: str = ""

    def citation(self) -> Citation:
        """The entry's source as a citation; its text is its own evidence."""
        name = "faq_" + identify("faq", self.question, self.answer, self.doc, self.locator).hex()[:12]
        return Citation(
            doc_id=self.doc,
            section_id="faq",
            snippet_id=name,
            chunk_id=name,
            source_filename=self.doc.rpartition("/")[2],
            source_url=f"factspine:{self.doc}#{self.locator}",
            locator=self.locator,
            snippet=self.answer,
            offsets=Offsets(0, len(self.answer)),
            tokens=len(self.answer.split()),
            index_hash="faq",
            analyzer="exact",
            rev=self.rev or "vetted",
            score_raw=1.0,
            score_norm=1.0,
            similarity=1.0,
            k_pos=1,
            k_final=1,
        )


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
        except tomllib.TOMLDecodeError as error:
            raise UsageError(f"{path} is not TOML: {error}") from error
        return cls([_entry(row, number, path) for number, row in enumerate(rows, 1)], today=today)

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
