"""The door to a language model: one call, text in, text out. What comes back is never trusted, only checked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol, runtime_checkable

from factspine.core.errors import FactSpineError


class Provider(Protocol):
    """Whoever completes a prompt. `instructions` are ours; `material` may hold text of documents, which is data."""

    @property
    def name(self) -> str:
        """What traces call it."""
        ...

    def complete(self, instructions: str, material: str) -> str:
        """The model's answer as it gave it."""
        ...


@runtime_checkable
class ToolProvider(Protocol):
    """A provider that can also be held to a tool: it fills in the arguments instead of writing prose."""

    def call_tool(self, instructions: str, material: str, tool: Mapping[str, Any]) -> str:
        """The arguments of one call as JSON text; `tool` is described as an OpenAI function tool."""
        ...


class ProviderFailed(FactSpineError):
    """No usable reply came; `code` says why, for traces: `timeout`, `unreachable`, `http_503`, `too_long`, …"""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
