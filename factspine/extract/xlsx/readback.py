"""The second reader: opens a workbook with another library, to say what stands in a cell without trusting the first.

It shares with the first reader only the rules of what a person sees (number formats, white space), not the reading.
"""

from __future__ import annotations

import math
import warnings
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

from factspine.core.errors import InputRejected
from factspine.core.values import canonical, decimal_of_stored
from factspine.extract.xlsx.calendar import iso
from factspine.extract.xlsx.formats import BUILTIN, Format, compiled, duration
from factspine.extract.xlsx.markup import plain
from factspine.extract.xlsx.sheet import seen

_CUSTOM = 164  # number formats below are built in

Reading = tuple[str, str | None]  # the text a person sees, "" where there is nothing; the canonical value, if any


def reread(path: Path, places: list[tuple[str, str]]) -> list[Reading]:
    """What stands in each (sheet, cell) of a workbook, in the order asked."""
    import openpyxl

    try:
        # An open file, not its path: archived revisions are named by their hash, and the library judges by the suffix.
        with path.open("rb") as stream, warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what the library leaves out (validations, drawings) is not asked for
            workbook = openpyxl.load_workbook(stream, data_only=True)
    except Exception as error:
        raise InputRejected("FS201", "The second reader cannot open the workbook.") from error
    sheets = {sheet.title: sheet for sheet in workbook.worksheets}
    date1904 = workbook.epoch.year == 1904
    try:
        return [_cell(sheets.get(sheet), place, date1904) for sheet, place in places]
    finally:
        workbook.close()


def _cell(sheet: Any, place: str, date1904: bool) -> Reading:
    from openpyxl.utils.cell import coordinate_to_tuple

    if sheet is None:
        return "", None
    try:
        # `sheet[...]` would create the cell; a look into what was read does not.
        cell = sheet._cells.get(coordinate_to_tuple(place))
    except ValueError:
        return "", None
    if cell is None or cell.value is None:
        return "", None
    return _shown(cell, date1904)


def _format(cell: Any, date1904: bool) -> Format:
    number = cell._style.numFmtId if cell.has_style else 0
    code = BUILTIN.get(number) if number < _CUSTOM else None
    return compiled(code or cell.number_format or "General", date1904)


def _shown(cell: Any, date1904: bool) -> Reading:
    value, form = cell.value, _format(cell, date1904)
    if isinstance(value, bool):
        return ("TRUE" if value else "FALSE"), None
    if isinstance(value, str):
        text, _ = seen(plain(value))
        return (text if cell.data_type == "e" or not text else form.show_text(text)), None
    if isinstance(value, datetime | date | time | timedelta):
        return _moment(value, form, date1904)
    number = _number(value)
    if number is None:
        return seen(str(value))[0], None
    text, when = form.show(number)
    return text, when or number


def _number(value: object) -> str | None:
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float) and math.isfinite(value):
        return decimal_of_stored(repr(value))
    return canonical(value) if isinstance(value, Decimal) else None


def _moment(value: Any, form: Format, date1904: bool) -> Reading:
    """The library has turned a number into a moment; back to the number, to the millisecond."""
    from openpyxl.utils.datetime import CALENDAR_MAC_1904, CALENDAR_WINDOWS_1900, to_excel

    serial = to_excel(value, epoch=CALENDAR_MAC_1904 if date1904 else CALENDAR_WINDOWS_1900)
    days = Decimal(repr(float(serial)))
    number = canonical(days)
    text, when = form.show(number)
    if form.is_general and isinstance(value, date):  # stored as a date, not as a number
        stored = iso(value, dated=True) if isinstance(value, datetime) else value.isoformat()
        return stored, stored
    if when is None or when.startswith("PT"):
        return text, when or number
    if isinstance(value, timedelta):
        return text, duration(Decimal(str(value.total_seconds())))
    if isinstance(value, datetime):
        rounded = (value + timedelta(microseconds=500)).replace(
            microsecond=(value.microsecond + 500) // 1000 % 1000 * 1000
        )
        return text, iso(rounded, dated=True)
    return text, when
