"""Answers without a model: the cell that is asked for, or the best sentences, quoted exactly and marked; or none.

Nothing is worded anew. Where what was found does not account for enough of the question, the answer is that the
evidence is insufficient, with the three nearest passages as candidates.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, NamedTuple

from factspine.core.answers import Mode
from factspine.core.chunks import Chunk
from factspine.core.citations import SIMILARITY_DECIMALS, SIMILARITY_MIN, Citation
from factspine.core.markers import mark, mark_quotation
from factspine.lexicon.sentences import Span, split_sentences
from factspine.narrative.analyzer import language_of, query_words, words
from factspine.narrative.asking import gives_cause, kind_of
from factspine.narrative.cells import SURE, FoundCell, find_cells, the_cell
from factspine.narrative.extremes import Extreme, asks_for_extreme, find_extreme
from factspine.narrative.index import NarrativeIndex
from factspine.narrative.ranking import Filters
from factspine.narrative.relevance import Question, forms, stem
from factspine.narrative.search import PUBLIC, Hit, SearchResult, cite, index_of, search_index
from factspine.store.store import FactStore

SENTENCES_MAX = 3
_RETRIEVED = 30
_CHUNKS_READ_MAX = 400  # of one or a few documents: then every row is looked at, found by its words or not
_DOCUMENTS_COMPARED_MAX = 5
_CHUNKS_COMPARED_MAX = 20_000
_NEXT_MIN = 0.8  # of what the best one accounts for, that a further sentence must
_CANDIDATES = 3
_SENTENCE_CHARACTERS_MAX = 600
_NEW_WORDS_MIN = 3  # that a sentence must have beyond the question: a title repeats it and tells nothing
_INSUFFICIENT = {
    "zh": "证据不足：没有找到能回答这个问题的原文。",
    "en": "Insufficient evidence: no passage answers this question.",
}


def insufficient(language: str) -> str:
    """That no passage answers, in the language of the question."""
    return _INSUFFICIENT["zh" if language == "zh" else "en"]


class Demand(NamedTuple):
    """How sure a quotation must be to be given as the answer."""

    cell: float = SURE  # of the question that header and row of a cell must account for
    sentence: float = 0.5  # of the question that a sentence must account for; above 1, none is given
    needed: tuple[str, ...] = ()  # names and numbers of the question that the document must have, each of them
    alike: Mapping[str, Collection[str]] = MappingProxyType({})  # other names for what the question names


CELLS_ONLY = 2.0


@dataclass(frozen=True, slots=True, kw_only=True)
class NarrativeAnswer:
    """Quoted sentences with markers, and the citations they name, in order."""

    question: str
    mode: Mode
    answer: str
    language: str
    citations: tuple[Citation, ...] = ()
    candidates: tuple[Citation, ...] = ()  # the nearest passages, where there is no answer
    retrieved: SearchResult
    cell_text: str = ""  # the cell, where the answer is one
    headed: float = 0.0  # how much of the question the cell's header and row say
    faults: tuple[str, ...] = ()  # the validator's codes, where a model worded an answer that does not stand

    @property
    def sources(self) -> list[dict[str, str]]:
        """Document and locator of every quotation, each once."""
        seen = dict.fromkeys((cited.doc_id, cited.locator) for cited in self.citations)
        return [{"doc": doc, "locator": locator} for doc, locator in seen]

    @property
    def with_sources(self) -> str:
        """The answer with its sources written out, for whoever reads no citation list."""
        return with_places(self.answer, [(one["doc"], one["locator"]) for one in self.sources], self.language)

    def refused(self, faults: Sequence[str]) -> NarrativeAnswer:
        """The refusal in place of an answer, with the nearest passages; `faults` are a model's, if it is to blame."""
        nearest = tuple(hit.citation for hit in self.retrieved.hits[:_CANDIDATES])
        text = insufficient(self.language)
        return replace(
            self, mode="refuse", answer=text, citations=(), candidates=nearest, cell_text="", faults=tuple(faults)
        )

    def as_dict(self) -> dict[str, Any]:
        """The answer in the form of the enforcement standard, with its sources and candidates."""
        return {
            "question": self.question,
            "mode": self.mode,
            "answer": self.answer,
            "language": self.language,
            "citations": [cited.as_dict() for cited in self.citations],
            "sources": self.sources,
            "candidates": [cited.as_dict() for cited in self.candidates],
            "index_hash": self.retrieved.index_hash,
        }


def with_places(text: str, places: Sequence[tuple[str, str]], language: str) -> str:
    """A text with its documents and locators written after it."""
    if not places:
        return text
    opening = "(来源:" if language == "zh" else " (source: "
    return f"{text}{opening}{'; '.join(f'{doc} {locator}' for doc, locator in places)})"


def answer_narrative(
    question: str,
    store: FactStore,
    *,
    documents: Sequence[str] = (),
    cleared: Collection[str] = PUBLIC,
    language: str | None = None,
    index: NarrativeIndex | None = None,
    demand: Demand | None = None,
) -> NarrativeAnswer:
    """Answer a question from what documents say in words, by quoting them."""
    with nullcontext(index) if index is not None else index_of(store) as opened:
        doc_ids = frozenset(span.doc_id for span in store.readings(documents)) if documents else None
        tongue = language or language_of(question) or "en"
        return Quoter(question, opened, doc_ids, cleared, tongue, demand).answer()


class Quoter:
    """One question with what was retrieved for it."""

    def __init__(
        self,
        question: str,
        index: NarrativeIndex,
        doc_ids: frozenset[str] | None,
        cleared: Collection[str],
        language: str,
        demand: Demand | None = None,
    ) -> None:
        self._demand = demand or Demand()
        self._text = question
        self._index = index
        self._doc_ids = doc_ids
        self._language = language
        others = [name for names in self._demand.alike.values() for name in names]
        self._retrieved = search_index(
            " ".join((question, *others)), index, filters=Filters(doc_ids=doc_ids), top=_RETRIEVED, cleared=cleared
        )
        self._levels = frozenset(cleared)
        self._kind = kind_of(question)
        frequencies = index.frequencies(query_words(question), sorted(cleared))
        self._question = Question(question, *frequencies, self._demand.alike)

    def answer(self) -> NarrativeAnswer:
        """The cell, the sentences, or neither."""
        demand = self._demand
        extreme = find_extreme(self._question, self._whole()) if asks_for_extreme(self._text) else None
        if extreme is not None and self._has(demand.needed, extreme.answer.chunk):
            return self._quote_extreme(extreme)
        cell = the_cell(find_cells(self._question, self._rows()), demand.cell)
        sentences = self._sentences() if demand.sentence <= 1 else []
        prose = sentences[0][0] if sentences else 0.0
        if cell is not None and cell.coverage >= min(prose, 1.0) and self._has(demand.needed, cell.chunk):
            return self._quote_cell(cell)
        good = (one for one in sentences if one[0] >= demand.sentence)
        fitting = [one for one in good if self._has(demand.needed, one[1].chunk)]
        if fitting:
            return self._quote_sentences(fitting)
        candidates = tuple(hit.citation for hit in self._retrieved.hits[:_CANDIDATES])
        return self._result("refuse", insufficient(self._language), (), candidates=candidates)

    def _has(self, needed: Sequence[str], chunk: Chunk) -> bool:
        """Whether a document has all of these words, here or elsewhere: it may name itself on its first page only."""
        near = forms(" ".join((chunk.text, chunk.title, *chunk.section)))
        missing = [word for text in needed for word in words(text) if stem(word) not in near]
        return all(self._index.holds(chunk.doc_id, word) for word in missing)

    def _rows(self) -> list[Chunk]:
        """The rows to look at: those found, and of a few small documents all."""
        found = {hit.chunk.chunk_id: hit.chunk for hit in self._retrieved.hits}
        held = self._index.documents()
        known = [held[doc_id] for doc_id in sorted(self._doc_ids or held) if doc_id in held]
        visible = [document for document in known if document.level in self._levels]
        if sum(document.chunks for document in visible) <= _CHUNKS_READ_MAX:
            for document in visible:
                found |= {one.chunk_id: one for one in self._index.chunks_of(document.doc_id) if not one.hidden}
        return list(found.values())

    def _whole(self) -> list[Chunk]:
        """All rows of the documents that were found: who is first is told only of a list that was read to its end."""
        held = self._index.documents()
        found = dict.fromkeys(hit.chunk.doc_id for hit in self._retrieved.hits)
        near = [held[doc_id] for doc_id in found if doc_id in held][:_DOCUMENTS_COMPARED_MAX]
        if sum(document.chunks for document in near) > _CHUNKS_COMPARED_MAX:
            return []
        return [one for document in near for one in self._index.chunks_of(document.doc_id) if not one.hidden]

    def _sentences(self) -> list[tuple[float, Hit, Span]]:
        """Sentences of what was retrieved with how much of the question they account for, best first."""
        found: list[tuple[float, Hit, Span]] = []
        for hit in self._retrieved.hits:
            # What is hardly near the question is not cited, whatever words it shares with it.
            if hit.chunk.kind in ("row", "table") or (hit.citation.similarity or 0.0) < SIMILARITY_MIN:
                continue
            heading = forms(" ".join(hit.chunk.section))
            for span in split_sentences(hit.chunk.text):
                text = hit.chunk.text[span.start : span.end]
                if len(text) <= _SENTENCE_CHARACTERS_MAX and self._tells(text):
                    own = forms(text)
                    # A heading says what its sentences are about, but does not answer for them.
                    share = 0.8 * self._question.share(own) + 0.2 * self._question.share(own | heading)
                    found.append((share, hit, span))
        return sorted(found, key=lambda one: (-one[0], one[1].citation.k_final or 0, one[2]))

    def _tells(self, sentence: str) -> bool:
        """Whether a sentence says more than the question, and says why where that is asked."""
        new = {word for word in words(sentence) if stem(word) not in self._question.weights}
        return len(new) >= _NEW_WORDS_MIN and (self._kind.name != "why" or gives_cause(sentence))

    def _quote_cell(self, cell: FoundCell) -> NarrativeAnswer:
        text = mark_quotation(cell.text, 1)
        told = self._result("answer", text, (self._cite_cell(cell),), cell_text=cell.text)
        return replace(told, headed=cell.headed)

    def _quote_extreme(self, found: Extreme) -> NarrativeAnswer:
        """The cell that answers, and under it the one that proves it, each with its marker."""
        proof = f"{found.proof.part.label}: {mark_quotation(found.proof.text, 2)}"
        citations = (self._cite_cell(found.answer), self._cite_cell(found.proof))
        text = f"{mark_quotation(found.answer.text, 1)}\n{proof}"
        told = self._result("answer", text, citations, cell_text=found.answer.text)
        return replace(told, headed=found.answer.headed)

    def _cite_cell(self, cell: FoundCell) -> Citation:
        cited = cite(cell.chunk, cell.span, self._retrieved.index_hash, cell.coverage)
        share = min(1.0, cell.coverage)  # a cell is no ranked passage: it accounts for this much of the question
        return replace(cited, score_norm=round(share, 6), similarity=round(share, SIMILARITY_DECIMALS))

    def _quote_sentences(self, sentences: list[tuple[float, Hit, Span]]) -> NarrativeAnswer:
        """The best sentence, and others about as good that say something else."""
        best, first = sentences[0][:2]
        citations: list[Citation] = []
        quoted: list[str] = []
        for share, hit, span in sentences:
            text = " ".join(hit.chunk.text[span.start : span.end].split())
            if share < best * _NEXT_MIN or len(quoted) == SENTENCES_MAX:
                break
            # Reasons that two documents give may be those of two different things.
            elsewhere = self._kind.name == "why" and hit.chunk.doc_id != first.chunk.doc_id
            if text in quoted or elsewhere:
                continue
            quoted.append(text)
            citations.append(cite(hit.chunk, span, self._retrieved.index_hash, hit.citation.score_raw))
        text = " ".join(mark(sentence, number) for number, sentence in enumerate(quoted, 1))
        return self._result("answer", text, tuple(citations))

    def _result(
        self,
        mode: Mode,
        text: str,
        citations: tuple[Citation, ...],
        *,
        candidates: tuple[Citation, ...] = (),
        cell_text: str = "",
    ) -> NarrativeAnswer:
        # A row that was looked at without having been found ranks after everything that was.
        ranks = {hit.chunk.chunk_id: hit.citation.k_pos for hit in self._retrieved.hits}
        placed = tuple(
            replace(one, k_pos=ranks.get(one.chunk_id) or one.k_pos or len(ranks) + 1, k_final=number)
            for number, one in enumerate(citations, 1)
        )
        return NarrativeAnswer(
            question=self._text,
            mode=mode,
            answer=text,
            language=self._language,
            citations=placed,
            candidates=candidates,
            retrieved=replace(self._retrieved, question=self._text),
            cell_text=cell_text,
        )
