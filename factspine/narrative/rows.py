"""Rows of tables as text that can be found and quoted: every cell under its header, every cell with its own locator.

Names, dates, statuses and places are no facts, but people ask for them. A row that holds such text is a chunk of its
own; rows of nothing but numbers are put together, so that a table is found by its labels.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from factspine.core.chunks import ChunkKind, ChunkPart
from factspine.core.labelled import Block, LabelledTable, Role
from factspine.core.locators import encode
from factspine.core.places import cell_place
from factspine.core.tables import RawCell, RawTable
from factspine.interpret.headers import label_table
from factspine.interpret.places import LocatorWriter
from factspine.interpret.surroundings import read_surroundings
from factspine.lexicon.numbers import null_reason, read_number
from factspine.lexicon.vocabulary import Vocabulary
from factspine.narrative.chunking import CHARACTERS_MAX, Draft, place_of

ROWS_MAX = 20_000  # of one table; the facts of longer ones are found by their labels, not by reading
_CELL_CHARACTERS_MAX = 2_000
_ROW_CHARACTERS_MAX = 4_000
_ROWS_CHARACTERS_MAX = 600  # of rows put together; a whole statement in one chunk is found for everything and nothing
_SHORTEST_TEXT = 1
_PAIR = 2
_LABEL_CHARACTERS_MAX = 40


class Placed(NamedTuple):
    """A cell of a row with what heads it."""

    cell: RawCell
    label: str
    locator: str
    is_value: bool


def draft_rows(raw: RawTable, vocabulary: Vocabulary, quoted: Collection[str] = ()) -> Iterator[Draft]:
    """The rows of one table as chunks, and then what it says in titles and notes; `quoted` are places that passages
    quote already."""
    labelled = label_table(raw)
    entity = read_surroundings(labelled, vocabulary).dims.entity
    for draft in _drafts(labelled, _section(raw), quoted):
        yield draft if not entity else replace(draft, entity=entity)


def _drafts(labelled: LabelledTable, section: tuple[str, ...], quoted: Collection[str]) -> Iterator[Draft]:
    raw = labelled.raw
    pending: list[list[Placed]] = []
    size = 0
    for number, row in enumerate(_data_rows(labelled)):
        if number >= ROWS_MAX:
            break
        # Beside its name a record of texts has at least one more.
        if sum(is_text(one.cell) for one in row) + any(one.is_value and is_text(one.cell) for one in row) > 1:
            yield _draft([row], section, raw)
            continue
        length = sum(len(one.label) + len(one.cell.text) + 5 for one in row)
        # Rows on two pages are never one quotation, though the table is one.
        apart = pending and place_of(pending[0][0].locator).get("page") != place_of(row[0].locator).get("page")
        if pending and (apart or size + length > _ROWS_CHARACTERS_MAX):
            yield _draft(pending, section, raw)
            pending, size = [], 0
        pending.append(row)
        size += length
    if pending:
        yield _draft(pending, section, raw)
    yield from _drafts_of_headers(labelled, section)
    yield from _drafts_of_notes(labelled, section, quoted)


def is_text(cell: RawCell) -> bool:
    """Whether a cell holds words rather than a number, or the lack of one."""
    if cell.kind in "nbe" or null_reason(cell.text) is not None:
        return False
    return read_number(cell.text) is None


def _data_rows(labelled: LabelledTable) -> Iterator[list[Placed]]:
    """The rows of a table that hold data, each cell with its header and its locator."""
    writer = LocatorWriter(labelled.raw)
    heads = _heads(labelled)
    spanning = _spanning(labelled)
    for cells in _cells_by_row(labelled, ("value", "label")):
        if any(role == "value" for _, role in cells):
            row = cells[0][0].row
            # A cell that is merged over several rows says its part in each of them.
            above = [(cell, role) for cell, role, last in spanning if cell.row < row <= last]
            line = sorted([*above, *cells], key=lambda one: one[0].col)
            yield [_place(cell, role, labelled, heads, writer) for cell, role in line]


def _spanning(labelled: LabelledTable) -> list[tuple[RawCell, Role, int]]:
    """Cells of data and labels that are merged over several rows, with the last of these."""
    spans = labelled.raw.spans
    return [
        (cell, role, cell.row + spans[cell.row, cell.col][0] - 1)
        for cell, role in zip(labelled.raw.cells, labelled.roles, strict=True)
        if (cell.row, cell.col) in spans and spans[cell.row, cell.col][0] > 1 and role in ("value", "label")
    ]


def _drafts_of_headers(labelled: LabelledTable, section: tuple[str, ...]) -> Iterator[Draft]:
    """The header rows as they stand: what reads as a header may be the first record of a form."""
    writer = LocatorWriter(labelled.raw)
    rows: list[list[Placed]] = []
    above: dict[int, str] = {}
    for cells in _cells_by_row(labelled, ("header",)):
        texts = [cell for cell, _ in cells if is_text(cell)]
        rows.append([Placed(cell, above.get(cell.col, ""), writer.write(cell, "", ""), False) for cell in texts])
        above = {cell.col: _line(cell.text) for cell in texts}
    kept = [row for row in rows if len(row) > 1]
    if kept and labelled.raw.addressing != "chart":
        yield _draft(kept, section, labelled.raw)


def _drafts_of_notes(labelled: LabelledTable, section: tuple[str, ...], quoted: Collection[str]) -> Iterator[Draft]:
    """Titles, footnotes and remarks that lie within a table's region, as prose; all of it where there are no data."""
    raw = labelled.raw
    everything = not any(role == "value" for role in labelled.roles)
    roles: tuple[Role, ...] = ("note", "label", "header") if everything else ("note",)
    parts: list[ChunkPart] = []
    text = ""
    for cells in _cells_by_row(labelled, roles):
        if not everything and (pair := _pair(cells, raw)):
            yield _draft([pair], section, raw)
            continue
        placed = [(cell, cell_place(raw, cell.row, cell.col)) for cell, _ in cells if is_text(cell)]
        said = [(cell, place) for cell, place in placed if place not in quoted]
        if parts and len(text) + sum(len(cell.text) for cell, _ in said) > CHARACTERS_MAX:
            yield Draft(kind="text", text=text, parts=tuple(parts), section=section, hidden=raw.hidden)
            parts, text = [], ""
        for cell, place in said:
            shown = cell.text[:_CELL_CHARACTERS_MAX]
            text += "\n" if parts else ""
            parts.append(ChunkPart(place, 0, len(shown), len(text)))
            text += shown
    if parts:
        yield Draft(kind="text", text=text, parts=tuple(parts), section=section, hidden=raw.hidden)


def _pair(cells: Sequence[tuple[RawCell, Role]], raw: RawTable) -> list[Placed]:
    """A short text and one beside it, as the last rows of a table have them: a label and what it says."""
    texts = [cell for cell, _ in cells if cell.text.strip()]
    if len(texts) != _PAIR or len(texts[0].text) > _LABEL_CHARACTERS_MAX or not is_text(texts[0]):
        return []
    writer = LocatorWriter(raw)
    label = _line(texts[0].text)
    row_part = f",row={encode(label)}"
    return [
        Placed(texts[0], "", writer.write(texts[0], "", ""), False),
        Placed(texts[1], label, writer.write(texts[1], row_part, ""), True),
    ]


def _cells_by_row(labelled: LabelledTable, roles: tuple[Role, ...]) -> Iterator[list[tuple[RawCell, Role]]]:
    """The cells that play these roles, row by row."""
    by_row: dict[int, list[tuple[RawCell, Role]]] = defaultdict(list)
    for cell, role in zip(labelled.raw.cells, labelled.roles, strict=True):
        if role in roles:
            by_row[cell.row].append((cell, role))
    return (by_row[row] for row in sorted(by_row))


def _place(
    cell: RawCell, role: str, labelled: LabelledTable, heads: dict[int, list[tuple[int, str]]], writer: LocatorWriter
) -> Placed:
    block = _block_of(labelled.blocks, cell)
    row_path = block.row_paths.get(cell.row, ()) if block else ()
    col_path = block.col_paths.get(cell.col, ()) if block else ()
    names = [_line(label.text) for label in col_path if label.text.strip()]
    if role == "value" and not names and row_path:
        names = [_line(row_path[-1].text)]
    if role == "label" and not names:
        names = [text for row, text in heads.get(cell.col, ()) if row < cell.row][-1:]
    row_part = f",row={encode(_line(row_path[-1].text))}" if row_path and role == "value" else ""
    col_part = f",col={encode(_line(col_path[-1].text))}" if col_path and role == "value" else ""
    return Placed(cell, " ".join(dict.fromkeys(names)), writer.write(cell, row_part, col_part), role == "value")


def _block_of(blocks: Sequence[Block], cell: RawCell) -> Block | None:
    for block in blocks:
        if block.first_row <= cell.row <= block.last_row and block.first_col <= cell.col <= block.last_col:
            return block
    return None


def _heads(labelled: LabelledTable) -> dict[int, list[tuple[int, str]]]:
    """Header cells by column, from top to bottom: what heads a column of labels is no part of a block."""
    heads: dict[int, list[tuple[int, str]]] = defaultdict(list)
    for cell, role in zip(labelled.raw.cells, labelled.roles, strict=True):
        if role == "header":
            heads[cell.col].append((cell.row, _line(cell.text)))
    return heads


def _draft(rows: Sequence[Sequence[Placed]], section: tuple[str, ...], raw: RawTable) -> Draft:
    text = ""
    parts: list[ChunkPart] = []
    for row in rows:
        for at, one in enumerate(row):
            shown = one.cell.text[:_CELL_CHARACTERS_MAX]
            if len(text) > _ROW_CHARACTERS_MAX or len(shown) < _SHORTEST_TEXT:
                continue
            text += " | " if at and parts else "\n" if parts else ""
            text += f"{one.label}: " if one.label and one.label != _line(shown) else ""
            parts.append(ChunkPart(one.locator, 0, len(shown), len(text), one.label))
            text += shown
    kind: ChunkKind = "row" if len(rows) == 1 else "table"
    hidden = raw.hidden or all(row[0].cell.row in raw.hidden_rows for row in rows)
    return Draft(kind=kind, text=text, parts=tuple(parts), section=section, hidden=hidden)


def _section(raw: RawTable) -> tuple[str, ...]:
    """What stands above a table: sheet or slide title, section, caption."""
    above = [text.text for text in raw.context if text.role in ("sheet", "section", "slide_title", "caption")]
    names = [_line(text) for text in (*above, raw.title) if text.strip()]
    place = raw.locator.partition(",")[0]
    return tuple(dict.fromkeys(name[:120] for name in names)) or (place,)


def _line(text: str) -> str:
    return " ".join(text.split())
