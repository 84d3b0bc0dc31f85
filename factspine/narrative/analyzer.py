"""How text becomes words: one way for writing and reading, named, so that the two can be held equal.

Folded width and script, lower case, Chinese cut by a dictionary with the parts of long words beside them, numbers
without separators. English endings are left to the index (Porter).
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from importlib import resources
from importlib.metadata import version
from typing import TYPE_CHECKING

from factspine.lexicon.folding import fold

if TYPE_CHECKING:
    from collections.abc import Callable

_POLITE = re.compile(
    r"(?:请|麻烦)?(?:帮我|帮忙|给我)?(?:查一下|查询一下|查下|介绍一下|介绍下|简要描述一下|告诉下|说一下|看一下)|"
    r"请?帮(?:我|忙)|请问|麻烦|谢谢|感谢|我想(?:知道|问)|你知道|(?:好奇|顺便|想)?问一?下|您好|你好"
)
# What a question says about how to answer it, and that there is a report; every page of which is one.
_FRAME = re.compile(
    r"\bif (?:the |such |this |no |there is no )?[^.?!,]{0,60}?"
    r"(?:available|mention(?:ed)?|found|disclosed|known|data)\b[^.?!]*\b(?:return|say|answer|reply|respond|write)\b[^.?!]*"
    r"|\b(?:according to|based on|listed in|mentioned in|stated in|in) (?:the |its )?"
    r"(?:annual |interim |company )*report\b"
    r"|\b(?:within|in|at the end of|for) the (?:last |latest )?period\b|\bthe value of\b",
    re.IGNORECASE,
)
_WORDS = re.compile(r"\d+(?:,\d{3})*(?:\.\d+)?|[a-z]+|[㐀-鿿]+|[^\W\d_a-zA-Z㐀-鿿]+")


@cache
def _cutter() -> Callable[[str], list[str]]:
    """The dictionary cutter; loaded when the first Chinese text is seen."""
    from rjieba import cut_for_search

    cut: Callable[[str], list[str]] = cut_for_search
    return cut


@cache
def _stop_words() -> frozenset[str]:
    """Words of questions that every text has, or that only ask."""
    return frozenset(resources.files("factspine.narrative").joinpath("stopwords.txt").read_text("utf-8").split())


@cache
def analyzer_id() -> str:
    """The name under which an index is written and must be read."""
    return f"fold+lower+rjieba-{version('rjieba')}+porter/1"


def words(text: str) -> list[str]:
    """The words of a text, in order."""
    found: list[str] = []
    for run in _WORDS.findall(fold(text).lower()):
        if "㐀" <= run[0] <= "鿿":
            found += _cut(run) if len(run) > 1 else [run]
        elif run[0].isdigit():
            # The index splits words at points; a number must stay one word.
            found.append(run.replace(",", "").replace(".", "d"))
        else:
            found.append(run)
    return found


@lru_cache(maxsize=16384)
def _cut(run: str) -> tuple[str, ...]:
    pieces = [piece for piece in _cutter()(run) if piece.strip()]
    return tuple(pieces)


def query_words(question: str) -> list[str]:
    """The words of a question that can tell one text from another, each once."""
    every = list(dict.fromkeys(words(_FRAME.sub(" ", _POLITE.sub(" ", question))) or words(question)))
    telling = [word for word in every if word not in _stop_words()]
    return telling or every


def language_of(text: str) -> str:
    """zh where Chinese characters carry the text, en where Latin words do, else nothing."""
    chinese = sum("㐀" <= mark <= "鿿" for mark in text)
    latin = sum("a" <= mark <= "z" or "A" <= mark <= "Z" for mark in text)
    if chinese * 3 >= latin and chinese:
        return "zh"
    return "en" if latin else ""
