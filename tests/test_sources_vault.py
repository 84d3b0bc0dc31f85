"""The bytes of every revision are kept, once, under their own hash."""

from __future__ import annotations

import hashlib
import threading

import pytest

from factspine.core.errors import InputRejected
from factspine.sources.vault import Vault


def put(path, content):
    path.write_bytes(content)
    return path, hashlib.sha256(content).hexdigest(), len(content)


def test_bytes_come_back_as_they_were(tmp_path):
    """A blob is named by its hash, holds exactly the bytes, and is read-only."""
    vault = Vault.beside(tmp_path / "facts.db")
    source, digest, size = put(tmp_path / "a.xlsx", b"content" * 1000)
    blob = vault.add(source, digest, size)
    vault.settle()
    assert blob == tmp_path / "facts.db.vault" / digest[:2] / digest
    assert blob.read_bytes() == b"content" * 1000
    assert blob.stat().st_mode & 0o777 == 0o444
    assert vault.has(digest)


def test_the_same_bytes_are_kept_once(tmp_path):
    """Two documents of one content share a blob, which is not written again."""
    vault = Vault(tmp_path / "vault")
    source, digest, size = put(tmp_path / "a", b"x")
    first = vault.add(source, digest, size).stat()
    second = vault.add(source, digest, size).stat()
    assert (first.st_ino, first.st_mtime_ns) == (second.st_ino, second.st_mtime_ns)


def test_a_file_that_changed_is_not_kept(tmp_path):
    """A file written to between hashing and archiving is refused and leaves nothing behind."""
    vault = Vault(tmp_path / "vault")
    source, digest, size = put(tmp_path / "a", b"before")
    source.write_bytes(b"after!")
    with pytest.raises(InputRejected) as rejected:
        vault.add(source, digest, size)
    assert rejected.value.code == "FS110"
    assert not vault.has(digest)
    assert not list((vault.root / digest[:2]).iterdir())


def test_a_cut_blob_is_written_again(tmp_path):
    """A blob of the wrong size, left by a failing disk, is replaced by the true bytes."""
    vault = Vault(tmp_path / "vault")
    source, digest, size = put(tmp_path / "a", b"whole")
    blob = vault.add(source, digest, size)
    blob.chmod(0o644)
    blob.write_bytes(b"wh")
    assert vault.add(source, digest, size).read_bytes() == b"whole"


def test_many_writers_agree(tmp_path):
    """Threads that archive the same bytes at once all find them there."""
    source, digest, size = put(tmp_path / "a", b"z" * 300_000)
    vaults = [Vault(tmp_path / "vault") for _ in range(8)]
    threads = [threading.Thread(target=vault.add, args=(source, digest, size)) for vault in vaults]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [path.name for path in (tmp_path / "vault" / digest[:2]).iterdir()] == [digest]


@pytest.mark.parametrize("name", ["../../etc/passwd", "AB" * 32, "ab", ""])
def test_only_hashes_name_blobs(tmp_path, name):
    """No other text leads to a path."""
    with pytest.raises(ValueError, match="sha256"):
        Vault(tmp_path).path_of(name)


def test_threads_whose_blobs_share_a_folder_all_find_it(tmp_path):
    """Many documents whose hashes begin alike are put away at once: none finds the folder announced and not there."""
    alike = [number for number in range(4_000) if hashlib.sha256(b"%d" % number).hexdigest().startswith("aa")][:8]
    files = [put(tmp_path / str(number), b"%d" % number) for number in alike]
    assert len(files) == 8
    for attempt in range(40):
        vault, start = Vault(tmp_path / f"vault-{attempt}"), threading.Barrier(len(files))
        kept = []

        def keep(path, digest, size, vault=vault, start=start, kept=kept):
            start.wait()
            kept.append(vault.add(path, digest, size))

        threads = [threading.Thread(target=keep, args=file) for file in files]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(kept) == len(files)
