"""A cell with its table, drawn for a terminal: headers bold, labels plain, the cell itself in reverse."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from factspine.core.locators import column_letters
from factspine.evidence.grid import row_number
from factspine.evidence.phrases import shown_amount, shown_marks, shown_value
from factspine.evidence.standing import Standing
from factspine.evidence.view import CellView, Verdict

_VERDICTS: dict[Verdict, tuple[str, str]] = {
    "match": ("green", "✓ reads the same in the archived file (sha256 and second reader agree)"),
    "changed": ("red", "✗ the archived file reads differently"),
    "file changed": ("red", "✗ the archived file is not the one that was ingested"),
    "missing": ("red", "✗ the cell or the archived file is gone"),
}
_ROLE_STYLES = {"header": "bold", "label": "", "value": "", "note": "dim italic"}
_CELL_WIDTH_MAX = 28
_CELL_WIDTH_MIN = 4
_GAP = 2


def draw(view: CellView, width: int = 100, *, whole: bool = False) -> RenderableType:
    """The table around a fact, what the fact says, and whether it still reads so, in lines of at most `width`.

    `whole`: no cell is shortened as long as the line has room for it.
    """
    fact = view.fact
    style, sentence = _VERDICTS[view.verdict]
    parts: list[RenderableType] = [Text(f"{fact.source_doc_id} · {fact.source_locator}", style="cyan")]
    if view.table.title:
        parts.append(Text(view.table.title.replace("\n", " "), style="italic"))
    parts += [Text(), _draw_grid(view, width, whole=whole), Text(), _meaning(view), Text(sentence, style=style)]
    if view.verdict == "changed":
        parts.append(Text(f"  then: {fact.value_text}   now: {view.reread_text}", style="red"))
    if view.standing.state != "current":
        parts.append(Text(_superseded(view.standing), style="yellow"))
    return Group(*parts)


def _superseded(standing: Standing) -> str:
    if standing.state == "withdrawn":
        return "withdrawn: the document is no longer there; this is what it said"
    now = standing.now
    if now is None:
        return "superseded: the document has a newer revision or reading, and no such fact in it now"
    told = f"{shown_amount(now)} at {now.source_locator} (fact {now.fact_id})"
    return f"superseded by a newer revision or reading; now: {told}"


def _draw_grid(view: CellView, width: int, *, whole: bool) -> Table:
    drawn = [
        [
            _draw_cell(cell.text if cell else "", role, (row, col) == view.target)
            for col, (cell, role) in zip(view.columns, cells, strict=True)
        ]
        for row, cells in view.rows
    ]
    numbers = [row_number(view.table, row) for row, _ in view.rows]
    number_width = max(map(len, numbers), default=0)
    grid = Table(show_header=view.table.addressing == "a1", box=None, pad_edge=False, header_style="dim")
    grid.add_column("", style="dim", justify="right", width=number_width)
    widths = _fitted(drawn, view.columns.index(view.target[1]), width - number_width, whole=whole)
    for col, column_width in zip(view.columns, widths, strict=True):
        grid.add_column(column_letters(col), width=column_width, overflow="ellipsis", no_wrap=True)
    for number, texts in zip(numbers, drawn, strict=True):
        grid.add_row(number, *texts)
    return grid


def _fitted(drawn: list[list[Text]], target: int, room: int, *, whole: bool) -> list[int]:
    """Column widths that fit: the widest columns give way, the one of the cell that was asked for never does."""
    natural = [max((text.cell_len for text in column), default=1) for column in zip(*drawn, strict=True)]
    widths = [
        max(size if whole or col == target else min(size, _CELL_WIDTH_MAX), _CELL_WIDTH_MIN)
        for col, size in enumerate(natural)
    ]
    while sum(widths) + _GAP * len(widths) > room:
        widest = max((col for col in range(len(widths)) if col != target), key=widths.__getitem__, default=target)
        if widest == target or widths[widest] <= _CELL_WIDTH_MIN:
            break
        widths[widest] -= 1
    return widths


def _draw_cell(text: str, role: str | None, is_target: bool) -> Text:
    line = text.replace("\n", " ")
    if is_target:
        return Text(f"▸{line}", style="black on yellow", justify="right")  # the mark is for output without colours
    justify = "right" if role == "value" else "left"
    return Text(line, style=_ROLE_STYLES.get(role or "", ""), justify=justify)  # type: ignore[arg-type]


def _meaning(view: CellView) -> Text:
    fact = view.fact
    who = " · ".join(part for part in (fact.entity, fact.geography, fact.channel) if part)
    subject = "  ".join(part for part in (fact.metric_label, who, fact.period or "no period stated") if part)
    line = Text(f"{subject}  =  {shown_amount(fact)}", style="bold")
    if shown_value(fact) != fact.value_text:
        line.append(f"  (the cell holds {fact.value_text})", style="not bold dim")
    if marks := shown_marks(fact):
        line.append(f"  {marks}", style="yellow")
    if fact.unit_evidence:
        line.append(f"\nunit from {fact.unit_evidence}", style="not bold dim")
    return line
