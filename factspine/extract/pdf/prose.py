"""Lines of prose to paragraphs and headings, and the section each stands in."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from factspine.extract.pdf.lines import Line, join_lines
from factspine.extract.pdf.marks import letters_in

_BULLET = re.compile(
    r"(?:[•●▪■◦▶➢❖✓*·]|[-–—]\s|\(?(?:\d{1,2}|[a-z]|[ivx]{1,4})[.)]\s|[（(][一二三四五六七八九十\d]{1,3}[)）]|[一二三四五六七八九十]{1,3}、|\d{1,2}[、．])"
)
_CJK = re.compile(r"[\u2e80-\u9fff]")
_NUMBERED = (
    re.compile(
        r"第[一二三四五六七八九十百\d]+[章节節部分]|part\s+[IVX\d]+\b|item\s+\d+[A-Z]?\b|chapter\s+\d+|附录|appendix\b",
        re.I,
    ),
    re.compile(r"[一二三四五六七八九十]{1,3}\s*、|\d{1,2}\.?\s+(?=[A-Z])"),
    re.compile(r"[（(][一二三四五六七八九十]{1,3}[)）]|\d{1,2}\.\d{1,2}\.?(?!\d)"),
    re.compile(r"\d{1,3}\s*[、．.]\s*(?=[\u4e00-\u9fff])|\d{1,2}\.\d{1,2}\.\d{1,2}"),
    re.compile(r"[（(]\d{1,2}[)）]"),
)
_SENTENCE_END = ("。", ".", "；", ";", "，", ",", "！", "?", "？")
_HEADING_MAX = 110
_BULLETS = frozenset("•●▪■◦▶➢❖✓*·–—-")
_DEPTH_MAX = 6
_PAGES_HEADED = 12
_NEAREST = 4


class Paragraph:
    """Lines that are read as one, with the looks that tell a heading from a text."""

    __slots__ = ("bold", "heading", "lines", "locator", "size", "text")

    def __init__(self, lines: list[Line]) -> None:
        self.lines = lines
        self.text = join_lines([line.text for line in lines], unhyphenate=True)
        self.size = max(line.size for line in lines)
        letters = [(w.bold, len(w.text)) for line in lines for w in line.words]
        self.bold = sum(n for bold, n in letters if bold) * 2 > sum(n for _, n in letters)
        self.heading = False
        self.locator = ""


def body_size(regions: Sequence[Sequence[Line]], fallback: float) -> float:
    """The type size most of a page's prose is set in."""
    sizes: Counter[float] = Counter()
    for region in regions:
        for line in region:
            sizes[round(line.size * 2) / 2] += sum(len(w.text) for w in line.words)
    if not sizes or sum(sizes.values()) < 200:
        return fallback or (sizes.most_common(1)[0][0] if sizes else 0.0)
    return sizes.most_common(1)[0][0]


def paragraphs_of(region: Sequence[Line], normal: float) -> list[Paragraph]:
    """Paragraphs of one region of a page, headings marked."""
    if not region:
        return []
    pitches = sorted(b.base - a.base for a, b in itertools.pairwise(region) if 0 < b.base - a.base < 3 * b.size)
    pitch = pitches[len(pitches) // 3] if pitches else 0.0
    left, right = min(li.x0 for li in region), max(li.x1 for li in region)
    groups: list[list[Line]] = [[region[0]]]
    for last, line in itertools.pairwise(region):
        if _breaks(last, line, pitch, left, right):
            groups.append([line])
        else:
            groups[-1].append(line)
    out = [Paragraph(group) for group in groups]
    for paragraph in out:
        paragraph.heading = _is_heading(paragraph, normal)
    return out


def _bold(line: Line) -> bool:
    return all(w.bold for w in line.words)


def _breaks(last: Line, line: Line, pitch: float, left: float, right: float) -> bool:
    step = line.base - last.base
    if step <= 0 or step > max(1.3 * pitch, 1.35 * line.size) or abs(line.size - last.size) > 0.12 * line.size:
        return True
    if len(line.runs) > 1 or len(last.runs) > 1 or _bold(line) != _bold(last):
        return True
    if _BULLET.match(line.text):
        return True
    if _CJK.search(last.text[-1:]) and last.x1 < right - 2.5 * line.size:
        return True  # Chinese lines are full unless they end something
    indented = line.x0 > left + 1.2 * line.size and line.x0 > last.x0 + 1.0 * line.size
    short = last.x1 < right - 6 * line.size
    return indented and (short or last.text.endswith(("。", ".", "：", ":", "；")))


def numbering(text: str) -> int:
    """How deep the numbering of a heading puts it; 0 where it has none."""
    for level, pattern in enumerate(_NUMBERED, start=1):
        if pattern.match(text):
            return level
    return 0


def _is_heading(paragraph: Paragraph, normal: float) -> bool:
    text = paragraph.text
    if len(text) > _HEADING_MAX or len(paragraph.lines) > 3 or letters_in(text) < 2 or len(paragraph.lines[0].runs) > 2:
        return False
    if text[0] in _BULLETS:
        return False
    if text.endswith(_SENTENCE_END) and not (paragraph.size > 1.3 * normal):
        return False
    if paragraph.size >= 1.12 * normal:
        return True
    if paragraph.bold:
        return True
    return bool(_CJK.search(text) and numbering(text) and len(text) <= 30 and len(paragraph.lines) == 1)


class Sections:
    """The headings above the place that is being read, outermost first.

    Type sizes lie: a large word in a drawing outranks every heading after it. A chapter therefore ends all that came
    before it, and a heading without a number ends of itself after some pages.
    """

    def __init__(self) -> None:
        self._stack: list[_Heading] = []

    def enter(self, heading: Paragraph, page: int) -> None:
        entry = _Heading(numbering(heading.text), heading.size, heading.bold, heading.text, heading.locator, page)
        if entry.level == 1:
            self._stack.clear()
        self._stack = [e for e in self._stack if e.level or page - e.page <= _PAGES_HEADED]
        while self._stack and not _outranks(self._stack[-1], entry):
            self._stack.pop()
        self._stack.append(entry)
        del self._stack[:-_DEPTH_MAX]

    @property
    def path(self) -> tuple[str, ...]:
        return tuple(entry.text for entry in self._stack)

    def places(self, page: int) -> list[tuple[str, str]]:
        """Text and place of the nearest headings, for what they say about a table on this page."""
        near = [e for e in self._stack if e.level or page - e.page <= _PAGES_HEADED]
        return [(e.text, e.locator) for e in near[-_NEAREST:]]


class _Heading(NamedTuple):
    level: int
    size: float
    bold: bool
    text: str
    locator: str
    page: int


def _outranks(upper: _Heading, lower: _Heading) -> bool:
    if upper.level and lower.level:
        return upper.level < lower.level
    if abs(upper.size - lower.size) > 0.05 * lower.size:
        return upper.size > lower.size
    if bool(upper.level) != bool(lower.level):
        return bool(upper.level)
    return upper.bold and not lower.bold
