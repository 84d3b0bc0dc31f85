"""The number backstop: what a text may say of the numbers in its evidence, and what it may not."""

from __future__ import annotations

import pytest

from factspine.cite.backstop import check_numbers, foreign_figures
from factspine.cite.evidence import Evidence


def foreign(text: str, *evidence: str) -> list[str]:
    return [figure.text for figure in foreign_figures(check_numbers(text, Evidence(evidence)))]


HONEST = [
    ("Revenue was 1.2 thousand.", "Revenue was 1,234."),
    ("营收为12.3亿元。", "营业收入人民币1,234,567,890元"),
    ("营收为123,457万元。", "营业收入人民币1,234,567,890元"),
    ("2024年营收为三千万元", "2024年度营收3,000万元"),
    ("毛利率为百分之十五。", "毛利率 15%"),
    ("Revenue was US$1.32 billion.", "Revenue (US$ million) | FY2024: 1,320"),
    ("about US$1.2bn", "US$1,234 million"),
    ("HK$1,200m in FY2024", "2024 turnover of HK$1.2 billion"),
    ("Margin fell by 12.3%.", "Margin change: -12.3%"),
    ("a net loss of 123.4 million", "Net profit | (123.4) | in HK$ millions"),
    ("营收同比增长15.3%", "revenue growth 0.153"),
    ("第三季度营收5,000万元", "2024年第三季度营收为50,000,000元"),
    ("In Q3 2024 it was 5.", "2024 | Q3: 5"),
    ("It closed on 31 December 2024.", "as at December 31, 2024"),
    ("In 1985 the court decided.", "decided on January 15, 1985"),
    ("12.0%", "12%"),
    ("between 50 and 55%", "50-55%"),
    ("5 to 6 million users", "from 5 million to 6 million users"),
    ("1. Open 5 shops\n2. Close 3 shops", "open 5 shops, close 3 shops"),
    ("It was the 18th century.", "in the eighteenth century"),
    ("it took 10 years", "it took ten years"),
    ("The TiO2 layer holds.", "Titanium dioxide holds."),
    ("There are two reasons.", "Because of wind, and of rain."),
]
FALSE = [
    ("Revenue was 1,235.", "Revenue was 1,234."),
    ("Revenue was 1.3 thousand.", "Revenue was 1,234."),
    ("Revenue was 1,234 million.", "Revenue was 1,234."),
    ("Revenue was 1,234.", "Revenue was 1,234 million."),
    ("Revenue was HK$1.32 billion.", "Revenue (US$ million) | FY2024: 1,320"),
    ("Revenue was US$1.32 million.", "Revenue (US$ million) | FY2024: 1,320"),
    ("Margin rose by 12.3%.", "Margin fell by 12.3%"),
    ("Margin rose by 12.3%.", "Margin change: -12.3%"),
    ("The change was -5%.", "The change was 5%."),
    ("up 1.2 percentage points", "up 1.2%"),
    ("12%", "12 branches"),
    ("US$12", "12 branches"),
    ("第二季度营收5,000万元", "2024年第三季度营收为50,000,000元"),
    ("In 2024 it was 5.", "In Q3 2024 it was 5."),
    ("It closed on 30 December 2024.", "as at December 31, 2024"),
    ("12.5%", "12%"),
    ("6%", "5.6%"),
    ("营收为12.4亿元。", "营业收入人民币1,234,567,890元"),
    ("营收为12.3万元。", "营业收入人民币1,234,567,890元"),
    ("See page 3.", "5 branches"),
    ("4. Turn on the lamp.", "Turn on the lamp."),
    ("The Ka-27 flies.", "The helicopter flies."),
    ("in FY2025", "in FY2024"),
    ("about 200 branches", "136 branches"),
    ("twenty-five branches", "twenty-six branches"),
]


@pytest.mark.parametrize(("text", "evidence"), HONEST)
def test_what_the_evidence_says_may_be_said(text: str, evidence: str) -> None:
    """Verbatim, rounded as shown, in another scale or script: the same number."""
    assert foreign(text, evidence) == []


@pytest.mark.parametrize(("text", "evidence"), FALSE)
def test_what_the_evidence_does_not_say_is_caught(text: str, evidence: str) -> None:
    """Another digit, scale, unit, sign or period: another number."""
    assert foreign(text, evidence) != []


def test_the_sentence_is_named_not_the_text() -> None:
    """One false sentence does not condemn the others."""
    checks = check_numbers("Revenue was 10. Costs were 7.", Evidence(["Revenue was 10. Costs were 8."]))
    assert [(check.text, check.ok) for check in checks] == [("Revenue was 10.", True), ("Costs were 7.", False)]


def test_a_page_number_is_the_page_of_the_citation() -> None:
    """`page 14` is no amount: it is right where the cited passage stands on that page."""
    assert foreign_figures(check_numbers("Revenue was 10 (page 14).", Evidence(["Revenue was 10."], pages=[14]))) == []
    assert foreign_figures(check_numbers("Revenue was 10 (page 15).", Evidence(["Revenue was 10."], pages=[14])))
