"""Length-framed messages between the extraction child and its parent.

A frame is four bytes of length, one byte of kind, and that many bytes of payload: JSON or raw bytes, never a pickle.
The parent treats the stream as hostile: a frame of an unknown kind or over the limit ends the conversation.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import IO, Any, Final

import orjson

HEADER: Final = struct.Struct(">IB")

REQUEST: Final = ord("Q")  # parent to child: JSON, one request
READY: Final = ord("R")  # the child has confined itself and waits
ITEM: Final = ord("J")  # JSON, one part of an answer
BLOB: Final = ord("B")  # bytes that belong to the item before them
FAILED: Final = ord("E")  # JSON: code, message, remedy, locator; the answer ends here and counts for nothing
DONE: Final = ord("D")  # JSON: totals; the answer is complete

CONTROL_KINDS: Final = frozenset((READY, FAILED, DONE))
CONTROL_BYTES_MAX: Final = 1024 * 1024
_KINDS: Final = frozenset((REQUEST, READY, ITEM, BLOB, FAILED, DONE))


class BadFrame(Exception):
    """The stream does not hold frames."""


def write_frame(stream: IO[bytes], kind: int, payload: bytes) -> None:
    """Writes one frame; the caller flushes."""
    stream.write(HEADER.pack(len(payload), kind))
    stream.write(payload)


def write_json(stream: IO[bytes], kind: int, message: Any) -> None:
    """Writes one frame of JSON. Text that is no Unicode (lone surrogates from damaged files) is made so."""
    try:
        payload = orjson.dumps(message)
    except orjson.JSONEncodeError:
        payload = orjson.dumps(_encodable(message))
    write_frame(stream, kind, payload)


def _encodable(message: Any) -> Any:
    if isinstance(message, str):
        return message.encode("utf-8", "replace").decode("utf-8")
    if isinstance(message, dict):
        return {_encodable(key): _encodable(value) for key, value in message.items()}
    if isinstance(message, list | tuple):
        return [_encodable(value) for value in message]
    return message


def read_frame(stream: IO[bytes], bytes_max: int) -> tuple[int, bytes] | None:
    """The next frame of a blocking stream; None at its end."""
    header = stream.read(HEADER.size)
    if not header:
        return None
    if len(header) < HEADER.size:
        raise BadFrame("a frame is cut short")
    size, kind = HEADER.unpack(header)
    if kind not in _KINDS or size > bytes_max:
        raise BadFrame("a frame is of no known kind or too large")
    payload = stream.read(size)
    if len(payload) < size:
        raise BadFrame("a frame is cut short")
    return kind, payload


def read_frames(stream: IO[bytes], bytes_max: int) -> Iterator[tuple[int, bytes]]:
    """All frames of a blocking stream."""
    while (frame := read_frame(stream, bytes_max)) is not None:
        yield frame


class FrameSplitter:
    """Passes a stream of frames on as it arrives, holding back only the control frames, which it returns whole.

    The parent never assembles a large frame just to put it away: items go to the sink in whatever pieces they come.
    """

    def __init__(self, sink: IO[bytes], bytes_max: int) -> None:
        self._sink = sink
        self._bytes_max = bytes_max
        self._header = bytearray()
        self._left = 0
        self._control: bytearray | None = None
        self._kind = 0
        self.passed_bytes = 0

    def feed(self, block: bytes) -> tuple[int, bytes] | None:
        """Takes the next piece of the stream; returns the control frame it completes, which must be its last."""
        view = memoryview(block)
        while view:
            if not self._left:
                take = HEADER.size - len(self._header)
                self._header += view[:take]
                view = view[take:]
                if len(self._header) < HEADER.size:
                    return None
                self._begin()
            else:
                taken = view[: self._left]
                view = view[len(taken) :]
                self._left -= len(taken)
                if self._control is None:
                    self._sink.write(taken)
                else:
                    self._control += taken
            if not self._left and self._control is not None:
                if view:
                    raise BadFrame("something follows the end of an answer")
                frame, self._control = (self._kind, bytes(self._control)), None
                return frame
        return None

    def _begin(self) -> None:
        size, kind = HEADER.unpack(self._header)
        if kind not in _KINDS or size > (CONTROL_BYTES_MAX if kind in CONTROL_KINDS else self._bytes_max):
            raise BadFrame("a frame is of no known kind or too large")
        self._left, self._kind = size, kind
        if kind in CONTROL_KINDS:
            self._control = bytearray()
        else:
            self._sink.write(self._header)
            self.passed_bytes += HEADER.size + size
        self._header = bytearray()
