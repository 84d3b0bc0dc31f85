"""Columns that are not measures: note references, identifiers, and the attributes of a list of records.

In a list of records a column of years, regions or currencies says something about every number of its row. Which
column does is decided by its heading and a sample of what it holds, then read for each row.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import compress
from typing import Literal, NamedTuple

from factspine.core.labelled import Block, Label, Path
from factspine.core.tables import CellColumns
from factspine.interpret.cellkinds import kind_of_text
from factspine.interpret.dimensions import NOTHING, UNSETTLED, Dims, fold_label, naming_currency, tidy
from factspine.interpret.wording import (
    NUMBERED_THING,
    heads_currencies,
    heads_members,
    heads_note_references,
    heads_units,
)
from factspine.lexicon.labels import LabelReading, read_label
from factspine.lexicon.periods import PeriodReading
from factspine.lexicon.units import find_unit, parse_unit
from factspine.lexicon.vocabulary import Vocabulary

ColumnUse = Literal["measure", "attribute", "note_reference", "identifier", "phone_number", "date"]

_IDENTIFIER = re.compile(
    r"(.*(?:编号|編號|代码|代碼|证号|證號|账号|帳號|号码|學號|学号|工号|邮编|郵編|条码|编码|單號|单号)"
    r"|(?:.*(?:\b|_))?(?:id|code|sku|isbn|serial|zip(?: code)?|postal code|postcode|account no\.?"
    r"|ref(?:erence)?(?: no\.?)?|invoice|voucher))"
    r"|(?:page|slide|pg\.?)(?:\s*(?:no\.?|number|ref\.?|#))?|.*[页頁][码碼次]|[页頁]"
    rf"|(?:.*\b)?{NUMBERED_THING}",
    re.IGNORECASE,
)
_PHONE = re.compile(r".*(?:电话|電話|手机|手機|传真|傳真|联系方式|phone|mobile|tel\.?|fax)", re.IGNORECASE)
_PERIOD_HEAD = re.compile(
    r"(年份|年度|年|月份|月|季度|日期|期间|期間|时间|時間|报告期|會計年度|会计年度"
    r"|(?:fiscal |financial |reporting |posting |accounting |billing )?(?:year|quarter|month|period|date)"
    r"(?: ended| end)?|fy)",
    re.IGNORECASE,
)
_UNIT_HEAD = re.compile(
    r"((?:计量|計量|数据|金额)?单\s*位|單\s*位|units?(?: of measure(?:ment)?)?|uom|measured in)", re.IGNORECASE
)
# The year in which something happened to the thing, not the one its numbers are about.
_YEAR_OF = re.compile(
    r".*\S\s*(?:\byear|年份)|year [a-z]+|"
    r".*(?:成立|建成|投产|开业|购置|入职|出生|毕业|竣工|创[办建立]|设立|建[校院站园])(?:年|年度|时间)"
    r"|(?:founded|established|incorporated|built|opened|launched|commissioned)(?: in)?",
    re.IGNORECASE,
)
_YEAR = re.compile(r"(?:1[89]|20)\d\d年?")
_MODEL = re.compile(r"[A-Za-z]\d\d")  # F20 and F34 are models as well as years
_SAMPLE = 40
_SHORT_ROWS = 500  # a form or a table of facts about things; what is longer is no such table
_MOST = 0.7


class RowAttributes(NamedTuple):
    """What the attribute columns of a block say about its rows."""

    uses: dict[int, ColumnUse]
    dims: dict[int, Dims]  # by row


def _says_unit(text: str) -> bool:
    return parse_unit(text) is not None or find_unit(text) is not None


def unit_columns(block: Block, heads: Mapping[int, Label]) -> frozenset[int]:
    """The columns headed as those of units; and those without a head that mostly hold units."""
    found = {col for col, head in heads.items() if heads_units(head.text)}
    told: dict[int, list[bool]] = {}
    for _, path in zip(range(_SAMPLE), block.row_paths.values(), strict=False):
        for label in path[1:]:
            if label.col not in heads and label.row >= block.first_row:
                told.setdefault(label.col, []).append(parse_unit(label.text) is not None)
    return frozenset(found | {col for col, units in told.items() if sum(units) > max(1, _MOST * len(units))})


def currency_columns(heads: Mapping[int, Label]) -> frozenset[int]:
    """The columns headed as those of currencies."""
    return frozenset(col for col, head in heads.items() if heads_currencies(head.text))


def classify_columns(block: Block, cells: CellColumns, vocabulary: Vocabulary) -> RowAttributes:
    """The use of each column of a block, and for records what the attribute columns say about each row."""
    uses: dict[int, ColumnUse] = {}
    for col, path in block.col_paths.items():
        if path:
            uses[col] = _use_by_heading(path[-1])
    dated = [col for col, path in block.col_paths.items() if path and _YEAR_OF.fullmatch(tidy(path[-1].text))]
    if not block.records and not dated and len(block.row_paths) > _SHORT_ROWS:
        return RowAttributes(uses, {})
    samples = _samples(block, cells)
    for col, texts in samples.items():
        years = sum(_YEAR.fullmatch(text.strip()) is not None for text in texts)
        if years and (years == len(texts) if col in dated else years < len(texts) and _are_times(texts)):
            uses[col] = "date"
    if not block.records:
        return RowAttributes(uses, {})
    for col, texts in samples.items():
        if uses.get(col, "measure") == "measure" and is_attribute(
            _last(block.col_paths.get(col, ())), texts, vocabulary
        ):
            uses[col] = "attribute"
    chosen = {col for col, use in uses.items() if use == "attribute"}
    return RowAttributes(uses, _read_rows(block, cells, chosen, vocabulary) if chosen else {})


def _are_times(texts: Sequence[str]) -> bool:
    """Nothing but periods, words and years: when each thing goes live, not how much of it there is."""
    return all(kind_of_text(text) in "tyx" for text in texts) and any(kind_of_text(text) == "t" for text in texts)


def dated_rows(block: Block, cells: CellColumns) -> frozenset[int]:
    """The rows that say in which year something happened to the thing, and hold only years: 成立年份 in a form."""
    if block.records or len(block.row_paths) > _SHORT_ROWS:
        return frozenset()
    named = {row for row, path in block.row_paths.items() if path and _YEAR_OF.fullmatch(tidy(path[-1].text))}
    if not named:
        return frozenset()
    inside = zip(cells.rows, cells.cols, cells.texts, strict=True)
    held = [(row, text) for row, col, text in inside if row in named and block.first_col <= col <= block.last_col]
    return frozenset(named - {row for row, text in held if not _YEAR.fullmatch(text)})


def _use_by_heading(label: Label | None) -> ColumnUse:
    return "measure" if label is None else use_of(tidy(label.text))


@lru_cache(maxsize=8192)
def use_of(text: str) -> ColumnUse:
    """What a word says of the numbers under or beside it."""
    text = text.rstrip(" :：")
    if heads_note_references(text):
        return "note_reference"
    if _PHONE.fullmatch(text):
        return "phone_number"
    return "identifier" if _IDENTIFIER.fullmatch(text) else "measure"


def _last(path: tuple[Label, ...]) -> Label | None:
    return path[-1] if path else None


def _samples(block: Block, cells: CellColumns) -> dict[int, list[str]]:
    samples: dict[int, list[str]] = {}
    start = bisect_left(cells.rows, block.first_row)
    end = bisect_right(cells.rows, min(block.last_row, block.first_row + _SAMPLE))
    for col, text in zip(cells.cols[start:end], cells.texts[start:end], strict=True):
        if block.first_col <= col <= block.last_col:
            samples.setdefault(col, []).append(text)
    return samples


_QUANTITY = re.compile(r".*数\s*量|(?:.* )?(?:qty\.?|quantity|quantities)", re.IGNORECASE)
_MONEY = re.compile(
    r"(?:.*(?:单\s*价|总\s*价|合\s*价|价\s*款|金\s*额|预\s*算|支\s*出|费\s*用|余\s*额|货\s*值)"
    r"|.*\b(?:price|amount|cost|total|value|budget|spen[td]|balance|paid|payable|expenditure|revenue|sales))\b.*",
    re.IGNORECASE,
)


def money_columns(heads: Mapping[int, str], *, in_money: bool) -> frozenset[int]:
    """Columns of prices and amounts where another column holds quantities; all others in a table of money."""
    if not any(_QUANTITY.fullmatch(head) for head in heads.values()):
        return frozenset()
    if in_money:
        return frozenset(col for col, head in heads.items() if not _QUANTITY.fullmatch(head))
    return frozenset(col for col, head in heads.items() if _MONEY.fullmatch(head))


def names_measures(block: Block, heads: Mapping[int, Label]) -> bool:
    """Whether a column of units gives the rows units that things of one kind do not have: persons, and per cent."""
    cols = unit_columns(block, heads)
    labels = (label for path in block.row_paths.values() for label in path if label.col in cols) if cols else ()
    units = [unit for label, _ in zip(labels, range(_SAMPLE), strict=False) if (unit := parse_unit(label.text))]
    kinds = {"currency" if unit.kind in ("currency", "per_share") else unit.kind for unit in units}
    return len(kinds) > 1 and not kinds.isdisjoint({"percent", "currency"})


def names_members(block: Block, heads: Mapping[int, Label]) -> bool:
    """Whether a head says that the rows are regions, products, shops: things of a kind."""
    return any(heads_members(head.text) for col, head in heads.items() if col < block.first_col)


def named_rows(block: Block, heads: Mapping[int, Label]) -> Mapping[int, Path]:
    """The paths of rows without what a column of units says where nobody knows such a unit: it names no row."""
    cols = {col for col, head in heads.items() if heads_units(head.text) and col < block.first_col}
    if not cols:
        return block.row_paths
    return {
        row: tuple(label for label in path if label.col not in cols or _says_unit(label.text)) or path
        for row, path in block.row_paths.items()
    }


def heads_identifiers(label: Label | None) -> bool:
    """Whether a heading says that what stands under it are codes, numbers of things, or telephone numbers."""
    return _use_by_heading(label) in ("identifier", "phone_number")


def is_attribute(head: Label | None, texts: Sequence[str], vocabulary: Vocabulary) -> bool:
    """Whether a column says, for every row, its period, place, channel or unit; judged by a sample of its texts."""
    if _heads_units(head):
        return 2 * sum(_unit_alone(text, vocabulary) is not None for text in texts) > len(texts)
    readings = (read_label(tidy(text), vocabulary) for text in texts)  # most columns give themselves away at once
    if head is not None and _PERIOD_HEAD.fullmatch(tidy(head.text)):
        return all(reading.period or reading.partial for reading in readings)
    # Without such a heading, numbers are measures whatever year they resemble, and a date is when something else
    # happened (opened, signed), not the period the row is about; nor are the years from its beginning to its end.
    if any(text.isdecimal() for text in texts) or all(map(_MODEL.fullmatch, texts)):
        return False
    return all(_says_something(reading) and not _is_of_thing(reading.period) for reading in readings)


def _unit_alone(text: str, vocabulary: Vocabulary) -> LabelReading | None:
    """A cell of a column of units, where letters that may be anything elsewhere are units: L, T."""
    reading = read_label(tidy(text), vocabulary)
    if reading.unit is not None:
        return None if reading.rest else reading
    unit = parse_unit(text) or parse_unit(text.lower())
    return LabelReading(text, "", unit=unit) if unit is not None and unit.kind != "scale" else None


def _heads_units(head: Label | None) -> bool:
    return head is not None and _UNIT_HEAD.fullmatch(tidy(head.text)) is not None


def _is_of_thing(period: PeriodReading | None) -> bool:
    return period is not None and period.period_type in ("INSTANT", "RANGE")


def _says_something(reading: LabelReading) -> bool:
    said = reading.period or reading.geography or reading.channel or reading.entity or reading.marks
    is_currency = reading.unit is not None and reading.unit.kind == "currency"
    return bool(said or is_currency) and not reading.rest


def _read_rows(block: Block, cells: CellColumns, chosen: set[int], vocabulary: Vocabulary) -> dict[int, Dims]:
    rows: dict[int, Dims] = {}
    folded: dict[tuple[int, str, int], Dims] = {}  # by identity: every statement here is kept in `folded` itself
    start, end = bisect_left(cells.rows, block.first_row), bisect_right(cells.rows, block.last_row)
    wanted = list(map(chosen.__contains__, cells.cols[start:end]))
    chosen_cells = (compress(part[start:end], wanted) for part in (cells.rows, cells.cols, cells.texts))
    for row, col, text in zip(*chosen_cells, strict=True):
        outer = rows.get(row, NOTHING)
        key = (id(outer), text, col)
        if key not in folded:
            if _heads_units(_last(block.col_paths.get(col, ()))):
                reading = _unit_alone(text, vocabulary) or LabelReading(text, "", unit=UNSETTLED)
            else:
                reading = naming_currency(read_label(tidy(text), vocabulary))
            folded[key] = fold_label(outer, reading, "")
        rows[row] = folded[key]
    return rows
