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
_MEASURES = "个种家间些项类位名所门款座条"
_NOUNS = ("n", "s")  # things, and places
_LAST = re.compile(rf"(?:哪[{_MEASURES}]?|谁)[㐀-鿿]{{0,4}}\W*$")
_KIND = re.compile(r"的?(?:区域|地区|产品|项目|科目|板块|门店)是?\s*$")
_ASKED = re.compile(rf"谁的?|哪(?:一)?[{_MEASURES}]?")


def without_kind(text: str) -> str:
    """A question without the words that say of what kind the ranked things are."""
    text = _WHICH.sub(" ", text)
    rest = _KIND.sub(" ", _LAST.sub(" ", text))
    text = rest if rest.strip() else text  # 哪个面积最大: what is ranked is all there is
    found = _ASKED.search(text)
    if found is None:
        return text
    rest = text[found.end() :]
    return f"{text[: found.start()]} {rest if found.group()[0] == '谁' else _without_first_noun(rest)}"


def _without_first_noun(rest: str) -> str:
    """哪个|科室的床位数: the first noun says what kind it is, where it is not all there is."""
    han = re.match(r"[㐀-鿿]+", rest)
    if han is None:
        return rest
    first = cut(han.group())[0]
    is_kind = tag_of(first)[:1] in _NOUNS and first != rest.strip()
    return rest[len(first) :].removeprefix("的") if is_kind else rest
