"""`factspine check`, `prove` and `verify`: whether the record is what was sealed, and proof of it for others."""

from __future__ import annotations

import json
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from factspine.cli.app import DEFAULT_STORE, EXIT_FAILED, JsonOption, StoreOption, VocabularyOption, app
from factspine.cli.console import console, print_json
from factspine.core.errors import UsageError

if TYPE_CHECKING:
    from factspine.integrity.checker import Level
    from factspine.integrity.report import CheckReport

_FINDINGS_SHOWN = 40
_COLOURS = {"error": "red", "warning": "yellow", "info": "dim"}


@app.command()
def check(
    quick: Annotated[bool, typer.Option("--quick", help="Only schema, database file, seals and head log.")] = False,
    read_data: Annotated[bool, typer.Option("--read-data", help="And hash archived and source files.")] = False,
    read_data_subset: Annotated[str, typer.Option(help="The same for a part of them: n/t, such as 1/7.")] = "",
    read_back: Annotated[bool, typer.Option("--read-back", help="And look every fact up in its file.")] = False,
    read_back_subset: Annotated[str, typer.Option(help="The same for a part of the files: n/t.")] = "",
    cross: Annotated[bool, typer.Option("--cross", help="And compare the analytic copy with the store.")] = False,
    nightly: Annotated[bool, typer.Option("--nightly", help="And read back today's part of the month.")] = False,
    second: Annotated[bool, typer.Option("--second-reader", help="And have read-back ask a second reader.")] = False,
    source: Annotated[Path | None, typer.Option(help="The documents' folder, to compare them as they are now.")] = None,
    expect_head: Annotated[str | None, typer.Option(help="A seal noted elsewhere that must be in the chain.")] = None,
    resume: Annotated[Path | None, typer.Option(help="A file that remembers finished steps, to go on later.")] = None,
    answers: Annotated[Path | None, typer.Option(help="Saved answers (JSON lines) whose citations must hold.")] = None,
    vocabulary: VocabularyOption = None,
    store: StoreOption = DEFAULT_STORE,
    as_json: JsonOption = False,
) -> None:
    """Check seals, facts, archive and lineage; never repairs. 0 is clean, 1 errors, 3 warnings, 14 incomplete."""
    from factspine.integrity.checker import check as run_check
    from factspine.store.store import FactStore

    level = _level(
        {
            "quick": quick,
            "read-data": read_data or bool(read_data_subset),
            "read-back": read_back or bool(read_back_subset) or nightly,
            "cross": cross,
        }
    )
    if source is not None and not source.is_dir():
        raise UsageError(f"{source} is not a folder; name the folder that holds the documents.")
    with FactStore(store) as opened:
        report = run_check(
            opened,
            level,
            subset=read_back_subset or read_data_subset or (_tonight() if nightly else "1/1"),
            sources=source,
            expect_head=expect_head,
            resume=resume,
            vocabulary=vocabulary,
            answers=answers,
            second_reader=second,
        )
    _print_report(report, as_json)
    if report.exit_code:
        raise typer.Exit(report.exit_code)


def _tonight() -> str:
    from factspine.integrity.checker import nightly_subset

    return nightly_subset(datetime.now(UTC).day)


def _level(wanted: dict[Level, bool]) -> Level:
    chosen = [level for level, is_wanted in wanted.items() if is_wanted]
    if len(chosen) > 1 and chosen != ["read-data", "read-back"]:
        raise UsageError("one level at a time: each includes those before it; see `factspine check --help`.")
    return chosen[-1] if chosen else "structure"


def _print_report(report: CheckReport, as_json: bool) -> None:
    from rich.text import Text

    if as_json:
        for finding in report.findings:
            print_json(finding.as_dict())
        print_json(report.summary())
        return

    for finding in report.findings[:_FINDINGS_SHOWN]:
        about = " ".join(f"{name}={value}" for name, value in finding.about.items())
        line = Text.assemble((finding.code, _COLOURS[finding.severity]), f" {finding.message}  ", (about, "dim"))
        console.print(line, soft_wrap=True)
    more = sum(report.counts.values()) - len(report.findings[:_FINDINGS_SHOWN])
    if more > 0:
        console.print(f"[dim]… and {more:,} more (--json lists up to a thousand of each kind)[/]")
    looked = ", ".join(f"{count:,} {name}" for name, count in report.checked.items() if name != "bytes")
    console.print(f"checked {looked or 'nothing'} in {report.seconds:.1f} s", soft_wrap=True)
    if report.verdicts:
        told = ", ".join(f"{count:,} {verdict}" for verdict, count in report.verdicts.items())
        console.print(f"read back: {told}")
    word = "[green]clean[/]" if report.ok else f"[red]exit code {report.exit_code}[/]"
    console.print(f"{word} · level {report.level} {report.subset} · head {report.head or '–'}", soft_wrap=True)


@app.command()
def prove(
    fact_id: Annotated[str, typer.Argument(help="The fact, as `factspine facts --json` names it.", show_default=False)],
    store: StoreOption = DEFAULT_STORE,
    as_json: JsonOption = False,
) -> None:
    """Print a proof (JSON) that a fact is in the chain of seals; anyone can verify it without the store."""
    from factspine.integrity.proofs import prove as make_proof
    from factspine.store.store import FactStore

    with FactStore(store) as opened:
        print_json(make_proof(opened, fact_id))


@app.command()
def verify(
    proof: Annotated[Path, typer.Argument(help="A proof, or - for standard input.", show_default=False)],
    expect_head: Annotated[list[str] | None, typer.Option(help="A head known from elsewhere (repeatable).")] = None,
    heads: Annotated[Path | None, typer.Option(help="A head log; any of its heads will do.")] = None,
    store: StoreOption = DEFAULT_STORE,
    as_json: JsonOption = False,
) -> None:
    """Verify a proof offline, without a store: exit code 0 if it holds and leads to an expected head."""
    from dataclasses import asdict

    from factspine.integrity.proofs import verify as verify_proof

    known = list(expect_head or ())
    if heads is not None:
        known += [line.split("\t")[-1] for line in _text_of(heads).splitlines() if line.strip()]
    try:
        verified = verify_proof(_load(proof), heads=known)
    except UsageError as error:
        if as_json:
            print_json({"holds": False, "reason": str(error)})
        else:
            sys.stderr.write(f"factspine: {error}\n")
        raise typer.Exit(EXIT_FAILED) from error
    if as_json:
        print_json({"holds": True, "head_known": bool(known), **asdict(verified)})
        return
    unit = verified.unit + (f" ×10^{verified.scale}" if verified.scale else "")
    console.print(f"[green]holds[/]  {verified.value} {unit}", soft_wrap=True)
    console.print(f"  {verified.document} · {verified.locator}", soft_wrap=True, markup=False)
    console.print(f"  sealed {verified.sealed_at} · seal {verified.seal}", soft_wrap=True)
    word = "a head you gave" if known else "compare it with one you know from elsewhere"
    console.print(f"  leads to head {verified.head} ({word})", soft_wrap=True)


def _load(path: Path) -> dict[str, Any]:
    text = sys.stdin.read() if str(path) == "-" else _text_of(path)
    try:
        proof = json.loads(text)
    except ValueError as error:
        raise UsageError("the proof is not JSON") from error
    if not isinstance(proof, dict):
        raise UsageError("the proof is not a JSON object")
    return proof


def _text_of(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{path} cannot be read; check its name.") from error
