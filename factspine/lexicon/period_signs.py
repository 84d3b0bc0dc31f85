"""What a text must have for a pattern of a period to be worth trying: most texts have none of it."""

from __future__ import annotations

import re

YEAR = r"(?:19|20)\d\d|2100"

# Signs of a text, each a letter, and what shows it: one of these stands somewhere in the text.
_DIGIT_SIGNS = {"s": "- / .", "/": "/", ".": ".", "o": "- ~ to 至 到"}
_LATIN_SIGNS = {
    "e": "end", "m": "jan feb mar apr may jun jul aug sep oct nov dec", "t": "tm twelve mma", "q": "q", "u": "quarter",
    "h": "h1 h2 1h 2h", "w": "half", "i": "nter", "d": "ytd date", "v": "week wk",
}  # fmt: skip
_CHINESE_SIGNS = {
    "年": "年", "月": "月", "季": "季", "前": "前", "截": "截", "民": "民国", "财": "财 会计",
    "w": "半", "t": "十二", "v": "周"
}  # fmt: skip
_DIGIT_PARTS, _LATIN_PARTS, _CHINESE_PARTS = (
    tuple((sign, part) for sign, parts in signs.items() for part in parts.split())
    for signs in (_DIGIT_SIGNS, _LATIN_SIGNS, _CHINESE_SIGNS)
)
_DIGIT = re.compile(r"\d")
_LATIN = re.compile(r"[a-z]")
_FOUR_DIGITS = re.compile(YEAR)
_COUNTED_MONTHS = re.compile(r"\d\s?m")
_FISCAL_DIGITS = re.compile(r"[fylr][-\s']*\d")


def signs_of(lowered: str) -> frozenset[str]:
    """What a text has that patterns need: n digits, l Latin letters, c Chinese ones, y a year, and the signs above."""
    found: list[str] = []
    parts: tuple[tuple[str, str], ...] = ()
    if not lowered.isascii():
        found.append("c")
        parts = _CHINESE_PARTS
    digits, latin = _DIGIT.search(lowered), _LATIN.search(lowered)
    if digits:
        found += "ny" if _FOUR_DIGITS.search(lowered) else "n"
        parts += _DIGIT_PARTS
    if latin:
        found.append("l")
        parts += _LATIN_PARTS
    if digits and latin:
        found += "k" if _COUNTED_MONTHS.search(lowered) else ""
        found += "f" if _FISCAL_DIGITS.search(lowered) else ""
    return frozenset(found + [sign for sign, part in parts if part in lowered])
