"""The vault: the bytes of every revision, named by their sha256, written once and never again.

A blob is written beside its place and then renamed. Bytes and names are brought to disk by `settle()`, many at once,
before the run that cites them is committed. A power cut before that may leave a blob of the right size and the wrong
bytes; so one that is found already there is hashed before it is trusted.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import threading
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from pathlib import Path

from factspine.core.errors import InputRejected
from factspine.core.hashing import hash_file

MARKER = ".factspine-vault"
_COPY_BYTES = 1024 * 1024
_DIGEST_CHARS = 64
_SYNC_THREADS = 16


class Vault:
    """A content-addressed folder `ab/abcdef…` beside the store. Safe to use from several threads and processes."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._unsettled: set[Path] = set()  # blobs, and folders with new names
        self._folders: set[Path] = set()  # that are known to be there
        self._lock = threading.Lock()

    @classmethod
    def beside(cls, store_path: Path) -> Vault:
        """The vault of the store at this path: `fact_metric.db` keeps its bytes in `fact_metric.db.vault`."""
        return cls(store_path.with_name(store_path.name + ".vault"))

    def path_of(self, digest: str) -> Path:
        """Where the bytes of this sha256 lie, if they are kept."""
        if len(digest) != _DIGEST_CHARS or not set(digest) <= set("0123456789abcdef"):
            raise ValueError("a blob is named by the 64 hex digits of its sha256")
        return self.root / digest[:2] / digest

    def has(self, digest: str) -> bool:
        """Whether the bytes of this sha256 are kept."""
        return self.path_of(digest).is_file()

    def add(self, source: Path, digest: str, size: int) -> Path:
        """Keeps the bytes of a file known to have this sha256 and size; raises FS110 where it no longer has them."""
        target = self.path_of(digest)
        self._open_folder(target.parent)
        with contextlib.suppress(FileNotFoundError):
            if target.stat().st_size == size and hash_file(target) == digest:
                with self._lock:
                    self._unsettled.add(target)  # another process may have put it there a moment ago
                return target
        # Hidden and random: a name that another process cannot be writing to, and that no reader takes for a blob.
        draft = target.parent / f".{digest[:16]}.{secrets.token_hex(8)}"
        try:
            _copy(source, draft, digest, size)
            draft.rename(target)
        except BaseException:
            draft.unlink(missing_ok=True)
            raise
        with self._lock:
            self._unsettled |= {target, target.parent}
        return target

    def settle(self) -> None:
        """Brings all blobs added so far and their names to disk; after this they survive a power cut."""
        with self._lock:
            places, self._unsettled = self._unsettled, set()
        if places:
            # At once, so that the file system can answer many of them with one write.
            with ThreadPoolExecutor(_SYNC_THREADS) as pool:
                list(pool.map(_sync, sorted(places | {self.root})))

    def _open_folder(self, folder: Path) -> None:
        if folder in self._folders:
            return
        if not folder.is_dir():
            folder.mkdir(parents=True, exist_ok=True)
            # The marker tells a folder walk that these files are copies of documents, not documents.
            marker = self.root / MARKER
            if not marker.exists():
                marker.touch()
            with self._lock:
                self._unsettled.add(self.root)
        self._folders.add(folder)  # only now: another thread that finds it here writes into it at once


def _copy(source: Path, draft: Path, expected: str, size: int) -> None:
    """Copies a file, making sure that the bytes written are the expected ones."""
    digest = sha256()
    total = 0
    out = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o444)
    try:
        with source.open("rb", buffering=0) as stream:
            while block := stream.read(_COPY_BYTES):
                digest.update(block)
                total += len(block)
                view = memoryview(block)
                while view:
                    view = view[os.write(out, view) :]
    finally:
        os.close(out)
    if (digest.hexdigest(), total) != (expected, size):
        raise InputRejected(
            "FS110", "The file changed while it was read.", remedy="Ingest again when nothing writes to it."
        )


def _sync(place: Path) -> None:
    handle = os.open(place, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
