"""Sums and averages over a stretch of time: every step of it counts, and one that is missing stops the sum."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_ask_understanding import _asked

MONTHS = """
Item | Jan 2022 | Feb 2022 | Mar 2022 | Apr 2022
Output | 10 | 20 | 30 | 44
"""
YEARS = """
Item | 2019 | 2020 | 2021 | 2022
Visitors | 100 | 40 | 70 | 90
"""


@pytest.mark.parametrize(
    ("table", "question", "value"),
    [
        (MONTHS, "sum of output from January to April 2022", "104"),
        (MONTHS, "What was the average output from January to March 2022?", "20"),
        (MONTHS, "2022年第一季度output合计", "60"),
        (MONTHS, "change in output from January to February 2022", "10"),
        (YEARS, "average visitors 2019 to 2022", "75"),
        (YEARS, "sum of visitors from 2020 to 2022", "200"),
    ],
)
def test_every_step_of_a_stretch_counts(tmp_path: Path, table: str, question: str, value: str) -> None:
    """`January to April` has four months; a difference has its two ends."""
    (answer,) = _asked(tmp_path, table, question)
    assert (answer.mode, answer.value) == ("answer", value), answer.answer


@pytest.mark.parametrize("question", ["sum of output from January to June 2022", "sum of output for Q1 to Q4 2022"])
def test_a_step_that_is_missing_stops_the_sum(tmp_path: Path, question: str) -> None:
    """Of six months only four are there."""
    (answer,) = _asked(tmp_path, MONTHS, question)
    assert answer.mode != "answer", answer.answer
