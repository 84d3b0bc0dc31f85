"""What a question about one number came to: facts that agree or not, or the reason why there are none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from factspine.core.facts import Fact
from factspine.core.verdicts import Agreement

Outcome = Literal[
    "found",
    "not_a_question",  # no word of it could name a figure
    "unknown_metric",  # nothing in the store is called so
    "unused_words",  # a word that carries meaning has no place in what was found
    "ambiguous",  # several things fit
    "unsure",  # something fits, not well enough
    "no_period",  # there is such a metric, but not for this period
    "no_such_combination",  # nor for this place, channel or organisation
    "only_plan",  # only a budget, forecast or hidden figure
    "text_cell",  # the cell that fits best holds words
    "missing_operand",  # one of the figures an operation needs
    "year_missing",  # a quarter, half or month without its year
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Assumption:
    """Something the question did not say and the answer takes."""

    kind: str  # period, entity, geography, channel, year_end, words, part
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolution:
    """The outcome for one number."""

    outcome: Outcome
    facts: tuple[Fact, ...] = ()  # observations of one thing, the preferred first
    agreement: Agreement | None = None
    words: tuple[str, ...] = ()  # what the reason is about
    near: tuple[int, ...] = ()  # numbers of facts that could be meant, best first
    assumptions: tuple[Assumption, ...] = ()
    label: str = ""  # the metric as the store calls it, where one was recognised

    @property
    def found(self) -> bool:
        return self.outcome == "found"
