"""`factspine export --tez`: an answer as a bundle that others can check, with the bytes it rests on."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import typer

from factspine.cli.app import EXIT_FAILED
from factspine.cli.console import console, print_json, problems
from factspine.core.errors import UsageError


def write_tez(
    folder: Path, question: str, store: str, *, today: str, viewer: str, vocabulary: Path | None, as_json: bool
) -> None:
    """Answer a question and write the bundle; where there is no answer nothing is written and the exit code is 1."""
    from factspine.ask.answering import answer_question
    from factspine.cite.transparency import write_bundle
    from factspine.cli.ask import _day, _vocabulary
    from factspine.sources.vault import Vault
    from factspine.store.store import FactStore

    if not question.strip():
        raise UsageError('a bundle holds an answer; ask with --question "…".')
    with FactStore(store) as opened:
        answer = answer_question(
            question, opened, today=_day(today), viewer=viewer or None, vocabulary=_vocabulary(vocabulary)
        )
        if answer.mode != "answer":
            problems.print(answer.answer, markup=False, soft_wrap=True)
            raise typer.Exit(EXIT_FAILED)
        vault = None if opened.vault_path is None else Vault(opened.vault_path)

    def archived(rev: str) -> bytes | None:
        return vault.path_of(rev).read_bytes() if vault is not None and vault.has(rev) else None

    created = datetime.now(UTC).isoformat(timespec="seconds")
    items = write_bundle(folder, answer, created=created, bytes_of=archived)
    verified = sum(item["status"] == "verified" for item in items)
    if as_json:
        print_json({"folder": str(folder), "items": len(items), "verified": verified, "sources": answer.sources})
    else:
        console.print(f"{folder}: {len(items)} sources, {verified} with their bytes", soft_wrap=True)
