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
_WHOLE = re.compile(
    r"\s*(?:all|both|total|overall)\b|(?:average|mean)$|全[国部市省县区球年院校厂行体员]|总计|合计|平均[值数分]?$",
    re.IGNORECASE,
)
_TOTALLED = re.compile(r"[合总]计|\btotals?\b|^(?:all|both)\b", re.IGNORECASE)
_BRACKET = re.compile(r"[(（\[]")
_NUMBERING = re.compile(r"^(?:[一二三四五六七八九十\d]+[、.．]|其中[:：])\s*")
Span = tuple[int, int]


def members(
    matcher: Matcher, scope: Scope, ranked: Sequence[Candidate], unused: Callable[[Candidate], bool]
) -> list[Candidate] | None:
    """The cells of the one row or column that a question names, one for each line that it does not name."""
    cells = [c for c in ranked if c.fact.period_type != TEXT]
    # Where only a column of totals is left, its lines are ranked all the same: the year of each shop.
    for numbers in (
        [c for c in cells if not _is_whole(c, scope)],
        [c for c in cells if not _is_whole(c, scope, by_row=True)],
    ):
        if numbers and not unused(numbers[0]) and (found := _alike(numbers, scope, unused)) is not None:
            return found
    return None


def _alike(numbers: list[Candidate], scope: Scope, unused: Callable[[Candidate], bool]) -> list[Candidate] | None:
    """The cells beside the best one, along the one direction in which the question names no line."""
    best = numbers[0]
    if max(len(best.table.rows), len(best.table.cols)) > _LINES_MOST:
        return None
    said = {word: best.strengths.get(word, 0.0) for word in best.by_labels}
    alike = [
        c
        for c in numbers
        if c.table is best.table
        and c.by_labels == best.by_labels
        and all(c.strengths.get(word, 0.0) >= strength for word, strength in said.items())  # 装配车间 is no 铸造车间
        and _same_kind(c.fact, best.fact)
    ]
    along_column = [c for c in alike if c.fact.col == best.fact.col]
    along_row = [c for c in alike if c.fact.row == best.fact.row]
    if (len(along_column) > 1) == (len(along_row) > 1):
        return None  # neither the row nor the column is named, or both are
    chosen = along_column if len(along_column) > 1 else along_row
    parts = [c for c in chosen if not _is_under_whole(c, scope)]
    chosen = parts if len(parts) > 1 else chosen
    if len(along_column) > 1 and not _told_apart(chosen):
        return None
    # Another column that the question names as well as this one would have lines of its own.
    rivals = [c for c in numbers if c not in chosen and c.by_labels == best.by_labels and best.score - c.score < 0.1]
    return None if any(not unused(rival) for rival in rivals) else chosen


def _is_under_whole(candidate: Candidate, scope: Scope) -> bool:
    """Whether a line stands under a heading of all of them: the columns of 集团合计 beside those of its companies."""
    table = candidate.table
    for lines, position in ((table.rows, candidate.fact.row), (table.cols, candidate.fact.col)):
        own = [line for line in lines if line.head.position == position and _holds(line, candidate)]
        if any(_TOTALLED.search(scope.labels[label].text) for line in own for label in line.labels):
            return True
    return False


def _told_apart(chosen: Sequence[Candidate]) -> bool:
    """Whether one label tells the rows apart; parcels and delays of several depots are no one list."""
    rows = {c.fact.row for c in chosen}
    paths = [line.labels for line in chosen[0].table.rows if line.head.position in rows and line.labels]
    ends = ({path[at] for path in paths} for at in (0, -1))
    return any(len(labels) == len(paths) for labels in ends)


def in_tables_of(kind: str, ranked: Sequence[Candidate]) -> Sequence[Candidate]:
    """Where tables say over their rows what these are, those that say what is asked for: 科室, Division.

    All of them, where the best of those leaves words to the others.
    """
    forms = _forms(kind)
    named = {id(c.table) for c in ranked if forms and forms <= _forms(c.table.heads.corner)}
    among = [c for c in ranked if id(c.table) in named]
    return among if among and accounted(among[0]) >= accounted(ranked[0]) else ranked


def accounted(candidate: Candidate) -> frozenset[int]:
    """The words of the question that a cell or its table has."""
    return frozenset(word for word, strength in candidate.strengths.items() if strength >= 0.5)


def of_kind(kind: str, found: list[Candidate], scope: Scope) -> list[Candidate]:
    """Those whose own names end in what is asked for, where others end otherwise: districts, and counties."""

    def is_one(candidate: Candidate) -> bool:
        for line in candidate.table.rows:
            if line.head.position == candidate.fact.row and line.labels:
                words = tokens(scope.labels[line.labels[-1]].text)
                last = words[-1] if words else None
                if last is not None and (
                    last.text.endswith(kind) or (last.kind == "latin" and stem(last.text) in forms)
                ):
                    return True
        return False

    forms = _forms(kind)
    those = [candidate for candidate in found if is_one(candidate)] if forms else []
    return those if 1 < len(those) < len(found) else found


def _forms(text: str) -> frozenset[str]:
    return frozenset(stem(token.text) if token.kind == "latin" else token.text for token in tokens(text))


def _same_kind(first: object, second: object) -> bool:
    return all(getattr(first, name) == getattr(second, name) for name in ("unit", "period_type", "status"))


def _is_whole(candidate: Candidate, scope: Scope, *, by_row: bool = False) -> bool:
    """Whether a cell is of all the others together, or of a line that others stand under; `by_row`: its row alone."""
    if not by_row and "total" in candidate.fact.status.split():
        return True
    table = candidate.table
    if candidate.fact.row in table.sums:
        return True
    both = ((table.rows, candidate.fact.row), (table.cols, candidate.fact.col))
    for lines, position in both[:1] if by_row else both:
        own = [line for line in lines if line.head.position == position and _holds(line, candidate)]
        last = [scope.labels[label] for line in own for label in line.labels[-1:]]
        if any(_WHOLE.match(label.text) or (by_row and label.total) for label in last):
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
