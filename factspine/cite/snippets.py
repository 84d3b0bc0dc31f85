"""Whether a snippet stands in a text: letter for letter first, then under one declared normalisation."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from factspine.lexicon.folding import fold

Match = Literal["exact", "normalised", "none"]
# The declared normalisation: width, quotes, dashes and invisible marks folded, runs of white space one space, none
# beside Chinese characters. Case, digits and words are never touched.
NORMALISATION = "width+quotes+dashes+space/1"
_GAP = re.compile(r"[^\S\n]+")
_SPACELESS = re.compile(r"[㐀-鿿，。；：！？、]")


class Quoted(NamedTuple):
    """A quotation within the lines it stands in: what is around it may say what it is about, but is not quoted."""

    text: str
    start: int
    end: int

    @classmethod
    def whole(cls, text: str) -> Quoted:
        """A text all of which is quoted."""
        return cls(text, 0, len(text))

    @classmethod
    def within(cls, text: str, start: int, end: int) -> Quoted:
        """A stretch of a stored text, with the rest of its lines."""
        first = text.rfind("\n", 0, start) + 1
        last = text.find("\n", end)
        line = text[first : last if last >= 0 else len(text)]
        return cls(line, start - first, end - first)

    def evenly_spaced(self) -> Quoted:
        """The same with single spaces: dates and amounts are read across a space, not across a gap."""
        before, said, after = (
            _GAP.sub(" ", part)
            for part in (self.text[: self.start], self.text[self.start : self.end], self.text[self.end :])
        )
        return Quoted(before + said + after, len(before), len(before) + len(said))


def _keep_script(text: str) -> str:
    # Folding also turns traditional into simplified script; a quotation is not a translation.
    return "".join(one if "㐀" <= one <= "鿿" else fold(one) for one in text)


def match_snippet(snippet: str, text: str) -> Match:
    """How a snippet was found in a text."""
    if not snippet.strip():
        return "none"
    if snippet in text:
        return "exact"
    return "normalised" if locate(snippet, text) is not None else "none"


def locate(snippet: str, text: str) -> tuple[int, int] | None:
    """Where a snippet stands in a text: the span of the stored letters, however the snippet spells them."""
    if not snippet.strip():
        return None
    at = text.find(snippet)
    if at >= 0:
        return at, at + len(snippet)
    known, places = _normal_with_places(text)
    wanted = _normal_with_places(snippet)[0].strip(" ")
    at = known.find(wanted) if wanted else -1
    return None if at < 0 else (places[at], places[at + len(wanted) - 1] + 1)


def _normal_with_places(text: str) -> tuple[str, list[int]]:
    """A text under the declared normalisation, and which letter of the original each of its letters is."""
    marks: list[str] = []
    places: list[int] = []
    for place, one in enumerate(_keep_script(text)):
        blank = one.isspace()
        if blank and (not marks or marks[-1] == " " or _SPACELESS.match(marks[-1])):
            continue
        if not blank and marks and marks[-1] == " " and _SPACELESS.match(one):
            marks.pop()
            places.pop()
        marks.append(" " if blank else one)
        places.append(place)
    return "".join(marks), places
