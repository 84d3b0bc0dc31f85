"""One locator grammar for every format: `key=value,key=value`, percent-encoded where the grammar needs it.

    sheet=P&L,cell=C7,row=Revenue,col=FY2024        slide=2,table=1,cell=R2C3,row=REVENUE,col=FY2024
    slide=4,chart=1,series=Revenue,cat=FY2024       page=14,table=1,cell=R5C3,row=Net sales,col=2024

`cell` finds the place and the labels prove it. `parse(str(x)) == x` for every locator.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import unquote

from factspine.core.errors import UsageError

_RESERVED = re.compile(r"[%,=\x00-\x1f\x7f-\x9f\u2028\u2029]")
_KEY = re.compile(r"[a-z_]+")
_A1 = re.compile(r"([A-Z]{1,3})([1-9][0-9]{0,6})")
_RC = re.compile(r"R([1-9][0-9]{0,6})C([1-9][0-9]{0,6})")
_SHORT_SHEET = re.compile(r"(?P<sheet>.+)!\$?(?P<column>[A-Za-z]{1,3})\$?(?P<row>[1-9][0-9]{0,6})", re.S)


def encode(value: str) -> str:
    """A value as it stands in a locator."""
    return _RESERVED.sub(_percent, value) if _RESERVED.search(value) else value


def _percent(match: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in match.group().encode("utf-8"))


@dataclass(frozen=True, slots=True)
class Locator:
    """A place in a document, as ordered keys and values."""

    pairs: tuple[tuple[str, str], ...]

    def __post_init__(self) -> None:
        if not self.pairs:
            raise UsageError("a locator names at least one place")
        for key, _ in self.pairs:
            if not _KEY.fullmatch(key):
                raise UsageError(f"not a locator key: {key!r}")
        if len({key for key, _ in self.pairs}) != len(self.pairs):
            raise UsageError("a locator names each key once")

    @classmethod
    def of(cls, **places: str | int) -> Locator:
        """A locator from keywords, in their order."""
        return cls(tuple((key, str(value)) for key, value in places.items()))

    def get(self, key: str) -> str | None:
        """The value of a key, or None."""
        for name, value in self.pairs:
            if name == key:
                return value
        return None

    def number(self, key: str) -> int | None:
        """The value of a key as a number, or None where it is absent or not one."""
        value = self.get(key)
        return int(value) if value is not None and value.isascii() and value.isdigit() else None

    def without(self, *keys: str) -> Locator:
        """The same place with less detail."""
        return Locator(tuple(pair for pair in self.pairs if pair[0] not in keys))

    def __str__(self) -> str:
        if len(self.pairs) == 1 and self.pairs[0][0] == "sheet" and _SHORT_SHEET.fullmatch(self.pairs[0][1]):
            # Alone, `sheet=A!B2` would read as the short form of a cell; the sheet of that name needs its mark encoded.
            return "sheet=" + encode(self.pairs[0][1]).replace("!", "%21")
        return ",".join(f"{key}={encode(value)}" for key, value in self.pairs)


def parse(text: str) -> Locator:
    """The locator a text names; accepts the short form `sheet=P&L!C7`."""
    pairs = []
    # A line break or tab around the text is not of it (inside, they are encoded); a space may end a sheet's name.
    for part in text.strip("\t\r\n").split(","):
        key, mark, value = part.partition("=")
        if not mark:
            raise UsageError(f"not a locator: {text[:80]!r}; write key=value,key=value")
        pairs.append((key.strip(), value))
    if len(pairs) == 1 and pairs[0][0] == "sheet" and (short := _SHORT_SHEET.fullmatch(pairs[0][1])):
        sheet, column, row = unquote(short["sheet"]), short["column"].upper(), short["row"]
        return Locator((("sheet", sheet), ("cell", f"{column}{row}")))
    return Locator(tuple((key, unquote(value)) for key, value in pairs))


def column_letters(column: int) -> str:
    """1 -> A, 27 -> AA."""
    letters = ""
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(65 + rest) + letters
    return letters


def column_number(letters: str) -> int:
    """A -> 1, AA -> 27."""
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - 64
    return number


def cell_position(cell: str) -> tuple[int, int] | None:
    """Row and column of `C7` or `R7C3`; None where it is neither."""
    if found := _A1.fullmatch(cell):
        return int(found[2]), column_number(found[1])
    if found := _RC.fullmatch(cell):
        return int(found[1]), int(found[2])
    return None
