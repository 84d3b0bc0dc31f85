"""An answer drawn for a terminal: a sentence with its source, or a table with its sources below."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from rich.cells import cell_len
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from factspine.core.answers import Answer, TableCell
from factspine.core.markers import marker

_STYLES = {"answer": "green", "clarify": "yellow", "refuse": "red"}
_NOTHING = "—"
_NARROWEST_LABEL = 14
_GAP = 2  # between columns
_HARD_SPACE = "\N{NO-BREAK SPACE}"


def draw_answer(answer: Answer, width: int, *, tables: bool) -> Iterator[RenderableType]:
    """What is said, then what was assumed; `tables`: a person looks, who reads several figures best in a table."""
    if answer.table and not answer.quotes and tables:
        yield _table(answer, width)
        yield from _below(answer)
    else:
        lead = "" if answer.mode == "answer" else f"{answer.mode}  "
        yield Text.assemble((lead, _STYLES[answer.mode]), answer.answer)
    for assumption in answer.assumptions:
        yield Text(f"  {assumption}", style="dim")


def _table(answer: Answer, width: int) -> RenderableType:
    """Rows of what was asked for, a column for each period; one under the other where they do not fit."""
    places = {fact.fact_id: place for place, fact in enumerate(answer.facts, 1)}
    rows = list(dict.fromkeys(cell.row for cell in answer.table))
    columns = list(dict.fromkeys(cell.column for cell in answer.table))
    drawn = {(cell.row, cell.column): _draw(cell, places) for cell in answer.table}
    widest = [max(len(name), *(_width(drawn[row, name]) for row in rows if (row, name) in drawn)) for name in columns]
    left = width - sum(widest) - _GAP * (len(columns) + 1)
    if left < _NARROWEST_LABEL:
        return _listed(answer.table, drawn, rows)
    grid = Table(box=None, pad_edge=False, padding=(0, _GAP, 0, 0), header_style="bold")
    grid.add_column("", style="cyan", max_width=max(left, _NARROWEST_LABEL))
    for name, least in zip(columns, widest, strict=True):
        grid.add_column(Text(name), justify="right", min_width=least)
    for row in rows:
        grid.add_row(Text(row), *(drawn.get((row, name), Text()) for name in columns))
    return grid


def _listed(cells: Sequence[TableCell], drawn: dict[tuple[str, str], Text], rows: Sequence[str]) -> RenderableType:
    parts: list[RenderableType] = []
    for row in rows:
        grid = Table(box=None, show_header=False, pad_edge=False, padding=(0, _GAP, 0, 0))
        grid.add_column(style="bold", no_wrap=True)
        grid.add_column()
        for cell in cells:
            if cell.row == row:
                grid.add_row(Text(cell.column), drawn[row, cell.column])
        parts += [Text(row, style="cyan"), Padding(grid, (0, 0, 0, 2))]
    return Group(*parts)


def _draw(cell: TableCell, places: dict[str, int]) -> Text:
    """The figures of a cell, each with the marks of its sources; one below the other where sources differ."""
    if not cell.figures:
        return Text(_NOTHING, style="yellow")
    drawn = Text()
    for number, figure in enumerate(cell.figures):
        marks = " ".join(marker(places[fact_id]) for fact_id in figure.facts)
        # The figure and its first mark stay together; further marks may go to the next line.
        drawn.append("\n" if number else "").append(figure.text.replace(" ", _HARD_SPACE))
        drawn.append(f"{_HARD_SPACE}{marks}", style="dim")
    return drawn


def _width(drawn: Text) -> int:
    """What a cell needs at least, so that no figure is torn apart."""
    return max(cell_len(part) for part in re.split("[ \n]", drawn.plain))


def _below(answer: Answer) -> Iterator[RenderableType]:
    """What is to be said about cells, each thing once; and the sources, by their marks."""
    notes: dict[str, list[str]] = {}
    for cell in answer.table:
        if cell.note:
            notes.setdefault(cell.note, []).append(" ".join(part for part in (cell.row, cell.column) if part))
    zh = answer.language == "zh"
    yield Text()
    for note, cells in notes.items():
        yield Text(f"{('、' if zh else ', ').join(cells)}{':' if zh else ': '}{note}", style="yellow")
    yield Text("来源" if zh else "Sources", style="bold")
    for place, fact in enumerate(answer.facts, 1):
        yield Text(f"{marker(place)} {fact.source_doc_id} · {fact.source_locator}", style="dim")
