"""Decimal commas in the texts of a table: read where the table proves them, reported where it does not."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_interpretation import VOCABULARY, facts, ledger, table
from test_interpretation_layouts import told
from xlsx_samples import draw, tables

from factspine.interpret import notation
from factspine.interpret.interpreter import interpret_table


def codes(text: str) -> list[str]:
    return [finding.code for finding in interpret_table(table(text), VOCABULARY).findings]


def test_decimal_commas_are_read_where_the_table_proves_them() -> None:
    """1.234,56 and 12,5 % can be read in one way only; so 1.234 in the same table is a thousand and more."""
    raw = table("""
        Posten | 2023 | 2024
        Umsatz | 1.234,56 | 2.345,67
        Marge | 12,5 % | 13,1 %
        Kunden | 1.234 | 987
        Verlust | (12,3) | -4,5 Mio. €
    """)
    assert told(raw, "value", "unit", "scale", "value_text") == {
        (2, 2): ("1234.56", "unknown", 0, "1.234,56"),
        (2, 3): ("2345.67", "unknown", 0, "2.345,67"),
        (3, 2): ("12.5", "%", 0, "12,5 %"),
        (3, 3): ("13.1", "%", 0, "13,1 %"),
        (4, 2): ("1234", "unknown", 0, "1.234"),
        (4, 3): ("987", "unknown", 0, "987"),
        (5, 2): ("-12.3", "unknown", 0, "(12,3)"),
        (5, 3): ("-4.5", "EUR", 6, "-4,5 Mio. €"),
    }


@pytest.mark.parametrize(
    ("picture", "values", "unsettled"),
    [
        ("Posten | 2023 | 2024\nUmsatz | 12,5 | 13.7\nMarge | 8,5 | 9.5", ["13.7", "9.5"], 2),
        ("Item | 2023 | 2024\nSales | 1,234 | 2,345\nMargin | 12,5 % | 9 %", ["1234", "2345", "9"], 1),
        ("Posten | 2023 | 2024\nUmsatz | 1.234,5 | 13.7\nKunden | 1.234 | 987", ["13.7", "987"], 2),
        ("Posten | 2023 | 2024\nUmsatz | 1.234 | 2.345\nKunden | 934 | 987", ["934", "987"], 2),
        ("Posten | 2023 | 2024\nAnteil | 0,5 | 0,75\nQuote | 13,4 | 12,71\nWert | 12,000 | 13,000", [], 6),
    ],
)
def test_a_notation_the_table_does_not_settle_gives_no_number(picture: str, values: list[str], unsettled: int) -> None:
    """1.234 may be a thousand times what it looks like: no fact, but a finding, and the ledger has the cell."""
    assert [value for (value,) in told(table(picture), "value").values()] == values
    assert codes(picture) == ["FS305"]
    assert ledger(interpret_table(table(picture), VOCABULARY))["unmapped:notation"] == unsettled


@pytest.mark.parametrize(
    "picture",
    [
        "Item | Notes | 2024\nSales | 3,4 | 2,345\nCosts | 1,2 | 1,987\nTax | 5,6 | 987",
        "Item | 2023 | 2024\nSales | 1,234 | 2,345\nMargin | 1.234 | 2.345\nStaff | 934 | 987",
        "Variable | Estimate | Error\nPrice | 1.234 | 0.123\nIncome | 2.345 | 0.456",
        "Host | Address | Hits\na1 | 87.198.248.122 | 12\na2 | 169.241.125.206 | 15",
        "Lat, Lon | Stops\n22.3, 114.2 | 12\n22.4, 114.1 | 15",
    ],
)
def test_lists_and_points_are_no_decimal_commas(picture: str) -> None:
    """3,4 are two notes, 1.234 beside 0.123 is what it looks like."""
    assert codes(picture) == []
    read = [value for (value,) in told(table(picture), "value").values()]
    assert not {"3.4", "1.2", "1234000", "1.987"} & set(read)


def test_stored_numbers_have_no_notation(tmp_path: Path) -> None:
    """A workbook's own numbers stand beside texts with commas and are read as stored."""
    path = draw(tmp_path / "w.xlsx", "Posten|2023|2024\nUmsatz|1234.5|'2.345,6\nMarge|12,5 %|13,1 %".replace("'", ""))
    (raw,) = tables(path)
    assert [value for (value,) in told(raw, "value").values()] == ["1234.5", "2345.6", "12.5", "13.1"]


def test_a_table_with_decimal_commas_gives_its_amounts() -> None:
    """Points part thousands there, also in the numbers that show no decimals; the text stays as it is written."""
    raw = table("""
        Sektor | 2022 | 2023
        Haushalte | 2.412,5 | 2.187
        Gewerbe | 402,75 | 1.298,6
        Anteil (%) | 20,8 | 22,0
    """)
    said = {(f["row_no"], f["col_no"]): (f["value"], f["decimals"], f["value_text"]) for f in facts(raw)}
    assert said[2, 2] == ("2412.5", 1, "2.412,5")
    assert said[2, 3] == ("2187", 0, "2.187")
    assert said[4, 3] == ("22", 1, "22,0")
    assert len(said) == 6


def test_a_table_with_decimal_points_is_read_as_before() -> None:
    """1,234 beside 12.5 is a thousand and more."""
    raw = table("""
        Sector | 2022 | 2023
        Households | 2,412 | 2,187.5
        Trade | 402 | 12.5
    """)
    assert [f["value"] for f in facts(raw)] == ["2412", "2187.5", "402", "12.5"]


@given(st.from_regex(r"[(-]?(Rs\.|EUR )?[0-9]{1,4}([.,' ][0-9]{1,4}){1,3} ?[%)]?", fullmatch=True), st.text(max_size=4))
def test_no_text_that_may_settle_the_notation_is_passed_over(text: str, other: str) -> None:
    """Looking at all texts at once, which is quick, finds whatever looking at each of them finds."""
    core = notation.core_of(text)
    if core and (notation._says_comma(core) or notation._EITHER_POINT.fullmatch(core)):
        assert notation._WORTH_A_LOOK.search("\n".join([other, text]))
