"""The zip container of a deck: parts by name, relations by kind, XML parsed without trusting it."""

from __future__ import annotations

import posixpath
import struct
import zipfile
import zlib
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from lxml import etree

from factspine.core.errors import InputRejected, LimitExceeded
from factspine.core.limits import Limits
from factspine.extract.members import read_member
from factspine.extract.pptx import tags

Element = Any  # lxml ships no types

# What a damaged or unusual member makes zipfile raise: bad checksum, cut stream, unknown compression, a password.
_DAMAGE = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    OSError,
    NotImplementedError,
    RuntimeError,
    KeyError,
    ValueError,
)
_PARSER = etree.XMLParser(
    resolve_entities=False,
    no_network=True,
    huge_tree=False,
    load_dtd=False,
    remove_comments=True,
    remove_pis=True,
    collect_ids=False,
)


def child_of(parent: Element, tag: str) -> Element | None:
    """The first child of this name; the library's own `find` takes three times as long to look among a few."""
    for child in parent:
        if child.tag == tag:
            return child
    return None


class PartDamaged(Exception):
    """One part is missing or unreadable; whoever asked for it decides what that costs."""


class Relation(NamedTuple):
    """A link from one part to another."""

    kind: str  # last segment of the type address, which strict and ordinary files share: slide, chart, notesSlide …
    target: str  # part name; "" where the link leaves the package


class Package:
    """An open deck. Only parts that are asked for are inflated."""

    def __init__(self, path: Path | BinaryIO, limits: Limits) -> None:
        try:
            self._zip = zipfile.ZipFile(path)
        except _DAMAGE as error:
            raise InputRejected(
                "FS201", "The deck's container cannot be opened.", remedy="Save the deck again and ingest the new file."
            ) from error
        self._limits = limits
        # Part names are compared without case; producers disagree with themselves about it.
        self._members = {info.filename.lower(): info for info in self._zip.infolist()}

    def __enter__(self) -> Package:
        return self

    def __exit__(self, *_: object) -> None:
        self._zip.close()

    def __contains__(self, name: str) -> bool:
        return name.lower() in self._members

    def xml(self, name: str) -> Element:
        """The root element of a part."""
        data = self.data(name)
        if tags.STRICT_MARK in data:
            for strict, transitional in tags.STRICT_ADDRESSES:
                data = data.replace(strict, transitional)
        try:
            root = etree.fromstring(data, _PARSER)
        except (etree.XMLSyntaxError, ValueError) as error:
            raise PartDamaged("its XML is not well-formed") from error
        if root is None:
            raise PartDamaged("its XML is empty")
        if root.getroottree().docinfo.internalDTD is not None:
            raise InputRejected(
                "FS106",
                "A part declares a document type, which office files never need and attacks do.",
                remedy="Open the deck in its own program and save it again.",
            )
        return root

    def relations(self, name: str) -> dict[str, Relation]:
        """The links of a part (`""` for the package itself) by id; none where it has no relations part."""
        folder, _, base = name.rpartition("/")
        rels = f"{folder}/_rels/{base}.rels" if folder else f"_rels/{base}.rels"
        if rels not in self:
            return {}
        found = {}
        for link in self.xml(rels).iterchildren(tags.RELATIONSHIP):
            kind = (link.get("Type") or "").rpartition("/")[2]
            target = "" if link.get("TargetMode") == "External" else _resolve(folder, link.get("Target") or "")
            found[link.get("Id") or ""] = Relation(kind, target)
        return found

    def names(self, folder: str) -> list[str]:
        """The parts of a folder, in lower case."""
        return [name for name in self._members if name.startswith(folder)]

    def size(self, name: str) -> int:
        """How many bytes a part has; 0 where it is not there."""
        info = self._members.get(name.lower())
        return 0 if info is None else info.file_size

    def data(self, name: str) -> bytes:
        """The bytes of a part."""
        info = self._members.get(name.lower())
        if info is None:
            raise PartDamaged("it is not in the file")
        if info.file_size > self._limits.zip_member_bytes_max:
            raise LimitExceeded("zip_member_bytes_max", info.file_size, self._limits.zip_member_bytes_max)
        try:
            return read_member(self._zip, info)
        except _DAMAGE as error:
            raise PartDamaged("its bytes are damaged") from error


def _resolve(folder: str, target: str) -> str:
    """The part name a relation's target stands for."""
    if target.startswith("/"):
        return target[1:]
    if folder and target.startswith("../") and "/." not in target and "//" not in target:  # as nearly all do
        above = folder.rpartition("/")[0]
        return f"{above}/{target[3:]}" if above else target[3:]
    return posixpath.normpath(posixpath.join(folder, target))
