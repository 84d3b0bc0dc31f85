"""`factspine ledger`: every number that is no fact, where it stands, and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import Annotated, Any

import typer

from factspine.cli.app import DEFAULT_STORE, JsonOption, StoreOption, ViewerOption, app
from factspine.cli.console import console, print_json_lines
from factspine.core.errors import UsageError
from factspine.core.facts import LeftOut
from factspine.core.reasons import REASONS, meaning_of

_ROWS_SHOWN = 50
_TEXT_WIDTH_MAX = 32


@app.command()
def ledger(
    doc: Annotated[list[str] | None, typer.Option("--doc", help="Only these documents (glob, repeatable).")] = None,
    disposition: Annotated[str, typer.Option(help="Only these: unmapped, excluded, or null (a dash, n.a. …).")] = "",
    reason: Annotated[str, typer.Option(help="Only this reason: date, row_number, no_labels …")] = "",
    as_of: Annotated[str | None, typer.Option(help="As known then: a date, a run or a revision.")] = None,
    limit: Annotated[int, typer.Option(help="At most this many; 0 for all.", min=0)] = 0,
    viewer: ViewerOption = "",
    store: StoreOption = DEFAULT_STORE,
    as_json: JsonOption = False,
) -> None:
    """List every number in a table that is no fact, with its place and the reason."""
    from factspine.store.store import FactStore

    _require(disposition, reason)
    with FactStore(store) as opened:
        every = opened.seen_by(viewer).left_out(tuple(doc or ()), as_of=as_of)
        found = (one for one in every if disposition in ("", one.disposition) and reason in ("", one.reason))
        if as_json:
            print_json_lines(_record(one) for one in (islice(found, limit) if limit else found))
        elif not _print(found, limit or _ROWS_SHOWN):
            there = opened.seen_by(viewer).coverage(tuple(doc or ()), as_of=as_of)
            console.print(_nothing(sum(one.facts for one in there) if there else None), markup=False, soft_wrap=True)


def _require(disposition: str, reason: str) -> None:
    if disposition not in ("", *REASONS):
        raise UsageError(f"no disposition {disposition!r}; there are {', '.join(REASONS)}.")
    reasons = [name for kind, names in REASONS.items() if disposition in ("", kind) for name in names]
    if reason not in ("", *reasons):
        raise UsageError(f"no reason {reason!r}; there are {', '.join(reasons)}.")


def _record(one: LeftOut) -> dict[str, Any]:
    return {**one._asdict(), "why": meaning_of(one.disposition, one.reason)}


def _print(found: Iterator[LeftOut], limit: int) -> bool:
    """Print the first cells and how many there are of each kind; whether there were any."""
    from rich.cells import cell_len, set_cell_size
    from rich.text import Text

    shown = list(islice(found, limit))
    width = min(_TEXT_WIDTH_MAX, max((cell_len(_one_line(one.value_text)) for one in shown), default=0))
    for one in shown:
        text = _one_line(one.value_text)
        fitted = set_cell_size(text, width) if cell_len(text) <= width else f"{set_cell_size(text, width - 1)}…"
        style = "yellow" if one.disposition == "unmapped" else "dim"
        words = f"{one.disposition}: {meaning_of(one.disposition, one.reason)}"
        place = f"{one.source_doc_id} · {one.source_locator}"
        console.print(Text.assemble(fitted, "  ", (words, style), "  ", (place, "cyan")), soft_wrap=True)
    counts: Counter[tuple[str, str]] = Counter((one.disposition, one.reason) for one in shown)
    rest: Counter[tuple[str, str]] = Counter((one.disposition, one.reason) for one in found)
    if rest:
        console.print(f"[dim]… and {rest.total():,} more (--limit, or --json for all)[/]")
    counts += rest
    for kind in REASONS:
        if any(found_kind == kind for found_kind, _ in counts):
            console.print(_counted(kind, counts), markup=False, soft_wrap=True)
    return bool(shown)


def _nothing(facts: int | None) -> str:
    if facts is None:
        return "No document matches. Leave out a filter, or look at `factspine sql 'FROM documents'`."
    return f"None: no such number stands in these tables beside their {facts:,} facts."


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _counted(disposition: str, counts: Counter[tuple[str, str]]) -> str:
    reasons = Counter({reason: count for (kind, reason), count in counts.items() if kind == disposition})
    told = ", ".join(f"{reason.replace('_', ' ')} {count:,}" for reason, count in reasons.most_common())
    what = {"excluded": "no measures", "unmapped": "not understood", "null": "cells that say there is no number"}
    return f"{reasons.total():,} {what[disposition]}: {told}"
