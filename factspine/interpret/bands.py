"""The rows of a table, from top to bottom: titles, header bands, bodies, notes.

A row *counts* when it holds numbers that are not years, codes or row numbers. Everything else is found from there: what
stands above the first counting row and over its columns is a header; a row without numbers inside a body is a section,
a line of words, or the header of the next part.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from factspine.interpret.cellkinds import HEADING
from factspine.interpret.grid import Cell, Grid
from factspine.interpret.sides import Columns
from factspine.interpret.wording import (
    heads_codes,
    is_note_line,
    is_statement,
    is_stub,
    is_unit_line,
    may_head_row_numbers,
)

_NOTE_LENGTH = 60
_HEADS_OF_TWO_ROWS = 2
_GROUPS_MIN = 2


@dataclass(slots=True, kw_only=True)
class Part:
    """A stretch of rows with one header band: where each of its telling rows belongs."""

    notes: list[int] = field(default_factory=list)
    heads: list[int] = field(default_factory=list)
    body: list[int] = field(default_factory=list)  # rows of data, and sections among them
    banners: list[int] = field(default_factory=list)  # single lines right above the body: the outermost sections


def counting_rows(grid: Grid) -> set[int]:
    """The rows that hold numbers which count."""
    columns = Columns(grid, grid.numbers)
    kinds = [columns.kinds(col) for col in columns.order]
    numbers, quantities = (sum(own.count(kind) for own in kinds) for kind in "nq")
    wanted = frozenset("nq" if quantities > numbers else "n")
    nameless = _row_number_columns(grid, columns)
    found = set()
    for row, cells in grid.rows.items():
        if any(cell[3] in wanted and cell[2] not in nameless for cell in cells) and not counts_columns(cells):
            found.add(row)
    return found


def _row_number_columns(grid: Grid, columns: Columns) -> set[int]:
    found: set[int] = set()
    for col in columns.order:
        if columns.share(col, "nyc") == 0:
            continue
        cells = columns.cells[col]
        texts = [cell.raw.text for cell in cells if cell.kind == "t"]
        named = any(map(heads_codes, texts)) or columns.numbers_rows(col, texts)
        if not (named or columns.may_count(col)):
            continue
        numbers = [cell for cell in cells if cell.kind in "nyc"]
        if columns.whole_numbers(col) is None:
            continue
        if (named and not _pairs_up(grid, numbers)) or (
            _consecutive(columns, col) and set(columns.order[: columns.order.index(col)]) <= found
        ):
            found.add(col)
    return found if len(found) < len(columns.order) else set()


def _pairs_up(grid: Grid, numbers: Sequence[Cell]) -> bool:
    """Whether numbers stand right of a word of their own, as in a form."""
    beside = 0
    for cell in numbers:
        before = [other for other in grid.rows[cell.row] if other.col < cell.col]
        beside += bool(before) and (heads_codes(before[-1].raw.text) or may_head_row_numbers(before[-1].raw.text))
    return beside == len(numbers)


def _consecutive(columns: Columns, col: int) -> bool:
    found = columns.whole_numbers(col) or []
    if len(found) < 3 or found[0] not in (0, 1):
        return False
    return all(b == a + 1 or b == 1 for a, b in pairwise(found))


def counts_columns(cells: Sequence[Cell]) -> bool:
    """A row that numbers the columns: 1, 2, 3 … or (1), (2), (3) …"""
    first = next((cell for cell in cells if cell[3] == "n"), None)
    if first is None or (first.raw.value or first.raw.text.strip(" ()（）")) not in ("1", "2"):
        return False
    numbers = [cell.raw.value or cell.raw.text.strip(" ()（）") for cell in cells if cell.kind == "n"]
    if len(numbers) < 3 or sum(cell.kind == "t" for cell in cells) > 1:
        return False
    wanted = [str(first + i) for first in (1, 2) for i in range(len(numbers))]
    return numbers in (wanted[: len(numbers)], wanted[len(numbers) :])


def split(grid: Grid, counting: set[int]) -> list[list[int]]:
    """The telling rows in stretches, each with at most one header band before its numbers."""
    stretches: list[list[int]] = []
    current: list[int] = []
    heads: list[int] = []  # the header rows of the current stretch
    seen_numbers = False
    for position, row in enumerate(grid.numbers):
        if row in counting:
            seen_numbers = True
        elif not seen_numbers and len(grid.rows[row]) > 1:
            heads.append(row)
        elif seen_numbers and (
            _spans_in_groups(grid, position, counting) or _starts_part(grid, position, counting, heads, current)
        ):
            lead = _lines_above(grid, current, counting)
            stretches.append(current[: len(current) - len(lead)])
            current, heads, seen_numbers = lead, [row], False
        current.append(row)
    if current:
        stretches.append(current)
    return stretches


def _spans_in_groups(grid: Grid, position: int, counting: set[int]) -> bool:
    """Whether a row is nothing but merged headings that share out the whole width, above a row of heads."""
    cells = grid.rows[grid.numbers[position]]
    if len(cells) < _GROUPS_MIN or any(cell.width < _GROUPS_MIN or cell.kind != "t" for cell in cells):
        return False
    if cells[0].col > grid.left or sum(cell.width for cell in cells) < grid.right - grid.left + 1:
        return False
    below = grid.numbers[position + 1 : position + 3]
    return len(below) > 1 and below[0] not in counting and all(cell.kind == "t" for cell in grid.rows[below[0]])


def split_words(grid: Grid, rows: Sequence[int], counting: set[int]) -> list[list[int]]:
    """A stretch without numbers, cut where a line across it and a row set off like its header begin another list."""
    several = [row for row in rows if len(grid.rows[row]) > 1]
    if not several or not counting.isdisjoint(rows):
        return [list(rows)]
    parts: list[list[int]] = [[]]
    for place, row in enumerate(rows):
        line = grid.rows[row]
        below = grid.rows[rows[place + 1]] if place + 1 < len(rows) else []
        across = len(line) == 1 and (line[0].last_col >= grid.right or _is_strong(line))
        # A row of the list itself is no header: it must look like one, as the first row of all does.
        if row > several[0] and across and len(below) > 1 and _is_strong(below) and place + 2 < len(rows):
            parts.append([])
        parts[-1].append(row)
    return parts


def _is_strong(cells: Sequence[Cell]) -> bool:
    return all(cell.raw.style.bold or cell.raw.style.filled for cell in cells)


def _lines_above(grid: Grid, current: list[int], counting: set[int]) -> list[int]:
    """Single lines at the end of a stretch: they are titles of what follows."""
    lead: list[int] = []
    for row in reversed(current):
        if row in counting or len(grid.rows[row]) > 1 or is_note_line(grid.rows[row][0].raw.text):
            break
        lead.insert(0, row)
    return lead


def _starts_part(grid: Grid, position: int, counting: set[int], heads: Sequence[int], current: Sequence[int]) -> bool:
    """Whether a row without numbers, met below numbers, heads a new part."""
    row = grid.numbers[position]
    cells = grid.rows[row]
    if len(cells) < 2 or any(cell.kind not in HEADING for cell in cells):
        return False
    following = next((r for r in grid.numbers[position + 1 :] if r in counting), None)
    if following is None or len(cells) * 2 < len(grid.rows[following]):
        return False
    texts = [cell.raw.text.strip() for cell in cells]
    if _repeats_header(grid, texts, heads):
        return True
    above = next((r for r in reversed(current) if r in counting), None)
    if above is not None and _goes_on(cells, grid.rows[above]):
        return False
    after_line = _after_line(grid, row, current)
    heads_years = after_line or cells[0].kind in "yd" or is_stub(texts[0]) or _is_strong(cells)
    if heads_years and sum(cell.kind in "yd" for cell in cells) >= max(2, len(cells) - 2):
        return True
    if len(set(texts)) < 0.7 * len(texts):
        return False
    return _differs(grid, row, current, counting, after_line=after_line)


def _goes_on(cells: Sequence[Cell], above: Sequence[Cell]) -> bool:
    """Whether a row of dates and what may be years is one more row of a series: 15 May, 1998 cases."""
    before = {cell.col: cell.kind for cell in above}
    dated = sum(cell.kind in "yd" and before.get(cell.col) == cell.kind for cell in cells)
    counted = sum(cell.kind == "y" and before.get(cell.col) == "n" for cell in cells)
    return 0 < dated == len(cells) - counted and len(cells) == len(above)


def _after_line(grid: Grid, row: int, current: Sequence[int]) -> bool:
    """Whether a gap or a single line that spans the table stands right above."""
    above = current[-1]
    if row - 1 not in grid.ends:
        return True
    cells = grid.rows[above]
    return len(cells) == 1 and (cells[0].width > 1 or cells[0].raw.style.bold)


def _repeats_header(grid: Grid, texts: list[str], heads: Sequence[int]) -> bool:
    for head in heads:
        before = [cell.raw.text.strip() for cell in grid.rows[head]]
        if len(before) > 1 and len(set(texts) & set(before)) >= 0.6 * max(len(set(texts)), len(set(before))):
            return True
    return False


def _differs(grid: Grid, row: int, current: Sequence[int], counting: set[int], *, after_line: bool) -> bool:
    """Whether a row of words looks or lies unlike the rows of numbers above it."""
    above = [r for r in current if r in counting][-5:]
    columns = Columns(grid, above)
    cells = grid.rows[row]
    words = [cell for cell in cells if cell.kind in "tb"]
    over_numbers = sum(cell.col in columns.cells and columns.share(cell.col, "nqx") > 0.5 for cell in words)
    body_strong = [c.raw.style.bold or c.raw.style.filled for r in above for c in grid.rows[r] if c.kind in "nqx"]
    strong = sum(cell.raw.style.bold or cell.raw.style.filled for cell in cells) > 0.6 * len(cells)
    if strong and not any(body_strong) and over_numbers:
        return True
    return after_line and over_numbers >= 1 and len(cells) > 2


def sort_rows(grid: Grid, rows: Sequence[int], counting: set[int]) -> Part:
    """One stretch, sorted into titles, header band, body and notes."""
    part = Part()
    first = next((i for i, row in enumerate(rows) if row in counting), None)
    if first is None:
        return _sort_words(grid, rows, part)
    last = max(i for i, row in enumerate(rows) if row in counting)
    first_value = _first_value_column(grid, [row for row in rows if row in counting])
    _sort_above(grid, rows[:first], first_value, part)
    part.body.extend(rows[first : last + 1])
    _sort_below(grid, rows[last + 1 :], first_value, part)
    _notes_inside(grid, part)
    return part


def _first_value_column(grid: Grid, rows: Sequence[int]) -> int:
    columns = Columns(grid, rows)
    for col in columns.order:
        if (
            columns.share(col, "nqx") >= 0.5
            and len(columns.cells[col]) * 3 >= len(rows)
            and not columns.counts_rows(col)
        ):
            return col
    return columns.order[-1]


def _sort_above(grid: Grid, rows: Sequence[int], first_value: int, part: Part) -> None:
    band = [row for row in rows if _heads_columns(grid, row, first_value)]
    while len(band) > 1 and _is_said_of_table(grid.rows[band[0]]):
        band.pop(0)
    if not band:
        single = [row for row in rows if len(grid.rows[row]) == 1]
        part.notes = [row for row in rows if row not in single[-1:] or rows[0] == row]
        part.banners = [row for row in rows if row not in part.notes]
        return
    body = _words_in_body(grid, band, first_value)
    for row in rows:
        if row < band[0]:
            # Above the first part stands the title of the table; above a later one, what tells it from the others.
            is_title = rows[0] == grid.numbers[0] or len(grid.rows[row]) > 1 or is_note_line(grid.rows[row][0].raw.text)
            (part.notes if is_title else part.banners).append(row)
        elif body is not None and row >= body:
            part.body.append(row)
        elif row in band or row < band[-1]:
            part.heads.append(row)
        else:
            # A unit between the headers and the figures speaks of all of them; anything else opens a section.
            is_unit = all(is_unit_line(cell.raw.text) for cell in grid.rows[row])
            (part.notes if is_unit else part.banners).append(row)


def _words_in_body(grid: Grid, band: Sequence[int], first_value: int) -> int | None:
    """The first row of a band that is a row of the body without numbers.

    A row that carries a row number is one. So is a row with a label of its own below a complete header (one that covers
    the label column and every column of values), if there are values among such rows that no header would hold.
    """
    top = grid.rows[band[0]]
    stub = top[0] if top[0].col < first_value else None
    for row in band[1:]:
        if (
            grid.rows[row][0].kind == "n"
            and stub
            and may_head_row_numbers(stub.raw.text)
            and grid.rows[row][0].col == stub.col
            and not counts_columns(grid.rows[row])
        ):
            return row
    if stub is None or not is_complete(grid, band[0] + stub.height - 1, first_value):
        return None
    below = [row for row in band if row >= band[0] + stub.height]
    labelled = [row for row in below if grid.rows[row][0].col == stub.col]
    if not labelled or labelled != below:
        return None
    kinds = [cell.kind for row in labelled for cell in grid.rows[row][1:]]
    return labelled[0] if sum(kind in "rq" for kind in kinds) * 4 >= len(kinds) else None


def is_complete(grid: Grid, row: int, first_value: int) -> bool:
    """Whether every column of values has a header that ends in this row."""
    return all(grid.at(row, col) is not None for col in range(first_value, grid.right + 1))


def _are_pairs(cells: Sequence[Cell]) -> bool:
    """`Company: | Alder Ltd | Currency: | HKD`: said of the whole table, whatever it stands over."""
    return len(cells) % 2 == 0 and all(cell.raw.text.rstrip().endswith((":", "：")) for cell in cells[::2])


def _is_said_of_table(cells: Sequence[Cell]) -> bool:
    """`Report: A12 | Run date: 5 May`, or a title with the like at its side: nothing of it heads a column."""
    texts = [cell.raw.text for cell in cells]
    others = texts if is_statement(texts[0]) else texts[1:]
    return bool(others) and all(is_statement(text) or is_unit_line(text) for text in others)


def _heads_columns(grid: Grid, row: int, first_value: int) -> bool:
    """Whether something in a row stands over columns of numbers, and the row is not a title or unit line."""
    cells = grid.rows[row]
    if _are_pairs(cells):
        return False
    if all(is_note_line(cell.raw.text) or cell.kind in "xd" for cell in cells) and cells[0].kind == "t":
        # One date beside a unit is when the table was made; several over the numbers are whose they are.
        return sum(cell.kind == "d" and cell.last_col >= first_value for cell in cells) > 1
    over = [cell for cell in cells if cell.last_col >= first_value]
    if not over or (any(is_unit_line(cell.raw.text) for cell in over) and len(cells) <= 2):
        return False
    if len(cells) > 1:
        return True
    # A single line: over the numbers only, or a title over everything.
    return cells[0].col > grid.left


def _sort_below(grid: Grid, rows: Sequence[int], first_value: int, part: Part) -> None:
    """Below the last number: lines are notes; rows laid out like the body are words in its columns."""
    for row in rows:
        cells = grid.rows[row]
        line = len(cells) == 1 or is_note_line(cells[0].raw.text) or len(cells[0].raw.text) > _NOTE_LENGTH
        among_notes = bool(part.notes) and part.notes[-1] > part.body[-1]
        if line or among_notes or cells[-1].col < first_value:
            part.notes.append(row)
        else:
            part.body.append(row)


def _notes_inside(grid: Grid, part: Part) -> None:
    for row in list(part.body):
        cells = grid.rows[row]
        if len(cells) == 1 and cells[0].kind == "t" and len(cells[0].raw.text) > 2 * _NOTE_LENGTH:
            part.body.remove(row)
            part.notes.append(row)


def _sort_words(grid: Grid, rows: Sequence[int], part: Part) -> Part:
    """A stretch without numbers: single lines above are titles, then the header row, then words."""
    several = [row for row in rows if len(grid.rows[row]) > 1]
    if not several:
        part.notes = list(rows)
        return part
    part.notes = [row for row in rows if row < several[0]]
    rest = [row for row in rows if row >= several[0]]
    while rest and len(grid.rows[rest[-1]]) == 1 and len(several) > 1:
        part.notes.append(rest.pop())
    part.notes.sort()
    heads = _head_rows(grid, rest)
    part.heads, part.body = rest[:heads], rest[heads:]
    return part


def _head_rows(grid: Grid, rows: Sequence[int]) -> int:
    """How many rows of words head the others: the first, and those under a cell of it that is merged.

    A header over several columns is told apart in the row below it; one over several rows ends where they do.
    """
    if not rows:
        return 0
    first = grid.rows[rows[0]]
    last = rows[0] + max(cell.height for cell in first) - 1
    count = 1
    while count < len(rows) - 1 and rows[count] <= last:
        count += 1
    wide = [cell for cell in first if cell.width > 1 and cell.height == 1]
    if count == 1 and wide and len(rows) > _HEADS_OF_TWO_ROWS and first[0].height == 1 and len(first) > len(wide):
        below = {cell.col for cell in grid.rows[rows[1]]}
        count += all(below & set(range(cell.col + 1, cell.last_col + 1)) for cell in wide)
    return count
