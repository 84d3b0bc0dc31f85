"""`factspine serve` and `factspine mcp`: the store for a browser, for programs, and as tools of an assistant."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from factspine.cli.app import DEFAULT_STORE, StoreOption, ViewerOption, VocabularyOption, app
from factspine.cli.console import problems
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
) -> None:
    """Serve the store: pages with boxed cells at /, and POST /v1/ask for programs. There is no login.

    Whoever reaches it sees what its viewer may see, so it listens on this machine only, unless told otherwise.
    """
    with _needing("service"):
        import uvicorn

        from factspine.service.http import LOCAL_NAMES, create_app
    desk = _desk(store, viewer, vocabulary)
    names = [*LOCAL_NAMES, host, *(allow_host or ())]
    if host not in LOCAL_NAMES:
        problems.print(f"Anyone who reaches {host} can read this store; put a login in front of it.", markup=False)
    # No access log: questions are somebody's words.
    config = uvicorn.Config(create_app(desk, hosts=names), log_level="warning", access_log=False)
    try:
        with _listening(host, port) as listener:
            address = f"http://{host}:{listener.getsockname()[1]}"
            problems.print(f"serving {store} at {address} (Ctrl-C ends it)", markup=False, soft_wrap=True)
            uvicorn.Server(config).run(sockets=[listener])
    finally:
        desk.close()


@app.command()
def mcp(
    viewer: ViewerOption = "",
    vocabulary: VocabularyOption = None,
    store: StoreOption = DEFAULT_STORE,
) -> None:
    """Offer ask, search, facts and show to an assistant (Model Context Protocol, over standard input and output)."""
    with _needing("mcp"):
        from factspine.service.tools import create_server
    desk = _desk(store, viewer, vocabulary)
    try:
        create_server(desk).run("stdio")
    finally:
        desk.close()


def _listening(host: str, port: int) -> socket.socket:
    """A socket at that address, before anything else is made ready."""
    try:
        return socket.create_server((host, port))
    except OSError as error:
        raise UsageError(f"{host}:{port} cannot be listened at: {error.strerror}. Name another --port.") from error


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
