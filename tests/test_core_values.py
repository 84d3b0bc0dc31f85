"""Exact values: no digit is lost or made up between a document and the store."""

from __future__ import annotations

import math
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from factspine.core.values import (
    EXACT,
    canonical,
    decimal_of_double,
    decimal_of_stored,
    parse_canonical,
    shift_canonical,
)

digits = st.text("0123456789", min_size=1, max_size=45)
decimals = st.builds(
    lambda sign, whole, fraction: Decimal(f"{sign}{whole}.{fraction}"), st.sampled_from(["", "-"]), digits, digits
)


@given(decimals.filter(lambda value: len(value.as_tuple().digits) <= EXACT.prec))
def test_canonical_text_round_trips_far_beyond_38_digits(value: Decimal) -> None:
    """Any decimal of up to 76 digits comes back from its text as the same number."""
    text = canonical(value)
    assert parse_canonical(text) == value
    assert canonical(parse_canonical(text)) == text


@given(decimals)
def test_there_is_one_text_for_each_number(value: Decimal) -> None:
    """Plain digits: no exponent, no plus, no separators, no superfluous zeros; the same for equal numbers."""
    text = canonical(value)
    assert Decimal(text) == value
    assert not set(text) - set("-0123456789.")
    assert "." not in text or text[-1] not in ".0"
    assert text != "-0"
    assert canonical(value * Decimal("1.000") if len(value.as_tuple().digits) < 25 else value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [("1.2300", "1.23"), ("-0.00", "0"), ("1E+3", "1000"), ("1E-7", "0.0000001"), ("100", "100"), ("-0.5", "-0.5")],
)
def test_canonical_forms(value: str, text: str) -> None:
    """Exponents are written out, zeros after the point fall away, zeros before it do not."""
    assert canonical(Decimal(value)) == text


@pytest.mark.parametrize(
    "text", ["", "1.0", "+1", "1e3", "01", "-0", ".5", "1,000", "NaN", "Infinity", " 1", "１", "1_0"]
)
def test_other_spellings_are_refused_by_the_store(text: str) -> None:
    """A value that is not in canonical form was not written by us."""
    with pytest.raises(ValueError, match=r"decimal|canonical|number"):
        parse_canonical(text)


@pytest.mark.parametrize("value", ["NaN", "Infinity", "-Infinity", "sNaN"])
def test_what_is_no_number_is_no_value(value: str) -> None:
    """Not-a-number and infinities cannot be said by a document."""
    with pytest.raises(ValueError, match="not a number"):
        canonical(Decimal(value))


finite = st.floats(allow_nan=False, allow_infinity=False)


@given(finite)
def test_a_double_is_kept_to_the_digits_a_spreadsheet_shows(number: float) -> None:
    """The decimal of a stored double agrees with it to 15 digits, always; most often it is the same double."""
    value = Decimal(decimal_of_double(number))
    assert math.isclose(float(value), number, rel_tol=1e-14, abs_tol=5e-324)


@given(st.integers(-(10**12), 10**12), st.integers(0, 6))
def test_a_number_somebody_typed_comes_back_as_typed(units: int, places: int) -> None:
    """Up to 12 digits, as typed into a cell and stored as a double, are exactly what was typed."""
    typed = Decimal(units).scaleb(-places)
    assert decimal_of_double(float(typed)) == canonical(typed)


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0.1 + 0.2, "0.3"),  # the noise of binary arithmetic is not a digit
        (1234567.89, "1234567.89"),
        (99999999999999.99, "99999999999999.98"),  # what the double is; the 16 digits below are what was written
        (1 / 3, "0.3333333333333333"),  # nothing shorter is meant
        (2.0**70, "1180591620717411300000"),
        (-0.0, "0"),
        (1e-9, "0.000000001"),
    ],
)
def test_binary_noise_is_removed_and_nothing_else(number: float, text: str) -> None:
    """0.1 + 0.2 is 0.3; a third keeps all its digits."""
    assert decimal_of_double(number) == text


@given(st.text("123456789", min_size=1, max_size=1), st.text("0123456789", max_size=14), st.integers(0, 15))
def test_up_to_15_written_digits_are_taken_as_they_stand(first: str, rest: str, places: int) -> None:
    """What a file writes in 15 digits or fewer is what somebody wrote; no double comes between."""
    number = first + rest
    split = max(len(number) - places, 0)
    text = f"{number[:split] or '0'}.{number[split:] or '0'}"
    assert decimal_of_stored(text) == canonical(Decimal(text))
    assert decimal_of_stored("-" + text) == canonical(-Decimal(text))


@given(st.integers(-(10**60), 10**60))
def test_all_digits_of_an_integer_are_kept(number: int) -> None:
    """Account numbers and identifiers of any length are not rounded to what a double can hold."""
    assert decimal_of_stored(str(number)) == str(number)


@given(finite.filter(lambda number: 1e-290 < abs(number) < 1e15))
def test_a_double_is_one_value_however_it_is_written(number: float) -> None:
    """Written out in 17 digits or as short as possible: one value."""
    assert decimal_of_stored(format(number, ".17g")) == decimal_of_double(number)
    assert decimal_of_stored(repr(number)) == decimal_of_double(number)
    assert decimal_of_stored(format(number, ".16g")) == decimal_of_double(float(format(number, ".16g")))


@pytest.mark.parametrize(
    "text", ["", "abc", "1,000", "0x1F", "1e400", "1e-400", "NaN", "inf", "1 2", "１２", "--1", "."]
)
def test_what_no_office_file_stores_as_a_number_is_none(text: str) -> None:
    """Damaged numbers are no values, and no exponent makes a value of a million digits."""
    assert decimal_of_stored(text) is None


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0.30000000000000004", "0.3"),
        ("99999999999999.99", "99999999999999.99"),
        ("1.5299999999999998", "1.53"),
        ("12", "12"),
        ("1E3", "1000"),
        ("-4.0E-2", "-0.04"),
        ("1234567890123456", "1234567890123456"),
    ],
)
def test_numbers_as_office_files_store_them(text: str, value: str) -> None:
    """All digits where they were written, no noise where they were computed."""
    assert decimal_of_stored(text) == value


@given(st.decimals(allow_nan=False, allow_infinity=False, places=7), st.integers(-9, 9))
def test_moving_the_point_is_multiplying_by_a_power_of_ten(value: Decimal, power: int) -> None:
    """What a format shifts (percent, thousands) keeps every digit and the one text form."""
    assert shift_canonical(canonical(value), power) == canonical(value.scaleb(power, EXACT))
