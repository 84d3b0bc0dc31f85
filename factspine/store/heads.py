"""The head of the chain, written down outside the store.

The chain of seals is tamper-evident against anyone who cannot also rewrite this log, so it is meant for another disk:
`FACTSPINE_HEAD_LOG` says where. Beside the store it still tells a damaged store from a shortened one.
"""

from __future__ import annotations

import os
from pathlib import Path

from factspine.store.runs import SealedRun

HEAD_LOG_VARIABLE = "FACTSPINE_HEAD_LOG"


def head_log_path(store_path: Path | None) -> Path | None:
    """Where heads are logged; None for a store on a server unless the environment names a place."""
    configured = os.environ.get(HEAD_LOG_VARIABLE)
    if configured:
        return Path(configured)
    return None if store_path is None else store_path.with_name(store_path.name + ".heads")


def append_head(path: Path, run: SealedRun) -> None:
    """Add one line, `finished_at run_no run_id seal`, and see it to the disk."""
    line = f"{run.finished_at}\t{run.run_no}\t{run.run_id}\t{run.seal.hex()}\n"
    # One write to a descriptor opened for appending: lines of several writers never mix.
    descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
    try:
        os.write(descriptor, line.encode("ascii"))
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
