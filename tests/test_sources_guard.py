"""A zip is measured before it is opened."""

from __future__ import annotations

import io
import struct
import zipfile

import pytest

from factspine.core.errors import InputRejected
from factspine.core.limits import MIB, Limits
from factspine.sources.guard import check_zip
from tests.hostile import containers

LIMITS = Limits()


def code_of(content, limits=LIMITS):
    with pytest.raises(InputRejected) as rejected:
        check_zip(io.BytesIO(content), limits)
    return rejected.value.code


def test_a_real_workbook_passes():
    """The measure of an ordinary file is its true inflated size."""
    content = containers.workbook()
    measured = check_zip(io.BytesIO(content), LIMITS)
    with zipfile.ZipFile(io.BytesIO(content)) as package:
        assert measured.members == len(package.infolist())
        assert measured.inflated_bytes == sum(len(package.read(name)) for name in package.namelist())


def test_a_zip_with_bytes_before_it_passes():
    """Self-extracting stubs and mail headers before a zip are no reason to refuse it."""
    assert check_zip(io.BytesIO(b"junk" * 10 + containers.workbook()), LIMITS).members > 3


def test_a_streamed_zip_passes():
    """Programs that write to a pipe put sizes after the data; that is a zip too."""
    assert check_zip(io.BytesIO(containers.streamed({"a.xml": b"<a/>" * 100})), LIMITS).members == 1


def test_a_bomb_is_refused_by_ratio():
    """Ten kilobytes that inflate to ten megabytes are not a report."""
    assert code_of(containers.archive({"xl/worksheets/sheet1.xml": bytes(10 * MIB)})) == "FS103"


def test_limits_are_named_in_the_message():
    """A refusal says how much there was and what to raise."""
    with pytest.raises(InputRejected) as rejected:
        check_zip(io.BytesIO(containers.archive({f"{n}.xml": b"" for n in range(11)})), Limits(zip_members_max=10))
    assert "11" in str(rejected.value)
    assert "zip_members_max" in rejected.value.remedy


def test_total_and_member_sizes_are_bounded():
    """Many middling parts count together."""
    parts = {f"{n}.bin": bytes(range(256)) * 4096 for n in range(4)}
    assert code_of(containers.archive(parts), Limits(zip_total_bytes_max=3 * MIB)) == "FS103"
    assert code_of(containers.archive(parts), Limits(zip_member_bytes_max=MIB - 1)) == "FS103"


def test_a_member_that_declares_ten_gigabytes_is_refused():
    """What the directory declares is believed when it is too much."""
    assert code_of(containers.declaring({"a.xml": b"x"}, size=10 * 1024 * MIB)) == "FS103"


@pytest.mark.parametrize("name", ["../a.xml", "/etc/passwd", "x/../../a.xml", "..\\a.xml", "c:/a.xml"])
def test_names_that_lead_outside_are_unsafe(name):
    """No member may be named as if it lay elsewhere."""
    assert code_of(containers.archive({name: b"x"})) == "FS106"


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize("names", [("a.xml", "a.xml"), ("a.xml", "A.XML")])
def test_one_name_twice_is_unsafe(names):
    """Two readers could read two different files in it."""
    assert code_of(containers.archive_of([(name, b"x") for name in names])) == "FS106"


def test_overlapping_members_are_unsafe():
    """One stretch of bytes that is many members is a bomb."""
    assert code_of(containers.overlapping(50)) == "FS106"


def test_encrypted_members_are_told():
    """A password on the zip itself has its own code."""
    assert code_of(containers.encrypted({"a.xml": b"x"})) == "FS107"


def test_more_members_than_counted():
    """A directory that says two members and lists thousands is caught before it is read."""
    limits = Limits(zip_members_max=5)
    assert code_of(containers.miscounted({f"{n}.xml": b"x" for n in range(100)}, count=2), limits) == "FS106"


def test_every_cut_of_a_workbook_is_refused():
    """A download may stop anywhere; nowhere does that pass for a whole file."""
    whole = containers.workbook()
    for end in range(0, len(whole) - 1, 97):
        assert code_of(whole[:end]) == "FS105"


def test_every_flipped_header_is_refused_or_passes():
    """Damage in the directory ends in a typed refusal or in a zip that still adds up, never in another error."""
    whole = bytearray(containers.workbook())
    start = struct.unpack_from("<L", whole, len(whole) - 6)[0]
    codes = set()
    for place in range(start, len(whole)):
        for bits in (0x01, 0x80, 0xFF):
            damaged = bytearray(whole)
            damaged[place] ^= bits
            try:
                check_zip(io.BytesIO(bytes(damaged)), LIMITS)
            except InputRejected as error:
                codes.add(error.code)
    assert codes == {"FS103", "FS105", "FS106", "FS107"}
