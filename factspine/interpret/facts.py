"""Data cells become facts: labels, surroundings and the cell's own text joined, row by row.

The loop over cells does as little as it can. What rows and columns say is read once for each row and column; what a
pair of them says together is decided once for each distinct pair of statements, not for each cell.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True, kw_only=True)
class _Band:
    block: Block
    rows: dict[int, _Line]
    cols: dict[int, _Line]
    uses: dict[int, ColumnUse]
    records: bool


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
        self._evidence: dict[Label, str] = {}
        self.ledger = Ledger()
        self.unit_clashes = 0

    def build(self) -> FactBlock:
        """All facts of the table."""
        bands = [self._band(block) for block in self._labelled.blocks]
        locate = LocatorWriter(self._raw).write
        reader = AmountReader()
        rows: list[tuple[Any, ...]] = []
        add_label, find_band = self.ledger.add_label, _BandFinder(bands)
        for cell, role in zip(self._raw.cells, self._labelled.roles, strict=True):
            if role != "value":
                add_label(role, cell)
                continue
            amount = reader.read(cell)
            if isinstance(amount, NotANumber):
                if amount.disposition != "text":
                    self.ledger.add(amount.disposition, amount.reason, cell)
                continue
            band = find_band(cell.row, cell.col)
            fact = self._fact(cell, amount, band) if band is not None else None
            if band is None:
                self.ledger.add("unmapped", "no_labels", cell)
            elif fact is not None:
                row, col = band.rows.get(cell.row, _NO_LINE), band.cols.get(cell.col, _NO_LINE)
                rows.append((*fact[:8], locate(cell, row.suffix, col.suffix), *fact[8:]))
        columns = [list(column) for column in zip(*rows, strict=True)] or [[] for _ in BLOCK_COLUMNS]
        return FactBlock(
            count=len(rows), columns=dict(zip(BLOCK_COLUMNS, columns, strict=True)), contexts=tuple(self._contexts)
        )

    def _fact(self, cell: RawCell, amount: Amount, band: _Band) -> tuple[Any, ...] | None:
        use = band.uses.get(cell.col, "measure")
        if use != "measure":
            self.ledger.add("excluded", use, cell)
            return None
        row, col = band.rows.get(cell.row, _NO_LINE), band.cols.get(cell.col, _NO_LINE)
        code, label, trait = self._metric(row, col, records=band.records)
        if not label:
            self.ledger.add("unmapped", "no_labels", cell)
            return None
        resolved, context_no = self._resolve(cell, row.dims, col.dims, amount.unit, trait)
        entity = row.words if band.records and row.words else resolved.entity
        return (
            code,
            entity,
            resolved.geography,
            resolved.channel,
            resolved.period_type,
            resolved.period,
            amount.value,
            resolved.unit,
            label,
            cell.text,
            amount.decimals,
            cell.row,
            cell.col,
            context_no,
        )

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
        leaf = label.rpartition(JOIN)[2]
        known = self._vocabulary.metric_code(label) or (self._vocabulary.metric_code(leaf) if len(words) == 1 else None)
        trait = self._vocabulary.metric_kind(known) if known else ""
        return known or slug(label), label, trait

    def _band(self, block: Block) -> _Band:
        attributes = classify_columns(block, self._raw.cells, self._vocabulary)
        cols = self._lines(block.col_paths, "col")
        records = block.records and not self._rows_are_metrics(block, cols)
        rows = self._records(block) if records else self._lines(block.row_paths, "row")
        for number, said in attributes.dims.items():
            line = rows.get(number, _NO_LINE)
            rows[number] = line._replace(dims=said if line.dims is NOTHING else merge(line.dims, said)[0])
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
        self._only = bands[0] if len(bands) == 1 else None
        self._by_row: dict[int, list[_Band]] = {}
        if self._only is None:
            for band in bands:
                for row in range(band.block.first_row, band.block.last_row + 1):
                    self._by_row.setdefault(row, []).append(band)

    def __call__(self, row: int, col: int) -> _Band | None:
        if self._only is not None:
            return self._only
        for band in self._by_row.get(row, ()):
            if band.block.first_col <= col <= band.block.last_col:
                return band
        return None
