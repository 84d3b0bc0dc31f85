"""Rules made whole: pieces joined, doubles united, sides of filled cells added; then grouped by what touches what."""

from __future__ import annotations

from operator import attrgetter
from typing import NamedTuple

import numpy as np

from factspine.extract.pdf.marks import Fill, PageMarks, Rule

_SNAP = 2.6  # rules nearer than this are one rule drawn twice
_JOIN = 4.0  # pieces nearer than this are one rule
_TOUCH = 3.5
_SHORT = 7.0
_ABUTTING = 0.6  # a wider seam is seen
_RULES_MAX = 3000
_FILLS_MAX = 1500
_LIGHT_MAX = 400_000  # pairs of white rules and fills


class Rulings(NamedTuple):
    """The rules of a page: level ones from top to bottom, upright ones from left to right."""

    across: list[Rule]
    down: list[Rule]
    drawn: tuple[Rule, ...] | list[Rule] = ()  # level rules without the sides of fills


def whole_rules(marks: PageMarks) -> Rulings:
    """All rules of a page, each once."""
    light = _on_fills(marks)
    across, down = [*marks.across, *light[0]], [*marks.down, *light[1]]
    areas = _seamless(marks.fills)
    cells = [fill for fill in areas if _is_cell(fill, marks)]
    across += _seen_sides(cells, areas, ("top", "bottom"), ("x0", "x1"))
    down += _seen_sides(cells, areas, ("x0", "x1"), ("top", "bottom"))
    drawn = _unite(marks.across[: 8 * _RULES_MAX])[:_RULES_MAX]
    return Rulings(_unite(across[: 8 * _RULES_MAX])[:_RULES_MAX], _unite(down[: 8 * _RULES_MAX])[:_RULES_MAX], drawn)


def _on_fills(marks: PageMarks) -> tuple[list[Rule], list[Rule]]:
    """The parts of white rules, level and upright, that lie on fills, where they are seen."""
    across: list[Rule] = []
    down: list[Rule] = []
    if len(marks.fills) * (len(marks.light_across) + len(marks.light_down)) > _LIGHT_MAX:
        return across, down
    for fill in marks.fills:
        for rule in marks.light_across:
            if fill.top - 1 <= rule.at <= fill.bottom + 1 and rule.start < fill.x1 and fill.x0 < rule.end:
                across.append(Rule(rule.at, max(rule.start, fill.x0), min(rule.end, fill.x1)))
        for rule in marks.light_down:
            if fill.x0 - 1 <= rule.at <= fill.x1 + 1 and rule.start < fill.bottom and fill.top < rule.end:
                down.append(Rule(rule.at, max(rule.start, fill.top), min(rule.end, fill.bottom)))
    return across, down


def _seamless(fills: list[Fill]) -> list[Fill]:
    """Fills of one colour that abut are one area to the eye; word processors shade a cell line by line, web pages a row
    cell by cell. Such an area has no sides within.
    """
    columns = _joined(_uncovered(fills), along=("top", "bottom"), between=("x0", "x1"))
    return _joined(columns, along=("x0", "x1"), between=("top", "bottom"))


def _seen_sides(cells: list[Fill], areas: list[Fill], across: tuple[str, str], along: tuple[str, str]) -> list[Rule]:
    """The sides of shaded cells, but where an area of the same colour goes on beyond: nobody sees an edge there."""
    near, far = attrgetter(across[0]), attrgetter(across[1])
    start, end = attrgetter(along[0]), attrgetter(along[1])
    beginning: dict[tuple[int, int], list[Fill]] = {}
    ending: dict[tuple[int, int], list[Fill]] = {}
    for area in areas:
        beginning.setdefault((area.color, round(near(area))), []).append(area)
        ending.setdefault((area.color, round(far(area))), []).append(area)
    sides = []
    for cell in cells:
        for at, beyond, edge in ((near(cell), ending, far), (far(cell), beginning, near)):
            others = (o for place in (-1, 0, 1) for o in beyond.get((cell.color, round(at) + place), ()))
            hidden = sorted((start(o), end(o)) for o in others if o is not cell and abs(edge(o) - at) < _ABUTTING)
            sides += [Rule(at, *part) for part in _left_over(start(cell), end(cell), hidden)]
    return sides


def _left_over(start: float, end: float, hidden: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """The parts of a stretch that none of some others covers."""
    parts = []
    for first, last in hidden:
        if first - start > 1:
            parts.append((start, min(first, end)))
        start = max(start, last)
    return [*parts, (start, end)] if end - start > 1 else parts


def _joined(fills: list[Fill], *, along: tuple[str, str], between: tuple[str, str]) -> list[Fill]:
    """Fills that go on where another of their colour and breadth ends, as one."""
    start, end = attrgetter(along[0]), attrgetter(along[1])
    left, right = attrgetter(between[0]), attrgetter(between[1])
    out: list[Fill] = []
    for fill in sorted(fills, key=lambda f: (round(left(f)), round(right(f)), f.color, start(f))):
        last = out[-1] if out else None
        if (
            last is not None
            and last.color == fill.color
            and abs(left(last) - left(fill)) < 1
            and abs(right(last) - right(fill)) < 1
            and -1 <= start(fill) - end(last) < _ABUTTING
        ):
            out[-1] = last._replace(**{along[1]: max(end(last), end(fill))})
        else:
            out.append(fill)
    return out


def _uncovered(fills: list[Fill]) -> list[Fill]:
    """Fills that do not lie inside a larger one of the same colour, where nobody sees them."""
    if not 2 <= len(fills) <= _FILLS_MAX:
        return fills
    sides = np.array([f[:4] for f in fills])
    colors = np.array([f.color for f in fills])
    area = (sides[:, 2] - sides[:, 0]) * (sides[:, 3] - sides[:, 1])
    order = np.lexsort((np.arange(len(fills)), -area))
    x0, top, x1, bottom = sides[order].T
    colors = colors[order]
    inside = (
        (x0[:, None] >= x0 - 1)
        & (x1[:, None] <= x1 + 1)
        & (top[:, None] >= top - 1)
        & (bottom[:, None] <= bottom + 1)
        & (colors[:, None] == colors)
    )
    # Only a larger one, or an equal one drawn before, covers.
    covered = np.tril(inside, -1).any(axis=1)
    return [fills[i] for i, hidden in zip(order.tolist(), covered.tolist(), strict=True) if not hidden]


def _is_cell(fill: Fill, marks: PageMarks) -> bool:
    width, height = fill.x1 - fill.x0, fill.bottom - fill.top
    return 8 <= width <= 0.95 * marks.width and 5 <= height <= 0.8 * marks.height


def _unite(rules: list[Rule]) -> list[Rule]:
    out: list[Rule] = []
    rules.sort()
    start = 0
    while start < len(rules):
        end = start + 1
        while (end < len(rules) and rules[end].at - rules[end - 1].at <= 0.6) or (
            end < len(rules) and rules[end].at - rules[start].at <= _SNAP
        ):
            end += 1
        out.extend(_join_pieces(rules[start:end]))
        start = end
    return [r for r in out if r.end - r.start >= _SHORT]


def _join_pieces(level: list[Rule]) -> list[Rule]:
    at = sum(r.at for r in level) / len(level)
    out: list[Rule] = []
    for rule in sorted(level, key=lambda r: r.start):
        if out and rule.start <= out[-1].end + _JOIN:
            out[-1] = Rule(at, out[-1].start, max(out[-1].end, rule.end))
        else:
            out.append(Rule(at, rule.start, rule.end))
    return out


def touching(rulings: Rulings) -> list[Rulings]:
    """Rules that cross or touch, group by group."""
    across, down = rulings.across, rulings.down
    parent = list(range(len(across) + len(down)))

    def root(i: int) -> int:
        while parent[i] != i:
            parent[i] = parent[parent[i]]
            i = parent[i]
        return i

    for j, upright in enumerate(down):
        for i, level in enumerate(across):
            if level.at > upright.end + _TOUCH:
                break
            if level.at >= upright.start - _TOUCH and level.start - _TOUCH <= upright.at <= level.end + _TOUCH:
                parent[root(i)] = root(len(across) + j)
    groups: dict[int, Rulings] = {}
    for i, level in enumerate(across):
        groups.setdefault(root(i), Rulings([], [])).across.append(level)
    for j, upright in enumerate(down):
        groups.setdefault(root(len(across) + j), Rulings([], [])).down.append(upright)
    return list(groups.values())
