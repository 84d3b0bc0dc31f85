"""Who heads whom: the labels of every row and the headers of every column, outermost first."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import ItemsView, Iterable, Iterator, Mapping, Sequence
from itertools import compress, pairwise
from operator import itemgetter

from factspine.core.labelled import Label, Path
from factspine.core.tables import RawCell
from factspine.interpret.bands import counts_columns
from factspine.interpret.cellkinds import NUMERIC
from factspine.interpret.grid import Cell, Grid
from factspine.interpret.sides import Axes, Side
from factspine.interpret.wording import heads_units
from factspine.lexicon.periods import find_periods

_MANY_ROWS = 1_000
_new = tuple.__new__  # a named tuple's own constructor takes twice as long
_WIDE_SPACES = {"\u3000": 2, "\t": 4}


def label_of(cell: RawCell) -> Label:
    """A cell as a label."""
    return _new(Label, (cell[2].strip(), cell[0], cell[1]))


def indent_of(cell: RawCell) -> int:
    """How far a label is indented, by its format or by its own leading spaces."""
    text = cell.text
    depth = cell.style.indent * 2
    if text[:1].isspace():
        for character in text:
            if not character.isspace():
                break
            depth += _WIDE_SPACES.get(character, 1)
    return depth


def column_paths(grid: Grid, heads: Sequence[int], columns: Iterable[int]) -> dict[int, Path]:
    """The headers over each column."""
    wanted = list(columns)
    paths: dict[int, list[Cell]] = {col: [] for col in wanted}
    for position, row in enumerate(heads):
        if len(heads) > 1 and counts_columns(grid.rows[row]):
            continue  # the numbers of the columns name nothing that is measured
        spread = _spread(grid, heads, position)
        for col in wanted:
            cell = spread.get(col) or grid.at(row, col)
            if cell is not None and cell not in paths[col]:
                paths[col].append(cell)
    return {col: tuple(label_of(cell.raw) for cell in path) for col, path in paths.items()}


def _spread(grid: Grid, heads: Sequence[int], position: int) -> dict[int, Cell]:
    """Headers without merged cells: a text over the first of several columns holds up to the next text.

    Only in a row that has a row of headers below it, and only where texts stand apart: a row of adjacent texts is a
    line of a header wrapped over rows, whose gaps mean that nothing stands there.
    """
    row, below = heads[position], heads[position + 1 :]
    cells = grid.rows[row]
    if not below or any(cell.width > 1 for cell in cells):
        return {}
    deeper = {cell.col for other in below for cell in grid.rows[other]}
    over = [cell for cell in cells if cell.col in deeper]
    adjacent = sum(b.col == a.col + 1 for a, b in pairwise(over))
    if not over or adjacent:
        return {}
    found: dict[int, Cell] = {}
    for cell, following in zip(over, [*over[1:], None], strict=True):
        end = following.col if following else grid.right + 1
        for col in range(cell.col, end):
            if grid.at(row, col) not in (None, cell):
                break
            if col in deeper:
                found[col] = cell
    return found


def names_period(text: str) -> bool:
    """Whether a text says a whole period, its year included."""
    return bool(find_periods(text))


def _first_character(cell: RawCell) -> str:
    return cell.text[:1]


def _fill_down(column: dict[int, RawCell], rows: Sequence[int], sections: set[int]) -> None:
    """A blank left of a label means the same as above."""
    above: RawCell | None = None
    for row in rows:
        if row in sections:
            above = None
        elif row in column:
            above = column[row]
        elif above is not None:
            column[row] = above


class _FlatItems(ItemsView[int, Path]):
    """Rows and paths of a long list, without looking each row up."""

    def __init__(self, paths: FlatPaths, columns: list[dict[int, RawCell]]) -> None:
        super().__init__(paths)
        self._rows = list(paths)
        self._columns = columns

    def __iter__(self) -> Iterator[tuple[int, Path]]:
        new, rows = tuple.__new__, self._rows
        cells = zip(*(map(column.get, rows) for column in self._columns), strict=True)
        for row, labels in zip(rows, cells, strict=True):
            yield row, tuple([new(Label, (cell[2].strip(), cell[0], cell[1])) for cell in labels if cell is not None])


class FlatPaths(Mapping[int, Path]):
    """The row paths of a long list, made when they are asked for: most of its labels are read once or never."""

    def __init__(self, rows: Sequence[int], columns: list[dict[int, RawCell]], opened: list[tuple[int, Path]]) -> None:
        self._rows = dict.fromkeys(rows)
        self._columns = columns
        self._starts = [row for row, _ in opened]  # where each section begins
        self._sections = [path for _, path in opened]

    @property
    def columns(self) -> list[dict[int, RawCell]] | None:
        """The labels by column and row, where they are all there is: no section opens above them."""
        return None if any(self._sections) else self._columns

    def items(self) -> ItemsView[int, Path]:
        """Every row with its path."""
        columns = self.columns
        return _FlatItems(self, columns) if columns else super().items()

    def __getitem__(self, row: int) -> Path:
        if row not in self._rows:
            raise KeyError(row)
        path = self._sections[bisect_right(self._starts, row) - 1]
        for column in self._columns:
            cell = column.get(row)
            if cell is not None:
                path += (Label(cell.text.strip(), cell.row, cell.col),)
        return path

    def __iter__(self) -> Iterator[int]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)


class RowNamer:
    """Walks a body from top to bottom and names its rows.

    A row's path holds the sections it stands in, the rows it is indented under, and its own labels.
    """

    def __init__(self, grid: Grid, axes: Axes, side: Side, heads: Sequence[int], banners: Sequence[int]) -> None:
        self.grid = grid
        self.records = axes.records
        hidden = axes.ordinals if axes.records else axes.ordinals | axes.codes
        own = {*side.labels, *(axes.codes if axes.records and side == axes.sides[0] else ())}
        kept = sorted(own - hidden) or sorted(own)
        self.cols = tuple(kept)
        self.wanted = frozenset(kept)
        # A column of units beside the names says nothing that a row could be called by: kt is no name of output.
        units = {cell.col for row in heads for cell in grid.rows[row] if heads_units(cell.raw.text)}
        self.outwards_in = (*(col for col in kept if col in units), *(col for col in kept if col not in units))
        self.one_name = len([col for col in kept if col not in units]) == 1
        self.last_col = max(kept, default=0)
        self.above: dict[int, Label] = {}  # the last text of each label column
        self.stack: list[tuple[int, bool, Label, tuple[bool, bool]]] = []  # indent, is a section, label, look
        self.after_section = False
        for row in banners:
            self.section(grid.rows[row][0].raw)

    def section(self, cell: RawCell) -> None:
        """A line without numbers opens a section; under another such line it is a section of that one."""
        indent, look = indent_of(cell), (cell.style.bold, cell.style.italic)
        dated = names_period(cell.text)
        while self.stack:
            top_indent, is_section, top, top_look = self.stack[-1]
            # A year over the rows holds for every section under it, up to the next year.
            nested = indent > top_indent or (
                indent == top_indent
                and is_section
                and ((self.after_section and look != top_look) or (not dated and names_period(top.text)))
            )
            if is_section and nested:
                break
            if not is_section and indent > top_indent:
                break
            self.stack.pop()
        self.stack.append((indent, True, label_of(cell), look))
        self.after_section = True
        self.above.clear()

    def name_all(self, rows: Sequence[int], sections: set[int]) -> Mapping[int, Path]:
        """The paths of the rows of data among `rows`; the others open sections."""
        if len(rows) > _MANY_ROWS and (columns := self._flat_columns(rows)) is not None:
            return self._name_flat(rows, sections, columns)
        paths = {}
        for row in rows:
            if row in sections:
                self.section(self.grid.rows[row][0].raw)
            else:
                paths[row] = self.name(row)
        return paths

    def _flat_columns(self, rows: Sequence[int]) -> list[dict[int, RawCell]] | None:
        """The labels of a long body by column and row; None where indentation makes a hierarchy of them."""
        start, end = self.grid.starts[rows[0]], self.grid.ends[rows[-1]]
        cells, cols = self.grid.raw.cells, self.grid.cols_of_cells[start:end]
        found = []
        for wanted in self.cols:
            labels = [cells[at] for at in compress(range(start, end), map(wanted.__eq__, cols))]
            if not self.records:
                styles = set(map(itemgetter(5), labels))
                if any(style.indent for style in styles) or any(map(str.isspace, map(_first_character, labels))):
                    return None
            found.append(dict(zip(map(itemgetter(0), labels), labels, strict=True)))
        return found

    def _name_flat(self, rows: Sequence[int], sections: set[int], columns: list[dict[int, RawCell]]) -> FlatPaths:
        opened: list[tuple[int, Path]] = [(rows[0], self._sections())]
        for row in sorted(sections & set(rows)):
            self.section(self.grid.rows[row][0].raw)
            opened.append((row, self._sections()))
        inside = [row for row in rows if row not in sections] if sections else rows
        for column in columns[:-1]:
            if len(column) < len(inside):
                _fill_down(column, rows, sections)
        return FlatPaths(inside, columns, opened)

    def _sections(self) -> Path:
        return tuple(label for _, is_section, label, _ in self.stack if is_section)

    def name(self, row: int) -> Path:
        """The path of a row of data."""
        cells = self._label_cells(row)
        across = () if cells else self._across(row)
        found = across or self._own_labels(row, cells)
        if self.records:
            return self._sections() + found
        self.after_section = False
        first = cells[0] if cells else None
        if first is None:
            # An average under the numbers of a list is not that of its last row.
            return (self._sections() if across else tuple(label for _, _, label, _ in self.stack)) + found
        indent = indent_of(first)
        while self.stack and (self.stack[-1][0] > indent or (self.stack[-1][0] == indent and not self.stack[-1][1])):
            self.stack.pop()
        path = tuple(label for _, _, label, _ in self.stack) + found
        if self.one_name and found:
            self.stack.append((indent, False, found[-1], (first.style.bold, first.style.italic)))
        return path

    def _label_cells(self, row: int) -> list[RawCell]:
        telling = self.grid.rows.get(row)
        if telling is not None:
            return [cell[4] for cell in telling if cell[2] in self.wanted]
        start, end = self.grid.bounds_of(row)
        cells, cols = self.grid.raw.cells, self.grid.cols_of_cells
        return [cells[at] for at in range(start, end) if cols[at] in self.wanted]

    def _across(self, row: int) -> Path:
        """The words of a row that stand before its label columns or run across them: 合计 under 序号.

        Such a row has a name of its own; the blanks under it do not repeat the row above.
        """
        for cell in self.grid.rows.get(row, ()):
            if cell.col > self.last_col:
                break
            if cell.kind == "t" and (cell.last_col >= self.cols[0] or cell.col < self.cols[0]):
                self.above.clear()
                return (label_of(cell.raw),)
        return self._beside(row)

    def _beside(self, row: int) -> Path:
        """The words of a row that has none where rows have names, right before its only numbers: Subtotal, VAT."""
        cells = self.grid.rows.get(row, [])
        if len(cells) < 2 or cells[0].kind != "t" or not all(cell.kind in NUMERIC for cell in cells[1:]):
            return ()
        return (label_of(cells[0].raw),)

    def _own_labels(self, row: int, cells: list[RawCell]) -> Path:
        if len(self.cols) == 1:
            return (label_of(cells[0]),) if cells else self._covering(row)
        present = {cell.col: label_of(cell) for cell in cells}
        for col in self.cols:
            if col in present:
                self.above[col] = present[col]
                for deeper in self.cols:
                    if deeper > col and deeper not in present:
                        self.above.pop(deeper, None)
                    elif deeper > col:
                        break
        deepest = max(present, default=self.last_col)
        return tuple(
            self.above[col] for col in self.outwards_in if col in self.above and (col <= deepest or col in present)
        )

    def _covering(self, row: int) -> Path:
        if not self.cols or row not in self.grid.rows:
            return ()
        cell = self.grid.at(row, self.cols[0])
        return (label_of(cell.raw),) if cell is not None else ()
