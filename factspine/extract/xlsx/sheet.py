"""One worksheet as records: the cells with what a person sees in them, and what the sheet says around its cells."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from factspine.core.errors import LimitExceeded
from factspine.core.locators import column_number
from factspine.core.tables import CellStyle, Position, RawCell
from factspine.core.values import decimal_of_stored
from factspine.extract.xlsx.calendar import iso, parse_iso
from factspine.extract.xlsx.formats import Format, compiled
from factspine.extract.xlsx.formulas import SharedFormulas, attributes_of
from factspine.extract.xlsx.markup import Malformed, plain, unescape
from factspine.extract.xlsx.styles import Styles

LAST_ROW, LAST_COL = 1_048_576, 16_384

Range = tuple[int, int, int, int]  # first row, first column, last row, last column
# column letters, row digits, attributes, formula, canonical number, other value, inline text
Token = tuple[str, str, object, object, str | None, str | None, str | None]

_NUMBER, _SHARED, _INLINE, _STRING, _BOOLEAN, _ERROR, _DATE = range(7)
_MODES = {
    "n": _NUMBER,
    "s": _SHARED,
    "inlineStr": _INLINE,
    "str": _STRING,
    "b": _BOOLEAN,
    "e": _ERROR,
    "d": _DATE,
}
_WIDE = {"\u3000": 2, "\t": 4}
_MERGED_ROWS_MAX = 2_000_000

Info = tuple[int, CellStyle, Format]
_Texted = tuple[str, Literal["s"], None, CellStyle]


class Unfit(Exception):
    """The fast way does not fit this part; the XML parser has to read it."""


@dataclass(slots=True, kw_only=True)
class Sheet:
    """What was read of one worksheet. `cells` are row-major, non-blank, merged cells only at their origin."""

    cells: list[RawCell] = field(default_factory=list)
    formulas: dict[Position, str] = field(default_factory=dict)
    uncached: list[Position] = field(default_factory=list)
    errors: list[Position] = field(default_factory=list)
    hidden_rows: set[int] = field(default_factory=set)
    hidden_cols: list[tuple[int, int]] = field(default_factory=list)
    merges: list[Range] = field(default_factory=list)
    merges_ignored: int = 0


class _Columns(dict[str, int]):
    """Column letters to numbers."""

    def __missing__(self, letters: str) -> int:
        number = column_number(letters)
        if not 1 <= number <= LAST_COL:
            raise Malformed("a cell lies beyond the last column")
        self[letters] = number
        return number


COLUMNS = _Columns()


def seen(text: str) -> tuple[str, int]:
    """A text as a person reads it, and how far spaces indent it: two spaces, or one wide one, are a step."""
    stripped = text.strip()
    if len(stripped) == len(text):
        return text, 0
    lead = len(text) - len(text.lstrip())
    if not lead or not stripped:
        return stripped, 0
    leading = text[:lead].rpartition("\n")[2]
    return stripped, min(sum(_WIDE.get(character, 1) for character in leading) // 2, 30)


class Assembler:
    """Turns cell tokens, from either reader, into records. `raw` tokens still hold character references."""

    def __init__(
        self, styles: Styles, strings: list[str], date1904: bool, cells_max: int, spent: int, *, raw: bool
    ) -> None:
        self.sheet = Sheet()
        self._styles = styles
        self._strings = strings
        self._date1904 = date1904
        self._cells_max = cells_max
        self._spent = spent  # cells of the sheets before this one
        self._raw = raw
        self._info: dict[object, Info] = {}
        self._shared: dict[str | None, tuple[str, int]] = {}
        self._inline: dict[str, tuple[str, int]] = {}
        self._indented: dict[tuple[CellStyle, int], CellStyle] = {}
        self._formulas = SharedFormulas()
        self._ordered = True
        self._last: Position = (0, 0)

    def take(self, tokens: Iterable[Token]) -> None:
        """Add cells. This loop runs once per cell of a workbook; what can be looked up is not computed."""
        new, kind_of = tuple.__new__, RawCell
        add = self.sheet.cells.append
        infos, columns, inlines, shared = self._info, COLUMNS, self._inline, self._shared
        row, last_col = self._last
        last_digits = str(row)
        for letters, digits, attributes, formula, number, other, inline in tokens:
            col = columns[letters]
            if digits != last_digits:
                before, row, last_digits = row, int(digits), digits
                if row <= before or row > LAST_ROW:
                    self._disordered(row)
            elif col <= last_col:
                self._ordered = False
            last_col = col
            info = infos.get(attributes)
            if info is None:
                info = self._remember(attributes)
            mode, style, form = info
            if formula is not None:
                self._formula(row, col, formula, mode, number, other)
            if number is not None and mode == _NUMBER:
                if form.is_general:
                    add(new(kind_of, (row, col, number, "n", number, style)))
                else:
                    text, when = form.show(number)
                    add(new(kind_of, (row, col, text, "d" if when else "n", when or number, style)))
            elif mode == _SHARED:
                text, indent = shared.get(number) or self._shared_text(number if number is not None else other)
                if text and not indent and form.is_general:
                    add(new(kind_of, (row, col, text, "s", None, style)))
                elif text:
                    add(new(kind_of, (row, col, *self._texted(text, indent, style, form))))
            elif inline is not None and mode == _INLINE:
                text, indent = inlines.get(inline) or self._inline_text(inline)
                if text:
                    add(new(kind_of, (row, col, *self._texted(text, indent, style, form))))
            elif other is not None or number is not None or inline is not None:
                self._other(row, col, info, number if number is not None else other, inline)
        self._last = (row, last_col)
        found = self._spent + len(self.sheet.cells)
        if found > self._cells_max:
            raise LimitExceeded("cells_max", found, self._cells_max)

    def finish(self) -> Sheet:
        """The sheet: cells in order, each place once, nothing under a merged cell but its origin."""
        sheet = self.sheet
        if not self._ordered:
            placed = {(cell.row, cell.col): cell for cell in sheet.cells}
            sheet.cells = [placed[place] for place in sorted(placed)]
        if sheet.merges:
            _drop_covered(sheet)
        return sheet

    def _disordered(self, row: int) -> None:
        if row > LAST_ROW:
            raise Malformed("a cell lies beyond the last row")
        self._ordered = False

    def _remember(self, attributes: object) -> Info:
        """What a cell's attributes say; they repeat, so each combination is read once."""
        if isinstance(attributes, str):
            named = attributes_of(attributes)
            if named is None:
                raise Unfit
            s, t = named.get("s", "0"), named.get("t", "n")
        else:
            s, t = attributes  # type: ignore[misc]
        style = self._styles.at(int(s) if s.isascii() and s.isdigit() and len(s) < 8 else 0)
        mode = _MODES.get(t)
        if mode is None:
            raise Malformed("a cell of an unknown type")
        info = self._info[attributes] = (mode, style, compiled(style.number_format, self._date1904))
        return info

    def _shared_text(self, index: str | None) -> tuple[str, int]:
        if index is None:
            return "", 0
        found = self._shared.get(index)
        if found is None:
            digits = index.strip()
            if not (digits.isascii() and digits.isdigit()) or len(digits) > 9 or int(digits) >= len(self._strings):
                raise Malformed("a cell points at a shared string that is not there")
            found = self._shared[index] = seen(self._strings[int(digits)])
        return found

    def _texted(self, text: str, indent: int, style: CellStyle, form: Format) -> _Texted:
        if not form.is_general:
            text = form.show_text(text)
        if indent:
            key = (style, indent)
            indented = self._indented.get(key)
            if indented is None:
                indented = self._indented[key] = style._replace(indent=style.indent + indent)
            style = indented
        return text, "s", None, style

    def _text(self, stored: str) -> str:
        """A stored text as typed."""
        if self._raw:
            if "\r" in stored:
                stored = stored.replace("\r\n", "\n").replace("\r", "\n")
            if "&" in stored:
                stored = unescape(stored)
        return plain(stored)

    def _inline_text(self, stored: str) -> tuple[str, int]:
        found = self._inline.get(stored)
        if found is None:
            body = stored
            if self._raw:
                attributes, _, body = stored.partition(">")
                if attributes_of(attributes) is None:
                    raise Unfit
            found = seen(self._text(body))
            if len(self._inline) < 100_000:
                self._inline[stored] = found
        return found

    def _other(self, row: int, col: int, info: Info, stored: str | None, inline: str | None) -> None:
        """A cell that is not a plain number or a shared string."""
        mode, style, form = info
        if mode == _INLINE or stored is None:
            text, indent = self._inline_text(inline) if inline is not None else seen(self._text(stored or ""))
            if text:
                self.sheet.cells.append(RawCell(row, col, *self._texted(text, indent, style, form)))
            return
        text = self._text(stored)
        if mode == _NUMBER:
            self._number(row, col, text, style, form)
        elif mode == _BOOLEAN:
            shown = "TRUE" if text.strip() in ("1", "true") else "FALSE"
            self.sheet.cells.append(RawCell(row, col, shown, "b", None, style))
        elif mode == _ERROR:
            self.sheet.errors.append((row, col))
            self.sheet.cells.append(RawCell(row, col, text.strip() or "#N/A", "e", None, style))
        elif mode == _DATE and (at := parse_iso(text.strip())) is not None:
            value = iso(at, dated=at.year >= 1900)
            self.sheet.cells.append(RawCell(row, col, form.show_moment(at), "d", value, style))
        else:
            shown, indent = seen(text)
            if shown:
                self.sheet.cells.append(RawCell(row, col, *self._texted(shown, indent, style, form)))

    def _number(self, row: int, col: int, text: str, style: CellStyle, form: Format) -> None:
        number = decimal_of_stored(text)
        if number is not None:
            shown, when = (number, None) if form.is_general else form.show(number)
            self.sheet.cells.append(RawCell(row, col, shown, "d" if when else "n", when or number, style))
        elif text.strip():  # not a number after all: what is there is kept as text
            self.sheet.cells.append(RawCell(row, col, text.strip(), "s", None, style))

    def _formula(self, row: int, col: int, formula: object, mode: int, number: str | None, other: str | None) -> None:
        named: dict[str, str]
        if isinstance(formula, str):  # `attributes>text</f>` or `attributes/>`
            head, _, text = formula.partition(">")
            found = attributes_of(head.removesuffix("/"))
            if found is None or (head.endswith("/") and text):
                raise Unfit
            named, text = found, self._text(text.removesuffix("</f>"))
        else:
            named, text = formula  # type: ignore[misc]
        place = (row, col)
        self.sheet.formulas[place] = self._formulas.text(row, col, named.get("t", ""), named.get("si", ""), text)
        # An empty text is a result; an empty number is a result nobody has worked out yet.
        if number is None and not other and not (mode == _STRING and other is not None):
            self.sheet.uncached.append(place)


def _drop_covered(sheet: Sheet) -> None:
    """Leave only the origin of each merged range; values stored under it are not seen by anyone."""
    rows = sorted({cell.row for cell in sheet.cells})
    covered: dict[int, list[tuple[int, int, int]]] = {}
    kept, spent = [], 0
    for merge in sheet.merges:
        first, last = _within(rows, merge[0], merge[2])
        spent += last - first
        if spent > _MERGED_ROWS_MAX:  # overlapping merges without end: hostile, and not worth the time
            break
        kept.append(merge)
        for row in rows[first:last]:
            covered.setdefault(row, []).append((merge[1], merge[3], merge[0]))
    sheet.merges_ignored = len(sheet.merges) - len(kept)
    sheet.merges = kept

    def origin(cell: RawCell) -> bool:
        for left, right, top in covered.get(cell.row, ()):
            if left <= cell.col <= right and (cell.col != left or cell.row != top):
                return False
        return True

    sheet.cells = [cell for cell in sheet.cells if cell.row not in covered or origin(cell)]
    places = {(top, left) for top, left, _, _ in kept}
    for place in [place for place in sheet.formulas if place[0] in covered and place not in places]:
        if any(left <= place[1] <= right for left, right, _ in covered[place[0]]):
            del sheet.formulas[place]
    sheet.uncached = [place for place in sheet.uncached if place in sheet.formulas]


def _within(rows: list[int], first: int, last: int) -> tuple[int, int]:
    return bisect_left(rows, first), bisect_right(rows, last)
