"""FactSpine: a store of facts in which every number knows the cell it came from."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from factspine.ask.answering import answer_question
    from factspine.core.facts import Fact
    from factspine.ingestion.pipeline import ingest
    from factspine.integrity.checker import check
    from factspine.narrative.search import search
    from factspine.store.store import FactStore

__version__ = "0.1.0"
__all__ = ["Fact", "FactStore", "__version__", "answer_question", "check", "ingest", "search"]

# Loaded on first use: the extraction child imports this package too and must not pay for the store.
_PUBLIC = {
    "Fact": "factspine.core.facts",
    "check": "factspine.integrity.checker",
    "answer_question": "factspine.ask.answering",
    "FactStore": "factspine.store.store",
    "ingest": "factspine.ingestion.pipeline",
    "search": "factspine.narrative.search",
}


def __getattr__(name: str) -> Any:
    if name in _PUBLIC:
        return getattr(import_module(_PUBLIC[name]), name)
    raise AttributeError(f"module 'factspine' has no attribute {name!r}")
