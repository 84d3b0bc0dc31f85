"""Places, channels, organisations and scenario words."""

from __future__ import annotations

import pytest

from factspine.lexicon.names import channel, geography, organisation
from factspine.lexicon.scenario import take_marks


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Hong Kong", "HK"),
        ("香港", "HK"),
        ("中國內地", "CN"),
        ("Mainland China", "CN"),
        ("Germany", "DE"),
        ("德国", "DE"),
        ("新加坡", "SG"),
        ("US", "US"),
        ("United States", "US"),
        ("广东省", "CN-GD"),
        ("亚太区", "APAC"),
        ("EMEA", "EMEA"),
    ],
)
def test_places_are_known_in_both_languages(text: str, code: str) -> None:
    """ISO codes for territories, plain codes for regions."""
    assert geography(text) == code


@pytest.mark.parametrize("text", ["us", "machinery", "Georgia", "Bank of China", "it", "Revenue", "", "x" * 500])
def test_a_word_is_not_a_place_by_resemblance(text: str) -> None:
    """Names match as wholes; what is more often something else is left unknown."""
    assert geography(text) is None


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Agency", "AGENCY"),
        ("代理渠道", "AGENCY"),
        ("銀保", "BANCASSURANCE"),
        ("线上", "ONLINE"),
        ("Wholesale", "WHOLESALE"),
    ],
)
def test_channels_are_known_in_both_languages(text: str, code: str) -> None:
    """The same channel in either language has one code."""
    assert channel(text) == code


def test_company_names_are_told_by_their_form() -> None:
    """A legal form makes a name; `the Group` names nobody."""
    assert organisation("Example Holdings Limited") == "Example Holdings Limited"
    assert organisation("某某股份有限公司") == "某某股份有限公司"
    assert organisation("the Group") is None
    assert organisation("本公司") is None
    assert organisation("应收子公司") is None


@pytest.mark.parametrize(
    ("text", "marks", "rest"),
    [
        ("Revenue (restated)", ("restated",), "Revenue"),
        ("Revenue Budget", ("budget",), "Revenue"),
        ("营业收入（未经审计）", ("unaudited",), "营业收入"),
        ("一般公共预算收入", (), "一般公共预算收入"),
        ("Pension plan", (), "Pension plan"),
        ("Plan", ("budget",), ""),
        ("预计负债", (), "预计负债"),
    ],
)
def test_plan_words_count_only_where_they_stand_for_themselves(text: str, marks: tuple[str, ...], rest: str) -> None:
    """预算 inside a kind of revenue says nothing about the number."""
    scenario = take_marks(text)
    assert scenario.marks == marks
    assert scenario.rest.strip(" ()（）") == rest
