"""Saved answers: kept beside the store with how they were asked for, and asked again when the store has changed.

An answer that was asked for as of a moment never goes stale; any other is stale when the same question would now be
answered otherwise: another number, another cell, no answer, or more to say about it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import orjson

from factspine.ask.answering import answer_question
from factspine.core.answers import Answer
from factspine.core.errors import UsageError
from factspine.lexicon.vocabulary import Vocabulary

if TYPE_CHECKING:
    from factspine.store.store import FactStore

SUFFIX = ".answers.jsonl"
_VALUE = ("value", "unit", "scale", "period")
Why = Literal["value", "answered", "not answered", "source", "wording"]


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedWith:
    """How a question was asked, so that it can be asked again in the same way."""

    today: str  # relative periods count from the day it was asked, unless another was given
    as_of: str | None = None
    viewer: str | None = None
    language: str | None = None
    documents: tuple[str, ...] = ()
    vocabulary: str | None = None  # the file, where one was named


@dataclass(frozen=True, slots=True, kw_only=True)
class StaleAnswer:
    """A saved answer that would now be another one, and in what they differ."""

    line: int
    question: str
    saved_at: str
    why: Why
    was: str
    now: str
    facts: tuple[str, ...]  # the facts it cited that are no longer current

    def as_dict(self) -> dict[str, Any]:
        """The answer's entry in a report."""
        return {**asdict(self), "facts": list(self.facts)}


def answers_path(store: FactStore) -> Path:
    """Where the answers of a store are saved."""
    if store.path is None:
        raise UsageError("answers are saved beside a store in a file; this one is kept by a server")
    return store.path.with_name(store.path.name + SUFFIX)


def save_answer(store: FactStore, answer: Answer, asked: AskedWith, *, at: datetime | None = None) -> Path:
    """Append an answer to the store's saved ones."""
    path = answers_path(store)
    saved = (at or datetime.now(UTC)).isoformat(timespec="seconds")
    line = orjson.dumps({"saved_at": saved, "asked_with": asdict(asked), **answer.to_json()}) + b"\n"
    # Answers quote documents: nobody but the owner reads them. One write a line, so that two who save do not mix.
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), "ab", buffering=0) as stream:
        stream.write(line)
    return path


def stale_answers(store: FactStore, path: Path | None = None) -> list[StaleAnswer]:
    """The saved answers that would now be others, in the order they were saved."""
    path = path or answers_path(store)
    if not path.is_file():
        return []
    current = {span.reading_id for span in store.readings()}
    found: list[StaleAnswer] = []
    for number, saved in _saved(path):
        asked = AskedWith(**{**saved["asked_with"], "documents": tuple(saved["asked_with"]["documents"])})
        if asked.as_of is not None:
            continue
        now = _again(store, str(saved["question"]), asked)
        why = _difference(saved, now.to_json())
        if why is not None:
            names = [str(fact["fact_id"]) for fact in saved.get("facts") or ()]
            found.append(
                StaleAnswer(
                    line=number,
                    question=now.question,
                    saved_at=str(saved.get("saved_at", "")),
                    why=why,
                    was=str(saved["answer"]),
                    now=now.answer,
                    facts=tuple(name for name in names if name.partition(".")[0] not in current),
                )
            )
    return found


def _saved(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    for number, text in enumerate(path.read_bytes().splitlines(), 1):
        if not text.strip():
            continue
        try:
            saved = orjson.loads(text)
            complete = {"question", "answer", "asked_with"} <= set(saved)
        except (orjson.JSONDecodeError, TypeError):
            complete = False
        if not complete:
            raise UsageError(f"line {number} of {path.name} is no saved answer; take it out, or move the file away")
        yield number, saved


def _again(store: FactStore, question: str, asked: AskedWith) -> Answer:
    vocabulary = Path(asked.vocabulary) if asked.vocabulary else None
    return answer_question(
        question,
        store,
        today=date.fromisoformat(asked.today),
        viewer=asked.viewer,
        language=asked.language,
        documents=asked.documents,
        # Where the file that was named is gone, the one beside the store is as good as any.
        vocabulary=Vocabulary.load(vocabulary) if vocabulary is not None and vocabulary.is_file() else None,
    )


def _difference(saved: Mapping[str, Any], now: Mapping[str, Any]) -> Why | None:
    """In what two answers to one question differ most; None where they do not."""
    if saved["mode"] != now["mode"]:
        return "answered" if now["mode"] == "answer" else "not answered"
    if any(saved[name] != now[name] for name in _VALUE):
        return "value"
    if saved["sources"] != now["sources"]:
        return "source"
    # The revision that is cited may be a newer one with the same cell in the same place: that is the same answer.
    return None if saved["answer"] == now["answer"] else "wording"
