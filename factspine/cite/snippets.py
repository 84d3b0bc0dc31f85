"""Whether a snippet stands in a text: letter for letter first, then under one declared normalisation."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal

from factspine.lexicon.folding import fold

Match = Literal["exact", "normalised", "none"]
# The declared normalisation: width, quotes, dashes and invisible marks folded, runs of white space one space, none
# beside Chinese characters. Case, digits and words are never touched.
NORMALISATION = "width+quotes+dashes+space/1"
_SPACE = re.compile(r"\s+")
_CJK_SPACE = re.compile(r"(?<=[㐀-鿿，。；：！？、]) | (?=[㐀-鿿，。；：！？、])")
_WORDS = re.compile(r"[A-Za-z0-9]+(?:[.,'’-][A-Za-z0-9]+)*|[㐀-鿿]")


@lru_cache(maxsize=4096)
def normalise(text: str) -> str:
    """A text under the declared normalisation."""
    return _CJK_SPACE.sub("", _SPACE.sub(" ", _keep_script(text))).strip()


def _keep_script(text: str) -> str:
    # Folding also turns traditional into simplified script; a quotation is not a translation.
    return "".join(one if "㐀" <= one <= "鿿" else fold(one) for one in text)


def match_snippet(snippet: str, text: str) -> Match:
    """How a snippet was found in a text."""
    if not snippet.strip():
        return "none"
    if snippet in text:
        return "exact"
    return "normalised" if normalise(snippet) in normalise(text) else "none"


def word_overlap(text: str, evidence: str) -> float:
    """The share of a text's words that its evidence has too; 1 where it has no words."""
    words = _WORDS.findall(fold(text).lower())
    known = set(_WORDS.findall(fold(evidence).lower()))
    return sum(word in known for word in words) / len(words) if words else 1.0
