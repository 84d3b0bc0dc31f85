"""How values, units, periods and places are written in an answer: all digits, the document's own unit."""

from __future__ import annotations

from decimal import Decimal
from functools import cache

from factspine.core.facts import UNKNOWN_UNIT, Fact
from factspine.core.values import canonical

_SIGNS = {"USD": "US$", "HKD": "HK$", "CNY": "RMB"}
_HAN_CURRENCY = {
    "USD": "美元",
    "HKD": "港元",
    "CNY": "元人民币",
    "JPY": "日元",
    "EUR": "欧元",
    "GBP": "英镑",
    "MOP": "澳门元",
}
_HAN_UNITS = {
    "years": "年",
    "months": "个月",
    "days": "天",
    "hours": "小时",
    "minutes": "分钟",
    "s": "秒",
    "shares": "股",
    "persons": "人",
    "times": "次",
    "m": "米",
    "km": "千米",
    "cm": "厘米",
    "kg": "千克",
    "m2": "平方米",
    "t": "吨",
}
_CENTS = -2
_CENT_NAMES = {
    "HKD": ("港仙", "HK cents"),
    "USD": ("美分", "US cents"),
    "CNY": ("分人民币", "RMB cents"),
    "EUR": ("欧分", "euro cents"),
    "GBP": ("便士", "pence"),
}
_SCALES_EN = {
    2: "hundred",
    3: "thousand",
    4: "ten thousand",
    6: "million",
    8: "hundred million",
    9: "billion",
    12: "trillion",
}
_SCALES_ZH = {2: "百", 3: "千", 4: "万", 5: "十万", 6: "百万", 7: "千万", 8: "亿", 9: "十亿", 12: "万亿"}


# Kinds of figures that a question must ask for.
_ASKED_FOR = {
    "budget": ("预算", "budget"),
    "forecast": ("预测", "forecast"),
    "estimate": ("预估", "estimated"),
    "target": ("目标", "target"),
    "hidden": ("隐藏的", "hidden"),
}


def number_text(value: Decimal, decimals: int) -> str:
    """A value with thousands separators, all its digits, and at least as many decimals as the document shows."""
    own = canonical(value).partition(".")[2]
    return f"{value:,.{max(decimals, len(own))}f}"


def unit_text(unit: str, scale: int, language: str) -> str:
    """A unit with its scale, as people write it."""
    if unit == UNKNOWN_UNIT:
        if scale:
            return _SCALES_ZH.get(scale, f"×10^{scale}") if language == "zh" else _SCALES_EN.get(scale, f"×10^{scale}")
        return ""
    if scale == _CENTS and unit in _CENT_NAMES:
        return _CENT_NAMES[unit][language == "en"]
    if scale in (4, 8, 5, 7) and language == "zh":
        return f"{_SCALES_ZH[scale]}{(_HAN_CURRENCY | _HAN_UNITS).get(unit, unit)}"
    if not scale:
        return (_HAN_CURRENCY | _HAN_UNITS).get(unit, unit) if language == "zh" else _SIGNS.get(unit, unit)
    word = _SCALES_EN.get(scale, f"×10^{scale}")
    return f"{_SIGNS.get(unit, unit)} {word}"


def amount_text(value: Decimal, decimals: int, unit: str, scale: int, language: str) -> str:
    """A value with its unit; a percent sign touches its number, other units stand apart."""
    shown = unit_text(unit, scale, language)
    number = number_text(value, decimals)
    if shown in ("%", "‰"):
        return f"{number}{shown}"
    return f"{number} {shown}".strip()


def fact_text(fact: Fact, language: str) -> str:
    """What a fact says, with its unit; where the document gives none, that is said."""
    text = amount_text(fact.value, fact.decimals, fact.unit, fact.scale, language)
    grouped = number_text(fact.value, fact.decimals)
    if (plain := grouped.replace(",", "")) != grouped and plain in fact.value_text:
        text = text.replace(grouped, plain, 1)  # the document itself writes the number without separators
    if fact.unit == UNKNOWN_UNIT and not fact.scale:
        text += "(单位未注明)" if language == "zh" else " (unit not stated)"
    return text


def source_text(fact: Fact, language: str) -> str:
    """The citation of a fact, in brackets."""
    if language == "zh":
        return f"(来源:{fact.source_doc_id} · {fact.source_locator})"
    return f" (source: {fact.source_doc_id} · {fact.source_locator})"


def period_text(period_type: str, period: str) -> str:
    """A period as a question would name it."""
    return f"FY{period}" if period_type == "FY" else period


@cache
def place_name(code: str, language: str) -> str:
    """The name of a place in a language; its code where there is none."""
    from babel import localedata

    own = {
        "CN": {"zh": "中国内地", "en": "Mainland China"},
        "HK": {"zh": "香港", "en": "Hong Kong"},
        "MO": {"zh": "澳门", "en": "Macau"},
    }
    if code in own:
        return own[code][language]
    names = localedata.load("zh" if language == "zh" else "en")["territories"]
    return str(names.get(code, code.replace("_", " ").title()))


def _marks(fact: Fact, language: str) -> list[str]:
    return [name[language == "en"] for mark, name in _ASKED_FOR.items() if mark in fact.status.split()]


def subject_text(fact: Fact, language: str, *, period: bool = True) -> str:
    """Who, where and when a fact is about, and what it measures; the time may be told elsewhere."""
    parts = [fact.entity]
    if fact.geography:
        parts.append(place_name(fact.geography, language))
    if fact.channel:
        parts.append(fact.channel)
    if period:
        parts.append(period_text(fact.period_type, fact.period))
    parts += _marks(fact, language)
    parts.append(fact.metric_label)
    return " ".join(part for part in parts if part)


def asking_text(fact: Fact, language: str, unit: str = "") -> str:
    """A question that this fact answers."""
    period = period_text(fact.period_type, fact.period)
    place = place_name(fact.geography, language) if fact.geography else ""
    marks = _marks(fact, language)
    if language == "zh":
        who = " ".join(part for part in (fact.entity, place, fact.channel, period, *marks) if part)
        return f"{who} {fact.metric_label}{f'以{_HAN_CURRENCY.get(unit, unit)}计' if unit else ''}是多少".strip()
    who = " ".join(part for part in (fact.entity, place, fact.channel) if part)
    return (
        "What was "
        + " ".join((*marks, fact.metric_label))
        + (f" for {who}" if who else "")
        + (f" in {period}" if period else "")
        + (f" in {unit}" if unit else "")
        + "?"
    )
