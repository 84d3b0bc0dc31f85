"""A cell with its table, drawn for a terminal: headers bold, labels plain, the cell itself in reverse."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from factspine.core.locators import column_letters
from factspine.evidence.phrases import shown_unit, shown_value
from factspine.evidence.view import CellView, Verdict

_VERDICTS: dict[Verdict, tuple[str, str]] = {
    "match": ("green", "✓ reads the same in the archived file (sha256 and second reader agree)"),
    "changed": ("red", "✗ the archived file reads differently"),
    "file changed": ("red", "✗ the archived file is not the one that was ingested"),
    "missing": ("red", "✗ the cell or the archived file is gone"),
}
_ROLE_STYLES = {"header": "bold", "label": "", "value": "", "note": "dim italic"}
_CELL_WIDTH_MAX = 28


def draw(view: CellView) -> RenderableType:
    """The table around a fact, what the fact says, and whether it still reads so."""
    fact = view.fact
    grid = Table(show_header=view.table.addressing == "a1", box=None, pad_edge=False, header_style="dim")
    grid.add_column("", style="dim", justify="right")
    for col in view.columns:
        grid.add_column(column_letters(col), max_width=_CELL_WIDTH_MAX, overflow="ellipsis", no_wrap=True)
    for row, cells in view.rows:
        drawn = [
            _draw_cell(cell.text if cell else "", role, (row, col) == view.target)
            for col, (cell, role) in zip(view.columns, cells, strict=True)
        ]
        grid.add_row(str(row), *drawn)
    style, sentence = _VERDICTS[view.verdict]
    parts: list[RenderableType] = [Text(f"{fact.source_doc_id} · {fact.source_locator}", style="cyan")]
    if view.table.title:
        parts.append(Text(view.table.title.replace("\n", " "), style="italic"))
    parts += [Text(), grid, Text(), _meaning(view), Text(sentence, style=style)]
    if view.verdict == "changed":
        parts.append(Text(f"  then: {fact.value_text}   now: {view.reread_text}", style="red"))
    return Group(*parts)


def _draw_cell(text: str, role: str | None, is_target: bool) -> Text:
    line = text.replace("\n", " ")
    if is_target:
        return Text(f"▸{line}", style="black on yellow", justify="right")  # the mark is for output without colours
    justify = "right" if role == "value" else "left"
    return Text(line, style=_ROLE_STYLES.get(role or "", ""), justify=justify)  # type: ignore[arg-type]


def _meaning(view: CellView) -> Text:
    fact = view.fact
    who = " · ".join(part for part in (fact.entity, fact.geography, fact.channel) if part)
    value = shown_value(fact)
    subject = "  ".join(part for part in (fact.metric_label, who, fact.period or "no period stated") if part)
    line = Text(f"{subject}  =  {value} {shown_unit(fact.unit, fact.scale)}", style="bold")
    if value != fact.value_text:
        line.append(f"  (the cell holds {fact.value_text})", style="not bold dim")
    if fact.status != "actual":
        line.append(f"  {fact.status}", style="yellow")
    if fact.unit_evidence:
        line.append(f"\nunit from {fact.unit_evidence}", style="not bold dim")
    return line
