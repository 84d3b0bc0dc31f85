"""`factspine sql` and `factspine export`: the analytic copy, asked in SQL or written out as Parquet."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from factspine.cli.app import DEFAULT_STORE, JsonOption, StoreOption, ViewerOption, VocabularyOption, app
from factspine.cli.console import console, picture_width, print_json
from factspine.core.errors import UsageError

if TYPE_CHECKING:
    from factspine.analytics.session import QueryLimits, Result

_ROWS_SHOWN = 200
_ROWS_DRAWN = 5000


@app.command()
def sql(
    query: Annotated[str, typer.Argument(help="SQL over the views facts, facts_all, conflicts …", show_default=False)],
    as_csv: Annotated[bool, typer.Option("--csv", help="Print CSV.")] = False,
    parquet: Annotated[Path | None, typer.Option(help="Write the result to this Parquet file.")] = None,
    plot: Annotated[bool, typer.Option("--plot", help="Draw the numbers along the first column.")] = False,
    plot_file: Annotated[Path | None, typer.Option(help="Draw into a .png or .svg file (needs matplotlib).")] = None,
    limit: Annotated[int, typer.Option(help="Rows of a table; CSV, JSON and Parquet always hold all.")] = _ROWS_SHOWN,
    seconds: Annotated[float, typer.Option(help="Time limit of the query.")] = 30.0,
    memory: Annotated[str, typer.Option(help="Memory limit of the query.")] = "2GB",
    viewer: ViewerOption = "",
    vocabulary: VocabularyOption = None,
    store: StoreOption = DEFAULT_STORE,
    as_json: JsonOption = False,
) -> None:
    """Ask the facts in SQL; only reading, within limits, and every row cites its cell."""
    from factspine.analytics.session import QueryLimits, Session

    if sum((as_csv, as_json, parquet is not None, plot or plot_file is not None)) > 1:
        raise UsageError("one form of output at a time: --csv, --json, --parquet or --plot.")
    if seconds <= 0:
        raise UsageError("--seconds must be more than 0.")
    copy, limits = _copy_of(store, viewer, vocabulary), QueryLimits(seconds=seconds, memory=memory)
    if parquet is not None:
        _write_parquet(copy, query, parquet, limits)
        return
    with Session(copy, limits) as session, session.query(query) as result:
        _show(result, as_csv=as_csv, as_json=as_json, plot=plot, plot_file=plot_file, limit=limit)


@app.command()
def export(
    parquet: Annotated[Path | None, typer.Option("--parquet", help="All facts, in this folder; new or empty.")] = None,
    all_revisions: Annotated[bool, typer.Option("--all", help="Superseded and withdrawn facts, too.")] = False,
    tez: Annotated[Path | None, typer.Option("--tez", help="The answer to --question, in this folder.")] = None,
    question: Annotated[str, typer.Option("--question", help="With --tez: what to ask.")] = "",
    today: Annotated[str, typer.Option(help="With --tez: the day 去年 and last quarter count from.")] = "",
    viewer: ViewerOption = "",
    vocabulary: VocabularyOption = None,
    store: StoreOption = DEFAULT_STORE,
    as_json: JsonOption = False,
) -> None:
    """Write the facts with their lineage as partitioned Parquet, or an answer as a Tez bundle with its sources."""
    from factspine.analytics.parquet import export_parquet
    from factspine.cli.tez import write_tez

    if (parquet is None) == (tez is None):
        raise UsageError("say what to export: --parquet FOLDER, or --tez FOLDER with --question.")
    if tez is not None:
        write_tez(tez, question, store, today=today, viewer=viewer, vocabulary=vocabulary, as_json=as_json)
        return
    assert parquet is not None  # noqa: S101  one of the two was given
    done = export_parquet(_copy_of(store, viewer, vocabulary), parquet, all_revisions=all_revisions)
    if as_json:
        print_json({"folder": str(parquet), "files": done.files, "facts": done.facts})
    else:
        console.print(f"{done.facts:,} facts in {done.files} files under {parquet}", soft_wrap=True)


def _copy_of(store: str, viewer: str, vocabulary: Path | None) -> Path:
    """The analytic copy that holds what a viewer may see of a store, brought to its last run."""
    from factspine.analytics.copying import follow
    from factspine.cli.documents import _vocabulary_of
    from factspine.store.store import FactStore

    with FactStore(store) as opened:
        if opened.is_copy and opened.seen_by(viewer).store_version != opened.store_version:
            raise UsageError("this copy holds more than is for everybody; say for whom it is with --viewer.")
        return follow(opened, viewer=viewer, vocabulary=_vocabulary_of(opened, vocabulary))


def _write_parquet(copy: Path, query: str, target: Path, limits: QueryLimits) -> None:
    from factspine.analytics.session import Session

    if target.is_dir() or not target.resolve().parent.is_dir():
        raise UsageError(f"{target} is no place for a file; name one in a folder that exists.")
    with Session(copy, limits, writable=(target,)) as session:
        count = session.write_parquet(query, target)
    console.print(f"{count:,} rows in {target}", soft_wrap=True)


def _show(result: Result, *, as_csv: bool, as_json: bool, plot: bool, plot_file: Path | None, limit: int) -> None:
    from factspine.analytics.results import write_csv, write_json_lines

    if as_csv:
        write_csv(result, sys.stdout)
    elif as_json:
        write_json_lines(result, sys.stdout)
    elif plot or plot_file is not None:
        _draw(result, plot_file)
    else:
        _print_table(result, limit)


def _draw(result: Result, target: Path | None) -> None:
    from itertools import islice

    from factspine.analytics.results import is_numeric, numbers, shown
    from factspine.cli.plots import Series, draw, save

    rows = list(islice(result.rows, _ROWS_DRAWN))
    drawn = [place for place, column in enumerate(result.columns) if place and is_numeric(column)]
    if not drawn or not rows:
        raise UsageError("nothing to draw; the first column gives the labels, later columns of numbers the series.")
    series = [
        Series(
            name=result.columns[place].name,
            values=numbers(row[place] for row in rows),
            texts=[shown(row[place]) for row in rows],
        )
        for place in drawn
    ]
    labels = [shown(row[0]) for row in rows]
    if target is None:
        console.print(draw(labels, series, picture_width()))
    else:
        complete = save(labels, series, target)
        console.print(f"drawn in {target}", soft_wrap=True)
        if not complete:
            console.print("some characters have no font on this machine; install one that has Chinese, and draw again")


def _print_table(result: Result, limit: int) -> None:
    from itertools import islice

    from rich.table import Table
    from rich.text import Text

    from factspine.analytics.results import is_numeric, shown

    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in result.columns:
        table.add_column(
            Text(column.name),
            justify="right" if is_numeric(column) else "left",
            overflow="fold",
            no_wrap=column.name.endswith("fact_id"),  # to be copied in one piece
        )
    rows: list[tuple[Any, ...]] = list(islice(result.rows, limit)) if limit else list(result.rows)
    for row in rows:
        table.add_row(*(Text(shown(value)) for value in row))
    console.print(table)
    more = next(result.rows, None) is not None
    tail = f"… and more; the first {len(rows):,} are shown (--limit, or --csv for all)." if more else ""
    names = [column.name for column in result.columns]
    if rows and "fact_id" in names:
        tail += f" `factspine show {rows[0][names.index('fact_id')]}` shows the cell."
    console.print(
        f"[dim]{len(rows):,} rows. {tail.strip()}[/]" if tail else f"[dim]{len(rows):,} rows[/]", soft_wrap=True
    )
