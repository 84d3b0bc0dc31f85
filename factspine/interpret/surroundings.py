"""What stands around a table and applies to all of it: caption, unit line, corner, sheet name, slide title.

Texts are read from the furthest to the nearest, so that what is nearer to the numbers wins. A period is taken from a
text only when it names exactly one; two years in a caption describe the columns, not each cell.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from factspine.core.labelled import Label, LabelledTable
from factspine.core.places import cell_place
from factspine.core.tables import ContextRole, ContextText, RawTable
from factspine.interpret.closing import End, stated_end
from factspine.interpret.dimensions import ASSURANCE, NOTHING, Dims, compared_by, fold_marks, fold_units, tidy
from factspine.interpret.places import column_meant
from factspine.interpret.titles import names_maker, names_part, names_reporter, read_title
from factspine.lexicon.labels import read_label
from factspine.lexicon.measured import is_counted
from factspine.lexicon.periods import PeriodReading, find_partial, find_periods, is_period_label
from factspine.lexicon.slugs import PATH_BREAK
from factspine.lexicon.units import UnitReading, find_unit
from factspine.lexicon.vocabulary import Vocabulary

# From far to near. Speaker notes and plain notes are prose: they explain numbers and do not define them.
_DISTANCE = {
    "document": 0,
    "sheet": 1,
    "sibling": 2,
    "slide_title": 2,
    "section": 3,
    "caption": 4,
    "axis_title": 5,
    "note": 6,
}
_DISTANCE |= {"unit_note": 7, "corner": 8}
_GENERIC_SHEET = re.compile(r"(sheet|tabelle|feuil|工作表|表)\s*\d*", re.IGNORECASE)
_UNIT_LINE = re.compile(
    r"(单位|單位|货币|貨幣|币种|幣種|unit|currency|expressed in|amounts? in|"
    r"in (?:(?:us|hk|nt|[asc]|rmb|[a-z]{3})?\s?[$€£¥]?\s?)(?:thousand|million|billion))",
    re.I,
)
_BY = re.compile(r"\s+by\s+[\w\s,&/-]{2,40}$", re.IGNORECASE)
_FOOTNOTE = re.compile(r"[*†‡#¹²³⁴-⁹⁽]|[\[(（]?(?:\d{1,2}|[a-z])[\])）]")
_NUMBER_OF_TABLE = re.compile(
    r"^(?:(?:table|tab\.|exhibit|schedule|figure|fig\.)\s*[a-z]?\d[\w.-]*|(?:附?[表图]|表格)\s*\d[\d.-]*|\d+[-.]\d+(?=\s))[\s.:：、–—-]*",
    re.IGNORECASE,
)
_MARKS_KINDS = frozenset({"ratio", "count", "time", "physical"})  # whose short names may as well be marks or in passing
_WIDE_GAP = re.compile(r"\s{2,}|[\t\u3000]")
# A title with its unit behind it, in brackets: 2024年各门店销售额（单位：万元）, `Sales by depot, 2024 (EUR thousand)`.
_TITLE_WITH_UNIT = re.compile(r"(?P<title>[^()（）\[\]【】]{4,}?)\s*[(（\[【][^()（）\[\]【】]{1,30}[)）\]】]\s*")
_SHORT_NOTE = 60
_SHORT_TITLE = 80
_SHORT_MEASURE = 40
# What a text around a table can say about all its numbers. "Restated" is not among them: a note that says so speaks of
# one column.
_STATEMENT = r"(?:balance sheets?|income statements?|cash flow statements?|statements? of [a-z ]+|financial statements)"
_STATEMENT_ZH = r"(?:资产负债表|利润表|现金流量表|所有者权益|股东权益|财务报表)"
_SCOPES = {
    "consolidated": re.compile(
        rf"合并(?:及母?公司)?{_STATEMENT_ZH}|\bconsolidated (?:interim )?{_STATEMENT}", re.IGNORECASE
    ),
    "parent": re.compile(rf"母公司{_STATEMENT_ZH}|\b(?:parent )?company {_STATEMENT}", re.IGNORECASE),
}
_PLANS = frozenset({"budget", "forecast", "target"})
_TITLES = frozenset({"sheet", "slide_title", "section", "caption", "corner"})
# Actual figures that a title holds against a plan.
_COMPARED = re.compile(
    r"\b(?:ahead of|above|below|beat(?:s|ing)?|exceed\w*|vs\.?|versus|against|over|under|within|in line with"
    r"|compared (?:to|with))\s+(?:the |our |its |full[- ]year )?(?:budget|forecast|target|plan|guidance)"
    r"|(?:高于|高於|低于|低於|优于|優於|超出?|超过|超過|较|較|对比|對比|达成|達成|完成)(?:全年|年度)?"
    r"(?:预算|預算|预测|預測|目标|目標|计划|計劃)",
    re.IGNORECASE,
)
_ELSEWHEN = re.compile(
    r"(?:\b(?:by|since|until|till|before|after|beyond|towards?"
    r"|(?:launch|open|found|establish|acquir|start|complet|list|join|merg)ed (?:in|on))(?: the)?(?: end of)?"
    r"|到|自|自从|预计|預計)\s*$",
    re.IGNORECASE,
)


class Surroundings(NamedTuple):
    """What applies to every cell of the table unless its own labels say otherwise."""

    dims: Dims
    metric: str  # what the caption says is measured, for tables whose axes are all periods and places
    stated: End | None = None  # when the caption says its years end: "for the year ended 30 June 2023"
    caption: str = ""  # what the caption alone says is measured
    part: str = ""  # of what part of the business, or of whom else, the numbers are: 零售分部, Target
    subject: frozenset[str] = frozenset()  # of what the unit is, where the note says so: [Enrollment in thousands]
    measured: str = ""  # what caption or slide title say is measured, where they surely do
    year_end: int = 12  # the month in which the vocabulary has years end


def read_surroundings(labelled: LabelledTable, vocabulary: Vocabulary) -> Surroundings:
    """Fold all texts around a table, nearest last."""
    dims, told, part = NOTHING, _Told(), ""
    axis = next((tidy(text.text) for text in labelled.raw.context if text.role == "axis_title"), "")
    by_distance = _by_distance(_texts(labelled))
    for _, texts in sorted(by_distance.items()):
        periods: dict[tuple[str, str], PeriodReading] = {}
        published: dict[tuple[str, str], PeriodReading] = {}
        for text in texts:
            content = tidy(text.text)
            if text.role == "sibling":
                dims = _of_same_sheet(dims, content, vocabulary)
            if text.role == "sibling" or names_maker(content):
                continue
            if not (axis and _is_of_other_axis(content, axis)):
                dims = _with_unit(dims, text, content, vocabulary)
            if named := names_part(content) if text.role in _TITLES else None:
                part, dims = named.name, dims._replace(entity="") if named.is_other else dims
            if reporter := names_reporter(text.text.strip()):
                dims = dims._replace(entity=read_title(reporter, vocabulary).entity or reporter)
            if reporter or text.role == "unit_note":
                found = _set_off(text.text, vocabulary)
                periods |= {(period.period_type, period.period): period for period in found}
            if reporter:
                continue
            if text.role in ("note", "unit_note", "axis_title", "corner"):
                dims = _with_marks(dims, read_label(content, vocabulary).marks, ASSURANCE)
                periods |= _stated_periods(text, content, vocabulary)
                continue
            title = read_title(content, vocabulary)
            dims = dims._replace(entity=title.entity or dims.entity, geography=title.geography or dims.geography)
            dims = _with_scope(dims, content)
            dims = _with_scenario(dims, content, vocabulary)
            for period in find_periods(content, vocabulary.fiscal_year_end_month):
                if _ELSEWHEN.search(content[: period.span_start]):
                    continue  # "by 2027": when something else happens
                (published if _may_be_publication(text, period) else periods)[period.period_type, period.period] = (
                    period
                )
            if not (text.role == "sheet" and _GENERIC_SHEET.fullmatch(content)):
                told = told.inside(text.role, content, title.rest, vocabulary)
        if periods := periods or published:
            # The nearest texts that name a period decide; several describe columns, not each cell.
            dims = dims._replace(period=next(iter(periods.values())) if len(periods) == 1 else None)
    part = part or _told_apart(labelled.raw, vocabulary)
    subject = _subject(dims, by_distance, labelled)
    end = _stated_end(by_distance, vocabulary)
    year_end = vocabulary.fiscal_year_end_month
    return Surroundings(dims, told.metric, end, told.caption, part, subject, told.measured, year_end)


def _by_distance(texts: Iterable[ContextText]) -> dict[int, list[ContextText]]:
    found: dict[int, list[ContextText]] = {}
    for text in texts:
        if text.role in _DISTANCE:
            found.setdefault(_DISTANCE[text.role], []).append(text)
    return found


class _Told(NamedTuple):
    """What titles say is measured, as far as they have been read."""

    metric: str = ""
    caption: str = ""
    measured: str = ""

    def inside(self, role: str, title: str, rest: str, vocabulary: Vocabulary) -> _Told:
        """What holds once a nearer title has been read; `rest` is what company, period and unit leave of it."""
        said = measured_by(rest, vocabulary)
        if not said or len(said) > _SHORT_NOTE or role not in ("caption", "slide_title"):
            return self._replace(metric=said or self.metric)
        caption = said if role == "caption" else self.caption
        return _Told(said, caption, said if is_measure(title, said, vocabulary) else "")


def _told_apart(raw: RawTable, vocabulary: Vocabulary) -> str:
    """What the caption of a table says that is like the one beside it in all else."""
    caption = next((tidy(text.text) for text in raw.context if text.role == "apart"), "")
    said = measured_by(read_title(caption, vocabulary).rest, vocabulary) if caption else ""
    return said if len(said) <= _SHORT_NOTE else ""


def _of_same_sheet(dims: Dims, title: str, vocabulary: Vocabulary) -> Dims:
    """Whose sheet it is, which the title of any of its tables may say; the rest of that title is its own table's."""
    reporter = names_reporter(title)
    return dims._replace(entity=read_title(reporter or title, vocabulary).entity or reporter or dims.entity)


def _stated_periods(text: ContextText, content: str, vocabulary: Vocabulary) -> dict[tuple[str, str], PeriodReading]:
    """ "Year ended 31 December 2022" over labels that name no year is the year of all figures.

    The year in a unit line may be that of its money (in constant 2015 dollars), unless it is said to have ended.
    """
    if text.role not in ("corner", "unit_note") or len(content) > _SHORT_TITLE:
        return {}
    found = find_periods(content, vocabulary.fiscal_year_end_month)
    return {(p.period_type, p.period): p for p in found if p.ended or text.role == "corner"}


def _stated_end(by_distance: dict[int, list[ContextText]], vocabulary: Vocabulary) -> End | None:
    """When the years end, as the texts nearest to the table say it, or the slide's title where they name no time."""
    month = vocabulary.fiscal_year_end_month
    near = ("caption", "corner", "unit_note")
    captions = [tidy(text.text) for role in near for text in by_distance.get(_DISTANCE[role], ())]
    titles = [tidy(text.text) for text in by_distance.get(_DISTANCE["slide_title"], ())]
    is_dated = any(find_periods(text, month) or find_partial(text) for text in captions)
    return stated_end(captions if is_dated else titles, month)


_SUBJECT = re.compile(r"(?:^|[\[(.;:])\s*(?P<words>[A-Za-z][A-Za-z ,-]{2,60}?)\s*(?:\bare\b|\bis\b)?\s*$")
_GENERAL = re.compile(
    r"\b(?:amounts?|figures?|values?|data|dollars?|all|numbers?|expressed|stated|presented|reported|table|units?|currency"
    r"|except|prices?|money|monetary|us|hk|usd|eur|gbp|rmb|cny)\b",
    re.IGNORECASE,
)


def _set_off(text: str, vocabulary: Vocabulary) -> list[PeriodReading]:
    """The periods that stand by themselves in a line with other things: 编制单位：…   2024年度   单位：元."""
    parts = [part for part in _WIDE_GAP.split(text.strip()) if is_period_label(part)]
    return [period for part in parts for period in find_periods(part, vocabulary.fiscal_year_end_month)]


def _subject(dims: Dims, by_distance: dict[int, list[ContextText]], labelled: LabelledTable) -> frozenset[str]:
    """The words that say of what the table's unit is, where labels of the table have them, too, and others have not."""
    texts = [text for _, some in sorted(by_distance.items()) for text in some]
    note = next((text for text in reversed(texts) if dims.unit and text.locator == dims.unit_evidence), None)
    if note is None or not labelled.blocks or note.role in ("corner", "axis_title"):
        return frozenset()
    content = tidy(note.text)
    unit = find_unit(content)
    said = _SUBJECT.search(content, 0, unit.start) if unit is not None else None
    if said is None or _GENERAL.search(said["words"]):
        return frozenset()
    words = frozenset(word for word in re.findall(r"[a-z]{4,}", said["words"].lower()))
    heads = [
        " ".join(label.text.lower() for label in path) for block in labelled.blocks for path in block.col_paths.values()
    ]
    named = [head for head in heads if any(word in head for word in words)]
    return words if named and len(named) < len(heads) else frozenset()


def _may_be_publication(text: ContextText, period: PeriodReading) -> bool:
    """A month or day alone on a cover is when the report came out, if the cover names what the report is about."""
    return text.role == "document" and period.period_type in ("M", "INSTANT") and is_period_label(tidy(text.text))


def measured_by(title: str, vocabulary: Vocabulary) -> str:
    """What a caption says is measured: "Table 2: Premiums by market" and 分市场保费 measure premiums."""
    title = _NUMBER_OF_TABLE.sub("", title)
    if title[:1] in "分按各":
        for start in range(2, min(6, len(title))):
            if vocabulary.metric_code(title[start:]) is not None:
                return title[start:]
    return _BY.sub("", title) or title


def is_measure(title: str, measure: str, vocabulary: Vocabulary) -> bool:
    """Whether what a title says is surely what is measured: a metric everybody knows, or what has its unit behind it.

    Other titles may be messages, or say on what occasion the figures are shown.
    """
    if not measure or vocabulary.metric_code(measure) is not None:
        return bool(measure)
    unit = find_unit(title) if len(measure) <= _SHORT_MEASURE and PATH_BREAK not in measure else None
    is_behind = unit is not None and not title[unit.end :].strip(" )）]】")
    return is_behind or is_counted(measure) or bool(compared_by(measure, vocabulary))


_AGAINST = re.compile(r"\b(?:against|vs\.?|versus)\s", re.IGNORECASE)


def _is_of_other_axis(title: str, axis: str) -> bool:
    """Whether the unit in a title is that of the axis below: Units sold against price (US$), over an axis of units."""
    against = _AGAINST.search(title)
    if against is None or find_unit(axis) is not None:
        return False
    unit = find_unit(title)
    return unit is not None and unit.start > against.start()


def _with_scope(dims: Dims, content: str) -> Dims:
    """Whose accounts a statement is, where its name says so: the group's or the parent company's alone."""
    for scope, pattern in _SCOPES.items():
        if len(content) <= _SHORT_TITLE and pattern.search(content):
            return dims._replace(marks=tuple(sorted({*dims.marks} - set(_SCOPES) | {scope})))
    return dims


def _with_scenario(dims: Dims, content: str, vocabulary: Vocabulary) -> Dims:
    """Whether a title says that the figures are planned, or audited."""
    if len(content) > _SHORT_TITLE:
        return dims
    marks = read_label(content, vocabulary).marks
    is_plan = "actual" not in marks and not _COMPARED.search(content)
    return _with_marks(dims, marks, ASSURANCE | _PLANS if is_plan else ASSURANCE)


def _with_marks(dims: Dims, marks: tuple[str, ...], wanted: frozenset[str]) -> Dims:
    taken = wanted.intersection(marks)
    return dims._replace(marks=fold_marks(dims.marks, tuple(taken))) if taken else dims


def _is_count(label: str, vocabulary: Vocabulary) -> bool:
    code = vocabulary.metric_code(label)
    return is_counted(label) if code is None else vocabulary.metric_kind(code) == "count"


def _heads_labels(corner: str, unit: UnitReading) -> bool:
    """Whether a corner's unit is that of the labels under it: "Age (years)" over ages, but not "Item (US$ m)"."""
    is_all = unit.end - unit.start >= len(corner.strip())
    return not is_all and unit.kind not in ("currency", "scale", "percent")


def _with_unit(dims: Dims, text: ContextText, content: str, vocabulary: Vocabulary) -> Dims:
    if text.role == "note" and _FOOTNOTE.match(content):
        return dims  # it speaks of the cells that bear its mark
    if text.role == "note" and len(content) > _SHORT_NOTE and not _UNIT_LINE.search(content):
        return dims  # a sentence that mentions money is not a unit line
    unit = find_unit(content)
    if unit is not None and text.role == "note" and unit.kind in _MARKS_KINDS and not _UNIT_LINE.search(content):
        return dims  # [x] not available
    if unit is None or unit.is_in_name or (text.role == "corner" and _heads_labels(content, unit)):
        return dims
    if unit.kind == "scale" and _is_count(read_title(content, vocabulary).rest, vocabulary):
        unit = unit._replace(kind="counted")  # Users (million): of these they are the millions
    return dims._replace(unit=fold_units(dims.unit, unit), unit_evidence=text.locator)


def _texts(labelled: LabelledTable) -> list[ContextText]:
    raw = labelled.raw
    texts = [text for text in raw.context if column_meant(raw, text) is None]
    first_value_row = min((block.first_row for block in labelled.blocks), default=raw.top)
    for label in _with_values(labelled.notes):
        is_unit_line = _UNIT_LINE.search(label.text) is not None
        above = label.row <= first_value_row
        role: ContextRole = "unit_note" if is_unit_line else "caption" if above else "note"
        texts.append(ContextText(role=role, text=label.text, locator=cell_place(raw, label.row, label.col)))
    texts.extend(_corners(labelled))
    texts.extend(_titles_of_units(texts))
    seen = {tidy(text.text) for text in texts if text.role != "apart"}
    seen.add(tidy(" ".join(text.text for text in texts if text.role == "caption")))  # a title of several lines
    if raw.title and tidy(raw.title) not in seen:
        texts.append(ContextText(role="caption", text=raw.title, locator=raw.locator))
    return texts


def _titles_of_units(texts: Sequence[ContextText]) -> list[ContextText]:
    """The titles that stand in one cell with the unit: they say whose the numbers are, and of when, as others do."""
    found = [(text, _TITLE_WITH_UNIT.fullmatch(text.text)) for text in texts if text.role == "unit_note"]
    return [
        ContextText(role="caption", text=match["title"], locator=text.locator)
        for text, match in found
        if match is not None and not _UNIT_LINE.search(match["title"]) and find_unit(match["title"]) is None
    ]


def _with_values(notes: Sequence[Label]) -> list[Label]:
    """`Company:` and what stands in the cell beside it are one text."""
    found: list[Label] = []
    for note in notes:
        if found and found[-1].row == note.row and found[-1].text.rstrip().endswith((":", "：")):
            found[-1] = found[-1]._replace(text=f"{found[-1].text} {note.text}")
        else:
            found.append(note)
    return found


def _corners(labelled: LabelledTable) -> list[ContextText]:
    """Texts above the row labels and left of the column headers: the usual place of a unit."""
    if not labelled.blocks:
        return []
    first_row = min(block.first_row for block in labelled.blocks)
    first_col = min(block.first_col for block in labelled.blocks)
    raw = labelled.raw
    corners = []
    for cell, role in zip(raw.cells, labelled.roles, strict=True):
        if cell.row >= first_row:
            break
        if cell.col < first_col and role in ("header", "label"):
            place = cell_place(raw, cell.row, cell.col)
            corners.append(ContextText(role="corner", text=cell.text, locator=place))
    return corners
