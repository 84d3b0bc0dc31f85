"""Findings: what a stage could not do, said in a form that programs can count and people can act on.

A stage returns items *and* findings; nothing is logged and forgotten. Codes are stable: `FS1xx` intake, `FS2xx`
extraction, `FS3xx` interpretation, `FS4xx` lineage, `FS5xx` seals, `FS6xx` access, `FS7xx` answers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Severity = Literal["error", "warning", "info"]

CODES: dict[str, tuple[Severity, str]] = {
    # intake
    "FS101": ("error", "the file is empty"),
    "FS102": ("error", "the file cannot be opened"),
    "FS103": ("error", "the file is larger than a limit allows"),
    "FS104": ("error", "the content is not what the name says"),
    "FS105": ("error", "the container is damaged"),
    "FS106": ("error", "the container is unsafe"),
    "FS107": ("error", "the file is encrypted"),
    "FS108": ("info", "this format is not read"),
    "FS109": ("info", "this format is not read yet"),
    "FS110": ("error", "the file changed while it was read"),
    # extraction
    "FS201": ("error", "the document's structure is damaged"),
    "FS202": ("error", "extraction ran out of memory"),
    "FS203": ("error", "extraction ran out of time"),
    "FS204": ("error", "the extraction process died"),
    "FS205": ("warning", "a formula has no cached value"),
    "FS206": ("warning", "a cell holds an error value"),
    "FS207": ("warning", "a part of the document could not be read"),
    "FS208": ("warning", "a chart holds no data of its own"),
    "FS209": ("info", "a sheet, row or column is hidden"),
    "FS210": ("warning", "the readers disagree about a cell"),
    "FS211": ("info", "pictures may hold numbers that were not read"),
    # interpretation
    "FS301": ("warning", "a total does not foot"),
    "FS302": ("warning", "numeric cells could not be mapped"),
    "FS304": ("warning", "the unit is ambiguous"),
    "FS306": ("error", "a table could not be interpreted"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that could not be done, where, and what to do about it."""

    code: str
    message: str
    locator: str = ""
    remedy: str = ""
    severity: Severity = "warning"

    @classmethod
    def of(cls, code: str, message: str = "", *, locator: str = "", remedy: str = "") -> Finding:
        """A finding with the severity and, unless given, the message its code stands for."""
        severity, meaning = CODES[code]
        return cls(code=code, severity=severity, message=message or meaning, locator=locator, remedy=remedy)
