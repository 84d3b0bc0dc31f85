"""Number formats: what a person sees in a cell."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from xlsx_samples import cells, sheet_xml, write_package

from factspine.core.values import canonical
from factspine.extract.xlsx.formats import compiled
from factspine.extract.xlsx.numerals import Token, number_section

SHOWN = """
#,##0.00                                    | 1234567.895 | 1,234,567.90
0.0%                                        | 0.153       | 15.3%
#,##0,                                      | 1234567     | 1,235
0.0,,"m"                                    | 1234567     | 1.2m
_(* #,##0_);_(* (#,##0);_(* "-"_);_(@_)     | -1234       | (1,234)
_(* #,##0_);_(* (#,##0);_(* "-"_);_(@_)     | 0           | -
[$HK$-409]#,##0.00                          | 12.5        | HK$12.50
[>=10000]0.0,"千";0                         | 123456      | 123.5千
[>=10000]0.0,"千";0                         | 12          | 12
0.00E+00                                    | 12345.678   | 1.23E+04
0.0E+0                                      | 0.000999    | 1.0E-3
000-0000                                    | 5551234     | 555-1234
General"元"                                 | 12.5        | 12.5元
+0.0%;-0.0%                                 | -0.012      | -1.2%
0.0#                                        | 1.5         | 1.5
General                                     | 12345678901.123 | 12345678901.123
# ?/?                                       | 0.5         | 0.5
;;;                                         | 5           | 5
mmm-yy                                      | 45382       | Mar-24
yyyy"年"m"月"d"日"                          | 45382       | 2024年3月31日
[DBNum1][$-804]yyyy"年"m"月";@              | 45382       | 二〇二四年三月
yyyy-mm-dd hh:mm                            | 45382.75    | 2024-03-31 18:00
h:mm AM/PM                                  | 0.75        | 6:00 PM
[h]:mm:ss                                   | 1.5         | 36:00:00
mm:ss.0                                     | 0.00071     | 01:01.3
[$-804]aaaa                                 | 45382       | 星期日
"""
LINES = [tuple(part.strip() for part in line.rsplit("|", 2)) for line in SHOWN.strip().splitlines()]


@pytest.mark.parametrize(("code", "stored", "shown"), LINES)
def test_number_is_shown_as_its_format_says(code: str, stored: str, shown: str) -> None:
    """The text of a cell is what a spreadsheet shows for it."""
    assert compiled(code).show(stored)[0] == shown


@pytest.mark.parametrize(
    ("code", "stored", "value"),
    [
        ("mmm-yy", "45382", "2024-03-31"),
        ("yyyy-mm-dd hh:mm", "45382.75", "2024-03-31T18:00:00"),
        ("h:mm", "0.75", "18:00:00"),
        ("yyyy-mm-dd", "1", "1900-01-01"),
        ("yyyy-mm-dd", "61", "1900-03-01"),
        ("[h]:mm", "1.5", "PT36H0M0S"),
        ("0.00", "45382", None),
        ("yyyy-mm-dd", "-5", None),
        ('#,##0 "days"', "45", None),
    ],
)
def test_date_format_makes_a_date(code: str, stored: str, value: str | None) -> None:
    """A number under a date format is that day; any other number is not."""
    assert compiled(code).show(stored)[1] == value


def test_workbook_that_counts_from_1904(tmp_path) -> None:  # type: ignore[no-untyped-def]
    """Dates of the other calendar are the days people see, and built-in Chinese dates read in Chinese."""
    styles = '<cellXfs count="3"><xf numFmtId="0"/><xf numFmtId="17"/><xf numFmtId="31"/></cellXfs>'
    rows = '<row r="1"><c r="A1" s="1"><v>43920</v></c><c r="B1" s="2"><v>43920</v></c></row>'
    path = write_package(
        tmp_path / "a.xlsx", {"S": sheet_xml(rows)}, styles=styles, properties='<workbookPr date1904="1"/>'
    )
    got = cells(path)
    assert (got[1, 1].text, got[1, 1].kind, got[1, 1].value) == ("Mar-24", "d", "2024-03-31")
    assert got[1, 2].text == "2024年3月31日"


def test_percent_keeps_the_stored_number(tmp_path) -> None:  # type: ignore[no-untyped-def]
    """A percentage shows 15.3% and holds 0.153."""
    styles = '<numFmts><numFmt numFmtId="164" formatCode="0.0%"/></numFmts><cellXfs><xf/><xf numFmtId="164"/></cellXfs>'
    path = write_package(
        tmp_path / "a.xlsx", {"S": sheet_xml('<row r="1"><c r="A1" s="1"><v>0.153</v></c></row>')}, styles=styles
    )
    (cell,) = cells(path).values()
    assert (cell.text, cell.value, cell.style.number_format) == ("15.3%", "0.153", "0.0%")


@given(
    st.text("0#?,.%", min_size=1, max_size=8),
    st.decimals(allow_nan=False, allow_infinity=False, min_value=-(10**15), max_value=10**15),
    st.booleans(),
)
def test_usual_formats_are_shown_at_once_as_all_others_are(code: str, number: Decimal, signed: bool) -> None:
    """A number under a usual format reads as it would if every placeholder were looked at."""
    kinds = {"0": "digit", "#": "digit", "?": "digit", ",": "comma", ".": "dot", "%": "percent"}
    tokens: list[Token] = [(kinds[character], character) for character in code]  # type: ignore[misc]
    section = number_section(tokens)
    assert section is not None
    assert section.show(canonical(number), signed) == replace(section, usual=False).show(canonical(number), signed)
