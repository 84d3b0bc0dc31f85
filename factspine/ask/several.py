"""Several answers at once: a line and a cell of a table for each, every one with its own sources or its own reason."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from factspine.ask.compute import Result
from factspine.ask.derive import Deriver
from factspine.ask.display import period_text, subject_text
from factspine.ask.lists import Single
from factspine.ask.messages import verdict_text
from factspine.ask.operations import find_operation
from factspine.ask.question import Question
from factspine.ask.render import (
    assumptions_of,
    computed_answer,
    conflicts_of,
    figures_of,
    plain_answer,
    result_text,
    result_title,
)
from factspine.ask.resolution import Resolution
from factspine.core.answers import Conflict, Figure, TableCell
from factspine.core.facts import Fact

_OF_TWO = frozenset({"ratio", "share_of", "difference"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What one of several questions came to."""

    line: str
    cell: TableCell
    title: str = ""  # the row's name as the store has it; "" where there is no figure
    about: tuple[str, ...] = ()  # whom and what the figure is about, however it is called
    facts: tuple[Fact, ...] = ()
    assumptions: tuple[str, ...] = ()
    conflicts: tuple[Conflict, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Together:
    """Several outcomes as one answer."""

    outcomes: tuple[Outcome, ...]

    @property
    def text(self) -> str:
        return "\n".join(outcome.line for outcome in self.outcomes)

    @property
    def facts(self) -> tuple[Fact, ...]:
        return tuple(fact for outcome in self.outcomes for fact in outcome.facts)

    @property
    def assumptions(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(said for outcome in self.outcomes for said in outcome.assumptions))

    @property
    def conflicts(self) -> tuple[Conflict, ...]:
        return tuple(found for outcome in self.outcomes for found in outcome.conflicts)

    @property
    def table(self) -> tuple[TableCell, ...]:
        """The cells; a row is called as the store calls it, where it calls all of the row so."""
        titles: dict[str, set[str]] = {}
        about: dict[str, set[tuple[str, ...]]] = {}
        for outcome in self.outcomes:
            titles.setdefault(outcome.cell.row, set()).update({outcome.title} - {""})
            about.setdefault(outcome.cell.row, set()).update({outcome.about} - {()})
        # One thing may be called in several ways: the shortest is read fastest.
        names = {
            row: min(titles[row], key=lambda title: (len(title), title)) if len(found) == 1 else row
            for row, found in about.items()
        }
        if len(set(names.values())) < len(names):
            names = {row: row for row in names}
        return tuple(replace(outcome.cell, row=names[outcome.cell.row]) for outcome in self.outcomes)


class Several:
    """Answers several questions, each by itself."""

    def __init__(
        self,
        read: Callable[[str], Question],
        resolve: Callable[[str], Resolution],
        explain: Callable[[Resolution], str],
        language: str,
    ) -> None:
        self._deriver = Deriver(read, resolve)
        self._resolve = resolve
        self._explain = explain
        self._language = language

    def answer(self, singles: Sequence[Single]) -> Together | None:
        """What each of them came to; None where none has a figure."""
        outcomes: list[Outcome] = []
        for single in singles:
            outcome = self._one(single)
            if outcome is None:
                return None
            outcomes.append(outcome)
        together = Together(outcomes=tuple(outcomes))
        return together if together.facts else None

    def _one(self, single: Single) -> Outcome | None:
        resolution = self._resolve(single.text)
        operation = find_operation(single.text)
        # Chinese words of asking may hide in an operation on two figures (之比): such a question is never a plain one.
        hidden = operation is not None and operation.kind in _OF_TWO and not operation.words.isascii()
        if resolution.found and not hidden:
            return self._plain(single, resolution)
        derived = self._deriver.derive(operation) if operation else None
        if derived is not None and derived.result is not None:
            assumed = assumptions_of(derived.assumed, self._language) if derived.assumed else ()
            return self._computed(single, derived.result, assumed)
        failed = derived.failed if derived is not None and derived.failed is not None else resolution
        if failed.found:
            return None
        why = self._explain(failed)
        asked = " ".join(part for part in (single.row, single.column) if part)
        cell = TableCell(row=single.row, column=single.column, note=why)
        return Outcome(line=f"{asked}{':' if self._language == 'zh' else ': '}{why}", cell=cell)

    def _plain(self, single: Single, resolution: Resolution) -> Outcome:
        first, agreement = resolution.facts[0], resolution.agreement
        figures = tuple(
            Figure(text=text, facts=tuple(fact.fact_id for fact in facts))
            for text, facts in figures_of(resolution, self._language).items()
        )
        note = "" if agreement is None else verdict_text(agreement.verdict, self._language)
        column = single.column or period_text(first.period_type, first.period)
        return Outcome(
            line=plain_answer(resolution, self._language),
            cell=TableCell(row=single.row, column=column, figures=figures, note=note),
            title=subject_text(first, self._language, period=False),
            about=_about(first),
            facts=resolution.facts,
            assumptions=assumptions_of(resolution, self._language),
            conflicts=conflicts_of(resolution),
        )

    def _computed(self, single: Single, result: Result, assumptions: tuple[str, ...]) -> Outcome:
        first = result.operands[0]
        column = single.column or period_text(first.period_type, result.period or first.period)
        figure = Figure(text=result_text(result, self._language), facts=tuple(fact.fact_id for fact in result.operands))
        return Outcome(
            line=computed_answer(result, self._language),
            cell=TableCell(row=single.row, column=column, figures=(figure,)),
            title=result_title(result, self._language, period=False),
            about=(*_about(first), result.operation),
            facts=result.operands,
            assumptions=assumptions,
        )


def asked_back(singles: Sequence[Single], resolve: Callable[[str], Resolution]) -> Resolution | None:
    """What has to be said of each of several questions before any can be answered; None where that is not one thing."""
    found = [resolve(single.text) for single in singles]
    if len({(resolution.outcome, resolution.words) for resolution in found}) != 1:
        return None
    return found[0] if found[0].outcome == "ambiguous" else None


def _about(fact: Fact) -> tuple[str, ...]:
    return (fact.metric_code, fact.entity, fact.geography, fact.channel)
