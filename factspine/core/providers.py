"""The door to a language model: one call, text in, text out. What comes back is never trusted, only checked."""

from __future__ import annotations

from typing import Protocol


class Provider(Protocol):
    """Whoever completes a prompt. `instructions` are ours; `material` may hold text of documents, which is data."""

    @property
    def name(self) -> str:
        """What traces call it."""
        ...

    def complete(self, instructions: str, material: str) -> str:
        """The model's answer as it gave it."""
        ...
