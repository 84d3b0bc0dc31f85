"""A sheet's cells cut into tables: several may stand side by side or below each other, anywhere on the sheet.

Blank rows and columns alone say little: statistics leave them inside one table too. So a blank row ends a table only
where what follows brings a header of its own, and a blank column only where both sides can stand alone. What has no
header of its own belongs to the table before it; lines of text belong to the table they stand next to.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping
from itertools import pairwise
from typing import Literal

from factspine.core.tables import Cells, RawCell
from factspine.extract.xlsx.lines import Grid, Line, by_first_row, cell_class
from factspine.extract.xlsx.sheet import Range

FAR_ROWS = 12  # so many blank rows separate tables whatever they hold
FAR_COLS = 8
_LOOK_ROWS = 15  # a header and the first data lie within so many rows of a block's top
_LOOK_COLUMN = 40  # rows looked at to say what a column holds
_LOOK_CELLS = 5_000
_DEPTH_MAX = 4

_NOTE = re.compile(
    r"(?:[（(\[]?\s*(?:note|notes|source|sources|footnote|remark|remarks|n\.b|注|附注|备注|说明|资料来源|数据来源|来源|註)"
    r"(?:\b|[^a-z])|[*†‡§#]|[（(\[]?\d{1,2}[)）\]\\.、]|\\\d|[（(][a-z][)）])",
    re.IGNORECASE,
)

# A line that numbers the table below it; a sentence about a table goes on after the number.
_NUMBERED = re.compile(
    r"(?:(?:table|tab\.|exhibit|schedule)\s*[a-z]?\d[\w-]*(?:\.\d+)*\s*(?:[.:–—]|-\s|$)|[附续]?表\s*\d[\d.-]*(?![\d.-]*[所中的]))",
    re.IGNORECASE,
)

BlockKind = Literal["lines", "texts", "headed", "headless"]
Merges = Mapping[int, list[Range]]  # by their first row


def find_regions(cells: Cells, merges: list[Range]) -> list[Cells]:
    """The regions of a sheet in reading order; every cell is in exactly one."""
    regions = _by_rows(cells, by_first_row(merges), 0)
    return sorted(regions, key=lambda region: (region.columns.rows[0], min(region.columns.cols)))


def is_note(text: str) -> bool:
    """Whether a line of text reads as a note to what stands above it."""
    return _NOTE.match(text) is not None


def _by_rows(cells: Cells, merges: Merges, depth: int) -> list[Cells]:
    grid = Grid(cells, merges)
    blocks = grid.blocks()
    cuts = _row_cuts(grid, blocks) if len(blocks) > 1 else []
    if not cuts:
        return _by_columns(grid, cells, depth)
    out: list[Cells] = []
    bounds = [0, *cuts, len(blocks)]
    for first, last in pairwise(bounds):
        start, end = grid.span(blocks[first][0], blocks[last - 1][-1])
        band = cells.part(start, end)
        out.extend(_by_columns(Grid(band, merges), band, depth))
    return out


# -- blank rows ----------------------------------------------------------------------------------------------------


def _row_cuts(grid: Grid, blocks: list[list[int]]) -> list[int]:
    """The blocks that begin a new table."""
    kinds = [_kind(grid, block) for block in blocks]
    gaps = [0] + [after[0] - before[-1] - 1 for before, after in pairwise(blocks)]
    cuts: list[int] = []
    complete = _complete(kinds[0], blocks[0])
    for place in range(1, len(blocks)):
        if gaps[place] >= FAR_ROWS:
            cuts.append(place)
            complete = _complete(kinds[place], blocks[place])
        elif (complete or _is_form(grid, blocks, kinds, gaps, place)) and _begins(grid, blocks, kinds, gaps, place):
            cuts.append(_with_titles(grid, blocks, kinds, gaps, place, cuts[-1] if cuts else 0))
            complete = _complete(kinds[place], blocks[place])
        else:
            complete = complete or _complete(kinds[place], blocks[place])
    return cuts


def _complete(kind: BlockKind, block: list[int]) -> bool:
    """Whether a table that ends here is one: it has data, or is long enough to be a table of texts."""
    return kind in ("headed", "headless") or (kind == "texts" and len(block) > 3)


def _is_form(grid: Grid, blocks: list[list[int]], kinds: list[BlockKind], gaps: list[int], place: int) -> bool:
    """Whether a few rows of several texts each end two rows above a table with a header of its own."""
    above = blocks[place - 1]
    return (
        kinds[place - 1] == "texts"
        and kinds[place] == "headed"
        and gaps[place] > 1
        and len(above) > 1
        and all(len(grid.line(row).texts) > 1 for row in above)
    )


def _begins(grid: Grid, blocks: list[list[int]], kinds: list[BlockKind], gaps: list[int], place: int) -> bool:
    """Whether a block that follows a complete table begins another."""
    kind = kinds[place]
    if kind == "headed":
        return True
    if kind == "lines":
        return _NUMBERED.match(grid.cells[grid.span(blocks[place][0], blocks[place][0])[0]].text) is not None
    if kind != "texts":
        return False
    following = kinds[place + 1] if place + 1 < len(blocks) and gaps[place + 1] < FAR_ROWS else None
    if following == "headless":  # a header, a blank row, and its data
        head = [grid.line(row) for row in blocks[place]]
        body = [grid.line(row) for row in blocks[place + 1][:5]]
        shown = any(line.strong or len(line.texts) > 1 or len(line.years) > 1 for line in head)
        return shown and _covers(grid, head, body)
    if following in ("headed", "lines", "texts"):
        return False  # decided when the table below it begins
    return gaps[place] > 1 and len(blocks[place]) > 1


def _with_titles(
    grid: Grid, blocks: list[list[int]], kinds: list[BlockKind], gaps: list[int], place: int, floor: int
) -> int:
    """Where a new table begins, counting the lines above it that stand nearer to it than to the table before."""
    start = place
    while start - 1 > floor and kinds[start - 1] in ("lines", "texts"):
        above = blocks[start - 1]
        text = grid.cells[grid.span(above[0], above[0])[0]].text
        if gaps[start] > gaps[start - 1] or is_note(text) or len(above) > 4:
            break
        start -= 1
    return start


def _kind(grid: Grid, block: list[int]) -> BlockKind:
    """What a block of rows brings with it."""
    if grid.line(block[0]).data:
        return "headless"
    lines = [grid.line(row) for row in block[:_LOOK_ROWS]]
    body = next((at for at, line in enumerate(lines) if line.data), None)
    if body is None:
        if all(line.single or not (line.texts or line.years) for line in lines):
            return "lines" if len(block) <= _LOOK_ROWS else "texts"
        return "texts"
    head = [line for line in lines[:body] if line.heading]
    if not head or not _covers(grid, lines[:body], lines[body : body + 5]):
        return "headless"
    covered = _columns(grid, head) & {col for line in lines[body : body + 5] for col in line.amounts}
    # One text above one amount may be a record that happens to have no amount; a header shows itself otherwise too.
    plain = len(covered) < 2 and not (head[0].strong and not lines[body].strong) and not lines[0].single
    return "headless" if plain else "headed"


def _columns(grid: Grid, lines: list[Line]) -> set[int]:
    """The columns that the texts of some lines head, merged cells included."""
    out = {col for line in lines for col in (*line.texts, *line.years)}
    for line in lines:
        for _, left, _, right in grid.merges.get(line.row, ()):
            if left in out:
                out.update(range(left, min(right, left + 200) + 1))
    return out


def _covers(grid: Grid, head: list[Line], body: list[Line]) -> bool:
    """Whether the texts of some lines stand over at least half of the columns with amounts below them."""
    amounts = {col for line in body for col in line.amounts}
    return bool(amounts) and 2 * len(amounts & _columns(grid, head)) >= len(amounts)


# -- blank columns -------------------------------------------------------------------------------------------------


def _by_columns(grid: Grid, cells: Cells, depth: int) -> list[Cells]:
    columns = sorted(set(cells.columns.cols))
    if columns[-1] - columns[0] + 1 == len(columns) or depth >= _DEPTH_MAX:
        return [cells]
    first, last = _body(grid)
    start, end = grid.span(first, last)
    body = cells.part(start, end)
    used = _used_columns(grid, body, first, last)
    cuts: list[int] = []
    for before, after in pairwise(used):
        gap = after - before - 1
        if gap and (gap >= FAR_COLS or _stands_alone(body, used, cuts[-1] if cuts else used[0], before, after, gap)):
            cuts.append(after)
    # Lines of text may stand beyond the columns of the body; far away they are a region of their own.
    bounds = [0, *cuts]
    parts: list[list[RawCell]] = [[] for _ in bounds]
    strays: dict[int, list[RawCell]] = {}
    for cell in cells:
        side = bisect_right(bounds, cell.col) - 1
        if cell.col >= used[-1] + FAR_COLS:
            strays.setdefault(cell.row, []).append(cell)
        else:
            parts[side].append(cell)
    if not cuts and not strays:
        return [cells]
    out: list[Cells] = []
    for part in map(Cells.of, filter(None, parts)):
        out.extend(_by_rows(part, grid.merges, depth + 1) if cuts else [part])
    out.extend(map(Cells.of, strays.values()))
    return out


def _body(grid: Grid) -> tuple[int, int]:
    """The rows between the lines of text above and below a table; a title may run across several tables."""
    rows = grid.rows
    first, last = 0, len(rows) - 1
    while first < last and first < _LOOK_ROWS and grid.line(rows[first]).single:
        first += 1
    while last > first and len(rows) - last < _LOOK_ROWS and grid.line(rows[last]).single:
        last -= 1
    return rows[first], rows[last]


def _used_columns(grid: Grid, body: Cells, first: int, last: int) -> list[int]:
    used = set(body.columns.cols)
    low, high = min(used), max(used)
    for row in grid.rows if grid.merges else ():
        for _, left, _, right in grid.merges.get(row, ()):
            if first <= row <= last and left in used and right - left < FAR_COLS * 4:
                used.update(range(max(left, low), min(right, high) + 1))
    return sorted(used)


def _stands_alone(body: Cells, used: list[int], left: int, before: int, after: int, gap: int) -> bool:
    """Whether both sides of a blank column have labels and amounts of their own."""
    here = [col for col in used if left <= col <= before]
    beyond: list[int] = []
    for col in used:
        if col >= after and (not beyond or col - beyond[-1] == 1):
            beyond.append(col)
    if len(here) < 2 or len(beyond) < 2:
        return gap >= 3 and len(beyond) >= 2 and len(here) >= 2
    sides = [here, beyond]
    if not all(_names_rows(body, columns, gap) for columns in sides):
        return False
    held = [[_column(body, col) for col in columns[1:]] for columns in sides]
    numeric = [any(amounts > texts for texts, amounts, _ in side) for side in held]
    headed = all(any(top == "t" or top == "y" for _, _, top in side) for side in held)
    if all(numeric):
        return headed or gap >= 2
    if any(numeric) and _rows_of(body, here) == _rows_of(body, beyond):
        return False  # remarks, a little apart from what they are about
    return gap >= 2 and (headed or not any(numeric))


def _names_rows(body: Cells, columns: list[int], gap: int) -> bool:
    """Whether the first column of a side tells its rows apart: by words or, where a wide gap sets the side apart, by
    dates, by counting them, or by numbers no two of which are the same, before words.
    """
    texts, amounts, top = _column(body, columns[0])
    if texts > amounts or gap < 2 or top != "t":
        return texts > amounts
    below = [cell for cell in body[:_LOOK_CELLS] if cell.col == columns[0]][1:_LOOK_COLUMN]
    kinds = [cell_class(cell) for cell in below]
    numbers = [cell.text for cell, kind in zip(below, kinds, strict=True) if kind == "n"]
    if not numbers:
        return kinds.count("y") > 1
    told = {int(text) for text in numbers if text.isascii() and text.isdigit() and len(text) < 10}
    if not 1 < len(told) == len(numbers):
        return False
    words, others, _ = _column(body, columns[1])
    return max(told) - min(told) == len(told) - 1 or (words > others and words >= len(told))


def _rows_of(body: Cells, columns: list[int]) -> tuple[int, int]:
    """The first and the last row of a side."""
    within = set(columns)
    rows = [cell.row for cell in body if cell.col in within]
    return rows[0], rows[-1]


def _column(body: Cells, col: int) -> tuple[int, int, str]:
    """How many texts and amounts a column holds near its top, header aside, and what its first cell is."""
    texts = amounts = 0
    top = ""
    seen = 0
    for cell in body[:_LOOK_CELLS]:
        if cell.col != col:
            continue
        of = cell_class(cell)
        if not top:
            top = of
            continue
        seen += 1
        texts += of == "t"
        amounts += of in ("n", "-")
        if seen >= _LOOK_COLUMN:
            break
    return texts, amounts, top
