"""The gates of the source standard: every citation has its three fields, and what is agreed on stands in them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from factspine.core.citations import MISSING, SIMILARITY_DECIMALS
from factspine.lexicon.folding import fold

REQUIRED = ("source_filename", "chunk_id", "similarity")
OVERLAP_MIN = 0.85  # of an ideal answer: said by the answer, and standing in what it cites
_WORDS = re.compile(r"[A-Za-z0-9]+(?:[.,'’-][A-Za-z0-9]+)*|[㐀-鿿]")


def structure_codes(citations: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    """What the structure gate says: nothing where every citation has its fields and a similarity as it must be."""
    if not citations:
        return ("empty_citations",)
    codes = [MISSING + name for one in citations for name in REQUIRED if one.get(name) in (None, "")]
    given = [one["similarity"] for one in citations if one.get("similarity") is not None]
    if not all(_is_similarity(value) for value in given):
        codes.append("missing_score")  # a score that is none
    return tuple(dict.fromkeys(codes))


def word_overlap(text: str, *others: str) -> float:
    """The share of a text's words that each of the others has too; 1 where it has no words."""
    words = _words(text)
    known = [set(_words(other)) for other in others]
    return sum(all(word in one for one in known) for word in words) / len(words) if words else 1.0


def _words(text: str) -> list[str]:
    return _WORDS.findall(fold(text).lower())


def _is_similarity(value: Any) -> bool:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return number and 0.0 <= value <= 1.0 and round(value, SIMILARITY_DECIMALS) == value
