"""Number formats of spreadsheets: they carry percent, currency, scale, shown decimals, dates."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from factspine.lexicon.unit_grammar import parse_unit


class FormatReading(NamedTuple):
    """What a number format says about the values it shows."""

    percent: bool = False  # the stored value is a fraction: 0.153 is shown as 15.3 %
    unit: str = ""  # %, a currency code, a literal unit; "" where the format says none
    scale: int = 0  # power of ten of what is shown: `#,##0,` shows thousands
    shift: int = 0  # power of ten by which trailing commas divide the stored value
    decimals: int | None = None  # None for General: as many as the value has
    is_date: bool = False
    is_text: bool = False
    literal: str = ""  # text the format adds: "RMB", "x", "m"
    kind: str = ""
    date_parts: str = ""  # subset of "ymdhs" in that order


GENERAL = FormatReading()
_LITERAL = re.compile(r'"([^"]*)"|\\(.)|_(.)|\*(.)')
_BRACKET = re.compile(r"\[([^\]]*)\]")
_DIGITS = re.compile(r"[0#?][0#?,]*(?:\.([0#?]*))?(,*)")
# An axis of a chart divides by more than commas can say; its reader writes that behind the format.
_DIVISOR = re.compile(r"\[/1(0+)\]$")
_SCALE_LITERALS = {"m": 6, "mn": 6, "mm": 6, "k": 3, "bn": 9, "b": 9, "千": 3, "万": 4, "百万": 6, "亿": 8}


@lru_cache(maxsize=4096)
def read_format(number_format: str) -> FormatReading:
    """What a number format says; the first section is the one for positive values."""
    if number_format in ("General", "", "@", "G/通用格式"):
        return GENERAL._replace(is_text=number_format == "@")
    if (divisor := _DIVISOR.search(number_format)) is not None:
        return _divided(read_format(number_format[: divisor.start()]), len(divisor.group(1)))
    section = _first_section(number_format)
    currency = ""
    for bracket in _BRACKET.findall(section):
        if bracket.startswith("$"):
            currency = bracket[1:].partition("-")[0]
    elapsed = bool(re.search(r"\[(?:h+|m+|s+)\]", section, re.IGNORECASE))
    without_brackets = _BRACKET.sub("", section)
    literal = "".join((m.group(1) or m.group(2) or "") for m in _LITERAL.finditer(without_brackets)).strip()
    bare = _LITERAL.sub("", without_brackets)
    if "general" in bare.lower():
        return _with_unit(FormatReading(literal=literal), currency or literal)
    parts = _date_parts(bare, literal)
    if parts or elapsed:
        return FormatReading(is_date=True, literal=literal, date_parts=parts, kind="time" if elapsed else "date")
    return _numeric(bare, literal, currency)


def _divided(reading: FormatReading, zeros: int) -> FormatReading:
    """A format whose numbers are shown divided by a power of ten."""
    if reading.percent or reading.is_date:
        return reading
    return reading._replace(scale=reading.shift + zeros, shift=reading.shift + zeros)


def _first_section(number_format: str) -> str:
    """The text up to the first semicolon that is not quoted."""
    quoted = False
    for at, character in enumerate(number_format):
        if character == '"':
            quoted = not quoted
        elif character == ";" and not quoted and number_format[at - 1 : at] != "\\":
            return number_format[:at]
    return number_format


def _date_parts(bare: str, literal: str) -> str:
    """Which of year, month, day, hour, second the format shows."""
    lowered = bare.lower().replace("am/pm", "").replace("a/p", "")
    if re.search(r"[0#?]", lowered.replace(".0", "").replace(".00", "")) and not re.search(r"[ydhs]", lowered):
        return ""
    letters = set(re.findall(r"[ymdhse]", lowered))
    if not letters or (letters == {"e"} and "0" in lowered):
        return ""
    if "e" in letters and not re.search(r"[ydhs]", lowered):
        return ""
    parts = {"y" if c == "e" else c for c in letters}
    return "".join(c for c in "ymdhs" if c in parts)


def _numeric(bare: str, literal: str, currency: str) -> FormatReading:
    digits = _DIGITS.search(bare)
    if digits is None:
        return _with_unit(FormatReading(literal=literal), currency or literal)
    decimals = len(digits.group(1) or "")
    commas = len(digits.group(2) or "")
    whole = digits.group()
    if digits.group(1) is None:
        commas = len(whole) - len(whole.rstrip(","))
    if "%" in bare:
        return FormatReading(percent=True, unit="%", decimals=decimals, literal=literal, kind="percent")
    signs = "".join(c for c in bare if c in "$€£¥￥")
    reading = FormatReading(scale=3 * commas, shift=3 * commas, decimals=decimals, literal=literal)
    return _with_unit(reading, currency or f"{signs}{literal}")


def _with_unit(reading: FormatReading, said: str) -> FormatReading:
    """The reading with the unit that its symbol or literal names."""
    said = said.strip(" -()/")
    if not said:
        return reading
    if said in ("%", "‰"):
        # A quoted percent sign shows the stored number as it is: no multiplication.
        return reading._replace(unit=said, kind="percent")
    if reading.scale and said.lower() in _SCALE_LITERALS:
        return reading  # the commas scale already; the letter only says so
    unit = parse_unit(said)
    if unit is None:
        return reading
    if reading.scale:
        # `#,##0,,"US$m"` scales the shown value once; its letter repeats what the commas do.
        return reading._replace(unit=unit.unit, kind=unit.kind)
    return reading._replace(unit=unit.unit, kind=unit.kind, scale=unit.scale)
