"""Texts beside a table that say what it is: caption, statement name, date, unit line, notes below it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from factspine.core.tables import ContextRole, ContextText
from factspine.extract.pdf.lines import Line, join_lines
from factspine.extract.pdf.phrases import CAPTION, NOTE, is_preparer_line
from factspine.extract.pdf.prose import Paragraph
from factspine.extract.pdf.shapes import Found

_UNIT = re.compile(
    r"单位|單位|币种|幣種|币别|幣別|货币|人民币(?:百万|千|万)?元"
    r"|\b(?:in|expressed in)\s+(?:\w+\s+)?(?:thousand|million|billion)|\b(?:thousands|millions|billions)\b"
    r"|except (?:per|share|where)|[$€£¥][’']?\s?(?:000|m\b|million|bn)|\bRMB[’']?\s?(?:000|million)"
    r"|\bin\s+(?:%|percent|per cent|US\$|HK\$|RMB|EUR|USD)",
    re.I,
)
_LINES_MAX = 7
_LONG = 150
_SHORT = 70
_FLUSH = 8.0
_PHRASES_MAX = 3  # of a title, a period and a unit on one line
_UNIT_LENGTH = 90
_SENTENCE_MAX = 280
_SENTENCE_END = re.compile(r"(?<=[a-z\d)%]{2}[.;!?])\s+(?=[A-Z])|(?<=[。；！？])")
_STOPS = frozenset(".!?:;。！？：；")
_INTRODUCES = re.compile(r"[:：]$|\b(?:following|below|as follows|table)\b|下表|如下|下列|见下|列示|列載", re.I)


def context_above(table: Found, lines: Sequence[Line], owners: dict[int, Paragraph]) -> tuple[str, list[ContextText]]:
    """The title of a table and the texts above it, from far to near."""
    near = _chain(table, lines)
    texts: list[ContextText] = []
    title: list[str] = []
    rest, sentence = _rest_of_sentence(near, owners)
    if sentence:
        title.append(sentence)
        texts.append(ContextText(role="caption", text=sentence, locator=owners[id(near[0])].locator))
    for number, line in enumerate(near):
        place = owners[id(line)].locator
        for run in line.runs:
            text = run.text
            if is_lost_header(line) and not _UNIT.search(text):
                continue
            if number < rest:
                if sentence and _UNIT.search(text) and len(text) < _UNIT_LENGTH:
                    texts.append(ContextText(role="unit_note", text=text, locator=place))
            elif is_preparer_line(text):
                texts.append(ContextText(role="caption", text=text, locator=place))
            elif _UNIT.search(text) and len(text) < _UNIT_LENGTH and not CAPTION.match(text):
                texts.append(ContextText(role="unit_note", text=text, locator=place))
            else:
                title.append(text)
                if texts and texts[-1].role == "caption" and texts[-1].locator == place:
                    texts[-1] = ContextText(role="caption", text=f"{texts[-1].text} {text}", locator=place)
                else:
                    texts.append(ContextText(role="caption", text=text, locator=place))
    return " ".join(title), texts


def is_lost_header(line: Line) -> bool:
    """Whether a line holds headers that found no column: each speaks of its own, none of the whole table."""
    return len(line.runs) > _PHRASES_MAX


def _rest_of_sentence(near: Sequence[Line], owners: dict[int, Paragraph]) -> tuple[int, str]:
    """How many of the lines above a table are the end of a paragraph, and its last sentence if that leads to the table.

    The end of a sentence that speaks of something else says nothing of the table: `... and fiscal 2009.`
    """
    if not near:
        return 0, ""
    paragraph = owners[id(near[0])]
    lines = paragraph.lines
    first = lines.index(near[0])
    if not first or _ends(lines[first - 1], near[0]):
        return 0, ""  # nothing that goes on: a line of its own
    last = first
    while last + 1 < len(lines) and not _ends(lines[last], lines[last + 1]):
        last += 1
    text = join_lines([line.text for line in lines[: last + 1]], unhyphenate=True)
    sentence = _SENTENCE_END.split(text)[-1]
    told = _INTRODUCES.search(sentence) and len(sentence) < _SENTENCE_MAX
    return last + 1 - first, sentence if told else ""


def _ends(line: Line, below: Line) -> bool:
    """Whether a line ends a sentence and the next one begins anew: a unit in brackets, another sentence."""
    return line.text[-1:] in _STOPS and not below.text[:1].islower()


def _chain(table: Found, lines: Sequence[Line]) -> list[Line]:
    """Lines right above a table that belong to it, from top to bottom."""
    x0, top, x1, _ = table.box
    above = [li for li in lines if li.base <= top + 3 and li.x1 > x0 and li.x0 < x1]
    above.sort(key=lambda li: -li.base)
    taken: list[Line] = []
    edge = top
    for line in above[:_LINES_MAX]:
        gap = edge - line.bottom
        if gap > (2.4 if taken else _first_gap(line, x0)) * line.size:
            break
        if _is_sentence(line, x1 - x0) and not _captioned(above, line):
            break
        taken.append(line)
        edge = line.top
        if CAPTION.match(line.text):
            break
    return taken[::-1]


def _first_gap(line: Line, left: float) -> float:
    """How many times its size a line may stand above a table and still be its title: a short one flush with it more."""
    return 6.0 if abs(line.x0 - left) < _FLUSH and len(line.text) < _SHORT and len(line.runs) == 1 else 3.2


def _captioned(above: Sequence[Line], line: Line) -> bool:
    """Whether a long line is part of a caption that begins at most three lines up."""
    start = next(i for i, li in enumerate(above) if li is line)
    return any(CAPTION.match(li.text) for li in above[start : start + 4])


def _is_sentence(line: Line, width: float) -> bool:
    text = line.text
    if len(line.runs) > 1 or _UNIT.search(text):
        return len(text) > _LONG
    if text.endswith(("。", "；")) or (text.endswith(".") and len(text) > 60):
        return True
    return (
        line.x1 - line.x0 > 0.8 * width
        and (len(line.words) > 9 or len(text) > 45)
        and not all(w.bold for w in line.words)
    )


def context_below(table: Found, lines: Sequence[Line], owners: dict[int, Paragraph]) -> list[ContextText]:
    """Notes right under a table."""
    x0, _, x1, bottom = table.box
    below = sorted((li for li in lines if li.top >= bottom - 3 and li.x1 > x0 and li.x0 < x1), key=lambda li: li.base)
    out: list[ContextText] = []
    edge = bottom
    seen: set[int] = set()
    for line in below[:12]:
        if line.top - edge > 2.2 * line.size:
            break
        paragraph = owners[id(line)]
        if id(paragraph) not in seen and not NOTE.match(line.text):
            break
        if id(paragraph) not in seen:
            role: ContextRole = "note"
            out.append(ContextText(role=role, text=paragraph.text, locator=paragraph.locator))
        seen.add(id(paragraph))
        edge = line.bottom
    return out
