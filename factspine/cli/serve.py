"""`factspine serve` and `factspine mcp`: the store for a browser, for programs, and as tools of an assistant."""

from __future__ import annotations

import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from errno import EACCES, EADDRINUSE
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from factspine.cli.app import DEFAULT_STORE, JsonOption, StoreOption, ViewerOption, VocabularyOption, app
from factspine.cli.console import print_json, problems
from factspine.core.errors import UsageError

if TYPE_CHECKING:
    from factspine.service.desk import Desk


@app.command()
def serve(
    host: Annotated[str, typer.Option(help="The address to listen at.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="The port to listen at.", min=0, max=65535)] = 8765,
    allow_host: Annotated[
        list[str] | None, typer.Option(help="Another name it may be called by, as the browser has it (repeatable).")
    ] = None,
    viewer: ViewerOption = "",
    vocabulary: VocabularyOption = None,
    store: StoreOption = DEFAULT_STORE,
    as_json: JsonOption = False,
) -> None:
    """Serve the store: pages with boxed cells at /, and POST /v1/ask for programs. There is no login.

    Whoever reaches it sees what its viewer may see, so it listens on this machine only, unless told otherwise.
    """
    with _needing("service"):
        import uvicorn

        from factspine.service.guard import LOCAL_NAMES, host_names
        from factspine.service.http import create_app
    names = host_names([*LOCAL_NAMES, host, *(allow_host or ())])
    desk = _desk(store, viewer, vocabulary)
    if not _is_this_machine(host):
        problems.print(_warning(host, named=bool(allow_host)), markup=False, soft_wrap=True)
    # No access log: questions are somebody's words.
    config = uvicorn.Config(create_app(desk, hosts=tuple(names)), log_level="error", access_log=False)
    try:
        with _listening(host, port) as listener:
            _say_where(f"http://{_in_address(host)}:{listener.getsockname()[1]}", store, as_json=as_json)
            with suppress(KeyboardInterrupt):  # the way to end it
                uvicorn.Server(config).run(sockets=[listener])
    finally:
        desk.close()


@app.command()
def mcp(
    viewer: ViewerOption = "",
    vocabulary: VocabularyOption = None,
    store: StoreOption = DEFAULT_STORE,
    as_json: Annotated[bool, typer.Option("--json", help="Changes nothing: the protocol is JSON.")] = False,
) -> None:
    """Offer ask, search, facts and show to an assistant (Model Context Protocol, over standard input and output)."""
    with _needing("mcp"):
        from factspine.service.tools import create_server
    desk = _desk(store, viewer, vocabulary)
    try:
        with suppress(KeyboardInterrupt):
            create_server(desk).run("stdio")
    finally:
        desk.close()


def _say_where(address: str, store: str, *, as_json: bool) -> None:
    """For whoever started it: the address, which has the port where none was named."""
    if as_json:
        print_json({"store": store, "address": address})
        sys.stdout.flush()
    else:
        problems.print(f"serving {store} at {address} (Ctrl-C ends it)", markup=False, soft_wrap=True)


def _is_this_machine(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _in_address(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _warning(host: str, *, named: bool) -> str:
    told = f"Anyone who reaches {host} can read this store; put a login in front of it."
    return told if named else f"{told} Name what callers call it with --allow-host: it answers to no other name."


def _listening(host: str, port: int) -> socket.socket:
    """A socket at that address, before anything else is made ready."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family)
    except OSError as error:
        why = (error.strerror or str(error)).partition(" (while")[0]
        remedy = "Name another --port" if error.errno in (EACCES, EADDRINUSE) else "Name an address of this machine"
        raise UsageError(f"{_in_address(host)}:{port} cannot be listened at: {why}. {remedy}.") from error


@contextmanager
def _needing(extra: str) -> Iterator[None]:
    """Says which extra is missing, where one is."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise UsageError(f"this needs an extra: pip install 'factspine[{extra}]'.") from error


def _desk(store: str, viewer: str, vocabulary: Path | None) -> Desk:
    """The store, looked at once, so that what is wrong with it is told now and not with the first question."""
    from factspine.service.desk import Desk

    desk = Desk(store, viewer=viewer, vocabulary=vocabulary)
    desk.store.head()
    return desk
