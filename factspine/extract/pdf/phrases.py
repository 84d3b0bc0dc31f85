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
_CHINESE_UNIT = re.compile(r"[（(\[【]?\s*(?:金额|货币|計量|计量)?(?:单位|單位|币种|幣種)\s*[:：]")
_PREPARER = re.compile(r"(?:编制|編製|填报|填報)(?:单位|單位|公司)\s*[:：]")
_CHINESE_AMOUNT = re.compile(
    r"[（(]?(?:人民币|人民幣|港币|港幣|美元|以)*(?:百万|百萬|千|万|萬|亿|億)?(?:港)?元(?:列示|计)?[)）]?"
)
_SCALE = re.compile(r"(?:thousand|million|billion)s?|[’'`]?000s?|mn|bn|m")
_UNIT_WORDS = re.compile(
    r"in|of|the|and|or|are|is|all|as|for|to|except|per|where|otherwise|unless|noted|indicated|stated|expressed|amounts?"
    r"|figures|values|shown|presented|reported|data|shares?|percentages|ratios|currency|units?|dollars?|us|u\.s|usd|hkd?"
    r"|hong|kong|rmb|cny|renminbi|yuan|eur|euros?|gbp|pounds?|sterling|jpy|yen|chf|swiss|francs|canadian|australian"
    r"|singapore|united|states|nt|rs|inr|rupees|audited|unaudited"
)


def is_preparer_line(text: str) -> bool:
    """Whether a line over a statement says who drew it up; a date and the unit may follow."""
    return _PREPARER.match(text) is not None


def is_unit_line(text: str) -> bool:
    """Whether a line says only the unit of what follows, or who drew it up: 单位：元, (in thousands), HK$ million."""
    if is_preparer_line(text) or _CHINESE_UNIT.match(text) or _CHINESE_AMOUNT.fullmatch(text):
        return True
    parts = _parts(text)
    scales = sum(1 for p in parts if _SCALE.fullmatch(p))
    return 0 < scales <= 2 and _is_all_units(parts)


def is_unit_exception(text: str) -> bool:
    """Whether a line is the rest of a line of units: (in millions, / except per share amounts)."""
    parts = _parts(text)
    return parts[:1] in (["except"], ["unless"]) and _is_all_units(parts)


def _parts(text: str) -> list[str]:
    words = [w for w in re.split(r"[\s,;:()\[\]$€£¥/]+", text.casefold()) if w.strip(".")]
    return [p for word in words for p in re.split(r"(?=[’'`]000)", word) if p]


def _is_all_units(parts: list[str]) -> bool:
    return all(_UNIT_WORDS.fullmatch(p.strip(".")) or _SCALE.fullmatch(p) for p in parts)
