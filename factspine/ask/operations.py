# ruff: noqa: E501 - a pattern on one line can be read; folded, it cannot
"""The operations people ask for, found in the words of a question, and the question without those words."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import NamedTuple

from factspine.ask.question import is_critical
from factspine.ask.resolution import Resolution

_GROWTH = (
    r"同比(?:增长|变动|增减)?(?:增速|增幅|率|幅度|速度|了?百分之多少|了?多少)?|增长率|增速|增幅|(?:增长|增加|上升|提高|下降|减少|变动|变化)了?百分之(?:多少|几)"
    r"|\b(?:yoy|y/y|year[- ]on[- ]year|year[- ]over[- ]year)(?: growth| change| increase)?(?: rate)?(?: in| of)?\b"
    r"|\bannual (?:growth|change|increase)(?: rate)?(?: in| of)?\b"
    r"|\b(?:percentage|percent|%) (?:growth|change|increase)(?: in| of)?\b|\bgrowth(?: rate)?(?: in| of)?\b"
)
_PATTERNS: tuple[tuple[str, str], ...] = (
    (
        "cagr",
        r"(?:年均?)?复合(?:年均?)?增长率|年复合增长率|\bcagr(?: of)?\b|\bcompound annual growth(?: rate)?(?: of| in)?\b",
    ),
    (
        "growth_previous",
        r"环比(?:增长|变动|增减)?(?:增速|增幅|率|幅度|了?百分之多少|了?多少)?|\b(?:qoq|q/q|quarter[- ]on[- ]quarter|quarter[- ]over[- ]quarter|mom|m/m|month[- ]on[- ]month|month[- ]over[- ]month)(?: growth| change)?(?: rate)?(?: in| of)?\b",
    ),
    ("growth", _GROWTH),
    ("ratio", r"之比|的比值|\bratio of\b"),
    ("share", r"占比|所占(?:的)?(?:比例|比重|百分比)|\bshare of total\b"),
    (
        "difference",
        r"相差多少|相差|差额|之差|差多少|(?:增加|减少|增长|变化|变动|下降|上升)了?多少|\bdifference(?: between| in)?\b|\bhow much (?:higher|lower|more|less)\b|\bby how much did\b|\b(?:change|increase|decrease)(?: (?:in|from))?\b",
    ),
    (
        "rank",
        r"(?:排名|排序|排行)(?:前(?:[一二三四五六七八九十]|\d+)(?:名|位|大)?)?|前(?:[一二三四五六七八九十]|\d+)(?:名|位|大)?|\brank(?:ing)?\b|\btop \d+\b",
    ),
    (
        "max",
        r"最高|最大|最多|哪(?:一)?年[^,，]*?(?P<more_zh>更高|更大|更多)|\bwhich (?:year|quarter|month|store|region|market|channel|branch)\b.*?(?P<more>\b(?:higher|larger|greater|bigger|more)\b)|\b(?:highest|largest|biggest|greatest|maximum|most)\b",
    ),
    (
        "min",
        r"最低|最小|最少|哪(?:一)?年[^,，]*?(?P<less_zh>更低|更小|更少)|\bwhich (?:year|quarter|month|store|region|market|channel|branch)\b.*?(?P<less>\b(?:lower|smaller|less|fewer)\b)|\b(?:lowest|smallest|minimum|fewest|least)\b",
    ),
    ("average", r"平均(?:值|数|水平)?(?:是|为)?|均值|\b(?:average|mean)(?: of)?\b"),
    (
        "sum",
        r"加起来|合起来|总和|之和|合计|一共|总共|加总|\bsum of\b|\bcombined\b|\b(?:put |taken |added )?together\b|\bin total\b|\baltogether\b|\btotal of\b|(?P<plus>\bplus\b|加上)",
    ),
    (
        "count",
        r"有(?:多少|几)(?:个|家|间)|\bhow many\b(?= (?:stores|branches|companies|entities|regions|shops|cities))",
    ),
    (
        "list",
        r"(?:列出|列举)?(?:各个?|每个?|每家|所有|全部|分|按)(?:门店|店铺|地区|市场|渠道|分行|公司|国家|年度?|季度|月份?)|历年"
        r"|\bby (?:store|shop|region|market|channel|branch|country|company|year|quarter|month)\b"
        r"|\b(?:for |of |in )?(?:each|every|all)(?: of)?(?: the)? (?:stores?|shops?|regions?|markets?|channels?|branch(?:es)?|countr(?:y|ies)|compan(?:y|ies)|years?|quarters?|months?)\b",
    ),
)
_AND_SIGNS = ("和", "and")
_COMPILED = tuple((kind, re.compile(pattern, re.IGNORECASE)) for kind, pattern in _PATTERNS)
_SHARE_OF = re.compile(r"(?P<part>.+?)占(?P<whole>.+?)的?(?:比例|比重|百分比|百分之几|百分之多少|多少|几成)")
_SHARE_OF_EN = re.compile(
    r"(?P<part>.+?) as a (?:percentage|percent|proportion|share|%) of (?P<whole>.+)|"
    r"\b(?:share|percentage|proportion) of (?P<part3>.+?) (?:in|out of) (?P<whole3>(?:the )?total .+)|"
    r"what (?:percentage|percent|proportion|share) of (?P<whole2>.+?) (?:was|is|were|are|did|does|came from|comes from|is from) (?P<part2>.+)",
    re.IGNORECASE,
)
_RATIO_OF = re.compile(
    r"ratio of (?P<part>.+?) to (?P<whole>.+)|(?P<part2>.+?)(?:与|和|对|比)(?P<whole2>.+?)(?:之比|的比值)",
    re.IGNORECASE,
)
# By how much something grew: the words that ask stand before it, the verb after it.
_BY_HOW_MUCH = re.compile(
    r"\b(?:(?P<rate>by what (?:percentage|percent|proportion|%)|by how many percent|how fast|how quickly|at what rate)|(?:by )?how much) "
    r"(?:did|does|do|has|have|is|are|was|were|will|would) (?P<what>.+?) (?:(?:planned|expected|forecast|budgeted|projected|due|set) to |to )?"
    r"(?P<verb>grow|grown|rise|risen|increased?|improved?|declined?|decreased?|fall|fallen|drop|dropped|changed?|shrink|shrunk)\b"
    r"(?P<rest>.*)",
    re.IGNORECASE,
)
_BEHIND = re.compile(
    r"(?P<what>.+?) (?P<verb>grew|rose|gained|increased|improved|declined|decreased|fell|dropped|changed|shrank) by how (?:much|many)\b(?P<rest>.*)",
    re.IGNORECASE,
)
_IN_PERCENT = re.compile(r",?\s*(?:in|as a) (?:percent(?:age)?(?: terms)?|%)(?=\W*$)", re.IGNORECASE)
_FROM_TO = re.compile(r"\s*from (?P<second>.+?) to (?P<first>.+)", re.IGNORECASE)
_GROWN = re.compile(r"增长率?|增速|增幅|变动|\b(?:growth|change|increase)(?: rate)?(?: in| of)?\b", re.IGNORECASE)
_WHICH = re.compile(
    r"哪(?:个|家|间|些|一个|一家|一年|年|一)?(?:门店|店铺|店|公司|地区|市场|渠道|分行|年度|年份|年|季度|月份|产品|业务)?|各(?:个|家)?(?:门店|店铺|地区|市场|渠道|分行|年度|年|季度|月)?|所有|全部|历年|"
    r"\bwhich (?:store|shop|company|region|market|channel|branch|year|quarter|month|product|segment|country|entity)?\b|\b(?:all|each|every) (?:stores?|shops?|compan(?:y|ies)|regions?|markets?|channels?|branch(?:es)?|years?|quarters?|months?)\b|\bby (?:store|region|market|channel|branch|year|quarter)\b",
    re.IGNORECASE,
)


# One thing measured by another: `how much higher is A than B`, A比B高多少. Both sides are said, and how they are joined.
_COMPARED = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"(?P<before>.*?)\b(?:by )?how (?:much|many)\b(?: percentage points?)? (?:higher|lower|more|less|larger|smaller)\b(?P<first>.+?)\bthan\b(?P<second>.+)",
        r"(?P<before>.*?)\b(?:by )?how (?:much|many)\b(?: percentage points?)? (?:did|does|do|has|have|is|are|was|were) (?P<first>.+?)"
        r" (?:exceed(?:ed)?|surpass(?:ed)?|outperform(?:ed)?|beat|miss(?:ed)?|f[ae]ll short of|above|below|ahead of|behind)\b(?P<second>.+)",
        r"(?P<before>.*?)\b(?P<apart>difference) (?:in (?P<what>.+?) )?between (?P<first>.+?) and (?P<second>.+)",
        r"(?P<first>.+?)(?<![同环占对相之])(?:比|较)(?![率例重值如较])(?P<second>.+?)(?:(?:[多少高低大小]|(?P<change>增加|减少|增长|变化|变动|上升|下降)|超支|超出|超额|节约|节省|结余)(?:了|出)?多少(?:(?P<after>[所个家名人间张台件次][㐀-鿿]{1,10})|[^,，]{0,3})?|(?P<changed>增加|减少|变化|变动|上升|下降)了?)",
        r"(?P<first>.+?)(?:超过|超出|高于|低于|多于|少于|不及)了?(?P<second>.+?)(?:了|出)?(?:多少|几)[^,，]{0,3}",
        r"(?P<first>[^和与跟]+)(?:和|与|跟)(?P<second>[^和与跟]+?)(?:之间)?(?:的)?(?P<apart>相差|差额|之差|差多少|差距|差异)(?:是|为|有)?(?:多少|多大|几)?[^,，]{0,3}",
    )
)


_YEAR_BEFORE = re.compile(r"^(?:上年同期|去年同期|上年度?|上一年度?|(?:年初|期初)(?!预算|计划|目标|指标))数?的?")


class Operation(NamedTuple):
    """An operation and the question about its operand, or its two operands."""

    kind: str
    question: str  # the question without the words of the operation
    other: str = ""  # the second operand of a share or ratio
    words: str = ""
    apart: bool = False  # how far two figures are apart, whichever is larger

    @property
    def is_passed_over(self) -> bool:
        """Whether its words could be left out unnoticed: of two sides that are compared, one alone would be given."""
        return self.kind == "difference" and self.other != "" and not is_critical(self.words)


def find_operation(folded: str) -> Operation | None:
    """The operation a question asks for; None where it asks for a number as it stands."""
    for pattern, kind in ((_SHARE_OF, "share_of"), (_SHARE_OF_EN, "share_of"), (_RATIO_OF, "ratio")):
        match = pattern.search(folded)
        if match is not None:
            named = match.groupdict()
            part = next((text for name, text in named.items() if text and name.startswith("part")), "")
            whole = next((text for name, text in named.items() if text and name.startswith("whole")), "")
            if part and whole:
                # What stands after both sides holds for both.
                rest = folded[match.end() :]
                return Operation(kind, f"{part} {rest}", f"{whole} {rest}", match.group())
    if (asked := _BY_HOW_MUCH.search(folded) or _BEHIND.search(folded)) is not None:
        if _IN_PERCENT.search(asked["rest"]) is not None:
            return Operation(
                "growth",
                f"{folded[: asked.start()]} {asked['what']} {_IN_PERCENT.sub('', asked['rest'])}",
                words=f"by what percentage {asked['verb']}",
            )
        kind = "growth" if asked.groupdict().get("rate") else "difference"
        if kind == "difference" and (ends := _FROM_TO.fullmatch(asked["rest"].rstrip(" ?？."))) is not None:
            what = f"{folded[: asked.start()]} {asked['what']}"
            words = f"by how much {asked['verb']}"
            return Operation(kind, f"{what} {ends['first']}", f"{what} {ends['second']}", words=words)
        return Operation(
            kind, f"{folded[: asked.start()]} {asked['what']} {asked['rest']}", words=f"by how much {asked['verb']}"
        )
    if (compared := _compared(folded)) is not None:
        return compared
    for kind, compiled in _COMPILED:
        match = compiled.search(folded)
        if match is not None:
            if kind == "sum" and match["plus"]:
                text = compiled.sub(lambda found: _AND_SIGNS[found.group().isascii()] if found["plus"] else " ", folded)
                return Operation(kind, text, words=match.group())
            # Of `which year has a higher` only the comparative is the operation; the year is what it ranges over.
            group = next((name for name, said in match.groupdict().items() if said), None)
            start, end = match.span() if group is None else match.span(group)
            if kind in ("growth", "growth_previous") and not _GROWN.search(match.group()):
                # Month on month MRR growth: the figure stands between the two words for one thing.
                folded = folded[:start] + folded[start:end] + _GROWN.sub(" ", folded[end:], count=1)
            return Operation(kind, folded[:start] + " " + folded[end:], words=match.group())
    return None


def _compared(folded: str) -> Operation | None:
    match = next(filter(None, (pattern.fullmatch(folded.rstrip(" ?？。.")) for pattern in _COMPARED)), None)
    if match is None:
        return None
    named = match.groupdict()
    second = _YEAR_BEFORE.sub("", named["second"], count=1)
    if second != named["second"]:
        return Operation(
            "difference", f"{named['first']}{second}", words="变动"
        )  # since a year before, which need not be said
    what = f"{named.get('before') or ''} {named.get('what') or ''}"
    after = (named.get("after") or "")[1:]  # of what there are so many more: 少多少所小学
    words = named.get("apart") or named.get("change") or named.get("changed") or "比"
    return Operation(
        "difference",
        f"{what} {named['first']} {after}",
        f"{what} {second} {after}",
        words=words,
        apart=bool(named.get("apart")),
    )


def without_which(folded: str) -> str:
    """A question without the words that say over what it ranges."""
    return _WHICH.sub(" ", folded)


def naming(operation: Operation, refused: Resolution) -> Resolution:
    """A refusal over a piece of the words that ask for an operation, told by all of them: 占比, not 占."""
    whole = operation.words.strip()
    words = tuple(dict.fromkeys(whole if word in whole else word for word in refused.words))
    return replace(refused, words=words) if refused.outcome == "unused_words" else refused
