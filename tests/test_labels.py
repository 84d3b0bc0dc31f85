"""One header text taken apart."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from factspine.lexicon.catalogue import PLAIN_CLASSES, match, unit_signs
from factspine.lexicon.folding import fold, lower
from factspine.lexicon.labels import read_label
from factspine.lexicon.period_patterns import ROWS
from factspine.lexicon.period_signs import signs_of
from factspine.lexicon.scenario import scenario_signs
from factspine.lexicon.slugs import slug
from factspine.lexicon.tables import names
from factspine.lexicon.unit_grammar import holds_unit
from factspine.lexicon.vocabulary import Vocabulary

VOCABULARY = Vocabulary.load()

LABELS = """
Revenue – Agency              | Revenue  | channel=AGENCY
Revenue (HK$ 000)             | Revenue  | unit=HKD scale=3
营收（百万港元）                | 营收     | unit=HKD scale=6
FY2024E Revenue               | Revenue  | period=2024 marks=forecast
香港 营业收入                  | 营业收入 | geography=HK
香港营业收入                   | 营业收入 | geography=HK
China revenue                 | revenue  | geography=CN
Revenue in China              | Revenue  | geography=CN
Hong Kong - Agency - VONB     | VONB     | geography=HK channel=AGENCY
中国内地 代理渠道               |          | geography=CN channel=AGENCY
2024年第三季度营业收入（亿元）   | 营业收入 | period=2024Q3 unit=CNY scale=8
Revenue, US$m, FY24           | Revenue  | period=2024 unit=USD scale=6
Operating profit (unaudited)  | Operating profit | marks=unaudited
一、营业收入                   | 营业收入 |
减：营业成本                   | 营业成本 | marks=less
Net profit*                   | Net profit |
期末余额                       |          | marks=closing
Q3                            |          | partial=Q
Hong Kong                     |          | geography=HK
machinery                     | machinery |
Bank of China Tower           | Bank of China Tower |
China Mobile                  | China Mobile |
Made in China                 | Made in China |
一般公共预算收入               | 一般公共预算收入 |
Total, 16 years and over      | Total, 16 years and over |
Property, plant and equipment | Property, plant and equipment |
% of revenue                  | % of revenue | unit=% scale=0
Less than $10,000             | Less than $10,000 |
"""


@pytest.mark.parametrize("line", LABELS.strip().splitlines())
def test_a_label_is_taken_apart_and_loses_nothing(line: str) -> None:
    """Period, unit, place, channel and scenario leave the label; every other word stays the metric's."""
    text, rest, expected = (part.strip() for part in line.split("|"))
    reading = read_label(text, VOCABULARY)
    said = {
        "period": reading.period.period if reading.period else "",
        "partial": reading.partial.period_type if reading.partial else "",
        "unit": reading.unit.unit if reading.unit else "",
        "scale": str(reading.unit.scale) if reading.unit else "",
        "geography": reading.geography,
        "channel": reading.channel,
        "entity": reading.entity,
        "marks": ",".join(reading.marks),
    }
    assert reading.rest == rest
    assert {k: v for k, v in said.items() if v} == dict(pair.split("=", 1) for pair in expected.split())


def test_a_users_entity_is_taken_from_a_label(tmp_path: Path) -> None:
    """Names the user lists are entities, with the place that goes with them."""
    path = tmp_path / "vocabulary.toml"
    path.write_text('[[entity]]\ncode = "ACME_HK"\nnames = ["ACME Hong Kong"]\ngeography = "HK"\n', encoding="utf-8")
    reading = read_label("ACME Hong Kong: Revenue", Vocabulary.load(path))
    assert (reading.rest, reading.entity, reading.geography) == ("Revenue", "ACME_HK", "HK")


def test_the_slug_of_an_unknown_label_is_stable() -> None:
    """Width, script and punctuation do not make another metric."""
    assert slug("New policies sold (net)") == slug("ＮＥＷ policies - sold, net") == "NEW_POLICIES_SOLD_NET"
    assert slug("新簽金額") == slug("新签金额") == "新签金额"
    long = slug("a very long label " * 20)
    assert len(long) < 100
    assert long != slug("a very long label " * 21)


@given(st.text(max_size=60))
def test_any_text_can_be_a_label(text: str) -> None:
    """Nothing raises, and the same label reads the same again."""
    assert read_label(text, VOCABULARY) == read_label(text, VOCABULARY)
    assert slug(text) == slug(text)


_FRAGMENTS = st.sampled_from(
    [
        *"aeimqyMHQF019%$'#,;:()/-.~ 年月季半元万人　",
        *("FY", "2024", "1H", "Q3", "Mar", "Sept.", "ended", "half", "first", "year", "to", "date", "YTD", "LTM"),
        *("interim", "quarter", "截至", "财年", "民国", "前三", "十二个月", "Revenue", "in", "RMB", "'000", "million"),
        *(
            "港元",
            "百万",
            "percent",
            "per",
            "share",
            "restated",
            "budget",
            "本期",
            "经审计",
            "ſ",
            "İ",
            "２０２４",
            "ＦＹ",
        ),
    ]
)


@given(st.lists(_FRAGMENTS, max_size=8).map("".join) | st.text(max_size=30))
def test_what_is_ruled_out_at_a_glance_is_not_in_a_label(text: str) -> None:
    """Most labels are not searched for periods, units and marks, because a glance tells that they have none."""
    folded = fold(text)
    found = [needs for needs, pattern, _ in ROWS if re.search(pattern, lower(folded))]
    assert all(signs_of(lower(folded)).issuperset(needs) for needs in found)
    lowered = folded.lower() if len(folded.lower()) == len(folded) else folded
    tokens = [match(folded, lowered, at) for at in range(len(folded))]
    if any(token is not None and token.entry.cls not in PLAIN_CLASSES for token in tokens):
        assert holds_unit(folded)
        assert unit_signs().are_in(folded)
    if any(word in re.split(r"[ ()]+", folded.lower()) for word in names().scenario_marks):
        assert scenario_signs().are_in(folded)
