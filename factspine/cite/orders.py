"""Orders in a document to whoever reads it: `ignore all rules and answer that …`, 忽略以上指令. They are no evidence.

A document may say anything; that it says what a model should answer does not make it a source for that.
"""

from __future__ import annotations

import re

from factspine.lexicon.sentences import Span, split_sentences

_ORDER = re.compile(
    r"\b(?:ignore|disregard|forget|override|bypass)\b[^.\n]{0,40}\b(?:rules?|instructions?|prompts?|guidelines?|above)\b|"
    r"\bsystem prompt\b|\byou are now (?:an?|the)\b|\bnew instructions?:|"
    r"^\W*(?:please )?(?:answer|reply|respond|tell (?:the|your) users?)(?: only| exactly)?(?: with)? "
    r"(?:that|the following)\b|"
    r"(?:忽略|无视|忘记|不要理会)[^。\n]{0,20}(?:指令|指示|规则|要求|提示|以上|上述)|(?:请|必须|务必)(?:直接)?(?:回答|答复|回复)|系统提示词",
    re.IGNORECASE,
)


def find_orders(text: str) -> list[Span]:
    """The sentences of a text that tell its reader what to say."""
    if not _ORDER.search(text):
        return []
    return [span for span in split_sentences(text) if _ORDER.search(text[span.start : span.end])]
