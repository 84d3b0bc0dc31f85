"""Workbooks as people build them: what must not be misread in accounts, lists, forms and statistics."""

from __future__ import annotations

import pytest
from test_interpretation import around, facts, ledger, table
from test_interpretation_layouts import told

from factspine.core.tables import RawTable
from factspine.interpret.interpreter import interpret_table
from factspine.lexicon.periods import find_partial, find_periods, is_period_label
from factspine.lexicon.vocabulary import Vocabulary

VOCABULARY = Vocabulary.load(None)


def test_years_with_footnotes_head_columns() -> None:
    """2022(a) and 2023¹ are years with a footnote, not amounts; the range in the title is no cell's period."""
    raw = table(
        """
        Line | =2021 | 2022(a) | 2023¹
        Motor | =4.1 | =4.2 | =4.3
        Travel | =1.1 | =1.2 | =1.3
    """,
        context=(around("caption", "Premiums by line, 2021–2023"),),
    )
    assert [fact["period"] for fact in facts(raw)] == ["2021", "2022", "2023"] * 2


@pytest.mark.parametrize(
    ("text", "period"),
    [
        ("2024年Q1经营数据", "2024Q1"),
        ("2024一季度", "2024Q1"),
        ("2024年H2", "2024H2"),
        ("Oct-Dec 2024", "2024Q4"),
        ("Jan–Mar 24", "2024-01-01/2024-03-31"),
        ("2024年6月30日止六个月", "2024H1"),
    ],
)
def test_part_of_a_year_is_not_the_year(text: str, period: str) -> None:
    """A quarter, half or run of months is read whole, however it is written."""
    assert [found.period for found in find_periods(text)] == [period]


@pytest.mark.parametrize("text", ["31-Dec", "30 Jun", "At 30 June", "Full year", "全年合计", "Jan-Jun"])
def test_half_said_periods_wait_for_their_year(text: str) -> None:
    """A day, a run of months or the full year without its year is half a period; 31-Dec is not December 2031."""
    assert is_period_label(text)
    assert find_partial(text) is not None
    assert not find_periods(text)


def test_a_week_is_not_its_year() -> None:
    """Figures of week 14 of FY2025 are not figures of FY2025."""
    raw = table("Store | Sales\nYork | =10\nBath | =12", context=(around("caption", "Trading – week 14, FY2025"),))
    assert [fact["period"] for fact in facts(raw)] == ["", ""]
    weekly = table(
        "Store | Week 1 | Week 2\nYork | =10 | =11\nBath | =12 | =13", context=(around("caption", "Sales 2025"),)
    )
    assert {(fact["metric_label"], fact["period"]) for fact in facts(weekly)} == {
        (f"{store} – Week {week}", "") for store in ("York", "Bath") for week in (1, 2)
    }
