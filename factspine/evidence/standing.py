"""Whether a fact still holds, and what holds now where it does not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from factspine.core.changes import compare
from factspine.core.facts import Fact
from factspine.store.store import FactStore

State = Literal["current", "superseded", "withdrawn"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """What became of a fact."""

    state: State
    now: Fact | None = None  # of a superseded fact: what the current reading says in its stead, where it says it


def standing_of(store: FactStore, fact: Fact) -> Standing:
    """Whether the reading of a fact is the current one; where not, the fact that followed it, wherever it stands."""
    if not fact.known_to:
        return Standing(state="current")
    current = next((span for span in store.readings() if span.doc_id == fact.source_doc_id), None)
    if current is None:
        return Standing(state="withdrawn")
    reading_id, _, ordinal = fact.fact_id.rpartition(".")
    observed = dict(store.observed([reading_id, current.reading_id]))
    changes = compare(observed[reading_id], observed[current.reading_id])
    after = next((change.after for change in changes if change.before == int(ordinal) - 1), None)
    now = None if after is None else store.fact(f"{current.reading_id}.{after + 1}")
    return Standing(state="superseded", now=now)
