"""Pages for people: the documents, the facts of one, a fact with its cell boxed, an answer with its evidence."""

from __future__ import annotations

from typing import Annotated

from fastapi import FastAPI, Query, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import HTMLResponse

from factspine import __version__
from factspine.evidence.page import page_of_answer, page_of_fact
from factspine.evidence.rendering import render
from factspine.service.calls import DocumentPage, HomePage, Nothing
from factspine.service.desk import Desk
from factspine.service.looking import Looking
from factspine.service.problems import problem
from factspine.store.facts import FactFilter

_PAGE = 200  # facts
_FINDINGS = 20
_SEVERITIES = ("error", "warning", "info")


def serve_people(app: FastAPI, desk: Desk, looking: Looking) -> None:
    """The pages of the application; they are not part of what it promises to programs."""

    @app.get("/", include_in_schema=False)
    async def home(asked: Annotated[HomePage, Query()]) -> Response:
        if asked.q.strip():
            return HTMLResponse(await looking.at(lambda: _answer(desk, asked.q)))
        return HTMLResponse(await run_in_threadpool(_home, desk))

    @app.get("/documents", include_in_schema=False)
    def document(wanted: Annotated[DocumentPage, Query()]) -> Response:
        return _document(desk, wanted)

    @app.get("/facts/{fact_id}", include_in_schema=False)
    async def evidence(fact_id: str, _: Annotated[Nothing, Query()]) -> Response:
        return await looking.at(lambda: _fact(desk, fact_id))


def _answer(desk: Desk, question: str) -> str:
    return page_of_answer(desk.store, desk.ask(question), served=True)


def _home(desk: Desk) -> str:
    return render(
        "home.html",
        served=True,
        title="FactSpine",
        documents=[one for one in desk.store.documents() if one.status != "withdrawn"],
        version=f"FactSpine {__version__}",
        run=desk.store.store_version,
    )


def _document(desk: Desk, wanted: DocumentPage) -> Response:
    known = desk.document(wanted.doc)
    if known is None:
        return problem("/", 404, "NotFound", f"There is no document {wanted.doc} in this store.")
    start = wanted.start
    only = FactFilter(documents=(_literally(known.doc_id),), text=wanted.text)
    # What is worst comes first.
    findings = sorted(desk.findings(known.doc_id), key=lambda one: _SEVERITIES.index(one.severity))
    found = desk.facts(only, start=start, limit=_PAGE + 1)
    page = render(
        "document.html",
        served=True,
        title=known.doc_id,
        document=known,
        findings=findings[:_FINDINGS],
        more_findings=len(findings) - len(findings[:_FINDINGS]),
        text=wanted.text,
        facts=found[:_PAGE],
        first=start + 1,
        last=start + len(found[:_PAGE]),
        before=max(0, start - _PAGE) if start else None,
        after=start + _PAGE if len(found) > _PAGE else None,
    )
    return HTMLResponse(page)


def _fact(desk: Desk, fact_id: str) -> Response:
    found = desk.store.fact(fact_id)
    if found is None:
        return problem("/", 404, "NotFound", f"There is no fact {fact_id} in this store.")
    return HTMLResponse(page_of_fact(desk.store, found, served=True))


def _literally(doc_id: str) -> str:
    """A name as a pattern that matches nothing else."""
    return "".join(f"[{char}]" if char in "*?[" else char for char in doc_id)
