"""One worksheet as records: the cells with what a person sees in them, and what the sheet says around its cells."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import islice, repeat
from operator import add, itemgetter, lt
from typing import Any, NamedTuple

from factspine.core.errors import LimitExceeded
from factspine.core.locators import column_number
from factspine.core.tables import PLAIN, CellColumns, CellKind, Cells, CellStyle, Position
from factspine.core.values import decimal_of_stored
from factspine.extract.xlsx.calendar import iso, parse_iso
from factspine.extract.xlsx.formats import Format, compiled
from factspine.extract.xlsx.formulas import SharedFormulas, attributes_of
from factspine.extract.xlsx.markup import Malformed, plain, unescape
from factspine.extract.xlsx.styles import Styles

LAST_ROW, LAST_COL = 1_048_576, 16_384

Range = tuple[int, int, int, int]  # first row, first column, last row, last column


class Tokens(NamedTuple):
    """Cells as they are stored, column by column; of each cell its last three are at most one not None."""

    letters: Sequence[str]  # of its column
    digits: Sequence[str]  # of its row
    attributes: Sequence[object]
    formulas: Sequence[object]
    numbers: Sequence[str | None]  # values that are numbers in canonical form
    others: Sequence[str | None]  # values that are anything else
    inlines: Sequence[str | None]


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
_ROW_STEP = 1 << 15  # more than there are columns: row and column as one number

Info = tuple[int, CellStyle, Format]
_Content = tuple[str | None, CellKind, str | None, CellStyle]  # text, kind, value, style


class _Draft(NamedTuple):
    """Columns of cells while they are worked out: a cell without a text is blank."""

    rows: list[int]
    cols: list[int]
    texts: list[str | None]
    kinds: list[CellKind]
    values: list[str | None]
    styles: list[CellStyle]


class Unfit(Exception):
    """The fast way does not fit this part; the XML parser has to read it."""


@dataclass(slots=True, kw_only=True)
class Sheet:
    """What was read of one worksheet. `cells` are row-major, non-blank, merged cells only at their origin."""

    cells: Cells = field(default_factory=lambda: Cells(CellColumns([], [], [], [], [], [])))
    formulas: dict[Position, str] = field(default_factory=dict)
    uncached: list[Position] = field(default_factory=list)
    errors: list[Position] = field(default_factory=list)
    hidden_rows: set[int] = field(default_factory=set)
    hidden_cols: list[tuple[int, int]] = field(default_factory=list)
    merges: list[Range] = field(default_factory=list)
    merges_ignored: int = 0


class _Known(dict[Any, Any]):
    """What was read of things that repeat; each is read when it is first met."""

    def __init__(self, read: Callable[[Any], Any]) -> None:
        self._read = read

    def __missing__(self, key: Any) -> Any:
        found = self[key] = self._read(key)
        return found


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
    """Turns cell tokens, from either reader, into columns. `raw` tokens still hold character references."""

    def __init__(
        self, styles: Styles, strings: list[str], date1904: bool, cells_max: int, spent: int, *, raw: bool
    ) -> None:
        self.sheet = Sheet()
        self._cells_max = cells_max
        self._spent = spent  # cells of the sheets before this one
        self._raw = raw
        # Functions, not methods: nothing here may refer to itself, because the child collects no cycles.
        self._infos = _Known(partial(_read_attributes, styles, date1904))
        self._shared = _Known(partial(_read_shared, strings))
        self._inlines: dict[str, tuple[str, int]] = {}
        self._indented: dict[tuple[CellStyle, int], CellStyle] = {}
        self._formulas = SharedFormulas()
        self._ordered = True
        self._last = 0

    def take(self, tokens: Tokens) -> None:
        """Add cells. All cells of one format are dealt with together, and whatever repeats is worked out once."""
        rows, cols = self._places(tokens.letters, tokens.digits)
        looks = _by_look(tokens.attributes)
        for at, formula in _given(tokens.formulas):
            info = self._infos[tokens.attributes[at]]
            self._formula(rows[at], cols[at], formula, info[0], tokens.numbers[at], tokens.others[at])
        count = len(rows)
        cells = _Draft(rows, cols, list(tokens.numbers), ["n"] * count, list(tokens.numbers), [PLAIN] * count)
        for look, places in looks.items():
            self._look(self._infos[look], places, cells, tokens)
        self._add(CellColumns(*cells))  # type: ignore[arg-type]  # a cell without a text is blank, and left out

    def _places(self, letters: Sequence[str], digits: Sequence[str]) -> tuple[list[int], list[int]]:
        """Rows and columns, and whether they go on in order."""
        numbers = {text: int(text) for text in dict.fromkeys(digits)}
        if numbers and max(numbers.values()) > LAST_ROW:
            raise Malformed("a cell lies beyond the last row")
        rows, cols = list(map(numbers.__getitem__, digits)), list(map(COLUMNS.__getitem__, letters))
        spots = [self._last, *map(add, map(_ROW_STEP.__mul__, rows), cols)]
        self._ordered = self._ordered and all(map(lt, spots, islice(spots, 1, None)))
        self._last = spots[-1]
        return rows, cols

    def _look(self, info: Info, places: Sequence[int], cells: _Draft, tokens: Tokens) -> None:
        """The cells that have the same attributes: one type, one style, one number format."""
        mode, style, form = info
        whole = len(places) == len(cells.rows)
        if style is not PLAIN:
            _fill(cells.styles, places, repeat(style))
        numbers: Sequence[Any] = tokens.numbers if whole else [tokens.numbers[at] for at in places]
        if mode not in (_NUMBER, _SHARED):
            self._each(info, places, cells, tokens)
            return
        if None in numbers:
            self._each(info, [at for at in places if tokens.numbers[at] is None], cells, tokens)
            places = [at for at in places if tokens.numbers[at] is not None]
            numbers = [tokens.numbers[at] for at in places]
        if mode == _SHARED:
            _fill(cells.kinds, places, repeat("s"))
            _fill(cells.values, places, repeat(None))
            texts = list(map(self._shared.__getitem__, numbers))
            if form.is_general and not any(map(itemgetter(1), texts)):
                _fill(cells.texts, places, map(itemgetter(0), texts))
            else:
                for at, (text, indent) in zip(places, texts, strict=True):
                    cells.texts[at], _, _, cells.styles[at] = self._texted(text, indent, style, form)
        elif form.has_dates:
            for at, (text, when) in zip(places, map(form.show, numbers), strict=True):
                cells.texts[at] = text
                if when:
                    cells.kinds[at], cells.values[at] = "d", when
        elif not form.is_general:
            _fill(cells.texts, places, form.texts_of(numbers))

    def _each(self, info: Info, places: Iterable[int], cells: _Draft, tokens: Tokens) -> None:
        """Cells that are neither plain numbers nor shared strings, one by one."""
        for at in places:
            number, other, inline = tokens.numbers[at], tokens.others[at], tokens.inlines[at]
            stored = number if number is not None else other
            found: _Content | None = None
            if inline is not None or stored is not None:
                found = self._content(cells.rows[at], cells.cols[at], info, stored, inline)
            cells.texts[at], cells.kinds[at], cells.values[at], cells.styles[at] = found or (None, "s", None, PLAIN)

    def _add(self, cells: CellColumns) -> None:
        kept = cells.where(cells.texts)
        columns: Iterable[tuple[Any, Any]] = zip(self.sheet.cells.columns, kept, strict=True)
        for column, more in columns:
            column.extend(more)
        found = self._spent + len(self.sheet.cells)
        if found > self._cells_max:
            raise LimitExceeded("cells_max", found, self._cells_max)

    def finish(self) -> Sheet:
        """The sheet: cells in order, each place once, nothing under a merged cell but its origin."""
        sheet = self.sheet
        if not self._ordered:
            placed = {(cell.row, cell.col): cell for cell in sheet.cells}
            sheet.cells = Cells.of([placed[place] for place in sorted(placed)])
        sheet.errors.sort()
        if sheet.merges:
            _drop_covered(sheet)
        return sheet

    def _texted(self, text: str, indent: int, style: CellStyle, form: Format) -> _Content:
        if not text:
            return None, "s", None, style
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
        found = self._inlines.get(stored)
        if found is None:
            body = stored
            if self._raw:
                attributes, _, body = stored.partition(">")
                if attributes_of(attributes) is None:
                    raise Unfit
            found = seen(self._text(body))
            if len(self._inlines) < 100_000:
                self._inlines[stored] = found
        return found

    def _content(self, row: int, col: int, info: Info, stored: str | None, inline: str | None) -> _Content | None:
        """What a cell holds; None where that is nothing."""
        mode, style, form = info
        if mode == _SHARED:
            text, indent = self._shared[stored] if stored is not None else ("", 0)
            return self._texted(text, indent, style, form)
        if mode == _INLINE or stored is None:
            text, indent = self._inline_text(inline) if inline is not None else seen(self._text(stored or ""))
            return self._texted(text, indent, style, form)
        text = self._text(stored)
        if mode == _NUMBER:
            return _number(text, style, form)
        if mode == _BOOLEAN:
            return "TRUE" if text.strip() in ("1", "true") else "FALSE", "b", None, style
        if mode == _ERROR:
            self.sheet.errors.append((row, col))
            return text.strip() or "#N/A", "e", None, style
        if mode == _DATE and (at := parse_iso(text.strip())) is not None:
            return form.show_moment(at), "d", iso(at, dated=at.year >= 1900), style
        shown, indent = seen(text)
        return self._texted(shown, indent, style, form)

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


def _read_attributes(styles: Styles, date1904: bool, attributes: object) -> Info:
    """What a cell's attributes say."""
    if isinstance(attributes, str):
        named = attributes_of(attributes)
        if named is None:
            raise Unfit
        s, t = named.get("s", "0"), named.get("t", "n")
    else:
        s, t = attributes  # type: ignore[misc]
    style = styles.at(int(s) if s.isascii() and s.isdigit() and len(s) < 8 else 0)
    mode = _MODES.get(t)
    if mode is None:
        raise Malformed("a cell of an unknown type")
    return mode, style, compiled(style.number_format, date1904)


def _read_shared(strings: list[str], index: str) -> tuple[str, int]:
    """A shared string by its number."""
    digits = index.strip()
    if not (digits.isascii() and digits.isdigit()) or len(digits) > 9 or int(digits) >= len(strings):
        raise Malformed("a cell points at a shared string that is not there")
    return seen(strings[int(digits)])


def _number(text: str, style: CellStyle, form: Format) -> _Content | None:
    """A number that is not stored in canonical form."""
    number = decimal_of_stored(text)
    if number is not None:
        shown, when = (number, None) if form.is_general else form.show(number)
        return shown, "d" if when else "n", when or number, style
    # Not a number after all: what is there is kept as text.
    return (text.strip(), "s", None, style) if text.strip() else None


def _by_look(attributes: Sequence[object]) -> Mapping[object, Sequence[int]]:
    """The places of the cells of each look, in order of appearance."""
    first = attributes[0] if attributes else ""
    if attributes.count(first) == len(attributes):
        return {first: range(len(attributes))}
    looks: dict[object, list[int]] = {look: [] for look in attributes}
    for at, look in enumerate(attributes):
        looks[look].append(at)
    return looks


def _given(column: Sequence[object]) -> Iterable[tuple[int, object]]:
    """What stands in a column that is mostly empty, with its places."""
    if column.count(None) == len(column):
        return ()
    return ((at, value) for at, value in enumerate(column) if value is not None)


def _fill(column: list[Any], places: Sequence[int], values: Iterable[Any]) -> None:
    """Put values into some places of a column."""
    if len(places) == len(column):
        column[:] = islice(values, len(column))
        return
    for at, value in zip(places, values, strict=False):  # what repeats is endless
        column[at] = value


def _drop_covered(sheet: Sheet) -> None:
    """Leave only the origin of each merged range; values stored under it are not seen by anyone."""
    cells = sheet.cells.columns
    rows = sorted(set(cells.rows))
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

    def is_seen(row: int, col: int) -> bool:
        for left, right, top in covered.get(row, ()):
            if left <= col <= right and (col != left or row != top):
                return False
        return True

    sheet.cells = Cells(cells.where(map(is_seen, cells.rows, cells.cols)))
    places = {(top, left) for top, left, _, _ in kept}
    for place in [place for place in sheet.formulas if place[0] in covered and place not in places]:
        if any(left <= place[1] <= right for left, right, _ in covered[place[0]]):
            del sheet.formulas[place]
    sheet.uncached = [place for place in sheet.uncached if place in sheet.formulas]


def _within(rows: list[int], first: int, last: int) -> tuple[int, int]:
    return bisect_left(rows, first), bisect_right(rows, last)
