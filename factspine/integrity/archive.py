"""The bytes: archived revisions and the documents they came from, there, of the recorded size, of the recorded hash."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from factspine.integrity.report import Collector
from factspine.sources.vault import Vault
from factspine.store.audit import ReadingRow

_READ_BYTES = 4 * 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Blob:
    """One archived revision, as the store knows it."""

    file_hash: str
    size_bytes: int


def blobs_of(readings: Iterable[ReadingRow]) -> list[Blob]:
    """Every revision there must be bytes of, once."""
    sizes = {reading.file_hash: reading.size_bytes for reading in readings}
    return [Blob(file_hash=name, size_bytes=size) for name, size in sorted(sizes.items())]


def check_blob(vault: Vault, blob: Blob, found: Collector, *, read: bool) -> bool:
    """Whether a revision is there and of its size and, where it is read, of its hash."""
    try:
        path = vault.path_of(blob.file_hash)
        size = path.stat().st_size
    except (OSError, ValueError) as error:
        if isinstance(error, PermissionError):
            found.add("FS490", "an archived revision cannot be opened", file=blob.file_hash)
        else:
            found.add("FS420", file=blob.file_hash)
        return False
    found.checked["files"] += 1
    if size != blob.size_bytes:
        found.add("FS421", file=blob.file_hash)
        return False
    if not read:
        return True
    try:
        digest = digest_of(path)
    except OSError as error:
        found.add("FS490", f"an archived revision cannot be read ({type(error).__name__})", file=blob.file_hash)
        return False
    found.checked["bytes"] += size
    if digest != blob.file_hash:
        found.add("FS422", file=blob.file_hash)
        return False
    return True


def digest_of(path: Path) -> str:
    """The sha256 of a file, read past the cache's read-ahead in large blocks."""
    digest = sha256()
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        while block := os.read(descriptor, _READ_BYTES):
            digest.update(block)
    finally:
        os.close(descriptor)
    return digest.hexdigest()


def check_source(folder: Path, reading: ReadingRow, found: Collector) -> Path | None:
    """The source document of a current reading, where its bytes are no longer those that were read; else None."""
    path = folder / reading.doc_id
    try:
        same = path.stat().st_size == reading.size_bytes and digest_of(path) == reading.file_hash
    except FileNotFoundError:
        found.add("FS424", reading=reading.reading_id, document=reading.document_no)
        return None
    except OSError as error:
        found.add("FS490", f"a source document cannot be read ({type(error).__name__})", document=reading.document_no)
        return None
    found.checked["source files"] += 1
    if same:
        return None
    found.add("FS423", reading=reading.reading_id, document=reading.document_no)
    return path
