"""Data cells become facts: labels, surroundings and the cell's own text joined, column by column.

What rows and columns say is read once for each row and column; what a pair of them says together is decided once for
each distinct pair of statements. For each cell there is only looking up, and that in passes over whole columns.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain, compress, islice
from operator import itemgetter
from typing import Any, NamedTuple

from factspine.core.facts import FactBlock, FactContext
from factspine.core.labelled import Block, Label, LabelledTable, Path
from factspine.core.locators import encode
from factspine.core.places import cell_place
from factspine.core.tables import CellColumns
from factspine.interpret.amounts import AmountReader, Amounts, note_marks
from factspine.interpret.beside import with_periods_beside
from factspine.interpret.columns import (
    classify_columns,
    currency_columns,
    dated_rows,
    money_columns,
    named_rows,
    names_measures,
    names_members,
    unit_columns,
    use_of,
)
from factspine.interpret.dimensions import (
    NOTHING,
    AxisReading,
    Dims,
    is_bare_total,
    merge,
    read_path,
    tidy,
)
from factspine.interpret.ledger import Ledger
from factspine.interpret.lines import NO_LINE, Line, read_lines, shared_statements
from factspine.interpret.places import LocatorWriter
from factspine.interpret.records import column_heads, read_records
from factspine.interpret.resolve import NOT_MEANT, has_own_unit, holds_several, resolve
from factspine.interpret.series import name_series
from factspine.interpret.spots import Band, Bands, Said
from factspine.interpret.surroundings import Surroundings
from factspine.interpret.wording import heads_members
from factspine.lexicon.measured import is_change, names_money
from factspine.lexicon.slugs import PATH_BREAK, slug
from factspine.lexicon.units import UnitReading
from factspine.lexicon.vocabulary import Vocabulary

_STEP = re.compile(r"[-+−$€£¥]?\d[\d,.]*\s?[%x]?")
_ABBREVIATED = re.compile(r"\s*\([^\W\d_]{1,2}\)$")  # EPS (p): what it may be short for is not guessed
_CELLS_AT_ONCE = 8_000


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
_new = tuple.__new__  # a named tuple's own constructor takes twice as long
_NO_FACT = _Shared("", "", "", "", "", "", "", "", 0, "", False, None)
_Key = tuple[int, int, int]  # what its row says, column, unit of the cell itself


class _Sharing(dict[_Key, _Shared]):
    """What cells share, worked out when the first of them is met."""

    def __init__(self, share: Callable[[_Key], _Shared]) -> None:
        self._share = share

    def __missing__(self, key: _Key) -> _Shared:
        known = self[key] = self._share(key)
        return known


class FactBuilder:
    """Builds the facts of one table; one instance a table."""

    def __init__(self, labelled: LabelledTable, vocabulary: Vocabulary, around: Surroundings) -> None:
        self._labelled = labelled
        self._raw = labelled.raw
        self._vocabulary = vocabulary
        self._around = around
        self._subject = around.subject
        self._in_money = around.dims.unit is not None and around.dims.unit.kind == "currency"
        self._several = holds_several(around.dims.unit)
        self._contexts: dict[FactContext, int] = {}
        self._metrics: dict[tuple[str, str], tuple[str, str, str]] = {}
        self._resolved: dict[tuple[object, ...], tuple[tuple[str, ...], int]] = {}
        self._unitless: dict[Dims, Dims] = {}  # statements of rows without their units
        self._hides = bool(self._raw.hidden or self._raw.hidden_rows or self._raw.hidden_cols)
        self._amounts = AmountReader(note_marks(labelled.notes), decimal_comma=labelled.decimal_comma)
        self._unsettled = frozenset(labelled.unsettled)
        self._locators = LocatorWriter(self._raw)
        self._bands = Bands([])
        self._said = Said(self._bands, self._raw.hidden_rows)
        self._leaves_out = False  # whether some cells are no facts
        self._names_rows = False  # whether some rows are records, whose name is the entity
        self.ledger = Ledger()
        self.unit_clashes = 0

    def build(self) -> FactBlock:
        """All facts of the table, column by column: nothing is worked out for a cell that other cells have too."""
        roles, cells = self._labelled.roles, self._raw.columns
        self.ledger.add_labels(roles, cells, self._unsettled, decimal_comma=self._labelled.decimal_comma)
        for place in self._labelled.unsettled:
            self.ledger.add("unmapped", "notation", place)
        self._bands = Bands([self._band(block) for block in self._labelled.blocks])
        self._said = Said(self._bands, self._raw.hidden_rows)
        sharing = _Sharing(self._share)  # here, not on the builder, to which it refers: the child collects no cycles
        parts = [self._facts(piece, sharing) for piece in _pieces(cells.where(map("value".__eq__, roles)))]
        columns = parts[0]
        for name in columns if len(parts) > 1 else ():
            columns[name] = list(chain.from_iterable(part[name] for part in parts))
        return FactBlock(count=len(columns["value"]), columns=columns, contexts=tuple(self._contexts))

    def _facts(self, cells: CellColumns, sharing: _Sharing) -> dict[str, list[Any]]:
        """The columns of the facts of some cells."""
        if self._unsettled:
            cells = cells.where([place not in self._unsettled for place in zip(cells.rows, cells.cols, strict=True)])
        cells = self._numbers_among(cells)
        amounts = self._amounts.read(cells)
        spots = self._bands.spots(cells)
        keys = zip(map(self._said.__getitem__, spots), cells.cols, amounts.units, strict=True)
        # Hardly two cells of a statement share anything: looking for it takes longer than working it out.
        share = sharing.__getitem__ if self._bands.hold_records else self._share
        known = list(map(share, keys))
        if self._leaves_out and any(shared[-1] for shared in known):
            kept = [shared[-1] is None for shared in known]
            for row, col, shared in zip(cells.rows, cells.cols, known, strict=True):
                if shared.left_out is not None:
                    self.ledger.add(*shared.left_out, (row, col))
            cells, amounts = cells.where(kept), Amounts._make(list(compress(part, kept)) for part in amounts)
            spots, known = list(compress(spots, kept)), list(compress(known, kept))
        return self._columns(cells, amounts, known, list(map(self._said.lines.__getitem__, spots)))

    def _numbers_among(self, cells: CellColumns) -> CellColumns:
        """The cells that hold numbers; the ledger keeps the others."""
        refused = self._amounts.refusals(cells)
        for at, (disposition, reason) in refused.items():
            if disposition != "text":
                self.ledger.add(disposition, reason, (cells.rows[at], cells.cols[at]))
        return cells.where([at not in refused for at in range(len(cells.rows))]) if refused else cells

    def _columns(
        self, cells: CellColumns, amounts: Amounts, known: list[_Shared], lines: list[Line]
    ) -> dict[str, list[Any]]:
        columns: dict[str, list[Any]] = dict(zip(_Shared._fields, _fields(known), strict=False))
        columns |= {"row_no": cells.rows, "col_no": cells.cols, "value_text": cells.texts}
        columns |= {"value": amounts.values, "decimals": amounts.decimals}
        if fallen := self._amounts.fallen:  # ▼2.0% under YoY is a loss, before a level it only tells where that goes
            for at, place in enumerate(zip(cells.rows, cells.cols, strict=True)):
                if place in fallen and is_change(known[at].metric_label) and amounts.values[at].strip("0."):
                    amounts.values[at] = f"-{amounts.values[at]}"
        if self._names_rows:
            columns["entity"] = [
                line[1] if shared[10] and line[1] else shared[1] for shared, line in zip(known, lines, strict=True)
            ]
        columns["source_locator"] = self._locators.write_all(
            cells.rows, cells.cols, list(map(itemgetter(3), lines)), list(map(itemgetter(9), known))
        )
        return columns

    def _share(self, key: _Key) -> _Shared:
        """What a cell has in common with all others of its key, or why they are no facts.

        In a statement each cell has a key of its own: what its row and column say is looked up here, not in functions.
        """
        number, col_no, unit = key
        band, row_no, row = self._said.statements[number]
        if band is None:
            return self._leave_out("unmapped", "no_labels")
        col = band.cols.get(col_no, NO_LINE)
        if band.series is not None:
            told = band.series.words(row, col_no, self._around, self._vocabulary)
            if told is None:
                return self._leave_out("unmapped", "no_labels")
            words = told
        elif band.records:
            words = (col.words, "" if col.words or self._around.metric else row.label)
        elif band.members and (not col.words or is_bare_total(col.words)) and not self._measures(row):
            words = (self._around.caption or self._around.measured, row.words)
        else:
            words = (row.words, col.words)
        metric = self._metrics.get(words)
        if metric is None:
            metric = self._metrics[words] = self._name_metric(row, col, *words)
        code, label, trait = metric
        # A form has its heads beside the values.
        use = "date" if row_no in band.dated else band.uses.get(col_no) or use_of(row.label)
        if use != "measure":
            return self._leave_out("excluded", use)
        if not label:
            return self._leave_out("unmapped", "no_labels")
        if (self._subject or self._several) and self._is_not_meant(col.label, label):
            trait = NOT_MEANT
        said_by_row = row.dims
        if said_by_row.unit and self._has_own_unit(band, col_no, said_by_row.unit):
            said_by_row = self._unitless.setdefault(said_by_row, said_by_row._replace(unit=None, unit_evidence=""))
        hidden = self._hides and self._is_hidden(row_no, col_no)
        statement = (id(said_by_row), id(col.dims), unit, trait, hidden)
        known = self._resolved.get(statement)
        if known is None:
            known = self._resolved[statement] = self._resolve(said_by_row, col.dims, unit, trait, hidden=hidden)
        said, context_no = known
        self._names_rows = self._names_rows or band.records
        if not said[4] and (col.dims.waits or row.dims.waits):
            # Jan and Feb of a year that nobody says are still two months.
            label = f"{label}{PATH_BREAK}{col.label if col.dims.waits else row.label}"
            code = slug(label)
        return _new(_Shared, (code, *said, label, context_no, col.suffix, band.records, None))

    def _is_not_meant(self, head: str, label: str) -> bool:
        """Whether the note that says the unit of the table is about something else."""
        if self._several and not names_money(label):
            return True
        return bool(self._subject) and not any(word in f"{head} {label}".lower() for word in self._subject)

    def _has_own_unit(self, band: Band, col_no: int, by_row: UnitReading) -> bool:
        own = band.cols.get(col_no, NO_LINE).dims.unit
        return has_own_unit(own, by_row, priced=col_no in band.money, records=band.block.records)

    def _measures(self, row: Line) -> bool:
        return self._vocabulary.metric_code(row.words) is not None

    def _leave_out(self, disposition: str, reason: str) -> _Shared:
        self._leaves_out = True
        return _NO_FACT._replace(left_out=(disposition, reason))

    def _resolve(self, row: Dims, col: Dims, unit: int, trait: str, *, hidden: bool) -> tuple[tuple[str, ...], int]:
        """Entity, geography, channel, period and unit of the cells of a row and a column; the number of the context."""
        found = resolve(row, col, self._around, self._amounts.units[unit], trait, hidden=hidden)
        self.unit_clashes += found.unit_clash
        return found[:6], self._contexts.setdefault(found.context, len(self._contexts))

    def _is_hidden(self, row_no: int, col_no: int) -> bool:
        raw = self._raw
        return raw.hidden or row_no in raw.hidden_rows or col_no in raw.hidden_cols

    def _name_metric(self, row: Line, col: Line, first: str, second: str) -> tuple[str, str, str]:
        words = [text for text in (first, second) if text]
        if len(words) > 1:
            # "Total" beside another label says which row it is, not what is measured.
            words = [text for text in words if not is_bare_total(text)] or words[-1:]
        if not words:
            # All labels were periods and places: the caption says what is measured, else the labels themselves.
            words = [self._around.metric or row.label or col.label]
        elif self._around.metric and is_bare_total(words[0]):
            words = [self._around.metric]  # "Total" alone does not say of what
        elif self._around.metric and all(map(_STEP.fullmatch, words)):
            words = [self._around.metric, *words]  # 8.0% and 1.5% say at what rates, not what is measured
        if self._around.part and not any(self._around.part in text for text in words):
            words = [self._around.part, *words]  # the part's number is not the whole's
        label = PATH_BREAK.join(words)
        known = None
        if len(words) == 1:  # a row and a column that both have words measure something of their own
            known = self._known_metric(label)
        trait = self._vocabulary.metric_kind(known) if known else ""
        code = known or slug(label)
        return code, label if code else "", trait  # a label of nothing but signs names no metric

    def _known_metric(self, label: str) -> str | None:
        code = self._vocabulary.metric_code(label)
        if code is None and PATH_BREAK in label:
            code = self._vocabulary.metric_code(label.rpartition(PATH_BREAK)[2])
        if code is None and label[-1:] == ")":
            code = self._vocabulary.metric_code(_ABBREVIATED.sub("", label))
        return code

    def _band(self, block: Block) -> Band:
        heads = column_heads(self._labelled, block)
        attributes = classify_columns(block, self._raw.columns, self._vocabulary)
        cols, series = self._lines(block.col_paths, "col"), None
        if self._raw.kind == "chart":
            series = name_series(self._raw, cols, self._around, self._vocabulary)
            cols = series.cols
        records = block.records and not self._rows_are_metrics(block, cols, heads)
        rows = (
            self._records(block, heads)
            if records
            else self._lines(named_rows(block, heads), "row", (currency_columns(heads), unit_columns(block, heads)))
        )
        merged: dict[tuple[int, int], tuple[Dims, Dims]] = {}  # by identity, and kept, lest another be given its place
        for number, said in attributes.dims.items():
            line = rows.get(number, NO_LINE)
            key = (id(line.dims), id(said))
            if key not in merged:
                merged[key] = (said if line.dims is NOTHING else merge(line.dims, said)[0], line.dims)
            rows[number] = Line(merged[key][0], *line[1:])
        members = not records and bool(self._around.caption or self._around.measured) and names_members(block, heads)
        return Band(
            block=block,
            rows=shared_statements(rows),
            cols=cols,
            uses=attributes.uses,
            records=records,
            money=money_columns({col: line.label for col, line in cols.items()}, in_money=self._in_money),
            series=series,
            dated=dated_rows(block, self._raw.columns),
            members=members,
        )

    def _records(self, block: Block, heads: Mapping[int, Label]) -> dict[int, Line]:
        return {
            number: Line(dims, name, label, f",row={encode(label)}" if label else "")
            for number, (name, dims, label) in read_records(block, heads, self._vocabulary, self._evidence_of).items()
        }

    def _rows_are_metrics(self, block: Block, cols: dict[int, Line], heads: Mapping[int, Label]) -> bool:
        """A statement looks like a list of records, too; its columns are periods or its rows known metrics."""
        worded = [bool(line.words) for line in cols.values()]
        if not any(worded) or (not self._around.metric and not all(worded)):
            return True  # a column that says a period and nothing else leaves it to the row to say what is measured
        if not all(worded) and names_measures(block, heads):
            return True
        paths = [path for _, path in zip(range(50), block.row_paths.values(), strict=False)]
        members = {col for col, head in heads.items() if heads_members(head.text)}  # Sales is a department there
        labels = (label for path in paths for label in path[-2:] if label.col not in members)
        return any(self._vocabulary.metric_code(tidy(label.text)) for label in labels)

    def _lines(self, paths: Mapping[int, Path], key: str, told: Sequence[frozenset[int]] = ()) -> dict[int, Line]:
        def read(path: Path) -> AxisReading:
            return read_path(path, self._vocabulary, self._evidence_of, *told)

        return with_periods_beside(read_lines(paths, key, read, self._raw))

    def _evidence_of(self, label: Label) -> str:
        return cell_place(self._raw, label.row, label.col)


def _fields(known: list[_Shared]) -> Iterator[list[Any]]:
    """The fields of what cells share that are columns of a block."""
    return (
        map(list, islice(zip(*known, strict=True), _SHARED_COLUMNS)) if known else ([] for _ in range(_SHARED_COLUMNS))
    )


def _pieces(cells: CellColumns) -> Iterator[CellColumns]:
    """The cells in order, so many at a time that all that is made of them stays in the processor's cache."""
    if len(cells.rows) <= _CELLS_AT_ONCE:
        yield cells
        return
    for start in range(0, len(cells.rows), _CELLS_AT_ONCE):
        yield CellColumns._make(column[start : start + _CELLS_AT_ONCE] for column in cells)
