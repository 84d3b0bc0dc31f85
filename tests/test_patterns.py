"""Every regular expression of the package ends soon, whatever a document repeats: asterisks, dots, blanks."""

from __future__ import annotations

import importlib
import pkgutil
import re
import signal
from collections.abc import Iterator

import factspine

_ONCE = [
    *"a1*.,- ()[]/%'$:;=_#^+~|x0年月（）¹①注の中…—",
    "\t",
    "1,",
    "1.",
    "1 ",
    "a ",
    "a-",
    ", ",
    "* ",
    "¹ ",
    "a)",
    "1/",
]
_SECONDS = 2.0


class TooSlow(Exception):
    """Raised by the alarm."""


def patterns() -> Iterator[tuple[str, re.Pattern[str]]]:
    """Each compiled pattern with the name it has in its module."""
    for module in pkgutil.walk_packages(factspine.__path__, "factspine."):
        for name, value in vars(importlib.import_module(module.name)).items():
            for one in value if isinstance(value, tuple | list) else (value,):
                for part in one if isinstance(one, tuple) else (one,):
                    if isinstance(part, re.Pattern) and isinstance(part.pattern, str):
                        yield f"{module.name}.{name}", part


def test_no_pattern_hangs_on_what_repeats() -> None:
    """A label of forty asterisks and a letter is a label, not forty minutes."""

    def stop(number: int, frame: object) -> None:
        raise TooSlow

    before = signal.signal(signal.SIGVTALRM, stop)
    slow = []
    try:
        for name, pattern in list(patterns()):  # importing their modules is not timed
            signal.setitimer(signal.ITIMER_VIRTUAL, _SECONDS)
            try:
                for once in _ONCE:
                    pattern.search(once * 40 + "!")
                    pattern.fullmatch(once * 40 + "\0")
            except TooSlow:
                slow.append(f"{name} {once!r}")
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
    assert slow == []
