"""`factspine ingest`, `extract` and `show`: documents in, tables out, and back to the cell."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from factspine.cli.app import DEFAULT_STORE, EXIT_FAILED, JsonOption, StoreOption, ViewerOption, VocabularyOption, app
from factspine.cli.console import console, is_terminal, is_whole, percent, print_json, problems
from factspine.cli.staleness import print_stale_answers
from factspine.core.changes import FATES
from factspine.core.errors import UsageError

if TYPE_CHECKING:
    from factspine.core.facts import Fact
    from factspine.ingestion.report import DocumentReport, IngestReport
    from factspine.store.store import FactStore

_DOCUMENTS_SHOWN = 40
_FINDINGS_SHOWN = 3
_STATUS_COLOURS = {"ingested": "green", "updated": "yellow", "withdrawn": "magenta", "rejected": "red"}


@app.command()
def ingest(
    folder: Annotated[Path, typer.Argument(help="The folder of documents.", show_default=False)],
    jobs: Annotated[int | None, typer.Option(help="Documents read at once; default: one a core.")] = None,
    allow_empty: Annotated[
        bool, typer.Option("--allow-empty", help="Withdraw every document of a folder that holds none any more.")
    ] = False,
    vocabulary: VocabularyOption = None,
    store: StoreOption = DEFAULT_STORE,
    as_json: JsonOption = False,
) -> None:
    """Read a folder: what is new or changed becomes one sealed run of facts."""
    from factspine.ask.upkeep import ingest as run_ingest
    from factspine.store.store import FactStore

    if not folder.is_dir():  # before a store is made for it
        raise UsageError(f"{folder} is not a folder; name the folder that holds the documents.")
    with FactStore(store) as opened:
        opened.init_schema()
        with _Progress() if is_terminal() and not as_json else nullcontext() as progress:
            report = run_ingest(
                folder,
                opened,
                jobs=jobs,
                vocabulary=_vocabulary_of(opened, vocabulary),
                progress=progress,
                allow_empty=allow_empty,
            )
        log = opened.head_log_path
    if log is not None and not report.head_logged:
        problems.print(f"{log} cannot be written: note this run's head elsewhere.", markup=False, soft_wrap=True)
    if as_json:
        print_json(report.as_dict())
    else:
        _print_report(report)
        print_stale_answers(report.stale_answers)


def _vocabulary_of(store: FactStore, given: Path | None) -> Path | None:
    """The vocabulary file to use: the one given, or the one that lies beside the store."""
    if given is not None:
        if not given.is_file():
            raise UsageError(f"No vocabulary file at {given}; name one, or leave --vocabulary out.")
        return given
    beside = store.path.with_name("vocabulary.toml") if store.path is not None else None
    return beside if beside is not None and beside.is_file() else None


class _Progress:
    """A bar that moves with each document done.

    It starts when it is first moved: it refreshes itself in a thread, and children are forked only before there is one.
    """

    def __init__(self) -> None:
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

        columns = (TextColumn("[bold]reading"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
        self._bar = Progress(*columns, TextColumn("[dim]{task.description}"), console=problems, transient=True)
        self._task = self._bar.add_task("", total=None)

    def __enter__(self) -> _Progress:
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.stop()

    def __call__(self, document: DocumentReport | None, done: int, total: int) -> None:
        self._bar.start()
        self._bar.update(self._task, completed=done, total=total, description=document.doc[-40:] if document else "")


def _print_report(report: IngestReport) -> None:
    changed = [one for one in report.documents if one.status != "unchanged"]
    if changed:
        _print_documents(changed[:_DOCUMENTS_SHOWN])
    if len(changed) > _DOCUMENTS_SHOWN:
        console.print(f"[dim]… and {len(changed) - _DOCUMENTS_SHOWN:,} more documents[/]")
    for one in changed:
        _print_changes(one)
        _print_findings(one)
    totals = report.totals
    if not totals["documents"]:
        others = f"; its {totals['skipped']:,} files are of other kinds" if totals["skipped"] else "; it is empty"
        console.print(f"There is no xlsx, pptx or pdf in this folder{others}.", soft_wrap=True)
        return
    fates = ", ".join(
        f"{totals[name]:,} {name.replace('_', ' ')}"
        for name in ("ingested", "updated", "unchanged", "withdrawn", "rejected", "not_read")
        if totals[name]
    )
    console.print(
        f"[bold]{totals['documents']:,} documents[/] ({fates or 'none'}): [bold]{totals['facts']:,} facts[/] in "
        f"{totals['tables']:,} tables, {percent(totals['coverage'])} of the numbers in them, {totals['seconds']:.1f} s"
    )
    if report.run_id is None:
        console.print("Nothing changed; no run was written.")
    else:
        console.print(f"run {report.run_id} · head {report.head}", soft_wrap=True)


def _print_documents(documents: Sequence[DocumentReport]) -> None:
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("document", overflow="fold")
    table.add_column("")
    for name in ("tables", "facts", "read", "texts", "s"):
        table.add_column(name, justify="right")
    for one in documents:
        status = ("not read", "dim") if one.not_read else (one.status, _STATUS_COLOURS[one.status])
        counts = (f"{one.tables:,}", f"{one.facts:,}", percent(one.coverage), f"{one.passages:,}", f"{one.seconds:.2f}")
        table.add_row(Text(one.doc), Text(*status), *counts)
    console.print(table)


def _print_changes(document: DocumentReport) -> None:
    """What became of the facts of a document that was there before."""
    from rich.text import Text

    if document.changes is None or document.status not in ("updated", "withdrawn"):
        return
    words = ", ".join(f"{document.changes[name]:,} {name}" for name in FATES if document.changes[name])
    console.print(Text.assemble((document.status, "yellow"), f" {document.doc}: {words or 'no facts'}"), soft_wrap=True)


def _print_findings(document: DocumentReport) -> None:
    from rich.text import Text

    # Of a file that was refused even a harmless finding says why, and what to do.
    refused = document.status == "rejected"
    serious = [finding for finding in document.findings if refused or finding.severity != "info"]
    for finding in serious[:_FINDINGS_SHOWN]:
        style = "red" if finding.severity == "error" else "yellow"
        place = f" · {finding.locator}" if finding.locator else ""
        line = Text.assemble((finding.code, style), f" {document.doc}{place}: {finding.message} {finding.remedy}")
        console.print(line, soft_wrap=True)
    if len(serious) > _FINDINGS_SHOWN:
        console.print(f"[dim]      … {document.doc}: {len(serious) - _FINDINGS_SHOWN} more findings (--json)[/]")


@app.command()
def extract(
    file: Annotated[Path, typer.Argument(help="One document.", show_default=False)],
    debug: Annotated[Path | None, typer.Option(help="Draw each page of a pdf with what was read, here.")] = None,
    as_json: JsonOption = False,
    store: StoreOption = DEFAULT_STORE,
) -> None:
    """Show the tables of one file, without a store."""
    from factspine.ingestion.onefile import extract_lines, extract_tables

    if not file.is_file():
        raise UsageError(f"No file at {file}; name an xlsx, pptx or pdf file.")
    if debug is not None:
        _draw_pages(file, debug, as_json=as_json)
        return
    if as_json:
        for piece in extract_lines(file):
            sys.stdout.buffer.write(piece)
        sys.stdout.buffer.flush()
        return
    from factspine.cli.grids import draw_table

    for table in extract_tables(file):
        console.print(draw_table(table, whole=is_whole()))
        console.print()


def _draw_pages(file: Path, folder: Path, *, as_json: bool) -> None:
    from factspine.ingestion.onefile import draw_pages

    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{folder} is not a folder; name one to write pictures into.")
    pages = [str(path) for path in draw_pages(file, folder)]
    if as_json:
        print_json({"pages": pages})
    else:
        console.print(f"{len(pages):,} pages drawn in {folder}", soft_wrap=True)


@app.command()
def show(
    document: Annotated[str, typer.Argument(help="A document, or a fact id alone.", show_default=False)],
    locator: Annotated[str, typer.Argument(help="A place in it; any short form.")] = "",
    as_of: Annotated[str | None, typer.Option(help="As known then: a date, a run or a revision.")] = None,
    html: Annotated[Path | None, typer.Option(help="Write it to this file as a web page, the cell boxed.")] = None,
    viewer: ViewerOption = "",
    store: StoreOption = DEFAULT_STORE,
    as_json: JsonOption = False,
) -> None:
    """Show a fact's cell in its table, and whether the archived file still reads the same.

    A fact id opens the revision it was read from, superseded or withdrawn as it may be, and tells what holds now.
    """
    from factspine.evidence.page import page_of_fact, write_page
    from factspine.evidence.terminal import draw
    from factspine.evidence.view import view_fact
    from factspine.store.store import FactStore

    if as_of is not None and not locator:
        raise UsageError("--as-of goes with a document and a place; a fact id names its own revision.")
    with FactStore(store) as whole:
        opened = whole.seen_by(viewer)
        fact = opened.fact_at(document, locator, as_of=as_of) if locator else _fact_of_id(opened, document)
        if fact is None:
            place = f"at {document} {locator}" if locator else f"of id {document}"
            raise UsageError(f"No fact {place}; `factspine facts --doc '{document}'` lists those of a document.")
        view = view_fact(opened, fact)
        if html is not None:
            write_page(html, page_of_fact(opened, fact))
    if as_json:
        print_json(view.as_dict())
    else:
        console.print(draw(view, console.width, whole=is_whole()))
        if html is not None:
            console.print(f"page written: {html}", markup=False, soft_wrap=True)
    if view.verdict != "match":
        raise typer.Exit(EXIT_FAILED)


def _fact_of_id(store: FactStore, fact_id: str) -> Fact | None:
    try:
        return store.fact(fact_id)
    except UsageError:
        return None  # a document's name without a place in it, most likely
