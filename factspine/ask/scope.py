"""Where a question is asked: the tables of some documents, their labels, and how rare each word is among them."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from factspine.ask.features import Features, label_features
from factspine.ask.latest import reporting_year
from factspine.ask.subject import Subject
from factspine.ask.words import stem
from factspine.core.locators import parse
from factspine.lexicon.slugs import PATH_BREAK
from factspine.lexicon.vocabulary import Vocabulary
from factspine.store.table_heads import CellFact, HeadLine, TableHeads

_COUNTRY = re.compile(r"g:[A-Z]{2}")
_PARTS_LEAST = 4
_KEYS_LEAST = 3
_PARTS = re.compile(r"[|(（),，）:：;；]")
_BY = re.compile(r"\s+by\s+", re.IGNORECASE)
_OF_EACH = re.compile(r"^(?:分|按|各)(?:产品|地区|区域|门店|渠道|行业|板块|业务|部门|季度|月|年)")


class Line(NamedTuple):
    """A row or column with its labels as numbers in the scope."""

    head: HeadLine
    labels: tuple[int, ...]


class AxisRarity:
    """How much each form tells among the rows, or among the columns, of one table."""

    def __init__(self, lines: list[Line], labels: list[Features]) -> None:
        self._count = len(lines)
        self._frequency = Counter(
            form for line in lines for form in frozenset().union(*(labels[number].forms for number in line.labels))
        )
        self._weights: dict[int, tuple[list[tuple[str, float]], list[tuple[str, list[float]]]]] = {}

    def knows(self, form: str) -> bool:
        """Whether any of the lines says this."""
        return form in self._frequency

    def _of(self, form: str) -> float:
        return max(math.log((self._count + 1.0) / (self._frequency.get(form, 0) + 0.5)), 0.03)

    def weights(self, number: int, label: Features) -> tuple[list[tuple[str, float]], list[tuple[str, list[float]]]]:
        """The words of a label with their weights, and its Chinese runs with the weight of each character."""
        known = self._weights.get(number)
        if known is None:
            words = [(word, self._of(word)) for word in label.words]
            runs = [(run, self._characters(run)) for run in label.han]
            known = self._weights[number] = (words, runs)
        return known

    def _characters(self, run: str) -> list[float]:
        if len(run) == 1:
            return [self._of(run)]
        by_pair = [self._of(run[at : at + 2]) * 0.5 for at in range(len(run) - 1)]
        return [max(by_pair[max(at - 1, 0)], by_pair[min(at, len(by_pair) - 1)]) for at in range(len(run))]


@dataclass(slots=True)
class ScopeTable:
    """A table in a scope."""

    heads: TableHeads
    rows: list[Line]
    cols: list[Line]
    context: Features
    row_rarity: AxisRarity
    col_rarity: AxisRarity
    years: frozenset[str]  # that its rows and columns name
    whole_places: frozenset[str]  # places that stand for all the others, as forms
    named_first: bool = False  # the first label of each row is its name, what follows says something of it
    cells: dict[tuple[int, int], CellFact] = field(default_factory=dict)
    wholes: Mapping[tuple[int, int], tuple[int, ...]] = field(default_factory=dict)  # rows that a cell is a part of
    sums: frozenset[int] = frozenset()  # rows that others add up to, wherever they stand
    loaded: bool = False

    def lines_at(self, row: int, col: int) -> Iterator[Line]:
        """The lines that head a row where a column crosses it."""
        for line in self.rows:
            if line.head.position == row and line.head.cross_first <= col <= line.head.cross_last:
                yield line


class Scope:
    """Labels of some tables, indexed by what they can be matched with."""

    def __init__(
        self,
        tables: Iterable[TableHeads],
        vocabulary: Vocabulary,
        cache: dict[str, Features],
        opening: Iterable[str] = (),
    ) -> None:
        self.labels: list[Features] = []
        self._vocabulary = vocabulary
        self._measured_by: dict[str, frozenset[str]] = {}
        self._whole_labels: set[str] = set()
        self.tables: list[ScopeTable] = []
        self.index: dict[str, list[int]] = defaultdict(list)
        # Named on the first page, not over each table.
        self.subject = Subject(list(opening), vocabulary, self._is_label)
        self._number_of: dict[str, int] = {}
        frequency: Counter[str] = Counter()
        self.line_count = 0
        for heads in tables:
            rows: list[Line] = []
            cols: list[Line] = []
            for head in heads.lines:
                labels = tuple(self._label(text, vocabulary, cache) for text in head.path)
                (rows if head.axis == "r" else cols).append(Line(head, labels))
                frequency.update(frozenset().union(*(self.labels[number].forms for number in labels)))
                self.line_count += 1
            context = label_features(_context_text(heads), vocabulary, cache)
            context = context._replace(forms=context.forms | _measured(heads, vocabulary))
            self.tables.append(self._table(heads, rows, cols, context))
        self._frequency = frequency
        self.latin_words = sorted({word for label in self.labels for word in label.words if word.isalpha()})
        self.last_year = reporting_year(
            period for table in self.tables for period in self._periods(table.rows, table.cols)
        )
        self.context_forms = frozenset().union(*(table.context.forms for table in self.tables))

    def _table(self, heads: TableHeads, rows: list[Line], cols: list[Line], context: Features) -> ScopeTable:
        # A table about a country has that country as the whole of its regions.
        wholes = {form for form in context.forms if form.startswith("g:")}
        wholes |= self._country_among(rows) | self._country_among(cols)
        rarities = AxisRarity(rows, self.labels), AxisRarity(cols, self.labels)
        years, named = self._years(rows, cols), self._named_first(rows)
        return ScopeTable(heads, rows, cols, context, *rarities, years, frozenset(wholes), named)

    def _is_label(self, words: str) -> bool:
        """Whether words are the whole of a label, in any inflection and case."""
        return " ".join(stem(word) for word in words.split()) in self._whole_labels

    def _label(self, text: str, vocabulary: Vocabulary, cache: dict[str, Features]) -> int:
        number = self._number_of.get(text)
        if number is None:
            number = self._number_of[text] = len(self.labels)
            features = label_features(text, vocabulary, cache)
            self.labels.append(features)
            self._whole_labels.add(" ".join(features.words))
            for form in features.forms:
                self.index[form].append(number)
        return number

    def _periods(self, rows: list[Line], cols: list[Line]) -> Iterator[str]:
        for line in (*rows, *cols):
            for number in line.labels:
                yield from (form[2:] for form in self.labels[number].forms if form.startswith("p:"))

    def _years(self, rows: list[Line], cols: list[Line]) -> frozenset[str]:
        periods = self._periods(rows, cols)
        return frozenset(end[:4] for period in periods for end in period.split("/") if end[:4].isdigit())

    def _named_first(self, rows: list[Line]) -> bool:
        """Whether the first of several labels tells each row from all others: a shop, and who runs it."""
        first = [self.labels[line.labels[0]] for line in rows if len(line.labels) > 1]
        worded = all(any(map(str.isalpha, label.text)) for label in first)
        return len(first) >= _KEYS_LEAST and worded and len({label.text for label in first}) == len(first)

    def _country_among(self, lines: list[Line]) -> set[str]:
        """The one country among lines that are not countries: the whole of what they are parts of."""
        countries: Counter[str] = Counter()
        for line in lines:
            forms: set[str] = set().union(*(self.labels[number].forms for number in line.labels))
            countries.update(form for form in forms if _COUNTRY.fullmatch(form))
        return set(countries) if len(lines) >= _PARTS_LEAST and list(countries.values()) == [1] else set()

    def measured(self, label: str) -> frozenset[str]:
        """What a metric's label says is measured of a part of the whole, as forms: 销售额 – 华东区."""
        found = self._measured_by.get(label)
        if found is None:
            codes = map(self._vocabulary.metric_code, label.split(PATH_BREAK)) if PATH_BREAK in label else ()
            found = self._measured_by[label] = frozenset(f"m:{code}" for code in codes if code is not None)
        return found

    def says(self, line: Line, form: str) -> bool:
        """Whether a label of a line can be matched with this."""
        return any(form in self.labels[number].forms for number in line.labels)

    def rarity(self, count: float) -> float:
        """How much a match tells that `count` lines of the scope share."""
        return math.log((self.line_count + 1.0) / (count + 0.5))

    def form_rarity(self, form: str) -> float:
        """How much a form tells."""
        return self.rarity(self._frequency.get(form, 0))


def _context_text(heads: TableHeads) -> str:
    """Title, corner, sheet and file name: what is said about a whole table."""
    place = parse(heads.locator)
    name = heads.doc_id.rpartition("/")[2].rpartition(".")[0].replace("_", " ")
    return " | ".join(text for text in (heads.title, heads.corner, place.get("sheet") or "", name) if text)


def _measured(heads: TableHeads, vocabulary: Vocabulary) -> set[str]:
    """The metrics that a table's title or sheet says all of it is about, as forms: Sales by region, 各地区销售额."""
    said = [*_PARTS.split(heads.title), parse(heads.locator).get("sheet") or ""]
    names = {piece for text in said for piece in (text, _BY.split(text, maxsplit=1)[0], _OF_EACH.sub("", text))}
    return {f"m:{code}" for name in names if (code := vocabulary.metric_code(name.strip())) is not None}
