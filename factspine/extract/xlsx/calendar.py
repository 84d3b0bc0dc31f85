"""Spreadsheet dates: the moment a serial number stands for, and how a date format shows it."""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta
from decimal import ROUND_HALF_UP, Decimal

_TOKEN = re.compile(
    r'"(?P<quoted>[^"]*)"?|\\(?P<escaped>.)|_.|\*.|\[(?P<bracket>[^\]]*)\]?'
    r"|(?P<half>AM/PM|A/P|上午/下午)|(?P<part>y+|m+|d+|h+|s+(?:\.0+)?|e+|a{3,}|g+|b{2,4})|(?P<other>.)",
    re.IGNORECASE | re.DOTALL,
)
_ELAPSED = re.compile(r"h+|m+|s+", re.IGNORECASE)
_MONTHS = (
    "January February March April May June July August September October November December".split()  # noqa: SIM905
)
_DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
_DAYS_ZH = "一二三四五六日"
_LAST_SERIAL = 2958465  # 9999-12-31
_PHANTOM = 60  # 1900-02-29, which spreadsheets believe in and calendars do not
_EPOCH, _EPOCH_EARLY, _EPOCH_1904 = datetime(1899, 12, 30), datetime(1899, 12, 31), datetime(1904, 1, 1)
_DBNUM = "〇一二三四五六七八九"

Piece = tuple[str, str]  # kind, text


def moment(serial: str, date1904: bool) -> datetime | None:
    """The moment of a canonical serial number, to the millisecond; None outside the calendar."""
    if serial.startswith("-"):
        return None
    whole, _, fraction = serial.partition(".")
    days = int(whole)
    if days > _LAST_SERIAL:
        return None
    base = _EPOCH_1904 if date1904 else _EPOCH_EARLY if days < _PHANTOM else _EPOCH
    if not fraction:
        milliseconds = 0
    else:
        exact = Decimal("0." + fraction) * 86_400_000
        milliseconds = int(exact.quantize(Decimal(1), rounding=ROUND_HALF_UP))
    try:
        return base + timedelta(days=days, milliseconds=milliseconds)
    except OverflowError:
        return None


def iso(at: datetime, *, dated: bool) -> str:
    """A moment as ISO text: the day alone where there is no time, the time alone where there is no day."""
    if not dated:
        return at.time().isoformat(timespec="auto" if at.microsecond else "seconds")
    if (at.hour, at.minute, at.second, at.microsecond) == (0, 0, 0, 0):
        return at.date().isoformat()
    return at.isoformat(timespec="milliseconds" if at.microsecond else "seconds")


def parse_iso(text: str) -> datetime | None:
    """The moment of a cell that stores its date as ISO text."""
    try:
        return datetime.fromisoformat(text.replace("Z", "+00:00")).replace(tzinfo=None)
    except ValueError:
        pass
    try:
        return datetime.combine(date(1899, 12, 31), datetime.strptime(text, "%H:%M:%S").time())
    except ValueError:
        return None


class DateSection:
    """One section of a date format."""

    __slots__ = ("dated", "elapsed", "numerals", "pieces", "twelve")

    def __init__(self, section: str) -> None:
        self.pieces: list[Piece] = []
        self.numerals = "[DBNUM1]" in section.upper()
        self.elapsed = False
        for found in _TOKEN.finditer(section):
            self._add(found)
        self._minutes()
        self.twelve = any(kind == "half" for kind, _ in self.pieces)
        self.dated = any(kind == "part" and text[0] in "ydeagbm" for kind, text in self.pieces)

    def _add(self, found: re.Match[str]) -> None:
        if found["quoted"] is not None:
            self.pieces.append(("literal", found["quoted"]))
        elif found["escaped"] is not None:
            self.pieces.append(("literal", found["escaped"]))
        elif found["bracket"] is not None:
            inside = found["bracket"]
            if _ELAPSED.fullmatch(inside):
                self.elapsed = True
                self.pieces.append(("elapsed", inside.lower()))
            elif inside.startswith("$") and not inside.startswith("$-"):
                self.pieces.append(("literal", inside[1:].partition("-")[0]))
        elif found["half"] is not None:
            self.pieces.append(("half", found["half"].upper()))
        elif found["part"] is not None:
            self.pieces.append(("part", found["part"].lower()))
        elif found["other"] is not None and found["other"] != "@":
            self.pieces.append(("literal", found["other"]))

    def _minutes(self) -> None:
        """`m` beside hours or seconds is minutes."""
        timed = [i for i, (kind, _) in enumerate(self.pieces) if kind in ("part", "elapsed")]
        for place, at in enumerate(timed):
            kind, text = self.pieces[at]
            if kind != "part" or text[0] != "m" or len(text) > 2:
                continue
            before = self.pieces[timed[place - 1]][1][0] if place else ""
            after = self.pieces[timed[place + 1]][1][0] if place + 1 < len(timed) else ""
            if before == "h" or after == "s":
                self.pieces[at] = ("part", "n" * len(text))

    def show(self, at: datetime, total_seconds: Decimal) -> str:
        """The text of a moment; `total_seconds` since the epoch, for formats that count up."""
        if not any("." in text for kind, text in self.pieces if kind == "part" and text[0] == "s"):
            at += timedelta(milliseconds=500)  # seconds are rounded, days are not: half a second at most
            at = at.replace(microsecond=0)
        out = "".join(self._piece(kind, text, at, total_seconds) for kind, text in self.pieces)
        return out.strip()

    def _piece(self, kind: str, text: str, at: datetime, total_seconds: Decimal) -> str:
        if kind == "literal":
            return text
        if kind == "half":
            names = {"A/P": ("A", "P"), "AM/PM": ("AM", "PM")}.get(text, ("上午", "下午"))
            return names[at.hour >= 12]
        if kind == "elapsed":
            unit = {"h": 3600, "m": 60, "s": 1}[text[0]]
            return str(int(total_seconds // unit)).rjust(len(text), "0")
        return self._part(text, at)

    def _part(self, text: str, at: datetime) -> str:
        letter, width = text[0], len(text)
        if letter in "ye" or (letter == "b" and width):
            year = at.year + (543 if letter == "b" else 0)
            return (
                self._number(year % 100, 2) if letter == "y" and width <= 2 else self._number(year, 0, digitwise=True)
            )
        if letter == "m":
            name = _MONTHS[at.month - 1]
            return (
                name[:1]
                if width == 5
                else name
                if width >= 4
                else name[:3]
                if width == 3
                else self._number(at.month, width)
            )
        if letter == "d":
            name = _DAYS[at.weekday()]
            return name if width >= 4 else name[:3] if width == 3 else self._number(at.day, width)
        if letter == "a":
            return ("星期" if width >= 4 else "") + _DAYS_ZH[at.weekday()]
        if letter == "h":
            hour = (at.hour % 12 or 12) if self.twelve else at.hour
            return self._number(hour, width)
        if letter == "n":
            return self._number(at.minute, width)
        if letter == "s":
            whole, point, decimals = text.partition(".")
            return self._number(at.second, len(whole)) + (
                point + f"{at.microsecond:06d}"[: len(decimals)] if point else ""
            )
        return ""

    def _number(self, number: int, width: int, *, digitwise: bool = False) -> str:
        if not self.numerals:
            return str(number).rjust(min(width, 2), "0")
        if digitwise:
            return "".join(_DBNUM[int(digit)] for digit in str(number))
        tens, ones = divmod(number, 10)
        if not tens:
            return _DBNUM[ones]
        return ("" if tens == 1 else _DBNUM[tens]) + "十" + (_DBNUM[ones] if ones else "")
