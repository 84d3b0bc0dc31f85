"""A file is what its bytes say."""

from __future__ import annotations

import io
import zipfile

import pytest

from factspine.core.errors import InputRejected
from factspine.core.limits import Limits
from factspine.sources.sniff import is_candidate, sniff
from tests.hostile import containers

LIMITS = Limits()


def format_of(name, content):
    return sniff(name, io.BytesIO(content), LIMITS)


@pytest.mark.parametrize("name", ["a.xlsx", "a.XLSM", "a", "a.txt"])
def test_a_workbook_is_known_by_its_content(name):
    """Whatever it is called, a workbook is a workbook."""
    assert format_of(name, containers.workbook()).format == "xlsx"


def test_a_deck_under_a_workbooks_name_is_a_deck():
    """The content wins, and that the name says otherwise is told."""
    found = format_of("report.xlsx", containers.deck())
    assert (found.format, found.renamed) == ("pptx", True)
    assert not format_of("report.pptx", containers.deck()).renamed


def test_a_pdf_is_found_behind_a_little_junk():
    """Readers accept bytes before the mark, so we do."""
    assert format_of("x.pdf", b"\x00junk\n%PDF-1.7\n").format == "pdf"


@pytest.mark.parametrize(
    ("stream", "found"), [("EncryptedPackage", "encrypted"), ("Workbook", "xls"), ("PowerPoint Document", "ppt")]
)
def test_old_office_files_are_told_apart(stream, found):
    """A password-protected workbook is not an old one: people can do something about it."""
    assert format_of("x.xlsx", containers.compound_file(stream)).format == found


def test_other_zips_are_no_documents():
    """An archive of pictures is not reported as a broken workbook."""
    assert format_of("pictures.zip", containers.archive({"a.png": b"x"})).format == ""
    assert format_of("cut.zip", containers.archive({"a.png": b"x"})[:-30]).format == ""


@pytest.mark.parametrize("content", [b"hello", b"\x00" * 100, b"<html></html>", "年度报告".encode()])
def test_a_name_that_promises_a_workbook_is_held_to_it(content):
    """Text called .xlsx is rejected, with the reason."""
    with pytest.raises(InputRejected) as rejected:
        format_of("x.xlsx", content)
    assert rejected.value.code == "FS104"


def test_an_empty_file_is_rejected_as_empty():
    """Zero bytes have a code of their own."""
    with pytest.raises(InputRejected) as rejected:
        format_of("x.xlsx", b"")
    assert rejected.value.code == "FS101"


def test_a_cut_workbook_is_damaged():
    """A download that stopped is damaged, not unknown."""
    whole = containers.workbook()
    with pytest.raises(InputRejected) as rejected:
        format_of("x.xlsx", whole[: len(whole) // 2])
    assert rejected.value.code == "FS105"


def test_pictures_and_notes_are_no_candidates():
    """Files of other kinds are not even hashed."""
    assert not is_candidate("notes.txt", b"hello")
    assert not is_candidate("logo.png", b"\x89PNG")
    assert is_candidate("broken.xlsx", b"hello")
    assert is_candidate("no-suffix", containers.workbook()[:100])


def test_content_types_in_utf16_are_read():
    """The list of content types may be in any encoding XML allows."""
    package = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(containers.workbook())) as old, zipfile.ZipFile(package, "w") as new:
        for member in old.infolist():
            content = old.read(member)
            if member.filename == "[Content_Types].xml":
                content = content.decode().encode("utf-16")
            new.writestr(member.filename, content)
    assert format_of("x.xlsx", package.getvalue()).format == "xlsx"
