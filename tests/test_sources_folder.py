"""A folder is walked the same way everywhere, and files that are no documents stay out of it."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest

from factspine.core.errors import UsageError
from factspine.sources.folder import scan
from factspine.sources.membership import Membership
from factspine.sources.vault import Vault
from tests.hostile import containers

BOOK = containers.workbook()
PROGRAM = str(Path(sys.executable).with_name("factspine"))


def fill(folder, *names, content=BOOK):
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def names_of(found):
    return [document.file.doc_id for document in found.documents]


def test_documents_are_named_by_their_path(tmp_path):
    """Two files of one name in two folders are two documents, in the order of their names."""
    fill(tmp_path, "b.xlsx", "a/b.xlsx", "a/c/d.pptx")
    found = scan(tmp_path)
    assert names_of(found) == ["a/b.xlsx", "a/c/d.pptx", "b.xlsx"]
    assert {document.sha256 for document in found.documents} == {hashlib.sha256(BOOK).hexdigest()}


def test_what_is_no_document_is_counted_or_left_out(tmp_path):
    """Pictures and notes are counted; lock files and hidden files are not even that."""
    fill(tmp_path, "a.xlsx", "~$a.xlsx", ".hidden.xlsx", ".git/x.xlsx", "._a.xlsx", ".~lock.a.xlsx#")
    fill(tmp_path, "notes.txt", "logo.png", content=b"hello")
    found = scan(tmp_path)
    assert names_of(found) == ["a.xlsx"]
    assert found.skipped == 2


def test_threads_find_the_same(tmp_path):
    """Hashing in parallel changes nothing."""
    fill(tmp_path, *(f"{n}.xlsx" for n in range(6)), content=BOOK + bytes(8 * 1024 * 1024))
    assert scan(tmp_path, threads=4) == scan(tmp_path, threads=1)


def test_links_do_not_lead_outside_or_in_circles(tmp_path):
    """A link to a file inside counts; links outside, to folders, to themselves or to nothing do not."""
    folder, outside = tmp_path / "in", tmp_path / "out"
    fill(folder, "a.xlsx")
    fill(outside, "secret.xlsx")
    (folder / "inside.xlsx").symlink_to(folder / "a.xlsx")
    (folder / "outside.xlsx").symlink_to(outside / "secret.xlsx")
    (folder / "loop").symlink_to(folder)
    (folder / "self.xlsx").symlink_to(folder / "self.xlsx")
    (folder / "nothing.xlsx").symlink_to(folder / "gone.xlsx")
    assert names_of(scan(folder)) == ["a.xlsx", "inside.xlsx"]


def test_pipes_and_folders_with_a_documents_name_are_passed_by(tmp_path):
    """A folder called x.xlsx is a folder; a pipe called y.xlsx would wait for ever."""
    fill(tmp_path, "x.xlsx/inner.xlsx")
    os.mkfifo(tmp_path / "y.xlsx")
    assert names_of(scan(tmp_path)) == ["x.xlsx/inner.xlsx"]


def test_names_are_text_on_every_machine(tmp_path):
    """Composed and decomposed spellings are one name; where both exist, two."""
    composed, decomposed = (unicodedata.normalize(form, "résumé 报告😀.xlsx") for form in ("NFC", "NFD"))
    fill(tmp_path / "one", decomposed)
    assert names_of(scan(tmp_path / "one")) == [composed]
    fill(tmp_path / "two", composed, decomposed)
    both = names_of(scan(tmp_path / "two"))
    assert both[0] == composed
    assert len(set(both)) == 2


def test_strange_names_are_still_names(tmp_path):
    """A newline in a name is kept; bytes that are no text are spelt out."""
    fill(tmp_path, "line\nbreak.xlsx", "a,b=c%.xlsx")
    with open(os.fsencode(tmp_path) + b"/\xff.xlsx", "wb") as stream:  # noqa: PTH123
        stream.write(BOOK)
    names = names_of(scan(tmp_path))
    assert names == ["\\xff.xlsx", "a,b=c%.xlsx", "line\nbreak.xlsx"]
    assert all(name.encode() for name in names)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_an_unreadable_document_is_found(tmp_path):
    """A file we may not read is reported, not passed by."""
    fill(tmp_path, "a.xlsx")
    (tmp_path / "a.xlsx").chmod(0)
    assert [document.error for document in scan(tmp_path).documents] == ["PermissionError"]


def test_a_file_over_the_limit_is_not_hashed(tmp_path):
    """Ten gigabytes are refused by their size alone."""
    fill(tmp_path, "a.xlsx")
    with (tmp_path / "a.xlsx").open("r+b") as stream:
        stream.truncate(10 * 1024**3)
    (document,) = scan(tmp_path, size_max=1024**3).documents
    assert (document.sha256, document.error) == ("", "LimitExceeded")


def test_a_vault_in_the_folder_is_not_walked(tmp_path):
    """The archive's copies are not documents, even another store's."""
    fill(tmp_path, "a.xlsx")
    Vault(tmp_path / "other.db.vault").add(tmp_path / "a.xlsx", hashlib.sha256(BOOK).hexdigest(), len(BOOK))
    assert names_of(scan(tmp_path)) == ["a.xlsx"]


def test_a_missing_folder_is_a_usage_error(tmp_path):
    """The message says what to give."""
    with pytest.raises(UsageError, match="not a folder"):
        scan(tmp_path / "nowhere")


def test_folders_remember_their_documents(tmp_path):
    """Each ingested folder has its own memory, and knows what the others hold."""
    Membership(tmp_path / "v", tmp_path / "one").settle(["a", "b"])
    Membership(tmp_path / "v", tmp_path / "two").settle(["b", "c"])
    one = Membership(tmp_path / "v", tmp_path / "one")
    assert (one.known, one.elsewhere()) == ({"a", "b"}, {"b", "c"})
    one.widen(["d"])
    assert Membership(tmp_path / "v", tmp_path / "one").known == {"a", "b", "d"}


def as_anybody(command):
    """A command run with the permissions of its files in force, whoever runs the tests."""
    if os.geteuid():
        return command
    if shutil.which("setpriv") is None:
        pytest.skip("root is stopped by no permission here")
    return ["setpriv", "--bounding-set=-dac_override,-dac_read_search", *command]


def ingest_as_anybody(folder, store):
    command = [PROGRAM, "ingest", str(folder), "--store", str(store), "--json"]
    done = subprocess.run(as_anybody(command), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return {document["doc"]: document for document in json.loads(done.stdout)["documents"]}


def test_what_cannot_be_looked_at_is_told_and_not_withdrawn(tmp_path):
    """The documents of a folder that lost its permissions are not gone; once it has them back, all is as before."""
    folder, store = tmp_path / "in", tmp_path / "facts.db"
    fill(folder, "a.xlsx", "sub/b.xlsx")
    assert ingest_as_anybody(folder, store)["sub/b.xlsx"]["status"] == "ingested"
    (folder / "sub").chmod(0)
    try:
        hidden = ingest_as_anybody(folder, store)
        fill(folder, "c.xlsx")
        again = ingest_as_anybody(folder, store)
    finally:
        (folder / "sub").chmod(0o755)
    for found in (hidden, again):
        assert found["sub/"]["status"] == "rejected"
        assert [finding["code"] for finding in found["sub/"]["findings"]] == ["FS102"]
        assert "sub/b.xlsx" not in found
    assert {doc: one["status"] for doc, one in ingest_as_anybody(folder, store).items()} == dict.fromkeys(
        ["a.xlsx", "c.xlsx", "sub/b.xlsx"], "unchanged"
    )


def test_a_folder_that_cannot_be_listed_itself_is_an_error(tmp_path):
    """Nothing is withdrawn because the whole folder is out of reach."""
    folder, store = tmp_path / "in", tmp_path / "facts.db"
    fill(folder, "a.xlsx")
    folder.chmod(0)
    command = [PROGRAM, "ingest", str(folder), "--store", str(store)]
    try:
        done = subprocess.run(as_anybody(command), capture_output=True, text=True, check=False)
    finally:
        folder.chmod(0o755)
    assert done.returncode == 2
    assert "not readable" in done.stderr
    assert done.stderr.count("\n") == 1
