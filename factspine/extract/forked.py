"""A child made by forking: it has every module the parent has, so that its start costs milliseconds, not a quarter
of a second.

Only a process with one thread is forked: another thread may hold a lock that nobody in the child would ever release.
Everywhere else the sandbox starts a fresh interpreter instead, which is slower and always right.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import IO

_TASKS = Path("/proc/self/task")
_FILES = Path("/proc/self/fd")
_DOZE_MILLISECONDS = 200
_POLL_SECONDS = 0.005
_EXIT_UNFORESEEN = 1
_STANDARD_ERROR = 2
CHILD_ENVIRONMENT = {"LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", "TZ": "UTC"}


def can_fork() -> bool:
    """Whether this process may be forked safely: on Linux, with a single thread of any library."""
    try:
        return sys.platform == "linux" and sum(1 for _ in _TASKS.iterdir()) == 1
    except OSError:
        return False


class ForkedProcess:
    """A forked child, with as much of `subprocess.Popen`'s face as the sandbox looks at."""

    def __init__(self, module: str, arguments: Sequence[str]) -> None:
        ours, theirs = _pipes()
        before = signal.pthread_sigmask(signal.SIG_BLOCK, ())
        try:
            # Libraries are told of a fork by callbacks, in which an interrupt would be printed and forgotten.
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
            self.pid = os.fork()
            if not self.pid:
                _become(module, arguments, theirs, before)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        for handle in theirs:
            os.close(handle)
        self.stdin: IO[bytes] | None = os.fdopen(ours[0], "wb", buffering=0)
        self.stdout: IO[bytes] | None = os.fdopen(ours[1], "rb", buffering=0)
        self.stderr: IO[bytes] | None = os.fdopen(ours[2], "rb", buffering=0)
        self._status: int | None = None

    def wait(self, timeout: float | None = None) -> int:
        """The child's exit status, or minus the signal that ended it."""
        deadline = None if timeout is None else time.monotonic() + timeout
        while self._status is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self._status = os.waitstatus_to_exitcode(status)
            elif deadline is not None and time.monotonic() > deadline:
                raise subprocess.TimeoutExpired("forked child", timeout or 0)
            else:
                _doze(self.pid)
        return self._status


def _doze(pid: int) -> None:
    """Sleeps a little, and not a moment longer than the process lives where the system can tell its end."""
    try:
        handle = os.pidfd_open(pid)
    except (OSError, AttributeError):
        time.sleep(_POLL_SECONDS)
        return
    try:
        poller = select.poll()
        poller.register(handle, select.POLLIN)
        poller.poll(_DOZE_MILLISECONDS)
    finally:
        os.close(handle)


def _pipes() -> tuple[tuple[int, int, int], tuple[int, int, int]]:
    """Three pipes: our ends and the child's, for its standard input, output and error."""
    (child_in, our_in), (our_out, child_out), (our_error, child_error) = os.pipe(), os.pipe(), os.pipe()
    return (our_in, our_out, our_error), (child_in, child_out, child_error)


def _become(module: str, arguments: Sequence[str], pipes: tuple[int, int, int], blocked: Iterable[int]) -> None:
    """Turns the forked copy into a child: its own session, its pipes, nothing else of the parent's. Never returns."""
    try:
        os.setsid()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGPIPE):
            signal.signal(number, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
        for target, handle in enumerate(pipes):
            os.dup2(handle, target)
        _close_all_but_standard()
        # What the parent's own objects wrote to is closed now.
        sys.stdin, sys.stdout, sys.stderr = open(0), open(1, "w"), open(2, "w", errors="backslashreplace")  # noqa: SIM115
        os.chdir("/")
        os.environ.clear()
        os.environ.update(CHILD_ENVIRONMENT)
        time.tzset()
        sys.argv[:] = ["forked", module, *arguments]
        importlib.import_module(module).main()
    except BaseException as error:
        # Only the name of the error: its message may hold text of a document.
        with contextlib.suppress(OSError):
            os.write(_STANDARD_ERROR, f"{type(error).__name__}\n".encode())
    finally:
        os._exit(_EXIT_UNFORESEEN)


def _close_all_but_standard() -> None:
    """The parent's files are not the child's business, its database least of all."""
    for handle in [int(path.name) for path in _FILES.iterdir()]:
        if handle > _STANDARD_ERROR:
            with contextlib.suppress(OSError):
                os.close(handle)
