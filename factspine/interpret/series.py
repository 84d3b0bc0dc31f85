"""The series of a chart: what they measure, and what they are called where the chart gives them no name.

Series called by shops and products measure what the chart's title, its axis or the title of the slide says. One series
without a name is what the chart as a whole shows: its title says what, or the title of its axis. Of several
without names nobody can say which is which, so their points are not known by anything.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from factspine.core.tables import RawTable
from factspine.interpret.dimensions import says_of, tidy
from factspine.interpret.lines import NO_LINE, Line
from factspine.interpret.places import column_meant
from factspine.interpret.surroundings import Surroundings, is_measure, measured_by
from factspine.interpret.titles import read_title
from factspine.lexicon.slugs import PATH_BREAK
from factspine.lexicon.vocabulary import Vocabulary

_LONGEST_MEASURE = 60
# What programs call a series that nobody has named.
_GENERIC = re.compile(
    r"(?:series|serie|séries?|datenreihen?|reihe|reeks|系列|数列|數列|資料數列|column|列)\s?\d{0,2}", re.IGNORECASE
)

# What programs and people call an axis without saying what it measures.
_NO_MEASURE = re.compile(
    r"(?:axis|chart) titles?|values?|amounts?|numbers?|figures?|totals?|units?|counts?|data|y"
    r"|坐标轴标题|座標軸標題|数值|數值|金额|金額|数量|數量",
    re.IGNORECASE,
)


class SeriesNames(NamedTuple):
    """The columns of a chart with what they are called, and those that cannot be told apart."""

    cols: dict[int, Line]
    nameless: frozenset[int]
    measure: str = ""  # what title or axis say is measured, where they surely do and no series is a metric itself

    def words(self, row: Line, col_no: int, around: Surroundings, vocabulary: Vocabulary) -> tuple[str, str] | None:
        """The words of the points of a category and a series; None where nothing tells them from others."""
        col = self.cols.get(col_no, NO_LINE)
        if col_no in self.nameless:
            return None
        if self.measure and vocabulary.metric_code(row.words) is None:
            return self.measure, PATH_BREAK.join(filter(None, (row.words, col.words)))
        if row.words.isdecimal():  # a place in a row of points measures nothing
            first = col.words or around.caption
            return (first, row.words) if first else None
        return row.words, col.words


def name_series(raw: RawTable, cols: Mapping[int, Line], around: Surroundings, vocabulary: Vocabulary) -> SeriesNames:
    """The one series without a name is called what the chart says it shows."""
    every = range(raw.left + 1, raw.left + raw.n_cols)
    unnamed = [col for col in every if not cols.get(col, NO_LINE).label]
    seen = [col for col in unnamed if col not in raw.hidden_cols]
    if len(every) == 1 and _GENERIC.fullmatch(cols.get(every[0], NO_LINE).words):
        seen = [*every]
    named = dict(cols)
    measure, is_sure = _measure(raw, around, vocabulary)
    slide = around.metric if vocabulary.metric_code(around.metric) is not None else ""
    if len(seen) == 1 and (measure or slide):
        named[seen[0]] = named.get(seen[0], NO_LINE)._replace(words=measure or slide)
    if is_sure and not any(_measures(line, vocabulary) for line in cols.values()):
        named = {col: line._replace(dims=says_of(line.dims, measure, vocabulary)) for col, line in named.items()}
    else:
        measure = ""
    nameless = frozenset(unnamed) if len(seen) > 1 else frozenset(unnamed) - frozenset(seen)
    is_name = any(line.words == measure for line in named.values())  # of the one series there is
    return SeriesNames(named, nameless, "" if is_name else measure)


def _measures(line: Line, vocabulary: Vocabulary) -> bool:
    """Whether a series is called by what it measures itself."""
    said = line.dims.counted or line.dims.compared or vocabulary.metric_code(line.words) is not None
    return bool(line.words and said)


def _measure(raw: RawTable, around: Surroundings, vocabulary: Vocabulary) -> tuple[str, bool]:
    """What the chart's own title says is measured, else the title of its only value axis, else that of the slide.

    A title may be a message, or name an occasion: whether what it says is surely measured is told beside it.
    """
    names = {tidy(cell.text) for cell in raw.cells if cell.row == raw.top}  # a chart of one series is titled by it
    axes = [text.text for text in raw.context if text.role == "axis_title" and column_meant(raw, text) is None]
    unsure = ""
    for text in (raw.title, *(axes if len(axes) == 1 else ())):
        said = measured_by(read_title(tidy(text), vocabulary).rest, vocabulary) if text else ""
        if not said or len(said) > _LONGEST_MEASURE or (text == raw.title and said in names):
            continue
        if is_measure(text, said, vocabulary) or (text is not raw.title and not _NO_MEASURE.fullmatch(said)):
            return said, True
        unsure = unsure or said
    return (around.measured, True) if around.measured and not unsure else (unsure, False)
