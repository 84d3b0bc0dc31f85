"""A model words an answer from passages that were found; only what the passages say gets through.

It is sent the question and the passages the asker may see, between fences. What comes back is checked, repaired once,
cut to what stands, or refused. Only where no model could be asked does the question have the answer it has without one.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from factspine.cite.enforcement import enforce
from factspine.core.citations import Citation
from factspine.core.providers import Provider
from factspine.narrative.answers import NarrativeAnswer
from factspine.narrative.search import Hit

PASSAGES_MAX = 8
CHARACTERS_MAX = 12_000  # of all passages together


def write(question: str, told: NarrativeAnswer, provider: Provider) -> NarrativeAnswer:
    """The model's answer as far as it stands, or a refusal; what was told before where there was no model to ask."""
    retrieved = _passages(told.retrieved.hits)
    if not retrieved:
        return told
    try:
        enforced = enforce(question, retrieved, provider)
    except Exception:
        # A provider is somebody else's code; whatever happens in it, the question has its answer without it.
        return told
    if enforced.mode != "answer":
        return told.refused(enforced.codes)
    citations = tuple(Citation.from_dict(record) for record in enforced.citations)
    return replace(told, mode="answer", answer=enforced.answer, citations=citations, candidates=())


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
