"""Levels of sensitivity, lowest first, and what a viewer of one may see: that level and everything below it."""

from __future__ import annotations

from factspine.core.errors import UsageError

LEVELS = ("PUBLIC", "INTERNAL", "CONFIDENTIAL", "RESTRICTED")


def cleared_for(viewer: str | None) -> frozenset[str]:
    """The levels a viewer may see; nobody in particular sees what is public."""
    level = (viewer or LEVELS[0]).strip().upper()
    if level not in LEVELS:
        raise UsageError(f"no level {viewer!r}; use one of {', '.join(LEVELS)}.")
    return frozenset(LEVELS[: LEVELS.index(level) + 1])
