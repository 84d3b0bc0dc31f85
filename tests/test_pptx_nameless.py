"""Charts whose series or categories have no name: what their points measure, and what nobody can say."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from deckmaking import add_chart, add_slide, add_table, contents, new_deck, save
from pptx.util import Inches

from factspine.interpret.interpreter import Interpretation, interpret_table
from factspine.lexicon.vocabulary import Vocabulary

VOCABULARY = Vocabulary.load(None)


def read(
    path: Path,
    categories: list[Any],
    count: int,
    *,
    title: str = "",
    axis: str = "",
    slide: str = "",
    without: str = "tx",
) -> Interpretation:
    """A chart of so many series, from which the given elements have been taken."""
    deck = new_deck()
    values = {f"s{n}": tuple(float(10 * n + at) for at in range(len(categories))) for n in range(1, count + 1)}
    chart = add_chart(add_slide(deck, slide), categories, values)
    if title:
        chart.has_title = True
        chart.chart_title.text_frame.text = title
    if axis:
        chart.value_axis.has_title = True
        chart.value_axis.axis_title.text_frame.text = axis

    def bare(xml: str) -> str:
        for name in without.split():
            xml = re.sub(rf"(<c:ser>(?:(?!</c:ser>).)*?)<c:{name}>.*?</c:{name}>", r"\1", xml, flags=re.DOTALL)
        return xml

    part = str(chart.part.partname).lstrip("/")
    file = save(deck, path / "chart.pptx", {part: bare} if without else None)
    (raw,) = contents(file)[0]
    return interpret_table(raw, VOCABULARY)


def labels(found: Interpretation) -> list[str]:
    return found.block.columns["metric_label"]


def test_one_series_without_a_name_is_what_the_chart_shows(tmp_path: Path) -> None:
    """The chart's title, else its axis, says what the points of North and South measure."""
    titled = read(tmp_path, ["North", "South"], 1, title="Orders received (US$ m)")
    assert labels(titled) == ["North – Orders received", "South – Orders received"]
    assert set(titled.block.columns["unit"]) == {"USD"}
    assert labels(read(tmp_path, ["2023", "2024"], 1, axis="Orders received")) == ["Orders received"] * 2
    assert labels(read(tmp_path, ["North", "South"], 1)) == ["North", "South"]


def test_points_without_categories_are_not_called_by_their_number(tmp_path: Path) -> None:
    """The first point of revenue is "Revenue – 1"; a point of nothing at all is no fact, and is reported."""
    titled = read(tmp_path, ["a", "b"], 1, title="Revenue", without="tx cat")
    assert labels(titled) == ["Revenue – 1", "Revenue – 2"]
    nothing = read(tmp_path, ["a", "b"], 1, without="tx cat")
    assert labels(nothing) == []
    assert [finding.code for finding in nothing.findings] == ["FS302"]


def test_several_series_without_names_cannot_be_told_apart(tmp_path: Path) -> None:
    """Two numbers for North under one title: which is which, the deck does not say."""
    found = read(tmp_path, ["North", "South"], 2, title="Revenue")
    assert labels(found) == []
    assert [finding.code for finding in found.findings] == ["FS302"]


def test_a_chart_titled_by_a_metric_measures_it(tmp_path: Path) -> None:
    """s1 and s2 under "Revenue by shop" are revenues of s1 and s2."""
    found = read(tmp_path, ["2023", "2024"], 2, title="Revenue by shop (HK$ m)", without="")
    assert set(labels(found)) == {"Revenue – s1", "Revenue – s2"}


def test_years_and_quarters_name_points_together(tmp_path: Path) -> None:
    """A series 2026 over Q1 and Q2 under "Quarterly throughput" has a name: its year."""
    deck = new_deck()
    add_chart(add_slide(deck, "Quarterly throughput"), ["Q1", "Q2"], {"2026": (10.0, 20.0)})
    (raw,) = contents(save(deck, tmp_path / "years.pptx"))[0]
    found = interpret_table(raw, VOCABULARY)
    assert found.block.columns["period"] == ["2026Q1", "2026Q2"]


@pytest.mark.parametrize(
    ("slide", "title", "axis", "name"),
    [
        ("Results", "", "Parcels sorted", "Parcels sorted – s1"),
        ("Parcels sorted (thousand)", "", "", "Parcels sorted – s1"),
        ("Revenue by depot (US$ m)", "", "", "Revenue – s1"),
        ("Results", "Our busiest depots", "Parcels sorted", "Parcels sorted – s1"),
        ("Our busiest depots", "", "", "s1"),
        ("Results", "", "Value", "s1"),
        ("Results", "Share of sales", "", "Share of sales – s1"),
    ],
)
def test_series_measure_what_axis_title_or_slide_say(
    tmp_path: Path, slide: str, title: str, axis: str, name: str
) -> None:
    """s1 and s2 are depots: what is counted in them the axis says, or a title that is no message."""
    found = read(tmp_path, ["2023", "2024"], 2, title=title, axis=axis, slide=slide, without="")
    assert name in labels(found)


@pytest.mark.parametrize("said", ["Headcount", "Gross margin by depot", "Share of sales", "Sales mix"])
def test_heads_and_shares_are_not_in_the_money_of_the_slide(tmp_path: Path, said: str) -> None:
    """Under "Results (US$ m)" a chart of heads or shares shows no money, wherever it says what it shows."""
    for title, axis in ((said, ""), ("", said)):
        found = read(tmp_path, ["2023", "2024"], 2, title=title, axis=axis, slide="Results (US$ m)", without="")
        assert set(found.block.columns["unit"]) == {"unknown"}


def test_the_unit_of_the_other_axis_is_not_taken(tmp_path: Path) -> None:
    """Bottles sold against price (US$), drawn over an axis of bottles: no number is a price."""
    found = read(tmp_path, ["3", "4"], 2, title="Bottles sold against price (US$)", axis="Bottles", without="")
    assert set(found.block.columns["unit"]) == {"unknown"}
    both = read(tmp_path, ["2023", "2024"], 2, title="Revenue vs budget (US$)", without="")
    assert set(both.block.columns["unit"]) == {"USD"}


def add_line(slide: Any, text: str, left: float) -> None:
    """A caption above the place where tables stand."""
    box = slide.shapes.add_textbox(Inches(left), Inches(1.5), Inches(3), Inches(0.4))
    box.text_frame.text = text


@pytest.mark.parametrize(
    ("captions", "names"),
    [
        (("Ferries, US$ m", "Piers, US$ m"), ["Ferries – Revenue", "Piers – Revenue"]),
        (("Germany", "France"), ["Revenue", "Revenue"]),
        (("Key figures", "Key figures"), ["Revenue", "Revenue"]),
    ],
)
def test_tables_alike_are_told_apart_by_their_captions(
    tmp_path: Path, captions: tuple[str, str], names: list[str]
) -> None:
    """Two tables of revenue and costs, one of ferries, one of piers: neither has the revenue of the whole."""
    deck = new_deck()
    slide = add_slide(deck, "Segments")
    for at, caption in enumerate(captions):
        add_table(slide.shapes, "Item | 2031 | 2032\nRevenue | 41 | 43\nCosts | 30 | 31", left=0.5 + 4.7 * at)
        add_line(slide, caption, 0.5 + 4.7 * at)
    raws = contents(save(deck, tmp_path / "two.pptx"))[0]
    assert [labels(interpret_table(raw, VOCABULARY))[0] for raw in raws] == names


def test_unlike_tables_are_called_by_their_labels_alone(tmp_path: Path) -> None:
    """Where the labels say which table it is, the captions need not."""
    deck = new_deck()
    slide = add_slide(deck, "Sources and uses")
    for at, (caption, rows) in enumerate({"Sources": ("Loan", "Equity"), "Uses": ("Price", "Fees")}.items()):
        add_table(slide.shapes, f"Item | 2031 | 2032\n{rows[0]} | 41 | 43\n{rows[1]} | 30 | 31", left=0.5 + 4.7 * at)
        add_line(slide, caption, 0.5 + 4.7 * at)
    raws = contents(save(deck, tmp_path / "two.pptx"))[0]
    assert [labels(interpret_table(raw, VOCABULARY))[0] for raw in raws] == ["Loan", "Price"]


def test_titles_that_tell_charts_apart_say_their_units_too(tmp_path: Path) -> None:
    """Two charts of the same regions, one of parcels in millions, one of pounds a parcel: each has its own unit."""
    deck = new_deck()
    slide = add_slide(deck, "Volumes recover")
    for at, title in enumerate(("Parcels delivered (million)", "Revenue per parcel (£)")):
        chart = add_chart(slide, ["2031", "2032"], {"Home": (4.1, 4.3), "Abroad": (1.2, 1.1)}, left=0.5 + 4.7 * at)
        chart.has_title = True
        chart.chart_title.text_frame.text = title
    first, second = (interpret_table(raw, VOCABULARY) for raw in contents(save(deck, tmp_path / "two.pptx"))[0])
    assert {context.scale for context in first.block.contexts} == {6}
    assert set(second.block.columns["unit"]) == {"GBP"}
    assert labels(second)[0] == "Revenue per parcel – Home"


def test_a_share_of_profits_is_an_amount(tmp_path: Path) -> None:
    """A share of sales is none of the slide's money; what associates earned is."""
    deck = new_deck()
    drawn = "HK$ million | 2031 | 2032\nShare of associates | 24 | 31\nShare of sales | 12 | 14"
    add_table(add_slide(deck, "Results").shapes, drawn)
    (raw,) = contents(save(deck, tmp_path / "shares.pptx"))[0]
    assert interpret_table(raw, VOCABULARY).block.columns["unit"] == ["HKD", "HKD", "unknown", "unknown"]
