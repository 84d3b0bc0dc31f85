"""Chinese numerals: 三千, 一百二十三点五, and the digit-by-digit way of writing years, 二零二四."""

from __future__ import annotations

from decimal import Decimal

_DIGITS = dict(zip("零〇一二三四五六七八九两壹贰叁肆伍陆柒捌玖", (0, *range(10), 2, *range(1, 10)), strict=True))
_SMALL = {"十": 10, "拾": 10, "百": 100, "佰": 100, "千": 1000, "仟": 1000}
_LARGE = {"万": 10**4, "亿": 10**8}
_LONGEST = 24


def chinese_digits(text: str) -> str | None:
    """二零二四 -> 2024: one digit a character; None where anything else is in it."""
    if not text or len(text) > _LONGEST or any(c not in _DIGITS for c in text):
        return None
    return "".join(str(_DIGITS[c]) for c in text)


def small_number(text: str) -> int | None:
    """三 -> 3, 十二 -> 12, 12 -> 12: a month, day or quarter in either script."""
    if text.isascii() and text.isdigit():
        return int(text)
    if not text or any(c not in _DIGITS and c not in "十拾" for c in text):
        return None
    whole = _whole(text)
    return whole if whole is not None and whole < 100 else None


def chinese_number(text: str) -> Decimal | None:
    """The value of a number written in Chinese with its powers of ten; None where it is not one.

    A numeral without 百, 千, 万, 亿 or 点 is not taken as a value: 一, 二, 十一 number lists and name things.
    """
    if not 1 < len(text) <= _LONGEST or (text[0] not in _DIGITS and text[0] not in "十拾"):
        return None
    if not any(c in "百佰千仟万亿点" for c in text):
        return None
    before, point, after = text.partition("点")
    whole = _whole(before)
    fraction = chinese_digits(after) if point else ""
    if whole is None or fraction is None:
        return None
    return Decimal(f"{whole}.{fraction}") if fraction else Decimal(whole)


def _whole(text: str) -> int | None:
    """The whole number a numeral says; powers must fall within each group."""
    total, group, digit, last_power = 0, 0, None, 10**5
    for character in text:
        if character in _DIGITS:
            if digit:
                return None  # 三四 is no number; 零 before a digit is
            digit = _DIGITS[character]
        elif character in _SMALL:
            power = _SMALL[character]
            if power >= last_power:
                return None
            group += (1 if digit is None else digit) * power
            digit, last_power = None, power
        elif character in _LARGE:
            group += digit or 0
            if group == 0:
                return None
            total = (total + group) * _LARGE[character] if total < _LARGE[character] else total
            total += 0 if total % _LARGE[character] == 0 else group * _LARGE[character]
            group, digit, last_power = 0, None, 10**5
        else:
            return None
    return total + group + (digit or 0)
