"""The child's main loop: confine yourself, say that you are ready, answer requests until the parent is gone.

Only frames leave this process, and only typed errors in them: an exception nobody foresaw is reported by its type,
never by its message, which may hold cell text.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable
from typing import IO, Any

import orjson

from factspine.core.errors import InputRejected, SandboxFailed
from factspine.core.limits import Limits
from factspine.extract.confine import arm_cpu_limit, confine, may_write_bytecode, resident_bytes
from factspine.extract.frames import DONE, FAILED, READY, REQUEST, BadFrame, read_frame, write_frame, write_json
from factspine.extract.sandbox import EXIT_MEMORY

_OUT_BUFFER_BYTES = 256 * 1024
_REQUEST_BYTES_MAX = 64 * 1024 * 1024
# Collecting garbage walks everything the worker holds; it is worth it only after a request that made much of it.
_COLLECT_RESIDENT_BYTES = 200 * 1024 * 1024

Operation = Callable[[dict[str, Any], Limits, IO[bytes]], dict[str, Any]]


def main() -> None:
    """Serves requests on standard input until it ends. Called by the sandbox, with the memory limit as argument."""
    requests = os.fdopen(os.dup(0), "rb")
    answers = os.fdopen(os.dup(1), "wb", buffering=_OUT_BUFFER_BYTES)
    # Whatever a library prints must not end up between our frames.
    os.dup2(2, 1)
    confine(int(sys.argv[2]))
    # Cycles are rare in what extraction builds, and looking for them among a million cells takes longer than parsing.
    gc.disable()
    inherited = resident_bytes()  # of the process this one was forked from; a fresh interpreter's own is little
    status = 1
    try:
        write_frame(answers, READY, b"")
        answers.flush()
        while (frame := read_frame(requests, _REQUEST_BYTES_MAX)) is not None:
            kind, payload = frame
            if kind != REQUEST:
                break
            _serve(orjson.loads(payload), answers, inherited)
        status = 0
    except (BrokenPipeError, BadFrame):
        status = 0  # the parent is gone; nobody is left to tell
    except MemoryError:
        status = EXIT_MEMORY
    finally:
        # Nothing to save and nobody waiting: leave without unwinding what a parser left behind.
        os._exit(status)


def _serve(request: dict[str, Any], answers: IO[bytes], inherited: int) -> None:
    """Answers one request; whatever goes wrong with it is an answer too."""
    arm_cpu_limit(float(request["cpu_seconds"]))
    limits = Limits.from_mapping(request["limits"])
    failure: dict[str, Any] | None = None
    try:
        totals = _operation(request["op"])(request, limits, answers)
    except InputRejected as error:
        failure = {"code": error.code, "message": str(error), "remedy": error.remedy, "locator": error.locator}
    except BrokenPipeError:
        raise
    except MemoryError:
        # The frame that was being written may be cut in two, so that nothing more can be said on this pipe.
        os._exit(EXIT_MEMORY)
    except RecursionError:
        failure = {"code": "FS201", "message": "The document's structure is nested too deeply."}
    except Exception as error:  # the boundary: nothing untyped leaves the child
        failure = {"code": "FS201", "message": f"The document's structure is damaged ({type(error).__name__})."}
    if failure is not None:
        write_json(answers, FAILED, {**failure, "resident_bytes": resident_bytes() - inherited})
        answers.flush()
        return
    if resident_bytes() - inherited > _COLLECT_RESIDENT_BYTES:
        gc.collect()
    write_json(answers, DONE, {**totals, "resident_bytes": resident_bytes() - inherited})
    answers.flush()


def _operation(name: str) -> Operation:
    """The code of an operation, loaded when it is first asked for."""
    with may_write_bytecode():
        if name == "ingest":
            from factspine.ingestion.document import send_document

            return send_document
        if name == "extract":
            from factspine.ingestion.listing import send_listing

            return send_listing
        if name == "draw":
            from factspine.ingestion.listing import send_pictures

            return send_pictures
        if name == "page":
            from factspine.ingestion.listing import send_page

            return send_page
        if name == "reread":
            from factspine.ingestion.document import send_rereading

            return send_rereading
        if name == "readback":
            from factspine.ingestion.readback import send_readback

            return send_readback
    raise SandboxFailed("FS204", "an operation nobody knows")
