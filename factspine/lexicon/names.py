"""Names of places, sales channels and organisations, in Chinese and English.

Territories come from CLDR; `names.toml` adds short forms, regions and channels. A name is looked up as a whole: `china`
is not found inside `machinery`, nor the United States in `us`.
"""

from __future__ import annotations

import re
from functools import cache

from factspine.lexicon.catalogue import package_toml
from factspine.lexicon.folding import fold, key_of

_LONGEST_NAME = 60


@cache
def _geographies() -> dict[str, str]:
    """Key of a name -> ISO 3166 code, or the code of a region."""
    from babel import localedata

    data = package_toml("names.toml")
    ambiguous = {key_of(name) for name in data["geography_ambiguous"]["names"]}
    found: dict[str, str] = {}
    for table in ("geography", "subdivision"):
        for code, names in data[table].items():
            for name in names:
                if not _is_short_code(name):
                    found[key_of(name)] = code
    for locale in ("en", "zh", "zh_Hant"):
        for code, name in localedata.load(locale)["territories"].items():
            key = key_of(name)
            if code.isalpha() and code not in ("ZZ", "XA", "XB", "UN", "EZ") and key not in ambiguous:
                found.setdefault(key, code)
    return found


@cache
def _short_codes() -> dict[str, str]:
    """US, UK, PRC: matched in exactly this case, because `us` and `it` are words."""
    return {
        name: code
        for code, names in package_toml("names.toml")["geography"].items()
        for name in names
        if _is_short_code(name)
    }


def _is_short_code(name: str) -> bool:
    return name.isascii() and name.replace(".", "").isupper() and len(name.replace(".", "")) <= 5


@cache
def _channels() -> dict[str, str]:
    return {key_of(name): code for code, names in package_toml("names.toml")["channel"].items() for name in names}


def geography(text: str) -> str | None:
    """The code of the place that the whole text names; None where it names none."""
    if len(text) > _LONGEST_NAME:
        return None
    stripped = fold(text).strip()
    return _short_codes().get(stripped) or _geographies().get(key_of(stripped))


def channel(text: str) -> str | None:
    """The code of the sales channel that the whole text names; None where it names none."""
    return None if len(text) > _LONGEST_NAME else _channels().get(key_of(text))


def is_name(key: str) -> bool:
    """Whether a key (see `key_of`) is that of a place or a channel."""
    return key in _geographies() or key in _channels()


_ORGANISATION = re.compile(
    r"(?:有限责任公司|股份有限公司|有限公司|集团公司|集团|公司|分公司|银行|证券|研究院|事务所|合作社)\s*(?:\(.{1,12}\))?$"
    r"|\b(?:Inc|Ltd|Limited|Corp|Corporation|LLC|PLC|plc|GmbH|AG|S\.A|N\.V|Co|Holdings|Group|Company)\.?$",
)
_NOT_A_NAME = re.compile(
    r"^(?:the |our |each |per )?(?:group|company|holdings|本?集团|本?公司|母公司|子公司|分公司|联营公司"
    r"|合营公司|银行|证券|上市公司|总公司)$"
    r"|[:;,?!。]|\b(?:and|or|of|by|per|total|number|the|to|from|age|income|ethnic|control|food|product|peer|user)\b|归属|其他|所属|应[收付]|对|占|合计|数量",
    re.IGNORECASE,
)


def organisation(text: str) -> str | None:
    """The name of a company where the whole text has the form of one; None where it may be something else."""
    folded = fold(text).strip()
    if not 3 < len(folded) <= _LONGEST_NAME or _ORGANISATION.search(folded) is None:
        return None
    body = re.sub(r",?\s*(?:Co|Inc|Ltd|Limited|Corp)\b\.?,?", "", folded).strip()
    if _NOT_A_NAME.search(body):
        return None
    if folded[0].isascii() and not (folded[0].isupper() or folded[0].isdigit()):
        return None
    return text.strip()
