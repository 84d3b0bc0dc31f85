"""Along a row or a column: what a table says of each of its lines, and which stretches of a question name them.

A question that names a column and no row (`which city had the highest rate`) is about all rows of that column. Totals,
and lines that others stand under, are not among them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from factspine.ask.candidates import TEXT, Candidate
from factspine.ask.matching import Matcher
from factspine.ask.question import Question
from factspine.ask.scope import Line, Scope, ScopeTable
from factspine.ask.words import Token, function_words, stem, tokens

_LINES_MOST = 40  # of a longer table not every line is looked at
_WHOLE = re.compile(r"\s*(?:all|both|total|overall)\b|全国|全部|总计|合计", re.IGNORECASE)
_BRACKET = re.compile(r"[(（\[]")
_NUMBERING = re.compile(r"^(?:[一二三四五六七八九十\d]+[、.．]|其中[:：])\s*")
Span = tuple[int, int]


def members(
    matcher: Matcher, scope: Scope, ranked: Sequence[Candidate], unused: Callable[[Candidate], bool]
) -> list[Candidate] | None:
    """The cells of the one row or column that a question names, one for each line that it does not name."""
    numbers = [c for c in ranked if c.fact.period_type != TEXT and not _is_whole(c, scope)]
    if not numbers or unused(numbers[0]):
        return None
    best = numbers[0]
    if max(len(best.table.rows), len(best.table.cols)) > _LINES_MOST:
        return None
    alike = [
        c for c in numbers if c.table is best.table and c.by_labels == best.by_labels and _same_kind(c.fact, best.fact)
    ]
    along_column = [c for c in alike if c.fact.col == best.fact.col]
    along_row = [c for c in alike if c.fact.row == best.fact.row]
    if (len(along_column) > 1) == (len(along_row) > 1):
        return None  # neither the row nor the column is named, or both are
    chosen = along_column if len(along_column) > 1 else along_row
    # Another column that the question names as well as this one would have lines of its own.
    rivals = [c for c in numbers if c not in chosen and c.by_labels == best.by_labels and best.score - c.score < 0.1]
    return None if rivals else chosen


def _same_kind(first: object, second: object) -> bool:
    return all(getattr(first, name) == getattr(second, name) for name in ("unit", "period_type", "status"))


def _is_whole(candidate: Candidate, scope: Scope) -> bool:
    """Whether a cell is of all the others together, or of a line that others stand under."""
    if "total" in candidate.fact.status.split():
        return True
    table = candidate.table
    for lines, position in ((table.rows, candidate.fact.row), (table.cols, candidate.fact.col)):
        own = [line for line in lines if line.head.position == position and _holds(line, candidate)]
        if any(_WHOLE.match(scope.labels[label].text) for line in own for label in line.labels[-1:]):
            return True
        if any(_is_above(line, other) for line in own for other in lines):
            return True
    return False


def _holds(line: Line, candidate: Candidate) -> bool:
    across = candidate.fact.col if line.head.axis == "r" else candidate.fact.row
    return line.head.cross_first <= across <= line.head.cross_last


def _is_above(line: Line, other: Line) -> bool:
    return len(other.labels) > len(line.labels) > 0 and other.labels[: len(line.labels)] == line.labels


def label_stretches(question: Question, tables: Sequence[ScopeTable], scope: Scope) -> list[Span]:
    """The stretches of a question that are labels of rows or columns, longest first, none within another."""
    words = [token for token in tokens(question.text) if token.kind != "han"]
    stems = [stem(token.text) for token in words]
    found: set[Span] = set()
    for number in {label for table in tables for line in (*table.rows, *table.cols) for label in line.labels}:
        text = _BRACKET.split(scope.labels[number].text, maxsplit=1)[0].rstrip(" .…")
        for form in {text, text.partition(",")[0]}:
            found.update(_latin_stretches(form, words, stems))
            found.update(_han_stretches(_NUMBERING.sub("", form).strip(), question.text))
    periods = [(period.span_start, period.span_end) for period in question.periods]
    taken: list[Span] = []
    for span in sorted(found, key=lambda span: (span[0] - span[1], span)):
        if all(span[1] <= start or end <= span[0] for start, end in (*taken, *periods)):
            taken.append(span)
    return sorted(taken)


def _latin_stretches(label: str, words: Sequence[Token], stems: Sequence[str]) -> list[Span]:
    wanted = [stem(token.text) for token in tokens(label) if token.kind != "han"]
    if not wanted or all(word in function_words() or word.isdigit() for word in wanted):
        return []
    return [
        (words[at].start, words[at + len(wanted) - 1].end)
        for at in range(len(words) - len(wanted) + 1)
        if list(stems[at : at + len(wanted)]) == wanted
    ]


def _han_stretches(label: str, text: str) -> list[Span]:
    if len(label) < 2 or label.isascii():
        return []
    return [(match.start(), match.end()) for match in re.finditer(re.escape(label), text)]
