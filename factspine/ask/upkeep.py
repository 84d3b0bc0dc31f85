"""Ingest and remap as people call them: with what became of the answers that were saved.

A saved answer is asked again after every run, which takes the whole way a question takes; the walks themselves know
nothing of questions.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from factspine.core.errors import UsageError
from factspine.ingestion import pipeline

if TYPE_CHECKING:
    from factspine.core.limits import Limits
    from factspine.ingestion.remap import Progress as RemapProgress
    from factspine.ingestion.remap import RemapReport
    from factspine.ingestion.report import IngestReport
    from factspine.store.store import FactStore

_SUFFIX = ".answers.jsonl"  # that of `saved`, which is loaded only where there are any


def ingest(
    folder: str | Path,
    store: FactStore,
    *,
    jobs: int | None = None,
    limits: Limits | None = None,
    vocabulary: Path | None = None,
    progress: pipeline.Progress | None = None,
    clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    withdraw: bool | None = None,
    vault: Path | None = None,
    allow_empty: bool = False,
) -> IngestReport:
    """Brings the store up to date with a folder; what changed becomes one sealed run, or none where nothing did.

    `vocabulary` defaults to `vocabulary.toml` beside the store, `vault` to the archive beside it. `withdraw` says what
    becomes of documents that the store holds and the folder does not: by default those last seen in this same folder
    are withdrawn; True withdraws all, False none. A folder that held several documents and holds none is refused unless
    `allow_empty`, or `withdraw`, says that it is meant. The report lists the saved answers that are now stale.
    """
    report = pipeline.ingest(
        folder,
        store,
        jobs=jobs,
        limits=limits,
        vocabulary=vocabulary,
        progress=progress,
        clock=clock,
        withdraw=withdraw,
        vault=vault,
        allow_empty=allow_empty,
    )
    return replace(report, stale_answers=_stale(store))


def remap(
    store: FactStore,
    *,
    vocabulary: Path | None = None,
    clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    progress: RemapProgress | None = None,
) -> RemapReport:
    """Derives the facts of every current document again; one sealed run, or none where nothing had to be done.

    `vocabulary` defaults to `vocabulary.toml` beside the store. The report lists the saved answers that are now stale.
    """
    from factspine.ingestion.remap import remap as walk

    return replace(walk(store, vocabulary=vocabulary, clock=clock, progress=progress), stale_answers=_stale(store))


def _stale(store: FactStore) -> tuple[dict[str, Any], ...] | None:
    """The saved answers that would now be others; None where the file of them cannot be read: the run stands."""
    if store.path is None or not store.path.with_name(store.path.name + _SUFFIX).is_file():
        return ()
    from factspine.ask.saved import stale_answers

    try:
        return tuple(one.as_dict() for one in stale_answers(store))
    except UsageError:
        return None
