"""Why a question reaches no document at all: no document is called so, or the store knew nothing then."""

from __future__ import annotations

from factspine.store.store import FactStore


def out_of_reach(store: FactStore, documents: tuple[str, ...], as_of: str | None) -> tuple[str, tuple[str, ...]] | None:
    """The code of the reason and its words, for whoever sees this much of the store; None where neither holds."""
    if as_of is not None and not store.documents(as_of=as_of):
        first = next(iter(store.runs()), None)
        return None if first is None else ("nothing_known_then", (as_of, first.finished_at))
    return ("no_such_document", documents) if documents else None
