"""Words that open a caption, a note or a line of units, by which lines beside a table are told from its cells."""

from __future__ import annotations

import re

CAPTION = re.compile(
    r"(?:table|tab\.|figure|fig\.|chart|exhibit|annex|appendix|box|graph|tableau|tabelle|quadro|表|图|附表|附图)\s*"
    r"(?:[A-Z]{0,2}[\d.\-–]+[a-z]?|[IVX]+|[A-Z]\b|[一二三四五六七八九十]+)",
    re.I,
)
NOTE = re.compile(
    r"(?:source|sources|note|notes|n\.b\.|注|资料来源|数据来源|来源|备注|说明)\s*[:：.\d(]|\*{1,3}\s?\w|[¹²³]\s?\w",
    re.I,
)
UNIT_LINE = re.compile(r"[（(\[【]?\s*(?:金额|货币|計量|计量)?(?:单位|單位|币种|幣種)\s*[:：]")
