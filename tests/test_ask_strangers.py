"""A word that no label has may tell of the things counted; where it says which of them, there is no number for it."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_ask_understanding import _asked

PEOPLE = """
Residents by quarter and sex, 2018 |  |
Quarter | Male | Female | Total | Movers
Old Quay | 3110 | 3205 | 6315 | 140
Bell Hill | 870 | 912 | 1782 | 33
"""
STOCK = """
Item | In stock | Reserved
Rivets | 5400 | 610
Gate valve | 88 | 14
"""
COURSES = """
Pupils who left before graduating |  |
Course | Enrolled | Dropouts | Dropout rate (%)
Nursing | 310 | 27 | 8.7
Drama | 95 | 12 | 12.6
"""
CLINIC = """
科室 | 床位数 | 护士人数
内科 | 120 | 75
外科 | 96 | 64
"""


@pytest.mark.parametrize(
    ("table", "question"),
    [
        (PEOPLE, "How many male bakers lived in Old Quay?"),
        (PEOPLE, "unemployed male residents of Bell Hill"),
        (PEOPLE, "married female residents of Old Quay"),
        (PEOPLE, "How many young women live in Bell Hill?"),
        (PEOPLE, "male suburb Old Quay"),
        (PEOPLE, "How many women teachers are there in Bell Hill?"),
        (PEOPLE, "number of women teachers in Bell Hill"),
        (PEOPLE, "How many people retired in Old Quay?"),
        (PEOPLE, "How many people drowned in Old Quay?"),
        (STOCK, "damaged rivets in stock"),
        (STOCK, "How many coated rivets are in stock?"),
        (STOCK, "recycled rivets reserved"),
        (COURSES, "graduation rate in drama"),
        (COURSES, "number of nursing lecturers"),
        (COURSES, "number of medical dropouts"),
        (CLINIC, "心内科床位数"),
        (CLINIC, "普外科的护士人数是多少"),
        (CLINIC, "外科男护士人数"),
    ],
)
def test_the_whole_is_not_given_for_a_part(tmp_path: Path, table: str, question: str) -> None:
    """What stands before a label's word, or is what is counted, must be in the table."""
    (answer,) = _asked(tmp_path, table, question)
    assert answer.mode != "answer", answer.answer


@pytest.mark.parametrize(
    ("table", "question", "value"),
    [
        (PEOPLE, "How many male residents lived in Old Quay in 2018?", "3110"),
        (PEOPLE, "How many women were recorded in Bell Hill?", "912"),
        (PEOPLE, "How many people lived in Old Quay in total?", "6315"),
        (PEOPLE, "How many men live in Bell Hill?", "870"),
        (STOCK, "How many rivets are currently in stock?", "5400"),
        (STOCK, "the reported number of rivets reserved", "610"),
        (COURSES, "number of nursing dropouts", "27"),
        (COURSES, "How many pupils enrolled in drama?", "95"),
        (COURSES, "What percentage of drama students dropped out?", "12.6"),
        (CLINIC, "内科床位数", "120"),
        (CLINIC, "本院外科的护士人数是多少", "64"),
    ],
)
def test_what_is_told_of_the_things_may_be_passed_over(tmp_path: Path, table: str, question: str, value: str) -> None:
    """Where they live and that they were counted changes nothing."""
    (answer,) = _asked(tmp_path, table, question)
    assert (answer.mode, answer.value) == ("answer", value), answer.answer


@pytest.mark.parametrize(
    ("unit", "question", "value"),
    [
        ("GBP", "price of the lamp in dollars", None),
        ("EUR", "What is the price of the stool in millions of dollars?", None),
        ("USD", "price of the lamp in dollars", "38"),
        ("HKD", "price of the lamp in dollars", "38"),
        ("HKD", "price of the lamp in US dollars", None),
    ],
)
def test_dollars_are_no_other_money(tmp_path: Path, unit: str, question: str, value: str | None) -> None:
    """Whose dollars they are the document says; pounds they are not."""
    (answer,) = _asked(tmp_path, f"Item | Price ({unit})\nLamp | 38\nStool | 61", question)
    assert answer.value == value, answer.answer
