# ruff: noqa: E501 - a pattern on one line can be read; folded, it cannot
"""What a question says about itself and not about the number: how to answer, from which report, of the latest period.

Such words are taken out before the others are matched, in their place spaces, so that every position stays what it was.
"""

from __future__ import annotations

import re
from typing import NamedTuple

# What to say if there is nothing: an instruction to whoever answers.
_INSTRUCTION = re.compile(
    r"\bif (?:the |such |this |that |no |there is no |there are no )?(?:\w+ ){0,4}?(?:not |un)?(?:available|found|mentioned|mention|disclosed|reported|stated|known|unknown|applicable|data|information)\b[^.?!]*?,?\s*(?:then )?(?:please )?(?:return|say|answer|reply|respond|write|print|give|state)\b[^.?!]*[.?!]?"
    r"|(?:(?<=[.?!;,] )|\bplease )(?:return|say|answer|reply|respond|write) [^.?!]{1,40}? if (?:it |the |there |no )?[^.?!]*[.?!]?"
    r"|(?:如果?|若|假如|倘若)[^,，。？?;；]{0,14}?(?:没有|不存在|找不到|未披露|未提及|不可用|无法|缺失|未知)[^。？?]*?(?:请|则|就|返回|回答|回复|填|写|说)[^。？?]*[。？?]?",
    re.IGNORECASE,
)
_REPORT = r"(?:annual |interim |quarterly |financial |latest |company |company's |corporate )*(?:report(?: and accounts)?s?|filing|10-k|document|accounts)"
_SOURCE = re.compile(
    rf"\b(?:according to|based on|as (?:mentioned|stated|reported|disclosed|shown|listed|given|presented) in|(?:mentioned|stated|reported|disclosed|shown|listed|given|presented) in) (?:the |its |their |this )?(?:company's )?{_REPORT}\b"
    r"|(?:根据|按照|依据|据)[^,，。]{0,10}?(?:年报|年度报告|财报|报告|文件)(?:中?(?:披露|显示|所示|所述|记载))?(?:的?数据)?[,，]?"
    r"|(?:年报|年度报告|财报|报告|文件)中?(?:披露|显示|所示|所述|记载|列示)的?",
    re.IGNORECASE,
)
_LAST = r"(?:last|latest|most recent|reporting|reported)(?: available| reported| reporting| fiscal| financial)* period"
_AT_LAST = rf"(?:(?:with)?in|during|for|as of|at(?: the end of)?) the {_LAST}|at the end of the (?:{_LAST}|period)"
_LATEST = re.compile(
    rf"\b(?:{_AT_LAST})\b(?:\s+or\s+(?:{_AT_LAST})\b)?(?: (?:covered|listed))?"
    r"|\b(?:(?:in|for|as of|at) )?(?:the |their |its )?(?:latest|most recent)(?: available| reported| reporting| fiscal| financial)*(?: (?:period|year|annual|figures?|numbers?))?\b(?! (?:quarter|month|week|half))"
    r"|最[近新]一?个?(?:报告期|财年|会计年度|年度|一期|一年)的?|最[近新]的(?=\S)",
    re.IGNORECASE,
)
_EMPTY_BRACKETS = re.compile(r"\(\s*\)")


class Framed(NamedTuple):
    """A question without its frame, of the same length."""

    text: str
    latest: bool  # of several periods the latest is meant


def without_frame(folded: str) -> Framed:
    """A question as it would be put to somebody who holds the right document and knows how to answer."""
    text = _blank(_INSTRUCTION, folded)
    if not text.strip(" .?!。？！,，"):
        text = folded
    text = _blank(_SOURCE, text)
    found = _blank(_LATEST, text)
    return Framed(_blank(_EMPTY_BRACKETS, found), found != text)


def _blank(pattern: re.Pattern[str], text: str) -> str:
    return pattern.sub(lambda match: " " * len(match.group()), text)
