"""A segment and what is asked of it may stand apart: the period between them is where people put it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from drawn_books import TODAY, store_of, told

from factspine import FactStore, answer_question

BOOKS = {
    "segments.xlsx": {
        "零售分部": """
单位：百万元
项目 | 2023年上半年 | 2024年上半年 | 2024年
营收 | 100 | 120 | 250
毛利 | 10 | 14 | 30
""",
        "集团": """
单位：百万元
项目 | 2023年上半年 | 2024年上半年 | 2024年
营收 | 900 | 1020 | 2150
毛利 | 90 | 94 | 230
""",
    },
    "divisions.xlsx": {
        "Divisions": """
Wholesale segment
US$ million | FY2023 | FY2024
Revenue | 500 | 530
Operating profit | 50 | 53
"""
    },
    "areas.xlsx": {
        "大区": """
各大区销售额（万元）
大区 | 2023年 | 2024年
华东区 | 11 | 12
华南区 | 21 | 22
合计 | 32 | 34
"""
    },
    "lines.xlsx": {
        "P": """
US$ million | FY2023 | FY2024
Retail revenue | 31 | 32
Other revenue | 41 | 42
Total revenue | 72 | 74
"""
    },
    "products.xlsx": {
        "R": """
Revenue by segment (US$ million)
Segment | FY2023 | FY2024
Garden | 61 | 62
Kitchen | 51 | 52
Total | 112 | 114
"""
    },
}
ANSWERABLE = [
    ("segments.xlsx", "零售分部2024年上半年营收", "120"),
    ("segments.xlsx", "零售分部在2024年上半年的营收是多少", "120"),
    ("segments.xlsx", "2024年零售分部毛利", "30"),
    ("divisions.xlsx", "Wholesale segment FY2024 revenue", "530"),
    ("divisions.xlsx", "Wholesale's FY2024 operating profit", "53"),
    ("areas.xlsx", "华东区2024年销售额", "12"),
    ("areas.xlsx", "华东2024年销售额是多少", "12"),
    ("areas.xlsx", "2023年华南区的销售额", "21"),
    ("lines.xlsx", "Retail's FY2024 revenue", "32"),
    ("lines.xlsx", "Retail in FY2023 revenue", "31"),
    ("products.xlsx", "Garden segment FY2024 revenue", "62"),
    ("products.xlsx", "Garden's FY2023 turnover", "61"),
]
UNANSWERABLE = [
    ("segments.xlsx", "电商分部2024年上半年营收"),
    ("segments.xlsx", "零售分部2022年上半年营收"),
    ("divisions.xlsx", "Wholesale segment FY2024 net profit"),
    ("divisions.xlsx", "Retail segment FY2024 operating profit"),
    ("areas.xlsx", "华北区2024年销售额"),
    ("areas.xlsx", "华东区2024年毛利"),
    ("lines.xlsx", "Online's FY2024 revenue"),
    ("products.xlsx", "Kitchen segment FY2024 operating profit"),
    ("products.xlsx", "Bathroom segment FY2024 revenue"),
]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FactStore]:
    folder: Path = tmp_path_factory.mktemp("apart")
    with store_of(folder, BOOKS) as opened:
        yield opened


@pytest.mark.parametrize(("document", "question", "value"), ANSWERABLE)
def test_a_part_and_its_metric_stand_apart(store: FactStore, document: str, question: str, value: str) -> None:
    """Asked of one document or of all of them, whichever way the words are put."""
    assert told(answer_question(question, store, today=TODAY, documents=[document])) == ("answer", value)
    assert told(answer_question(question, store, today=TODAY)) == ("answer", value)


@pytest.mark.parametrize(("document", "question"), UNANSWERABLE)
def test_a_part_that_is_not_there_is_refused(store: FactStore, document: str, question: str) -> None:
    """Neither the whole nor another part is given for it."""
    assert answer_question(question, store, today=TODAY, documents=[document]).mode != "answer"
    assert answer_question(question, store, today=TODAY).mode != "answer"
