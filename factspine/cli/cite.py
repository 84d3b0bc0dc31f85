"""`factspine validate`: text against evidence, without a store."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import orjson
import typer

from factspine.cli.app import DEFAULT_STORE, EXIT_FAILED, JsonOption, StoreOption, app
from factspine.cli.console import console, is_terminal, print_json
from factspine.core.errors import UsageError

if TYPE_CHECKING:
    from factspine.cite.validator import Verdict
    from factspine.core.facts import Fact


@app.command()
def validate(
    file: Annotated[Path, typer.Argument(help="Lines of id, answer, and references or citations.", show_default=False)],
    allow_cross_section: Annotated[
        bool, typer.Option("--allow-cross-section", help="One sentence may cite several sections.")
    ] = False,
    store: StoreOption = DEFAULT_STORE,
    as_json: JsonOption = False,
) -> None:
    """Check texts against their evidence: every number, every quotation, every marker."""
    if not file.exists() or file.is_dir():  # a pipe will do
        raise UsageError(f"No file at {file}; give lines of {{id, answer, references}} or {{…, citations, retrieved}}.")
    clean = True
    for record in _records(file):
        verdict = _validate(record, allow_cross_section)
        clean = clean and verdict.ok
        if as_json or not is_terminal():  # a pipe gets lines that programs read
            print_json({"id": record.get("id"), **verdict.as_dict()})
        else:
            _print(record, verdict)
    if not clean:
        raise typer.Exit(EXIT_FAILED)


def _records(file: Path) -> Iterator[dict[str, Any]]:
    with file.open("rb") as lines:
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                record = orjson.loads(line)
            except orjson.JSONDecodeError as error:
                raise UsageError(f"line {number} of {file} is not JSON; one object a line.") from error
            if not isinstance(record, dict) or not isinstance(record.get("answer"), str):
                raise UsageError(f"line {number} of {file} has no text `answer`.")
            yield record


def _validate(record: dict[str, Any], allow_cross_section: bool) -> Verdict:
    from factspine.cite.validator import Verdict, validate, validate_text

    facts = _facts(record)
    if "citations" not in record:
        return validate_text(record["answer"], [str(text) for text in record.get("references") or ()], facts)
    if record.get("mode") == "refuse" and not record["citations"]:
        return Verdict()
    return validate(
        record["answer"],
        record["citations"] or (),
        record.get("retrieved") or (),
        facts=facts,
        index_hash=str(record.get("index_hash") or ""),
        analyzer=str(record.get("analyzer") or ""),
        allow_cross_section=allow_cross_section or bool(record.get("allow_cross_section")),
    )


def _facts(record: dict[str, Any]) -> list[Fact]:
    """The facts of a line, as `factspine ask --json` prints them: a cell without its unit proves no amount of money."""
    from decimal import Decimal, InvalidOperation

    from factspine.core.facts import Fact

    names = {one.name for one in fields(Fact)}
    found = []
    for one in record.get("facts") or ():
        try:
            value = Decimal(one["value"])
            exponent = value.as_tuple().exponent
            shown = {"decimals": max(0, -exponent) if isinstance(exponent, int) else 0, **one, "value": value}
            found.append(Fact(**{name: said for name, said in shown.items() if name in names}))
        except (KeyError, TypeError, ValueError, InvalidOperation) as error:
            raise UsageError(f"a fact of line {record.get('id')!r} lacks what a fact has: {error}") from error
    return found


def _print(record: dict[str, Any], verdict: Verdict) -> None:
    from rich.text import Text

    from factspine.cite.remedies import next_step

    style = "green" if verdict.ok else "red"
    console.print(Text.assemble((f"{record.get('id')}", "bold"), "  ", (" ".join(verdict.codes) or "ok", style)))
    for step in dict.fromkeys(filter(None, map(next_step, verdict.codes))):
        console.print(Text(f"  next: {step}", "dim"))
    for one in verdict.unsupported:
        figures = f" ({', '.join(one.figures)})" if one.figures else ""
        console.print(Text(f"  {one.code}{figures}: {one.text}", style="dim"), soft_wrap=True)
