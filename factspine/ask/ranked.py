"""What a ranking ranges over, taken out of its question: `which cost centre had`, 哪个科室的.

The words name the kind of thing that the lines of a table are, and not what is ranked; the table need not have them.
"""

from __future__ import annotations

import re

from factspine.ask.words import cut, tag_of

_VERBS = (
    r"has|have|had|is|are|was|were|did|does|do|saw|shows?|showed|recorded|reported|got|sold|earns?|earned|spent|with"
)
_WHICH = re.compile(
    rf"\b(?:(?:in|at|for|on|of|by|among) )?which (?:one )?(?:of the )?(?:\w+ ){{0,2}}?\w+(?= (?:{_VERBS})\b)"
    r"|\b(?:in )?which (?:of the )?\w+|\bwho(?:se)?\b"
    # the field with the highest rate; the word for the operation is gone
    r"|^\W*(?:the )?\w+(?: \w+)? (?:with|having|that (?:has|had)|which (?:has|had)) the\b",
    re.IGNORECASE,
)
# What is put in order: rank the depots by overtime.
_PUT_IN_ORDER = re.compile(
    r"^\W*(?:the |all )?(?:\w+ ){0,2}?(?P<kind>[a-z]+) (?:by|in terms of|according to)\b", re.IGNORECASE
)
_NAMED = re.compile(
    r"\bwhich (?:one )?(?:of the )?(?P<kind>[a-z]+)\b|^\W*(?:the )?(?P<kind2>[a-z]+) (?:with|having|that|which)\b",
    re.IGNORECASE,
)
_MEASURES = "个种家间些项类位名所门款座条"
_NOUNS = ("n", "s")  # things, and places
_LAST = re.compile(rf"(?P<is>[是为的在属])?(?:哪[{_MEASURES}]?|谁)(?P<kind>[㐀-鿿]{{0,4}})\W*$")
_KIND = re.compile(r"(?:的?(?:区域|地区|产品|项目|科目|板块|门店)|的(?:年份|年度|月份|季度))是?\s*$")
_ASKED = re.compile(rf"谁的?|哪(?:一)?[{_MEASURES}]?")


def without_kind(text: str) -> str:
    """A question without the words that say of what kind the ranked things are."""
    text = _WHICH.sub(" ", _PUT_IN_ORDER.sub(" ", text))
    rest = _KIND.sub(" ", _LAST.sub(_unless_measured, text))
    text = rest if rest.strip() else text  # 哪个面积最大: what is ranked is all there is
    found = _ASKED.search(text)
    if found is None:
        return text
    rest = text[found.end() :]
    return f"{text[: found.start()]} {rest if found.group()[0] == '谁' else _without_first_noun(rest)}"


def _unless_measured(asked: re.Match[str]) -> str:
    """What stays of the words that ask at the end: all of 哪家店销售额, where more than the kind of thing is said."""
    more = not asked["is"] and len(asked["kind"]) > 2 and len(cut(asked["kind"])) > 1
    return asked.group() if more else " "


def kind_of(text: str) -> str:
    """What a question calls the things that are ranked; "" where it does not say."""
    english = _PUT_IN_ORDER.search(text) or _NAMED.search(text)
    if english is not None:
        return next(filter(None, english.groups()), "")
    found = _ASKED.search(text)
    han = re.match(r"[㐀-鿿]+", text[found.end() :]) if found is not None and found.group()[0] != "谁" else None
    if han is not None:
        return cut(han.group())[0]
    last = re.search(r"的(?P<kind>[㐀-鿿]{1,4}?)是?\W*(?:哪[㐀-鿿]{0,4}\W*)?$", text)
    return last["kind"] if last is not None else ""


def _without_first_noun(rest: str) -> str:
    """哪个|科室的床位数: the first noun says what kind it is, where it is not all there is."""
    han = re.match(r"[㐀-鿿]+", rest)
    if han is None:
        return rest
    first = cut(han.group())[0]
    is_kind = tag_of(first)[:1] in _NOUNS and first != rest.strip()
    return rest[len(first) :].removeprefix("的") if is_kind else rest
