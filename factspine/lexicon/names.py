"""Names of places, sales channels and organisations, in Chinese and English.

Territories come from CLDR; `names.toml` adds short forms, regions and channels. A name is looked up as a whole: `china`
is not found inside `machinery`, nor the United States in `us`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain

from factspine.lexicon.folding import fold, key_of
from factspine.lexicon.tables import names

_LONGEST_NAME = 60


def geography(text: str) -> str | None:
    """The code of the place that the whole text names; None where it names none."""
    if len(text) > _LONGEST_NAME:
        return None
    stripped = fold(text).strip()
    known = names()
    return known.short_codes.get(stripped) or known.geographies.get(key_of(stripped))


def channel(text: str) -> str | None:
    """The code of the sales channel that the whole text names; None where it names none."""
    return None if len(text) > _LONGEST_NAME else names().channels.get(key_of(text))


def is_name(key: str) -> bool:
    """Whether a key (see `key_of`) is that of a place or a channel."""
    known = names()
    return key in known.geographies or key in known.channels


def every_key() -> Iterator[str]:
    """The keys of all places and channels, and the short codes of places as they are written."""
    known = names()
    return chain(known.geographies, known.channels, known.short_codes)


_BODIES_ZH = (
    "有限责任公司", "股份有限公司", "有限公司", "集团公司", "集团", "公司", "分公司", "银行", "证券", "研究院",
    "事务所", "合作社",
)  # fmt: skip
_BODIES = (
    "Inc", "Ltd", "Limited", "Corp", "Corporation", "LLC", "PLC", "plc", "GmbH", "AG", "S.A", "N.V", "Co", "Holdings",
    "BV", "B.V", "SAS", "SARL", "SpA", "S.p.A", "Srl", "S.r.l", "Oy", "Oyj", "ASA", "ApS", "LLP", "Pte", "Pty", "Bhd",
    "Group", "Company", "INC", "LTD", "LIMITED", "CORP", "CORPORATION", "CO", "HOLDINGS", "GROUP", "COMPANY",
)  # fmt: skip
_ORGANISATION = re.compile(
    rf"(?:{'|'.join(_BODIES_ZH)})\s*(?:\(.{{1,12}}\))?$|\b(?:{'|'.join(map(re.escape, _BODIES))})\.?$"
)
# What a name of that form ends in, told without trying the pattern at every place of a text.
_ENDS = (*_BODIES_ZH, ")", *_BODIES, *(f"{body}." for body in _BODIES))
_NOT_A_NAME = re.compile(
    r"^(?:the |our |each |per )?(?:group|company|holdings|本?集团|本?公司|母公司|子公司|分公司|联营公司"
    r"|合营公司|银行|证券|上市公司|总公司)$"
    r"|[:;,?!。]|\b(?:and|or|of|by|per|total|number|the|to|from|age|income|ethnic|control|food|product|peer|user)\b|归属|其他|所属|应[收付]|对|占|合计|数量",
    re.IGNORECASE,
)


def organisation(text: str) -> str | None:
    """The name of a company where the whole text has the form of one; None where it may be something else."""
    folded = fold(text).strip()
    if not folded.endswith(_ENDS) or not 3 < len(folded) <= _LONGEST_NAME:
        return None
    if _ORGANISATION.search(folded) is None:
        return None
    if folded in _BODIES_ZH:
        return None
    body = re.sub(r",?\s*(?:Co|Inc|Ltd|Limited|Corp|CO|INC|LTD|LIMITED|CORP)\b\.?,?", "", folded).strip()
    if not body or _NOT_A_NAME.search(body):
        return None
    if folded[0].isascii() and not (folded[0].isupper() or folded[0].isdigit()):
        return None
    return text.strip()
