"""What went wrong, in one sentence: JSON for programs, a page for people; never where in the program."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import orjson
from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse
from pydantic import BaseModel
from starlette.exceptions import HTTPException

from factspine.core.errors import FactSpineError, StoreError, UsageError
from factspine.evidence.rendering import render
from factspine.service.calls import sentence

_NAMES = {404: "NotFound", 405: "NotAllowed", 413: "TooLarge", 500: "InternalError"}


class Error(BaseModel):
    """A code for programs and a sentence for people."""

    code: str
    message: str


class Problem(BaseModel):
    """What every call that fails is answered with."""

    error: Error


class Json(Response):
    """JSON as the command line writes it."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        return orjson.dumps(content)


def problem(path: str, status: int, code: str, message: str, headers: Mapping[str, str] | None = None) -> Response:
    """The answer to a call that failed: what is under /v1/ is for programs."""
    if path.startswith("/v1/"):
        return Json({"error": {"code": code, "message": message}}, status, headers)
    title = "Nothing there" if status == 404 else "That did not work"
    return HTMLResponse(render("error.html", served=True, title=title, message=message), status, headers)


def tell_problems(app: FastAPI) -> None:
    """Has the application answer so, whatever goes wrong on purpose."""
    app.exception_handler(FactSpineError)(_told)
    app.exception_handler(RequestValidationError)(_not_understood)
    app.exception_handler(HTTPException)(_refused)


def _told(request: Request, error: Exception) -> Response:
    status = 400 if isinstance(error, UsageError) else 503 if isinstance(error, StoreError) else 422
    return problem(request.url.path, status, type(error).__name__, str(error))


def _not_understood(request: Request, error: Exception) -> Response:
    errors = error.errors() if isinstance(error, RequestValidationError) else ()
    return problem(request.url.path, 400, "UsageError", sentence(errors))


def _refused(request: Request, error: Exception) -> Response:
    if not isinstance(error, HTTPException):
        raise error
    code = _NAMES.get(error.status_code, "UsageError")
    return problem(request.url.path, error.status_code, code, error.detail, error.headers)
