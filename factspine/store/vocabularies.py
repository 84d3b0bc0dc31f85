"""The vocabularies a store was read with, kept beside it: what was asked then can be asked again in the same words."""

from __future__ import annotations

from pathlib import Path

from factspine.store.asof import AsOf
from factspine.store.store import FactStore

_SUFFIX = ".vocabularies"


def keep_vocabulary(store: FactStore, vocabulary: Path | None, version: str) -> None:
    """Keep the file of a vocabulary under its version; without a file there is nothing to keep."""
    folder = _folder(store)
    if folder is None or vocabulary is None:
        return
    target = folder / f"{_name(version)}.toml"
    if target.is_file():
        return
    folder.mkdir(exist_ok=True)
    beside = target.with_suffix(".new")
    beside.write_bytes(vocabulary.read_bytes())
    beside.replace(target)


def version_then(store: FactStore, as_of: AsOf) -> str | None:
    """The version of the vocabulary that was in force at a moment: that of the reading made last. None before any."""
    with store.snapshot(as_of=as_of) as snapshot:
        last = max(snapshot.readings(), key=lambda span: span.reading_no, default=None)
    return None if last is None else last.mapping_version.rpartition(":")[2]


def kept_vocabulary(store: FactStore, version: str) -> Path | None:
    """The file of a vocabulary by its version; None where it was not kept."""
    folder = _folder(store)
    found = None if folder is None else folder / f"{_name(version)}.toml"
    return found if found is not None and found.is_file() else None


def _folder(store: FactStore) -> Path | None:
    vault = store.vault_path  # what lies beside the store lies beside its copies, too
    return None if vault is None else vault.with_suffix(_SUFFIX)


def _name(version: str) -> str:
    """A version as a file's name."""
    return "".join(mark if mark.isalnum() else "-" for mark in version)
