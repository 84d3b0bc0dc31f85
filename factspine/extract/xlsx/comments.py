"""Comments on cells: the old kind and the threaded kind, which keeps a copy of itself among the old ones."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree.ElementTree import Element

from factspine.core.locators import cell_position
from factspine.core.tables import Passage
from factspine.extract.xlsx.markup import plain, text_of, under
from factspine.extract.xlsx.package import Package
from factspine.extract.xlsx.tables import place

_DEPTH_MAX = 20


def read_comments(package: Package, part: str, sheet: str, *, hidden: bool) -> Iterator[Passage]:
    """The comments of a sheet, in the order of their cells."""
    found: dict[tuple[int, int], list[str]] = {}
    relations = sorted(package.relations(part).values(), key=lambda relation: relation.part)
    for relation in relations:
        if relation.kind == "threadedcomment" and package.has(relation.part):
            for node in package.node(relation.part).findall("threadedComment"):
                _note(found, node, "".join(map(text_of, node.findall("text"))))
    threaded = set(found)
    for relation in relations:
        if relation.kind == "comments" and package.has(relation.part):
            for node in under(package.node(relation.part), "commentList", "comment"):
                if cell_position(node.get("ref", "")) not in threaded:
                    _note(found, node, _text(node, 0))
    for row, col in sorted(found):
        yield Passage(locator=place(sheet, row, col), text="\n".join(found[row, col]), kind="comment", hidden=hidden)


def _note(found: dict[tuple[int, int], list[str]], node: Element, text: str) -> None:
    at = cell_position(node.get("ref", ""))
    text = plain(text).strip()
    if at is not None and text:
        found.setdefault(at, []).append(text)


def _text(node: Element, depth: int) -> str:
    """All text runs below a node, phonetic ones left out."""
    if node.tag == "t":
        return text_of(node)
    if node.tag == "rPh" or depth > _DEPTH_MAX:
        return ""
    return "".join(_text(child, depth + 1) for child in node)
