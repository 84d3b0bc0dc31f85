"""A check that was interrupted goes on where it stopped: each finished step is one line of a file.

The first line says what is checked. A file of another check, of a finished one, or of a store whose chain no longer
holds the head it began with is begun anew.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

from factspine.integrity.report import CheckFinding, Collector


class StepLog:
    """The steps of one check that are done, on disk; without a path, nowhere."""

    def __init__(self, path: Path | None, plan: Mapping[str, Any], heads: set[str]) -> None:
        self._path = path
        self.done: dict[str, Collector] = {}
        if path is None:
            self._stream = None
            return
        kept = self._read(path, dict(plan), heads)
        # Written anew: a line that was cut short must not run into the next.
        self._stream = path.open("w", encoding="utf-8")
        self._stream.writelines(line + "\n" for line in kept)
        if not kept:
            self._write({"plan": dict(plan)})

    def _read(self, path: Path, plan: dict[str, Any], heads: set[str]) -> list[str]:
        """The lines of a check to go on with; none where there is none, or another."""
        try:
            lines = path.read_text(encoding="utf-8").splitlines()
        except FileNotFoundError:
            return []
        done: dict[str, Collector] = {}
        for number, line in enumerate(lines):
            try:
                entry = json.loads(line)
            except ValueError:
                lines = lines[:number]  # the line that was being written when the check was stopped
                break
            if number == 0:
                began = entry.get("plan", {})
                if began.get("head") not in heads or {**began, "head": ""} != {**plan, "head": ""}:
                    return []
            elif "finished" in entry:
                return []
            else:
                done[entry["step"]] = _collected(entry)
        self.done = done
        return lines

    def add(self, step: str, found: Collector) -> None:
        """A step is done."""
        if self._stream is None:
            return
        self._write(
            {
                "step": step,
                "findings": [(one.code, one.severity, one.message, dict(one.about)) for one in found.findings],
                "counts": dict(found.counts),
                "checked": dict(found.checked),
                "verdicts": dict(found.verdicts),
            }
        )

    def finish(self) -> None:
        """All steps are done: the next check begins anew."""
        if self._stream is not None:
            self._write({"finished": True})

    def _write(self, entry: dict[str, Any]) -> None:
        if self._stream is not None:
            self._stream.write(json.dumps(entry) + "\n")
            self._stream.flush()

    def __enter__(self) -> StepLog:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._stream is not None:
            self._stream.close()


def _collected(entry: dict[str, Any]) -> Collector:
    found = Collector()
    for code, severity, message, about in entry["findings"]:
        found.findings.append(CheckFinding(code=code, severity=severity, message=message, about=about))
    found.counts.update(entry["counts"])
    found.checked.update(entry["checked"])
    found.verdicts.update(entry["verdicts"])
    return found
