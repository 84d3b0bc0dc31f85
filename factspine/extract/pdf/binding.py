"""pdfium functions bound with plain pointers, for calls that are made for every character or object of a page.

The ordinary binding checks and wraps every argument, which costs more than the call. Bound with addresses, a function
can be driven by `map` from C and write into memory that was set aside once.
"""

from __future__ import annotations

import ctypes
from typing import Any

import pypdfium2.raw as pdfium

POINTER = ctypes.c_void_p
_INT = ctypes.c_int


def _bind(function: Any, result: Any, *arguments: Any) -> Any:
    return ctypes.CFUNCTYPE(result, *arguments)(ctypes.cast(function, POINTER).value or 0)


def address(handle: Any) -> int:
    """The address behind a handle of the ordinary binding."""
    return ctypes.cast(handle, POINTER).value or 0


# Characters: text page, index, where to write.
char_loose_box = _bind(pdfium.FPDFText_GetLooseCharBox, _INT, POINTER, _INT, POINTER)
char_matrix = _bind(pdfium.FPDFText_GetMatrix, _INT, POINTER, _INT, POINTER)
char_origin = _bind(pdfium.FPDFText_GetCharOrigin, _INT, POINTER, _INT, POINTER, POINTER)
char_unicode = _bind(pdfium.FPDFText_GetUnicode, ctypes.c_uint, POINTER, _INT)
char_object = _bind(pdfium.FPDFText_GetTextObject, POINTER, POINTER, _INT)
char_unmapped = _bind(pdfium.FPDFText_HasUnicodeMapError, _INT, POINTER, _INT)

# Objects of a page: object, where to write.
page_object = _bind(pdfium.FPDFPage_GetObject, POINTER, POINTER, _INT)
form_object = _bind(pdfium.FPDFFormObj_GetObject, POINTER, POINTER, ctypes.c_ulong)
object_type = _bind(pdfium.FPDFPageObj_GetType, _INT, POINTER)
object_bounds = _bind(pdfium.FPDFPageObj_GetBounds, _INT, POINTER, POINTER, POINTER, POINTER, POINTER)
object_matrix = _bind(pdfium.FPDFPageObj_GetMatrix, _INT, POINTER, POINTER)
object_fill = _bind(pdfium.FPDFPageObj_GetFillColor, _INT, POINTER, POINTER, POINTER, POINTER, POINTER)
object_stroke = _bind(pdfium.FPDFPageObj_GetStrokeColor, _INT, POINTER, POINTER, POINTER, POINTER, POINTER)
path_mode = _bind(pdfium.FPDFPath_GetDrawMode, _INT, POINTER, POINTER, POINTER)
path_segments = _bind(pdfium.FPDFPath_CountSegments, _INT, POINTER)
text_size = _bind(pdfium.FPDFTextObj_GetFontSize, _INT, POINTER, POINTER)
text_mode = _bind(pdfium.FPDFTextObj_GetTextRenderMode, _INT, POINTER)
text_font = _bind(pdfium.FPDFTextObj_GetFont, POINTER, POINTER)
