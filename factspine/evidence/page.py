"""The evidence page: one HTML file that needs nothing else, with every number's cell boxed where it stands.

No script, no font and no picture is fetched, and none could be: the page forbids it to itself. What a document says
goes in as text and nothing else.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from factspine.core.answers import Answer
from factspine.core.drawings import Mark, PageDrawing
from factspine.core.errors import UsageError
from factspine.core.facts import Fact
from factspine.core.wrapping import wrapped
from factspine.evidence.exhibit import Album, Exhibit, exhibit_of
from factspine.evidence.phrases import shown_amount, shown_marks, shown_value
from factspine.store.store import FactStore

_EXHIBITS_MAX = 40  # of an answer; each is read again from its file, and nobody looks through more
_INSET, _LINE, _ASCENT = 4.0, 1.2, 0.95  # points beside a text; heights as shares of the type size
_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ufffe\uffff]")


class TextLine(NamedTuple):
    """One line of a text on a drawn slide."""

    x: float
    y: float
    anchor: str
    text: str


def page_of_fact(store: FactStore, fact: Fact) -> str:
    """The page of one fact."""
    album = Album(store)
    exhibits = [exhibit_of(store, fact, album)]
    title = f"{fact.metric_label} · {fact.period}" if fact.period else fact.metric_label
    return _rendered(title=title, answer=None, exhibits=exhibits, left_out=(), album=album)


def page_of_answer(store: FactStore, answer: Answer) -> str:
    """The page of an answer: what was asked, what was answered, and the evidence of every number in it."""
    album = Album(store)
    facts = list({fact.fact_id: fact for fact in answer.facts}.values())
    exhibits = [exhibit_of(store, fact, album) for fact in facts[:_EXHIBITS_MAX]]
    return _rendered(
        title=answer.question, answer=answer, exhibits=exhibits, left_out=facts[_EXHIBITS_MAX:], album=album
    )


def write_page(path: Path, html: str) -> None:
    """Write the page; what goes wrong is told in one line."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(html, encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}. Name another place.") from error


def _rendered(
    *, title: str, answer: Answer | None, exhibits: Sequence[Exhibit], left_out: Sequence[Fact], album: Album
) -> str:
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
    return environment.get_template("page.html").render(
        title=title,
        answer=answer,
        exhibits=exhibits,
        numbers={exhibit.view.fact.fact_id: number for number, exhibit in enumerate(exhibits, 1)},
        said=list(_pieces(answer, exhibits)) if answer else [],
        left_out=left_out,
        pages=album.pages,
    )


def _pieces(answer: Answer, exhibits: Sequence[Exhibit]) -> Iterator[tuple[str, str]]:
    """The answer in pieces, each with the id of a fact: "" before text; a source is a link to its exhibit instead."""
    if answer.reason is not None and answer.candidates:
        yield answer.reason.message, ""  # the rest of the text is the candidates, which have lines of their own
        return
    facts = [exhibit.view.fact for exhibit in exhibits]
    ids = {f"{fact.source_doc_id} · {fact.source_locator}": fact.fact_id for fact in facts}
    places = "|".join(re.escape(place) for place in sorted(ids, key=len, reverse=True))
    source = re.compile(rf"[(（][^(（)）\s]+[:：] ?({places})[)）]") if ids else re.compile("(?!)")
    end = 0
    for found in source.finditer(answer.answer):
        yield answer.answer[end : found.start()], ""
        yield found[0], ids[found[1]]
        end = found.end()
    yield answer.answer[end:], ""


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
