"""What the questions to one store share: its names and labels, read once for each state of it."""

from __future__ import annotations

import weakref
from pathlib import Path
from typing import TYPE_CHECKING, Any

from factspine.ask.features import Features
from factspine.ask.scope import Scope
from factspine.ask.terms import TermIndex
from factspine.lexicon.vocabulary import Vocabulary
from factspine.store.spans import ReadingSpan

if TYPE_CHECKING:
    from factspine.store.store import FactStore

SCOPES_KEPT = 64


class Memory:
    """Names, labels and readings; every key holds the version of the store, so nothing outlives a run."""

    def __init__(self) -> None:
        self.features: dict[str, dict[str, Features]] = {}
        self.terms: dict[tuple[str, ...], TermIndex] = {}
        self.scopes: dict[tuple[Any, ...], Scope | None] = {}
        self.spans: dict[tuple[Any, ...], list[ReadingSpan]] = {}


_MEMORIES: weakref.WeakKeyDictionary[FactStore, Memory] = weakref.WeakKeyDictionary()
_VOCABULARIES: dict[tuple[str, float], Vocabulary] = {}


def memory_of(store: FactStore) -> Memory:
    """The memory of a store; it goes when the store object does."""
    return _MEMORIES.setdefault(store, Memory())


def vocabulary_of(store: FactStore) -> Vocabulary:
    """The vocabulary beside a store, or the built-in one; read again when the file changes."""
    beside = store.path.with_name("vocabulary.toml") if store.path is not None else None
    path: Path | None = beside if beside is not None and beside.exists() else None
    key = ("", 0.0) if path is None else (str(path), path.stat().st_mtime)
    if key not in _VOCABULARIES:
        _VOCABULARIES[key] = Vocabulary.load(path)
    return _VOCABULARIES[key]
