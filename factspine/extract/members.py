"""Members of a zip container in one step.

Office files have a part or three for each slide or sheet, most of them small; opening each as a file object costs more
than inflating it, so ordinary members are inflated at once and only unusual ones take zipfile's way.
"""

from __future__ import annotations

import os
import struct
import zipfile
import zlib

_LOCAL_MAGIC = b"PK\x03\x04"
_LOCAL_HEADER = struct.Struct("<26xHH")  # what matters of it: the lengths of the name and of the extra field
_ENCRYPTED = 0x1


def read_member(package: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes:
    """The bytes of a member, checked against its length and its checksum."""
    stored = package.fp
    if (
        stored is None
        or info.flag_bits & _ENCRYPTED
        or info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
    ):
        return package.read(info)
    stored.seek(info.header_offset)
    header = stored.read(_LOCAL_HEADER.size)
    if len(header) < _LOCAL_HEADER.size or not header.startswith(_LOCAL_MAGIC):
        raise zipfile.BadZipFile("no header")
    stored.seek(sum(_LOCAL_HEADER.unpack(header)), os.SEEK_CUR)
    data = stored.read(info.compress_size)
    if info.compress_type == zipfile.ZIP_DEFLATED:
        # One byte more than promised is enough to know that the directory lies.
        data = zlib.decompressobj(-zlib.MAX_WBITS).decompress(data, info.file_size + 1)
    if len(data) != info.file_size or zlib.crc32(data) != info.CRC:
        raise zipfile.BadZipFile("length or checksum differ")
    return data
