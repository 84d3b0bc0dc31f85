"""Whose document it is: the name on its first pages, which a question repeats and no table of it says.

`What was the revenue of Aldbury Mills plc` asked of that company's own report: the name says which document, not which
number. Any other name stays in the question, where no label accounts for it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache

from factspine.ask.words import Token, function_words, phrases, tokens
from factspine.lexicon.folding import fold
from factspine.lexicon.periods import find_periods
from factspine.lexicon.vocabulary import Vocabulary

Span = tuple[int, int]

_FIRST_PASSAGES = 60
_JOINS = frozenset({"of", "the", "and", "&"})
_ADDRESS = re.compile(r"\S*(?:www\.|://|@|\.(?:com|org|net|co|cn|hk|io|gov)\b)\S*", re.IGNORECASE)
_LOWER = re.compile(r"(?<![A-Za-z'])[a-z]{2,}")
_QUOTED = re.compile(r'"([^"]{2,80})"')
_HAN_NAME = re.compile(r"[㐀-鿿()]{2,24}?(?:股份有限公司|有限责任公司|有限公司|集团公司|集团|银行)")
_HAN_SHORT = re.compile(r"(?:证券|股票|公司|中文)?简称[::\s]*([㐀-鿿A-Za-z]{2,10})")
_HAN_LEGAL = re.compile(r"(?:\(集团\)|集团)?(?:股份有限公司|有限责任公司|有限公司|集团公司|集团)$")


class Subject:
    """The organisation a document is about, as far as its opening tells."""

    def __init__(
        self, opening: Sequence[str], vocabulary: Vocabulary, is_label: Callable[[str], bool] = lambda word: False
    ) -> None:
        self._vocabulary = vocabulary
        self._is_label = is_label  # whether words are a label of the document's tables
        first = [fold(text) for text in opening[:_FIRST_PASSAGES]]
        self._phrases = " " + " / ".join(" ".join(_plain(token) for token in tokens(text)) for text in first) + " "
        # A name is never written small; a word of the language is, somewhere.
        self._common = frozenset(word for text in opening for word in _LOWER.findall(_ADDRESS.sub(" ", fold(text))))
        self._han = _han_names(first)

    def without(self, folded: str) -> str:
        """A question without the name of the document's own subject; spaces stand in its place."""
        periods = find_periods(folded)
        for start, end in (*self._latin_spans(folded), *self._han_spans(folded)):
            # `March 2024 Review` on the first page makes March no name.
            if all(end <= period.span_start or period.span_end <= start for period in periods):
                folded = folded[:start] + " " * (end - start) + folded[end:]
        return folded

    def _han_spans(self, folded: str) -> Iterator[Span]:
        for match in self._han.finditer(folded) if self._han is not None else ():
            yield match.span()

    def _latin_spans(self, folded: str) -> Iterator[Span]:
        quoted = [(match.start(1), match.end(1)) for match in _QUOTED.finditer(folded)]
        words = [token for token in tokens(folded) if token.kind != "sign"]
        for run in _runs(folded, words):
            inside = any(start <= run[0].start and run[-1].end <= end for start, end in quoted)
            pointed_at = inside or run[-1].text.endswith("'s") or _after_preposition(run[0], words)
            if (named := self._named(run, pointed_at=pointed_at)) is not None:
                yield named[0].start, named[-1].end

    def _named(self, run: list[Token], *, pointed_at: bool) -> list[Token] | None:
        """The part of a run of capitalised words that is the subject's name; None where there is none."""
        for first in range(len(run)):
            for last in range(len(run), first, -1):
                part = run[first:last]
                words = [_plain(token) for token in part]
                if f" {' '.join(words)} " in self._phrases and self._is_name(words, pointed_at=pointed_at):
                    # The legal form may be written otherwise than on the first page, or not at all.
                    return part + [token for token in run[last : last + 1] if _plain(token) in _legal_forms()]
        return None

    def _is_name(self, words: Sequence[str], *, pointed_at: bool) -> bool:
        """Whether words of the opening are a name: one alone only where the question points at it as one."""
        if words[0] in _JOINS or words[-1] in _JOINS:
            return False
        said = " ".join(words)
        if self._vocabulary.metric_code(said) is not None or self._is_label(said):
            return False  # a title names what its table is about, too
        if len(words) == 1 and (not pointed_at or words[0] in _critical()):
            return False
        if any(word not in self._common and word not in _legal_forms() for word in words):
            return True
        return len(words) > 2 and words[-1] in _legal_forms() and words[0] not in _critical()


def _han_names(first: Sequence[str]) -> re.Pattern[str] | None:
    """The Chinese names of organisations that an opening has, with and without their legal forms, longest first."""
    found = {match.group() for text in first for match in _HAN_NAME.finditer(text)}
    found.update(match[1] for text in first for match in _HAN_SHORT.finditer(text))
    found |= {_HAN_LEGAL.sub("", name) for name in found}
    names = sorted((name for name in found if len(name) >= 3), key=lambda name: (-len(name), name))
    return re.compile("|".join(map(re.escape, names))) if names else None


@cache
def _critical() -> frozenset[str]:
    return frozenset(phrases()["critical"]["en"])


@cache
def _legal_forms() -> frozenset[str]:
    return frozenset(phrases()["legal_forms"])


def _plain(token: Token) -> str:
    return token.text.casefold().removesuffix("'s").replace(".", "")


def _runs(folded: str, words: list[Token]) -> list[list[Token]]:
    """Stretches of capitalised words, with the small words that join them."""
    found: list[list[Token]] = []
    run: list[Token] = []
    for token in words:
        near = not run or re.fullmatch(r"[\s.,&'-]*", folded[run[-1].end : token.start]) is not None
        capital = token.kind == "latin" and token.text[0].isupper()
        if near and (capital or (run and _plain(token) in (_JOINS | _legal_forms()))):
            run.append(token)
            continue
        found.append(run)
        run = [token] if capital else []
    found.append(run)
    return [run for run in found if run and not (len(run) == 1 and run[0].text.lower() in function_words())]


def _after_preposition(token: Token, words: list[Token]) -> bool:
    at = words.index(token)
    return at == 0 or words[at - 1].text.lower() in ("of", "for", "by", "at", "does", "did")
