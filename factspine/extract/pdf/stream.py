"""Tables without a grid: runs that stand under each other, line after line, with figures among them.

Lines whose runs are parted by white space and hold figures are seeds. A table grows from seeds downward while figures
keep to the same columns, takes the lines between them, and then the header lines above. Level rules that share their
ends frame a table and settle where it begins and ends. What is left has to prove that it is not prose in columns, a
table of contents or the labels of a chart.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from factspine.extract.pdf.columns import (
    Strip,
    find_strips,
    lift_places,
    place_whole,
    run_intervals,
    split_at,
    with_rules,
)
from factspine.extract.pdf.frames import Frame, frame_rules
from factspine.extract.pdf.heads import head_cells
from factspine.extract.pdf.lines import Line, Run
from factspine.extract.pdf.marks import APART_BEFORE, Rule, is_measure
from factspine.extract.pdf.phrases import CAPTION, NOTE, is_preparer_line, is_unit_line
from factspine.extract.pdf.references import part_references, part_units
from factspine.extract.pdf.refusal import is_no_table
from factspine.extract.pdf.rows import Strand, body_cells, first_body_row
from factspine.extract.pdf.rulings import Rulings
from factspine.extract.pdf.seeds import heads_again, is_data, is_seed, restarts
from factspine.extract.pdf.shapes import Cell, Found

_HEAD_LINES_MAX = 14
_PENDING_MAX = 8
_TRIES_MAX = 4
_COLUMNS_MAX = 100
_LABEL_SHARE = 0.1
_BEYOND = 30.0  # points by which a header may reach over the sides of its table
_PAUSE_MAX = 6.0  # of the type size: no table has wider gaps between its rows


def find_streams(lines: Sequence[Line], rulings: Rulings, coarse: Sequence[Found]) -> list[Found]:
    """Tables among lines that are in no grid; `coarse` are grids that hold a table but not each of its cells."""
    found: list[Found] = []
    for grid in coarse:
        inside = [li for li in lines if _within(li, grid.box)]
        table = build_table(inside, rulings.drawn, xs=grid.col_edges[1:], framed=True) if inside else None
        if table is not None:
            table.box = grid.box
            found.append(table)
    taken = {id(li) for table in found for li in lines if _within(li, table.box)}
    lines = [li for li in lines if id(li) not in taken]
    frames = frame_rules(rulings.drawn, lines)
    return found + _grown(lines, frames, rulings)


def _within(line: Line, box: tuple[float, float, float, float]) -> bool:
    return box[1] - 1 <= line.base <= box[3] + 2 and line.x0 >= box[0] - 4 and line.x1 <= box[2] + 4


def _grown(lines: Sequence[Line], frames: Sequence[Frame], rulings: Rulings) -> list[Found]:
    found: list[Found] = []
    taken = -1
    index = 0
    failures: dict[int, int] = {}  # by the last line of what was tried
    while index < len(lines):
        frame = next((f for f in frames if f.holds(lines[index])), None)
        table, last = _try(lines, index, frame, taken, rulings)
        if table is not None:
            found.append(table)
            taken = index = last
        elif last > index:
            # A stretch that makes no table from its first few lines on makes none at all.
            failures[last] = failures.get(last, 0) + 1
            index = last if failures[last] >= _TRIES_MAX else index
        index += 1
    return found


def _try(
    lines: Sequence[Line], index: int, frame: Frame | None, taken: int, rulings: Rulings
) -> tuple[Found | None, int]:
    """The table that begins around a line, and the last line that was looked at."""
    last = index
    if is_seed(lines[index]):
        for limits in (frame, None) if frame is not None else (None,):
            first, last = _grow(lines, index, limits, taken)
            table = build_table(lines[first : last + 1], rulings.drawn, walls=rulings.down)
            if table is not None:
                return table, last
    elif frame is not None and any(frame.holds(li) and is_seed(li) for li in lines[index + 1 :]):
        return None, last  # the first line with figures knows better where the header begins
    if frame is not None and not frame.tried:
        frame.tried = True
        inside = [i for i in range(taken + 1, len(lines)) if frame.holds(lines[i])]
        table = build_table([lines[i] for i in inside], rulings.drawn, walls=rulings.down, framed=True)
        if table is not None:
            return table, max(inside)
    return None, last


def _grow(lines: Sequence[Line], seed: int, frame: Frame | None, taken: int) -> tuple[int, int]:
    """First and last line of the table that grows from a seed."""
    spans = [(run.x0, run.x1) for run in lines[seed].runs if run.kind in "ndp"] or run_intervals(lines[seed])[1:]
    headed = not any(run.kind in "nd" for run in lines[seed].runs)
    last = seed
    index = seed + 1
    while index < len(lines):
        line = lines[index]
        if heads_again(lines[max(seed - _HEAD_LINES_MAX, taken + 1) : index], line):
            break
        if frame is not None and line.base <= frame.bottom + 1:
            if is_seed(line) or index:
                spans += [(r.x0, r.x1) for r in line.runs if r.kind in "nd"] if is_seed(line) else []
                last = index
            index += 1
            continue
        verdict = _joins(lines, last, index, spans, headed)
        if verdict == "stop":
            break
        if verdict == "take":
            last = index
            spans += [(r.x0, r.x1) for r in line.runs if r.kind in "nd"] or _headed_spans(line, spans, headed)
            headed = headed and not any(r.kind in "nd" for r in line.runs)
        index += 1
    last = _take_tail(lines, last, spans)
    return _head_start(lines, seed, frame, taken, spans, last), last


def _stands_under(figures: list[tuple[float, float]], headers: list[tuple[float, float]]) -> bool:
    """The first figures under headers that stand in the middle or at the left of their columns."""
    starts = sorted(x0 for x0, _ in headers)
    each = max([right - left for left, right in headers] + [b - a for a, b in itertools.pairwise(starts)])
    left, right = min(x0 for x0, _ in headers) - each, max(x1 for _, x1 in headers) + each
    inside = sum(1 for x0, x1 in figures if left <= x0 and x1 <= right)
    return 3 * inside >= 2 * len(figures) and len(figures) <= 2 * len(headers)


def _headed_spans(line: Line, spans: list[tuple[float, float]], headed: bool) -> list[tuple[float, float]]:
    """Where a second header line stands: under a band over several columns each of them has a name of its own."""
    if not headed:
        return []
    reach = max(right - left for left, right in spans)
    return [(run.x0, run.x1) for run in line.runs if run.x1 > min(left for left, _ in spans) - reach]


def _is_note(line: Line) -> bool:
    """A note below a table; "Note 2024 2023" is the head of a column of references beside two years."""
    return bool(NOTE.match(line.text)) and not (len(line.runs) >= 3 and is_seed(line))


def _is_unit_line(line: Line, x0: float) -> bool:
    """A line that says nothing but units; at the left edge beside other headers it is the corner of the table."""
    if not is_unit_line(line.text):
        return False
    if len(line.runs) == 1 or is_preparer_line(line.text):
        return True
    return line.x0 > x0 + 12 and all(run.kind == "t" for run in line.runs)


def _joins(lines: Sequence[Line], last: int, index: int, spans: list[tuple[float, float]], headed: bool) -> str:
    line, above = lines[index], lines[index - 1]
    gap = line.top - above.bottom
    far = gap > 2.8 * line.size and not (gap < _PAUSE_MAX * line.size and _goes_on(line, spans, headed))
    if far or index - last > _PENDING_MAX or _is_note(line) or restarts(lines, index):
        return "stop"
    left = min(s[0] for s in spans)
    if _is_unit_line(line, left - 24):
        return "wait" if headed else "stop"  # below figures it speaks of another table
    if is_seed(line):
        years = all(r.kind == "p" for r in line.runs)
        if years and (index - last > 1 or gap > 0.8 * line.size) and line.x0 >= left - 12:
            return "stop"  # years again after a pause: the header of another table
        figures = [(r.x0, r.x1) for r in line.runs if r.kind in "ndp"] or run_intervals(line)[1:]
        meets = sum(1 for f in figures if any(f[0] < s[1] + 2 and s[0] < f[1] + 2 for s in spans))
        return "take" if meets * 2 >= len(figures) or (headed and _stands_under(figures, spans)) else "stop"
    if len(line.runs) == 1:
        run = line.runs[0]
        if run.x1 <= left + 2 or (run.x0 >= left - 2 and run.length <= 6):
            return "wait"
        if run.length <= 7 and not CAPTION.match(run.text) and gap < 1.2 * line.size:
            return "wait"
        # A long label may reach over the figures' left edge; a line that runs through them is prose.
        return "stop"
    # Headings over the figures, without a label, after a pause: the header of another table.
    return "stop" if line.x0 >= left - 12 and gap > 0.8 * line.size and len(spans) > 2 else "wait"


def _goes_on(line: Line, spans: list[tuple[float, float]], headed: bool) -> bool:
    """Whether a line after a pause is the next row: figures in every column, each where the others stand."""
    figures = [(r.x0, r.x1) for r in line.runs if r.kind in "nd"]
    columns = _columns(spans)
    if not 2 <= len(columns) <= len(figures):
        return False
    if headed:  # not every column need have a header on the line of the years
        return all(any(x0 < right and left < x1 for x0, x1 in figures) for left, right in columns)
    return all(sum(1 for left, right in columns if x0 < right and left < x1) == 1 for x0, x1 in figures)


def _columns(spans: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Where columns stand, from the places of their figures and headers."""
    columns: list[tuple[float, float]] = []
    for left, right in sorted(spans):
        if columns and left < columns[-1][1]:
            columns[-1] = (columns[-1][0], max(columns[-1][1], right))
        else:
            columns.append((left, right))
    return columns


def _take_tail(lines: Sequence[Line], last: int, spans: list[tuple[float, float]]) -> int:
    """A label that wraps after its figures."""
    left = min(s[0] for s in spans)
    while last + 1 < len(lines):
        line, above = lines[last + 1], lines[last]
        close = line.top - above.bottom < 0.45 * line.size
        if (
            not close
            or len(line.runs) != 1
            or line.x1 > left
            or not (line.text[:1].islower() or line.text[:1] in "(（")
            or abs(line.size - above.size) > 0.6
        ):
            break
        last += 1
    return last


def _head_start(
    lines: Sequence[Line], seed: int, frame: Frame | None, taken: int, spans: list[tuple[float, float]], last: int
) -> int:
    """The first header line above a seed."""
    left = min(s[0] for s in spans)
    x0, x1 = min(line.x0 for line in lines[seed : last + 1]), max(line.x1 for line in lines[seed : last + 1])
    start = index = seed
    while index - 1 > taken and seed - index < _HEAD_LINES_MAX:
        line, below = lines[index - 1], lines[index]
        gap = below.top - line.bottom
        inside = frame is not None and line.base >= frame.top
        if frame is not None and not inside and not _is_headless(lines[start : seed + 1]):
            break
        if not inside and (gap > 1.7 * line.size or CAPTION.match(line.text) or _is_note(line)):
            break
        if _is_unit_line(line, x0):
            # Above the headers it speaks of the whole table; between them and the figures it is one of them.
            role = "head" if index > 1 and _is_header(lines[index - 2], line) else "stop"
        else:
            role = "head" if inside else _head_role(line, left, x0, x1)
        if role == "stop":
            break
        index -= 1
        # A label that goes on in the line below begins its row.
        if role == "head" or (role == "label" and start == index + 1 and below.text[:1].islower()):
            start = index
    return start


def _is_headless(lines: Sequence[Line]) -> bool:
    """Names of sections and a first row of figures below a rule: the header stands above the rule."""
    return is_data(lines[-1]) and all(len(line.runs) == 1 for line in lines[:-1])


def _is_header(line: Line, below: Line) -> bool:
    """Several phrases right above another line, none of them a figure."""
    near = below.top - line.bottom < 1.2 * below.size
    return near and len(line.runs) > 1 and not any(run.kind in "nd" for run in line.runs)


def _is_centred_title(run: Run, left: float, x0: float, x1: float) -> bool:
    """Centred over the whole table rather than over its figures: its title, not a header."""
    middle = (run.x0 + run.x1) / 2
    return abs(middle - (x0 + x1) / 2) < min(abs(middle - (left + x1) / 2), 1.5 * run.words[0].size)


def _ends_over(line: Line, x1: float) -> bool:
    """Whether the last of several headers begins over the last column, however far it reaches beyond its figures."""
    return len(line.runs) > 2 and line.runs[-1].x0 < x1


def _head_role(line: Line, left: float, x0: float, x1: float) -> str:
    if line.x0 < x0 - _BEYOND or (line.x1 > x1 + _BEYOND and not _ends_over(line, x1)):
        return "stop"
    if len(line.runs) >= 2:
        return "head" if all(r.length <= 8 for r in line.runs) else "stop"
    run = line.runs[0]
    if _is_centred_title(run, left, x0, x1):
        return "stop"
    if run.x0 >= left - 12 or ((run.x0 + run.x1) / 2 >= left and run.x0 > x0 + 2):
        return "head" if run.length <= 10 else "stop"
    if run.x1 <= left + 4 and run.length <= 16:
        return "label"
    return "stop"


def build_table(
    lines: Sequence[Line],
    across: Sequence[Rule],
    *,
    xs: Sequence[float] = (),
    walls: Sequence[Rule] = (),
    framed: bool = False,
) -> Found | None:
    """The table some lines make, or None where they make none.

    `xs` are upright rules between its columns, `walls` those of the page, some of which may be.
    """
    part_references(lines)
    part_units(lines)
    seeds = [line for line in lines if is_seed(line)]
    if framed:
        seeds = [line for line in lines if len(line.runs) >= 2]
    if len(lines) < 2 or not seeds:
        return None
    strips = with_rules(table_strips(seeds), xs)
    if not 0 < len(strips) < _COLUMNS_MAX:
        return None
    x0, x1 = min(li.x0 for li in lines), max(li.x1 for li in lines)
    top, bottom = min(li.top for li in lines), max(li.bottom for li in lines)
    levels = [
        r for r in across if top - 3 <= r.at <= bottom + 3 and min(r.end, x1) - max(r.start, x0) > 0.1 * (x1 - x0)
    ]
    wide = [r for r in levels if min(r.end, x1) - max(r.start, x0) > 0.5 * (x1 - x0)]
    strands = [Strand(li.top, li.bottom, li.base, li.size, split_at(li.runs, strips)) for li in lines]
    # A rule that leaves the labels out parts lines of a header.
    whole = [r for r in wide if r.start < x0 + _LABEL_SHARE * (x1 - x0)]
    start = first_body_row(strands, whole) or first_body_row(strands, wide)
    extents = column_extents(strands[start:], strips)
    edges = _walled(strips, [wall.at for wall in walls if wall.start < bottom and wall.end > top], strands[start:])
    for line, strand in zip(lines[:start], strands, strict=False):
        strand.pieces = place_whole(line.runs, edges, extents)
    for number in range(start - 2, -1, -1):
        strands[number].pieces = lift_places(strands[number].pieces, strands[number + 1].pieces, lines[number].size)
    head, rows = head_cells(strands[:start], levels, edges, extents, xs)
    limit = strips[0].right - 0.4 * lines[0].size
    cells: list[Cell] = head + body_cells(strands, start, rows, wide, limit, extents)
    if is_no_table(cells, framed=framed):
        return None
    return Found(cells, (x0, top, x1, bottom), ruled=False, col_edges=[x0, *(s.middle for s in strips)])


def _walled(strips: Sequence[Strip], walls: Sequence[float], body: Sequence[Strand]) -> list[Strip]:
    """Strips as narrow as the walls that stand in them: headers reach further into the white than figures do.

    A wall between a currency and its amount parts no columns.
    """
    found = []
    for strip in strips:
        inside = [x for x in walls if strip.left - 1 <= x <= strip.right + 1 and not _cuts(x, body)]
        x = min(inside, key=lambda x: abs(x - strip.middle)) if inside else None
        found.append(strip if x is None else Strip(x - 0.5, x + 0.5))
    return found


def _cuts(x: float, body: Sequence[Strand]) -> bool:
    amounts = [p[2] for strand in body for p in strand.pieces if len(p[2]) > 1 and p[2][0].text in APART_BEFORE]
    return any(words[0].x1 - 1 < x < words[1].x0 + 1 for words in amounts)


def table_strips(seeds: Sequence[Line]) -> list[Strip]:
    """The white strips of a table, from its seed lines; those with figures decide where there are enough of them."""
    body = [line for line in seeds if any(r.kind in "nd" or is_measure(r.text) for r in line.runs[1:])]
    dated = all(run.kind == "p" for line in seeds if line not in body for run in line.runs)
    if not (body and dated) and (len(body) < 2 or len(body) < 0.3 * len(seeds)):
        body = list(seeds)
    return find_strips([run_intervals(line) for line in body])


def column_extents(body: Sequence[Strand], strips: Sequence[Strip]) -> list[tuple[float, float]]:
    """Where the text of each column begins and ends."""
    extents: list[tuple[float, float]] = []
    for col in range(len(strips) + 1):
        words = [p[2] for s in body for p in s.pieces if p[0] == p[1] == col]
        if words:
            extents.append((min(w[0].x0 for w in words), max(w[-1].x1 for w in words)))
        else:
            extents.append((-1.0, -1.0))
    return extents
