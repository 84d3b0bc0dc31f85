"""The metric code of a label nobody has listed."""

from __future__ import annotations

import re
from functools import lru_cache
from hashlib import sha256

from factspine.lexicon.folding import fold

_LONGEST_SLUG = 80
_SLUG_WORD = re.compile(r"[^\W_]+")
PATH_BREAK = " – "  # between the labels of a path, each of which stands in many paths


def slug(label: str) -> str:
    """A stable metric code for a label nobody has listed: its words in one spelling, joined by underscores."""
    code = "_".join(filter(None, map(_slug_of, label.split(PATH_BREAK))))
    if len(code) <= _LONGEST_SLUG:
        return code
    return f"{code[:_LONGEST_SLUG]}_{sha256(code.encode()).hexdigest()[:8].upper()}"


@lru_cache(maxsize=16384)
def _slug_of(label: str) -> str:
    text = fold(label).upper().replace("'S ", "S ").replace("'", "").replace("%", " PCT ")
    return "_".join(_SLUG_WORD.findall(text))
