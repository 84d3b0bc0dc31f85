"""The two sides of a comparison: what one of them leaves out, the other says for it.

`温若的工资比邵明高多少`, `how much higher is the median age in Alder than in Quillan`, `revenue 2023 against plan`: the
shorter side names only what is different. It stands for the part of the longer side that is of its kind: a period for
the period, a row of the table for the row. Where more than one part could give way, neither side is taken.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from factspine.ask.lists import Span
from factspine.ask.passing import planned_spans
from factspine.ask.question import Question
from factspine.ask.resolution import Resolution

_SMALL = re.compile(r"^[\s,，.?？。]*(?:的|与|和)?\s*|\s*(?:的|数)?[\s,，.?？。]*$")
_PREPOSITION = re.compile(
    r"^(?:in|of|for|at|on|by|that of|those of|that in|those in)\s+(?:the\s+)?|^the\s+", re.IGNORECASE
)
_MOST_LABELS = 8


class Sides:
    """Finds the figures of two sides of one comparison."""

    def __init__(
        self,
        read: Callable[[str], Question],
        resolve: Callable[[str], Resolution],
        labels: Callable[[Question], Sequence[Span]],
    ) -> None:
        self._read = read
        self._resolve = resolve
        self._labels = labels

    def of(self, first: str, second: str) -> tuple[Resolution, Resolution]:
        """What the two sides come to; where one is not found it says why."""
        if (shared := self._of_two_periods(first, second)) is not None:
            return shared
        if self._length(first) < self._length(second):
            other, one = self.of(second, first)
            return one, other
        one = self._side(first, second)
        if one.found:
            # The shorter side borrows before it stands alone: alone it would be of the whole.
            return one, self._borrowed(second, first, one) or self._side(second, first)
        other = self._side(second, first)
        return (self._borrowed(first, second, other) or one) if other.found else one, other

    def _of_two_periods(self, first: str, second: str) -> tuple[Resolution, Resolution] | None:
        """Both sides, where two periods are compared and either says a part of the rest: 东店4月比3月销售额."""
        own, others = self._read(first), self._read(second)
        if len(own.periods) != 1 or len(others.periods) != 1 or own.periods[0].period == others.periods[0].period:
            return None
        if planned_spans(own.text) or planned_spans(others.text):
            return None  # a plan is of one side, or of both
        one = self._resolve(f"{own.text} {_put(others.text, self._kinds(others)['p'], '')}")
        other = self._resolve(f"{_put(own.text, self._kinds(own)['p'], '')} {others.text}")
        return (one, other) if one.found and other.found else None

    def in_its_place(self, said: str, long: str, known: Resolution) -> Resolution | None:
        """The figure that a side is about with other words in the place of one of its labels: the total for a part."""
        question = self._read(long)
        found = (self._resolve(text) for text in dict.fromkeys(self._by_label(said, question)))
        other = {one.facts[0].fact_id: one for one in found if one.found and "total" in one.facts[0].status.split()}
        other.pop(known.facts[0].fact_id, None)
        return next(iter(other.values())) if len(other) == 1 else None

    def _length(self, text: str) -> int:
        """How much a side says: its words of meaning."""
        return sum(not word.function for word in self._read(text).words)

    def _side(self, text: str, beside: str) -> Resolution:
        """A side by its own words, and the period of the other where it says none."""
        own, others = self._read(text), self._read(beside)
        if own.half_said or own.periods or len(others.periods) != 1:
            return self._resolve(text)
        period = others.periods[0]
        return self._resolve(f"{text} {others.text[period.span_start : period.span_end]}")

    def _borrowed(self, short: str, long: str, known: Resolution) -> Resolution | None:
        """The one other figure that the longer side is about with the shorter one in the place of a part of it."""
        question = self._read(long)
        said = _PREPOSITION.sub("", _SMALL.sub("", self._read(short).text))
        for texts in (self._by_kind(said, question), self._by_label(said, question)):
            found: dict[str, Resolution] = {}
            for text in dict.fromkeys(texts):
                resolution = self._resolve(text)
                if resolution.found and resolution.facts[0].fact_id != known.facts[0].fact_id:
                    found[resolution.facts[0].fact_id] = resolution
            if len(found) > 1:
                return Resolution(outcome="ambiguous", label=known.label)
            if found:
                return next(iter(found.values()))
        return None

    def _by_kind(self, said: str, question: Question) -> Iterator[str]:
        """The longer side with a period for its period, a plan for its plan, a place for its place."""
        own, kinds = self._kinds(self._read(said)), self._kinds(question)
        if not own:
            return
        taken = [span for kind in own for span in kinds.get(kind, ())]
        yield _put(question.text, taken, self._with_year(said, question))
        if "p" in own and "s" in kinds and "s" not in own:
            # 2023年预算比2022年: the year before by its budget, or as it came out.
            yield _put(question.text, [*taken, *kinds["s"]], said)

    def _by_label(self, said: str, question: Question) -> Iterator[str]:
        """The longer side with the shorter one for one of its labels."""
        for span in list(self._labels(question))[:_MOST_LABELS]:
            yield _put(question.text, [span], said)

    def _kinds(self, question: Question) -> dict[str, list[Span]]:
        """The parts of a side that are no names of figures, by their kinds: periods, plans, places."""
        found: dict[str, list[Span]] = {}
        for period in question.periods:
            found.setdefault("p", []).append((period.span_start, period.span_end))
        if question.half_said:
            start = question.text.find(question.half_said)
            found.setdefault("p", []).append((start, start + len(question.half_said)))
        if scenario := planned_spans(question.text):
            found["s"] = scenario
        for phrase in question.phrases:
            if phrase.form[0] in "gce":
                found.setdefault(phrase.form[0], []).append((phrase.start, phrase.end))
        return found

    def _with_year(self, said: str, question: Question) -> str:
        """A quarter, half or month without its year takes the year of the other side."""
        half = self._read(said).half_said
        if not half or len(question.periods) != 1:
            return said
        year = question.periods[0].period[:4]
        return said.replace(half, f"{half} {year}" if half.isascii() else f"{year}年{half}")


def _put(text: str, spans: Sequence[Span], said: str) -> str:
    """A text with some words in the place of the first of several stretches, and nothing for the others."""
    apart = [span for span in spans if not any(_within(span, other) for other in spans)]
    for start, end in sorted(apart, reverse=True):
        text = f"{text[:start]} {said if (start, end) == min(apart) else ''} {text[end:]}"
    return text if apart else f"{text} {said}"


def _within(span: Span, other: Span) -> bool:
    return span != other and other[0] <= span[0] and span[1] <= other[1]
