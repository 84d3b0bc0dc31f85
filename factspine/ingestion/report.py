"""What an ingest did, document by document, in the form programs read (`factspine ingest --json`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from factspine.core.changes import ChangeCounts
from factspine.core.findings import Finding
from factspine.sources.folder import Hashed, Unseen

Status = Literal["ingested", "unchanged", "updated", "withdrawn", "rejected"]

# A format that FactSpine knows and does not read is no fault of the file.
NOT_READ_CODES = frozenset(("FS108",))


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentReport:
    """One document: what became of it, and how much of it was read."""

    doc: str
    status: Status
    file_hash: str = ""
    facts: int = 0
    passages: int = 0
    tables: int = 0
    numeric_cells: int = 0
    unmapped: int = 0
    findings: tuple[Finding, ...] = ()
    seconds: float = 0.0
    changes: Mapping[str, Any] | None = None  # added, changed, moved, vanished, unchanged, and the first such facts

    @property
    def coverage(self) -> float | None:
        """Of the numeric cells that are data, the share that became facts; None where there are none.

        Data are all numeric cells of tables but those excluded with a reason (a year in a header, a row number, a note
        reference …): what is left is either a fact or unmapped.
        """
        data = self.facts + self.unmapped
        return round(self.facts / data, 6) if data else None

    @property
    def not_read(self) -> bool:
        """Whether it was left alone because its format is not read (yet)."""
        return self.status == "rejected" and all(finding.code in NOT_READ_CODES for finding in self.findings)

    def _changes(self) -> dict[str, Any] | None:
        if self.status == "unchanged":  # worked out here alone: most documents of most runs are
            return {**ChangeCounts(unchanged=self.facts).as_dict(), "facts": []}
        return None if self.changes is None else dict(self.changes)

    def as_dict(self) -> dict[str, Any]:
        """The document's entry in the report."""
        return {
            "doc": self.doc,
            "status": self.status,
            "file_hash": self.file_hash,
            "facts": self.facts,
            "chunks": self.passages,
            "tables": self.tables,
            "numeric_cells": self.numeric_cells,
            "coverage": self.coverage,
            "findings": [_finding(finding) for finding in self.findings],
            "changes": self._changes(),
            "seconds": round(self.seconds, 4),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class IngestReport:
    """One ingest. `run_id` is None where nothing had changed: then no run was written."""

    run_id: str | None
    head: str  # the seal at the end of the chain: note it elsewhere, and later changes to the store can be told
    documents: tuple[DocumentReport, ...]
    skipped: int  # files that are no documents
    seconds: float
    head_logged: bool = True  # whether a head that this ingest made is also written down outside the store
    # Saved answers that would now be others; None where they cannot be read. The walk itself asks nothing.
    stale_answers: tuple[Mapping[str, Any], ...] | None = ()

    @property
    def totals(self) -> Mapping[str, Any]:
        """Sums over all documents. `rejected` counts files that should have been read; `not_read` those of formats
        that are not."""
        counts = dict.fromkeys(("ingested", "updated", "unchanged", "withdrawn", "rejected", "not_read"), 0)
        for document in self.documents:
            counts["not_read" if document.not_read else document.status] += 1
        facts = sum(document.facts for document in self.documents)
        data = facts + sum(document.unmapped for document in self.documents)
        return {
            "documents": len(self.documents),
            **counts,
            "skipped": self.skipped,
            "facts": facts,
            "chunks": sum(document.passages for document in self.documents),
            "tables": sum(document.tables for document in self.documents),
            "numeric_cells": sum(document.numeric_cells for document in self.documents),
            "coverage": round(facts / data, 6) if data else None,
            "findings": sum(len(document.findings) for document in self.documents),
            "seconds": round(self.seconds, 4),
        }

    def as_dict(self) -> dict[str, Any]:
        """The report as one JSON object."""
        return {
            "run_id": self.run_id,
            "head": self.head,
            "head_logged": self.head_logged,
            "documents": [document.as_dict() for document in self.documents],
            "totals": dict(self.totals),
            "stale_answers": None if self.stale_answers is None else [dict(one) for one in self.stale_answers],
        }


def _finding(finding: Finding) -> dict[str, str]:
    return {
        "code": finding.code,
        "severity": finding.severity,
        "message": finding.message,
        "locator": finding.locator,
        "remedy": finding.remedy,
    }


def unchanged(found: Hashed) -> DocumentReport:
    """A document that is what it was when it was read."""
    return DocumentReport(doc=found.file.doc_id, status="unchanged", file_hash=found.sha256)


def not_seen(unseen: Unseen) -> DocumentReport:
    """A folder or a file that could not be looked at."""
    what = "folder cannot be listed" if unseen.name.endswith("/") else "file cannot be looked at"
    finding = Finding.of(
        "FS102",
        f"The {what} ({unseen.error}); what the store holds of it stays.",
        remedy="Check its permissions and ingest again.",
    )
    return DocumentReport(doc=unseen.name, status="rejected", findings=(finding,))


def refused(found: Hashed, findings: tuple[Finding, ...]) -> DocumentReport:
    """A document that was not read, and why."""
    return DocumentReport(doc=found.file.doc_id, status="rejected", file_hash=found.sha256, findings=findings)
