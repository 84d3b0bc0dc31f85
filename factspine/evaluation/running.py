"""A gold set put to a store: every phrasing under every seed, and what each of them came to.

A seed changes what must not matter: the order in which questions come, the white space and punctuation around them.
Whoever answers differently under another seed is not reproducible.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date

from factspine.ask.answering import answer_question
from factspine.cite.gates import structure_codes, word_overlap
from factspine.core.answers import Answer, Mode
from factspine.core.clearance import cleared_for
from factspine.core.providers import Provider
from factspine.evaluation.gold import GoldItem
from factspine.evaluation.resolving import reread, stored
from factspine.narrative.analyzer import query_words
from factspine.narrative.index import NarrativeIndex
from factspine.narrative.ranking import Filters
from factspine.narrative.relevance import Question, forms
from factspine.narrative.search import SearchResult, search_index
from factspine.store.store import FactStore

SEEDS = 2
TOP = 10
_QUESTION_MARKS = ("?", "？", "", " ?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One phrasing of one question under one seed."""

    item: str
    phrasing: int  # 1-based
    seed: int
    mode: Mode
    place: str  # of the first citation; empty where there is none
    matched: bool  # whether a citation stands at the gold place, and all of them hold
    codes: tuple[str, ...]  # what the validator said, `ok` where nothing
    coverage: float  # of the gold passage, in what was retrieved
    delta_s: float  # how far what was cited is from the question
    overlap: float | None  # of the ideal answer, in what was cited; None where no ideal is given


class Bench:
    """A store with its index, asked one question after another."""

    def __init__(
        self,
        store: FactStore,
        index: NarrativeIndex,
        *,
        provider: Provider | None = None,
        today: date | None = None,
        viewer: str | None = None,
    ) -> None:
        self._store = store
        self._index = index
        self._provider = provider
        self._today = today
        self._viewer = viewer
        self._cleared: Collection[str] = cleared_for(viewer)

    def run_all(self, items: Sequence[GoldItem], seeds: int = SEEDS) -> list[Run]:
        """Every phrasing of every question under every seed."""
        runs: list[Run] = []
        for seed in range(1, seeds + 1):
            chance = random.Random(seed)  # noqa: S311  repeatable, not secret
            asked = [(item, place) for item in items for place in range(len(item.phrasings))]
            chance.shuffle(asked)
            runs += [self._run(item, place, seed, chance) for item, place in asked]
        return runs

    def _run(self, item: GoldItem, place: int, seed: int, chance: random.Random) -> Run:
        text = disguise(item.phrasings[place], chance)
        answer = answer_question(text, self._store, self._provider, today=self._today, viewer=self._viewer)
        found = search_index(text, self._index, filters=Filters(), top=TOP, cleared=self._cleared)
        verdict = reread(answer.cited, self._store, self._index)
        codes = tuple(dict.fromkeys((*verdict.codes, *structure_codes(answer.citations))))
        at_gold = any(item.is_at(one.doc_id, one.locator) for one in answer.cited)
        quoted = "\n".join(self._texts(answer))
        return Run(
            item=item.id,
            phrasing=place + 1,
            seed=seed,
            mode=answer.mode,
            place=next((f"{one.doc_id} · {one.locator}" for one in answer.cited), ""),
            matched=at_gold and not codes,
            codes=codes or ("ok",),
            coverage=1.0 if at_gold else self._coverage(item, found),
            delta_s=self._delta_s(text, answer, found),
            overlap=word_overlap(item.ideal, answer.answer, quoted) if item.ideal else None,
        )

    def _texts(self, answer: Answer) -> list[str]:
        """The stored texts behind the citations of an answer."""
        records = [stored(one, self._store, self._index) for one in answer.cited]
        return [record["text"] for record in records if record is not None]

    def _coverage(self, item: GoldItem, found: SearchResult) -> float:
        """How much of the words at the gold place was retrieved from its document."""
        gold = [
            chunk
            for chunk in self._index.chunks_of(item.doc)
            if any(item.is_at(chunk.doc_id, part.locator) for part in chunk.parts)
        ]
        if not gold:
            return 0.0
        held = "\n".join(hit.chunk.text for hit in found.hits if hit.chunk.doc_id == item.doc)
        return word_overlap("\n".join(chunk.text for chunk in gold), held)

    def _delta_s(self, text: str, answer: Answer, found: SearchResult) -> float:
        """1 less the share of the question, by weight of its words, that the nearest text accounts for.

        A cell was found by its labels and accounts for all of it.
        """
        if answer.facts:
            return 0.0
        question = Question(text, *self._index.frequencies(query_words(text), sorted(self._cleared)))
        near = [hit.chunk for hit in found.hits]
        shares = [question.share(forms(" ".join((chunk.title, *chunk.section, chunk.text)))) for chunk in near]
        return round(1.0 - max(shares, default=0.0), 4)


def disguise(text: str, chance: random.Random) -> str:
    """The same question with other white space and another mark at its end: nothing that means anything."""
    bare = text.rstrip(" ?？")
    if chance.random() < 0.5:
        bare = "  ".join(bare.split(" "))
    return chance.choice(("", " ")) + bare + chance.choice(_QUESTION_MARKS)
