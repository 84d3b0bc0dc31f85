"""One locator grammar for every format: what is written can be read, whatever people call their sheets and rows."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from factspine.core.errors import UsageError
from factspine.core.locators import Locator, cell_position, column_letters, column_number, encode, parse

# Any text but lone surrogates, which no file format can hold; the marks of the grammar are likely, not rare.
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=40) | st.text(
    "%,=!$&' \t\n\u20282AC\x7f\x85", max_size=12
)
keys = st.text("abcdefghijklmnopqrstuvwxyz_", min_size=1, max_size=8)
locators = st.lists(st.tuples(keys, texts), min_size=1, max_size=6, unique_by=lambda pair: pair[0]).map(
    lambda pairs: Locator(tuple(pairs))
)


@given(locators)
def test_every_locator_can_be_read_back(locator: Locator) -> None:
    """`parse(str(x)) == x`, for any text as a value."""
    assert parse(str(locator)) == locator


@given(texts)
def test_any_sheet_name_survives(name: str) -> None:
    """A sheet called `a=b, 50%` or `A!B2` is found under exactly that name, alone and with a cell."""
    assert parse(str(Locator.of(sheet=name))).get("sheet") == name
    assert parse(str(Locator.of(sheet=name, cell="C7"))) == Locator((("sheet", name), ("cell", "C7")))


@given(locators)
def test_a_written_locator_is_one_clean_line(locator: Locator) -> None:
    """No control characters and no line breaks: a locator can stand in a log, a table or a shell."""
    text = str(locator)
    assert text.splitlines() == [text]
    assert not any(ord(character) < 32 or 127 <= ord(character) < 160 for character in text)
    assert text.count(",") == len(locator.pairs) - 1
    assert text.count("=") == len(locator.pairs)


@given(texts)
def test_ordinary_text_stays_readable(text: str) -> None:
    """Only what the grammar needs is encoded; Chinese, spaces and `&` stay as they are."""
    plain = "".join(c for c in text if c not in "%,=\u2028\u2029" and (31 < ord(c) < 127 or ord(c) > 159))
    assert encode(plain) == plain


@pytest.mark.parametrize(
    "text",
    [
        "sheet=P&L,cell=C7,row=Revenue,col=FY2024",
        "slide=2,table=1,cell=R2C3,row=REVENUE,col=FY2024",
        "slide=4,chart=1,series=Revenue,cat=FY2024",
        "slide=4,chart=1,series=Revenue,cat=FY2024,point=3",
        "page=14,table=1,cell=R5C3,row=Net sales,col=2024",
        "slide=3,shape=2,para=1",
        "slide=3,notes=1,para=1",
        "page=14,para=3",
        "sheet=业务概览,cell=B5,row=总收入,col=二零二四年",
        "sheet=A%2CB%3DC 50%25,cell=A1",
    ],
)
def test_canonical_forms_stay_as_they_are(text: str) -> None:
    """A canonical locator is its own spelling."""
    assert str(parse(text)) == text


@pytest.mark.parametrize(
    ("short", "canonical"),
    [
        ("sheet=P&L!C7", "sheet=P&L,cell=C7"),
        ("sheet=P&L!$C$7", "sheet=P&L,cell=C7"),
        ("sheet=P&L!c7", "sheet=P&L,cell=C7"),
        ("\tsheet=KPIs!AA12\n", "sheet=KPIs,cell=AA12"),
        ("sheet=Q1!Q2!B3", "sheet=Q1!Q2,cell=B3"),
        ("sheet=50%25!B3", "sheet=50%25,cell=B3"),
    ],
)
def test_the_short_form_of_a_cell_is_understood(short: str, canonical: str) -> None:
    """`sheet=P&L!C7`, as spreadsheet users write it, names the same cell."""
    assert str(parse(short)) == canonical


@pytest.mark.parametrize("text", ["", "C7", "sheet", "sheet=A,B", "=A", "She et=A", "a=1,a=2", "sheet=A,,cell=B1"])
def test_what_is_no_locator_is_a_usage_error(text: str) -> None:
    """Text without keys, with unknown forms of key, or naming a key twice is refused."""
    with pytest.raises(UsageError):
        parse(text)


def test_an_empty_locator_cannot_be_made() -> None:
    """A place that names nothing is no place."""
    with pytest.raises(UsageError):
        Locator(())
    with pytest.raises(UsageError):
        Locator.of(slide=1).without("slide")


@given(st.integers(1, 16384))
def test_column_letters_and_numbers_are_inverse(column: int) -> None:
    """A, Z, AA … XFD and back."""
    letters = column_letters(column)
    assert column_number(letters) == column
    assert cell_position(f"{letters}7") == (7, column)


@given(st.integers(1, 1_048_576), st.integers(1, 16384))
def test_positions_are_read_in_both_notations(row: int, column: int) -> None:
    """`C7` and `R7C3` are the same place."""
    assert cell_position(f"R{row}C{column}") == (row, column)
    assert cell_position(f"{column_letters(column)}{row}") == (row, column)


@pytest.mark.parametrize("text", ["", "7", "C", "C0", "R0C1", "R1C0", "c7", "C7:D8", "R1C", "ABCD1", "C-1", "C٧"])
def test_what_is_no_cell_has_no_position(text: str) -> None:
    """Ranges, zeros and foreign digits are no cells."""
    assert cell_position(text) is None


@pytest.mark.parametrize(
    ("value", "number"), [("12", 12), ("", None), ("-1", None), ("1.0", None), ("٣", None), ("x", None)]
)
def test_numbers_are_plain_digits(value: str, number: int | None) -> None:
    """A slide is a whole number in plain digits, or unknown."""
    assert Locator.of(slide=value).number("slide") == number
    assert Locator.of(slide=value).number("table") is None
