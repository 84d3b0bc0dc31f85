"""Arithmetic that a text states, `11.9% = (1,320 − 1,180) ÷ 1,180`, done again with numbers of the evidence only.

The result stands if every operand stands in the evidence digit for digit, all of them in one unit, and what comes out
is the result as it is rounded, in that unit; of a division, a percentage or a plain number. A number without its sum is
no derivation, however well it would come out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from decimal import Decimal, DivisionByZero, InvalidOperation, localcontext
from typing import NamedTuple

from factspine.cite.figures import Figure

_STATED = re.compile(r"=\s*(?P<sum>[(\d][\d,.()+\-−–×*÷/^\s]*[\d)])")
_PIECE = re.compile(r"\d[\d,]*(?:\.\d+)?|[()+\-−–×*÷/^]")
_MINUS, _TIMES, _OVER = frozenset("-−–"), frozenset("×*"), frozenset("÷/")
_DIGITS = 40
_LONGEST = 400  # characters
Measured = frozenset[tuple[str, int]]  # the units and scales in which the evidence has a number


class Stated(NamedTuple):
    """A sum that a text states: where it stands, its operands, and what it comes to."""

    start: int  # of the equals sign
    end: int
    operands: tuple[str, ...]
    value: Decimal
    divided: bool  # by another operand; what comes out has no unit


def find_stated(text: str) -> list[Stated]:
    """The sums of a text that can be done."""
    found = []
    for match in _STATED.finditer(text):
        pieces = _PIECE.findall(match["sum"])
        if len(match["sum"]) > _LONGEST or not any(piece[0].isdigit() for piece in pieces):
            continue
        try:
            with localcontext() as context:
                context.prec = _DIGITS
                reader = _Reader(pieces)
                value = reader.read()
        except (InvalidOperation, DivisionByZero, IndexError, ValueError):
            continue
        found.append(Stated(match.start(), match.end(), tuple(reader.operands), value, reader.divided))
    return found


def bears(stated: Stated, result: Figure, measured: Callable[[str], Measured]) -> bool:
    """Whether a sum of numbers of the evidence comes to this result; `measured` tells the units of a number."""
    common = frozenset.intersection(*map(measured, stated.operands)) if stated.operands else frozenset()
    if not common:
        return False
    step = Decimal(10) ** -result.decimals
    value = -result.value if result.negative else result.value
    if stated.divided:
        if result.measure.unit == "%":
            return abs(stated.value * 100 - value) <= step / 2
        return result.measure.unit in ("", "x") and not result.measure.scale and abs(stated.value - value) <= step / 2
    own = "%" if result.measure.unit == "pp" else result.measure.unit
    return (own, result.measure.scale) in common and abs(stated.value - value) <= step / 2


def result_of(stated: Stated, figures: Sequence[Figure], text: str) -> Figure | None:
    """The number right before the equals sign."""
    before = [figure for figure in figures if figure.end <= stated.start]
    return before[-1] if before and not text[before[-1].end : stated.start].strip() else None


class _Reader:
    """Reads a sum by the usual precedence; notes the operands, and whether one is divided by another."""

    def __init__(self, pieces: Sequence[str]) -> None:
        self._pieces = [*pieces, ""]
        self._at = 0
        self._addends = 1
        self.operands: list[str] = []
        self.divided = False

    def read(self) -> Decimal:
        value = self._terms()
        if self._pieces[self._at]:
            raise ValueError("something is left over")
        return value

    def _terms(self) -> Decimal:
        value, self._addends = self._factors(), 1
        addends = 1
        while (sign := self._pieces[self._at]) and (sign == "+" or sign in _MINUS):
            self._at += 1
            if sign != "+" and self.divided and self._pieces[self._at : self._at + 2] == ["1", ""]:
                self._at += 1
                return value - 1  # of a growth: what is more than the whole
            value = value + self._factors() if sign == "+" else value - self._factors()
            addends += sign == "+"
        self._addends = addends
        return value

    def _factors(self) -> Decimal:
        value = self._power()
        while (sign := self._pieces[self._at]) and (sign in _TIMES or sign in _OVER):
            self._at += 1
            if sign in _TIMES:
                raise ValueError("no answer multiplies")
            # The count of what was added up is no number of the evidence: a mean.
            if self._addends > 1 and self._pieces[self._at] == str(self._addends):
                self._at += 1
                value, self._addends = value / Decimal(self._pieces[self._at - 1]), 1
                continue
            self.divided = True
            value /= self._power()
        return value

    def _power(self) -> Decimal:
        value = self._atom()
        if self._pieces[self._at] == "^":
            if self._pieces[self._at + 1 : self._at + 4] != ["(", "1", "/"] or self._pieces[self._at + 5] != ")":
                raise ValueError("only roots are taken")
            years = Decimal(self._pieces[self._at + 4])
            self._at += 6
            return value ** (1 / years)
        return value

    def _atom(self) -> Decimal:
        piece = self._pieces[self._at]
        self._at += 1
        if piece == "(":
            value = self._terms()
            if self._pieces[self._at] != ")":
                raise ValueError("a bracket is open")
            self._at += 1
            return value
        value = Decimal(piece.replace(",", ""))
        self.operands.append(piece)
        return value
