"""Which saved answers no longer hold, after a run that may have changed them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from factspine.cli.console import console, problems

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_SHOWN = 20
_WORDS = {
    "value": "another number",
    "answered": "answered now",
    "not answered": "no longer answered",
    "source": "another cell",
    "wording": "more to say",
}


def print_stale_answers(stale: Sequence[Mapping[str, Any]] | None) -> None:
    """What was said, and what would be said now."""
    from rich.text import Text

    if stale is None:
        problems.print("The saved answers could not be read; `factspine check --answers FILE` says more.")
        return
    if stale:
        told = "1 saved answer is stale" if len(stale) == 1 else f"{len(stale):,} saved answers are stale"
        console.print(f"[yellow]{told}[/]")
    for one in stale[:_SHOWN]:
        console.print(Text.assemble((f"  {_WORDS[one['why']]}", "yellow"), f"  {one['question']}"), soft_wrap=True)
        console.print(Text(f"    was {one['was']}", style="dim"), soft_wrap=True)
        console.print(Text(f"    now {one['now']}"), soft_wrap=True)
    if len(stale) > _SHOWN:
        console.print(f"[dim]… and {len(stale) - _SHOWN:,} more (--json)[/]")
