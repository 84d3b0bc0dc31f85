"""A model words an answer from passages that were found; only what the passages say gets through.

It is sent the question and the passages the asker may see, between fences. What comes back is checked, repaired once,
cut to what stands, or refused; then the question has the answer it had without a model.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from factspine.cite.enforcement import enforce
from factspine.core.citations import Citation
from factspine.core.providers import Provider
from factspine.narrative.answers import NarrativeAnswer
from factspine.narrative.search import Hit

PASSAGES_MAX = 8
CHARACTERS_MAX = 12_000  # of all passages together


class Written(NamedTuple):
    """What a model wrote and what it rests on."""

    text: str
    citations: tuple[Citation, ...]


def write(question: str, told: NarrativeAnswer, provider: Provider) -> Written | None:
    """The model's answer as far as it stands; None where nothing of it does, or it has none."""
    retrieved = _passages(told.retrieved.hits)
    if not retrieved:
        return None
    try:
        enforced = enforce(question, retrieved, provider)
    except Exception:
        # A provider is somebody else's code; whatever happens in it, the question has its answer without it.
        return None
    if enforced.mode != "answer" or not enforced.citations:
        return None
    return Written(enforced.answer, tuple(Citation.from_dict(record) for record in enforced.citations))


def _passages(hits: tuple[Hit, ...]) -> list[dict[str, Any]]:
    """The best passages as a model gets them, as many as it is reasonable to send."""
    found: list[dict[str, Any]] = []
    left = CHARACTERS_MAX
    for hit in hits[:PASSAGES_MAX]:
        left -= len(hit.chunk.text)
        if left < 0:
            break
        found.append({**hit.citation.as_dict(), "snippet_id": hit.chunk.chunk_id, "text": hit.chunk.text})
    return found
