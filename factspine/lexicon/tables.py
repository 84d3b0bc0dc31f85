"""The tables in which names are looked up, read from files that were made beforehand.

Metrics, places, channels, units and scenario words are kept by people in TOML files; territories and currencies come
from CLDR, Chinese characters from OpenCC. Putting all that into one spelling takes a tenth of a second, which every
process would pay; so `making.py` does it once and writes JSON files beside them. Where a TOML file has been changed
since, the tables are made anew in memory: a change is never ignored.
"""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple, cast

import orjson

_HERE = Path(__file__).parent
SOURCES = ("metrics.toml", "names.toml", "units.toml")
NAMES_FILE = _HERE / "names.json"
CHARACTERS_FILE = _HERE / "characters.json"
ATTRIBUTES_SOURCE = "attributes.toml"
ATTRIBUTES_FILE = _HERE / "attributes.json"

UnitRow = tuple[str, str, int, str, bool, bool, bool]  # the fields of catalogue.Entry
UnitName = tuple[str, bool, int]  # spelling, whether only in exactly its case, number of its row


class Names(NamedTuple):
    """Everything known by name. Keys are in the spelling of `folding.key_of`."""

    version: str  # of the TOML files
    metrics: dict[str, str]  # key -> code
    metric_kinds: dict[str, str]
    metric_names: dict[str, list[str]]  # as people write them
    geographies: dict[str, str]  # key -> code
    short_codes: dict[str, str]  # US, UK, PRC: in exactly this case
    channels: dict[str, str]  # key -> code
    scenario_anywhere: list[str]  # words, longest first
    scenario_edge: list[str]
    scenario_marks: dict[str, str]  # word -> mark
    unit_rows: list[UnitRow]
    unit_names: dict[str, list[UnitName]]  # by their first characters (three, or all they have), longest first


class Attributes(NamedTuple):
    """What forms and lists call the things they say in words."""

    version: str  # of the TOML file
    groups: list[list[str]]  # names of the same thing
    endings: list[str]  # words that end the names of more


@cache
def names() -> Names:
    """The tables of names."""
    version = digest(*map(source_text, SOURCES))
    try:
        made = Names(**_load(NAMES_FILE)["names"])
    except (OSError, ValueError, TypeError, KeyError):
        made = None
    if made is not None and made.version == version:
        return made
    from factspine.lexicon.making import make_names

    return make_names()


@cache
def attributes() -> Attributes:
    """The names of attributes."""
    try:
        made = Attributes(**_load(ATTRIBUTES_FILE))
    except (OSError, ValueError, TypeError):
        made = None
    if made is not None and made.version == digest(source_text(ATTRIBUTES_SOURCE)):
        return made
    from factspine.lexicon.making import make_attributes

    return make_attributes()


@cache
def simplified() -> dict[str, str]:
    """Traditional character -> simplified one, for single characters."""
    pairs = _load(CHARACTERS_FILE)
    return dict(zip(pairs["traditional"], pairs["simplified"], strict=True))


def source_text(name: str) -> str:
    """The text of a file of this package."""
    return (_HERE / name).read_text(encoding="utf-8")


def digest(*texts: str) -> str:
    """A short name for the content of some texts."""
    return sha256("\0".join(texts).encode()).hexdigest()[:12]


def _load(path: Path) -> dict[str, Any]:
    return cast(dict[str, Any], orjson.loads(path.read_bytes()))
