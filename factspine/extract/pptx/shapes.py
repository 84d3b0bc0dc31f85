"""The shapes of a slide in the order they are painted, groups opened, with their boxes on the slide.

Numbering rule, which locators rely on: walk the shape tree depth first in document order; every shape, picture,
graphic frame, connector, group and ink counts one, a group before its members; of alternative contents the first
choice that holds a shape counts, otherwise the fallback.
"""

from __future__ import annotations

from typing import NamedTuple

from factspine.core.errors import LimitExceeded
from factspine.core.limits import Limits
from factspine.core.tables import Box
from factspine.extract.pptx import tags
from factspine.extract.pptx.package import Element, child_of

EMU_PER_POINT = 12700
_KINDS = {tags.p(name): name for name in ("sp", "pic", "graphicFrame", "grpSp", "cxnSp", "contentPart")}
_XFRM_PARENT = {"sp": tags.p("spPr"), "pic": tags.p("spPr"), "grpSp": tags.p("grpSpPr")}
_P_XFRM, _A_XFRM = tags.p("xfrm"), tags.a("xfrm")
_OFF, _EXT, _CHILD_OFF, _CHILD_EXT = (tags.a(name) for name in ("off", "ext", "chOff", "chExt"))


class Transform(NamedTuple):
    """From the coordinates inside a group to those of the slide: `x * scale_x + shift_x`."""

    scale_x: float = 1.0
    scale_y: float = 1.0
    shift_x: float = 0.0
    shift_y: float = 0.0


class Shape(NamedTuple):
    """One shape of a slide and its number under the rule above."""

    number: int
    kind: str  # sp, pic, graphicFrame, grpSp, cxnSp, contentPart
    element: Element
    transform: Transform

    def box(self) -> Box | None:
        """Where the shape stands on the slide, in points; None where it inherits its place or gives none."""
        xfrm = _xfrm_of(self.kind, self.element)
        place = _rectangle(xfrm, _OFF, _EXT) if xfrm is not None else None
        if place is None:
            return None
        x, y, width, height = place
        t = self.transform
        return (
            round((x * t.scale_x + t.shift_x) / EMU_PER_POINT, 2),
            round((y * t.scale_y + t.shift_y) / EMU_PER_POINT, 2),
            round(((x + width) * t.scale_x + t.shift_x) / EMU_PER_POINT, 2),
            round(((y + height) * t.scale_y + t.shift_y) / EMU_PER_POINT, 2),
        )


def shapes_of(tree: Element, limits: Limits, locator: str) -> list[Shape]:
    """All shapes below a slide's shape tree, numbered."""
    found: list[Shape] = []
    _collect(tree, Transform(), 0, found, limits, locator)
    return found


def _collect(
    parent: Element, transform: Transform, depth: int, found: list[Shape], limits: Limits, locator: str
) -> None:
    if depth > limits.group_depth_max:
        raise LimitExceeded("group_depth_max", depth, limits.group_depth_max, locator=locator)
    for element in parent:
        kind = _KINDS.get(element.tag)
        if kind is not None:
            found.append(Shape(len(found) + 1, kind, element, transform))
            if kind == "grpSp":
                _collect(element, _inside(element, transform), depth + 1, found, limits, locator)
        elif element.tag == tags.ALTERNATE:
            chosen = _chosen(element)
            if chosen is not None:
                _collect(chosen, transform, depth + 1, found, limits, locator)


def _chosen(alternate: Element) -> Element | None:
    for branch in alternate.iterchildren(tags.CHOICE):
        if any(child.tag in _KINDS for child in branch):
            return branch
    return child_of(alternate, tags.FALLBACK)


def _xfrm_of(kind: str, element: Element) -> Element | None:
    if kind == "graphicFrame":
        return child_of(element, _P_XFRM)
    properties = child_of(element, _XFRM_PARENT[kind]) if kind in _XFRM_PARENT else None
    return child_of(properties, _A_XFRM) if properties is not None else None


def _rectangle(xfrm: Element, offset_tag: str, extent_tag: str) -> tuple[int, int, int, int] | None:
    offset, extent = child_of(xfrm, offset_tag), child_of(xfrm, extent_tag)
    if offset is None or extent is None:
        return None
    try:
        return int(offset.get("x")), int(offset.get("y")), int(extent.get("cx")), int(extent.get("cy"))
    except (TypeError, ValueError):
        return None


def _inside(group: Element, outer: Transform) -> Transform:
    """The transform for the members of a group; that of the group itself where it does not say its own."""
    xfrm = _xfrm_of("grpSp", group)
    place = _rectangle(xfrm, _OFF, _EXT) if xfrm is not None else None
    inner = _rectangle(xfrm, _CHILD_OFF, _CHILD_EXT) if xfrm is not None else None
    if place is None or inner is None or not inner[2] or not inner[3]:
        return outer
    x_ratio, y_ratio = place[2] / inner[2], place[3] / inner[3]
    return Transform(
        outer.scale_x * x_ratio,
        outer.scale_y * y_ratio,
        outer.scale_x * (place[0] - inner[0] * x_ratio) + outer.shift_x,
        outer.scale_y * (place[1] - inner[1] * y_ratio) + outer.shift_y,
    )
