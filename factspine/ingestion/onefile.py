"""One file without a store: its tables, its pages drawn, what stands at given places. Parsed in the sandbox too."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import IO, Any, cast

import orjson

from factspine.core.drawings import PageDrawing
from factspine.core.errors import InputRejected, UsageError
from factspine.core.limits import Limits
from factspine.extract.frames import ITEM, read_frames
from factspine.extract.sandbox import Allowance, Sandbox
from factspine.ingestion.intake import WORKER_MODULE, inspect

_MEMORY_BYTES = 16 * 1024 * 1024
_DRAWING_FACTOR = 15


def extract_lines(path: Path, *, doc: str | None = None, limits: Limits | None = None) -> Iterator[bytes]:
    """The file's labelled tables as JSON, in pieces of lines; raises `InputRejected` or `SandboxFailed`."""
    with suppress(BrokenPipeError):
        for _, payload in _ask(path, {"op": "extract", "doc": doc or path.name}, limits or Limits()):
            yield payload


def extract_tables(path: Path, *, doc: str | None = None, limits: Limits | None = None) -> Iterator[dict[str, Any]]:
    """The file's labelled tables, one mapping each."""
    line = bytearray()
    for piece in extract_lines(path, doc=doc, limits=limits):
        line += piece
        if line.endswith(b"\n"):
            yield orjson.loads(bytes(line))
            line.clear()


def draw_pages(path: Path, folder: Path, *, limits: Limits | None = None) -> Iterator[Path]:
    """Writes a PNG for each page, what was read drawn over it; yields each file as it is written."""
    # A picture of a page takes as long as reading several; whoever asks for pictures waits for them.
    limits = limits or Limits()
    patient = replace(limits, child_cpu_seconds=limits.child_cpu_seconds * _DRAWING_FACTOR)
    number = 0
    for kind, payload in _ask(path, {"op": "draw"}, patient):
        if kind == ITEM:
            number = int(orjson.loads(payload))
            continue
        folder.mkdir(parents=True, exist_ok=True)
        target = folder / f"page-{number:04d}.png"
        target.write_bytes(payload)
        yield target


def page_drawing(path: Path, number: int, *, name: str = "", limits: Limits | None = None) -> PageDrawing:
    """What a page or slide looks like; `name` as in `reread`."""
    (_, head), (_, png) = _ask(path, {"op": "page", "number": number}, limits or Limits(), name=name)
    return PageDrawing.of(orjson.loads(head), png)


def reread(
    path: Path, locators: Sequence[str], *, name: str = "", limits: Limits | None = None
) -> list[tuple[str, str | None]]:
    """What stands at each place according to the second reader: the text, and the exact value or None.

    `name` is the document's name where the path is a blob of the vault.
    """
    found: list[tuple[str, str | None]] = []
    for _, payload in _ask(path, {"op": "reread", "locators": list(locators)}, limits or Limits(), name=name):
        found.extend((text, value) for text, value in orjson.loads(payload))
    return found


def _ask(path: Path, request: dict[str, Any], limits: Limits, *, name: str = "") -> Iterator[tuple[int, bytes]]:
    try:
        inspected = inspect(path, name or path.name, limits)
    except OSError as error:
        raise InputRejected("FS102", f"The file cannot be opened ({type(error).__name__}).") from error
    if inspected is None:
        raise InputRejected(
            "FS108", "This is no document of a kind that is read.", remedy="Give an xlsx, pptx or pdf file."
        )
    if request["op"] == "draw" and not inspected.row.has_pages:
        raise UsageError(f"{path.name} has no pages to draw; --debug is for pdf files.")
    request = {
        **request,
        "path": str(path.resolve()),
        "format": inspected.row.format,
        "limits": asdict(limits),
    }
    with (
        cast(IO[bytes], SpooledTemporaryFile(max_size=_MEMORY_BYTES)) as content,
        Sandbox(WORKER_MODULE, limits) as sandbox,
    ):
        sandbox.run(request, content, Allowance.of(limits, inspected.inflated_bytes))
        content.seek(0)
        yield from read_frames(content, limits.frame_bytes_max)
