"""What kind of thing a question asks for: who, where, when, how many, whether, why; and what can be an answer to it.

A header need not repeat the question's word: `who` is asked of a contact, 在哪 of an address. And a cell can only
answer in kind: a name is no answer to `when`.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from factspine.lexicon.numbers import read_number

_DIGIT = re.compile(r"[0-9０-９〇零一二三四五六七八九十百]")
_NUMBER_ONLY = re.compile(r"[\s\d.,%‰()（）+\-−–—$¥€£￥/]*")
_YES_OR_NO = re.compile(
    r"(?:不?(?:是|有|支持|可以?|能|允许)|[否无没对√✓×✗]|没有|yes|no|y|n|true|false|none)", re.IGNORECASE
)
_ASKED_CHINESE = re.compile(
    r"的([^的,，。;；?？]{1,16}?)(?:是|为|叫|有)(?:谁|什么|哪[里儿位个家]?|何|多少|几)[^㐀-鿿]*$"
)
_ASKED_ENGLISH = re.compile(
    r"\b(?:who|what|which|where|when)\s+(?:is|are|was|were)\s+(?:the\s+)?([^,.;?]{2,40}?)\s+(?:of|for|at|in|on)\b",
    re.IGNORECASE,
)
# These name no header: whatever is asked for has them.
_GENERIC = re.compile(
    r"(?:数|名|姓|百分|比)?(?:量|值|名|名称|比例?|额|情况|内容|字)|name|number|value|amount|percentage", re.IGNORECASE
)
_CAUSE = re.compile(
    r"因|由于|原因|受.{0,30}影响|得益于|主要系|所致|导致|致使|带动|拉动|推动|归因|缘于|源于|系.{0,40}所|"
    r"\bbecause\b|\bdue to\b|\bowing to\b|\bresult(?:ed|ing|s)? (?:of|from)\b|\bdriven by\b|\battribut|\breflect|"
    r"\bcaus|\bthanks to\b|\bon account of\b|\breasons?\b|\bas a (?:result|consequence)\b|\bled to\b|"
    r"\bhelped by\b|\bhurt by\b|\boffset by\b|\bon the back of\b",
    re.IGNORECASE,
)


class Kind(NamedTuple):
    """One way of asking: how it is recognised, what headers it is asked of, what an answer must hold."""

    name: str
    asked: re.Pattern[str]
    heads: re.Pattern[str] | None = None
    digits: bool = False  # whether an answer has digits
    words: bool = False  # whether a number cannot be the answer
    given: bool = False  # whether the answer may stand in the question already


def _kind(name: str, asked: str, heads: str = "", **demands: bool) -> Kind:
    pattern = re.compile(heads, re.IGNORECASE) if heads else None
    return Kind(name, re.compile(asked, re.IGNORECASE), pattern, **demands)


# The first that matches decides, so what is narrower stands first.
_KINDS = (
    _kind("why", r"为什么|为何|原因|\bwhy\b|\bhow come\b|\bwhat (?:caused|drove|explains)\b", words=True),
    _kind("choice", r"还是", words=True, given=True),
    _kind(
        "whether", r"是否|有没有|能不能|是不是|^(?:is|are|does|do|did|has|have|can|was|were)\b", words=True, given=True
    ),
    _kind("length", r"多长|多久|多远|多高|多重|多深|多宽|\bhow (?:long|far|high|tall|deep|wide|heavy)\b", digits=True),
    _kind("age", r"多大(?:了|年|岁|$|[?？])|\bhow old\b", r"年龄|岁|\bage\b", digits=True),
    _kind(
        "day",
        r"哪天|哪一天|几月几[日号]|\b(?:what|which) (?:date|day)\b",
        r"日期|日子|年月|日$|\bdate|\bday",
        digits=True,
    ),
    _kind("hour", r"几点|\bwhat time\b", r"时间|时段|\btime|\bhour", digits=True),
    _kind(
        "when",
        r"何时|什么时候|哪一?年|几时|几月|日期|时间|\bwhen\b|\b(?:what|which) year\b",
        r"日期|时间|年份|年月|日$|\bdate|\byear|\btime|\bday",
        digits=True,
    ),
    _kind("count", r"多少|几(?!种|家|位|类)|百分之|\bhow (?:many|much)\b|\bwhat (?:percent|share)", digits=True),
    _kind(
        "who",
        r"谁|哪位|哪个人|什么人|\bwho(?:m|se)?\b",
        r"人$|者$|员$|长$|官$|姓名|名字|老师|联系人|负责|股东|\bname|contact|owner|manager|\blead|person|director|officer",
        words=True,
    ),
    _kind(
        "where",
        r"哪里|哪儿|在哪|何处|什么地方|\bwhere\b",
        r"地址|住址|住所|地点|位置|所在|总部|地$|\baddress|location|\bcity|country|place|\bsite\b",
        words=True,
    ),
    _kind(
        "name",
        r"叫什么|什么名字|名称|哪一?家|哪个(?:公司|机构|单位)|"
        r"\bwhich (?:company|firm|vendor|supplier)\b|\bcalled\b|\bname of\b",
        r"名称|名$|名字|姓名|\bname",
        words=True,
    ),
    _kind("what", r"什么|哪|怎么|如何|怎样|\b(?:what|which|how)\b"),
)
PLAIN = Kind("plain", re.compile(""))


def kind_of(question: str) -> Kind:
    """How a question asks."""
    return next((kind for kind in _KINDS if kind.asked.search(question)), PLAIN)


def can_answer(kind: Kind, text: str, question: str) -> bool:
    """Whether a text is in kind what is asked for."""
    if kind.name == "choice":
        return text in question
    if kind.words and is_number(text):
        return False
    return not kind.digits or _DIGIT.search(text) is not None


def asked_for(question: str) -> str:
    """What a question names as what it asks for: the status of …, …的负责人是谁; nothing where it does not."""
    found = (_ASKED_CHINESE.findall(question) or _ASKED_ENGLISH.findall(question))[-1:]
    return "" if not found or _GENERIC.fullmatch(found[0]) else str(found[0])


def says_yes_or_no(text: str) -> bool:
    """Whether a text is what `whether` is answered by."""
    return _YES_OR_NO.fullmatch(text.strip()) is not None


def is_number(text: str) -> bool:
    """Whether a text is a number and nothing else; dates, ranges and telephone numbers are none."""
    return _NUMBER_ONLY.fullmatch(text) is not None and read_number(text) is not None


def gives_cause(text: str) -> bool:
    """Whether a sentence says why something is so, rather than only that it is."""
    return _CAUSE.search(text) is not None
