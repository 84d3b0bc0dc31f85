"""Lines to rows: which lines of an unruled table are one row, and how its header is stacked.

A wrapped label looks like a row without figures. What tells them apart: how the next line begins, how the last one
ended, whether another word would have fitted, and whether lines stand closer together than rows do.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence

from factspine.extract.pdf.columns import Piece
from factspine.extract.pdf.lines import join_words
from factspine.extract.pdf.marks import Rule, Word, kind_of
from factspine.extract.pdf.phrases import is_unit_line
from factspine.extract.pdf.shapes import Cell

_CARRIES_ON = re.compile(
    r"(?:,|-|–|—|&|/|\b(?:and|or|of|the|for|in|on|to|by|with|from|at|a|an|as|per|than|that|which"
    r"|(?<!, )net|other|its|de|du|des|und))$",
    re.I,
)
_GOES_ON = re.compile(r"[a-z(（&)）,.;%]")
_CJK = re.compile(r"[\u2e80-\u9fff]")
_OPEN = re.compile(r"[(（][^)）]*$")

_SHARE = re.compile(r"[(（\[][^()（）\[\]]*\d[^()（）\[\]]*[)）\]]")  # of the figure above it, or its error

_HEAD_LINES_MAX = 14
_SHARES_MIN = 0.6  # of all rows
_REST = 3  # characters: no label of a row is so short where others fill their line


class Strand:
    """One line of a table with its pieces in columns."""

    __slots__ = ("base", "bottom", "pieces", "size", "top")

    def __init__(self, top: float, bottom: float, base: float, size: float, pieces: list[Piece]) -> None:
        self.top, self.bottom, self.base, self.size = top, bottom, base, size
        self.pieces = pieces

    @property
    def columns(self) -> set[int]:
        return {c for first, last, _ in self.pieces for c in range(first, last + 1)}

    def figures(self) -> int:
        """How many pieces are numbers or stand for one."""
        return sum(1 for first, _, words in self.pieces if kind_of(join_words(words)) in "nd")

    def label(self) -> str:
        return join_words(self.pieces[0][2]) if self.pieces and self.pieces[0][0] == 0 else ""

    def label_only(self) -> bool:
        return len(self.pieces) == 1 and self.pieces[0][:2] == (0, 0)


def first_body_row(strands: Sequence[Strand], levels: Sequence[Rule]) -> int:
    """The index of the first line that is data: below the first rule, or the first with figures that are not years."""
    ruled = next((i for i in range(1, len(strands)) if ruled_between(strands[i - 1], strands[i], levels)), 0)
    for index, strand in enumerate(strands):
        beside = [kind_of(join_words(p[2])) for p in strand.pieces if p[0] > 0]
        values = sum(1 for kind in beside if kind in "nd")
        if values and values * 2 >= len(beside):
            if ruled == index + 1 and (values < len(beside) or _counts_up(strand)):
                return ruled
            if 0 < ruled <= index and ruled <= _HEAD_LINES_MAX:
                return ruled
            return _back_to_label(strands, index, levels)
    return ruled if ruled <= _HEAD_LINES_MAX else 0


def _counts_up(strand: Strand) -> bool:
    """Whether the figures of a line are 1, 2, 3 …: names of columns, not values."""
    texts = [join_words(p[2]) for p in strand.pieces if p[0] > 0]
    numbers = [int(t) for t in texts if t.isascii() and t.isdigit() and len(t) < 4]
    return len(numbers) == len(texts) >= 3 and all(b - a == 1 for a, b in itertools.pairwise(numbers))


def _back_to_label(strands: Sequence[Strand], index: int, levels: Sequence[Rule]) -> int:
    """Label lines right above the first figures belong to the body: a section name or a wrapped label."""
    while (
        index > 0 and strands[index - 1].label_only() and not ruled_between(strands[index - 1], strands[index], levels)
    ):
        gap = strands[index].top - strands[index - 1].bottom
        beside = (
            index > 1
            and not strands[index - 2].label_only()
            and strands[index - 1].base - strands[index - 2].base < 1.3 * strands[index - 1].size
            and not _begins_anew(strands[index - 2], strands[index - 1])
        )
        if gap > 0.9 * strands[index].size or beside:
            break
        index -= 1
    return index


def _begins_anew(upper: Strand, lower: Strand) -> bool:
    """Whether a label line below the corner of a table is the name of a section and not more of the corner."""
    corner, name = upper.label(), lower.label()
    if not corner or _GOES_ON.match(name) or _CARRIES_ON.search(corner) or _OPEN.search(corner):
        return False
    return name.endswith((":", "：")) or is_unit_line(corner) or len(corner) <= _REST


def ruled_between(upper: Strand, lower: Strand, levels: Sequence[Rule]) -> bool:
    """Whether a level rule parts two lines."""
    high, low = upper.base - 0.3 * upper.size, lower.base - 0.45 * lower.size
    return any(high <= rule.at <= low + 1 for rule in levels)


def body_cells(
    strands: Sequence[Strand],
    start: int,
    row: int,
    levels: Sequence[Rule],
    label_limit: float,
    extents: Sequence[tuple[float, float]],
) -> list[Cell]:
    """Cells of the lines from `start` on, the first of them in table row `row`."""
    body = strands[start:]
    measure = Measure(body, label_limit)
    groups = _ruled_groups(body, levels, measure) or text_groups(body, measure)
    cells: list[Cell] = []
    for group in groups:
        cells.extend(_centred(_row_cells([body[i] for i in group], row), extents))
        row += 1
    return cells


class Measure:
    """How wide the labels of a table are set: a label that wraps fills its line."""

    __slots__ = ("edge", "left", "longest", "pitch", "shares")

    def __init__(self, body: Sequence[Strand], edge: float) -> None:
        labels = [s.pieces[0][2] for s in body if s.pieces and s.pieces[0][:2] == (0, 0)]
        self.left = min((words[0].x0 for words in labels), default=0.0)
        self.longest = max((words[-1].x1 for words in labels), default=0.0)
        self.edge = edge
        gaps = sorted(b.base - a.base for a, b in itertools.pairwise(body))
        self.pitch = gaps[len(gaps) // 2] if gaps else 0.0
        self.shares = _has_shares(body)


def _has_shares(body: Sequence[Strand]) -> bool:
    """Whether figures stand in brackets under those of most rows, and nothing else stands there without a label."""
    figures = [s for s in body if s.figures()]
    below = [s for s in figures if not s.label()]
    rows = len(figures) - len(below)
    return len(below) > 1 and len(below) >= _SHARES_MIN * rows and all(map(_is_shares, below))


def _is_shares(strand: Strand) -> bool:
    return all(_SHARE.fullmatch(join_words(words)) for _, _, words in strand.pieces)


def _centred(cells: list[Cell], extents: Sequence[tuple[float, float]]) -> list[Cell]:
    """A line alone in its row, centred over all figures or over the whole table, heads all of these columns."""
    if len(cells) != 1 or len(extents) < 3 or cells[0].kind not in "tp":
        return cells
    cell = cells[0]
    x0, _, x1, _ = cell.box
    size = cell.lines[0][0].size
    known = [e for e in extents if e[0] >= 0]
    for first in (0, 1) if known else ():
        left, right = (known[0][0] if first == 0 else extents[1][0]), known[-1][1]
        centred = abs(x0 + x1 - left - right) / 2 < 1.2 * size and x0 > left + size
        if left >= 0 and centred and cell.col >= first:
            cell.col, cell.colspan = first, len(extents) - first
            break
    return cells


def _ruled_groups(body: Sequence[Strand], levels: Sequence[Rule], measure: Measure) -> list[list[int]]:
    """Rows by rules, where rules part all rows: no two lines of figures stand between the same two rules."""
    if len(body) < 3:
        return []
    cuts = [i for i in range(1, len(body)) if ruled_between(body[i - 1], body[i], levels)]
    if len(cuts) < 2 or len(cuts) < 0.12 * (len(body) - 1):
        return []
    groups, start = [], 0
    for cut in [*cuts, len(body)]:
        groups.append(list(range(start, cut)))
        start = cut
    for group in groups:
        if len(group) > 1 and sum(1 for i in group if body[i].figures()) > 1:
            return []
    return [part for group in groups for part in _without_section(group, body, measure)]


def _without_section(group: list[int], body: Sequence[Strand], measure: Measure) -> list[list[int]]:
    """A name of a section is not always ruled off from its first row; it ends before its line is full."""
    for index in range(1, len(group)):
        upper, lower = body[group[index - 1]], body[group[index]]
        named = all(body[i].label_only() for i in group[:index])
        if named and lower.figures() and lower.label() and not _wraps(upper, lower, measure, ruled=True):
            return [group[:index], group[index:]]
    return [group]


def text_groups(body: Sequence[Strand], measure: Measure) -> list[list[int]]:
    """Which lines are one row, told by their words and places alone."""
    if not body:
        return []
    groups = [[0]]
    around = 0  # lines still to be taken into the row because they stand around its middle
    for index in range(1, len(body)):
        last, this = body[index - 1], body[index]
        if _stands_around(body[index - 1 : index + 2]):
            around = 2
        if around:
            around -= 1
            groups[-1].append(index)
            continue
        row = [body[i] for i in groups[-1]]
        if _continues(row, last, this, measure):
            groups[-1].append(index)
        else:
            groups.append([index])
    return groups


def _stands_around(three: Sequence[Strand]) -> bool:
    """A cell of two lines beside cells of one: its lines stand half a line above and below theirs."""
    if len(three) < 3:
        return False
    upper, middle, lower = three
    return (
        upper.columns == lower.columns
        and not upper.columns & middle.columns
        and middle.base - upper.base < 0.85 * middle.size
        and lower.base - middle.base < 0.85 * middle.size
    )


def _continues(row: list[Strand], last: Strand, this: Strand, measure: Measure) -> bool:
    gap = this.base - last.base
    if gap > 1.9 * this.size:
        return False
    filled = set().union(*(s.columns for s in row))
    has_figures = any(s.figures() for s in row)
    if this.figures():
        if measure.shares and not this.label():
            return this.columns <= last.columns and last.figures() > 0
        # A label that began on the line above, with its figures on the last line.
        if has_figures or not all(s.label_only() for s in row) or not this.label():
            return False
        return _wraps(last, this, measure)
    if this.label_only():
        return bool(last.label()) and _wraps(last, this, measure) and (has_figures or last.label_only())
    if all(join_words(p[2])[:1].islower() for p in this.pieces) and this.columns <= filled:
        return True
    # Text in several columns: goes on where every piece has something above it and the lines stand closer than rows.
    if 0 not in this.columns and this.columns <= filled:
        return gap < 1.5 * this.size or gap <= measure.pitch
    return this.columns <= filled and gap < 0.86 * measure.pitch


def _wraps(last: Strand, this: Strand, measure: Measure, *, ruled: bool = False) -> bool:
    """Whether a label goes on in the next line; rules around both lines speak for it where the first is full."""
    upper, lower = last.label(), this.label()
    if not upper or not lower or upper.endswith((":", "：")):
        return False
    if _OPEN.search(upper) or _GOES_ON.match(lower):
        return True
    words, first = last.pieces[0][2], this.pieces[0][2][0]
    room = measure.edge - words[-1].x1
    chinese = _CJK.match(lower) is not None
    full = room < 1.6 * this.size if chinese else room < (first.x1 - first.x0) + 0.3 * this.size
    wide = words[-1].x1 - measure.left > 0.72 * (measure.edge - measure.left)
    if _CARRIES_ON.search(upper):
        return wide or full
    alike = words[0].bold == first.bold
    indented = first.x0 > words[0].x0 + 0.5 * this.size
    if chinese:
        return (full and wide and not first.bold) or (alike and _fills(words, lower, this.base - last.base, measure))
    return full and wide and alike and (indented or ruled)


def _fills(words: list[Word], lower: str, step: float, measure: Measure) -> bool:
    """A Chinese label that ends with the longest of them, and goes on closer than rows stand or with a short rest."""
    return measure.longest - words[-1].x1 < words[-1].size and (step < 0.92 * measure.pitch or len(lower) <= _REST)


def _row_cells(row: list[Strand], number: int) -> list[Cell]:
    """Cells of the lines of one row."""
    cells: dict[int, Cell] = {}
    for strand in row:
        for first, last, words in strand.pieces:
            cell = next((c for c in cells.values() if c.col <= last and first < c.col + c.colspan), None)
            if cell is None:
                cells[first] = Cell(number, first, [words], 1, last - first + 1)
            else:
                end = max(cell.col + cell.colspan, last + 1)
                cell.col = min(cell.col, first)
                cell.colspan = end - cell.col
                cell.lines.append(words)
    return list(cells.values())
