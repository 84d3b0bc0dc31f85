"""From facts and results to words: a number cannot be written without its source."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from factspine.ask.compute import Result
from factspine.ask.display import amount_text, asking_text, fact_text, source_text, subject_text
from factspine.ask.messages import assumption_text, verdict_text
from factspine.ask.precedence import precedence_text
from factspine.ask.resolution import Resolution
from factspine.ask.wanted import Converted
from factspine.core.answers import Conflict, Suggestion
from factspine.core.facts import Fact

_OPERATIONS = {
    "growth": ("同比变动", "change on the year"),
    "growth_previous": ("环比变动", "change on the previous period"),
    "growth_between": ("变动率", "change"),
    "cagr": ("复合年增长率", "compound annual growth rate"),
    "difference": ("差额", "difference"),
    "share": ("占比", "share"),
    "ratio": ("比值", "ratio"),
    "sum": ("合计", "sum"),
    "average": ("平均", "average"),
    "max": ("最高", "highest"),
    "min": ("最低", "lowest"),
    "rank": ("排名", "ranking"),
    "list": ("分项", "one by one"),
    "count": ("个数", "count"),
    "convert": ("换算", "conversion"),
    "remainder": ("推算", "worked out"),
}


def operation_name(operation: str, language: str) -> str:
    """An operation in words."""
    return _OPERATIONS[operation][0 if language == "zh" else 1]


def plain_answer(resolution: Resolution, language: str, converted: Converted | None = None) -> str:
    """One number with all its sources, and what is to be said about them."""
    fact = resolution.facts[0]
    colon = ":" if language == "zh" else ": "
    text = f"{subject_text(fact, language)}{colon}{fact_text(fact, language)}{source_text(fact, language)}"
    if converted is not None:
        amount = amount_text(converted.value, 0, fact.unit, converted.scale, language)
        text = (
            f"{subject_text(fact, language)}{colon}{amount} = {fact_text(fact, language)}{source_text(fact, language)}"
        )
    return text + _others(resolution, language)


def figures_of(resolution: Resolution, language: str) -> dict[str, list[Fact]]:
    """Each figure that is told, the preferred first, with all the facts that tell it."""
    told: dict[str, list[Fact]] = {}
    first = resolution.facts[0]
    verdicts = ("same",) if resolution.agreement is None else resolution.agreement.verdicts
    for fact, verdict in zip(resolution.facts, verdicts, strict=False):
        told.setdefault(fact_text(first if verdict == "same" else fact, language), []).append(fact)
    return told


def _others(resolution: Resolution, language: str) -> str:
    """Further sources of the figure; then what others tell, each figure right before its own sources."""
    agreement = resolution.agreement
    if agreement is None or len(agreement.facts) < 2:
        return ""
    lead = ";" if language == "zh" else "; "
    figures = list(figures_of(resolution, language).items())
    parts = [source_text(fact, language) for fact in figures[0][1][1:]]
    if said := verdict_text(agreement.verdict, language):
        parts.append(f"{lead}{said}")
    for text, facts in figures[1:]:
        parts.append(f"{lead}{text}" + "".join(source_text(fact, language) for fact in facts))
    return "".join(parts)


def conflicts_of(resolution: Resolution) -> tuple[Conflict, ...]:
    """The verdict over several observations, where it is more than `same`."""
    agreement = resolution.agreement
    if agreement is None or agreement.verdict == "same":
        return ()
    return (Conflict(verdict=agreement.verdict, facts=tuple(fact.fact_id for fact in agreement.facts)),)


def contradicted(
    resolutions: Sequence[Resolution], operands: Sequence[Fact], language: str
) -> tuple[tuple[str, ...], tuple[Conflict, ...]]:
    """Which operands of a result other documents tell otherwise: in words, and with all the facts."""
    notes: dict[str, None] = {}
    found: dict[Conflict, None] = {}
    for resolution in resolutions:
        agreement = resolution.agreement
        if agreement is None or agreement.verdict not in ("conflict", "restated"):
            continue
        for fact in operands:
            if fact in resolution.facts:
                colon = ":" if language == "zh" else ": "
                notes[f"{subject_text(fact, language)}{colon}{verdict_text(agreement.verdict, language)}"] = None
                found.update(dict.fromkeys(conflicts_of(resolution)))
    return tuple(notes), tuple(found)


def result_text(result: Result, language: str) -> str:
    """What was worked out, with its unit."""
    value = amount_text(result.value, result.decimals, result.unit, result.scale, language)
    if result.unit == "percentage points" and language == "zh":
        value = value.replace("percentage points", "个百分点")
    return value


def result_title(result: Result, language: str, *, period: bool = True) -> str:
    """What a result is about: the subject of its first operand, and the operation."""
    first = result.operands[0]
    if result.period:
        first = replace(first, period=result.period, period_type="NONE")
    return f"{subject_text(first, language, period=period)} {operation_name(result.operation, language)}"


def computed_answer(result: Result, language: str) -> str:
    """A result with its formula, each operand with its source."""
    colon = ":" if language == "zh" else ": "
    lines = [f"{result_title(result, language)}{colon}{result_text(result, language)} = {result.formula}"]
    for fact in result.operands:
        lines.append(f"{subject_text(fact, language)}{colon}{fact_text(fact, language)}{source_text(fact, language)}")
    return "\n".join(lines)


def listed_answer(title: str, facts: Sequence[Fact], language: str) -> str:
    """Several facts in order, each with its source."""
    colon = ":" if language == "zh" else ": "
    lines = [title] if title else []
    for number, fact in enumerate(facts, 1):
        text = f"{subject_text(fact, language)}{colon}{fact_text(fact, language)}{source_text(fact, language)}"
        lines.append(f"{number}. {text}")
    return "\n".join(lines)


def suggestions(facts: Sequence[Fact], language: str, *, with_unit: bool = False) -> tuple[Suggestion, ...]:
    """Questions that the store can answer, ready to ask."""
    found: dict[str, Suggestion] = {}
    for fact in facts:
        question = asking_text(fact, language, fact.unit if with_unit else "")
        why = f"{fact.source_doc_id} · {fact.source_locator}"
        found.setdefault(question, Suggestion(question=question, why=why))
    return tuple(found.values())


def refusal_text(message: str, offered: Sequence[Suggestion], language: str) -> str:
    """A reason, and what could be asked instead."""
    if not offered:
        return message
    lead = "可以这样问:" if language == "zh" else "You could ask:"
    return "\n".join([message, lead, *(f"- {suggestion.question}" for suggestion in offered)])


def assumptions_of(resolution: Resolution, language: str) -> tuple[str, ...]:
    """The assumptions of a resolution in words."""
    told = [assumption_text(found, language) for found in resolution.assumptions]
    return (*told, *filter(None, [precedence_text(resolution.agreement, language)]))
