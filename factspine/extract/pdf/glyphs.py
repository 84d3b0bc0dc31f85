"""Pages through pdfium: characters in bulk, paths and pictures.

pdfium has no call that returns all characters of a page with their boxes. The functions needed for each character are
driven by `map` and write into arrays; everything after that works on the arrays.
"""

from __future__ import annotations

import ctypes
import math
from collections import deque
from itertools import repeat
from typing import Any, NamedTuple

import numpy as np
import pypdfium2.raw as pdfium

from factspine.core.errors import LimitExceeded
from factspine.core.limits import Limits
from factspine.extract.pdf.binding import (
    address,
    char_loose_box,
    char_matrix,
    char_object,
    char_origin,
    char_unicode,
    char_unmapped,
    object_fill,
    text_font,
    text_mode,
    text_size,
)
from factspine.extract.pdf.links import read_links
from factspine.extract.pdf.marks import PageMarks
from factspine.extract.pdf.paths import read_paths
from factspine.extract.pdf.wording import Glyphs, Look, build_words

_WHITE = 0xF0  # channels at least this bright read as paper
_BOLD_WEIGHT = 600
_SLANT = 0.2
_FONT_FLAG_BOLD = 1 << 18
_FONT_FLAG_ITALIC = 1 << 6


class Frame(NamedTuple):
    """How page space becomes what a reader sees: `x, y -> top-left points` after the page's rotation."""

    a: float
    b: float
    c: float
    d: float
    e: float
    f: float
    width: float
    height: float

    def point(self, x: float, y: float) -> tuple[float, float]:
        return self.a * x + self.c * y + self.e, self.b * x + self.d * y + self.f

    def box(self, x0: float, y0: float, x1: float, y1: float) -> tuple[float, float, float, float]:
        ax, ay = self.point(x0, y0)
        bx, by = self.point(x1, y1)
        return min(ax, bx), min(ay, by), max(ax, bx), max(ay, by)


def frame_of(page: Any) -> Frame:
    """The frame of a loaded page."""
    rect = pdfium.FS_RECTF()
    pdfium.FPDF_GetPageBoundingBox(page, rect)
    left, bottom, right, top = rect.left, rect.bottom, rect.right, rect.top
    width, height = right - left, top - bottom
    turn = pdfium.FPDFPage_GetRotation(page)
    if turn == 1:
        return Frame(0, 1, 1, 0, -bottom, -left, height, width)
    if turn == 2:
        return Frame(-1, 0, 0, 1, right, -bottom, width, height)
    if turn == 3:
        return Frame(0, -1, -1, 0, top, right, height, width)
    return Frame(1, 0, 0, -1, -left, top, width, height)


def read_page(document: Any, number: int, limits: Limits) -> PageMarks:
    """What stands on one page (1-based)."""
    page = pdfium.FPDF_LoadPage(document, number - 1)
    if not page:
        raise ValueError("the page cannot be loaded")
    try:
        frame = frame_of(page)
        marks = PageMarks(number, frame.width, frame.height)
        read_paths(page, frame, marks)
        marks.links = [frame.box(*box) for box in read_links(document, page)]
        text_page = pdfium.FPDFText_LoadPage(page)
        if text_page:
            try:
                _read_text(text_page, frame, marks, limits)
            finally:
                pdfium.FPDFText_ClosePage(text_page)
    finally:
        pdfium.FPDF_ClosePage(page)
    return marks


def _read_text(text_page: Any, frame: Frame, marks: PageMarks, limits: Limits) -> None:
    count = pdfium.FPDFText_CountChars(text_page)
    if count <= 0:
        return
    if count > limits.page_chars_max:
        raise LimitExceeded("page_chars_max", count, limits.page_chars_max, locator=f"page={marks.number}")
    marks.chars = count
    handle = address(text_page)
    text = _characters(text_page, handle, count)
    boxes = np.zeros((count, 4), dtype=np.float32)  # left, top, right, bottom in page space
    start = boxes.ctypes.data
    deque(map(char_loose_box, repeat(handle), range(count), range(start, start + 16 * count, 16)), 0)
    glyphs = _seen(text, boxes, frame)
    looks = _Looks(handle, frame)
    build_words(glyphs, looks, marks)


def _characters(text_page: Any, handle: int, count: int) -> str:
    buffer = (ctypes.c_ushort * (2 * count + 2))()
    written = pdfium.FPDFText_GetText(text_page, 0, count, buffer)
    text = bytes(buffer)[: 2 * max(0, written - 1)].decode("utf-16-le", "replace")
    if len(text) != count:
        # Characters without a code are left out of the bulk text; ask one by one where that happens.
        codes = map(char_unicode, repeat(handle), range(count))
        text = "".join(chr(code) if 0 < code < 0x110000 and not 0xD800 <= code < 0xE000 else "\ufffd" for code in codes)
    return text


def _seen(text: str, boxes: Any, frame: Frame) -> Glyphs:
    left, top, right, bottom = (boxes[:, i].astype(np.float64) for i in range(4))
    ax, ay = frame.a * left + frame.c * top + frame.e, frame.b * left + frame.d * top + frame.f
    bx, by = frame.a * right + frame.c * bottom + frame.e, frame.b * right + frame.d * bottom + frame.f
    return Glyphs(
        text=text,
        x0=np.minimum(ax, bx),
        top=np.minimum(ay, by),
        x1=np.maximum(ax, bx),
        bottom=np.maximum(ay, by),
    )


class _Looks:
    """The looks of the character at an index; characters of one text object share them."""

    def __init__(self, handle: int, frame: Frame) -> None:
        self._handle = handle
        self._frame = frame
        self._by_object: dict[int | None, Look] = {}
        self._by_font: dict[int | None, tuple[bool, bool]] = {}
        self._matrix = (ctypes.c_float * 6)()
        self._size = (ctypes.c_float * 1)()
        self._color = (ctypes.c_uint * 4)()
        self._matrix_at = ctypes.addressof(self._matrix)
        self._size_at = ctypes.addressof(self._size)
        self._color_at = [ctypes.addressof(self._color) + 4 * i for i in range(4)]

    def at(self, index: int) -> Look:
        key = char_object(self._handle, index)
        look = self._by_object.get(key)
        if look is None:
            look = self._by_object[key] = self._read(key, index)
        return look

    def many(self, indexes: list[int]) -> list[Look]:
        known = self._by_object
        keys = list(map(char_object, repeat(self._handle), indexes))
        for index, key in zip(indexes, keys, strict=True):
            if key not in known:
                known[key] = self._read(key, index)
        return [known[key] for key in keys]

    def origins(self, indexes: list[int]) -> tuple[Any, Any]:
        count = len(indexes)
        points = np.zeros((count, 2), dtype=np.float64)
        start = points.ctypes.data
        stop = start + 16 * count
        deque(map(char_origin, repeat(self._handle), indexes, range(start, stop, 16), range(start + 8, stop, 16)), 0)
        x, y, frame = points[:, 0], points[:, 1], self._frame
        return frame.a * x + frame.c * y + frame.e, frame.b * x + frame.d * y + frame.f

    def unmapped(self, indexes: list[int]) -> list[bool]:
        return [answer == 1 for answer in map(char_unmapped, repeat(self._handle), indexes)]

    def _read(self, key: int | None, index: int) -> Look:
        if not key:
            return Look()
        char_matrix(self._handle, index, self._matrix_at)
        text_size(key, self._size_at)
        object_fill(key, *self._color_at)
        m, frame, color = self._matrix, self._frame, self._color
        # Type of a negative size on a page turned upside down stands upright.
        way = -1 if self._size[0] < 0 else 1
        dx, dy = way * (frame.a * m[0] + frame.c * m[1]), way * (frame.b * m[0] + frame.d * m[1])
        turn, slanted = 0, False
        if dy or dx < 0:
            angle = math.atan2(dy, dx)
            turn = round(angle / (math.pi / 2)) % 4
            slanted = abs(math.sin(2 * angle)) > _SLANT
        mode = text_mode(key)
        bold, italic = self._font(text_font(key))
        return Look(
            size=abs(self._size[0]) * math.hypot(m[2], m[3]),
            bold=bold or mode == pdfium.FPDF_TEXTRENDERMODE_FILL_STROKE,
            italic=italic,
            turn=turn,
            slanted=slanted,
            white=min(color[0], color[1], color[2]) >= _WHITE and mode != pdfium.FPDF_TEXTRENDERMODE_STROKE,
            invisible=mode == pdfium.FPDF_TEXTRENDERMODE_INVISIBLE or color[3] == 0,
            unmapped=char_unmapped(self._handle, index) == 1,
        )

    def _font(self, key: int | None) -> tuple[bool, bool]:
        known = self._by_font.get(key)
        if known is None:
            font = ctypes.cast(key, pdfium.FPDF_FONT) if key else None
            known = self._by_font[key] = _font_style(font) if font else (False, False)
        return known


def _font_style(font: Any) -> tuple[bool, bool]:
    buffer = ctypes.create_string_buffer(256)
    length = pdfium.FPDFFont_GetBaseFontName(font, buffer, 256)
    name = buffer.raw[: max(0, min(length, 256) - 1)].decode("utf-8", "replace").lower()
    flags = pdfium.FPDFFont_GetFlags(font)
    weight = pdfium.FPDFFont_GetWeight(font)
    bold = weight >= _BOLD_WEIGHT or bool(flags > 0 and flags & _FONT_FLAG_BOLD)
    bold = bold or any(word in name for word in ("bold", "black", "heavy", "semibold", "simhei", ",b"))
    italic = bool(flags > 0 and flags & _FONT_FLAG_ITALIC) or "italic" in name or "oblique" in name
    return bold, italic
