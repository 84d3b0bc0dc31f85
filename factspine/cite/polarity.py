"""Whether a clause says the opposite of the one it was taken from: a `not` put in or left out, rose for fell.

All its words but one may stand in the source, and all its numbers; what it says is still false.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from factspine.cite.directions import directions_in
from factspine.lexicon.folding import fold

_CLAUSE = re.compile(
    r"[,;:!?](?!\d)|\.(?=\s|$)|[，；：。！？、|\n]|\b(?:but|while|whereas|although|though|however)\b|而|但",
    re.IGNORECASE,
)
_NEGATION = re.compile(
    r"\b(?:not|no|never|none|neither|nor|without|cannot|nobody|nothing)\b|n['’]t\b|"
    r"不(?![足同断少仅但])|没有?|未(?!来)|无(?!形|线|锡|论|人|菌)|非(?!洲|常)",
    re.IGNORECASE,
)
_ALIKE = 0.7  # of a clause's words in another one, to be taken from it


def contradicts(text: str, cited: Sequence[str], words_of: Callable[[str], list[str]]) -> bool:
    """Whether a clause of a text is nearly one of the cited clauses, and says the opposite of it."""
    known = [(clause, set(words_of(clause))) for one in cited for clause in _clauses(one)]
    for clause in _clauses(text):
        own = words_of(clause)
        shares = [(sum(word in words for word in own) / len(own), other) for other, words in known] if own else []
        best = max((share for share, _ in shares), default=0.0)
        # Where several are as near, one that agrees is enough.
        nearest = [other for share, other in shares if share == best]
        if best >= _ALIKE and all(_is_opposite(clause, other) for other in nearest):
            return True
    return False


def _clauses(text: str) -> list[str]:
    return [clause for clause in _CLAUSE.split(fold(text)) if clause.strip()]


def _is_opposite(clause: str, other: str) -> bool:
    if bool(_NEGATION.search(clause)) != bool(_NEGATION.search(other)):
        return True
    ours, theirs = directions_in(clause), directions_in(other)
    return bool(ours and theirs) and ours.isdisjoint(theirs)
