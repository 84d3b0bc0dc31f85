"""`factspine search`: passages and rows of tables, found by their words and quoted with their place."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from factspine.cli.app import DEFAULT_STORE, JsonOption, StoreOption, ViewerOption, app
from factspine.cli.batches import documents_of, run_batch
from factspine.cli.console import console, print_json
from factspine.core.clearance import cleared_for
from factspine.core.errors import UsageError

if TYPE_CHECKING:
    from factspine.narrative.search import SearchResult

_TOP = 10


@app.command()
def search(
    question: Annotated[str, typer.Argument(help="What to look for.")] = "",
    doc: Annotated[list[str] | None, typer.Option("--doc", help="Only these documents (glob, repeatable).")] = None,
    top: Annotated[int, typer.Option(help="How many hits.", min=1)] = _TOP,
    section: Annotated[str, typer.Option(help="Only sections whose name has this.")] = "",
    entity: Annotated[str, typer.Option(help="Only texts about this organisation, by name or code.")] = "",
    period: Annotated[str, typer.Option(help="Only texts about a canonical period: 2024, 2024Q3 …")] = "",
    hidden: Annotated[bool, typer.Option("--hidden", help="Hidden sheets, rows and slides, too.")] = False,
    dense: Annotated[bool, typer.Option("--dense", help="By meaning, too; needs the extra `dense`.")] = False,
    viewer: ViewerOption = "",
    as_of: Annotated[str, typer.Option("--as-of", help="Search what the store knew then.")] = "",
    batch: Annotated[Path | None, typer.Option(help="A file of lines {id, question, doc?}.")] = None,
    store: StoreOption = DEFAULT_STORE,
    as_json: JsonOption = False,
) -> None:
    """Find passages and rows of tables; each hit is a quotation with its place.

    Exit code 1 with --batch: a line was no question; it has an "error" in its place.
    """
    from factspine.lexicon.period_filter import canonical_period
    from factspine.narrative.search import index_of
    from factspine.narrative.search import search as find
    from factspine.store.store import FactStore

    if bool(question) == (batch is not None):
        raise UsageError("give a question, or --batch with a file of them.")
    only: dict[str, Any] = {"top": top, "section": section, "entity": entity, "hidden": hidden}
    only["period"] = canonical_period(period)
    cleared, moment = cleared_for(viewer), as_of or None
    with FactStore(store) as opened, index_of(opened, dense=dense, as_of=moment, cleared=cleared) as index:

        def found(one: dict[str, Any]) -> SearchResult:
            documents = documents_of(one) or doc or ()
            return find(
                one["question"], opened, documents=documents, cleared=cleared, as_of=moment, index=index, **only
            )

        if batch is not None:
            run_batch(batch, lambda one: found(one).as_dict())
            return
        result = found({"question": question})
    if as_json:
        print_json(result.as_dict())
    else:
        _print(result)


def _print(result: SearchResult) -> None:
    from rich.text import Text

    if not result.hits:
        console.print("Nothing found. Use other words, or look at `factspine facts`.")
    for number, hit in enumerate(result.hits, 1):
        cited = hit.citation
        head = Text.assemble((f"{number:>2}  ", "bold"), (f"{cited.doc_id} · {cited.locator}", "cyan"))
        console.print(head.append(f"  {cited.similarity:.4f}", style="dim"), soft_wrap=True)
        console.print(Text("    " + " ".join(cited.snippet.split())), soft_wrap=True)
