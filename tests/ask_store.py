"""The demo documents in a store, made once for all tests that ask it something."""

from __future__ import annotations

import tempfile
from datetime import date
from functools import cache
from pathlib import Path

from factspine import FactStore, answer_question, ingest
from factspine.core.answers import Answer

DOCUMENTS = Path(__file__).resolve().parent.parent / "data" / "documents"
TODAY = date(2025, 5, 1)
_FOLDERS: list[tempfile.TemporaryDirectory[str]] = []  # kept until the process ends


@cache
def demo_store() -> FactStore:
    """A store with the demo documents."""
    folder = tempfile.TemporaryDirectory()
    _FOLDERS.append(folder)
    store = FactStore(Path(folder.name) / "facts.db")
    store.init_schema()
    ingest(DOCUMENTS, store)
    return store


def ask(question: str, **options: object) -> Answer:
    """A question to the demo documents, on the first of May 2025."""
    return answer_question(question, demo_store(), today=TODAY, **options)  # type: ignore[arg-type]
