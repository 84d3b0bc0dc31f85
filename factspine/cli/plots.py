"""Pictures of a result: bars or lines of characters in the terminal, or a file where matplotlib is installed."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.cells import cell_len, set_cell_size
from rich.console import Group, RenderableType
from rich.text import Text

from factspine.core.errors import UsageError

_CHINESE_FONTS = (
    *("Noto Sans CJK SC", "Noto Sans CJK JP", "Source Han Sans SC", "Noto Serif CJK SC", "Noto Serif CJK JP"),
    *("WenQuanYi Zen Hei", "Microsoft YaHei", "PingFang SC", "SimHei"),
)
_BARS_MOST = 40
_LABEL_WIDTH_MOST = 32
_HEIGHT = 14
_COLOURS = ("cyan", "yellow", "magenta", "green", "red", "blue")
_EIGHTHS = " ▏▎▍▌▋▊▉█"
# The dots of a Braille character, by column and row of the 2 x 4 cell.
_DOTS = ((0x01, 0x02, 0x04, 0x40), (0x08, 0x10, 0x20, 0x80))


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """Numbers to draw along the labels, and how each is written."""

    name: str
    values: Sequence[float | None]
    texts: Sequence[str]


def draw(labels: Sequence[str], series: Sequence[Series], width: int) -> RenderableType:
    """One series of few values as bars; many values, or several series, as lines."""
    if len(series) == 1 and len(labels) <= _BARS_MOST:
        return _bars(labels, series[0], width)
    return _lines(labels, series, width)


def _bars(labels: Sequence[str], series: Series, width: int) -> RenderableType:
    label_width = min(max((cell_len(label) for label in labels), default=0), _LABEL_WIDTH_MOST)
    text_width = max((len(text) for text in series.texts), default=0)
    room = max(width - label_width - text_width - 4, 8)
    known = [value for value in series.values if value is not None]
    low, high = min([0.0, *known]), max([0.0, *known])
    span = (high - low) or 1.0
    lines = [Text(series.name, style="bold")]
    for label, value, text in zip(labels, series.values, series.texts, strict=True):
        start, end = sorted((0.0, value or 0.0))
        blank = round((start - low) / span * room)
        bar = _bar((end - start) / span * room) if value is not None else ""
        style = "red" if (value or 0.0) < 0 else _COLOURS[0]
        name = set_cell_size(label, label_width)
        lines.append(Text.assemble(f"{name}  ", " " * blank, (bar, style), f" {text or '–'}"))
    return Group(*lines)


def _bar(length: float) -> str:
    whole, rest = divmod(round(length * 8), 8)
    return "█" * whole + (_EIGHTHS[rest] if rest else "")


def _lines(labels: Sequence[str], series: Sequence[Series], width: int) -> RenderableType:
    known = [value for one in series for value in one.values if value is not None]
    if not known:
        return Text("nothing to draw: no numbers")
    low, high = min(known), max(known)
    axis = [f"{high:,.6g}", f"{low:,.6g}"]
    margin = max(map(len, axis)) + 1
    columns = max(width - margin - 1, 10)
    grid = [[(0, "")] * columns for _ in range(_HEIGHT)]
    for number, one in enumerate(series):
        _trace(grid, one.values, low, (high - low) or 1.0, _COLOURS[number % len(_COLOURS)])
    lines = [
        Text.assemble(
            (axis[0] if row == 0 else axis[1] if row == _HEIGHT - 1 else "").rjust(margin),
            "│",
            *((chr(0x2800 + dots), colour) if dots else " " for dots, colour in cells),
        )
        for row, cells in enumerate(grid)
    ]
    ends = f"{labels[0]}{labels[-1].rjust(max(columns - cell_len(labels[0]), 1))}" if labels else ""
    legend = [(f"■ {one.name}  ", _COLOURS[number % len(_COLOURS)]) for number, one in enumerate(series)]
    return Group(*lines, Text(" " * (margin + 1) + ends), Text.assemble(" " * (margin + 1), *legend))


def _trace(
    grid: list[list[tuple[int, str]]], values: Sequence[float | None], low: float, span: float, colour: str
) -> None:
    """Dots along a series; between two known neighbours the line is drawn, across a gap it is not."""
    across, down = len(grid[0]) * 2 - 1, len(grid) * 4 - 1
    step = across / max(len(values) - 1, 1)
    before: tuple[int, int] | None = None
    for index, value in enumerate(values):
        if value is None:
            before = None
            continue
        here = (round(index * step), round((1 - (value - low) / span) * down))
        for x, y in _between(before or here, here):
            dots, _ = grid[y // 4][x // 2]
            grid[y // 4][x // 2] = (dots | _DOTS[x % 2][y % 4], colour)
        before = here


def _between(first: tuple[int, int], last: tuple[int, int]) -> list[tuple[int, int]]:
    steps = max(abs(last[0] - first[0]), abs(last[1] - first[1]), 1)
    return [
        (round(first[0] + (last[0] - first[0]) * n / steps), round(first[1] + (last[1] - first[1]) * n / steps))
        for n in range(steps + 1)
    ]


def save(labels: Sequence[str], series: Sequence[Series], path: Path) -> bool:
    """The same picture as a PNG or SVG file; whether there was a font for every character of it."""
    if path.suffix.lower() not in (".png", ".svg"):
        raise UsageError(f"{path.name}: a picture is a .png or .svg file.")
    try:
        from matplotlib import font_manager, rc_context
        from matplotlib.figure import Figure
    except ImportError as error:
        raise UsageError("pictures in files need matplotlib; install factspine[plot], or use --plot.") from error
    # Labels are Chinese as often as not: whatever font there is that has the characters stands in for the usual one.
    known = {font.name for font in font_manager.fontManager.ttflist}
    families = ["DejaVu Sans", *(name for name in _CHINESE_FONTS if name in known)]
    with rc_context({"font.family": families}):
        figure = Figure(figsize=(9, 5), layout="constrained")
        _draw_axes(figure.subplots(), labels, series)
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            figure.savefig(path)
    return not any("missing from font" in str(one.message) for one in said)


def _draw_axes(axes: Any, labels: Sequence[str], series: Sequence[Series]) -> None:
    places = range(len(labels))
    for one in series:
        heights = [float("nan") if value is None else value for value in one.values]
        if len(series) == 1 and len(labels) <= _BARS_MOST:
            axes.bar(places, heights, label=one.name)
        else:
            axes.plot(places, heights, label=one.name, marker=".")
    every = max(len(labels) // 12, 1)
    axes.set_xticks(list(places)[::every], list(labels)[::every], rotation=30, ha="right")
    axes.legend()
