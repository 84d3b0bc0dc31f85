"""Characters to words: what stands together, seen once, in the page's reading direction.

Characters arrive as arrays in the order the page draws them, which within a word is the reading order in practice.
A word ends where a space, a change of base line or a gap ends it. Fake bold (a character drawn twice) is undone here,
because every later stage would otherwise read "11000000" for "1000". A page whose text mostly runs sideways is turned.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Any, NamedTuple, Protocol

import numpy as np

from factspine.extract.pdf.marks import Fill, PageMarks, Rule, Word

# Leaders join a label with its number across white space; they are drawing, not text.
_LEADERS = re.compile(r"(?:[.·•…_․‥]\s?){4,}")
_BLANKS = frozenset(
    {0x20, 0xA0, 0x3000, 0x200B, 0x200C, 0x200D, 0xFEFF, 0xFFFF, 0xAD, 0x2028, 0x2029, *range(0x2000, 0x200B)}
)
_SOFT_HYPHEN = 2  # how pdfium writes a hyphen at the end of a line
_LIGATURES = {
    0xFB00: "ff",
    0xFB01: "fi",
    0xFB02: "fl",
    0xFB03: "ffi",
    0xFB04: "ffl",
    0xFB05: "st",
    0xFB06: "st",
    2: "-",
    0xFFFE: "-",
}
_NAMELESS = "\ufffd"
_BAND = 3.0  # points; characters of one line and its shadow lie in one band, those of the next line do not
_WIDEST = (1 << 20) - 1  # eighths of a point, or bands; further off nobody sees anything
_SHADOW_RISE = 0.12  # of the height
_SHADOW_SHIFT = 0.3  # of the width
_SAME_BOX = 0.01  # points
_GAP = 0.2  # of the line height, between characters of one word
_BACK = 0.7
_RISE = 0.22


class Glyphs(NamedTuple):
    """Characters of a page as arrays; boxes are advance width by font height."""

    text: str
    x0: Any
    top: Any
    x1: Any
    bottom: Any


class Look(NamedTuple):
    """How characters of one text object look."""

    size: float = 0.0
    bold: bool = False
    italic: bool = False
    turn: int = 0  # quarter turns clockwise on the page as seen
    slanted: bool = False
    white: bool = False
    invisible: bool = False
    unmapped: bool = False  # the font does not say which characters it draws


class Looks(Protocol):
    """The looks of the character at an index, and where characters stand on their base lines."""

    def at(self, index: int) -> Look: ...

    def many(self, indexes: list[int]) -> list[Look]: ...

    def origins(self, indexes: list[int]) -> tuple[Any, Any]: ...

    def unmapped(self, indexes: list[int]) -> list[bool]: ...


def build_words(glyphs: Glyphs, looks: Looks, marks: PageMarks) -> None:
    """Put the words of a page into its marks, turning the page where its text runs sideways."""
    codes = np.frombuffer(glyphs.text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    blank = (codes < 0x20) & (codes != _SOFT_HYPHEN) | np.isin(codes, list(_BLANKS))
    for leader in _LEADERS.finditer(glyphs.text):
        blank[leader.start() : leader.end()] = True
    kept = np.flatnonzero(~blank)
    if not len(kept):
        return
    turn = _dominant_turn(kept, looks)
    if turn:
        glyphs = _turned(glyphs, turn, marks.width, marks.height)
        turn_page(marks, turn)
    kept = _undouble(codes, glyphs, kept, _spelt_out(codes, glyphs))
    glyphs = _without_guesses(codes, glyphs, kept, looks)
    _cut(glyphs, kept, looks, marks, turn)


def _dominant_turn(kept: Any, looks: Looks) -> int:
    sample = kept[:: max(1, len(kept) // 60)]
    turns = Counter(looks.at(int(i)).turn for i in sample)
    turn, votes = turns.most_common(1)[0]
    return turn if votes * 2 > len(sample) else 0


def _turned(glyphs: Glyphs, turn: int, width: float, height: float) -> Glyphs:
    x0, top, x1, bottom = glyphs[1:]
    if turn == 1:
        return Glyphs(glyphs.text, top, width - x1, bottom, width - x0)
    if turn == 2:
        return Glyphs(glyphs.text, width - x1, height - bottom, width - x0, height - top)
    return Glyphs(glyphs.text, height - bottom, x0, height - top, x1)


def _base_lines(looks: Looks, indexes: list[int], turn: int, marks: PageMarks) -> list[float]:
    """The base line of the character at each index, on the page as it is read (after turning)."""
    x, y = looks.origins(indexes)
    if turn == 1:
        y = marks.height - x  # the turned page is as high as the page was wide
    elif turn == 2:
        y = marks.height - y
    elif turn == 3:
        y = x
    lines: list[float] = y.tolist()
    return lines


def turn_box(
    box: tuple[float, float, float, float], turn: int, width: float, height: float
) -> tuple[float, float, float, float]:
    """A box of a page of this size, seen after the page is turned against `turn` quarter turns of its text."""
    x0, top, x1, bottom = box
    if turn == 1:
        return top, width - x1, bottom, width - x0
    if turn == 2:
        return width - x1, height - bottom, width - x0, height - top
    if turn == 3:
        return height - bottom, x0, height - top, x1
    return box


def _turned_rules(
    across: list[Rule], down: list[Rule], turn: int, width: float, height: float
) -> tuple[list[Rule], list[Rule]]:
    """Level and upright rules after the page is turned."""
    levels: list[Rule] = []
    uprights: list[Rule] = []
    for box in [(r.start, r.at, r.end, r.at) for r in across] + [(r.at, r.start, r.at, r.end) for r in down]:
        x0, top, x1, bottom = turn_box(box, turn, width, height)
        if x1 - x0 >= bottom - top:
            levels.append(Rule(top, x0, x1))
        else:
            uprights.append(Rule(x0, top, bottom))
    return levels, uprights


def turn_page(marks: PageMarks, turn: int) -> None:
    """Turn everything already read so that sideways text reads from left to right."""
    width, height = marks.width, marks.height
    marks.across, marks.down = _turned_rules(marks.across, marks.down, turn, width, height)
    light = _turned_rules(marks.light_across, marks.light_down, turn, width, height)
    marks.light_across, marks.light_down = light
    marks.fills = [Fill(*turn_box(f[:4], turn, width, height), dark=f.dark, color=f.color) for f in marks.fills]
    marks.pictures = [turn_box(b, turn, width, height) for b in marks.pictures]
    marks.graphics = [turn_box(b, turn, width, height) for b in marks.graphics]
    marks.links = [turn_box(b, turn, width, height) for b in marks.links]
    marks.turn = turn
    if turn % 2:
        marks.width, marks.height = height, width


def _without_guesses(codes: Any, glyphs: Glyphs, kept: Any, looks: Looks) -> Glyphs:
    """Digits whose font does not name them are guesses from their codes: they lose their names."""
    digits = kept[(codes[kept] >= 0x30) & (codes[kept] <= 0x39)].tolist()
    guessed = [index for index, unmapped in zip(digits, looks.unmapped(digits), strict=True) if unmapped]
    if not guessed:
        return glyphs
    text = list(glyphs.text)
    for index in guessed:
        text[index] = _NAMELESS
    return glyphs._replace(text="".join(text))


def _spelt_out(codes: Any, glyphs: Glyphs) -> Any:
    """For each character, whether it and the next are one glyph that stands for both: ff, tt.

    Letters drawn twice to look bold are doubled one after the other; such a glyph stands alone among others.
    """
    same = (codes[1:] == codes[:-1]) & (codes[1:] > 0x40) & (codes[1:] < 0x250)
    for edge in glyphs[1:]:
        same &= np.abs(np.diff(edge)) < _SAME_BOX
    alone = same.copy()
    for distance in (1, 2):
        alone[distance:] &= ~same[:-distance]
        alone[:-distance] &= ~same[distance:]
    return np.append(alone, False)


def _undouble(codes: Any, glyphs: Glyphs, kept: Any, spelt: Any) -> Any:
    """Drop characters drawn again at the same place, or a shadow's breadth beside it."""
    names = codes[kept].astype(np.int64) << 40
    across = np.clip(glyphs.x0[kept] * 8, 0, _WIDEST).astype(np.int64)
    for shift in (0.0, 0.5):  # the edge of a band of heights may part the two; of another set of bands it does not
        bands = np.clip(glyphs.bottom[kept] / _BAND + shift, 0, _WIDEST).astype(np.int64)
        at = kept[np.argsort(names | bands << 20 | across)]  # one key sorts three times faster than three
        wide, high = glyphs.x1[at[1:]] - glyphs.x0[at[1:]], glyphs.bottom[at[1:]] - glyphs.top[at[1:]]
        same = (
            (codes[at[1:]] == codes[at[:-1]])
            & (np.abs(np.diff(glyphs.bottom[at])) < _SHADOW_RISE * high)
            & (np.abs(np.diff(glyphs.x0[at])) < _SHADOW_SHIFT * np.maximum(0.5, wide))
            & ~((np.abs(np.diff(at)) == 1) & spelt[np.minimum(at[1:], at[:-1])])
        )
        if same.any():
            kept = np.sort(np.concatenate((at[:1], at[1:][~same])))
            return _undouble(codes, glyphs, kept, spelt)
    return kept


def _cut(glyphs: Glyphs, kept: Any, looks: Looks, marks: PageMarks, turn: int) -> None:
    x0, x1, top, bottom = glyphs.x0[kept], glyphs.x1[kept], glyphs.top[kept], glyphs.bottom[kept]
    height = np.maximum(bottom - top, 1.0)
    gap = x0[1:] - x1[:-1]
    tall = np.maximum(height[1:], height[:-1])
    cut = (
        (np.diff(kept) > 1)
        | (gap > _GAP * tall)
        | (gap < -_BACK * tall)
        | (np.abs(np.diff(bottom)) > _RISE * np.minimum(height[1:], height[:-1]))
    )
    starts = np.concatenate(([0], np.flatnonzero(cut) + 1))
    ends = np.concatenate((starts[1:], [len(kept)]))
    sides = [np.minimum.reduceat(x0, starts), np.minimum.reduceat(top, starts)]
    sides += [np.maximum.reduceat(x1, starts), np.maximum.reduceat(bottom, starts)]
    firsts = kept[starts].tolist()
    bases = _base_lines(looks, firsts, turn, marks)
    x, y = (sides[0] + sides[2]) / 2, (sides[1] + sides[3]) / 2
    inside = ((x >= -1) & (x <= marks.width + 1) & (y >= -1) & (y <= marks.height + 1)).tolist()
    boxes = zip(*(side.tolist() for side in sides), strict=True)
    columns = zip(firsts, (ends - starts).tolist(), boxes, bases, inside, looks.many(firsts), strict=True)
    page_text = glyphs.text
    seen: list[tuple[Word, Look]] = []
    for first, length, box, line, on_page, look in columns:
        # Characters of a word follow each other: a gap in their numbers ended the word.
        text = page_text[first : first + length]
        if look.unmapped or not text.isascii() or "\x02" in text:
            text = _named(text, first, look, looks, marks)
        if look.slanted or not on_page:
            marks.hidden += length
            continue
        size = look.size or (box[3] - box[1]) * 0.85
        word = Word(text, box, line, size, look.bold, look.italic, (look.turn - turn) % 4)
        seen.append((word, look))
    visible = _visible(seen, marks)
    sideways = [w for w in visible if w.turn]
    marks.words.extend([w for w in visible if not w.turn] if sideways else visible)
    if sideways:
        marks.words.extend(_join_sideways(sideways))


def _named(text: str, first: int, look: Look, looks: Looks, marks: PageMarks) -> str:
    """A word with its ligatures taken apart; characters without a name stay visibly nameless."""
    if look.unmapped or _NAMELESS in text or looks.unmapped([first])[0]:
        unmapped = looks.unmapped(list(range(first, first + len(text))))
        text = "".join(_NAMELESS if lost else char for char, lost in zip(text, unmapped, strict=True))
        marks.unmapped += text.count(_NAMELESS)
    return text.translate(_LIGATURES)


def _visible(seen: list[tuple[Word, Look]], marks: PageMarks) -> list[Word]:
    """Words a reader sees; what is hidden is counted, unless it is all there is (the text layer of a scanned page)."""
    if not any(look.white or look.invisible for _, look in seen):
        return [word for word, _ in seen]
    layer = sum(len(w.text) for w, look in seen if look.invisible) * 2 > sum(len(w.text) for w, _ in seen)
    backgrounds = [f[:4] for f in marks.fills if f.dark] + marks.pictures + marks.graphics
    out = []
    for word, look in seen:
        x, y = (word.x0 + word.x1) / 2, (word.top + word.bottom) / 2
        white = look.white and not any(b[0] - 1 <= x <= b[2] + 1 and b[1] - 1 <= y <= b[3] + 1 for b in backgrounds)
        if white or (look.invisible and not layer):
            marks.hidden += len(word.text)
        else:
            out.append(word)
    return out


def _join_sideways(words: list[Word]) -> list[Word]:
    """Characters that run up or down beside upright text, joined into words in their own direction."""
    out: list[Word] = []
    for word in words:
        last = out[-1] if out else None
        if (
            last is not None
            and last.turn == word.turn
            and min(last.x1, word.x1) - max(last.x0, word.x0) > 0.5 * (word.x1 - word.x0)
        ):
            gap = word.top - last.bottom if word.turn == 1 else last.top - word.bottom
            if -1.0 <= gap <= 0.8 * word.size:
                last.text += word.text if gap < 0.2 * word.size else " " + word.text
                last.x0, last.top = min(last.x0, word.x0), min(last.top, word.top)
                last.x1, last.bottom = max(last.x1, word.x1), max(last.bottom, word.bottom)
                continue
        out.append(word)
    return out
