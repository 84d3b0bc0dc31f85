"""The chain of seals: every run sealed, every seal following from the one before, every event as it was sealed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

from factspine.core.findings import Finding
from factspine.core.hashing import merkle_root, seal
from factspine.core.leaves import event_leaf, findings_root
from factspine.integrity.report import Collector
from factspine.store.audit import EventRow, ReadingRow, Rows, RunRow
from factspine.store.runs import GENESIS, run_name, seal_fields

_NOTHING = merkle_root(())


def check_chain(runs: Sequence[RunRow], found: Collector) -> set[int]:
    """Each run's seal and its link to the one before; the numbers of runs whose seal can be trusted."""
    sound: set[int] = set()
    named: str | None = ""
    expected: tuple[bytes, ...] | None = (
        GENESIS,
    )  # None: the link cannot be judged, because the seal before it is not there
    for number, run in enumerate(runs, 1):
        found.checked["runs"] += 1
        if run.seal is None or run.root is None or run.previous_seal is None:
            found.add("FS501", run=run.run_no)
            expected = named = None
            continue
        name = run.run_id or ""
        if run.run_no != number or (expected is not None and run.previous_seal not in expected):
            found.add("FS503", run=name)
            expected, named = (run.seal,), name
            continue
        following = seal(run.previous_seal, run.root, _fields(run))
        following_name = run_name(named, run.root) if named is not None else name
        if following != run.seal or run.run_id != following_name:
            found.add("FS502", run=name)
        else:
            sound.add(run.run_no)
        named = following_name
        expected = (following, run.seal)  # the next run saw one of them: the seal or its run was changed since
    return sound


def _fields(run: RunRow) -> list[str]:
    return seal_fields(
        run.started_at, run.finished_at or "", run.factspine_version, run.event_count or 0, run.fact_count or 0
    )


def check_events(
    runs: Sequence[RunRow],
    events: Sequence[EventRow],
    readings: Mapping[int, ReadingRow],
    findings: Rows,
    sound: set[int],
    found: Collector,
    *,
    disowned: set[str],
) -> None:
    """Each event as sealed, and each run's events. `disowned` are readings whose lineage is known to be wrong."""
    rejected: dict[tuple[int, int], list[Finding]] = defaultdict(list)
    for run_no, document_no, reading_no, *fields in findings:
        if reading_no is None:
            rejected[run_no, document_no].append(finding_of(fields))
    of_run: dict[int, list[EventRow]] = defaultdict(list)
    renamed: set[int] = set()
    for event in events:
        found.checked["events"] += 1
        of_run[event.run_no].append(event)
        reading = readings.get(event.reading_no or 0)
        if event.reading_no is not None and (reading is None or reading.root is None):
            continue  # said already
        if reading is not None and reading.reading_id in disowned:
            renamed.add(event.run_no)
            continue
        if event.status == "rejected":
            content = findings_root(rejected[event.run_no, event.document_no])
        else:
            content = reading.root if reading is not None and reading.root is not None else _NOTHING
        leaf = event_leaf(event.lineage, event.status, content)
        if leaf != event.leaf:
            found.add("FS505", event=event.event_no, document=event.document_no)
    for run in runs:
        if run.run_no not in sound:
            continue
        mine = sorted(of_run[run.run_no], key=lambda event: event.doc_id)
        if len(mine) != run.event_count or merkle_root([event.leaf for event in mine]) != run.root:
            if run.run_no in renamed and len(mine) == run.event_count:
                # A document that was given another name sorts elsewhere; that it was renamed is said already.
                continue
            found.add("FS504", run=run.run_id or "")


def finding_of(fields: Sequence[str]) -> Finding:
    """A stored finding as it was sealed."""
    code, severity, message, locator, remedy = fields
    return Finding(code=code, severity=severity, message=message, locator=locator, remedy=remedy)  # type: ignore[arg-type]


def check_head_log(path: Path | None, runs: Sequence[RunRow], found: Collector) -> None:
    """The heads that were written down outside the store must all be in the chain, and the chain's among them."""
    if path is None or not runs:
        return
    chain = [run.seal.hex() for run in runs if run.seal is not None]
    try:
        lines = path.read_text(encoding="ascii", errors="replace").splitlines()
    except FileNotFoundError:
        found.add("FS508", "there is no head log")
        return
    except OSError as error:
        found.add("FS490", f"the head log cannot be read ({type(error).__name__})")
        return
    logged = [line.split("\t")[-1].strip() for line in lines if line.strip()]
    known = set(chain)
    for number, head in enumerate(logged, 1):
        found.checked["logged heads"] += 1
        if head not in known:
            found.add("FS507", log_line=number)
    for head in sorted(known - set(logged)) if "FS507" not in found.counts else ():
        found.add("FS508", seal=head)


def check_expected_head(expected: str, runs: Sequence[RunRow], found: Collector) -> None:
    """A head noted elsewhere must be in the chain; the beginning of one will do."""
    name = expected.strip().lower()
    if not any(run.seal is not None and run.seal.hex().startswith(name) for run in runs):
        found.add("FS509", expected=name if len(name) <= 64 and set(name) <= set("0123456789abcdef") else "not a seal")
