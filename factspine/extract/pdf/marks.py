"""What a page holds before anyone reads it: words with their looks, rules, fills, pictures.

All coordinates are points from the top-left of the page as a reader sees it (after the page's own rotation).
"""

from __future__ import annotations

import re
from typing import NamedTuple

_NUMBER = re.compile(
    r"""[(\[（]?\s*[-+−–—‐]?\s*(?:US|HK|NT|A|C|S|RMB|Rs\.?|CHF|EUR|GBP|USD|HKD|CNY)?\s*[$€£¥￥]?\s*[(（]?[-+−–]?\s*
    (?:\d[\d,.'’]*|\.\d+)(?:[ \u00a0\u2009\u202f]\d{3})*(?:[.,]\d+)?
    \s*(?:%|‰|bps|pp|pts?|x|[mkbM]|bn|mn|万元?|亿元?|元|%\))?\s*[)\]）]?%?\s*(?:[*†‡§#^]{0,3}|\[\w\]|\([a-z\d]\)|[a-z]|[¹²³⁴⁵⁶⁷⁸⁹]+)""",
    re.X,
)
_NULLS = frozenset(
    {"-", "–", "—", "--", "‐", "−", "―", "n/a", "N/A", "n.a.", "N.A.", "NA", "na", "n.m.", "NM", "nm", "..", "…", "..."}
    | {
        ":",
        "x",
        "X",
        "nil",
        "Nil",
        "不适用",
        "无",
        "✓",
        "√",
        "✔",
        "●",
        "○",
        "*",
        "**",
        "***",
        "-%",
        "–%",
        "—%",
    }
    | {"(-)", "(—)", "†", "‡", "§", "#", "††", "‡‡", "‡‡‡", "(†)"}
)
_DASHES = frozenset({"-", "–", "—", "--", "‐", "−", "―"})
_SIGNS = "USHKRMB$€£¥￥"  # what may stand before a dash as before a number
_MONTH = r"(?:Jan|Feb|Mar|Apr|May|June?|July?|Aug|Sept?|Oct|Nov|Dec)(?:[a-z]{2,6})?\.?"
_PERIOD = re.compile(
    r"(?:FY|CY)?\s?(?:19|20)\d\d(?:[/–-]\d{2,4})?[EFA]?(?:年度?)?(?:\s?\(?\w?\)?|\s?[(（][^\W\d]{2,12}[)）])?"
    r"|(?:[1-4]Q|Q[1-4]|[12]H|H[12])\s?'?\d{2,4}"
    r"|(?:19|20)\d\d年(?:\d{1,2}月(?:\d{1,2}日)?|\d{1,2}\s?[-–~至]\s?\d{1,2}月|第?[一二三四1-4]季度|上半年|半年度|末|初)"
    r"|\d{1,2}[./]\d{1,2}[./](?:19|20)?\d\d"
    rf"|(?:\d{{1,2}}\s+)?{_MONTH}(?:\s*\d{{1,2}},?)?\s*(?:19|20)\d\d"
)
_MEASURE = re.compile(r"[<>~]?\d[\d,.]*(?:\s?[-–]\s?\d[\d,.]*)?\s[^\W\d]{1,12}")
_BETWEEN = frozenset({"±", "-", "–", "—", "/", "~"})
_ALPHA = re.compile(r"[^\W\d_]")
# Signs that stand beside a number in a column of their own, and which side the number is on.
CURRENCIES = frozenset({"$", "€", "£", "¥", "￥", "HK$", "US$", "RMB", "Rs."})
APART_BEFORE = CURRENCIES | frozenset({"(", "$("})
# A dash that stands apart says that there is no number; only close to a number is it a part of it.
CLOSE_BEFORE = frozenset({"-", "−", "±", "<", ">", "≤", "≥", "~"})
BEFORE_NUMBER = APART_BEFORE | CLOSE_BEFORE
AFTER_NUMBER = frozenset({"%", ")", ")%", "%)", "pp", "bps", "）", "‰"})

_kinds: dict[str, str] = {}
_KINDS_MAX = 200_000


def kind_of(text: str) -> str:
    """`n` a number, `p` a bare period, `d` a dash or another mark that stands for no number, `t` anything else."""
    kind = _kinds.get(text)
    if kind is None:
        if len(_kinds) > _KINDS_MAX:
            _kinds.clear()
        kind = _kinds[text] = _classify(text)
    return kind


def _classify(text: str) -> str:
    stripped = text.strip()
    if len(stripped) > 40:
        return "t"
    if _PERIOD.fullmatch(stripped):
        return "p"
    if stripped in _NULLS or stripped.lstrip(_SIGNS).strip() in _DASHES:
        return "d"
    if _NUMBER.fullmatch(stripped):
        return "n"
    # A count with its share or its error beside it is one figure to a reader: 38 (24.7%), 1.2 ± 0.3, 10 – 15.
    parts = stripped.split()
    if 2 <= len(parts) <= 3 and parts[0][:1] not in "-–—" and len(parts[-1]) > 1:
        inner = [p for p in parts if p not in _BETWEEN]
        if all(_NUMBER.fullmatch(p) for p in inner) and (len(inner) < len(parts) or parts[-1].startswith(("(", "["))):
            return "n"
    return "t"


def is_measure(text: str) -> bool:
    """A number and the one word that says of what: 12 weeks, 1.5 mg."""
    return text[:1] in "0123456789<>~" and _MEASURE.fullmatch(text) is not None


def letters_in(text: str) -> int:
    """How many letters a text has."""
    return len(_ALPHA.findall(text))


class Word:
    """Characters that stand together. Mutable only while a page is being read."""

    __slots__ = ("base", "bold", "bottom", "italic", "size", "text", "top", "turn", "x0", "x1")

    def __init__(
        self,
        text: str,
        box: tuple[float, float, float, float],
        base: float,
        size: float,
        bold: bool = False,
        italic: bool = False,
        turn: int = 0,
    ) -> None:
        self.text = text
        self.x0, self.top, self.x1, self.bottom = box
        self.base = base
        self.size = size
        self.bold = bold
        self.italic = italic
        self.turn = turn  # quarter turns against the page's reading direction

    def __repr__(self) -> str:
        return f"Word({self.text!r}, {self.x0:.0f}, {self.top:.0f}, {self.x1:.0f}, {self.bottom:.0f})"


class Rule(NamedTuple):
    """A straight line: `at` is its y (or x), from `start` to `end` along the other axis."""

    at: float
    start: float
    end: float


class Fill(NamedTuple):
    """A filled rectangle."""

    x0: float
    top: float
    x1: float
    bottom: float
    dark: bool  # white text on it can be read
    color: int = -1  # red, green, blue as one number


class PageMarks:
    """Everything seen on one page."""

    __slots__ = (
        "across",
        "chars",
        "down",
        "fills",
        "graphics",
        "height",
        "hidden",
        "light_across",
        "light_down",
        "links",
        "number",
        "pictures",
        "turn",
        "unmapped",
        "width",
        "words",
    )

    def __init__(self, number: int, width: float, height: float) -> None:
        self.number = number
        self.width = width
        self.height = height
        self.turn = 0  # quarter turns by which the page was turned for reading
        self.words: list[Word] = []
        self.across: list[Rule] = []  # horizontal rules
        self.down: list[Rule] = []  # vertical rules
        self.light_across: list[Rule] = []  # drawn in white: seen only where they lie on a fill
        self.light_down: list[Rule] = []
        self.fills: list[Fill] = []
        self.pictures: list[tuple[float, float, float, float]] = []
        self.graphics: list[tuple[float, float, float, float]] = []  # curves and many-sided paths: drawings, charts
        self.links: list[tuple[float, float, float, float]] = []  # to other places of the same document
        self.chars = 0
        self.hidden = 0  # characters nobody sees: invisible, white on white, outside the page
        self.unmapped = 0  # characters whose font does not say what they are
