"""Company names in titles, found by the legal form or kind of body that ends them.

A name with no such ending is not guessed at: a vocabulary file can name it.
"""

from __future__ import annotations

import re

_ENGLISH = re.compile(
    r"\b((?:[A-Z][\w&'’.-]*|of|and|the|de|&)(?:\s+(?:[A-Z][\w&'’.-]*|of|and|the|de|&))*?\s+"
    r"(?:Inc|Incorporated|Ltd|Limited|Corp|Corporation|plc|PLC|LLC|LLP|Group|Holdings?|Company|Bank|AG|SE|S\.A|N\.V)\b\.?)"
)
_CHINESE = re.compile(
    r"([\u4e00-\u9fffA-Za-z（）()]{2,24}?(?:股份有限公司|有限责任公司|有限公司|集團|集团|控股|银行|銀行|公司))"
)
_NOT_A_NAME = re.compile(
    r"(本公司|母公司|子公司|分公司|该公司|上市公司|the company|our company|the group|the bank)", re.IGNORECASE
)


def find_organisation(text: str) -> str:
    """The one company a text names, or "" where it names none or several."""
    found = {match.group(1).strip() for pattern in (_ENGLISH, _CHINESE) for match in pattern.finditer(text)}
    names = {name for name in found if not _NOT_A_NAME.fullmatch(name) and not _NOT_A_NAME.search(name)}
    return names.pop() if len(names) == 1 else ""
