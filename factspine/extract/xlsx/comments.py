"""Comments on cells: the old kind and the threaded kind, which keeps a copy of itself among the old ones."""

from __future__ import annotations

from collections.abc import Iterator

from factspine.core.locators import cell_position
from factspine.core.tables import Passage
from factspine.extract.xlsx.markup import Node, plain
from factspine.extract.xlsx.package import Package
from factspine.extract.xlsx.tables import place

_DEPTH_MAX = 20


def read_comments(package: Package, part: str, sheet: str, *, hidden: bool) -> Iterator[Passage]:
    """The comments of a sheet, in the order of their cells."""
    found: dict[tuple[int, int], list[str]] = {}
    relations = sorted(package.relations(part).values(), key=lambda relation: relation.part)
    for relation in relations:
        if relation.kind == "threadedcomment" and package.has(relation.part):
            for node in package.node(relation.part).all("threadedComment"):
                _note(found, node, "".join(child.text for child in node.all("text")))
    threaded = set(found)
    for relation in relations:
        if relation.kind == "comments" and package.has(relation.part):
            for node in package.node(relation.part).under("commentList", "comment"):
                if cell_position(node.attributes.get("ref", "")) not in threaded:
                    _note(found, node, _text(node, 0))
    for row, col in sorted(found):
        yield Passage(locator=place(sheet, row, col), text="\n".join(found[row, col]), kind="comment", hidden=hidden)


def _note(found: dict[tuple[int, int], list[str]], node: Node, text: str) -> None:
    at = cell_position(node.attributes.get("ref", ""))
    text = plain(text).strip()
    if at is not None and text:
        found.setdefault(at, []).append(text)


def _text(node: Node, depth: int) -> str:
    """All text runs below a node, phonetic ones left out."""
    if node.name == "t":
        return node.text
    if node.name == "rPh" or depth > _DEPTH_MAX:
        return ""
    return "".join(_text(child, depth + 1) for child in node.children)
