"""How a number changed: every observation of it, document by document and revision by revision, oldest first."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from factspine.core.changes import compare
from factspine.core.errors import UsageError
from factspine.core.facts import Fact
from factspine.core.observed import Observed
from factspine.core.verdicts import Verdict, amount, question_of
from factspine.core.verdicts import compare as compare_facts
from factspine.store.facts import FactFilter
from factspine.store.spans import ReadingSpan
from factspine.store.store import FactStore


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """One fact in the course of time."""

    fact: Fact
    known_at: str  # when the store learnt it
    known_until: str  # when it ceased to be current; empty while it is
    verdict: Verdict | None  # beside the observation before it; None for the first


def history(
    store: FactStore, subject: str, locator: str = "", *, wanted: FactFilter | None = None
) -> list[tuple[str, list[Observation]]]:
    """The course of a number. `subject` is a fact's id, a document (with a place in it), or a metric.

    Returns one line of observations for each thing the subject stands for: title and observations, oldest first.
    """
    times = {run.run_id: run.finished_at for run in store.runs()}
    if locator:
        return [(f"{subject} · {locator}", _observed(_at_place(store, subject, locator), times))]
    found = _fact_of(store, subject)
    if found is not None:
        facts = [one for one in store.facts(_like(found), all_revisions=True) if question_of(one) == question_of(found)]
        return [(_title(found), _observed(facts, times))]
    metric = wanted or FactFilter()
    facts = list(store.facts(_with_metric(metric, subject), all_revisions=True))
    if not facts:
        raise UsageError(f"nothing is known about {subject!r}; give a metric, a fact's id, or a document and a place")
    lines: dict[object, list[Fact]] = defaultdict(list)
    for fact in facts:
        lines[question_of(fact)].append(fact)
    ordered = sorted(
        lines.values(), key=lambda group: (question_of(group[0])[:5], group[0].period_end, group[0].period)
    )
    return [(_title(group[0]), _observed(group, times)) for group in ordered]


def _fact_of(store: FactStore, subject: str) -> Fact | None:
    try:
        return store.fact(subject)
    except UsageError:
        return None


def _like(fact: Fact) -> FactFilter:
    return FactFilter(metric_codes=(fact.metric_code,), period=fact.period)


def _with_metric(wanted: FactFilter, metric: str) -> FactFilter:
    return FactFilter(
        documents=wanted.documents,
        metric=metric,
        entity=wanted.entity,
        geography=wanted.geography,
        channel=wanted.channel,
        period=wanted.period,
        unit=wanted.unit,
        status=wanted.status,
    )


def _at_place(store: FactStore, doc_id: str, locator: str) -> list[Fact]:
    """What stood at a place, followed back by its labels from the newest reading that has it."""
    readings = [span for span in store.readings(all_revisions=True) if span.doc_id == doc_id]
    if not readings:
        raise UsageError(f"the store has never held {doc_id}; `factspine facts` lists what there is")
    newest_first = list(reversed(readings))
    for place, span in enumerate(newest_first):
        fact = store.fact_in(span, locator)
        if fact is not None:
            return [*_followed(store, fact, span, newest_first[place + 1 :]), fact]
    raise UsageError(f"{doc_id} has no fact at {locator} in any revision")


def _followed(store: FactStore, fact: Fact, span: ReadingSpan, older: Sequence[ReadingSpan]) -> list[Fact]:
    """The same number in older readings, whatever row it stood in."""
    found: list[Fact] = []
    observed = dict(store.observed([span.reading_id, *(one.reading_id for one in older)]))
    index, later = int(fact.fact_id.rpartition(".")[2]) - 1, observed[span.reading_id]
    for reading in older:
        earlier = observed[reading.reading_id]
        partner = _partner(earlier, later, index)
        if partner is None:
            continue  # not yet, or not then: an older reading may have it again
        one = store.fact(f"{reading.reading_id}.{partner + 1}")
        if one is not None:
            found.append(one)
        index, later = partner, earlier
    return list(reversed(found))


def _partner(earlier: Sequence[Observed], later: Sequence[Observed], index: int) -> int | None:
    for change in compare(earlier, later):
        if change.after == index:
            return change.before
    return None


def _observed(facts: Iterable[Fact], times: dict[str, str]) -> list[Observation]:
    ordered = sorted(facts, key=lambda fact: (times.get(fact.known_from, ""), fact.source_doc_id, fact.source_locator))
    told: list[Observation] = []
    for fact in ordered:
        told.append(
            Observation(
                fact=fact,
                known_at=times.get(fact.known_from, ""),
                known_until=times.get(fact.known_to, ""),
                verdict=compare_facts(told[-1].fact, fact) if told else None,
            )
        )
    return told


def _title(fact: Fact) -> str:
    who = " · ".join(part for part in (fact.entity, fact.geography, fact.channel) if part)
    period = f"{fact.period_type}{fact.period}" if fact.period_type == "FY" else fact.period
    return " · ".join(part for part in (fact.metric_label, who, period) if part)


def bars(observations: Sequence[Observation], width: int = 24) -> list[str]:
    """A bar for each observation, in proportion to the largest; empty where units differ and nothing compares."""
    units = {one.fact.unit for one in observations}
    largest = max((abs(amount(one.fact)) for one in observations), default=None)
    if len(units) != 1 or not largest:
        return [""] * len(observations)
    marks = []
    for one in observations:
        eighths = round(abs(amount(one.fact)) / largest * width * 8)
        full, rest = divmod(eighths, 8)
        marks.append("█" * full + ("", "▏", "▎", "▍", "▌", "▋", "▊", "▉")[rest])
    return marks
