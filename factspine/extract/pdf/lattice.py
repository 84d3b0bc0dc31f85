"""Tables drawn as a grid: the rules say where each cell is, and the text only has to be put into it.

Rules say nothing about rows that are not ruled. Where one ruled band holds several lines of figures, the band is cut
into the rows a reader sees.
"""

from __future__ import annotations

from bisect import bisect_right

from factspine.core.tables import Box
from factspine.extract.pdf.lines import Line, breaks_off, build_lines, join_words, split_runs
from factspine.extract.pdf.marks import PageMarks, Rule, Word, kind_of
from factspine.extract.pdf.phrases import CAPTION, NOTE
from factspine.extract.pdf.rows import Measure, Strand, text_groups
from factspine.extract.pdf.rulings import Rulings
from factspine.extract.pdf.shapes import Cell, Found

_NEAR = 3.0
_COVERED = 0.55  # share of a side that must be ruled to be a side
_GRID_MAX = 400
_NOTE_LENGTH = 160
_RULES_BEYOND = 2
_PADDING = 3.0  # points between a text and the side of its cell
_UNRULED_MIN = 3  # rows: a label over two of them may as well be one that wraps


def find_lattices(marks: PageMarks, groups: list[Rulings]) -> tuple[list[Found], list[Found]]:
    """Every ruled grid of a page that holds a table, and those too coarse to say where its cells are."""
    found = []
    for group in groups:
        if len(group.down) < 1 or len(group.across) < 2 or _is_highlight(group, marks):
            continue
        found += _read_grid(group, marks)
    fine: list[Found] = []
    coarse: list[Found] = []
    for table in _outermost(found):
        (coarse if _is_coarse(table) else fine).append(table)
    return fine, coarse


def highlighted(marks: PageMarks, groups: list[Rulings]) -> list[Box]:
    """Where tables stand that have one column shaded and no other sides: from the first of their rules to the last."""
    boxes = []
    for group in groups:
        if group.down and len(group.across) > 1 and _is_highlight(group, marks):
            left, right = min(r.start for r in group.across), max(r.end for r in group.across)
            boxes.append((left, min(r.at for r in group.across), right, max(r.at for r in group.across)))
    return boxes


def _is_highlight(group: Rulings, marks: PageMarks) -> bool:
    """Whether the only sides are those of shaded columns, as reports shade the current year: no grid, but a table
    whose level rules run on beyond the shades.
    """
    first, last = group.down[0].at - _NEAR, group.down[-1].at + _NEAR
    if any(first <= r.at <= last and _meets(r, group) for r in marks.down):
        return False
    return sum(1 for r in group.across if r.start < first or r.end > last) >= _RULES_BEYOND


def _meets(rule: Rule, group: Rulings) -> bool:
    """Whether an upright rule that was drawn stands among the rules of a group."""
    return any(rule.start - _NEAR <= level.at <= rule.end + _NEAR for level in group.across)


def _is_coarse(table: Found) -> bool:
    """Whether most figures share a cell with other figures, so that the rules part only some of the cells."""
    alone = crowded = 0
    for cell in table.cells:
        if cell.whole or any(w.turn for line in cell.lines for w in line):
            continue
        figures = sum(1 for words in cell.lines for run in split_runs(words) if run.kind in "nd")
        if figures == 1:
            alone += figures
        else:
            crowded += figures
    return crowded > 6 and crowded > alone


def _outermost(found: list[Found]) -> list[Found]:
    """A grid drawn inside a cell of another one is part of that cell."""
    kept: list[Found] = []
    for table in sorted(found, key=lambda t: -(t.box[2] - t.box[0]) * (t.box[3] - t.box[1])):
        x, y = (table.box[0] + table.box[2]) / 2, (table.box[1] + table.box[3]) / 2
        if not any(k.box[0] <= x <= k.box[2] and k.box[1] <= y <= k.box[3] for k in kept):
            kept.append(table)
    return kept


def _edges(values: list[float], low: float, high: float) -> list[float]:
    edges: list[float] = []
    for value in sorted([low, *values, high]):
        if not edges or value - edges[-1] > _NEAR:
            edges.append(value)
    return edges


def _read_grid(group: Rulings, marks: PageMarks) -> list[Found]:
    low_x = min(min(r.start for r in group.across), min(r.at for r in group.down))
    high_x = max(max(r.end for r in group.across), max(r.at for r in group.down))
    low_y = min(min(r.start for r in group.down), min(r.at for r in group.across))
    high_y = max(max(r.end for r in group.down), max(r.at for r in group.across))
    xs = _edges([r.at for r in group.down], low_x, high_x)
    ys = _edges([r.at for r in group.across], low_y, high_y)
    if len(xs) < 3 or len(ys) < 3 or len(xs) > _GRID_MAX or len(ys) > _GRID_MAX:
        return []
    words = [
        w
        for w in marks.words
        if low_x - 1 <= (w.x0 + w.x1) / 2 <= high_x + 1 and low_y - 1 <= (w.top + w.bottom) / 2 <= high_y + 1
    ]
    if not words:
        return []
    parts = _side_by_side(_Grid(xs, ys, group).fill(words))
    tables = []
    for cells in parts:
        x0, x1 = low_x, high_x
        if len(parts) > 1:
            x0, x1 = xs[min(c.col for c in cells)], xs[max(c.col + c.colspan for c in cells)]
        tables.append(Found(cells, (x0, low_y, x1, high_y), ruled=True, col_edges=xs[:-1]))
    for table in tables:
        _shed(table)
    return [table for table in tables if _is_table(table.cells)]


def _side_by_side(cells: list[Cell]) -> list[list[Cell]]:
    """The tables of a grid: spreadsheets print one over everything, and empty columns part what has rows of its own."""
    parts: list[list[Cell]] = []
    end = 0
    for cell in sorted(cells, key=lambda c: c.col):
        if not parts or cell.col > end:
            parts.append([])
        parts[-1].append(cell)
        end = max(end, cell.col + cell.colspan)
    return parts if len(parts) > 1 and all(map(_has_rows, parts)) else [cells]


def _has_rows(cells: list[Cell]) -> bool:
    """Whether there are labels of rows, and figures beside most of them."""
    first = min(c.col for c in cells)
    labels = {c.row for c in cells if c.col == first and c.kind in "tp"}
    figures = {c.row for c in cells if c.col > first and c.kind in "nd"}
    return len(labels & figures) > 1 and 2 * len(labels & figures) >= len(labels)


def _shed(table: Found) -> None:
    """Drop a caption drawn as the first row and notes drawn as the last rows; as prose they keep their meaning."""
    while table.n_rows > 2:
        first = [c for c in table.cells if c.row == 0]
        last = [c for c in table.cells if c.row + c.rowspan == table.n_rows]
        if len(first) == 1 and first[0].colspan == table.n_cols and CAPTION.match(first[0].text):
            table.drop_row(0)
        elif (
            len(last) == 1
            and last[0].rowspan == 1
            and last[0].colspan == table.n_cols > 1
            and (NOTE.match(last[0].text) or len(last[0].text) > _NOTE_LENGTH)
        ):
            table.drop_row(table.n_rows - 1)
        else:
            break


def _is_table(cells: list[Cell]) -> bool:
    rows, cols = {c.row for c in cells}, {c.col for c in cells}
    if len(rows) < 2 or len(cols) < 2 or len(cells) < 4:
        return False
    n_rows, n_cols = max(rows) + 1, max(cols) + 1
    covered = sum(c.rowspan * c.colspan for c in cells)
    if covered < 0.25 * n_rows * n_cols and sum(1 for c in cells if c.kind in "nd") < 4:
        return False  # gridlines of a chart, fields of a form
    # A framed page or form box: nearly all text in one cell.
    longest = max(len(c.text) for c in cells)
    total = sum(len(c.text) for c in cells)
    return not (longest > 600 and longest > 0.6 * total)


class _Grid:
    def __init__(self, xs: list[float], ys: list[float], group: Rulings) -> None:
        self.xs, self.ys = xs, ys
        self.n_rows, self.n_cols = len(ys) - 1, len(xs) - 1
        self._group = group
        self._right = [[self._upright(x, r) for x in xs[1:-1]] for r in range(self.n_rows)]
        self._below = [[self._level(y, c) for c in range(self.n_cols)] for y in ys[1:-1]]

    def _upright(self, x: float, row: int) -> bool:
        top, bottom = self.ys[row], self.ys[row + 1]
        length = sum(
            max(0.0, min(bottom, r.end) - max(top, r.start)) for r in self._group.down if abs(r.at - x) <= _NEAR
        )
        return length >= _COVERED * (bottom - top)

    def _level(self, y: float, col: int) -> bool:
        left, right = self.xs[col], self.xs[col + 1]
        length = sum(
            max(0.0, min(right, r.end) - max(left, r.start)) for r in self._group.across if abs(r.at - y) <= _NEAR
        )
        return length >= _COVERED * (right - left)

    def fill(self, words: list[Word]) -> list[Cell]:
        """Cells with their words; merged where the rule between them is missing."""
        owner, spans = self._merge()
        content: dict[tuple[int, int], list[Word]] = {}
        for word in words:
            row = min(max(bisect_right(self.ys, (word.top + word.bottom) / 2) - 1, 0), self.n_rows - 1)
            col = min(max(bisect_right(self.xs, (word.x0 + word.x1) / 2) - 1, 0), self.n_cols - 1)
            content.setdefault(owner[row][col], []).append(word)
        heights, narrow = _split_heights(content, spans, self.xs)
        offset = [0]
        for row in range(self.n_rows):
            offset.append(offset[-1] + len(heights.get(row, ())) + (row not in heights))
        cells = []
        for (row, col), inside in content.items():
            rowspan, colspan = spans[(row, col)]
            if colspan > 1 and (apart := self._by_column(inside, col, colspan)):
                for number, words in apart.items():
                    cells.append(Cell(offset[row], number, _stack(words), offset[row + rowspan] - offset[row], 1))
            elif col == 0 and rowspan > 1 and (labels := self._by_row(inside, row, rowspan, content)):
                for number, words in labels.items():
                    if number in heights:
                        cells.extend(_split_cell(words, heights[number], offset[number], col, colspan))
                    else:
                        cells.append(Cell(offset[number], col, _stack(words), 1, colspan))
            elif row in heights and rowspan == 1:
                cells.extend(_split_cell(inside, heights[row], offset[row], col, colspan))
            else:
                lines = _stack(inside)
                cells.append(Cell(offset[row], col, lines, offset[row + rowspan] - offset[row], colspan))
                cells[-1].whole = narrow and breaks_off([join_words(line) for line in lines], narrow=True)
        return cells

    def _by_column(self, words: list[Word], col: int, colspan: int) -> dict[int, list[Word]] | None:
        """Words of a merged cell column by column, where figures, years or several phrases keep to the columns that
        other rows have ruled.

        Shading often draws only every other row; the rows between have no sides and look like one cell.
        """
        columns: dict[int, list[Word]] = {}
        figures: set[int] = set()
        for line in build_lines(words):
            for run in line.runs:
                first = min(max(bisect_right(self.xs, run.x0 + 2) - 1, col), col + colspan - 1)
                last = min(max(bisect_right(self.xs, run.x1 - 2) - 1, col), col + colspan - 1)
                if first != last:
                    return None
                columns.setdefault(first, []).extend(run.words)
                if run.kind in "ndp":
                    figures.add(first)
        return columns if len(columns) >= 3 or len(figures) >= 2 else None

    def _by_row(
        self, words: list[Word], row: int, rowspan: int, content: dict[tuple[int, int], list[Word]]
    ) -> dict[int, list[Word]] | None:
        """Labels of a column that is not ruled row by row, where figures stand on the same base lines beside them."""
        beside = [w for (r, c), inside in content.items() if c > 0 and row <= r < row + rowspan for w in inside]
        levels = _levels(sorted(w.base for w in beside if kind_of(w.text) in "nd"))
        labels = [line.base for line in build_lines(words)]
        met = sum(1 for level in levels if any(abs(base - level) < 4 for base in labels))
        if met < _UNRULED_MIN or met < 0.6 * len(levels):
            return None
        rows: dict[int, list[Word]] = {}
        for word in words:
            at = min(max(bisect_right(self.ys, (word.top + word.bottom) / 2) - 1, row), row + rowspan - 1)
            rows.setdefault(at, []).append(word)
        return rows

    def _merge(self) -> tuple[list[list[tuple[int, int]]], dict[tuple[int, int], tuple[int, int]]]:
        owner: list[list[tuple[int, int] | None]] = [[None] * self.n_cols for _ in range(self.n_rows)]
        spans: dict[tuple[int, int], tuple[int, int]] = {}
        for row in range(self.n_rows):
            for col in range(self.n_cols):
                if owner[row][col] is not None:
                    continue
                width = 1
                while (
                    col + width < self.n_cols
                    and not self._right[row][col + width - 1]
                    and owner[row][col + width] is None
                ):
                    width += 1
                height = 1
                while row + height < self.n_rows and self._open_below(row + height, col, width, owner):
                    height += 1
                for r in range(row, row + height):
                    for c in range(col, col + width):
                        owner[r][c] = (row, col)
                spans[(row, col)] = (height, width)
        return owner, spans  # type: ignore[return-value]  # every place has its owner by now

    def _open_below(self, row: int, col: int, width: int, owner: list[list[tuple[int, int] | None]]) -> bool:
        inner = range(col, col + width)
        return (
            not any(self._below[row - 1][c] for c in inner)
            and not any(self._right[row][c] for c in range(col, col + width - 1))
            and all(owner[row][c] is None for c in inner)
        )


def _stack(words: list[Word]) -> list[list[Word]]:
    if len(words) == 1:
        return [words]
    lines = build_lines(words)
    turned = [[w] for w in words if w.turn]
    return [line.words for line in lines] + turned


def _split_heights(
    content: dict[tuple[int, int], list[Word]], spans: dict[tuple[int, int], tuple[int, int]], xs: list[float]
) -> tuple[dict[int, list[float]], bool]:
    """Bands that hold several rows: the base line each of these rows begins with; and whether figures break off."""
    bands: dict[int, list[tuple[int, list[Line]]]] = {}
    for (row, col), words in content.items():
        if spans[(row, col)][0] == 1:
            bands.setdefault(row, []).append((col, build_lines(words)))
    stacks = {row: [[line.text for line in lines] for _, lines in columns] for row, columns in bands.items()}
    narrow = any(breaks_off(texts) for columns in stacks.values() for texts in columns)
    heights: dict[int, list[float]] = {}
    for row, columns in bands.items():
        if narrow and any(breaks_off(texts, narrow=True) for texts in stacks[row]):
            continue  # the cells of one row
        numeric = [
            [line for line in lines if len(line.runs) == 1 and kind_of(line.text) in "nd"] for _, lines in columns
        ]
        counts = [len(n) for n in numeric if len(n) >= 2]
        if not counts:
            continue
        bases = sorted({round(line.base, 1) for group in numeric if len(group) >= 2 for line in group})
        levels = _levels(bases)
        first = min(columns, key=lambda c: c[0])[1]
        labelled = sum(any(abs(line.base - level) < 4 for line in first) for level in levels)
        both = sum(1 for n in counts if n >= 0.6 * len(levels))
        if (
            len(levels) >= 2
            and (len(levels) >= 3 or labelled == len(levels))
            and both
            and labelled >= 0.6 * len(levels)
        ):
            words = [w for (at, _), inside in content.items() if at == row for w in inside]
            heights[row] = _first_lines(words, xs)
    return heights, narrow


def _first_lines(words: list[Word], xs: list[float]) -> list[float]:
    """The base line of the first line of each row of a band; labels may wrap and stand alone."""
    body = []
    for line in build_lines(words):
        columns: dict[int, list[Word]] = {}
        for word in line.words:
            columns.setdefault(bisect_right(xs, (word.x0 + word.x1) / 2) - 1, []).append(word)
        pieces = [(col, col, columns[col]) for col in sorted(columns)]
        body.append(Strand(line.top, line.bottom, line.base, line.size, pieces))
    return [body[group[0]].base for group in text_groups(body, Measure(body, xs[1] - _PADDING))]


def _levels(bases: list[float]) -> list[float]:
    levels: list[float] = []
    for base in bases:
        if not levels or base - levels[-1] > 4:
            levels.append(base)
    return levels


def _split_cell(words: list[Word], levels: list[float], first_row: int, col: int, colspan: int) -> list[Cell]:
    rows: dict[int, list[list[Word]]] = {}
    for line in build_lines(words):
        index = max(bisect_right(levels, line.base + 4) - 1, 0)
        rows.setdefault(index, []).append(line.words)
    return [Cell(first_row + index, col, lines, 1, colspan) for index, lines in rows.items()]
