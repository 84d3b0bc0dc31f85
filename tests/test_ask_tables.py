"""Questions about the lines of a table: two of them compared or added, the highest of a column, the cells of a form."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_ask_understanding import _asked

CITIES = """
City | Owners | Renters
All cities | 12.5 | 30.1
Port Alder | 14.0 | 28.4
Quillan | 9.5 | 33.3
Rosefield | 11.1 | 26.7
"""
MARKS = """
姓名 | 语文 | 数学 | 总分
白羽 | 81 | 92 | 173
蔡明 | 77 | 95 | 172
葛天 | 90 | 64 | 154
合 计 | 248 | 251 | 499
"""
FORM = """
户籍人口（人） | 2316 | 常住人口（人） | 1780
耕地面积（亩） | 3560 | 其中：水田（亩） | 1280
村集体收入（万元） | 86 | 低保户数（户） | 38
"""


@pytest.mark.parametrize(
    ("table", "question", "value"),
    [
        (CITIES, "How much higher are renters than owners in Rosefield?", "15.6"),
        (CITIES, "What is the difference between renters and owners in Quillan?", "23.8"),
        (CITIES, "sum of Port Alder and Quillan for owners", "23.5"),
        (MARKS, "蔡明比葛天数学高多少", "31"),
        (MARKS, "白羽的语文和数学之和", "173"),
        (FORM, "户籍人口比常住人口多多少", "536"),
    ],
)
def test_two_lines_of_a_table_are_compared_and_added(tmp_path: Path, table: str, question: str, value: str) -> None:
    """The labels of a table may be listed like the names that everybody knows."""
    (answer,) = _asked(tmp_path, table, question)
    assert (answer.mode, answer.value) == ("answer", value), answer.answer
    assert answer.derivation is not None


@pytest.mark.parametrize(
    ("table", "question", "value", "cell"),
    [
        (CITIES, "Which city had the highest renters?", "33.3", "C4"),
        (CITIES, "Which city had the lowest owners?", "9.5", "B4"),
        (MARKS, "谁的数学最高", "95", "C3"),
        (MARKS, "哪位的总分最低", "154", "D4"),
    ],
)
def test_the_highest_of_a_column_is_none_of_its_totals(
    tmp_path: Path, table: str, question: str, value: str, cell: str
) -> None:
    """A column is named and no row: all its rows are meant, but not the one that is all of them together."""
    (answer,) = _asked(tmp_path, table, question)
    assert (answer.mode, answer.value) == ("answer", value), answer.answer
    assert f"cell={cell}," in answer.sources[0]["locator"]


def test_no_column_is_ranked_that_the_question_does_not_name(tmp_path: Path) -> None:
    """Neither row nor column is named, or something that is not there: nothing is ranked."""
    for number, question in enumerate(("Which city is the highest?", "Which city had the highest rainfall?")):
        folder = tmp_path / str(number)
        folder.mkdir()
        (answer,) = _asked(folder, CITIES, question)
        assert answer.mode != "answer", answer.answer


@pytest.mark.parametrize(
    ("question", "value"),
    [("户籍人口有多少", "2316"), ("耕地面积是多少亩", "3560"), ("村集体收入是多少万元", "86"), ("低保户数", "38")],
)
def test_a_form_is_asked_by_the_words_beside_its_numbers(tmp_path: Path, question: str, value: str) -> None:
    """In a form no column has a head; the label is all there is."""
    (answer,) = _asked(tmp_path, FORM, question)
    assert (answer.mode, answer.value) == ("answer", value), answer.answer


def test_a_word_of_the_title_that_heads_a_column_is_asked_for(tmp_path: Path) -> None:
    """What the title is about is not the name of the one whose document it is."""
    table = """
        Table 9. Establishments, Receipts, and Net Income by Industry |  |
        Industry | Establishments | Receipts
        Publishing | 410 | 12.5
        Broadcasting | 220 | 9.9
    """
    (answer,) = _asked(tmp_path, table, "Receipts of broadcasting")
    assert answer.value == "9.9", answer.answer
