"""`answer_question`: a question in, a number with its cell out, or a plain reason why not."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING, Any

from factspine.ask.against import Contrast, contrasted, is_called
from factspine.ask.cells import CellResolver
from factspine.ask.choosing import is_hidden, number_of, with_paths
from factspine.ask.consulting import Consultation, Desk, consult
from factspine.ask.derive import Derived, Deriver
from factspine.ask.gating import passed
from factspine.ask.halfsaid import dated
from factspine.ask.interpretations import entity_stretches, metric_stretches
from factspine.ask.knowing import known_then, moment_spoken_of
from factspine.ask.lists import Single, asks_each, singles_in
from factspine.ask.lookup import Lookup
from factspine.ask.memory import Memory, State, is_one_document, memory_of, vocabulary_of
from factspine.ask.messages import reason_text, resolution_text
from factspine.ask.operations import Operation, find_operation, naming
from factspine.ask.question import Question, language_of, read_question
from factspine.ask.ranges import Ranged, Ranger
from factspine.ask.reach import out_of_reach
from factspine.ask.render import (
    assumptions_of,
    computed_answer,
    conflicts_of,
    contradicted,
    plain_answer,
    refusal_text,
    suggestions,
)
from factspine.ask.resolution import Assumption, Resolution
from factspine.ask.several import Several, asked_back
from factspine.ask.text import Asked, Texts
from factspine.ask.trace import Circumstances, leave_trace
from factspine.ask.wanted import convert, fits, takes_sign, wanted_unit, without_unit
from factspine.core.answers import Answer, Derivation, Reason, Suggestion
from factspine.core.clearance import cleared_for
from factspine.core.errors import UnknownMoment
from factspine.core.facts import Fact
from factspine.core.providers import Provider
from factspine.core.values import canonical
from factspine.lexicon.folding import fold
from factspine.lexicon.vocabulary import Vocabulary
from factspine.narrative.faq import Faq
from factspine.store.snapshot import Snapshot

if TYPE_CHECKING:
    from factspine.store.store import FactStore

_CLARIFY = frozenset({"ambiguous", "no_period", "year_missing", "only_plan"})
_LONGEST_QUESTION = 1000


def answer_question(
    question: str,
    store: FactStore,
    provider: Provider | None = None,
    *,
    today: date | None = None,
    as_of: str | None = None,
    viewer: str | None = None,
    language: str | None = None,
    documents: Sequence[str] = (),
    vocabulary: Vocabulary | None = None,
    faq: Faq | None = None,
) -> Answer:
    """Answer a question from the facts of a store.

    `documents` are glob patterns that limit where is looked; `today` fixes 去年 and `last quarter`; `viewer` is the
    level of sensitivity the asker is cleared for. The same store version and question give the same answer. A
    `provider` may help to read what is refused without it, and word what passages say; it never supplies a number.
    `faq` holds vetted answers; default: `faq.toml` beside the store.
    """
    started = time.perf_counter()
    day = today or date.today()
    then = known_then(question, day)
    if then is not None and (as_of is None or then.is_day_of(as_of)):
        options: dict[str, Any] = {"today": day, "viewer": viewer, "language": language, "documents": documents}
        options |= {"as_of": as_of or then.moment, "vocabulary": vocabulary, "faq": faq}
        with suppress(UnknownMoment):  # a run that there is not: what stays in the question is refused below
            answer = answer_question(then.question, store, provider, **options)
            return replace(answer, question=question, assumptions=(*answer.assumptions, then.note(answer.language)))
    words = vocabulary or vocabulary_of(store.seen_by(viewer), as_of)
    texts = Texts(
        store=store,
        everything=not documents and as_of is None,
        cleared=cleared_for(viewer),
        as_of=as_of,
        faq=faq or Faq.beside(store.path, today=day),
        provider=provider,
    )
    answer, consultation = _answer(question, words, day, as_of, viewer, language, tuple(documents), texts)
    answer = replace(passed(answer), elapsed_ms=round((time.perf_counter() - started) * 1000, 3))
    with_what = Circumstances(
        viewer=viewer,
        as_of=as_of is not None,
        patterns=len(documents),
        vocabulary=words.version,
        consultation=consultation,
    )
    leave_trace(store.path, answer, with_what)
    return answer


def _answer(
    question: str,
    words: Vocabulary,
    day: date,
    as_of: str | None,
    viewer: str | None,
    language: str | None,
    documents: tuple[str, ...],
    texts: Texts,
) -> tuple[Answer, Consultation | None]:
    """The answer from one state of the store, with what came of asking a model, if there is one."""
    store, provider = texts.store, texts.provider
    memory = memory_of(store)
    with store.seen_by(viewer).snapshot(as_of=as_of) as snapshot:

        def asking(text: str) -> _Asking:
            return _Asking(text, snapshot, memory, words, day, viewer, language, documents, texts, as_of)

        asked = asking(question)
        answer = asked.answer()
        if provider is None:
            return answer, None
        desk = Desk(index=asked.index, vocabulary=words, today=day, ask=lambda text: asking(text).answer())
        return consult(answer, provider, desk)


class _Asking:
    """One question on its way."""

    def __init__(
        self,
        text: str,
        snapshot: Snapshot,
        memory: Memory,
        vocabulary: Vocabulary,
        today: date,
        viewer: str | None,
        language: str | None,
        documents: tuple[str, ...],
        texts: Texts,
        as_of: str | None = None,
    ) -> None:
        self._text = text
        self._as_of = as_of
        self._texts = texts
        self._folded = fold(text)
        self._language = language or language_of(self._folded)
        self._snapshot = snapshot
        self._vocabulary = vocabulary
        self._today = today
        self._version = snapshot.version
        state = State(snapshot=snapshot, version=self._version, vocabulary=vocabulary, cleared=cleared_for(viewer))
        self._spans = memory.readings(state, documents)
        self._documents = documents
        self._seen = texts.store.seen_by(viewer)
        self._wanted = wanted_unit(self._folded)
        unit = self._wanted.unit if self._wanted else ""
        scope = memory.scope(state, self._spans) if documents or is_one_document(self._spans) else None
        self._subject = None if scope is None else scope.subject
        last_year = None if scope is None else scope.last_year
        self.index = memory.names(state)
        self._lookup = Lookup(snapshot, self._spans, self.index, vocabulary, unit, last_year)
        self._cells = None if scope is None else CellResolver(snapshot, self._spans, scope, vocabulary)
        self._resolved: list[Resolution] = []
        self._year = ""  # that was put in where a question says a quarter or month alone

    def read(self, text: str) -> Question:
        own = text if self._subject is None else self._subject.without(fold(text))
        return read_question(own, self._vocabulary, self._today)

    def resolve(self, text: str) -> Resolution:
        """One number, by the labels of the documents asked of, or by the names of the store."""
        question, cells, lookup = self.read(text), self._cells, self._lookup
        found = lookup.resolve(question) if cells is None else cells.settle(question, lookup)
        if cells is not None and not found.found and not self._documents:
            found = lookup.resolve(question)  # nobody asked of this document: the store's names say what is missing
        if found.found and self._year:
            found = replace(found, assumptions=(*found.assumptions, Assumption(kind="year", text=self._year)))
        self._resolved.append(found)
        return found

    def answer(self) -> Answer:
        """The answer to the question."""
        if not self._folded.strip():
            return self._refusal("not_a_question")
        if len(self._folded) > _LONGEST_QUESTION:
            return self._refusal("too_long", words=(str(len(self._folded)), str(_LONGEST_QUESTION)))
        if self._as_of is not None and (then := known_then(self._text, self._today)) is not None:
            return self._refusal("two_moments", words=(then.moment, self._as_of))
        if self._as_of is None and (spoken := moment_spoken_of(self._text)):
            return self._refusal("unknown_moment", words=(spoken.strip(),))
        if not self._spans and (why := out_of_reach(self._seen, self._documents, self._as_of)) is not None:
            return self._refusal(why[0], words=why[1])
        asked = Asked(
            text=" ".join(self._folded.split()),  # however it is spaced, it is the same question
            language=self._language,
            texts=self._texts,
            spans=self._spans,
            read=self.read,
            numbers=self._figure,
            build=self._answer,
        )
        return asked.answer()

    def _figure(self, asked: str) -> Answer:
        """The number a question asks for, or why there is none."""
        text = self._with_year(without_unit(asked, self._wanted, self._language))
        direct = self.resolve(text)
        operation = find_operation(text)
        contrast = contrasted(text, self.read)
        if contrast is not None and not is_called(direct, contrast):
            return self._contrasted(contrast, operation, direct)
        if direct.found and not (operation is not None and operation.is_passed_over):
            return self._plain(direct)
        question = self.read(text)
        if asks_each(text) and (several := self._several(self._singles(question))) is not None:
            return several
        deriver = Deriver(self.read, self.resolve, self._labels)
        derived = deriver.derive(operation) if operation else None
        if derived is not None and (derived.result is not None or derived.basis):
            return self._computed(derived) if derived.result else self._refused_derivation(derived, direct)
        if operation is not None:
            ranged = Ranger(self.read, self._lookup, self._cells).work_out(operation)
            if ranged is not None:
                return self._ranged(ranged)
        if (several := self._several(self._singles(question))) is not None:
            return several
        if derived is not None:
            return self._refused_derivation(derived, direct)
        if operation is None and (rest := deriver.remainder(question)) is not None:
            return self._computed(rest) if rest.result else self._refused_derivation(rest, direct)
        if operation is None and (common := asked_back(self._singles(question), self.resolve)) is not None:
            return self._refused(common)
        return self._refused(direct if operation is None else naming(operation, direct))

    def _contrasted(self, contrast: Contrast, operation: Operation | None, direct: Resolution) -> Answer:
        """Plan and outcome, or how far they are apart: both, or a reason."""
        for asked in filter(None, (operation, contrast.operation)):
            derived = Deriver(self.read, self.resolve, self._labels).derive(asked)
            if derived is not None:
                return self._computed(derived) if derived.result else self._refused_derivation(derived, direct)
        refused = replace(direct, outcome="unused_words", words=contrast.words) if direct.found else direct
        return self._several(contrast.singles) or self._refused(refused)

    def _labels(self, question: Question) -> list[tuple[int, int]]:
        found = [] if self._cells is None else self._cells.stretches(question)
        return found or metric_stretches(question, self.index)

    def _singles(self, question: Question) -> list[Single]:
        """The questions that one question holds; none where it is but one."""
        organisations = entity_stretches(question, self.index)
        return singles_in(question, (metric_stretches(question, self.index), self._labels(question)), organisations)

    def _with_year(self, text: str) -> str:
        """A quarter or month without its year, where the documents asked of tell of those of one year only."""
        question = self.read(text)
        found = None if self._cells is None or question.periods else dated(question.text, self._cells.years_of)
        self._year = "" if found is None else found.year
        return text if found is None else found.text

    def _plain(self, resolution: Resolution) -> Answer:
        fact = resolution.facts[0]
        wanted = self._wanted
        if wanted is not None and not fits(fact, wanted):
            same = tuple(other for other in resolution.facts if fits(other, wanted))
            if not same:
                return self._refusal("unit_mismatch", words=(fact.unit,), near=resolution.facts[:1])
            fact = same[0]
        if wanted is not None and takes_sign(fact, wanted):
            resolution = replace(
                resolution, assumptions=(*resolution.assumptions, Assumption(kind="dollar_sign", text="$"))
            )
        converted = convert(fact, wanted) if wanted is not None else None
        value, scale = (fact.value, fact.scale) if converted is None else converted
        derivation = None
        if converted is not None:
            formula = f"{canonical(fact.value)} × 10^{fact.scale - converted.scale}"
            derivation = Derivation(
                operation="convert",
                formula=formula,
                operands=(fact.fact_id,),
                value=canonical(converted.value),
                unit=fact.unit,
            )
        return self._answer(
            text=plain_answer(resolution, self._language, converted),
            facts=resolution.facts,
            value=canonical(value),
            unit=fact.unit,
            scale=scale,
            period=fact.period,
            derivation=derivation,
            assumptions=assumptions_of(resolution, self._language),
            conflicts=conflicts_of(resolution),
        )

    def _computed(self, derived: Derived) -> Answer:
        result = derived.result
        assert result is not None  # noqa: S101  checked by the caller
        notes, conflicts = contradicted(self._resolved, result.operands, self._language)
        return self._answer(
            text=computed_answer(result, self._language),
            facts=result.operands,
            value=canonical(result.value),
            unit=result.unit,
            scale=result.scale,
            period=result.period or result.operands[0].period,
            derivation=result.derivation,
            assumptions=(*(assumptions_of(derived.assumed, self._language) if derived.assumed else ()), *notes),
            conflicts=conflicts,
        )

    def _ranged(self, ranged: Ranged) -> Answer:
        if ranged.failed is not None:
            return self._refused(ranged.failed)
        if ranged.basis:
            return self._refusal("different_basis", words=(ranged.basis,))
        return self._answer(
            text=ranged.text(self._language),
            facts=ranged.facts,
            value=None if ranged.value is None else canonical(ranged.value),
            unit=ranged.unit,
            scale=ranged.scale,
            period=ranged.facts[0].period,
            derivation=ranged.derivation,
            assumptions=ranged.assumptions(self._language),
        )

    def _several(self, singles: Sequence[Single]) -> Answer | None:
        """An answer for each of several questions; None where none of them has one."""
        together = Several(self.read, self.resolve, self._message, self._language).answer(singles)
        if together is None:
            return None
        return self._answer(
            text=together.text,
            facts=together.facts,
            assumptions=together.assumptions,
            conflicts=together.conflicts,
            table=together.table,
        )

    def _refused_derivation(self, derived: Derived, direct: Resolution) -> Answer:
        if derived.basis:
            return self._refusal("different_basis", words=(derived.basis,))
        return self._refused(derived.failed or direct)

    def _message(self, resolution: Resolution) -> str:
        return resolution_text(resolution, self._language)

    def _refused(self, resolution: Resolution) -> Answer:
        near = self._snapshot.facts(resolution.near, self._spans)
        order = {number: place for place, number in enumerate(resolution.near)}
        near.sort(key=lambda fact: order.get(number_of(fact, self._spans), 0))
        offered = suggestions(near, self._language, with_unit=resolution.words == ("unit",))
        clarify = resolution.outcome in _CLARIFY and len(offered) > 0 and not any(map(is_hidden, near[:1]))
        return self._answer(
            mode="clarify" if clarify else "refuse",
            text=refusal_text(self._message(resolution), offered, self._language),
            candidates=offered,
            reason=Reason(code=resolution.outcome, message=self._message(resolution), words=resolution.words),
        )

    def _refusal(self, code: str, *, words: tuple[str, ...] = (), near: Sequence[Fact] = ()) -> Answer:
        message = reason_text(code, self._language, ", ".join(words))
        offered = suggestions(near, self._language)
        return self._answer(
            mode="refuse",
            text=refusal_text(message, offered, self._language),
            candidates=offered,
            reason=Reason(code=code, message=message, words=words),
        )

    def _answer(self, *, text: str, mode: str = "answer", facts: tuple[Fact, ...] = (), **fields: Any) -> Answer:
        unique = with_paths({fact.fact_id: fact for fact in facts}.values(), self._snapshot, self._spans)
        trace = hashlib.sha256(f"{self._version}\0{self._documents}\0{self._text}".encode()).hexdigest()[:16]
        candidates: tuple[Suggestion, ...] = fields.pop("candidates", ())
        return Answer(
            question=self._text,
            mode=mode,  # type: ignore[arg-type]
            answer=text,
            language=self._language,
            facts=unique,
            candidates=candidates,
            trace_id=trace,
            store_version=self._version,
            **fields,
        )
