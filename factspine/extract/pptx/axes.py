"""What a chart's axes and data labels say of its series: title, number format, display units.

A chart stores bare numbers; a reader sees them through the format of the labels or of the axis, and in the axis'
display units. Each plot names its axes, so a title on a second axis speaks of the series drawn against it and no other.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from factspine.extract.pptx import tags
from factspine.extract.pptx.package import Element, child_of

_AX_ID, _VAL_AX, _NUM_FMT, _LABELS = (tags.c(name) for name in ("axId", "valAx", "numFmt", "dLbls"))
_CATEGORY_AXES = frozenset((tags.c("catAx"), tags.c("dateAx")))
_AXES = _CATEGORY_AXES | {_VAL_AX, tags.c("serAx")}
_SHOW_VALUE, _SHOW_PERCENT = tags.c("showVal"), tags.c("showPercent")
_DISPLAY_UNITS, _BUILT_IN, _CUSTOM = (tags.c(name) for name in ("dispUnits", "builtInUnit", "custUnit"))
_GROUPING = tags.c("grouping")
_FILLED_PLOTS = frozenset(tags.c(name) for name in ("barChart", "bar3DChart", "areaChart", "area3DChart"))
_SHOWN = (_SHOW_VALUE, _SHOW_PERCENT, tags.c("showSerName"), tags.c("showCatName"))
_POINT, _SHAPE, _NO_FILL, _LINE = tags.c("dPt"), tags.c("spPr"), tags.a("noFill"), tags.a("ln")
_POINT_PLOTS = frozenset((tags.c("scatterChart"), tags.c("bubbleChart")))
_OFF = frozenset(("0", "false", "off"))
_ZEROS = {
    "hundreds": 2,
    "thousands": 3,
    "tenThousands": 4,
    "hundredThousands": 5,
    "millions": 6,
    "tenMillions": 7,
    "hundredMillions": 8,
    "billions": 9,
    "trillions": 12,
}
_POWER_OF_TEN = re.compile(r"1(0{1,12})(?:\.0*)?")
# A percent sign, commas that divide, a currency, words: what changes the meaning of the digits, not their looks.
_TELLING = re.compile(r'%|[0#?],+(?![0#?,])|\[\$[^\]-]|"[^"]*[^\W\d_][^"]*"|\\[^\W\d_]|[$€£¥￥]')
_PADDING = re.compile(r"_.|\*.")


class Shown(NamedTuple):
    """How the values of a series are shown: both are "" where they are shown as stored."""

    number_format: str  # of labels or axis, where it tells more than digits
    divisor: str  # `[/1000]` behind a format: what the axis divides by

    def on(self, own: str) -> str:
        """The format of a value whose own format this is; its own goes first if it tells as much."""
        return (own if not self.number_format or tells(own) else self.number_format) + self.divisor


class Axes:
    """The axes of a plot area, to be asked plot by plot."""

    def __init__(self, area: Element) -> None:
        self._by_id: dict[str, Element] = {}
        for axis in area:
            if axis.tag in _AXES and (identity := child_of(axis, _AX_ID)) is not None:
                self._by_id[identity.get("val", "")] = axis
        self._value_axes = [axis for axis in self._by_id.values() if axis.tag == _VAL_AX]

    def of_values(self, plot: Element) -> Element | None:
        """The axis that the values of a plot are read from; None for a pie, which has none."""
        used = self._used(plot)[plot.tag in _POINT_PLOTS :]  # a scatter names its x axis first
        return next((axis for axis in used if axis.tag == _VAL_AX), None)

    def category_format(self, plot: Element) -> str:
        """The number format that the axis of a plot's categories states itself; "" without one."""
        return next((_own_format(axis) for axis in self._used(plot) if axis.tag in _CATEGORY_AXES), "")

    def shown(self, plot: Element, series: Element) -> Shown:
        """How a reader sees the values of a series."""
        axis = self.of_values(plot)
        stated = [_label_format(series), _label_format(plot)]
        grouping = child_of(plot, _GROUPING)
        if axis is not None and (grouping is None or grouping.get("val") != "percentStacked"):
            stated.append(_own_format(axis))  # the axis of shares shows percentages whatever is stored
        zeros = _display_zeros(axis) if axis is not None else 0
        told = next((text for text in stated if tells(text)), "")
        return Shown(told, f"[/1{'0' * zeros}]" if zeros else "")

    def _used(self, plot: Element) -> list[Element]:
        names = [child.get("val", "") for child in plot.iterchildren(_AX_ID)]
        return [self._by_id[name] for name in names if name in self._by_id]


def tells(number_format: str) -> bool:
    """Whether a number format says more than how many digits to show: percent, scale, currency, words."""
    return _TELLING.search(_PADDING.sub("", number_format.partition(";")[0])) is not None


def is_unseen(plot: Element, series: Element) -> bool:
    """Whether a series of bars or areas is drawn without fill, line and labels: what the others are stood upon."""
    if plot.tag not in _FILLED_PLOTS or _label_shown(series, plot) or not _is_bare(series):
        return False
    return all(_is_bare(point) or child_of(point, _SHAPE) is None for point in series.iterchildren(_POINT))


def _label_shown(series: Element, plot: Element) -> bool:
    labels = child_of(series, _LABELS)
    labels = child_of(plot, _LABELS) if labels is None else labels
    return labels is not None and any(_is_on(labels, tag) for tag in _SHOWN)


def _is_bare(holder: Element) -> bool:
    shape = child_of(holder, _SHAPE)
    if shape is None or child_of(shape, _NO_FILL) is None:
        return False
    line = child_of(shape, _LINE)
    return line is None or len(line) == 0 or child_of(line, _NO_FILL) is not None


def _own_format(holder: Element) -> str:
    """The `c:numFmt` of an axis or of labels, unless it only repeats that of the cells."""
    stated = child_of(holder, _NUM_FMT)
    if stated is None or stated.get("sourceLinked", "0") not in _OFF:
        return ""
    code: str = stated.get("formatCode") or ""
    return "" if code == "General" else code


def _label_format(holder: Element) -> str:
    """The format of data labels that show values and no percentages, which would be others."""
    labels = child_of(holder, _LABELS)
    if labels is None or not _is_on(labels, _SHOW_VALUE) or _is_on(labels, _SHOW_PERCENT):
        return ""
    return _own_format(labels)


def _is_on(holder: Element, tag: str) -> bool:
    mark = child_of(holder, tag)
    return mark is not None and mark.get("val", "1") not in _OFF


def _display_zeros(axis: Element) -> int:
    """The power of ten an axis divides by; 0 where it does not, or not by one."""
    units = child_of(axis, _DISPLAY_UNITS)
    if units is None:
        return 0
    named, custom = child_of(units, _BUILT_IN), child_of(units, _CUSTOM)
    if named is not None:
        return _ZEROS.get(named.get("val", ""), 0)
    found = _POWER_OF_TEN.fullmatch(custom.get("val", "")) if custom is not None else None
    return len(found.group(1)) if found else 0
