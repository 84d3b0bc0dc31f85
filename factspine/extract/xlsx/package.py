"""The parts of a workbook: which sheets there are, and the strings, styles and comments they share."""

from __future__ import annotations

import posixpath
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import NamedTuple
from xml.etree.ElementTree import Element

from factspine.core.errors import InputRejected
from factspine.extract.members import read_member
from factspine.extract.xlsx.markup import Malformed, tree, under
from factspine.extract.xlsx.strings import read_strings
from factspine.extract.xlsx.styles import Styles, read_styles

_PIECE = 128 * 1024  # so much text makes cells that stay in the processor's cache while they are worked on
_READ_ERRORS = (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError, ValueError)


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetEntry:
    """A sheet as the workbook lists it."""

    name: str
    part: str
    hidden: bool


class Relation(NamedTuple):
    """A pointer from one part to another."""

    kind: str  # the last word of its type
    part: str


class Package:
    """An open workbook. Shared parts are read on opening, sheets on demand."""

    def __init__(self, path: Path) -> None:
        try:
            self._zip = zipfile.ZipFile(path)
        except _READ_ERRORS as error:
            raise InputRejected(
                "FS105", "The container cannot be opened.", remedy="Save the workbook again."
            ) from error
        try:
            self._members = {info.filename.replace("\\", "/").lower(): info for info in self._zip.infolist()}
            self._open()
        except Malformed as error:
            self._zip.close()
            raise InputRejected("FS201", f"The workbook is damaged: {error}.", remedy="Save it again.") from error
        except BaseException:
            self._zip.close()
            raise

    def __enter__(self) -> Package:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._zip.close()

    def _open(self) -> None:
        workbook = self._workbook_part()
        root = self.node(workbook)
        relations = self.relations(workbook)
        properties = root.find("workbookPr")
        self.date1904 = properties is not None and properties.get("date1904", "0") not in ("0", "false")
        self.sheets = _listed(root, relations)
        if not self.sheets and not under(root, "sheets", "sheet"):
            raise Malformed("it lists no sheets")
        by_kind = {relation.kind: relation.part for relation in relations.values()}
        strings, styles = by_kind.get("sharedstrings", ""), by_kind.get("styles", "")
        self.strings: list[str] = read_strings(self.data(strings)) if self.has(strings) else []
        self.styles: Styles = read_styles(self.node(styles)) if self.has(styles) else Styles()

    def _workbook_part(self) -> str:
        for relation in self.relations("").values():
            if relation.kind == "officedocument" and self.has(relation.part):
                return relation.part
        if self.has("xl/workbook.xml"):
            return "xl/workbook.xml"
        raise Malformed("it has no workbook part")

    def has(self, part: str) -> bool:
        """Whether the container holds a part."""
        return part.lower() in self._members

    def data(self, part: str) -> bytes:
        """The bytes of a part."""
        try:
            return read_member(self._zip, self._member(part))
        except _READ_ERRORS as error:
            raise Malformed("a part cannot be inflated") from error

    def pieces(self, part: str) -> Iterator[bytes]:
        """The bytes of a part, those of a large one a piece at a time."""
        info = self._member(part)
        if info.file_size <= _PIECE:
            yield self.data(part)
            return
        try:
            with self._zip.open(info) as stream:
                while piece := stream.read(_PIECE):
                    yield piece
        except _READ_ERRORS as error:
            raise Malformed("a part cannot be inflated") from error

    def _member(self, part: str) -> zipfile.ZipInfo:
        info = self._members.get(part.lower())
        if info is None:
            raise Malformed("a part is missing")
        return info

    def node(self, part: str) -> Element:
        """A small part as elements."""
        return tree(self.data(part))

    def relations(self, part: str) -> dict[str, Relation]:
        """Where a part points to, by relation id; nothing where it points nowhere."""
        folder, name = posixpath.split(part)
        where = posixpath.join(folder, "_rels", name + ".rels")
        if not self.has(where):
            return {}
        found = {}
        for node in self.node(where).findall("Relationship"):
            if node.get("TargetMode", "").lower() == "external":
                continue
            target = node.get("Target", "").replace("\\", "/")
            full = target.lstrip("/") if target.startswith("/") else posixpath.normpath(posixpath.join(folder, target))
            kind = node.get("Type", "").rpartition("/")[2].lower()
            found[node.get("Id", "")] = Relation(kind=kind, part=full)
        return found


def _listed(root: Element, relations: dict[str, Relation]) -> list[SheetEntry]:
    """The worksheets in their order; chart and dialog sheets hold no cells."""
    entries = []
    for node in under(root, "sheets", "sheet"):
        own = next((value for name, value in node.items() if name.rpartition("}")[2] == "id"), "")
        relation = relations.get(own)
        if relation is not None and relation.kind not in ("worksheet", "xlintlmacrosheet", "xlmacrosheet"):
            continue
        name = node.get("name", "")
        hidden = node.get("state", "visible") != "visible"
        entries.append(SheetEntry(name=name, part=relation.part if relation else "", hidden=hidden))
    return entries
