"""The store over HTTP: `POST /v1/ask` and its like for programs, pages with boxed cells for people.

There is no login here. The server shows what its one viewer may see, listens on this machine unless told otherwise,
answers only to the host names it was given (a page on the internet must not reach it through a name of its own), and
sends nothing that lets a page of another origin read it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from fastapi import FastAPI, Query, Response

from factspine import __version__
from factspine.service.calls import Ask, FactQuery, Nothing, Search
from factspine.service.desk import Desk
from factspine.service.guard import LOCAL_NAMES, Guard
from factspine.service.looking import Looking
from factspine.service.pages import serve_people
from factspine.service.problems import Json, Problem, problem, tell_problems

_PROBLEMS: dict[int | str, dict[str, Any]] = {
    400: {"model": Problem, "description": "The call makes no sense as it stands; the message says what does."},
    413: {"model": Problem, "description": "The request is larger than any question."},
    422: {"model": Problem, "description": "The document cannot be read."},
    503: {"model": Problem, "description": "The store cannot be used as it is."},
}
_NO_SUCH: dict[int | str, dict[str, Any]] = {404: {"model": Problem, "description": "There is no such fact."}}


def create_app(desk: Desk, *, hosts: Sequence[str] = LOCAL_NAMES) -> FastAPI:
    """The application; `hosts` are the names it answers to."""
    # The usual pages of documentation load their scripts from elsewhere; /openapi.json says the same.
    app = FastAPI(title="FactSpine", version=__version__, docs_url=None, redoc_url=None)
    app.add_middleware(Guard, hosts=hosts)
    tell_problems(app)
    looking = Looking()
    _serve_questions(app, desk)
    _serve_facts(app, desk, looking)
    serve_people(app, desk, looking)
    return app


def _serve_questions(app: FastAPI, desk: Desk) -> None:
    @app.post("/v1/ask", responses=_PROBLEMS)
    def ask(asked: Ask, _: Annotated[Nothing, Query()]) -> Response:
        """The answer as `factspine ask --json` gives it; a refusal is an answer, too."""
        options = asked.model_dump()
        return Json(desk.ask(options.pop("question"), **options).to_json())

    @app.post("/v1/search", responses=_PROBLEMS)
    def search(asked: Search, _: Annotated[Nothing, Query()]) -> Response:
        """Passages and rows of tables, each a citation."""
        return Json(desk.search(**asked.model_dump()))


def _serve_facts(app: FastAPI, desk: Desk, looking: Looking) -> None:
    @app.get("/v1/facts", responses=_PROBLEMS)
    def facts(wanted: Annotated[FactQuery, Query()]) -> Response:
        """Facts that match every filter, in order of document and place; `next` is where the next part starts."""
        options = {"as_of": wanted.as_of, "all_revisions": wanted.all}
        return Json(desk.listed(wanted.filter(), start=wanted.start, limit=wanted.limit, **options))

    @app.get("/v1/facts/{fact_id}", responses=_PROBLEMS | _NO_SUCH)
    async def fact(fact_id: str, _: Annotated[Nothing, Query()]) -> Response:
        """One fact, read again in the archived file."""

        def read() -> Response:
            found = desk.store.fact(fact_id)
            if found is None:
                return problem("/v1/", 404, "NotFound", f"There is no fact {fact_id}.")
            return Json(desk.evidence(found))

        return await looking.at(read)

    @app.get("/v1/health", responses={503: _PROBLEMS[503]})
    def health(_: Annotated[Nothing, Query()]) -> Response:
        """Whether the store can be read, and its state."""
        return Json({"status": "ok", "store_version": desk.store.store_version, "version": __version__})
