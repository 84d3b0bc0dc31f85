"""Periods: fiscal and calendar, Chinese and English, whole and half-said."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from factspine.lexicon.periods import combine, find_partial, find_period, find_periods, is_period_label

PERIODS = """
FY24 | FY | 2024
FY2024E | FY | 2024 | forecast
FY23A | FY | 2023 | actual
2023/24 | FY | 2024
2023-24 | FY | 2024
2019-2024 | RANGE | 2019-01-01/2024-12-31
1Q24 | Q | 2024Q1
Q1 2024 | Q | 2024Q1
24Q1 | Q | 2024Q1
1H24 | HY | 2024H1
2H2023 | HY | 2023H2
2024年上半年 | HY | 2024H1
2024年半年度 | HY | 2024H1
2024年下半年 | HY | 2024H2
2024年E | FY | 2024 | forecast
2021 p | FY | 2021 | preliminary
2021P | FY | 2021 | forecast
2021 r | FY | 2021 | revised
2024年第一季度 | Q | 2024Q1
2024年1-9月 | YTD | 2024-01-01/2024-09-30
9M2024 | YTD | 2024-01-01/2024-09-30
截至2024年6月30日 | INSTANT | 2024-06-30
截至2024年6月30日止六个月 | HY | 2024H1
截至二零二四年十二月三十一日止年度 | FY | 2024
二零二四年 | FY | 2024
二〇二四年度 | FY | 2024
Mar-24 | M | 2024-03
2024年3月 | M | 2024-03
2024-03 | M | 2024-03
2024.12.31 | INSTANT | 2024-12-31
31 December 2024 | INSTANT | 2024-12-31
Dec 31, 2024 | INSTANT | 2024-12-31
Year ended December 31, 2024 | FY | 2024
three months ended March 31, 2024 | Q | 2024Q1
six months ended 30 June 2024 | HY | 2024H1
LTM Jun-24 | LTM | 2023-07-01/2024-06-30
YTD Sep 2024 | YTD | 2024-01-01/2024-09-30
2023年（经重列） | FY | 2023 | restated
2023 (as restated) | FY | 2023 | restated
2024预算 | FY | 2024 | budget
2024年第四季度（未经审计） | Q | 2024Q4 | unaudited
2024 | FY | 2024
2023/4/1-2023/4/30 | M | 2023-04
2023/1/1-2023/9/30 | YTD | 2023-01-01/2023-09-30
2023.07.01-2023.12.31 | HY | 2023H2
2023-11-16～2023-12-15 | RANGE | 2023-11-16/2023-12-15
2023年11月16日至12月15日 | RANGE | 2023-11-16/2023-12-15
6 April 2022 to 5 April 2023 | RANGE | 2022-04-06/2023-04-05
01/04/2023-30/06/2023 | Q | 2023Q2
01/04/2023 - 30/09/2023 | RANGE | 2023-04-01/2023-09-30
"""


@pytest.mark.parametrize("line", PERIODS.strip().splitlines())
def test_a_period_has_one_canonical_form(line: str) -> None:
    """However a header writes it, the period is the same, and the header is nothing but a period."""
    text, period_type, period, marks = ([part.strip() for part in line.split("|")] + [""])[:4]
    reading = find_period(text)
    assert reading is not None
    assert (reading.period_type, reading.period, " ".join(reading.marks)) == (period_type, period, marks)
    assert is_period_label(text)


@pytest.mark.parametrize(
    "text", ["1,234", "2024.5", "12,2024", "20240331", "ISO 9001:2015", "may increase", "1990s", "2024%"]
)
def test_numbers_and_words_are_no_periods(text: str) -> None:
    """Only a standing four-digit year is a year."""
    assert find_period(text) is None
    assert not is_period_label(text)


def test_fiscal_years_follow_the_year_end() -> None:
    """With a year end in March, FY24 begins in April; a split year without a known year end has no invented dates."""
    fiscal = find_period("FY24", 3)
    split = find_period("2023/24", 3)
    unknown = find_period("2023/24")
    assert fiscal is not None
    assert split is not None
    assert unknown is not None
    assert (fiscal.start, fiscal.end) == (split.start, split.end) == ("2023-04-01", "2024-03-31")
    assert (unknown.start, unknown.end) == ("", "")


@pytest.mark.parametrize(
    ("outer", "inner", "period"),
    [
        ("2024", "Q1", "2024Q1"),
        ("Year ended December 31,", "2024", "2024"),
        ("2024年", "第三季度", "2024Q3"),
        ("2024", "March", "2024-03"),
        ("Three months ended", "March 31, 2024", "2024Q1"),
        ("2024年", "12月31日", "2024-12-31"),
        ("2024年", "1-9月", "2024-01-01/2024-09-30"),
        ("2023年8月", "1-8月", "2023-01-01/2023-08-31"),
        ("2023年1-8月", "1-8月", "2023-01-01/2023-08-31"),
        ("2023年1-9月", "上半年", "2023H1"),
    ],
)
def test_two_headers_make_one_period(outer: str, inner: str, period: str) -> None:
    """The year above and the quarter below are one period."""
    first = find_period(outer) or find_partial(outer)
    second = find_period(inner) or find_partial(inner)
    assert first is not None
    assert second is not None
    joined = combine(first, second)
    assert joined is not None
    assert joined.period == period


@pytest.mark.parametrize(("outer", "inner"), [("2023年8月", "1-9月"), ("2023年8月", "1-7月"), ("2023Q2", "下半年")])
def test_a_stretch_that_ends_elsewhere_has_no_year(outer: str, inner: str) -> None:
    """January to September in a report on August may be those of the year before."""
    first, second = find_period(outer), find_partial(inner)
    assert first is not None
    assert second is not None
    assert combine(first, second) is None


@pytest.mark.parametrize("text", ["本期", "上期", "期末余额", "期初"])
def test_relative_words_never_get_a_year(text: str) -> None:
    """本期 heads a period, but which one the text does not say."""
    assert find_period(text) is None
    assert is_period_label(text)


def test_all_periods_of_a_text_are_found_in_order() -> None:
    """A comparison names two years."""
    assert [p.period for p in find_periods("2024 vs 2023")] == ["2024", "2023"]


@given(st.integers(1950, 2069), st.integers(1, 12), st.integers(1, 4))
def test_formatted_periods_read_back(year: int, month: int, quarter: int) -> None:
    """Every year, month and quarter in every spelling is the same period."""
    written = {
        f"{year}Q{quarter}": (
            f"Q{quarter} {year}",
            f"{quarter}Q{year}",
            f"{year}年第{quarter}季度",
            f"{quarter}Q{year % 100:02d}",
        ),
        f"{year}-{month:02d}": (f"{year}年{month}月", f"{year}-{month:02d}", f"{year}/{month:02d}"),
        f"{year}": (f"FY{year}", f"{year}年度", f"{year}A", f"fiscal {year}"),
    }
    for period, texts in written.items():
        for text in texts:
            if "Q" in text and len(text) == 4 and year < 1970:
                continue  # two digits mean this century
            reading = find_period(text)
            assert reading is not None, text
            assert reading.period == period, text


@given(st.text(max_size=40))
def test_any_text_has_periods_or_none(text: str) -> None:
    """Nothing raises, and spans lie within the text."""
    for reading in find_periods(text):
        assert 0 <= reading.span_start < reading.span_end <= len(text)
    is_period_label(text)


def test_a_month_that_no_year_has_ends_no_year() -> None:
    """A slip of the pen costs the dates it would have given, not the table it stands in."""
    reading = find_period("截至2024年13月31日止年度")
    assert reading is not None
    assert (reading.period_type, reading.period) == ("FY", "2024")


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("each of the three years ended December 31, 2022", "2022-01-01", "2022-12-31"),
        ("26 weeks ended 28 September 2024", "2024-03-29", "2024-09-28"),
        ("six months ended June 30, 2024", "2024-01-01", "2024-06-30"),
        ("LTM June 2023", "2022-07-01", "2023-06-30"),
    ],
)
def test_weeks_months_and_years_that_ended_are_counted_as_what_they_are(text: str, start: str, end: str) -> None:
    """Three years are not three months, and 26 weeks are not 26 months."""
    reading = find_period(text)
    assert reading is not None
    assert (reading.start, reading.end) == (start, end)


@pytest.mark.parametrize("text", ["F-22 squadrons", "F-16", "Form F-20 filings", "F-35机队"])
def test_a_letter_a_hyphen_and_digits_name_a_model(text: str) -> None:
    """F22 may be the financial year; with a hyphen it is an aircraft or a form."""
    assert find_period(text) is None
