"""Answerable questions made from facts: the ways people ask for a number whose labels they know."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from factspine.ask.display import place_name
from factspine.core.facts import Fact
from factspine.core.verdicts import question_of

_HIDING = {"hidden", "budget", "forecast", "estimate", "target"}
_CHANNELS = {
    "AGENCY": ("代理渠道", "agency"),
    "BANCASSURANCE": ("银保渠道", "bancassurance"),
    "BROKER": ("经纪渠道", "broker"),
    "DIGITAL": ("数字渠道", "digital"),
}
_CHINESE = (
    "{who} {when}的{what}是多少",
    "请问{who} {when} {what}有多少？",
    "{when}{gap}{who} {what}",
    "{who}的{what}在{when}是多少?",
    "我想知道{when}{gap}{who}的{what}",
)
_ENGLISH = (
    "What was {what} of {who} in {when}?",
    "How much was {what} for {who} in {when}",
    "{who} {what} {when}",
    "show me {who}'s {what} in {when}",
    "please give {when} {what} for {who}",
)


class Asked(NamedTuple):
    """A question, and the fact it is made from."""

    question: str
    fact: Fact


def answerable(facts: Iterable[Fact]) -> list[Fact]:
    """Facts that a question can name without doubt: visible, of one period, told the same wherever they are told."""
    groups: dict[tuple[str, ...], list[Fact]] = defaultdict(list)
    for fact in facts:
        groups[question_of(fact)[:6]].append(fact)
    found = []
    for group in groups.values():
        first = group[0]
        marks = set(first.status.split())
        amounts = {(fact.value.scaleb(fact.scale), fact.unit) for fact in group}
        if len(amounts) == 1 and first.period and first.entity and not marks & _HIDING:
            found.append(first)
    return found


def paraphrases(fact: Fact, seed: int) -> Iterator[Asked]:
    """A Chinese and an English question about a fact; the seed chooses how they are put."""
    for language, templates in (("zh", _CHINESE), ("en", _ENGLISH)):
        who = [fact.entity]
        if fact.geography:
            who.append(place_name(fact.geography, language))
        if fact.channel:
            who.append(_CHANNELS.get(fact.channel, (fact.channel, fact.channel))[language == "en"])
        what = fact.metric_label
        if seed % 3 == 1:
            what = what.lower()
        if seed % 5 == 2:
            what = what.replace(" – ", " ").replace("-", " ")
        when = _period(fact, language, seed)
        template = templates[seed % len(templates)]
        question = template.format(who=" ".join(who), when=when, what=what, gap=" " if when[-1].isascii() else "")
        yield Asked(question, fact)


def _period(fact: Fact, language: str, seed: int) -> str:
    period, kind = fact.period, fact.period_type
    if kind == "FY":
        forms = (
            (f"FY{period}", f"{period}年", f"{period}财年")
            if language == "zh"
            else (f"FY{period}", period, f"FY{period[2:]}")
        )
    elif kind == "Q":
        year, number = period.split("Q")
        forms = (
            (f"{year}年第{'一二三四'[int(number) - 1]}季度", period, f"{year}年Q{number}")
            if language == "zh"
            else (f"Q{number} {year}", period, f"{number}Q{year[2:]}")
        )
    elif kind == "HY":
        year, number = period.split("H")
        forms = (
            (f"{year}年{'上下'[int(number) - 1]}半年", period, period)
            if language == "zh"
            else (f"H{number} {year}", period, f"{number}H{year[2:]}")
        )
    elif kind == "M":
        year, month = period.split("-")
        forms = (f"{year}年{int(month)}月", period, period) if language == "zh" else (period, period, period)
    else:
        forms = (period, period, period)
    return forms[seed % 3]
