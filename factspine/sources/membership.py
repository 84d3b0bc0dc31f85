"""Which documents were last seen in which folder, so that ingesting one folder never withdraws another's documents.

One small file per ingested folder, beside the vault's blobs. It is a memory of the walk, not part of the record: if it
is lost, documents that vanished meanwhile are not noticed, and nothing else happens.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path

_FOLDER = "folders"


class Membership:
    """The documents of one folder, as of the last ingest, and those of all other folders ingested into the store."""

    def __init__(self, vault_root: Path, folder: Path) -> None:
        self._home = vault_root / _FOLDER
        # A hash, because a path may name people and customers.
        self._path = self._home / f"{sha256(os.fsencode(folder.resolve())).hexdigest()[:32]}.json"
        self.known = _load(self._path)

    def elsewhere(self) -> set[str]:
        """Documents that another folder also holds."""
        if not self._home.is_dir():
            return set()
        others = (path for path in self._home.glob("*.json") if path != self._path)
        return set().union(*map(_load, others))

    def widen(self, documents: Iterable[str]) -> None:
        """Remembers documents before they are committed: a crash in between may remember too much, never too little."""
        self._save(self.known | set(documents))

    def settle(self, documents: Iterable[str]) -> None:
        """Remembers exactly these documents, after the commit."""
        self._save(set(documents))

    def _save(self, documents: set[str]) -> None:
        if documents == self.known:
            return
        self._home.mkdir(parents=True, exist_ok=True)
        draft = self._path.with_suffix(f".{os.getpid()}")
        draft.write_text(json.dumps(sorted(documents), ensure_ascii=False), encoding="utf-8")
        draft.replace(self._path)
        self.known = documents


def _load(path: Path) -> set[str]:
    try:
        return set(json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return set()
