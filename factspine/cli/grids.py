"""A labelled table drawn for a terminal, roles told by colour."""

from __future__ import annotations

from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

_STYLES = {"header": "bold cyan", "label": "cyan", "value": "", "note": "dim italic"}
_ROWS_SHOWN = 40
_COLUMNS_SHOWN = 12
_CELL_WIDTH_MAX = 26


def draw_table(table: dict[str, Any], *, whole: bool = False) -> RenderableType:
    """One table of `factspine extract`; `whole`: every row, column and word of it."""
    columns = table["n_cols"] if whole else min(table["n_cols"], _COLUMNS_SHOWN)
    grid = Table(show_header=False, box=None, pad_edge=False)
    for _ in range(columns):
        grid.add_column(max_width=None if whole else _CELL_WIDTH_MAX, overflow="ellipsis", no_wrap=True)
    cells = {(cell["r"], cell["c"]): cell for cell in table["cells"]}
    rows = sorted({cell["r"] for cell in table["cells"]})
    shown = rows if whole else rows[:_ROWS_SHOWN]
    for row in shown:
        grid.add_row(*(_draw(cells.get((row, column))) for column in range(1, columns + 1)))
    size = f"{table['n_rows']:,} × {table['n_cols']:,}"
    head = Text.assemble((f"{table['locator']}", "bold"), f"  {table['kind']}  {size}  {table['title']}")
    parts: list[RenderableType] = [head, grid]
    if len(rows) > len(shown) or table["n_cols"] > columns:
        parts.append(Text(f"… {len(rows):,} rows, {table['n_cols']:,} columns in all (--json)", style="dim"))
    return Group(*parts)


def _draw(cell: dict[str, Any] | None) -> Text:
    if cell is None:
        return Text()
    justify: Any = "right" if cell["role"] == "value" else "left"
    return Text(cell["text"].replace("\n", " "), style=_STYLES[cell["role"]], justify=justify)
