"""The evidence page: every number of an answer, or one fact, with its cell boxed where it stands."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from factspine.core.answers import Answer
from factspine.core.errors import UsageError
from factspine.core.facts import Fact
from factspine.evidence.exhibit import Album, Exhibit, exhibits_of
from factspine.evidence.rendering import render
from factspine.store.store import FactStore

_BEGINNING = b"<!DOCTYPE html>"
_EXHIBITS_MAX = 40  # of an answer; each is read again from its file, and nobody looks through more


def page_of_fact(store: FactStore, fact: Fact, *, served: bool = False) -> str:
    """The page of one fact."""
    album = Album(store)
    exhibits = exhibits_of(store, [fact], album)
    title = f"{fact.metric_label} · {fact.period}" if fact.period else fact.metric_label
    return render(
        "page.html", served=served, title=title, answer=None, exhibits=exhibits, left_out=(), pages=album.pages
    )


def page_of_answer(store: FactStore, answer: Answer, *, served: bool = False) -> str:
    """The page of an answer: what was asked, what was answered, and the evidence of every number in it."""
    album = Album(store)
    facts = list({fact.fact_id: fact for fact in answer.facts}.values())
    exhibits = exhibits_of(store, facts[:_EXHIBITS_MAX], album)
    shown = {exhibit.view.fact.fact_id for exhibit in exhibits}
    others = {fact_id for conflict in answer.conflicts for fact_id in conflict.facts} - shown
    return render(
        "page.html",
        served=served,
        title=answer.question,
        asked=answer.question,
        answer=answer,
        exhibits=exhibits,
        numbers={exhibit.view.fact.fact_id: number for number, exhibit in enumerate(exhibits, 1)},
        said=list(_pieces(answer, exhibits)),
        others={fact_id: fact for fact_id in others if (fact := store.fact(fact_id)) is not None},
        left_out=facts[_EXHIBITS_MAX:],
        pages=album.pages,
    )


def write_page(path: Path, html: str) -> None:
    """Write the page; what goes wrong is told in one line. A page may take a page's place, and no other file's."""
    try:
        if path.is_file() and path.stat().st_size and _begins(path) != _BEGINNING:
            raise UsageError(f"{path} is there already and no page; name another place.")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(html, encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}. Name another place.") from error


def _begins(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(len(_BEGINNING))


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
