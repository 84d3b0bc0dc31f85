"""Exact decimal values. Floats never carry a value; text does, in one canonical form.

Canonical: no exponent, no leading `+`, no thousands separators, trailing zeros of the fraction removed, `-0` is `0`.
How many decimals the document showed is kept beside the value (`decimals`), not in it.
"""

from __future__ import annotations

import re
from decimal import Context, Decimal, InvalidOperation

# Wide enough for any number a document shows; arithmetic on facts never rounds below it.
EXACT = Context(prec=76)

# A binary double carries at most 17 digits, of which spreadsheets show 15. When rounding to 15 digits gives a much
# shorter number, what follows is noise of binary arithmetic (0.1 + 0.2), not something a person typed.
_SHOWN_DIGITS = 15
_SHORT_DIGITS = 12
_ROUNDED_DIGITS = 16
# … unless it is so large that what looks like noise is a visible fraction: cents of a hundred trillion are kept.
_NOISE_MAX = 0.001
# What an office file may store as a number. An exponent past what a double can hold is no number of a document, and
# would be written out digit by digit.
_STORED = re.compile(r"[+-]?(?:\d{1,400}(?:\.\d{0,400})?|\.\d{1,400})(?:[eE][+-]?0*\d{1,3})?", re.ASCII)
_EXPONENT_MAX = 308
# What is canonical as it stands and short enough to be no binary double: nearly every number of a document.
_PLAIN = re.compile(r"(?:0|-?[1-9]\d{0,9})(?:\.\d{0,3}[1-9])?", re.ASCII)


def canonical(value: Decimal) -> str:
    """The one text form of a value."""
    if not value.is_finite():
        raise ValueError(f"{value} is not a number a document can hold")
    text = format(value, "f")
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def shift_canonical(text: str, power: int) -> str:
    """A canonical text times a power of ten: the point moves, the digits stay."""
    sign, digits = ("-", text[1:]) if text[0] == "-" else ("", text)
    whole, _, fraction = digits.partition(".")
    if power >= 0:
        fraction = fraction.ljust(power, "0")
        whole, fraction = whole + fraction[:power], fraction[power:]
    else:
        whole = whole.rjust(1 - power, "0")
        whole, fraction = whole[:power], whole[power:] + fraction
    whole, fraction = whole.lstrip("0") or "0", fraction.rstrip("0")
    shifted = f"{whole}.{fraction}" if fraction else whole
    return shifted if shifted == "0" else sign + shifted


def parse_canonical(text: str) -> Decimal:
    """The value of a canonical text; anything else is an error."""
    try:
        value = EXACT.create_decimal(text)
    except InvalidOperation as error:
        raise ValueError(f"not a decimal: {text[:40]!r}") from error
    if canonical(value) != text:
        raise ValueError(f"not canonical: {text[:40]!r}")
    return value


def decimal_of_double(number: float) -> str:
    """The canonical text of a binary double as a spreadsheet stores it.

    The shortest text that reads back as the same double, except where that is visibly binary noise.
    """
    text = repr(number)
    if len(text) > _SHOWN_DIGITS:
        rounded = format(number, f".{_SHOWN_DIGITS}g")
        if (
            _significant_digits(rounded) <= _SHORT_DIGITS < _significant_digits(text)
            and abs(float(rounded) - number) < _NOISE_MAX
        ):
            text = rounded
    return canonical(Decimal(text))


def decimal_of_stored(text: str) -> str | None:
    """The canonical text of a number as an office file stores it; None where it is none.

    Fifteen digits are what somebody typed, and are taken as they stand, as are all digits of an integer. More than
    that is how a program writes out a binary double, shortest (16 digits) or in full (17): both are the same double
    and must give the same value, without the noise of binary arithmetic.
    """
    if _PLAIN.fullmatch(text):
        return text
    text = text.strip()
    if not _STORED.fullmatch(text):
        return None
    mantissa, _, exponent = text.lower().partition("e")
    if exponent and abs(int(exponent)) > _EXPONENT_MAX:
        return None
    if len(text) > _SHOWN_DIGITS and "." in mantissa and (digits := _significant_digits(text)) > _SHOWN_DIGITS:
        number = float(text)
        # Sixteen digits that no program writes for their double were written as a decimal (99999999999999.99).
        if digits > _ROUNDED_DIGITS or Decimal(text) in (Decimal(repr(number)), Decimal(format(number, ".16g"))):
            return decimal_of_double(number)
    return canonical(Decimal(text))


def _significant_digits(text: str) -> int:
    mantissa = text.lower().partition("e")[0].replace(".", "").lstrip("+-0")
    return len(mantissa.rstrip("0"))
