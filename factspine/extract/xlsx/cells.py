"""Sheet XML to cells: by pattern where the markup is the usual one, by the XML parser where it is not.

The pattern splits the text at every cell, and what lies between two cells must be row tags and nothing else: so
every character of the sheet is accounted for, and anything unusual (comments, CDATA, prefixes, rich inline text)
shows up between the cells and sends the sheet to the XML parser. Both feed the same assembler.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from factspine.core.locators import cell_position, column_letters
from factspine.extract.xlsx.markup import MAIN_NAMESPACES, Malformed, declared_utf8, feed, local
from factspine.extract.xlsx.sheet import LAST_COL, LAST_ROW, Assembler, Sheet, Tokens, Unfit

# Groups: column, row, attributes, value; and of cells that hold more than a value: formula, its value, inline text.
_CELL = re.compile(
    r'<c r="([A-Z]{1,3})([1-9][0-9]{0,6})"([^>/]*)(?:><v>([^<]*)</v></c>|>'
    r"(?:<f((?: [^<>]*)?/>|[^<]*</f>))?"
    r"(?:<v>([^<]*)</v>|<is><t([^<]*)</t></is>|<v ?/>)?</c>|/>)"
)
_GROUPS = 8  # of a split: what lies between, and seven groups
_ROWS = re.compile(r"(?:\s|</row>|<row(?: [^<>]*)?>)+")
_ROW = re.compile(r"<row([^<>]*?)/?>")
_ATTRIBUTE = re.compile(r'\s([A-Za-z0-9:]+)="([^"<>]*)"')
_CANONICAL = re.compile(r"0|-?(?=[0-9.]{1,16}\Z)(?:[1-9][0-9]{0,14}(?:\.[0-9]*[1-9])?|0\.[0-9]*[1-9])")
# Any number of them, each with a bracket behind it; no alternative is tried twice, so that a million take no time.
_ALL_CANONICAL = re.compile(r"(?:(?:-(?!0<))?+(?:0(?![0-9])|[1-9][0-9]*+)(?:\.[0-9]++(?<!0))?+<)*+")
_DIGITS_MAX = 16  # characters; longer numbers are the noise of binary arithmetic, and are looked at one by one
_BUFFER_MAX = 32 * 1024 * 1024  # a row that is longer than this is not a row
_NAME = re.compile(r"[A-Z]{1,3}[0-9]+")
_OFF = ("0", "false")

Pieces = Callable[[], Iterable[bytes]]
MakeAssembler = Callable[[bool], Assembler]


def read_sheet(pieces: Pieces, assembler: MakeAssembler) -> Sheet:
    """The cells of a sheet part; `pieces` begins the part anew each time it is called."""
    try:
        return by_pattern(pieces(), assembler(True))
    except Unfit:
        return by_parser(pieces(), assembler(False))


# -- the sheet around its cells ------------------------------------------------------------------------------------


class _Around:
    """Handlers for what a sheet says outside its rows: hidden columns and merged cells."""

    def __init__(self, sheet: Sheet) -> None:
        self.sheet = sheet
        self.root = ""
        self.depth = 0

    def start(self, name: str, attributes: dict[str, str]) -> None:
        self.depth += 1
        if self.depth == 1:
            self.root = name
            if local(name) != "worksheet":
                raise Malformed("the part is not a worksheet")
        tag = local(name)
        if tag == "col":
            self._column(attributes)
        elif tag == "mergeCell":
            self._merge(attributes.get("ref", ""))

    def end(self, _: str) -> None:
        self.depth -= 1

    def _column(self, attributes: dict[str, str]) -> None:
        hidden = attributes.get("hidden", "0") not in _OFF or _zero(attributes.get("width"))
        first, last = attributes.get("min", ""), attributes.get("max", "")
        if hidden and first.isdecimal() and last.isdecimal():
            self.sheet.hidden_cols.append((int(first), min(int(last), LAST_COL)))

    def _merge(self, ref: str) -> None:
        first, _, last = ref.partition(":")
        start, end = cell_position(first), cell_position(last or first)
        if start is None or end is None or start == end:
            return
        if start[0] <= end[0] <= LAST_ROW and start[1] <= end[1] <= LAST_COL:
            self.sheet.merges.append((*start, *end))


def _zero(size: str | None) -> bool:
    return size is not None and re.fullmatch(r"0(?:\.0*)?", size) is not None


def _row_hidden(attributes: dict[str, str]) -> bool:
    return attributes.get("hidden", "0") not in _OFF or _zero(attributes.get("ht"))


# -- by pattern ----------------------------------------------------------------------------------------------------


def by_pattern(pieces: Iterable[bytes], assembler: Assembler) -> Sheet:
    """The fast way; raises Unfit at the first thing it does not know."""
    stream = iter(pieces)
    head, rest = _until(stream, b"", b"<sheetData")
    if not declared_utf8(head[:200]) or not rest.startswith((b"<sheetData>", b"<sheetData/>", b"<sheetData />")):
        raise Unfit
    tail = rest.partition(b">")[2]
    if rest.startswith(b"<sheetData>"):
        tail = _rows(stream, tail, assembler)
    around = _Around(assembler.sheet)
    feed(_joined(head, tail, stream), around.start, around.end, None)
    namespace = around.root.rpartition(" ")[0]
    if namespace not in MAIN_NAMESPACES or f'xmlns="{namespace}"'.encode() not in head:
        raise Unfit
    return assembler.finish()


def _joined(head: bytes, tail: bytes, stream: Iterator[bytes]) -> Iterator[bytes]:
    """The part without its rows, which the XML parser checks as a whole."""
    yield head + b"<sheetData/>" + tail
    yield from stream


def _until(stream: Iterator[bytes], buffer: bytes, mark: bytes) -> tuple[bytes, bytes]:
    """What stands before a mark, and what begins with it (with its closing bracket)."""
    while True:
        at = buffer.find(mark)
        if at >= 0 and buffer.find(b">", at) >= 0:
            return buffer[:at], buffer[at:]
        piece = next(stream, b"")
        if not piece or len(buffer) > _BUFFER_MAX:
            raise Unfit
        buffer += piece


def _rows(stream: Iterator[bytes], buffer: bytes, assembler: Assembler) -> bytes:
    """Read rows up to the end of the sheet data; what follows it comes back."""
    while True:
        end = buffer.find(b"</sheetData>")
        cut = end if end >= 0 else buffer.rfind(b"</row>") + 6
        if end >= 0 or cut >= 6:
            try:
                chunk = buffer[:cut].decode("utf-8")
            except UnicodeDecodeError as error:
                raise Unfit from error
            _chunk(chunk, assembler)
            buffer = buffer[cut:]
        if end >= 0:
            return buffer[len(b"</sheetData>") :]
        piece = next(stream, b"")
        if not piece or len(buffer) > _BUFFER_MAX:
            raise Unfit
        buffer += piece


def _chunk(chunk: str, assembler: Assembler) -> None:
    parts = _CELL.split(chunk)
    for between in filter(None, parts[0::_GROUPS]):
        if not _ROWS.fullmatch(between) or "'" in between:
            raise Unfit
        if "hidden=" in between or ' ht="0' in between:
            _note_hidden(between, assembler.sheet)
    letters, digits, attributes, values, formulas, results, inlines = (
        parts[group::_GROUPS] for group in range(1, _GROUPS)
    )
    del parts
    if any(results):
        values = [value if value is not None else result for value, result in zip(values, results, strict=True)]
    numbers, others = _sorted_out(values)
    assembler.take(Tokens(letters, digits, attributes, formulas, numbers, others, inlines))


def _sorted_out(values: list[str | None]) -> tuple[list[str | None], list[str | None]]:
    """Values as numbers in canonical form, and those that are anything else; nearly all are numbers."""
    texts = [value or "" for value in values]
    odd = _not_canonical("<".join([*texts, ""]))
    if max(map(len, texts), default=0) > _DIGITS_MAX:
        odd.extend(at for at, text in enumerate(texts) if len(text) > _DIGITS_MAX and not _CANONICAL.fullmatch(text))
    numbers, others = list(values), _nothing(len(values))
    for at in odd:
        numbers[at], others[at] = None, values[at]
    return numbers, others


def _nothing(count: int) -> list[str | None]:
    return [None] * count


def _not_canonical(joined: str) -> list[int]:
    """The places of what is no number in canonical form among values that each have a bracket behind them."""
    found: list[int] = []
    at = place = 0
    while True:
        start, at = at, _ALL_CANONICAL.match(joined, at).end()  # type: ignore[union-attr]  # it matches even nothing
        if at == len(joined):
            return found
        place += joined.count("<", start, at)
        found.append(place)
        at = joined.index("<", at) + 1
        place += 1


def _note_hidden(tags: str, sheet: Sheet) -> None:
    for tag in _ROW.findall(tags):
        attributes = dict(_ATTRIBUTE.findall(tag))
        if _row_hidden(attributes):
            if not attributes.get("r", "").isdecimal():
                raise Unfit
            sheet.hidden_rows.add(int(attributes["r"]))


# -- by the XML parser ---------------------------------------------------------------------------------------------


class _Cells(_Around):
    """Handlers for whole sheets: rows and cells may come without their names, and under any prefix."""

    def __init__(self, assembler: Assembler) -> None:
        super().__init__(assembler.sheet)
        self.tokens: list[tuple[Any, ...]] = []  # each with the fields of `Tokens`
        self._assembler = assembler
        self._row = 0
        self._col = 0
        self._attributes: tuple[str, str] = ("0", "n")
        self._in_cell = False
        self._phonetic = 0
        self._formula: tuple[dict[str, str], list[str]] | None = None
        self._value: list[str] | None = None
        self._inline: list[str] | None = None
        self._sink: list[str] | None = None

    def start(self, name: str, attributes: dict[str, str]) -> None:
        super().start(name, attributes)
        tag = local(name)
        if tag == "c":
            self._open_cell(attributes)
        elif tag == "row":
            self._open_row(attributes)
        elif not self._in_cell:
            return
        elif tag == "v":
            self._value = self._sink = []
        elif tag == "f":
            self._sink = []
            self._formula = (attributes, self._sink)
        elif tag == "is":
            self._inline = []
        elif tag == "rPh":
            self._phonetic += 1
        elif tag == "t" and self._inline is not None and not self._phonetic:
            self._sink = self._inline

    def text(self, value: str) -> None:
        if self._sink is not None:
            self._sink.append(value)

    def end(self, name: str) -> None:
        super().end(name)
        tag = local(name)
        if tag in ("v", "f", "t"):
            self._sink = None
        elif tag == "rPh":
            self._phonetic -= 1
        elif tag == "c" and self._in_cell:
            self._close_cell()
        elif tag == "row" and len(self.tokens) > 20_000:
            self.flush()

    def flush(self) -> None:
        if self.tokens:
            self._assembler.take(Tokens._make(zip(*self.tokens, strict=True)))
        self.tokens = []

    def _open_row(self, attributes: dict[str, str]) -> None:
        given = attributes.get("r", "")
        self._row = int(given) if given.isdecimal() and len(given) < 9 else self._row + 1
        self._col = 0
        if _row_hidden(attributes):
            self.sheet.hidden_rows.add(self._row)

    def _open_cell(self, attributes: dict[str, str]) -> None:
        given = attributes.get("r")
        if given is None:
            self._col += 1
        else:
            place = cell_position(given)
            if place is None or not _NAME.fullmatch(given):  # a locator may also say R7C3, a file may not
                raise Malformed("a cell with no readable name")
            self._row, self._col = place
        if not (1 <= self._row <= LAST_ROW and 1 <= self._col <= LAST_COL):
            raise Malformed("a cell lies beyond the sheet")
        self._attributes = (attributes.get("s", "0"), attributes.get("t", "n"))
        self._in_cell = True
        self._formula = self._value = self._inline = self._sink = None

    def _close_cell(self) -> None:
        self._in_cell = False
        value = None if self._value is None else "".join(self._value)
        inline = None if self._inline is None else "".join(self._inline)
        formula = None if self._formula is None else (self._formula[0], "".join(self._formula[1]))
        number = value if value is not None and _CANONICAL.fullmatch(value) else None
        other = None if number is not None else value
        letters, digits = column_letters(self._col), str(self._row)
        self.tokens.append((letters, digits, self._attributes, formula, number, other, inline))


def by_parser(pieces: Iterable[bytes], assembler: Assembler) -> Sheet:
    """The thorough way, for any markup the standard allows."""
    handlers = _Cells(assembler)
    feed(pieces, handlers.start, handlers.end, handlers.text)
    handlers.flush()
    return assembler.finish()
