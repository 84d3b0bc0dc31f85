"""Which texts of a slide speak for which of its tables: captions, unit lines, footnotes.

A caption belongs to the nearest table. A unit line belongs to the nearest table, and to all of them where the slide
has only one such line. A footnote or source line belongs to all. Body text is prose, not context.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import NamedTuple

from factspine.core.tables import Box, ContextRole, ContextText, Item, RawTable
from factspine.extract.pptx.text import Paragraph

_SHORT = 120  # characters of a line that can be a caption; a Chinese one says as much in half of them
_FRAME_LINES = 3  # a frame of more lines is body text
_CAPTION_DISTANCE = 90.0  # points: an inch and a quarter
_TOUCH = 4.0  # points by which boxes of neighbours may overlap
_UNIT = re.compile(
    r"单位|單位|货币|貨幣|币种|幣種"
    r"|\bunits?\s*[:：]|\bcurrency\b|\bexpressed in\b|\bamounts? in\b"
    r"|\bin\s+(?:thousand|million|billion|percent|per cent|%|\d|US\$|HK\$|RMB|CNY|USD|HKD|EUR|GBP|€|£|\$|¥)"
    r"|^[(（\[]?\s*(?:US\$|HK\$|NT\$|S\$|A\$|RMB|CNY|USD|HKD|EUR|GBP|SGD|JPY|€|£|\$|¥|%|人民币|人民幣|港币|港幣|美元|[百千十]?[万萬亿億千]?[港美日欧歐]?元)"
    r"\s*(?:'?000s?|m|mn|bn|k|million|billion|thousand|[百千十]?[万萬亿億]元?)?\s*[)）\]]?$",
    re.IGNORECASE,
)
_NOTE = re.compile(
    r"(?:notes?|source|sources|remarks?|n\.b\.|注|註|备注|備註|来源|來源|数据来源|資料來源|说明|說明|\*|†|[\[(（]\d[\])）])",
    re.I,
)
# Figures make a line a message ("Hong Kong: +12%", "sales up to HK$ 1.3bn"), which is about them and no caption.
_FIGURE = re.compile(
    r"(?<![\w(])[+−±-]\d(?!\d{3}(?!\d))|\d\s*(?:%|％|pp\b|bps\b|个百分点|個百分點)|(?:US\$|HK\$|RMB|[$€£¥])\s?\d"
    r"|\d\s*(?:million|billion|bn|mn|[mk])\b|\d\s*[万萬亿億]",
    re.IGNORECASE,
)
_MARKED = re.compile(r"[*†‡#¹²³⁴-⁹⁽]|[\[(（]?\d{1,2}[\])）.]\s*\D|[\[(（][a-z][\])）]")
_ABOUT_ALL = re.compile(
    r"\b(?:all|amounts?|figures|numbers|values?|unless|otherwise|expressed|stated)\b|单位|單位|金额|金額|数据|數據|均|币种|幣種",
    re.I,
)


class Frame(NamedTuple):
    """A text frame of a slide: its number as a shape, its place, its paragraphs."""

    number: int
    box: Box | None
    placeholder: str | None  # the placeholder's type; "" for an ordinary one, None for a free text box
    paragraphs: list[Paragraph]
    slot: str = ""  # by which a placeholder is known to the slide's layout


class Line(NamedTuple):
    """A short text that may speak for a table."""

    role: ContextRole
    text: str
    locator: str
    box: Box | None


def lines_of(frames: list[Frame], slide: str) -> list[Line]:
    """The lines of a slide that are short enough to be captions, unit lines or notes, titles left out."""
    found = []
    for frame in frames:
        if frame.placeholder in ("title", "ctrTitle", "sldNum", "dt", "ftr") or len(frame.paragraphs) > _FRAME_LINES:
            continue
        for paragraph in frame.paragraphs:
            if len(paragraph.text) <= _SHORT and (role := _role(paragraph.text)) is not None:
                locator = f"{slide},shape={frame.number},para={paragraph.number}"
                found.append(Line(role, paragraph.text, locator, frame.box))
    return found


def _role(text: str) -> ContextRole | None:
    if _MARKED.match(text) and not _ABOUT_ALL.search(text):
        return "note"  # a footnote speaks of what bears its mark
    if _NOTE.match(text):
        # "Note: in HK$ million" is a unit line that calls itself a note.
        return "unit_note" if len(text) <= _SHORT // 2 and _UNIT.search(text) else "note"
    if _UNIT.search(text):
        return "unit_note"
    return None if _FIGURE.search(text) else "caption"


def assign(lines: list[Line], boxes: list[Box | None]) -> list[list[ContextText]]:
    """For each table (by its box) the lines that speak for it."""
    only_unit_line = sum(line.role == "unit_note" for line in lines) == 1
    assigned: list[list[ContextText]] = [[] for _ in boxes]
    for line in lines:
        for_all = line.role == "note" or (line.role == "unit_note" and (only_unit_line or len(boxes) == 1))
        owners = list(range(len(boxes))) if for_all else _nearest(line, boxes)
        for owner in owners:
            assigned[owner].append(ContextText(role=line.role, text=line.text, locator=line.locator))
    return assigned


def told_apart(items: list[Item]) -> list[Item]:
    """Tables of one slide; those alike in their labels are told apart by their captions, if these are all unlike."""
    groups: dict[frozenset[str], list[RawTable]] = {}
    for item in items:
        if isinstance(item, RawTable):
            names = frozenset(cell.text for cell in item.cells if cell.col == item.left and cell.row > item.top)
            if len(names) > 1:
                groups.setdefault(names, []).append(item)
    found: dict[int, RawTable] = {}
    for alike in groups.values():
        captions = [_caption(table) for table in alike]
        texts = {caption.text for caption in captions if caption is not None}
        if len(alike) > 1 and len(texts) == len(alike) and _share_heads(alike):
            for table, caption in zip(alike, captions, strict=True):
                if caption is not None:
                    found[id(table)] = replace(table, context=(*table.context, replace(caption, role="apart")))
    return [found.get(id(item), item) if isinstance(item, RawTable) else item for item in items]


def _caption(table: RawTable) -> ContextText | None:
    if table.kind == "chart" and table.title:
        return ContextText(role="caption", text=table.title, locator=table.locator)
    near = [text for text in table.context if text.role in ("caption", "unit_note")]
    return min(near, key=lambda text: text.role != "caption", default=None)


def _share_heads(tables: list[RawTable]) -> bool:
    heads = [{cell.text for cell in table.cells if cell.row == table.top and cell.col > table.left} for table in tables]
    return bool(set.intersection(*heads))


def _nearest(line: Line, boxes: list[Box | None]) -> list[int]:
    if line.box is None:
        return []
    gaps = [(_gap(line.box, box), number) for number, box in enumerate(boxes) if box is not None]
    if not gaps:
        return []
    gap, owner = min(gaps)
    box = boxes[owner]
    if line.role == "caption" and box is not None:
        # What stands inside or beside a chart is a label of a part of it; a caption is above it. Below stand dates of
        # printing, rights and numbers of pages.
        above = line.box[3] <= box[1] + _TOUCH or (line.box[1] < box[1] and line.box[3] < box[3])
        if gap > _CAPTION_DISTANCE or not above:
            return []
    return [owner]


def _gap(first: Box, second: Box) -> float:
    """The distance between two boxes, 0 where they touch."""
    across = max(second[0] - first[2], first[0] - second[2], 0.0)
    down = max(second[1] - first[3], first[1] - second[3], 0.0)
    return across + down
