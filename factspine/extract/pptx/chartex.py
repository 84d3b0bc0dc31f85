"""The newer charts (waterfall, treemap, sunburst, funnel, histogram, box plot): data apart from the series."""

from __future__ import annotations

from factspine.extract.pptx import tags
from factspine.extract.pptx.caches import Point, Points, join_levels, number_point
from factspine.extract.pptx.charts import SIZE_MARK, ChartGrid, Series, grid_of
from factspine.extract.pptx.package import Element
from factspine.extract.pptx.text import body_text

_DATA, _STR_DIM, _NUM_DIM, _LVL, _PT = (tags.cx(name) for name in ("data", "strDim", "numDim", "lvl", "pt"))
_SERIES, _TX, _TX_DATA, _V, _RICH = (tags.cx(name) for name in ("series", "tx", "txData", "v", "rich"))
_DATA_ID, _CHART, _TITLE = tags.cx("dataId"), tags.cx("chart"), tags.cx("title")
_LABEL_DIMENSIONS = frozenset(("cat", "colorStr", "entityId"))


def read_chartex(space: Element) -> ChartGrid | None:
    """The grid of a `cx:chartSpace`; None where it stores no point."""
    data = {element.get("id", ""): element for element in space.iter(_DATA)}
    series: list[Series] = []
    for element in space.iter(_SERIES):
        reference = element.find(_DATA_ID)
        source = data.get(reference.get("val", "")) if reference is not None else None
        if source is not None:
            series.extend(_columns(_text_of(element.find(_TX)), source))
    chart = space.find(_CHART)
    title = _text_of(_tx_of_title(chart.find(_TITLE))) if chart is not None else ""
    return grid_of(series, title)


def _columns(name: str, source: Element) -> list[Series]:
    categories: Points = {}
    columns: list[tuple[str, Points]] = []
    for dimension in source:
        kind = dimension.get("type", "")
        if dimension.tag == _STR_DIM and kind in _LABEL_DIMENSIONS and not categories:
            categories = join_levels([_texts(level) for level in dimension.iterchildren(_LVL)])
        elif dimension.tag == _NUM_DIM:
            columns.append((kind, _numbers(dimension, dates=kind in ("x", "cat"))))
    if not categories:
        categories = next((points for kind, points in columns if kind in ("x", "cat")), {})
    values = [(kind, points) for kind, points in columns if kind not in ("x", "cat")]
    return [
        Series(name + (SIZE_MARK if kind == "size" and len(values) > 1 else ""), categories, points)
        for kind, points in values
    ]


def _texts(level: Element) -> Points:
    return {index: Point(point.text.strip()) for index, point in _indexed(level) if point.text and point.text.strip()}


def _numbers(dimension: Element, *, dates: bool) -> Points:
    level = dimension.find(_LVL)
    if level is None:
        return {}
    number_format = level.get("formatCode") or "General"
    return {
        index: number_point(point.text, number_format, is_1904=False, dates=dates)
        for index, point in _indexed(level)
        if point.text and point.text.strip()
    }


def _indexed(level: Element) -> list[tuple[int, Element]]:
    found = []
    for point in level.iterchildren(_PT):
        index = point.get("idx", "")
        if index.isascii() and index.isdigit() and len(index) < 10:
            found.append((int(index), point))
    return found


def _tx_of_title(title: Element | None) -> Element | None:
    return title.find(_TX) if title is not None else None


def _text_of(tx: Element | None) -> str:
    """The words of a `cx:tx`: rich text, or the cached text of a cell."""
    if tx is None:
        return ""
    rich = tx.find(_RICH)
    if rich is not None:
        return " ".join(body_text(rich).split())
    data = tx.find(_TX_DATA)
    value = data.find(_V) if data is not None else None
    return " ".join((value.text or "").split()) if value is not None else ""
