"""Arithmetic stated in a text: done again over the numbers of the evidence, and believed in no other way."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from factspine.cite.validator import validate_text
from tests.ask_store import ask
from tests.commandline import run

EVIDENCE = ["Revenue FY2023 US$1,180 million", "Revenue FY2024 US$1,320 million", "Staff: 240", "Loss: (55)"]


@pytest.mark.parametrize(
    "text",
    [
        "Growth: 11.9% = (1,320 − 1,180) ÷ 1,180",
        "Growth: 11.86% = (1,320 - 1,180) / 1,180",
        "Difference: US$140 million = 1,320 − 1,180",
        "差额:140 US$ million = 1,320 − 1,180",
        "Sum: US$2,500 million = 1,180 + 1,320",
        "Average: US$1,250.0 million = (1,180 + 1,320) ÷ 2",
        "Share: 89.4% = 1,180 ÷ 1,320",
        "Ratio: 1.12 = 1,320 ÷ 1,180",
        "Compound growth: 5.8% = (1,320 ÷ 1,180)^(1/2) − 1",
    ],
)
def test_a_stated_sum_stands(text: str) -> None:
    """Every operand is in the evidence, and it comes out as rounded."""
    assert validate_text(text, EVIDENCE).ok, validate_text(text, EVIDENCE).unsupported


@pytest.mark.parametrize(
    "text",
    [
        "Growth was 11.9%",  # no sum, no derivation
        "Growth: 12.9% = (1,320 − 1,180) ÷ 1,180",
        "Growth: −11.9% = (1,320 − 1,180) ÷ 1,180",
        "Growth: 11.9% = (1,321 − 1,180) ÷ 1,180",  # an operand that nobody told
        "Growth: 1.19% = (1,320 − 1,180) ÷ 1,180",
        "Growth: US$11.9 million = (1,320 − 1,180) ÷ 1,180",
        "Difference: US$140 billion = 1,320 − 1,180",
        "Difference: HK$140 million = 1,320 − 1,180",
        "Difference: 140% = 1,320 − 1,180",
        "Difference: US$140 million = 1,180 − 1,320",
        "Sum: US$2,500 million = 1,180 + 1,320 + 0",
        "Sum: US$1,560 million = 1,320 + 240",  # money and people are not added
        "Average: US$833.3 million = (1,180 + 1,320) ÷ 3",
        "Revenue: US$9,999 million = 9,999",
        "Revenue: US$1,557,600 million = 1,320 × 1,180",
        "Sum: US$1,375 million = 1,320 + 55",  # a loss is not added as a gain
        "Growth: 11.9% = (1,320 − 1,180) ÷ 1,180, and profit was US$140 million",
    ],
)
def test_a_sum_that_does_not_stand_lends_nothing(text: str) -> None:
    """Another result, unit, scale, sign or operand; a count that is none; a result said again without its sum."""
    assert "uncited_number" in validate_text(text, EVIDENCE).codes


@pytest.mark.parametrize(
    "question",
    [
        "growth of Mainland China revenue FY2024",
        "中国内地FY2024营收增长率",
        "sum of Mainland China revenue FY2023 and FY2024",
        "By how much did Mainland China revenue grow in FY2024?",
    ],
)
def test_our_own_computed_answers_validate(question: str, tmp_path: Path) -> None:
    """What `ask` computed and cited, saved and given to `validate`, is ok; with one digit altered it is not."""
    answer = ask(question).to_json()
    line = {**answer, "id": "own", "retrieved": answer["citations"]}
    altered = {**line, "id": "altered", "answer": answer["answer"].replace("11.86%", "12.86%").replace("140 ", "141 ")}
    altered["answer"] = altered["answer"].replace("2,500", "2,501")
    file = tmp_path / "answers.jsonl"
    file.write_text("".join(json.dumps(one, ensure_ascii=False) + "\n" for one in (line, altered)), encoding="utf-8")
    own, other = map(json.loads, run("validate", file, "--json").stdout.splitlines())
    assert (own["id"], own["codes"]) == ("own", ["ok"])
    assert "uncited_number" in other["codes"]
