"""One spelling for many: full and half width, traditional and simplified, dashes, quotes and spaces.

`fold` keeps the length of the text, so that a span found in the folded text is the same span of the original; only
characters with a one-character equivalent are replaced. Superscripts and circled digits stay: in a table they are
footnote marks, and turning `1,234¹` into `1,2341` would invent a number.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

from factspine.lexicon.tables import simplified

_KEPT_TAGS = ("<super>", "<sub>", "<circle>", "<fraction>")
_DASHES = "‐‑‒–—―−﹣－➖﹘⁃─━"
_QUOTES = "‘’‚′ʼ´＇ʹ"
_DOUBLE_QUOTES = "“”„″〝〞＂"
_OPENING = "【〔［〖﹝「『"
_CLOSING = "】〕］〗﹞」』"
CJK_FIRST, CJK_LAST = 0x3400, 0x9FFF


class _FoldedCharacters(dict[int, str]):
    """A translation table that fills itself: each character is looked up in the Unicode data once."""

    def __missing__(self, code: int) -> str:
        folded = _fold_character(chr(code))
        self[code] = folded
        return folded


def _fold_character(character: str) -> str:
    if CJK_FIRST <= ord(character) <= CJK_LAST:
        return simplified().get(character, character)
    if character in _DASHES:
        return "-"
    if character in _QUOTES:
        return "'"
    if character in _DOUBLE_QUOTES:
        return '"'
    if character in _OPENING:
        return "["
    if character in _CLOSING:
        return "]"
    if character == "￥":
        return "¥"
    if character.isspace() or unicodedata.category(character) in ("Zs", "Cf"):
        return " "
    decomposition = unicodedata.decomposition(character)
    if decomposition and not decomposition.startswith(_KEPT_TAGS):
        normal = unicodedata.normalize("NFKC", character)
        if len(normal) == 1:
            return simplified().get(normal, normal)
    return character


_ASCII = {code: chr(code) for code in range(33, 127)}
_FOLDED = _FoldedCharacters(_ASCII)


def fold(text: str) -> str:
    """The text in half width, simplified Chinese, plain dashes, quotes and spaces; the same length as before."""
    # Translating plain ASCII changes nothing but control characters, and most cells are plain ASCII.
    if text.isascii() and text.isprintable():
        return text
    return text.translate(_FOLDED)


# What `str.lower` makes longer or leaves alone, though it differs from an ASCII letter in nothing but its case.
_LOWER = str.maketrans({"İ": "i", "ı": "i", "ſ": "s"})


def lower(text: str) -> str:
    """The text as a pattern sees it that ignores case: in lower case, and the same length as before."""
    return text.lower() if text.isascii() else text.translate(_LOWER).lower()


def is_traditional(text: str) -> bool:
    """Whether a character of the text exists in traditional script only (so 元 need not be the renminbi)."""
    if text.isascii():
        return False
    return not simplified().keys().isdisjoint(text)


def is_cjk(character: str) -> bool:
    """Whether the character is a Chinese one, which needs no space around it to be a word."""
    return "㐀" <= character <= "鿿"


_NAME_WORD = re.compile(r"[\w%‰&+/'$€£¥]+")
_POSSESSIVE = re.compile(r"'s?\b")


_LATIN_RUN = re.compile(r"[a-z]+")


@lru_cache(maxsize=4096)  # a label is looked at for one kind of signs after the other
def _words_of(folded: str) -> tuple[str, frozenset[str]]:
    """A folded text in lower case, and its runs of Latin letters."""
    lowered = folded.lower()
    if len(lowered) != len(folded):
        # A few letters grow when lowered (İ), and would lengthen the word before them.
        lowered = "".join(small if len(small := letter.lower()) == 1 else letter for letter in folded)
    return lowered, frozenset(_LATIN_RUN.findall(lowered))


def any_of(words: str) -> frozenset[str]:
    """Words to look for, written with spaces between them."""
    return frozenset(words.split())


def may_say(text: str, words: frozenset[str]) -> bool:
    """Whether a text may have one of these words, or is in another script; most labels are known by this to have none.

    What it is asked before are patterns that try many words at many places.
    """
    return not text.isascii() or not words.isdisjoint(_words_of(text)[1])


class Signs:
    """What every text of some kind has one of: it tells quickly which texts need no closer look, as most need none."""

    def __init__(self, words: Iterable[str], others: Iterable[str]) -> None:
        self.words = frozenset(words)  # whole runs of Latin letters, in lower case
        self.others = frozenset(others)  # single characters, and pairs of them
        self._characters = frozenset(other for other in self.others if len(other) == 1)
        self._pairs = self.others - self._characters
        self._starts = frozenset(pair[0] for pair in self._pairs)

    @classmethod
    def of(cls, names: Iterable[str]) -> Signs:
        """How these names begin: Latin ones with a run of letters, the others with one or two characters."""
        lowered = {name.lower() for name in names}
        words = {name: found.group() for name in lowered if (found := _LATIN_RUN.match(name))}
        return cls(words.values(), (name[:2] for name in lowered - words.keys()))

    def joined(self, *others: Signs) -> Signs:
        """The signs of any of these."""
        return Signs(self.words.union(*(one.words for one in others)), self.others.union(*(o.others for o in others)))

    def are_in(self, folded: str) -> bool:
        """Whether a folded text has one of the signs."""
        lowered, words = _words_of(folded)
        return not self.words.isdisjoint(words) or self.beyond_words(lowered)

    def beyond_words(self, lowered: str) -> bool:
        """Whether a text has one of the signs that are not words."""
        if not self._characters.isdisjoint(lowered):
            return True
        if self._starts.isdisjoint(lowered):
            return False
        return not self._pairs.isdisjoint(map(str.__add__, lowered, lowered[1:]))


@lru_cache(maxsize=65536)  # one label is looked up among metrics, places, channels and organisations
def key_of(text: str) -> str:
    """The form in which two spellings of one name are equal: case, width, script, punctuation, plural."""
    folded = fold(text).casefold().replace("&", " and ").replace("_", " ")
    if "'" in folded:
        folded = _POSSESSIVE.sub("", folded)
    words = [word if word[-1] != "s" else _singular(word) for word in _NAME_WORD.findall(folded)]
    return " ".join(words) if folded.isascii() else _joined(words)


def _joined(words: list[str]) -> str:
    """Words with spaces between them, except beside Chinese characters."""
    text = ""
    for word in words:
        text += word if not text or is_cjk(text[-1]) or is_cjk(word[0]) else f" {word}"
    return text


def _singular(word: str) -> str:
    """A plain plural without its s; words that merely end in s are the same on both sides, which is all we need."""
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word
