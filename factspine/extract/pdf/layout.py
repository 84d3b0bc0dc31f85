"""One page taken apart: its tables, and the lines of its prose in reading order."""

from __future__ import annotations

from factspine.core.tables import Box
from factspine.extract.pdf.headlines import without_headlines
from factspine.extract.pdf.lattice import find_lattices, highlighted
from factspine.extract.pdf.lines import Line, build_lines
from factspine.extract.pdf.links import is_contents, leads_elsewhere
from factspine.extract.pdf.marks import PageMarks, Rule, Word
from factspine.extract.pdf.refusal import is_chart
from factspine.extract.pdf.regions import by_region, find_gutters, table_gutters
from factspine.extract.pdf.rulings import Rulings, touching, whole_rules
from factspine.extract.pdf.seams import find_seams
from factspine.extract.pdf.seeds import is_seed
from factspine.extract.pdf.shapes import Found
from factspine.extract.pdf.stream import find_streams

_HEAD_ROWS_MAX = 4
_UNDER = 0.3  # of the type size
_HEAD_GAP = 1.5  # of the type size, between a header and its first row
_OVER = 2.0  # a word that reaches this far beyond an edge runs across it


class Layout:
    """Tables from top to bottom; prose region by region, each a list of lines."""

    __slots__ = ("prose", "tables")

    def __init__(self, tables: list[Found], prose: list[list[Line]]) -> None:
        self.tables = tables
        self.prose = prose


def lay_out(marks: PageMarks) -> Layout:
    """Take a page apart. Ruled grids come first; alignment is asked only about what they leave."""
    rulings = whole_rules(marks)
    groups = touching(rulings)
    grids, coarse = find_lattices(marks, groups)
    grids, unlabelled = _labels_outside(grids, marks)
    coarse += unlabelled
    grids, heads = _heads_apart(grids, marks, rulings.down)
    seams = find_seams(marks)
    bands = [rule for head in heads for rule in _bands(head)] + seams.bands
    rulings = rulings._replace(down=rulings.down + seams.walls, drawn=sorted([*rulings.drawn, *bands]))
    rest = outside(marks.words, grids)
    rest, apart = _columns_of(highlighted(marks, groups), rest)
    lines = build_lines(rest, rulings.down)
    gutters = find_gutters(lines, rulings.drawn) or table_gutters(lines)
    regions = [lines]
    if gutters:
        regions = [build_lines(words, rulings.down) for words in by_region(rest, gutters)]
    regions += [build_lines(words, rulings.down) for words in apart]
    tables = list(grids)
    prose: list[list[Line]] = []
    for region in regions:
        found = [
            table
            for table in find_streams(without_headlines(region), _beside(rulings, region), coarse)
            if not is_chart(table.cells, table.box, marks.graphics)
            and not leads_elsewhere(table.cells, marks.links)
            and not is_contents(table.cells, lines)
        ]
        tables += found
        inside = {id(w) for table in found for cell in table.cells for line in cell.lines for w in line}
        prose.append([line for line in region if id(line.words[0]) not in inside])
    tables.sort(key=lambda t: (t.box[1], t.box[0]))
    return Layout(tables, prose)


def _columns_of(boxes: list[Box], words: list[Word]) -> tuple[list[Word], list[list[Word]]]:
    """Words in the column of the page that a table with text beside it fills; and all others.

    The rules of the table say how wide the column is. It begins below the last line that runs across its edge.
    """
    apart: list[list[Word]] = []
    for left, top, right, bottom in boxes:
        beside = [w for w in words if top < w.base < bottom and (w.x1 < left or w.x0 > right)]
        if not beside:
            continue
        above = [w for w in words if w.base < top]
        edge = left if beside[0].x1 < left else right
        start = max((w.base for w in above if w.x0 < edge - _OVER and w.x1 > edge + _OVER), default=0.0)
        inside = {id(w) for w in words if start < w.base <= bottom + w.size and left - 4 <= w.x0 and w.x1 <= right + 4}
        apart.append([w for w in words if id(w) in inside])
        words = [w for w in words if id(w) not in inside]
    return words, apart


def _labels_outside(grids: list[Found], marks: PageMarks) -> tuple[list[Found], list[Found]]:
    """Grids as they are, and grids drawn around figures only, widened to take in the labels that stand left of them."""
    kept, widened = [], []
    for table in grids:
        first = [c for c in table.cells if c.col == 0]
        figures = [c for c in first if c.kind in "nd"]
        x0, top, x1, bottom = table.box
        labels = [w for w in marks.words if w.x1 < x0 + 2 and top < (w.top + w.bottom) / 2 < bottom and not w.turn]
        rows = sum(1 for c in figures if any(abs(w.base - c.lines[-1][0].base) < 0.4 * w.size for w in labels))
        if len(figures) >= 2 and len(figures) >= 0.5 * len(first) and rows >= 0.5 * len(figures):
            table.box = (min(w.x0 for w in labels), top, x1, bottom)
            widened.append(table)
        else:
            kept.append(table)
    return kept, widened


def _heads_apart(grids: list[Found], marks: PageMarks, downs: list[Rule]) -> tuple[list[Found], list[Found]]:
    """Grids, and grids that are drawn around the header of a table only: words right above rows of figures."""
    heads = [t for t in grids if t.n_rows <= _HEAD_ROWS_MAX and all(c.kind in "tp" for c in t.cells)]
    if not heads:
        return grids, []
    lines = build_lines(outside(marks.words, grids), downs)
    heads = [table for table in heads if _stands_over(table, lines)]
    return [table for table in grids if table not in heads], heads


def _stands_over(table: Found, lines: list[Line]) -> bool:
    """Whether a row with nearly as many cells as a grid has columns stands right below it."""
    x0, _, x1, bottom = table.box
    below = next((li for li in lines if li.base > bottom and li.x0 < x1 and x0 < li.x1), None)
    if below is None or below.top - bottom > _HEAD_GAP * below.size or not is_seed(below):
        return False
    row = [run for run in below.runs if x0 - _OVER <= run.x0 and run.x1 <= x1 + _OVER]
    return len(row) > 1 and 2 * len(row) >= table.n_cols


def _bands(head: Found) -> list[Rule]:
    """Rules under the headers over several columns, as wide as these columns."""
    edges = [*head.col_lefts, head.box[2]]
    rules = []
    for cell in head.cells:
        if cell.colspan > 1:
            word = cell.lines[-1][0]
            rules.append(Rule(word.base + _UNDER * word.size, edges[cell.col], edges[cell.col + cell.colspan]))
    return rules


def _beside(rulings: Rulings, region: list[Line]) -> Rulings:
    """Rules that lie within the width of a region."""
    left, right = min(li.x0 for li in region) - 12 if region else 0, max((li.x1 for li in region), default=0) + 12
    drawn = [r for r in rulings.drawn if r.start < right and r.end > left]
    return Rulings(rulings.across, rulings.down, drawn)


def find_tables(marks: PageMarks) -> list[Found]:
    """All tables of a page, from top to bottom."""
    return lay_out(marks).tables


def outside(words: list[Word], found: list[Found]) -> list[Word]:
    """Words in no table."""
    if not found:
        return words
    inside = {id(w) for table in found for cell in table.cells for line in cell.lines for w in line}
    return [w for w in words if id(w) not in inside]
