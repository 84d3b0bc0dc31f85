"""The grammar of a unit: which names may follow one another, and what they say together.

`人民币` + `百万` + `元` is CNY in millions, `元` `/` `股` is CNY per share, `亿元、%` is money except percentages.
A segment is a unit only when all of it is used up.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from factspine.lexicon.catalogue import PLAIN_CLASSES, Token, match, unit_signs
from factspine.lexicon.folding import fold, is_traditional, may_say


class UnitReading(NamedTuple):
    """A unit said by `text[start:end]`; values are in `unit` x 10^`scale`."""

    unit: str  # ISO code, %, shares, days, CNY/share …; "" where only a scale is said
    scale: int = 0  # power of ten
    start: int = 0
    end: int = 0
    # currency, percent, ratio, count, time, physical, per_share, rate, scale, open
    kind: str = ""
    # What the unit does not apply to: per_share, shares, percent, stated …; "%" or items where that is another unit.
    exceptions: tuple[str, ...] = ()
    names_only: bool = False  # in a column of currencies, which says nothing of the scale

    @property
    def is_in_name(self) -> bool:
        """Whether a word of what is counted says the unit, and no statement of it: 门诊人次."""
        return self.start == self.end and self.kind == "count"


class Said(NamedTuple):
    """A unit without its place."""

    unit: str
    scale: int
    kind: str
    exceptions: tuple[str, ...] = ()
    alone: bool = True
    needs_scale: bool = False
    word: bool = False


_NAMED_KINDS = frozenset({"percent", "count", "physical", "time"})
EXCEPT_CLAUSE = re.compile(
    r"[,;\s]*(?:\(?\s*(?:except|excluding|other than|unless|save for|but not)\b[^)\]]*|"
    r"除?(?:每股|百分比|比率|股数|股份|特别|另有|非另有|文义|有)[^,;)\]]*(?:除外|外|说明|注明|标明|指明)[^)\]]*|"
    r"除[^,;()\[\]]{1,30}外)",
    re.IGNORECASE,
)
_EXCEPTION_WORDS = (
    ("per_share", re.compile(r"per[- ](?:ordinary |common )?(?:share|ads|unit)|每股|earnings per", re.IGNORECASE)),
    (
        "shares",
        re.compile(r"(?<!per )(?<!per-)(?<!per ordinary )(?<!per common )\bshares?\b|股数|股份(?!每)", re.IGNORECASE),
    ),
    ("percent", re.compile(r"percent|per cent|%|百分", re.IGNORECASE)),
    ("ratio", re.compile(r"\bratios?\b|比率|比例", re.IGNORECASE)),
    ("count", re.compile(r"employee|headcount|number of|人数|\bcounts?\b", re.IGNORECASE)),
    ("stated", re.compile(r"otherwise|where (?:noted|indicated|stated)|另有|特别|注明|说明|标明|指明", re.IGNORECASE)),
)


def exceptions_in(text: str) -> tuple[str, ...]:
    """What an exception clause names: per_share, shares, percent, ratio, count, stated."""
    return tuple(name for name, pattern in _EXCEPTION_WORDS if pattern.search(text))


@lru_cache(maxsize=256)  # a text is searched at several places
def _lowered(folded: str) -> str:
    lowered = folded.lower()
    return lowered if len(lowered) == len(folded) else folded  # a few letters grow when lowered (İ): case has to match


_LATIN_RUN = re.compile(r"[a-z]+")


def holds_unit(folded: str) -> bool:
    """Whether the name of any unit, scale or currency can stand in a text; most labels are known by this to have none.

    A Latin name can start only where a run of letters does.
    """
    signs = unit_signs()
    lowered = _lowered(folded)
    if not may_say(folded, signs.words):
        return signs.beyond_words(lowered)
    for run in _LATIN_RUN.finditer(lowered):
        if run.group() in signs.words:
            token = match(folded, lowered, run.start())
            if token is not None and token.entry.cls not in PLAIN_CLASSES:
                return True
    return signs.beyond_words(lowered)


def tokens_from(folded: str, start: int, end: int) -> tuple[list[Token], int]:
    """The names that follow one another from a place on, and where they stop."""
    tokens: list[Token] = []
    at = start
    after_currency = False
    lowered = _lowered(folded)
    while at < end:
        token = match(folded, lowered, at, after_currency)
        if token is None or token.end > end:
            break
        tokens.append(token)
        if token.entry.cls == "currency":
            after_currency = True
        elif folded[at] not in " _":
            after_currency = False
        at = token.end
    return tokens, at


def compose(tokens: list[Token], traditional: bool) -> Said | None:
    """What a row of names says together; None where it says nothing or contradicts itself."""
    parts: list[list[Token]] = [[]]
    shared = _shared_scale(tokens)
    for token in tokens:
        if token is shared:
            continue
        if token.entry.cls == "join":
            parts.append([])
        elif token.entry.cls != "filler":
            parts[-1].append(token)
    said = [_compose_rate(part, traditional) for part in parts if part]
    if not said or None in said:
        return None
    readings = [one for one in said if one is not None]
    if shared is not None:
        readings = [one._replace(scale=one.scale + shared.entry.scale, needs_scale=False) for one in readings]
    first = readings[0]
    if len(readings) == 1:
        return first
    return _merge(first, readings[1:])


def _shared_scale(tokens: list[Token]) -> Token | None:
    """The scale that all of several units have: `dollars and shares in millions`, but not 元、万股."""
    said = [token for token in tokens if token.entry.cls != "filler" or token.end - token.start > 1]  # no spaces
    classes = [token.entry.cls for token in said]
    if len(said) < 5 or classes[-2:] != ["filler", "scale"] or classes[-3] in ("join", "filler"):
        return None
    return said[-1] if "join" in classes and classes.count("scale") == 1 else None


def _merge(first: Said, others: list[Said]) -> Said | None:
    """`亿元、%` is money with a percent exception; `HK$, in millions` is one unit; two monies are no unit."""
    exceptions: list[str] = []
    if first.kind in ("count", "physical") and (money := next((o for o in others if o.kind == "currency"), None)):
        others, first = [first, *(other for other in others if other is not money)], money  # 盒、元 like 元、盒
    for other in others:
        if other.kind == "scale" and not first.scale and first.kind in ("currency", "count", "physical"):
            first = first._replace(scale=other.scale)
        elif first.kind == "scale" and other.kind == "currency" and not other.scale:
            first = other._replace(scale=first.scale)
        elif (other.unit, other.scale) == (first.unit, first.scale):
            continue
        elif other.kind == first.kind:
            return None
        else:
            exceptions.append(other.unit if other.kind in _NAMED_KINDS else other.kind)
    return first._replace(exceptions=tuple(exceptions), alone=True)


def _compose_rate(tokens: list[Token], traditional: bool) -> Said | None:
    """A unit, or a unit per unit."""
    for position, token in enumerate(tokens):
        if token.entry.cls != "per":
            continue
        over = _compose_plain(tokens[:position], traditional)
        under = _compose_plain(tokens[position + 1 :], traditional)
        if under is None or not under.unit:
            return None
        if over is None:
            # 每股 / per share alone: a rate whose money is said elsewhere.
            return None
        if over.kind == "scale":
            # "thousand / persons": a slash between a scale and what is counted.
            return under._replace(scale=over.scale) if not under.scale else None
        if position and under.unit == "shares" and not under.scale and over.kind == "currency":
            return Said(f"{over.unit}/share", over.scale, "per_share")
        denominator = under.unit if not under.scale else f"10^{under.scale} {under.unit}"
        return Said(f"{over.unit}/{denominator}", over.scale, "rate")
    return _compose_plain(tokens, traditional)


def _compose_plain(tokens: list[Token], traditional: bool) -> Said | None:
    """Currency and scale in any order, or scale and counted thing."""
    currency: Token | None = None
    base: Token | None = None
    scale: int | None = None
    for token in tokens:
        entry = token.entry
        if entry.cls in ("scale", "after_currency"):
            if scale is not None:
                return None
            scale = entry.scale
        elif entry.cls in ("currency", "before_per"):
            currency = _one_currency(currency, token)
            if currency is None:
                return None
        elif base is not None:
            return None
        else:
            base = token
    if currency is not None and base is not None:
        return None
    if currency is not None:
        entry = currency.entry
        unit = "CNY" if entry.unit == "元" and not traditional else entry.unit
        needs_scale = entry.needs_scale and scale is None
        total = entry.scale + (scale or 0)
        return Said(unit, total, "currency", needs_scale=needs_scale, word=entry.word)
    if base is not None:
        if base.entry.kind in ("percent", "ratio") and scale is not None:
            return None
        total = base.entry.scale + (scale or 0)
        return Said(base.entry.unit, total, base.entry.kind, alone=base.entry.alone or scale is not None)
    return None if scale is None else Said("", scale, "scale")


_VAGUE = ("元", "$", "¥")


def _one_currency(known: Token | None, token: Token) -> Token | None:
    """One currency out of two names for it (人民币…元, RMB¥); None where they contradict each other."""
    if known is None or known.entry.unit == token.entry.unit or known.entry.unit in _VAGUE:
        return token
    return known if token.entry.unit in _VAGUE else None


# USD/CNY names a rate, which is so many of the second for one of the first.
PAIR = re.compile(r"(?<![A-Za-z])[A-Z]{3}\s?/\s?[A-Z]{3}(?![A-Za-z])")


@lru_cache(maxsize=8192)  # what stands beside the digits of many cells is the same few words
def parse_unit(text: str) -> UnitReading | None:
    """The unit that the whole text is, with nothing left over."""
    folded = fold(text)
    return parse_segment(folded, 0, len(folded), is_traditional(text))


def parse_segment(folded: str, start: int, end: int, traditional: bool) -> UnitReading | None:
    """The unit that a segment is; the segment may carry an exception clause."""
    while start < end and folded[start] in " ,;:*":
        start += 1
    while end > start and folded[end - 1] in " ,;:*":
        end -= 1
    if start >= end or match(folded, _lowered(folded), start) is None:
        return None
    exceptions: tuple[str, ...] = ()
    clause = EXCEPT_CLAUSE.search(folded, start, end)
    body_end = end
    if clause is not None:
        if clause.start() == start:
            return None
        exceptions = exceptions_in(clause.group())
        body_end = clause.start()
    tokens, stopped = tokens_from(folded, start, body_end)
    if stopped < body_end and folded[stopped:body_end].strip(" .,;)("):
        return None
    said = compose(tokens, traditional)
    if said is None or said.needs_scale or PAIR.fullmatch(folded, start, body_end):
        return None
    return UnitReading(said.unit, said.scale, start, end, said.kind, said.exceptions + exceptions)
