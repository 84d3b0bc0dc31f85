"""Levels of sensitivity, lowest first, and what a viewer of one may see: that level and everything below it."""

from __future__ import annotations

from factspine.core.errors import UsageError

LEVELS = ("PUBLIC", "INTERNAL", "CONFIDENTIAL", "RESTRICTED")


def level_of(viewer: str | None) -> str:
    """The level a viewer is cleared for; nobody in particular is cleared for what is public."""
    level = (viewer or LEVELS[0]).strip().upper()
    if level not in LEVELS:
        raise UsageError(f"no level {viewer!r}; use one of {', '.join(LEVELS)}.")
    return level


def cleared_for(viewer: str | None) -> frozenset[str]:
    """The levels a viewer may see."""
    return frozenset(LEVELS[: LEVELS.index(level_of(viewer)) + 1])
