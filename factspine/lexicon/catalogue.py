"""The catalogue of units: currencies from CLDR, scales and physical units from `units.toml`, one index over all names.

A name is found at a place in a folded text by its first character, longest first, and only as a word: a Latin name must
not continue or begin inside a longer word.
"""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources
from typing import Any, Literal, NamedTuple

from factspine.lexicon.folding import fold

Class = Literal["currency", "scale", "after_currency", "base", "per", "filler", "join"]


class Entry(NamedTuple):
    """What one name means."""

    cls: Class
    unit: str = ""
    scale: int = 0
    kind: str = ""
    alone: bool = True  # false: an ordinary word too, so a unit only in brackets or after "unit:"
    needs_scale: bool = False
    word: bool = False  # a name in words rather than a code or a sign


class Token(NamedTuple):
    """A name found in a text."""

    entry: Entry
    start: int
    end: int


_FILLERS = (
    "in", "of", "the", "amounts", "amount", "figures", "are", "is", "all", "expressed", "stated", "presented", "values",
    "value", "unit", "units", "currency", "为", "均为", "以", "计", "列示", "单位", "金额单位", "货币单位", "币种",
    "金额",
    "货币", "数据", ":", " ", "\t", "\n", "_", "equivalent", "等值", "单位为", "均以", "计算", "表示", "about", "约",
)  # fmt: skip
_JOINS = (",", "、", ";", "&", "and", "或", "和", "及", "|", "，")
_PERS = ("/", "per", "每")


def package_toml(name: str) -> dict[str, Any]:
    """A TOML file that is part of this package."""
    return tomllib.loads(package_text(name))


def package_text(name: str) -> str:
    """The text of a file that is part of this package."""
    return resources.files("factspine.lexicon").joinpath(name).read_text(encoding="utf-8")


Index = dict[str, list[tuple[str, bool, Entry]]]  # first one or two characters -> (name, matched in its case, entry)


@cache
def index() -> Index:
    """All names by their first two characters (one, where they have but one), longest first."""
    names: dict[tuple[str, bool], Entry] = {}
    data = package_toml("units.toml")
    _add_currencies(names, data)
    _add_units(names, data)
    for text in _FILLERS:
        names.setdefault((text, False), Entry("filler"))
    for text in _JOINS:
        names[(text, False)] = Entry("join")
    for text in _PERS:
        names[(text, False)] = Entry("per")
    found: Index = {}
    for (name, exact), entry in names.items():
        spelled = name.rstrip("\0")
        found.setdefault(spelled[:2].lower(), []).append((spelled, exact, entry))
    for entries in found.values():
        # Longest first; of one spelling, the one that is matched in exactly its case.
        entries.sort(key=lambda item: (-len(item[0]), item[2].cls != "after_currency", not item[1], item[0]))
    return found


def _add(names: dict[tuple[str, bool], Entry], text: str, entry: Entry) -> None:
    text = fold(text)
    latin = sum(c.isascii() and c.isalpha() for c in text)
    exact = latin == len(text) <= 2 or (len(text) == 3 and text.isupper() and text.isascii() and text.isalpha())
    names.setdefault((text if exact else text.lower(), exact), entry)


def _add_currencies(names: dict[tuple[str, bool], Entry], data: dict[str, Any]) -> None:
    for unit, signs in data["currency_signs"].items():
        for text in signs:
            _add(names, text, Entry("currency", unit, kind="currency", word=text.isalpha() and text.isascii()))
    for unit, texts in data["hundredths"].items():
        for text in texts:
            _add(names, text, Entry("currency", unit, -2 if unit.isupper() else 0, "currency", word=True))
    for unit, texts in data["currencies"].items():
        for text in texts:
            _add(names, text, Entry("currency", unit, kind="currency", word=text.islower()))
    ambiguous = frozenset(data["ambiguous"]["codes"])
    for code, text in cldr_currency_names():
        needs_scale = text == code and code in ambiguous
        entry = Entry("currency", code, kind="currency", needs_scale=needs_scale, word=" " in text)
        _add(names, text, entry)


def _add_units(names: dict[tuple[str, bool], Entry], data: dict[str, Any]) -> None:
    for scale, texts in data["scales"].items():
        for text in texts:
            _add(names, text, Entry("scale", "", int(scale), "scale"))
    for unit in data["unit"]:
        for text in unit["names"]:
            # A counted thing in English words heads a column as often as it is a unit.
            alone = unit["kind"] != "count" or not text.isascii() or text in ("shares", "persons", "pcs", "people")
            _add(names, text, Entry("base", unit["code"], 0, unit["kind"], alone=alone))
        for text in unit.get("described", ()):
            _add(names, text, Entry("base", unit["code"], 0, unit["kind"], alone=False))
    for scale, texts in data["scales_after_currency"].items():
        for text in texts:
            # Beside the unit of the same spelling (m: metre, million), under a key of its own.
            names[(text + "\0", True)] = Entry("after_currency", "", int(scale), "scale")


@cache
def cldr_currency_names() -> tuple[tuple[str, str], ...]:
    """(code, name) of the world's currencies: codes, symbols that name one currency, and names in both languages."""
    from babel import localedata
    from babel.core import get_global

    current: set[str] = set()
    for tenders in get_global("territory_currencies").values():
        current.update(code for code, _start, end, tender in tenders if tender and end is None)
    found: list[tuple[str, str]] = [(code, code) for code in sorted(current)]
    for locale in ("en", "zh", "zh_Hant"):
        data = localedata.load(locale)
        for code, symbol in data["currency_symbols"].items():
            # A lone sign such as $ or ¥ is used for several currencies, so it does not name one; € and £ do.
            if symbol != code and code in current and symbol not in ("$", "¥"):
                found.append((code, symbol))
        for code, name in data["currency_names"].items():
            if code in current:
                found.append((code, name))
                forms = data["currency_names_plural"].get(code, {})
                found.extend((code, form) for form in forms.values())
    return tuple(found)


def match(folded: str, lowered: str, at: int, after_currency: bool = False) -> Token | None:
    """The longest name that stands at a place of the text, as a word."""
    names = index()
    for start in (lowered[at : at + 2], lowered[at]):
        for name, exact, entry in names.get(start, ()):
            if entry.cls == "after_currency" and not after_currency:
                continue
            end = at + len(name)
            if (folded if exact else lowered).startswith(name, at) and _stands_alone(folded, at, end):
                return Token(entry, at, end)
    return None


def _stands_alone(text: str, start: int, end: int) -> bool:
    """Whether a Latin name is not part of a longer word; Chinese names may touch their neighbours."""
    last = text[end - 1]
    if last.isascii() and last.isalnum() and end < len(text):
        after = text[end]
        if after.isascii() and (after.isalnum() or (after == "-" and text[end + 1 : end + 2].isalpha())):
            return False
        if after == "'" and text[end + 1 : end + 2].isalpha():
            return False
    first = text[start]
    if start == 0 or not first.isascii():
        return True
    before = text[start - 1]
    if first.isalpha():
        return not (before.isascii() and before.isalpha())
    # `000` is a scale, but not in 10,000.
    return not (first.isdigit() and (before.isdigit() or (before in ",." and text[start - 2 : start - 1].isdigit())))
