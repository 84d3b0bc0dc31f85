"""The analytic copies against the store: every fact of a copy is the store's, as of the run the copy was made from."""

from __future__ import annotations

from itertools import zip_longest
from pathlib import Path

from factspine.core.clearance import LEVELS
from factspine.integrity.report import Collector
from factspine.store.store import FactStore


def check_copy(store: FactStore, found: Collector) -> None:
    """Compares each copy beside the store, fact by fact, as of the run the copy has come to, with what its viewers may
    see of the store: a fact that is there and should not be is a difference, too."""
    from factspine.analytics.copying import copy_path

    path = store.path
    copies = {} if path is None else {level: copy_path(path, level) for level in LEVELS}
    present = {level: copy for level, copy in copies.items() if copy.is_file()}
    if not present:
        found.add("FS490", "there is no analytic copy to compare with")
    for level, copy in present.items():
        _compare(store.seen_by(level), copy, found)


def _compare(store: FactStore, path: Path, found: Collector) -> None:
    from factspine.analytics.copying import read_state

    if read_state(path) is None:
        found.add("FS450", "it cannot be read")
        return
    with FactStore(f"duckdb:///{path}") as copy:
        version = copy.store_version
        if version not in {run.run_id for run in store.runs()}:
            found.add("FS450", "it was made from another chain", run=version)
            return
        ours = store.facts(as_of=version)
        for one, other in zip_longest(ours, copy.facts(), fillvalue=None):
            found.checked["facts compared"] += 1
            if one != other:
                name = one.fact_id if one is not None else other.fact_id if other is not None else ""
                found.add("FS450", fact=name)
