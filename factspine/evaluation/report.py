"""What a gold set came to: a line a question, four figures for all of it, and whether each meets its target."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

from factspine.cite.gates import OVERLAP_MIN
from factspine.evaluation.gold import GoldItem
from factspine.evaluation.running import Run

State = Literal["convergent", "divergent", "chaotic"]
MATCH_MIN = 0.95  # citation match rate
COVERAGE_MIN = 0.70
DELTA_S_MAX = 0.45
_QUESTIONS_PER_SECTION = 3
_DECIMALS = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemResult:
    """One question over all its runs."""

    id: str
    section: str
    runs: int
    match_rate: float
    coverage: float
    delta_s: float
    lambda_state: State
    overlap: float | None
    codes: dict[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """All questions, and the figures over every run."""

    items: tuple[ItemResult, ...]
    runs: int

    @property
    def match_rate(self) -> float:
        """The share of runs that cite the gold place with citations that hold."""
        return self._mean(lambda item: item.match_rate)

    @property
    def coverage(self) -> float:
        """How much of the gold passages was retrieved."""
        return self._mean(lambda item: item.coverage)

    @property
    def delta_s(self) -> float:
        """How far what was found is from what was asked."""
        return self._mean(lambda item: item.delta_s)

    @property
    def convergent(self) -> float:
        """The share of questions that come to the same place however they are put."""
        return self._mean(lambda item: float(item.lambda_state == "convergent"))

    @property
    def overlap(self) -> float | None:
        """The mean overlap with the ideal answers; None where none is given."""
        known = [item.overlap for item in self.items if item.overlap is not None]
        return round(sum(known) / len(known), _DECIMALS) if known else None

    @property
    def targets(self) -> dict[str, bool]:
        """Each target by name, and whether it is met."""
        met = {
            "citation_match_rate": self.match_rate >= MATCH_MIN,
            "coverage": self.coverage >= COVERAGE_MIN,
            "delta_s": self.delta_s <= DELTA_S_MAX,
            "lambda": self.convergent == 1.0,
        }
        return met if self.overlap is None else {**met, "overlap": self.overlap >= OVERLAP_MIN}

    @property
    def passed(self) -> bool:
        """Whether every target is met."""
        return all(self.targets.values())

    def thin_sections(self) -> list[str]:
        """Sections with fewer questions than say anything about a section."""
        counts = Counter(item.section for item in self.items)
        return sorted(name for name, count in counts.items() if count < _QUESTIONS_PER_SECTION)

    def as_dict(self) -> dict[str, Any]:
        """The evaluation as programs get it."""
        codes: Counter[str] = Counter()
        for item in self.items:
            codes.update(item.codes)
        return {
            "items": [{**asdict(item), "λ": item.lambda_state, "ΔS": item.delta_s} for item in self.items],
            "totals": {
                "questions": len(self.items),
                "runs": self.runs,
                "citation_match_rate": self.match_rate,
                "coverage": self.coverage,
                "ΔS": self.delta_s,
                "λ": "convergent" if self.convergent == 1.0 else "divergent",
                "convergent": self.convergent,
                "overlap": self.overlap,
                "codes": dict(codes),
                "thin_sections": self.thin_sections(),
            },
            "targets": self.targets,
            "passed": self.passed,
        }

    def _mean(self, of: Callable[[ItemResult], float]) -> float:
        return round(sum(map(of, self.items)) / len(self.items), _DECIMALS) if self.items else 0.0


def evaluate(items: Sequence[GoldItem], runs: Sequence[Run]) -> Evaluation:
    """The figures of a gold set from its runs."""
    results = [_result(item, [run for run in runs if run.item == item.id]) for item in items]
    return Evaluation(items=tuple(results), runs=len(runs))


def _result(item: GoldItem, runs: Sequence[Run]) -> ItemResult:
    overlaps = [run.overlap for run in runs if run.overlap is not None]
    return ItemResult(
        id=item.id,
        section=item.section,
        runs=len(runs),
        match_rate=_mean(float(run.matched) for run in runs),
        coverage=_mean(run.coverage for run in runs),
        delta_s=_mean(run.delta_s for run in runs),
        lambda_state=state_of(runs),
        overlap=_mean(overlaps) if overlaps else None,
        codes=dict(Counter(code for run in runs for code in run.codes)),
    )


def state_of(runs: Sequence[Run]) -> State:
    """Whether all runs come to one place; a seed that changes the place of one phrasing is worse than a phrasing."""
    by_phrasing: dict[int, set[tuple[str, str]]] = {}
    for run in runs:
        by_phrasing.setdefault(run.phrasing, set()).add((run.mode, run.place))
    if any(len(places) > 1 for places in by_phrasing.values()):
        return "chaotic"
    return "convergent" if len(set().union(*by_phrasing.values())) <= 1 else "divergent"


def _mean(values: Iterable[float]) -> float:
    known = list(values)
    return round(sum(known) / len(known), _DECIMALS) if known else 0.0
