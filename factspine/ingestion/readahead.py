"""Several documents are read at once and written one after the other, in the order of their names.

Reading may run ahead of writing by a bounded number of documents. The few largest start first, whatever their names:
a large document that starts last keeps one core busy while the others wait.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from types import TracebackType
from typing import Generic, TypeVar

Job = TypeVar("Job")
Result = TypeVar("Result")

AHEAD_MAX = 128
_EARLY_MAX = 16


class ReadAhead(Generic[Job, Result]):
    """Does `work` for each job in threads; iterating gives job and result in the order the jobs came in."""

    def __init__(
        self,
        jobs: Sequence[Job],
        work: Callable[[Job], Result],
        *,
        threads: int,
        early: Callable[[Job], int] = lambda _: 0,
        ahead_max: int = AHEAD_MAX,
    ) -> None:
        self._jobs = jobs
        self._work = work
        self._ahead_max = ahead_max
        ranked = sorted((-early(job), place) for place, job in enumerate(jobs) if early(job))
        self._early = deque(place for _, place in ranked[:_EARLY_MAX])
        ahead = set(self._early)
        self._waiting = deque(place for place in range(len(jobs)) if place not in ahead)
        self._results: dict[int, Result | BaseException] = {}
        self._written = 0
        self._closed = False
        self._changed = threading.Condition()
        self._threads = [
            threading.Thread(target=self._loop, name=f"read-ahead-{number}", daemon=True)
            for number in range(min(threads, len(jobs)))
        ]

    def __enter__(self) -> ReadAhead[Job, Result]:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()
        for thread in self._threads:
            thread.join()

    def stop(self) -> None:
        """No further job is begun."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def __iter__(self) -> Iterator[tuple[Job, Result]]:
        for place, job in enumerate(self._jobs):
            with self._changed:
                while place not in self._results:
                    self._changed.wait()
                result = self._results.pop(place)
            if isinstance(result, BaseException):
                raise result
            yield job, result
            with self._changed:
                self._written = place + 1
                self._changed.notify_all()

    def _loop(self) -> None:
        while (place := self._next()) is not None:
            try:
                result: Result | BaseException = self._work(self._jobs[place])
            except BaseException as error:
                result = error
            with self._changed:
                self._results[place] = result
                self._changed.notify_all()

    def _next(self) -> int | None:
        with self._changed:
            while not self._closed:
                if self._early:
                    return self._early.popleft()
                if not self._waiting:
                    return None
                if self._waiting[0] < self._written + self._ahead_max:
                    return self._waiting.popleft()
                self._changed.wait()
            return None
