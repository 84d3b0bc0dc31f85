"""The records of matching: what a row, a column and a cell share with a question, and how much each part counts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from factspine.ask.features import entity_form
from factspine.ask.question import Question
from factspine.ask.scope import Line, ScopeTable
from factspine.store.table_heads import CellFact

TEXT = "TEXT"  # in the place of a period type: the cell holds words


class Weights(NamedTuple):
    """How much each part of a score counts; found by measuring."""

    row_cover: float = 0.6
    col_cover: float = 0.5
    outer: float = 0.5
    order: float = 0.05
    small_word: float = 0.05
    context: float = 0.6
    unknown_word: float = 0.55
    period_unsaid: float = 0.5
    unit_mismatch: float = 0.35
    total_unsaid: float = 0.8
    whole_floor: float = 0.3
    critical: float = 1.6
    critical_unsaid: float = 0.12
    twice: float = 0.28
    part: float = 0.15  # a row that is called by the whole it is a part of, as sums prove, and by its own name


WEIGHTS = Weights()


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A cell and why it may be meant."""

    table: ScopeTable
    fact: CellFact
    score: float
    coverage: float  # of the question's weight
    row_cover: float
    col_cover: float
    strengths: dict[int, float]  # how well the cell accounts for each word of the question
    by_labels: frozenset[int]  # words that the cell's own labels or its fact account for, not only its table
    forms: frozenset[str]  # what the lexicon understands of the cell and its table
    part_of: frozenset[str]  # metrics of the wholes that it is a part of, as forms, where the question names it
    period_fit: float  # 1 said so, 0 the cell says no period, -1 it says another
    labels: tuple[int, ...] = ()  # of its row and its column, as numbers in the scope


class LineMatch(NamedTuple):
    """What one row or column shares with the question."""

    line: Line
    words: dict[int, float]
    cover: float  # how much of its labels the question says
    strength: float
    order: float


def asks_for_count(text: str) -> bool:
    """Whether a question asks how many or how much, and so not for a percentage."""
    lowered = text.lower()
    return any(
        phrase in lowered for phrase in ("how many", "number of", "how much", "dollars", "多少元", "多少万元", "金额")
    )


def unit_mismatch(question: Question, fact: CellFact, *, percent_said: bool) -> float:
    """Whether a percentage was asked for and the cell is none, or the other way about."""
    if fact.period_type == TEXT:
        return 0.0
    if "percent" in question.forms:
        return 0.0 if fact.unit == "%" or percent_said else 1.0
    return 0.6 if fact.unit == "%" and asks_for_count(question.text) else 0.0


def characters_said(run: str, forms: frozenset[str]) -> set[int]:
    """Which characters of a run stand in a pair the question has."""
    if len(run) == 1:
        return {0} if run in forms else set()
    said: set[int] = set()
    for at in range(len(run) - 1):
        if run[at : at + 2] in forms:
            said.update((at, at + 1))
    return said


def fact_forms(fact: CellFact) -> set[str]:
    """What the lexicon understands of a fact, as forms."""
    forms = {f"m:{fact.metric_code}"}
    if fact.geography:
        forms.add(f"g:{fact.geography}")
    if fact.channel:
        forms.add(f"c:{fact.channel}")
    if fact.entity:
        forms.add(entity_form(fact.entity))
    if fact.period:
        forms.add(f"p:{fact.period}")
    return forms
