"""Columns of a stretch of lines: the white strips that run down between the runs of its body."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from factspine.extract.pdf.lines import Line, Run
from factspine.extract.pdf.marks import AFTER_NUMBER, APART_BEFORE, BEFORE_NUMBER, Word
from factspine.lexicon.folding import is_cjk

_MIN_STRIP = 1.6  # points
_WIDE_SPACE = 0.5  # of the type size: spaces between words of one header are narrower

Piece = tuple[int, int, list[Word]]  # first and last column, and the words


class Strip:
    """A white strip between two columns."""

    __slots__ = ("left", "middle", "right")

    def __init__(self, left: float, right: float) -> None:
        self.left = left
        self.right = right
        self.middle = (left + right) / 2

    def __repr__(self) -> str:
        return f"Strip({self.left:.0f}-{self.right:.0f})"


def find_strips(rows: Sequence[Sequence[tuple[float, float]]], slack: float = 0.06) -> list[Strip]:
    """White strips between the intervals of several rows; a few rows may run across a strip."""
    intervals = [i for row in rows for i in row]
    if not intervals:
        return []
    low, high = min(i[0] for i in intervals), max(i[1] for i in intervals)
    allowed = int(slack * len(rows))
    events: list[tuple[float, int]] = []
    for x0, x1 in intervals:
        events.append((x0, 1))
        events.append((max(x1 - 0.2, x0 + 0.1), -1))
    events.sort()
    strips: list[Strip] = []
    depth = 0
    opened: float | None = None
    for x, change in events:
        before, depth = depth, depth + change
        if before <= allowed < depth and opened is not None:
            if x - opened >= _MIN_STRIP and opened > low and x < high:
                strips.append(Strip(opened, x))
            opened = None
        elif depth <= allowed < before:
            opened = x
    return strips


def with_rules(strips: list[Strip], xs: Sequence[float]) -> list[Strip]:
    """Strips with one at each upright rule that does not stand in a strip yet."""
    missing = [x for x in xs if not any(s.left - 3 <= x <= s.right + 3 for s in strips)]
    return sorted([*strips, *(Strip(x - 0.5, x + 0.5) for x in missing)], key=lambda s: s.left)


def split_at(runs: Sequence[Run], strips: Sequence[Strip]) -> list[Piece]:
    """Pieces of a line with the columns each lies in: runs cut at strips where the words leave room."""
    pieces: list[Piece] = []
    for run in runs:
        pieces.extend(_cut_run(run.words, strips, 0.45))
    return _unite_same(pieces)


def place_whole(runs: Sequence[Run], strips: Sequence[Strip], extents: Sequence[tuple[float, float]]) -> list[Piece]:
    """Headers as they are, with the columns each lies in; headers side by side head different columns."""
    places = [_place(run.words, strips) for run in runs]
    over = [i for i, run in enumerate(runs) if run.x0 > extents[0][1]]
    # As many headers as columns are one for each; fewer dates are still for different ones.
    heads = over if len(over) == len(strips) else [i for i in over if runs[i].kind == "p"]
    columns = [places[i][0] for i in heads]
    if columns and (len(set(columns)) < len(columns) or 0 in columns) and len(columns) <= len(strips):
        for i, column in zip(heads, _apart([runs[i] for i in heads], extents), strict=True):
            places[i] = (column, column, places[i][2])
    return _unite_same(places)


def lift_places(upper: list[Piece], lower: Sequence[Piece], size: float) -> list[Piece]:
    """Headers that stand in the middle over a header of the next line, in the column of that header."""
    lifted = []
    for first, last, words in upper:
        middle = words[0].x0 + words[-1].x1
        below = [p for p in lower if p[0] == p[1] and abs(p[2][0].x0 + p[2][-1].x1 - middle) < size]
        lifted.append((below[0][0], below[0][1], words) if first == last and len(below) == 1 else (first, last, words))
    return _unite_same(lifted)


def _apart(runs: Sequence[Run], extents: Sequence[tuple[float, float]]) -> list[int]:
    """A column for each header, from left to right and none twice, so that they stand as near to them as can be."""
    best: list[tuple[float, list[int]]] = [(0.0, [])]  # by number of headers placed, in the columns looked at so far
    for column in range(1, len(extents)):
        left, right = extents[column]
        for count in range(min(len(best), len(runs)), 0, -1):
            run = runs[count - 1]
            off = min(abs(run.x0 - left), abs(run.x1 - right), abs(run.x0 + run.x1 - left - right) / 2)
            placed = (best[count - 1][0] + off, [*best[count - 1][1], column])
            if count == len(best):
                best.append(placed)
            else:
                best[count] = min(best[count], placed)
    return best[len(runs)][1]


def _cut_run(words: list[Word], strips: Sequence[Strip], least: float) -> list[Piece]:
    """A run cut at the best gap it leaves in each strip."""
    widest: dict[int, tuple[float, int]] = {}
    for index in range(1, len(words)):
        gap = (words[index - 1].x1, words[index].x0)
        width = gap[1] - gap[0]
        if words[index - 1].text in APART_BEFORE or words[index].text in AFTER_NUMBER:
            continue
        if width >= least * words[index].size:
            for number in _strips_at(gap, strips):
                # Of several gaps in a strip, the one that leaves the words at the edges of their columns.
                off = min(abs(gap[0] - strips[number].left), abs(gap[1] - strips[number].right))
                widest[number] = max(widest.get(number, (-1e9, 0)), (width - 0.3 * off, index))
    cuts = sorted({index for _, index in widest.values()})
    return [_place(words[a:b], strips) for a, b in zip([0, *cuts], [*cuts, len(words)], strict=True)]


def split_tight(piece: Piece, strips: Sequence[Strip], extents: Sequence[Sequence[tuple[float, float]]]) -> list[Piece]:
    """Headers that nearly touch, parted where each part then stands over its own column; else the piece as it is."""
    if piece[0] == piece[1]:
        return [piece]
    if own := _one_each(piece, extents):
        return own
    parts = _cut_run(piece[2], _narrowed(strips, extents), 0.12)
    if len(parts) < 2 or any(first != last for first, last, _ in parts) or _is_phrase(piece[2], parts):
        return [piece]
    if all(_is_chinese(words) for _, _, words in parts):
        return parts  # Chinese has no spaces between words
    sides = {"left", "right", "middle"}
    for col, _, words in parts:
        x0, x1, near = words[0].x0, words[-1].x1, 0.4 * words[0].size
        aligned = set()
        for a, b in extents[col]:
            aligned |= {"left"} if abs(x0 - a) <= near else set()
            aligned |= {"right"} if abs(x1 - b) <= near else set()
            aligned |= {"middle"} if abs(x0 + x1 - a - b) <= 2 * near else set()
        sides &= aligned
    if not sides:
        return [piece]
    return parts


def _one_each(piece: Piece, extents: Sequence[Sequence[tuple[float, float]]]) -> list[Piece]:
    """Headers as many as columns, parted by more than a space, each of them over its own column; else nothing."""
    first, last, words = piece
    cuts = [i for i in range(1, len(words)) if words[i].x0 - words[i - 1].x1 > _WIDE_SPACE * words[i].size]
    if len(cuts) != last - first:
        return []
    parts = [words[a:b] for a, b in zip([0, *cuts], [*cuts, len(words)], strict=True)]
    for part, column in zip(parts, extents[first : last + 1], strict=True):
        left, right = column[0]
        if left < 0 or part[0].x0 > right or part[-1].x1 < left:
            return []
    return [(first + number, first + number, part) for number, part in enumerate(parts)]


def _is_chinese(words: Sequence[Word]) -> bool:
    return len(words) == 1 and len(words[0].text) > 1 and all(is_cjk(char) for char in words[0].text)


def _is_phrase(words: list[Word], parts: Sequence[Piece]) -> bool:
    """Whether words would be parted where the white is no wider than elsewhere among them."""
    ends = {part[2][-1].x1 for part in parts[:-1]}
    inner = [b.x0 - a.x1 for a, b in itertools.pairwise(words) if a.x1 not in ends]
    outer = [b.x0 - a.x1 for a, b in itertools.pairwise(words) if a.x1 in ends]
    return bool(inner) and min(outer) < 1.2 * max(inner)


def _narrowed(strips: Sequence[Strip], extents: Sequence[Sequence[tuple[float, float]]]) -> list[Strip]:
    """Strips between the figures, narrowed by the headers that are known to stand over one column."""
    out = []
    for number, strip in enumerate(strips):
        left = max([strip.left, *(b for _, b in extents[number] if b < strip.right)])
        right = min([strip.right, *(a for a, _ in extents[number + 1] if a > strip.left)])
        out.append(Strip(left, right) if right - left > 1 else strip)
    return out


def _strips_at(gap: tuple[float, float], strips: Sequence[Strip]) -> list[int]:
    middle = (gap[0] + gap[1]) / 2
    return [i for i, s in enumerate(strips) if s.left <= middle <= s.right or (gap[0] <= s.left and s.right <= gap[1])]


def _place(words: list[Word], strips: Sequence[Strip]) -> Piece:
    x0, x1 = core_interval(words)
    first = sum(1 for s in strips if s.middle <= x0 + 0.5 or (s.right <= x0 + 2 and s.middle <= (x0 + x1) / 2))
    last = sum(1 for s in strips if s.middle < x1 - 0.5)
    if last > first:
        # Hanging a little over an edge is not spanning.
        edge = strips[first]
        if x1 - edge.right < 0.12 * (x1 - x0) and x1 - edge.right < 4:
            last = first
        elif edge.left - x0 < 0.12 * (x1 - x0) and edge.left - x0 < 4:
            first += 1
    return first, max(first, last), words


def _unite_same(pieces: list[Piece]) -> list[Piece]:
    out: list[Piece] = []
    for first, last, words in pieces:
        if out and first <= out[-1][1]:
            out[-1] = (out[-1][0], max(last, out[-1][1]), out[-1][2] + words)
        else:
            out.append((first, last, words))
    return out


def run_intervals(line: Line) -> list[tuple[float, float]]:
    """Where the runs of a line lie."""
    return [core_interval(run.words) for run in line.runs]


def core_interval(words: Sequence[Word]) -> tuple[float, float]:
    """Where the digits of a figure lie: signs before it and a bracket after it hang out of its column."""
    x0, x1 = words[0].x0, max(w.x1 for w in words[-2:])
    if len(words) > 1 and words[0].text in BEFORE_NUMBER:
        x0 = words[1].x0
    if words[-1].text.endswith((")", "）")) and any(c.isdigit() for c in words[-1].text):
        x1 -= 0.3 * words[-1].size
    elif len(words) > 1 and words[-1].text in AFTER_NUMBER:
        x1 = words[-2].x1
    return x0, max(x1, x0 + 0.5)
