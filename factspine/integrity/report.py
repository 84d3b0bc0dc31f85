"""What a check found: findings that hold ids and never text of a document, a summary, and an exit code.

0 clean and every selected check ran      1 integrity errors      3 warnings only
13 expected head not in the chain         14 checks incomplete    130 interrupted
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from factspine.core.findings import CODES, Severity

CLEAN, ERRORS, WARNINGS, HEAD_UNKNOWN, INCOMPLETE, INTERRUPTED = 0, 1, 3, 13, 14, 130
EXPECTED_HEAD = "FS509"
COULD_NOT_RUN = "FS490"
# A million findings of one kind help nobody; how many there are does.
_LISTED_PER_CODE = 1_000

About = Mapping[str, str | int]


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckFinding:
    """One thing that is not as it was sealed. `about` names run, reading, fact, table, passage, document or file."""

    code: str
    severity: Severity
    message: str
    about: About

    @classmethod
    def of(cls, code: str, detail: str = "", /, **about: str | int) -> CheckFinding:
        """A finding with the severity and meaning of its code; `detail` is a word of the check's own."""
        severity, meaning = CODES[code]
        return cls(code=code, severity=severity, message=f"{meaning}: {detail}" if detail else meaning, about=about)

    def as_dict(self) -> dict[str, Any]:
        """The finding as one JSON line."""
        return {"code": self.code, "severity": self.severity, "message": self.message, **self.about}


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckReport:
    """One check. `counts` are exact, `findings` list at most a thousand of each code."""

    level: str
    subset: str
    store_version: str
    head: str
    findings: tuple[CheckFinding, ...]
    counts: Mapping[str, int]  # findings by code
    checked: Mapping[str, int]  # runs, readings, facts, tables, passages, files … that were looked at
    verdicts: Mapping[str, int]  # facts and passages read again: match, moved, changed, missing, file changed
    resumed: int  # steps taken over from an earlier, interrupted check
    interrupted: bool
    seconds: float

    @property
    def ok(self) -> bool:
        """Whether everything that was selected was checked and nothing was found."""
        return self.exit_code == CLEAN

    @property
    def exit_code(self) -> int:
        """The code `factspine check` ends with."""
        if self.interrupted:
            return INTERRUPTED
        if EXPECTED_HEAD in self.counts:
            return HEAD_UNKNOWN
        severities = {CODES[code][0] for code in self.counts if code != COULD_NOT_RUN}
        if "error" in severities:
            return ERRORS
        if COULD_NOT_RUN in self.counts:
            return INCOMPLETE
        return WARNINGS if "warning" in severities else CLEAN

    def summary(self) -> dict[str, Any]:
        """The last line of the report."""
        return {
            "summary": {
                "level": self.level,
                "subset": self.subset,
                "store_version": self.store_version,
                "head": self.head,
                "ok": self.ok,
                "exit_code": self.exit_code,
                "counts": dict(sorted(self.counts.items())),
                "checked": dict(self.checked),
                "verdicts": dict(self.verdicts),
                "resumed": self.resumed,
                "seconds": round(self.seconds, 3),
            }
        }


@dataclass(slots=True)
class Collector:
    """Gathers findings and counts while a check runs; `on_finding` hears of each as it is made."""

    on_finding: Callable[[CheckFinding], None] | None = None
    findings: list[CheckFinding] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    checked: Counter[str] = field(default_factory=Counter)
    verdicts: Counter[str] = field(default_factory=Counter)

    def add(self, code: str, detail: str = "", /, **about: str | int) -> None:
        """One finding."""
        self.take(CheckFinding.of(code, detail, **about))

    def take(self, finding: CheckFinding, count: int = 1) -> None:
        """One finding that was made elsewhere."""
        self.counts[finding.code] += count
        if self.counts[finding.code] <= _LISTED_PER_CODE:
            self.findings.append(finding)
            if self.on_finding is not None:
                self.on_finding(finding)

    def absorb(self, step: Collector) -> None:
        """What one step of the check found."""
        for finding in step.findings:
            self.take(finding)
        listed = Counter(finding.code for finding in step.findings)
        self.counts.update(step.counts - listed)
        self.checked.update(step.checked)
        self.verdicts.update(step.verdicts)
