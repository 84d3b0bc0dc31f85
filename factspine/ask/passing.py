# ruff: noqa: E501 - a pattern on one line can be read; folded, it cannot
"""Words that mean more or less than they seem to, because of those beside them.

`Increased to` asks for the level reached, not for the change; `after arrival` is no `after tax`; `which had the highest
rate` describes what is named before it. And words for plans, wherever they stand.
"""

from __future__ import annotations

import re

from factspine.ask.words import phrases

_PLANNED = re.compile(
    r"(?P<budget>预算|计划|\bbudget(?:ed)?\b|\bplan(?:ned)?\b)|(?P<forecast>预测|预计|业绩指引|\bforecast(?:ed)?\b|\bprojected\b|\bguidance\b|\bguided\b)"
    r"|(?P<target>目标|\btarget\b)|(?P<estimate>预估|估计|\bestimated?\b)|(?P<restated>经?重述|经?重列|\brestated\b)"
    r"|(?P<as_reported>\bas (?:originally |first |previously |initially )?reported\b|\b(?:originally|first|previously|initially) reported\b|重述前的?|原(?:先)?(?:列报|报告|披露)的?值?)"
    r"|(?P<hidden>隐藏的?|\bhidden\b)"
    r"|(?P<consolidated>合并报?表?口径|合并报表|合并|\bconsolidated\b)"
    r"|(?P<parent>母公司口径|母公司报表|母公司|\bparent(?: company)?(?: only)?\b)",
    re.IGNORECASE,
)
_ACTUAL = re.compile(r"实际(?!控制人|税率|利率|汇率)数?|\bactuals?\b", re.IGNORECASE)
# A change up or down to a level: the level is what is asked for.
_TO_LEVEL = re.compile(
    r"\b(?:increas|decreas|declin|fall|fell|drop|ris|rose|grow|grew|climb|expand|shrink|shrank|shrunk|reduc|jump|surg|slip|go|went|come|came)\w*(?: (?:up|down|back|\w+ly))? to\b(?! \w+ing\b)"
    r"|(?:增长?加?|上升|升高?|提高|下降|降低?|减少?|回落|回升)(?:到|至)了?",
    re.IGNORECASE,
)
# Which of them it was, said of something that is named: the question is another.
_DESCRIBING = re.compile(
    r"\b(?:what|how)\b.*\w,? (?:which|that|who) (?:was|were|is|are|had|has|have|recorded|reported|saw) (?:the )?"
    r"(?P<word>highest|lowest|largest|smallest|most|least|greatest|fewest|biggest)\b",
    re.IGNORECASE,
)
# When a balance is stated: its columns are headed by the day itself.
_AT_YEAR_END = re.compile(r"\b(?:at|as of|as at|by) (?:the )?(?:fiscal |financial )?year[- ]?end\b", re.IGNORECASE)
# What a percentage is a percentage of, where that is everybody.
_BASE = re.compile(
    r"\b(?:percent|percentage|proportion|share)\b.*?(?P<base>\b(?:to|of|among|in) (?:the )?total (?:population|number))\b",
    re.IGNORECASE,
)
# With what something is compared; the columns of changes say it in their own words.
_AGAINST = re.compile(r"[与和同较比](?:上年|上期)(?:同期)?(?:相比|比较)?")
_WORD = re.compile(r"[A-Za-z]+")


def said_in_passing(folded: str) -> list[tuple[int, int]]:
    """Stretches of a question whose words change nothing."""
    found = [match.span() for pattern in (_TO_LEVEL, _AT_YEAR_END, _AGAINST) for match in pattern.finditer(folded)]
    if (describing := _DESCRIBING.search(folded)) is not None:
        found.append(describing.span("word"))
    if (base := _BASE.search(folded)) is not None:
        found.append(base.span("base"))
    words = list(_WORD.finditer(folded))
    weighty = frozenset(phrases()["critical"]["after"])
    for number, word in enumerate(words):
        if word.group().lower() in ("before", "after"):
            following = {other.group().lower() for other in words[number + 1 : number + 4]}
            if not following & weighty:
                found.append(word.span())
    return found


def planned(text: str) -> tuple[list[str], str]:
    """Words for plans, wherever they stand: in a question they touch their neighbours, in a label they would not."""
    marks: list[str] = []

    def take(match: re.Match[str]) -> str:
        marks.append(next(name for name, said in match.groupdict().items() if said))
        return " " * len(match.group())

    return marks, _PLANNED.sub(take, text)


def planned_spans(text: str) -> list[tuple[int, int]]:
    """Where a question says plan or outcome."""
    return sorted(match.span() for pattern in (_PLANNED, _ACTUAL) for match in pattern.finditer(text))


def kinds_said(text: str) -> list[tuple[str, tuple[int, int]]]:
    """The kinds of figure a question names, each with its place."""
    found = [
        (next(name for name, said in match.groupdict().items() if said), match.span())
        for match in _PLANNED.finditer(text)
    ]
    found += [("actual", match.span()) for match in _ACTUAL.finditer(text)]
    return sorted(found, key=lambda said: said[1])


def planned_words(text: str) -> tuple[str, ...]:
    """The words of a question that ask for a kind of figure, as it has them."""
    return tuple(dict.fromkeys(match.group().strip() for match in _PLANNED.finditer(text)))
