"""`factspine eval`: a gold set of questions, asked in several phrasings and seeds, against the targets of citation."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from factspine.cli.app import DEFAULT_STORE, EXIT_FAILED, JsonOption, StoreOption, app
from factspine.cli.ask import ModelOption, _day, _provider
from factspine.cli.console import console, print_json

if TYPE_CHECKING:
    from factspine.evaluation.report import Evaluation


@app.command(name="eval")
def evaluate(
    gold: Annotated[Path, typer.Argument(help="Questions with their places, one JSON object a line.")],
    phrasings: Annotated[int, typer.Option(help="Phrasings of each question.", min=1)] = 3,
    seeds: Annotated[int, typer.Option(help="Seeds of each phrasing.", min=1)] = 2,
    today: Annotated[str, typer.Option(help="The day 去年 and last quarter count from; default: today.")] = "",
    viewer: Annotated[str, typer.Option(help="What the asker is cleared for: PUBLIC … RESTRICTED.")] = "",
    model: ModelOption = "none",
    store: StoreOption = DEFAULT_STORE,
    as_json: JsonOption = False,
) -> None:
    """Measure how well answers cite: match rate, coverage, ΔS and λ over a gold set; exit 1 below a target."""
    from factspine.evaluation.gold import load_gold
    from factspine.evaluation.report import evaluate as report_of
    from factspine.evaluation.running import Bench
    from factspine.narrative.building import refresh
    from factspine.narrative.search import open_index
    from factspine.store.store import FactStore

    items = load_gold(gold, phrasings)
    with FactStore(store) as opened, open_index(opened) as index:
        refresh(index, opened)
        bench = Bench(opened, index, provider=_provider(model), today=_day(today), viewer=viewer or None)
        report = report_of(items, bench.run_all(items, seeds))
    if as_json:
        print_json(report.as_dict())
    else:
        _print(report)
    if not report.passed:
        raise typer.Exit(EXIT_FAILED)


def _print(report: Evaluation) -> None:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="dim")
    for name in ("question", "runs", "match", "coverage", "ΔS", "λ", "codes"):
        table.add_column(name, justify="left" if name in ("question", "λ", "codes") else "right")
    for item in report.items:
        table.add_row(
            item.id,
            str(item.runs),
            f"{item.match_rate:.2f}",
            f"{item.coverage:.2f}",
            f"{item.delta_s:.2f}",
            item.lambda_state,
            " ".join(f"{code}×{count}" for code, count in item.codes.items()),
            style="" if item.match_rate == 1.0 else "yellow",
        )
    console.print(table)
    totals = report.as_dict()["totals"]
    figures = {
        "citation_match_rate": f"citation match rate {totals['citation_match_rate']:.3f} (≥ 0.95)",
        "coverage": f"coverage {totals['coverage']:.3f} (≥ 0.70)",
        "delta_s": f"ΔS {totals['ΔS']:.3f} (≤ 0.45)",
        "lambda": f"λ {totals['λ']}: {totals['convergent']:.0%} of questions",
        "overlap": "" if report.overlap is None else f"overlap {report.overlap:.3f} (≥ 0.85)",
    }
    for name, met in report.targets.items():
        console.print(f"[{'green' if met else 'red'}]{'met ' if met else 'not '}[/] {figures[name]}", highlight=False)
    if thin := report.thin_sections():
        console.print(f"[dim]fewer than 3 questions: {', '.join(thin)}[/]", highlight=False)
