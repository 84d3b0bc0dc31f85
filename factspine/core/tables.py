"""Raw tables and passages: what an extractor saw, before anyone says what it means.

`RawCell` and `CellStyle` are named tuples rather than dataclasses: a tuple is built several times faster. Still, a
workbook has a million cells, and nearly all that is done with them is done to whole columns: `Cells` holds them as
columns and makes a record only of a cell that somebody looks at.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import compress
from operator import itemgetter
from typing import Literal, NamedTuple, overload

from factspine.core.findings import Finding

CellKind = Literal["n", "s", "d", "b", "e"]  # number, text, date, boolean, error value
Box = tuple[float, float, float, float]  # x0, top, x1, bottom in points from the top-left
Position = tuple[int, int]  # row, column; 1-based


class CellStyle(NamedTuple):
    """How a cell looks, as far as looks carry meaning. One object for all cells of one style."""

    number_format: str = "General"
    bold: bool = False
    italic: bool = False
    indent: int = 0
    align: str = ""  # left, center, right, or "" where the document does not say
    filled: bool = False
    border_top: bool = False
    border_bottom: bool = False


PLAIN = CellStyle()


class RawCell(NamedTuple):
    """One non-blank cell. `row` and `col` are coordinates of the grid it lies in: the sheet, or the table itself."""

    row: int
    col: int
    text: str  # what a person sees
    kind: CellKind = "s"
    value: str | None = None  # canonical decimal of a number cell, ISO date of a date cell; None for text
    style: CellStyle = PLAIN


class CellColumns(NamedTuple):
    """The cells of a table column by column, for whatever looks at all of them: a list is walked in a tenth of the time
    that the same field of a million records takes.
    """

    rows: list[int]
    cols: list[int]
    texts: list[str]
    kinds: list[CellKind]
    values: list[str | None]
    styles: list[CellStyle]

    @classmethod
    def of(cls, cells: Sequence[RawCell]) -> CellColumns:
        """The columns of some cells."""
        if isinstance(cells, Cells):
            return cells.columns
        return cls._make(list(map(itemgetter(place), cells)) for place in range(len(cls._fields)))

    def where(self, wanted: Iterable[object]) -> CellColumns:
        """Some of the cells: those for which a flag stands."""
        kept = list(wanted)
        return self if all(kept) else type(self)._make(list(compress(column, kept)) for column in self)


_record = partial(tuple.__new__, RawCell)  # a named tuple's own constructor takes several times as long


class Cells(Sequence[RawCell]):
    """Cells in row-major order, held as columns; records are made when they are asked for."""

    __slots__ = ("columns",)

    def __init__(self, columns: CellColumns) -> None:
        self.columns = columns

    @classmethod
    def of(cls, cells: Sequence[RawCell]) -> Cells:
        """The same cells in columns."""
        return cells if isinstance(cells, Cells) else cls(CellColumns.of(cells))

    def __len__(self) -> int:
        return len(self.columns.rows)

    @overload
    def __getitem__(self, place: int) -> RawCell: ...
    @overload
    def __getitem__(self, place: slice) -> list[RawCell]: ...
    def __getitem__(self, place: int | slice) -> RawCell | list[RawCell]:
        rows, cols, texts, kinds, values, styles = self.columns
        found = (rows[place], cols[place], texts[place], kinds[place], values[place], styles[place])
        if isinstance(place, slice):
            return list(map(_record, zip(*found, strict=True)))  # type: ignore[arg-type]
        return _record(found)

    def __iter__(self) -> Iterator[RawCell]:
        return map(_record, zip(*self.columns, strict=True))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence):
            return NotImplemented
        return len(self) == len(other) and all(map(RawCell.__eq__, self, other))

    __hash__ = None  # type: ignore[assignment]  # as with a list

    def part(self, start: int, end: int) -> Cells:
        """The cells between two places, still as columns."""
        if (start, end) == (0, len(self)):
            return self
        return Cells(CellColumns._make(column[start:end] for column in self.columns))

    def of_rows(self, first_row: int, last_row: int) -> tuple[int, int]:
        """Where the cells of some rows begin and end."""
        rows = self.columns.rows
        return bisect_left(rows, first_row), bisect_left(rows, last_row + 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where the rows of a table lie from `first_row` on: one place, or one for each page it continues on."""

    first_row: int  # in the coordinates of the cells
    locator: str  # "sheet=P&L", "slide=2,table=1", "page=14,table=1"


ContextRole = Literal[
    "document",
    "sheet",
    "section",
    "sibling",  # the title of another table, which stands over it as this table's own does
    "slide_title",
    "apart",  # the caption, once more, where nothing else tells the table from another beside it
    "caption",
    "unit_note",
    "note",
    "axis_title",
    "corner",
    "speaker_notes",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextText:
    """A text beside a table that may say its entity, period or unit, and where that text stands."""

    role: ContextRole
    text: str
    locator: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RawTable:
    """A rectangular region of cells, as the document lays it out: titles and notes within it included."""

    locator: str  # "sheet=P&L,table=1", "slide=2,table=1", "slide=4,chart=1", "page=3,table=1"
    kind: Literal["table", "chart"] = "table"
    title: str = ""
    top: int = 1  # grid coordinates of the region's first row and column
    left: int = 1
    n_rows: int
    n_cols: int
    cells: Sequence[RawCell]  # row-major, blank cells left out, spanned cells once at their origin
    spans: Mapping[Position, Position] = field(default_factory=dict)  # origin -> (rows, columns), where more than 1x1
    formulas: Mapping[Position, str] = field(default_factory=dict)
    uncached: frozenset[Position] = frozenset()  # formulas without a cached value: no text, no cell, but known
    hidden: bool = False  # the whole sheet or slide
    hidden_rows: frozenset[int] = frozenset()
    hidden_cols: frozenset[int] = frozenset()
    header_rows: int | None = None  # where the format itself says how many (a chart, a styled table)
    header_cols: int | None = None
    bbox: Box | None = None
    boxes: Mapping[Position, Box] = field(default_factory=dict)
    places: tuple[Place, ...] = ()
    context: tuple[ContextText, ...] = ()
    addressing: Literal["a1", "rc", "chart"] = "rc"  # how a cell of it is named in a locator
    _columns: list[CellColumns] = field(default_factory=list, init=False, repr=False, compare=False)

    @property
    def columns(self) -> CellColumns:
        """The cells column by column; made when they are first asked for, and not to be changed."""
        if isinstance(self.cells, Cells):
            return self.cells.columns
        if not self._columns:
            self._columns.append(CellColumns.of(self.cells))
        return self._columns[0]


PassageKind = Literal["title", "text", "notes", "comment", "cell"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A stretch of prose with its place."""

    locator: str
    text: str
    kind: PassageKind = "text"
    section: tuple[str, ...] = ()  # headings above it, outermost first
    hidden: bool = False


Item = RawTable | Passage | Finding
