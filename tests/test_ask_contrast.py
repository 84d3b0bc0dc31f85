"""Questions about something a table does not have, in words that are nearly its own: never the nearest number."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_ask_understanding import _asked

POWER = """
Output by source | 2019 | 2020
Total power | 910 | 930
Nuclear power | 410 | 402
Tidal power | 38 | 41
Pupils per teacher | 15.5 | 15.1
Net plant, after write-downs | 77 | 79
"""
LOANS = """
项目 | 2022年 | 2023年
短期借款 | 310 | 325
应付账款 | 88 | 91
付款比例 | 40 | 45
合计 | 438 | 461
"""


@pytest.mark.parametrize(
    "question",
    [
        "What was wind power in 2020?",  # nuclear power is another, and so is the total
        "wind power in 2020",
        "What was the power of mining in 2020?",
        "What was the tidal energy surplus power in 2020?",
        "Nuclear EBITDA 2020",
        "What was the net income in 2020?",
        "tidal power growth budget 2020",
        "What was the lobster tidal power in 2020?",
    ],
)
def test_a_word_in_the_place_of_a_labels_own_is_no_match(tmp_path: Path, question: str) -> None:
    """What takes the place of a word of the label, or narrows it, names another thing."""
    (answer,) = _asked(tmp_path, POWER, question)
    assert answer.mode != "answer", answer.answer


@pytest.mark.parametrize(
    "question", ["2023年长期借款是多少", "2023年长期借款", "2023年质保金比例是多少", "2023年会议费的金额"]
)
def test_a_chinese_word_in_the_place_of_a_labels_own_is_no_match(tmp_path: Path, question: str) -> None:
    """长期借款 is not 短期借款, and what is in no row is not the total."""
    (answer,) = _asked(tmp_path, LOANS, question)
    assert answer.mode != "answer", answer.answer


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("What was the tidal power generated in 2020?", "41"),
        ("how many units of nuclear power were recorded in 2019?", "410"),
        ("What was total power in 2019?", "910"),
        ("2023年短期借款余额是多少", "325"),
    ],
)
def test_words_that_tell_of_the_things_may_be_passed_over(tmp_path: Path, question: str, value: str) -> None:
    """What was done with the things, and how they are asked for, changes nothing."""
    (answer,) = _asked(tmp_path, LOANS if "借款" in question else POWER, question)
    assert (answer.mode, answer.value) == ("answer", value), answer.answer


def test_a_mistyped_word_begins_as_it_should(tmp_path: Path) -> None:
    """Outpatients are no inpatients; inpatiens are."""
    table = "Ward | 2021\nInpatients, surgery | 310\nInpatients, maternity | 120"
    other, same = _asked(tmp_path, table, "outpatients in surgery in 2021", "inpatiens surgery 2021")
    assert other.mode != "answer"
    assert same.value == "310"
