"""Units and scales: where a document says them, and what it leaves open."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from factspine.lexicon.units import find_unit, read_format

UNITS = """
元                 | CNY  | 0
千元               | CNY  | 3
百万元             | CNY  | 6
亿元               | CNY  | 8
億元               | 元   | 8
千港元             | HKD  | 3
港元百万           | HKD  | 6
人民币千元         | CNY  | 3
RMB'000           | CNY  | 3
RMB million       | CNY  | 6
US$m              | USD  | 6
USD_M             | USD  | 6
HK$ 000           | HKD  | 3
$ in thousands    | $    | 3
€m                | EUR  | 6
£bn               | GBP  | 9
JPY mn            | JPY  | 6
新台幣千元         | TWD  | 3
$                 | $    | 0
¥                 | ¥    | 0
bps               | bps  | 0
百分点             | pp   | 0
元/股              | CNY/share | 0
US$ per share     | USD/share | 0
HK cents          | HKD  | -2
万股               | shares | 4
万千瓦时           | kWh  | 4
thousands         |      | 3
Revenue (HK$ 000) | HKD  | 3
营收（百万港元）    | HKD  | 6
单位：千元 币种：人民币 | CNY | 3
Unit: RMB'000     | CNY  | 3
Revenue, US$m     | USD  | 6
收入/万元          | CNY  | 4
Net sales RMB million | CNY | 6
Growth %          | %    | 0
增长率%            | %    | 0
TRY million       | TRY  | 6
in thousands of US dollars | USD | 3
以人民币百万元列示  | CNY  | 6
Area (sq. ft.)    | sq ft | 0
价格（元/吨）       | CNY/t | 0
Ore milled (kt)   | t    | 3
Cargo (Mt)        | t    | 6
Scope 1 (kt CO2e) | tCO2e | 3
Gold sold (koz)   | oz   | 3
Reserves, mmboe   | boe  | 6
Fleet (k DWT)     | dwt  | 3
Boxes (k TEU)     | boxes | 3
Let area (k sqm)  | m2   | 3
Staff (FTE)       | FTE  | 0
Travellers (m pax) | persons | 6
"""


@pytest.mark.parametrize("line", UNITS.strip().splitlines())
def test_a_unit_is_found_where_writers_put_it(line: str) -> None:
    """Whole texts, brackets, unit notes, last segments: the currency and the power of ten."""
    text, unit, scale = (part.strip() for part in line.split("|"))
    reading = find_unit(text)
    assert reading is not None
    assert (reading.unit, reading.scale) == (unit, int(scale))


@pytest.mark.parametrize(
    "text",
    [
        "Amusement",
        "million-dollar club",
        "machinery",
        "Working days",
        "Investment in shares",
        "ALL",
        "TOP 10",
        "多元",
        "Number of employees",
        "Employees",
        "Year",
        "Price per share",
        "Persons per household",
        "Less than $10,000",
        "Item(s)",
        "Sales up to HK$ 1,320 million",
    ],
)
def test_ordinary_words_are_no_units(text: str) -> None:
    """A unit inside a word, or a word that is also a code, is not a unit."""
    assert find_unit(text) is None


@pytest.mark.parametrize(
    ("text", "exceptions"),
    [
        ("(in millions, except per share data)", ("per_share",)),
        ("(RMB in thousands, except for share and per share data)", ("per_share", "shares")),
        ("单位：亿元、%", ("%",)),
        ("(US$ million, except percentages)", ("percent",)),
        ("单位：人民币百万元（除特别注明外）", ("stated",)),
    ],
)
def test_what_a_unit_note_excepts_is_told(text: str, exceptions: tuple[str, ...]) -> None:
    """A table in millions whose earnings per share are not in millions says so."""
    reading = find_unit(text)
    assert reading is not None
    assert reading.exceptions == exceptions


FORMATS = """
0.0%                    | percent | %   | 0 | 1
[$HK$-xxx]#,##0         |         | HKD | 0 | 0
"RMB"#,##0              |         | CNY | 0 | 0
#,##0,                  |         |     | 3 | 0
#,##0.0,,"m"            |         |     | 6 | 1
_($* #,##0.00_)         |         | $   | 0 | 2
0.0"x"                  |         | x   | 0 | 1
0.00"%"                 |         | %   | 0 | 2
#,##0_);[Red](#,##0)    |         |     | 0 | 0
"""


@pytest.mark.parametrize("line", FORMATS.strip().splitlines())
def test_a_number_format_carries_percent_currency_scale_and_precision(line: str) -> None:
    """What the spreadsheet shows beside the number is part of what it says."""
    code, percent, unit, scale, decimals = (part.strip() for part in line.split("|"))
    reading = read_format(code)
    assert (reading.percent, reading.unit, reading.scale, reading.decimals) == (
        bool(percent),
        unit,
        int(scale),
        int(decimals),
    )


@pytest.mark.parametrize("code", ["yyyy-mm-dd", "mmm-yy", "m/d/yyyy", 'yyyy"年"m"月"', "[$-409]d\\-mmm\\-yy;@", "h:mm"])
def test_date_formats_are_told_from_number_formats(code: str) -> None:
    """A date shown as a header is a date, not a five-digit number."""
    assert read_format(code).is_date


@given(st.text(max_size=40))
def test_any_text_has_a_unit_or_none(text: str) -> None:
    """Nothing raises, and a span lies within the text."""
    reading = find_unit(text)
    assert reading is None or 0 <= reading.start < reading.end <= len(text)
    read_format(text)


@pytest.mark.parametrize("text", ["Courses in s&m", "借 方", "Class s", "Rooms in a"])
def test_a_stray_letter_is_no_unit(text: str) -> None:
    """A letter that happens to be a unit's sign says nothing about the numbers under it."""
    assert find_unit(text) is None


def test_thousands_in_brackets_and_percent_in_words_are_units() -> None:
    """`(1,000)` counts in thousands; `Percent distribution` is in percent and keeps its name."""
    thousands, percent = find_unit("Employment (1,000)"), find_unit("Percent distribution")
    assert thousands is not None
    assert (thousands.unit, thousands.scale) == ("", 3)
    assert percent is not None
    assert (percent.unit, percent.start, percent.end) == ("%", 0, 0)


def test_dollars_and_shares_in_millions_are_both_in_millions() -> None:
    """A scale after several units is that of each; no part of a word is taken for a currency."""
    reading = find_unit("(Dollars and shares in millions, except per share amounts)")
    assert reading is not None
    assert (reading.unit, reading.scale) == ("$", 6)
    cut = find_unit("(Dollars and shares in millions,")
    assert cut is not None
    assert "sha" not in "(Dollars and shares in millions,"[cut.start :]


@pytest.mark.parametrize(
    ("text", "unit", "scale"),
    [
        ("Mil. dol.", "$", 6),
        ("Revenue (bil. dol.)", "$", 9),
        ("Pay per driver (dol.)", "$", 0),
        ("1,000 tons", "t", 3),
        ("Employees (1,000 persons)", "persons", 3),
        ("Debt (% of GDP)", "%", 0),
    ],
)
def test_units_as_statistical_abstracts_write_them(text: str, unit: str, scale: int) -> None:
    """Abbreviations with full stops, thousands of things, and shares of something."""
    reading = find_unit(text)
    assert reading is not None
    assert (reading.unit, reading.scale) == (unit, scale)


@pytest.mark.parametrize("text", ["Under $1,000", "1,000 or more", "All persons"])
def test_classes_are_no_units(text: str) -> None:
    """A size class and a category of people say nothing about how numbers are written."""
    assert find_unit(text) is None
