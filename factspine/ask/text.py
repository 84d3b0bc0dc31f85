"""Questions that words answer: who, where, why; and the half of a question that asks for a reason.

What is quoted stands in a document, letter for letter, and is cited; nothing is worded anew. A question for a figure is
answered from the facts or not at all: prose is full of numbers about something else.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from factspine.ask.fitting import can_be_meant
from factspine.ask.gating import gate
from factspine.ask.memory import vocabulary_of
from factspine.ask.messages import narrative_text, reason_text
from factspine.ask.operations import find_operation
from factspine.ask.question import Question, is_name
from factspine.core.answers import Answer, Reason, Suggestion
from factspine.core.citations import Citation, Retrieval
from factspine.core.markers import marker
from factspine.core.providers import Provider
from factspine.lexicon.folding import fold
from factspine.narrative.answers import CELLS_ONLY, Demand, NarrativeAnswer, Quoter, with_places
from factspine.narrative.building import holds_reading
from factspine.narrative.extremes import asks_for_extreme
from factspine.narrative.faq import Faq
from factspine.narrative.index import NO_MODEL
from factspine.narrative.reranking import RERANKER
from factspine.narrative.resolving import resolves
from factspine.narrative.search import index_of, seen_with
from factspine.store.spans import ReadingSpan

if TYPE_CHECKING:
    from factspine.store.store import FactStore

Sought = Literal["words", "either", "number", "open"]

# The half that asks why, after the half that asks how much.
_WHY = re.compile(
    r"(?:[,，;；。?？]\s*(?:(?:and|以及|并|且|又)\s*)?|\s+and\s+|以及|并且?)"
    r"(?:请?(?:解释|说明)|(?:是|这是)?(?:为什么|为何)|(?:主要)?原因|"
    r"(?:why|explain|how come|what caused|what drove)\b).*$",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"多少|百分之|几(?!种|家|位|类|点|月|[日号])|\bhow (?:many|much)\b", re.IGNORECASE)
_WORDS = re.compile(
    r"谁|哪位|哪里|哪儿|在哪|何处|为什么|为何|叫什么|是否|是不是|有没有|怎么样?|如何|怎样|"
    r"(?:^|[,;.]\s*|\b(?:know|me|find out|ask)\s+)(?:and\s+)?"
    r"(?:who(?:m|se)?|where|why|how(?! (?:many|much|long|old|far|large|big|high)))\b",
    re.IGNORECASE,
)
_EITHER = re.compile(r"什么|哪|何时|几时|(?:^|[,;.]\s*)(?:in |on |at |by |for |from )?(?:which|when)\b", re.IGNORECASE)
_REASON = re.compile(r"为什么|为何|原因|\bwhy\b|\bhow come\b|\bwhat (?:caused|drove)\b", re.IGNORECASE)
_TELL = re.compile(
    r"介绍|描述|说明|概述|简述|\b(?:what (?:does|do|did|is|are)|describe|explain|summari[sz]e)\b", re.IGNORECASE
)
_DROVE = re.compile(r"\bwhat (?:caused|drove|explains)\b|\bhow come\b", re.IGNORECASE)
_MOVES = (
    re.findall(
        r"\w+",
        "grow grew grown growth rise rose risen increase increased climbed improved 增长 上升 增加 提高 上涨 提升",
    ),
    re.findall(
        r"\w+", "fall fell fallen decline declined decrease decreased drop dropped shrank 下降 减少 下跌 下滑 降低 回落"
    ),
)
_RANGES = frozenset({"max", "min", "rank", "sum", "average", "count", "cagr", "growth", "growth_previous", "ratio"})
# Where a number was looked for and it is words that stand there, or nobody has heard of such a number.
_NO_NUMBER = frozenset({"text_cell", "unknown_metric", "unsure", "not_a_question"})
_YEAR_MARKS = frozenset({"fy", "cy"})  # the year counts, not how it is marked
_SURE_CELL = 0.6
_HEADED = 0.5  # of the question that header and row of a cell must say; what stands near it says nothing of it
_SURE_SENTENCE = 0.75
_NAMED_CELL = 0.9
_SHOWN_MAX = 160


def sought(folded: str) -> Sought:
    """Whether words or a number answer a question, as far as its own words tell."""
    folded = " ".join(folded.split())
    if _NUMBER.search(folded):
        return "number"
    if _REASON.search(folded):
        return "words"  # whatever it asks the reason of
    if (operation := find_operation(folded)) is not None and operation.kind in _RANGES:
        return "number"
    if _WORDS.search(folded):
        return "words"
    return "either" if _EITHER.search(folded) else "open"


@dataclass(frozen=True, slots=True, kw_only=True)
class Texts:
    """What documents say in words, as one asker sees one state of a store."""

    store: FactStore
    everything: bool  # whether all that is current counts, so that nothing need be filtered
    cleared: Collection[str]
    as_of: str | None = None  # a moment in the past: what was known then is quoted
    faq: Faq | None = None
    provider: Provider | None = None  # words what was found; without one it is quoted

    def vetted(self, question: str) -> tuple[str, Citation] | None:
        """The vetted answer to exactly this question, where its source bears it; only of what is current."""
        entry = None if self.faq is None or not self.everything else self.faq.find(question)
        if entry is None or self.store.path is None:
            return None
        from factspine.ask.vetted import vetted_answer

        with index_of(self.store) as index:
            return vetted_answer(entry, index, self.cleared)

    def quote(
        self, question: str, spans: Sequence[ReadingSpan], language: str, demand: Demand
    ) -> NarrativeAnswer | None:
        """What answers a question in words; None where a store is no file and so has no index."""
        if self.store.path is None:
            return None
        with index_of(self.store, as_of=self.as_of, cleared=self.cleared) as index:
            doc_ids = None
            if not self.everything:
                # What has come or gone since the question was put is not answered from.
                held = index.documents()
                doc_ids = frozenset(span.doc_id for span in spans if holds_reading(held, span))
            told = Quoter(question, index, doc_ids, self.cleared, language, demand).answer()
            seen = seen_with(self.store, self.cleared)
            if told.mode != "answer":
                return told
            if not all(resolves(one, index, seen, self.as_of) for one in told.citations):
                return None
            return told.refused(codes) if (codes := gate(told, index)) else told


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A question with the ways to answer it."""

    text: str  # folded
    language: str
    texts: Texts
    spans: Sequence[ReadingSpan]  # the readings that count for this question
    read: Callable[[str], Question]
    numbers: Callable[[str], Answer]
    build: Callable[..., Answer]

    def answer(self) -> Answer:
        """Words where words are asked for, a number where a number is; both where both are."""
        why = _WHY.search(self.text)
        if why is not None and self.text[: why.start()].strip():
            return self._both(self.text[: why.start()], why.group().strip(" ,，;；。"))
        kind = sought(self.text)
        if (vetted := self._vetted(kind)) is not None:
            return vetted
        if kind in ("number", "open"):
            return self._number_first(kind)
        reason = _REASON.search(self.text) is not None
        needed = self._names(self.text)
        demand = Demand(cell=CELLS_ONLY, needed=needed) if reason else Demand(needed=needed)
        told = self._quote(self.text, demand)
        if reason and (told is None or (told.mode != "answer" and not told.faults)):
            # Asked in its own words first: where it names a place, the place leads to the sentence.
            told = self._reason(self.text, "")
        if told is not None and told.mode == "answer":
            return self._quoted(told)
        if kind == "either":
            number = self._number(self.text)
            if number.mode == "answer" or number.reason is None or number.reason.code not in _NO_NUMBER:
                return number
        return self._insufficient(told)

    def _number(self, text: str) -> Answer:
        """The number that answers, unless it is of another kind than what is asked for."""
        number = self.numbers(text)
        if number.mode != "answer" or number.derivation is not None or can_be_meant(text, number.facts):
            return number
        message = reason_text("unsure", self.language)
        return self.build(text=message, mode="refuse", reason=Reason(code="unsure", message=message))

    def _vetted(self, kind: Sought) -> Answer | None:
        """The vetted answer, where one is: never to a question for a number, whatever somebody has vetted."""
        found = self.texts.vetted(self.text)
        if found is None or (kind != "words" and self._asks_for_a_metric()):
            return None
        text, cited = found
        return self.build(text=with_places(text, [(cited.doc_id, cited.locator)], self.language), quotes=(cited,))

    def _asks_for_a_metric(self) -> bool:
        """Whether a question names a number, whether or not the store has it."""
        number = self._number(self.text)
        if number.mode != "refuse" or number.reason is None or number.reason.code not in _NO_NUMBER:
            return True
        return any(phrase.form.startswith("m:") for phrase in self.read(self.text).phrases)

    def _quote(self, question: str, demand: Demand) -> NarrativeAnswer | None:
        """What was found; where there is a model, in its words as far as they stand, or not at all."""
        told = self._quote_only(question, demand)
        if told is None or self.texts.provider is None:
            return told
        from factspine.ask.writing import write  # what checks a model is loaded where there is one

        return write(self.text, told, self.texts.provider)

    def _quote_only(self, question: str, demand: Demand) -> NarrativeAnswer | None:
        return self.texts.quote(question, self.spans, self.language, demand)

    def _number_first(self, kind: Sought) -> Answer:
        number = self._number(self.text)
        if number.mode != "answer" and asks_for_extreme(self.text):
            # Which row is first or last may be told by names and dates that are no facts.
            unused = number.reason.words if number.reason is not None and number.reason.code == "unused_words" else ()
            # By the names of a whole store nearly every word is unused; of documents asked of, those they have not.
            needed = () if self.texts.everything else tuple(word for word in unused if not asks_for_extreme(word))
            told = self._quote_only(self.text, Demand(cell=CELLS_ONLY, sentence=CELLS_ONLY, needed=needed))
            if told is not None and told.mode == "answer":
                return self._quoted(told)
        if number.mode == "answer" or number.reason is None or number.reason.code not in _NO_NUMBER:
            return number
        question = self.read(self.text)
        named = number.reason.code != "text_cell" and any(phrase.form.startswith("m:") for phrase in question.phrases)
        if named and kind == "number":
            return number
        tell = kind == "open" and _TELL.search(self.text) is not None and not named
        names = self._names(self.text)
        # What names a metric is answered in words only by a cell that its header and row say all of.
        sure, headed = (_NAMED_CELL, _NAMED_CELL) if named else (_SURE_CELL, _HEADED)
        demand = Demand(cell=sure, sentence=_SURE_SENTENCE if tell else CELLS_ONLY, needed=names)
        # A model does not look in prose for a figure that was refused: it would find one about something else.
        quote = self._quote if tell else self._quote_only
        told = quote(self.text, demand)
        if told is not None and told.faults:
            return self._insufficient(told)
        if told is None or told.mode != "answer" or (told.cell_text and told.headed < headed):
            return number
        return self._quoted(told)

    def _reason(self, about: str, why: str, whose: tuple[str, ...] = ()) -> NarrativeAnswer | None:
        """The sentence that says why; who (also `whose`) and when it speaks of may stand elsewhere in its document."""
        question = self.read(about)
        metrics = {
            question.text[phrase.start : phrase.end]: self._other_names(phrase.form)
            for phrase in question.phrases
            if phrase.form.startswith("m:")
        }
        rest = question.text
        for phrase in question.phrases:
            if not phrase.form.startswith("m:"):
                rest = rest[: phrase.start] + " " * (phrase.end - phrase.start) + rest[phrase.end :]
        asked = _DROVE.sub("why", " ".join(f"{_NUMBER.sub(' ', rest)} {why}".split()))
        moves = _moves(asked)
        # What went up is said by many words; a document need not have the question's.
        needed = [name for name in self._names(about) if name.lower() not in moves]
        demand = Demand(cell=CELLS_ONLY, needed=(*needed, *whose), alike={**metrics, **moves})
        return self._quote(asked, demand)

    def _other_names(self, form: str) -> tuple[str, ...]:
        return vocabulary_of(self.texts.store).metric_names.get(form.removeprefix("m:"), ())

    def _names(self, text: str) -> tuple[str, ...]:
        """Words that a document must have to answer: names, numbers, and what changes the meaning."""
        words = self.read(text).words
        return tuple(
            dict.fromkeys(
                word.text
                for word in words
                if not word.function
                and word.text.lower() not in _YEAR_MARKS
                and (word.name_like or word.critical or word.kind == "number" or is_name(word))
            )
        )

    def _both(self, number_part: str, why: str) -> Answer:
        """The number with its cell, and the reason with its quotation."""
        number = self._number(number_part)
        if number.mode != "answer":
            return replace(number, assumptions=(*number.assumptions, narrative_text(why, self.language)))
        told = self._reason_of(number, number_part, why)
        if told is None or told.mode != "answer":
            return replace(number, assumptions=(*number.assumptions, narrative_text(why, self.language)))
        count = len(number.facts)
        marks = "".join(marker(place) for place in range(1, count + 1))
        lines = [f"{number.answer} {marks}", _shifted(told.with_sources, count)]
        quotes = _placed(told.citations, count)
        return replace(number, answer="\n".join(lines), quotes=quotes, retrieval=_retrieval(told))

    def _reason_of(self, number: Answer, number_part: str, why: str) -> NarrativeAnswer | None:
        """The reason of a number: where nobody is named, in the documents that tell it, else in those that name whose
        it is. Another organisation's reason is none."""
        whose = {fact.entity for fact in number.facts if fact.entity}
        if any(fold(name) in fold(number_part) for name in whose):
            return self._reason(number_part, why)  # its name must stand in the document, whichever that is
        told_in = {fact.source_doc_id for fact in number.facts}
        spans = [span for span in self.spans if span.doc_id in told_in]
        beside = replace(self, spans=spans, texts=replace(self.texts, everything=False))
        told = beside._reason(number_part, why)
        if (told is not None and (told.mode == "answer" or told.faults)) or len(whose) != 1:
            return told
        return self._reason(number_part, why, tuple(whose))

    def _quoted(self, told: NarrativeAnswer) -> Answer:
        quotes = _placed(told.citations, 0)
        return self.build(text=told.with_sources, quotes=quotes, retrieval=_retrieval(told))

    def _insufficient(self, told: NarrativeAnswer | None) -> Answer:
        """That nothing answers, or that what a model wrote does not stand, with the nearest passages to look at."""
        faults = () if told is None else told.faults
        worded = "unsupported_answer" if self.texts.provider is not None else "below_gate"
        code = worded if faults else "insufficient_evidence"
        message = reason_text(code, self.language, ", ".join(faults))
        nearest = () if told is None else told.candidates
        offered = tuple(
            Suggestion(question=_shown(one.snippet), why=f"{one.doc_id} · {one.locator}") for one in nearest
        )
        lead = ["最接近的原文:" if self.language == "zh" else "The nearest passages:"] if offered else []
        lines = [message, *lead, *(f"- {one.question} ({one.why})" for one in offered)]
        reason = Reason(code=code, message=message, words=faults)
        retrieval = None if told is None else _retrieval(told)
        return self.build(text="\n".join(lines), mode="refuse", candidates=offered, reason=reason, retrieval=retrieval)


def _moves(text: str) -> dict[str, list[str]]:
    """The words of a question for going up or down, each with the others that say the same."""
    return {
        word: same for same in _MOVES for word in same if re.search(rf"\b{word}\b" if word.isascii() else word, text)
    }


def _placed(citations: Sequence[Citation], before: int) -> tuple[Citation, ...]:
    """Citations with their places in the answer's list, after those of its facts."""
    return tuple(
        replace(one, k_pos=one.k_pos or place, k_final=place) for place, one in enumerate(citations, before + 1)
    )


def _retrieval(told: NarrativeAnswer) -> Retrieval:
    """What was retrieved for an answer, for whoever wants to know how it was found."""
    found = told.retrieved
    hits = tuple(hit.citation for hit in found.hits)
    known = {one.chunk_id for one in hits}
    every = (*hits, *(one for one in told.citations if one.chunk_id not in known))
    return Retrieval(
        hits=every,
        found=max(found.retrieved, len(every)),
        elapsed_ms=found.elapsed_ms,
        ranking="bm25" if all(one.embed_model == NO_MODEL for one in hits) else "rrf",
        reranker=RERANKER,
    )


def _shifted(text: str, by: int) -> str:
    return re.sub(r"\[†(\d+)\]", lambda found: marker(int(found[1]) + by), text)


def _shown(snippet: str) -> str:
    line = " ".join(snippet.split())
    return line if len(line) <= _SHOWN_MAX else line[:_SHOWN_MAX] + "…"
