"""Headers of unruled tables: stacked lines become one cell a column, wider ones span the columns below them."""

from __future__ import annotations

from collections.abc import Sequence

from factspine.extract.pdf.columns import Piece, Strip, split_tight
from factspine.extract.pdf.lines import join_words
from factspine.extract.pdf.marks import Rule, Word, kind_of
from factspine.extract.pdf.phrases import is_unit_exception, is_unit_line
from factspine.extract.pdf.rows import Strand
from factspine.extract.pdf.shapes import Cell

_BESIDE = 0.85  # of the type size: lines nearer than this stand beside each other, each in the middle of its cell
_LOW = 1.8  # of the type size: a rule stands so low under a header beside one of two lines
_STACKED = 1.55  # of the type size: lines of one header cell stand no further apart


class _Stack:
    """Header pieces one above the other that make one cell."""

    __slots__ = ("bases", "first", "last", "lines", "size", "x0", "x1")

    def __init__(self, first: int, last: int, words: list[Word], base: float, size: float) -> None:
        self.first, self.last = first, last
        self.lines = [words]
        self.bases = [base]
        self.size = size
        self.x0, self.x1 = words[0].x0, max(w.x1 for w in words)

    def add(self, words: list[Word], base: float) -> None:
        self.lines.append(words)
        self.bases.append(base)
        self.x0, self.x1 = min(self.x0, words[0].x0), max(self.x1, max(w.x1 for w in words))


def head_cells(
    strands: Sequence[Strand],
    levels: Sequence[Rule],
    strips: Sequence[Strip],
    extents: Sequence[tuple[float, float]],
    walls: Sequence[float] = (),
) -> tuple[list[Cell], int]:
    """Cells of the header lines, and how many rows they take. `walls` are upright rules between groups of columns."""
    if not strands:
        return [], 0
    places: list[list[tuple[float, float]]] = [[extent] for extent in extents]
    for strand in strands:
        for first, last, words in strand.pieces:
            if first == last:
                places[first].append((words[0].x0, words[-1].x1))
    for index, strand in enumerate(strands):
        below = strands[index + 1] if index + 1 < len(strands) else None
        beside = [p for other in strands if abs(other.base - strand.base) < _BESIDE * strand.size for p in other.pieces]
        strand.pieces = [
            part
            for piece in strand.pieces
            for part in _between_walls(piece, strand, walls, extents)
            or _unit_of_one(piece, strand, strands[:index], extents)
            or _over_its_rule(piece, strand, beside, below, levels, strips, places)
        ]
    for index, strand in enumerate(strands):
        strand.pieces = _spread(strand, strands[index + 1 :], extents)
    stacks = _stacks(strands, levels)
    if not stacks:
        return [], 0
    for stack in stacks:
        _widen(stack, stacks, extents)
    depth = _depths(stacks)
    rows = max(depth) + 1
    cells = []
    for stack, level in zip(stacks, depth, strict=True):
        # Nothing stands over it: to a reader the cell reaches up to the top of the header.
        free = not any(
            d < level and s.first <= stack.last and stack.first <= s.last for s, d in zip(stacks, depth, strict=True)
        )
        top = 0 if free else level
        cells.append(Cell(top, stack.first, stack.lines, level - top + 1, stack.last - stack.first + 1))
    return cells, rows


def _between_walls(
    piece: Piece, strand: Strand, walls: Sequence[float], extents: Sequence[tuple[float, float]]
) -> list[Piece]:
    """A header alone and in the middle between two upright rules heads all columns between them."""
    x0, x1 = piece[2][0].x0, max(w.x1 for w in piece[2])
    left = max((x for x in walls if x <= x0), default=None)
    if left is None or piece[0] == 0:
        return []
    right = min((x for x in walls if x >= x1), default=extents[-1][1] + 0.5 * strand.size)
    columns = [i for i, (start, end) in enumerate(extents) if start >= 0 and left < (start + end) / 2 < right]
    others = any(p is not piece and p[2][0].x0 < right and p[2][-1].x1 > left for p in strand.pieces)
    centred = abs(left + right - x0 - x1) / 2 < 1.5 * strand.size
    if len(columns) < 2 or others or not centred:
        return []
    return [(columns[0], columns[-1], piece[2])]


def _unit_of_one(
    piece: Piece, strand: Strand, above: Sequence[Strand], extents: Sequence[tuple[float, float]]
) -> list[Piece]:
    """A unit alone on its line, right under one header and in its middle, is of that header's columns only.

    In the middle of all figures it is of them all, whatever stands in the middle above it.
    """
    others = any(p is not piece and p[1] > 0 for p in strand.pieces)
    if others or piece[0] == 0 or not is_unit_line(join_words(piece[2])):
        return []
    middle = piece[2][0].x0 + piece[2][-1].x1
    known = [extent for extent in extents[1:] if extent[0] >= 0]
    if known and abs(known[0][0] + known[-1][1] - middle) < 3 * strand.size:
        return []
    for upper in reversed(above):
        if strand.base - upper.base > _STACKED * strand.size:
            break
        for first, last, words in upper.pieces:
            if first > 0 and abs(words[0].x0 + words[-1].x1 - middle) < strand.size:
                return [(first, last, piece[2])]
    return []


def _over_its_rule(
    piece: Piece,
    strand: Strand,
    beside: Sequence[Piece],
    below: Strand | None,
    levels: Sequence[Rule],
    strips: Sequence[Strip],
    places: Sequence[Sequence[tuple[float, float]]],
) -> list[Piece]:
    """A header with a short rule under it heads all columns the rule runs over; one without may be several headers."""
    first, last, words = piece
    x0, x1 = words[0].x0, max(w.x1 for w in words)
    extents = [place[0] for place in places]
    for rule in levels:
        centred = abs(rule.start + rule.end - x0 - x1) < strand.size
        under = 0 < rule.at - strand.base < (_LOW if centred else 0.9) * strand.size
        whole = rule.start < extents[0][1] and rule.end > extents[-1][0]
        others = any(p is not piece and p[2][0].x0 < rule.end and p[2][-1].x1 > rule.start for p in beside)
        if under and not whole and not others and rule.start <= x0 + 2 and rule.end >= x1 - 2:
            over = [
                i for i, (left, right) in enumerate(extents) if left >= 0 and rule.start < (left + right) / 2 < rule.end
            ]
            # Where every column is underlined, the rule under the middle one does not say how far the header reaches.
            own = len(over) > 1 or all(_has_header(other, rule, strand) for other in levels)
            if over and own and over[0] <= first and over[-1] >= last:
                return [(over[0], over[-1], words)]
    parts = split_tight(piece, strips, places)
    known = [i for i, (left, _) in enumerate(extents) if left >= 0 and i > 0]
    alone = all(p is piece or p[1] == 0 for p in strand.pieces)
    dated = _dated(below, known)
    text = join_words(words)
    if len(parts) > 1 and all(is_unit_line(join_words(part[2])) for part in parts):
        return parts
    if alone and first > 0 and len(dated or known) > 1 and (is_unit_line(text) or is_unit_exception(text)):
        return [((dated or known)[0], (dated or known)[-1], words)]  # a unit speaks of all figures
    for columns in (dated, known) if len(parts) == 1 and alone and first > 0 else ():
        # The middle of an odd number of columns is one of them, unless each of them is headed by a period of its own.
        wider = len(columns) > last - first + 1 and (first < last or len(columns) % 2 == 0 or bool(dated))
        # Alone over the figures and in their middle: the header of all of them.
        if wider and abs(extents[columns[0]][0] + extents[columns[-1]][1] - x0 - x1) / 2 < 1.5 * strand.size:
            return [(columns[0], columns[-1], words)]
    return parts


def _has_header(other: Rule, rule: Rule, strand: Strand) -> bool:
    """Whether a header of the same line stands over another rule of the same height; rules elsewhere need none."""
    if abs(other.at - rule.at) > 1:
        return True
    return any(words[0].x0 < other.end and words[-1].x1 > other.start for _, _, words in strand.pieces)


def _dated(below: Strand | None, columns: Sequence[int]) -> list[int]:
    """The columns that the line below heads with a period each, where they stand side by side."""
    if below is None:
        return []
    dated = [
        first
        for first, last, words in below.pieces
        if first == last and first in columns and kind_of(join_words(words)) == "p"
    ]
    return dated if len(dated) > 1 and dated[-1] - dated[0] == len(dated) - 1 else []


def _spread(strand: Strand, lower: Sequence[Strand], extents: Sequence[tuple[float, float]]) -> list[Piece]:
    """Several headers over equal groups of headed columns, each in the middle or at one edge of its group."""
    over = [piece for piece in strand.pieces if piece[0] > 0]
    headed: dict[int, tuple[float, float]] = {}
    texts: dict[int, str] = {}
    for below in lower:
        for first, last, words in below.pieces:
            if first == last > 0 and extents[first][0] >= 0:
                left, right = headed.get(first, extents[first])
                headed[first] = (min(left, words[0].x0), max(right, words[-1].x1))
                texts[first] = f"{texts.get(first, '')} {join_words(words)}"
    columns = sorted(headed)
    if len(over) < 2 or not columns or columns[-1] - columns[0] >= len(columns):
        return strand.pieces
    # Columns at either end may stand outside the bands: references to notes, changes in percent.
    for first, end in ((0, 0), (1, 0), (0, 1), (1, 1), (2, 0), (0, 2)):
        inner = columns[first : len(columns) - end]
        spread = _over_groups(over, inner, headed, strand.size, again=_repeats(inner, texts, len(over)))
        if spread:
            return [*(piece for piece in strand.pieces if piece[0] == 0), *spread]
    return strand.pieces


def _repeats(columns: Sequence[int], texts: dict[int, str], groups: int) -> bool:
    """Whether the headers below stand again in each of so many groups: 2023 2022, 2023 2022."""
    each = len(columns) // groups
    told = [texts[column] for column in columns]
    return each > 1 and len(set(told[:each])) == each and told == told[:each] * groups


def _over_groups(
    over: Sequence[Piece], columns: Sequence[int], headed: dict[int, tuple[float, float]], size: float, *, again: bool
) -> list[Piece]:
    """Each header with its share of the columns, where all stand in the middle of their shares; else nothing.

    Where the headers below stand again in each share, they tell the shares; the middle may then be missed by more.
    """
    each = len(columns) // len(over)
    if each < 2 or each * len(over) != len(columns):
        return []
    spread = []
    for number, (_, _, words) in enumerate(over):
        group = columns[number * each : (number + 1) * each]
        middle = (words[0].x0 + words[-1].x1) / 2
        off = abs((headed[group[0]][0] + headed[group[-1]][1]) / 2 - middle)
        # In the middle of one column it is the first line of that column's own header, unless it names a period.
        single = any(abs((left + right) / 2 - middle) < 0.5 * size for left, right in headed.values())
        if off > (2.0 if again else 0.8) * size or (single and not again and kind_of(join_words(words)) != "p"):
            return []
        spread.append((group[0], group[-1], words))
    return spread


def _stacks(strands: Sequence[Strand], levels: Sequence[Rule]) -> list[_Stack]:
    stacks: list[_Stack] = []
    for strand in strands:
        for first, last, words in strand.pieces:
            above = _stack_above(stacks, first, last, words, strand, levels)
            if above is None:
                stacks.append(_Stack(first, last, words, strand.base, strand.size))
            else:
                above.add(words, strand.base)
    return stacks


def _stack_above(
    stacks: list[_Stack], first: int, last: int, words: list[Word], strand: Strand, levels: Sequence[Rule]
) -> _Stack | None:
    for stack in reversed(stacks):
        if stack.first <= last and first <= stack.last:
            same = (stack.first, stack.last) == (first, last)
            near = strand.base - stack.bases[-1] <= _STACKED * max(stack.size, strand.size)
            ruled = any(
                stack.bases[-1] - 1 <= r.at <= strand.base - 0.4 * strand.size
                and r.start < words[-1].x1
                and r.end > words[0].x0
                for r in levels
            )
            return stack if same and near and not ruled else None
    return None


def _widen(stack: _Stack, stacks: list[_Stack], extents: Sequence[tuple[float, float]]) -> None:
    """A spanning header without a rule heads the columns it stands in the middle of, where their headers are below."""
    if stack.first == stack.last or stack.first == 0:
        return
    floor = stack.bases[-1] + 0.6 * stack.size

    def free(col: int) -> bool:
        over = [s for s in stacks if s.first <= col <= s.last]
        return bool(over) and all(s.bases[0] > floor for s in over) and extents[col][0] >= 0

    low, high = stack.first, stack.last
    while low - 1 > 0 and free(low - 1):
        low -= 1
    while high + 1 < len(extents) and free(high + 1):
        high += 1
    middle = (stack.x0 + stack.x1) / 2
    best = (0, stack.first, stack.last)
    for first in range(low, stack.first + 1):
        for last in range(stack.last, high + 1):
            off = abs((extents[first][0] + extents[last][1]) / 2 - middle)
            if off < 1.0 * stack.size and min(extents[first][0], extents[last][0]) >= 0:
                best = max(best, (last - first, first, last))
    stack.first, stack.last = best[1], best[2]


def _depths(stacks: list[_Stack]) -> list[int]:
    """The header row of each stack: below everything that stands over it; single cells sink to the lowest row."""
    depth = [0] * len(stacks)
    for _ in range(3):
        _settle(stacks, depth)
    rows = max(depth) + 1
    for index, stack in enumerate(stacks):
        covered = any(
            o is not stack and o.first <= stack.last and stack.first <= o.last and o.bases[0] > stack.bases[-1]
            for o in stacks
        )
        if not covered and depth[index] < rows - 1:
            peers = [s.bases[-1] for s, d in zip(stacks, depth, strict=True) if d == rows - 1]
            if stack.bases[-1] >= min(peers) - 0.6 * stack.size:
                depth[index] = rows - 1
    return depth


def _settle(stacks: list[_Stack], depth: list[int]) -> None:
    """Push each stack below what stands over it and down to the row of the stacks that end on its line."""
    for index, stack in enumerate(stacks):
        over = [
            depth[other] + 1
            for other in range(index)
            if stacks[other].first <= stack.last
            and stack.first <= stacks[other].last
            and stacks[other].bases[-1] < stack.bases[0]
        ]
        level = [depth[o] for o, s in enumerate(stacks) if abs(s.bases[-1] - stack.bases[-1]) < 0.4 * stack.size]
        depth[index] = max([*over, *level, 0])
