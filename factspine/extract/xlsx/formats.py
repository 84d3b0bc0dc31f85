"""What a person sees in a number cell: number formats, compiled once each.

Shown in the language of the format itself; where a format leaves it to the reader's computer (the built-in short
date), as an English one shows it. General keeps every digit of the value instead of rounding to the column's width.
A format that shows nothing for a value (`;;;`) falls back to General: the number is in the file, and a number
without a text could not be found again.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from decimal import Decimal
from functools import lru_cache

from factspine.extract.xlsx.calendar import DateSection, iso, moment
from factspine.extract.xlsx.numerals import NumberSection, Token, number_section

BUILTIN: dict[int, str] = {
    0: "General", 1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00",
    5: '"$"#,##0_);("$"#,##0)', 6: '"$"#,##0_);[Red]("$"#,##0)',
    7: '"$"#,##0.00_);("$"#,##0.00)', 8: '"$"#,##0.00_);[Red]("$"#,##0.00)',
    9: "0%", 10: "0.00%", 11: "0.00E+00", 12: "# ?/?", 13: "# ??/??", 14: "m/d/yyyy", 15: "d-mmm-yy", 16: "d-mmm",
    17: "mmm-yy", 18: "h:mm AM/PM", 19: "h:mm:ss AM/PM", 20: "h:mm", 21: "h:mm:ss", 22: "m/d/yyyy h:mm",
    27: 'yyyy"年"m"月"', 28: 'm"月"d"日"', 29: 'm"月"d"日"', 30: "m-d-yy", 31: 'yyyy"年"m"月"d"日"',
    32: 'h"时"mm"分"', 33: 'h"时"mm"分"ss"秒"', 34: '上午/下午h"时"mm"分"', 35: '上午/下午h"时"mm"分"ss"秒"',
    36: 'yyyy"年"m"月"',
    37: "#,##0_);(#,##0)", 38: "#,##0_);[Red](#,##0)", 39: "#,##0.00_);(#,##0.00)", 40: "#,##0.00_);[Red](#,##0.00)",
    41: '_(* #,##0_);_(* (#,##0);_(* "-"_);_(@_)', 42: '_("$"* #,##0_);_("$"* (#,##0);_("$"* "-"_);_(@_)',
    43: '_(* #,##0.00_);_(* (#,##0.00);_(* "-"??_);_(@_)',
    44: '_("$"* #,##0.00_);_("$"* (#,##0.00);_("$"* "-"??_);_(@_)',
    45: "mm:ss", 46: "[h]:mm:ss", 47: "mm:ss.0", 48: "##0.0E+0", 49: "@",
    50: 'yyyy"年"m"月"', 51: 'm"月"d"日"', 52: 'yyyy"年"m"月"', 53: 'm"月"d"日"', 54: 'm"月"d"日"',
    55: '上午/下午h"时"mm"分"', 56: '上午/下午h"时"mm"分"ss"秒"', 57: 'yyyy"年"m"月"', 58: 'm"月"d"日"',
}  # fmt: skip

_TOKEN = re.compile(
    r'"(?P<quoted>[^"]*)"?|[\\!](?P<escaped>.)|_(?P<space>.)|\*(?P<fill>.)|\[(?P<bracket>[^\]]*)\]?'
    r"|(?P<general>General|G/通用格式)|(?P<exponent>[Ee][+-])|(?P<half>AM/PM|A/P|上午/下午)|(?P<other>.)",
    re.DOTALL,
)
_SECTIONS = re.compile(r'(?:"[^"]*"?|[\\!_*].|\[[^\]]*\]?|[^;"\\!_*\[])+|(?<=;)(?=;|$)|^(?=;)', re.DOTALL)
_CONDITION = re.compile(r"\s*(<=|>=|<>|<|>|=)\s*(-?[0-9]+(?:\.[0-9]+)?)\s*")
_SYSTEM_DATES = {"$-F800": "dddd, mmmm d, yyyy", "$-F400": "h:mm:ss AM/PM"}
_CODE_MAX = 2_000  # a spreadsheet allows 255 characters; longer codes are shown as General
_KEPT = 50_000  # shown texts remembered for one format

Condition = tuple[str, Decimal]
Shown = tuple[str, str | None]  # the text, and the ISO moment where the format makes the number a date


class _Section:
    """One of the parts of a format that semicolons separate."""

    __slots__ = ("condition", "date", "number", "text")

    def __init__(self, code: str) -> None:
        self.condition: Condition | None = None
        self.date: DateSection | None = None
        self.number: NumberSection | None = None
        self.text: tuple[str, ...] | None = None  # literals around the cell's own text
        tokens: list[Token] = []
        marks = ""  # unquoted characters, which decide what kind of section this is
        has_text = elapsed = False
        for found in _TOKEN.finditer(code):
            bracket, other = found["bracket"], found["other"]
            if bracket is not None:
                if condition := _CONDITION.fullmatch(bracket):
                    self.condition = (condition[1], Decimal(condition[2]))
                elif bracket.upper() in _SYSTEM_DATES:
                    self.date = DateSection(_SYSTEM_DATES[bracket.upper()])
                elif re.fullmatch(r"h+|m+|s+", bracket, re.IGNORECASE):
                    elapsed = True
                elif bracket.startswith("$") and not bracket.startswith("$-"):
                    tokens.append(("literal", bracket[1:].partition("-")[0]))
            elif found["quoted"] is not None or found["escaped"] is not None:
                tokens.append(("literal", found["quoted"] or found["escaped"] or ""))
            elif found["space"] is not None:
                tokens.append(("literal", " "))
            elif found["general"] is not None:
                tokens.append(("general", ""))
            elif found["exponent"] is not None:
                tokens.append(("exponent", found["exponent"]))
            elif found["half"] is not None:
                elapsed = True
            elif other == "@":
                has_text = True
                tokens.append(("general", ""))
            elif other is not None:
                marks += other
                tokens.append(_mark(other))
        if self.date is None and (elapsed or _is_date(marks)):
            self.date = DateSection(code)
        elif has_text:
            self.text = _around(code)
        self.number = number_section(tokens)


def _mark(character: str) -> Token:
    if character in "0#?":
        return ("digit", character)
    if character == ".":
        return ("dot", character)
    if character == ",":
        return ("comma", character)
    if character == "%":
        return ("percent", character)
    if character == "/":
        return ("slash", character)
    return ("literal", character)


def _is_date(marks: str) -> bool:
    """Letters of a calendar, and no place for the digits of a plain number."""
    lowered = marks.lower()
    if not re.search(r"[ymdhs]|aaa|e", lowered) or "#" in marks or "?" in marks:
        return False
    return "0" not in re.sub(r"s?\.0+", "", lowered)


def _around(code: str) -> tuple[str, ...]:
    """The literals of a text section, split where the cell's text goes."""
    out = [""]
    for found in _TOKEN.finditer(code):
        if found["other"] == "@":
            out.append("")
        else:
            literal = found["quoted"] or found["escaped"] or (" " if found["space"] else None) or found["other"]
            out[-1] += literal or ""
    return tuple(out)


class Format:
    """A compiled number format."""

    __slots__ = ("_conditional", "_kept", "_sections", "_text", "code", "date1904", "has_dates", "is_general")

    def __init__(self, code: str, date1904: bool) -> None:
        self.code = code
        self.date1904 = date1904
        self.is_general = code in ("General", "@", "") or len(code) > _CODE_MAX
        self._kept: dict[str, Shown] = {}
        codes = [] if self.is_general else _SECTIONS.findall(code)[:4]
        sections = [_Section(part) for part in codes] or [_Section("General")]
        self._text = None
        if len(sections) == 4 or (len(sections) > 1 and sections[-1].text is not None):
            self._text = sections.pop().text or ("",)
        elif sections[0].text is not None and len(sections) == 1:
            self._text = sections[0].text
        self._sections = sections
        self.has_dates = any(section.date is not None for section in sections)
        self._conditional = any(section.condition for section in sections)

    def show(self, digits: str) -> Shown:
        """What a person sees for a canonical number, and its ISO moment where the format shows it as a date."""
        shown = self._kept.get(digits)
        if shown is None:
            shown = self._show(digits)
            if len(self._kept) < _KEPT:
                self._kept[digits] = shown
        return shown

    def texts_of(self, numbers: Sequence[str]) -> list[str]:
        """What a person sees for canonical numbers, where the format shows no dates."""
        section = self._sections[0].number
        if len(self._sections) > 1 or self._conditional or section is None:
            return [self.show(digits)[0] for digits in numbers]
        return [text.strip() or digits for text, digits in zip(section.show_all(numbers), numbers, strict=True)]

    def show_text(self, text: str) -> str:
        """What a person sees for a text cell."""
        if self._text is None or self._text == ("", ""):
            return text
        return text.join(self._text).strip() or text

    def _show(self, digits: str) -> Shown:
        section, signed = self._choose(digits)
        if section is None:
            return digits, None
        if section.date is not None:
            return self._show_date(section.date, digits)
        if section.number is None:
            return digits, None
        return section.number.show(digits, signed).strip() or digits, None

    def _show_date(self, section: DateSection, digits: str) -> Shown:
        at = moment(digits, self.date1904)
        if at is None:
            return digits, None
        seconds = Decimal(digits) * 86_400
        if section.elapsed:
            return section.show(at, seconds.quantize(Decimal("0.001")) + Decimal("0.0005")), duration(seconds)
        return section.show(at, seconds) or digits, iso(at, dated=section.dated or not digits.startswith("0"))

    def show_moment(self, at: datetime) -> str:
        """What a person sees for a moment that is stored as one."""
        section = self._sections[0].date
        return section.show(at, Decimal(0)) if section and not section.elapsed else iso(at, dated=at.year > 1900)

    def _choose(self, digits: str) -> tuple[_Section | None, bool]:
        """The section for a value, and whether a minus sign has to be added to what it shows."""
        sections = self._sections
        if len(sections) == 1 and not self._conditional:
            return sections[0], True
        negative = digits.startswith("-")
        if not self._conditional:
            if negative:
                return sections[1], False
            return (sections[2] if len(sections) > 2 and digits == "0" else sections[0]), False
        value = Decimal(digits)
        for place, section in enumerate(sections):
            if section.condition is None and place < len(sections) - 1 and not _implied(place, value, sections):
                continue
            if section.condition is None or _holds(section.condition, value):
                return section, not _says_negative(section.condition)
        return None, True


def _implied(place: int, value: Decimal, sections: list[_Section]) -> bool:
    """A section without a condition among conditional ones: the second takes negatives, any other the rest."""
    return value < 0 if place == 1 and len(sections) > 2 else value >= 0 if place == 0 else True


def _holds(condition: Condition, value: Decimal) -> bool:
    mark, bound = condition
    return {
        "<": value < bound,
        ">": value > bound,
        "<=": value <= bound,
        ">=": value >= bound,
        "=": value == bound,
        "<>": value != bound,
    }[mark]


def _says_negative(condition: Condition | None) -> bool:
    """A section that only negative numbers reach shows them without a sign of its own."""
    return condition is not None and condition[0] in ("<", "<=") and condition[1] <= 0


def duration(seconds: Decimal) -> str:
    """A length of time as ISO text."""
    whole = timedelta(seconds=int(seconds.quantize(Decimal(1))))
    total = int(whole.total_seconds())
    return f"PT{total // 3600}H{total % 3600 // 60}M{total % 60}S"


@lru_cache(maxsize=4_096)
def compiled(code: str, date1904: bool = False) -> Format:
    """The format of a code; compiled once."""
    return Format(code, date1904)
