"""The answer: a number with its cells, words with what they quote, or a plain reason why not. One record, one JSON.

A number cannot be in an answer without a source, nor words without what they quote: `Answer` refuses to be built so.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from factspine.core.citations import Citation, Offsets, Retrieval, source_url
from factspine.core.facts import Fact
from factspine.core.locators import parse
from factspine.core.values import canonical

Mode = Literal["answer", "clarify", "refuse"]
ANALYZER = "factspine-ask/1"

FACT_FIELDS = (
    "fact_id",
    "metric_code",
    "metric_label",
    "entity",
    "geography",
    "channel",
    "period_type",
    "period",
    "value",
    "value_text",
    "unit",
    "scale",
    "source_doc_id",
    "source_locator",
    "file_hash",
    "status",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reason:
    """Why there is no plain answer: a code for programs, a sentence for people, and the words it is about."""

    code: str
    message: str
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggestion:
    """A question that could be asked instead, ready to ask."""

    question: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Derivation:
    """How a number was worked out from cited facts."""

    operation: str
    formula: str
    operands: tuple[str, ...]  # fact ids, in the order of the formula
    value: str  # canonical decimal
    unit: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Conflict:
    """Facts that speak of the same thing and do not say the same, with the verdict over them."""

    verdict: str
    facts: tuple[str, ...]  # fact ids, the preferred first


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """What stands in a cell of a table of answers: a figure, and the facts that bear it."""

    text: str
    facts: tuple[str, ...]  # fact ids


@dataclass(frozen=True, slots=True, kw_only=True)
class TableCell:
    """One of several answers that are given at once, with its place among them."""

    row: str
    column: str
    figures: tuple[Figure, ...] = ()  # more than one where sources differ; the preferred first
    note: str = ""  # why there is no figure, or what is to be said about several


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a question was answered with."""

    question: str
    mode: Mode
    answer: str
    language: str
    value: str | None = None  # canonical decimal; None where there is no single number
    unit: str | None = None
    scale: int | None = None
    period: str | None = None
    facts: tuple[Fact, ...] = ()
    quotes: tuple[Citation, ...] = ()  # what is quoted in words; these follow the facts in the list of citations
    derivation: Derivation | None = None
    assumptions: tuple[str, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    candidates: tuple[Suggestion, ...] = ()
    reason: Reason | None = None
    trace_id: str = ""
    store_version: str = ""
    elapsed_ms: float = field(default=0.0, compare=False)
    table: tuple[TableCell, ...] = field(default=(), compare=False, repr=False)  # several answers, for whoever draws
    retrieval: Retrieval | None = field(default=None, compare=False, repr=False)  # of passages; None where none was

    def __post_init__(self) -> None:
        if self.value is not None and not self.facts:
            raise ValueError("a number without the cell it came from is no answer")
        if self.mode == "answer" and not self.facts and not self.quotes:
            raise ValueError("an answer without a source is no answer")
        if self.mode != "answer" and self.reason is None:
            raise ValueError("whoever does not answer says why")

    @property
    def sources(self) -> list[dict[str, str]]:
        """Document and locator of every fact cited and every quotation, each once."""
        places = [(fact.source_doc_id, fact.source_locator) for fact in self.facts]
        places += [(quote.doc_id, quote.locator) for quote in self.quotes]
        return [{"doc": doc, "locator": locator} for doc, locator in dict.fromkeys(places)]

    @property
    def citations(self) -> list[dict[str, Any]]:
        """The citation of each fact and then of each quotation, in the order of the answer."""
        return [cited.as_dict() for cited in self.cited]

    @property
    def cited(self) -> tuple[Citation, ...]:
        """The citations as records: what a trace, a retrieval report or a bundle is written from."""
        cells = (fact_citation(fact, place, self.store_version) for place, fact in enumerate(self.facts, 1))
        return (*cells, *self.quotes)

    def to_json(self) -> dict[str, Any]:
        """The answer as programs get it."""
        return {
            "question": self.question,
            "mode": self.mode,
            "answer": self.answer,
            "language": self.language,
            "value": self.value,
            "unit": self.unit,
            "scale": self.scale,
            "period": self.period,
            "sources": self.sources,
            "citations": self.citations,
            "facts": [fact_json(fact) for fact in self.facts],
            "derivation": None if self.derivation is None else _derivation_json(self.derivation),
            "assumptions": list(self.assumptions),
            "conflicts": [{"verdict": found.verdict, "facts": list(found.facts)} for found in self.conflicts],
            "candidates": [{"question": found.question, "why": found.why} for found in self.candidates],
            "reason": None
            if self.reason is None
            else {"code": self.reason.code, "message": self.reason.message, "words": list(self.reason.words)},
            "trace_id": self.trace_id,
            "store_version": self.store_version,
            "elapsed_ms": self.elapsed_ms,
        }


def _derivation_json(derivation: Derivation) -> dict[str, Any]:
    return {
        "operation": derivation.operation,
        "formula": derivation.formula,
        "operands": list(derivation.operands),
        "value": derivation.value,
        "unit": derivation.unit,
    }


def fact_json(fact: Fact) -> dict[str, Any]:
    """A fact as it stands in an answer: the value is text, so that no program turns it into a float."""
    record = {name: getattr(fact, name, "") for name in FACT_FIELDS if name != "file_hash"}
    record["value"] = canonical(fact.value)
    record["file_hash"] = fact.source_file_hash
    return {name: record[name] for name in FACT_FIELDS}


def fact_record(fact: Fact) -> dict[str, Any]:
    """The whole record of a fact for JSON: the fields every program relies on first, then the rest."""
    record = asdict(fact)
    record["value"] = canonical(fact.value)
    record["file_hash"] = record.pop("source_file_hash")
    return {**{name: record.pop(name) for name in FACT_FIELDS}, **record}


def fact_citation(fact: Fact, position: int, index_hash: str) -> Citation:
    """The citation of one cell. Found by its labels and not by likeness: it is wholly what was asked for, score 1."""
    place = parse(fact.source_locator)
    section = str(place.without("cell", "row", "col", "series", "cat", "point")) if len(place.pairs) > 1 else ""
    return Citation(
        doc_id=fact.source_doc_id,
        section_id=section or fact.source_doc_id,
        snippet_id=fact.fact_id,
        chunk_id=fact.fact_id,
        source_filename=fact.source_doc_id.rpartition("/")[2],
        source_url=source_url(fact.source_doc_id, fact.source_locator),
        locator=fact.source_locator,
        snippet=fact.value_text,
        offsets=Offsets(0, len(fact.value_text)),
        tokens=len(fact.value_text.split()),
        index_hash=index_hash,
        analyzer=ANALYZER,
        rev=fact.source_file_hash,
        page=place.number("page") or place.number("slide"),
        score_raw=1.0,
        score_norm=1.0,
        similarity=1.0,
        k_pos=position,
        k_final=position,
    )
