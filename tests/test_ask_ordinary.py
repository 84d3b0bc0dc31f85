"""Sums, shares and changes as people say them, and words that name one of several."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_ask_understanding import _asked

CREWS = """
Crew | Riggers | Divers | Cost (USD)
Alpha | 14 | 5 | 2100
Bravo | 9 | 8 | 1900
Total | 23 | 13 | 4000
"""
MOVED = """
指标 | 本期 | 上年同期
来料重量 | 820 | 905
出料重量 | 610 | 580
"""
WEEKS = """
Site | Loads week 21 | Loads week 22
Kelso | 40 | 52
Duns | 31 | 28
"""
PARENT = "Measure | Male | Both sexes\nKayakers | 31 | 70\nClimbers | 12 | 40"
FORM = "到货数量（箱） | 60\n单箱重量（千克） | 12"


@pytest.mark.parametrize(
    ("table", "question", "value"),
    [
        (CREWS, "Alpha plus Bravo riggers", "23"),
        (CREWS, "Alpha riggers and divers together", "19"),
        (CREWS, "cost of Bravo as a share of the total", "47.5"),
        (CREWS, "riggers across all crews", "23"),
        (PARENT, "how many climbers are there", "40"),
        (WEEKS, "loads at Kelso rose by how much from week 21 to week 22", "12"),
    ],
)
def test_figures_are_put_together_as_they_are_asked_for(tmp_path: Path, table: str, question: str, value: str) -> None:
    """`plus`, `together`, `of the total`: the table says which figures these are."""
    (answer,) = _asked(tmp_path, table, question)
    assert (answer.mode, answer.value) == ("answer", value), answer.answer


WORKS = """
项目 | 年初计划 | 实际完成
护坡 | 420 | 377
清淤 | 260 | 251
合计 | 680 | 628
"""


def test_one_part_is_not_held_against_the_whole(tmp_path: Path) -> None:
    """The plan that 护坡 is held against is its own, or none."""
    for question in ("护坡实际完成比年初计划少多少", "护坡实际完成与年初计划相差多少"):
        folder = tmp_path / question
        folder.mkdir()
        (answer,) = _asked(folder, WORKS, question)
        assert answer.mode != "answer" or answer.value in ("-43", "43"), answer.answer


def test_a_change_on_the_year_before_is_never_the_figure_of_that_year(tmp_path: Path) -> None:
    """下降多少 asks for the change, with or without 了."""
    (answer,) = _asked(tmp_path, MOVED, "来料重量比上年同期下降多少", title="2023年一季度")
    assert answer.mode != "answer" or answer.value in ("-85", "85"), answer.answer


@pytest.mark.parametrize("question", ["第二批到货数量是多少", "到货数量第3批"])
def test_one_of_several_is_not_the_only_one_there_is(tmp_path: Path, question: str) -> None:
    """A form that knows of no batches says nothing of the second."""
    (answer,) = _asked(tmp_path, FORM, question)
    assert answer.mode != "answer", answer.answer


OVERS = """
Fund summary | 2021 Budget | 2021 Actual
Bridges | 310 | 334
Ferries | 205 | 190
"""
TALLY = """
Measure | Apr 2022 | May 2022 | Jun 2022
Members | 510 | 522 | 530
Visits | 80 | 95 | 90
"""
CROPS = """
指标 | 2020年 | 2021年 | 2021年比上年增长（%）
大麦 | 40 | 44 | 10.0
燕麦 | 25 | 24 | -4.0
"""
PUPILS = """
姓名 | 朗诵 | 书法 | 总评
孟夏 | 71 | 80 | 151
尹秋 | 77 | 90 | 167
"""


@pytest.mark.parametrize(
    ("table", "question", "value"),
    [
        (OVERS, "how much over budget was Bridges in 2021", "24"),
        (OVERS, "Bridges over budget by how much in 2021", "24"),
        (TALLY, "month on month visits growth in May 2022", "18.75"),
        (CROPS, "2020到2021年大麦增加了多少", "4"),
        (CROPS, "大麦最高的年份", "2021"),
        (PUPILS, "尹秋比孟夏总评高多少分", "16"),
    ],
)
def test_how_far_apart_is_no_figure_of_one_side(tmp_path: Path, table: str, question: str, value: str) -> None:
    """Over budget, month on month, 高多少分: both sides are looked up, and neither is the answer."""
    (answer,) = _asked(tmp_path, table, question)
    assert (answer.mode, answer.value and answer.value.lstrip("-")) == ("answer", value), answer.answer


def test_of_two_months_one_is_no_answer(tmp_path: Path) -> None:
    """May has no digit of its own; it is asked for all the same."""
    (answer,) = _asked(tmp_path, TALLY, "how many members did we add between May and June 2022")
    assert answer.value != "530", answer.answer
