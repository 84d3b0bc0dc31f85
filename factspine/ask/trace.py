"""The record each question leaves: ids, codes, counts, timings and versions, and nothing anybody wrote.

Neither the question, nor a value, a label, a name or a path is in it. The question is there as a hash with a key that
lies beside the store, so that the same question can be found again by whoever has both, and guessed at by nobody else.
A record that cannot be written is not written; no answer waits for it or fails with it.
"""

from __future__ import annotations

import hmac
import os
import re
import secrets
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import orjson

from factspine import __version__
from factspine.ask.consulting import Consultation
from factspine.core.answers import ANALYZER, Answer
from factspine.core.clearance import LEVELS

TRACE_VARIABLE = "FACTSPINE_TRACE"  # `off`, or the file to write to instead of the one beside the store
FORMAT = 1
_BYTES_MOST = 8 << 20  # then the file becomes `….1`, of which there is one
_IDS_MOST = 50
_KEY_BYTES = 32
_APPENDING = os.O_WRONLY | os.O_CREAT | os.O_APPEND
_MODEL_NAME = re.compile(r"[A-Za-z0-9][\w.:-]{0,63}(?:/[\w.:-]{1,63})?", re.ASCII)
_OFF = frozenset({"off", "0", "no", "false", "none"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Circumstances:
    """What a question was asked with, as far as a trace may tell."""

    viewer: str | None
    as_of: bool
    patterns: int  # how many patterns of documents it was limited to
    vocabulary: str  # its version
    consultation: Consultation | None = None


def trace_path(store_path: Path | None) -> Path | None:
    """Where traces go; None where nobody wants them, or a server keeps the store and no file was named."""
    return _trace_path(os.environ.get(TRACE_VARIABLE, "").strip(), store_path)


@lru_cache(maxsize=64)
def _trace_path(wanted: str, store_path: Path | None) -> Path | None:
    if wanted.casefold() in _OFF:
        return None
    if wanted:
        return Path(wanted)
    return None if store_path is None else store_path.with_name(store_path.name + ".traces.jsonl")


def leave_trace(store_path: Path | None, answer: Answer, circumstances: Circumstances) -> None:
    """Append the record of one question."""
    path = trace_path(store_path)
    if path is None:
        return
    with suppress(OSError):
        line = orjson.dumps(record(answer, circumstances, _key(path)), option=orjson.OPT_APPEND_NEWLINE)
        _append(path, line)


def record(answer: Answer, circumstances: Circumstances, key: bytes) -> dict[str, Any]:
    """What is kept of a question and its answer."""
    asked = circumstances.consultation
    viewer = (circumstances.viewer or LEVELS[0]).upper()
    return {
        "format": FORMAT,
        "at": datetime.now(UTC).isoformat(timespec="milliseconds"),
        "trace": keyed(key, "trace", answer.trace_id),
        "question": keyed(key, "question", answer.question),
        "question_chars": len(answer.question),
        "language": answer.language if answer.language in ("zh", "en") else "",
        "mode": answer.mode,
        "reason": "" if answer.reason is None else answer.reason.code,
        "operation": "" if answer.derivation is None else answer.derivation.operation,
        "facts": [fact.fact_id for fact in answer.facts[:_IDS_MOST]],
        "chunks": [quote.chunk_id for quote in answer.quotes[:_IDS_MOST]],
        "retrieved": [] if answer.retrieval is None else [one.chunk_id for one in answer.retrieval.hits[:_IDS_MOST]],
        "codes": _codes(answer),
        "counts": {
            "facts": len(answer.facts),
            "quotes": len(answer.quotes),
            "assumptions": len(answer.assumptions),
            "conflicts": len(answer.conflicts),
            "candidates": len(answer.candidates),
            "patterns": circumstances.patterns,
        },
        "verdicts": sorted({found.verdict for found in answer.conflicts}),
        "viewer": viewer if viewer in LEVELS else "",
        "as_of": circumstances.as_of,
        "model": None if asked is None else {"name": _model_name(asked.provider, key), "code": asked.code},
        "timings_ms": {"total": answer.elapsed_ms, "model": 0.0 if asked is None else asked.milliseconds},
        "versions": {
            "factspine": __version__,
            "analyzer": ANALYZER,
            "store": answer.store_version,
            "vocabulary": circumstances.vocabulary,
        },
    }


def _codes(answer: Answer) -> list[str]:
    """The validator's codes where a model's words were refused; of other reasons the words are the asker's."""
    refused = answer.reason is not None and answer.reason.code == "unsupported_answer"
    return list(answer.reason.words) if answer.reason is not None and refused else []


def keyed(key: bytes, domain: str, text: str) -> str:
    """A hash that only the holder of the key can make again."""
    return hmac.new(key, f"{domain}\0{text}".encode("utf-8", "surrogatepass"), sha256).hexdigest()


def _model_name(name: str, key: bytes) -> str:
    """A model's name; one that may be a path or somebody's own words, as a hash."""
    return name if _MODEL_NAME.fullmatch(name) else keyed(key, "model", name)


def _key(traces: Path) -> bytes:
    """The key beside the traces, made with the first record; only its owner can read it."""
    path = _key_path(traces)
    for _ in range(2):
        with suppress(FileNotFoundError):
            found = path.read_bytes()
            if len(found) == _KEY_BYTES:
                return found
            raise OSError("the key of the traces is damaged")
        with suppress(FileExistsError):  # another process was first: read its key
            made = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            try:
                key = secrets.token_bytes(_KEY_BYTES)
                os.write(made, key)
            finally:
                os.close(made)
            return key
    raise OSError("the key of the traces cannot be read")


@lru_cache(maxsize=64)
def _key_path(traces: Path) -> Path:
    return traces.with_name(traces.name.removesuffix(".jsonl") + ".key")


def _append(path: Path, line: bytes) -> None:
    """One line in one write, so that the lines of several processes do not mix."""
    opened = os.open(path, _APPENDING, 0o600)
    try:
        if os.fstat(opened).st_size + len(line) > _BYTES_MOST:
            os.close(opened)
            path.replace(path.with_name(path.name + ".1"))
            opened = os.open(path, _APPENDING, 0o600)
        os.write(opened, line)
    finally:
        os.close(opened)
