"""Numbers as people type them into tables."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from factspine.core.values import canonical
from factspine.lexicon.numbers import looks_numeric, non_number_kind, null_reason, numeric_texts, read_number

READ = """
1,234.5      | 1234.5  | 1 |      |
(123.4)      | -123.4  | 1 |      |
−12          | -12     | 0 |      |
–5.0         | -5      | 1 |      |
123-         | -123    | 0 |      |
△12          | -12     | 0 |      |
▲5           | 5       | 0 |      | up
↑3.2%        | 3.2     | 1 | %    | up
(12.3)%      | -12.3   | 1 | %    |
１２．５％    | 12.5    | 1 | %    |
1 234,5      | 1234.5  | 1 |      |
1'234'567    | 1234567 | 0 |      |
1.234.567,89 | 1234567.89 | 2 |   |
12,34,567    | 1234567 | 0 |      |
12.3*        | 12.3    | 1 |      | footnote
1,234[1]     | 1234    | 0 |      | footnote
1,234¹       | 1234    | 0 |      | footnote
123r         | 123     | 0 |      | revised
12.3p        | 12.3    | 1 |      | provisional
~5           | 5       | 0 |      | approximate
<0.1         | 0.1     | 1 |      | less_than
1.2E+05      | 120000  | 0 |      |
三千          | 3000    | 0 |      |
一百二十三点五 | 123.5   | 1 |      |
HK$(123)     | -123    | 0 | HKD  |
$ 1,234      | 1234    | 0 | $    |
1.50         | 1.5     | 2 |      |
1.5倍        | 1.5     | 1 | x    |
15 bps       | 15      | 0 | bps  |
1.52天文单位  | 1.52    | 2 | 天文单位 |
35岁         | 35      | 0 | years |
180cm        | 180     | 0 | cm   |
12.5 km²     | 12.5    | 1 | km2  |
-3.5°C       | -3.5    | 1 | °C   |
"""


@pytest.mark.parametrize("line", READ.strip().splitlines())
def test_a_number_is_read_with_its_sign_precision_unit_and_marks(line: str) -> None:
    """What a person reads in the cell is what comes out, and nothing else."""
    text, value, decimals, unit, marks = (part.strip() for part in line.split("|"))
    reading = read_number(text)
    assert reading is not None
    assert (reading.value, reading.decimals) == (value, int(decimals))
    assert (reading.unit.unit if reading.unit else "") == unit
    assert " ".join(reading.marks) == marks


@pytest.mark.parametrize(
    ("text", "unit", "scale"),
    [
        ("HK$1,200m", "HKD", 6),
        ("¥3.5亿", "¥", 8),
        ("5万元", "CNY", 4),
        ("US$1.2bn", "USD", 9),
        ("3,200万人", "persons", 4),
    ],
)
def test_a_magnitude_written_beside_the_number_is_its_scale(text: str, unit: str, scale: int) -> None:
    """The digits stay as written; the magnitude is the scale."""
    reading = read_number(text)
    assert reading is not None
    assert reading.unit is not None
    assert (reading.unit.unit, reading.unit.scale) == (unit, scale)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("2024-03-31", "date"),
        ("2024年3月", "date"),
        ("20240331", "date"),
        ("12:30", "time"),
        ("1:2.5", "ratio"),
        ("10-20", "range"),
        ("6.5%-7%", "range"),
        ("13812345678", "phone_number"),
        ("010-12345678", "phone_number"),
        ("000123", "identifier"),
        ("A123", "identifier"),
        ("1.2.3", "version"),
        ("1、", "row_number"),
    ],
)
def test_digits_that_are_no_number_are_not_read_as_one(text: str, kind: str) -> None:
    """A date, a telephone number or an identifier never becomes a value, and one is told which it is."""
    assert read_number(text) is None
    assert non_number_kind(text) == kind


@pytest.mark.parametrize("text", ["2024E", "5th", "1,2,3", "第3", "3号楼", "abc", "", "US$", "50%以上", "一", "十二"])
def test_texts_with_digits_are_not_numbers_by_that_alone(text: str) -> None:
    """Names, ordinals and half-numbers stay texts."""
    assert read_number(text) is None


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("—", "dash"),
        ("（—）", "dash"),
        ("n.a.", "not_available"),
        ("..", "not_available"),
        ("不適用", "not_applicable"),
        ("n.m.", "not_meaningful"),
        ("(D)", "suppressed"),
        ("#DIV/0!", "error"),
        ("0", None),
        ("Revenue", None),
    ],
)
def test_a_missing_number_says_why(text: str, reason: str | None) -> None:
    """A dash is a null with a reason; a nought is a number."""
    assert null_reason(text) == reason


decimals = st.decimals(allow_nan=False, allow_infinity=False, places=2, min_value=-(10**11), max_value=10**11)


@given(decimals)
def test_a_formatted_number_reads_back_exactly(value: Decimal) -> None:
    """Thousands separators, brackets and percent signs change nothing about the value."""
    shown = f"{abs(value):,.2f}"
    for text in (shown, f" {shown} ", f"{shown}%", f"HK${shown}"):
        reading = read_number(text)
        assert reading is not None
        assert (reading.value, reading.decimals) == (canonical(abs(value)), 2)
    bracketed = read_number(f"({shown})")
    assert bracketed is not None
    assert bracketed.value == canonical(-abs(value))
    assert looks_numeric(shown)


@given(st.text(max_size=30))
def test_any_text_is_answered(text: str) -> None:
    """Nothing a cell can hold raises."""
    reading = read_number(text)
    assert reading is None or reading.value
    assert null_reason(text) != ""
    assert non_number_kind(text) != ""


_names = st.builds(
    "{}{}{}".format,
    st.sampled_from(
        ["", "Customer ", "SO-", "SO-000-", "RMB ", "US$", "约", "(", "-", "No. ", "Q", "c.", "RMB0", "a 0", "."]
    ),
    st.integers(0, 10**9),
    st.sampled_from(["", "%", " Ltd", "-1", ")", ",512", "万元"]),
)


@given(st.lists(_names | st.text(max_size=12), max_size=20))
def test_many_texts_are_told_from_numbers_as_each_alone(texts: list[str]) -> None:
    """Names of a long list that end in digits are passed over together only where none of them is a number."""
    assert numeric_texts(texts) == {text for text in texts if looks_numeric(text) and read_number(text) is not None}
