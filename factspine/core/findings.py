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
    "FS212": ("warning", "a chart shows other numbers than its own workbook holds"),
    # interpretation
    "FS301": ("warning", "a total does not foot"),
    "FS302": ("warning", "numeric cells could not be mapped"),
    "FS304": ("warning", "the unit is ambiguous"),
    "FS305": ("warning", "the notation of numbers is ambiguous"),
    "FS306": ("error", "a table could not be interpreted"),
    # lineage: what the check finds in the store
    "FS401": ("error", "the database is damaged"),
    "FS402": ("error", "the schema is not the one this version writes"),
    "FS403": ("error", "a row refers to a row that is not there"),
    "FS404": ("error", "a fact is not what was sealed"),
    "FS405": ("error", "the facts of a table are not those that were sealed"),
    "FS406": ("error", "a fact belongs to no sealed reading"),
    "FS407": ("error", "a fact names another reading, table or document than the one it stands in"),
    "FS408": ("error", "a locator cannot be parsed or a value is not canonical"),
    "FS409": ("error", "a stored table is not what was sealed"),
    "FS410": ("error", "a stored table is not what its description says"),
    "FS411": ("error", "a passage is not what was sealed"),
    "FS412": ("error", "the tables or passages of an extraction are not those that were sealed"),
    "FS413": ("error", "the labels, ledger or counts of a table are not what was sealed"),
    "FS414": ("error", "the findings of a reading or rejection are not those that were sealed"),
    "FS415": ("error", "the lineage of a reading is not what its name says"),
    "FS416": ("error", "a fact, label or ledger entry lies outside its table"),
    "FS417": ("error", "a reading has no seal, or a seal no reading"),
    "FS418": ("error", "the bookkeeping of a row (run, size, media type, first number) is not what it must be"),
    # lineage: archived and source files
    "FS420": ("error", "an archived revision is missing"),
    "FS421": ("error", "an archived revision has another size than recorded"),
    "FS422": ("error", "an archived revision is not the bytes that were recorded"),
    "FS423": ("warning", "a source document has changed since it was read"),
    "FS424": ("warning", "a source document is no longer there"),
    # lineage: facts and passages read again
    "FS430": ("error", "a fact reads otherwise in the archived revision"),
    "FS431": ("error", "a fact stands elsewhere in the archived revision"),
    "FS432": ("error", "a fact is not in the archived revision"),
    "FS433": ("error", "a fact is not what its stored cell says"),
    "FS434": ("error", "a passage is not in the archived revision as stored"),
    "FS435": ("warning", "a fact reads otherwise in the source document as it is now"),
    "FS436": ("warning", "a fact stands elsewhere in the source document as it is now"),
    "FS437": ("warning", "a fact is no longer in the source document"),
    "FS438": ("warning", "a passage has changed, moved or gone in the source document"),
    "FS439": ("warning", "the source document can no longer be read"),
    # lineage: the analytic copy, saved answers, checks that could not run
    "FS450": ("error", "the analytic copy differs from the store"),
    "FS460": ("error", "a saved answer cites a fact the store does not hold"),
    "FS461": ("error", "a saved answer gives another value than the fact it cites"),
    "FS462": ("warning", "a saved answer cites a fact that is no longer current"),
    "FS490": ("warning", "a check could not run"),
    # seals
    "FS501": ("error", "a run has no seal"),
    "FS502": ("error", "a seal does not follow from its run"),
    "FS503": ("error", "the chain of seals is broken"),
    "FS504": ("error", "the events of a run are not those that were sealed"),
    "FS505": ("error", "an event is not what was sealed"),
    "FS506": ("error", "the seal of a reading does not follow from its parts"),
    "FS507": ("error", "the head log names a seal that the chain does not have"),
    "FS508": ("warning", "the head log lacks runs of the chain"),
    "FS509": ("error", "the expected head is not in the chain"),
    "FS510": ("error", "a proof does not hold"),
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
