"""Units and scales as headers, corners, captions and notes say them.

`HK$ 000`, 人民币百万元, `($ in millions)`, %, 元/股. A unit is recognised where writers put it: as the whole text, in
brackets, after `单位：` or `in`, as the last segment after a comma, slash or dash, or as a currency with its scale
anywhere. Never inside ordinary words. What a sign does not say is not filled in: `$` stays `$`, `¥` stays `¥`, and 元
is the renminbi only in simplified script.
"""

from __future__ import annotations

import re
from functools import lru_cache

from factspine.lexicon.catalogue import Token
from factspine.lexicon.folding import Signs, fold, is_cjk, is_traditional
from factspine.lexicon.formats import FormatReading, read_format
from factspine.lexicon.unit_grammar import (
    EXCEPT_CLAUSE,
    PAIR,
    Said,
    UnitReading,
    compose,
    exceptions_in,
    holds_unit,
    parse_segment,
    parse_unit,
    tokens_from,
)

__all__ = ["FormatReading", "UnitReading", "find_unit", "parse_unit", "read_format"]

_CODE_LETTERS = 3  # of a currency
_LONGEST_TEXT = 400  # longer texts are prose; only their head can be a unit note

_BRACKETS = re.compile(r"\(([^()]*)\)|\[([^\[\]]*)\]")
_LEAD = re.compile(
    r"(?:[金货]?[额币]?单位|币种|计量单位|以|\bunits?(?: of measure(?:ment)?)?\s*[:=]|\bcurrency\s*[:=]|"
    r"\b(?:amounts?|figures|values|expressed|stated|presented|reported|denominated|dollars?)\s+(?:are\s+|is\s+)?"
    r"(?:expressed\s+|stated\s+|presented\s+)?in\b|\bin\b)\s*",
    re.IGNORECASE,
)
_LEAD_SIGNS = Signs.of(("in", "unit", "units", "currency", "单位", "币种", "以"))
_SEGMENT_BREAKS = (",", ";", "/", "|", " - ", ":", "_", " ")
_IN_KINDS = ("currency", "percent", "scale", "physical", "time", "rate", "per_share")


@lru_cache(maxsize=16384)
def find_unit(text: str) -> UnitReading | None:
    """The unit a header, corner, caption or note says, with the span of the text that says it."""
    folded = fold(text[:_LONGEST_TEXT])
    if not folded.strip() or ("/" in folded and PAIR.search(folded)):
        return None
    if not holds_unit(folded):
        return _lower_code(folded, len(folded.rstrip())) or _percent_word(folded)
    traditional = is_traditional(text)
    found = (
        _thousands(folded)
        or _whole(folded, traditional)
        or _in_brackets(folded, traditional)
        or _after_lead(folded, traditional)
        or _last_segment(folded, traditional)
        or _strong(folded, traditional)
        or _runs_on(folded, traditional)
    )
    if found is not None and _is_stray_letter(folded, found):
        found = None
    return found or _percent_word(folded)


_THOUSANDS = re.compile(r"\(\s*(?:in )?1(?P<zeros>(?:,?000){1,3})s?\s*\)", re.IGNORECASE)
_THOUSANDS_OF = re.compile(r"\s*1(?P<zeros>(?:,000){1,3})\s+(?P<unit>[^\W\d].*)")
_PERCENT_WORD = re.compile(r"^\s*(?:percent|percentage|per cent|pct)\b(?!\s*(?:points?|pts?\b))", re.IGNORECASE)
_PERCENT_OF = re.compile(
    r"\s*(?:as )?(?:a )?(?:in )?(?:%|percent|percentage|per cent|pct\.?) (?:of|change|points?)\b", re.IGNORECASE
)
_LITERAL_KINDS = frozenset({"physical", "time", "count", "open", "ratio"})


def _thousands(folded: str) -> UnitReading | None:
    """`(1,000)` under or behind a heading: thousands of whatever it counts."""
    found = _THOUSANDS.search(folded)
    if found is None:
        return _thousands_of(folded)
    scale = found["zeros"].count("0")
    return UnitReading(unit="", scale=scale, start=found.start(), end=found.end(), kind="scale")


def _thousands_of(folded: str) -> UnitReading | None:
    """`1,000 tons`, `1,000 dollars` as the whole of a text."""
    found = _THOUSANDS_OF.fullmatch(folded)
    of = parse_unit(found["unit"]) if found else None
    if found is None or of is None or of.scale or of.kind not in ("currency", "physical", "count"):
        return None
    return of._replace(scale=found["zeros"].count("0"), start=0, end=len(folded))


_PERCENT_PART = re.compile(
    r"(?:[:,;]|\s-)\s*(?:%|percentage|percent|per cent|pct\.?) (?:of|who|that|saying|agreeing)\b", re.IGNORECASE
)


def _percent_word(folded: str) -> UnitReading | None:
    """`Percent distribution` says its unit in a word of its name: the span is empty, so that the word stays."""
    said = _PERCENT_WORD.match(folded) or (("%" in folded or "er" in folded) and _PERCENT_PART.search(folded))
    return UnitReading(unit="%", kind="percent") if said else None


def _is_stray_letter(folded: str, reading: UnitReading) -> bool:
    """A single letter is a unit in brackets or, in Chinese, alone in its cell; elsewhere it is part of a word, or
    short for one: S&M.
    """
    said = folded[reading.start : reading.end].split()[-1:] or [""]
    if reading.kind not in _LITERAL_KINDS or any(len(letter) != 1 for letter in said[0].split("&")):
        return False
    return said[0].isascii() or folded.strip() != said[0]


def _whole(folded: str, traditional: bool) -> UnitReading | None:
    stripped = folded.strip()
    if (stripped[0] in "([" and stripped[-1] in ")]") or stripped[:4].lower() == "all ":
        return None  # `All persons` are whoever there is, not the unit of a percentage
    tokens, stopped = tokens_from(folded, 0, len(folded))
    if not tokens:
        return None
    reading = parse_segment(folded, 0, len(folded), traditional)
    if reading is None:
        return None
    said = compose(tokens, traditional)
    if said is not None and stopped == len(folded) and (not said.alone or _is_measure(folded, said)):
        return None
    return reading


def _is_measure(folded: str, said: Said) -> bool:
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
        reading = parse_segment(folded, start, end, traditional) or _thousands_of(folded[start:end])
        if reading is not None:
            return reading._replace(start=bracket.start(), end=bracket.end())
        if _PERCENT_OF.match(folded, start, end):
            return UnitReading(unit="%", kind="percent")  # `Debt (% of GDP)`: of what belongs to the name
        lead = _after_lead(folded, traditional, start, end)
        if lead is not None:
            return lead
        at = start
        for piece in re.split(r"([,;|])", folded[start:end]):
            part = parse_segment(folded, at, at + len(piece), traditional)
            if part is not None and piece not in ",;|":
                return part
            at += len(piece)
    return None


def _after_lead(folded: str, traditional: bool, first: int = 0, last: int | None = None) -> UnitReading | None:
    """What follows `单位：`, `Unit:`, `amounts in`, `in`."""
    if not _LEAD_SIGNS.are_in(folded):
        return None
    last = len(folded) if last is None else last
    for lead in _LEAD.finditer(folded, first, last):
        plain = lead.group().strip().lower()
        tokens, _ = tokens_from(folded, lead.end(), last)
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
        clause = EXCEPT_CLAUSE.match(folded, end, last)
        exceptions = exceptions_in(clause.group() if clause else folded[end:last])
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


_MONEY_BEFORE = re.compile(
    r"(?:(?:US|HK|NT|A|S|C)?\$|¥|€|£|(?<![A-Za-z])[A-Z]{3}|RMB|dollars|人民币|港币)\s*$", re.IGNORECASE
)


def _before_lead(folded: str, start: int, kind: str) -> int:
    """`$ in millions`, `RMB in thousands`: the currency before the lead belongs to the unit."""
    if kind != "scale":
        return start
    money = _MONEY_BEFORE.search(folded, 0, start)
    return money.start() if money else start


def _money_before(folded: str, start: int, lead: int, reading: Said, traditional: bool) -> str:
    if start == lead:
        return ""
    tokens, stopped = tokens_from(folded, start, lead)
    said = compose(tokens, traditional) if stopped == lead else None
    return said.unit if said is not None and said.kind == "currency" else ""


def _compose_longest(tokens: list[Token], traditional: bool) -> tuple[Said, int] | None:
    """The longest run of names from the first on that says something."""
    for count in range(len(tokens), 0, -1):
        if tokens[count - 1].entry.cls in ("filler", "join", "per"):
            continue
        said = compose(tokens[:count], traditional)
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
            if at <= 0 or (mark == "/" and folded.count("(", 0, at) > folded.count(")", 0, at)):
                break  # half of a rate in brackets is not its unit
            reading = parse_segment(folded, at + len(mark), text_end, traditional)
            if reading is not None and _fits_bare(folded, reading, mark):
                longest = reading._replace(start=at, end=text_end)
            at = folded.rfind(mark, 0, at)
        if longest is not None:
            return longest
    return _percent_at_edge(folded, text_end)


def _lower_code(folded: str, text_end: int) -> UnitReading | None:
    """`net_sales_gbp`: a code in small letters at the end of a name of which all letters are small."""
    at = folded.rfind("_", 0, text_end)
    code = folded[at + 1 : text_end]
    if at <= 0 or len(code) != _CODE_LETTERS or not code.isalpha() or not folded.islower():
        return None
    reading = parse_unit(code.upper())
    return reading._replace(start=at, end=text_end) if reading is not None and reading.kind == "currency" else None


def _fits_bare(folded: str, reading: UnitReading, mark: str) -> bool:
    """Whether a unit may stand after this mark without brackets; a mere space wants an unmistakable one."""
    said = folded[reading.start : reading.end]
    if said[:4].lower() == "all ":
        return False  # `Prices, all items` are prices of whatever there is
    if mark != " ":
        return len(said) > 1 or is_cjk(said) or said in "%‰$¥€£" or mark in (",", ";", "|")
    if _is_amount(folded, reading.start, said):
        return False
    if reading.kind == "currency":
        return not said.strip().islower() or reading.scale != 0
    if reading.kind == "percent":
        return True
    if reading.kind in ("count", "physical", "time", "rate", "per_share", "ratio"):
        return is_cjk(said[-1]) and (folded[reading.start - 1] == " ")
    return reading.kind == "scale" and said.strip().lstrip("'").isdigit() is False and is_cjk(said[-1]) is False


_YEAR_BEFORE = re.compile(r"(?<![\d.,])(?:19|20)\d\d$")


def _is_amount(folded: str, at: int, said: str) -> bool:
    """Whether a unit stands right behind a number: "up to HK$ 1,320 million", 增至13.2亿元. A year may stand there."""
    before = folded[:at].rstrip()
    if not before[-1:].isdigit() or _YEAR_BEFORE.search(before):
        return False
    return not said.strip()[:1].isupper() and said.strip()[:1] not in "$€£¥"


def _percent_at_edge(folded: str, text_end: int) -> UnitReading | None:
    """A percent sign that touches the words: `增长率%`, `% change`."""
    if text_end > 1 and folded[text_end - 1] in "%‰" and not folded[text_end - 2].isdigit():
        return UnitReading(folded[text_end - 1], 0, text_end - 1, text_end, "percent")
    first = len(folded) - len(folded.lstrip())
    if folded[first] in "%‰" and text_end - first > 1:
        return UnitReading(folded[first], 0, first, first + 1, "percent")
    return None


# Units that end a Chinese label without a bracket and are no part of a word there: 产量万吨, 建筑面积平方米.
_RUN_ON = re.compile(
    r"(?<=[\u4e00-\u9fff])(?<![每一二三四五六七八九十百千万亿两几数])"
    r"(?:(?:十|百|千)?[万亿](?:人次|[吨人户台辆套件头只箱盒家个股]|千瓦时|平方米|立方米|平方公里|公里|公顷|亩|标准箱|千瓦|吨公里)"
    r"|平方米|平方公里|立方米|公顷|千瓦时)$"
)


def _runs_on(folded: str, traditional: bool) -> UnitReading | None:
    """The unit that a Chinese label ends in. Of 人次 the word stays: it is also what is counted."""
    text = folded.rstrip()
    if not is_cjk(text[-1]):
        return None
    if text.endswith("人次") and len(text) > 2 and is_cjk(text[-3]) and text[-3] not in "万亿千每":
        return UnitReading("person-times", kind="count")
    found = _RUN_ON.search(text)
    return parse_segment(folded, found.start(), found.end(), traditional) if found is not None else None


_WORD_START = re.compile(r"(?<![A-Za-z0-9])(?=[A-Z$€£¥])|(?<![元千百万亿])(?=[千百万亿十人港美日欧新仟佰])")


def _strong(folded: str, traditional: bool) -> UnitReading | None:
    """A currency with its scale, anywhere in Latin script and at the end in Chinese; or a currency code at the end."""
    text_end = len(folded.rstrip())
    for place in _WORD_START.finditer(folded):
        at = place.start()
        tokens, _ = tokens_from(folded, at, text_end)
        found = _compose_longest(tokens, traditional)
        if found is None:
            continue
        said, end = found
        if said.kind not in ("currency", "per_share") or said.needs_scale:
            continue
        after = folded[end : end + 1]
        if _is_amount(folded, at, folded[at:end]):
            continue
        if is_cjk(folded[end - 1]) or is_cjk(folded[at]):
            if (said.scale or said.kind == "per_share") and (not after or after in ",;:()[]/ "):
                return UnitReading(said.unit, said.scale, at, end, said.kind, said.exceptions)
        elif not said.word and (said.scale or (end == text_end and at > 0)) and not after.isdigit():
            return UnitReading(said.unit, said.scale, at, end, said.kind, said.exceptions)
    return None
