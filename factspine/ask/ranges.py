# ruff: noqa: E501 - a pattern on one line can be read; folded, it cannot
"""Questions over many: the highest of the stores, the sum over the regions, how the years rank."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal

from factspine.ask import compute
from factspine.ask.cells import CellResolver
from factspine.ask.compute import NotComparable
from factspine.ask.display import amount_text, subject_text
from factspine.ask.lookup import Lookup
from factspine.ask.operations import Operation, without_which
from factspine.ask.question import Question
from factspine.ask.ranked import kind_of, without_kind
from factspine.ask.render import listed_answer, operation_name
from factspine.ask.resolution import Resolution
from factspine.core.answers import Derivation
from factspine.core.facts import Fact
from factspine.core.values import canonical

_DIMENSIONS: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "entity",
        re.compile(
            r"门店|店铺|哪家|哪间|公司|分行|\b(?:stores?|shops?|compan(?:y|ies)|branch(?:es)?|entit(?:y|ies))\b", re.I
        ),
    ),
    (
        "geography",
        re.compile(r"地区|市场|国家|\b(?:regions?|markets?|countr(?:y|ies)|geograph(?:y|ies)|places?)\b", re.I),
    ),
    ("channel", re.compile(r"渠道|\bchannels?\b", re.I)),
    (
        "period",
        re.compile(
            r"哪(?:一)?年|各年|历年|(?:每|各个?|分|按)年度?|年份|哪(?:个|一)?(?:季度|月)|(?:各个?|每个?|分|按)(?:季度|月)|每年|\b(?:which|each|every|by|per) (?:year|quarter|month)\b|\byears\b|\bquarters\b|\bmonths\b",
            re.I,
        ),
    ),
)
# Years are not ranked among quarters.
_LENGTHS = (
    (("Q",), re.compile(r"季|\bquarters?\b", re.I)),
    (("M",), re.compile(r"月|\bmonths?\b", re.I)),
    (("HY",), re.compile(r"半年|\bhalf[- ]years?\b", re.I)),
    (("FY", "INSTANT"), re.compile(r"年|\byears?\b", re.I)),
)
_TOP = re.compile(r"前([一二三四五六七八九十]|\d+)|\btop (\d+)\b", re.IGNORECASE)
_HAN_DIGITS = {digit: number for number, digit in enumerate("一二三四五六七八九十", 1)}
_OVER_MANY = frozenset({"max", "min", "rank", "average", "sum", "count", "list"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranged:
    """What an operation over many came to."""

    operation: str = ""
    facts: tuple[Fact, ...] = ()  # cited, the most telling first
    operands: tuple[Fact, ...] = ()
    value: Decimal | None = None
    decimals: int = 0
    unit: str | None = None
    scale: int | None = None
    formula: str = ""
    failed: Resolution | None = None
    basis: str = ""
    shown: int = field(default=0)

    @property
    def derivation(self) -> Derivation:
        """How it was worked out, for whoever checks it."""
        return Derivation(
            operation=self.operation,
            formula=self.formula,
            operands=tuple(fact.fact_id for fact in self.operands),
            value="" if self.value is None else canonical(self.value),
            unit=self.unit or "",
        )

    def text(self, language: str) -> str:
        """The answer in words."""
        name = operation_name(self.operation, language)
        colon = ":" if language == "zh" else ": "
        if self.operation in ("rank", "list"):
            return listed_answer(name, self.facts[: self.shown], language)
        if self.operation in ("max", "min"):
            count = len(self.operands)
            among = f"{name}(共 {count} 项)" if language == "zh" else f"{name} of {count}"
            return listed_answer(among, self.facts[:1], language)
        head = subject_text(self.facts[0], language) if self.operation != "count" else ""
        value = amount_text(self.value or Decimal(0), self.decimals, self.unit or "", self.scale or 0, language)
        return listed_answer(
            f"{name}{colon}{value} = {self.formula}" if head else f"{name}{colon}{value}", self.facts, language
        )

    def assumptions(self, language: str) -> tuple[str, ...]:
        """What the operation ranges over."""
        count = len(self.operands)
        return (f"共 {count} 项参与计算" if language == "zh" else f"{count} figures were taken into account",)


class Ranger:
    """Works operations over many out."""

    def __init__(self, read: Callable[[str], Question], lookup: Lookup, cells: CellResolver | None = None) -> None:
        self._read = read
        self._lookup = lookup
        self._cells = cells

    def work_out(self, operation: Operation) -> Ranged | None:
        """The result; None where the question is not one over many."""
        if operation.kind not in _OVER_MANY:
            return None
        wide = f"{operation.question} {operation.words}"
        dimension = next((name for name, pattern in _DIMENSIONS if pattern.search(wide)), "")
        question = self._read(_without_dimension(without_which(operation.question)))
        lengths = next((kinds for kinds, pattern in _LENGTHS if pattern.search(wide)), ())
        series = self._lookup.series(question, dimension, lengths if dimension == "period" else ())
        if self._cells is not None and not (isinstance(series, list) and len(series) > 1):
            # Few documents: what no name leads to, the labels of a table may.
            series = self._along(operation) or series
        if series is None:
            return None
        if isinstance(series, Resolution):
            return Ranged(failed=series)
        if len(series) < 2:
            return None
        try:
            ranged = self._apply(operation, series)
            asks_year = dimension == "period" and operation.kind in ("max", "min") and "FY" in lengths
            return _year_of(ranged) if asks_year else ranged
        except NotComparable as error:
            return Ranged(basis=str(error))

    def _along(self, operation: Operation) -> list[Fact] | None:
        if self._cells is None or operation.kind not in ("max", "min", "rank"):
            return None
        asked = operation.question
        return self._cells.along(self._read(without_kind(asked)), kind_of(asked))

    def _apply(self, operation: Operation, series: Sequence[Fact]) -> Ranged:
        if operation.kind in ("sum", "average"):
            result = compute.total(series) if operation.kind == "sum" else compute.average(series)
            return Ranged(
                operation=operation.kind,
                facts=tuple(series),
                operands=tuple(series),
                value=result.value,
                decimals=result.decimals,
                unit=result.unit,
                scale=result.scale,
                formula=result.formula,
            )
        if operation.kind == "list":
            return Ranged(
                operation="list", facts=tuple(series), operands=tuple(series), formula="list", shown=len(series)
            )
        ordered = compute.ordered(series, largest_first=operation.kind != "min")
        if operation.kind == "count":
            return Ranged(
                operation="count",
                facts=tuple(ordered),
                operands=tuple(ordered),
                value=Decimal(len(ordered)),
                unit="",
                scale=0,
                formula=f"count = {len(ordered)}",
            )
        first = ordered[0]
        top = _TOP.search(operation.words)
        shown = len(ordered) if top is None else _number(top)
        if operation.kind == "rank":
            return Ranged(
                operation="rank",
                facts=tuple(ordered),
                operands=tuple(ordered),
                formula="rank",
                shown=shown,
            )
        return Ranged(
            operation=operation.kind,
            facts=tuple(ordered),
            operands=tuple(ordered),
            value=first.value,
            decimals=first.decimals,
            unit=first.unit,
            scale=first.scale,
            formula=f"{operation.kind} of {len(ordered)}",
        )


def _year_of(ranged: Ranged) -> Ranged:
    """Who asks which year gets the year for an answer; the figure stands beside it."""
    year = ranged.facts[0].period[:4]
    return replace(ranged, value=Decimal(year), decimals=0, unit="year", scale=0) if year.isdigit() else ranged


def _without_dimension(text: str) -> str:
    for _, pattern in _DIMENSIONS:
        text = pattern.sub(" ", text)
    return text


def _number(match: re.Match[str]) -> int:
    digits = match[1] or match[2]
    return _HAN_DIGITS.get(digits) or int(digits)
