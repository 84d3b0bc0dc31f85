"""Rules, filled bands, pictures and drawings of a page, from its path objects.

A rule may be drawn as a line, as a thin rectangle or as the side of a cell's rectangle; all become the same kind of
rule. Curves and paths of many segments are drawings: their boxes tell where a chart is, their lines are no rules.
"""

from __future__ import annotations

import ctypes
from typing import Any

import pypdfium2.raw as pdfium

from factspine.extract.pdf.marks import Fill, PageMarks, Rule

_THIN = 2.6  # points; thicker is a band
_RULE_MIN = 4.0
_SEGMENTS_MAX = 400
_OBJECTS_MAX = 20_000
_DEPTH_MAX = 6
_BRIGHT = 0xF4
_DARK = 0xC0

_Matrix = tuple[float, float, float, float, float, float]
_IDENTITY: _Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)


def read_paths(page: Any, frame: Any, marks: PageMarks) -> None:
    """Add what a loaded page draws to its marks."""
    reader = _PathReader(frame, marks)
    for index in range(min(pdfium.FPDFPage_CountObjects(page), _OBJECTS_MAX)):
        reader.take(pdfium.FPDFPage_GetObject(page, index), _IDENTITY, 0)


class _PathReader:
    def __init__(self, frame: Any, marks: PageMarks) -> None:
        self._frame = frame
        self._marks = marks
        self._left = _OBJECTS_MAX
        self._sides = [ctypes.c_float() for _ in range(4)]
        self._color = [ctypes.c_uint() for _ in range(4)]

    def take(self, item: Any, outer: _Matrix, depth: int) -> None:
        kind = pdfium.FPDFPageObj_GetType(item)
        if kind == pdfium.FPDF_PAGEOBJ_TEXT:
            return
        self._left -= 1
        if self._left < 0:
            return
        if kind == pdfium.FPDF_PAGEOBJ_PATH:
            self._path(item, outer)
        elif kind == pdfium.FPDF_PAGEOBJ_IMAGE:
            if box := self._bounds(item, outer):
                self._marks.pictures.append(box)
        elif kind == pdfium.FPDF_PAGEOBJ_SHADING:
            if box := self._bounds(item, outer):
                self._marks.fills.append(Fill(*box, dark=True))
        elif kind == pdfium.FPDF_PAGEOBJ_FORM and depth < _DEPTH_MAX:
            inner = _concat(_matrix_of(item), outer)
            for index in range(min(pdfium.FPDFFormObj_CountObjects(item), _OBJECTS_MAX)):
                self.take(pdfium.FPDFFormObj_GetObject(item, index), inner, depth + 1)

    def _bounds(self, item: Any, outer: _Matrix) -> tuple[float, float, float, float] | None:
        left, bottom, right, top = self._sides
        if not pdfium.FPDFPageObj_GetBounds(item, left, bottom, right, top):
            return None
        x0, y0 = _apply(outer, left.value, bottom.value)
        x1, y1 = _apply(outer, right.value, top.value)
        box: tuple[float, float, float, float] = self._frame.box(x0, y0, x1, y1)
        return box

    def _path(self, item: Any, outer: _Matrix) -> None:
        box = self._bounds(item, outer)
        if box is None:
            return
        fill_mode, stroke = ctypes.c_int(), ctypes.c_int()
        pdfium.FPDFPath_GetDrawMode(item, fill_mode, stroke)
        if not fill_mode.value and not stroke.value:
            return
        x0, top, x1, bottom = box
        width, height = x1 - x0, bottom - top
        marks = self._marks
        if width > marks.width * 1.5 or height > marks.height * 1.5:
            return
        segments = pdfium.FPDFPath_CountSegments(item)
        if segments <= 6 and min(width, height) <= _THIN:
            if self._faint(item, fill=not stroke.value):
                return
            self._add_rule(x0, top, x1, bottom)
        elif segments > _SEGMENTS_MAX:
            marks.graphics.append(box)
        elif fill_mode.value and not stroke.value and 4 <= segments <= 6:
            self._add_fill(item, box)
        else:
            self._trace(item, segments, outer, box, filled=bool(fill_mode.value), stroked=bool(stroke.value))

    def _faint(self, item: Any, *, fill: bool) -> bool:
        """Drawn in white or in nothing: nobody sees it as a rule."""
        get = pdfium.FPDFPageObj_GetFillColor if fill else pdfium.FPDFPageObj_GetStrokeColor
        red, green, blue, alpha = self._color
        return bool(
            get(item, red, green, blue, alpha) and (alpha.value == 0 or min(red.value, green.value, blue.value) >= 0xFE)
        )

    def _add_rule(self, x0: float, top: float, x1: float, bottom: float) -> None:
        if x1 - x0 >= bottom - top:
            if x1 - x0 >= _RULE_MIN:
                self._marks.across.append(Rule((top + bottom) / 2, x0, x1))
        elif bottom - top >= _RULE_MIN:
            self._marks.down.append(Rule((x0 + x1) / 2, top, bottom))

    def _add_fill(self, item: Any, box: tuple[float, float, float, float]) -> None:
        red, green, blue, alpha = self._color
        pdfium.FPDFPageObj_GetFillColor(item, red, green, blue, alpha)
        if alpha.value == 0 or min(red.value, green.value, blue.value) >= _BRIGHT + 8:
            return
        dark = min(red.value, green.value, blue.value) < _DARK
        color = red.value << 16 | green.value << 8 | blue.value
        self._marks.fills.append(Fill(*box, dark=dark, color=color))

    def _trace(
        self,
        item: Any,
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
        if self._faint(item, fill=False):
            return
        for ax, ay, bx, by in lines:
            if abs(ax - bx) <= _THIN or abs(ay - by) <= _THIN:
                self._add_rule(min(ax, bx), min(ay, by), max(ax, bx), max(ay, by))

    def _filled_parts(self, item: Any, lines: list[tuple[float, float, float, float]]) -> None:
        """Rectangles filled as one path: thin ones are rules, the others bands."""
        for start in range(0, len(lines) - 3, 4):
            part = lines[start : start + 4]
            xs = [p[0] for p in part] + [p[2] for p in part]
            ys = [p[1] for p in part] + [p[3] for p in part]
            if min(max(xs) - min(xs), max(ys) - min(ys)) <= _THIN:
                self._add_rule(min(xs), min(ys), max(xs), max(ys))
            else:
                self._add_fill(item, (min(xs), min(ys), max(xs), max(ys)))

    def _segments(self, item: Any, count: int, matrix: _Matrix) -> tuple[list[tuple[float, float, float, float]], bool]:
        lines: list[tuple[float, float, float, float]] = []
        x, y = ctypes.c_float(), ctypes.c_float()
        first = last = (0.0, 0.0)
        slanted = 0
        for index in range(count):
            segment = pdfium.FPDFPath_GetPathSegment(item, index)
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


def _matrix_of(item: Any) -> _Matrix:
    matrix = pdfium.FS_MATRIX()
    pdfium.FPDFPageObj_GetMatrix(item, matrix)
    return matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f


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
