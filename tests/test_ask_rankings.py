"""Which of the lines of a table is highest: the kind of thing ranked need not be a word of the table."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_ask_understanding import _asked

WARDS = """
科室 | 床位数 | 护士人数
心脏科 | 44 | 61
皮肤科 | 18 | 22
产科 | 39 | 70
"""
QUARTERS = """
产品 | 2022年第一季度 | 2022年第二季度
台灯 | 210 | 190
吊扇 | 80 | 305
门铃 | 95 | 60
"""
CLUBS = """
Club | Members | Coaches | Injury rate (%)
Rowing | 120 | 7 | 4.1
Archery | 45 | 9 | 0.8
Hurling | 210 | 6 | 12.5
"""


@pytest.mark.parametrize(
    ("table", "question", "value"),
    [
        (WARDS, "哪个科室的床位数最多", "44"),
        (WARDS, "哪个科室护士人数最少", "22"),
        (WARDS, "护士人数最多的科室是哪个", "70"),
        (WARDS, "哪一个部门的护士人数最多", "70"),
        (QUARTERS, "2022年第二季度哪个产品最高", "305"),
        (QUARTERS, "2022年第一季度最低的是哪个产品", "80"),
        (CLUBS, "Which club has the highest injury rate?", "12.5"),
        (CLUBS, "Which sports club had the most members?", "210"),
        (CLUBS, "club with the fewest coaches", "6"),
        (CLUBS, "the club that has the lowest injury rate", "0.8"),
    ],
)
def test_the_kind_of_thing_that_is_ranked_is_no_part_of_what_is(
    tmp_path: Path, table: str, question: str, value: str
) -> None:
    """哪个科室的床位数最多 ranks the beds, whether or not the table calls its lines 科室."""
    (answer,) = _asked(tmp_path, table, question)
    if answer.quotes:  # the name of the line, with the figure beside it
        assert value in answer.answer
    else:
        assert (answer.mode, answer.value) == ("answer", value), answer.answer


@pytest.mark.parametrize(
    ("table", "question"),
    [
        (WARDS, "哪个科室的医生人数最多"),
        (WARDS, "哪个科室最多"),
        (QUARTERS, "2022年第三季度哪个产品最高"),
        (CLUBS, "Which club has the highest fee?"),
        (CLUBS, "Which club had the most junior members?"),
        (CLUBS, "Which club has the highest knee injury rate?"),
    ],
)
def test_what_is_not_there_is_not_ranked(tmp_path: Path, table: str, question: str) -> None:
    """No column is ranked that the question does not name, nor the whole for a part."""
    (answer,) = _asked(tmp_path, table, question)
    assert answer.mode != "answer", answer.answer
