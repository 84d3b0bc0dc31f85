"""Which tables a sheet holds, and which texts belong to them."""

from __future__ import annotations

from pathlib import Path

import pytest
from xlsx_samples import draw, tables

from factspine.core.locators import column_letters


def regions(path: Path) -> list[str]:
    """Each table as the range it covers."""
    return [
        f"{column_letters(t.left)}{t.top}:{column_letters(t.left + t.n_cols - 1)}{t.top + t.n_rows - 1}"
        for t in tables(path)
    ]


PICTURES = {
    "a title, a blank row and the table": (
        """
Sales by region

Region|2023|2024
North|10.5|11
South|20|21.5
""",
        ["A1:C5"],
    ),
    "two tables below each other": (
        """
Region|2023|2024
North|10.5|11
South|20|21.5

Costs by kind
Kind|2023|2024
Wages|5.5|6
Rent|7|8
""",
        ["A1:C3", "A5:C8"],
    ),
    "the title of the second table has a blank row below it": (
        """
Region|2023|2024
North|10.5|11


Costs by kind

Kind|2023|2024
Wages|5.5|6
""",
        ["A1:C2", "A5:C8"],
    ),
    "notes belong to the table above": (
        """
Region|2023|2024
North|10.5|11

Note: unaudited.

Kind|2023|2024
Wages|5.5|6
""",
        ["A1:C4", "A6:C7"],
    ),
    "two tables side by side": (
        """
Region|Sales|Costs||Kind|Heads|Hours
North|10|11||Day|5|6
South|20|21||Night|7|8
""",
        ["A1:C3", "E1:G3"],
    ),
    "side by side, of different heights": (
        """
Region|Sales|Costs||Kind|Heads|Hours
North|10|11||Day|5|6
South|20|21||Night|7|8
||||Late|9|1

||||Room|Seats|Desks
||||One|3|4
""",
        ["A1:C3", "E1:G4", "E6:G7"],
    ),
    "a blank row between groups of one table": (
        """
Region|2023|2024
Total|30|32

North|10|11
South|20|21

Islands
East|1|2
""",
        ["A1:C8"],
    ),
    "an empty column between bands of years": (
        """
|Sales|||Costs|
Region|2023|2024||2023|2024
North|10|11||5|6
South|20|21||7|8
""",
        ["A1:F4"],
    ),
    "a header with blank rows in it": (
        """
Region|Sales|Costs

|(million)|(million)

North|10|11
South|20|21
""",
        ["A1:C6"],
    ),
    "marks for no amount are not a header": (
        """
Region|2023|2024
North|10|11

South|(NA)|(NA)
West|5|6
""",
        ["A1:C5"],
    ),
    "a remark column behind a spacer": (
        """
Region|2023|2024||Remark
North|10|11||provisional
South|20|21||final
""",
        ["A1:E3"],
    ),
    "tables far from the corner": (
        """



|||Region|Sales
|||North|10
|||South|20
""",
        ["D4:E6"],
    ),
}


@pytest.mark.parametrize("what", PICTURES)
def test_tables_are_found(tmp_path: Path, what: str) -> None:
    """A sheet is cut where a new table begins, and nowhere inside a table."""
    picture, expected = PICTURES[what]
    assert regions(draw(tmp_path / "a.xlsx", picture)) == expected


def test_title_unit_and_notes_come_with_the_table(tmp_path: Path) -> None:
    """The lines around a table are handed on with their cells, as title, unit line and note."""
    picture = """
合并利润表
编制：总部|2024年度|单位：万元
项目|本期|上期
营业收入|100.5|90
营业成本|60|55
注：未经审计。
"""
    (table,) = tables(draw(tmp_path / "a.xlsx", picture, sheet="利润表"))
    assert table.title == "合并利润表"
    said = {(text.role, text.text): text.locator for text in table.context}
    assert said["sheet", "利润表"] == "sheet=利润表"
    assert said["unit_note", "单位：万元"] == "sheet=利润表,cell=C2"
    assert said["note", "注：未经审计。"] == "sheet=利润表,cell=A6"
    assert table.places[0].first_row == 1
    assert table.addressing == "a1"


def test_first_title_lines_reach_the_later_tables(tmp_path: Path) -> None:
    """What stands on top of a sheet, such as a unit, is said to every table of it."""
    picture = """
Group figures
(HK$ million)
Region|2023|2024
North|10.5|11

Kind|2023|2024
Wages|5.5|6
"""
    _, second = tables(draw(tmp_path / "a.xlsx", picture))
    assert ("unit_note", "(HK$ million)") in [(text.role, text.text) for text in second.context]


def test_every_cell_is_in_exactly_one_table(tmp_path: Path) -> None:
    """Cutting a sheet loses no cell and doubles none."""
    for what, (picture, _) in PICTURES.items():
        path = draw(tmp_path / "a.xlsx", picture)
        places = [(cell.row, cell.col) for table in tables(path) for cell in table.cells]
        written = sum(1 for line in picture.splitlines() for text in line.split("|") if text.strip())
        assert len(places) == len(set(places)) == written, what


def test_lists_beside_each_other_are_two_tables(tmp_path: Path) -> None:
    """Numbers, dates or codes may tell the rows of a list apart, where two blank columns set it off."""
    picture = """
Kind|Budget|Actual|||No.|Supplier|Due
Travel|4000|1572|||2|Brook|350
Meals|2000|1700|||5|Ford|120
Post|900|850|||9|Hill|90
Total|6900|4122|||||
"""
    assert regions(draw(tmp_path / "a.xlsx", picture)) == ["A1:C5", "F1:H4"]
    months = """
Kind|Budget|Actual|||Month|Sales
Travel|4000|1572|||1|350.5
Meals|2000|1700|||2|120.25
Post|900|850|||3|90
"""
    assert regions(draw(tmp_path / "b.xlsx", months)) == ["A1:C4", "F1:G4"]


def test_remarks_a_little_apart_stay_with_their_rows(tmp_path: Path) -> None:
    """Two columns of words on the same rows say something about them."""
    picture = """
Kind|Budget|Actual|||Remark|Owner
Travel|4000|1572|||Trains|Ann
Meals|2000|1700|||Canteen|Bob
Post|900|850|||Parcels|Cid
"""
    assert regions(draw(tmp_path / "a.xlsx", picture)) == ["A1:G4"]


def test_amounts_after_a_wide_gap_stay_in_their_table(tmp_path: Path) -> None:
    """Columns of amounts tell no rows apart, and so are no table of their own."""
    picture = """
Region|2022|2023|||2024|2025
North|10.5|11|||12.25|12.5
South|20.5|21|||22.25|22.5
"""
    assert regions(draw(tmp_path / "a.xlsx", picture)) == ["A1:G3"]
