"""What the user's own vocabulary names can be asked for by every name it has there."""

from __future__ import annotations

from pathlib import Path

import pytest
from drawn_books import TODAY, store_of, told

from factspine import answer_question

VOCABULARY = """
[[entity]]
code = "ACME_HK"
names = ["ACME Hong Kong", "ACME HK", "埃克米香港"]
geography = "HK"
[[entity]]
code = "ML"
names = ["晨光实业", "Morning Light", "Morning Light Industrial Co., Ltd."]
[[entity]]
code = "POLARIS"
names = ["北极星物流", "Polaris Logistics"]
"""
BOOKS = {
    "hong_kong.xlsx": {
        "KPI": """
ACME Hong Kong
HK$ million | FY2023 | FY2024
Revenue | 100 | 120
Operating profit | 10 | 14
"""
    },
    "companies.xlsx": {
        "S": """
单位：万元
公司 | 2023年营业收入 | 2024年营业收入
晨光实业 | 500 | 600
北极星物流 | 70 | 80
"""
    },
}


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("ACME HK FY2024 revenue", "120"),
        ("Revenue of ACME Hong Kong in FY2024", "120"),
        ("埃克米香港FY2024的REVENUE是多少", "120"),
        ("埃克米香港2024年营收", "120"),
        ("Morning Light's revenue in 2024", "600"),
        ("revenue of Morning Light Industrial in 2024", "600"),
        ("晨光实业2024年营业收入", "600"),
        ("ML 2024 revenue", "600"),
        ("Polaris Logistics revenue 2023", "70"),
        ("北极星物流2023年营收多少", "70"),
        ("晨光实业2024年营业收入比北极星物流高多少", "520"),
    ],
)
def test_every_name_of_an_organisation_can_be_asked_for(tmp_path: Path, question: str, value: str) -> None:
    """Names and aliases, Chinese and English, wherever in the vocabulary they stand."""
    with store_of(tmp_path, BOOKS, VOCABULARY) as store:
        assert told(answer_question(question, store, today=TODAY)) == ("answer", value)


@pytest.mark.parametrize(
    "question", ["Polaris Shipping revenue 2023", "晨光电子2024年营业收入", "ACME Macau FY2024 revenue"]
)
def test_a_name_that_only_begins_alike_is_nobody(tmp_path: Path, question: str) -> None:
    """Another organisation's number is never given for one that the store does not have."""
    with store_of(tmp_path, BOOKS, VOCABULARY) as store:
        assert answer_question(question, store, today=TODAY).mode != "answer"


def test_all_organisations_take_part_in_a_ranking(tmp_path: Path) -> None:
    """One that stands in a region of its own is not left out: here its money is another, and that is said."""
    with store_of(tmp_path, BOOKS, VOCABULARY) as store:
        answer = answer_question("Which company had the highest revenue in 2024?", store, today=TODAY)
    assert answer.reason is not None
    assert (answer.reason.code, answer.reason.words) == ("different_basis", ("CNY / HKD",))


def test_a_given_fact_has_its_labels(tmp_path: Path) -> None:
    """Whoever builds on an answer finds the labels of the row and the column beside the number."""
    with store_of(tmp_path, BOOKS) as store:
        fact = answer_question("晨光实业2024年营业收入", store, today=TODAY).facts[0]
    assert (fact.row_path, fact.col_path) == (("晨光实业",), ("2024年营业收入",))
