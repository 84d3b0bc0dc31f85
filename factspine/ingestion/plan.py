"""What an ingest has to do: the folder as it is now, compared with what the store holds of it.

A document whose bytes, extractor and mapping are those of its current reading costs its hash and nothing more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from factspine.core.errors import UsageError
from factspine.core.findings import Finding
from factspine.core.limits import Limits
from factspine.extract.registry import ROWS
from factspine.sources.folder import Hashed

# Rejections that depend on the machine, its load and the limits as much as on the bytes: each ingest tries again.
RETRIED_CODES = frozenset(("FS102", "FS103", "FS110", "FS202", "FS203", "FS204"))
LIVE = frozenset(("ingested", "updated"))


class KnownDocument(Protocol):
    """What the store says of a document now."""

    @property
    def status(self) -> str: ...
    @property
    def file_hash(self) -> str: ...
    @property
    def extractor_version(self) -> str: ...
    @property
    def mapping_version(self) -> str: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """A document that is known to be unreadable without opening it again."""

    found: Hashed
    findings: tuple[Finding, ...]
    recorded: bool  # the store says so already


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Every document of the folder in one of these, and those that are gone."""

    read: tuple[Hashed, ...]
    refused: tuple[Refusal, ...]
    unchanged: tuple[Hashed, ...]
    gone: tuple[str, ...]

    @property
    def changes_nothing(self) -> bool:
        """Whether the store already says all this."""
        return not (self.read or self.gone or any(not refusal.recorded for refusal in self.refused))


def make_plan(
    documents: Sequence[Hashed],
    known: Mapping[str, KnownDocument],
    *,
    mapping_version: str,
    limits: Limits,
    rejected_with: Callable[[str], tuple[Finding, ...]],
    candidates: Iterable[str],
) -> Plan:
    """Sorts the documents of a folder. `rejected_with` gives the findings of a document the store says is rejected;
    `candidates` are the documents that count as gone when the folder does not hold them."""
    read, refused, unchanged = [], [], []
    for found in documents:
        state = known.get(found.file.doc_id)
        if found.error:
            refused.append(_unopened(found, state, limits))
        elif state is None or state.file_hash != found.sha256 or state.status == "withdrawn":
            read.append(found)
        elif state.status == "rejected":
            findings = rejected_with(found.file.doc_id)
            if _is_final(findings, state):
                refused.append(Refusal(found=found, findings=findings, recorded=True))
            else:
                read.append(found)
        elif state.mapping_version == mapping_version and _is_current(state.extractor_version):
            unchanged.append(found)
        else:
            read.append(found)
    here = {found.file.doc_id for found in documents}
    gone = sorted(doc for doc in candidates if doc not in here and doc in known and known[doc].status != "withdrawn")
    return Plan(read=tuple(read), refused=tuple(refused), unchanged=tuple(unchanged), gone=tuple(gone))


def require_some_left(folder: Path, plan: Plan) -> Plan:
    """The plan for a folder that holds no document, unless it would withdraw all that were there.

    One file that is gone was deleted by somebody. Several at once that leave nothing behind hardly were: more often a
    disk is not mounted.
    """
    if len(plan.gone) > 1:
        raise UsageError(
            f"{folder} holds no document, and {len(plan.gone):,} were there before; nothing was changed. "
            "Make sure that its disk is mounted, or withdraw them all with --allow-empty."
        )
    return plan


def _unopened(found: Hashed, state: KnownDocument | None, limits: Limits) -> Refusal:
    """A file whose bytes could not be had, or are too many."""
    if found.error == "LimitExceeded":
        finding = Finding.of(
            "FS103",
            f"file_bytes_max is {found.file.size:,}; the limit is {limits.file_bytes_max:,}.",
            remedy="Split the document or raise limits.file_bytes_max.",
        )
        return Refusal(found=found, findings=(finding,), recorded=_is_recorded_unopened(state))
    finding = Finding.of(
        "FS102", f"The file cannot be opened ({found.error}).", remedy="Check its permissions and ingest again."
    )
    # What cannot be opened may be what it was: a live document stays as it is until its bytes are seen again.
    live = state is not None and state.status in LIVE
    return Refusal(found=found, findings=(finding,), recorded=live or _is_recorded_unopened(state))


def _is_recorded_unopened(state: KnownDocument | None) -> bool:
    return state is not None and state.status == "rejected" and not state.file_hash


def _is_final(findings: Sequence[Finding], state: KnownDocument) -> bool:
    """Whether trying again with the same bytes cannot end otherwise."""
    if not findings or any(finding.code in RETRIED_CODES for finding in findings):
        return False
    return not state.extractor_version or _is_current(state.extractor_version)


def _is_current(extractor_version: str) -> bool:
    return any(row.version == extractor_version for row in ROWS.values())
