"""The commands, their options, and how errors leave: one line on standard error that says what to do next."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from factspine import __version__
from factspine.core.errors import FactSpineError, SchemaMismatch, StoreBusy, StoreMissing, UsageError

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
ViewerOption = Annotated[
    str,
    typer.Option(
        "--viewer", envvar="FACTSPINE_VIEWER", help="Whom it is for: PUBLIC (default), INTERNAL … RESTRICTED."
    ),
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
    """Run the command line; every error becomes one line and an exit code."""
    import factspine.cli.commands  # noqa: F401 - registers the commands on `app`

    for stream in (sys.stdout, sys.stderr):
        # Chinese labels must print wherever the output goes, whatever the locale says.
        getattr(stream, "reconfigure", lambda **_: None)(encoding="utf-8", errors="replace")
    sys.exit(_run())


def _run() -> int:
    """Run the command that was asked for; its exit code."""
    try:
        code = app(standalone_mode=False)
        sys.stdout.flush()
    except FactSpineError as error:
        return _fail(error, getattr(error, "remedy", ""), _exit_code(error))
    except (SystemExit, BrokenPipeError):
        # The reader of our output (head, less) has seen enough. The libraries below turn that into SystemExit, and
        # nothing else ends this way; what is still unwritten must not fail once more when the interpreter closes.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        # Wherever a file is read or written on the way: what cannot be is a place that the call or its store names.
        what = f"{error.filename} cannot be used" if error.filename else "a file cannot be read or written"
        return _fail(f"{what}: {error.strerror or error}.", "Name another place, or make it accessible.", EXIT_USAGE)
    except Exception as error:
        if not hasattr(error, "format_message"):  # what the option parser raises, bundled with typer or not
            raise
        return _refuse(error)
    if code == EXIT_INTERRUPTED:
        return _fail("interrupted; nothing of the unfinished run was recorded.", "Run it again.", EXIT_INTERRUPTED)
    return code if isinstance(code, int) else 0


def _refuse(error: Any) -> int:
    """Say what is wrong with the call; without any arguments, what could be called."""
    context = getattr(error, "ctx", None)
    if type(error).__name__ == "NoArgsIsHelpError":
        sys.stdout.write(context.get_help() + "\n" if context else "")
        return EXIT_USAGE
    path = context.command_path if context else "factspine"
    return _fail(error.format_message(), f"`{path} --help` lists what there is.", EXIT_USAGE)


def _fail(message: object, remedy: str, code: int) -> int:
    """One line on standard error, with what to do next."""
    line = " ".join(f"{message} {remedy}".split())
    sys.stderr.write(f"factspine: {line}\n")
    return code


def _exit_code(error: FactSpineError) -> int:
    if isinstance(error, StoreMissing):
        return EXIT_MISSING
    if isinstance(error, StoreBusy):
        return EXIT_BUSY
    if isinstance(error, SchemaMismatch):
        return EXIT_SCHEMA
    return EXIT_USAGE if isinstance(error, UsageError) else EXIT_FAILED
