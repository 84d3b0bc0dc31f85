"""Which saved answers no longer hold, after a run that may have changed them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from factspine.cli.console import console

if TYPE_CHECKING:
    from collections.abc import Sequence

    from factspine.ask.saved import StaleAnswer
    from factspine.store.store import FactStore

_SHOWN = 20
_WORDS = {
    "value": "another number",
    "answered": "answered now",
    "not answered": "no longer answered",
    "source": "another cell",
    "wording": "more to say",
}


def stale_answers_of(store: FactStore) -> Sequence[StaleAnswer]:
    """The saved answers of a store that would now be others; nothing is loaded where none were saved."""
    if store.path is None or not store.path.with_name(store.path.name + ".answers.jsonl").is_file():
        return ()
    from factspine.ask.saved import stale_answers

    return stale_answers(store)


def print_stale_answers(stale: Sequence[StaleAnswer]) -> None:
    """What was said, and what would be said now."""
    from rich.text import Text

    if stale:
        console.print(f"[yellow]{len(stale):,} saved answers are stale[/]")
    for one in stale[:_SHOWN]:
        console.print(Text.assemble((f"  {_WORDS[one.why]}", "yellow"), f"  {one.question}"), soft_wrap=True)
        console.print(Text(f"    was {one.was}", style="dim"), soft_wrap=True)
        console.print(Text(f"    now {one.now}"), soft_wrap=True)
    if len(stale) > _SHOWN:
        console.print(f"[dim]… and {len(stale) - _SHOWN:,} more (--json)[/]")
