"""The order of what the engine found: words that stand together, figures where figures are asked for, page after page.

The engine sees words, not phrases. Among the chunks it thinks best, one that has the question's words side by side is
the better one, a row of figures is where a figure stands, and a second hit on a page tells less than one on another.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from factspine.core.chunks import Chunk
from factspine.lexicon.folding import fold

POOL = 40  # hits looked at again; what the engine puts further down is seldom what was meant
_TOGETHER = 0.6
_FIGURES = 0.15
_SAME_PAGE = 0.88  # for each hit of the same page before it
_FIGURE_ASKED = re.compile(
    r"多少|百分之|几(?!种|家|位|类)|"
    r"\b(?:how (?:many|much)|value|amount|total|percent|rate|ratio|number of|average|change)\b",
    re.IGNORECASE,
)
_TOKENS = re.compile(r"[a-z0-9&]+|[㐀-鿿]+")
RERANKER = "factspine-phrases/1"  # what reports call it


def reranked(question: str, terms: Sequence[str], found: Iterable[tuple[float, Chunk]]) -> list[tuple[float, Chunk]]:
    """Scores and chunks, best first; the score says how good a hit is where it stands in the list."""
    pairs = _pairs(fold(question).lower(), terms)
    figures = _FIGURE_ASKED.search(question) is not None
    weighed = [(score * _weight(chunk, pairs, figures=figures), chunk) for score, chunk in found]
    weighed.sort(key=lambda one: (-one[0], one[1].section_id, one[1].chunk_id))
    seen: Counter[tuple[str, int | str]] = Counter()
    placed = []
    for score, chunk in weighed:
        page = chunk.doc_id, chunk.page or chunk.source_locator.partition(",")[0]
        placed.append((score * _SAME_PAGE ** seen[page], chunk))
        # Rows of a sheet are all on one sheet; only pages and slides divide a document into what is read at once.
        seen[page] += chunk.page is not None
    return placed


def _weight(chunk: Chunk, pairs: frozenset[str], *, figures: bool) -> float:
    together = 0.0
    if pairs:
        text = fold(" ".join((chunk.text, *chunk.section))).lower()
        together = sum(pair in text for pair in pairs) / len(pairs)
    return 1 + _TOGETHER * together + (_FIGURES if figures and chunk.kind in ("row", "table") else 0.0)


def _pairs(folded: str, terms: Sequence[str]) -> frozenset[str]:
    """Neighbouring words of a question that both tell something, as they would stand in a text."""
    telling = frozenset(terms)
    found: set[str] = set()
    before = ""
    for run in _TOKENS.findall(folded):
        if run.isascii():
            if before and before in telling and run in telling:
                found.add(f"{before} {run}")
            before = run
            continue
        before = ""
        starts = {at for term in telling for at in range(len(run)) if run.startswith(term, at)}
        ends = {at + len(term) for term in telling for at in range(len(run)) if run.startswith(term, at)}
        found.update(run[at - 1 : at + 1] for at in starts & ends)
    return frozenset(found)
