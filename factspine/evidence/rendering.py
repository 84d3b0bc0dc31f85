"""Pages out of templates: one file each, which loads nothing and runs nothing. What a document says goes in as text."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from factspine.core.drawings import Mark, PageDrawing
from factspine.core.wrapping import wrapped
from factspine.evidence.phrases import shown_amount, shown_marks, shown_value

if TYPE_CHECKING:
    from jinja2 import Environment

# A page forbids itself to fetch or run anything; only the pages of a server have a form, and it leads back to it.
POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action "
_INSET, _LINE, _ASCENT = 4.0, 1.2, 0.95  # points beside a text; heights as shares of the type size
_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ufffe\uffff]")


class TextLine(NamedTuple):
    """One line of a text on a drawn slide."""

    x: float
    y: float
    anchor: str
    text: str


def render(template: str, *, served: bool = False, **values: Any) -> str:
    """A page; `served` by a server, it has the form to ask with and links to the other pages."""
    policy = POLICY + ("'self'" if served else "'none'")
    return _environment().get_template(template).render(served=served, policy=policy, **values)


@cache
def _environment() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("factspine", "evidence/templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_clean,
    )
    environment.filters.update(
        amount=shown_amount,
        value=shown_value,
        unit=lambda fact: shown_amount(fact).removeprefix(shown_value(fact)),
        marks=shown_marks,
        lines=lambda mark: list(_lines(mark)),
        categories=lambda drawing: list(_categories(drawing)),
        png=lambda drawing: "data:image/png;base64," + base64.b64encode(drawing.png).decode(),
    )
    return environment


def _clean(value: Any) -> Any:
    """Text without what would steer whoever displays it: control characters and marks that turn the direction."""
    written = isinstance(value, str) and not hasattr(value, "__html__")  # what a template made is written already
    return _CONTROLS.sub("", value) if written else value


def _lines(mark: Mark) -> Iterator[TextLine]:
    """The lines of a text in its box: cells in the middle of their height, everything else from the top."""
    x0, top, x1, bottom = mark.box
    lines = wrapped(mark.text, x1 - x0 - 2 * _INSET, mark.size)
    step = mark.size * _LINE
    start = top + (max(0.0, bottom - top - step * len(lines)) / 2 if mark.kind == "cell" else _INSET)
    x, anchor = {"center": ((x0 + x1) / 2, "middle"), "right": (x1 - _INSET, "end")}.get(
        mark.align, (x0 + _INSET, "start")
    )
    for place, line in enumerate(lines):
        yield TextLine(round(x, 2), round(start + mark.size * _ASCENT + place * step, 2), anchor, line)


def _categories(drawing: PageDrawing) -> Iterator[TextLine]:
    """The names of a chart's categories under their bars; bars of one category stand side by side."""
    bars = [mark for mark in drawing.marks if mark.kind == "bar"]
    charts = [mark.box for mark in drawing.marks if mark.kind == "chart"]
    for place, bar in enumerate(bars):
        if place and bars[place - 1].text == bar.text and bars[place - 1].box[0] < bar.box[0]:
            continue
        floor = next((box[3] for box in charts if box[0] <= bar.box[0] <= box[2] and box[1] <= bar.box[1] <= box[3]), 0)
        yield TextLine(bar.box[0], round(floor - _INSET, 2), "start", bar.text)
