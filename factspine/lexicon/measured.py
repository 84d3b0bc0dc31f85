"""What a label measures decides what its letters say: `EPS (p)` is in pence, `Customers (m)` in millions, `Height (m)`
in metres.

A single letter is a unit or a scale only beside words that can bear it; beside other words it stays part of the name.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from factspine.lexicon.folding import any_of, fold, may_say
from factspine.lexicon.unit_grammar import UnitReading

_COUNTED = re.compile(
    r".*(?:人数|户数|次数|家数|件数|台数|个数|份数|单数|人次|得分|评分|分数|名次|排名|数\s*量|天数|年龄|工龄|司龄)"
    r"|.*(?:率|占比|比重|增速|增幅|同比|环比)|.*(?:比|较|同比|环比).{0,6}增长"
    r"|(?:门店|客房|房间|床位|学生|教师|网点|客户|用户|会员|车辆|员工|职工|股东|保单|订单)(?:总)?(?:数|数量)"
    r"|rooms|beds|seats|visitors|subscribers|students|patients|participants|respondents"
    r"|number(?: of .*)?|no\. of .*|(?:.* )?(?:qty\.?|quantity|quantities)"
    r"|(?:days|years|months|weeks|hours|minutes)\b\D*|[^\d]*\b(?:days|hours)"
    r"|(?:.*\b)?(?:anzahl|mitarbeiter|beschäftigte|kunden|effectifs?|nombre de .*|número de .*|empleados|plantilla)\b.*"
    r"|(?!.*\b(?:pa(?:yments?|id|yable)|costs?|expenses?|loans?|due|compensation|benefits?|wages|amounts?)\b)"
    r"(?:.* )?(?:head ?count|employees|staff|scores?|ratings?|rank|ftes?|age|tenure)(?:\s*\(.*\))?"
    r"|(?:.* )?(?:units|vehicles|cars|policies|tickets|orders|parcels|homes|shares|customers|passengers|users|members)"
    r"(?: (?:sold|shipped|delivered|issued|in issue|in force|outstanding|closed|opened|completed|produced|handled))",
    re.IGNORECASE,
)


# One of these words has every label in Latin script that the pattern fits.
_COUNTED_WORDS = any_of(
    "rooms beds seats visitors subscribers students patients participants respondents number no qty quantity quantities"
    " days years months weeks hours minutes anzahl mitarbeiter kunden effectif effectifs nombre empleados plantilla"
    " head headcount employees staff score scores rating ratings rank fte ftes age tenure units vehicles cars policies"
    " tickets orders parcels homes shares customers passengers users members"
)


@lru_cache(maxsize=16384)
def is_counted(label: str) -> bool:
    """Whether a label says that things are counted, or points given."""
    return may_say(label, _COUNTED_WORDS) and _COUNTED.fullmatch(label) is not None


_CHANGE = re.compile(
    r"\b(?:growth|changes?|yoy|qoq|mom|y[-/]o[-/]y|q[-/]o[-/]q|y/y|q/q|m/m|increase|variances?|var|vs|delta|movement)\b"
    r"|同比|环比|增[长幅速减]|变[动化]|涨跌|差异|较上|比上",
    re.IGNORECASE,
)


def is_change(label: str) -> bool:
    """Whether a label says that numbers tell how much something rose or fell."""
    return _CHANGE.search(label) is not None


_PAID = re.compile(
    r"(?:.*\b)?(?:prices?|costs?|revenues?|sales|rent(?:al)?|fees?|incomes?|spend(?:ing)?|wages?|salar(?:y|ies)|tariffs?|pay"
    r"|charges?|expenses?|rates?|profits?|margins?|value)|.*(?:单价|价格|售价|成本|费用|收入|租金|工资|电价|运费|价|费)",
    re.IGNORECASE,
)


def is_paid(label: str) -> bool:
    """Whether words name money, of which what stands behind a slash is what it is paid for: Price/kg, 租金/月."""
    return _PAID.fullmatch(label) is not None


_ADDS_UP = re.compile(r"累\s*[计計]|\b(?:cumulative|accumulated to|to date|since inception|ytd)\b", re.IGNORECASE)


@lru_cache(maxsize=16384)
def adds_up(label: str) -> bool:
    """Whether a label says that something is added up over time."""
    return _ADDS_UP.search(label) is not None


_MONEY_NAMED = re.compile(
    r"金额|支出|余额|利润|保费|存款|贷款|产值|投资|税|预算|资产|负债|成本|收入|费用|经费|价|款|工资|薪"
    r"|\b(?:amounts?|prices?|costs?|revenues?|sales|expenses?|expenditures?|profits?|budgets?|payments?|assets|liabilities"
    r"|incomes?|fees?|value)\b",
    re.IGNORECASE,
)


@lru_cache(maxsize=16384)
def names_money(label: str) -> bool:
    """Whether words name money and nothing that is counted: beside a note of several units, only these are in money."""
    return _MONEY_NAMED.search(label) is not None and not is_counted(label)


_FOR_ONE = re.compile(
    r"(?!.*\bshares (?:used|outstanding|in issue)|number of )[^\d]{0,80}\bper "
    r"(?!cent\b|annum\b|year\b|quarter\b|month\b|week\b|day\b|se\b)\w.*"
    r"|.*\w\s?/\s?(?:吨|人|件|户|台|套|平方米|平米|㎡|亩|公里|次|kg|t|unit|head|sqm|sq ft)\s*"
    r"|(?:average|avg\.?|mean|unit) (?:\w+ )?(?:price|cost|salary|wage|rent|order value|ticket|basket)s?\b.*"
    r"|(?:arpu|arppu|aov|asp|cac|ltv|revpar|adr|cpm|cpc|cpa)\b.*"
    r"|.*(?:每(?!年|月|季|日)[\u4e00-\u9fff]|人均|户均|单位成本|单价|均价|客单价|平均(?:工资|售价|成本|租金|价格)).*",
    re.IGNORECASE,
)


_FOR_ONE_WORDS = any_of("per average avg mean unit arpu arppu aov asp cac ltv revpar adr cpm cpc cpa")


@lru_cache(maxsize=16384)
def is_for_one(label: str) -> bool:
    """Whether a label says what one thing costs or earns: the millions of a sheet are not those of a price."""
    return ("/" in label or may_say(label, _FOR_ONE_WORDS)) and _FOR_ONE.fullmatch(label) is not None


class Letters(NamedTuple):
    """A unit said by letters in brackets, and the label without them."""

    unit: UnitReading
    rest: str


_LENGTHS = re.compile(
    r"length|width|height|depth|distance|elevation|altitude|diameter|radius|perimeter|thick|wide|high|tall|deep|rain|draught"
    r"|road|pipe|cable|track|wall|fence|drill|dig|metres|meters|size|level|head\b|range|frontage|[^\x00-\x7f]",
    re.IGNORECASE,
)
_UNSETTLED = re.compile(r".*\(\s*(?:p|k|m)\s*\)\s*")
_IN_BRACKETS = re.compile(r"\s*\(\s*(?P<letters>p|c|cts?|k|K|'k|m|M|mm|MM|mn|b|B|bn|分)\s*\)\s*$")
_SCALES = {"k": 3, "K": 3, "'k": 3, "m": 6, "M": 6, "mm": 6, "MM": 6, "mn": 6, "b": 9, "B": 9, "bn": 9}
_HUNDREDTHS = {"p": ("GBP", -2), "c": ("cents", 0), "ct": ("cents", 0), "cts": ("cents", 0), "分": ("分", 0)}
_PER_SHARE = re.compile(
    r".*(?:每股|\bper (?:ordinary |common )?share\b|\bdividends?\b|股息|\b[ed]ps\b).*", re.IGNORECASE
)
_PEOPLE = re.compile(r"(?:.* )?(?:head ?count|employees|staff|students|patients|participants|respondents|ftes?)", re.I)
_SEXES = frozenset("mM")  # of people, (m) may as well be the men among them
# What is a unit of something else where it stands alone in brackets, and may be short for the word before it.
LETTERS = frozenset({"m", "mm", "A", "W", "L", "分"})
_BEARERS = {"A": re.compile(r"current|amp|电流", re.IGNORECASE)}


def letters_of(label: str, kind: str) -> Letters | None:
    """The unit in letters at the end of a label whose words measure something of this kind; None where it is none."""
    found = _IN_BRACKETS.search(fold(label)) if label[-1:] in ")）" else None
    if found is None or not found.start():
        return None
    letters, rest = found["letters"], label[: found.start()].rstrip()
    unit = None
    if letters in _SCALES:
        counted = kind == "count" or is_counted(rest)
        if kind == "currency" or (counted and not (letters in _SEXES and _PEOPLE.fullmatch(rest))):
            unit = UnitReading(unit="", scale=_SCALES[letters], kind="scale")
    elif kind == "per_share" or _PER_SHARE.fullmatch(rest):
        name, scale = _HUNDREDTHS[letters]
        unit = UnitReading(unit=name, scale=scale, kind="currency")
    return None if unit is None else Letters(unit._replace(start=found.start(), end=len(label)), rest)


def is_unsettled(label: str) -> bool:
    """Whether a label ends with a letter that may be a unit of its own: the money of the table is not it, then."""
    return _UNSETTLED.fullmatch(fold(label)) is not None


def bears_letter(rest: str, label: str) -> bool:
    """Whether the unit in letters at the end of a label can be one of what its words measure."""
    letters = label[len(rest) :].strip("() ")
    bearer = _BEARERS.get(letters)
    if bearer is not None:
        return bearer.search(rest) is not None
    if letters in ("m", "mm"):
        return not is_counted(rest) and _LENGTHS.search(rest) is not None
    return not (letters in ("W", "L") and any(word.startswith(letters) for word in rest.split()))
