"""Several documents, one number: what to make of facts that speak of the same thing, and which comes first.

Two facts speak of the same thing when metric, entity, geography, channel and period agree and both are of one kind
(actual, budget, forecast …). Their verdict is then, the first that holds:

    same        equal amounts in the same unit
    rounding    equal within the precision that the less precise of them shows
    unit        the difference is explained by the unit: another currency, a scale that one leaves out
    restated    one of them says of itself that it restates
    changed     they are of different revisions, or readings, of one document: the earlier is no longer said
    conflict    none of these

Precedence is declared, not guessed, in this order: the user's explicit ranks (vocabulary file, `[[precedence]]`), a
restated figure before the one it restates, a newer revision before an older one, the document that reports on the
later period, audited before unaudited, then what the store learnt last. Whoever shows the first shows the others too.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Literal

from factspine.core.facts import UNKNOWN_UNIT, Fact
from factspine.core.values import EXACT

Verdict = Literal["same", "rounding", "unit", "changed", "restated", "conflict"]
# From harmless to serious: the verdict over a group is the most serious one between its first fact and any other.
VERDICTS: tuple[Verdict, ...] = ("same", "rounding", "unit", "changed", "restated", "conflict")
Question = tuple[str, str, str, str, str, str, str]
Rule = Literal["explicit", "restated", "revision", "later_document", "audited", "known_later"]
PRECEDENCE: tuple[Rule, ...] = ("explicit", "restated", "revision", "later_document", "audited", "known_later")

# Marks that make a number another kind of number: a budget never contradicts an actual.
_KINDS = frozenset(("budget", "forecast", "estimate", "target", "pro_forma", "opening", "closing"))
_RESTATED = "restated"
_UNRANKED = 1_000_000
_SCALES_FORGOTTEN = (2, 3, 4, 6, 8, 9)  # percent; thousand, 万, million, 亿, billion


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentStanding:
    """What is known about a document when its facts are put in order."""

    rank: int | None = None  # the user's own order; 1 is first
    reports_to: str = ""  # the last day of the latest period its actual figures are about, ISO
    audited: bool | None = None  # None where it does not say
    known_order: Mapping[str, int] = field(default_factory=dict)  # file hash -> in which order the store learnt them


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """Facts that speak of the same thing, best first, and the verdict over them."""

    question: Question
    verdict: Verdict
    facts: tuple[Fact, ...]
    verdicts: tuple[Verdict, ...]  # of each fact beside the first; "same" for the first itself
    rule: Rule | None  # what put the first before the next one of this verdict; None where nothing did


def question_of(fact: Fact) -> Question:
    """What a fact speaks of."""
    kinds = " ".join(sorted(_KINDS.intersection(fact.status.split())))
    return fact.metric_code, fact.entity, fact.geography, fact.channel, fact.period_type, fact.period, kinds


def amount(fact: Fact) -> Decimal:
    """The value with its scale multiplied in."""
    return fact.value.scaleb(fact.scale, EXACT)


def shown_step(fact: Fact) -> Decimal:
    """The smallest difference that the fact's text could show."""
    return Decimal(1).scaleb(fact.scale - fact.decimals, EXACT)


def compare(first: Fact, second: Fact) -> Verdict:
    """The verdict over two facts that speak of the same thing."""
    if first.unit == second.unit:
        if amount(first) == amount(second):
            return "same"
        if _within_rounding(first, second, amount(first), amount(second)):
            return "rounding"
    elif _is_unit_matter(first, second):
        return "unit"
    if _scale_forgotten(first, second):
        return "unit"
    if (_RESTATED in first.status.split()) != (_RESTATED in second.status.split()):
        return "restated"
    return (
        "changed" if first.source_doc_id == second.source_doc_id and _reading(first) != _reading(second) else "conflict"
    )


def _reading(fact: Fact) -> tuple[str, str, str]:
    return fact.source_file_hash, fact.extractor_version, fact.mapping_version


def _within_rounding(first: Fact, second: Fact, one: Decimal, other: Decimal) -> bool:
    coarser = max(shown_step(first), shown_step(second))
    return abs(EXACT.subtract(one, other)) <= coarser / 2


def _is_unit_matter(first: Fact, second: Fact) -> bool:
    """Amounts in different units do not contradict one another: they must be converted first, or one says none."""
    units = {first.unit, second.unit}
    if UNKNOWN_UNIT in units:
        return first.value == second.value or amount(first) == amount(second) or _scale_forgotten(first, second)
    return True


def _scale_forgotten(first: Fact, second: Fact) -> bool:
    """Whether the amounts differ by a usual scale, and one of them has no word of its document for its unit."""
    if first.unit_evidence and second.unit_evidence:
        return False
    for power in _SCALES_FORGOTTEN:
        for small, large in ((first, second), (second, first)):
            scaled = amount(small).scaleb(power, EXACT)
            step = max(shown_step(small).scaleb(power, EXACT), shown_step(large))
            if amount(small) and abs(EXACT.subtract(scaled, amount(large))) <= step / 2:
                return True
    return False


def in_order(facts: Iterable[Fact], standings: Mapping[str, DocumentStanding] | None = None) -> list[Fact]:
    """Facts that speak of the same thing, best first, by the declared precedence."""
    known = standings or {}
    return sorted(facts, key=lambda fact: _standing(fact, known))


def deciding_rule(first: Fact, second: Fact, standings: Mapping[str, DocumentStanding] | None = None) -> Rule | None:
    """What puts the first of two facts before the second; None where they stand equal and only their names differ."""
    known = standings or {}
    for rule, one, other in zip(PRECEDENCE, _standing(first, known), _standing(second, known), strict=False):
        if one != other:
            return rule
    return None


def _standing(fact: Fact, standings: Mapping[str, DocumentStanding]) -> tuple[object, ...]:
    """One item for each rule of `PRECEDENCE`, smaller is better; then the place, so that the order is always one."""
    document = standings.get(fact.source_doc_id, DocumentStanding())
    marks = fact.status.split()
    audited = False if "unaudited" in marks else True if "audited" in marks else document.audited
    learnt = document.known_order.get(fact.source_file_hash, 0)
    return (
        document.rank if document.rank is not None else _UNRANKED,
        _RESTATED not in marks,
        -learnt if len(document.known_order) > 1 else 0,
        _descending(document.reports_to),
        {True: 0, None: 1, False: 2}[audited],
        -learnt,
        fact.source_doc_id,
        fact.source_locator,
        fact.fact_id,
    )


def _descending(text: str) -> tuple[int, ...]:
    # Later dates first; a document without one comes last.
    return tuple(-ord(mark) for mark in text) or (0,)


def agreements(
    facts: Iterable[Fact],
    standings: Mapping[str, DocumentStanding] | None = None,
    *,
    wanted: Callable[[Fact], bool] = lambda fact: "hidden" not in fact.status.split(),
) -> list[Agreement]:
    """Facts gathered by what they speak of, wherever at least two do; best first, with the verdict over each."""
    gathered: dict[Question, list[Fact]] = defaultdict(list)
    for fact in facts:
        if fact.period_type != "NONE" and wanted(fact):
            gathered[question_of(fact)].append(fact)
    return [judge(question, group, standings) for question, group in sorted(gathered.items()) if len(group) > 1]


def judge(
    question: Question, facts: Sequence[Fact], standings: Mapping[str, DocumentStanding] | None = None
) -> Agreement:
    """The agreement of facts that speak of the same thing."""
    ordered = in_order(facts, standings)
    first = ordered[0]
    verdicts: tuple[Verdict, ...] = ("same", *(compare(first, other) for other in ordered[1:]))
    worst = max(verdicts, key=VERDICTS.index)
    # What agrees with the first needs no reason to stand behind it.
    other = next((fact for fact, verdict in zip(ordered[1:], verdicts[1:], strict=True) if verdict == worst), None)
    rule = deciding_rule(first, other, standings) if other is not None else None
    return Agreement(question=question, verdict=worst, facts=tuple(ordered), verdicts=verdicts, rule=rule)


def conflicts(facts: Iterable[Fact], standings: Mapping[str, DocumentStanding] | None = None) -> list[Agreement]:
    """Where documents really contradict one another."""
    return [found for found in agreements(facts, standings) if found.verdict == "conflict"]


def restatements(facts: Iterable[Fact], standings: Mapping[str, DocumentStanding] | None = None) -> list[Agreement]:
    """Where a number was restated, the restated figure first."""
    return [found for found in agreements(facts, standings) if "restated" in found.verdicts]


def standings_of(
    facts: Iterable[Fact], rank: Callable[[str], int | None] = lambda _: None
) -> dict[str, DocumentStanding]:
    """The standing of each document, as far as its facts tell; `rank` is the user's own order by document."""
    said: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for fact in facts:
        said[fact.source_doc_id].add((fact.period_end, fact.status))
    return {doc_id: standing_of(marks, rank(doc_id)) for doc_id, marks in said.items()}


def standing_of(said: Iterable[tuple[str, str]], rank: int | None = None) -> DocumentStanding:
    """The standing of a document of which this is the last day and the status of everything it says."""
    reports_to = ""
    audited: bool | None = None
    for period_end, status in said:
        marks = status.split()
        if not _KINDS.intersection(marks):
            reports_to = max(reports_to, period_end)
        if "unaudited" in marks:
            audited = False
        elif "audited" in marks and audited is None:
            audited = True
    return DocumentStanding(rank=rank, reports_to=reports_to, audited=audited)
