"""`factspine facts`: the facts of the store, filtered, as a table or as JSON lines."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import typer

from factspine.cli.app import DEFAULT_STORE, JsonOption, StoreOption, ViewerOption, app
from factspine.cli.console import console, print_json_lines
from factspine.core.facts import Fact
from factspine.evidence.phrases import shown_marks, shown_unit, shown_value

_ROWS_SHOWN = 50
_HEADS = ("metric", "who and where", "period", "value", "unit", "source")
_VALUE_COLUMN = 3
_LABEL_WIDTH_MIN = 12
_GAP = 2


@app.command()
def facts(
    doc: Annotated[list[str] | None, typer.Option("--doc", help="Only these documents (glob, repeatable).")] = None,
    metric: Annotated[str, typer.Option(help="A metric code, or part of a label.")] = "",
    entity: Annotated[str, typer.Option(help="An entity.")] = "",
    geography: Annotated[str, typer.Option(help="A geography code, such as HK.")] = "",
    channel: Annotated[str, typer.Option(help="A channel code, such as AGENCY.")] = "",
    period: Annotated[str, typer.Option(help="A period: 2024, 2024Q3, 2024-03, `Q3 FY2024` …")] = "",
    unit: Annotated[str, typer.Option(help="A unit: USD, %, shares …")] = "",
    status: Annotated[str, typer.Option(help="A mark: actual, budget, forecast, restated, hidden …")] = "",
    text: Annotated[str, typer.Option("--text", help="Part of a label, cell text or locator.")] = "",
    all_revisions: Annotated[bool, typer.Option("--all", help="Superseded and withdrawn facts, too.")] = False,
    as_of: Annotated[str | None, typer.Option(help="As known then: a date, a run or a revision.")] = None,
    limit: Annotated[int, typer.Option(help="At most this many; 0 for all.", min=0)] = 0,
    viewer: ViewerOption = "",
    store: StoreOption = DEFAULT_STORE,
    as_json: JsonOption = False,
) -> None:
    """List facts, each with its cell."""
    from factspine.core.answers import fact_record
    from factspine.lexicon.period_filter import canonical_period
    from factspine.store.facts import FactFilter
    from factspine.store.store import FactStore

    wanted = FactFilter(
        documents=tuple(doc or ()),
        metric=metric,
        entity=entity,
        geography=geography,
        channel=channel,
        period=canonical_period(period),
        unit=unit,
        status=status,
        text=text,
    )
    with FactStore(store) as opened:
        seen = opened.seen_by(viewer)
        found = seen.facts(wanted, all_revisions=all_revisions, as_of=as_of)
        if as_json:
            print_json_lines(fact_record(fact) for fact in _first(found, limit))
        elif not _print_table(found, limit or _ROWS_SHOWN):
            there = _statuses(seen.facts(all_revisions=all_revisions, as_of=as_of)) if status else []
            console.print(_nothing(status, there), markup=False, soft_wrap=True)


def _first(found: Iterator[Fact], limit: int) -> Iterator[Fact]:
    for count, fact in enumerate(found, 1):
        yield fact
        if count == limit:
            return


def _statuses(facts_seen: Iterator[Fact]) -> list[str]:
    return sorted({mark for fact in facts_seen for mark in fact.status.split()})


def _nothing(status: str, there: list[str]) -> str:
    if status and status.lower() not in there:
        return f"No fact has the status {status!r}; there are: {', '.join(there) or 'no facts'}."
    return "No facts match. Leave out a filter, or look at `factspine facts --limit 20`."


def _print_table(found: Iterator[Fact], limit: int) -> bool:
    """Print the first facts; whether there were any."""
    facts_shown = list(_first(found, limit))
    if not facts_shown:
        return False
    _print_rows([_row(fact) for fact in facts_shown])
    if next(found, None) is not None:
        console.print("[dim]… and more (--limit, or --json for all)[/]")
    return True


def _row(fact: Fact) -> tuple[str, ...]:
    who = " · ".join(part for part in (fact.entity, fact.geography, fact.channel) if part)
    marks = f" ({marks})" if (marks := shown_marks(fact)) else ""
    source = f"{fact.source_doc_id} · {fact.source_locator}"
    unit = shown_unit(fact.unit, fact.scale)
    return " ".join(f"{fact.metric_label}{marks}".split()), who, fact.period or "–", shown_value(fact), unit, source


def _print_rows(rows: list[tuple[str, ...]]) -> None:
    """Rows that fit: numbers, periods, units and sources in full, labels shortened; where the sources do not fit
    beside the rest, each stands below its fact."""
    from rich.cells import cell_len, set_cell_size
    from rich.text import Text

    widths = [max(cell_len(row[column]) for row in (_HEADS, *rows)) for column in range(len(_HEADS))]
    room = console.width - sum(widths[2:5]) - _GAP * 4
    widths[1] = min(widths[1], max(room // 3, room - widths[0], _LABEL_WIDTH_MIN))
    widths[0] = min(widths[0], max(room - widths[1], _LABEL_WIDTH_MIN))
    beside = sum(widths) + _GAP * 5 <= console.width

    def fit(text: str, column: int) -> str:
        if column == _VALUE_COLUMN:
            return " " * (widths[column] - cell_len(text)) + text
        if cell_len(text) > widths[column]:
            return set_cell_size(text, widths[column] - 1) + "…"
        return set_cell_size(text, widths[column])

    for row in (_HEADS, *rows):
        line = (" " * _GAP).join(fit(text, column) for column, text in enumerate(row[:5]))
        source = row[5] if beside or row is not _HEADS else ""
        lead = " " * _GAP if beside else f"\n{' ' * _GAP}" if source else ""
        style = "bold" if row is _HEADS else ""
        source_style = style or "cyan"
        console.print(Text.assemble((line, style), lead, (source, source_style)), soft_wrap=True)
