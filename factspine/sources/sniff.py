"""What a file is, told by its bytes. The name is only a second opinion.

A few bytes say "zip", "old office file" or "PDF"; a zip's own list of content types says which office document it is.
Nothing is inflated here but that list, and of it only a bounded part.
"""

from __future__ import annotations

import re
import zipfile
import zlib
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import IO, Literal

from factspine.core.errors import InputRejected
from factspine.core.limits import Limits
from factspine.sources.guard import open_zip

Container = Literal["zip", "ole", "pdf", "other"]

HEAD_BYTES = 1024
_ZIP_MARKS = (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")
_OLE_MARK = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_TYPES_PART = "[Content_Types].xml"
# A deck of a thousand slides lists its parts in about 400 KB.
_TYPES_BYTES_MAX = 16 * 1024 * 1024
_OLE_DIRECTORY_BYTES = 256 * 1024

# Names that promise one of the formats we know: when their content is something else, that is worth a finding.
READ_SUFFIXES = {".xlsx": "xlsx", ".xlsm": "xlsx", ".xltx": "xlsx", ".xltm": "xlsx"} | {
    ".pdf": "pdf", ".pptx": "pptx", ".pptm": "pptx", ".potx": "pptx", ".potm": "pptx", ".ppsx": "pptx", ".ppsm": "pptx",
}  # fmt: skip
_UNREAD_SUFFIXES = {".xls": "xls", ".ppt": "ppt", ".doc": "doc", ".docx": "docx", ".xlsb": "xlsb"}
KNOWN_SUFFIXES = READ_SUFFIXES | _UNREAD_SUFFIXES

# The content type of a package's main part, and the format that it makes the package.
_MAIN_TYPES = (
    (
        re.compile(rb"spreadsheetml\.(?:sheet|template)\.main\+xml|ms-excel\.(?:sheet|template)\.macroEnabled\.main"),
        "xlsx",
    ),
    (
        re.compile(
            rb"presentationml\.(?:presentation|template|slideshow)\.main\+xml"
            rb"|ms-powerpoint\.(?:presentation|template|slideshow)\.macroEnabled\.main"
        ),
        "pptx",
    ),
    (re.compile(rb"ms-excel\.sheet\.binary\.macroEnabled\.main"), "xlsb"),
    (re.compile(rb"wordprocessingml\.(?:document|template)\.main\+xml|ms-word\.\w+\.macroEnabledTemplate"), "docx"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sniffed:
    """A file's format: `xlsx`, `pptx` and `pdf` are read, the others are known by name only ("" = unknown)."""

    format: str
    renamed: bool = False  # its name promises another format
    # The zip as far as it was opened; reading its directory is most of the work of sniffing and of guarding it.
    container: zipfile.ZipFile | None = field(default=None, compare=False, repr=False)


def container_of(head: bytes) -> Container:
    """The kind of container that the first bytes of a file announce."""
    if head.startswith(_ZIP_MARKS):
        return "zip"
    if head.startswith(_OLE_MARK):
        return "ole"
    # Readers accept junk before the mark, so mailers and printers put some there.
    return "pdf" if b"%PDF-" in head[:HEAD_BYTES] else "other"


def is_candidate(name: str, head: bytes) -> bool:
    """Whether a file is one of the documents FactSpine is about, by its first bytes or by what its name promises."""
    return container_of(head) != "other" or suffix_of(name) in KNOWN_SUFFIXES


def suffix_of(name: str) -> str:
    """The extension of a name, lower case, with its point."""
    return PurePosixPath(name).suffix.lower()


def sniff(name: str, stream: IO[bytes], limits: Limits) -> Sniffed:
    """The format of an open file; raises `InputRejected` where the bytes are no whole container of any kind."""
    stream.seek(0)
    head = stream.read(HEAD_BYTES)
    promised = KNOWN_SUFFIXES.get(suffix_of(name), "")
    if not head:
        raise InputRejected("FS101", "The file is empty.", remedy="Save the document again.")
    kind, package = container_of(head), None
    try:
        if kind == "zip":
            package = open_zip(stream, limits)
        found = _format_of(kind, stream, package)
    except InputRejected:
        if not promised:
            return Sniffed(format="")  # a broken archive that never claimed to be a document
        raise
    if found == "ole" and not promised:
        found = ""
    if not found and promised in ("xlsx", "pptx", "pdf"):
        raise InputRejected(
            "FS104",
            f"The name promises {promised} but the content is something else.",
            remedy="Open it in the program that made it and save it under its right type.",
        )
    return Sniffed(format=found, renamed=bool(promised and found and promised != found), container=package)


def _format_of(container: Container, stream: IO[bytes], package: zipfile.ZipFile | None) -> str:
    if package is not None:
        return _package_format(package)
    if container == "ole":
        return _ole_format(stream)
    return container if container == "pdf" else ""


def _package_format(package: zipfile.ZipFile) -> str:
    """Which office document a zip is; "" where it is none."""
    try:
        names = set(package.namelist())
        if _TYPES_PART not in names:
            return _open_document_format(package) if "mimetype" in names else ""
        if package.getinfo(_TYPES_PART).flag_bits & 0x1:
            raise InputRejected("FS107", "The container is encrypted.", remedy="Save it without a password.")
        with package.open(_TYPES_PART) as part:
            types = part.read(_TYPES_BYTES_MAX)
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, NotImplementedError, RuntimeError) as error:
        raise InputRejected(
            "FS105",
            f"The zip container is damaged or cut short ({type(error).__name__}).",
            remedy="Fetch the file again, or open and save it in its program.",
        ) from error
    if types[:2] in (b"\xff\xfe", b"\xfe\xff"):
        types = types.decode("utf-16", "replace").encode()
    return next((found for pattern, found in _MAIN_TYPES if pattern.search(types)), "")


def _open_document_format(package: zipfile.ZipFile) -> str:
    with package.open("mimetype") as part:
        mimetype = part.read(100)
    return "odf" if mimetype.startswith(b"application/vnd.oasis.opendocument.") else ""


def _ole_format(stream: IO[bytes]) -> str:
    """Which old office file a compound file is. Stream names stand in it as UTF-16, wherever its directory lies."""
    stream.seek(0)
    first = stream.read(_OLE_DIRECTORY_BYTES)
    sector_bytes = 1 << min(int.from_bytes(first[30:32], "little"), 16)
    directory_at = (int.from_bytes(first[48:52], "little") + 1) * sector_bytes
    stream.seek(directory_at)
    directory = stream.read(_OLE_DIRECTORY_BYTES) + first
    for name, found in (
        ("EncryptedPackage", "encrypted"),
        ("PowerPoint Document", "ppt"),
        ("WordDocument", "doc"),
        ("Workbook", "xls"),
        ("Book", "xls"),
    ):
        if name.encode("utf-16-le") in directory:
            return found
    return "ole"
