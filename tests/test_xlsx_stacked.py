"""Several tables on a sheet: which of the lines over the first of them are the sheet's, and which are its own."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_interpretation_layouts import told
from xlsx_samples import draw, tables


def said(path: Path, picture: str, *names: str) -> list[set[tuple[object, ...]]]:
    """What the facts of each table say, table by table."""
    return [set(told(raw, *names).values()) for raw in tables(draw(path / "a.xlsx", picture, "Sheet1"))]


def test_the_year_of_one_table_is_not_that_of_the_next(tmp_path: Path) -> None:
    """Each table has a title; only the first names a place and a year, which are not the second's."""
    first, second = said(
        tmp_path,
        """
Bakeries by size, France, 2016

Size|Number|Share
Small|120|60
Large|80|40



Hours worked by day

Day|Men|Women
Monday|7.5|7.2
Sunday|1.5|1.1
""",
        "geography",
        "period",
    )
    assert first == {("FR", "2016")}
    assert second == {("", "")}


@pytest.mark.parametrize(
    "head",
    ["Group accounts 2024\n\nSales by region", "Group accounts 2024\nSales by region"],
    ids=["set off by a blank row", "one line more than the second table has"],
)
def test_the_heading_of_a_sheet_is_that_of_all_its_tables(tmp_path: Path, head: str) -> None:
    """A line over the title of the first table stands over the second table, too."""
    _, second = said(
        tmp_path,
        f"\n{head}\nRegion|Sales|Costs\nNorth|10.5|9.1\nSouth|20.5|18\n\n\n"
        "Staff by region\nRegion|Men|Women\nNorth|10|12\nSouth|20|21",
        "period",
    )
    assert second == {("2024",)}


def test_a_table_without_a_title_is_under_that_of_the_sheet(tmp_path: Path) -> None:
    """Nothing else says what it is."""
    _, second = said(
        tmp_path,
        "\nBranches 2024\nRegion|Sales|Costs\nNorth|10.5|9.1\nSouth|20.5|18\n\n\n"
        "Region|Men|Women\nNorth|10|12\nSouth|20|21",
        "period",
    )
    assert second == {("2024",)}


def test_lines_of_nothing_but_a_period_or_a_unit_are_the_sheets(tmp_path: Path) -> None:
    """Below its heading a sheet often says once of when and in what its amounts are."""
    _, second = said(
        tmp_path,
        "\nBranches\nYear ended 31 December 2024\nHK$ million\nRegion|Sales|Costs\nNorth|10.5|9.1\nSouth|20.5|18\n\n\n"
        "Profit by region\nRegion|Gross profit|Net profit\nNorth|10|8\nSouth|20|9",
        "period",
        "unit",
        "scale",
    )
    assert second == {("2024", "HKD", 6)}


def test_whose_sheet_it_is_any_title_may_say(tmp_path: Path) -> None:
    """The company in the title of the first table is that of the second; its year is not."""
    _, second = said(
        tmp_path,
        "\nFoxglove Holdings Ltd: sales 2023\nRegion|Sales|Costs\nNorth|10.5|9.1\nSouth|20.5|18\n\n\n"
        "Staff\nRegion|Men|Women\nNorth|10|12\nSouth|20|21",
        "entity",
        "period",
    )
    assert second == {("Foxglove Holdings Ltd", "")}


def test_a_numbered_title_begins_a_table(tmp_path: Path) -> None:
    """Even where blank rows part its header from its figures, as they do in the table before."""
    first, second = tables(
        draw(
            tmp_path / "a.xlsx",
            """
Table 7. Mines by state: 2007

See notes

State|Code|Mines|Reserves

Unit||number|tons
Ohio|OH|49|4141
Utah|UT|6|6107

Source: Bureau of Mines


Table 8. Homes by state

See notes

State|Code|Total|Single

Unit||number|number
Ohio|OH|20|11
Utah|UT|30|12
""",
        )
    )
    assert first.title == "Table 7. Mines by state: 2007"
    assert second.title == "Table 8. Homes by state"
    assert [text.role for text in second.context if text.text == first.title] == ["sibling"]


def test_a_sentence_about_a_table_begins_none(tmp_path: Path) -> None:
    """`Table 7 shows …` below a table is a note to it."""
    (raw,) = tables(
        draw(tmp_path / "a.xlsx", "\nState|Mines|Tons\nOhio|49|41\nUtah|6|61\n\nTable 7 shows the same by county.\n")
    )
    assert raw.n_rows == 5


def test_a_short_form_above_a_table_is_a_table_of_its_own(tmp_path: Path) -> None:
    """Two rows of texts do not head the columns of what stands two rows below them."""
    form, figures = tables(
        draw(
            tmp_path / "a.xlsx",
            """
Risk|Competition|Few customers
In short|Markets move fast and so must we|One in three sales is to one customer


Item|2024|2023
Goods|30.5|47.7
Services|3.9|6.1
""",
        )
    )
    assert (form.n_rows, figures.n_rows) == (2, 3)
    assert set(told(figures, "metric_label", "period").values()) == {
        (name, year) for name in ("Goods", "Services") for year in ("2024", "2023")
    }
