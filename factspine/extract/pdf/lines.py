"""Words to lines, and lines to runs: words that a reader takes as one phrase because no column gap parts them."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Sequence

from factspine.extract.pdf.marks import AFTER_NUMBER, APART_BEFORE, BEFORE_NUMBER, CURRENCIES, Rule, Word, kind_of

_SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_RUN_GAP = 0.9  # of the type size; wider white space parts two phrases unless something says otherwise
_NUMBER_GAP = 0.42  # two numbers side by side are two cells at much less
_TIGHT_GAP = 0.2
_SIGN_GAP = 0.4  # a sign further off its number is a dash for no number
_FIGURE_GAP = 0.45  # words and a figure: wider than any space, and wider than the spaces of their line
_FIGURE_STEP = 1.6
_MARK_GAP = 0.45
_SUNK = 0.45  # of the type size: lines of one text stand further apart
_PHRASE_MAX = 12  # words: no figure and no date has more
_GROUP = re.compile(r"\d{3}(?:[.,]\d+)?[)%*]*")
_AMOUNT = re.compile(r"[-+(−–]?[$€£]?(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+\.\d+)[)%]?")
_WHOLE = re.compile(r"[-−–+]?[(（]?[-−–]?[$€£¥]?\d{1,3}(?:,\d{3})+(?:\.\d+)?%?[)）]?")
_GROUP_HEAD = re.compile(r"[-+(−–]?[$€£]?\d{1,3}(?: \d{3})*")
_CJK = re.compile(r"[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef\u3000-\u30ff]")


class Run:
    """Words of one line that belong together; the smallest thing a cell can be made of."""

    __slots__ = ("_text", "words")

    def __init__(self, words: list[Word]) -> None:
        self.words = words
        self._text: str | None = None

    @property
    def x0(self) -> float:
        return self.words[0].x0

    @property
    def x1(self) -> float:
        return max(w.x1 for w in self.words[-2:])

    @property
    def top(self) -> float:
        return min(w.top for w in self.words)

    @property
    def bottom(self) -> float:
        return max(w.bottom for w in self.words)

    @property
    def text(self) -> str:
        if self._text is None:
            self._text = join_words(self.words)
        return self._text

    @property
    def kind(self) -> str:
        return kind_of(self.text)

    @property
    def length(self) -> int:
        """How many words a reader counts; Chinese is written without spaces."""
        count = len(self.words)
        return count if self.text.isascii() else count + len(_CJK.findall(self.text)) * 2 // 5

    def __repr__(self) -> str:
        return f"Run({self.text!r}, {self.x0:.0f}-{self.x1:.0f})"


class Line:
    """Runs with one base line, left to right."""

    __slots__ = ("base", "bottom", "runs", "size", "top", "words", "x0", "x1")

    def __init__(self, words: list[Word], downs: Sequence[Rule] = ()) -> None:
        words.sort(key=lambda w: w.x0)
        self.words = words
        big = max(words, key=lambda w: (w.size, w.x1 - w.x0))
        self.base = big.base
        self.size = big.size
        self.top = min(w.top for w in words)
        self.bottom = max(w.bottom for w in words)
        self.x0 = words[0].x0
        self.x1 = max(w.x1 for w in words)
        self.runs = split_runs(words, downs)

    @property
    def text(self) -> str:
        return " ".join(run.text for run in self.runs)

    def __repr__(self) -> str:
        return f"Line({self.top:.0f}, {self.runs})"


def build_lines(words: Iterable[Word], downs: Sequence[Rule] = ()) -> list[Line]:
    """Lines from top to bottom. Small raised or lowered words belong to the line they touch."""
    upright = sorted((w for w in words if not w.turn), key=lambda w: w.base)
    groups: list[list[Word]] = []
    anchors: list[tuple[float, float]] = []  # base line and size of each group's reference word
    for word in upright:
        if groups and abs(word.base - anchors[-1][0]) <= 0.3 * min(word.size, anchors[-1][1]):
            groups[-1].append(word)
            if word.size > anchors[-1][1]:
                anchors[-1] = (word.base, word.size)
        else:
            groups.append([word])
            anchors.append((word.base, word.size))
    _attach_marks(groups, anchors)
    lines = [Line(group, downs) for group in groups if group]
    lines.sort(key=lambda line: (line.base, line.x0))
    return _with_sunk_labels(lines, downs)


def _with_sunk_labels(lines: list[Line], downs: Sequence[Rule]) -> list[Line]:
    """A raised mark pushes the label it stands beside below the figures of its row, which stay where they were."""
    out: list[Line] = []
    for line in lines:
        if out and line.base - out[-1].base < _SUNK * line.size and _is_row(out[-1], line):
            out[-1] = Line(out[-1].words + line.words, downs)
        else:
            out.append(line)
    return out


def _is_row(upper: Line, lower: Line) -> bool:
    """Whether of two lines that overlap one holds figures only and the other one phrase left of them all."""
    label, figures = (upper, lower) if upper.x0 < lower.x0 else (lower, upper)
    return (
        len(label.runs) == 1
        and label.runs[0].kind == "t"
        and label.x1 < figures.x0
        and all(run.kind in "nd" for run in figures.runs)
    )


def _attach_marks(groups: list[list[Word]], anchors: list[tuple[float, float]]) -> None:
    """Move raised and lowered marks into the line of the word they stand beside."""
    for index, group in enumerate(groups):
        if len(group) > 12:
            continue
        for other in (index + 1, index - 1):
            if not 0 <= other < len(groups) or not groups[other]:
                continue
            base, size = anchors[other]
            rise = base - anchors[index][0]
            if not -0.35 * size < rise < 0.75 * size:
                continue
            moved = [w for w in group if w.size < 0.85 * size and _touches(w, groups[other])]
            if moved:
                groups[other].extend(moved)
                group[:] = [w for w in group if w not in moved]


def _touches(mark: Word, words: list[Word]) -> bool:
    # A space may part a mark from its word; spaces are as wide as the word's type is large.
    return any(min(abs(mark.x0 - w.x1), abs(w.x0 - mark.x1)) <= _MARK_GAP * w.size for w in words if w.size > mark.size)


def split_runs(words: list[Word], downs: Sequence[Rule] = ()) -> list[Run]:
    """Part the words of a line where a column gap or a vertical rule parts them."""
    runs: list[list[Word]] = [[words[0]]]
    middle = (words[0].top + words[0].bottom) / 2
    walls = [rule.at for rule in downs if rule.start <= middle <= rule.end]
    space: float | None = None  # measured only for lines with wide gaps
    for word in words[1:]:
        last = runs[-1][-1]
        gap = word.x0 - last.x1
        if space is None and gap > _FIGURE_GAP * min(last.size, word.size):
            space = _word_space(words)
        walled = walls and gap > -1 and any(last.x1 - 1.5 <= x <= word.x0 + 1.5 for x in walls)
        if walled or _parts(runs[-1], word, gap, space or 0.0):
            runs.append([word])
        else:
            runs[-1].append(word)
    return _gather_signs([Run(group) for group in runs])


def _word_space(words: list[Word]) -> float:
    """How wide a space between two words of a line is; lines set to a measure stretch it."""
    gaps = sorted(
        b.x0 - a.x1
        for a, b in itertools.pairwise(words)
        if 0 < b.x0 - a.x1 <= _RUN_GAP * b.size and not (a.text[-1].isdigit() or b.text[:1].isdigit())
    )
    return gaps[len(gaps) // 2] if gaps else 0.0


def _parts(run: list[Word], word: Word, gap: float, space: float) -> bool:
    last = run[-1]
    size = min(last.size, word.size)
    if gap > _RUN_GAP * size:
        return True
    if word.text in CURRENCIES and kind_of(last.text) in "nd":
        return True
    # A closing bracket hangs out of its column, so less white is left after it.
    least = _TIGHT_GAP if last.text.endswith(")") or _are_amounts(last.text, word.text) else _NUMBER_GAP
    if gap <= least * size or last.text in APART_BEFORE or word.text in AFTER_NUMBER:
        return False
    right = kind_of(word.text)
    wide = gap > _FIGURE_GAP * size
    if right == "t" and not wide:
        return False
    apart = wide and gap > _FIGURE_STEP * space
    left = kind_of(join_words(run)) if len(run) <= _PHRASE_MAX else "t"
    if apart and (left == "p" or right == "p"):
        return True  # a date ends or begins here, and with it another header
    if right == "t":
        return False
    if left == "t" or kind_of(last.text) == "t":
        return right == "n" and apart and _is_amount(word.text)
    return not (_GROUP.fullmatch(word.text) and _GROUP_HEAD.fullmatch(join_words(run)) and gap < 0.6 * size)


def _are_amounts(left: str, right: str) -> bool:
    """Whether two figures are amounts, one with its thousands apart: however near each other, they are two cells."""
    return ("," in left or "," in right) and all(map(_AMOUNT.fullmatch, (left, right)))


def _is_amount(text: str) -> bool:
    """Whether a figure is written like an amount rather than like the number of a note or a day."""
    return len(text) > 3 and any(c in text for c in ",.(%") and text[-1] not in ".,"


def _gather_signs(runs: list[Run]) -> list[Run]:
    """Currency signs, brackets and percent signs in columns of their own go to their number."""
    out: list[Run] = []
    for run in runs:
        if out:
            last = out[-1]
            gap = run.x0 - last.x1
            size = run.words[0].size
            reach = _reach(last.text)
            joins_before = (
                last.text in BEFORE_NUMBER and kind_of(run.text.rstrip(")")) in ("n", "d") and gap < reach * size
            )
            joins_after = run.text in AFTER_NUMBER and kind_of(last.text.lstrip("(")) in ("n", "d") and gap < 2.5 * size
            if joins_before or joins_after:
                out[-1] = Run(last.words + run.words)
                continue
        out.append(run)
    return out


def _reach(sign: str) -> float:
    """How far before its number, in type sizes, a sign may stand: a currency stands at the edge of a wide column."""
    if sign in CURRENCIES:
        return 24.0
    return 6.0 if sign in APART_BEFORE else _SIGN_GAP


def join_words(words: Sequence[Word]) -> str:
    """The text of words on one line as a reader says it: spaces where they show, raised figures as raised figures."""
    if len(words) == 1:
        return words[0].text
    parts = [words[0].text]
    for last, word in itertools.pairwise(words):
        text = word.text
        small = 0.85 * last.size
        if word.size < small and word.base < last.base - 0.12 * last.size and text.isascii() and text.isdigit():
            text = text.translate(_SUPERSCRIPTS)
            parts.append(text)
            continue
        gap = word.x0 - last.x1
        if gap > 0.12 * min(last.size, word.size) and not _tight(last.text, text, gap, word.size):
            parts.append(" ")
        parts.append(text)
    return "".join(parts)


def _tight(left: str, right: str, gap: float, size: float) -> bool:
    """Chinese needs no space between its characters; a sign that stands alone belongs to its number."""
    if (left in BEFORE_NUMBER and not right[0].isalpha()) or right in AFTER_NUMBER:
        return True
    if left.isascii() and right.isascii():
        return False
    return bool(gap < 0.6 * size and (_CJK.match(left[-1]) or _CJK.match(right[0])))


def breaks_off(texts: Sequence[str], *, narrow: bool = False) -> bool:
    """Whether the lines of a cell are one figure that was too long for it: `1,234,` over `567.89`.

    They are one written as it should be when put together, and one of them alone is none; in a table known to be too
    narrow for its figures, the last decimals may be all that is left for the second line.
    """
    if len(texts) < 2 or "," not in texts[0] or not all(text[0] in "0123456789.,)" for text in texts[1:]):
        return False
    cut = narrow and "." in texts[0] and "".join(texts[1:]).isdigit()
    if _WHOLE.fullmatch(texts[0]) and texts[1][0] not in ".,)" and not cut:
        return False
    return _WHOLE.fullmatch("".join(texts)) is not None


def join_lines(texts: Sequence[str], *, unhyphenate: bool = False) -> str:
    """The text of stacked lines; Chinese is joined without a space.

    A hyphen at the end of a line is kept in cells, which must read as they stand, and undone in prose.
    """
    if breaks_off(texts):
        return "".join(texts)
    out = ""
    for text in texts:
        if not out:
            out = text
        elif unhyphenate and out.endswith("-") and len(out) > 1 and out[-2].isalpha() and text[:1].islower():
            out = out[:-1] + text
        elif out.endswith("-") or (_CJK.match(out[-1]) and _CJK.match(text[:1])):
            out += text
        else:
            out = f"{out} {text}"
    return out
