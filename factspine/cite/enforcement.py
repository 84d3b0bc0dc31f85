"""A model's answer stands, is repaired once, loses what does not stand, or is refused. Nothing else gets through.

A source the model forgot is added only where its sentence stands in that source word for word; a sentence that cannot
be found anywhere is never decorated with a source.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from factspine.cite.backstop import check_numbers, foreign_figures
from factspine.cite.evidence import Evidence
from factspine.cite.gates import UNVERIFIED, is_near, is_verifiable
from factspine.cite.payload import text_of
from factspine.cite.prompts import INSTRUCTIONS, material, read_reply, repair
from factspine.cite.snippets import locate
from factspine.cite.validator import Unsupported, Verdict, validate
from factspine.core.answers import Mode
from factspine.core.facts import Fact
from factspine.core.markers import find_markers, mark, marker, numbers_in, without_markers
from factspine.core.providers import Provider
from factspine.lexicon.sentences import split_sentences

Record = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Enforced:
    """What came of a model's answer."""

    mode: Mode
    answer: str = ""
    citations: tuple[Record, ...] = ()
    repaired: bool = False
    removed: tuple[str, ...] = ()  # sentences that did not stand
    added: int = 0  # sources the model forgot and its sentences verifiably come from
    codes: tuple[str, ...] = ()  # what was wrong with the first reply

    def as_dict(self) -> Record:
        """The form of the enforcement standard."""
        return {"answer": self.answer, "citations": list(self.citations), "mode": self.mode}


def enforce(
    question: str,
    retrieved: Sequence[Mapping[str, Any]],
    provider: Provider,
    *,
    facts: Sequence[Fact] = (),
    allow_cross_section: bool = False,
) -> Enforced:
    """Ask a model over retrieved chunks and let through only what the chunks say."""
    desk = _Desk(question, retrieved, tuple(facts), allow_cross_section)
    asked = material(question, desk.retrieved)
    reply = provider.complete(INSTRUCTIONS, asked)
    first = desk.judge(reply)
    if first.stands:
        return first.result()
    again = repair(reply, first.verdict.codes or ("not_json",), first.faults, desk.chunk_ids)
    second = desk.judge(provider.complete(INSTRUCTIONS, f"{asked}\n{again}"))
    codes = first.verdict.codes or ("not_json",)
    if second.stands:
        return replace(second.result(), repaired=True, codes=codes)
    left = desk.reduce(second) or desk.reduce(first)
    return replace(left, repaired=True, codes=codes) if left is not None else Enforced(mode="refuse", codes=codes)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Judged:
    """One reply with the verdict over it."""

    record: Record | None
    verdict: Verdict = field(default_factory=Verdict)
    added: int = 0

    @property
    def stands(self) -> bool:
        return self.record is not None and self.verdict.ok

    @property
    def faults(self) -> list[str]:
        return [one.text for one in self.verdict.unsupported]

    def result(self) -> Enforced:
        record = self.record or {}
        return Enforced(
            mode=record["mode"], answer=record["answer"], citations=tuple(record["citations"]), added=self.added
        )


class _Desk:
    """Judges replies against one request's retrieved chunks."""

    def __init__(
        self,
        question: str,
        retrieved: Sequence[Mapping[str, Any]],
        facts: tuple[Fact, ...],
        allow_cross_section: bool,
    ) -> None:
        self._question = question
        # What is not near enough to the question is not there to be cited.
        self.retrieved = retrieved = [chunk for chunk in retrieved if is_near(chunk)]
        self._facts = facts
        self._allow_cross_section = allow_cross_section
        self.chunk_ids = [str(chunk.get("chunk_id", "")) for chunk in retrieved]
        self._by_id = {str(chunk.get("chunk_id", "")): chunk for chunk in retrieved}

    def judge(self, reply: str) -> _Judged:
        record = read_reply(reply)
        if record is None:
            return _Judged(record=None)
        if record["mode"] != "answer":
            return _Judged(record={**record, "answer": self._harmless(record["answer"]), "citations": []})
        record["citations"] = [self._complete(citation) for citation in record["citations"]]
        record, added = self._remember(record)
        return _Judged(record=record, verdict=self._verdict(record), added=added)

    def _harmless(self, said: str) -> str:
        """What a model says instead of an answer, if it says no number that the question does not."""
        checks = check_numbers(said, Evidence([self._question]))
        return said if not foreign_figures(checks) else ""

    def _verdict(self, record: Record) -> Verdict:
        verdict = validate(
            record["answer"],
            record["citations"],
            self.retrieved,
            facts=self._facts,
            allow_cross_section=self._allow_cross_section,
        )
        if is_verifiable(record["answer"], self._cited_texts(record["answer"], record["citations"])):
            return verdict
        return replace(
            verdict,
            codes=(*verdict.codes, UNVERIFIED),
            unsupported=(*verdict.unsupported, *self._unverified(record["answer"], record["citations"])),
        )

    def _unverified(self, answer: str, citations: Sequence[Record]) -> list[Unsupported]:
        """The sentences of which too little stands in what they cite."""
        spans = [(span, answer[span.start : span.end]) for span in split_sentences(answer)]
        return [
            Unsupported(text=text, code=UNVERIFIED, span=span)
            for span, text in spans
            if not is_verifiable(text, self._cited_texts(text, citations))
        ]

    def _cited_texts(self, text: str, citations: Sequence[Record]) -> list[str]:
        """The chunks a text cites, with their headings, and what its facts are called."""
        cited = [citations[number - 1] for number in numbers_in(text) if 1 <= number <= len(citations)]
        chunks = [chunk for one in cited if (chunk := self._by_id.get(str(one.get("chunk_id", "")))) is not None]
        facts = [" ".join((fact.metric_label, fact.entity, *fact.row_path, *fact.col_path)) for fact in self._facts]
        headings = [f"{chunk.get('section_id', '')} {chunk.get('doc_id', '')}" for chunk in chunks]
        return [*map(text_of, chunks), *headings, *facts]

    def _complete(self, citation: Mapping[str, Any]) -> Record:
        """A citation as the model gave it, with the rest of the payload from the chunk it names."""
        named = {name: citation[name] for name in ("chunk_id", "snippet", "doc_id") if name in citation}
        chunk = self._by_id.get(str(citation.get("chunk_id", "")))
        snippet = citation.get("snippet")
        span = locate(snippet, text_of(chunk)) if chunk is not None and isinstance(snippet, str) else None
        if chunk is None or span is None:
            return named  # what it names is not there; the validator says so
        stored = text_of(chunk)[span[0] : span[1]]
        if "index_hash" not in chunk:
            return {**named, "snippet": stored}  # the short form: the chunk itself has no more to say
        whole = {name: value for name, value in chunk.items() if name != "text"}
        whole["snippet"] = stored
        whole["offsets"] = {"start": span[0], "end": span[1], "unit": "char"}
        whole["snippet_id"] = f"{chunk.get('chunk_id')}:{span[0]}-{span[1]}"
        return whole

    def _remember(self, record: Record) -> tuple[Record, int]:
        """Add the sources of sentences that name none but stand in a chunk word for word."""
        answer, citations = record["answer"], list(record["citations"])
        pieces, at, added = [], 0, 0
        for span in split_sentences(answer):
            sentence = answer[span.start : span.end]
            pieces.append(answer[at : span.start])
            at = span.end
            source = None if numbers_in(sentence) else self._source_of(sentence)
            if source is not None:
                citations.append(source)
                sentence = mark(sentence, len(citations))
                added += 1
            pieces.append(sentence)
        if not added:
            return record, 0
        text, kept = _renumber("".join(pieces) + answer[at:], citations)
        return {**record, "answer": text, "citations": kept}, added

    def _source_of(self, sentence: str) -> Record | None:
        bare = without_markers(sentence).strip()
        for chunk in self.retrieved:
            span = locate(bare, text_of(chunk)) if len(bare.split()) > 1 or len(bare) > 8 else None
            if span is not None:
                return self._complete({"chunk_id": chunk.get("chunk_id"), "snippet": text_of(chunk)[span[0] : span[1]]})
        return None

    def reduce(self, judged: _Judged) -> Enforced | None:
        """The answer without the sentences that do not stand, if anything is left and that stands."""
        if judged.record is None:
            return None
        answer, citations = judged.record["answer"], judged.record["citations"]
        spans = split_sentences(answer)
        kept = [span for span in spans if self._sentence_stands(answer[span.start : span.end], citations)]
        removed = tuple(answer[span.start : span.end] for span in spans if span not in kept)
        text, left = _renumber(" ".join(answer[span.start : span.end] for span in kept), citations)
        record = {"answer": text, "citations": left, "mode": "answer"}
        if not kept or not left or not self._verdict(record).ok:
            return None
        return Enforced(mode="answer", answer=text, citations=tuple(left), removed=removed, added=judged.added)

    def _sentence_stands(self, sentence: str, citations: Sequence[Record]) -> bool:
        if not all(1 <= number <= len(citations) for number in numbers_in(sentence)):
            return False
        text, kept = _renumber(sentence, citations)
        return bool(kept) and self._verdict({"answer": text, "citations": kept}).ok


def _renumber(text: str, citations: Sequence[Record]) -> tuple[str, list[Record]]:
    """A text whose markers count from one in the order they appear, and the citations they name."""
    order = [n for n in dict.fromkeys(one.number for one in find_markers(text)) if 1 <= n <= len(citations)]
    new = {old: at for at, old in enumerate(order, 1)}
    pieces, at = [], 0
    for one in find_markers(text):
        pieces += [text[at : one.start], marker(new.get(one.number, one.number))]
        at = one.end
    return "".join(pieces) + text[at:], [citations[number - 1] for number in order]
