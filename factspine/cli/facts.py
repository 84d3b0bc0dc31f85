"""`factspine facts`: the facts of the store, filtered, as a table or as JSON lines."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import Annotated, Any

import typer

from factspine.cli.app import DEFAULT_STORE, JsonOption, StoreOption, app
from factspine.cli.console import console, print_json_lines
from factspine.core.facts import Fact
from factspine.core.values import canonical

_ROWS_SHOWN = 50
# The fields every program relies on come first; the rest of the record follows.
_FIRST = (
    "fact_id",
    "metric_code",
    "metric_label",
    "entity",
    "geography",
    "channel",
    "period_type",
    "period",
    "value",
    "value_text",
    "unit",
    "scale",
    "source_doc_id",
    "source_locator",
    "file_hash",
    "status",
)


def fact_record(fact: Fact) -> dict[str, Any]:
    """A fact as JSON: values are text, so that no program turns them into floats."""
    record = asdict(fact)
    record["value"] = canonical(fact.value)
    record["file_hash"] = record.pop("source_file_hash")
    return {**{name: record.pop(name) for name in _FIRST}, **record}


@app.command()
def facts(
    doc: Annotated[list[str] | None, typer.Option("--doc", help="Only these documents (glob, repeatable).")] = None,
    metric: Annotated[str, typer.Option(help="A metric code, or part of a label.")] = "",
    entity: Annotated[str, typer.Option(help="An entity.")] = "",
    geography: Annotated[str, typer.Option(help="A geography code, such as HK.")] = "",
    channel: Annotated[str, typer.Option(help="A channel code, such as AGENCY.")] = "",
    period: Annotated[str, typer.Option(help="A canonical period: 2024, 2024Q3, 2024-03 …")] = "",
    unit: Annotated[str, typer.Option(help="A unit: USD, %, shares …")] = "",
    status: Annotated[str, typer.Option(help="A mark: actual, budget, forecast, restated, hidden …")] = "",
    text: Annotated[str, typer.Option("--text", help="Part of a label, cell text or locator.")] = "",
    all_revisions: Annotated[bool, typer.Option("--all", help="Superseded and withdrawn facts, too.")] = False,
    limit: Annotated[int, typer.Option(help="At most this many; 0 for all.")] = 0,
    store: StoreOption = DEFAULT_STORE,
    as_json: JsonOption = False,
) -> None:
    """List facts, each with its cell."""
    from factspine.store.facts import FactFilter
    from factspine.store.store import FactStore

    wanted = FactFilter(
        documents=tuple(doc or ()),
        metric=metric,
        entity=entity,
        geography=geography,
        channel=channel,
        period=period,
        unit=unit,
        status=status,
        text=text,
    )
    with FactStore(store) as opened:
        found = opened.facts(wanted, all_revisions=all_revisions)
        if as_json:
            print_json_lines(fact_record(fact) for fact in _first(found, limit))
        else:
            _print_table(found, limit or _ROWS_SHOWN)


def _first(found: Iterator[Fact], limit: int) -> Iterator[Fact]:
    for count, fact in enumerate(found, 1):
        yield fact
        if count == limit:
            return


def _print_table(found: Iterator[Fact], limit: int) -> None:
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("metric", max_width=36, no_wrap=True, overflow="ellipsis")
    table.add_column("who and where", max_width=24, no_wrap=True, overflow="ellipsis")
    table.add_column("period", no_wrap=True)
    table.add_column("value", justify="right", no_wrap=True, style="bold")
    table.add_column("unit", no_wrap=True)
    table.add_column("source", overflow="fold", style="cyan")
    shown = 0
    for fact in _first(found, limit):
        who = " · ".join(part for part in (fact.entity, fact.geography, fact.channel) if part)
        marks = "" if fact.status == "actual" else f" ({fact.status})"
        row = (fact.metric_label + marks, who, fact.period or "–", fact.value_text, show_unit(fact.unit, fact.scale))
        table.add_row(*map(Text, row), Text(f"{fact.source_doc_id} · {fact.source_locator}"))
        shown += 1
    if not shown:
        console.print("No facts match. Leave out a filter, or look at `factspine facts --limit 20`.")
        return
    console.print(table)
    if next(found, None) is not None:
        console.print(f"[dim]… and more; the first {shown} are shown (--limit, or --json for all).[/]")


def show_unit(unit: str, scale: int) -> str:
    """A unit with its scale in words."""
    words = {
        2: "hundred",
        3: "thousand",
        4: "万",
        5: "hundred thousand",
        6: "million",
        7: "千万",
        8: "亿",
        9: "billion",
    }
    if not scale:
        return unit
    return f"{unit} {words.get(scale, f'×10^{scale}')}"
