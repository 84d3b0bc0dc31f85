"""Rules, filled bands, pictures and drawings of a page, from its path objects.

A rule may be drawn as a line, as a thin rectangle or as the side of a cell's rectangle; all become the same kind of
rule. Curves and paths of many segments are drawings: their boxes tell where a chart is, their lines are no rules.
"""

from __future__ import annotations

import ctypes
from itertools import repeat
from typing import Any

import pypdfium2.raw as pdfium

from factspine.extract.pdf.binding import (
    address,
    form_object,
    object_bounds,
    object_fill,
    object_matrix,
    object_stroke,
    object_type,
    page_object,
    path_mode,
    path_segments,
)
from factspine.extract.pdf.marks import Fill, PageMarks, Rule

_THIN = 2.6  # points; thicker is a band
_RULE_MIN = 4.0
_SEGMENTS_MAX = 400
_OBJECTS_MAX = 20_000
_DEPTH_MAX = 6
_BRIGHT = 0xFC
_WHITE = 0xFE
_LIGHT, _INK = 1, 2
_DARK = 0xC0

_Matrix = tuple[float, float, float, float, float, float]
_IDENTITY: _Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)


def read_paths(page: Any, frame: Any, marks: PageMarks) -> None:
    """Add what a loaded page draws to its marks."""
    handle = address(page)
    count = min(pdfium.FPDFPage_CountObjects(page), _OBJECTS_MAX)
    _PathReader(frame, marks).take(list(map(page_object, repeat(handle), range(count))), _IDENTITY, 0)


class _PathReader:
    def __init__(self, frame: Any, marks: PageMarks) -> None:
        self._frame = frame
        self._marks = marks
        self._left = _OBJECTS_MAX
        self._bounds = (ctypes.c_float * 4)()  # left, bottom, right, top
        self._bounds_at = [ctypes.addressof(self._bounds) + 4 * i for i in range(4)]
        self._color = (ctypes.c_uint * 4)()
        self._color_at = [ctypes.addressof(self._color) + 4 * i for i in range(4)]
        self._mode = (ctypes.c_int * 2)()  # fill, stroke
        self._mode_at = [ctypes.addressof(self._mode) + 4 * i for i in range(2)]

    def take(self, items: list[int], outer: _Matrix, depth: int) -> None:
        for item, kind in zip(items, map(object_type, items), strict=True):
            if kind == pdfium.FPDF_PAGEOBJ_TEXT:
                continue
            self._left -= 1
            if self._left < 0:
                return
            if kind == pdfium.FPDF_PAGEOBJ_PATH:
                self._path(item, outer)
            elif kind == pdfium.FPDF_PAGEOBJ_IMAGE:
                if box := self._box(item, outer):
                    self._marks.pictures.append(box)
            elif kind == pdfium.FPDF_PAGEOBJ_SHADING:
                if box := self._box(item, outer):
                    self._marks.fills.append(Fill(*box, dark=True))
            elif kind == pdfium.FPDF_PAGEOBJ_FORM and depth < _DEPTH_MAX:
                form = ctypes.cast(item, pdfium.FPDF_PAGEOBJECT)
                count = min(pdfium.FPDFFormObj_CountObjects(form), _OBJECTS_MAX)
                inner = _concat(_matrix_of(item), outer)
                self.take(list(map(form_object, repeat(item), range(max(0, count)))), inner, depth + 1)

    def _box(self, item: int, outer: _Matrix) -> tuple[float, float, float, float] | None:
        if not object_bounds(item, *self._bounds_at):
            return None
        left, bottom, right, top = self._bounds
        if outer is not _IDENTITY:
            left, bottom = _apply(outer, left, bottom)
            right, top = _apply(outer, right, top)
        box: tuple[float, float, float, float] = self._frame.box(left, bottom, right, top)
        return box

    def _path(self, item: int, outer: _Matrix) -> None:
        box = self._box(item, outer)
        if box is None:
            return
        path_mode(item, *self._mode_at)
        filled, stroked = self._mode
        if not filled and not stroked:
            return
        x0, top, x1, bottom = box
        width, height = x1 - x0, bottom - top
        marks = self._marks
        if width > marks.width * 1.5 or height > marks.height * 1.5:
            return
        segments = path_segments(item)
        if segments <= 6 and min(width, height) <= _THIN:
            ink = self._ink(item, fill=not stroked)
            if ink:
                self._add_rule(x0, top, x1, bottom, light=ink == _LIGHT)
        elif segments > _SEGMENTS_MAX:
            marks.graphics.append(box)
        elif filled and not stroked and 4 <= segments <= 6:
            self._add_fill(item, box)
        else:
            self._trace(item, segments, outer, box, filled=bool(filled), stroked=bool(stroked))

    def _ink(self, item: int, *, fill: bool) -> int:
        """What is drawn with: nothing, white, which is seen on a fill only, or a color."""
        color = self._color
        known = (object_fill if fill else object_stroke)(item, *self._color_at)
        if not known:
            return _INK
        if color[3] == 0:
            return 0
        return _LIGHT if min(color[0], color[1], color[2]) >= _WHITE else _INK

    def _add_rule(self, x0: float, top: float, x1: float, bottom: float, *, light: bool = False) -> None:
        marks = self._marks
        if x1 - x0 >= bottom - top:
            if x1 - x0 >= _RULE_MIN:
                (marks.light_across if light else marks.across).append(Rule((top + bottom) / 2, x0, x1))
        elif bottom - top >= _RULE_MIN:
            (marks.light_down if light else marks.down).append(Rule((x0 + x1) / 2, top, bottom))

    def _add_fill(self, item: int, box: tuple[float, float, float, float]) -> None:
        object_fill(item, *self._color_at)
        red, green, blue, alpha = self._color
        if alpha == 0 or min(red, green, blue) >= _BRIGHT:
            return
        color = red << 16 | green << 8 | blue
        self._marks.fills.append(Fill(*box, dark=min(red, green, blue) < _DARK, color=color))

    def _trace(
        self,
        item: int,
        segments: int,
        outer: _Matrix,
        box: tuple[float, float, float, float],
        *,
        filled: bool,
        stroked: bool,
    ) -> None:
        """Follow a path's segments: straight level and upright ones are rules, anything else makes it a drawing."""
        lines, straight = self._segments(item, segments, _concat(_matrix_of(item), outer))
        if not straight:
            self._marks.graphics.append(box)
            return
        if filled:
            self._filled_parts(item, lines)
        if not stroked:
            return
        ink = self._ink(item, fill=False)
        if not ink:
            return
        for ax, ay, bx, by in lines:
            if abs(ax - bx) <= _THIN or abs(ay - by) <= _THIN:
                self._add_rule(min(ax, bx), min(ay, by), max(ax, bx), max(ay, by), light=ink == _LIGHT)

    def _filled_parts(self, item: int, lines: list[tuple[float, float, float, float]]) -> None:
        """Rectangles filled as one path: thin ones are rules, the others bands."""
        for start in range(0, len(lines) - 3, 4):
            part = lines[start : start + 4]
            xs = [p[0] for p in part] + [p[2] for p in part]
            ys = [p[1] for p in part] + [p[3] for p in part]
            if min(max(xs) - min(xs), max(ys) - min(ys)) <= _THIN:
                self._add_rule(min(xs), min(ys), max(xs), max(ys))
            else:
                self._add_fill(item, (min(xs), min(ys), max(xs), max(ys)))

    def _segments(self, item: int, count: int, matrix: _Matrix) -> tuple[list[tuple[float, float, float, float]], bool]:
        lines: list[tuple[float, float, float, float]] = []
        path = ctypes.cast(item, pdfium.FPDF_PAGEOBJECT)
        x, y = ctypes.c_float(), ctypes.c_float()
        first = last = (0.0, 0.0)
        slanted = 0
        for index in range(count):
            segment = pdfium.FPDFPath_GetPathSegment(path, index)
            kind = pdfium.FPDFPathSegment_GetType(segment)
            if kind == pdfium.FPDF_SEGMENT_BEZIERTO:
                return [], False
            pdfium.FPDFPathSegment_GetPoint(segment, x, y)
            point = self._frame.point(*_apply(matrix, x.value, y.value))
            if kind == pdfium.FPDF_SEGMENT_MOVETO:
                first = point
            else:
                lines.append((*last, *point))
                slanted += abs(last[0] - point[0]) > _THIN and abs(last[1] - point[1]) > _THIN
            last = point
            if pdfium.FPDFPathSegment_GetClose(segment) and point != first:
                lines.append((*point, *first))
                last = first
        return lines, slanted <= len(lines) // 4


def _matrix_of(item: int) -> _Matrix:
    matrix = (ctypes.c_float * 6)()
    object_matrix(item, ctypes.addressof(matrix))
    a, b, c, d, e, f = matrix
    return a, b, c, d, e, f


def _apply(m: _Matrix, x: float, y: float) -> tuple[float, float]:
    return m[0] * x + m[2] * y + m[4], m[1] * x + m[3] * y + m[5]


def _concat(inner: _Matrix, outer: _Matrix) -> _Matrix:
    if outer is _IDENTITY:
        return inner
    a, b, c, d, e, f = inner
    return (
        a * outer[0] + b * outer[2],
        a * outer[1] + b * outer[3],
        c * outer[0] + d * outer[2],
        c * outer[1] + d * outer[3],
        e * outer[0] + f * outer[2] + outer[4],
        e * outer[1] + f * outer[3] + outer[5],
    )
