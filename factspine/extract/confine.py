"""What the extraction child does to itself before it reads a stranger's file: limits of memory, time and writing."""

from __future__ import annotations

import math
import os
import resource
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_OPEN_FILES_MAX = 256
_PAGE_BYTES = resource.getpagesize()


def confine(memory_bytes: int) -> None:
    """Bounds this process for good: address space, open files, no core dumps, no files written."""
    _lower(resource.RLIMIT_CORE, 0)
    _lower(resource.RLIMIT_NOFILE, _OPEN_FILES_MAX)
    # Not every system enforces an address-space limit; where it cannot be set, the wall limit is what remains.
    with suppress(ValueError, OSError):
        _lower(resource.RLIMIT_AS, memory_bytes)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, resource.getrlimit(resource.RLIMIT_FSIZE)[1]))


def _lower(what: int, allowed: int) -> None:
    hard = resource.getrlimit(what)[1]
    if hard != resource.RLIM_INFINITY:
        allowed = min(allowed, hard)
    resource.setrlimit(what, (allowed, allowed))


@contextmanager
def may_write_bytecode() -> Iterator[None]:
    """Lifts the ban on writing while our own modules are imported, so that their bytecode is compiled once ever."""
    hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
    resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, hard))


def arm_cpu_limit(seconds: float) -> None:
    """From now on this process may use so many seconds of CPU; then the kernel ends it (SIGXCPU)."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    allowed = math.ceil(used.ru_utime + used.ru_stime + seconds)
    resource.setrlimit(resource.RLIMIT_CPU, (allowed, resource.getrlimit(resource.RLIMIT_CPU)[1]))


def resident_bytes() -> int:
    """How much memory this process holds now (where the system tells; else the most it ever held)."""
    try:
        return _memory_pages()[1] * _PAGE_BYTES
    except (OSError, ValueError, IndexError):
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def address_space_bytes() -> int:
    """How much address space this process uses now; nothing where the system does not tell."""
    try:
        return _memory_pages()[0] * _PAGE_BYTES
    except (OSError, ValueError, IndexError):
        return 0


def _memory_pages() -> list[int]:
    return [int(word) for word in Path(f"/proc/{os.getpid()}/statm").read_text().split()]
