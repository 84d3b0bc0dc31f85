"""The commands, their options, and how errors leave: one line on standard error that says what to do next."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from factspine import __version__
from factspine.core.errors import FactSpineError, SchemaMismatch, StoreBusy, StoreMissing

app = typer.Typer(
    name="factspine",
    help="Every number knows the cell it came from.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

DEFAULT_STORE = "data/fact_metric.db"
EXIT_FAILED, EXIT_USAGE, EXIT_MISSING, EXIT_BUSY, EXIT_SCHEMA, EXIT_INTERRUPTED = 1, 2, 10, 11, 12, 130

StoreOption = Annotated[
    str, typer.Option("--store", envvar="FACTSPINE_STORE", help="Path or URL of the store.", show_default=True)
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")]
VocabularyOption = Annotated[
    Path | None, typer.Option("--vocabulary", help="A vocabulary file; default: vocabulary.toml beside the store.")
]


def _version(value: bool) -> None:
    if value:
        typer.echo(f"factspine {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True, help="Print it.")] = False,
) -> None:
    """Every number knows the cell it came from."""


def main() -> None:
    """Run the command line; typed errors become one line and an exit code."""
    import factspine.cli.commands  # noqa: F401 - registers the commands on `app`

    for stream in (sys.stdout, sys.stderr):
        # Chinese labels must print wherever the output goes, whatever the locale says.
        getattr(stream, "reconfigure", lambda **_: None)(encoding="utf-8", errors="replace")
    try:
        app()
    except FactSpineError as error:
        remedy = getattr(error, "remedy", "")
        sys.stderr.write(f"factspine: {error}{' ' + remedy if remedy else ''}\n")
        sys.exit(_exit_code(error))
    except KeyboardInterrupt:
        sys.stderr.write("factspine: interrupted; nothing of the unfinished run was recorded.\n")
        sys.exit(EXIT_INTERRUPTED)
    except BrokenPipeError:
        # The reader of our output (head, less) has seen enough.
        sys.stderr.close()
        sys.exit(0)


def _exit_code(error: FactSpineError) -> int:
    if isinstance(error, StoreMissing):
        return EXIT_MISSING
    if isinstance(error, StoreBusy):
        return EXIT_BUSY
    return EXIT_SCHEMA if isinstance(error, SchemaMismatch) else EXIT_USAGE
