"""What the questions to one store share: its names and labels, read once for each state of it."""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from factspine.ask.features import Features
from factspine.ask.scope import Scope
from factspine.ask.terms import TermIndex
from factspine.lexicon.vocabulary import Vocabulary
from factspine.store.snapshot import Snapshot
from factspine.store.spans import ReadingSpan
from factspine.store.vocabularies import kept_vocabulary, version_then

if TYPE_CHECKING:
    from factspine.store.store import FactStore

_SCOPES_KEPT = 64
_LINES_MOST = 200_000
_OPENING_PASSAGES = 2000
_FACTS_FEW = 5_000


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """One state of a store as somebody sees it, and the vocabulary it is read with."""

    snapshot: Snapshot
    version: str
    vocabulary: Vocabulary
    cleared: frozenset[str]  # levels the asker may see


class Memory:
    """Names, labels and readings; every key holds the version of the store, so nothing outlives a run."""

    def __init__(self) -> None:
        self._features: dict[str, dict[str, Features]] = {}
        self._names: dict[tuple[Any, ...], TermIndex] = {}
        self._scopes: dict[tuple[Any, ...], Scope | None] = {}
        self._readings: dict[tuple[Any, ...], list[ReadingSpan]] = {}

    def readings(self, state: State, documents: tuple[str, ...] = ()) -> list[ReadingSpan]:
        """The readings that count; a run changes the version, so they are looked up once for each."""
        key = (state.version, state.cleared, *documents)
        if key not in self._readings:
            if len(self._readings) >= _SCOPES_KEPT:
                self._readings.clear()
            found = state.snapshot.readings(documents)
            self._readings[key] = [span for span in found if span.sensitivity in state.cleared]
        return self._readings[key]

    def names(self, state: State) -> TermIndex:
        """The names that the asker may know of, of all documents: a question may name what is not in this one."""
        key = (state.version, state.vocabulary.version, state.cleared)
        if key not in self._names:
            for other in [known for known in self._names if known[0] != state.version]:
                del self._names[other]
            self._names[key] = TermIndex(state.snapshot.terms(self.readings(state)), state.vocabulary)
        return self._names[key]

    def scope(self, state: State, spans: list[ReadingSpan]) -> Scope | None:
        """The labels of the documents asked of; None where they are too many to look at one by one."""
        key = (state.vocabulary.version, *(span.reading_no for span in spans))
        if key not in self._scopes:
            if len(self._scopes) >= _SCOPES_KEPT:
                self._scopes.pop(next(iter(self._scopes)))
            cache = self._features.setdefault(state.vocabulary.version, {})
            tables = [table for span in spans for table in state.snapshot.heads(span)]
            few = sum(len(table.lines) for table in tables) <= _LINES_MOST
            opening = [text for span in spans for text in state.snapshot.opening(span, _OPENING_PASSAGES)]
            self._scopes[key] = Scope(tables, state.vocabulary, cache, opening) if few else None
        return self._scopes[key]


def is_one_document(spans: Sequence[ReadingSpan]) -> bool:
    """Whether all there is to ask is one document, of a size that is looked through cell by cell."""
    return len({span.doc_id for span in spans}) == 1 and sum(span.fact_count for span in spans) <= _FACTS_FEW


_MEMORIES: weakref.WeakKeyDictionary[FactStore, Memory] = weakref.WeakKeyDictionary()
_VOCABULARIES: dict[tuple[str, float], Vocabulary] = {}


def memory_of(store: FactStore) -> Memory:
    """The memory of a store; it goes when the store object does."""
    return _MEMORIES.setdefault(store, Memory())


def vocabulary_of(store: FactStore, as_of: str | None = None) -> Vocabulary:
    """The vocabulary beside a store, or the built-in one; read again when the file changes. As of a moment, the one
    that was in force then, where it was kept."""
    beside = store.path.with_name("vocabulary.toml") if store.path is not None else None
    if as_of is not None and (version := version_then(store, as_of)) is not None:
        builtin = version == _loaded(None).version
        beside = None if builtin else kept_vocabulary(store, version) or beside
    return _loaded(beside if beside is not None and beside.exists() else None)


def _loaded(path: Path | None) -> Vocabulary:
    key = ("", 0.0) if path is None else (str(path), path.stat().st_mtime)
    if key not in _VOCABULARIES:
        _VOCABULARIES[key] = Vocabulary.load(path)
    return _VOCABULARIES[key]
