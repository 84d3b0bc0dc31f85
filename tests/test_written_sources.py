"""Sources written out in a text say where something stands: they claim nothing and prove nothing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from factspine.cite.sources import find_sources, without_sources
from factspine.cite.validator import validate, validate_text
from tests.ask_store import ask
from tests.commandline import run

PLACE = "slide=2,table=1,cell=R2C3,row=REVENUE,col=FY2024"
EVIDENCE = "FY2024 REVENUE 1,320 US$ million"
FORMS = [
    f"(来源:review_v7.pptx · {PLACE})",
    f"（来源：review_v7.pptx · {PLACE}）",
    f"(来源:review_v7.pptx {PLACE})",
    f" (source: review_v7.pptx · {PLACE})",
    f" (Source: reports 2019/review_v7.pptx {PLACE})",
    " (source: plan (v2).xlsx · sheet=P&L,cell=C7,row=Revenue (HK, net),col=2019)".replace(", net", "%2C net"),
    " (sources: a.pdf · page=14,para=3; b 2.xlsx · sheet=Notes!A5)",
]


@pytest.mark.parametrize("source", FORMS)
def test_a_written_source_is_no_claim(source: str) -> None:
    """Slides, rows, pages and the digits of a file's name are not numbers that the text says."""
    assert find_sources(source)
    assert validate_text(f"Revenue was 1,320 US$ million{source}", [EVIDENCE]).ok
    assert validate_text(f"Revenue was 1,320 US$ million{source}.", [EVIDENCE]).ok
    assert not validate_text(f"Revenue was 1,420 US$ million{source}.", [EVIDENCE]).ok


@pytest.mark.parametrize("source", FORMS)
def test_a_written_source_is_no_evidence(source: str) -> None:
    """A number that stands only in the place of a source supports nothing."""
    for said in ("There were 14 shops.", "There were 2 shops.", "It was so in 2019.", "Item R2C3-77 was sold."):
        assert not validate_text(said, [f"Shops and items of that year{source}"]).ok


@pytest.mark.parametrize(
    "bracket",
    [
        "(source: 9,999 million of it from Asia)",
        "(来源:亚洲 9,999 百万)",
        "(source: review.pptx)(9,999)",
        "(source: review.pptx · slide=2, and 9,999 more)",
        "(source: review.pptx · slide=2,row=US$9999 million)",
        "(source: review.pptx · slide=2,profit=9999)",
        "(source: review.pptx · slide=9999 million)",
        "(source: 9999 · slide=2)",
        "(source: review.pptx · slide=2; 9,999 by others)",
        "(source: review.pptx · slide=2,row=a",
    ],
)
def test_a_number_in_a_bracket_that_is_no_source_is_a_number(bracket: str) -> None:
    """What merely looks like a source is read like the rest of the text."""
    text = f"Revenue was 1,320 US$ million {bracket}."
    assert without_sources(text) == text
    assert not validate_text(text, [EVIDENCE]).ok


def cited(locator: str = PLACE, doc: str = "review_v7.pptx", number: int = 1) -> dict[str, Any]:
    chunk = {"chunk_id": f"c{number}", "doc_id": doc, "snippet": "1,320 US$ million"}
    return {**chunk, "locator": locator}


def test_a_written_source_is_one_of_the_citations() -> None:
    """Another document or another place than those cited is `not_retrieved`, however well it is written."""
    retrieved = [{"chunk_id": "c1", "text": EVIDENCE}]
    for source, codes in (
        (f"(来源:review_v7.pptx · {PLACE})", ()),
        ("(来源:review_v7.pptx · slide=2,table=1,cell=R2C3)", ()),
        ("(来源:review_v7.pptx · slide=2,table=1,cell=R9C9)", ("not_retrieved",)),
        (f"(来源:review_v8.pptx · {PLACE})", ("not_retrieved",)),
    ):
        text = f"Revenue was 1,320 US$ million [†1] {source}."
        assert validate(text, [cited()], retrieved).codes == codes


def test_a_sentence_that_writes_its_source_out_names_it() -> None:
    """Without a marker the written source is the marker: of its own line, not of the next."""
    retrieved = [{"chunk_id": "c1", "text": EVIDENCE}, {"chunk_id": "c2", "text": "Margin 12%"}]
    margin = {"chunk_id": "c2", "doc_id": "b.pdf", "locator": "page=3,para=1", "snippet": "Margin 12%"}
    first, second = f"(source: review_v7.pptx · {PLACE})", "(source: b.pdf · page=3,para=1)"
    honest = f"Revenue was 1,320 US$ million {first}\nThe margin was 12% {second}"
    assert validate(honest, [cited(), margin], retrieved).ok
    swapped = f"The margin was 12% {first}\nRevenue was 1,320 US$ million {second}"
    assert "uncited_number" in validate(swapped, [cited(), margin], retrieved).codes
    bare = f"Revenue was 1,320 US$ million {first}\nThe margin was fine."
    assert validate(bare, [cited()], retrieved).codes == ("bad_marker",)


@pytest.mark.parametrize(
    "question",
    [
        "中国内地FY2024的REVENUE是多少",
        "What was revenue in Mainland China in FY2024?",
        "Why did revenue in Mainland China grow?",
    ],
)
def test_our_own_answers_are_valid(question: str, tmp_path: Path) -> None:
    """What `ask` prints, `validate` accepts; with another number, or another place, it does not."""
    answer = ask(question)
    line = {**answer.to_json(), "id": "own", "retrieved": answer.citations}
    changed = json.loads(json.dumps(line).replace("1,320 US$", "1,420 US$").replace("rose by 3%", "rose by 5%", 1))
    file = tmp_path / "lines.jsonl"
    file.write_text(json.dumps(line) + "\n", encoding="utf-8")
    assert run("validate", file, "--json").returncode == 0
    file.write_text(json.dumps({**changed, "citations": line["citations"]}) + "\n", encoding="utf-8")
    assert run("validate", file, "--json").returncode == 1
