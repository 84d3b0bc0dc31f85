"""The store over HTTP: `POST /v1/ask` and its like for programs, pages with boxed cells for people.

There is no login here. The server shows what its one viewer may see, listens on this machine unless told otherwise,
answers only to the host names it was given (a page on the internet must not reach it through a name of its own), and
sends nothing that lets a page of another origin read it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from datetime import date
from typing import Annotated, Any, Literal

import orjson
from fastapi import FastAPI, Query, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse
from pydantic import BaseModel, ConfigDict, Field
from starlette.exceptions import HTTPException
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from factspine import __version__
from factspine.core.answers import fact_record
from factspine.core.errors import FactSpineError, StoreBusy, StoreError, UsageError
from factspine.evidence.page import page_of_answer, page_of_fact
from factspine.evidence.rendering import POLICY, render
from factspine.service.desk import Desk
from factspine.store.facts import FactFilter

LOCAL_NAMES = ("127.0.0.1", "localhost")
_QUESTION_MAX = 2_000  # characters
_BODY_MAX = 64 * 1024  # bytes
_PAGE = 200  # facts
_LIMIT_MAX = 1_000
_HEADERS = {"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "Cache-Control": "no-store"}

Question = Annotated[str, Field(min_length=1, max_length=_QUESTION_MAX)]
Documents = Annotated[list[str], Field(max_length=100)]


class Ask(BaseModel):
    """A question, with what `answer_question()` takes."""

    model_config = ConfigDict(extra="forbid")
    question: Question
    documents: Documents = []
    today: date | None = None
    as_of: str | None = None
    language: Literal["zh", "en"] | None = None


class Search(BaseModel):
    """What to look for in words."""

    model_config = ConfigDict(extra="forbid")
    question: Question
    documents: Documents = []
    top: Annotated[int, Field(ge=1, le=100)] = 10


class _Json(Response):
    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        return orjson.dumps(content)


class _SmallBodies:
    """Refuses a body as soon as it is larger than any question."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        taken = 0

        async def counted() -> Message:
            nonlocal taken
            message = await receive()
            taken += len(message.get("body", b""))
            if taken > _BODY_MAX:
                raise HTTPException(413, f"The request is larger than {_BODY_MAX:,} bytes.")
            return message

        await self._app(scope, counted, send)


def create_app(desk: Desk, *, hosts: Sequence[str] = LOCAL_NAMES) -> FastAPI:
    """The application; `hosts` are the names it answers to."""
    # The usual pages of documentation load their scripts from elsewhere; /openapi.json says the same.
    app = FastAPI(title="FactSpine", version=__version__, docs_url=None, redoc_url=None)
    app.add_middleware(_SmallBodies)
    app.add_middleware(TrustedHostMiddleware, allowed_hosts=list(hosts))
    app.middleware("http")(_with_headers)
    app.exception_handler(FactSpineError)(_told)
    app.exception_handler(RequestValidationError)(_not_understood)
    app.exception_handler(HTTPException)(_refused)
    _serve_programs(app, desk)
    _serve_people(app, desk)
    return app


def _serve_programs(app: FastAPI, desk: Desk) -> None:
    @app.post("/v1/ask")
    def ask(asked: Ask) -> Response:
        """The answer as `factspine ask --json` gives it; a refusal is an answer, too."""
        options = asked.model_dump()
        return _Json(desk.ask(options.pop("question"), **options).to_json())

    @app.post("/v1/search")
    def search(asked: Search) -> Response:
        """Passages and rows of tables, each a citation."""
        return _Json(desk.search(asked.question, documents=asked.documents, top=asked.top))

    @app.get("/v1/facts")
    def facts(
        wanted: Annotated[FactQuery, Query()],
    ) -> Response:
        """Facts that match every filter, in order of document and place."""
        found = desk.facts(wanted.filter(), start=wanted.start, limit=wanted.limit + 1, as_of=wanted.as_of)
        more = len(found) > wanted.limit
        listed = [fact_record(fact) for fact in found[: wanted.limit]]
        return _Json({"facts": listed, "next": wanted.start + wanted.limit if more else None})

    @app.get("/v1/facts/{fact_id}")
    def fact(fact_id: str) -> Response:
        """One fact, read again in the archived file."""
        found = desk.store.fact(fact_id)
        return _Json(desk.evidence(found)) if found is not None else _nothing(f"no fact {fact_id}")

    @app.get("/v1/health")
    def health() -> Response:
        """Whether the store can be read, and its state."""
        return _Json({"status": "ok", "store_version": desk.store.store_version, "version": __version__})


class FactQuery(BaseModel):
    """The filters of `factspine facts`, and which part of what they find."""

    model_config = ConfigDict(extra="forbid")
    doc: list[str] = []
    metric: str = ""
    entity: str = ""
    geography: str = ""
    channel: str = ""
    period: str = ""
    unit: str = ""
    status: str = ""
    text: str = ""
    as_of: str | None = None
    start: Annotated[int, Field(ge=0)] = 0
    limit: Annotated[int, Field(ge=1, le=_LIMIT_MAX)] = 100

    def filter(self) -> FactFilter:
        """What the store is asked for."""
        fields = self.model_dump(exclude={"doc", "as_of", "start", "limit"})
        return FactFilter(documents=tuple(self.doc), **fields)


def _serve_people(app: FastAPI, desk: Desk) -> None:
    @app.get("/", response_class=HTMLResponse)
    def home(q: Annotated[str, Query(max_length=_QUESTION_MAX)] = "") -> str:
        if q.strip():
            return page_of_answer(desk.store, desk.ask(q), served=True)
        documents = [one for one in desk.store.documents() if one.status != "withdrawn"]
        version, run = f"FactSpine {__version__}", desk.store.store_version
        return render("home.html", served=True, title="FactSpine", documents=documents, version=version, run=run)

    @app.get("/documents", response_class=HTMLResponse)
    def document(
        doc: str, text: Annotated[str, Query(max_length=200)] = "", start: Annotated[int, Query(ge=0)] = 0
    ) -> Response:
        known = desk.document(doc)
        if known is None:
            return _page_of_nothing(f"There is no document {doc} in this store.")
        found = desk.facts(FactFilter(documents=(_literally(doc),), text=text), start=start, limit=_PAGE + 1)
        page = render(
            "document.html",
            served=True,
            title=doc,
            document=known,
            text=text,
            facts=found[:_PAGE],
            first=start + 1 if found else 0,
            last=start + len(found[:_PAGE]),
            before=max(0, start - _PAGE) if start else None,
            after=start + _PAGE if len(found) > _PAGE else None,
        )
        return HTMLResponse(page)

    @app.get("/facts/{fact_id}", response_class=HTMLResponse)
    def evidence(fact_id: str) -> Response:
        found = desk.store.fact(fact_id)
        if found is None:
            return _page_of_nothing(f"There is no fact {fact_id} in this store.")
        return HTMLResponse(page_of_fact(desk.store, found, served=True))


def _literally(doc_id: str) -> str:
    """A name as a pattern that matches nothing else."""
    return "".join(f"[{char}]" if char in "*?[" else char for char in doc_id)


async def _with_headers(request: Request, call_next: Callable[[Request], Awaitable[Response]]) -> Response:
    response = await call_next(request)
    response.headers.update(_HEADERS)
    response.headers.setdefault("Content-Security-Policy", POLICY + "'self'; frame-ancestors 'none'")
    return response


def _is_page(request: Request) -> bool:
    return not request.url.path.startswith("/v1/")


def _problem(request: Request, status: int, code: str, message: str) -> Response:
    if _is_page(request):
        return HTMLResponse(render("error.html", served=True, title="That did not work", message=message), status)
    return _Json({"error": {"code": code, "message": message}}, status)


def _told(request: Request, error: Exception) -> Response:
    """What went wrong, in one sentence; never where in the program."""
    code = type(error).__name__
    if isinstance(error, UsageError):
        return _problem(request, 400, code, str(error))
    if isinstance(error, StoreBusy | StoreError):
        return _problem(request, 503, code, str(error))
    return _problem(request, 422, code, str(error))


def _not_understood(request: Request, error: Exception) -> Response:
    wrong = error.errors() if isinstance(error, RequestValidationError) else []
    said = "; ".join(f"{'.'.join(map(str, one['loc'][1:])) or one['loc'][0]}: {one['msg']}" for one in wrong)
    return _problem(request, 400, "UsageError", said or "The request cannot be understood.")


def _refused(request: Request, error: Exception) -> Response:
    status, said = (error.status_code, error.detail) if isinstance(error, HTTPException) else (500, "")
    return _problem(request, status, "NotFound" if status == 404 else "UsageError", said)


def _nothing(message: str) -> Response:
    return _Json({"error": {"code": "NotFound", "message": message}}, 404)


def _page_of_nothing(message: str) -> HTMLResponse:
    return HTMLResponse(render("error.html", served=True, title="Nothing there", message=message), 404)
