"""Traces of answers: the one-line log, the row of `rag_traces`, and the opt-in log that holds questions and answers.

The first two hold names, scores and hashes and no text of anybody: a question or a cell may be private, where it
stands is not.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from factspine.core.answers import Answer
from factspine.core.citations import Citation

RAG_TRACES = """CREATE TABLE IF NOT EXISTS rag_traces (
  ts TIMESTAMP NOT NULL,
  qid TEXT NOT NULL,
  seg INTEGER NOT NULL,
  deltaS REAL NOT NULL,
  lambda_state TEXT NOT NULL,
  store TEXT,
  index_hash TEXT,
  embed_model TEXT,
  analyzer TEXT,
  section_id TEXT,
  rev TEXT,
  citations JSONB,
  scores JSONB,
  kpos JSONB,
  kfinal JSONB
)"""
COLUMNS = (
    "ts", "qid", "seg", "deltaS", "lambda_state", "store", "index_hash", "embed_model", "analyzer", "section_id", "rev",
    "citations", "scores", "kpos", "kfinal",
)  # fmt: skip
_DECIMALS = 4
_SPACE = re.compile(r"\s+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """One segment of one answer: what it rests on. All citations of a segment share their section."""

    ts: str
    qid: str
    seg: int
    citations: tuple[Citation, ...]
    k: int
    store: str = "sqlite-fts5"
    lambda_state: str = "convergent"

    def __post_init__(self) -> None:
        for one in self.citations:
            if (one.score_raw is None and one.score_norm is None) or one.k_pos is None:
                raise ValueError(f"citation {one.snippet_id} has no score or no rank; a trace needs both")

    @property
    def delta_s(self) -> float:
        """How far the best passage is from the question: 0 is nothing but it, 1 nothing of it."""
        best = max((one.score_norm or 0.0 for one in self.citations), default=0.0)
        return round(1.0 - best, _DECIMALS)

    def line(self) -> str:
        """The log line: keys and values, one line, made for grep."""
        first = self.citations[0] if self.citations else None
        fields = {
            "ts": self.ts,
            "qid": self.qid,
            "seg": self.seg,
            "deltaS": f"{self.delta_s:.2f}",
            "lambda": self.lambda_state,
            "k": self.k,
            "store": self.store,
            "index_hash": first.index_hash if first else "",
            "embed": first.embed_model if first else "",
            "citations": _listed([one.snippet_id for one in self.citations]),
            "scores": _listed([f"{one.score_norm or 0.0:.4f}" for one in self.citations]),
            "kpos": _listed([one.k_pos for one in self.citations]),
            "kfinal": _listed([one.k_final for one in self.citations]),
            "section_id": _one_word(first.section_id) if first else "",
            "rev": first.rev if first else "",
        }
        return " ".join(f"{name}={value}" for name, value in fields.items())

    def row(self) -> tuple[Any, ...]:
        """The row of `rag_traces`, in the order of its columns."""
        first = self.citations[0] if self.citations else None
        return (
            self.ts,
            self.qid,
            self.seg,
            self.delta_s,
            self.lambda_state,
            self.store,
            first.index_hash if first else None,
            first.embed_model if first else None,
            first.analyzer if first else None,
            first.section_id if first else None,
            first.rev if first else None,
            json.dumps([one.snippet_id for one in self.citations]),
            json.dumps([round(one.score_norm or 0.0, _DECIMALS) for one in self.citations]),
            json.dumps([one.k_pos for one in self.citations]),
            json.dumps([one.k_final for one in self.citations]),
        )


def traces_of(answer: Answer, *, ts: str, lambda_state: str = "convergent") -> list[Trace]:
    """The traces of an answer: a segment for each section it cites, in the order of its citations."""
    sections: dict[str, list[Citation]] = {}
    for one in answer.cited:
        sections.setdefault(one.section_id, []).append(one)
    k = len(answer.retrieval.hits) if answer.retrieval is not None else len(answer.cited)
    return [
        Trace(ts=ts, qid=answer.trace_id, seg=number, citations=tuple(cited), k=k, lambda_state=lambda_state)
        for number, cited in enumerate(sections.values(), 1)
    ]


def keep_answer(folder: Path, answer: Answer, *, ts: str, lambda_state: str = "convergent") -> None:
    """Keep an answer in a folder of logs: `rag_trace.jsonl`, and what it cites in `rag_traces.log` and `.db`."""
    log_answer(
        folder / "rag_trace.jsonl",
        query_id=answer.trace_id,
        timestamp=ts,
        question=answer.question,
        answer=answer.answer,
        citations=answer.cited,
        metadata={
            "mode": answer.mode,
            "reason": None if answer.reason is None else answer.reason.code,
            "language": answer.language,
            "store_version": answer.store_version,
            "chunks_retrieved": 0 if answer.retrieval is None else answer.retrieval.found,
            "elapsed_ms": answer.elapsed_ms,
        },
    )
    traces = traces_of(answer, ts=ts, lambda_state=lambda_state)
    if traces:
        with (folder / "rag_traces.log").open("a", encoding="utf-8") as log:
            log.writelines(trace.line() + "\n" for trace in traces)
        write_traces(folder / "rag_traces.db", traces)


def auditable(answer: str, citations: Sequence[Citation], *, lambda_state: str = "convergent") -> dict[str, Any]:
    """The machine-checkable block: citations first, then the answer, then how near the evidence is."""
    best = max((one.score_norm or 0.0 for one in citations), default=0.0)
    names = ("snippet_id", "section_id", "source_url", "offsets", "tokens")
    return {
        "citations": [{name: one.as_dict()[name] for name in names} for one in citations],
        "answer": answer,
        "ΔS": round(1.0 - best, _DECIMALS),
        "λ": lambda_state,
    }


def write_traces(path: Path, traces: Sequence[Trace]) -> None:
    """Append rows to the table of an embedded database."""
    connection = sqlite3.connect(path)
    try:
        with connection:
            connection.execute(RAG_TRACES)
            marks = ",".join("?" * len(COLUMNS))
            connection.executemany(
                f"INSERT INTO rag_traces ({','.join(COLUMNS)}) VALUES ({marks})",  # noqa: S608  names of ours
                [trace.row() for trace in traces],
            )
    finally:
        connection.close()


def log_answer(
    path: Path,
    *,
    query_id: str,
    timestamp: str,
    question: str,
    answer: str,
    citations: Sequence[Citation],
    metadata: dict[str, Any],
) -> None:
    """Append to `rag_trace.jsonl`. It holds questions and answers, so it is written only where that was asked for."""
    record = {
        "query_id": query_id,
        "timestamp": timestamp,
        "question": question,
        "answer": answer,
        "citations": [one.as_dict() for one in citations],
        "metadata": metadata,
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8") as log:
        log.write(json.dumps(record, ensure_ascii=False) + "\n")


def _listed(values: Sequence[Any]) -> str:
    return "[" + ",".join(str(value) for value in values) + "]"


def _one_word(text: str) -> str:
    return _SPACE.sub("_", text)
