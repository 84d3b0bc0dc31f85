"""The analytic copy against the store: every fact of the copy is the store's, as of the run the copy was made from."""

from __future__ import annotations

from itertools import zip_longest

from factspine.integrity.report import Collector
from factspine.store.store import FactStore


def check_copy(store: FactStore, found: Collector) -> None:
    """Compares the copy beside the store, fact by fact, as of the run the copy has come to."""
    from factspine.analytics.copying import copy_path, read_state
    from factspine.analytics.reader import FactCopy

    path = None if store.path is None else copy_path(store.path)
    if path is None or not path.is_file():
        found.add("FS490", "there is no analytic copy to compare with")
        return
    if read_state(path) is None:
        found.add("FS450", "it cannot be read")
        return
    with FactCopy(path) as copy:
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
