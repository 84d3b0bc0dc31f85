"""Two kinds of one figure asked for at once: plan and outcome, restated and as first reported, group and parent.

`Actual revenue vs budget FY2024`, 管理费用的预算与实际: one of the two alone would answer half of the question.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from factspine.ask.display import period_text
from factspine.ask.lists import Single
from factspine.ask.operations import Operation
from factspine.ask.passing import kinds_said
from factspine.ask.question import Question
from factspine.ask.resolution import Resolution
from factspine.lexicon.periods import PeriodReading

_FAMILIES = (
    ("actual", "budget", "forecast", "target", "estimate"),
    ("restated", "as_reported"),
    ("consolidated", "parent"),
)
_JOIN = (
    r"vs\.?|versus|against|(?:when |as )?compared? (?:with|to|against)|relative to|in comparison (?:with|to)"
    r"|and|with|to|between|over|under|above|below|ahead of|behind|short of"
    r"|以及|对比|相比于?|相较于?|比较|与|和|跟|及|比|较"
)
# Said before the plan alone, the outcome is its other side: revenue vs plan, 与预算相比.
_MEASURED_BY = re.compile(
    r"(?:\bhow (?:far|much) (?:off|from|above|below|over|under|ahead of|behind|short of) (?:the |its |our )?"
    r"|\b(?:over|under|above|below|ahead of|behind|short of) (?:the |its |our )?"
    r"|\b(?:vs\.?|versus|against|compared (?:with|to|against)|relative to|variance (?:to|from))\s*(?:the |its |our )?"
    r"|(?:与|和|跟|对比|相比于?|相较于?|较|比))$",
    re.IGNORECASE,
)
_JOINED = re.compile(rf"\s*(?:\b(?:{_JOIN})(?![a-z])\s*)*\0(?:数|值|额)?\s*(?:(?:{_JOIN})(?![a-z])\s*)*", re.IGNORECASE)
_APART = re.compile(
    r"差异|差额|相差|差距|偏差|\bby how (?:much|far)\b"
    r"|\bhow (?:far|much) (?:off|from|above|below|over|under|ahead of|behind|short of)\b"
    r"|\b(?:variance|difference|gap|shortfall|overspend)\b(?:\s+(?:between|of|in|to|from|on)\b)?",
    re.IGNORECASE,
)
Span = tuple[int, int]


class Contrast(NamedTuple):
    """A question for two kinds of a figure: one question for each, and the operation on both, if any."""

    singles: tuple[Single, ...]
    kinds: tuple[tuple[str, str], ...]  # that are asked for, and the words of the question that do
    operation: Operation | None
    measured: bool = False  # how far the outcome is from the plan, in words that no label has

    @property
    def words(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(word for _, word in self.kinds))


def contrasted(text: str, read: Callable[[str], Question]) -> Contrast | None:
    """The kinds of figure that a question sets against one another; None where it asks for one."""
    every = kinds_said(text)
    for family in _FAMILIES if every else ():
        said = [(kind, span) for kind, span in every if kind in family]
        kinds = {kind for kind, _ in said}
        implied = len(kinds) == 1 and kinds != {"actual"} and _MEASURED_BY.search(text, 0, said[0][1][0]) is not None
        if implied or len(kinds) > 1:
            return _contrast(text, read(text), said, implied=implied)
    return None


def is_called(resolution: Resolution, contrast: Contrast) -> bool:
    """Whether what was found is of all these kinds at once, or has the words for them in its own name."""
    if not resolution.found or contrast.measured:
        return False
    fact = resolution.facts[0]
    label = fact.metric_label.lower()
    marks = {*fact.status.split()} - {"actual"} if len(contrast.kinds) > 1 else set()
    return all(word.lower() in label or kind in marks for kind, word in contrast.kinds)


def _contrast(text: str, question: Question, said: list[tuple[str, Span]], *, implied: bool) -> Contrast | None:
    periods = sorted(question.periods, key=lambda period: period.span_start)
    sides = [("" if kind == "actual" else text[start:end], (start, end)) for kind, (start, end) in said]
    if implied:
        sides.insert(0, ("", _elsewhere(periods, said[0][1])))
    if len(sides) != 2 or len(periods) > 2:
        return None
    of_each = _paired(periods, [span for _, span in sides])
    taken = [span for _, span in said]
    taken += [(period.span_start, period.span_end) for period in periods] if len(periods) == 2 else []
    rest = text
    for start, end in sorted(taken, reverse=True):
        rest = f"{rest[:start]}\0{rest[end:]}"
    apart = _APART.search(rest)
    rest = _JOINED.sub(" ", _APART.sub(" ", rest)).strip(" ?？。.")
    texts = [f"{rest} {name} {word}".strip() for (word, _), name in zip(sides, of_each, strict=True)]
    names = [text[start:end] for start, end in taken[: len(said)]]
    rows = [f"{text[start:end]} {name}".strip() for (_, (start, end)), name in zip(sides, of_each, strict=True)]
    operation = None if apart is None else Operation("difference", texts[0], texts[1], words=apart.group())
    singles = tuple(Single(one, row, "") for one, row in zip(texts, rows, strict=True))
    kinds = tuple((kind, name) for (kind, _), name in zip(said, names, strict=True))
    return Contrast(singles, kinds, operation, operation is not None and "how" in operation.words.lower())


def _elsewhere(periods: list[PeriodReading], plan: Span) -> Span:
    """Where the outcome is said that a plan measures: with the period that is not the plan's."""
    far = max(periods, key=lambda period: abs(period.span_start - plan[0]), default=None)
    return (0, 0) if far is None else (far.span_start, far.span_end)


def _paired(periods: list[PeriodReading], sides: list[Span]) -> list[str]:
    """The period of each side, where there is one for each: the first of them for the side that is said first."""
    if len(periods) < 2:
        return ["" for _ in sides]
    order = sorted(range(2), key=lambda side: sides[side])
    names = [period_text(period.period_type, period.period) for period in periods]
    return [names[order.index(side)] for side in range(2)]
