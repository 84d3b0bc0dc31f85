"""Units and scales as headers, corners, captions and notes say them: `HK$ 000`, 人民币百万元, `($ in millions)`, %, 元/股.

A unit is recognised where writers put it: as the whole text, in brackets, after `单位：` or `in`, as the last segment
after a comma, slash or dash, or as a currency with its scale anywhere. Never inside ordinary words. What a sign does not
say is not filled in: `$` stays `$`, `¥` stays `¥`, and 元 is the renminbi only in simplified script.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from factspine.lexicon.catalogue import Token, match
from factspine.lexicon.folding import fold, is_cjk, is_traditional
from factspine.lexicon.formats import FormatReading, read_format

__all__ = ["FormatReading", "UnitReading", "find_unit", "parse_unit", "read_format"]

_LONGEST_TEXT = 400  # longer texts are prose; only their head can be a unit note


class UnitReading(NamedTuple):
    """A unit said by `text[start:end]`; values are in `unit` x 10^`scale`."""

    unit: str  # ISO code, %, shares, days, CNY/share …; "" where only a scale is said
    scale: int = 0  # power of ten
    start: int = 0
    end: int = 0
    # currency, percent, ratio, count, time, physical, per_share, rate, scale, open
    kind: str = ""
    exceptions: tuple[str, ...] = ()  # what the unit does not apply to: per_share, shares, percent, stated …


class _Said(NamedTuple):
    """A unit without its place."""

    unit: str
    scale: int
    kind: str
    exceptions: tuple[str, ...] = ()
    alone: bool = True
    needs_scale: bool = False
    word: bool = False


_EXCEPT = re.compile(
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


def _exceptions_in(text: str) -> tuple[str, ...]:
    return tuple(name for name, pattern in _EXCEPTION_WORDS if pattern.search(text))


def _tokens(folded: str, start: int, end: int) -> tuple[list[Token], int]:
    """The names that follow one another from a place on, and where they stop."""
    tokens: list[Token] = []
    at = start
    after_currency = False
    lowered = folded.lower()
    if len(lowered) != len(folded):  # a few letters grow when lowered (İ); then case has to match
        lowered = folded
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


def _compose(tokens: list[Token], traditional: bool) -> _Said | None:
    """What a row of names says together; None where it says nothing or contradicts itself."""
    parts: list[list[Token]] = [[]]
    for token in tokens:
        if token.entry.cls == "join":
            parts.append([])
        elif token.entry.cls != "filler":
            parts[-1].append(token)
    said = [_compose_rate(part, traditional) for part in parts if part]
    if not said or None in said:
        return None
    readings = [one for one in said if one is not None]
    first = readings[0]
    if len(readings) == 1:
        return first
    return _merge(first, readings[1:])


def _merge(first: _Said, others: list[_Said]) -> _Said | None:
    """`亿元、%` is money with a percent exception; `HK$, in millions` is one unit; two monies are no unit."""
    exceptions: list[str] = []
    for other in others:
        if other.kind == "scale" and not first.scale and first.kind == "currency":
            first = first._replace(scale=other.scale)
        elif first.kind == "scale" and other.kind == "currency" and not other.scale:
            first = other._replace(scale=first.scale)
        elif (other.unit, other.scale) == (first.unit, first.scale):
            continue
        elif other.kind == first.kind:
            return None
        else:
            exceptions.append(other.kind)
    return first._replace(exceptions=tuple(exceptions), alone=True)


def _compose_rate(tokens: list[Token], traditional: bool) -> _Said | None:
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
            return _Said(f"{over.unit}/share", over.scale, "per_share")
        denominator = under.unit if not under.scale else f"10^{under.scale} {under.unit}"
        return _Said(f"{over.unit}/{denominator}", over.scale, "rate")
    return _compose_plain(tokens, traditional)


def _compose_plain(tokens: list[Token], traditional: bool) -> _Said | None:
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
        elif entry.cls == "currency":
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
        return _Said(unit, total, "currency", needs_scale=needs_scale, word=entry.word)
    if base is not None:
        if base.entry.kind in ("percent", "ratio") and scale is not None:
            return None
        return _Said(base.entry.unit, scale or 0, base.entry.kind, alone=base.entry.alone or scale is not None)
    return None if scale is None else _Said("", scale, "scale")


_VAGUE = ("元", "$", "¥")


def _one_currency(known: Token | None, token: Token) -> Token | None:
    """One currency out of two names for it (人民币…元, RMB¥); None where they contradict each other."""
    if known is None or known.entry.unit == token.entry.unit or known.entry.unit in _VAGUE:
        return token
    return known if token.entry.unit in _VAGUE else None


def parse_unit(text: str) -> UnitReading | None:
    """The unit that the whole text is, with nothing left over."""
    folded = fold(text)
    return _parse(folded, 0, len(folded), is_traditional(text))


def _parse(folded: str, start: int, end: int, traditional: bool) -> UnitReading | None:
    """The unit that a segment is; the segment may carry an exception clause."""
    while start < end and folded[start] in " ,;:*":
        start += 1
    while end > start and folded[end - 1] in " ,;:*":
        end -= 1
    if start >= end or match(folded, folded.lower(), start) is None:
        return None
    exceptions: tuple[str, ...] = ()
    clause = _EXCEPT.search(folded, start, end)
    body_end = end
    if clause is not None:
        if clause.start() == start:
            return None
        exceptions = _exceptions_in(clause.group())
        body_end = clause.start()
    tokens, stopped = _tokens(folded, start, body_end)
    if stopped < body_end and folded[stopped:body_end].strip(" .,;)("):
        return None
    said = _compose(tokens, traditional)
    if said is None or said.needs_scale:
        return None
    return UnitReading(said.unit, said.scale, start, end, said.kind, said.exceptions + exceptions)


_BRACKETS = re.compile(r"\(([^()]*)\)|\[([^\[\]]*)\]")
_LEAD = re.compile(
    r"(?:[金货]?[额币]?单位|币种|计量单位|以|\bunits?(?: of measure(?:ment)?)?\s*[:=]|\bcurrency\s*[:=]|"
    r"\b(?:amounts?|figures|values|expressed|stated|presented|reported|denominated|dollars?)\s+(?:are\s+|is\s+)?"
    r"(?:expressed\s+|stated\s+|presented\s+)?in\b|\bin\b)\s*",
    re.IGNORECASE,
)
_SEGMENT_BREAKS = (",", ";", "/", "|", " - ", ":", "_", " ")
_IN_KINDS = ("currency", "percent", "scale", "physical", "time", "rate", "per_share")


@lru_cache(maxsize=16384)
def find_unit(text: str) -> UnitReading | None:
    """The unit a header, corner, caption or note says, with the span of the text that says it."""
    folded = fold(text[:_LONGEST_TEXT])
    if not folded.strip():
        return None
    traditional = is_traditional(text)
    return (
        _whole(folded, traditional)
        or _in_brackets(folded, traditional)
        or _after_lead(folded, traditional)
        or _last_segment(folded, traditional)
        or _strong(folded, traditional)
    )


def _whole(folded: str, traditional: bool) -> UnitReading | None:
    stripped = folded.strip()
    if stripped[0] in "([" and stripped[-1] in ")]":
        return None
    tokens, stopped = _tokens(folded, 0, len(folded))
    if not tokens:
        return None
    reading = _parse(folded, 0, len(folded), traditional)
    if reading is None:
        return None
    said = _compose(tokens, traditional)
    if said is not None and stopped == len(folded) and (not said.alone or _is_measure(folded, said)):
        return None
    return reading


def _is_measure(folded: str, said: _Said) -> bool:
    """`Persons per household` in words is something measured, not a unit; `US$ per tonne` is one."""
    return said.kind == "rate" and " per " in folded.lower() and not said.unit[:3].isupper()


def _in_brackets(folded: str, traditional: bool) -> UnitReading | None:
    """The last bracket that holds a unit, alone or beside something else: `Revenue (FY24, US$m)`."""
    for bracket in reversed(list(_BRACKETS.finditer(folded))):
        start, end = bracket.start() + 1, bracket.end() - 1
        if (
            end - start == 1
            and start > 1
            and folded[start - 2].isalpha()
            and folded[start].isalpha()
            and folded[start].isascii()
        ):
            continue  # `item(s)`
        reading = _parse(folded, start, end, traditional)
        if reading is not None:
            return reading._replace(start=bracket.start(), end=bracket.end())
        lead = _after_lead(folded, traditional, start, end)
        if lead is not None:
            return lead
        at = start
        for piece in re.split(r"([,;|])", folded[start:end]):
            part = _parse(folded, at, at + len(piece), traditional)
            if part is not None and piece not in ",;|":
                return part
            at += len(piece)
    return None


def _after_lead(folded: str, traditional: bool, first: int = 0, last: int | None = None) -> UnitReading | None:
    """What follows `单位：`, `Unit:`, `amounts in`, `in`."""
    last = len(folded) if last is None else last
    for lead in _LEAD.finditer(folded, first, last):
        plain = lead.group().strip().lower()
        tokens, stopped = _tokens(folded, lead.end(), last)
        said = _compose_longest(tokens, traditional)
        if said is None:
            continue
        reading, end = said
        if plain in ("in", "以") and reading.kind not in _IN_KINDS:
            continue
        if plain == "以" and "计" not in folded[end : end + 3] and "列" not in folded[end : end + 3]:
            continue
        if reading.needs_scale or _goes_on(folded, end):
            continue
        clause = _EXCEPT.match(folded, end, last)
        exceptions = _exceptions_in(clause.group() if clause else folded[end:last])
        stop = clause.end() if clause else max(end, _rest_of_list(folded, end))
        start = _before_lead(folded, lead.start(), reading.kind)
        currency = _money_before(folded, start, lead.start(), reading, traditional)
        return UnitReading(
            currency or reading.unit,
            reading.scale,
            start,
            stop,
            "currency" if currency else reading.kind,
            reading.exceptions + exceptions,
        )
    return None


def _goes_on(folded: str, end: int) -> bool:
    """Whether a Chinese unit runs on into a longer word (单位：元素)."""
    return end < len(folded) and is_cjk(folded[end]) and is_cjk(folded[end - 1]) and folded[end] not in "除计列外以币每"


def _rest_of_list(folded: str, end: int) -> int:
    """The end of `计`, `列示` after a unit."""
    found = re.compile(r"\s*(?:计算|计|列示|表示)").match(folded, end)
    return found.end() if found else end


_MONEY_BEFORE = re.compile(r"(?:(?:US|HK|NT|A|S|C)?\$|¥|€|£|[A-Z]{3}|RMB|dollars|人民币|港币)\s*$", re.IGNORECASE)


def _before_lead(folded: str, start: int, kind: str) -> int:
    """`$ in millions`, `RMB in thousands`: the currency before the lead belongs to the unit."""
    if kind != "scale":
        return start
    money = _MONEY_BEFORE.search(folded, 0, start)
    return money.start() if money else start


def _money_before(folded: str, start: int, lead: int, reading: _Said, traditional: bool) -> str:
    if start == lead:
        return ""
    tokens, stopped = _tokens(folded, start, lead)
    said = _compose(tokens, traditional) if stopped == lead else None
    return said.unit if said is not None and said.kind == "currency" else ""


def _compose_longest(tokens: list[Token], traditional: bool) -> tuple[_Said, int] | None:
    """The longest run of names from the first on that says something."""
    for count in range(len(tokens), 0, -1):
        if tokens[count - 1].entry.cls in ("filler", "join", "per"):
            continue
        said = _compose(tokens[:count], traditional)
        if said is not None:
            return said, tokens[count - 1].end
    return None


def _last_segment(folded: str, traditional: bool) -> UnitReading | None:
    """`Revenue, US$m`; `收入/万元`; `产量 万吨`; `Growth %`."""
    text_end = len(folded.rstrip())
    for mark in _SEGMENT_BREAKS:
        at = folded.rfind(mark, 0, text_end)
        longest = None
        # The unit itself may hold the mark (`RMB million`, 元/股, `revenue, HK$, million`): try earlier ones too.
        for _ in range(4):
            if at <= 0:
                break
            reading = _parse(folded, at + len(mark), text_end, traditional)
            if reading is not None and _fits_bare(folded, reading, mark):
                longest = reading._replace(start=at, end=text_end)
            at = folded.rfind(mark, 0, at)
        if longest is not None:
            return longest
    return _percent_at_edge(folded, text_end)


def _fits_bare(folded: str, reading: UnitReading, mark: str) -> bool:
    """Whether a unit may stand after this mark without brackets; a mere space wants an unmistakable one."""
    said = folded[reading.start : reading.end]
    if mark != " ":
        return len(said) > 1 or is_cjk(said) or said in "%‰$¥€£" or mark in (",", ";", "|")
    if reading.kind == "currency":
        return not said.strip().islower() or reading.scale != 0
    if reading.kind == "percent":
        return True
    if reading.kind in ("count", "physical", "time", "rate", "per_share", "ratio"):
        return is_cjk(said[-1]) and (folded[reading.start - 1] == " ")
    return reading.kind == "scale" and said.strip().lstrip("'").isdigit() is False and is_cjk(said[-1]) is False


def _percent_at_edge(folded: str, text_end: int) -> UnitReading | None:
    """A percent sign that touches the words: `增长率%`, `% change`."""
    if text_end > 1 and folded[text_end - 1] in "%‰" and not folded[text_end - 2].isdigit():
        return UnitReading(folded[text_end - 1], 0, text_end - 1, text_end, "percent")
    first = len(folded) - len(folded.lstrip())
    if folded[first] in "%‰" and text_end - first > 1:
        return UnitReading(folded[first], 0, first, first + 1, "percent")
    return None


_WORD_START = re.compile(r"(?<![A-Za-z0-9])(?=[A-Z$€£¥])|(?<![元千百万亿])(?=[千百万亿十人港美日欧新仟佰])")


def _strong(folded: str, traditional: bool) -> UnitReading | None:
    """A currency with its scale, anywhere in Latin script and at the end in Chinese; or a currency code at the end."""
    text_end = len(folded.rstrip())
    for place in _WORD_START.finditer(folded):
        at = place.start()
        tokens, _ = _tokens(folded, at, text_end)
        found = _compose_longest(tokens, traditional)
        if found is None:
            continue
        said, end = found
        if said.kind not in ("currency", "per_share") or said.needs_scale:
            continue
        after = folded[end : end + 1]
        if is_cjk(folded[end - 1]) or is_cjk(folded[at]):
            if (said.scale or said.kind == "per_share") and (not after or after in ",;:()[]/ "):
                return UnitReading(said.unit, said.scale, at, end, said.kind, said.exceptions)
        elif not said.word and (said.scale or (end == text_end and at > 0)) and not after.isdigit():
            return UnitReading(said.unit, said.scale, at, end, said.kind, said.exceptions)
    return None
