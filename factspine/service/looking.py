"""Looking into documents: each look starts a process that parses, so that only so many are taken at once."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TypeVar

from anyio import CapacityLimiter, to_thread

Seen = TypeVar("Seen")


class Looking:
    """As many looks at once as there are cores. Who waits holds no thread: questions are answered meanwhile."""

    def __init__(self) -> None:
        self._turns = CapacityLimiter(os.cpu_count() or 1)

    async def at(self, look: Callable[[], Seen]) -> Seen:
        """What a look finds."""
        return await to_thread.run_sync(look, limiter=self._turns)
