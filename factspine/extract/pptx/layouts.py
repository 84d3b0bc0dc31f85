"""Where placeholders stand that do not say so themselves: their layout says it, or the master behind that."""

from __future__ import annotations

from factspine.core.limits import Limits
from factspine.core.tables import Box
from factspine.extract.pptx import tags
from factspine.extract.pptx.package import Element, Package, PartDamaged, child_of
from factspine.extract.pptx.shapes import shapes_of

_C_SLD, _SP_TREE, _PH = tags.p("cSld"), tags.p("spTree"), tags.p("ph")
_TITLES, _BODIES = ("title", "ctrTitle"), ("", "body", "subTitle", "obj", "tbl", "chart", "pic", "dgm", "media")
_Places = dict[tuple[str, str], Box]  # by index and type


class Layouts:
    """The placeholders of a deck's layouts and masters, read when a slide first asks for them."""

    def __init__(self, package: Package, limits: Limits) -> None:
        self._package = package
        self._limits = limits
        self._known: dict[str, tuple[_Places, str]] = {}

    def box(self, layout: str, index: str, kind: str) -> Box | None:
        """The place that a layout, or its master, gives the placeholder of this index and type."""
        places, master = self._places(layout, "slideMaster")
        own = {of_index: box for (of_index, _), box in places.items()}
        if index in own:
            return own[index]
        places, _ = self._places(master, "")
        alike = _TITLES if kind in _TITLES else _BODIES if kind in _BODIES else (kind,)
        return next((box for (_, of_kind), box in places.items() if of_kind in alike), None)

    def _places(self, part: str, parent: str) -> tuple[_Places, str]:
        if part not in self._known:
            self._known[part] = self._read(part, parent) if part else ({}, "")
        return self._known[part]

    def _read(self, part: str, parent: str) -> tuple[_Places, str]:
        try:
            root = self._package.xml(part)
            links = self._package.relations(part).values()
        except PartDamaged:
            return {}, ""  # nothing is lost but where a caption stands
        above = next((link.target for link in links if parent and link.kind == parent), "")
        common = child_of(root, _C_SLD)
        tree = child_of(common, _SP_TREE) if common is not None else None
        found: _Places = {}
        for shape in shapes_of(tree, self._limits, part) if tree is not None else ():
            placeholder, box = placeholder_of(shape.element), shape.box()
            if placeholder is not None and box is not None:
                found.setdefault((placeholder.get("idx", "0"), placeholder.get("type", "")), box)
        return found, above


def placeholder_of(element: Element) -> Element | None:
    """The mark that makes a shape a placeholder."""
    outer = next(iter(element), None)
    return next(outer.iter(_PH), None) if outer is not None else None
