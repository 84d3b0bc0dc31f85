"""What stands around the digits of a number in running text: the currency before, the scale and unit after."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from factspine.lexicon.catalogue import Token, match
from factspine.lexicon.units import find_unit

_LONGEST_PREFIX = 16
_TOKENS_AFTER = 4
_GAP = re.compile(r"[ \t]*-?[ \t]*")
_SHORT_SCALES = {"k": 3, "m": 6, "mn": 6, "mm": 6, "b": 9, "bn": 9, "tn": 12, "t": 12}
_SHORT = re.compile(r"(k|mn|mm|m|bn|b|tn)\b", re.IGNORECASE)
_SHORT_ANYWHERE = ("k", "bn", "mn", "tn", "mm")  # `5m` may be metres
_PERCENT_WORDS = re.compile(r"\s*(?:per ?cent(?:age)?|pct)\b(?!\s*(?:age )?points?)", re.IGNORECASE)
_POINTS = re.compile(r"\s*(?:percentage points?|ppts?|pp|p\.p\.|个?百分点)(?![A-Za-z])", re.IGNORECASE)
_PER_AFTER = re.compile(r"\s*(?:\bper\b|/|\ban?\b|\beach\b|每)\s*([A-Za-z]+|[股日天周月季年时人户吨桶])")
_PER_BEFORE = re.compile(r"每([股日天周月季年时人户吨桶])[㐀-鿿]{0,6}[:：为是达约]{0,2}\s*(?:人民币|港币|美元)?$")
_PER_NAMES = {
    "share": "share", "股": "share", "day": "day", "日": "day", "天": "day", "week": "week", "周": "week",
    "month": "month", "月": "month", "quarter": "quarter", "季": "quarter", "year": "year", "annum": "year",
    "年": "year", "hour": "hour", "时": "hour", "person": "person", "capita": "person", "head": "person",
    "employee": "person", "人": "person", "tonne": "tonne", "ton": "tonne", "吨": "tonne", "barrel": "barrel",
    "桶": "barrel",
}  # fmt: skip
_REWRITTEN = {"bps": ("pp", -2), "‰": ("%", -1)}  # a hundredth of a point, a tenth of a per cent
_NOUN = re.compile(r"[\s-]*([A-Za-z]+|[㐀-鿿])")
_KINDS = frozenset({"currency", "percent", "ratio", "count", "time", "physical"})
_HEADER_SCALES = re.compile(r"(?<![\d.])(?:in\s+)?\b(thousands|millions|billions)\b", re.IGNORECASE)
_HEADER_POWERS = {"thousands": 3, "millions": 6, "billions": 9}


class Measure(NamedTuple):
    """A unit and scale as a text says them; `noun` is the word after the number, whatever it is."""

    unit: str = ""
    scale: int = 0
    kind: str = ""
    noun: str = ""


def measure_around(folded: str, lowered: str, start: int, end: int) -> tuple[Measure, int, int]:
    """The measure of the digits at a place, and the span of the digits with everything that belongs to them."""
    unit, scale, kind, first = "", 0, "", start
    before = _currency_before(folded, lowered, start)
    if before is not None:
        unit, scale, kind, first = before.entry.unit, before.entry.scale, "currency", before.start
    last = end
    if (points := _POINTS.match(folded, end)) is not None:
        return Measure("pp", 0, "percent"), first, points.end()
    if (percent := _PERCENT_WORDS.match(folded, end)) is not None:
        return Measure("%", 0, "percent"), first, percent.end()
    for token in _tokens_after(folded, lowered, end, after_currency=bool(unit)):
        entry = token.entry
        if entry.cls in ("scale", "after_currency"):
            scale += entry.scale
        elif unit and entry.cls == "currency" and unit in ("$", "¥", "元"):
            unit = entry.unit
        elif unit:
            break
        elif entry.kind in _KINDS:
            unit, kind, scale = entry.unit, entry.kind, scale + entry.scale
        else:
            break
        last = token.end
    noun = _NOUN.match(folded, last)
    unit, power = _REWRITTEN.get(unit, (unit, 0))
    return Measure(unit, scale + power, kind, _singular(noun.group(1)) if noun else ""), first, last


def per_around(folded: str, start: int, end: int) -> str:
    """What an amount is counted by, where the text says so right after or before it: `per share`, 每股, /day."""
    found = _PER_AFTER.match(folded, end) or _PER_BEFORE.search(folded, max(0, start - _LONGEST_PREFIX), start)
    return _PER_NAMES.get(found.group(1).lower(), "") if found else ""


@lru_cache(maxsize=4096)  # of each cell of a row, for each sentence that cites it
def stated_measures(text: str) -> tuple[Measure, ...]:
    """Measures a text states for all its numbers, as headers and notes do: `(US$ million)`, 单位：万元, %."""
    found: dict[tuple[str, int], Measure] = {}
    for line in re.split(r"[\n|｜;；。]", text):
        head = line.rpartition(": ")[0]  # of a cell in a row: what heads it, with its unit
        for part in (line, head, *re.findall(r"[(（\[]([^()（）\[\]]{1,60})[)）\]]", line)):
            reading = find_unit(part.strip()) if part.strip() and len(part) <= 400 else None
            if reading is not None:
                unit, power = _REWRITTEN.get(reading.unit, (reading.unit, 0))
                found[unit, reading.scale + power] = Measure(unit, reading.scale + power, reading.kind)
    for word in _HEADER_SCALES.findall(text):
        found.setdefault(("", _HEADER_POWERS[word.lower()]), Measure("", _HEADER_POWERS[word.lower()], "scale"))
    if re.search(r"[%％]|\bper ?cent|percentage|百分", text, re.IGNORECASE):
        found.setdefault(("%", 0), Measure("%", 0, "percent"))
    return tuple(found.values())


def _currency_before(folded: str, lowered: str, start: int) -> Token | None:
    best: Token | None = None
    for at in range(start - 1, max(-1, start - _LONGEST_PREFIX), -1):
        if folded[at] == " " and at < start - 1 and best is None and not folded[at + 1 : start].strip():
            continue
        # Up to the digits only: in RMB500 the letters end where the number begins.
        token = match(folded[:start], lowered[:start], at)
        if token is not None and token.entry.cls == "currency" and not folded[token.end : start].strip(" -"):
            best = token
    return best


def _tokens_after(folded: str, lowered: str, end: int, *, after_currency: bool) -> list[Token]:
    """Scales and units that follow the digits one after another."""
    tokens: list[Token] = []
    at = end
    short = _SHORT.match(folded, end)
    if short is not None and (after_currency or short.group(1).lower() in _SHORT_ANYWHERE):
        scale = _SHORT_SCALES[short.group(1).lower()]
        entry = match("million", "million", 0)
        assert entry is not None  # noqa: S101  the catalogue knows the word
        tokens.append(Token(entry.entry._replace(scale=scale), short.start(1), short.end(1)))
        at = short.end()
    while len(tokens) < _TOKENS_AFTER and at < len(folded):
        gap = _GAP.match(folded, at)
        place = gap.end() if gap else at
        token = match(folded, lowered, place, after_currency) if place < len(folded) else None
        if token is None or token.entry.cls in ("filler", "join", "per"):
            break
        tokens.append(token)
        at = token.end
    return tokens


def _singular(word: str) -> str:
    lowered = word.lower()
    return lowered[:-1] if len(lowered) > 3 and lowered.endswith("s") and not lowered.endswith("ss") else lowered
