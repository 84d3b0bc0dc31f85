"""Native charts as grids: categories are rows, series are columns, values are what the chart itself stores.

Any element of the plot area that holds series is a plot, so flat, 3-D, stock, surface and of-pie charts need no list
of their own. Series that share their categories share rows; others (a secondary axis with other dates, a scatter
series with its own x values) get rows of their own below.
"""

from __future__ import annotations

from typing import NamedTuple

from factspine.core.tables import PLAIN, CellStyle, RawCell
from factspine.extract.pptx import tags
from factspine.extract.pptx.axes import Axes, Shown, is_unseen
from factspine.extract.pptx.caches import Point, Points, read_points
from factspine.extract.pptx.package import Element, child_of
from factspine.extract.pptx.text import body_text

_CHART, _PLOT_AREA, _SER, _TX, _TITLE, _RICH = (
    tags.c(name) for name in ("chart", "plotArea", "ser", "tx", "title", "rich")
)
_CAT, _VAL, _X_VAL, _Y_VAL, _SIZE, _V = (tags.c(name) for name in ("cat", "val", "xVal", "yVal", "bubbleSize", "v"))
_DATE_1904, _DISPLAY_UNITS, _UNITS_LABEL = tags.c("date1904"), tags.c("dispUnits"), tags.c("dispUnitsLbl")
_AUTO_TITLE_DELETED = tags.c("autoTitleDeleted")
_POINT_PLOTS = frozenset((tags.c("scatterChart"), tags.c("bubbleChart")))
_OFF = frozenset(("0", "false", "off"))
SIZE_MARK = " (bubble size)"  # the only words a grid adds: a bubble's area is a second value of the same point


class Series(NamedTuple):
    """One column of a chart's grid: a name, its categories and its values by point index."""

    name: str
    categories: Points
    values: Points
    axis_titles: tuple[str, ...] = ()
    unseen: bool = False  # it holds others up and is not shown itself


class ChartGrid(NamedTuple):
    """What a chart holds; `cells` are row-major with series names in row 1 and categories in column 1."""

    title: str
    n_rows: int
    n_cols: int
    cells: list[RawCell]
    axis_titles: dict[str, list[int]]  # what value axes say, and the columns of the series they say it of
    unseen: frozenset[int]  # columns of series that are not shown


def read_chart(space: Element) -> ChartGrid | None:
    """The grid of a `c:chartSpace`; None where it stores no point."""
    chart = child_of(space, _CHART)
    area = child_of(chart, _PLOT_AREA) if chart is not None else None
    if area is None:
        return None
    mark = child_of(space, _DATE_1904)
    is_1904 = mark is not None and mark.get("val", "1") not in _OFF
    axes = Axes(area)
    series: list[Series] = []
    for plot in area:
        fallback: Points = {}
        heading: tuple[tuple[str, ...], str] | None = None  # titles of the value axis, format of the category axis
        for ser in plot.iterchildren(_SER):
            heading = heading or (_axis_titles(axes.of_values(plot)), axes.category_format(plot))
            for column in _read_series(ser, is_1904, fallback, *heading, axes.shown(plot, ser)):
                series.append(column._replace(unseen=True) if is_unseen(plot, ser) else column)
                # Only the first series of a plot must carry the categories; x values belong to one series alone.
                fallback = fallback if plot.tag in _POINT_PLOTS else fallback or column.categories
    return grid_of(series, _chart_title(chart, series))


def grid_of(series: list[Series], title: str) -> ChartGrid | None:
    """Series laid out as one grid; None where no series holds a value."""
    if not any(column.values for column in series):
        return None
    blocks, block_of = _blocks(series)
    row_of: list[dict[int, int]] = []
    cells: list[RawCell] = [
        RawCell(1, col, column.name, "s", None, PLAIN) for col, column in enumerate(series, 2) if column.name
    ]
    styles: dict[str, CellStyle] = {"General": PLAIN}
    row = 1
    body: list[RawCell] = []
    for block in blocks:
        rows = {index: row + offset for offset, index in enumerate(sorted(block.indexes), 1)}
        row += len(rows)
        row_of.append(rows)
        for index, at in rows.items():
            label = block.categories.get(index) or (None if block.categories else Point(str(index + 1)))
            if label is not None:
                body.append(_cell(at, 1, label, styles))
    for col, column in enumerate(series, 2):
        rows = row_of[block_of[col - 2]]
        body.extend(_cell(rows[index], col, point, styles) for index, point in column.values.items())
    body.sort(key=_position)
    said: dict[str, list[int]] = {}
    for col, column in enumerate(series, 2):
        for text in dict.fromkeys(column.axis_titles):
            said.setdefault(text, []).append(col)
    return ChartGrid(title, row, len(series) + 1, cells + body, said, _unseen(series))


def _unseen(series: list[Series]) -> frozenset[int]:
    found = frozenset(col for col, column in enumerate(series, 2) if column.unseen)
    return found if len(found) < len(series) else frozenset()  # a chart without any fill is shown in some other way


class _Block:
    """Rows shared by the series that have the same categories."""

    def __init__(self, categories: Points) -> None:
        self.categories = dict(categories)
        self.indexes = set(categories)

    def takes(self, categories: Points) -> bool:
        """Whether these categories say the same as the block's wherever both say something."""
        own = self.categories
        if not own or not categories:
            return not categories
        short, long = (categories, own) if len(categories) <= len(own) else (own, categories)
        return all(index in long and long[index].text == point.text for index, point in short.items())


def _blocks(series: list[Series]) -> tuple[list[_Block], list[int]]:
    blocks: list[_Block] = []
    block_of: list[int] = []
    for column in series:
        number = next((n for n, block in enumerate(blocks) if block.takes(column.categories)), len(blocks))
        if number == len(blocks):
            blocks.append(_Block(column.categories))
        block = blocks[number]
        if len(column.categories) > len(block.categories):
            block.categories = dict(column.categories)
        block.indexes.update(column.categories, column.values)
        block_of.append(number)
    return blocks, block_of


def _position(cell: RawCell) -> tuple[int, int]:
    return cell.row, cell.col


def _cell(row: int, col: int, point: Point, styles: dict[str, CellStyle]) -> RawCell:
    style = styles.get(point.number_format)
    if style is None:
        style = styles[point.number_format] = CellStyle(point.number_format)
    return RawCell(row, col, point.text, point.kind, point.value, style)


def _read_series(
    ser: Element, is_1904: bool, fallback: Points, axis_titles: tuple[str, ...], category_format: str, shown: Shown
) -> list[Series]:
    parts = {child.tag: child for child in ser}
    name = _name(parts.get(_TX))
    labels = parts.get(_CAT) if _CAT in parts else parts.get(_X_VAL)
    categories = read_points(labels, is_1904=is_1904, dates=True, unformatted=category_format) or fallback
    holder = parts.get(_VAL) if _VAL in parts else parts.get(_Y_VAL)
    values = read_points(holder, is_1904=is_1904, dates=False)
    columns = [Series(name, categories, _as_shown(values, shown) if any(shown) else values, axis_titles)]
    sizes = read_points(parts.get(_SIZE), is_1904=is_1904, dates=False)
    if sizes and len({point.text for point in sizes.values()}) > 1:  # equal sizes are how a chart says "no sizes"
        columns.append(Series(name + SIZE_MARK, categories, sizes))
    return columns


def _as_shown(values: Points, shown: Shown) -> Points:
    """Values in the format a reader sees."""
    return {
        index: point._replace(number_format=shown.on(point.number_format)) if point.kind == "n" else point
        for index, point in values.items()
    }


def _name(tx: Element | None) -> str:
    if tx is None:
        return ""
    literal = child_of(tx, _V)
    if literal is not None:
        return (literal.text or "").strip()
    points = read_points(tx, is_1904=False, dates=False)
    return " ".join(points[index].text for index in sorted(points))


def _title_text(holder: Element | None) -> str | None:
    """The text of a `c:title`: None without one, "" where the program writes it itself."""
    title = child_of(holder, _TITLE) if holder is not None else None
    return _rich_text(title) if title is not None else None


def _rich_text(title: Element) -> str:
    tx = child_of(title, _TX)
    if tx is None:
        return ""
    rich = child_of(tx, _RICH)
    return " ".join((body_text(rich) if rich is not None else _name(tx)).split())


def _chart_title(chart: Element, series: list[Series]) -> str:
    text = _title_text(chart)
    if text:
        return text
    deleted = child_of(chart, _AUTO_TITLE_DELETED)
    is_deleted = deleted is not None and deleted.get("val", "1") not in _OFF
    # A chart of one series shows that series' name unless told not to.
    return series[0].name if len(series) == 1 and (text == "" or not is_deleted) else ""


def _axis_titles(axis: Element | None) -> tuple[str, ...]:
    """What a value axis says of the numbers read from it: its title, and the label of its display units.

    A category or x axis says nothing about the values' unit.
    """
    if axis is None:
        return ()
    units = child_of(axis, _DISPLAY_UNITS)
    label = child_of(units, _UNITS_LABEL) if units is not None else None
    texts = (_title_text(axis), _rich_text(label) if label is not None else None)
    return tuple(text for text in texts if text)
