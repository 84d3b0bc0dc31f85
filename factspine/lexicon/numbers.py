"""Numbers as people write them in tables: `1,234.5`, `(123.4)`, `−12`, `12.3%`, `HK$1,200m`, ¥3.5亿, `12.3*`, 三千.

The whole text has to be one number. Signs: brackets, any dash before or after, and △ (the accountants' minus of Japan
and China) make it negative. Arrows and ▲ ▼ tell a direction and are used for good and bad alike, so they are marks and
do not change the value. Letters and signs of footnotes are marks too. What merely consists of digits, such as dates,
telephone numbers, versions, identifiers with leading zeros, ranges and ratios, is not a number; `non_number_kind` says
what it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple

from factspine.core.values import canonical
from factspine.lexicon.folding import fold, is_cjk
from factspine.lexicon.nonnumbers import non_number_kind, null_reason
from factspine.lexicon.numerals import chinese_number
from factspine.lexicon.units import UnitReading, parse_unit

__all__ = ["NumberReading", "looks_numeric", "non_number_kind", "null_reason", "numeric_texts", "read_number"]


class NumberReading(NamedTuple):
    """A number read from a text: exact, with what was written around it."""

    value: str  # canonical decimal
    decimals: int = 0  # digits after the point, as written
    unit: UnitReading | None = None
    # approximate, less_than, more_than, up, down, footnote, revised, provisional, estimate, forecast …
    marks: tuple[str, ...] = ()


_new = tuple.__new__  # a named tuple's own constructor takes twice as long
_LONGEST_NUMBER = 64
_LONGEST_PREFIX = 24  # a sign, a bracket and the longest name of a currency
_LONGEST_PLAIN_DIGITS = 15  # without separators, more digits than that are an account or identity number
_PLAIN = re.compile(r"\s*(-)?(\d{1,3}(?:,\d{3})+|[1-9]\d{0,14}|0)(?:\.(\d+))?(%)?\s*", re.ASCII)
_CORE = re.compile(
    r"(?P<comma>\d{1,3}(?:,\d{3})+(?!\d)|\d{1,2}(?:,\d{2})+,\d{3}(?!\d))(?P<cd>\.\d+)?"
    r"|(?P<space>\d{1,3}(?: \d{3})+(?!\d))(?P<sd>[.,]\d+)?"
    r"|(?P<quote>\d{1,3}(?:'\d{3})+(?!\d))(?P<qd>[.,]\d+)?"
    r"|(?P<dot>\d{1,3}(?:\.\d{3}){2,}(?!\d))(?P<dd>,\d+)?"
    r"|(?P<sci>\d(?:\.\d+)?[eE][+-]\d{1,3}|\d\.\d+[eE]\d{1,3})"
    r"|(?P<plain>\d+)(?P<pd>\.\d+)?|(?P<bare>\.\d+)",
    re.ASCII,
)
_FIRST_DIGIT = re.compile(r"[.]?[0-9]")
_DIGIT = re.compile(r"[0-9０-９]")
_CHINESE_NUMERALS = frozenset("零〇一二三四五六七八九十百千万亿两壹贰叁肆伍陆柒捌玖拾佰仟萬億點点貳參陸")
_CODE = re.compile(r"[A-Za-z][A-Za-z _/#-]*0[0-9]")
_LEFT_MARKS = {
    "~": "approximate", "≈": "approximate", "约": "approximate", "大约": "approximate", "c.": "approximate",
    "approx.": "approximate", "近": "approximate", "<": "less_than", ">": "more_than", "≤": "at_most", "≥": "at_least",
    "↑": "up", "↓": "down", "▲": "up", "▼": "down", "⬆": "up", "⬇": "down", "↗": "up", "↘": "down", "*": "footnote",
}  # fmt: skip
_LETTER_MARKS = {
    "r": "revised", "R": "revised", "p": "provisional", "P": "provisional", "e": "estimate", "E": "estimate",
    "f": "forecast", "F": "forecast", "b": "break_in_series", "c": "confidential", "u": "unreliable",
}  # fmt: skip
_RIGHT_MARK = re.compile(
    r"(?:[*†‡§¶#^]+|\[[0-9a-zA-Z]{1,3}\]|(?<=[\d%)])\s?\((?:\d{1,2}|[a-z]|注\d{0,2})\)"
    r"|(?<![A-Za-z])[¹²³⁰⁴-⁹⁽⁾ᵃ-ᵿᶜⁿⁱᴬ-ᵂ①-⑳]+(?:[,' ]{1,2}[¹²³⁰⁴-⁹⁽⁾ᵃ-ᵿᶜ]+)*"
    r"|\^[0-9a-z]|[↑↓▲▼⬆⬇↗↘])\s*$"
)
_WORD = re.compile(r"[^\s+\-△(~≈<>≤≥↑↓▲▼]+")
_LETTER = re.compile(r"(%?)\s?([rRpPeEfFbcu])")
_OPEN_UNIT_LONGEST = 8
_NAMING_SUFFIX = re.compile(r"^(?:号|楼|栋|幢|室|班|届|版|季度?|月份?|日|路|排|座|街|th|st|nd|rd)")
_YEAR_LETTER = re.compile(r"(?:19|20)\d\d\s?[AEFBPaefbp]")


def looks_numeric(text: str) -> bool:
    """Whether it is worth trying to read the text as a number; cheap, and never wrong for a text that is one."""
    if len(text) > _LONGEST_NUMBER:
        return False
    return _DIGIT.search(text) is not None or (text[:1] in _CHINESE_NUMERALS and len(text) > 1)


@lru_cache(maxsize=65536)
def read_number(text: str) -> NumberReading | None:
    """The number that the whole text is; None where it is not one number."""
    plain = _PLAIN.fullmatch(text)
    if plain is not None and not _plain_digits_are_not_a_number(plain.group(2)):
        return _plain_reading(plain)
    if not looks_numeric(text):
        return None
    folded = fold(text)
    stripped = folded.strip()
    if _DIGIT.search(stripped) is None:
        value = chinese_number(stripped)
        return None if value is None else NumberReading(canonical(value), _decimals(value))
    if _YEAR_LETTER.fullmatch(stripped):
        return None
    reading = _read(folded)
    # Only now the closer look: most texts with digits in them are plainly no number.
    return None if reading is None or non_number_kind(stripped) is not None else reading


def numeric_texts(texts: Iterable[str]) -> set[str]:
    """Those of many texts that are one number each.

    Names of a long list differ in their last digits only ("Customer 17", "A-0012-17"): what one digit behind the same
    words does not make a number of, no digits do, and a number does not begin with letters and a zero.
    """
    found: set[str] = set()
    for text in texts:
        if not looks_numeric(text):
            continue
        stem = text.rstrip("0123456789")
        if len(stem) < len(text) and _is_hopeless(stem):
            continue
        if read_number(text) is not None:
            found.add(text)
    return found


@lru_cache(maxsize=16384)
def _is_hopeless(stem: str) -> bool:
    """Whether no digits behind these words make a number of them."""
    wordy = bool(stem) and _DIGIT.search(stem) is None and _read(fold(stem + "7")) is None
    return wordy or _CODE.match(stem) is not None


def _plain_reading(plain: re.Match[str]) -> NumberReading:
    """The common case: digits, perhaps separated, perhaps a percentage."""
    sign, whole, fraction, percent = plain.groups()
    value = whole.replace(",", "").lstrip("0") or "0"
    if fraction and (kept := fraction.rstrip("0")):
        value = f"{value}.{kept}"
    if sign and value != "0":
        value = "-" + value
    unit = UnitReading("%", 0, plain.start(4), plain.end(4), "percent") if percent else None
    return _new(NumberReading, (value, len(fraction) if fraction else 0, unit, ()))


def _plain_digits_are_not_a_number(digits: str) -> bool:
    # Only lengths that dates and mobile telephone numbers have need the closer look.
    return len(digits) in (8, 11) and digits.isdigit() and non_number_kind(digits) is not None


def _decimals(value: Decimal) -> int:
    exponent = value.as_tuple().exponent
    return max(0, -exponent) if isinstance(exponent, int) else 0


class _Around(NamedTuple):
    """What stands before or after the digits, taken apart."""

    negative: bool
    opened: int  # brackets opened minus closed
    words: str
    start: int  # where the words begin
    marks: tuple[str, ...]


def _read(folded: str) -> NumberReading | None:
    digits = _FIRST_DIGIT.search(folded)
    core = _CORE.match(folded, digits.start()) if digits else None
    if core is None:
        return None
    left = _left(folded[: core.start()]) if core.start() <= _LONGEST_PREFIX else None
    number = _core_value(core) if left is not None else None
    if number is None or left is None:
        return None
    right = _right(folded, core.end())
    if right is None or left.opened != -right.opened or (left.negative and right.negative and not left.opened):
        return None
    unit = _unit_around(left, right)
    if unit is _NO_UNIT:
        return None
    if core.group("pd") is None and core.group("plain") and _NAMING_SUFFIX.match(right.words):
        return None
    value, decimals = number
    negative = left.negative or right.negative or left.opened > 0
    return NumberReading(canonical(-value if negative else value), decimals, unit, left.marks + right.marks)


def _core_value(core: re.Match[str]) -> tuple[Decimal, int] | None:
    """The value of the digits and how many decimals they show."""
    if core.group("sci"):
        value = Decimal(core.group("sci"))
        return value, _decimals(value)
    if core.group("bare"):
        return Decimal("0" + core.group("bare")), len(core.group("bare")) - 1
    if core.group("plain"):
        whole = core.group("plain")
        if len(whole) > _LONGEST_PLAIN_DIGITS or (len(whole) > 1 and whole[0] == "0"):
            return None
        fraction = core.group("pd") or ""
    else:
        name = next(n for n in ("comma", "space", "quote", "dot") if core.group(n))
        whole = re.sub(r"[^\d]", "", core.group(name))
        if whole[0] == "0":
            return None
        fraction = (core.group({"comma": "cd", "space": "sd", "quote": "qd", "dot": "dd"}[name]) or "").replace(
            ",", "."
        )
    return Decimal(whole + fraction), max(0, len(fraction) - 1)


@lru_cache(maxsize=4096)  # numbers differ, what stands before them hardly does
def _left(text: str) -> _Around | None:
    """Signs, brackets, marks and a currency before the digits."""
    negative, opened, marks, words, start = False, 0, [], "", 0
    at = 0
    while at < len(text):
        character = text[at]
        mark = next((m for m in _LEFT_MARKS if text.startswith(m, at)), None)
        if character in " +":
            at += 1
        elif character in "-△":
            if negative:
                return None
            negative = True
            at += 1
        elif character == "(":
            opened += 1
            at += 1
        elif mark is not None:
            marks.append(_LEFT_MARKS[mark])
            at += len(mark)
        else:
            run = _WORD.match(text, at)
            if run is None or (words and text[at - 1] != " "):
                return None
            start = at if not words else start
            words = f"{words} {run.group()}" if words else run.group()
            at = run.end()
    if opened > 1:
        return None
    return _Around(negative, opened, words, start, tuple(marks))


def _right(folded: str, start: int) -> _Around | None:
    """Percent, unit, closing bracket, footnote marks and a trailing minus after the digits."""
    marks: list[str] = []
    end = len(folded)
    while (found := _RIGHT_MARK.search(folded, start, end)) is not None and found.start() >= start:
        said = found.group().strip()
        marks.append(_LEFT_MARKS.get(said, "footnote") if said != "*" else "footnote")
        end = found.start()
    text = folded[start:end].strip()
    negative, closed = False, 0
    if text.endswith("-") and len(text.strip("- )")) <= 1:
        negative, text = True, text[:-1].strip()
    if ")" in text:
        closed = text.count(")")
        text = text.replace(")", "", 1).strip()
        if closed > 1 or "(" in text:
            return None
    letter = _LETTER.fullmatch(text)
    if letter is not None:
        marks.append(_LETTER_MARKS[letter.group(2)])
        text = letter.group(1)
    return _Around(negative, -closed, text, folded.find(text, start) if text else start, tuple(reversed(marks)))


_NO_UNIT = UnitReading("\0", 0, 0, 0, "none")


def _unit_around(left: _Around, right: _Around) -> UnitReading | None:
    """The unit that the words before and after the digits say together; `_NO_UNIT` where they say something else."""
    if not left.words and not right.words:
        return None
    together = parse_unit(f"{left.words} {right.words}") or parse_unit(left.words + right.words)
    start = left.start if left.words else right.start
    end = right.start + len(right.words) if right.words else left.start + len(left.words)
    if together is not None:
        if left.words and (unit := parse_unit(left.words)) is not None and unit.kind not in ("currency", "scale"):
            return _NO_UNIT
        return together._replace(start=start, end=end)
    if left.words or not _is_open_unit(right.words):
        return _NO_UNIT
    if len(right.words) == 1 and right.words.isascii() and right.words.islower():
        return None  # the letter of a footnote, or of a code: 3510a
    return UnitReading(right.words, 0, start, end, "open")


def _is_open_unit(words: str) -> bool:
    """Whether a word after a number may be a unit nobody has listed: short, letters only."""
    if len(words) > _OPEN_UNIT_LONGEST or not all(c.isalpha() or c in "²³/" for c in words):
        return False
    return is_cjk(words[0]) or words.islower() or (words.isascii() and len(words) <= 4)
