"""Several at once: a question that names two places, periods or metrics, as one question about each."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import product
from typing import NamedTuple

from factspine.ask.display import period_text
from factspine.ask.question import Question

_JOINED = re.compile(
    r"\s*(?:[、,,;/&+]|和|与|及|以及|跟|还有|对比|相比|\band\b|\bvs\.?(?=\s)|\bversus\b|\bor\b|\s)*\s*", re.IGNORECASE
)
_RESPECTIVELY = re.compile(r"分别|各自|\brespectively\b", re.IGNORECASE)
_MOST = 24
Span = tuple[int, int]


class Single(NamedTuple):
    """One of several questions that were asked at once."""

    text: str
    row: str  # which place, channel, organisation and metric it is about, as they were asked for
    column: str  # which period; "" where the question lists none


def asks_each(text: str) -> bool:
    """Whether a question says that it wants an answer for each of what it lists."""
    return _RESPECTIVELY.search(text) is not None


def singles_in(question: Question, names: Sequence[Sequence[Span]], organisations: Sequence[Span] = ()) -> list[Single]:
    """The questions that one question holds, by the first of several sets of names that make a list of it."""
    for metrics in names:
        lists = lists_of(question, metrics, organisations)
        if lists and (singles := single_questions(question, lists)):
            return singles
    return []


def lists_of(question: Question, metrics: Sequence[Span] = (), organisations: Sequence[Span] = ()) -> list[list[Span]]:
    """The lists a question holds: places, channels, organisations, metrics or periods that stand joined.

    `metrics` and `organisations` are names that the store knows and the lexicon may not; they go before the lexicon's.
    """
    kinds: dict[str, list[Span]] = {}
    for period in question.periods:
        kinds.setdefault("p", []).append((period.span_start, period.span_end))
    for phrase in question.phrases:
        kind = phrase.form[0]
        known = {"m": metrics, "e": organisations}.get(kind, ())
        if any(phrase.start < end and start < phrase.end for start, end in known):
            continue
        if kind != "p":
            kinds.setdefault(kind, []).append((phrase.start, phrase.end))
    kinds.setdefault("m", []).extend(metrics)
    kinds.setdefault("e", []).extend(organisations)
    found = []
    taken: list[Span] = []
    for kind in ("p", "g", "c", "e", "m"):
        group = _joined(sorted(kinds.get(kind, ())), question.text)
        if len(group) > 1 and all(end <= first or last <= start for start, end in group for first, last in taken):
            found.append(group)
            taken += group
    return found


def _joined(spans: list[Span], text: str) -> list[Span]:
    """The longest run of spans with nothing but a conjunction between them."""
    best: list[Span] = []
    run: list[Span] = []
    for span in spans:
        between = text[run[-1][1] : span[0]] if run else ""
        joined = (
            bool(run) and span[0] >= run[-1][1] and _JOINED.fullmatch(between) is not None and between.strip() != ""
        )
        run = [*run, span] if joined else [span]
        if len(run) > len(best):
            best = run
    return best


def single_questions(question: Question, lists: list[list[Span]]) -> list[Single]:
    """One question for each combination, in the order of the question; empty where there would be too many."""
    text = question.text
    # `Q3 and Q2 2024`: alone, each must say its year.
    names = {(p.span_start, p.span_end): period_text(p.period_type, p.period) for p in question.periods}
    combinations = list(product(*lists))
    if not 1 < len(combinations) <= _MOST:
        return []
    found = []
    for chosen in combinations:
        # Each list gives way to the one of its members that is asked about, from the last to the first.
        single = text
        for group, (start, end) in sorted(zip(lists, chosen, strict=True), key=lambda pair: -pair[0][0][0]):
            single = f"{single[: group[0][0]]} {names.get((start, end), text[start:end])} {single[group[-1][1] :]}"
        row = " ".join(text[start:end] for start, end in sorted(chosen) if (start, end) not in names)
        column = next((names[span] for span in chosen if span in names), "")
        found.append(Single(" ".join(_RESPECTIVELY.sub(" ", single).split()), row, column))
    return found
