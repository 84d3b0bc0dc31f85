"""Tables without a grid: runs that stand under each other, line after line, with figures among them.

Lines whose runs are parted by white space and hold figures are seeds. A table grows from seeds downward while figures
keep to the same columns, takes the lines between them, and then the header lines above. Level rules that share their
ends frame a table and settle where it begins and ends. What is left has to prove that it is not prose in columns, a
table of contents or the labels of a chart.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from factspine.extract.pdf.columns import Strip, find_strips, run_intervals, split_at
from factspine.extract.pdf.heads import head_cells
from factspine.extract.pdf.lines import Line, Run
from factspine.extract.pdf.marks import Rule, Word, kind_of
from factspine.extract.pdf.refusal import is_no_table
from factspine.extract.pdf.rows import Strand, body_cells, first_body_row
from factspine.extract.pdf.shapes import Cell, Found, close_up

CAPTION = re.compile(
    r"(?:table|tab\.|figure|fig\.|chart|exhibit|annex|appendix|box|graph|tableau|tabelle|quadro|表|图|附表|附图)\s*"
    r"(?:[A-Z]{0,2}[\d.\-–]+[a-z]?|[IVX]+|[A-Z]\b|[一二三四五六七八九十]+)",
    re.I,
)
_NOTE = re.compile(r"(?:source|sources|note|notes|n\.b\.|注|资料来源|数据来源|来源|备注|说明)\s*[:：.\d(]|\*{1,3}\s?\w|[¹²³]\s?\w", re.I)
_HEAD_LINES_MAX = 9
_PENDING_MAX = 5


class Frame:
    """Level rules with common ends: where a table without a grid begins and ends."""

    __slots__ = ("bottom", "rules", "top", "x0", "x1")

    def __init__(self, rules: list[Rule]) -> None:
        self.rules = rules
        self.top, self.bottom = rules[0].at, rules[-1].at
        self.x0, self.x1 = min(r.start for r in rules), max(r.end for r in rules)


def is_seed(line: Line) -> bool:
    """Parted runs with a figure among them, and not mostly words."""
    runs = line.runs
    if len(runs) < 2:
        return False
    figures = sum(1 for run in runs if run.kind in "nd")
    if figures == 0:
        years = sum(1 for run in runs if run.kind == "p")
        return years >= 2 or (len(runs) >= 3 and all(len(run.words) <= 6 for run in runs))
    return all(len(run.words) <= 8 for run in runs[1:])


def find_streams(lines: Sequence[Line], across: Sequence[Rule], page_width: float) -> list[Found]:
    """Tables among lines that are in no grid; `across` are the page's level rules."""
    frames = frame_rules(across)
    found: list[Found] = []
    taken = -1
    index = 0
    while index < len(lines):
        if index <= taken or not is_seed(lines[index]):
            index += 1
            continue
        frame = next((f for f in frames if f.top - 2 <= lines[index].base <= f.bottom + 2 and f.x0 - 8 <= lines[index].x0 and lines[index].x1 <= f.x1 + 8), None)
        first, last = _grow(lines, index, frame, taken)
        table = _build(lines[first : last + 1], across, page_width)
        if table is not None:
            found.append(table)
            taken = last
            index = last + 1
        else:
            index += 1
    return found


def frame_rules(across: Sequence[Rule]) -> list[Frame]:
    """Groups of level rules that begin and end together."""
    groups: list[list[Rule]] = []
    for rule in sorted(across):
        if rule.end - rule.start < 60:
            continue
        for group in groups:
            if abs(group[0].start - rule.start) < 8 and abs(group[0].end - rule.end) < 8:
                group.append(rule)
                break
        else:
            groups.append([rule])
    return [Frame(g) for g in groups if len(g) >= 2]


def _grow(lines: Sequence[Line], seed: int, frame: Frame | None, taken: int) -> tuple[int, int]:
    """First and last line of the table that grows from a seed."""
    spans = [(run.x0, run.x1) for run in lines[seed].runs if run.kind in "ndp"] or run_intervals(lines[seed])[1:]
    last = seed
    index = seed + 1
    while index < len(lines):
        line = lines[index]
        if frame is not None and line.base <= frame.bottom + 1:
            if is_seed(line) or index:
                spans += [(r.x0, r.x1) for r in line.runs if r.kind in "nd"] if is_seed(line) else []
                last = index
            index += 1
            continue
        verdict = _joins(lines, last, index, spans)
        if verdict == "stop":
            break
        if verdict == "take":
            last = index
            spans += [(r.x0, r.x1) for r in line.runs if r.kind in "nd"]
        index += 1
    last = _take_tail(lines, last, spans)
    return _head_start(lines, seed, frame, taken, spans, last), last


def _joins(lines: Sequence[Line], last: int, index: int, spans: list[tuple[float, float]]) -> str:
    line, above = lines[index], lines[index - 1]
    gap = line.top - above.bottom
    if gap > 2.8 * line.size or index - last > _PENDING_MAX or _NOTE.match(line.text):
        return "stop"
    left = min(s[0] for s in spans)
    if is_seed(line):
        figures = [(r.x0, r.x1) for r in line.runs if r.kind in "ndp"] or run_intervals(line)[1:]
        meets = sum(1 for f in figures if any(f[0] < s[1] + 2 and s[0] < f[1] + 2 for s in spans))
        if meets * 2 >= len(figures):
            return "take"
        return "stop"
    if len(line.runs) == 1:
        run = line.runs[0]
        if run.x1 <= left + 2 or (run.x0 >= left - 2 and len(run.words) <= 6):
            return "wait"
        if len(run.words) <= 7 and not CAPTION.match(run.text) and gap < 1.2 * line.size:
            return "wait"
        # A long label may reach over the figures' left edge; a line that runs through them is prose.
        return "stop"
    return "wait"


def _take_tail(lines: Sequence[Line], last: int, spans: list[tuple[float, float]]) -> int:
    """A label that wraps after its figures."""
    left = min(s[0] for s in spans)
    while last + 1 < len(lines):
        line, above = lines[last + 1], lines[last]
        close = line.top - above.bottom < 0.45 * line.size
        if not close or len(line.runs) != 1 or line.x1 > left or not line.text[:1].islower() or abs(line.size - above.size) > 0.6:
            break
        last += 1
    return last


def _head_start(lines: Sequence[Line], seed: int, frame: Frame | None, taken: int, spans: list[tuple[float, float]], last: int) -> int:
    """The first header line above a seed."""
    left = min(s[0] for s in spans)
    x0, x1 = min(line.x0 for line in lines[seed : last + 1]), max(line.x1 for line in lines[seed : last + 1])
    start = index = seed
    while index - 1 > taken and seed - index < _HEAD_LINES_MAX:
        line, below = lines[index - 1], lines[index]
        gap = below.top - line.bottom
        if frame is not None and line.base < frame.top:
            break
        inside = frame is not None and line.base >= frame.top
        if not inside and (gap > 1.7 * line.size or CAPTION.match(line.text) or _NOTE.match(line.text)):
            break
        role = "head" if inside else _head_role(line, left, x0, x1)
        if role == "stop":
            break
        index -= 1
        if role == "head":
            start = index
    return start


def _head_role(line: Line, left: float, x0: float, x1: float) -> str:
    if line.x0 < x0 - 30 or line.x1 > x1 + 30:
        return "stop"
    if len(line.runs) >= 2:
        return "head" if all(len(r.words) <= 8 for r in line.runs) else "stop"
    run = line.runs[0]
    if run.x0 >= left - 12:
        return "head" if len(run.words) <= 10 else "stop"
    if run.x1 <= left + 4 and len(run.words) <= 8:
        return "label"
    return "stop"


def _build(lines: Sequence[Line], across: Sequence[Rule], page_width: float) -> Found | None:
    seeds = [line for line in lines if is_seed(line)]
    if len(seeds) < 2 and len(lines) < 2:
        return None
    strips = table_strips(lines, seeds)
    if not strips:
        return None
    box = (min(li.x0 for li in lines), min(li.top for li in lines), max(li.x1 for li in lines), max(li.bottom for li in lines))
    levels = [
        r for r in across
        if box[1] - 3 <= r.at <= box[3] + 3 and min(r.end, box[2]) - max(r.start, box[0]) > 0.1 * (box[2] - box[0])
    ]
    strands = [Strand(li.top, li.bottom, li.base, li.size, split_at(li.runs, strips)) for li in lines]
    wide = [r for r in levels if min(r.end, box[2]) - max(r.start, box[0]) > 0.5 * (box[2] - box[0])]
    start = first_body_row(strands, wide)
    head, rows = head_cells(strands[:start], levels)
    cells: list[Cell] = head + body_cells(strands, start, rows, wide)
    if is_no_table(cells, lines, strips):
        return None
    return Found(close_up(cells), box, ruled=False, col_edges=[s.middle for s in strips])


def table_strips(lines: Sequence[Line], seeds: Sequence[Line]) -> list[Strip]:
    """The white strips of a table, from its seed lines; header words refine them later."""
    body = [line for line in seeds if sum(1 for r in line.runs if r.kind in "nd")] or list(seeds)
    return find_strips([run_intervals(line) for line in body])


def words_of(runs: Sequence[Run]) -> list[Word]:
    """All words of runs."""
    return [w for run in runs for w in run.words]
