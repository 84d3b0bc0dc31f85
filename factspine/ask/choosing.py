"""Which of the facts that a name leads to are meant, and which are offered where that is not clear."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from decimal import Decimal, InvalidOperation

from factspine.ask.interpretations import Reading
from factspine.ask.question import Question
from factspine.ask.relative import names_of
from factspine.ask.words import balances
from factspine.core.facts import Fact
from factspine.core.verdicts import Agreement, compare
from factspine.store.snapshot import Snapshot
from factspine.store.spans import ReadingSpan
from factspine.store.table_heads import CellFact
from factspine.store.terms import PlacedFact

SUGGESTED = 8
PLANS = frozenset({"budget", "forecast", "estimate", "target"})
_SAY_LITTLE = frozenset({"actual", "total", "of_which", "less", "add", "as_reported"})
_PERIODS_OFFERED = {kind: place for place, kind in enumerate(("FY", "INSTANT", "HY", "Q", "M"))}


def told_apart(agreement: Agreement) -> bool:
    """Whether one table tells several of the facts: it has a reason to, and they are not one thing told twice."""
    first = agreement.facts[0]
    return any(
        verdict == "conflict" and fact.source_doc_id == first.source_doc_id and table_of(fact) == table_of(first)
        for fact, verdict in zip(agreement.facts, agreement.verdicts, strict=True)
    )


def most_told(facts: Sequence[Fact]) -> list[Fact] | None:
    """Of figures that disagree those that the most tables agree on; None where no figure has the most."""
    groups: list[list[Fact]] = []
    for fact in facts:
        group = next((known for known in groups if compare(known[0], fact) in ("same", "rounding", "unit")), None)
        if group is None:
            groups.append([fact])
        else:
            group.append(fact)
    groups.sort(key=lambda group: -len({table_of(fact) for fact in group}))
    counts = [len({table_of(fact) for fact in group}) for group in groups]
    return groups[0] if len(counts) == 1 or counts[0] > counts[1] else None


def table_of(fact: Fact) -> str:
    """The locator of the table or chart that a fact stands in."""
    return fact.source_locator.partition(",cell=")[0].partition(",series=")[0]


def members_absent(reading: Reading, facts: Sequence[PlacedFact]) -> tuple[str, ...]:
    """Which of several periods, places, channels or organisations asked for none of the facts is about."""
    absent: list[str] = []
    if len(reading.periods) > 1:
        there = {fact.cell.period for fact in facts}
        absent += [p.period for p in reading.periods if not there.intersection((*names_of(p), p.end))]
    for name, said in (("geography", reading.geographies), ("channel", reading.channels)):
        if len(said) > 1:
            there = {getattr(fact.cell, name) for fact in facts}
            absent += [one for one in said if one not in there]
    return tuple(dict.fromkeys(absent))


def is_balance(reading: Reading) -> bool:
    """Whether what is asked for is a state of affairs on a day."""
    return bool(reading.codes & balances())


def year_of(cell: CellFact) -> int:
    """The year in which a fact's period ends; 0 where it says none."""
    end = cell.period.rpartition("/")[2][:4]
    return int(end) if end.isdigit() else 0


def group_accounts(facts: list[PlacedFact]) -> list[PlacedFact]:
    """Of a document's figures those of its consolidated statements, where it has them: who says no more means these."""
    stated = {fact.doc_id for fact in facts if "consolidated" in fact.cell.status.split()}
    return [fact for fact in facts if fact.doc_id not in stated or "consolidated" in fact.cell.status.split()]


def members_of(facts: list[PlacedFact], dimension: str, reading: Reading) -> list[list[PlacedFact]] | str:
    """Facts by the member of a dimension they are about; the name of another dimension that varies, too."""
    said = {
        "entity": reading.entities,
        "geography": reading.geographies,
        "channel": reading.channels,
        "period": reading.periods,
    }
    for name in ("channel", "geography"):
        # What is not ranged over and not said is the whole.
        if name != dimension and not said[name] and dimension:
            facts = _without_parts(facts, name, dimension)
    if dimension == "entity" and not is_whole_of_named(facts):
        return dimension  # somebody whom nobody names is among them
    if dimension in ("channel", "geography", "entity"):
        facts = [fact for fact in facts if getattr(fact.cell, dimension)]
    varies = [
        name
        for name in said
        if len({(fact.cell.period_type if name == "period" else "", getattr(fact.cell, name)) for fact in facts}) > 1
    ]
    if not dimension and len(varies) == 1:
        dimension = varies[0]
    if dimension not in varies:
        return []
    # A store stands in one region: what the member itself decides does not vary.
    others = [name for name in varies if name != dimension and not (dimension == "entity" and name == "geography")]
    if others:
        return others[0]
    groups: dict[str, list[PlacedFact]] = {}
    for fact in facts:
        groups.setdefault(getattr(fact.cell, dimension), []).append(fact)
    return list(groups.values())


def _without_parts(facts: list[PlacedFact], name: str, dimension: str) -> list[PlacedFact]:
    """Facts without those of a place or channel where the whole is told, too; of organisations each by itself."""

    def group(fact: PlacedFact) -> str:
        return fact.cell.entity if dimension == "entity" else ""

    told_whole = {group(fact) for fact in facts if not getattr(fact.cell, name)}
    return [fact for fact in facts if not getattr(fact.cell, name) or group(fact) not in told_whole]


def value_unsaid(kind: str, values: list[str], default: str, *, said: bool, balance: bool) -> str | None:
    """The value that holds where the question says none: the whole where there is one, the configured default."""
    if kind == "period":
        # A year and its last day: the year's own figure goes first, of what changes; the day's, of what there is.
        own = [value for value in values if value.startswith("INSTANT:" if balance else "FY:")]
        return own[0] if said and len(own) == 1 else None
    if said:
        return None
    if kind == "entity":
        return default if default in values else None
    return "" if "" in values else None


def is_whole_of_named(facts: Sequence[PlacedFact]) -> bool:
    """Whether what a document tells of nobody by name is of all whom it names: consolidated, or the sum of theirs.

    Two sheets that name their company, and a third one that calls it otherwise, tell of three companies.
    """
    naming = {fact.doc_id for fact in facts if fact.cell.entity}
    return all(
        "consolidated" in fact.cell.status.split() or _is_sum(fact, facts)
        for fact in facts
        if not fact.cell.entity and fact.doc_id in naming
    )


def _is_sum(whole: PlacedFact, facts: Sequence[PlacedFact]) -> bool:
    """Whether a figure is the sum of those of the organisations that its document names."""
    parts: dict[str, set[str]] = {}
    for fact in facts:
        if fact.cell.entity and fact.doc_id == whole.doc_id and fact.cell.period == whole.cell.period:
            parts.setdefault(fact.cell.entity, set()).add(fact.cell.value)
    values = [next(iter(told)) for told in parts.values() if len(told) == 1]
    if len(values) < 2 or len(values) < len(parts):
        return False
    try:
        return sum(map(Decimal, values)) == Decimal(whole.cell.value)
    except InvalidOperation:
        return False


def years_of(reading: Reading) -> tuple[str, ...]:
    """The whole years a question names: what is asked of their quarters or months is asked of those within."""
    return tuple(period.period for period in reading.periods if period.period_type == "FY")


def of_place(facts: Iterable[PlacedFact], reading: Reading) -> list[PlacedFact]:
    """Facts of the places and channels a question names, where it names any."""
    return [
        fact
        for fact in facts
        if (not reading.geographies or fact.cell.geography in reading.geographies)
        and (not reading.channels or fact.cell.channel in reading.channels)
    ]


def period_names(reading: Reading) -> list[str]:
    """The periods asked for, and the last day of a year: balances are stated for it."""
    names: list[str] = []
    for period in reading.periods:
        names.extend(names_of(period))
        if period.period_type == "FY" and period.end:
            names.append(period.end)
    return names


def is_shown(cell: CellFact, marks: frozenset[str]) -> bool:
    """Plans and hidden cells are answered from only where they are asked for; a first report, where that is."""
    own = set(cell.status.split())
    if ("hidden" in own and "hidden" not in marks) or ("restated" in own and "as_reported" in marks):
        return False
    asked = marks - _SAY_LITTLE
    if asked:
        return asked <= own
    return not own & PLANS


def is_hidden(fact: Fact) -> bool:
    """Whether a fact stands where a reader does not see it; what is hidden is not offered as what was meant."""
    return "hidden" in fact.status.split()


def number_of(fact: Fact, spans: Sequence[ReadingSpan]) -> int:
    """The number by which the store knows a fact."""
    reading_id, _, ordinal = fact.fact_id.partition(".")
    first = next(span.first_fact_no for span in spans if span.reading_id == reading_id)
    return first + int(ordinal) - 1


def with_paths(facts: Iterable[Fact], snapshot: Snapshot, spans: Sequence[ReadingSpan]) -> tuple[Fact, ...]:
    """Facts with the labels of their rows and columns: only those that are given need them."""
    numbers = {number_of(fact, spans): fact for fact in facts}
    paths = snapshot.paths(numbers) if numbers else {}
    given = ((fact, *paths.get(number, ((), ()))) for number, fact in numbers.items())
    return tuple(replace(fact, row_path=row_path, col_path=col_path) for fact, row_path, col_path in given)


def says_half(question: Question, reading: Reading) -> bool:
    """Whether the quarter or half without its year is part of the metric's name."""
    start = question.text.find(question.half_said)
    return reading.span[0] <= start < reading.span[1]


def numbers_of(facts: Iterable[PlacedFact]) -> tuple[int, ...]:
    """The numbers by which facts are fetched in full."""
    return tuple(fact.cell.fact_no for fact in facts)


def offered(facts: Iterable[PlacedFact], varies: str = "") -> list[PlacedFact]:
    """One fact for each thing that could be meant: whole years first, the latest first, each member of what varies."""
    seen: dict[tuple[str, ...], PlacedFact] = {}
    for fact in facts:
        cell = fact.cell
        seen.setdefault((cell.metric_code, cell.entity, cell.geography, cell.channel, cell.period), fact)
    ranked = sorted(seen.values(), key=lambda fact: fact.cell.period, reverse=True)
    ranked.sort(key=lambda fact: _PERIODS_OFFERED.get(fact.cell.period_type, len(_PERIODS_OFFERED)))
    ranked.sort(key=lambda fact: (bool(fact.cell.channel), bool(fact.cell.geography)))
    if varies in ("entity", "geography", "channel"):
        first = {getattr(fact.cell, varies): fact for fact in reversed(ranked)}
        ranked.sort(key=lambda fact: first[getattr(fact.cell, varies)] is not fact)
    return ranked[:SUGGESTED]
