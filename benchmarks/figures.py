"""Figures with what they must be and what they aim at; printed as a table and kept as JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

RESULTS = Path(__file__).parent / "results"


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One measured figure. `at_most` says which side of the bound is the good one."""

    measure: str
    value: float
    must: float | None = None
    aim: float | None = None
    at_most: bool = False
    note: str = ""

    @property
    def verdict(self) -> str:
        if self.must is None:
            return ""
        if self._reaches(self.aim if self.aim is not None else self.must):
            return "aim"
        return "must" if self._reaches(self.must) else "MISSED"

    def _reaches(self, bound: float) -> bool:
        return self.value <= bound if self.at_most else self.value >= bound


def report(title: str, figures: Sequence[Figure], name: str, extra: dict[str, object] | None = None) -> int:
    """Prints the figures, writes them to `results/NAME.json`; 1 where one misses what it must be."""
    table = Table(title=title)
    for head in ("measure", "figure", "must", "aim", "verdict", "note"):
        table.add_column(head, justify="right" if head in ("figure", "must", "aim") else "left")
    for figure in figures:
        sign = "≤ " if figure.at_most else "≥ "
        bounds = ["" if bound is None else f"{sign}{bound:g}" for bound in (figure.must, figure.aim)]
        style = "red" if figure.verdict == "MISSED" else None
        table.add_row(figure.measure, f"{figure.value:.4g}", *bounds, figure.verdict, figure.note, style=style)
    Console(width=140).print(table)
    RESULTS.mkdir(exist_ok=True)
    content = {"figures": [{**asdict(figure), "verdict": figure.verdict} for figure in figures], **(extra or {})}
    path = RESULTS / f"{name}.json"
    path.write_text(json.dumps(content, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
    print(f"written to {path}")
    return int(any(figure.verdict == "MISSED" for figure in figures))
