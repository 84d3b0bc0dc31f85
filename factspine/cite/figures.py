"""The numbers a text says, each recognised as what it is: an amount, a date, an ordinal, a list number, a code.

Reading goes from the special to the general: what a citation marker, a list, a date or a code has taken is not read
again as an amount.
"""

from __future__ import annotations

import re
import unicodedata
from decimal import Decimal
from functools import lru_cache
from typing import Literal, NamedTuple

from factspine.cite.dates import Day, find_days, find_years
from factspine.cite.directions import direction, is_change, outcome
from factspine.cite.measures import Measure, measure_around, per_around
from factspine.cite.wordings import Worded, find_worded
from factspine.lexicon.folding import fold
from factspine.lexicon.number_words import find_number_words, find_ordinal_words
from factspine.lexicon.numerals import chinese_number

Kind = Literal["amount", "date", "ordinal", "code", "page", "multiple", "magnitude"]


BY, FROM, TO = 1, -1, -2


class Figure(NamedTuple):
    """One number of a text. `value` is what is written, in `measure.unit` x 10^`measure.scale`."""

    kind: Kind
    text: str
    start: int
    end: int
    value: Decimal = Decimal(0)
    decimals: int = 0
    measure: Measure = Measure()
    other_measures: tuple[Measure, ...] = ()  # what it may be said in as well: `5 to 6 million`
    negative: bool = False  # a minus sign or accounting brackets
    approximate: bool = False  # about, nearly, over, 约, 近 …
    bound: int = 0  # -1 where what it stands for is less (nearly, 近), 1 where it is more (over, 逾)
    slack: Decimal = Decimal(0)  # how far what is said in words (two-thirds, 三成) may be from what it stands for
    direction: int = 0  # -1 where the words around it say down, 1 up
    outcome: int = 0  # -1 where they say a loss, 1 a profit
    is_change: bool = False  # where they call it a change, without saying which way
    per: str = ""  # what it is counted by: share, year …
    step: int = 0  # whether it is said by how much something went up or down, or from what, or to what
    is_baseline: bool = False  # what something is compared with: of another period than the sentence is about
    day: Day | None = None
    in_words: bool = False
    ranks: bool = False  # of an ordinal: second largest, 排名第二


_MARKER = re.compile(r"\[\s*†?\d{1,3}(?:\s*[,，;-]\s*†?\d{1,3})*\s*\]|【\d{1,3}†?[^】]*】|[¹²³⁰⁴-⁹]+")
_LIST_ITEM = re.compile(
    r"(?m)^[ \t]*[(（]?(\d{1,2})[.)、．）](?=[ \t]*\S)(?!\d)|(?<=[:：;；,，.] )[(（]?(\d{1,2})[)）](?=[ \t]*[^\W\d])|"
    r"(?<=[：；，。])[(（]?(\d{1,2})[)）](?=[^\W\d])"
)
_CIRCLED = re.compile(r"[①-⑳]")
_PAGE = re.compile(r"\b(?:pages?|pp?\.|slides?)\s*(\d{1,4})\b|第\s*(\d{1,4})\s*[页頁]", re.IGNORECASE)
_NUMBER = re.compile(
    r"(?<=[$€£¥])\d{1,3}(?: \d{3})+(?![\d,.'])|"  # only money: elsewhere two numbers may stand side by side
    r"\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\d])|\d{1,3}(?:'\d{3})+(?!\d)|\d+(?:\.\d+)?|(?<![\d\w])\.\d+",
    re.ASCII,
)
_SCALED = re.compile(r"(.+点[^点十百千万亿拾佰仟]+)[十百千万亿拾佰仟]+")
_CHINESE = re.compile(r"[零〇一二三四五六七八九十百千万亿两壹贰叁肆伍陆柒捌玖拾佰仟点]{2,}")
_HUNDREDTHS = re.compile(r"百分之([零一二三四五六七八九十百点\d.]+)")
_ORDINAL_TAIL = re.compile(r"(?:st|nd|rd|th)\b", re.IGNORECASE)
_CODE = re.compile(
    r"(?<![\w.])[A-Za-z][A-Za-z0-9]*(?:[-/^{}_]+[A-Za-z0-9]+)*\d[A-Za-z0-9]*|(?<![\w.,])\d+[A-Za-z]+\d*\w*"
)
_VAGUELY = (
    r"\s*(?:(?:about|around|approximately|nearly|almost|over|more than|some|a|an|the)\s+)*"
    r"[约近逾超]?\s*[A-Z$€£¥]{0,4}\s*$"
)
_BY = re.compile(rf"(?:\bby|(?:增加|减少|增长|下降|上升|提高|降低|下跌|上涨)了?){_VAGUELY}", re.IGNORECASE)
_TO = re.compile(rf"(?:(?<!up )\bto|[至到]){_VAGUELY}", re.IGNORECASE)
_FROM = re.compile(rf"(?:\bfrom|[由从自]){_VAGUELY}", re.IGNORECASE)
_ABOUT = re.compile(
    r"(?:\b(?:about|around|approximately|approx\.?|roughly|some|circa|ca?\.|close to|up to|an? estimated|just|"
    r"(?P<over>over|above|exceeding|more than|at least)|"
    r"(?P<under>nearly|almost|under|below|less than|fewer than))\s*|[~≈约达]|(?P<over2>[>≥超逾]|超过|高于|至少)|"
    r"(?P<under2>[<≤近]|将近|不足|不到|低于)|大约|接近|约为)\s*(?:the\s*)?[A-Z$€£¥]{0,4}\s*$",
    re.IGNORECASE,
)
_ABOUT_AFTER = re.compile(r"\s*(?:左右|上下|\bor so\b|(?P<over>以上|多|余|\+)|(?P<under>以下))")
_RANKS_BEFORE = re.compile(
    r"(?:\brank(?:s|ed|ing)?|\bcame|\bplaced|排名|排行|位列|名列|位居|[居列])\s*(?:as |in |the )*$", re.I
)
_RANKS_AFTER = re.compile(
    r"[- ](?:consecutive|straight|successive|largest|biggest|highest|lowest|smallest|most|place|best)\b|"
    r"[大高多]|名(?!称)",
    re.IGNORECASE,
)
_SEPARATOR = re.compile(r"\s*(?:-|~|to|至|到|and|or|与|和|或|,|、|/)\s*(?:[A-Z]{0,3}[$€£¥])?\s*", re.IGNORECASE)
_BOUND_SLACK = Decimal(3)  # 逾一成 is a little more than a tenth
_JOINS = re.compile(r"[A-Za-z0-9%)年月日号度季元万亿千百倍个人家成岁吨股]")  # before a dash: a word, a range
_BASELINE = re.compile(
    r"(?:\b(?:from|versus|vs\.?|against|than|compared (?:with|to))|[由从较比]|相比)\s*(?:the\s*)?[A-Z$€£¥]{0,4}\s*$",
    re.IGNORECASE,
)
_BEFORE = 40


@lru_cache(maxsize=2048)  # one snippet is the evidence of several sentences
def read_figures(text: str) -> tuple[Figure, ...]:
    """Every number of a text, in order of place; markers and the numbers of a list left out."""
    reader = _Reader(text)
    reader.skip_markers_and_lists()
    reader.read_dates()
    reader.read_pages()
    reader.read_worded()
    reader.read_chinese()
    reader.read_numbers()
    reader.read_words()
    return tuple(_with_ranges(reader.folded, sorted(reader.figures, key=lambda figure: figure.start)))


class _Reader:
    """The passes over one text; `taken` says which characters an earlier pass has used."""

    def __init__(self, text: str) -> None:
        self.text = text
        # Every script's digits are digits; what folding leaves are those without a plain counterpart.
        self.folded = "".join(
            str(unicodedata.decimal(mark)) if mark.isdecimal() and not mark.isascii() else mark for mark in fold(text)
        )
        self.lowered = self.folded.lower()
        self.figures: list[Figure] = []
        self._taken = bytearray(len(text))

    def skip_markers_and_lists(self) -> None:
        for marker in _MARKER.finditer(self.text):
            self._take(*marker.span())
        # A list counts from one and has at least two items; a lone `4.` before a sentence is a number like others.
        expected = 1
        items: list[tuple[int, int]] = []
        for item in _LIST_ITEM.finditer(self.text):
            number = int(item.group(1) or item.group(2) or item.group(3))
            if number == expected or (number == 1 and expected > 2):
                items.append(item.span())
                expected = number + 1
        if len(items) > 1:
            for span in items:
                self._take(*span)
        circled = list(_CIRCLED.finditer(self.text))
        counted = [int(unicodedata.numeric(one.group())) for one in circled]
        if counted != list(range(1, len(counted) + 1)):  # else they number a list
            for one, value in zip(circled, counted, strict=True):
                if one.start() == 0 or self.text[one.start() - 1].isspace():
                    self._add(Figure("amount", one.group(), *one.span(), Decimal(value)))

    def read_dates(self) -> None:
        for year, start, end in find_years(self.text):
            if self._free(start, end):
                self._add(Figure("amount", self.text[start:end], start, end, Decimal(year)))
        for day in find_days(self.text):
            if self._free(day.start, day.end):
                self._add(Figure("date", self.text[day.start : day.end], day.start, day.end, day=day))

    def read_pages(self) -> None:
        for page in _PAGE.finditer(self.folded):
            if self._free(*page.span()):
                number = Decimal(page.group(1) or page.group(2))
                self._add(Figure("page", self.text[page.start() : page.end()], *page.span(), value=number))

    def read_worded(self) -> None:
        for one in find_worded(self.folded):
            if not self._free(one.start, one.end):
                continue
            if one.kind == "share":
                self._add_amount(one.start, one.end, one.value, Measure("%", 0, "percent"), worded=one)
            elif one.kind == "count":
                self._add_amount(one.start, one.end, one.value, None, in_words=True)
            else:
                self._add(self._of_words(one))

    def _of_words(self, one: Worded) -> Figure:
        said = self.text[one.start : one.end]
        if one.kind == "ordinal":
            ranks = self._ranks(one.start, one.end)
            return Figure("ordinal", said, one.start, one.end, one.value, in_words=True, ranks=ranks)
        kind: Kind = "multiple" if one.kind == "multiple" else "magnitude"
        return Figure(kind, said, one.start, one.end, one.value)

    def _ranks(self, start: int, end: int) -> bool:
        """Whether an ordinal says a place among others, rather than putting an argument in order."""
        before = self.folded[max(0, start - _BEFORE) : start]
        return bool(_RANKS_BEFORE.search(before) or _RANKS_AFTER.match(self.folded, end))

    def read_chinese(self) -> None:
        for found in _HUNDREDTHS.finditer(self.folded):
            digits = found.group(1)
            value = Decimal(digits) if re.fullmatch(r"\d+(?:\.\d+)?", digits) else _chinese_small(digits)
            if value is not None and self._free(*found.span()):
                self._add_amount(*found.span(), value, Measure("%", 0, "percent"))
        for found in _CHINESE.finditer(self.folded):
            # The 亿 of 五十六点七八亿 is the scale of what stands before it.
            scaled = _SCALED.fullmatch(found.group())
            numeral = scaled[1] if scaled else found.group()
            start, end = found.start(), found.start() + len(numeral)
            value = chinese_number(numeral)
            if value is not None and self._free(start, end) and not self.folded[start - 1].isdigit():
                self._add_amount(start, end, value, None)

    def read_numbers(self) -> None:
        codes = {code.start(): code for code in _CODE.finditer(self.folded)}
        for code in codes.values():
            if self._free(*code.span()) and not self._is_amount(code):
                self._add(Figure("code", self.text[code.start() : code.end()], *code.span()))
        for number in _NUMBER.finditer(self.folded):
            if not self._free(*number.span()):
                continue
            digits = re.sub(r"[,' ]", "", number.group())
            tail = _ORDINAL_TAIL.match(self.folded, number.end())
            if tail or self.folded[max(0, number.start() - 1) : number.start()] == "第":
                end = tail.end() if tail else number.end()
                self._add(Figure("ordinal", self.text[number.start() : end], number.start(), end, Decimal(digits)))
            else:
                self._add_amount(*number.span(), Decimal(digits), None)

    def read_words(self) -> None:
        for found in (*find_number_words(self.folded), *find_ordinal_words(self.folded)):
            if not self._free(found.start, found.end):
                continue
            value = Decimal(found.value)
            if found.ordinal:
                said, ranks = self.text[found.start : found.end], self._ranks(found.start, found.end)
                self._add(Figure("ordinal", said, found.start, found.end, value, in_words=True, ranks=ranks))
            else:
                self._add_amount(found.start, found.end, value, None, in_words=True)

    def _is_amount(self, code: re.Match[str]) -> bool:
        """Whether letters around digits are a unit, a currency, a decade or an ordinal rather than a name."""
        number = _NUMBER.search(self.folded, code.start(), code.end())
        if number is None:
            return False
        before, after = self.folded[code.start() : number.start()], self.folded[number.end() : code.end()]
        if not before and re.fullmatch(r"s|st|nd|rd|th|x|ms?|bn?|k|mn|mm|yr|yrs|pt|pts|pp", after, re.IGNORECASE):
            return True
        measure, start, end = measure_around(self.folded, self.lowered, number.start(), number.end())
        return bool(measure.unit or measure.scale) and start <= code.start() and end >= code.end()

    def _add_amount(
        self,
        start: int,
        end: int,
        value: Decimal,
        measure: Measure | None,
        *,
        in_words: bool = False,
        worded: Worded | None = None,
    ) -> None:
        found = (measure, start, end) if measure else measure_around(self.folded, self.lowered, start, end)
        said, first, last = found
        exponent = value.as_tuple().exponent
        near = self.folded[max(0, first - _BEFORE) : first]
        before = _ABOUT.search(near)
        after = _ABOUT_AFTER.match(self.folded, last)
        self._add(
            Figure(
                "amount",
                self.text[first:last],
                first,
                last,
                abs(value),
                max(0, -exponent) if isinstance(exponent, int) else 0,
                said,
                negative=_is_negative(self.folded, first, start, last),
                approximate=before is not None or after is not None,
                bound=worded.bound if worded is not None and worded.bound else _bound(before, after),
                slack=Decimal(0) if worded is None else max(worded.slack, _BOUND_SLACK * bool(before or after)),
                direction=direction(self.folded, first, last),
                outcome=outcome(self.folded, first),
                is_change=is_change(self.folded, first),
                per=per_around(self.folded, first, last),
                is_baseline=_BASELINE.search(near) is not None,
                step=_step(near),
                in_words=in_words,
            )
        )

    def _add(self, figure: Figure) -> None:
        self._take(figure.start, figure.end)
        self.figures.append(figure)

    def _take(self, start: int, end: int) -> None:
        self._taken[start:end] = b"\1" * (end - start)

    def _free(self, start: int, end: int) -> bool:
        return not any(self._taken[start:end])


def _bound(before: re.Match[str] | None, after: re.Match[str] | None) -> int:
    """Whether the words beside a number say that what it stands for is more or less."""
    groups = {
        **(before.groupdict() if before else {}),
        **({f"{k}3": v for k, v in after.groupdict().items()} if after else {}),
    }
    over = any(groups.get(name) for name in ("over", "over2", "over3"))
    under = any(groups.get(name) for name in ("under", "under2", "under3"))
    return int(over) - int(under)


def _step(near: str) -> int:
    """Whether the words before a number make it a change (fell by, 增加了) or a level (rose to, 增至)."""
    if _BY.search(near):
        return BY
    return TO if _TO.search(near) else FROM if _FROM.search(near) else 0


def _chinese_small(numeral: str) -> Decimal | None:
    if (value := chinese_number(numeral)) is not None:
        return value
    whole = chinese_number(f"一百{numeral}") if len(numeral) > 1 else chinese_number(f"一百零{numeral}")
    return None if whole is None else whole - 100


def _is_negative(folded: str, first: int, start: int, last: int) -> bool:
    """A minus sign that is no hyphen and no dash of a range, or brackets around nothing but the amount."""
    for at in {first, start}:
        if at and folded[at - 1] in "-△" and (at == 1 or not _JOINS.match(folded[at - 2])):
            return True
    opened = first > 0 and folded[first - 1] == "(" and folded[last : last + 1] == ")"
    # In prose brackets hold asides; in a table's row they make an amount negative. Only digits with separators, a
    # fraction, or a currency look like the latter.
    return opened and (first < 2 or not folded[first - 2].isalpha()) and any(c in ",.%$€£¥" for c in folded[first:last])


def _with_ranges(folded: str, figures: list[Figure]) -> list[Figure]:
    """`5 to 6 million`, `50-55%`: the first may be in what the second is in."""
    result = list(figures)
    for at in range(len(result) - 2, -1, -1):
        left, right = result[at], result[at + 1]
        if left.kind == right.kind == "amount" and _SEPARATOR.fullmatch(folded, left.end, right.start):
            said = right.measure
            if (said.unit or said.scale) and not left.measure.scale and left.measure.unit in ("", said.unit):
                others = (*right.other_measures, said)
                result[at] = left._replace(other_measures=others)
            elif left.measure.unit and not said.unit and left.measure.kind == "currency":
                result[at + 1] = right._replace(other_measures=(left.measure._replace(scale=said.scale),))
    return result
