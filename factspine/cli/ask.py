"""`factspine ask`: a question on the command line, or a file of them in one process."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import orjson
import typer

from factspine.cli.app import DEFAULT_STORE, EXIT_FAILED, JsonOption, StoreOption, ViewerOption, VocabularyOption, app
from factspine.cli.batches import documents_of, run_batch
from factspine.cli.console import console, is_terminal, print_json
from factspine.core.answers import Answer
from factspine.core.errors import UsageError
from factspine.core.providers import Provider

if TYPE_CHECKING:
    from factspine.lexicon.vocabulary import Vocabulary
    from factspine.narrative.faq import Faq

ModelOption = Annotated[
    str,
    typer.Option(
        "--model",
        envvar="FACTSPINE_MODEL",
        help="A model that helps to read the question; it never supplies a number. It runs at FACTSPINE_MODEL_URL "
        "(OpenAI-compatible; key in FACTSPINE_MODEL_KEY, at most FACTSPINE_MODEL_SECONDS, 20). It is sent the "
        "question, names of the store and, where words are asked for, the passages that were found.",
    ),
]
FaqOption = Annotated[
    Path | None, typer.Option("--faq", help="A file of vetted answers; default: faq.toml beside the store.")
]
LogsOption = Annotated[
    Path | None,
    typer.Option(
        "--logs", envvar="FACTSPINE_LOGS", help="Append questions and answers to rag_trace.jsonl in this folder."
    ),
]
SaveOption = Annotated[bool, typer.Option("--save", help="Keep the answer; later ingests tell when it is stale.")]
TransparencyOption = Annotated[
    Path | None, typer.Option("--transparency", help="Write to this file how the sources were found.")
]
HtmlOption = Annotated[
    Path | None,
    typer.Option("--html", help="Write the answer to this file as a web page, its cells boxed."),
]


QuestionArgument = Annotated[str, typer.Argument(help="The question, in Chinese or English.")]
DocOption = Annotated[list[str] | None, typer.Option("--doc", help="Ask only these documents (glob, repeatable).")]
BatchOption = Annotated[
    Path | None,
    typer.Option(
        "--batch", help="A file of questions, one a line: {id, question, doc?, today?}; prints one JSON line each."
    ),
]
TodayOption = Annotated[str, typer.Option(help="The day that 去年 or `last quarter` count from, as 2025-03-31.")]
AsOfOption = Annotated[
    str, typer.Option("--as-of", help="Answer as the store knew it then: a day, a time, or a run's id.")
]
LangOption = Annotated[str, typer.Option("--lang", help="zh or en; default: the question's language.")]


@app.command()
def ask(
    question: QuestionArgument = "",
    doc: DocOption = None,
    batch: BatchOption = None,
    today: TodayOption = "",
    as_of: AsOfOption = "",
    viewer: ViewerOption = "",
    lang: LangOption = "",
    model: ModelOption = "none",
    faq: FaqOption = None,
    logs: LogsOption = None,
    transparency: TransparencyOption = None,
    html: HtmlOption = None,
    save: SaveOption = False,
    store: StoreOption = DEFAULT_STORE,
    vocabulary: VocabularyOption = None,
    as_json: JsonOption = False,
) -> None:
    """Ask for a number; get it with its cell, or a plain reason why not.

    Several at once (香港和澳门FY2023、FY2024的赔付率) come as a table. Exit code 1: there was no answer; with --batch,
    that a line was no question: it has an "error" in its place.
    """
    from factspine.store.store import FactStore

    _check_alone(question, batch, of_one=save or html is not None or transparency is not None)
    options: dict[str, Any] = {
        "today": _day(today),
        "as_of": as_of or None,
        "viewer": viewer or None,
        "language": _language(lang),
        "documents": tuple(doc or ()),
        "provider": _provider(model),
        "vocabulary": _vocabulary(vocabulary),
        "faq": _faq(faq, today),
    }
    with FactStore(store) as opened:
        if batch is not None:
            _answer_all(batch, opened, options, logs)
            return
        answer = _answer(question, opened, options, logs)
        if save:
            _save(opened, answer, options, vocabulary)
        if html is not None:
            _write_page(html, opened.seen_by(viewer), answer)
    _report(answer, transparency)
    _show(answer, html, as_json)
    raise typer.Exit(0 if answer.mode == "answer" else EXIT_FAILED)


def _check_alone(question: str, batch: Path | None, *, of_one: bool) -> None:
    if bool(question.strip()) == (batch is not None):
        raise UsageError("give a question, or a file of them with --batch.")
    if of_one and batch is not None:
        raise UsageError("--transparency, --html and --save are about one question; leave --batch out.")


def _write_page(path: Path, store: Any, answer: Answer) -> None:
    from factspine.evidence.page import page_of_answer, write_page

    write_page(path, page_of_answer(store, answer))


def _vocabulary(path: Path | None) -> Vocabulary | None:
    if path is None:
        return None
    from factspine.lexicon.vocabulary import Vocabulary

    return Vocabulary.load(path)


def _language(name: str) -> str | None:
    if name not in ("", "zh", "en"):
        raise UsageError(f"no language {name!r}; use zh or en.")
    return name or None


def _faq(path: Path | None, today: str) -> Faq | None:
    if path is None:
        return None
    from factspine.narrative.faq import Faq

    return Faq.load(path, today=_day(today) or date.today())


def _provider(model: str) -> Provider | None:
    if model == "none":
        return None
    from factspine.ask.models import provider_from_environment

    return provider_from_environment(model)


def _answer(question: str, store: Any, options: dict[str, Any], logs: Path | None) -> Answer:
    from factspine.ask.answering import answer_question

    answer = answer_question(question, store, **options)
    if logs is not None:
        from factspine.cite.traces import keep_answer

        # One answer without a model is the same however often it is asked; with one that is not known.
        state = "convergent" if options["provider"] is None else "unobserved"
        with _writing(logs):
            keep_answer(logs, answer, ts=datetime.now(UTC).isoformat(timespec="seconds"), lambda_state=state)
    return answer


def _save(store: Any, answer: Answer, options: dict[str, Any], vocabulary: Path | None) -> None:
    from factspine.ask.saved import AskedWith, save_answer

    asked = AskedWith(
        today=(options["today"] or date.today()).isoformat(),
        **{name: options[name] for name in ("as_of", "viewer", "language", "documents")},
        vocabulary=None if vocabulary is None else str(vocabulary.resolve()),
    )
    save_answer(store, answer, asked)


def _report(answer: Answer, path: Path | None) -> None:
    if path is None:
        return
    from factspine.cite.transparency import report_of

    with _writing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(orjson.dumps(report_of(answer), option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE))


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    """What goes wrong while a file is written, in one line that names it."""
    try:
        yield
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}. Name another place.") from error


def _answer_all(batch: Path, store: Any, options: dict[str, Any], logs: Path | None) -> None:
    """One JSON line for each question, in their order."""

    def answered(line: dict[str, Any]) -> dict[str, Any]:
        asked = dict(options)
        if documents := documents_of(line):
            asked["documents"] = documents
        if line.get("today"):
            asked["today"] = _day(str(line["today"]))
        return _answer(line["question"], store, asked, logs).to_json()

    run_batch(batch, answered)


def _day(text: str) -> date | None:
    if not text:
        return None
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise UsageError(f"{text!r} is no day; write it as 2025-03-31.") from error


def _show(answer: Answer, page: Path | None, as_json: bool) -> None:
    """The answer for programs, or for people; they are told where its page is."""
    if as_json:
        print_json(answer.to_json())
        return
    from rich.text import Text

    from factspine.cli.answers import draw_answer

    for part in draw_answer(answer, console.width, tables=is_terminal()):
        console.print(part, soft_wrap=isinstance(part, Text))
    if page is not None:
        console.print(f"page written: {page}", markup=False, soft_wrap=True)
