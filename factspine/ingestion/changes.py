"""What a run did to the facts of each document: added, changed, moved, vanished, unchanged.

Documents seen for the first time, gone, or left alone need no comparison; the others are compared fact by fact.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from factspine.core.changes import Change, ChangeCounts, compare, count_changes
from factspine.core.observed import Observed
from factspine.ingestion.report import DocumentReport
from factspine.store.documents import DocumentState
from factspine.store.store import FactStore

_LISTED = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentChanges:
    """The fates of one document's facts, and the first of those that are not unchanged, by fact id."""

    counts: ChangeCounts
    listed: tuple[Mapping[str, str], ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """The changes as they stand in a report."""
        return {**self.counts.as_dict(), "facts": [dict(one) for one in self.listed]}


def with_changes(
    store: FactStore,
    before: Mapping[str, DocumentState],
    after: Mapping[str, DocumentState],
    reports: Mapping[str, DocumentReport],
) -> dict[str, DocumentReport]:
    """The reports with what became of the facts. `before` and `after` are what the store held around the run."""
    told: dict[str, DocumentReport] = {}
    for doc_id, report in reports.items():
        if report.status == "unchanged":
            told[doc_id] = report  # it says so itself
            continue
        old = before[doc_id].reading_id if doc_id in before else ""
        if not old:
            live = report.status in ("ingested", "updated")
            changes = DocumentChanges(counts=ChangeCounts(added=report.facts if live else 0))
        else:
            changes = changes_between(store, old, after[doc_id].reading_id if doc_id in after else "")
        told[doc_id] = replace(report, changes=changes.as_dict())
    return told


def changes_between(store: FactStore, old: str, new: str) -> DocumentChanges:
    """What became of the facts of one reading in another; either may be empty, where there is none."""
    readings = dict(store.observed([reading for reading in dict.fromkeys((old, new)) if reading]))
    before, after = readings.get(old, []), readings.get(new, [])
    changes = compare(before, after)
    listed = list(_listed(changes, old, new, before, after))
    return DocumentChanges(counts=count_changes(changes), listed=tuple(listed[:_LISTED]))


def _listed(
    changes: list[Change], old: str, new: str, before: list[Observed], after: list[Observed]
) -> Iterator[Mapping[str, str]]:
    # What changed says more than what moved because of it.
    rank = {"changed": 0, "vanished": 1, "added": 2, "moved": 3}
    told = sorted((one for one in changes if one.fate != "unchanged"), key=lambda one: rank[one.fate])
    for change in told[:_LISTED]:
        entry = {"fate": str(change.fate)}
        if change.before is not None:
            entry |= {"before": f"{old}.{change.before + 1}", "locator": before[change.before].locator}
        if change.after is not None:
            entry |= {"after": f"{new}.{change.after + 1}", "locator": after[change.after].locator}
        yield entry
