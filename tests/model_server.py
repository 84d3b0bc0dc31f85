"""A model behind a real HTTP server on loopback, which plays whatever part it is told to."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from factspine import EndpointProvider

Part = Callable[[BaseHTTPRequestHandler, dict[str, Any]], None]


@dataclass
class Server:
    """The server while it runs: where it is, and what it was asked."""

    url: str
    asked: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)

    def provider(self, seconds: float = 10.0) -> EndpointProvider:
        """The real client at this server."""
        return EndpointProvider("played-model", base_url=self.url, key="key-of-the-test", seconds=seconds)


@contextmanager
def model(part: Part) -> Iterator[Server]:
    """A server that plays a part until the block ends."""
    found = Server(url="")

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            found.asked.append(json.loads(body))
            found.keys.append(self.headers.get("Authorization", ""))
            try:
                part(self, found.asked[-1])
            except (BrokenPipeError, ConnectionResetError):
                self.close_connection = True

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            """Nothing on the terminal of whoever runs the tests."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    found.url = f"http://127.0.0.1:{server.server_port}/v1"
    try:
        yield found
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def send(handler: BaseHTTPRequestHandler, body: bytes, *, status: int = 200, kind: str = "application/json") -> None:
    """One whole reply."""
    handler.send_response(status)
    handler.send_header("Content-Type", kind)
    handler.send_header("Content-Length", str(len(body)))
    handler.end_headers()
    handler.wfile.write(body)


def completion(message: dict[str, Any]) -> bytes:
    """A reply of a chat server."""
    choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": None, **message}}
    return json.dumps(
        {"id": "x", "object": "chat.completion", "created": 0, "model": "m", "choices": [choice]}
    ).encode()


def plans(**arguments: Any) -> Part:
    """A model that fills in the tool so."""
    return calls(json.dumps(arguments))


def calls(arguments: str) -> Part:
    """A model that calls the tool with this text as its arguments."""
    call = {"id": "c", "type": "function", "function": {"name": "query_metric", "arguments": arguments}}
    return lambda handler, _: send(handler, completion({"tool_calls": [call]}))


def says(text: str) -> Part:
    """A model that writes text and calls nothing."""
    return lambda handler, _: send(handler, completion({"content": text}))


def sleeps(seconds: float) -> Part:
    """A server that says nothing for a while."""

    def part(handler: BaseHTTPRequestHandler, _: dict[str, Any]) -> None:
        time.sleep(seconds)
        send(handler, completion({"content": "{}"}))

    return part


def trickles(seconds: float) -> Part:
    """A server that sends a byte now and then, so that no pause is ever long."""

    def part(handler: BaseHTTPRequestHandler, _: dict[str, Any]) -> None:
        handler.send_response(200)
        handler.send_header("Content-Type", "application/json")
        handler.end_headers()
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            handler.wfile.write(b" ")
            handler.wfile.flush()
            time.sleep(0.05)

    return part


def breaks_off(handler: BaseHTTPRequestHandler, _: dict[str, Any]) -> None:
    """A server that promises more than it sends."""
    body = completion({"content": "{}"})
    handler.send_response(200)
    handler.send_header("Content-Type", "application/json")
    handler.send_header("Content-Length", str(len(body) * 2))
    handler.end_headers()
    handler.wfile.write(body[:40])
    handler.close_connection = True


def floods(handler: BaseHTTPRequestHandler, _: dict[str, Any]) -> None:
    """A server that never stops talking."""
    handler.send_response(200)
    handler.send_header("Content-Type", "application/json")
    handler.end_headers()
    for _ in range(4096):
        handler.wfile.write(b"x" * 4096)


def redirects_to(url: str) -> Part:
    """A server that sends the client elsewhere."""

    def part(handler: BaseHTTPRequestHandler, _: dict[str, Any]) -> None:
        handler.send_response(307)
        handler.send_header("Location", url)
        handler.send_header("Content-Length", "0")
        handler.end_headers()

    return part
