"""Makes the tables of `tables.py` out of the TOML files of this package, CLDR's names and OpenCC's characters.

    python -m factspine.lexicon.making

writes these files; a test holds them against what this module makes.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Iterable
from importlib.metadata import version as version_of
from pathlib import Path
from typing import Any

from factspine.lexicon.catalogue import Entry
from factspine.lexicon.folding import CJK_FIRST, CJK_LAST, fold, key_of
from factspine.lexicon.tables import (
    ATTRIBUTES_FILE,
    ATTRIBUTES_SOURCE,
    CHARACTERS_FILE,
    NAMES_FILE,
    SOURCES,
    Attributes,
    Names,
    UnitName,
    digest,
    source_text,
)

_LOCALES = ("en", "zh", "zh_Hant")
_FILLERS = (
    "in", "of", "the", "amounts", "amount", "figures", "are", "is", "all", "expressed", "stated", "presented", "values",
    "value", "unit", "units", "currency", "为", "均为", "以", "计", "列示", "单位", "金额单位", "货币单位", "币种",
    "金额",
    "货币", "数据", ":", " ", "\t", "\n", "_", "equivalent", "等值", "单位为", "均以", "计算", "表示", "about", "约",
)  # fmt: skip
_JOINS = (",", "、", ";", "&", "and", "或", "和", "及", "|", "，")
_PERS = ("/", "per", "每")
_START = 3  # characters by which a unit's name is found

_Units = dict[tuple[str, bool], Entry]


def main() -> None:
    """Writes all files."""
    _write(NAMES_FILE, {"cldr": version_of("babel"), "names": make_names()._asdict()})
    _write(CHARACTERS_FILE, {"opencc": version_of("opencc"), **make_characters()})
    _write(ATTRIBUTES_FILE, make_attributes()._asdict())


def _write(path: Path, made: dict[str, Any]) -> None:
    path.write_text(json.dumps(made, ensure_ascii=False, indent=0) + "\n", encoding="utf-8")


def make_characters() -> dict[str, str]:
    """Every Chinese character that has another, single, simplified form; and these forms."""
    from opencc import OpenCC

    convert: Callable[[str], str] = OpenCC("t2s").convert
    pairs = [(c, convert(c)) for c in map(chr, range(CJK_FIRST, CJK_LAST + 1))]
    kept = [(old, new) for old, new in pairs if len(new) == 1 and new != old]
    return {"traditional": "".join(old for old, _ in kept), "simplified": "".join(new for _, new in kept)}


def make_attributes() -> Attributes:
    """The names of attributes, from the file as it is now."""
    text = source_text(ATTRIBUTES_SOURCE)
    read = tomllib.loads(text)
    return Attributes(digest(text), read["groups"], read["endings"])


def make_names() -> Names:
    """The tables of names, from the files and libraries as they are now."""
    texts = {name: source_text(name) for name in SOURCES}
    metrics, kinds, spelled = _metrics(tomllib.loads(texts["metrics.toml"]))
    data = tomllib.loads(texts["names.toml"])
    anywhere, edge, marks = _scenario(data["scenario"])
    entries, unit_names = _unit_tables(tomllib.loads(texts["units.toml"]))
    return Names(
        version=digest(*texts.values()),
        metrics=metrics,
        metric_kinds=kinds,
        metric_names=spelled,
        geographies=_geographies(data),
        short_codes={n: code for code, own in data["geography"].items() for n in own if _is_short_code(n)},
        channels={key_of(name): code for code, own in data["channel"].items() for name in own},
        scenario_anywhere=anywhere,
        scenario_edge=edge,
        scenario_marks=marks,
        unit_rows=[*entries],
        unit_names=unit_names,
    )


def _metrics(data: dict[str, Any]) -> tuple[dict[str, str], dict[str, str], dict[str, list[str]]]:
    metrics: dict[str, str] = {}
    kinds: dict[str, str] = {}
    spelled: dict[str, list[str]] = {}
    for kind, table in data.items():
        for code, synonyms in table.items():
            kinds[code] = kind
            spelled[code] = synonyms
            for name in (code.replace("_", " "), *synonyms):
                metrics.setdefault(key_of(name), code)
    return metrics, kinds, spelled


def _is_short_code(name: str) -> bool:
    """Whether a place's name is matched in exactly its case, because `us` and `it` are words."""
    return name.isascii() and name.replace(".", "").isupper() and len(name.replace(".", "")) <= 5


def _geographies(data: dict[str, Any]) -> dict[str, str]:
    """Key of a name -> ISO 3166 code, or the code of a region."""
    from babel import localedata

    ambiguous = {key_of(name) for name in data["geography_ambiguous"]["names"]}
    found: dict[str, str] = {}
    for table in ("geography", "subdivision"):
        for code, names in data[table].items():
            for name in names:
                if not _is_short_code(name):
                    found[key_of(name)] = code
    for locale in _LOCALES:
        for code, name in localedata.load(locale)["territories"].items():
            key = key_of(name)
            if code.isalpha() and code not in ("ZZ", "XA", "XB", "UN", "EZ") and key not in ambiguous:
                found.setdefault(key, code)
    return found


def _scenario(data: dict[str, Any]) -> tuple[list[str], list[str], dict[str, str]]:
    """Words that count anywhere, Latin words that count at an edge, and the mark of each word."""
    words: dict[str, list[str]] = {"anywhere": [], "edge": [], "segment": []}
    marks: dict[str, str] = {}
    for mark, groups in data.items():
        for place, own in groups.items():
            words[place] += own
            marks.update(dict.fromkeys(own, mark))
    anywhere, edge = (sorted(words[place], key=len, reverse=True) for place in ("anywhere", "edge"))
    return anywhere, [word for word in edge if word.isascii()], marks


def _unit_tables(data: dict[str, Any]) -> tuple[list[Entry], dict[str, list[UnitName]]]:
    """What unit names mean, and all names by their first characters, longest first."""
    names: _Units = {}
    _add_currencies(names, data)
    _add_units(names, data)
    for text in _FILLERS:
        names.setdefault((text, False), Entry("filler"))
    for text in _JOINS:
        names[(text, False)] = Entry("join")
    for text in _PERS:
        names[(text, False)] = Entry("per")
    entries = list(dict.fromkeys(names.values()))
    numbers = {entry: number for number, entry in enumerate(entries)}
    found: dict[str, list[UnitName]] = {}
    for (name, exact), entry in names.items():
        spelled = name.rstrip("\0")
        found.setdefault(spelled[:_START].lower(), []).append((spelled, exact, numbers[entry]))
    for own in found.values():
        # Longest first; of one spelling, the one that is matched in exactly its case.
        own.sort(key=lambda item: (-len(item[0]), entries[item[2]].cls != "after_currency", not item[1], item[0]))
    return entries, found


def _add(names: _Units, text: str, entry: Entry) -> None:
    text = fold(text)
    latin = sum(c.isascii() and c.isalpha() for c in text)
    exact = latin == len(text) <= 2 or (len(text) == 3 and text.isupper() and text.isascii() and text.isalpha())
    names.setdefault((text if exact else text.lower(), exact), entry)


def _add_currencies(names: _Units, data: dict[str, Any]) -> None:
    for unit, signs in data["currency_signs"].items():
        for text in signs:
            _add(names, text, Entry("currency", unit, kind="currency", word=text.isalpha() and text.isascii()))
    for unit, texts in data["hundredths"].items():
        for text in texts:
            _add(names, text, Entry("currency", unit, -2 if unit.isupper() else 0, "currency", word=True))
    for unit, texts in data["hundredths_before_per"].items():
        for text in texts:
            names[(text, True)] = Entry("before_per", unit, -2 if unit.isupper() else 0, "currency")
    for unit, texts in data["currencies"].items():
        for text in texts:
            _add(names, text, Entry("currency", unit, kind="currency", word=text.islower()))
    _add_joined(names, data)
    ambiguous = frozenset(data["ambiguous"]["codes"])
    for code, text in _cldr_currency_names():
        needs_scale = text == code and code in ambiguous
        entry = Entry("currency", code, kind="currency", needs_scale=needs_scale, word=" " in text)
        _add(names, text, entry)


def _add_joined(names: _Units, data: dict[str, Any]) -> None:
    """A currency and its scale in one word."""
    joined, known = data["currencies_joined"], {"RMB": "CNY", "NTD": "TWD", "€": "EUR"}
    for code in joined["codes"]:
        for letters, scale in joined["before"].items():
            names.setdefault((letters + code, True), Entry("currency", known.get(code, code), scale, "currency"))
        for letters, scale in joined["behind"].items():
            names.setdefault((code + letters, True), Entry("currency", known.get(code, code), scale, "currency"))
        if code.isalpha():  # in small letters only before a slash: eur/kg
            names.setdefault((code.lower(), True), Entry("before_per", known.get(code, code), 0, "currency"))


def _add_units(names: _Units, data: dict[str, Any]) -> None:
    for scale, texts in data["scales"].items():
        for text in texts:
            _add(names, text, Entry("scale", "", int(scale), "scale"))
    for unit in data["unit"]:
        for text in unit["names"]:
            # A counted thing in English words heads a column as often as it is a unit.
            alone = unit["kind"] != "count" or not text.isascii() or text in ("shares", "persons", "pcs", "people")
            _add(names, text, Entry("base", unit["code"], 0, unit["kind"], alone=alone))
        for text, scale in unit.get("multiples", {}).items():
            _add(names, text, Entry("base", unit["code"], scale, unit["kind"]))
        for text in unit.get("described", ()):
            _add(names, text, Entry("base", unit["code"], 0, unit["kind"], alone=False))
    for scale, texts in data["scales_after_currency"].items():
        for text in texts:
            # Beside the unit of the same spelling (m: metre, million), under a key of its own.
            names[(text + "\0", True)] = Entry("after_currency", "", int(scale), "scale")


def _cldr_currency_names() -> Iterable[tuple[str, str]]:
    """(code, name) of the world's currencies: codes, symbols that name one currency, and names in both languages."""
    from babel import localedata
    from babel.core import get_global

    current: set[str] = set()
    for tenders in get_global("territory_currencies").values():
        current.update(code for code, _start, end, tender in tenders if tender and end is None)
    found: list[tuple[str, str]] = [(code, code) for code in sorted(current)]
    for locale in _LOCALES:
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
    return found


if __name__ == "__main__":
    main()
