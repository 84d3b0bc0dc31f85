"""The gates of the source standard, which every answer in words passes before it is given.

Every citation has its three fields and is near enough to the question; what an answer says stands in what it cites; and
of an ideal answer, where there is one, what is agreed on stands there too.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from factspine.cite.evidence import evenly_spaced
from factspine.cite.figures import read_figures
from factspine.cite.polarity import contradicts
from factspine.cite.sources import without_sources
from factspine.core.citations import MISSING, SIMILARITY_DECIMALS, SIMILARITY_MIN
from factspine.core.markers import without_markers
from factspine.lexicon.folding import fold

REQUIRED = ("source_filename", "chunk_id", "similarity")
FAR = "low_similarity"  # a citation that is not near enough to be one
UNVERIFIED = "unverified_content"  # an answer of which too little stands in what it cites
VERIFIABLE_MIN = 0.9  # of what an answer says, in the chunks it cites
OVERLAP_MIN = 0.85  # of an ideal answer: said by the answer, and standing in what it cites
_WORDS = re.compile(r"[A-Za-z0-9]+(?:[.,'’-][A-Za-z0-9]+)*|[㐀-鿿]")
_ENDING = re.compile(r"(?:'s|’s|ies|ied|ing|ed|es|s|ly|y|e)$")
_ROOT_MIN = 3
# Words that hold a sentence together and claim nothing; numbers are held against the evidence one by one elsewhere.
_HOLDING = frozenset(
    re.findall(
        r"[a-z]+|[㐀-鿿]",
        """a an the this that these those it its their his her our your they he she we you i and or but so yet if then
        than as of in on at by for from to into onto over under with within about between during after before since
        until while because due owing is are was were be been being am has have had having do does did will would
        shall should can could may might must also both either each all any some such more most less least very which
        who whom whose what when where why how there here per via according same other another
        的了在是和与及为由于因而但也并其该此等将已对从到以之这那个有被把让使所就都还又则或者且""",
    )
)


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


def is_near(citation: Mapping[str, Any]) -> bool:
    """Whether a citation is near enough to be included; one that tells no similarity is no ranked one."""
    similarity = citation.get("similarity")
    return similarity is None or not _is_similarity(similarity) or similarity >= SIMILARITY_MIN


def citation_gate(citations: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    """What the gates say of the citations of an answer: their fields, and that each is near enough."""
    far = (FAR,) if not all(map(is_near, citations)) else ()
    return (*structure_codes(citations), *far)


def is_verifiable(text: str, cited: Sequence[str]) -> bool:
    """Whether at least nine tenths of what a text says stand in what it cites, and not the opposite of it."""
    claimed = without_sources(without_markers(text))
    said = _content(claimed)
    known = {_root(word) for one in cited for word in _words(one)}
    if sum(word in known for word in said) < VERIFIABLE_MIN * len(said):
        return False
    return not contradicts(claimed, cited, _content)


def _content(text: str) -> list[str]:
    """The words of a text that claim something; its numbers, with their units, are held against the evidence apart."""
    text = evenly_spaced(text)
    for figure in reversed(read_figures(text)):
        text = text[: figure.start] + " " + text[figure.end :]
    return [word for word in map(_root, _words(text)) if _is_content(word)]


def _is_content(word: str) -> bool:
    return word not in _HOLDING and not any(mark.isdigit() for mark in word)


def _root(word: str) -> str:
    """An English word without its ending: what is told in another tense or number is the same."""
    cut = _ENDING.sub("", word) if word.isascii() and word not in _HOLDING else word
    return cut if len(cut) >= _ROOT_MIN else word


def _words(text: str) -> list[str]:
    return _WORDS.findall(fold(text).lower())


def _is_similarity(value: Any) -> bool:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return number and 0.0 <= value <= 1.0 and round(value, SIMILARITY_DECIMALS) == value
