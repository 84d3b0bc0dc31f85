"""Data cells become facts: labels, surroundings and the cell's own text joined, row by row.

The loop over cells does as little as it can. What rows and columns say is read once for each row and column; what a
pair of them says together is decided once for each distinct pair of statements, not for each cell.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Any, NamedTuple

from factspine.core.facts import BLOCK_COLUMNS, FactBlock, FactContext
from factspine.core.labelled import Block, Label, LabelledTable, Path
from factspine.core.locators import encode
from factspine.core.tables import RawCell
from factspine.interpret.amounts import Amount, AmountReader, NotANumber
from factspine.interpret.columns import ColumnUse, classify_columns
from factspine.interpret.dimensions import NOTHING, AxisReading, Dims, is_bare_total, merge, read_path, tidy
from factspine.interpret.ledger import Ledger
from factspine.interpret.places import LocatorWriter, cell_place
from factspine.interpret.records import column_heads, read_records
from factspine.interpret.resolve import Resolved, resolve
from factspine.interpret.surroundings import Surroundings
from factspine.lexicon.labels import slug
from factspine.lexicon.units import UnitReading
from factspine.lexicon.vocabulary import Vocabulary

_PATH_SHOWN = 3
JOIN = " – "


class _Line(NamedTuple):
    """A row or a column of a block."""

    dims: Dims
    words: str  # what is left when everything recognised is taken out: the metric, or a record's name
    label: str  # innermost label, as the document has it
    suffix: str  # the label's part of a locator


_NO_LINE = _Line(NOTHING, "", "", "")


class _Shared(NamedTuple):
    """Everything of a fact but its number and place, for all cells alike in row, column and unit."""

    metric_code: str
    entity: str
    geography: str
    channel: str
    period_type: str
    period: str
    unit: str
    metric_label: str
    context_no: int
    suffix: str  # the column's part of a locator
    named_by_row: bool  # a record's name is the entity
    left_out: tuple[str, str] | None  # disposition and reason of cells that are no facts


_SHARED_COLUMNS = 9  # the first fields of _Shared are columns of a block
_NO_FACT = _Shared("", "", "", "", "", "", "", "", 0, "", False, None)
_Found = tuple[_Shared, _Line, RawCell, Amount]
_Key = tuple[int, int, UnitReading | None]  # row or what it says, column, unit of the cell itself


@dataclass(frozen=True, slots=True, kw_only=True)
class _Band:
    block: Block
    rows: dict[int, _Line]
    cols: dict[int, _Line]
    uses: dict[int, ColumnUse]
    records: bool
    shared: dict[_Key, _Shared] = field(default_factory=dict)


class FactBuilder:
    """Builds the facts of one table; one instance a table."""

    def __init__(self, labelled: LabelledTable, vocabulary: Vocabulary, around: Surroundings) -> None:
        self._labelled = labelled
        self._raw = labelled.raw
        self._vocabulary = vocabulary
        self._around = around
        self._contexts: dict[FactContext, int] = {}
        self._metrics: dict[tuple[str, str], tuple[str, str, str]] = {}
        self._resolved: dict[tuple[object, ...], tuple[Resolved, int]] = {}
        self.ledger = Ledger()
        self.unit_clashes = 0

    def build(self) -> FactBlock:
        """All facts of the table. The loop runs once for each cell; what cells share is looked up, not worked out."""
        find_band = _BandFinder([self._band(block) for block in self._labelled.blocks])
        reader = AmountReader()
        rows: list[_Found] = []
        add, add_label, not_a_fact = rows.append, self.ledger.add_label, self.ledger.add
        band, many, row, row_key, last_row = None, find_band.only is None, _NO_LINE, 0, 0
        for cell, role in zip(self._raw.cells, self._labelled.roles, strict=True):
            if role != "value":
                add_label(role, cell)
                continue
            row_no, col_no, _, kind, value, style = cell
            if kind == "n" and value is not None:
                amount = reader.read_number(value, style)
            else:
                read = reader.read(cell)
                if isinstance(read, NotANumber):
                    if read.disposition != "text":
                        not_a_fact(read.disposition, read.reason, cell)
                    continue
                amount = read
            if many or row_no != last_row:
                band, last_row = find_band(row_no, col_no), row_no
                row, row_key = self._row(band, row_no)
            if band is None:
                not_a_fact("unmapped", "no_labels", cell)
                continue
            key = (row_key, col_no, amount[2])
            known = band.shared.get(key) or self._share(key, band, row, cell)
            if known.left_out is not None:
                not_a_fact(*known.left_out, cell)
            else:
                add((known, row, cell, amount))
        return self._block(rows)

    def _block(self, found: list[_Found]) -> FactBlock:
        """The facts column by column."""
        if not found:
            return FactBlock(count=0, columns={name: [] for name in BLOCK_COLUMNS}, contexts=tuple(self._contexts))
        shared, lines, cells, amounts = (list(column) for column in zip(*found, strict=True))
        columns: dict[str, list[Any]] = {
            name: list(map(itemgetter(place), shared)) for place, name in enumerate(_Shared._fields[:_SHARED_COLUMNS])
        }
        row_nos, col_nos, texts = (list(map(itemgetter(place), cells)) for place in range(3))
        columns |= {"row_no": row_nos, "col_no": col_nos, "value_text": texts}
        columns["value"] = list(map(itemgetter(0), amounts))
        columns["decimals"] = list(map(itemgetter(1), amounts))
        columns["entity"] = [
            line.words if known.named_by_row and line.words else known.entity
            for known, line in zip(shared, lines, strict=True)
        ]
        columns["source_locator"] = LocatorWriter(self._raw).write_all(
            cells, [line.suffix for line in lines], [known.suffix for known in shared]
        )
        return FactBlock(count=len(found), columns=columns, contexts=tuple(self._contexts))

    def _row(self, band: _Band | None, row_no: int) -> tuple[_Line, int]:
        """A row's line, and what tells it from other rows: in a list what it says, else the row itself."""
        row = band.rows.get(row_no, _NO_LINE) if band is not None else _NO_LINE
        alone = band is None or not band.records or row_no in self._raw.hidden_rows
        return row, -row_no if alone else id(row.dims)

    def _share(self, key: _Key, band: _Band, row: _Line, cell: RawCell) -> _Shared:
        """What a cell has in common with all others of its key, or why they are no facts."""
        col = band.cols.get(cell.col, _NO_LINE)
        use = band.uses.get(cell.col, "measure")
        code, label, trait = self._metric(row, col, records=band.records)
        if use != "measure":
            known = _NO_FACT._replace(left_out=("excluded", use))
        elif not label:
            known = _NO_FACT._replace(left_out=("unmapped", "no_labels"))
        else:
            resolved, context_no = self._resolve(cell, row.dims, col.dims, key[2], trait)
            known = _Shared(
                code,
                resolved.entity,
                resolved.geography,
                resolved.channel,
                resolved.period_type,
                resolved.period,
                resolved.unit,
                label,
                context_no,
                col.suffix,
                band.records,
                None,
            )
        band.shared[key] = known
        return known

    def _resolve(
        self, cell: RawCell, row: Dims, col: Dims, unit: UnitReading | None, trait: str
    ) -> tuple[Resolved, int]:
        raw = self._raw
        hidden = raw.hidden or cell.row in raw.hidden_rows or cell.col in raw.hidden_cols
        key = (id(row), id(col), unit, trait, hidden)
        known = self._resolved.get(key)
        if known is None:
            resolved = resolve(row, col, self._around, unit, trait, hidden=hidden)
            number = self._contexts.setdefault(resolved.context, len(self._contexts))
            self.unit_clashes += resolved.unit_clash
            known = self._resolved[key] = (resolved, number)
        return known

    def _metric(self, row: _Line, col: _Line, *, records: bool) -> tuple[str, str, str]:
        """Code, label and trait of what a row and a column measure together."""
        key = (col.words, "") if records else (row.words, col.words)
        known = self._metrics.get(key)
        if known is None:
            known = self._metrics[key] = self._name_metric(row, col, *key)
        return known

    def _name_metric(self, row: _Line, col: _Line, first: str, second: str) -> tuple[str, str, str]:
        words = [text for text in (first, second) if text]
        if len(words) > 1:
            # "Total" beside another label says which row it is, not what is measured.
            words = [text for text in words if not is_bare_total(text)] or words[-1:]
        if not words:
            # All labels were periods and places: the caption says what is measured, else the labels themselves.
            words = [self._around.metric or row.label or col.label]
        elif self._around.metric and is_bare_total(words[0]):
            words = [self._around.metric]  # "Total" alone does not say of what
        label = JOIN.join(words)
        known = None
        if len(words) == 1:  # a row and a column that both have words measure something of their own
            known = self._vocabulary.metric_code(label) or self._vocabulary.metric_code(label.rpartition(JOIN)[2])
        trait = self._vocabulary.metric_kind(known) if known else ""
        code = known or slug(label)
        return code, label if code else "", trait  # a label of nothing but signs names no metric

    def _band(self, block: Block) -> _Band:
        attributes = classify_columns(block, self._raw.cells, self._vocabulary)
        cols = self._lines(block.col_paths, "col")
        records = block.records and not self._rows_are_metrics(block, cols)
        rows = self._records(block) if records else self._lines(block.row_paths, "row")
        merged: dict[tuple[int, int], tuple[Dims, Dims]] = {}  # by identity, and kept, lest another be given its place
        for number, said in attributes.dims.items():
            line = rows.get(number, _NO_LINE)
            key = (id(line.dims), id(said))
            if key not in merged:
                merged[key] = (said if line.dims is NOTHING else merge(line.dims, said)[0], line.dims)
            rows[number] = line._replace(dims=merged[key][0])
        return _Band(block=block, rows=_shared(rows), cols=cols, uses=attributes.uses, records=records)

    def _records(self, block: Block) -> dict[int, _Line]:
        heads = column_heads(self._labelled, block)
        return {
            number: _Line(dims, name, name, f",row={encode(name)}" if name else "")
            for number, (name, dims) in read_records(block, heads, self._vocabulary).items()
        }

    def _rows_are_metrics(self, block: Block, cols: dict[int, _Line]) -> bool:
        """A statement looks like a list of records, too; its columns are periods or its rows known metrics."""
        if not any(line.words for line in cols.values()):
            return True
        names = [path[-1].text for _, path in zip(range(50), block.row_paths.values(), strict=False) if path]
        return any(self._vocabulary.metric_code(tidy(name)) for name in names)

    def _lines(self, paths: Mapping[int, Path], key: str) -> dict[int, _Line]:
        """Every row or column of a block read; a metric's words are as much of its path as tells it from the others."""
        readings = {number: read_path(path, self._vocabulary, self._evidence_of) for number, path in paths.items()}
        needed = _depths_needed(readings.values())
        return {
            number: _Line(
                reading.dims,
                JOIN.join(reading.rests[-needed[reading.rests] :]) if reading.rests else "",
                reading.label,
                f",{key}={encode(reading.label)}" if reading.label else "",
            )
            for number, reading in readings.items()
        }

    def _evidence_of(self, label: Label) -> str:
        return cell_place(self._raw, label.row, label.col)


def _depths_needed(readings: Iterable[AxisReading]) -> dict[tuple[str, ...], int]:
    """How many labels, from the innermost outwards, make each path unlike every other path of its axis."""
    paths = {reading.rests for reading in readings if reading.rests}
    needed: dict[tuple[str, ...], int] = {}
    for depth in range(1, _PATH_SHOWN + 1):
        tails = Counter(path[-depth:] for path in paths)
        for path in paths:
            if path not in needed and (tails[path[-depth:]] == 1 or depth in (len(path), _PATH_SHOWN)):
                needed[path] = depth
    return needed


def _shared(rows: dict[int, _Line]) -> dict[int, _Line]:
    """The same lines with equal statements held once, so that pairs of them are decided once."""
    seen: dict[Dims, Dims] = {}
    return {
        number: line if line.dims is NOTHING else line._replace(dims=seen.setdefault(line.dims, line.dims))
        for number, line in rows.items()
    }


class _BandFinder:
    """The band a cell lies in. Most tables have one; the others are found by row, then by column."""

    def __init__(self, bands: list[_Band]) -> None:
        self.only = bands[0] if len(bands) == 1 else None
        self._by_row: dict[int, list[_Band]] = {}
        if self.only is None:
            for band in bands:
                for row in range(band.block.first_row, band.block.last_row + 1):
                    self._by_row.setdefault(row, []).append(band)

    def __call__(self, row: int, col: int) -> _Band | None:
        if self.only is not None:
            return self.only
        for band in self._by_row.get(row, ()):
            if band.block.first_col <= col <= band.block.last_col:
                return band
        return None
