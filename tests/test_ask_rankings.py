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


DISTRICTS = """
地区 | 学校数 | 学生数
全州 | 231 | 96210
城区 | 118 | 57430
西坪区 | 66 | 31250
北塘区 | 52 | 26180
郊县 | 113 | 38780
黄岭县 | 71 | 21960
古渡县 | 42 | 16820
"""
LODGES = """
Lodge | Region | Beds | Staff
Total | | 260 | 47
Fern | North | 120 | 21
Heron | South | 60 | 11
Osprey | North | 80 | 15
"""
MINDERS = """
Club | Average age | Annual fee
Rowing | 31.5 | 120
Archery | 44.2 | 95
Hurling | 24.8 | 60
"""


FIRMS = """
指标 | 远山印务 | 平湖纸业 | 集团合计
净利润 | 410 | 265 | 675
员工人数 | 38 | 52 | 90
"""


@pytest.mark.parametrize(
    ("table", "question", "value"),
    [
        (FIRMS, "哪家公司净利润最高", "410"),
        (FIRMS, "员工人数最多的公司", "52"),
        (DISTRICTS, "哪个区的学生数最多", "31250"),
        (DISTRICTS, "学校数最多的县是哪个", "71"),
        (LODGES, "Which lodge has the most beds?", "120"),
        (LODGES, "rank the lodges by staff", ""),
        (MINDERS, "Which club has the lowest average age?", "24.8"),
        (MINDERS, "Which club had the highest annual fee?", "120"),
    ],
)
def test_what_others_add_up_to_is_not_ranked_among_them(tmp_path: Path, table: str, question: str, value: str) -> None:
    """A total may stand before its parts and be called by a place; of districts and counties one kind is asked for."""
    (answer,) = _asked(tmp_path, table, question)
    assert answer.mode == "answer", answer.answer
    assert value in answer.answer
    assert not {"96210", "57430", "231", "118", "113", "260", "47"} & {fact.value_text for fact in answer.facts}


MEASURES = """
Depot | Measure | Week 11 | Week 12
Larch | Parcels | 5120 | 4980
Larch | Late share (%) | 3.1 | 2.4
Rowan | Parcels | 3310 | 3590
Rowan | Late share (%) | 1.2 | 4.7
"""


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("which depot had the highest late share in week 12", "4.7"),
        ("which depot had the most parcels in week 12", "4980"),
        ("which depot had the highest breakage in week 12", None),
        ("which depot had the highest in week 12", None),
    ],
)
def test_the_highest_is_of_what_is_measured(tmp_path: Path, question: str, value: str | None) -> None:
    """A list of several measures is ranked by the one that is asked for, or not at all."""
    (answer,) = _asked(tmp_path, MEASURES, question)
    if value is None:
        assert answer.mode != "answer", answer.answer
    else:
        assert value in answer.answer, answer.answer


def test_the_last_of_a_list_is_ranked_though_an_average_stands_below(tmp_path: Path) -> None:
    """A row that has words where the others have their numbers is no part of the row above it."""
    marks = "学号 | 姓名 | 地理 | 历史\n0711 | 苗苗 | 81 | 77\n0712 | 卜一 | 93 | 85\n0713 | 岑远 | 64 | 90\n"
    marks += "平均分 | | 79.3 | 84"
    lowest, highest = _asked(tmp_path, marks, "谁的地理最低", "谁的历史最高")
    assert "64" in lowest.answer
    assert "90" in highest.answer
