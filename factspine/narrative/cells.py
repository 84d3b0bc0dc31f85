"""The cell a question asks for: the one whose header is asked and whose row is named.

`Who is the contact of Harbour 2?` names a header (contact) and a row (Harbour 2); the answer is the cell where they
meet, quoted as it stands. The words of the answer itself cannot be in the question.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from factspine.core.chunks import Chunk, ChunkPart
from factspine.lexicon.numbers import read_number
from factspine.lexicon.sentences import Span
from factspine.narrative.analyzer import words
from factspine.narrative.asking import Kind, can_answer, is_number, kind_of, says_yes_or_no
from factspine.narrative.relevance import Question, closed_up, forms, head_forms, stem

SURE = 0.5  # of the question's words must be in the cell's header and row
_LEAD = 0.04  # by which the best cell must be better than any that says something else
_HEADER = 1.25  # a word of the header tells more about which cell is meant than a word of the row
_HEADER_MIN = 0.08  # of the question's words must be in the header itself
_WHOLE_HEADER = 0.1
_AROUND = 0.5
_FORM = 0.8  # in a form all rows are about one thing, so that what stands in another row names it nearly as well
_JOINED = 0.08  # words that stand together in the question and here
_NAMED_ROW = 0.1  # where the question says the whole of another cell of the row, that row is meant
_ALONE = 0.8  # of the question's words in the row, where the header is only in kind what is asked for
_IN_KIND = 0.12  # a header that such questions are asked of: `contact` for `who`
_WEAK = 0.35  # characters shared without sharing a word: 厂家 for 厂商
_NAME_CHARACTERS_MIN = 2
_ANSWERS = frozenset({"row", "table"})


class FoundCell(NamedTuple):
    """A cell with how well it fits the question, and how much of the question it accounts for."""

    score: float
    coverage: float
    headed: float  # how much of the question its header and the texts of its row say; of a form, those of all its rows
    chunk: Chunk
    part: ChunkPart

    @property
    def span(self) -> Span:
        """Where the cell's text stands in its chunk."""
        return Span(self.part.at, self.part.at + self.part.end - self.part.start)

    @property
    def text(self) -> str:
        """The cell, as it stands."""
        return self.chunk.text[self.span.start : self.span.end]


class _Around(NamedTuple):
    """What stands around a cell: the words of its table, and the texts that head cells of it."""

    words: frozenset[str]
    heads: frozenset[str]


def find_cells(question: Question, chunks: Iterable[Chunk]) -> list[FoundCell]:
    """Cells of these chunks by how well header and row fit the question, best first."""
    tables: dict[tuple[str, str], list[Chunk]] = defaultdict(list)
    for chunk in chunks:
        if chunk.kind in _ANSWERS:
            tables[chunk.doc_id, chunk.section_id].append(chunk)
    found: list[FoundCell] = []
    for rows in tables.values():
        said = forms(" ".join((*rows[0].section, rows[0].title))).union(*(forms(chunk.text) for chunk in rows))
        around = _Around(said, frozenset(part.label for chunk in rows for part in chunk.parts if part.label))
        found += [cell for chunk in rows for cell in _cells(question, chunk, around)]
    return sorted(found, key=lambda cell: (-cell.score, cell.chunk.chunk_id, cell.part.at))


def the_cell(found: Sequence[FoundCell], sure: float = SURE) -> FoundCell | None:
    """The cell that is meant, if one is and no other is nearly as good; never one that holds a number and no more."""
    if not found or found[0].coverage < sure:
        return None
    best = found[0]
    rival = next((cell for cell in found[1:] if cell.text.strip() != best.text.strip()), None)
    sole = rival is None or best.score - rival.score >= _LEAD
    return best if sole and not is_number(best.text) else None


class _Head(NamedTuple):
    """What heads a cell, and how much its words tell."""

    text: str
    weight: float
    around: float


def _cells(question: Question, chunk: Chunk, around: _Around) -> list[FoundCell]:
    kind = kind_of(question.text)
    said = _bare(question.text)
    found = []
    for line in lines_of(chunk):
        texts = [" ".join(chunk.text[part.at : part.at + part.end - part.start].split()) for part in line]
        for at, (part, text) in enumerate(zip(line, texts, strict=True)):
            if not text or text in around.heads or not can_answer(kind, text, question.text):
                continue
            if _is_given(text, question, kind):
                continue
            row = frozenset[str]().union(*(forms(other) for place, other in enumerate(texts) if place != at))
            labels = frozenset[str]().union(*(forms(one.label) for one in line if one is not part))
            near = _Near(row, labels, around.words)
            score, coverage, headed = max(_score(question, kind, head, near) for head in _heads(line, at, texts))
            if coverage:
                score += _NAMED_ROW * any(_is_said(text, said) for place, text in enumerate(texts) if place != at)
                score += _IN_KIND * (kind.name == "whether" and says_yes_or_no(text))
                found.append(FoundCell(score, coverage, headed, chunk, part))
    return found


def _is_said(text: str, question: str) -> bool:
    """Whether a question says the whole of a cell: 工作态度, Otter portal; a lone character or number is no name."""
    name = _bare(text)
    if len(name) < _NAME_CHARACTERS_MIN or name.isdecimal():
        return False
    return re.search(rf"(?<![a-z0-9]){re.escape(name)}(?![a-z0-9])", question) is not None


def _bare(text: str) -> str:
    """A text for finding one in the other: in small letters, with single spaces."""
    return " ".join(closed_up(text).lower().split())


def _heads(line: Sequence[ChunkPart], at: int, texts: Sequence[str]) -> list[_Head]:
    """What may head a cell: its column, its row where the two are one (a form), or the cell before it.

    The cell before heads it only where one header spans both or neither has any: `Name: Ann | Team: North` says
    nothing of a North that Ann is called.
    """
    part, before = line[at], texts[at - 1] if at else ""
    if before and before == part.label:
        return [_Head(before, _HEADER, _FORM)]
    heads = [_Head(part.label, _HEADER, _AROUND)]
    if before and line[at - 1].label == part.label and read_number(before) is None:
        heads.append(_Head(before, 1.0, _AROUND))
    return heads


def _is_given(text: str, question: Question, kind: Kind) -> bool:
    """Whether a cell says what the question says already, so that it names the row and does not answer."""
    if kind.given:
        return False
    own = {stem(word) for word in words(text)}
    return sum(word in question.weights for word in own) * 2 > len(own)


def lines_of(chunk: Chunk) -> list[list[ChunkPart]]:
    """The cells of a chunk, row by row."""
    lines: list[list[ChunkPart]] = [[]]
    for part in chunk.parts:
        if lines[-1] and "\n" in chunk.text[lines[-1][-1].at + lines[-1][-1].end - lines[-1][-1].start : part.at]:
            lines.append([])
        lines[-1].append(part)
    return lines


class _Near(NamedTuple):
    """The words of a cell's row, of the headers of that row, and of all the table."""

    row: frozenset[str]
    labels: frozenset[str]
    around: frozenset[str]


def _score(question: Question, kind: Kind, head: _Head, near: _Near) -> tuple[float, float, float]:
    """How well a cell fits, how much of the question it accounts for, and how much header and row alone do.

    Nothing where its header is not asked.
    """
    header, own = head_forms(head.text), {stem(word) for word in words(closed_up(head.text))}
    in_kind = _IN_KIND if kind.heads is not None and kind.heads.search(head.text) else 0.0
    # One Chinese character of a question is in many a header: only a header that is this word is named by it.
    called = {word for word in question.weights if question.is_called(word, own if _is_single(word) else header)}
    if sum(question.weights[word] for word in called) < _HEADER_MIN * question.total:
        # A header that such questions are asked of will do, if the row is the one that is named.
        record = near.around if head.around == _FORM else near.row | near.labels
        if not in_kind or question.share(record, lambda word: _held(word, header) > 0) < _ALONE:
            return 0.0, 0.0, 0.0
    beside = near.around if head.around == _FORM else near.row
    if question.sought and not _is_sought(question, header | beside):
        return 0.0, 0.0, 0.0
    score = coverage = headed = 0.0
    for word, weight in question.weights.items():
        # The header of another cell, the title, the rest of the table: they say what it is all about, not which cell.
        about = max(_held(word, near.labels), _held(word, near.around)) * head.around
        in_header, in_row = 1.0 if word in called else _held(word, header), _held(word, near.row)
        score += weight * max(in_header * head.weight, in_row, about)
        coverage += weight * max(in_header, in_row, about)
        headed += weight * max(in_header, in_row, about if head.around == _FORM else 0.0)
    score = score / question.total + question.heads(own) * _WHOLE_HEADER + in_kind
    score += _JOINED * max(question.joined(header), question.joined(near.row))
    return score, coverage / question.total, headed / question.total


def _is_sought(question: Question, known: frozenset[str]) -> bool:
    """Whether header and record say at least half of what is asked for by name: the sponsor of …, …的审批人."""
    held = sum(
        question.weights[word] for word in question.sought if question.is_called(word, known) or _held(word, known)
    )
    return 2 * held >= sum(question.weights[word] for word in question.sought)


def _is_single(word: str) -> bool:
    return len(word) == 1 and not word.isascii()


def _held(word: str, known: frozenset[str]) -> float:
    if word in known:
        return 1.0
    if len(word) > 1 and not word.isascii() and sum(mark in known for mark in word) * 2 >= len(word):
        return _WEAK
    return 0.0
