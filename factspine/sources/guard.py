"""The container guard: a zip is measured from its directory before anything in it is inflated.

What a zip says of itself must add up: as many members as its end record counts, each in a place of its own, none
named twice or outside the container, none larger than the limits allow. What it does not say (a member that inflates
to more than it declares) is held by the memory limit of the child.
"""

from __future__ import annotations

import os
import struct
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from operator import attrgetter
from typing import IO

from factspine.core.errors import InputRejected, LimitExceeded
from factspine.core.limits import Limits

_END = struct.Struct("<4s4H2LH")
_END_MARK = b"PK\x05\x06"
_END64 = struct.Struct("<4sQ2H2L4Q")
_END64_MARK = b"PK\x06\x06"
_LOCATOR64 = struct.Struct("<4sLQL")
_LOCATOR64_MARK = b"PK\x06\x07"
_LOCAL = struct.Struct("<4s5H3L2H")
_LOCAL_MARK = b"PK\x03\x04"
_COMMENT_BYTES_MAX = 65_535
# A directory entry is 46 bytes, its name and its extras; parts of office files have short names.
_ENTRY_BYTES_MAX = 1_024
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """What a container holds, by its directory."""

    members: int
    inflated_bytes: int


def open_zip(stream: IO[bytes], limits: Limits) -> zipfile.ZipFile:
    """A zip of which nothing was inflated yet and only a directory of bounded size was read."""
    _check_directory_size(stream, limits)
    try:
        return zipfile.ZipFile(stream)
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
        raise _damaged(f"its directory cannot be read ({type(error).__name__})") from error


def check_zip(stream: IO[bytes], limits: Limits, container: zipfile.ZipFile | None = None) -> Measured:
    """The measure of a zip that may be read; raises `InputRejected` for one that may not.

    `container` is the same zip, where it was opened before.
    """
    container = container or open_zip(stream, limits)
    members = container.infolist()
    _check_members(members, limits)
    # A zip with bytes before it has its offsets moved by zipfile, which knows where the directory really is.
    _check_places(stream, members, container.start_dir)
    return Measured(members=len(members), inflated_bytes=sum(member.file_size for member in members))


def _check_directory_size(stream: IO[bytes], limits: Limits) -> None:
    """Rejects a directory too large to be looked at, before anyone reads it."""
    size = stream.seek(0, 2)
    for length in (_END.size, _COMMENT_BYTES_MAX + _END.size):  # hardly any zip has a comment after its end record
        tail_at = max(0, size - length)
        stream.seek(tail_at)
        tail = stream.read()
        at = tail.rfind(_END_MARK)
        if at == 0:
            break
    if at < 0 or len(tail) - at < _END.size:
        raise _damaged("it ends before its directory")
    _, disk, _, _, count, directory_bytes, directory_at, _ = _END.unpack_from(tail, at)
    if disk not in (0, 0xFFFF):
        raise _damaged("it is one part of a split archive")
    if 0xFFFF in (count, disk) or 0xFFFFFFFF in (directory_bytes, directory_at):
        count, directory_bytes = _read_end64(stream, tail_at + at, count, directory_bytes)
    if count > limits.zip_members_max:
        raise LimitExceeded("zip_members_max", count, limits.zip_members_max)
    if directory_bytes > limits.zip_members_max * _ENTRY_BYTES_MAX:
        raise _unsafe(f"its directory is {directory_bytes:,} bytes for {count:,} members")


def _read_end64(stream: IO[bytes], end_at: int, count: int, directory_bytes: int) -> tuple[int, int]:
    """Member count and directory size of a large-file zip; the plain ones where it is not one."""
    if end_at < _LOCATOR64.size:
        return count, directory_bytes
    stream.seek(end_at - _LOCATOR64.size)
    mark, _, at, _ = _LOCATOR64.unpack(stream.read(_LOCATOR64.size))
    if mark != _LOCATOR64_MARK:
        return count, directory_bytes
    stream.seek(min(at, end_at))
    record = stream.read(_END64.size)
    if len(record) < _END64.size or record[:4] != _END64_MARK:
        raise _damaged("its large-file record is missing")
    fields = _END64.unpack(record)
    return fields[7], fields[8]


def _check_members(members: Sequence[zipfile.ZipInfo], limits: Limits) -> None:
    """Sizes, ratios, names and flags, as the directory declares them."""
    if len(members) > limits.zip_members_max:
        raise LimitExceeded("zip_members_max", len(members), limits.zip_members_max)
    names: set[str] = set()
    total = 0
    for member in members:
        _check_name(member.orig_filename, names)
        if member.flag_bits & 0x1:
            raise InputRejected("FS107", "A part of the container is encrypted.", remedy="Save it without a password.")
        if member.compress_type not in _METHODS:
            raise _damaged(f"a part is compressed by method {member.compress_type}, which office files do not use")
        if member.file_size > limits.zip_member_bytes_max:
            raise LimitExceeded("zip_member_bytes_max", member.file_size, limits.zip_member_bytes_max)
        total += member.file_size
        if total > limits.zip_total_bytes_max:
            raise LimitExceeded("zip_total_bytes_max", total, limits.zip_total_bytes_max)
        if member.file_size > limits.zip_ratio_floor_bytes:
            ratio = member.file_size // max(member.compress_size, 1)
            if ratio > limits.zip_ratio_max:
                raise LimitExceeded("zip_ratio_max", ratio, limits.zip_ratio_max)


def _check_name(name: str, seen: set[str]) -> None:
    # Part names compare without case (OPC), so two that differ only in case are one name to some readers.
    key = name.replace("\\", "/").lower()
    if key in seen:
        raise _unsafe("two members have one name")
    seen.add(key)
    if "\x00" in name or key.startswith("/") or ".." in key.split("/") or key[1:2] == ":":
        raise _unsafe("a member's name leads outside the container")


def _check_places(stream: IO[bytes], members: Sequence[zipfile.ZipInfo], directory_at: int) -> None:
    """Each member lies behind its own header, in a place that it shares with no other."""
    used_to = 0
    read_at = _reader_at(stream)
    for member in sorted(members, key=attrgetter("header_offset")):
        if member.header_offset < 0:
            raise _damaged("a member lies before its start")
        header = read_at(_LOCAL.size, member.header_offset)
        if len(header) < _LOCAL.size or header[:4] != _LOCAL_MARK:
            raise _damaged("a member is not where the directory says")
        if member.header_offset < used_to:
            raise _unsafe("two members overlap")
        fields = _LOCAL.unpack(header)
        if fields[2] & 0x1:
            raise InputRejected("FS107", "A part of the container is encrypted.", remedy="Save it without a password.")
        used_to = member.header_offset + _LOCAL.size + fields[9] + fields[10] + member.compress_size
        if used_to > directory_at:
            raise _unsafe("a member overlaps the directory") if member.compress_size else _damaged("a member is cut")


def _reader_at(stream: IO[bytes]) -> Callable[[int, int], bytes]:
    """Reads so many bytes from a place. Of a file without the stream, which would read a whole buffer each time."""
    try:
        return partial(os.pread, stream.fileno())
    except (OSError, AttributeError):
        pass

    def read_at(size: int, place: int) -> bytes:
        stream.seek(place)
        return stream.read(size)

    return read_at


def _damaged(what: str) -> InputRejected:
    return InputRejected(
        "FS105", f"The zip container is damaged: {what}.", remedy="Fetch the file again, or open and save it."
    )


def _unsafe(what: str) -> InputRejected:
    return InputRejected(
        "FS106", f"The zip container is unsafe: {what}.", remedy="Open it in its program and save it again."
    )
