"""Walking a folder: which files there are, what each is called as a document, and the hash of its bytes.

A document's name is its path relative to the folder, with `/`. Files that cannot be documents are counted, not named:
editors' lock files and hidden files are left out silently, other types are `skipped`.
"""

from __future__ import annotations

import errno
import os
import stat
import unicodedata
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from factspine.core.errors import UsageError
from factspine.sources.sniff import KNOWN_SUFFIXES, is_candidate, suffix_of
from factspine.sources.vault import MARKER

_READ_BYTES = 1024 * 1024
_TAIL_BYTES = 64 * 1024
# Below this, threads cost more than they save.
_PARALLEL_BYTES = 32 * 1024 * 1024
_LOCK_PREFIXES = ("~$", ".~lock.", "._")
_DEPTH_MAX = 64


class FoundFile(NamedTuple):
    """A file as the walk saw it. `doc_id` is its name as a document."""

    doc_id: str
    place: str  # its path; plain text, because a path object for each of many files takes as long as hashing them
    size: int

    @property
    def path(self) -> Path:
        """Where the file is."""
        return Path(self.place)


class Hashed(NamedTuple):
    """A candidate document: its hash, or why its bytes could not be had."""

    file: FoundFile
    sha256: str = ""
    error: str = ""  # the type of the error that stopped reading, e.g. PermissionError


class Unseen(NamedTuple):
    """A folder (its name ends in `/`) or a file that could not be looked at: what it holds is not known to be gone."""

    name: str
    error: str  # the type of the error

    def holds(self, doc_id: str) -> bool:
        """Whether a document stood in it."""
        return doc_id == self.name or (self.name.endswith("/") and doc_id.startswith(self.name))


@dataclass(frozen=True, slots=True, kw_only=True)
class Scan:
    """All candidate documents of a folder in the order of their names, how many files are none, what was not seen."""

    documents: tuple[Hashed, ...]
    skipped: int
    unseen: tuple[Unseen, ...] = ()


def scan(folder: Path, *, exclude: Sequence[Path] = (), threads: int = 1, size_max: int | None = None) -> Scan:
    """Finds and hashes every candidate document below a folder. `exclude` names files and folders to leave out.

    A file larger than `size_max` is not hashed: it will not be read, and hashing it would be its only cost.
    """
    if not folder.is_dir():
        raise UsageError(f"{folder} is not a folder; name the folder that holds the documents.")
    unseen: list[Unseen] = []
    files = name_documents(folder, list(walk(folder, exclude, unseen)))
    read = _Reader(size_max)
    if threads > 1 and sum(file.size for file in files) > _PARALLEL_BYTES:
        with ThreadPoolExecutor(threads) as pool:
            results = list(pool.map(read, files, chunksize=8))
    else:
        results = [read(file) for file in files]
    documents = tuple(result for result in results if result is not None)
    return Scan(documents=documents, skipped=len(results) - len(documents), unseen=tuple(unseen))


def walk(folder: Path, exclude: Sequence[Path], unseen: list[Unseen]) -> Iterator[tuple[str, str, int]]:
    """Relative name, path and size of every regular file, folders in name order; `unseen` takes what hides from us.

    A link is followed only where it leads to a file inside the folder: links to folders would loop, and links that
    lead outside would make strangers' files part of the record.
    """
    root = folder.resolve()
    left_out = {str(path.resolve()) for path in exclude}
    pending = [(str(root), "", 0)]
    while pending:
        place, prefix, depth = pending.pop()
        try:
            entries = sorted(os.scandir(place), key=lambda entry: entry.name)
        except OSError as error:
            if not prefix:
                raise UsageError(
                    f"{folder} cannot be listed ({type(error).__name__}); check its permissions."
                ) from None
            unseen.append(Unseen(_printable(prefix), type(error).__name__))
            continue
        if any(entry.name == MARKER for entry in entries):
            continue
        below = []
        for entry in entries:
            if entry.name.startswith((".", *_LOCK_PREFIXES)) or entry.path in left_out:
                continue
            if entry.is_dir(follow_symlinks=False):
                if depth < _DEPTH_MAX:
                    below.append((entry.path, f"{prefix}{entry.name}/", depth + 1))
                continue
            try:
                size = _regular_size(entry, root)
            except OSError as error:
                unseen.append(Unseen(_printable(prefix + entry.name), type(error).__name__))
                continue
            if size is not None:
                yield prefix + entry.name, entry.path, size
        pending.extend(reversed(below))


def _regular_size(entry: os.DirEntry[str], root: Path) -> int | None:
    """The size of a regular file inside the folder; None for devices, pipes, broken and outward links."""
    try:
        if entry.is_symlink() and not Path(entry.path).resolve(strict=True).is_relative_to(root):
            return None
        found = entry.stat()
    except (FileNotFoundError, NotADirectoryError, RuntimeError):
        return None
    except OSError as error:
        if error.errno == errno.ELOOP:
            return None
        raise
    return found.st_size if stat.S_ISREG(found.st_mode) else None


def name_documents(folder: Path, found: Sequence[tuple[str, str, int]]) -> list[FoundFile]:
    """Documents named so that one file has one name on every machine, in the order of those names.

    Names are NFC text, because one system hands out composed and another decomposed characters for the same name.
    Where two files would then share a name, those spelt otherwise are told apart by a hash of their spelling.
    """
    taken = {name for name, _, _ in found}
    files = []
    seen: set[str] = set()
    for name, place, size in sorted(found, key=lambda one: one[0]):
        doc_id = name
        if not name.isascii():
            doc_id = _printable(name)
        if doc_id != name and (doc_id in taken or doc_id in seen):
            doc_id = f"{doc_id} #{sha256(os.fsencode(name)).hexdigest()[:8]}"
        seen.add(doc_id)
        files.append(FoundFile(doc_id=doc_id, place=place, size=size))
    files.sort(key=lambda file: file.doc_id)
    return files


def _printable(name: str) -> str:
    return unicodedata.normalize("NFC", name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace"))


class _Reader:
    """Hashes one file, after a look at its first block: most files in a folder may be no documents at all."""

    def __init__(self, size_max: int | None) -> None:
        self._size_max = size_max

    def __call__(self, file: FoundFile) -> Hashed | None:
        try:
            return self._hash(file)
        except OSError as error:
            promising = suffix_of(file.doc_id) in KNOWN_SUFFIXES
            return Hashed(file=file, error=type(error).__name__) if promising else None

    def _hash(self, file: FoundFile) -> Hashed | None:
        handle = os.open(file.place, os.O_RDONLY | os.O_CLOEXEC)
        try:
            # No more than the file needs: a buffer of a megabyte for each small file costs more than its hash.
            block = os.read(handle, min(file.size + 1, _READ_BYTES))
            if not is_candidate(file.doc_id, block[:1024]):
                return None
            if self._size_max is not None and file.size > self._size_max:
                return Hashed(file=file, error="LimitExceeded")
            digest = sha256(block)
            # A short read is not always the end of a file on a network share: only an empty one is.
            while block:
                block = os.read(handle, _READ_BYTES if len(block) == _READ_BYTES else _TAIL_BYTES)
                digest.update(block)
        finally:
            os.close(handle)
        return Hashed(file=file, sha256=digest.hexdigest())
