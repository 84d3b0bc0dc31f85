"""What every call passes: names the server answers to, a limit to its size, headers, and an end for what goes wrong."""

from __future__ import annotations

import re
import sys
import traceback
from collections.abc import Iterable

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from factspine.core.errors import UsageError
from factspine.evidence.rendering import POLICY
from factspine.service.problems import problem

LOCAL_NAMES = ("127.0.0.1", "localhost", "::1")
_BODY_MAX = 64 * 1024  # bytes; larger than any question
_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
    "Content-Security-Policy": POLICY + "'self'; frame-ancestors 'none'",
}
_NAME = re.compile(r"(?:\[([0-9a-f:.]+)\]|([^\s\[\]:@/?#*,]+))(?::\d{0,5})?", re.IGNORECASE | re.ASCII)
_ADDRESS = re.compile(r"[0-9a-f:.]*:[0-9a-f:.]*:[0-9a-f:.]*", re.IGNORECASE | re.ASCII)


def host_name(text: str) -> str:
    """The name in what a browser sends as host, without its port; "" where it is none."""
    if _ADDRESS.fullmatch(text):  # as people write it, without brackets
        return text.lower()
    found = _NAME.fullmatch(text)
    return (found[1] or found[2]).lower() if found else ""


def host_names(texts: Iterable[str]) -> frozenset[str]:
    """The names of hosts, each as `host_name`; what is none is told."""
    found = {text: host_name(text) for text in texts}
    wrong = next((text for text, name in found.items() if not name), None)
    if wrong is not None:
        raise UsageError(f"{wrong!r} is no name of a host; write it as facts.example.com, without wildcards.")
    return frozenset(found.values())


class Guard:
    """Lets through what is addressed to this server, and small; a page of the internet may not use its own name."""

    def __init__(self, app: ASGIApp, hosts: Iterable[str] = LOCAL_NAMES) -> None:
        self._app = app
        self._hosts = host_names(hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        begun = False

        async def sent(message: Message) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                begun = True
                MutableHeaders(scope=message).update(_HEADERS)
            await send(message)

        called = Headers(scope=scope).get("host", "")
        if host_name(called) not in self._hosts:
            said = f"This server does not answer to {called[:100]!r}; start it with --allow-host and that name."
            await problem(scope["path"], 400, "UsageError", said)(scope, receive, sent)
            return
        try:
            await self._app(scope, _counted(receive), sent)
        except Exception as error:
            _note(scope, error)
            if begun:
                raise
            said = "Something went wrong here; the server's own output says where."
            await problem(scope["path"], 500, "InternalError", said)(scope, receive, sent)


def _counted(receive: Receive) -> Receive:
    """A body that is refused as soon as it is too large."""
    taken = 0

    async def counted() -> Message:
        nonlocal taken
        message = await receive()
        taken += len(message.get("body", b""))
        if taken > _BODY_MAX:
            raise HTTPException(413, f"The request is larger than {_BODY_MAX:,} bytes.")
        return message

    return counted


def _note(scope: Scope, error: Exception) -> None:
    """Where it went wrong, for whoever runs the server: places in the program, and nobody's words."""
    places = "".join(traceback.format_tb(error.__traceback__))
    sys.stderr.write(f"factspine: {scope['method']} failed with {type(error).__name__} at\n{places}")
