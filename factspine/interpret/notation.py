"""Decimal commas: whether 1.234,56 and 12,5 % in the texts of a table are numbers, and which.

In most of Europe the comma is the decimal mark. A table proves that by what can be read in no other way (1.234,56 or
12,5 %), as long as nothing in it says the opposite. What neither notation is proved for is no number: 1.234 may be a
thousand times what it looks like. Numbers that a workbook stores as such have no notation.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from itertools import compress
from typing import NamedTuple

from factspine.core.tables import Position, RawCell, RawTable
from factspine.lexicon.nonnumbers import non_number_kind

_LONGEST = 28
_SIDE = r"[^\W\d_]{0,4}\.?\s?[$€£¥%‰°*~<>≈()\-−–+]{0,2}\s?"
_WHOLE = rf"\s*(?:[\-−–+(~<>≈]\s?)?(?:{_SIDE})(?P<core>\d[\d.,' \u00a0\u202f]*\d)\s?(?:{_SIDE})\s*"
_NUMBER = re.compile(_WHOLE, re.ASCII)
_CORE = re.compile(r"\d[\d.,]*\d")
# 1.234,56 · 1.234.567 · 1 234,56: can be nothing else.
_COMMA_ONLY = re.compile(r"\d{1,3}(?:\.\d{3})+,\d+|\d{1,3}(?:\.\d{3}){2,}|\d{1,3}(?:[' \u00a0\u202f]\d{3})+,\d+")
_FEW_DECIMALS = re.compile(r"\d+,(?:\d{1,2}|\d{4,6})|0,\d+")  # 12,5: or two numbers of a list
_POINT_ONLY = re.compile(
    r"\d+\.(?:\d{1,2}|\d{4,})|0\.\d+|\d{4,}\.\d+|\d{1,3}(?:,\d{3})+\.\d+|\d{1,3}(?:,\d{3}){2,}|\d{1,2}(?:,\d{2})+,\d{3}"
)
_EITHER_COMMA = re.compile(r"[1-9]\d{0,2},\d{3}")
_EITHER_POINT = re.compile(r"[1-9]\d{0,2}\.\d{3}")
# What at least one text of a table looks like where its notation is worth a thought: all texts are searched at once.
_WORTH_A_LOOK = re.compile(
    r"[0-9],(?:[0-9]{1,2}(?![0-9])|[0-9]{4})|(?<![0-9])0,[0-9]|[.' \u00a0\u202f][0-9]{3},[0-9]|\.[0-9]{3}\.[0-9]{3}"
    r"|(?<![0-9])[1-9][0-9]{0,2}\.[0-9]{3}(?![0-9])"
)
_WHOLE_NUMBER = re.compile(r"[1-9]\d*", re.ASCII)
_YEAR = re.compile(r"(?:19|20)\d\d", re.ASCII)
_WEAK_PROOFS = 3
_SWAP = str.maketrans(".,", ",.")


class Notation(NamedTuple):
    """How the texts of a table write numbers."""

    decimal_comma: bool = False
    unsettled: tuple[Position, ...] = ()  # number-like texts that may be either of two numbers, or none


POINT = Notation()


def notation_of(raw: RawTable) -> Notation:
    """What the texts of a table prove."""
    columns = raw.columns
    texts = set(compress(columns.texts, map("s".__eq__, columns.kinds)))
    if not _WORTH_A_LOOK.search("\n".join(texts)):
        return POINT
    cores = {text: core for text in texts if ("," in text or "." in text) and (core := core_of(text))}
    if not any(map(_says_comma, cores.values())):
        return _thousands_only(raw, cores, texts)
    proofs = _proofs(raw, cores)
    if not proofs.point and proofs.either <= proofs.grouped and (proofs.plain or proofs.weak >= _WEAK_PROOFS):
        return Notation(decimal_comma=True)
    doubtful = {text for text, core in cores.items() if _says_comma(core)}
    if proofs.grouped:  # the other numbers of the table may be written so, too
        doubtful |= {text for text, core in cores.items() if not _POINT_ONLY.fullmatch(core)}
    elif not proofs.point and proofs.plain + proofs.weak >= proofs.either:  # 12,000 beside 0,5 and 3,14 may be twelve
        doubtful |= {text for text, core in cores.items() if _EITHER_COMMA.fullmatch(core)}
    return Notation(unsettled=_places(raw, doubtful)) if proofs.plain or proofs.weak > 1 else POINT


def core_of(text: str) -> str:
    """The digits of a text that is one number beside signs and a short unit; "" for any other text."""
    found = _NUMBER.fullmatch(text) if len(text) <= _LONGEST else None
    return found["core"].rstrip() if found and non_number_kind(text) is None else ""


def with_points(text: str) -> str:
    """A text written with a decimal comma as it would be with a point."""
    return _CORE.sub(lambda found: found.group().translate(_SWAP), text) if core_of(text) else text


def read_with_points(raw: RawTable) -> RawTable:
    """The table as its labels are found: with every number written with a decimal point."""
    return replace(
        raw,
        cells=[cell._replace(text=with_points(cell.text)) if cell.kind == "s" else cell for cell in raw.cells],
    )


def _says_comma(core: str) -> bool:
    return _COMMA_ONLY.fullmatch(core) is not None or _FEW_DECIMALS.fullmatch(core) is not None


class _Proofs(NamedTuple):
    """How many cells say what of the notation."""

    plain: int  # can be nothing but one number with a decimal comma
    grouped: int  # of these, those that show their thousands
    weak: int  # a decimal comma, or two numbers of a list
    point: int  # can be nothing but a decimal point
    either: int  # 1,234


def _proofs(raw: RawTable, cores: dict[str, str]) -> _Proofs:
    plain = grouped = weak = point = either = 0
    for cell in raw.cells:
        core = cores.get(cell.text, "") if cell.kind == "s" else ""
        if not core:
            continue
        if _COMMA_ONLY.fullmatch(core):
            plain += 1
            grouped += 1
        elif _FEW_DECIMALS.fullmatch(core) and not _is_bare(cell):
            plain += 1
        elif _FEW_DECIMALS.fullmatch(core):
            weak += not _is_list(core)
        elif _POINT_ONLY.fullmatch(core):
            point += cell.col > raw.left  # 1.1 and 1.2 before the labels number them
        elif _EITHER_COMMA.fullmatch(core):
            either += 1
    return _Proofs(plain, grouped, weak, point, either)


def _is_bare(cell: RawCell) -> bool:
    """Whether nothing beside the digits says that this is one number."""
    return not any(sign in cell.text for sign in "%‰€$£¥-−–")


def _is_list(core: str) -> bool:
    """`1,2` and `3,14` may name two notes."""
    first, _, second = core.partition(",")
    return (
        first.isdecimal() and second.isdecimal() and second[0] != "0" and int(first) < int(second) and int(second) < 30
    )


def _thousands_only(raw: RawTable, cores: dict[str, str], texts: Iterable[str]) -> Notation:
    """1.234 beside 987, and nothing with other decimals: thousands as likely as thousandths."""
    doubtful = {text for text, core in cores.items() if _EITHER_POINT.fullmatch(core)}
    if len(doubtful) < 2 or any(
        _POINT_ONLY.fullmatch(core) or _EITHER_COMMA.fullmatch(core) for core in cores.values()
    ):
        return POINT
    whole = [text.strip(" -()") for text in texts]
    lengths = {len(text) for text in whole if _WHOLE_NUMBER.fullmatch(text) and not _YEAR.fullmatch(text)}
    if 3 in lengths and max(lengths) == 3:
        return Notation(unsettled=_places(raw, doubtful))
    return POINT


def _places(raw: RawTable, texts: set[str]) -> tuple[Position, ...]:
    return tuple((cell.row, cell.col) for cell in raw.cells if cell.kind == "s" and cell.text in texts)
