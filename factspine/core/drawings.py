"""A page or slide as a picture: pixels where the format has them, otherwise marks to draw. Everything in points."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from factspine.core.tables import Box, Position

MarkKind = Literal["text", "cell", "picture", "chart", "bar"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """One thing on a slide: a text in its box, a cell of a table, a chart or one of its bars, a picture's place."""

    kind: MarkKind
    box: Box
    text: str = ""
    size: float = 12.0  # of the type
    bold: bool = False
    align: str = ""  # left, center, right, or "" where the document does not say
    fill: str = ""  # "#rrggbb", or "" where the document gives no colour of its own


@dataclass(frozen=True, slots=True, kw_only=True)
class PageDrawing:
    """What a page or slide looks like. `points` are the places of a chart's points, by the chart's locator and grid."""

    number: int
    width: float
    height: float
    png: bytes = b""
    marks: tuple[Mark, ...] = ()
    points: Mapping[str, Mapping[Position, Box]] = field(default_factory=dict)

    def head(self) -> dict[str, Any]:
        """All but the pixels, for JSON."""
        return {
            "number": self.number,
            "width": self.width,
            "height": self.height,
            "marks": [[one.kind, one.box, one.text, one.size, one.bold, one.align, one.fill] for one in self.marks],
            "points": {chart: [[*place, *box] for place, box in found.items()] for chart, found in self.points.items()},
        }

    @classmethod
    def of(cls, head: Mapping[str, Any], png: bytes = b"") -> PageDrawing:
        """The drawing that `head` and pixels were made from."""
        names = ("kind", "box", "text", "size", "bold", "align", "fill")
        marks = (dict(zip(names, values, strict=True)) for values in head["marks"])
        return cls(
            number=head["number"],
            width=head["width"],
            height=head["height"],
            png=png,
            marks=tuple(Mark(**{**one, "box": tuple(one["box"])}) for one in marks),
            points={
                chart: {(row, col): (x0, top, x1, bottom) for row, col, x0, top, x1, bottom in found}
                for chart, found in head["points"].items()
            },
        )
