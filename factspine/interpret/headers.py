"""Labels a raw table: which cells head columns, which head rows, which are data, which are notes, and who heads whom.

Nothing here knows what words mean. Kinds of cells, where they stand and how they look decide; a few words of the form
(row number, code, unit, note) help.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import compress

from factspine.core.labelled import Block, Label, LabelledTable, Path, Role
from factspine.core.tables import RawTable
from factspine.interpret.bands import Part, counting_rows, sort_rows, split, split_words
from factspine.interpret.crosses import is_cross
from factspine.interpret.forms import cells_across, find_forms, label_columns, read_pairs
from factspine.interpret.grid import Cell, Grid
from factspine.interpret.notation import POINT, notation_of, read_with_points
from factspine.interpret.paths import RowNamer, column_paths, label_of, names_period
from factspine.interpret.places import column_meant
from factspine.interpret.sides import Axes, Side, find_axes
from factspine.interpret.wording import is_unit_line


def label_table(raw: RawTable) -> LabelledTable:
    """The table with the role of each cell and the blocks its data lie in."""
    notation = notation_of(raw)
    work = _Labelling(Grid(read_with_points(raw) if notation.decimal_comma else raw))
    if raw.header_rows is not None or raw.header_cols is not None:
        work.obey(raw.header_rows or 0, raw.header_cols or 0)
    elif is_cross(work.grid):
        work.obey(1, 1)
    else:
        counting = counting_rows(work.grid)
        for rows in split(work.grid, counting):
            for stretch in find_forms(work.grid, rows):
                if stretch.form:
                    work.form(stretch.rows)
                    continue
                for part in split_words(work.grid, stretch.rows, counting):
                    work.part(sort_rows(work.grid, part, counting))
    labelled = work.result()
    return labelled if notation == POINT else replace(labelled, raw=raw, **notation._asdict())


class _Labelling:
    """Roles and blocks as they are found, part by part."""

    def __init__(self, grid: Grid) -> None:
        self.grid = grid
        self.roles: list[Role] = ["note"] * len(grid.raw.cells)
        self.blocks: list[Block] = []
        self.header_rows = 0
        self.header_cols = 0

    def result(self) -> LabelledTable:
        raw = self.grid.raw
        notes = compress(range(len(self.roles)), map("note".__eq__, self.roles))
        return LabelledTable(
            raw=raw,
            roles=self.roles,
            header_rows=self.header_rows,
            header_cols=self.header_cols,
            blocks=tuple(self.blocks),
            notes=tuple(label_of(raw.cells[at]) for at in notes),
        )

    def _set(self, cells: Sequence[Cell], role: Role) -> None:
        for cell in cells:
            self.roles[cell.at] = role

    # ------------------------------------------------------------ tables

    def obey(self, header_rows: int, header_cols: int) -> None:
        """Headers where the format itself says they are."""
        grid = self.grid
        heads = [row for row in grid.numbers if row < grid.top + header_rows]
        body = [row for row in grid.numbers if row >= grid.top + header_rows]
        cols = sorted(set(grid.cols_of_cells))
        labels = tuple(col for col in cols if col < grid.left + header_cols)
        values = tuple(col for col in cols if col >= grid.left + header_cols)
        sides = (Side(labels=labels, values=values),) if values else ()
        none: frozenset[int] = frozenset()
        axes = Axes(sides=sides, ordinals=none, codes=none, notes=none, records=False)
        self._lay_out(Part(heads=heads, body=body), axes)
        self._set_under_axes()

    def _set_under_axes(self) -> None:
        """Over a series of a chart stands the title of the axis that it alone is read from."""
        raw = self.grid.raw
        said: dict[int, Path] = {}
        for text in raw.context:
            col = column_meant(raw, text)
            if col is not None:
                said[col] = (*said.get(col, ()), Label(text.text, raw.top, col))
        if said:
            self.blocks = [
                replace(block, col_paths={c: (*said.get(c, ()), *path) for c, path in block.col_paths.items()})
                for block in self.blocks
            ]

    def part(self, part: Part) -> None:
        """One header band and its body."""
        grid = self.grid
        several = [row for row in part.body if len(grid.rows[row]) > 1 or grid.rows[row][0].kind != "t"] or part.body
        if not several:
            for row in part.heads:
                self._set(grid.rows[row], "header")
            return
        axes = find_axes(grid, several, part.heads)
        self._lay_out(part, axes)

    def _lay_out(self, part: Part, axes: Axes) -> None:
        grid = self.grid
        for row in part.heads:
            for cell in grid.rows[row]:
                self.roles[cell.at] = "note" if is_unit_line(cell.raw.text) else "header"
        for row in part.banners:
            self._set(grid.rows[row], "label")
        if not part.body:
            return
        if not self.blocks:
            self.header_rows, self.header_cols = len(part.heads), len(axes.labels)
        runs, sections = self._runs(part, axes)
        self._set_body(part, axes)
        for row in sections:
            self._set(grid.rows[row], "label")
        for run_heads, _ in runs:
            for row in run_heads[len(part.heads) :]:
                self._set(grid.rows[row], "header")
        for side in axes.sides:
            self._add_blocks(part, axes, side, runs, sections)

    def _runs(self, part: Part, axes: Axes) -> tuple[list[tuple[list[int], list[int]]], set[int]]:
        """The body in runs of telling rows, each under its header rows; and the rows that are sections."""
        grid, first_value = self.grid, axes.first_value
        sections: set[int] = set()
        years = self._lone_years(part, first_value)
        runs: list[tuple[list[int], list[int]]] = [(list(part.heads), [])]
        for row in part.body:
            cells = grid.rows[row]
            if row in years or first_value is None or any(cell.kind not in "t" for cell in cells):
                runs[-1][1].append(row)
            elif len(cells) == 1 and (
                cells[0].col < first_value or cells[0].last_col >= grid.right > cells[0].col == grid.left
            ):
                sections.add(row)
                runs[-1][1].append(row)
            elif len(cells) == 1 and cells[0].width > 1 and axes.labels:
                # A line over the numbers, with no label of its own: it heads what follows.
                heads = [head for head in runs[-1][0] if head in part.heads or head < part.body[0]]
                runs.append(([*heads, row], []))
            else:
                runs[-1][1].append(row)
        return [run for run in runs if run[1]], self._real_sections(sections) | years

    def _lone_years(self, part: Part, first_value: int | None) -> set[int]:
        """Lines that are nothing but a year, in front of rows named otherwise: 2023 and what belongs to it, 2022."""
        lone: set[int] = set()
        for row in part.body if first_value is not None else ():
            first = self.grid.rows[row][0]
            if first.kind not in "yd" or first.col >= (first_value or 0):
                continue
            if len(self.grid.rows[row]) > 1:
                if names_period(first.raw.text):
                    return set()  # the rows are years, and one of them is empty
                continue  # January, of the year above
            lone.add(row)
        return lone

    def _real_sections(self, rows: set[int]) -> set[int]:
        """Where some lines without numbers end in a colon, the others are no sections: rows that happen to be empty."""
        first = {row: self.grid.rows[row][0].raw for row in rows}
        marked = {row for row, cell in first.items() if cell.text.rstrip().endswith((":", "："))}
        return {row for row, cell in first.items() if row in marked or cell.style.bold} if marked else rows

    def _set_body(self, part: Part, axes: Axes) -> None:
        """Roles by column, for the telling rows of the body and all rows between them."""
        grid = self.grid
        values = {col for side in axes.sides for col in side.values}
        start, end = grid.bounds_of(part.body[0])[0], grid.bounds_of(grid.reach(part.body[-1]))[1]
        role_of: dict[int, Role] = {}
        for col in set(grid.cols_of_cells[start:end]):
            role_of[col] = "value" if col in values else "note" if col in axes.notes else "label"
        found = list(map(role_of.__getitem__, grid.cols_of_cells[start:end]))
        if part.notes:
            kept = {row for row in part.notes if part.body[0] < row < part.body[-1]}
            for row in kept:
                first, last = grid.bounds_of(row)
                found[first - start : last - start] = ["note"] * (last - first)
        self.roles[start:end] = found

    def _add_blocks(
        self, part: Part, axes: Axes, side: Side, runs: list[tuple[list[int], list[int]]], sections: set[int]
    ) -> None:
        grid = self.grid
        namer = RowNamer(grid, axes, side, part.heads, part.banners)
        all_rows = list(grid.ends)
        for heads, rows in runs:
            first, last = rows[0], grid.reach(rows[-1])
            inside = rows if len(all_rows) == len(grid.rows) else [row for row in all_rows if first <= row <= last]
            paths = namer.name_all(inside, sections)
            if not paths:
                continue
            self.blocks.append(
                Block(
                    first_row=min(paths),
                    last_row=max(paths),
                    first_col=side.values[0],
                    last_col=side.values[-1],
                    row_paths=paths,
                    col_paths=column_paths(grid, heads, side.values),
                    records=axes.records,
                )
            )

    # ------------------------------------------------------------ forms

    def form(self, rows: Sequence[int]) -> None:
        """Words and values in pairs; one block for each column of values."""
        grid = self.grid
        votes = label_columns(grid, rows)
        section: tuple[Label, ...] = ()
        paths: dict[int, dict[int, Path]] = {}
        first = next((row for row in rows if len(grid.rows[row]) > 1), rows[0])
        for row in rows:
            cells = grid.rows[row]
            if len(cells) == 1 and cells[0].kind == "t":
                if row > first:
                    self.roles[cells[0].at] = "label"
                section = (label_of(cells[0].raw),) if row > first else ()
                continue
            labels, pairs = read_pairs(cells_across(grid, row), votes)
            self._set(labels, "label")
            for pair in pairs:
                if pair.value.row < row:
                    continue  # it was read where it begins
                self.roles[pair.value.at] = "value"
                own = (label_of(pair.label.raw),) if pair.label else ()
                paths.setdefault(pair.value.col, {})[row] = section + own
        for col, named in sorted(paths.items()):
            self.blocks.append(
                Block(
                    first_row=min(named),
                    last_row=max(named),
                    first_col=col,
                    last_col=col,
                    row_paths=named,
                    col_paths={},
                )
            )
