"""The second reading of a chart: points found by the names in a locator, through XPath over the stored lists."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Any, NamedTuple

from lxml import etree

from factspine.core.locators import Locator
from factspine.core.values import decimal_of_stored

_NAMES = {
    "p": "http://schemas.openxmlformats.org/presentationml/2006/main",
    "a": "http://schemas.openxmlformats.org/drawingml/2006/main",
    "c": "http://schemas.openxmlformats.org/drawingml/2006/chart",
    "cx": "http://schemas.microsoft.com/office/drawing/2014/chartex",
    "dgm": "http://schemas.openxmlformats.org/drawingml/2006/diagram",
    "mc": "http://schemas.openxmlformats.org/markup-compatibility/2006",
    "p188": "http://schemas.microsoft.com/office/powerpoint/2018/8/main",
    "r": "http://schemas.openxmlformats.org/officeDocument/2006/relationships",
}


def find_all(element: Any, path: str) -> list[Any]:
    """What an XPath finds; python-pptx's own method knows fewer prefixes."""
    found: list[Any] = _compiled(path)(element)
    return found


@lru_cache(maxsize=128)
def _compiled(path: str) -> Any:
    return etree.XPath(path, namespaces=_NAMES)


class _Label(NamedTuple):
    """A category as stored, and the day it is where its format says so."""

    text: str
    day: str = ""
    worded: str = ""  # a number with the words that its format puts around it


class _Column(NamedTuple):
    """A series: its name, its categories and its stored values by index."""

    name: str
    labels: dict[int, _Label]
    values: dict[int, str]


class _Band(NamedTuple):
    """Rows that columns share: the categories that head them, and the row (from 1) of each index."""

    labels: dict[int, _Label]
    rows: dict[int, int]


class _Hit(NamedTuple):
    """A point whose names fit a locator: its row in the chart's grid and the how-manieth series of that name it is."""

    row: int
    occurrence: int
    stored: str


class ChartBack:
    """A chart's stored points, to be asked for by series and category."""

    def __init__(self, space: Any) -> None:
        self._columns = _plots(space) if find_all(space, "self::c:chartSpace") else _extended(space)
        self._bands = _layout(self._columns)
        self._row_count = max((row for band in self._bands for row in band.rows.values()), default=0)

    def point(self, place: Locator) -> tuple[str, str | None]:
        """The value at `series=…,cat=…[,point=N]`; `("", None)` where no point, or more than one, is meant."""
        hits = self._hits(_norm(place.get("series") or ""), _norm(place.get("cat") or ""))
        number = place.number("point")
        if number is not None:
            hits = [hit for hit in hits if hit.row + (hit.occurrence - 1) * self._row_count == number]
        if len(hits) != 1:
            return "", None
        value = decimal_of_stored(hits[0].stored)
        return (value if value is not None else hits[0].stored.strip()), value

    def _hits(self, series: str, category: str) -> list[_Hit]:
        hits = []
        occurrence = 0
        for number, (column, band) in enumerate(zip(self._columns, self._bands, strict=True), 1):
            if _norm(column.name or str(number)) != series:
                continue
            occurrence += 1
            for index, stored in column.values.items():
                row = band.rows[index]
                if _fits(band.labels.get(index), bool(band.labels), index, row, category):
                    hits.append(_Hit(row, occurrence, stored))
        return hits


def _fits(label: _Label | None, has_labels: bool, index: int, row: int, wanted: str) -> bool:
    if label is None:
        # Without any category the points are counted; a blank among categories is named by its row in the grid.
        return wanted == str(row + 1 if has_labels else index + 1)
    if label.day and len(wanted) in (4, 7, 10, 16):
        return (label.day if len(wanted) == 16 else label.day[:10]).startswith(wanted)
    if label.worded and _norm(label.worded) == wanted:
        return True
    return _norm(label.text) == wanted


def _layout(columns: list[_Column]) -> list[_Band]:
    """For each column its rows; columns that agree about their categories, or give none, share them."""
    labels: list[dict[int, _Label]] = []
    used: list[set[int]] = []
    owner = []
    for column in columns:
        mine = column.labels
        at = next((i for i, other in enumerate(labels) if not mine or (other and _agree(mine, other))), len(labels))
        if at == len(labels):
            labels.append({})
            used.append(set())
        labels[at] = max(labels[at], mine, key=len)
        used[at].update(mine, column.values)
        owner.append(at)
    first, bands = 1, []
    for heads, indexes in zip(labels, used, strict=True):
        bands.append(_Band(heads, {index: first + rank for rank, index in enumerate(sorted(indexes))}))
        first += len(indexes)
    return [bands[at] for at in owner]


def _agree(one: dict[int, _Label], other: dict[int, _Label]) -> bool:
    few, many = sorted((one, other), key=len)
    return all(many.get(index) == label for index, label in few.items())


def _plots(space: Any) -> list[_Column]:
    marks = find_all(space, "c:date1904")
    is_1904 = bool(marks) and marks[0].get("val", "1") not in ("0", "false", "off")
    columns = []
    for plot in find_all(space, "c:chart/c:plotArea/*[c:ser]"):
        first: dict[int, _Label] = {}
        for ser in find_all(plot, "c:ser"):
            name = " ".join(v.strip() for v in find_all(ser, "c:tx/c:v/text()|c:tx//c:pt/c:v/text()"))
            labels = _labels(ser, is_1904) or first
            if not find_all(plot, "self::c:scatterChart|self::c:bubbleChart"):
                first = first or labels
            columns.append(_Column(name, labels, _stored(find_all(ser, "(c:val|c:yVal)//c:pt"))))
            sizes = _stored(find_all(ser, "c:bubbleSize//c:pt"))
            if len({decimal_of_stored(size) for size in sizes.values()}) > 1:
                columns.append(_Column(f"{name} (bubble size)", labels, sizes))
    return columns


def _stored(points: list[Any]) -> dict[int, str]:
    found = {}
    for point in points:
        text = "".join(find_all(point, "c:v/text()"))
        if text and point.get("idx", "").isdigit():
            found[int(point.get("idx"))] = text
    return found


def _labels(ser: Any, is_1904: bool) -> dict[int, _Label]:
    levels = [_stored(find_all(level, "c:pt")) for level in find_all(ser, "c:cat//c:lvl")]
    if levels:
        return _flatten(levels)
    shared = "".join(find_all(ser, "(c:cat|c:xVal)//c:formatCode/text()"))
    if shared in ("", "General"):
        shared = _axis_format(ser) or shared
    is_number = bool(find_all(ser, "(c:cat|c:xVal)//c:numCache|(c:cat|c:xVal)//c:numLit"))
    points = find_all(ser, "(c:cat|c:xVal)//c:pt")
    formats = {point.get("idx"): point.get("formatCode") or shared for point in points}
    labels = {}
    for index, text in _stored(points).items():
        value = decimal_of_stored(text) if is_number else None
        day = _day(value, formats.get(str(index)) or "", is_1904) if value is not None else ""
        if (value or text).strip():
            labels[index] = _Label((value or text).strip(), day, _worded(value, formats.get(str(index)) or ""))
    return labels


def _flatten(levels: list[dict[int, str]]) -> dict[int, _Label]:
    """Labels of several levels, innermost first, written from the outermost in."""
    labels = {}
    for index in sorted({index for level in levels for index in level}):
        path = [levels[0].get(index, "")]
        for level in levels[1:]:
            starts = [start for start in level if start <= index and level[start].strip()]
            path.append(level[max(starts)] if starts else "")
        labels[index] = _Label(" / ".join(text.strip() for text in reversed(path) if text.strip()))
    return labels


def _extended(space: Any) -> list[_Column]:
    columns = []
    for series in find_all(space, ".//cx:series"):
        name = " ".join("".join(find_all(series, "cx:tx/cx:txData/cx:v/text()|cx:tx/cx:rich//a:t/text()")).split())
        key = "".join(find_all(series, "cx:dataId/@val"))
        for data in find_all(space, f".//cx:data[@id='{key}']") if key.isalnum() else []:
            levels = find_all(data, "cx:strDim[@type='cat' or @type='colorStr' or @type='entityId'][1]/cx:lvl")
            labels = _flatten([_plain(level) for level in levels])
            across = find_all(data, "cx:numDim[@type='x' or @type='cat'][1]/cx:lvl[1]")
            if not labels and across:
                labels = {index: _Label(decimal_of_stored(text) or text) for index, text in _plain(across[0]).items()}
            measures = find_all(data, "cx:numDim[not(@type='x' or @type='cat')]")
            for measure in measures:
                is_size = len(measures) > 1 and measure.get("type") == "size"
                values = {i: t for level in find_all(measure, "cx:lvl[1]") for i, t in _plain(level).items()}
                columns.append(_Column(name + (" (bubble size)" if is_size else ""), labels, values))
    return columns


def _plain(level: Any) -> dict[int, str]:
    points = find_all(level, "cx:pt[normalize-space(text())]")
    return {int(point.get("idx")): point.text.strip() for point in points if point.get("idx", "").isdigit()}


def _axis_format(ser: Any) -> str:
    """The format that the axis of a series' categories gives to numbers without one."""
    own = find_all(ser, "../c:axId/@val")
    axes = find_all(ser, "../../c:catAx|../../c:dateAx")
    formats = [f for axis in axes if set(find_all(axis, "c:axId/@val")) & set(own) for f in find_all(axis, "c:numFmt")]
    stated = [f.get("formatCode") or "" for f in formats if f.get("sourceLinked", "0") in ("0", "false", "off")]
    return stated[0] if stated else ""


def _worded(value: str | None, number_format: str) -> str:
    """A whole number in a format of words and digits: 2025E, Q1."""
    plain = re.sub(r'["\\]', "", number_format.split(";")[0])
    if value is None or not value.isdigit() or len(re.findall(r"[0#]+", plain)) != 1:
        return ""
    digits = value.rjust(plain.count("0"), "0")
    return re.sub(r"[0#]+", digits, plain).strip()


def _day(value: str, number_format: str, is_1904: bool) -> str:
    """The day a serial number stands for, by the workbook library's reckoning; "" where the format is no date's."""
    if number_format in ("", "General"):
        return ""
    from openpyxl.styles.numbers import is_date_format
    from openpyxl.utils.datetime import CALENDAR_MAC_1904, CALENDAR_WINDOWS_1900, from_excel

    if not is_date_format(number_format):
        return ""
    try:
        moment = from_excel(float(value), CALENDAR_MAC_1904 if is_1904 else CALENDAR_WINDOWS_1900)
        return str(moment.strftime("%Y-%m-%d %H:%M"))
    except (ValueError, OverflowError, TypeError, AttributeError):
        return ""


def _norm(text: str) -> str:
    seen = (character for character in text if unicodedata.category(character) != "Cf")
    return " ".join(unicodedata.normalize("NFKC", "".join(seen)).split())
