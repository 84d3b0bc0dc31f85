"""A period as people write it into a filter: in any form that reads as one."""

from __future__ import annotations

import re

from factspine.core.errors import UsageError
from factspine.lexicon.periods import find_period

_RANGE = re.compile(r"\d{4}-\d{2}-\d{2}/\d{4}-\d{2}-\d{2}")
_FORMS = "2024, 2024H1, 2024Q3, 2024-03, 2024-12-31 or 2024-01-01/2024-09-30"


def canonical_period(text: str) -> str:
    """The canonical period that a text says, all of it: `Q1 FY2025` is 2025Q1. Empty where nothing is asked for."""
    text = text.strip()
    if not text or _RANGE.fullmatch(text):
        return text
    found = find_period(text)
    if found is None or (found.span_start, found.span_end) != (0, len(text)):
        raise UsageError(f"{text!r} is no period; write it as {_FORMS}.")
    return found.period
