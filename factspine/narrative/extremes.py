"""Who or what is first, last, most or least in a list: the row whose cell is, quoted with the cell that proves it.

`Which project is due earliest?` names a column to compare (Due) and one to answer with (Project). Every row of the list
must have been read and every value of the column understood; where two rows share the place, none is named.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from datetime import date
from decimal import Decimal
from typing import Literal, NamedTuple

from factspine.core.chunks import Chunk, ChunkPart
from factspine.interpret.wording import is_total
from factspine.lexicon.folding import fold
from factspine.lexicon.nonnumbers import null_reason
from factspine.lexicon.numbers import read_number
from factspine.narrative.analyzer import query_words, words
from factspine.narrative.asking import kind_of
from factspine.narrative.cells import FoundCell, lines_of
from factspine.narrative.relevance import Question, forms, head_forms, stem

_CHINESE = re.compile(
    r"最(?:(?P<low>早|短|低|少|小|便宜|近|轻|年轻|年幼)|(?P<high>晚|迟|长|高|多|大|贵|远|重|年长|久))|倒数第一|排名第一"
)
_ENGLISH = re.compile(
    r"\b(?:(?P<low>earliest|shortest|lowest|fewest|least|smallest|cheapest|soonest|youngest)"
    r"|(?P<high>latest|longest|highest|most|largest|biggest|greatest|dearest))\b"
)
_BRACKETS = re.compile(r"\s*[(（\[【][^()（）\[\]【】]*[)）\]】]\s*")
_ISO = re.compile(r"(\d{4})[-/.年](\d{1,2})(?:[-/.月](\d{1,2})日?|月)?")
_SLASHED = re.compile(r"(\d{1,2})/(\d{1,2})/(\d{4})")
_ASKED = re.compile(
    r"(?:哪[一]?[个家位种项份名]?|什么)(?P<chinese>[㐀-鿿]{1,8})|\b(?:which|what)\s+(?P<english>[a-z]+)"
)
_ALL = re.compile(r"\s*(?:(?:all|both|total|overall)\b|全[国部市省县区球院校厂行体员])", re.IGNORECASE)
_ROWS_MIN = 2

Value = date | Decimal
Order = Literal["ymd", "mdy", "dmy"]


class Extreme(NamedTuple):
    """The cell that answers and the one that was compared."""

    answer: FoundCell
    proof: FoundCell


class _Cell(NamedTuple):
    chunk: Chunk
    part: ChunkPart
    text: str


Row = dict[str, _Cell]  # by what heads the cell


def asks_for_extreme(question: str) -> bool:
    """Whether a question has a superlative by which a row may be meant."""
    folded = fold(question).lower()
    return (_CHINESE.search(folded) or _ENGLISH.search(folded)) is not None


def find_extreme(question: Question, chunks: Iterable[Chunk]) -> Extreme | None:
    """The row a superlative means, if one list has exactly one such row."""
    folded = " ".join(fold(question.text).lower().split())
    found = _CHINESE.search(folded) or _ENGLISH.search(folded)
    if found is None or not (found["low"] or found["high"]):
        return None
    tables: dict[tuple[str, str], list[Row]] = defaultdict(list)
    for chunk in chunks:
        if chunk.kind in ("row", "table"):
            tables[chunk.doc_id, chunk.section_id] += _rows(chunk)
    winners = [one for rows in tables.values() if (one := _winner(question, folded, found, rows)) is not None]
    return winners[0] if len(winners) == 1 else None


def _rows(chunk: Chunk) -> list[Row]:
    """The records of a chunk; a line of a form or of headers is none."""
    found = []
    for line in lines_of(chunk):
        cells = [
            _Cell(chunk, part, chunk.text[part.at : part.at + part.end - part.start].strip())
            for part in line
            if part.label
        ]
        row = {" ".join(one.part.label.split()): one for one in cells}
        totals = any(is_total(one.text) for one in cells)
        if len(row) == len(cells) > 1 and not totals and not any(one.text in row for one in cells):
            found.append(row)
    return found


def _winner(question: Question, folded: str, found: re.Match[str], rows: Sequence[Row]) -> Extreme | None:
    labels = list(dict.fromkeys(label for row in rows for label in row))
    compared = _compared(question, folded, found, labels)
    if compared is None or len(rows) < _ROWS_MIN:
        return None
    asked = _asked(question, folded, found, [label for label in labels if label != compared])
    if asked is None:
        return None
    if found.group().isascii():
        rows = _meant(folded, found, (compared, asked), rows)
    held = [
        row
        for row in rows
        if compared in row
        and null_reason(row[compared].text) is None
        and not (asked in row and _ALL.match(row[asked].text))
    ]
    if any(map(str.isdigit, compared)) and len({row[asked].text for row in held if asked in row}) < len(held):
        return None  # a week or a year says not what is measured, and of each there are several figures
    best = _best([row[compared].text for row in held], lowest=bool(found["low"]))
    if best is None or asked not in held[best]:
        return None
    return Extreme(
        *(FoundCell(1.0, 1.0, 1.0, cell.chunk, cell.part) for cell in (held[best][asked], held[best][compared]))
    )


def _meant(folded: str, found: re.Match[str], heads: Sequence[str], rows: Sequence[Row]) -> Sequence[Row]:
    """The rows that have what else a question says: `the highest on-time delivery in week 34`, in a list of measures.

    None, where neither they nor what stands over the list say it.
    """
    said = {stem(word) for head in heads for word in words(_plain(head))} | {stem(found.group())}
    left = {stem(word) for word in query_words(folded)} - said
    chunk = next(cell.chunk for row in rows for cell in row.values())
    above = forms(" ".join((chunk.title, *chunk.section)))
    left = {word for word in left if word not in above and not any(word in forms(label) for label in rows[0])}
    if not left:
        return rows
    return [row for row in rows if left <= frozenset().union(*(forms(cell.text) for cell in row.values()))]


def _compared(question: Question, folded: str, found: re.Match[str], labels: Sequence[str]) -> str | None:
    """The column that is compared: named right before 最, or in English the only one named beside the superlative."""
    if not found.group().isascii():
        before = folded[: found.start()].replace(" ", "")
        named = [label for label in labels if before.endswith(_plain(label))]
        return max(named, key=len, default=None)
    around = {stem(word) for word in words(folded)}
    asked = _ASKED.search(folded)
    head = stem(asked["english"]) if asked is not None and asked["english"] else ""
    named = [
        label
        for label in labels
        if (own := {stem(word) for word in query_words(_plain(label))}) and own <= around and head not in own
    ]
    return named[0] if len(named) == 1 else None


def _asked(question: Question, folded: str, found: re.Match[str], labels: Sequence[str]) -> str | None:
    """The column that answers: named after the superlative, or the only one that such questions are asked of."""
    rest = folded[found.end() :] if not found.group().isascii() else folded
    bare = rest.replace(" ", "")
    named = [label for label in labels if _plain(label).replace(" ", "") in bare]
    if found.group().isascii():
        asked = _ASKED.search(folded)
        named = [label for label in labels if asked is not None and stem(asked["english"] or "") in head_forms(label)]
    if named:
        longest = max(named, key=len)
        return longest if all(label == longest or label in longest for label in named) else None
    kind = kind_of(rest)
    in_kind = [label for label in labels if kind.heads is not None and kind.heads.search(label)]
    return in_kind[0] if len(in_kind) == 1 else None


def _plain(label: str) -> str:
    """A header without its unit in brackets, folded."""
    return (
        _BRACKETS.sub("", fold(label).lower()).replace(" ", "")
        if not label.isascii()
        else _BRACKETS.sub("", label.lower())
    )


def _best(texts: Sequence[str], *, lowest: bool) -> int | None:
    """Which of these values comes first; none where one is not understood, two are equal, or readings disagree."""
    winners: set[int | None] = set()
    readers: tuple[Callable[[str], Value | None], ...] = (_number, _iso, _slashed("mdy"), _slashed("dmy"))
    for reader in readers:
        values = [reader(text) for text in texts]
        if len(values) < _ROWS_MIN or any(value is None for value in values):
            continue
        ranked = sorted(range(len(values)), key=lambda at: values[at], reverse=not lowest)  # type: ignore[arg-type,return-value]
        winners.add(None if values[ranked[0]] == values[ranked[1]] else ranked[0])
    return winners.pop() if len(winners) == 1 else None


def _number(text: str) -> Decimal | None:
    if _ISO.fullmatch(text) or _SLASHED.fullmatch(text):
        return None
    reading = read_number(text)
    return None if reading is None else Decimal(reading.value)


def _iso(text: str) -> date | None:
    found = _ISO.fullmatch(fold(text).replace(" ", ""))
    return _day(int(found[1]), int(found[2]), int(found[3] or 1)) if found else None


def _slashed(order: Order) -> Callable[[str], date | None]:
    def read(text: str) -> date | None:
        found = _SLASHED.fullmatch(text.strip())
        if found is None:
            return None
        first, second, year = map(int, found.groups())
        return _day(year, first, second) if order == "mdy" else _day(year, second, first)

    return read


def _day(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None
