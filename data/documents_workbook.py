"""Workbooks as people lay them out: styled cells, formulas with cached values, and the gold they hold."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import NamedTuple

from documents_gold import GoldFact, canonical, expect, shown_value
from documents_package import Cached, normalised, with_cached_values, with_shared_texts
from openpyxl import Workbook
from openpyxl.comments import Comment
from openpyxl.styles import Alignment, Border, Font, PatternFill, Side
from openpyxl.utils import get_column_letter
from openpyxl.utils.cell import coordinate_from_string
from openpyxl.worksheet.worksheet import Worksheet

_NAVY, _PALE, _GREY = "1F3864", "DCE6F1", "7F7F7F"
_THIN, _THICK = Side(style="thin", color=_NAVY), Side(style="double", color=_NAVY)
_NUMBER_LIKE = re.compile(r"[\d(（+\-−—]|n\.[am]\.|不适用")
MILLIONS = '#,##0.0_);(#,##0.0);"–"_)'
WHOLE = "#,##0"
PERCENT = "0.0%"


class Formula(NamedTuple):
    """A formula and the result the spreadsheet program saved with it; None where it saved none."""

    text: str
    cached: Cached


Value = str | int | Decimal | date | Formula | None


def summed(column: str, first: int, last: int, values: Sequence[Decimal]) -> Formula:
    """`=SUM(…)` over rows of a column, with its result."""
    return Formula(f"=SUM({column}{first}:{column}{last})", sum(values, Decimal(0)))


class Page:
    """One sheet being written."""

    def __init__(self, book: Book, sheet: Worksheet) -> None:
        self.book = book
        self.sheet = sheet
        self.values: dict[str, Value] = {}

    def put(self, place: str, value: Value, kind: str = "body", number_format: str = MILLIONS) -> None:
        """One cell: its value and how it looks. Kinds: title, unit, note, head, body, sub, total, indent1, indent2."""
        cell = self.sheet[place]
        self.values[place] = value
        cell.value = value.text if isinstance(value, Formula) else value
        is_text = isinstance(value, str)
        if isinstance(value, Formula) or (not is_text and value is not None):
            cell.number_format = number_format
        cell.font = _font(kind)
        if kind == "head":
            cell.fill = PatternFill("solid", fgColor=_NAVY)
            cell.alignment = Alignment(horizontal="center", vertical="center", wrap_text=True)
        elif kind in ("sub", "total"):
            cell.border = Border(top=_THIN, bottom=_THICK if kind == "total" else None)
            cell.fill = PatternFill("solid", fgColor=_PALE)
        elif kind.startswith("indent") and is_text:
            cell.alignment = Alignment(horizontal="left", indent=int(kind[-1]))
        elif kind == "prose":
            cell.alignment = Alignment(wrap_text=True, vertical="top")

    def right(self, place: str, value: str, kind: str = "body") -> None:
        """A number, or the mark in its place, typed as text and aligned like a number."""
        self.put(place, value, kind)
        self.sheet[place].alignment = Alignment(horizontal="right")

    def row(self, number: int, left: str, values: Sequence[Value], kind: str = "body", fmt: str = MILLIONS) -> None:
        """A row of cells from a column on; None leaves a cell blank."""
        first = _column(left)
        for offset, value in enumerate(values):
            place = f"{get_column_letter(first + offset)}{number}"
            if value is None:
                if kind in ("sub", "total"):
                    self.put(place, None, kind)
            elif offset and isinstance(value, str) and kind != "head" and _NUMBER_LIKE.match(value):
                self.right(place, value, "body" if kind.startswith("indent") else kind)
            else:
                self.put(place, value, kind, fmt)

    def merge(self, area: str, value: Value, kind: str = "head") -> None:
        """A merged area with one value."""
        self.put(area.partition(":")[0], value, kind)
        self.sheet.merge_cells(area)

    def titles(self, *lines: str) -> None:
        """Title, subtitle and unit line above the tables, from A1 down."""
        for number, line in enumerate(lines, start=1):
            self.put(f"A{number}", line, "title" if number == 1 else "unit")

    def widths(self, **columns: float) -> None:
        """Column widths in characters; `others` for the rest up to L."""
        others = columns.pop("others", 13)
        for letter in "ABCDEFGHIJKLMNOP":
            self.sheet.column_dimensions[letter].width = columns.get(letter, others)

    def comment(self, place: str, text: str) -> None:
        """A reviewer's comment on a cell."""
        self.sheet[place].comment = Comment(text, "Group Finance", height=90, width=260)

    def gold(self, place: str, label: str | None, period: str, unit: str, **rest: str | None) -> None:
        """Notes the fact that stands at a place; its value is what was put there."""
        value = self.values[place]
        if isinstance(value, Formula):
            value = Decimal(str(value.cached))
        if isinstance(value, str):
            text = shown_value(value)
        elif isinstance(value, (int, Decimal)):
            fmt = self.sheet[place].number_format
            exact = Decimal(value) * (100 if "%" in fmt else 1)
            text = canonical(exact / 1000 if re.search(r"0,($|_|;)", fmt) else exact)
        else:
            raise TypeError(f"no number at {self.sheet.title}!{place}")
        cell = f"sheet={self.sheet.title},cell={place}"
        self.book.facts.append(expect(self.book.doc, cell, label, period, text, unit, **rest))


class Book:
    """One workbook being written, and the facts expected of it."""

    def __init__(self, doc: str, title: str, *, exported: bool = False) -> None:
        self._exported = exported  # written by a program that puts texts into the cells
        self.doc = doc
        self.facts: list[GoldFact] = []
        self._workbook = Workbook()
        self._workbook.remove(self._workbook.active)
        self._workbook.properties.creator = "Group Finance"
        self._workbook.properties.title = title
        self._workbook.properties.created = datetime(2025, 3, 20, 9, 30)
        self._pages: list[Page] = []

    def page(self, title: str, *, hidden: bool = False, freeze: str | None = None) -> Page:
        """A new sheet."""
        sheet = self._workbook.create_sheet(title)
        sheet.sheet_view.showGridLines = False
        sheet.freeze_panes = freeze
        sheet.sheet_state = "hidden" if hidden else "visible"
        sheet.page_setup.orientation = "landscape"
        sheet.page_setup.fitToHeight = 0
        sheet.sheet_properties.pageSetUpPr.fitToPage = True
        self._pages.append(Page(self, sheet))
        return self._pages[-1]

    def write(self, folder: Path) -> None:
        """The workbook's bytes into its place below the folder."""
        raw = io.BytesIO()
        self._workbook.save(raw)
        target = folder / self.doc
        target.parent.mkdir(parents=True, exist_ok=True)
        package = normalised(raw.getvalue(), self._cache)
        target.write_bytes(package if self._exported else normalised(with_shared_texts(package)))

    def _cache(self, member: str, data: bytes) -> bytes:
        found = re.fullmatch(r"xl/worksheets/sheet(\d+)\.xml", member)
        if found is None:
            return data
        values = self._pages[int(found[1]) - 1].values
        return with_cached_values(data, {k: v.cached for k, v in values.items() if isinstance(v, Formula)})


def _font(kind: str) -> Font:
    if kind == "title":
        return Font(name="Calibri", size=14, bold=True, color=_NAVY)
    if kind in ("unit", "note"):
        return Font(name="Calibri", size=9, italic=True, color=_GREY)
    if kind == "head":
        return Font(name="Calibri", size=10, bold=True, color="FFFFFF")
    return Font(name="Calibri", size=10, bold=kind in ("sub", "total", "section"))


def _column(letters: str) -> int:
    number = 0
    for letter in coordinate_from_string(f"{letters}1")[0]:
        number = number * 26 + ord(letter) - 64
    return number
