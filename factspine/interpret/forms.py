"""Forms: words and their values in pairs, across the row and down the page.

    姓名 | 张三 | 年龄 | 35
    电话 | 0731-… | 邮编 | 412007

A row of a form alternates: a short word, then its value. A list of records may alternate too; it gives itself away by a
row of headers and by columns that hold one kind of thing throughout.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from factspine.interpret.cellkinds import HEADING
from factspine.interpret.grid import Cell, Grid
from factspine.interpret.sides import Columns
from factspine.interpret.wording import heads_codes, is_stub, is_total
from factspine.lexicon.attributes import is_attribute, is_spread

_LABEL_CHARACTERS = 40
_ONE_KIND = 0.8
_PAIR = 2
_ROWS_OF_WORDS_MIN = 3
_NAMED = 0.6  # of the labels of a form are words that many forms use
_MISPLACED = 0.15


class Stretch(NamedTuple):
    """Rows that belong together, and whether they are a form."""

    rows: tuple[int, ...]
    form: bool


def looks_like_label(cell: Cell) -> bool:
    """A short text that is not a value by itself."""
    return cell.kind == "t" and len(cell.raw.text) <= _LABEL_CHARACTERS


def find_forms(grid: Grid, rows: Sequence[int]) -> list[Stretch]:
    """The rows in stretches that are forms and stretches that are not."""
    several = [row for row in rows if len(grid.rows[row]) > 1]
    if _is_list_of_pairs(grid, several) and not _is_headed(grid, rows, several):
        return [Stretch(rows=tuple(rows), form=True)]
    marks = {row: _mark(grid, row) for row in several}
    runs = [run for run in _runs(several, marks) if _is_form(grid, run, marks, several)]
    if not runs:
        return [Stretch(rows=tuple(rows), form=False)]
    return _cut(rows, runs)


def cells_across(grid: Grid, row: int) -> list[Cell]:
    """The cells of a row and those merged over it from above, from left to right."""
    own = grid.rows[row]
    if not grid.raw.spans:
        return own
    covering = (grid.at(row, col) for col in range(grid.left, grid.right + 1))
    above = {cell.at: cell for cell in covering if cell is not None and cell.row < row}
    cells = sorted([*above.values(), *own], key=lambda cell: cell.col)
    # What is merged along the left edge of several rows of pairs names them all and pairs with nothing.
    named = len(cells) % 2 and len(cells) > _PAIR and cells[0].height > 1 == cells[1].height
    return cells[1:] if named else cells


def _mark(grid: Grid, row: int) -> str:
    """P: pairs with at least one value that is no word; p: pairs of words; N: no pairs."""
    cells = cells_across(grid, row)
    if len(cells) % 2 or not all(looks_like_label(cell) for cell in cells[::2]):
        return "N"
    return "P" if any(cell.kind not in "ty" for cell in cells[1::2]) else "p"


def _runs(several: Sequence[int], marks: dict[int, str]) -> list[list[int]]:
    runs: list[list[int]] = []
    current: list[int] = []
    for position, row in enumerate(several):
        if marks[row] != "N":
            current.append(row)
            continue
        # Words right above rows that do not pair are the header of these.
        while current and marks[current[-1]] == "p" and position:
            current.pop()
        if current:
            runs.append(current)
        current = []
    if current:
        runs.append(current)
    return runs


def _is_form(grid: Grid, run: Sequence[int], marks: dict[int, str], several: Sequence[int]) -> bool:
    wide = [row for row in run if len(grid.rows[row]) >= 4]
    if not wide:
        return False
    labels = [cell.raw.text for row in run for cell in grid.rows[row][::2]]
    if _names_attributes(grid, run):
        return True
    if is_stub(labels[0]) and len(run) > 1 and _heads_only(grid, run[0]):
        return False
    if len(set(labels)) < 0.85 * len(labels) and len(run) > 1:
        return False
    if not any(marks[row] == "P" for row in wide):
        return _labels_stand_out(grid, run)
    return not _has_header(grid, run, several[: several.index(run[0])])


def _names_attributes(grid: Grid, run: Sequence[int]) -> bool:
    """Where a label belongs stand words that name attributes, row after row, and hardly any where a value does.

    The head of a list names attributes in all its cells, and in no row below.
    """
    if len(run) < _ROWS_OF_WORDS_MIN:
        return False
    labels = [
        cell.raw.text for cell in {cell.at: cell for row in run for cell in cells_across(grid, row)[::2]}.values()
    ]
    values = [cell.raw.text for row in run for cell in cells_across(grid, row)[1::2]]
    first = [cell.raw.text for cell in grid.rows[run[0]][1::2]]
    if len(set(labels)) < len(labels) or any(is_attribute(text) for text in first):
        return False
    if any(is_spread(text) for text in labels) and not any(is_spread(text) for text in values):
        return True
    named, misplaced = (sum(is_attribute(text) for text in texts) for texts in (labels, values))
    return named >= _NAMED * len(labels) and misplaced <= _MISPLACED * len(values)


def _labels_stand_out(grid: Grid, run: Sequence[int]) -> bool:
    """Nothing but words: a form only if labels end in colons or look unlike their values."""
    labels = [cell for row in run for cell in grid.rows[row][::2]]
    values = [cell for row in run for cell in grid.rows[row][1::2]]
    if sum(cell.raw.text.rstrip().endswith((":", "：")) for cell in labels) > 0.6 * len(labels):
        return True
    if _only_values_have_digits(grid, run):
        return True
    strong = sum(_strong(cell) for cell in labels)
    return strong > 0.8 * len(labels) and sum(_strong(cell) for cell in values) < 0.2 * len(values)


def _only_values_have_digits(grid: Grid, run: Sequence[int]) -> bool:
    """Here and there a value has digits, no label does, and no column of values has them throughout."""
    columns = Columns(grid, run)
    if len(run) < 3 or any(len(grid.rows[row]) != len(grid.rows[run[0]]) for row in run):
        return False
    shares = [sum(_has_digit(cell) for cell in columns.cells[col]) / len(run) for col in columns.order]
    return not any(shares[::2]) and any(shares[1::2]) and max(shares) < _ONE_KIND - 1 / len(run) + 0.2


def _has_digit(cell: Cell) -> bool:
    return any(character.isdigit() for character in cell.raw.text)


def _strong(cell: Cell) -> bool:
    return cell.raw.style.bold or cell.raw.style.filled


def _has_header(grid: Grid, run: Sequence[int], above: Sequence[int]) -> bool:
    """A row of heads (its own first one, the one right above, the first of all), and below it columns of one kind.

    Names of attributes before what are none are no heads: 机构名称 | 东岭林场 | 机构代码 | PD-40.
    """
    if _pairs_attributes(grid.rows[run[0]]):
        return False
    if _heads_only(grid, run[0]):
        return _is_headed_by(grid, run[0], run[1:])
    return any(_heads_only(grid, head) and _is_headed_by(grid, head, run) for head in {*above[-1:], *above[:1]})


def _pairs_attributes(cells: Sequence[Cell]) -> bool:
    """Whether a row of words is names of attributes and, with a digit among them, what they are here."""
    names, values = ([cell.raw.text for cell in cells[start::2]] for start in (0, 1))
    if len(cells) % 2 or len(names) < _PAIR or not any(map(_has_digit, cells[1::2])):
        return False
    named = all(is_attribute(text) or heads_codes(text) for text in names)
    return named and not any(is_attribute(text) or is_stub(text) for text in values)


def _is_headed_by(grid: Grid, head: int, body: Sequence[int]) -> bool:
    if not body:
        return False
    columns = Columns(grid, body)
    heads = {col for cell in grid.rows[head] for col in range(cell.col, cell.last_col + 1)}
    if not set(columns.order) <= heads:
        return False
    return all(max(columns.share(col, kinds) for kinds in ("nqx", "yd", "tb")) >= _ONE_KIND for col in columns.order)


def _heads_only(grid: Grid, row: int) -> bool:
    return all(cell.kind in HEADING for cell in grid.rows[row])


def _is_list_of_pairs(grid: Grid, several: Sequence[int]) -> bool:
    """Two columns, words and values of several kinds, with no header row."""
    if len(several) < 2 or any(len(grid.rows[row]) != 2 for row in several):
        return False
    if len({tuple(cell.col for cell in grid.rows[row]) for row in several}) > 1:
        return False
    labels = [grid.rows[row][0] for row in several]
    values = [grid.rows[row][1] for row in several]
    if not all(looks_like_label(cell) for cell in labels) or len({c.raw.text for c in labels}) < len(labels):
        return False
    if is_stub(labels[0].raw.text) or any(is_total(cell.raw.text) for cell in labels):
        return False
    if _strong(labels[0]) and not any(_strong(cell) for cell in labels[1:]):
        return False
    if values[0].kind == "y" and all(cell.kind == "n" for cell in values[1:]):
        return False  # a period over nothing but numbers heads them
    words = sum(cell.kind == "t" for cell in values[1:])
    numbers = sum(cell.kind in "nq" for cell in values[1:])
    return (
        values[0].kind != "t"
        or (words > 0 and (numbers < len(several) - 1 - words or words >= 0.2 * len(values)))
        or not numbers
    )


def _is_headed(grid: Grid, rows: Sequence[int], several: Sequence[int]) -> bool:
    """Whether nothing but a head stands right over the values, and no word over their names: | 2024 over figures."""
    above = [row for row in rows if row < several[0]]
    return bool(above) and grid.rows[above[-1]][0].col == grid.rows[several[0]][1].col


def _cut(rows: Sequence[int], runs: Sequence[Sequence[int]]) -> list[Stretch]:
    """Rows cut at the bounds of forms; single lines between two stretches go with the one below."""
    paired = {row for run in runs for row in run}
    bounds = [(run[0], run[-1]) for run in runs]
    found: list[tuple[list[int], bool]] = []
    waiting: list[int] = []
    for row in rows:
        waiting.append(row)
        within = any(first <= row <= last for first, last in bounds)
        if within and row not in paired:
            continue
        if not found or found[-1][1] != within:
            found.append(([], within))
        found[-1][0].extend(waiting)
        waiting = []
    if waiting:
        found.append((waiting, False))
    return [Stretch(rows=tuple(members), form=form) for members, form in found]


class Pair(NamedTuple):
    """A value of a form and the word beside it, if any."""

    label: Cell | None
    value: Cell


def read_pairs(cells: Sequence[Cell], label_cols: dict[int, int]) -> tuple[list[Cell], list[Pair]]:
    """The labels of one row of a form and its pairs; `label_cols` counts where complete rows have their labels."""
    if len(cells) % 2 == 0 and all(looks_like_label(cell) for cell in cells[::2]):
        labels = list(cells[::2])
    else:
        labels = [cell for cell in cells if looks_like_label(cell) and label_cols.get(cell.col, 0) >= 0]
    pairs = []
    label: Cell | None = None
    for cell in cells:
        if cell in labels:
            label = cell
        else:
            pairs.append(Pair(label=label, value=cell))
    return labels, pairs


def label_columns(grid: Grid, rows: Sequence[int]) -> dict[int, int]:
    """For each column, how many more labels than values the complete rows of a form have there."""
    votes: dict[int, int] = {}
    for row in rows:
        cells = cells_across(grid, row)
        if len(cells) > 1 and len(cells) % 2 == 0 and all(looks_like_label(cell) for cell in cells[::2]):
            for position, cell in enumerate(cells):
                votes[cell.col] = votes.get(cell.col, 0) + (-1 if position % 2 else 1)
    return votes
