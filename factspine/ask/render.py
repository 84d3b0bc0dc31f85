"""From facts and results to words: a number cannot be written without its source."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from factspine.ask.compute import Result
from factspine.ask.display import amount_text, asking_text, fact_text, source_text, subject_text
from factspine.ask.messages import assumption_text, verdict_text
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


def _others(resolution: Resolution, language: str) -> str:
    agreement = resolution.agreement
    if agreement is None or len(agreement.facts) < 2:
        return ""
    zh = language == "zh"
    said = verdict_text(agreement.verdict, language)
    lines = [f"{';' if zh else '; '}{said}" if said else ""]
    for fact, verdict in zip(agreement.facts[1:], agreement.verdicts[1:], strict=True):
        if verdict == "same":
            lines.append(source_text(fact, language))
        else:
            lead = ";" if zh else "; "
            lines.append(f"{lead}{fact_text(fact, language)}{source_text(fact, language)}")
    return "".join(lines)


def conflicts_of(resolution: Resolution) -> tuple[Conflict, ...]:
    """The verdict over several observations, where it is more than `same`."""
    agreement = resolution.agreement
    if agreement is None or agreement.verdict == "same":
        return ()
    return (Conflict(verdict=agreement.verdict, facts=tuple(fact.fact_id for fact in agreement.facts)),)


def computed_answer(result: Result, language: str) -> str:
    """A result with its formula, each operand with its source."""
    colon = ":" if language == "zh" else ": "
    value = amount_text(result.value, result.decimals, result.unit, result.scale, language)
    if result.unit == "percentage points":
        value = value.replace("percentage points", "个百分点" if language == "zh" else "percentage points")
    first = result.operands[0]
    if result.period:
        first = replace(first, period=result.period, period_type="NONE")
    head = f"{subject_text(first, language)} {operation_name(result.operation, language)}{colon}{value}"
    lines = [f"{head} = {result.formula}"]
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
    return tuple(assumption_text(found, language) for found in resolution.assumptions)
