"""`factspine history`, `conflicts` and `remap`: how numbers change, disagree, and mean something else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from factspine.cli.app import DEFAULT_STORE, JsonOption, StoreOption, ViewerOption, VocabularyOption, app
from factspine.cli.console import console, print_json, print_json_lines
from factspine.cli.staleness import print_stale_answers
from factspine.core.errors import UsageError
from factspine.evidence.phrases import shown_amount

if TYPE_CHECKING:
    from collections.abc import Sequence

    from factspine.core.verdicts import Agreement
    from factspine.ingestion.remap import RemapReport
    from factspine.integrity.history import Observation

_LINES_SHOWN = 12
_DOCUMENTS_SHOWN = 40
_MARKS = {None: "", "same": "same", "rounding": "same, rounded", "unit": "other unit", "restated": "restated"}
_COLOURS = {"conflict": "red", "restated": "yellow", "changed": "yellow"}


@app.command()
def history(
    subject: Annotated[str, typer.Argument(help="A metric, a fact id, or a document.", show_default=False)],
    locator: Annotated[str, typer.Argument(help="With a document: the place in it.")] = "",
    entity: Annotated[str, typer.Option(help="Only this entity.")] = "",
    period: Annotated[str, typer.Option(help="Only this period: 2024, 2024Q3 …")] = "",
    viewer: ViewerOption = "",
    store: StoreOption = DEFAULT_STORE,
    as_json: JsonOption = False,
) -> None:
    """Show how a number changed, document by document and revision by revision."""
    from factspine.integrity.history import history as trace
    from factspine.lexicon.period_filter import canonical_period
    from factspine.store.facts import FactFilter
    from factspine.store.store import FactStore

    when = canonical_period(period)
    with FactStore(store) as opened:
        lines = trace(opened.seen_by(viewer), subject, locator, wanted=FactFilter(entity=entity, period=when))
    if as_json:
        print_json_lines({"title": title, "observations": [_record(one) for one in told]} for title, told in lines)
        return
    # What was seen more than once, or changed, is why somebody asks.
    ranked = sorted(lines, key=lambda line: -len(line[1])) if len(lines) > _LINES_SHOWN else lines
    for title, told in ranked[:_LINES_SHOWN]:
        _print_line(title, told)
    if len(lines) > _LINES_SHOWN:
        console.print(f"[dim]… and {len(lines) - _LINES_SHOWN:,} more (--entity, --period, or --json for all)[/]")


def _record(one: Observation) -> dict[str, Any]:
    from factspine.core.answers import fact_record

    return {
        "known_at": one.known_at,
        "known_until": one.known_until,
        "verdict": one.verdict,
        "fact": fact_record(one.fact),
    }


def _print_line(title: str, told: Sequence[Observation]) -> None:
    from rich.text import Text

    from factspine.integrity.history import bars

    console.print(Text(title, style="bold"), soft_wrap=True)
    values = [shown_amount(one.fact) for one in told]
    width = max(map(len, values))
    for one, value, bar in zip(told, values, bars(told), strict=True):
        verdict = _MARKS.get(one.verdict, str(one.verdict))
        state = "" if not one.known_until else f" until {one.known_until[:10]}"
        console.print(
            Text.assemble(
                f"  {one.known_at[:10]}  {value:>{width}}  ",
                (f"{bar:<24}", "cyan"),
                (f" {verdict}", _COLOURS.get(str(one.verdict), "dim")),
                (state, "dim"),
                (f"  {one.fact.source_doc_id} · {one.fact.source_locator}", "cyan"),
            ),
            soft_wrap=True,
        )


@app.command()
def conflicts(
    restated: Annotated[bool, typer.Option("--restated", help="Restatements instead of conflicts.")] = False,
    everything: Annotated[bool, typer.Option("--all", help="Every number that is said more than once.")] = False,
    as_of: Annotated[str | None, typer.Option(help="As known then: a date, a run or a revision.")] = None,
    viewer: ViewerOption = "",
    vocabulary: VocabularyOption = None,
    store: StoreOption = DEFAULT_STORE,
    as_json: JsonOption = False,
) -> None:
    """Show where documents say different things about the same number, and which comes first and why."""
    from factspine.cli.documents import _vocabulary_of
    from factspine.core.verdicts import agreements, standings_of
    from factspine.lexicon.vocabulary import Vocabulary
    from factspine.store.store import FactStore

    with FactStore(store) as opened:
        words = Vocabulary.load(_vocabulary_of(opened, vocabulary))
        facts = list(opened.seen_by(viewer).facts(as_of=as_of))
    found = agreements(facts, standings_of(facts, words.precedence))
    if not everything:
        found = [one for one in found if ("restated" in one.verdicts if restated else one.verdict == "conflict")]
    if as_json:
        print_json_lines(_agreement(one) for one in found)
        return
    for one in found[:_DOCUMENTS_SHOWN]:
        _print_agreement(one)
    console.print(f"{len(found):,} found" if found else "None: no two documents disagree so.")


def _agreement(one: Agreement) -> dict[str, Any]:
    from factspine.core.answers import fact_record

    return {
        "verdict": one.verdict,
        "rule": one.rule,
        "facts": [
            {"verdict": verdict, **fact_record(fact)} for fact, verdict in zip(one.facts, one.verdicts, strict=True)
        ],
    }


def _print_agreement(one: Agreement) -> None:
    from rich.text import Text

    first = one.facts[0]
    who = " · ".join(part for part in (first.entity, first.geography, first.channel, first.period) if part)
    head = Text.assemble((one.verdict, _COLOURS.get(one.verdict, "green")), f"  {first.metric_label} · {who}")
    console.print(head, soft_wrap=True)
    for fact, verdict in zip(one.facts, one.verdicts, strict=True):
        value = shown_amount(fact)
        word = f"first ({one.rule or 'by name'})" if fact is first else verdict
        place = f"{fact.source_doc_id} · {fact.source_locator}"
        console.print(Text.assemble(f"    {value}  ", (word, "dim"), "  ", (place, "cyan")), soft_wrap=True)


@app.command()
def remap(
    vocabulary: VocabularyOption = None,
    store: StoreOption = DEFAULT_STORE,
    as_json: JsonOption = False,
) -> None:
    """Derive all facts again with the present vocabulary, from stored tables, without opening a file."""
    from factspine.ask.upkeep import remap as run_remap
    from factspine.store.store import FactStore

    if vocabulary is not None and not vocabulary.is_file():
        raise UsageError(f"No vocabulary file at {vocabulary}; name one, or leave --vocabulary out.")
    with FactStore(store) as opened:
        report = run_remap(opened, vocabulary=vocabulary)
    if as_json:
        print_json(report.as_dict())
    else:
        _print_remap(report)
        print_stale_answers(report.stale_answers)


def _print_remap(report: RemapReport) -> None:
    from rich.text import Text

    for one in [one for one in report.documents if one.added or one.changed or one.vanished][:_DOCUMENTS_SHOWN]:
        fields = ", ".join(f"{name} {count:,}" for name, count in one.fields.items())
        console.print(
            Text.assemble(
                one.doc,
                f"  +{one.added:,} ~{one.changed:,} -{one.vanished:,}",
                (f"  {fields}", "dim") if fields else "",
            ),
            soft_wrap=True,
        )
    if report.run_id is None:
        console.print("Every document is mapped so already; no run was written.")
        return
    totals = report.as_dict()["totals"]
    console.print(
        f"[bold]{totals['documents']:,} documents[/] mapped anew: {totals['added']:,} facts added, "
        f"{totals['changed']:,} changed, {totals['vanished']:,} vanished, {totals['unchanged']:,} unchanged, "
        f"{totals['seconds']:.1f} s"
    )
    console.print(f"mapping {report.mapping_version} · run {report.run_id} · head {report.head}", soft_wrap=True)
