"""A number as one section of a number format shows it, worked out on digits: no float ever rounds what is printed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

Token = tuple[Literal["literal", "digit", "dot", "comma", "percent", "exponent", "general", "slash"], str]

_DIGITS = "0#?"


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberSection:
    """What stands before, in and behind the digits of a number."""

    prefix: str = ""
    suffix: str = ""
    whole: str = ""  # the placeholders left of the point, with literals between them as (position from the right, text)
    inserts: tuple[tuple[int, str], ...] = ()
    grouped: bool = False
    fraction: str = ""
    point: bool = False
    shift: int = 0  # power of ten applied before showing: percent adds 2, a trailing comma takes 3
    exponent: str = ""  # "E+" or "E-", with `exponent_digits` places
    exponent_digits: int = 0
    general: bool = False  # the word General: every digit of the value
    bare: bool = False  # no place for digits at all: the section is a text
    usual: bool = False  # one digit at least before the point and so many behind it, as in `#,##0.00`: shown at once

    def show(self, digits: str, signed: bool) -> str:
        """The text of a canonical number; `signed` where the section does not say itself that it is negative."""
        negative = digits[0] == "-"
        sign = "-" if negative and signed else ""
        body = digits[1:] if negative else digits
        if self.bare:
            return sign + self.prefix
        if self.general:
            return f"{sign}{self.prefix}{body}{self.suffix}"
        whole, _, fraction = body.partition(".")
        if self.exponent:
            return f"{sign}{self.prefix}{self._scientific(whole, fraction)}{self.suffix}"
        if self.shift:
            whole, fraction = _shifted(whole, fraction, self.shift)
        places = len(self.fraction)
        if len(fraction) > places:
            whole, fraction = _rounded(whole, fraction, places)
        if self.usual:
            shown = f"{int(whole):,}" if self.grouped else str(int(whole))
            behind = f".{fraction.ljust(places, '0')}" if places else ""
            return f"{sign}{self.prefix}{shown}{behind}{self.suffix}"
        return f"{sign}{self.prefix}{self._whole(whole)}{self._fraction(fraction)}{self.suffix}"

    def show_all(self, numbers: Iterable[str]) -> list[str]:
        """The texts of canonical numbers, all of which this section shows; a sheet has a million of them."""
        if not self.usual or self.shift or self.exponent or self.prefix or self.suffix:
            return [self.show(digits, True) for digits in numbers]
        places, grouped = len(self.fraction), "," if self.grouped else "d"
        texts = []
        for digits in numbers:
            whole, _, fraction = digits.partition(".")
            if digits[0] == "-" or len(fraction) > places:
                texts.append(self.show(digits, True))
            elif places:
                texts.append(f"{int(whole):{grouped}}.{fraction:0<{places}}")
            else:
                texts.append(f"{int(whole):{grouped}}")
        return texts

    def _whole(self, whole: str) -> str:
        whole = whole.lstrip("0").rjust(self.whole.count("0"), "0")
        if self.inserts:
            return _inserted(whole, self.inserts)
        if self.grouped and len(whole) > 3:
            if whole[0] != "0":
                return f"{int(whole):,}"  # a third of the time of cutting it up
            head = len(whole) % 3
            groups = [whole[:head]] if head else []
            groups += [whole[i : i + 3] for i in range(head, len(whole), 3)]
            return ",".join(groups)
        return whole

    def _fraction(self, fraction: str) -> str:
        if not self.point:
            return ""
        places = len(self.fraction)
        fraction = fraction.ljust(places, "0")
        kept = places
        while kept and fraction[kept - 1] == "0" and self.fraction[kept - 1] != "0":
            kept -= 1
        return "." + fraction[:kept]

    def _scientific(self, whole: str, fraction: str) -> str:
        digits = (whole + fraction).lstrip("0")
        step = max(len(self.whole), 1)
        power = 0
        if digits:
            leading = len(whole + fraction) - len(digits)
            power = len(whole) - leading - 1
            power -= power % step if step > 1 else 0
            whole, fraction = _shifted(whole, fraction, -power)
            rounded, rest = _rounded(whole, fraction, len(self.fraction))
            if len(rounded.lstrip("0")) > step:  # 9.99 rounds up to 10
                power += step
                rounded, rest = _rounded(*_shifted(whole, fraction, -step), len(self.fraction))
            whole, fraction = rounded, rest
        sign = "-" if power < 0 else ("+" if self.exponent.endswith("+") else "")
        mantissa = self._whole(whole) + self._fraction(fraction)
        return f"{mantissa}{self.exponent[0]}{sign}{str(abs(power)).rjust(self.exponent_digits, '0')}"


def _shifted(whole: str, fraction: str, power: int) -> tuple[str, str]:
    """The digits with the point moved: to the right by a positive power."""
    if power > 0:
        fraction = fraction.ljust(power, "0")
        return (whole + fraction[:power]).lstrip("0") or "0", fraction[power:]
    if power < 0:
        whole = whole.rjust(1 - power, "0")
        return whole[:power], whole[power:] + fraction
    return whole, fraction


def _rounded(whole: str, fraction: str, places: int) -> tuple[str, str]:
    """The digits rounded half away from zero, as spreadsheets do."""
    if len(fraction) <= places:
        return whole, fraction
    kept = whole + fraction[:places]
    if fraction[places] >= "5":
        kept = str(int(kept) + 1).rjust(len(kept), "0")
    return (kept[: len(kept) - places] or "0", kept[len(kept) - places :]) if places else (kept, "")


def _inserted(whole: str, inserts: tuple[tuple[int, str], ...]) -> str:
    """Literals that stand between the digits, as in a telephone number."""
    for from_right, text in sorted(inserts):
        offset = sum(len(t) for p, t in inserts if p < from_right)
        cut = max(len(whole) - from_right - offset, 0)
        whole = whole[:cut] + text + whole[cut:]
    return whole


def number_section(tokens: list[Token]) -> NumberSection | None:
    """The plan of a section; None where it is a kind that is shown as General (fractions)."""
    kinds = [kind for kind, _ in tokens]
    if "slash" in kinds and "digit" in kinds:
        return None
    if "general" in kinds:
        at = kinds.index("general")
        return NumberSection(prefix=_literals(tokens[:at]), suffix=_literals(tokens[at + 1 :]), general=True)
    if "digit" not in kinds:
        return NumberSection(prefix=_literals(tokens, keep_marks=True), bare=True)
    first = kinds.index("digit")
    if first and kinds[first - 1] == "dot":
        first -= 1
    last = len(kinds) - 1 - kinds[::-1].index("digit")
    while last + 1 < len(tokens) and kinds[last + 1] in ("comma", "dot"):
        last += 1
    percents = kinds.count("percent")
    return _digits_plan(tokens[first : last + 1], _literals(tokens[:first]), _literals(tokens[last + 1 :]), percents)


def _digits_plan(core: list[Token], prefix: str, suffix: str, percents: int) -> NumberSection:
    whole, fraction, exponent, exponent_digits = "", "", "", 0
    literals: list[tuple[int, str]] = []  # whole digits seen before the literal
    commas, grouped, point = 0, False, False
    for kind, text in core:
        if kind == "digit":
            if exponent:
                exponent_digits += 1
            elif point:
                fraction += text
            else:
                grouped = grouped or commas > 0
                whole += text
            commas = 0
        elif kind == "comma":
            commas += 1
        elif kind == "dot":
            point = True
        elif kind == "exponent":
            exponent = text
        elif kind in ("literal", "percent") and not point and not exponent:
            literals.append((len(whole), text))
    return NumberSection(
        prefix=prefix,
        suffix=suffix,
        whole=whole,
        inserts=tuple((len(whole) - seen, text) for seen, text in literals),
        grouped=grouped,
        fraction=fraction,
        point=point,
        shift=2 * percents - 3 * commas,
        exponent=exponent,
        exponent_digits=exponent_digits,
        usual=whole.count("0") == 1 and not literals and set(fraction) <= {"0"} and point == bool(fraction),
    )


def _literals(tokens: list[Token], *, keep_marks: bool = False) -> str:
    """The texts around the digits; marks that mean something only among digits are shown where there are none."""
    shown = ("literal", "percent", "slash", "comma", "dot") if keep_marks else ("literal", "percent", "slash", "dot")
    return "".join(text for kind, text in tokens if kind in shown)
