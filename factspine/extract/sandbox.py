"""The sandbox: children that parse, seen from the parent.

A child serves many requests, so that its start-up is not paid per file. It is replaced when it dies, hangs, speaks
nonsense, or has grown; whatever happens, only the request it was working on is lost, with a finding that says how.
"""

from __future__ import annotations

import contextlib
import os
import re
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import IO, Any

import orjson

from factspine.core.errors import InputRejected, SandboxFailed
from factspine.core.limits import Limits
from factspine.extract.confine import address_space_bytes
from factspine.extract.forked import CHILD_ENVIRONMENT, ForkedProcess, can_fork
from factspine.extract.frames import DONE, FAILED, HEADER, READY, REQUEST, BadFrame, FrameSplitter

EXIT_MEMORY = 12  # the child's own word for "out of memory", when it could still say it
REQUESTS_PER_CHILD = 1_000
_GROWN_SHARE = 3  # a child that still holds a third of its memory after a request is not worth keeping
_START_SECONDS = 60
_READ_BYTES = 1024 * 1024
_PIPE_BYTES = 1024 * 1024
_STDERR_BYTES_MAX = 8 * 1024
_ERROR_NAME = re.compile(rb"^([A-Za-z_][\w.]*(?:Error|Exception|Interrupt))\b", re.M)
# -I and -S: no user site, no environment, no start-up files; the child sees the parent's modules and nothing else.
_BOOT = "import sys; sys.path[:] = sys.argv[3:]; __import__(sys.argv[1]); sys.modules[sys.argv[1]].main()"


@dataclass(frozen=True, slots=True, kw_only=True)
class Allowance:
    """How much time one request may take."""

    cpu_seconds: float
    wall_seconds: float

    @classmethod
    def of(cls, limits: Limits, inflated_bytes: int) -> Allowance:
        """Time in proportion to the content, so that a large report passes and a small trap does not hold us long."""
        cpu = limits.child_cpu_seconds + limits.child_cpu_seconds_per_mib * inflated_bytes / (1024 * 1024)
        return cls(cpu_seconds=cpu, wall_seconds=limits.child_wall_factor * cpu + limits.child_wall_extra_seconds)


class Sandbox:
    """A pool of at most `children_max` children running `module`; threads that call `run` wait for a free one.

    `forked` says that this process has loaded what the children need: they are made at once, by forking it, where that
    is safe. Those that take the place of a dead child are fresh interpreters.
    """

    def __init__(self, module: str, limits: Limits, *, children_max: int = 1, forked: bool = False) -> None:
        self._module = module
        self._limits = limits
        self._idle: list[_Child] = []
        self._busy: set[_Child] = set()
        self._lock = threading.Lock()
        self._free = threading.BoundedSemaphore(children_max)
        self._closed = False
        self.started = 0
        if forked and can_fork():
            self._idle = [_Child(_fork(module, limits), limits) for _ in range(children_max)]
            self.started = children_max

    def run(self, request: Mapping[str, Any], sink: IO[bytes], allowance: Allowance) -> dict[str, Any]:
        """Has a child answer a request: items go to the sink as frames, the totals come back.

        Raises `InputRejected` when the child says that the document cannot be read, `SandboxFailed` when the child
        does not come to an end in order. Either way what is in the sink counts for nothing.
        """
        with self._free:
            kind, answer = self._converse(request, sink, allowance)
        if kind == FAILED:
            raise InputRejected(
                str(answer.get("code", "FS204")),
                str(answer.get("message", "")),
                remedy=str(answer.get("remedy", "")),
                locator=str(answer.get("locator", "")),
            )
        return answer

    def _converse(
        self, request: Mapping[str, Any], sink: IO[bytes], allowance: Allowance
    ) -> tuple[int, dict[str, Any]]:
        child = self._take()
        keep = False
        try:
            message = orjson.dumps({**request, "cpu_seconds": allowance.cpu_seconds})
            kind, payload = child.converse(message, sink, allowance.wall_seconds)
            answer = orjson.loads(payload)
            if not isinstance(answer, dict):
                raise SandboxFailed("FS204", "The extraction process spoke nonsense.")
            keep = self._is_worth_keeping(child, answer)
        except orjson.JSONDecodeError as error:
            raise SandboxFailed("FS204", "The extraction process spoke nonsense.") from error
        finally:
            self._give_back(child, keep=keep)
        return kind, answer

    def close(self) -> None:
        """Ends all children."""
        with self._lock:
            self._closed = True
            idle, busy = list(self._idle), list(self._busy)
            self._idle.clear()
        for child in busy:
            child.end()  # the thread that listens to it sees the end and closes its pipes; nobody else may
        for child in idle:
            child.kill()

    def __enter__(self) -> Sandbox:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _take(self) -> _Child:
        with self._lock:
            if self._closed:
                raise SandboxFailed("FS204", "The sandbox is closed.")
            child = self._idle.pop() if self._idle else None
            if child is None:
                self.started += 1
                child = _Child(_start(self._module, self._limits), self._limits)
            self._busy.add(child)
            return child

    def _give_back(self, child: _Child, *, keep: bool) -> None:
        with self._lock:
            self._busy.discard(child)
            if keep and not self._closed:
                self._idle.append(child)
                return
        child.kill()

    def _is_worth_keeping(self, child: _Child, answer: Any) -> bool:
        grown = int(answer.get("resident_bytes", 0)) * _GROWN_SHARE > self._limits.child_memory_bytes
        return not grown and child.requests < REQUESTS_PER_CHILD


class _Child:
    """One process and the pipes to it."""

    def __init__(self, process: subprocess.Popen[bytes] | ForkedProcess, limits: Limits) -> None:
        self.requests = 0
        self._limits = limits
        self._stderr = b""
        self._process = process
        pipes = (self._process.stdin, self._process.stdout, self._process.stderr)
        self._stdin, self._stdout, self._stderr_pipe = (_descriptor(pipe) for pipe in pipes)
        self._ready = False

    def converse(self, request: bytes, sink: IO[bytes], wall_seconds: float) -> tuple[int, bytes]:
        """Sends a request and passes the answer to the sink; returns its last frame."""
        self.requests += 1
        if not self._ready:
            kind, _ = self._listen(FrameSplitter(sink, 0), time.monotonic() + _START_SECONDS)
            self._ready = kind == READY
        deadline = time.monotonic() + wall_seconds
        self._send(HEADER.pack(len(request), REQUEST) + request, deadline)
        kind, payload = self._listen(FrameSplitter(sink, self._limits.frame_bytes_max), deadline)
        if kind not in (DONE, FAILED):
            raise SandboxFailed("FS204", "The extraction process spoke nonsense.")
        return kind, payload

    def end(self) -> None:
        """Ends the process and everything it may have started."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)

    def kill(self) -> None:
        """Ends the process and lets go of its pipes."""
        self.end()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(timeout=10)
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()

    def _send(self, message: bytes, deadline: float) -> None:
        poller = select.poll()
        poller.register(self._stdin, select.POLLOUT)
        view = memoryview(message)
        while view:
            if not poller.poll(_milliseconds_to(deadline)):
                raise _out_of_time()
            try:
                view = view[os.write(self._stdin, view) :]
            except BlockingIOError:
                continue
            except OSError as error:
                raise self._death() from error

    def _listen(self, splitter: FrameSplitter, deadline: float) -> tuple[int, bytes]:
        """Passes frames on until one of them ends the answer, the child ends, or time is up."""
        poller = select.poll()
        poller.register(self._stdout, select.POLLIN)
        poller.register(self._stderr_pipe, select.POLLIN)
        while True:
            events = dict(poller.poll(_milliseconds_to(deadline)))
            if not events:
                raise _out_of_time()
            if self._stderr_pipe in events and not self._drain_stderr():
                poller.unregister(self._stderr_pipe)
            if self._stdout not in events:
                continue
            block = os.read(self._stdout, _READ_BYTES)
            if not block:
                raise self._death()
            try:
                frame = splitter.feed(block)
            except BadFrame as error:
                raise SandboxFailed("FS204", "The extraction process spoke nonsense.") from error
            if frame is not None:
                return frame

    def _drain_stderr(self) -> bool:
        # What a parser prints may hold cell text: only its end is kept, and only an error's name is ever shown.
        block = os.read(self._stderr_pipe, _READ_BYTES)
        self._stderr = (self._stderr + block)[-_STDERR_BYTES_MAX:]
        return bool(block)

    def _death(self) -> SandboxFailed:
        """What the end of the process says about why."""
        try:
            status = self._process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            return SandboxFailed("FS204", "The extraction process stopped answering.")
        while select.select([self._stderr_pipe], [], [], 0)[0] and self._drain_stderr():
            pass
        # Native code aborts where an allocation fails; the C library says so where not even that is possible.
        if status in (EXIT_MEMORY, -signal.SIGABRT) or b"cannot allocate memory" in self._stderr:
            return out_of_memory(self._limits)
        if status == -signal.SIGXCPU:
            return _out_of_time()
        if status < 0:
            return SandboxFailed(
                "FS204", f"The extraction process was ended by signal {-status}.", remedy="Open and save the document."
            )
        names = _ERROR_NAME.findall(self._stderr)
        if names and names[-1] == b"MemoryError":
            return out_of_memory(self._limits)
        why = f" ({names[-1].decode()})" if names else ""
        return SandboxFailed("FS204", f"The extraction process ended with status {status}{why}.")


def _start(module: str, limits: Limits) -> subprocess.Popen[bytes]:
    """A child in a fresh interpreter."""
    root = str(Path(__file__).resolve().parents[2])
    paths = [root, *(path for path in sys.path if path and path != root)]
    return subprocess.Popen(  # noqa: S603 - our own interpreter and module, no shell
        [sys.executable, "-I", "-S", "-c", _BOOT, module, str(limits.child_memory_bytes), *paths],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd="/",
        env=CHILD_ENVIRONMENT,
        start_new_session=True,
    )


def _fork(module: str, limits: Limits) -> ForkedProcess:
    """A child that is a copy of this process; what this process holds already is not held against it."""
    return ForkedProcess(module, [str(limits.child_memory_bytes + address_space_bytes())])


def out_of_memory(limits: Limits) -> SandboxFailed:
    """The finding for a document that needs more memory than the child may have."""
    return SandboxFailed(
        "FS202",
        f"Extraction needed more than {limits.child_memory_bytes:,} bytes of memory.",
        remedy="Split the document or raise limits.child_memory_bytes.",
    )


def _out_of_time() -> SandboxFailed:
    return SandboxFailed(
        "FS203",
        "Extraction took longer than the document's size allows.",
        remedy="Split the document or raise limits.child_cpu_seconds.",
    )


def _milliseconds_to(deadline: float) -> int:
    return max(0, int((deadline - time.monotonic()) * 1000))


def _descriptor(pipe: IO[bytes] | None) -> int:
    """The descriptor of a pipe that never blocks us, with room for a whole batch where the system allows."""
    if pipe is None:
        raise SandboxFailed("FS204", "The extraction process has no pipes.")
    handle = pipe.fileno()
    os.set_blocking(handle, False)
    with contextlib.suppress(OSError, AttributeError, ImportError):
        import fcntl

        fcntl.fcntl(handle, fcntl.F_SETPIPE_SZ, _PIPE_BYTES)
    return handle
